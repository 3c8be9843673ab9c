select
    carrier,
    name as airline
from {{ source('raw', 'airlines') }}
