"""Rendering → files on disk."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from gen.errors import Diagnostic, GenError
from gen.render.rendering import Rendering, files_of

State = Literal["new", "changed", "unchanged", "stale"]


@dataclass(frozen=True)
class FileState:
    """One file below `out_dir`. `stale`: left by an earlier rendering, its form is refused or not asked for now."""

    path: Path
    state: State


def compare(rendering: Rendering, out_dir: Path) -> tuple[FileState, ...]:
    """What `write` would do to each file, found by comparing bytes; touches nothing."""
    folder = out_dir / rendering.name
    states = [
        FileState(folder / file.path, _state(folder / file.path, file.text.encode()))
        for file in rendering.files
    ]
    for tree in (*rendering.refused, *rendering.unasked):
        paths = (folder / path for _, path in files_of(tree, rendering.name, ""))
        states += (FileState(path, "stale") for path in paths if path.is_file())
    return tuple(states)


def write(rendering: Rendering, out_dir: Path) -> tuple[FileState, ...]:
    """Writes `out_dir/<name>/…` and removes stale files; unchanged files are not touched.

    Everything is first written beside its place and then renamed: a failure while writing leaves
    the old files as they were. Raises GenError where the file system refuses.
    """
    states = compare(rendering, out_dir)
    folder = out_dir / rendering.name
    text_of = {folder / file.path: file.text for file in rendering.files}
    staged: dict[Path, Path] = {}
    try:
        for path in (s.path for s in states if s.state in ("new", "changed")):
            path.parent.mkdir(parents=True, exist_ok=True)
            staged[path] = path.with_name(f".{path.name}.{os.getpid()}.tmp")
            staged[path].write_bytes(text_of[path].encode())
        for path, temporary in staged.items():
            temporary.replace(path)
        for path in (s.path for s in states if s.state == "stale"):
            path.unlink()
    except OSError as error:
        raise _refused(error, folder) from error
    finally:
        for temporary in staged.values():
            temporary.unlink(missing_ok=True)
    return states


def _state(path: Path, content: bytes) -> State:
    try:
        return "unchanged" if path.read_bytes() == content else "changed"
    except OSError:
        return "new"


def _refused(error: OSError, folder: Path) -> GenError:
    diagnostic = Diagnostic(
        code="E302",
        message=error.strerror or str(error),
        path=str(error.filename or folder),
        help="choose another folder for the output, or make this one writable",
    )
    return GenError([diagnostic])
