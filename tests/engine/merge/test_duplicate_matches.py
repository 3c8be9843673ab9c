"""The error for source rows that repeat a key says which keys, and how often."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from commits import latest_version

from dbt.adapters.deltaspark import engine

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

UPSERT = (
    "MERGE INTO {target} t USING (SELECT * FROM VALUES {rows} AS v(id, part)) s"
    " ON t.id <=> s.id AND t.part = s.part"
    " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
)


@pytest.fixture(scope="module")
def target(small: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("duplicates") / "target"
    rows = "(1, 'a'), (2, 'a'), (3, 'a'), (4, 'a'), (5, 'a'), (6, 'a'), (NULL, 'a')"
    small.sql(f"SELECT * FROM VALUES {rows} AS v(id, part)").write.format("delta").save(str(path))
    return path


def refused(small: SparkSession, target: Path, rows: str) -> engine.DuplicateMatchError:
    with pytest.raises(engine.DuplicateMatchError) as caught:
        engine.merge_into(small, UPSERT.format(target=f"delta.`{target}`", rows=rows))
    assert latest_version(target) == 0
    return caught.value


def test_the_error_names_each_repeated_key_with_its_count(
    small: SparkSession, target: Path
) -> None:
    rows = "(1, 'a'), (1, 'a'), (2, 'a'), (3, 'a'), (3, 'a'), (3, 'a')"
    error = refused(small, target, rows)
    assert [(key.key, key.count) for key in error.keys] == [
        ("id = 3, part = a", 3),
        ("id = 1, part = a", 2),
    ]
    assert "id = 3, part = a: 3 source rows" in str(error)


def test_the_error_names_no_more_than_five_keys(small: SparkSession, target: Path) -> None:
    rows = ", ".join(f"({number}, 'a'), ({number}, 'a')" for number in range(1, 7))
    error = refused(small, target, rows)
    assert [key.count for key in error.keys] == [2, 2, 2, 2, 2]


def test_repeated_keys_that_match_nothing_are_not_named(small: SparkSession, target: Path) -> None:
    error = refused(small, target, "(1, 'a'), (1, 'a'), (2, 'b'), (2, 'b'), (2, 'b')")
    assert [key.key for key in error.keys] == ["id = 1, part = a"]


def test_a_repeated_null_key_is_shown_as_null(small: SparkSession, target: Path) -> None:
    error = refused(small, target, "(NULL, 'a'), (NULL, 'a')")
    assert [(key.key, key.count) for key in error.keys] == [("id = NULL, part = a", 2)]


def test_the_error_has_delta_s_class_and_a_way_out(small: SparkSession, target: Path) -> None:
    error = refused(small, target, "(1, 'a'), (1, 'a')")
    assert error.error_class == "DELTA_MULTIPLE_SOURCE_ROW_MATCHING_TARGET_ROW_IN_MERGE"
    assert "Make the source unique" in str(error)
