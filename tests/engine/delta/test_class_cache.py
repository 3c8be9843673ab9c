"""What one command has looked up of the JVM's classes no other one asks for."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from py4j.clientserver import ClientServerConnection
from py4j.protocol import REFLECTION_COMMAND_NAME
from pyspark.sql import functions as F

from dbt.adapters.deltaspark import engine
from dbt.adapters.deltaspark.engine.delta import Jvm

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import pytest
    from pyspark.sql import Column, SparkSession


@contextmanager
def looked_up(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The classes and static members that the JVM is asked for meanwhile."""
    names: list[str] = []
    send = ClientServerConnection.send_command

    def noting(connection: ClientServerConnection, command: str) -> str:
        if command.startswith(REFLECTION_COMMAND_NAME):
            names.append(command)
        answer: str = send(connection, command)
        return answer

    with monkeypatch.context() as patched:
        patched.setattr(ClientServerConnection, "send_command", noting)
        yield names


def test_a_class_is_looked_up_once(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    def used(jvm: Jvm) -> object:
        return jvm.type("java.lang.Integer").parseInt("7"), jvm.module("scala.None").isEmpty()

    used(Jvm(spark))
    with looked_up(monkeypatch) as names:
        assert used(Jvm(spark)) == (7, True)
    assert names == []


def test_what_is_no_class_is_looked_up_again(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    Jvm(spark).type("java.lang.NoSuchClass")
    with looked_up(monkeypatch) as names:
        Jvm(spark).type("java.lang.NoSuchClass")
    assert len(names) == 1


def test_a_second_merge_looks_up_no_class_of_delta(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = f"delta.`{tmp_path / 'table'}`"
    spark.sql(f"CREATE TABLE {table} (id LONG) USING delta")
    merge = (
        f"MERGE INTO {table} t USING (SELECT {{}} AS id) s ON t.id = s.id"
        " WHEN NOT MATCHED THEN INSERT *"
    )
    engine.merge_into(spark, merge.format(1))
    with looked_up(monkeypatch) as names:
        engine.merge_into(spark, merge.format(2))
    assert [name for name in names if "org.apache.spark.sql.delta" in name] == []


def test_pyspark_looks_up_nothing_to_make_a_column(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    def made() -> Column:
        return F.greatest(F.col("a"), F.lit(1)).isNotNull()

    Jvm(spark).type("java.lang.Integer")
    made()
    with looked_up(monkeypatch) as names:
        made()
    assert names == []
