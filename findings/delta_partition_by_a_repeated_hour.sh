#!/usr/bin/env bash
# A Delta table partitioned by a timestamp makes one moment of the hour that comes twice in autumn.
#
# Guess before the run: a partition's folder may show local time, but the value in the log says which of
# the two moments it is, so that both come back as they were written.
# Seen with pyspark 4.1.4 and delta-spark 4.4.0, session time zone Europe/Berlin: 00:30 and 01:30 UTC of
# 2025-10-26 are both 02:30 in Berlin. Two rows go in an hour apart, and both come back as the same moment.
#   written: [1761438600, 1761442200]; read: [1761438600, 1761438600]
. "$(dirname "$0")/environment.bash"
in_new_environment pyspark==4.1.4 delta-spark==4.4.0
python - <<'PY'
from delta_session import delta_session

spark = delta_session(spark__sql__session__timeZone="Europe/Berlin")
moments = [1761438600, 1761442200]
rows = "select timestamp_seconds(s) as at, s from values (1761438600), (1761442200) as t(s)"
spark.sql(rows).write.format("delta").partitionBy("at").save("t")
read = [row[0] for row in spark.read.format("delta").load("t").selectExpr("unix_seconds(at)").collect()]
print(f"written: {moments}; read: {read}")
assert read != moments and len(set(read)) == 1 and len(read) == 2
spark.stop()
PY
