select
    origin,
    time_hour as observed_hour,
    temp as temperature_fahrenheit,
    wind_speed as wind_mph,
    precip as precipitation_inches,
    visib as visibility_miles
from {{ source('raw', 'weather') }}
where time_hour < date '{{ var("arrived_until") }}' + interval 1 day
