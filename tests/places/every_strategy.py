"""A project with every strategy, built twice, and what its tables then hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import yaml
from dbt_runs import HELD, Tables, held, run_dbt, write

if TYPE_CHECKING:
    from pathlib import Path

    from places import Place

PROJECT = """\
name: places
profile: places
model-paths: [models]
seed-paths: [seeds]
snapshot-paths: [snapshots]
macro-paths: [macros]
vars: {run: 1}
seeds: {+schema: raw}
models:
  places:
    +persist_docs: {relation: true, columns: true}
    strategies: {+materialized: incremental}
flags: {send_anonymous_usage_stats: false}
"""
ARRIVALS = """\
{% if var('run') | int == 1 %}
select * from values
  (1, 'a', date'2026-01-01', timestamp'2026-01-01 08:00:00'),
  (2, 'b', date'2026-01-02', timestamp'2026-01-02 08:00:00'),
  (4, 'd', date'2026-01-02', timestamp'2026-01-02 08:30:00'),
  (6, 'f', date'2026-01-01', timestamp'2026-01-01 07:00:00'),
  (null, 'n', date'2026-01-01', timestamp'2026-01-01 09:00:00') as t(id, v, day, at)
{% else %}
select * from values
  (2, 'B', date'2026-01-02', timestamp'2026-01-02 09:00:00'),
  (3, 'c', date'2026-01-03', timestamp'2026-01-03 08:00:00'),
  (4, 'x', date'2026-01-02', timestamp'2026-01-02 09:30:00'),
  (null, 'N', date'2026-01-02', timestamp'2026-01-02 10:00:00') as t(id, v, day, at)
{% endif %}
"""
CONFIGS = {
    "by_append": "incremental_strategy='append'",
    "by_merge": "unique_key='id'",
    "by_clauses": "unique_key='id', matched_condition=\"DBT_INTERNAL_SOURCE.v <> 'x'\","
    " merge_update_set_expressions={'v': \"concat(DBT_INTERNAL_DEST.v, DBT_INTERNAL_SOURCE.v)\"},"
    " not_matched_by_source_action='delete',"
    " not_matched_by_source_condition='DBT_INTERNAL_DEST.id < 6'",
    "by_insert_only": "incremental_strategy='insert_only', unique_key='id'",
    "by_delete_insert": "incremental_strategy='delete+insert', unique_key='id'",
    "by_partition": "incremental_strategy='insert_overwrite', partition_by='day'",
    "by_replace_on": "incremental_strategy='insert_overwrite', replace_on='id'",
    "by_cluster": "incremental_strategy='insert_overwrite', liquid_clustered_by='id'",
    "by_replace_where": "incremental_strategy='replace_where',"
    " incremental_predicates=\"day >= date'2026-01-02'\"",
    "by_microbatch": "incremental_strategy='microbatch', event_time='at', batch_size='year',"
    " begin='2025-06-01'",
    "by_scd2": "incremental_strategy='scd2', unique_key='id', scd2_updated_at='at'",
}
WHERE = {
    "by_microbatch": "where id is not null",
    "by_replace_where": "{% if is_incremental() %}where day >= date'2026-01-02'{% endif %}",
}
EVOLVING = """\
{{ config(unique_key='id', on_schema_change='append_new_columns') }}
select id, v {% if var('run') | int > 1 %}, day{% endif %} from {{ ref('arrivals') }}
"""
OF_PYTHON = """\
from pyspark.sql.functions import udf

def model(dbt, session):
    dbt.config(materialized='table')
    following = udf(lambda number: number + 1, 'int')
    return dbt.ref('by_merge').where('id is not null').select(following('id').alias('id'), 'v')
"""
"""Its function runs where the rows are: on executors, or a server's machine."""
MODELS = {
    "arrivals.sql": ARRIVALS,
    **{
        f"strategies/{name}.sql": f"{{{{ config({config}) }}}}\n"
        f"select * from {{{{ ref('arrivals') }}}} {WHERE.get(name, '')}"
        for name, config in CONFIGS.items()
    },
    "strategies/by_evolution.sql": EVOLVING,
    "keyed.sql": "{{ config(materialized='ephemeral') }}"
    "select * from {{ ref('arrivals') }} where id is not null",
    "passing.sql": "{{ config(materialized='ephemeral') }} select id, v from {{ ref('by_merge') }}",
    "a_table.sql": "{{ config(materialized='table', partition_by='id') }}"
    "select * from {{ ref('passing') }}",
    "a_view.sql": "{{ config(materialized='view') }}"
    "select p.id, p.price, t.v from {{ ref('prices') }} p left join {{ ref('a_table') }} t"
    " on t.id = p.id",
    "of_python.py": OF_PYTHON,
    "models.yml": yaml.safe_dump(
        {
            "models": [
                {"name": "arrivals", "config": {"event_time": "at"}},
                {"name": "by_merge", "columns": [{"name": "id", "data_tests": ["unique"]}]},
                {
                    "name": "a_table",
                    "description": "What has passed",
                    "config": {"contract": {"enforced": True}},
                    "constraints": [{"type": "check", "name": "whole", "expression": "v <> ''"}],
                    "columns": [
                        {"name": "id", "data_type": "int", "description": "The key"},
                        {
                            "name": "v",
                            "data_type": "string",
                            "constraints": [{"type": "not_null"}],
                            "data_tests": ["not_null"],
                        },
                    ],
                },
            ]
        }
    ),
}
OTHERS = {
    "dbt_project.yml": PROJECT,
    "seeds/prices.csv": "id,price\n1,1.50\n2,2.25\n5,\n",
    "snapshots/seen.yml": yaml.safe_dump(
        {
            "snapshots": [
                {
                    "name": "seen",
                    "relation": "ref('a_table')",
                    "config": {"unique_key": "v", "strategy": "check", "check_cols": "all"},
                },
                {
                    "name": "seen_by_key",
                    "relation": "ref('of_python')",
                    "config": {"unique_key": "id", "strategy": "check", "check_cols": ["v"]},
                },
                {
                    "name": "seen_by_time",
                    "relation": "ref('keyed')",
                    "config": {
                        "unique_key": "id",
                        "strategy": "timestamp",
                        "updated_at": "at",
                        "hard_deletes": "invalidate",
                    },
                },
            ]
        }
    ),
    "macros/held.sql": HELD,
}


def built(place: Place, folder: Path) -> Tables:
    """What each relation holds after two builds; raises AssertionError where dbt fails.

    Two places are equal where what this returns is.
    """
    target = {"type": "deltaspark", "schema": "shop", "threads": 2, **place.keys}
    models = {f"models/{name}": text for name, text in MODELS.items()}
    write(folder, target, {**OTHERS, **models})
    for number in (1, 2):
        run_dbt(folder, [*place.dbt, "build", "--vars", f"{{run: {number}}}"])
    return held(folder, place.dbt)
