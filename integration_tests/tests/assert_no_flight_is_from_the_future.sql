-- Nothing may be in the fact that had not arrived yet.
select flight_id, arrived_on
from {{ ref('fct_flights') }}
where arrived_on > date '{{ var("arrived_until") }}'
