"""Ascend C sources: compiled with the host's compiler against the model's `kernel_operator.h`.

A source keeps its own host program: it reads `input/input_<name>.bin`, launches its kernel and
writes `output/output.bin`, as the samples of asc-devkit (examples/01_simd_cpp_api) do.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from gen.cache import cache_folder, content_key, write_atomically
from gen.chips import Chip
from gen.compile import tensor_files
from gen.compile.absent import absent_names, listed
from gen.compile.base import Array, CompileError, DeviceProgram, OutputSpec, host_fault, read_kernel
from gen.compile.launch import rewrite_launches
from gen.compile.ub_arrays import rewrite_ub_arrays
from gen.errors import Diagnostic
from gen.plan import Form, Plan, Tree
from gen.render import Rendering
from gen.sim import BuildError, Face, Profile, Program, Run, build_program, run_program
from gen.sim.toolchain import find_compiler

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">]', re.MULTILINE)
"""An include of a source; group 1 is the name."""


def compile(
    path: Path,
    chip: Chip,
    *,
    text: str | None = None,
    headers: Mapping[str, str] | None = None,
    own_host: bool = True,
    defines: Mapping[str, str] | None = None,
) -> DeviceProgram:
    """Compiles the source at `path` (or `text`, which is taken to stand there) for `chip`.

    `headers` are texts of files that the source includes and that need not exist beside it. `own_host`: its main()
    reads and writes files of its own choosing; otherwise it takes its tensors from the command line. `defines` are
    macros, as `-D` gives them. Raises CompileError where there is no compiler, a launch cannot be understood, the
    compiler does not accept the source (E402), or the model lacks what it calls (E405).
    """
    text = read_kernel(path) if text is None else text
    included = _included(text, path.parent, headers or {})
    compiler = _compiler(path)
    place = _store(path, text, included)
    # Sources with equal flags share a precompiled header: name a folder only where it is needed.
    folders = [] if all(map(_is_below, included)) else [path.parent]
    return DeviceProgram(
        tree=Tree.ASCENDC,
        chip=chip,
        front_end=compiler,
        emitted=None,
        emitted_path=path,
        program=_build(path, text, place, chip, folders, defines),
        runner=run if own_host else tensor_files.run,
        rebuild=lambda changed: _build(
            path, text, changed, chip, [*folders, place.parent], defines
        ),
    )


def compile_rendering(rendering: Rendering, plan: Plan, *, path: Path) -> DeviceProgram:
    """Compiles the Ascend C source of `rendering`; `path` is where diagnostics say that it is.

    Raises CompileError, and KeyError where the plan refused the tree.
    """
    if Form.ASCENDC in plan.refused:
        raise KeyError(f"{rendering.name} has no Ascend C source: {plan.refused[Form.ASCENDC]}")
    kernel, *others = rendering.of_tree(Tree.ASCENDC)
    headers = {Path(file.path).name: file.text for file in others if file.path.endswith(".h")}
    return compile(path, plan.trees[Form.ASCENDC].chip, text=kernel.text, headers=headers)


def run(
    program: Program,
    inputs: Mapping[str, Array],
    outputs: Mapping[str, OutputSpec],
    profile: Profile,
    timeout: float,
    *,
    trace: Path | None = None,
    kept: Path | None = None,
) -> tuple[dict[str, Array], Run]:
    """Runs the host program of a source once, in a folder of its own; it has one output."""
    ((name, (dtype, shape)),) = outputs.items()
    with tempfile.TemporaryDirectory(prefix="crosstree-") as folder:
        for part in ("input", "output"):
            Path(folder, part).mkdir()
        for key, array in inputs.items():
            np.ascontiguousarray(array).tofile(Path(folder, "input", f"input_{key.lower()}.bin"))
        done = run_program(
            program, cwd=Path(folder), profile=profile, timeout=timeout, trace=trace, outputs=kept
        )
        written = Path(folder, "output", "output.bin")
        if not written.is_file() or written.stat().st_size != dtype.itemsize * np.prod(shape):
            return {}, done
        return {name: np.fromfile(written, dtype=dtype).reshape(shape)}, done


def _is_below(name: str) -> bool:
    """Whether an included name stays below the folder of the source, so that a copy can lie there too."""
    return not Path(name).is_absolute() and ".." not in Path(name).parts


def _included(text: str, folder: Path, headers: Mapping[str, str]) -> dict[str, str]:
    """Texts of the files beside the source that `text` includes, directly or not."""
    found: dict[str, str] = {}
    waiting = INCLUDE.findall(text)
    while waiting:
        name = waiting.pop()
        file = folder / name
        if name in found or not (name in headers or file.is_file()):
            continue
        found[name] = headers[name] if name in headers else read_kernel(file)
        waiting += INCLUDE.findall(found[name])
    return found


def _store(path: Path, text: str, included: Mapping[str, str]) -> Path:
    """Writes the source with its launches rewritten, and what it includes; a folder per content."""
    texts = {path.name: text, **included}
    rewritten = {
        name: rewrite_launches(content, str(path.parent / name), declared_in=texts.values())
        for name, content in texts.items()
    }
    if any(_face(content) == "c_api" for content in texts.values()):
        rewritten = {name: rewrite_ub_arrays(content) for name, content in rewritten.items()}
    flat = (part for item in sorted(rewritten.items()) for part in item)
    folder = cache_folder("ascendc") / content_key(*flat)
    place = folder / f"{path.stem}.cpp"
    write_atomically(place, rewritten.pop(path.name).encode())
    for name, content in rewritten.items():
        if _is_below(name):
            write_atomically(folder / name, content.encode())
    return place


def _compiler(path: Path) -> str:
    """The host's compiler, by name and version."""
    try:
        return find_compiler().name
    except BuildError as error:
        message = f"the C++ compiler rejects the kernel: {error}"
        raise (
            host_fault(error, path) or CompileError([Diagnostic("E402", message, str(path))])
        ) from None


def _face(text: str) -> Face:
    """Which of the vendor's interfaces a source is written against."""
    names = INCLUDE.findall(text)
    plain = not any("kernel_operator" in name for name in names)
    return "c_api" if plain and any(name.startswith("c_api/") for name in names) else "ascendc"


def _build(
    path: Path,
    text: str,
    place: Path,
    chip: Chip,
    folders: list[Path],
    defines: Mapping[str, str] | None = None,
) -> Program:
    face = _face(place.read_text(encoding="utf-8"))
    try:
        return build_program([place], face=face, chip=chip.name, includes=folders, defines=defines)
    except BuildError as error:
        raise (
            host_fault(error, path) or CompileError(_rejected(path, text, place, str(error), chip))
        ) from None


def _rejected(path: Path, text: str, place: Path, log: str, chip: Chip) -> list[Diagnostic]:
    """The mistakes that the compiler found: E405 where it is about what the model lacks."""
    from gen.compile.cpp_mistakes import mistakes

    if found := mistakes(path, text, place, log, chip):
        return found
    emitted = place.read_text(encoding="utf-8") if place.is_file() else ""
    if absent := absent_names(log, emitted):
        return [Diagnostic("E405", f"the model lacks {listed(absent)}", str(path))]
    return [Diagnostic("E402", f"the C++ compiler rejects the kernel: {log}", str(path))]
