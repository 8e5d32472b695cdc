"""The A tree: kernels of tilelang-ascend for Ascend 910B, lowered by its own compiler without an NPU."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gen.cache import write_atomically
from gen.chips import ASCEND910B
from gen.compile.a_tree.device_source import COMMON_HEADERS, UnknownFormError, program
from gen.compile.a_tree.lowering import (
    Progress,
    Request,
    installed,
    lower,
    lowered_folder,
    shared,
)
from gen.compile.a_tree.origins import Origins
from gen.compile.a_tree.recipe import TILELANG_ASCEND
from gen.compile.a_tree.worker import LoweredKernel, Tensor, Worker
from gen.compile.base import CompileError, DeviceProgram, host_fault, read_kernel
from gen.compile.build_log import not_compiled
from gen.compile.tensor_files import run
from gen.errors import Diagnostic
from gen.plan import Plan
from gen.render import RenderedFile
from gen.sim import BuildError, Program, build_program

GUARDED = Path(__file__).parent / "include"
"""Stands in front of the compiler's own headers: those of them with a guard that lack one."""

__all__ = [
    "LoweredKernel",
    "Request",
    "Tensor",
    "Worker",
    "compile",
    "compile_rendering",
    "installed",
    "lower",
    "shared",
]


def compile(
    path: Path,
    *,
    text: str | None = None,
    function: str | None = None,
    arguments: Mapping[str, Any] | None = None,
    extents: Mapping[str, int] | None = None,
    worker: Worker | None = None,
    progress: Progress = lambda _: None,
) -> DeviceProgram:
    """Compiles the kernel file `path` (or `text`, which is taken to stand there).

    `function` and `arguments` name the function under `tilelang.jit` and what to call it with, where the file does not
    call it itself; `extents` are values of run-time extents. Raises CompileError: E401 when the compiler is not
    installed, E402 to E404 when it does not lower the file, E405 when the model does not take what it emits.
    """
    if text is None:
        text = read_kernel(path)
    request = Request(str(path), text, function, arguments or {})
    kernel = lower(request, worker=worker, progress=progress)
    progress("building")
    place = lowered_folder() / request.key / f"{kernel.name}.cpp"
    origins = Origins(request, kernel, worker)
    try:
        _store(place, program(kernel, str(place), extents or {}))
    except UnknownFormError as form:
        line = _first_line(form.name, kernel, origins, text)
        raise CompileError([_unknown(path, text, form, line)]) from None

    def build(source: Path) -> Program:
        return _build(path, text, source, origins)

    return DeviceProgram(
        tree="a_tree",
        chip=ASCEND910B,
        front_end=f"tilelang-ascend {TILELANG_ASCEND}",
        emitted=kernel.source,
        emitted_path=place,
        program=build(place),
        runner=run,
        origins=origins,
        rebuild=build,
    )


def compile_rendering(
    file: RenderedFile,
    plan: Plan,
    *,
    path: Path,
    worker: Worker | None = None,
    progress: Progress = lambda _: None,
) -> DeviceProgram:
    """Compiles the rendered kernel of `plan`. `path` is where diagnostics say that the file is."""
    function = plan.spec.name
    return compile(path, text=file.text, function=function, worker=worker, progress=progress)


def _store(place: Path, emitted: str) -> None:
    """Writes the program where line numbers can point to: one file for each content."""
    if not place.is_file() or place.read_bytes() != emitted.encode():
        write_atomically(place, emitted.encode())


def _build(path: Path, text: str, place: Path, origins: Mapping[int, int]) -> Program:
    try:
        return build_program(
            [place],
            face="ascendc",
            chip=ASCEND910B.name,
            includes=[GUARDED, *installed().includes],
            common=COMMON_HEADERS,
        )
    except BuildError as error:
        found = not_compiled(path, text, place, origins, error.log, "tilelang-ascend")
        raise (host_fault(error, path) or CompileError([found])) from None


def _first_line(name: str, kernel: LoweredKernel, origins: Mapping[int, int], text: str) -> int:
    """The line of the file for whose copy the compiler added the tensor `name`; 0 where that cannot be told.

    The compiler does not always know it. Then it is the only copy of the buffers that the tensor is copied from and to.
    """
    emitted = [n for n, line in enumerate(kernel.source.splitlines(), 1) if _word(name, line)]
    known = [origins[n] for n in emitted if n in origins]
    if known or not name:
        return min(known, default=0)
    lines = kernel.source.splitlines()
    copies = [lines[n - 1] for n in emitted if "copy_" in lines[n - 1]]
    buffers = {word for line in copies for word in re.findall(r"(\w+)\[", line)} - {name}
    found = [
        n
        for n, line in enumerate(text.splitlines(), 1)
        if "copy(" in line and all(_word(buffer, line) for buffer in buffers)
    ]
    return found[0] if len(found) == 1 else 0


def _word(word: str, line: str) -> bool:
    return bool(word) and re.search(rf"\b{re.escape(word)}\b", line) is not None


def _unknown(path: Path, text: str, form: UnknownFormError, line: int) -> Diagnostic:
    message = f"the model does not take what tilelang-ascend emits for this kernel: {form}"
    lines = text.splitlines()
    source = lines[line - 1] if 0 < line <= len(lines) else ""
    column = len(source) - len(source.lstrip()) + 1
    return Diagnostic(
        "E405",
        message,
        str(path),
        line=line if source else 0,
        column=column if source else 0,
        length=max(len(source.strip()), 1),
        source_line=source,
        help=form.help,
    )
