-- The merged fact agrees, flight by flight, with what staging says now: a correction that the merge
-- missed, or a flight that it lost or doubled, shows up here.
with fact as (

    select flight_id, arrival_delay_minutes, arrival_is_corrected, arrived_on
    from {{ ref('fct_flights') }}

),

staging as (

    select flight_id, arrival_delay_minutes, arrival_is_corrected, arrived_on
    from {{ ref('stg_flights') }}

)

(select 'only in the fact' as problem, * from (select * from fact except all select * from staging))
union all
(select 'only in staging' as problem, * from (select * from staging except all select * from fact))
