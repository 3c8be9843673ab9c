"""A log whose storage carries out a commit and does not say so."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

STORE = "spark.delta.logStore.file.impl"
LOST = "answer-is-lost"
FORGETFUL = f"""
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.util.Iterator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

public class Forgetful extends io.delta.storage.HDFSLogStore {{
    public Forgetful(Configuration conf) {{ super(conf); }}

    public void write(Path path, Iterator actions, Boolean overwrite, Configuration conf)
            throws IOException {{
        super.write(path, actions, overwrite, conf);
        java.nio.file.Path sign = java.nio.file.Paths.get(
            path.getParent().getParent().toUri().getPath(), new String[] {{"{LOST}"}});
        if (!Files.exists(sign, new java.nio.file.LinkOption[0])) return;
        String said = new String(Files.readAllBytes(sign));
        Files.delete(sign);
        if (said.isEmpty()) throw new FileAlreadyExistsException(path.toString());
        throw new IOException(said);
    }}
}}
"""


@contextmanager
def forgetful_log(spark: SparkSession) -> Iterator[None]:
    """Logs that Delta opens inside lose the answer of a commit where `lose_the_answer` said so."""
    jvm = spark._jvm
    thread = jvm.java.lang.Thread.currentThread()
    loader, conf = thread.getContextClassLoader(), spark._jsc.sc().conf()
    compiler = jvm.org.codehaus.janino.SimpleCompiler()
    compiler.setParentClassLoader(loader)
    compiler.cook(FORGETFUL)
    thread.setContextClassLoader(compiler.getClassLoader())
    conf.set(STORE, "Forgetful")
    try:
        yield
    finally:
        conf.remove(STORE)
        thread.setContextClassLoader(loader)


def lose_the_answer(table: Path, error: str = "") -> None:
    """The table's next commit lands, and is told as an I/O error of these words.

    Without words as a version that exists already: a request that was sent twice.
    """
    (table / LOST).write_text(error)
