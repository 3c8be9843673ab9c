"""The confs as a properties file that Java reads back."""

from __future__ import annotations

from dbt.adapters.deltaspark.session.jvm_start import properties


def test_plain_characters_stand_as_they_are() -> None:
    assert properties({"spark.master": "local-2_x/y.z"}) == "spark.master=local-2_x/y.z\n"


def test_what_the_format_has_rules_for_is_written_by_its_code() -> None:
    assert properties({"a b": "x=y\\\n#"}) == "a\\u0020b=x\\u003dy\\u005c\\u000a\\u0023\n"


def test_characters_of_two_units_are_written_by_both() -> None:
    assert properties({"k": "é\N{GRINNING FACE}"}) == "k=\\u00e9\\ud83d\\ude00\n"
