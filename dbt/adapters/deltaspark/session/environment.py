"""What Spark needs of the machine: a Java, versions that were tested, Delta's jar files."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from urllib.parse import unquote, urlparse
from zlib import crc32

import pyspark

from .secrets import masked

JAVA_VERSIONS = (17, 21)
SEPARATOR = re.compile(r"\s*[=:]\s*|\s+")
"""Of name and value, in a file of Java's properties."""
RELEASE = re.compile(r"(?:spark-core_[\d.]+-|Spark )(\d.*?)(?:\.jar$|\s)")
"""Of a Spark: in the name of its jar, or at the beginning of its file RELEASE."""
TESTED = {"pyspark": ("4.1.", ()), "delta-spark": ("4.4.", ("4.4.1",))}
"""Package: the release line that works, and releases of that line which do not."""


class EnvironmentProblem(Exception):
    """The machine lacks something that Spark needs; nothing was started."""


class JavaProblem(EnvironmentProblem):
    """No Java, or one that Spark 4.1 does not run on."""

    def __init__(self, found: str) -> None:
        wanted = " or ".join(map(str, JAVA_VERSIONS))
        super().__init__(
            f"Spark needs Java {wanted}, but {found}.\n"
            "How to get one:\n"
            "  Linux    sudo apt-get install openjdk-17-jre-headless"
            "   (Fedora: sudo dnf install java-21-openjdk-headless)\n"
            "  macOS    brew install openjdk@17, then"
            ' export JAVA_HOME="$(brew --prefix openjdk@17)"\n'
            "  Windows  winget install EclipseAdoptium.Temurin.17.JDK\n"
            "With several Javas on the machine, point JAVA_HOME at the right one."
        )


class VersionProblem(EnvironmentProblem):
    """A pyspark or delta-spark that this release was never tested with."""

    def __init__(self, package: str, found: str) -> None:
        line, broken = TESTED[package]
        wanted = f">={line}0,<{line[:-1].partition('.')[0]}.{int(line.split('.')[1]) + 1}"
        excluded = "".join(f",!={release}" for release in broken)
        super().__init__(
            f"{package} {found} was never tested with dbt-deltaspark, which works with"
            f' {package} {line}x.\nInstall one that was: pip install "{package}{wanted}{excluded}"'
        )


class SparkHomeProblem(EnvironmentProblem):
    """SPARK_HOME names a folder whose Spark PySpark could not work with."""

    def __init__(self, home: str, found: str) -> None:
        line = TESTED["pyspark"][0]
        super().__init__(
            f"SPARK_HOME is {home or 'empty'}, which has {found}. PySpark would start the Spark of"
            f" that folder, which has to be {line}x.\nWays out: unset SPARK_HOME, and PySpark"
            f" starts the Spark that it brings along; or let it name a Spark {line}x."
        )


def check_versions(found: dict[str, str] | None = None) -> None:
    """Raises VersionProblem unless pyspark and delta-spark are of the tested release lines."""
    for package, release in (installed() if found is None else found).items():
        line, broken = TESTED[package]
        if not release.startswith(line) or release in broken:
            raise VersionProblem(package, release)


def installed() -> dict[str, str]:
    return {package: _installed_version(package) for package in TESTED}


def _installed_version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "(not installed)"


def check_machine() -> None:
    """Raises EnvironmentProblem unless PySpark would start a Spark, on a Java, that both fit."""
    check_spark_home()
    check_java()


def check_spark_home() -> None:
    """Raises SparkHomeProblem where SPARK_HOME has no Spark, or one of an untested release line."""
    home = os.environ.get("SPARK_HOME")
    if home is None:
        return
    if not home or not any(Path(home, "bin").glob("spark-submit*")):
        raise SparkHomeProblem(home, f"no {Path('bin') / 'spark-submit'}")
    release = _release_of(Path(home))
    if release is not None and not release.startswith(TESTED["pyspark"][0]):
        raise SparkHomeProblem(home, f"Spark {release}")


def _release_of(home: Path) -> str | None:
    """The version of the Spark in that folder; None where nothing there says it."""
    file = home / "RELEASE"
    names = [path.name for path in Path(home, "jars").glob("spark-core_*.jar")]
    texts = [*names, file.read_text(errors="replace")] if file.is_file() else names
    found = (RELEASE.match(text) for text in texts)
    return next((match[1] for match in found if match), None)


