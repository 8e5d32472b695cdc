"""The M tree: TileLang kernels for Ascend 950, lowered by the real compiler (tilelang, PyPI) without an NPU."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gen.cache import cache_folder
from gen.chips import ASCEND950
from gen.compile.base import CompileError, DeviceProgram, host_fault, read_kernel
from gen.compile.build_log import not_compiled
from gen.compile.m_tree import installed
from gen.compile.m_tree.device_source import COMMON_HEADERS, UnknownFormError, program
from gen.compile.m_tree.lowering import CACHE, Lowered, Request, TensorType, lower, lowered_reply
from gen.compile.m_tree.session import Progress, Session
from gen.compile.tensor_files import run
from gen.errors import Diagnostic
from gen.plan import Plan
from gen.render import RenderedFile
from gen.sim import BuildError, Program, build_program
from gen.sim.cache import write_atomically
from gen.spec import ElementwiseSpec, GemmSpec

__all__ = [
    "Lowered",
    "Request",
    "Session",
    "TensorType",
    "build",
    "compile",
    "compile_rendering",
    "inputs_of",
    "lower",
    "lowered_reply",
]


def compile(
    path: Path,
    inputs: tuple[TensorType, ...],
    *,
    text: str | None = None,
    function: str | None = None,
    constants: Mapping[str, Any] | None = None,
    session: Session | None = None,
    progress: Progress = lambda _: None,
) -> DeviceProgram:
    """Compiles the kernel file `path` (or `text`, which is taken to stand there) for tensors of the types `inputs`.

    `function` names the @tilelang.jit function where the file has several; `constants` are values for its keyword
    parameters. Raises CompileError: E401 when the compiler is not installed, E402 to E404 when it does not yield
    device source, E405 when the device source has a form that the model does not take.
    """
    if text is None:
        text = read_kernel(path)
    request = Request(str(path), text, inputs, function, constants or {})
    lowered = lower(request, session=session, progress=progress)
    progress("building")
    return build(path, text, lowered, request.key)


def build(path: Path, text: str, lowered: Lowered, key: str) -> DeviceProgram:
    """The program of a lowered kernel; `key` names the folder in which its source is kept. Raises CompileError (E405)."""
    try:
        emitted = program(lowered)
    except UnknownFormError as form:
        raise CompileError([_unknown(path, str(form))]) from None
    place = _store(key, lowered, emitted)
    origins = dict(lowered.lines)
    return DeviceProgram(
        tree="m_tree",
        chip=ASCEND950,
        front_end=f"tilelang {installed.TILELANG}",
        emitted=lowered.source,
        emitted_path=place,
        program=_build(path, text, place, origins),
        runner=run,
        origins=origins,
        rebuild=lambda changed: _build(path, text, changed, origins),
    )


def compile_rendering(
    file: RenderedFile,
    plan: Plan,
    *,
    path: Path,
    session: Session | None = None,
    progress: Progress = lambda _: None,
) -> DeviceProgram:
    """Compiles a rendered kernel for the tensors of its spec. `path` is where diagnostics say that the file is."""
    return compile(path, inputs_of(plan), text=file.text, session=session, progress=progress)


def inputs_of(plan: Plan) -> tuple[TensorType, ...]:
    """The input tensors of a rendered kernel: elementwise kernels take them flattened."""
    spec = plan.spec
    if isinstance(spec, ElementwiseSpec):
        return tuple(TensorType(x.name, (spec.elements,), x.dtype.value) for x in spec.inputs)
    if isinstance(spec, GemmSpec):
        b = (spec.n, spec.k) if spec.transpose_b else (spec.k, spec.n)
        return (TensorType("A", (spec.m, spec.k), spec.a.value), TensorType("B", b, spec.b.value))
    x = TensorType("x", (spec.rows, spec.cols), spec.dtype.value)
    weight = TensorType("weight", (spec.cols,), spec.dtype.value)
    return (x, weight) if spec.weight else (x,)


def _store(key: str, lowered: Lowered, emitted: str) -> Path:
    """Writes the program where line numbers can point to: one file for each content."""
    place = cache_folder(CACHE) / key / f"{lowered.function}.cpp"
    if not place.is_file() or place.read_bytes() != emitted.encode():
        write_atomically(place, emitted.encode())
    return place


def _build(path: Path, text: str, place: Path, origins: Mapping[int, int]) -> Program:
    try:
        return build_program(
            [place],
            face="c_api",
            chip=ASCEND950.name,
            includes=[installed.headers()],
            common=COMMON_HEADERS,
        )
    except BuildError as error:
        raise (
            host_fault(error, path)
            or CompileError([not_compiled(path, text, place, origins, error.log, "tilelang")])
        ) from None


def _unknown(path: Path, what: str) -> Diagnostic:
    message = f"the model does not take what tilelang emits for this kernel: {what}"
    return Diagnostic("E405", message, str(path))
