"""Spark's messages as a person reads them: no plans, no statements of the adapter's own."""

from __future__ import annotations

import re

PLAN = re.compile(r"(SQLSTATE: \w+(?:; line \d+ pos \d+)?);\n.*", re.DOTALL)
"""An AnalysisException ends with the plan that it was found in."""
OWN_STATEMENT = re.compile(
    r"== SQL \(line \d+, position \d+\) ==\n"
    r"(?:MERGE INTO .*USING \(SELECT 1\) AS .*|(?:(?!== SQL).)*__dbt_deltaspark_.*)",
    re.DOTALL,
)
"""The engine's statements have these in place of their source: nobody wrote them."""
UNPARSED = re.compile(r"(\(line (\d+), pos \d+\)\s*)\n== SQL ==\n(.*)", re.DOTALL)
"""A ParseException shows the whole statement, with a line that points into it."""
OF_INFORMATION_SCHEMA = re.compile(
    r"(\[INVALID_TEMP_OBJ_REFERENCE\]) Cannot create the persistent object (.+?) of the type VIEW"
    r" .*`__information_schema_.*",
    re.DOTALL,
)
"""The adapter's own view, which nobody wrote, stands in the statement in place of the name."""
CANNOT_HOLD_IT = (
    r"\1 \2, a view, cannot read information_schema, which is filled when a statement reads it:"
    " materialize the model as a table."
)
STACK = re.compile(r"\n\s+(?:at [\w.$/<>]+\([^\n]*\)|\.\.\. \d+ more)(?=\n|\Z)")
"""Hive's client puts a whole stack trace into the message."""
AROUND = 2
"""Lines shown before and after the one that does not parse."""
WAYS_OUT = {
    r"CHECK constraint .* violated by row with values:(\n - .*)*: null": (
        "Nothing was written. A CHECK that is null is violated, too: where a value may be missing,"
        " say so (… OR column IS NULL); leave other such rows out of the model."
    ),
    r"CHECK constraint .* violated by row": (
        "Nothing was written. Leave such rows out of the model, or change the constraint."
    ),
    "NOT NULL constraint violated for column": (
        "Nothing was written. Leave rows without a value out of the model, or give them one"
        " (coalesce)."
    ),
    r"\[DATA_SOURCE_NOT_FOUND\]": (
        "A format that Spark does not bring needs its jars, once, in the profile:"
        " packages: [group:artifact:version]."
    ),
    r"(?i)\[AMBIGUOUS_REFERENCE\] Reference `_metadata`": (
        "A column of the table has the name of Spark's own column of each file, by which rows of a"
        " table with deletion vectors are found: rename it, or set the table property"
        " delta.enableDeletionVectors to false."
    ),
    r"\[AMBIGUOUS_REFERENCE\]": "Write the column with its table, as in a.id.",
}
"""What helps, by the first of the patterns that a message has in it."""


def readable(message: str) -> str:
    """The message without what nobody can use, and with what it leaves out."""
    shorter = OWN_STATEMENT.sub("", PLAN.sub(r"\1", message)).lstrip("\n").rstrip()
    shorter = STACK.sub("", shorter)
    shorter = UNPARSED.sub(_around_the_fault, shorter)
    shorter = OF_INFORMATION_SCHEMA.sub(CANNOT_HOLD_IT, shorter)
    helps = [told for pattern, told in WAYS_OUT.items() if re.search(pattern, shorter)]
    return "\n".join([shorter, *helps[:1]])


def _around_the_fault(found: re.Match[str]) -> str:
    """The lines of a long statement that are about where it does not parse."""
    lines = found[3].split("\n")
    fault = int(found[2])
    first, last = max(0, fault - 1 - AROUND), fault + 1 + AROUND
    if first == 0 and last >= len(lines):
        return found[0]
    shown = "\n".join(lines[first:last])
    of = f"lines {first + 1} to {min(last, len(lines)) - 1} of {len(lines) - 1}"
    return f"{found[1]}\n== SQL, {of} ==\n{shown}"
