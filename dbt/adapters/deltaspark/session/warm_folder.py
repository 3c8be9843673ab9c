"""The folder of a warm Spark: whether there can be one, and who is alone in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from . import handshake, places
from .class_archive import FOLDER
from .errors import SessionError

if TYPE_CHECKING:
    from .confs import SessionSettings


def folder_for(
    settings: SessionSettings, say: Callable[[str], None], warn: Callable[[str], None]
) -> Path | None:
    """The user's own, for a handshake and its locks; None where there can be none, which is said.

    Raises SessionError where another user has it.
    """
    folder = handshake.folder_of(settings)
    if folder is None:
        off = f"`metastore` is no folder, and there is no cache folder ({FOLDER} names one)"
        say(
            f"keep_alive does nothing: {off if handshake.HAS_LOCKS else 'this system has no locks'}"
        )
        return None
    try:
        places.make(settings.catalog_folder)
        handshake.make(folder)
        handshake.private(folder / handshake.START).close()
    except handshake.Unfit as unfit:
        warn(_without(settings, str(unfit)))
        return None
    except OSError as error:
        if settings.catalog_folder is None:
            warn(_without(settings, f"{folder} cannot be used by this user ({error.strerror})"))
            return None
        raise SessionError(
            f"keep_alive: {folder} cannot be used by this user ({error.strerror}); a warm Spark"
            " serves the user alone who started it. Give this one a `metastore` folder of its own."
        ) from error
    return folder


def _without(settings: SessionSettings, why: str) -> str:
    key = "`metastore`" if settings.catalog_folder is not None else FOLDER
    return (
        f"keep_alive does nothing, and Spark ends with this process: {why}.\nWays out: a folder in"
        f" {key} whose disk keeps modes and locks (WSL's /mnt/c and many network shares do not); or"
        " no `keep_alive`."
    )


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Nobody else starts or ends the Spark meanwhile; raises SessionError where who does stays."""
    with ExitStack() as stack:
        try:
            stack.enter_context(handshake.locked(folder / handshake.START))
        except TimeoutError as error:  # not one of what is done inside
            raise SessionError(f"keep_alive: {error}") from error
        yield
