"""The keys of a profile, and what they mean for the session."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import unquote, urlparse

from dbt.adapters.contracts.connection import Credentials
from dbt.adapters.events.types import AdapterEventWarning
from dbt_common.dataclass_schema import ValidationError
from dbt_common.events.functions import warn_or_error
from dbt_common.exceptions import DbtRuntimeError

from .near_names import or_nearest
from .profile_problems import conf_problem, package_problem
from .session import OF_THE_START, URI, SessionSettings, as_jar, is_local, located, masked, shown

OF_DBT_ITSELF = {"type", "threads"}
OTHER_NAMES = {"server_side_parameters": "spark_config", "host": "remote"}
"""What other adapters call it."""
TIME = re.compile(r"([1-9][0-9]*) *([smh])")
SECONDS = {"s": 1.0, "m": 60.0, "h": 3600.0}
MEMORY = re.compile(r"[1-9][0-9]*[kKmMgGtT]?")
MASTER = re.compile(
    r"local(\[([1-9][0-9]*|\*)( *, *[1-9][0-9]*)?\])?"
    r"|local-cluster\[ *[0-9]+ *, *[0-9]+ *, *[0-9]+ *\]|yarn|[a-z][a-z0-9+.-]*://.+"
)
"""What SparkContext takes; a URL of another kind may be a cluster manager's that is installed."""
METASTORES = (
    "metastore is a folder, thrift://host:9083 or jdbc:postgresql://host/db?user=…&password=…"
)
NOT_KEPT = (
    "The profile's keep_alive has no effect: it keeps the Spark of a `local` master. A cluster or a"
    " server runs on by itself"
)


@dataclass(kw_only=True)
class DeltaSparkCredentials(Credentials):
    """A target of type deltaspark. Only `schema` is required."""

    _ALIASES: ClassVar[dict[str, str]] = {
        "catalog": "database",
        "target_catalog": "target_database",
    }
    """Those of dbt-databricks: dbt takes them in profiles, in configs and of sources."""
    schema: str
    database: str = "spark_catalog"
    master: str | None = None
    remote: str | None = None
    warehouse: str | None = None
    metastore: str | None = None
    driver_memory: str | None = None
    jars: list[str] = field(default_factory=list)
    packages: list[str] = field(default_factory=list)
    spark_config: dict[str, Any] = field(default_factory=dict)
    conflict_retries: int = 5
    strict: bool = False
    app_name: str = "dbt-deltaspark"
    keep_alive: str | None = None
    keep_alive_in_ci: bool = False

    @classmethod
    def validate(cls, data: Any) -> None:
        """Raises ValidationError where a value is of a wrong type, with all else that is wrong."""
        if cls._wrong_type(data) is None:
            return
        parts = {key: {"schema": "", key: data[key]} for key in data}
        parts |= {} if "schema" in data else {"schema": {}}
        wrong = {key: told for key, part in parts.items() if (told := cls._wrong_type(part))}
        rest = {key: value for key, value in data.items() if key not in wrong}
        others = [*cls._idle_keys(data, rest), *cls._wrong_values(rest)]
        raise ValidationError("\n".join([*wrong.values(), *others]))

    @classmethod
    def _wrong_type(cls, data: dict[str, Any]) -> str | None:
        try:
            super().validate(data)
        except ValidationError as error:
            return _told(error)
        return None

    @classmethod
    def _keys(cls) -> list[str]:
        return [each.name for each in fields(cls)]

    @classmethod
    def _idle_keys(cls, data: Mapping[str, Any], right: Mapping[str, Any]) -> list[str]:
        """What is told of keys without effect; `right` are those with values of right types."""
        known = cls._keys()
        unknown = set(data) - set(known) - set(cls._ALIASES) - OF_DBT_ITSELF
        not_kept = [NOT_KEPT] if _is_not_kept(right) else []
        return [*(_unknown(key, known) for key in sorted(unknown)), *not_kept]

    @classmethod
    def _wrong_values(cls, data: dict[str, Any]) -> list[str]:
        """What is wrong with the keys that are known, all of which have the right types."""
        known = cls._keys()
        given = {key: value for key, value in cls.translate_aliases(data).items() if key in known}
        try:
            cls(**{"schema": "", **given})
        except DbtRuntimeError as error:
            return [error.msg]
        return []

    @classmethod
    def __pre_deserialize__(cls, data: dict[str, Any]) -> dict[str, Any]:
        """Tells of keys without effect; in an error if a value is wrong, or the profile strict."""
        data = super().__pre_deserialize__(data)  # type: ignore[no-untyped-call]
        idle = cls._idle_keys(data, data)
        wrong = cls._wrong_values(data) if idle else []
        if wrong or (idle and data.get("strict")):
            raise DbtRuntimeError("\n".join([*idle, *wrong]))
        for each in idle:
            warn_or_error(AdapterEventWarning(name="deltaspark", base_msg=each))
        return data

    def __post_init__(self) -> None:
        for place in ("remote", "warehouse", "metastore"):
            setattr(self, place, getattr(self, place) or None)  # "": an env_var's default
        given = [name for name in OF_THE_START if getattr(self, name)]
        self.master = _master(self.master, self.remote)
        problems = [*self._problems()]
        if problems:
            raise DbtRuntimeError("\n".join(problems))
        self.metastore = _folder_of(self.metastore)
        if is_local(self.master):
            self.warehouse = self.warehouse or "warehouse"
            self.metastore = self.metastore or "metastore"
            self.driver_memory = self.driver_memory or "4g"
        else:
            self.keep_alive = None
        self._given = [name for name in given if getattr(self, name)]

    def _problems(self) -> Iterator[str]:
        if self.remote is not None and self.master is not None:
            yield (
                "`remote` (Spark Connect) and `master` (Spark in this process) exclude each other;"
                f" got remote: {shown('remote', self.remote)} and master: {self.master}"
            )
        if self.master is not None and not MASTER.fullmatch(self.master):
            yield (
                "master is local[*] (all cores of this machine) or local[4], spark://host:7077,"
                f" yarn or k8s://https://host:443; got {self.master!r}"
            )
        if self.driver_memory is not None and not MEMORY.fullmatch(self.driver_memory):
            yield f"driver_memory is a size such as 4g or 512m, got {self.driver_memory!r}"
        yield from filter(None, map(package_problem, self.packages))
        yield from filter(None, (conf_problem(*each) for each in self.spark_config.items()))
        if self.metastore is not None and not _is_catalog(self.metastore):
            yield f"{METASTORES}; got {shown('metastore', self.metastore)!r}"
        if self.conflict_retries < 0:
            yield f"conflict_retries is a count, got {self.conflict_retries}"
        yield from self._problems_of_a_server()
        if self.keep_alive is not None and _seconds(self.keep_alive) is None:
            yield f"keep_alive is a time such as 30m, 2h or 90s, got {self.keep_alive!r}"

    def _problems_of_a_server(self) -> Iterator[str]:
        asks_for_server = str(self.spark_config.get("spark.api.mode")).lower() == "connect"
        if asks_for_server or "spark.remote" in self.spark_config:
            yield (
                "spark_config asks for a Spark Connect server, by"
                f" {'spark.api.mode' if asks_for_server else 'spark.remote'}; that is the key"
                " `remote`, as in `remote: sc://host:15002`. Leave it out for Spark in this process"
            )

    @property
    def given_for_the_start(self) -> Collection[str]:
        """Those of the keys that say how Spark is started which the profile has by itself."""
        return self._given

    @property
    def type(self) -> str:
        return "deltaspark"

    @property
    def unique_field(self) -> str:
        """Whose tables these are: where a team's are listed or kept, else this machine."""
        places = (self.remote, self.metastore, self.warehouse)
        place = next((each for each in places if each and URI.match(each)), platform.node())
        return str(shown("place", place))

    def _connection_keys(self) -> tuple[str, ...]:
        return tuple(self._keys())

    def connection_info(self, *, with_aliases: bool = False) -> Iterable[tuple[str, Any]]:
        """What `dbt debug` prints: every key with the value in force, secrets masked.

        dbt asks for them with each macro and each description that it reads.
        """
        settings = dict(super().connection_info(with_aliases=with_aliases))
        found: dict[str, Any] = shown("", settings)
        return found.items()

    def session_settings(self, project: Path) -> SessionSettings:
        """The session that this target asks for; folders are relative to the project."""
        return SessionSettings(
            warehouse=located(self.warehouse, project),
            metastore=located(self.metastore, project),
            master=self.master,
            remote=self.remote,
            driver_memory=self.driver_memory,
            packages=tuple(self.packages),
            jars=tuple(map(as_jar, filter(None, (located(jar, project) for jar in self.jars)))),
            spark_config=tuple((key, _text(value)) for key, value in self.spark_config.items()),
            app_name=self.app_name,
            keep_alive=self._seconds_kept(),
        )

    def _seconds_kept(self) -> float | None:
        if os.environ.get("CI") and not self.keep_alive_in_ci:
            return None
        return None if self.keep_alive is None else _seconds(self.keep_alive)


