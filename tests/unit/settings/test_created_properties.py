"""The properties that a table is made with, and those that one which is there is brought to."""

from __future__ import annotations

from typing import Any

import pytest
from models import spec

from dbt.adapters.deltaspark.settings.model import read_table


def test_a_table_has_deletion_vectors_unless_it_says_no() -> None:
    on = read_table(spec({})).table.creation_properties(["id"])
    off = read_table(spec({"deletion_vectors": False})).table.creation_properties(["id"])
    key = "delta.enableDeletionVectors"
    assert (on, off) == ({key: "true"}, {key: "false"})


@pytest.mark.parametrize(
    ("config", "vectors"),
    [
        ({"tblproperties": {"delta.enableIcebergCompatV2": True}}, "false"),
        ({"tblproperties": {"delta.enableIcebergCompatV1": "true"}}, "false"),
        ({"tblproperties": {"delta.enableIcebergCompatV2": "false"}}, "true"),
        ({"tblproperties": {"delta.compatibility.symlinkFormatManifest.enabled": True}}, "false"),
        ({"tblproperties": {"delta.compatibility.symlinkFormatManifest.enabled": False}}, "true"),
        ({"tblproperties": {"delta.universalFormat.enabledFormats": "iceberg,hudi"}}, "false"),
        ({"tblproperties": {"delta.universalformat.enabledformats": "hudi"}}, "false"),
        ({"tblproperties": {"delta.universalFormat.enabledFormats": "iceberg"}}, "true"),
        (
            {"tblproperties": {"delta.enableIcebergCompatV2": "true"}, "deletion_vectors": True},
            "true",
        ),
    ],
)
def test_vectors_give_way_to_what_excludes_them_unless_the_model_asks_for_both(
    config: dict[str, Any], vectors: str
) -> None:
    created = read_table(spec(config)).table.creation_properties(["id"])
    assert created["delta.enableDeletionVectors"] == vectors


def test_a_table_that_is_there_keeps_its_vectors_unless_the_model_says_otherwise() -> None:
    said, unsaid = {"deletion_vectors": True}, {}
    definitions = [read_table(spec(each)).table.definition((), (), {}) for each in (said, unsaid)]
    assert [each.properties for each in definitions] == [
        (("delta.enableDeletionVectors", "true"),),
        (),
    ]


def test_column_mapping_comes_only_with_names_that_need_it() -> None:
    table = read_table(spec({"tblproperties": {"quality": 1, "checked": True}})).table
    plain = {"delta.enableDeletionVectors": "true", "quality": "1", "checked": "true"}
    assert table.creation_properties(["id", "größe"]) == plain
    assert table.creation_properties(["id", "a b"]) == {
        "delta.columnMapping.mode": "name",
        **plain,
    }


@pytest.mark.parametrize(
    "given",
    [
        {"delta.enabledeletionvectors": "false"},
        {"DELTA.COLUMNMAPPING.MODE": "id", "delta.enableDeletionVectors": "true"},
    ],
)
def test_a_new_table_has_each_property_once_as_the_model_spells_and_says_it(
    given: dict[str, str],
) -> None:
    created = read_table(spec({"tblproperties": given})).table.creation_properties(["a b"])
    ours = {"delta.enabledeletionvectors", "delta.columnmapping.mode"}
    assert {key.lower() for key in created} == ours
    assert len(created) == len(ours)
    assert created.items() >= given.items()


@pytest.mark.parametrize(
    ("config", "needed", "properties"),
    [
        (
            {"tblproperties": {"delta.enabletypewidening": "true", "team": "x"}},
            {"delta.enableTypeWidening": "true"},
            {"delta.enableTypeWidening": "true", "team": "x"},
        ),
        (
            {"tblproperties": {"delta.enabledeletionvectors": "false"}, "deletion_vectors": True},
            {},
            {"delta.enabledeletionvectors": "false"},
        ),
    ],
)
def test_a_table_that_is_there_gets_each_property_once(
    config: dict[str, Any], needed: dict[str, str], properties: dict[str, str]
) -> None:
    definition = read_table(spec(config)).table.definition((), (), needed)
    assert dict(definition.properties) == properties
