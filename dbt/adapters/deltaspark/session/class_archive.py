"""An archive of classes for the JVM: what it has read and checked once, it maps when it starts.

Java's class data sharing (JEP 350). The archive of a Java, a Spark and a Delta lies in the user's
cache folder. A JVM with another Java or other jars in its class path (Spark's) starts without it. A
class of `spark.jars` (Delta's, or a user's) has a loader of its own, and is taken from the archive
only where its bytes are the same: a user's jars need no archive of their own.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from .environment import installed, is_local, java_command, spark_home
from .processes import python

FOLDER = "DBT_DELTASPARK_CACHE"
"""The environment's name of another cache folder; empty: there is no archive."""
OPTIONS = "spark.driver.extraJavaOptions"
QUIET = "-Xlog:cds=off -Xlog:cds+dynamic=off"
"""An archive that does not fit is not worth a word on anybody's console."""
OWN = ("-XX:SharedArchiveFile", "-XX:ArchiveClassesAtExit", "-XX:+AutoCreate")
"""A profile names an archive of its own: Java takes one, or does not start."""


def with_archive(confs: Mapping[str, str]) -> dict[str, str]:
    """The confs of a local JVM with its archive; one that is not there is made when we have ended.

    Nothing that goes wrong with it is an error.
    """
    archive, given = archive_of(confs), confs.get(OPTIONS, "")
    if archive is None or any(option in given for option in OWN):
        return dict(confs)
    if archive.is_file():
        return {**confs, OPTIONS: f'"-XX:SharedArchiveFile={archive}" {QUIET} {given}'.rstrip()}
    if not os.environ.get("CI"):
        jars = confs.get("spark.jars", "").split(",")
        atexit.register(made_in_background, archive, [jar for jar in jars if jar])
    return dict(confs)


def archive_of(confs: Mapping[str, str]) -> Path | None:
    """Where the archive for this Java, this Spark and this Delta is, or would be."""
    folder, java = cache_folder(), java_command()
    if folder is None or java is None or not is_local(confs.get("spark.master")):
        return None
    with suppress(OSError):
        return folder / f"classes-{_fingerprint(Path(java).resolve().parents[1])}.jsa"
    return None


def cache_folder() -> Path | None:
    """The folder of what can be made again, which may not be there yet; None: it is not wanted,
    or the user has no home."""
    named = os.environ.get(FOLDER)
    if named is not None:
        return Path(named).absolute() if named else None
    with suppress(RuntimeError):  # in a container the user may be a number alone
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        return Path(base).absolute() / "dbt-deltaspark"
    return None


def _fingerprint(java_home: Path) -> str:
    """Of what an archive depends on: the Java, and the classes that Spark and Delta start with."""
    jars = spark_home() / "jars"
    changed = [str(path.stat().st_mtime_ns) for path in (java_home / "lib/modules", jars)]
    told = "\n".join([str(java_home), str(jars), *changed, *installed().values()])
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def made_in_background(archive: Path, jars: Sequence[str]) -> None:
    """Start a process that makes the archive with these jars, at the lowest priority."""
    slowly = ["nice", "-n", "19"] if shutil.which("nice") else []
    with suppress(OSError):
        subprocess.Popen(
            [*slowly, *python(f"{__package__}.archiving", "main"), str(archive), *jars],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            cwd=os.sep,
        )
