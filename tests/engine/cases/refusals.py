"""Merges that are refused before they run: each names its error, and the table stays as it is."""

from __future__ import annotations

from golden import GoldenCase, table

UNRESOLVED = "DELTA_MERGE_UNRESOLVED_EXPRESSION"
AGGREGATE = "DELTA_AGGREGATION_NOT_SUPPORTED"
RANDOM = "DELTA_NON_DETERMINISTIC_FUNCTION_NOT_SUPPORTED"
SUBQUERY = "DELTA_UNSUPPORTED_SUBQUERY"
OPERATOR = "UNSUPPORTED_EXPR_FOR_OPERATOR"
CONFLICT = "DELTA_CONFLICT_SET_COLUMN"
NESTED = "DELTA_UNSUPPORTED_NESTED_FIELD_IN_UPDATE"
MISMATCH = "DELTA_UPDATE_SCHEMA_MISMATCH_EXPRESSION"


def refused(title: str, error: str, clauses: str, on: str = "t.id = s.id") -> GoldenCase:
    return GoldenCase(
        title=title,
        target=table(
            "id INT, v STRING, st STRUCT<a: INT, b: STRUCT<c: INT>>, m MAP<STRING, INT>,"
            " l ARRAY<STRUCT<a: INT>>",
            "(1, 'a', named_struct('a', 1, 'b', named_struct('c', 2)), map('k', 1),"
            " array(named_struct('a', 1)))",
        ),
        source=table(
            "id INT, v STRING, n INT, wide STRUCT<a: INT, b: STRUCT<c: INT, d: INT>>,"
            " wides ARRAY<STRUCT<a: INT, b: INT>>",
            "(1, 'x', 5, NULL, NULL)",
        ),
        partition_by=(),
        deletion_vectors=False,
        statement=f"MERGE INTO {{target}} t USING {{source}} s ON {on} {clauses}",
        error=error,
    )


