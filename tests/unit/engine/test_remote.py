"""What the engine sends to a Spark Connect server, and what it makes of the answers; no server."""

from __future__ import annotations

import pytest
import sqlglot
from pyspark.errors.exceptions.connect import AnalysisException
from pyspark.sql.types import (
    ArrayType,
    DecimalType,
    IntegerType,
    MapType,
    StringType,
    StructField,
    StructType,
)

from dbt.adapters.deltaspark.engine.delta import replayed, server_messages
from dbt.adapters.deltaspark.engine.remote.commits import is_conflict, plain
from dbt.adapters.deltaspark.engine.remote.deleted_once import with_condition
from dbt.adapters.deltaspark.engine.remote.properties import spelled, tokens, without_raw_texts
from dbt.adapters.deltaspark.engine.remote.replaced import merge_of_pairs, merge_of_taken_rows
from dbt.adapters.deltaspark.engine.remote.statement_parts import source_apart, target_of
from dbt.adapters.deltaspark.engine.remote.tables import type_text, without_rows
from dbt.adapters.deltaspark.engine.spec import WriteSpec

SPEC = WriteSpec(mode="overwrite", replace_using=("id",))
COLUMNS = StructType([StructField("id", IntegerType()), StructField("the `name`", StringType())])


def test_a_name_is_told_without_its_backticks() -> None:
    assert plain("`spark_catalog`.`s`.`a ``b`` c`") == "spark_catalog.s.a `b` c"
    assert plain("delta.`/tables/t`") == "delta./tables/t"


def test_each_new_row_takes_rows_away_and_is_added() -> None:
    text = merge_of_pairs("s.t", "rows", ["id", "v"], SPEC)
    assert "explode(array(true, false))" in text
    assert "ON NOT `__new`.__is_new AND (__old.`id` = __new.`id`" in text
    assert text.endswith("THEN INSERT (`id`, `v`) VALUES (`__new`.`id`, `__new`.`v`)")
    assert sqlglot.parse_one(text, dialect="databricks").key == "merge"


def test_with_a_change_feed_each_row_that_goes_is_met_once() -> None:
    text = merge_of_taken_rows("s.t", COLUMNS, "rows", ["id"], SPEC)
    assert "SELECT DISTINCT `__old`.`id` AS __taken_0, `__old`.`the ``name``` AS __taken_1" in text
    assert "`__old`.`id` <=> `__new`.__taken_0 AND `__old`.`the ``name``` <=> " in text
    assert sqlglot.parse_one(text, dialect="databricks").key == "merge"


@pytest.mark.parametrize(
    "space", [" ", "\n", " -- it's\n", " /* THEN ' */ ", " /* a /* b */ THEN ' */ "]
)
@pytest.mark.parametrize(
    "on", ["t.a = s.a", "s.a = 'it\\'s -- '", 's.`a"/*` = "\'"', r"s.a = r'\'"]
)
def test_a_delete_beside_inserts_gets_a_condition_wherever_it_stands(on: str, space: str) -> None:
    clauses = f"WHEN MATCHED{space}THEN DELETE when not matched then insert *"
    text = f"MERGE INTO t USING s ON {on} {clauses}"
    assert with_condition(text) == text.replace("MATCHED", "MATCHED AND true", 1)


@pytest.mark.parametrize(
    "clauses",
    [
        "WHEN MATCHED THEN DELETE",
        "WHEN MATCHED AND t.b THEN DELETE WHEN NOT MATCHED THEN INSERT *",
        "WHEN MATCHED THEN UPDATE SET v = 'WHEN MATCHED THEN DELETE'"
        " WHEN NOT MATCHED THEN INSERT *",
        "WHEN MATCHED THEN DELETE -- WHEN NOT MATCHED THEN INSERT *",
        "WHEN MATCHED AND t.b THEN UPDATE SET * WHEN MATCHED THEN DELETE"
        " WHEN NOT MATCHED THEN INSERT *",
    ],
)
def test_a_merge_that_loses_no_rows_stays_as_it_is(clauses: str) -> None:
    assert with_condition(f"MERGE INTO t USING s ON t.a = s.a {clauses}") is None


