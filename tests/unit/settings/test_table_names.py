"""Names that become folders, and those that would be another folder."""

from __future__ import annotations

import pytest

from dbt.adapters.deltaspark.settings.table_names import name_problems


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
