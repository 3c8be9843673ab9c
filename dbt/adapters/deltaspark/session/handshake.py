"""What a warm Spark has on disk: how it is reached, and who uses it. For its user's eyes alone.

Locks are the operating system's (flock): one of a process that died is free at once.
"""

from __future__ import annotations

import errno
import hashlib
import hmac
import json
import os
import stat
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryFile, mkstemp
from typing import TYPE_CHECKING, TextIO

from . import processes
from .class_archive import cache_folder

if TYPE_CHECKING:
    from .confs import SessionSettings

try:
    import fcntl
except ImportError:  # Windows
    HAS_LOCKS = False
else:
    HAS_LOCKS = True

FILE, LOG = "handshake.json", "spark.log"
START, KEEPER, USERS = "start.lock", "keeper.lock", "users"
LONGEST = 180.0
"""Seconds that a process waits for another one that starts or ends the Spark."""
IS_NONE = (FileNotFoundError, NotADirectoryError, PermissionError)
NO_LOCKS = (errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOLCK, errno.EINVAL)
"""What a file system that has no locks answers."""


@dataclass(frozen=True, slots=True)
class Handshake:
    """A Spark that outlives the processes that use it.

    `confs` has of each conf a digest, which only who knows the secret could make. Times are
    seconds, `started` since the epoch; a process `began` as `processes` tells it.
    """

    port: int
    secret: str
    machine: Mapping[str, str]
    keeper: int
    keeper_began: str | None
    jvm: int
    jvm_began: str | None
    started: float
    keep_alive: float
    versions: Mapping[str, str]
    confs: Mapping[str, str]

    def digest(self, value: str) -> str:
        return digest(self.secret, value)


def digest(secret: str, value: str) -> str:
    return hmac.new(secret.encode(), value.encode(), hashlib.sha256).hexdigest()[:16]


def folder_of(settings: SessionSettings) -> Path | None:
    """Where the handshake for these settings is: with the embedded catalog, else in the cache."""
    if not HAS_LOCKS:
        return None
    if settings.catalog_folder is not None:
        return settings.catalog_folder / "warm"
    cache = cache_folder()
    places = f"{settings.metastore}\n{settings.warehouse}"
    return cache and cache / "warm" / hashlib.sha256(places.encode()).hexdigest()[:16]


class Unfit(Exception):
    """A folder in which no warm Spark can be kept; the message says why."""


def make(folder: Path) -> None:
    """The folder, which nobody else may look into, and in which there are locks.

    Raises Unfit where others may, or its file system has no owners, modes or locks;
    PermissionError where it is another user's.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with TemporaryFile(dir=folder) as probe:
        _check_owner(folder, os.fstat(probe.fileno()).st_uid)
        try:
            fcntl.flock(probe, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in NO_LOCKS:
                raise Unfit(f"{folder} has no locks ({error.strerror})") from error
            raise
    (folder / USERS).mkdir(mode=0o700, exist_ok=True)
    if not (folder / ".gitignore").exists():
        with private(folder / ".gitignore") as opened:
            opened.write("*\n")


def _check_owner(folder: Path, owner_of_new_files: int) -> None:
    """Whose a folder is says nothing where what this user makes is not this user's (SMB)."""
    found, user = folder.lstat(), os.getuid()
    if found.st_uid != user and owner_of_new_files == user:
        raise PermissionError(errno.EACCES, "it is another user's", str(folder))
    mode = stat.S_IMODE(found.st_mode)
    if found.st_uid != user or mode & 0o077:
        raise Unfit(
            f"{folder}, which would hold its secret, is open to other users (mode {mode:o},"
            f" owner {found.st_uid}); `chmod 700` closes it, where its disk keeps modes"
        )


def read(folder: Path) -> Handshake | None:
    """None where there is none, or one that another user wrote or may read.

    Raises OSError where that is not known: of too many open files, or of a disk that is away.
    """
    path = folder / FILE
    with suppress(*IS_NONE, ValueError, TypeError), path.open() as opened:
        found = os.fstat(opened.fileno())
        if found.st_uid == os.getuid() and not stat.S_IMODE(found.st_mode) & 0o077:
            return Handshake(**json.load(opened))
    return None


def write(folder: Path, handshake: Handshake) -> None:
    unfinished = folder / f"{FILE}.{os.getpid()}"
    unfinished.unlink(missing_ok=True)
    with private(unfinished) as opened:
        json.dump(asdict(handshake), opened)
    unfinished.replace(folder / FILE)


