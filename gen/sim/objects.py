"""Compiles with a memory: a source is compiled again only when something that it reads has changed."""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gen.sim.cache import digest, locked, scratch, write_atomically
from gen.sim.toolchain import BuildError, Compiler, StoppedError


@dataclass(frozen=True, slots=True)
class Built:
    """A product of the compiler and the content key of all that went into it."""

    path: Path
    key: str


def compile_cached(
    compiler: Compiler,
    source: Path,
    flags: Sequence[str],
    store: Path,
    suffix: str,
    *,
    extra: str = "",
) -> Built:
    """Compiles ``source`` with ``flags``; the result ends in ``suffix``.

    ``extra`` names inputs that the compiler does not list (a precompiled header). Raises
    :class:`BuildError` with the compiler's messages.
    """
    name = digest(compiler.key, str(source.resolve()), suffix, extra, *flags)
    record = store / f"{source.stem}-{name}.json"
    known = _lookup(record)
    if known is not None:
        return known
    with locked(store / f"{source.stem}-{name}.lock"):
        known = _lookup(record)
        return known if known is not None else _compile(compiler, source, flags, record, suffix)


def _lookup(record: Path) -> Built | None:
    try:
        entry = json.loads(record.read_bytes())
        product = record.parent / entry["product"]
        fresh = product.exists() and all(
            _unchanged(p, *known) for p, known in entry["inputs"].items()
        )
        return Built(product, entry["key"]) if fresh else None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None  # no record, or one that cannot be used: compile


def _unchanged(path: str, size: int, mtime: int, content: str) -> bool:
    stat = Path(path).stat()
    if stat.st_size != size:
        return False
    return stat.st_mtime_ns == mtime or _content(Path(path)) == content


def _content(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _compile(
    compiler: Compiler, source: Path, flags: Sequence[str], record: Path, suffix: str
) -> Built:
    with scratch(record.parent) as place:
        out, dependencies = place / f"out{suffix}", place / "out.d"
        listing = ["-MD", "-MF", str(dependencies)]
        run([*compiler.command, *flags, *listing, str(source), "-o", str(out)], source.name)
        inputs: dict[str, tuple[int, int, str]] = {}
        for path in _dependencies(dependencies.read_text(encoding="utf-8")):
            stat = Path(path).stat()
            inputs[path] = (stat.st_size, stat.st_mtime_ns, _content(Path(path)))
        key = digest(record.stem, *(f"{p} {c}" for p, (_, _, c) in sorted(inputs.items())))
        product = record.parent / f"{source.stem}-{key}{suffix}"
        out.replace(product)
    entry = {"product": product.name, "key": key, "inputs": inputs}
    write_atomically(record, json.dumps(entry).encode())
    return Built(product, key)


def _dependencies(text: str) -> list[str]:
    """The inputs of a rule in Make's syntax: names may hold escaped blanks."""
    joined = text.replace("\\\n", " ").replace("\\ ", "\0")
    words = joined.split(": ", 1)[-1].split()
    return [w.replace("\0", " ") for w in words if not w.endswith((".gch", ".pch"))]


_STOPPED = (
    "Killed signal terminated",
    "No space left on device",
    "annot allocate memory",
    "virtual memory exhausted",
)


def run(command: Sequence[str], what: str) -> None:
    """Runs a compiler; :class:`BuildError` with its output when it fails."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", check=False
        )
    except OSError as error:
        raise BuildError(f"cannot run {command[0]}", str(error)) from error
    if done.returncode == 0:
        return
    said = done.stderr or done.stdout
    if done.returncode < 0 or any(sign in said for sign in _STOPPED):
        raise StoppedError(f"the C++ compiler was stopped while it compiled {what}", said)
    raise BuildError(f"{what} does not compile", said)
