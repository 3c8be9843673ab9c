"""What a server writes: as the table is, and with the options that are given."""

from __future__ import annotations

import json
import re
import uuid
from typing import Any

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.connect.readwriter import DataFrameWriterV2
from server_tables import COLUMNS, NEW, THERE, detail, ids, make, newest, sql

from dbt.adapters.deltaspark import engine
from dbt.adapters.deltaspark.engine.delta import USER_METADATA, session_confs
from dbt.adapters.deltaspark.engine.remote import commits
from dbt.adapters.deltaspark.session.view_texts import made_room


@pytest.mark.parametrize("dynamic_partitions", [False, True])
def test_an_overwritten_table_stays_clustered(
    there: engine.DeltaTarget, dynamic_partitions: bool
) -> None:
    sql(there.spark, f"ALTER TABLE {there.name} CLUSTER BY (id)")
    rows = there.spark.sql(NEW)
    result = engine.write(rows, there, "overwrite", dynamic_partitions=dynamic_partitions)
    assert (detail(there).clusteringColumns, ids(there)) == (["id"], [3, 4])
    assert result.metrics.deleted == 2


@pytest.mark.parametrize("columns", [{}, COLUMNS])
def test_options_of_the_writer_are_heeded_when_a_table_is_made(
    target: engine.DeltaTarget, columns: dict[str, str]
) -> None:
    options = {"maxRecordsPerFile": "1", "delta.enableChangeDataFeed": "true"}
    rows = target.spark.range(0, 4, 1, 1).toDF("id")
    make(target, rows, columns=columns, options=options)
    assert detail(target).numFiles == 4
    assert detail(target).properties == {"delta.enableChangeDataFeed": "true"}


def test_options_of_the_writer_are_heeded_where_matches_are_replaced(
    there: engine.DeltaTarget,
) -> None:
    rows = there.spark.range(1, 5, 1, 1).select(F.col("id").cast("int"), F.lit("n").alias("v"))
    given = {"replace_using": ["id"], "options": {"maxRecordsPerFile": "1"}}
    engine.write(rows, there, "overwrite", **given)
    assert (detail(there).numFiles, ids(there)) == (4, [1, 2, 3, 4])


def test_an_option_that_a_merge_has_no_way_to_heed_is_refused(there: engine.DeltaTarget) -> None:
    given = {"replace_using": ["id"], "options": {"optimizeWrite": "true"}}
    with pytest.raises(engine.EngineError, match="optimizeWrite"):
        engine.write(there.spark.sql(NEW), there, "overwrite", **given)
    assert ids(there) == [1, 2]


def test_a_change_feed_is_known_however_it_is_spelt(target: engine.DeltaTarget) -> None:
    """In one file: Delta's MERGE takes rows of both sides for the same by their numbers."""
    rows = target.spark.range(0, 6, 1, 1).selectExpr("cast(id AS int) AS id", "'a' AS v")
    make(target, rows, columns={}, properties={"delta.enablechangedatafeed": "TRUE"})
    new = target.spark.sql("SELECT * FROM VALUES (4, 'x'), (5, 'y'), (8, 'z') AS v(id, v)")
    engine.write(new.repartition(1), target, "overwrite", replace_using=["id"])
    assert ids(target) == [0, 1, 2, 3, 4, 5, 8]
    (last,) = sql(target.spark, f"DESCRIBE HISTORY {target.name} LIMIT 1")
    assert "__taken_0" in last.operationParameters["predicate"]


@pytest.mark.parametrize("feed", ["true", "false"])
@pytest.mark.parametrize(
    ("on", "condition"),
    [
        ("id = s.id", "AMBIGUOUS_REFERENCE"),
        ("t.id = s.id) OR (true", "PARSE_SYNTAX_ERROR"),
        ("t.id = s.id /*", "UNCLOSED_BRACKETED_COMMENT"),
    ],
)
def test_a_condition_that_says_two_things_replaces_nothing(
    target: engine.DeltaTarget, feed: str, on: str, condition: str
) -> None:
    make(target, THERE, columns={}, properties={"delta.enableChangeDataFeed": feed})
    rows = target.spark.sql("SELECT 2 AS id, 'x' AS v")
    given = {"replace_on": on, "target_alias": "t", "source_alias": "s"}
    with pytest.raises(PySparkException) as raised:
        engine.write(rows, target, "overwrite", **given)
    assert (raised.value.getCondition(), ids(target)) == (condition, [1, 2])


def test_no_comment_of_a_value_hides_the_condition(there: engine.DeltaTarget) -> None:
    with pytest.raises(PySparkException, match="UNCLOSED_BRACKETED_COMMENT"):
        there.update({"v": "'x' /* by hand"}, "id = 1 -- */")
    assert sql(there.spark, f"SELECT * FROM {there.name} WHERE v = 'x'") == []


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"properties": {"team": "ours"}}, "property team is None, not 'ours'"),
        ({"comment": "mine"}, "the comment is None, not 'mine'"),
        ({"cluster_by": ["id"]}, "it is clustered by [], not by ['id']"),
        ({"columns": {"v": "NOT NULL"}}, "v would be defined (columns)"),
    ],
)
def test_a_write_does_not_change_what_a_table_is(
    there: engine.DeltaTarget, given: dict[str, Any], said: str
) -> None:
    with pytest.raises(engine.SpecError) as raised:
        engine.write(there.spark.sql(NEW), there, **given)
    assert said in str(raised.value)
    assert ids(there) == [1, 2]


def test_a_write_may_say_what_a_table_is(target: engine.DeltaTarget) -> None:
    what: dict[str, Any] = {
        "properties": {"delta.enablechangedatafeed": "true", "source_url": "http://here"},
        "comment": "ours",
        "cluster_by": ["id"],
    }
    make(target, THERE, columns={}, **what)
    engine.write(target.spark.sql(NEW), target, **what)
    assert ids(target) == [1, 2, 3, 4]


def test_rows_that_lack_the_column_of_replace_where_are_told(there: engine.DeltaTarget) -> None:
    rows = there.spark.sql("SELECT 9 AS id")
    with pytest.raises(engine.ReplaceWhereViolationError, match="id = 9, v = null"):
        engine.write(rows, there, "overwrite", replace_where="v = 'a'")
    assert ids(there) == [1, 2]


def test_a_write_whose_version_cannot_be_asked_for_is_no_error(
    there: engine.DeltaTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(*_: object) -> None:
        raise PySparkException("the connection was lost")

    monkeypatch.setattr(commits, "commits_after", lost)
    result = engine.write(there.spark.sql(NEW), there)
    assert (result.version, ids(there)) == (engine.UNKNOWN_VERSION, [1, 2, 3, 4])


def test_a_servers_catalog_is_not_widened_from_here(small: SparkSession) -> None:
    assert not made_room(small)


OF_ONE_RUN = json.dumps({"node_id": "model.p.m", "invocation_id": str(uuid.uuid4())})


@pytest.fixture
def failing_appends(monkeypatch: pytest.MonkeyPatch) -> None:
    """An append runs to its end, and fails then."""
    append = DataFrameWriterV2.append

    def failed(writer: DataFrameWriterV2) -> None:
        append(writer)
        raise PySparkException("the answer got lost")

    monkeypatch.setattr(DataFrameWriterV2, "append", failed)


@pytest.mark.parametrize(
    ("of_session", "given", "said"),
    [
        ("nightly", None, r"nightly dbt-deltaspark [0-9a-f]{32}"),
        ("nightly", "mine", "mine"),
        (OF_ONE_RUN, None, re.escape(OF_ONE_RUN)),
    ],
    ids=["the session's", "the write's", "of one run"],
)
def test_the_sessions_note_is_in_the_history(
    there: engine.DeltaTarget, of_session: str, given: str | None, said: str
) -> None:
    with session_confs(there.spark, {USER_METADATA: of_session}):
        result = engine.write(there.spark.sql(NEW), there, user_metadata=given)
        assert there.spark.conf.get(USER_METADATA) == of_session
    (last,) = sql(there.spark, f"DESCRIBE HISTORY {there.name} LIMIT 1")
    assert (last.version, bool(re.fullmatch(said, last.userMetadata))) == (result.version, True)


@pytest.mark.usefixtures("failing_appends")
@pytest.mark.parametrize("note", [None, OF_ONE_RUN], ids=["no note", "of one run"])
def test_a_write_whose_commit_landed_before_it_failed_is_a_success_with_a_warning(
    there: engine.DeltaTarget, caplog: pytest.LogCaptureFixture, note: str | None
) -> None:
    result = engine.write(there.spark.sql(NEW), there, user_metadata=note)
    assert (result.version, ids(there)) == (newest(there), [1, 2, 3, 4])
    assert "what follows a commit failed: the answer got lost" in caplog.text


@pytest.mark.usefixtures("failing_appends")
@pytest.mark.parametrize("note", ["nightly", f"job {uuid.uuid4()}"], ids=["a word", "a job"])
def test_a_write_that_failed_and_may_be_the_commit_with_its_note_is_an_error_that_says_so(
    there: engine.DeltaTarget, note: str
) -> None:
    with pytest.raises(PySparkException, match="got lost") as raised:
        engine.write(there.spark.sql(NEW), there, user_metadata=note)
    (told,) = raised.value.__notes__
    assert told.startswith(f"Version {newest(there)} of ")