def test_a_message_has_no_class_of_java_before_it() -> None:
    error = AnalysisException(
        "(io.delta.A$B) [DELTA_X] what (a.B) is wrong", server_stacktrace="at x"
    )
    assert server_messages(error)[0] == "[DELTA_X] what (a.B) is wrong"


def conflict(message: str) -> AnalysisException:
    return AnalysisException(message, errorClass="DELTA_CONCURRENT_APPEND.WITHOUT_HINT")


def test_after_a_conflict_it_runs_again() -> None:
    errors = [conflict("a concurrent WRITE added data"), conflict("a concurrent WRITE added data")]

    def attempt(number: int) -> int:
        if errors:
            raise errors.pop()
        return number

    assert replayed(attempt, 2, is_conflict) == (2, 2)


def test_a_conflict_at_the_last_replay_says_who_won_and_what_to_do() -> None:
    def attempt(_: int) -> object:
        raise conflict("A concurrent WRITE added data; see the commit at version 7")

    with pytest.raises(AnalysisException) as raised:
        replayed(attempt, 1, is_conflict)
    assert raised.value.__notes__ == [
        "This was tried 2 times (conflict_retries: 1) and another commit came first each time,"
        " at last a WRITE with version 7; nothing was written. Run it again, raise"
        " conflict_retries, or let the writers of this table run one after the other."
    ]


def test_a_check_is_the_same_however_it_is_spaced() -> None:
    assert tokens("length ( a ) > - 5") == tokens("length(a)\n>-5")
    assert tokens("a = 'x  y'") != tokens("a = 'x y'")
    assert tokens(r"a = 'it\'s  b' ") == tokens(r"a  =  'it\'s  b'")
    assert tokens("`a  b`") != tokens("`a b`")


def test_checks_that_differ_behind_a_raw_text_are_two() -> None:
    assert tokens(r"a <> r'\' and b = 'x  y'") != tokens(r"a <> r'\' and b = 'x y'")
    assert tokens(r"""a <> R"\" and b = 'x  y'""") != tokens(r"""a <> R"\" and b = 'x y'""")
    assert tokens("a <> 'x' 'y'") != tokens("a <> 'x''y'")
    assert tokens("a <> r 'x  y'") != tokens("a <> r'x  y'")


@pytest.mark.parametrize(
    ("condition", "plain_one"),
    [
        (r"a <> r'\' and b = 'x  y'", r"a <> '\\' and b = 'x  y'"),
        (r"""a rlike R"\d'+" """, r"""a rlike "\\d'+" """),
        (r"a <> 'it''s' and b <> '\''''", r"a <> 'it\'s' and b <> '\'\''"),
        ("a > 0 /* a /* 'b */ c */ and `r'--` > 1", "a > 0   and `r'--` > 1"),
        ('a <> "say ""x"""', r'a <> "say \"x\""'),
    ],
)
def test_a_check_is_sent_as_delta_s_own_parser_reads_it(condition: str, plain_one: str) -> None:
    assert without_raw_texts(condition) == plain_one
    assert tokens(condition) == tokens(plain_one)


@pytest.mark.parametrize(
    "comment", ["-- no 'more\n", "/* 'not */", "/* a /* 'b */ c */", "-- goes on \\\n here\n"]
)
def test_a_check_is_the_same_with_a_comment(comment: str) -> None:
    assert tokens(f"a > 0 {comment} AND b > 'x  y'") == tokens("a > 0 AND b > 'x  y'")


@pytest.mark.parametrize(
    ("statement", "target"),
    [
        ("MERGE INTO a.`b c` t USING s ON true", "a.`b c`"),
        ("merge with schema evolution into `a``b` USING s", "`a``b`"),
        ("-- MERGE INTO x\n/* a /* b */ MERGE INTO y */ MERGE INTO t USING s", "t"),
        (r"WITH w AS (SELECT r'\', 'MERGE INTO x') MERGE INTO t USING w", "t"),
        ("SELECT 'MERGE INTO x'", None),
    ],
)
def test_the_target_of_a_merge_is_in_no_text_and_no_comment(
    statement: str, target: str | None
) -> None:
    assert target_of(statement) == target


