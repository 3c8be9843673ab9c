{{
    config(
        materialized='incremental',
        incremental_strategy='merge',
        unique_key=['flight_date', 'carrier', 'flight', 'origin'],
        partition_by='flight_month',
        on_schema_change='fail',
    )
}}

select
    flights.flight_id,
    trunc(flights.flight_date, 'MM') as flight_month,
    flights.flight_date,
    flights.carrier,
    flights.flight,
    flights.origin,
    flights.destination,
    flights.tail_number,
    flights.departure_delay_minutes,
    flights.arrival_time,
    flights.arrival_delay_minutes,
    flights.air_time_minutes,
    flights.distance_miles,
    flights.is_cancelled,
    flights.arrival_is_corrected,
    weather.temperature_fahrenheit,
    weather.wind_mph,
    weather.precipitation_inches,
    weather.visibility_miles,
    flights.arrived_on
from {{ ref('stg_flights') }} as flights
left join {{ ref('stg_weather') }} as weather
    on flights.origin = weather.origin
    and flights.scheduled_hour = weather.observed_hour

{% if is_incremental() %}
-- New flights, and old flights whose correction has come since the last run.
where flights.arrived_on > (select max(arrived_on) from {{ this }})
{% endif %}