CASES = (
    refused("a merge without clauses", "MERGE_WITHOUT_WHEN", ""),
    refused(
        "two matched clauses without a condition",
        "NON_LAST_MATCHED_CLAUSE_OMIT_CONDITION",
        "WHEN MATCHED AND s.n = 1 THEN DELETE WHEN MATCHED THEN UPDATE SET v = s.v"
        " WHEN MATCHED THEN DELETE",
    ),
    refused(
        "a matched clause after one without a condition",
        "NON_LAST_MATCHED_CLAUSE_OMIT_CONDITION",
        "WHEN MATCHED THEN UPDATE SET v = s.v WHEN MATCHED AND s.n = 1 THEN UPDATE SET v = 'no'",
    ),
    refused(
        "two insert clauses without a condition",
        "NON_LAST_NOT_MATCHED_BY_TARGET_CLAUSE_OMIT_CONDITION",
        "WHEN NOT MATCHED THEN INSERT (id) VALUES (s.id)"
        " WHEN NOT MATCHED THEN INSERT (id) VALUES (s.n)",
    ),
    refused(
        "an insert clause after one without a condition",
        "NON_LAST_NOT_MATCHED_BY_TARGET_CLAUSE_OMIT_CONDITION",
        "WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT (id) VALUES (s.id)"
        " WHEN NOT MATCHED AND s.n = 5 THEN INSERT (id) VALUES (s.n)",
    ),
    refused(
        "two by-source clauses without a condition",
        "NON_LAST_NOT_MATCHED_BY_SOURCE_CLAUSE_OMIT_CONDITION",
        "WHEN NOT MATCHED BY SOURCE AND t.id = 1 THEN UPDATE SET v = 'x'"
        " WHEN NOT MATCHED BY SOURCE THEN DELETE"
        " WHEN NOT MATCHED BY SOURCE THEN UPDATE SET v = 'y'",
    ),
    refused(
        "a by-source clause after one without a condition",
        "NON_LAST_NOT_MATCHED_BY_SOURCE_CLAUSE_OMIT_CONDITION",
        "WHEN NOT MATCHED BY SOURCE THEN DELETE WHEN NOT MATCHED BY SOURCE AND t.id = 1 THEN"
        " DELETE",
    ),
    refused("an unknown column in ON", UNRESOLVED, "WHEN MATCHED THEN DELETE", on="t.id = s.gone"),
    refused(
        "an unknown column in an update's condition",
        UNRESOLVED,
        "WHEN MATCHED AND gone > 1 THEN UPDATE SET v = s.v",
    ),
    refused(
        "an unknown column in a delete's condition",
        UNRESOLVED,
        "WHEN MATCHED AND gone > 1 THEN DELETE",
    ),
    refused(
        "an unknown column in an insert's condition",
        UNRESOLVED,
        "WHEN NOT MATCHED AND gone > 1 THEN INSERT (id) VALUES (s.id)",
    ),
    refused(
        "an unknown column in a by-source update's condition",
        UNRESOLVED,
        "WHEN NOT MATCHED BY SOURCE AND gone > 1 THEN UPDATE SET v = 'x'",
    ),
    refused(
        "a source column in a by-source delete's condition",
        UNRESOLVED,
        "WHEN NOT MATCHED BY SOURCE AND n > 1 THEN DELETE",
    ),
    refused(
        "an update of a column that only the source has",
        UNRESOLVED,
        "WHEN MATCHED THEN UPDATE SET n = 1",
    ),
    refused(
        "an insert into a column that only the source has",
        UNRESOLVED,
        "WHEN NOT MATCHED THEN INSERT (id, n) VALUES (s.id, s.n)",
    ),
    refused(
        "an inserted value that reads the target",
        UNRESOLVED,
        "WHEN NOT MATCHED THEN INSERT (id, v) VALUES (s.id, t.v)",
    ),
    refused(
        "an assignment to a column under the source's alias",
        UNRESOLVED,
        "WHEN MATCHED THEN UPDATE SET s.v = s.v",
    ),
    refused(
        "a column of both sides in an update's condition",
        "AMBIGUOUS_REFERENCE",
        "WHEN MATCHED AND id > 1 THEN UPDATE SET v = s.v",
    ),
    refused(
        "a column of both sides in a delete's condition",
        "AMBIGUOUS_REFERENCE",
        "WHEN MATCHED AND v = 'a' THEN DELETE",
    ),
    refused(
        "a column of both sides as the new value",
        "AMBIGUOUS_REFERENCE",
        "WHEN MATCHED THEN UPDATE SET v = v",
    ),
    refused(
        "an aggregate in ON",
        AGGREGATE,
        "WHEN MATCHED THEN DELETE",
        on="t.id = s.id AND max(t.id) > 1",
    ),
    refused(
        "an aggregate in an update's condition",
        AGGREGATE,
        "WHEN MATCHED AND max(s.n) > 1 THEN UPDATE SET v = s.v",
    ),
    refused(
        "an aggregate in an insert's condition",
        AGGREGATE,
        "WHEN NOT MATCHED AND max(s.n) > 1 THEN INSERT (id) VALUES (s.id)",
    ),
    refused(
        "an aggregate in a by-source condition",
        AGGREGATE,
        "WHEN NOT MATCHED BY SOURCE AND max(t.id) > 1 THEN DELETE",
    ),
    refused(
        "an aggregate as the new value",
        OPERATOR,
        "WHEN MATCHED THEN UPDATE SET id = max(s.n)",
    ),
    refused(
        "an aggregate as an inserted value",
        OPERATOR,
        "WHEN NOT MATCHED THEN INSERT (id) VALUES (max(s.n))",
        on="false",
    ),
    refused(
        "a window function in ON",
        OPERATOR,
        "WHEN MATCHED THEN DELETE",
        on="t.id = row_number() OVER (ORDER BY s.n)",
    ),
    refused(
        "a window function in a condition",
        OPERATOR,
        "WHEN MATCHED AND row_number() OVER (ORDER BY s.n) = 1 THEN DELETE",
    ),
    refused(
        "a window function as the new value",
        OPERATOR,
        "WHEN MATCHED THEN UPDATE SET id = row_number() OVER (ORDER BY s.n)",
    ),
    refused(
        "a random value in ON",
        RANDOM,
        "WHEN MATCHED THEN DELETE",
        on="t.id = s.id AND rand() < 0.5",
    ),
    refused(
        "a random value in an update's condition",
        RANDOM,
        "WHEN MATCHED AND rand() < 0.5 THEN UPDATE SET v = s.v",
    ),
    refused(
        "a random value in an insert's condition",
        RANDOM,
        "WHEN NOT MATCHED AND rand() < 0.5 THEN INSERT (id) VALUES (s.id)",
    ),
    refused(
        "a random value in a by-source update's condition",
        RANDOM,
        "WHEN NOT MATCHED BY SOURCE AND rand() < 0.5 THEN UPDATE SET v = 'x'",
    ),
    refused(
        "a random value in a by-source delete's condition",
        RANDOM,
        "WHEN NOT MATCHED BY SOURCE AND rand() < 0.5 THEN DELETE",
    ),
    refused(
        "a subquery in an update's condition",
        SUBQUERY,
        "WHEN MATCHED AND s.n IN (SELECT n FROM {source}) THEN UPDATE SET v = s.v",
    ),
    refused(
        "a subquery in a delete's condition",
        SUBQUERY,
        "WHEN MATCHED AND s.n IN (SELECT n FROM {source}) THEN DELETE",
    ),
    refused(
        "a subquery in an insert's condition",
        SUBQUERY,
        "WHEN NOT MATCHED AND s.n IN (SELECT n FROM {source}) THEN INSERT (id) VALUES (s.id)",
    ),
    refused(
        "a subquery in a by-source condition",
        SUBQUERY,
        "WHEN NOT MATCHED BY SOURCE AND t.id IN (SELECT n FROM {source}) THEN DELETE",
    ),
    refused(
        "one column inserted twice",
        "DELTA_DUPLICATE_COLUMNS_ON_INSERT",
        "WHEN NOT MATCHED THEN INSERT (id, v, v) VALUES (s.id, s.v, 'y')",
    ),
    refused(
        "one column assigned with and without the target's alias",
        CONFLICT,
        "WHEN MATCHED THEN UPDATE SET v = s.v, t.v = 'y'",
    ),
    refused(
        "one field of a struct assigned twice",
        CONFLICT,
        "WHEN MATCHED THEN UPDATE SET st.b.c = 1, st.b.c = 2",
    ),
    refused(
        "a struct and a field of it assigned",
        CONFLICT,
        "WHEN MATCHED THEN UPDATE SET st.a = 1, st = NULL",
    ),
    refused(
        "an inner struct and a field of it assigned",
        CONFLICT,
        "WHEN MATCHED THEN UPDATE SET st.b.c = 1, st.b = named_struct('c', 2)",
    ),
    refused(
        "a field that the struct does not have",
        "FIELD_NOT_FOUND",
        "WHEN MATCHED THEN UPDATE SET st.gone = 1",
    ),
    refused(
        "text into a struct",
        "DATATYPE_MISMATCH.CAST_WITHOUT_SUGGESTION",
        "WHEN MATCHED THEN UPDATE SET st.b = 'text'",
    ),
    refused(
        "a field of a struct in the list of an insert",
        "DELTA_UNSUPPORTED_NESTED_FIELD_IN_OPERATION",
        "WHEN NOT MATCHED THEN INSERT (id, st.a) VALUES (s.id, s.n)",
    ),
    refused(
        "an update of one value of a map",
        NESTED,
        "WHEN MATCHED THEN UPDATE SET m.k = 2",
    ),
    refused(
        "an update of a field inside an array",
        NESTED,
        "WHEN MATCHED THEN UPDATE SET l.a = 2",
    ),
    refused(
        "a struct with a field too many",
        MISMATCH,
        "WHEN MATCHED THEN UPDATE SET st = s.wide",
    ),
    refused(
        "an array of structs with a field too many",
        MISMATCH,
        "WHEN MATCHED THEN UPDATE SET l = s.wides",
    ),
)
