"""WHEN MATCHED: updates and deletes, alone and in order."""

from __future__ import annotations

from golden import GoldenCase, table

CASES = (
    GoldenCase(
        title="update * takes every column from the source",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')", "(3, 'c')"),
        source=table("id INT, v STRING", "(2, 'x'), (3, 'y'), (4, 'z')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET *",
        rows="(1, 'a'), (2, 'x'), (3, 'y')",
    ),
    GoldenCase(
        title="update * finds columns by name and leaves the source's other columns out",
        target=table("id INT, a INT, b STRING", "(1, 10, 'a'), (2, 20, 'b')"),
        source=table("extra INT, b STRING, a INT, id INT", "(99, 'x', 11, 1)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET *",
        rows="(1, 11, 'x'), (2, 20, 'b')",
    ),
    GoldenCase(
        title="a partial update keeps the other columns",
        target=table("id INT, a INT, b STRING", "(1, 10, 'a'), (2, 20, 'b')"),
        source=table("id INT, a INT", "(2, 21)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET a = s.a",
        rows="(1, 10, 'a'), (2, 21, 'b')",
    ),
    GoldenCase(
        title="an expression reads both sides",
        target=table("id INT, total INT, note STRING", "(1, 10, 'a'), (2, 20, 'b')"),
        source=table("id INT, more INT", "(1, 5), (2, 7)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id WHEN MATCHED"
        " THEN UPDATE SET total = t.total + s.more, note = concat(t.note, '+', s.more)",
        rows="(1, 15, 'a+5'), (2, 27, 'b+7')",
    ),
    GoldenCase(
        title="assignments all read the row as it was",
        target=table("id INT, a INT, b INT", "(1, 10, 20), (2, 30, 40)"),
        source=table("id INT", "(1)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET a = t.b, b = t.a",
        rows="(1, 20, 10), (2, 30, 40)",
    ),
    GoldenCase(
        title="a key may itself be updated",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')"),
        source=table("id INT, new_id INT", "(1, 100)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET id = s.new_id",
        rows="(100, 'a'), (2, 'b')",
    ),
    GoldenCase(
        title="a column may be set to a literal and to null",
        target=table("id INT, a INT, b STRING", "(1, 10, 'a'), (2, 20, 'b')"),
        source=table("id INT", "(1), (2)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED AND s.id = 1 THEN UPDATE SET a = NULL, b = 'gone'"
        " WHEN MATCHED THEN UPDATE SET a = 0",
        rows="(1, NULL, 'gone'), (2, 0, 'b')",
    ),
    GoldenCase(
        title="delete removes the matched rows only",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')", "(3, 'c'), (4, 'd')"),
        source=table("id INT", "(2), (3), (9)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id WHEN MATCHED THEN DELETE",
        rows="(1, 'a'), (4, 'd')",
    ),
    GoldenCase(
        title="delete may empty the table",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')", "(3, 'c')"),
        source=table("id INT", "(1), (2), (3)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id WHEN MATCHED THEN DELETE",
        rows="",
    ),
    GoldenCase(
        title="the first matched clause whose condition holds wins",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b'), (3, 'c'), (4, 'd')"),
        source=table("id INT, n INT", "(1, 1), (2, 2), (3, 3), (4, 4)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED AND s.n <= 1 THEN DELETE"
        " WHEN MATCHED AND s.n <= 2 THEN UPDATE SET v = 'second'"
        " WHEN MATCHED AND s.n <= 3 THEN UPDATE SET v = 'third'"
        " WHEN MATCHED THEN DELETE",
        rows="(2, 'second'), (3, 'third')",
    ),
    GoldenCase(
        title="matched rows that no clause wants stay",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')"),
        source=table("id INT, v STRING", "(1, 'x'), (2, 'y')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED AND s.v = 'x' THEN UPDATE SET *",
        rows="(1, 'x'), (2, 'b')",
    ),
    GoldenCase(
        title="matches whose clauses never fire commit nothing",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')"),
        source=table("id INT, v STRING", "(1, 'x'), (2, 'y')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED AND s.v = 'none' THEN UPDATE SET *"
        " WHEN MATCHED AND t.v = 'none' THEN DELETE",
        rows="(1, 'a'), (2, 'b')",
        commits=False,
    ),
    GoldenCase(
        title="an update to the same values is still an update",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')"),
        source=table("id INT, v STRING", "(1, 'a')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET *",
        rows="(1, 'a'), (2, 'b')",
    ),
    GoldenCase(
        title="several target rows may match one source row",
        target=table("id INT, v STRING", "(1, 'a'), (1, 'b')", "(1, 'c'), (2, 'd')"),
        source=table("id INT, v STRING", "(1, 'x')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET v = concat(t.v, s.v)",
        rows="(1, 'ax'), (1, 'bx'), (1, 'cx'), (2, 'd')",
    ),
    GoldenCase(
        title="several target rows are deleted by one source row",
        target=table("id INT, v STRING", "(1, 'a'), (1, 'b')", "(1, 'c'), (2, 'd')"),
        source=table("id INT", "(1)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id WHEN MATCHED THEN DELETE",
        rows="(2, 'd')",
    ),
    GoldenCase(
        title="nothing matches and nothing is committed",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')"),
        source=table("id INT, v STRING", "(8, 'x'), (9, 'y')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET *",
        rows="(1, 'a'), (2, 'b')",
        commits=False,
    ),
    GoldenCase(
        title="only the files that hold a match change",
        target=table(
            "id INT, v STRING", "(1, 'a'), (2, 'b')", "(11, 'c'), (12, 'd')", "(21, 'e'), (22, 'f')"
        ),
        source=table("id INT, v STRING", "(12, 'x')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET *",
        rows="(1, 'a'), (2, 'b'), (11, 'c'), (12, 'x'), (21, 'e'), (22, 'f')",
    ),
)
