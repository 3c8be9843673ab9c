"""Names under tblproperties that are no property of a table."""

from __future__ import annotations

import pytest
from models import incremental, spec

from dbt.adapters.deltaspark.engine.spec import KEPT_ELSEWHERE, NOT_CHANGED_HERE
from dbt.adapters.deltaspark.settings.model import read_table
from dbt.adapters.deltaspark.settings.reserved_properties import reserved_properties


@pytest.mark.parametrize(
    ("name", "way_out"),
    [
        ("location", "location_root says where the table lies"),
        ("Owner", "leave it out; the catalog says whose a table is"),
        ("provider", "file_format says it"),
        ("external", "leave it out; a table with location_root is external"),
        (
            "comment",
            "the config comment says it, or a description with persist_docs: {relation: true}",
        ),
        ("delta.feature.clustering", "liquid_clustered_by says it"),
        (
            "delta.constraints.pos",
            "constraints of an enforced contract say it, with type: check",
        ),
    ],
)
def test_a_property_that_another_key_stands_for_is_a_problem(name: str, way_out: str) -> None:
    told = (f"tblproperties names {name!r}, which is no property of a table: {way_out}",)
    config = {"tblproperties": {name: "Berlin", "team": "x"}}
    assert read_table(spec({**config, "materialized": "table"})).problems == told
    assert incremental(**config).problems == told


def test_all_that_a_later_run_would_refuse_is_told() -> None:
    names = [*KEPT_ELSEWHERE, *NOT_CHANGED_HERE, "DELTA.constraints.x"]
    assert len([*reserved_properties(names, of_delta=True)]) == len(names)


def test_a_table_of_another_format_has_a_comment_among_its_properties() -> None:
    config = {"file_format": "parquet", "tblproperties": {"comment": "x", "owner": "me"}}
    (problem,) = read_table(spec(config)).problems
    assert problem.startswith("tblproperties names 'owner'")


def test_properties_of_a_view_are_its_own() -> None:
    config = {"materialized": "view", "tblproperties": {"comment": "x"}}
    assert read_table(spec(config)).problems == ()
