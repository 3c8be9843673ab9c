"""Sources of every kind: subqueries, views, the target itself, and values that change."""

from __future__ import annotations

from golden import GoldenCase, table

TARGET = table("id INT, v STRING", "(1, 'a'), (2, 'b')", "(3, 'c')")

CASES = (
    GoldenCase(
        title="a subquery",
        target=TARGET,
        source=table("id INT, v STRING", "(1, 'x'), (1, 'y'), (4, 'z')"),
        statement="MERGE INTO {target} t USING"
        " (SELECT id, max(v) AS v FROM {source} GROUP BY id) s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'y'), (2, 'b'), (3, 'c'), (4, 'z')",
    ),
    GoldenCase(
        title="a subquery of literals",
        target=TARGET,
        statement="MERGE INTO {target} t USING (SELECT 1 AS id, 'x' AS v UNION ALL SELECT 9, 'y') s"
        " ON t.id = s.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'x'), (2, 'b'), (3, 'c'), (9, 'y')",
    ),
    GoldenCase(
        title="a common table expression inside the source",
        target=TARGET,
        source=table("id INT, v STRING", "(1, 'x'), (4, 'z')"),
        statement="MERGE INTO {target} t USING"
        " (WITH latest AS (SELECT id, v FROM {source} WHERE id > 1) SELECT * FROM latest) s"
        " ON t.id = s.id WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'a'), (2, 'b'), (3, 'c'), (4, 'z')",
    ),
    GoldenCase(
        title="a common table expression before the statement",
        target=TARGET,
        source=table("id INT, v STRING", "(1, 'x'), (4, 'z')"),
        statement="WITH latest AS (SELECT id, v FROM {source} WHERE id > 1)"
        " MERGE INTO {target} t USING latest s"
        " ON t.id = s.id WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'a'), (2, 'b'), (3, 'c'), (4, 'z')",
    ),
    GoldenCase(
        title="values of every clause read a common table expression before the statement",
        target=TARGET,
        source=table("id INT, v STRING", "(1, 'x'), (4, 'z')"),
        statement="WITH news AS (SELECT id, v FROM {source}),"
        " most AS (SELECT max(v) AS v FROM news)"
        " MERGE INTO {target} t USING news s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET v = concat(s.v, (SELECT v FROM most))"
        " WHEN NOT MATCHED THEN INSERT (id, v) VALUES (s.id, (SELECT concat('new ', v) FROM most))"
        " WHEN NOT MATCHED BY SOURCE THEN UPDATE SET v = (SELECT v FROM most)",
        rows="(1, 'xz'), (2, 'z'), (3, 'z'), (4, 'new z')",
    ),
    GoldenCase(
        title="the target itself",
        target=TARGET,
        statement="MERGE INTO {target} t USING {target} s ON t.id = s.id - 1"
        " WHEN MATCHED THEN UPDATE SET v = concat(t.v, s.v)"
        " WHEN NOT MATCHED THEN INSERT (id, v) VALUES (s.id * 10, s.v)",
        rows="(1, 'ab'), (2, 'bc'), (3, 'c'), (10, 'a')",
    ),
    GoldenCase(
        title="rows computed from the target",
        target=TARGET,
        statement="MERGE INTO {target} t USING"
        " (SELECT max(id) + 1 AS id, 'next' AS v FROM {target}) s ON t.id = s.id"
        " WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'a'), (2, 'b'), (3, 'c'), (4, 'next')",
    ),
    GoldenCase(
        title="the target's rows that are missing in the source are deleted through a subquery",
        target=TARGET,
        source=table("id INT", "(1), (3)"),
        statement="MERGE INTO {target} t USING"
        " (SELECT id FROM {target} WHERE id NOT IN (SELECT id FROM {source})) s ON t.id = s.id"
        " WHEN MATCHED THEN DELETE",
        rows="(1, 'a'), (3, 'c')",
    ),
    GoldenCase(
        title="another Delta table",
        target=TARGET,
        source=table("id INT, v STRING", "(1, 'x'), (4, 'z')"),
        source_is_delta=True,
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'x'), (2, 'b'), (3, 'c'), (4, 'z')",
    ),
    GoldenCase(
        title="random values are drawn once: keys and rows agree",
        target=table("id INT, v DOUBLE, w DOUBLE", "(1, -1.0, -1.0), (2, -2.0, -2.0)"),
        statement="MERGE INTO {target} t USING"
        " (SELECT id, r AS v, r AS w FROM (SELECT explode(array(1, 2, 3)) AS id, rand() AS r)) s"
        " ON t.id = s.id AND s.v >= 0"
        " WHEN MATCHED AND s.v != s.w THEN DELETE"
        " WHEN MATCHED THEN UPDATE SET v = floor(s.v), w = s.v - s.w"
        " WHEN NOT MATCHED THEN INSERT (id, v, w) VALUES (s.id, floor(s.v), s.v - s.w)",
        rows="(1, 0.0, 0.0), (2, 0.0, 0.0), (3, 0.0, 0.0)",
    ),
    GoldenCase(
        title="a random choice of source rows is made once",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b'), (3, 'c'), (4, 'd')"),
        statement="MERGE INTO {target} t USING"
        " (SELECT id FROM (SELECT explode(sequence(1, 4)) AS id) WHERE rand() < 2) s"
        " ON t.id = s.id WHEN MATCHED AND s.id < 3 THEN DELETE"
        " WHEN MATCHED THEN UPDATE SET v = 'kept'",
        rows="(3, 'kept'), (4, 'kept')",
    ),
    GoldenCase(
        title="a random value in an action is drawn for each row",
        target=table("id INT, v STRING", "(1, 'a'), (2, 'b')"),
        source=table("id INT", "(2), (3)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET v = CAST(length(uuid()) AS STRING)"
        " WHEN NOT MATCHED THEN INSERT (id, v) VALUES (s.id, CAST(rand() < 1 AS STRING))",
        rows="(1, 'a'), (2, '36'), (3, 'true')",
    ),
    GoldenCase(
        title="now is the same moment everywhere",
        target=table("id INT, at TIMESTAMP, s_at TIMESTAMP", "(1, NULL, NULL)"),
        before=("UPDATE {target} SET at = TIMESTAMP'2020-01-01', s_at = TIMESTAMP'2020-01-01'",),
        statement="MERGE INTO {target} t USING"
        " (SELECT explode(array(1, 2)) AS id, current_timestamp() AS at) s"
        " ON t.id = s.id AND t.at < current_timestamp()"
        " WHEN MATCHED AND s.at = current_timestamp() THEN UPDATE SET at = NULL, s_at = NULL"
        " WHEN NOT MATCHED AND s.at = now() THEN INSERT (id) VALUES (s.id)",
        rows="(1, NULL, NULL), (2, NULL, NULL)",
    ),
    GoldenCase(
        title="source columns that no clause wants may hold anything",
        target=TARGET,
        source=table(
            "id INT, v STRING, m MAP<STRING, INT>, b BINARY", "(1, 'x', map('k', 1), X'00')"
        ),
        statement="MERGE INTO {target} t USING {source} s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET v = s.v",
        rows="(1, 'x'), (2, 'b'), (3, 'c')",
    ),
    GoldenCase(
        title="two source columns of one name that nobody reads",
        target=TARGET,
        statement="MERGE INTO {target} t USING"
        " (SELECT 1 AS id, 'x' AS v, 1 AS twin, 2 AS twin) s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET v = s.v",
        rows="(1, 'x'), (2, 'b'), (3, 'c')",
    ),
    GoldenCase(
        title="a source without any useful column",
        target=TARGET,
        source=table("x INT", "(0)"),
        statement="MERGE INTO {target} t USING {source} s ON t.id = 2 WHEN MATCHED THEN DELETE",
        rows="(1, 'a'), (3, 'c')",
    ),
    GoldenCase(
        title="a literal column of nulls in the source",
        target=TARGET,
        statement="MERGE INTO {target} t USING"
        " (SELECT 2 AS id, NULL AS v UNION ALL SELECT 5, NULL) s"
        " ON t.id = s.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'a'), (2, NULL), (3, 'c'), (5, NULL)",
    ),
    GoldenCase(
        title="the first row by an order",
        target=TARGET,
        source=table("id INT, v STRING", "(1, 'x'), (2, 'z'), (4, 'y')"),
        statement="MERGE INTO {target} t USING (SELECT * FROM {source} ORDER BY v DESC LIMIT 1) s"
        " ON t.id = s.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'a'), (2, 'z'), (3, 'c')",
    ),
    GoldenCase(
        title="a union of tables of literals",
        target=TARGET,
        statement="MERGE INTO {target} t USING (SELECT * FROM VALUES (1, 'x'), (1, 'x') AS l(id, v)"
        " UNION SELECT * FROM VALUES (4, 'y') AS r(id, v)) s"
        " ON t.id = s.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'x'), (2, 'b'), (3, 'c'), (4, 'y')",
    ),
    GoldenCase(
        title="constants are inserted for each row of a source that nobody reads",
        target=TARGET,
        source=table("x INT, m MAP<STRING, INT>", "(1, NULL), (2, map('k', 1))"),
        statement="MERGE INTO {target} t USING {source} s ON t.id < 0"
        " WHEN MATCHED THEN UPDATE SET v = 'no'"
        " WHEN NOT MATCHED THEN INSERT (id, v) VALUES (10, 'ten')",
        rows="(1, 'a'), (2, 'b'), (3, 'c'), (10, 'ten'), (10, 'ten')",
    ),
    GoldenCase(
        title="random values in a subquery of the source",
        target=TARGET,
        source=table("id INT, v STRING", "(1, 'x'), (4, 'y')"),
        statement="MERGE INTO {target} t USING (SELECT id, v FROM {source}"
        " WHERE id IN (SELECT id FROM {source} WHERE rand() < 2)) s ON t.id = s.id"
        " WHEN MATCHED AND s.v = 'none' THEN DELETE WHEN MATCHED THEN UPDATE SET *"
        " WHEN NOT MATCHED THEN INSERT *",
        rows="(1, 'x'), (2, 'b'), (3, 'c'), (4, 'y')",
    ),
    GoldenCase(
        title="a source of random length",
        target=TARGET,
        statement="MERGE INTO {target} t USING (SELECT r.id, 'x' AS v FROM range(1, 5) r"
        " JOIN (SELECT 3 + rand() AS bound) b ON r.id < b.bound) s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET v = s.v",
        rows="(1, 'x'), (2, 'x'), (3, 'x')",
    ),
    GoldenCase(
        title="now in an action is the source's now",
        target=table("id INT, same BOOLEAN, today BOOLEAN", "(1, false, false)"),
        statement="MERGE INTO {target} t USING (SELECT explode(array(1, 2)) AS id,"
        " current_timestamp() AS at, current_date() AS day"
        " WHERE current_timestamp() IN (SELECT now())) s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET same = (s.at = now()), today = (s.day = current_date())"
        " WHEN NOT MATCHED THEN INSERT (id, same, today)"
        " VALUES (s.id, s.at = current_timestamp(), s.day = current_date())",
        rows="(1, true, true), (2, true, true)",
    ),
    GoldenCase(
        title="some rows of the target delete themselves",
        target=TARGET,
        statement="MERGE INTO {target} t USING (SELECT * FROM {target} WHERE id = 3) s"
        " ON t.id = s.id WHEN MATCHED THEN DELETE",
        rows="(1, 'a'), (2, 'b')",
    ),
)
