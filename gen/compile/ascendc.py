"""Ascend C sources: compiled with the host's compiler against the model's `kernel_operator.h`.

A source keeps its own host program: it reads `input/input_<name>.bin`, launches its kernel and
writes `output/output.bin`, as the samples of asc-devkit (examples/01_simd_cpp_api) do.
"""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from gen.chips import Chip
from gen.compile.base import Array, CompileError, DeviceProgram, OutputSpec
from gen.compile.launch import rewrite_launches
from gen.errors import Diagnostic
from gen.plan import Plan, Tree
from gen.render import Rendering
from gen.sim import BuildError, Profile, Program, Run, build_program, run_program

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)


def compile(
    path: Path, chip: Chip, *, text: str | None = None, headers: Mapping[str, str] | None = None
) -> DeviceProgram:
    """Compiles the source at `path` (or `text`, which is taken to stand there) for `chip`.

    `headers` are texts of files that the source includes and that need not exist beside it. Raises
    CompileError where a launch cannot be understood or the compiler does not accept the source.
    """
    text = _read(path) if text is None else text
    included = _included(text, path.parent, headers or {})
    place = _store(path, text, included)
    return DeviceProgram(
        tree=Tree.ASCENDC,
        chip=chip,
        front_end=f"host C++ compiler, {chip.arch}",
        emitted=None,
        emitted_path=path,
        program=_build(path, place, chip),
        runner=run,
    )


def compile_rendering(rendering: Rendering, plan: Plan, *, path: Path) -> DeviceProgram:
    """Compiles the Ascend C source of `rendering`; `path` is where diagnostics say that it is.

    Raises CompileError, and KeyError where the plan refused the tree.
    """
    if Tree.ASCENDC in plan.refused:
        raise KeyError(f"{rendering.name} has no Ascend C source: {plan.refused[Tree.ASCENDC]}")
    kernel, *others = rendering.of_tree(Tree.ASCENDC)
    headers = {Path(file.path).name: file.text for file in others if file.path.endswith(".h")}
    return compile(path, plan.trees[Tree.ASCENDC].chip, text=kernel.text, headers=headers)


def run(
    program: Program,
    inputs: Mapping[str, Array],
    outputs: Mapping[str, OutputSpec],
    profile: Profile,
    timeout: float,
) -> tuple[dict[str, Array], Run]:
    """Runs the host program of a source once, in a folder of its own; it has one output."""
    ((name, (dtype, shape)),) = outputs.items()
    with tempfile.TemporaryDirectory(prefix="crosstree-") as folder:
        for part in ("input", "output"):
            Path(folder, part).mkdir()
        for key, array in inputs.items():
            np.ascontiguousarray(array).tofile(Path(folder, "input", f"input_{key.lower()}.bin"))
        done = run_program(program, cwd=Path(folder), profile=profile, timeout=timeout)
        written = Path(folder, "output", "output.bin")
        if not written.is_file() or written.stat().st_size != dtype.itemsize * np.prod(shape):
            return {}, done
        return {name: np.fromfile(written, dtype=dtype).reshape(shape)}, done


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        message = f"cannot read the kernel: {reason}"
        raise CompileError([Diagnostic("E101", message, str(path))]) from None


def _included(text: str, folder: Path, headers: Mapping[str, str]) -> dict[str, str]:
    """Texts of the files that `text` includes by quoted names, directly or not, where they exist."""
    found: dict[str, str] = {}
    waiting = _INCLUDE.findall(text)
    while waiting:
        name = waiting.pop()
        file = folder / name
        if name in found or not (name in headers or file.is_file()):
            continue
        found[name] = headers[name] if name in headers else _read(file)
        waiting += _INCLUDE.findall(found[name])
    return found


def _store(path: Path, text: str, included: Mapping[str, str]) -> Path:
    """Writes the source with its launches rewritten, and what it includes; a folder per content."""
    rewritten = {
        f"{path.stem}.cpp": rewrite_launches(text, str(path), declared_in=included.values())
    }
    for name, header in included.items():
        others = [text, *included.values()]
        rewritten[name] = rewrite_launches(header, str(path.parent / name), declared_in=others)
    key = hashlib.sha256(repr(sorted(rewritten.items())).encode()).hexdigest()[:32]
    folder = _cache_folder() / key
    for name, content in rewritten.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        temporary = file.with_name(f".{file.name}.{os.getpid()}")
        temporary.write_text(content, encoding="utf-8")
        temporary.replace(file)
    return folder / f"{path.stem}.cpp"


def _cache_folder() -> Path:
    """`ascendc/` in $CROSSTREE_CACHE, $XDG_CACHE_HOME/crosstree or ~/.cache/crosstree."""
    own = os.environ.get("CROSSTREE_CACHE")
    if own:
        return Path(own) / "ascendc"
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "crosstree" / "ascendc"


def _build(path: Path, place: Path, chip: Chip) -> Program:
    try:
        return build_program([place], face="ascendc", chip=chip.name, includes=[path.parent])
    except BuildError as error:
        raise CompileError([_rejected(path, place, str(error))]) from None


def _rejected(path: Path, place: Path, log: str) -> Diagnostic:
    """The first error of the compiler, at its line of the source."""
    first = re.search(rf"{re.escape(str(place))}:(\d+):(\d+): (?:fatal )?error: ([^\n]*)", log)
    if first is None:
        return Diagnostic("E402", f"the C++ compiler rejects the kernel: {log}", str(path))
    line, column = int(first[1]), int(first[2])
    source = place.read_text(encoding="utf-8").split("\n")[line - 1]
    return Diagnostic("E402", first[3], str(path), line, column, 1, source)
