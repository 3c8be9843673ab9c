"""Where a new table goes, and its entry in the catalog."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.errors.exceptions.captured import convert_exception

from ..delta import CATALYST, DELTA, Jvm, active, newest_version
from ..errors import EngineError, add_note
from ..spec import SESSION_CATALOG, text_literal

if TYPE_CHECKING:
    from ..delta import JavaObject, Transaction
    from ..spec import WriteSpec

AGAIN = "nothing was written. Run it again to write to that table."


@dataclass(frozen=True, slots=True)
class Place:
    """Where a new table goes, and the entry that it gets in the catalog: None for one by path."""

    jvm: Jvm
    name: str
    folder: JavaObject
    entry: JavaObject | None

    @classmethod
    def of(cls, jvm: Jvm, name: str, spec: WriteSpec) -> Place | None:
        """None in a catalog other than Spark's own, where Delta's command makes the table.

        Raises EngineError where that one cannot define columns, and what CREATE TABLE raises.
        """
        with active(jvm):
            catalog, identifier = _named(jvm, name)
            if not jvm.is_a(catalog, f"{DELTA}.catalog.AbstractDeltaCatalog"):
                if spec.columns:
                    raise EngineError(
                        f"{name} would be made in the catalog {catalog.name()}, where tables with"
                        f" definitions of their columns are not made; nothing was written. Make it"
                        " by CREATE TABLE and write to it then."
                    )
                return None
            paths = jvm.type("org.apache.hadoop.fs.Path")
            if catalog.isPathIdentifier(identifier):
                return cls(jvm, name, paths(identifier.name()), None)
            entry = _entry(jvm, identifier, spec)
            return cls(jvm, name, paths(entry.location()), entry)

    @property
    def is_managed(self) -> bool:
        return self.entry is not None and self.entry.tableType().name() == "MANAGED"

    def is_registered(self) -> bool:
        """Whether the catalog has a table of the name."""
        catalog = self.jvm.session.sessionState().catalog()
        return self.entry is not None and bool(catalog.tableExists(self.entry.identifier()))

    def log(self) -> JavaObject:
        return self.jvm.type(f"{DELTA}.DeltaLog").forTable(self.jvm.session, self.folder)

    def is_delta_table(self) -> bool:
        """Whether a Delta table is in the folder, by whatever name."""
        with active(self.jvm):
            return newest_version(self.jvm, self.log()) >= 0

    def taken(self) -> EngineError:
        """The error that one is."""
        return EngineError(
            f"{self.name} cannot be made in {self.folder.toString()}: a Delta table is there"
            " already; nothing was written. Register it (CREATE TABLE … USING delta LOCATION"
            f" {text_literal(self.folder.toString())}) and write to it, move the folder away, or"
            " choose another location."
        )

    def refuse_what_is_there(self, txn: Transaction) -> None:
        """Raises where another table has the folder or the name, or where other files are.

        Files of a write that failed are no obstacle: that one left a log without a version.
        """
        if txn.java.readVersion() >= 0:
            raise self.taken()
        if self.entry is None:
            return
        if self.is_registered():
            raise EngineError(f"{self.name} was made by another writer meanwhile; {AGAIN}")
        files = self.folder.getFileSystem(txn.java.deltaLog().newDeltaHadoopConf())
        if not files.exists(txn.java.deltaLog().logPath()) and _has_files(files, self.folder):
            errors = self.jvm.module(f"{DELTA}.DeltaErrors")
            identifier, folder = self.entry.identifier().toString(), self.folder.toString()
            raise convert_exception(errors.createTableWithNonEmptyLocation(identifier, folder))

    def register(self, log: JavaObject) -> None:
        """The catalog's entry, made as Delta's CREATE TABLE makes it."""
        if self.entry is None:
            return
        jvm, none = self.jvm, self.jvm.none
        modes = jvm.module(f"{DELTA}.commands.TableCreationModes$Create")
        command = jvm.type(f"{DELTA}.commands.CreateDeltaTableCommand")(
            self.entry, none, modes.mode(), none, modes, False, jvm.seq([]), none, False, none
        )
        snapshot = log.update(False, none, none)
        try:
            command.updateCatalog(jvm.session, self.entry, snapshot, none, False, none)
        except (Py4JError, PySparkException) as error:
            add_note(
                error,
                f"The rows are in {self.folder.toString()}, a whole Delta table, but {self.name} is"
                " not registered in the catalog. Register it by CREATE TABLE … LOCATION, or remove"
                " the folder.",
            )
            raise


def _named(jvm: Jvm, name: str) -> tuple[JavaObject, JavaObject]:
    """The catalog and the identifier under which CREATE TABLE would make a table of this name."""
    state = jvm.session.sessionState()
    parts = state.sqlParser().parseMultipartIdentifier(name)
    named = state.analyzer().CatalogAndIdentifier().unapply(parts).get()
    return named._1(), named._2()


def _has_files(files: JavaObject, folder: JavaObject) -> bool:
    return bool(files.exists(folder)) and len(files.listStatus(folder)) > 0


def _entry(jvm: Jvm, identifier: JavaObject, spec: WriteSpec) -> JavaObject:
    """Spark's CatalogTable, with its location."""
    catalog = jvm.session.sessionState().catalog()
    database = list(identifier.namespace())[-1]
    names = jvm.type(f"{CATALYST}.TableIdentifier")
    name = names.apply(identifier.name(), jvm.some(database), jvm.some(SESSION_CATALOG))
    catalog.getDatabaseMetadata(database)  # raises where there is no such schema
    location = spec.location
    folder = catalog.defaultTablePath(name) if location is None else qualified(jvm, location)
    kinds = jvm.module(f"{CATALYST}.catalog.CatalogTableType")
    none = jvm.none
    storage = jvm.type(f"{CATALYST}.catalog.CatalogStorageFormat").apply(
        jvm.some(folder), none, none, none, False, jvm.map({})
    )
    tables = jvm.module(f"{CATALYST}.catalog.CatalogTable")
    given = {
        1: name,
        2: kinds.MANAGED() if location is None else kinds.EXTERNAL(),
        3: storage,
        4: jvm.type("org.apache.spark.sql.types.StructType")(),
        5: jvm.some("delta"),
        15: none if spec.comment is None else jvm.some(spec.comment),
    }
    values = (given[at] if at in given else _default(tables, at) for at in range(1, 22))
    return tables.apply(*values)


def _default(companion: JavaObject, at: int) -> JavaObject:
    """What Scala fills in for a parameter that is not given."""
    return getattr(companion, f"apply$default${at}")()


def qualified(jvm: Jvm, location: str) -> JavaObject:
    """The location as a URI, a relative one within the warehouse, as CREATE TABLE takes it."""
    utils = jvm.type(f"{CATALYST}.catalog.CatalogUtils")
    conf = jvm.session.sessionState().newHadoopConf()
    warehouse = jvm.conf("spark.sql.warehouse.dir")
    return utils.makeQualifiedDBObjectPath(utils.stringToURI(location), warehouse, conf)
