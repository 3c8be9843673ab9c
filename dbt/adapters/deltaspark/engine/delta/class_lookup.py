"""The classes of a JVM, looked up once for all commands of a process: each look-up is a call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from py4j.java_gateway import JavaClass, JavaMember

if TYPE_CHECKING:
    from py4j.java_gateway import JVMView

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
    classes = _found.setdefault(jvm, {})
    if name not in classes:
        found = getattr(jvm, name)
        if not isinstance(found, JavaClass):
            return found
        classes[name] = Remembering(found._fqn, found._gateway_client)
    return classes[name]
