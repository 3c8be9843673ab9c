"""How a model's columns differ from its table's, and what each on_schema_change makes of it."""

from __future__ import annotations

from models import columns, merged, problems
from pyspark.sql.types import (
    ArrayType,
    IntegerType,
    LongType,
    MapType,
    StringType,
)

from dbt.adapters.deltaspark.settings.schema_change import (
    Retyped,
    SchemaChange,
    out_of_sync,
    shared,
    warnings_of_change,
)


def test_columns_are_told_by_name_without_case() -> None:
    change = SchemaChange.between(columns(id="int", new="int"), columns(ID="bigint", old="int"))
    assert change == SchemaChange(("new",), ("old",), (Retyped("ID", LongType(), IntegerType()),))


def test_fields_are_told_with_their_path() -> None:
    source = columns(s=columns(a="int", b="int"), l=ArrayType(columns(x="int")))
    target = columns(s=columns(a="bigint", c="int"), l=ArrayType(columns(x="int", y="int")))
    change = SchemaChange.between(source, target)
    assert change.nested_added == ("s.b",)
    assert change.nested_removed == ("s.c", "l.element.y")
    assert change.retyped == (Retyped("s.a", LongType(), IntegerType()),)


def test_equal_columns_in_another_order_are_no_change() -> None:
    assert not SchemaChange.between(columns(a="int", b="int"), columns(B="int", A="int"))


def test_a_change_that_fail_forbids_is_told_in_dbts_words() -> None:
    change = SchemaChange.between(columns(id="int", new="int"), columns(ID="bigint", old="int"))
    told = out_of_sync(change)
    assert "schemas on this incremental model are out of sync!" in told
    assert "Source columns not in target: ['new']" in told
    assert "New column types: [{'column_name': 'ID', 'new_type': 'int'}]" in told


def test_what_ignore_leaves_out_is_named() -> None:
    change = SchemaChange(added=("new",), nested_added=("s.b",))
    (told,) = warnings_of_change("ignore", change)
    assert told.startswith("these columns are not in the table and are not written: new, s.b;")
    assert warnings_of_change("append_new_columns", change) == ()


def test_a_new_field_of_a_struct_is_a_new_column_too() -> None:
    old, new = columns(id="int", s=columns(a="int")), columns(id="int", s=columns(a="int", b="int"))
    assert merged(new, old, on_schema_change="append_new_columns").evolve_schema


def test_syncing_says_which_change_would_lose_values() -> None:
    config = {"unique_key": "id", "on_schema_change": "sync_all_columns"}
    (told,) = problems(config, columns(id="int"), columns(id="bigint"))
    assert "would change id from bigint to int, which could lose values" in told
    assert problems(config, columns(id="bigint"), columns(id="int", old="int")) == []


def test_only_shared_fields_are_selected_and_null_structs_stay_null() -> None:
    source = columns(a="int", s=columns(x="int", y="int"), new="int")
    target = columns(A="int", s=columns(X="int"))
    assert shared(source, target) == [
        "`a` AS `a`",
        "if(`s` IS NULL, NULL, named_struct('x', `s`.`x`)) AS `s`",
    ]


def test_fields_within_arrays_and_maps_are_selected_too() -> None:
    wide, narrow = columns(x="int", y="int"), columns(x="int")
    source = columns(l=ArrayType(wide), m=MapType(StringType(), wide))
    target = columns(l=ArrayType(narrow), m=MapType(StringType(), narrow))
    assert shared(source, target) == [
        "transform(`l`, e0 -> if(e0 IS NULL, NULL, named_struct('x', e0.`x`))) AS `l`",
        "transform_values(`m`, (k0, e0) -> if(e0 IS NULL, NULL, named_struct('x', e0.`x`))) AS `m`",
    ]
