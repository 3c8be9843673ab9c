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
WAYS_OUT = {
    r"CHECK constraint .* violated by row with values:(\n - .*)*: null": (
        "A null does not satisfy a CHECK: where one is allowed, say so (… OR column IS NULL)."
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
    r"\[AMBIGUOUS_REFERENCE\]": "Write the column with its table, as in a.id.",
}
"""What helps, by the first of the patterns that a message has in it."""


def readable(message: str) -> str:
    """The message without what nobody can use, and with what it leaves out."""
    shorter = OWN_STATEMENT.sub("", PLAN.sub(r"\1", message)).rstrip()
    helps = [told for pattern, told in WAYS_OUT.items() if re.search(pattern, shorter)]
    return "\n".join([shorter, *helps[:1]])
