"""Where results are kept that are costly to make again. Losing any of it costs time, nothing else."""

from __future__ import annotations

import hashlib
import os
import tempfile
import threading
from contextlib import suppress
from pathlib import Path

from gen.errors import Diagnostic, GenError


def cache_folder(part: str) -> Path:
    """`part` below $CROSSTREE_CACHE, $XDG_CACHE_HOME/crosstree or ~/.cache/crosstree; may not exist yet."""
    own = os.environ.get("CROSSTREE_CACHE")
    if own:
        return Path(own) / part
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "crosstree" / part


def require_cache() -> None:
    """Makes sure that compiled kernels can be kept. Raises GenError where they cannot."""
    folder = cache_folder("")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(b"x")
    except OSError as error:
        message = f"the cache folder cannot be used: {error.strerror}"
        help = "set CROSSTREE_CACHE to a folder that can be written, or make room there"
        raise GenError([Diagnostic("E501", message, str(folder), help=help)]) from None


def content_key(*parts: str) -> str:
    """A name for what is made from `parts`."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode()
        digest.update(f"{len(data)}:".encode() + data)
    return digest.hexdigest()[:32]


def recall(part: str, key: str) -> bytes | None:
    """What `keep` stored, or None."""
    try:
        return (cache_folder(part) / key).read_bytes()
    except OSError:
        return None


def keep(part: str, key: str, content: bytes) -> None:
    """Stores `content` for `recall`; a folder that cannot be written is no error."""
    with suppress(OSError):
        write_atomically(cache_folder(part) / key, content)


def write_atomically(file: Path, content: bytes) -> None:
    """Writes `file` so that whoever reads it, also from another thread, finds it whole or not at all."""
    file.parent.mkdir(parents=True, exist_ok=True)
    temporary = file.with_name(f".{file.name}.{os.getpid()}.{threading.get_ident()}")
    try:
        temporary.write_bytes(content)
        temporary.replace(file)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise
