"""Targets that already carry deletion vectors."""

from __future__ import annotations

from golden import GoldenCase, table

TARGET = table("id INT, v STRING", "(1, 'a'), (2, 'b'), (3, 'c'), (4, 'd')", "(11, 'e'), (12, 'f')")
DELETED = ("DELETE FROM {target} WHERE id = 2",)

CASES = (
    GoldenCase(
        title="rows deleted before stay deleted when the file is touched again",
        target=TARGET,
        before=DELETED,
        source=table("id INT, v STRING", "(3, 'x'), (5, 'y')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'a'), (3, 'x'), (4, 'd'), (11, 'e'), (12, 'f'), (5, 'y')",
    ),
    GoldenCase(
        title="rows deleted before stay deleted when a delete follows",
        target=TARGET,
        before=DELETED,
        source=table("id INT", "(1), (2), (11)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id WHEN MATCHED THEN DELETE",
        rows="(3, 'c'), (4, 'd'), (12, 'f')",
    ),
    GoldenCase(
        title="a deleted row matches nothing and its key is new",
        target=TARGET,
        before=DELETED,
        source=table("id INT, v STRING", "(2, 'x')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'a'), (2, 'x'), (3, 'c'), (4, 'd'), (11, 'e'), (12, 'f')",
    ),
    GoldenCase(
        title="an insert-only merge does not see deleted rows",
        target=TARGET,
        before=DELETED,
        source=table("id INT, v STRING", "(2, 'x'), (3, 'y')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'a'), (2, 'x'), (3, 'c'), (4, 'd'), (11, 'e'), (12, 'f')",
    ),
    GoldenCase(
        title="only deleted rows match, and nothing is committed",
        target=TARGET,
        before=DELETED,
        source=table("id INT, v STRING", "(2, 'x')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET *",
        rows="(1, 'a'), (3, 'c'), (4, 'd'), (11, 'e'), (12, 'f')",
        commits=False,
    ),
    GoldenCase(
        title="a deleted duplicate does not make a match ambiguous",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b'), (3, 'c')"),
        before=DELETED,
        source=table("id INT, v STRING", "(2, 'x'), (2, 'y'), (3, 'z')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET *",
        rows="(1, 'a'), (3, 'z')",
    ),
    GoldenCase(
        title="the last rows of a file with a vector are deleted",
        target=TARGET,
        before=("DELETE FROM {target} WHERE id = 12",),
        source=table("id INT", "(11)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id WHEN MATCHED THEN DELETE",
        rows="(1, 'a'), (2, 'b'), (3, 'c'), (4, 'd')",
    ),
    GoldenCase(
        title="merge after merge on the same files",
        target=TARGET,
        before=(
            "MERGE INTO {target} t USING (SELECT 3 id) s ON t.id = s.id"
            " WHEN MATCHED THEN UPDATE SET v = 'first'",
            "MERGE INTO {target} t USING (SELECT 4 id) s ON t.id = s.id WHEN MATCHED THEN DELETE",
        ),
        source=table("id INT, v STRING", "(1, 'x'), (3, 'second'), (4, 'new')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'x'), (2, 'b'), (3, 'second'), (4, 'new'), (11, 'e'), (12, 'f')",
    ),
    GoldenCase(
        title="files with vectors in a table whose property has been turned off",
        target=TARGET,
        deletion_vectors=True,
        before=(
            *DELETED,
            "ALTER TABLE {target} SET TBLPROPERTIES ('delta.enableDeletionVectors' = 'false')",
        ),
        source=table("id INT, v STRING", "(3, 'x'), (5, 'y')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'a'), (3, 'x'), (4, 'd'), (11, 'e'), (12, 'f'), (5, 'y')",
    ),
    GoldenCase(
        title="the session forbids merge to write vectors",
        target=TARGET,
        before=DELETED,
        conf=(("spark.databricks.delta.merge.deletionVectors.persistent", "false"),),
        source=table("id INT, v STRING", "(3, 'x'), (5, 'y')"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'a'), (3, 'x'), (4, 'd'), (11, 'e'), (12, 'f'), (5, 'y')",
    ),
)
