"""Storage that fails: a disk that fills up or turns read-only, locked folders, cut files."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def small_disk(folder: Path, megabytes: int = 2) -> Iterator[Path]:
    """A file system of this size in the folder; the test is skipped where it may not be mounted."""
    folder.mkdir()
    size = f"size={megabytes}m"
    command = ["mount", "-t", "tmpfs", "-o", size, "tmpfs", str(folder)]
    mounted = subprocess.run(command, capture_output=True, text=True, check=False)
    if mounted.returncode:
        pytest.skip(f"a file system cannot be mounted here: {mounted.stderr.strip()}")
    try:
        yield folder
    finally:
        # Spark may still hold a file open: it goes when that is closed.
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(disk: Path) -> Path:
    """A file that leaves no room on the disk."""
    file = disk / "filling"
    with file.open("wb", buffering=0) as stream:
        try:
            while stream.write(b"x" * 4096):
                pass
        except OSError:
            return file
    raise AssertionError("the disk took everything")


def make_read_only(disk: Path) -> None:
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Nobody can put a file into the folder, or take one out of it; not even root."""
    if os.getuid():
        folder.chmod(0o555)
    else:
        result = subprocess.run(["chattr", "+i", str(folder)], capture_output=True, check=False)
        if result.returncode:
            pytest.skip(f"a folder cannot be locked for root here: {result.stderr.decode()}")
    try:
        yield
    finally:
        if os.getuid():
            folder.chmod(0o755)
        else:
            subprocess.run(["chattr", "-i", str(folder)], check=True)


def cut(file: Path, length: int = 100) -> None:
    """Only its first bytes are left, and no checksum beside it that would tell."""
    file.write_bytes(file.read_bytes()[:length])
    file.with_name(f".{file.name}.crc").unlink(missing_ok=True)
