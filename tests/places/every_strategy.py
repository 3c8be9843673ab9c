"""A project with every strategy, built twice as a user would, and what its tables then hold.

`built` runs dbt in processes of its own, by a profile of wherever Spark is; two places are equal
where what it returns is.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

Tables = dict[str, list[str]]
"""Each relation's rows as JSON, in order."""
HELD = Path(__file__).with_name("held.json")
LONGEST_BUILD = 900
"""Seconds."""
PROJECT = """\
name: places
profile: places
model-paths: [models]
seed-paths: [seeds]
snapshot-paths: [snapshots]
macro-paths: [macros]
vars: {run: 1}
seeds: {+schema: raw}
models: {places: {strategies: {+materialized: incremental}}}
flags: {send_anonymous_usage_stats: false}
"""
ARRIVALS = """\
{% if var('run') | int == 1 %}
select * from values
  (1, 'a', date'2026-01-01', timestamp'2026-01-01 08:00:00'),
  (2, 'b', date'2026-01-02', timestamp'2026-01-02 08:00:00'),
  (null, 'n', date'2026-01-01', timestamp'2026-01-01 09:00:00') as t(id, v, day, at)
{% else %}
select * from values
  (2, 'B', date'2026-01-02', timestamp'2026-01-02 09:00:00'),
  (3, 'c', date'2026-01-03', timestamp'2026-01-03 08:00:00'),
  (null, 'N', date'2026-01-02', timestamp'2026-01-02 10:00:00') as t(id, v, day, at)
{% endif %}
"""
CONFIGS = {
    "by_append": "incremental_strategy='append'",
    "by_merge": "unique_key='id'",
    "by_clauses": "unique_key='id', matched_condition=\"DBT_INTERNAL_SOURCE.v <> 'x'\","
    " merge_update_set_expressions={'v': \"concat(DBT_INTERNAL_DEST.v, DBT_INTERNAL_SOURCE.v)\"},"
    " not_matched_by_source_action='delete',"
    " not_matched_by_source_condition=\"DBT_INTERNAL_DEST.day < date'2026-01-01'\"",
    "by_insert_only": "incremental_strategy='insert_only', unique_key='id'",
    "by_delete_insert": "incremental_strategy='delete+insert', unique_key='id'",
    "by_partition": "incremental_strategy='insert_overwrite', partition_by='day'",
    "by_replace_on": "incremental_strategy='insert_overwrite', replace_on='id'",
    "by_cluster": "incremental_strategy='insert_overwrite', liquid_clustered_by='id'",
    "by_replace_where": "incremental_strategy='replace_where',"
    " incremental_predicates=\"day >= date'2026-01-02'\"",
    "by_microbatch": "incremental_strategy='microbatch', event_time='at', batch_size='day',"
    " begin='2026-01-01'",
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
MODELS = {
    "arrivals.sql": ARRIVALS,
    **{
        f"strategies/{name}.sql": f"{{{{ config({config}) }}}}\n"
        f"select * from {{{{ ref('arrivals') }}}} {WHERE.get(name, '')}"
        for name, config in CONFIGS.items()
    },
    "strategies/by_evolution.sql": EVOLVING,
    "passing.sql": "{{ config(materialized='ephemeral') }} select id, v from {{ ref('by_merge') }}",
    "a_table.sql": "{{ config(materialized='table', partition_by='id') }}"
    "select * from {{ ref('passing') }}",
    "a_view.sql": "{{ config(materialized='view') }}"
    "select p.id, p.price, t.v from {{ ref('prices') }} p left join {{ ref('a_table') }} t"
    " on t.id = p.id",
    "of_python.py": "def model(dbt, session):\n    dbt.config(materialized='table')\n"
    "    return dbt.ref('by_merge').where('id is not null').selectExpr('id + 1 as id', 'v')\n",
    "models.yml": yaml.safe_dump(
        {
            "models": [
                {"name": "arrivals", "config": {"event_time": "at"}},
                {"name": "by_merge", "columns": [{"name": "id", "data_tests": ["unique"]}]},
                {
                    "name": "a_table",
                    "config": {"contract": {"enforced": True}},
                    "constraints": [{"type": "check", "name": "whole", "expression": "v <> ''"}],
                    "columns": [
                        {"name": "id", "data_type": "int"},
                        {"name": "v", "data_type": "string", "data_tests": ["not_null"]},
                    ],
                },
            ]
        }
    ),
}
OTHERS = {
    "dbt_project.yml": PROJECT,
    "seeds/prices.csv": "id,price\n1,1.50\n2,2.25\n4,\n",
    "snapshots/seen.yml": yaml.safe_dump(
        {
            "snapshots": [
                {
                    "name": "seen",
                    "relation": "ref('a_table')",
                    "config": {"unique_key": "v", "strategy": "check", "check_cols": "all"},
                }
            ]
        }
    ),
    "macros/held.sql": """\
{% macro held() %}
  {% for node in graph.nodes.values() if node.resource_type in ('model', 'seed', 'snapshot')
     and node.config.materialized != 'ephemeral' %}
    {% set of = api.Relation.create(node.database, node.schema, node.alias) %}
    {% set columns = adapter.get_columns_in_relation(of) | map(attribute='name')
       | reject('in', ['dbt_updated_at', 'dbt_valid_from', 'dbt_valid_to', 'dbt_scd_id']) %}
    {% set rows = run_query('select to_json(struct(' ~ columns | join(', ') ~ ")) from " ~ of) %}
    {% do print('HELD ' ~ tojson([node.name, rows.columns[0].values() | list])) %}
  {% endfor %}
{% endmacro %}
""",
}


def recorded() -> Tables:
    """What it holds after two builds, as read and judged."""
    tables: Tables = json.loads(HELD.read_text())
    return tables


def record(tables: Tables) -> None:
    lines = (f"{json.dumps(name)}: {json.dumps(rows)}" for name, rows in sorted(tables.items()))
    HELD.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def built(target: Mapping[str, Any], folder: Path, command: Sequence[str] = ()) -> Tables:
    """Each relation's rows, in order, after two builds; raises AssertionError where dbt fails.

    `command` runs dbt; by itself it is this Python's.
    """
    models = {f"models/{name}": text for name, text in MODELS.items()}
    write(folder, target, {**OTHERS, **models})
    run = list(command) or [str(Path(sys.executable).with_name("dbt"))]
    days = ["--event-time-start", "2026-01-01", "--event-time-end", "2026-01-04"]
    for number in (1, 2):
        run_dbt(folder, [*run, "build", *days, "--vars", f"{{run: {number}}}"])
    said = run_dbt(folder, [*run, "--quiet", "run-operation", "held"])
    held = [json.loads(line[5:]) for line in said.splitlines() if line.startswith("HELD ")]
    return {name: sorted(rows) for name, rows in held}


def write(folder: Path, target: Mapping[str, Any], files: Mapping[str, str]) -> None:
    """A project of these files, its profile `places` among them."""
    profile = {"places": {"target": "here", "outputs": {"here": dict(target)}}}
    for name, text in {**files, "profiles.yml": yaml.safe_dump(profile)}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def run_dbt(folder: Path, command: list[str]) -> str:
    environ = {**os.environ, "DBT_PROFILES_DIR": str(folder)}
    done = subprocess.run(
        command,
        cwd=folder,
        env=environ,
        capture_output=True,
        text=True,
        timeout=LONGEST_BUILD,
        check=False,
    )
    assert done.returncode == 0, (
        f"{' '.join(command)}\n{done.stdout[-6000:]}\n{done.stderr[-3000:]}"
    )
    return done.stdout
