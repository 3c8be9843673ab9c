#!/usr/bin/env bash
# delta-rs writes a decimal's minimum and maximum through a double, so Spark passes over the row.
#
# Guess before the run: an engine that writes DECIMAL(18, 2) exactly also writes its statistics exactly,
# or rounds them outward, so that every reader finds the row.
# Seen with deltalake 1.6.6, pyspark 4.1.4 and delta-spark 4.4.0: minimum and maximum of
# 1234567890123456.78 are 1234567890123456.8 in the log. Spark reads the value exactly, and finds no row
# where it asks for that value; with data skipping off it finds the row.
#   statistics: {"numRecords":1,"minValues":{"v":1234567890123456.8},"maxValues":{"v":1234567890123456.8},…
#   all rows: [Decimal('1234567890123456.78')]; by the value: 0; without data skipping: 1
. "$(dirname "$0")/environment.bash"
in_new_environment deltalake==1.6.6 pyarrow==21.0.0 pyspark==4.1.4 delta-spark==4.4.0
python - <<'PY'
import json
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
from delta_session import delta_session
from deltalake import write_deltalake

amount = Decimal("1234567890123456.78")
write_deltalake("t", pa.table({"v": pa.array([amount], pa.decimal128(18, 2))}))
log = Path("t/_delta_log/00000000000000000000.json").read_text().splitlines()
added = next(line["add"] for line in map(json.loads, log) if "add" in line)
print("statistics:", added["stats"])
assert '"maxValues":{"v":1234567890123456.8}' in added["stats"]

spark, table = delta_session(), f"delta.`{Path('t').resolve()}`"
whole = [row.v for row in spark.sql(f"select v from {table}").collect()]
asked = f"select v from {table} where v = 1234567890123456.78"
found = spark.sql(asked).count()
spark.conf.set("spark.databricks.delta.stats.skipping", "false")
unskipped = spark.sql(asked).count()
print(f"all rows: {whole}; by the value: {found}; without data skipping: {unskipped}")
assert (whole, found, unskipped) == ([amount], 0, 1)
spark.stop()
PY
