"""A second process that merges into the same tables: its folder, then statements as JSON."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from sessions import for_small_tables, local_spark

from dbt.adapters.deltaspark import engine

RETRIES = 100


def main(folder: Path, statements: list[str]) -> None:
    """Say `ready`, wait for `go`, run the statements, leave what they said in `done`."""
    spark = for_small_tables(local_spark(folder))
    (folder / "ready").touch()
    while not (folder / "go").exists():
        time.sleep(0.01)
    results = [engine.merge_into(spark, text, conflict_retries=RETRIES) for text in statements]
    (folder / "done").write_text(json.dumps([result.retries for result in results]))


if __name__ == "__main__":
    main(Path(sys.argv[1]), json.loads(sys.argv[2]))
