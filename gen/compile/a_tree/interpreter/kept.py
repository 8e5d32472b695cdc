"""The recordings that are kept: those used last. Any number of processes may record, use and prune at once."""

from __future__ import annotations

import fcntl
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from gen.sim.cache import cache_root, locked

MOST = 200
"""Recordings, counting what was only asked for its tensors."""
MOST_BYTES = 200 << 20
IN_USE_SECONDS = 600.0
"""A recording that was asked for so lately may still be played: it stays in any case."""
ANSWER = "answer.json"
"""Is touched at every use."""
_GONE = ".gone-"


def root() -> Path:
    """The folder of all recordings."""
    return cache_root() / "a_tree" / "recorded"


@contextmanager
def reserved(folder: Path) -> Iterator[None]:
    """The folder of a recording, made, and nobody else's for now."""
    with locked(_lock(folder)):
        folder.mkdir(parents=True, exist_ok=True)
        yield


def used(folder: Path) -> None:
    """It is needed again: it stays for a while."""
    with suppress(OSError):
        os.utime(folder / ANSWER)


def prune(most: int = MOST, most_bytes: int = MOST_BYTES) -> None:
    """Removes what was not used for the longest time, down to so many recordings and bytes."""
    total = 0
    for i, one in enumerate(sorted(_all(), key=lambda r: r.last_use, reverse=True)):
        total += one.bytes
        if i >= most or total > most_bytes:
            _remove(one.folder)


@dataclass(frozen=True)
class _Recording:
    folder: Path
    last_use: float
    bytes: int


def _all() -> Iterator[_Recording]:
    for folder in root().iterdir():
        if folder.name.startswith(_GONE):
            shutil.rmtree(folder, ignore_errors=True)
            continue
        with suppress(OSError):
            size = sum(file.stat().st_size for file in folder.iterdir())
            yield _Recording(folder, _last_use(folder), size)


def _last_use(folder: Path) -> float:
    answer = folder / ANSWER
    return (answer if answer.exists() else folder).stat().st_mtime


def _is_old(folder: Path) -> bool:
    return time.time() - _last_use(folder) > IN_USE_SECONDS


def _remove(folder: Path) -> None:
    """Takes it away at once, unless somebody records there or has just asked for it."""
    with suppress(OSError), _lock(folder).open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if not _is_old(folder):
            return
        gone = folder.with_name(f"{_GONE}{os.getpid()}-{folder.name}")
        folder.rename(gone)
        if _is_old(gone):
            shutil.rmtree(gone, ignore_errors=True)
        else:
            gone.rename(folder)


def _lock(folder: Path) -> Path:
    """Few files, which stay: a lock that is removed is no lock."""
    return cache_root() / "a_tree" / "locks" / folder.name[:3]
