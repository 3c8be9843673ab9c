"""Names of schemas, tables and functions, and texts, that the catalog would refuse too late."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

REFUSED = re.compile(r"[/\\`.\x00-\x1f\x7f]")
"""What parts folders, goes up in them, ends a name in SQL, or parts names in SQL."""
NOT_PLAIN = re.compile(r"[^A-Za-z0-9_]")
"""What Spark's own catalog takes in no name, as Hive's metastore does not."""
OTHER, OWN, EMBEDDED = "other", "own", "embedded"
"""Catalogs: one of which nothing is known, Spark's own, and Spark's own in Derby."""
LONGEST: dict[str, int] = {"schema": 128, "alias": 255, "function's alias": 128}
"""What Hive's metastore has columns for, and a disk has names of folders for."""
LONGEST_COMMENT = 32672
"""Characters of a text in Derby."""
SPELT = str.maketrans({"ß": "ss", "æ": "ae", "ø": "o", "œ": "oe"})


def name_problems(what: str, name: str, catalog: str = OTHER) -> list[str]:
    """Why the schema or the alias cannot be one of this catalog, with one that can."""
    if catalog == OTHER:
        return _problems_of_path(what, name)
    found = sorted({*NOT_PLAIN.findall(name)})
    if found or not name:
        has = f"it has {', '.join(map(repr, found))}" if name else "it is empty"
        return [
            f"{what} {name!r} is refused, since {has}: names in Spark's own catalog have the"
            f" letters a to z, digits and underscores alone; give it another {what}"
            f"{_such_as(what, name)}"
        ]
    if len(name) > LONGEST[what]:
        return [
            f"{what} {name!r} is refused, since it has {len(name)} characters, and the catalog and"
            f" the disk take {LONGEST[what]}; give it a shorter {what}"
        ]
    return []


def _such_as(what: str, name: str) -> str:
    """The same name as the catalog takes it, in the key that has it; nothing where none is left."""
    letters = unicodedata.normalize("NFKD", name.translate(SPELT))
    plain = "".join(each for each in letters if not unicodedata.combining(each))
    near = re.sub("_+", "_", NOT_PLAIN.sub("_", plain)).strip("_")
    key = what.rpartition(" ")[2]
    return f", as in `{key}: {near}`" if near else ", with letters, digits and underscores"


def _problems_of_path(what: str, name: str) -> list[str]:
    """The name's folder is named as it is."""
    found = sorted(set(REFUSED.findall(name)))
    if name.strip() and not found:
        return []
    has = f"it has {', '.join(map(repr, found))}" if found else "it is empty"
    return [
        f"{what} {name!r} is refused, since {has}: a name becomes a folder and a part of"
        " `catalog`.`schema`.`table`, so it has no separator of paths, no dot, no backtick and no"
        f" control character; give it another {what}, with letters, digits and underscores"
    ]


def problems_of_names(spec: Mapping[str, Any]) -> list[str]:
    """What the node's catalog has against its schema and its alias."""
    catalog = spec.get("catalog") or OTHER
    is_function = str(spec.get("node_id")).startswith("function.")
    alias = "function's alias" if is_function else "alias"
    return [
        *name_problems("schema", str(spec.get("schema", "unnamed")), catalog),
        *name_problems(alias, str(spec.get("alias", "unnamed")), catalog),
        *(_named_alike(spec, other) for other in spec.get("namesakes") or () if catalog != OTHER),
    ]


def _named_alike(spec: Mapping[str, Any], other: str) -> str:
    return (
        f"alias {spec.get('alias')!r} is also that of {other}, but for the case of its letters,"
        " which the catalog ignores: each would replace the other's rows; give one of them another"
        " alias"
    )


def problems_of_comment(spec: Mapping[str, Any], comment: str | None) -> list[str]:
    """The comment of a table or a view that the embedded catalog has no room for."""
    if spec.get("catalog") != EMBEDDED or len(comment or "") <= LONGEST_COMMENT:
        return []
    return [
        f"the comment (`comment`, or the description with persist_docs) has {len(comment or '')}"
        f" characters, and the embedded catalog takes {LONGEST_COMMENT} of a table; make it shorter"
    ]