@pytest.mark.parametrize(
    ("statement", "query", "over"),
    [
        (
            "WITH w AS (SELECT 1) MERGE INTO t USING w s ON true WHEN MATCHED THEN DELETE",
            "WITH w AS (SELECT 1) SELECT * FROM w",
            "WITH w AS (SELECT 1) MERGE INTO t USING v  s ON true WHEN MATCHED THEN DELETE",
        ),
        (
            "MERGE INTO t AS x USING a.`b c` ON x.i = `b c`.i WHEN MATCHED THEN DELETE",
            "SELECT * FROM a.`b c`",
            "MERGE INTO t AS x USING v AS `b c`  ON x.i = `b c`.i WHEN MATCHED THEN DELETE",
        ),
        (
            r"MERGE INTO t USING (SELECT r'\' AS i)ON true WHEN MATCHED THEN DELETE",
            r"SELECT * FROM (SELECT r'\' AS i)",
            "MERGE INTO t USING v ON true WHEN MATCHED THEN DELETE",
        ),
        (
            "MERGE INTO a.t AS `T` USING (SELECT i FROM b) ON t.i = i WHEN MATCHED THEN DELETE",
            "SELECT * FROM (SELECT i FROM b)",
            "MERGE INTO a.t AS `T` USING v  ON t.i = i WHEN MATCHED THEN DELETE",
        ),
    ],
    ids=["with", "named", "bracketed", "nameless"],
)
def test_a_merge_is_the_same_over_a_view_of_its_source(
    statement: str, query: str, over: str
) -> None:
    apart = source_apart(statement)
    assert apart is not None
    assert (apart[0], apart[1]("v")) == (query, over)


@pytest.mark.parametrize(
    "statement",
    [
        "MERGE INTO t USING a.b ON t.i = A.B.i WHEN MATCHED THEN DELETE",
        "MERGE INTO t USING (SELECT * FROM b) ON t.i = b.i WHEN MATCHED THEN DELETE",
        "SELECT 'MERGE INTO t'",
    ],
)
def test_a_merge_that_names_its_source_whole_stays_as_it_is(statement: str) -> None:
    assert source_apart(statement) is None


def test_keys_of_delta_are_the_same_in_any_case() -> None:
    known = {"delta.appendOnly": "true", "Team": "ours"}
    assert spelled("DELTA.appendonly", known) == "delta.appendOnly"
    assert spelled("team", known) == "team"


def test_names_of_fields_are_quoted_in_types() -> None:
    inner = StructType([StructField("a b", DecimalType(9, 2), metadata={"comment": "it's"})])
    kind = MapType(StringType(), ArrayType(inner))
    expected = "map<string, array<struct<`a b`: decimal(9,2) COMMENT 'it\\'s'>>>"
    assert type_text(kind) == expected
    assert sqlglot.parse_one(f"CREATE TABLE t (c {expected})", dialect="databricks").key == "create"


@pytest.mark.parametrize("whole", [False, True])
def test_a_table_is_defined_with_what_its_options_say_of_it(whole: bool) -> None:
    options = (("delta.appendOnly", "true"), ("maxRecordsPerFile", "1"))
    columns = (("id", "NOT NULL"),)
    spec = WriteSpec(mode="overwrite", columns=columns, options=options, overwrite_schema=whole)
    text = without_rows("s.t", COLUMNS, spec)
    create = "CREATE OR REPLACE TABLE" if whole else "CREATE TABLE"
    assert text.startswith(f"{create} s.t (`id` int NOT NULL, `the ``name```")
    assert text.endswith("USING delta\nTBLPROPERTIES ('delta.appendOnly' = 'true')")


@pytest.mark.parametrize(
    ("definition", "needs"),
    [
        ("INT NOT NULL DEFAULT 0", True),
        ("default 'BY'", True),
        ("INT COMMENT 'a DEFAULT'", False),
        ("BIGINT GENERATED BY\nDEFAULT AS IDENTITY", False),
    ],
)
def test_a_default_asks_for_its_table_feature(definition: str, needs: bool) -> None:
    spec = WriteSpec(mode="overwrite", columns=(("n", definition),))
    text = without_rows("s.t", COLUMNS, spec)
    assert ("'delta.feature.allowColumnDefaults' = 'supported'" in text) == needs
