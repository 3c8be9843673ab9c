with reports as (

    select * from {{ source('raw', 'flights') }}
    where reported_on <= date '{{ var("arrived_until") }}'

),

corrections as (

    select * from {{ source('raw', 'flight_corrections') }}
    where corrected_on <= date '{{ var("arrived_until") }}'

),

latest as (

    select
        reports.*,
        corrections.corrected_on,
        corrections.corrected_on is not null as is_corrected,
        corrections.arr_time as corrected_arr_time,
        corrections.arr_delay as corrected_arr_delay,
        corrections.air_time as corrected_air_time
    from reports
    left join corrections using (flight_date, carrier, flight, origin)

)

select
    concat_ws('-', flight_date, carrier, flight, origin) as flight_id,
    flight_date,
    carrier,
    flight,
    origin,
    dest as destination,
    tailnum as tail_number,
    time_hour as scheduled_hour,
    dep_delay as departure_delay_minutes,
    if(is_corrected, corrected_arr_time, arr_time) as arrival_time,
    if(is_corrected, corrected_arr_delay, arr_delay) as arrival_delay_minutes,
    if(is_corrected, corrected_air_time, air_time) as air_time_minutes,
    distance as distance_miles,
    dep_time is null as is_cancelled,
    is_corrected as arrival_is_corrected,
    coalesce(corrected_on, reported_on) as arrived_on
from latest
