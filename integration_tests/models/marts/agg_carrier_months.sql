-- On time is what the US Department of Transportation calls so: less than 15 minutes late.
select
    flights.flight_month,
    flights.carrier,
    airlines.airline,
    count(*) as flights,
    count_if(flights.is_cancelled) as cancelled_flights,
    count_if(flights.arrival_is_corrected) as corrected_flights,
    count(flights.arrival_delay_minutes) as arrived_flights,
    count_if(flights.arrival_delay_minutes < 15) as on_time_flights,
    round(avg(flights.arrival_delay_minutes), 1) as average_delay_minutes
from {{ ref('fct_flights') }} as flights
inner join {{ ref('stg_airlines') }} as airlines
    on flights.carrier = airlines.carrier
group by flights.flight_month, flights.carrier, airlines.airline