def check_java() -> None:
    """Raises JavaProblem unless Spark would find a Java it runs on."""
    java = java_command()
    if java is None:
        raise JavaProblem(_where_it_was_looked_for())
    printed = _printed_by(java)
    release = re.search(r'version "(?:1\.)?(\d+)', printed)
    if release is None:
        # Java begins with the options that it takes from the environment.
        raise JavaProblem(f"{java} -version printed: {masked(printed.strip() or 'nothing')}")
    if int(release.group(1)) not in JAVA_VERSIONS:
        raise JavaProblem(f"{java} is Java {release.group(1)}")


def java_command() -> str | None:
    home = os.environ.get("JAVA_HOME")
    return shutil.which("java", path=str(Path(home) / "bin") if home else None)


def _where_it_was_looked_for() -> str:
    home = os.environ.get("JAVA_HOME")
    if home:
        return f"JAVA_HOME is {home}, which has no {Path('bin') / 'java'}"
    return "none was found: JAVA_HOME is not set and there is no java on the PATH"


def _printed_by(java: str) -> str:
    result = subprocess.run(
        [java, "-version"], capture_output=True, text=True, check=False, timeout=60
    )
    return result.stderr + result.stdout


def recorded_jars(
    ivy: Path, packages: Sequence[str] = (), excludes: Sequence[str] = ()
) -> tuple[str, ...]:
    """Delta's and the packages' jar files, without `excludes`, as an earlier start resolved them.

    Without those that Spark has itself; empty if one of them is gone. Spark's own come first where
    classes are looked for: of Delta's none is used that Spark has in another version. A package of
    the profile may need what only its version has.
    """
    record = _record(ivy, packages, excludes)
    jars = record.read_text().splitlines() if record.is_file() else []
    if not all(Path(jar).is_file() for jar in jars):
        return ()
    name = str if packages else _unversioned
    has = {name(path.name) for path in Path(spark_home(), "jars").glob("*.jar")}
    return tuple(jar for jar in jars if name(_artifact(jar)) not in has)


def _artifact(jar: str) -> str:
    """The jar's name without the organization that Ivy puts before it."""
    return Path(jar).name.partition("_")[2]


def _unversioned(jar: str) -> str:
    return re.sub(r"-\d[^-]*(-[^-]*)?\.jar$", "", jar)


def is_local(master: str | None) -> bool:
    """Whether the executors are in the driver's own process."""
    return (master or "").startswith("local")


def spark_home() -> Path:
    """Where the Spark that PySpark starts is."""
    return Path(os.environ.get("SPARK_HOME") or Path(pyspark.__file__).parent)


def conf_folder() -> Path:
    """Where the user's spark-defaults.conf and log4j2.properties would be."""
    return Path(os.environ.get("SPARK_CONF_DIR") or spark_home() / "conf")


def spark_defaults() -> dict[str, str]:
    """What the user's spark-defaults.conf says, without what is written by Java's escapes."""
    file = conf_folder() / "spark-defaults.conf"
    # Spark, too, reads what is no UTF-8 with a mark in its place.
    text = file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""
    lines = [line.strip() for line in text.splitlines() if "\\" not in line]
    pairs = [SEPARATOR.split(line, maxsplit=1) for line in lines]
    of_confs = (pair for pair in pairs if len(pair) == 2 and pair[0] and pair[0][0] not in "#!")
    return dict(of_confs)


def record_jars(
    ivy: Path, packages: Sequence[str], resolved: Sequence[str], excludes: Sequence[str] = ()
) -> None:
    """Keeps what Ivy resolved, files or their URIs, beside the jars, for the next start."""
    jars = [unquote(urlparse(jar).path) for jar in resolved]
    if jars and ivy.is_dir() and all(Path(jar).is_file() for jar in jars):
        _record(ivy, packages, excludes).write_text("\n".join(jars))


def ivy_confs(ivy: Path) -> dict[str, str]:
    """Where Ivy keeps the jars: by itself in the account's home, which need not be $HOME."""
    return {"spark.jars.ivy": str(ivy)} if os.access(ivy.parent, os.W_OK) else {}


def _record(ivy: Path, packages: Sequence[str], excludes: Sequence[str]) -> Path:
    versions = "-".join(f"{package}-{release}" for package, release in installed().items())
    asked = [*sorted(packages), *(f"!{each}" for each in sorted(excludes))]
    more = f"-{crc32(','.join(asked).encode()):08x}" if asked else ""
    return ivy / f"dbt-deltaspark-{versions}{more}.txt"
