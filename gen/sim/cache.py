"""Where built things are kept, and how two processes share the place.

Everything is written under a temporary name and renamed, so that a reader never sees half a file.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gen.cache import cache_folder, write_atomically

__all__ = ["cache_root", "digest", "locked", "scratch", "write_atomically"]


def cache_root() -> Path:
    """The cache folder of crosstree; created."""
    root = cache_folder("")
    root.mkdir(parents=True, exist_ok=True)
    return root


def digest(*parts: str | bytes) -> str:
    """A name of 24 hex digits for the given content. The boundaries of the parts count."""
    h = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        h.update(len(data).to_bytes(8, "little"))
        h.update(data)
    return h.hexdigest()[:24]


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Holds an exclusive lock on ``path`` (created when missing) across processes and threads."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fd = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        yield
    finally:
        os.close(fd)


@contextmanager
def scratch(parent: Path) -> Iterator[Path]:
    """A directory below ``parent`` that disappears again."""
    parent.mkdir(parents=True, exist_ok=True)
    path = Path(tempfile.mkdtemp(dir=parent, prefix="tmp."))
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
