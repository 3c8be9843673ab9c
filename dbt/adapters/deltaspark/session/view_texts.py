"""Longer texts of views than the embedded catalog is made for.

Hive keeps them in columns of 32,700 characters (Derby's LONG VARCHAR); a CLOB takes any.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any

from py4j.protocol import Py4JJavaError
from pyspark.sql.utils import is_remote

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

URL = "spark.hadoop.javax.jdo.option.ConnectionURL"
DERBY = "jdbc:derby:"
REFUSED = "trying to shrink LONG VARCHAR"
COLUMNS = ("VIEW_ORIGINAL_TEXT", "VIEW_EXPANDED_TEXT")
WAITS = (0.1, 0.2, 0.4, 0.8, 1.6)
"""Seconds after each attempt that failed."""
_one_at_a_time = threading.Lock()


def is_too_long(error: BaseException) -> bool:
    """Whether Derby refused the text of a view."""
    return REFUSED in str(error)


def made_room(spark: SparkSession) -> bool:
    """Whether the session's catalog takes any text now; an embedded one does after this."""
    if is_remote():  # the catalog is the server's
        return False
    url = spark.sparkContext.getConf().get(URL) or ""
    if not url.startswith(DERBY):
        return False
    with _one_at_a_time:
        return any(_widened(url, spark._jvm, wait) for wait in WAITS)


def _widened(url: str, jvm: Any, wait: float) -> bool:
    """False where Derby ended this one of two transactions that waited for each other."""
    try:
        _widen(jvm.java.sql.DriverManager.getConnection(url))
    except Py4JJavaError:
        time.sleep(wait)
        return False
    return True


def _widen(connection: Any) -> None:
    """Both columns or none: Derby takes back changes of a table, too."""
    try:
        connection.setAutoCommit(False)
        _widen_within(connection)
        connection.commit()
    finally:
        connection.rollback()
        connection.close()


def _widen_within(connection: Any) -> None:
    statement = connection.createStatement()
    for name in COLUMNS:
        if not _is_short(connection, name):
            continue
        statement.execute(f'ALTER TABLE "TBLS" ADD COLUMN "{name}_AS_CLOB" CLOB')
        statement.execute(f'UPDATE "TBLS" SET "{name}_AS_CLOB" = "{name}"')
        statement.execute(f'ALTER TABLE "TBLS" DROP COLUMN "{name}"')
        statement.execute(f'RENAME COLUMN "TBLS"."{name}_AS_CLOB" TO "{name}"')


def _is_short(connection: Any, name: str) -> bool:
    columns = connection.getMetaData().getColumns(None, None, "TBLS", name)
    return bool(columns.next()) and columns.getString("TYPE_NAME") == "LONG VARCHAR"