def private(path: Path) -> TextIO:
    """The file, opened to append, which nobody else may read or write."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW
    return os.fdopen(os.open(path, flags, 0o600), "a")


def remove(folder: Path) -> None:
    (folder / FILE).unlink(missing_ok=True)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Nobody else is inside at the same time; raises TimeoutError when who is does not leave."""
    deadline = time.monotonic() + LONGEST
    with private(path) as opened:
        while True:
            with suppress(BlockingIOError):
                fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            if time.monotonic() > deadline:
                raise TimeoutError(
                    f"{path} is held by another process that has been starting or ending a warm"
                    f" Spark for {LONGEST:.0f} s; `deltaspark status --all` shows what runs"
                )
            time.sleep(0.05)
        yield


@contextmanager
def if_free(path: Path) -> Iterator[bool]:
    """Whether nobody else was inside; then nobody is."""
    with private(path) as opened:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


def is_held(path: Path) -> bool:
    if not path.exists():
        return False
    with if_free(path) as free:
        return not free


# --- where they are ---


def registry() -> Path | None:
    """Where the user's warm Sparks are listed, of all machines that share the home; one a file."""
    cache = cache_folder()
    return cache and cache / "warm" / "running"


@contextmanager
def listed(folder: Path) -> Iterator[None]:
    """Found by the console command, for as long as this keeper runs."""
    file = None
    with suppress(OSError):  # a cache that cannot be written to: the command finds less
        file = _listing(folder)
    try:
        yield
    finally:
        if file is not None:
            with suppress(OSError):
                file.unlink(missing_ok=True)


def _listing(folder: Path) -> Path | None:
    """Its file; the number of its process alone may be another machine's, too."""
    place, keeper = registry(), os.getpid()
    if place is None:
        return None
    machine = processes.this_machine()
    told = {"folder": str(folder), "project": os.getcwd(), "keeper": keeper, "machine": machine}
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    number, name = mkstemp(dir=place, prefix=f"{keeper}-")
    with os.fdopen(number, "w") as opened:
        json.dump(told, opened)
    return Path(name)


def running() -> Iterator[tuple[Path, Path, Handshake]]:
    """The project's folder, the handshake's folder, and the handshake of each that runs here."""
    place = registry()
    for file in sorted(place.glob("*")) if place else ():
        with suppress(OSError, ValueError, KeyError):
            told = json.loads(file.read_text())
            folder = Path(told["folder"])
            found = read(folder)
            held = is_held(folder / KEEPER)
            if processes.are_elsewhere(told["machine"], held=held):
                continue
            of_it = found and (found.keeper, found.machine) == (told["keeper"], told["machine"])
            # A JVM that hangs outlives a keeper that was killed, and can only be stopped.
            if found and of_it and (held or processes.runs(found.jvm, found.jvm_began)):
                yield Path(told["project"]), folder, found
            elif found or not held:
                file.unlink(missing_ok=True)  # its keeper was killed


# --- who uses it ---


def register(folder: Path) -> None:
    """This process is among those that use the Spark, for as long as it lives."""
    path = folder / USERS / f"dbt-{os.getpid()}"
    while True:
        opened = private(path)
        fcntl.flock(opened, fcntl.LOCK_EX)
        with suppress(FileNotFoundError):  # the keeper took it for a dead one's
            if path.stat().st_ino == os.fstat(opened.fileno()).st_ino:
                break
        opened.close()
    _registered[path] = opened


def withdraw() -> None:
    """This process does not use it after all."""
    while _registered:
        path, opened = _registered.popitem()
        path.unlink(missing_ok=True)
        opened.close()


def user() -> str | None:
    """The name by which this process uses a warm Spark, if it does."""
    return next((path.name for path in _registered), None)


def users(folder: Path) -> list[str]:
    """Those that use it."""
    return [path.name for path in sorted((folder / USERS).glob("dbt-*")) if is_held(path)]


def buried(folder: Path) -> list[str]:
    """Those that have died since the keeper, who alone may ask, did so last."""
    dead = []
    for path in sorted((folder / USERS).glob("dbt-*")):
        with if_free(path) as free:
            if free:
                path.unlink(missing_ok=True)
                dead.append(path.name)
    return dead


_registered: dict[Path, TextIO] = {}
