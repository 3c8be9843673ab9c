select
    tailnum as tail_number,
    year as built_in,
    manufacturer,
    model,
    engines,
    seats
from {{ source('raw', 'planes') }}
