"""The classes of a JVM, looked up once for all commands of a process: each look-up is a call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from py4j.java_gateway import JavaClass, JavaMember

if TYPE_CHECKING:
    from py4j.java_gateway import JVMView

PYSPARK_ASKS_FOR = {
    "functions": "org.apache.spark.sql.functions",
    "org.apache.spark.sql.functions": "org.apache.spark.sql.functions",
    "PythonUtils": "org.apache.spark.api.python.PythonUtils",
}
"""The names by which PySpark asks for a class with each column that it makes, and the classes.

For a name without a package py4j tries all that PySpark imports, each in every jar of Spark.
"""

_found: WeakKeyDictionary[JVMView, dict[str, JavaClass]] = WeakKeyDictionary()


class Remembering(JavaClass):  # type: ignore[misc]
    """A class that looks up each static method, and the instance of a Scala object, once."""

    def __getattr__(self, name: str) -> Any:
        member = super().__getattr__(name)
        if name == "MODULE$" or isinstance(member, JavaMember):
            setattr(self, name, member)
        return member


def java_class(jvm: JVMView, name: str) -> Any:
    """The class of this full name.

    What is no class becomes one when a jar with it is added, so it is looked up each time.
    """
    if jvm not in _found:
        _found[jvm] = {}
        _answer_pyspark(jvm)
    classes = _found[jvm]
    if name not in classes:
        found = getattr(jvm, name)
        if not isinstance(found, JavaClass):
            return found
        classes[name] = Remembering(found._fqn, found._gateway_client)
    return classes[name]


def _answer_pyspark(jvm: JVMView) -> None:
    """An attribute of the view is found by Python itself, without a call."""
    for asked, name in PYSPARK_ASKS_FOR.items():
        setattr(jvm, asked, java_class(jvm, name))
