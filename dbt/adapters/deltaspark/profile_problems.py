"""What can be wrong in a profile's lists and mappings for Spark, an item at a time."""

from __future__ import annotations

import re

from .session import DELTA_CATALOG

PACKAGE = re.compile(r"[\w.-]+:[\w.-]+:[\w.-]+")
NO_CONF: dict[type, str] = {type(None): "nothing", list: "a list", dict: "a mapping"}
"""What YAML has, and a conf of Spark cannot be."""
SECOND_CATALOG = re.compile(r"spark\.sql\.catalog\.(?!spark_catalog$)[^.]+")


def package_problem(package: str) -> str | None:
    if PACKAGE.fullmatch(package):
        return None
    return (
        "packages are Maven's coordinates, group:artifact:version, such as"
        f" org.postgresql:postgresql:42.7.5; got {package!r}"
    )


def conf_problem(name: str, value: object) -> str | None:
    if value == DELTA_CATALOG and SECOND_CATALOG.fullmatch(name):
        return (
            f"spark_config: {name} is Delta's own catalog, which works as spark_catalog alone (as"
            " another one it knows no catalog to keep its tables in, and Spark fails with"
            " INTERNAL_ERROR); give the models another schema instead"
        )
    found = NO_CONF.get(type(value))
    if found is None:
        return None
    way = "leave it out" if value is None else "write it as Spark does, in one text"
    return f"spark_config: {name} is a text, a number, true or false; got {found}: {way}"
