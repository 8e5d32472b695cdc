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


def cache_root() -> Path:
    """``$CROSSTREE_CACHE``, else ``$XDG_CACHE_HOME/crosstree``, else ``~/.cache/crosstree``; created."""
    own = os.environ.get("CROSSTREE_CACHE")
    if own:
        root = Path(own)
    else:
        base = os.environ.get("XDG_CACHE_HOME")
        root = (Path(base) if base else Path.home() / ".cache") / "crosstree"
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


def write_atomically(path: Path, data: bytes) -> None:
    """Writes ``path`` so that it holds either the old content or all of the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fd, name = tempfile.mkstemp(dir=path.parent, prefix=path.name + ".")
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(data)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


@contextmanager
def scratch(parent: Path) -> Iterator[Path]:
    """A directory below ``parent`` that disappears again."""
    parent.mkdir(parents=True, exist_ok=True)
    path = Path(tempfile.mkdtemp(dir=parent, prefix="tmp."))
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