def _seconds(text: str) -> float | None:
    """A time such as 30m; None where it is none."""
    found = TIME.fullmatch(text.strip())
    return int(found[1]) * SECONDS[found[2]] if found else None


def _told(error: ValidationError) -> str:
    key = str(next(iter(error.absolute_path), ""))
    whole = key == "spark_config" and not isinstance(error.instance, Mapping)
    found = f"a {type(error.instance).__name__}" if whole else repr(shown(key, error.instance))
    message = error.message.replace(repr(error.instance), found)
    return masked(f"{key}: {message}" if key else message)


def _unknown(key: str, known: list[str]) -> str:
    near = or_nearest(key, known, meant=OTHER_NAMES.get(key))
    hint = near or f"; the keys are: {', '.join(known)}"
    return f"The profile has a key '{key}', which the deltaspark adapter does not know{hint}"


def _master(master: str | None, remote: str | None) -> str | None:
    """Spark is local where the profile names no place and spark-submit has started none."""
    if master is not None or remote or "PYSPARK_GATEWAY_PORT" in os.environ:
        return master
    return "local[*]"


def _is_not_kept(data: Mapping[str, Any]) -> bool:
    """Whether keep_alive is for a Spark that runs on by itself."""
    master = _master(data.get("master"), data.get("remote"))
    elsewhere = master is None or (MASTER.fullmatch(master) and not is_local(master))
    return data.get("keep_alive") is not None and bool(elsewhere)


def _is_catalog(metastore: str) -> bool:
    """Whether it is a service, a database, or a folder by its path or its URI."""
    if not URI.match(metastore):
        return True
    url = urlparse(metastore)
    if url.scheme == "file":
        return url.netloc in ("", "localhost") and url.path != ""
    return metastore.startswith(("thrift:", "jdbc:"))


def _folder_of(metastore: str | None) -> str | None:
    """The path of a `file:` URI; what is none, as it is."""
    url = urlparse(metastore or "")
    return unquote(url.path) if url.scheme == "file" else metastore


def _text(value: Any) -> str:
    """Spark's spelling of a YAML value."""
    return str(value).lower() if isinstance(value, bool) else str(value)
