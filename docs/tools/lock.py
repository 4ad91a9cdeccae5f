"""One ./tutorial at a time builds in a folder; many may run what is built there."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import sys
import tempfile
from pathlib import Path
from typing import IO

from console import Stop
from repository import ROOT, build_folder

# What the paths of the tree may hold beside letters and digits: quotes and such mean something to CMake, Ninja or the
# shells that they start.
HARMLESS = " _-+.,@=~/()"

held: dict[Path, IO[str]] = {}


def require_usable(folder: Path) -> None:
    """Stops before anything is built where CMake would fail later: with a path that it cannot quote, or without the
    right to write."""
    for path in (ROOT, folder):
        wrong = [each for each in str(path) if not (each.isalnum() or each in HARMLESS)]
        if wrong:
            raise Stop(
                f"the path {path} has the character {wrong[0]} in it, which CMake or a shell takes for something else: "
                + ("move the repository" if path == ROOT else "choose another --build-dir"),
                2,
            )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise Stop(
            f"{folder} cannot be written ({error.strerror}): --build-dir DIR, or TILESTEP_BUILD_DIR=DIR in the "
            "environment, builds elsewhere",
            3,
        ) from error


def require_writable(path: Path) -> None:
    """Stops before a long run whose records could not be kept."""
    try:
        if path.exists() and not path.is_file():
            raise OSError(errno.EINVAL, "is no regular file")
        folder = next(folder for folder in path.parents if folder.exists())
        with tempfile.TemporaryFile(dir=folder), path.open("a") if path.exists() else contextlib.nullcontext():
            pass
    except OSError as error:
        raise Stop(f"{path} cannot be written: {error.strerror}", 2) from error


def take(backend: str, alone: bool) -> None:
    """Keeps others out of a tree until this process ends or takes the lock anew. alone: to build there; otherwise to
    run what is built, as others may."""
    folder = build_folder()
    require_usable(folder)
    path = folder / f"lock-{backend}"
    file = held.setdefault(path, path.open("a+"))
    mode = fcntl.LOCK_EX if alone else fcntl.LOCK_SH
    try:
        fcntl.flock(file, mode | fcntl.LOCK_NB)
    except BlockingIOError:
        file.seek(0)
        print(f"waiting for {file.read(200).strip() or 'another ./tutorial'}", file=sys.stderr, flush=True)
        fcntl.flock(file, mode)
    except OSError as error:  # a file system without locks
        if error.errno not in (errno.ENOLCK, errno.EOPNOTSUPP):
            raise
    if alone:
        file.truncate(0)
        file.write(f"another ./tutorial, process {os.getpid()}, which uses {folder / backend}\n")
        file.flush()
