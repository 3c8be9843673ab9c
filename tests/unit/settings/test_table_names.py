"""Names that become folders, and those that would be another folder."""

from __future__ import annotations

import pytest

from dbt.adapters.deltaspark.settings.table_names import (
    EMBEDDED,
    OTHER,
    OWN,
    name_problems,
    problems_of_comment,
    problems_of_names,
)


@pytest.mark.parametrize("name", ["orders", "Orders_2", "größe", "with space", "a-b", "a:b", "$x"])
def test_a_name_of_one_part_is_taken(name: str) -> None:
    assert name_problems("alias", name) == []


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("../x", "'.', '/'"),
        ("..", "'.'"),
        ("a/b", "'/'"),
        ("a\\b", "'\\\\'"),
        ("a.b", "'.'"),
        ("a`b", "'`'"),
        ("a\nb", "'\\n'"),
    ],
)
def test_a_name_that_is_a_path_or_cannot_be_read_back_is_refused(name: str, found: str) -> None:
    (problem,) = name_problems("schema", name)
    assert f"it has {found}: a name becomes a folder" in problem
    assert "give it another schema" in problem


def test_an_empty_name_is_refused() -> None:
    assert "since it is empty" in name_problems("alias", " ")[0]


@pytest.mark.parametrize(
    ("name", "found", "near"),
    [
        ("my-orders", "'-'", "my_orders"),
        ("größe", "'ß', 'ö'", "grosse"),
        ("my orders", "' '", "my_orders"),
        ("a.b", "'.'", "a_b"),
        ("../x", "'.', '/'", "x"),
        ("2024-01: Σ", "' ', '-', ':', 'Σ'", "2024_01"),
    ],
)
def test_spark_s_own_catalog_has_plain_names_and_one_is_given(
    name: str, found: str, near: str
) -> None:
    for catalog in (OWN, EMBEDDED):
        assert name_problems("alias", name, catalog) == [
            f"alias {name!r} is refused, since it has {found}: names in Spark's own catalog have"
            " the letters a to z, digits and underscores alone; give it another alias, as in"
            f" `alias: {near}`"
        ]


def test_a_name_of_which_nothing_is_left_is_told_what_may_be_in_one() -> None:
    (problem,) = name_problems("schema", "Σ-Σ", OWN)
    assert problem.endswith("give it another schema, with letters, digits and underscores")
    assert "since it is empty" in name_problems("schema", "", OWN)[0]


@pytest.mark.parametrize("name", ["orders", "Orders_2", "_x", "2024", "select"])
def test_a_plain_name_is_taken(name: str) -> None:
    assert name_problems("alias", name, EMBEDDED) == []


@pytest.mark.parametrize("name", ["my-orders", "größe", "my orders"])
def test_another_catalog_says_itself_which_names_it_has(name: str) -> None:
    spec = {"schema": "s", "alias": name, "catalog": OTHER, "namesakes": ["model 'X' (x.sql)"]}
    assert problems_of_names(spec) == []


@pytest.mark.parametrize(("what", "most"), [("schema", 128), ("alias", 255)])
def test_a_name_for_which_there_is_no_room_is_refused(what: str, most: int) -> None:
    assert name_problems(what, "n" * most, OWN) == []
    (problem,) = name_problems(what, "n" * (most + 1), OWN)
    assert f"it has {most + 1} characters, and the catalog and the disk take {most}" in problem


def test_a_function_s_name_is_shorter_than_a_table_s() -> None:
    spec = {"schema": "s", "alias": "f" * 129, "catalog": OWN, "node_id": "function.shop.f"}
    (problem,) = problems_of_names(spec)
    assert "it has 129 characters, and the catalog and the disk take 128" in problem


def test_names_that_differ_by_case_alone_are_one_to_the_catalog() -> None:
    spec = {
        "schema": "s",
        "alias": "Orders",
        "catalog": OWN,
        "namesakes": ["model 'orders' (models/orders.sql)"],
    }
    assert problems_of_names(spec) == [
        "alias 'Orders' is also that of model 'orders' (models/orders.sql), but for the case of its"
        " letters, which the catalog ignores: each would replace the other's rows; give one of"
        " them another alias"
    ]


def test_a_comment_is_as_long_as_the_embedded_catalog_has_room_for() -> None:
    assert problems_of_comment({"catalog": EMBEDDED}, "x" * 32672) == []
    assert problems_of_comment({"catalog": OWN}, "x" * 32673) == []
    (problem,) = problems_of_comment({"catalog": EMBEDDED}, "x" * 32673)
    assert "has 32673 characters, and the embedded catalog takes 32672 of a table" in problem
