"""Kernel file → emitted Ascend C, by tilelang-ascend itself or from what it emitted before."""

from __future__ import annotations

import atexit
import hashlib
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from gen.compile.a_tree.installed import Toolchain
from gen.compile.a_tree.mistakes import rejected
from gen.compile.a_tree.recipe import RECIPE, TILELANG_ASCEND
from gen.compile.a_tree.toolchain import status
from gen.compile.a_tree.worker import SERVER, LoweredKernel, Worker, WorkerError
from gen.compile.base import CompileError
from gen.errors import Diagnostic, listing
from gen.sim.cache import cache_root, write_atomically

Progress = Callable[[str], None]
"""Is told what happens: `starting` (the compiler loads), `lowering`, `building`."""

NAME_OF_TEXT = "kernel.py"


@dataclass(frozen=True)
class Request:
    """A kernel file, and which of its kernels is wanted."""

    path: str
    """Where the file is said to be; only its name reaches the compiler."""
    text: str
    function: str | None = None
    """The function under `tilelang.jit`; None where the file itself makes its kernel."""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    with_lines: bool = False
    """Whether to learn which Python line each emitted line comes from; that takes twice as long."""
    with_passes: bool = False
    """Whether to tell the IR around each pass that changes it."""

    @property
    def key(self) -> str:
        """Hash of everything that the compiler's answer depends on."""
        arguments = sorted(self.arguments.items())
        extras = (self.with_lines, self.with_passes)
        parts = (self.text, self.function, arguments, self.name, extras, _guest())
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]

    @property
    def name(self) -> str:
        """Name of the file for the compiler: its messages quote it."""
        return Path(self.path).name or NAME_OF_TEXT


def installed() -> Toolchain:
    """The compiler. Raises CompileError (E401), with what to do, where there is none."""
    found = status()
    if found.toolchain is None:
        raise CompileError([Diagnostic("E401", found.reason, help=found.help)])
    return found.toolchain


def lower(
    request: Request, *, worker: Worker | None = None, progress: Progress = lambda _: None
) -> LoweredKernel:
    """The kernel that `request` asks for; starts no process when the same was asked before.

    Raises CompileError: E401 without the compiler, E402 and E403 for mistakes in the file, E404 when it crashes.
    """
    toolchain = installed()
    file = lowered_folder() / f"{request.key}.json"
    kernels = _read(file)
    if kernels is None:
        kernels = _ask(request, worker or shared(toolchain), progress)
        _write(file, kernels)
    return _chosen(request, kernels)


def lowered_folder() -> Path:
    """Where lowered kernels are kept."""
    return cache_root() / "a_tree" / "lowered"


@cache
def shared(toolchain: Toolchain) -> Worker:
    """The worker that is used where a caller brings none; it ends with the interpreter."""
    worker = Worker(toolchain)
    atexit.register(worker.close)
    return worker


def _ask(request: Request, worker: Worker, progress: Progress) -> tuple[LoweredKernel, ...]:
    try:
        if not worker.running:
            progress("starting")
            worker.start()
        progress("lowering")
        answer = worker.lower(
            request.text,
            name=request.name,
            factory=request.function,
            arguments=request.arguments,
            with_lines=request.with_lines,
            with_passes=request.with_passes,
        )
    except WorkerError as error:
        help = "run it again; `gen toolchain install a-tree` repairs a damaged compiler"
        raise CompileError([Diagnostic("E404", str(error), request.path, help=help)]) from None
    if answer.refusal is not None:
        raise CompileError([rejected(request.path, request.text, answer.refusal)])
    return answer.kernels


def _chosen(request: Request, kernels: tuple[LoweredKernel, ...]) -> LoweredKernel:
    if len(kernels) == 1:
        return kernels[0]
    names = listing(sorted({kernel.name for kernel in kernels}))
    message = f"the file makes {len(kernels)} kernels, of {names}"
    help = "say which function, and with which arguments"
    raise CompileError([Diagnostic("E403", message, request.path, help=help)])


@cache
def _guest() -> str:
    """Hash of the scripts that run inside the compiler's Python, and of the recipe that it was made by."""
    digest = hashlib.sha256(f"{TILELANG_ASCEND} {RECIPE}".encode())
    for script in (*sorted(SERVER.parent.glob("*.py")), SERVER.parents[2] / "passes.py"):
        digest.update(script.read_bytes())
    return digest.hexdigest()


def _read(file: Path) -> tuple[LoweredKernel, ...] | None:
    try:
        stored = json.loads(file.read_text("utf-8"))
        return tuple(LoweredKernel.from_json(kernel) for kernel in stored)
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _write(file: Path, kernels: tuple[LoweredKernel, ...]) -> None:
    """A cache that cannot be written costs time, nothing else."""
    with suppress(OSError):
        write_atomically(file, json.dumps([asdict(kernel) for kernel in kernels]).encode())
