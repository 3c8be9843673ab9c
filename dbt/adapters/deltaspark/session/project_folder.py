"""The folder of a dbt project, in which the relative places of its profile lie."""

from __future__ import annotations

import atexit
import re
import shutil
import tempfile
from pathlib import Path

FILE = "dbt_project.yml"
URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
TEMPORARY = ("/tmp", "/var/tmp")


def passing_folder() -> Path:
    """For what runs outside of a project; gone when this process ends."""
    folder = Path(tempfile.mkdtemp(prefix="dbt-deltaspark-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def real_folder(project: Path) -> Path:
    """The project's own: tools run dbt in a temporary folder of links to the project's entries."""
    return (project / FILE).resolve().parent


def located(place: str | None, project: Path) -> str | None:
    """The path of a place, absolute; a URI is one already.

    What a project already has in its folder stays, though its file may be a link to another's.
    """
    if not place or _is_uri(place):
        return place or None
    path = Path(place).expanduser()
    inside = project / path
    if ".." not in path.parts and inside.exists():
        return str(inside.resolve())
    return str((real_folder(project) / path).resolve())


def as_jar(place: str) -> str:
    """A jar file as Spark takes it: of a path it would read `#` and `%` as a URI's."""
    is_odd = not _is_uri(place) and not {"#", "%"}.isdisjoint(place)
    return Path(place).as_uri() if is_odd else place


def warning_of_temporary(project: Path, *places: str | None) -> str | None:
    """Of the profile's relative places those that a temporary folder would take along, if any.

    An absolute one is there on purpose, and what runs outside of a project leaves nothing.
    """
    given = [place for place in places if place and not _is_uri(place)]
    relative = [place for place in given if not Path(place).expanduser().is_absolute()]
    found = [place for each in relative if _is_temporary(place := str(located(each, project)))]
    if not found or not (project / FILE).exists():
        return None
    return (
        f"The project lies in a temporary folder, and its tables are gone when that is:"
        f" {' and '.join(found)}. Absolute paths as the profile's `warehouse` and `metastore` keep"
        " them elsewhere, or there without this warning"
    )


def _is_uri(place: str) -> bool:
    return bool(URI.match(place)) and not Path(place).is_absolute()


def _is_temporary(place: str) -> bool:
    folders = {Path(each).resolve() for each in (tempfile.gettempdir(), *TEMPORARY)}
    return not folders.isdisjoint(Path(place).parents)
