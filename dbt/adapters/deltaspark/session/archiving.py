"""Makes a class archive: `python -m dbt.adapters.deltaspark.session.archiving [file [jars]]`.

A Spark of its own, in a folder of its own, does what a first dbt run does; the classes that it
loaded for that are the archive.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from .. import engine
from .class_archive import OPTIONS, archive_of
from .confs import SessionSettings
from .jvm_start import end_jvm
from .spark import open_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

KEPT = 4
"""Archives in the folder; those of other Javas and Sparks may still be of use."""
LONGEST = 600
"""Seconds after which nobody is making an archive any more."""
ROWS = "select id, concat('v', id) as v, date '2026-01-01' as day, 1.5 as n from range({})"
UPSERT = """merge into {target} t using ({source}) s on t.id = s.id
    when matched then update set * when not matched then insert *"""


def main() -> int:
    archive = Path(sys.argv[1]) if len(sys.argv) > 1 else archive_of({"spark.master": "local"})
    if archive is None:
        return 1
    archive.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _alone(archive) as alone:
        if alone and not archive.is_file():
            make(archive, tuple(sys.argv[2:]))
    return 0


def make(archive: Path, jars: tuple[str, ...] = ()) -> None:
    """Leaves the archive in its place, whole, or does not touch it.

    Without `jars` Delta's are those that Ivy resolves.
    """
    with TemporaryDirectory(prefix="dbt-deltaspark-") as name:
        unfinished = archive.with_name(f"{archive.name}.{os.getpid()}")
        settings = SessionSettings(
            warehouse=f"{name}/warehouse",
            metastore=f"{name}/metastore",
            master="local[2]",
            driver_memory="1g",
            jars=jars,
            spark_config=((OPTIONS, f'"-XX:ArchiveClassesAtExit={unfinished}"'),),
        )
        try:
            session = open_session(settings)
            work(session)
            if not end_jvm(session, LONGEST):  # it writes the archive when it ends
                raise TimeoutError(
                    f"the JVM did not end within {LONGEST} s: the archive is not whole"
                )
            unfinished.replace(archive)
        finally:
            unfinished.unlink(missing_ok=True)
    _tidy(archive.parent)


def _tidy(folder: Path) -> None:
    """The newest archives stay. A JVM writes one when it ends, also when it is killed with us."""
    made = sorted(folder.glob("classes-*.jsa"), key=_changed)
    begun = [
        path for path in folder.glob("classes-*.jsa.*") if time.time() - _changed(path) > LONGEST
    ]
    for old in (*made[:-KEPT], *begun):
        old.unlink(missing_ok=True)


def _changed(path: Path) -> float:
    return path.stat().st_mtime


def work(session: SparkSession) -> None:
    """What dbt's models do: tables, merges by both routes, views, tests."""
    session.sql("create schema warm")
    for vectors in ("true", "false"):
        table = f"warm.t_{vectors}"
        target = engine.DeltaTarget.for_name(session, table)
        properties = {"delta.enableDeletionVectors": vectors}
        engine.write(session.sql(ROWS.format(100)), target, properties=properties)
        engine.merge_into(session, UPSERT.format(target=table, source=ROWS.format(120)))
        engine.write(session.sql(ROWS.format(10)), target, "overwrite", replace_using=["id"])
        session.sql(f"create view warm.v_{vectors} as select * from {table} where n is not null")
        session.sql(f"select day, count(*) from warm.v_{vectors} group by day").collect()


@contextmanager
def _alone(archive: Path) -> Iterator[bool]:
    """Whether no other process is making it; a lock that has grown too old counts for nothing."""
    lock = archive.with_suffix(".lock")
    if lock.is_file() and time.time() - _changed(lock) < LONGEST:
        yield False
        return
    lock.touch()
    try:
        yield True
    finally:
        lock.unlink(missing_ok=True)


if __name__ == "__main__":
    sys.exit(main())
