{{
    config(
        materialized='incremental',
        incremental_strategy='insert_only',
        unique_key='tail_number',
    )
}}

-- No is_incremental() filter: insert_only leaves out the planes that the table has already, so a
-- plane keeps what was known when it was first seen.
select
    flights.tail_number,
    min(flights.flight_date) as first_seen_on,
    max(planes.built_in) as built_in,
    max(planes.manufacturer) as manufacturer,
    max(planes.model) as model,
    max(planes.seats) as seats,
    max(planes.tail_number) is not null as is_registered
from {{ ref('stg_flights') }} as flights
left join {{ ref('stg_planes') }} as planes
    on flights.tail_number = planes.tail_number
where flights.tail_number is not null
group by flights.tail_number
