"""The embedded catalog, opened while Spark's context is made: neither needs the other.

Hive keeps what opens its database once a JVM, so that Spark finds it open: a second less.
"""

from __future__ import annotations

import logging
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from py4j.protocol import Py4JError
from pyspark import SparkContext

from .confs import CATALOG_KIND, DERBY

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

logger = logging.getLogger(__name__)
WAREHOUSE = "spark.sql.warehouse.dir"
HIVES_JARS, BUILTIN = "spark.sql.hive.metastore.jars", "builtin"
"""Another Hive has class loaders of its own: Derby lets the second of them not in."""


@contextmanager
def opening_the_catalog(folder: Path | None, confs: Mapping[str, str]) -> Iterator[None]:
    """Around what makes the context; nothing where the folder has no catalog yet, or none is asked.

    Where it cannot be opened nothing is said: Spark fails at it next, and tells why.
    """
    is_asked = confs.get(CATALOG_KIND) == "hive" and WAREHOUSE in confs
    if folder is None or not is_asked or not (folder / DERBY).is_dir():
        yield
        return
    thread = threading.Thread(target=_open, args=(confs,), daemon=True)
    thread.start()
    try:
        yield
    finally:
        thread.join()


def _open(confs: Mapping[str, str]) -> None:
    try:
        spark = SparkContext._jvm.org.apache.spark  # type: ignore[union-attr]
        conf = spark.SparkConf(True)
        for name, value in confs.items():
            conf.set(name, value)
        if conf.get(HIVES_JARS, BUILTIN) != BUILTIN:
            return
        hadoop = _module(spark.deploy, "SparkHadoopUtil").get().newConfiguration(conf)
        shared = _module(spark.sql.internal, "SharedState")
        warehouse = shared.qualifyWarehousePath(hadoop, confs[WAREHOUSE])
        shared.setWarehousePathConf(conf, hadoop, warehouse)
        spark.sql.hive.HiveExternalCatalog(conf, hadoop).databaseExists("default")
    except (Py4JError, OSError) as error:
        logger.debug("the catalog was not opened beside Spark's start: %s", error)


def _module(package: Any, name: str) -> Any:
    return getattr(getattr(package, f"{name}$"), "MODULE$")
