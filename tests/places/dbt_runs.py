"""dbt run as a user would, in processes of its own, and what the tables then hold."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

Tables = dict[str, dict[str, Any]]
"""Of each relation what it is beside its rows, and these: as JSON in order, or their checksum.
Of a merge also what it said."""
DBT = str(Path(sys.executable).with_name("dbt"))
LONGEST_BUILD = 900
"""Seconds."""
HELD = """\
{% macro held(whole=true) %}
  {% for node in graph.nodes.values() if node.resource_type in ('model', 'seed', 'snapshot')
     and node.config.materialized != 'ephemeral' %}
    {% set of = api.Relation.create(node.database, node.schema, node.alias) %}
    {% set found = adapter.get_columns_in_relation(of) %}
    {% set columns = found | map(attribute='name')
       | reject('in', ['dbt_updated_at', 'dbt_valid_from', 'dbt_valid_to', 'dbt_scd_id']) | list %}
    {% set made = {'columns': []} %}
    {% for column in found %}
      {% do made['columns'].append(column.name ~ ' ' ~ column.dtype) %}
    {% endfor %}
    {% if node.config.materialized != 'view' %}
      {% set detail = run_query('describe detail ' ~ of)[0] %}
      {% for key in ('description', 'partitionColumns', 'clusteringColumns', 'properties',
                     'tableFeatures') %}
        {% do made.update({key: detail[key]}) %}
      {% endfor %}
    {% endif %}
    {% if node.resource_type == 'snapshot' %}
      {% do columns.append('dbt_valid_to is null as is_open') %}
    {% endif %}
    {% set row = 'to_json(struct(' ~ columns | join(', ') ~ '))' %}
    {% set rows = row if whole
       else 'concat(count(*), " rows, ", sum(cast(xxhash64(' ~ row ~ ') as decimal(38))))' %}
    {% set held = run_query('select ' ~ rows ~ ' from ' ~ of).columns[0].values() | list %}
    {% do made.update(rows=held) %}
    {% do print('HELD ' ~ tojson([node.name, made])) %}
  {% endfor %}
{% endmacro %}
"""
"""Moments of the run are left out; a snapshot's rows say whether they are the newest."""


def write(folder: Path, target: Mapping[str, Any], files: Mapping[str, str]) -> None:
    """A project of these files, its profile `places` among them."""
    profile = {"places": {"target": "here", "outputs": {"here": dict(target)}}}
    for name, text in {**files, "profiles.yml": yaml.safe_dump(profile)}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def run_dbt(folder: Path, command: Sequence[str]) -> str:
    """What it prints; raises AssertionError where it fails, or dbt's own program has Spark's words
    on the console."""
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "DBT_PROFILES_DIR": str(folder)},
        capture_output=True,
        text=True,
        timeout=LONGEST_BUILD,
        check=False,
    )
    assert done.returncode == 0, (
        f"{' '.join(command)}\n{done.stdout[-6000:]}\n{done.stderr[-3000:]}"
    )
    assert DBT not in command or done.stderr == "", done.stderr
    return done.stdout


def held(folder: Path, command: Sequence[str], *, whole: bool = True) -> Tables:
    """What the macro of the project in this folder tells."""
    arguments = ["--args", f"{{whole: {str(whole).lower()}}}"]
    said = run_dbt(folder, [*command, "--quiet", "run-operation", "held", *arguments])
    tables = dict(json.loads(line[5:]) for line in said.splitlines() if line.startswith("HELD "))
    return {name: {**table, "rows": sorted(table["rows"])} for name, table in tables.items()}


def recorded(project: str) -> Tables:
    """What it holds after its builds, as read and judged."""
    tables: Tables = json.loads(_record_of(project).read_text())
    return tables


def agree(project: str, found: Tables, *, embedded: bool = False) -> None:
    """Raises AssertionError where it is not what is recorded.

    With HELD=new what embedded Spark holds is recorded anew, to be read and judged.
    """
    if embedded and os.environ.get("HELD") == "new":
        text = json.dumps(found, indent=1, sort_keys=True, ensure_ascii=False)
        _record_of(project).write_text(f"{text}\n")
    assert found == recorded(project)


def _record_of(project: str) -> Path:
    return Path(__file__).with_name(f"held_by_{project}.json")
