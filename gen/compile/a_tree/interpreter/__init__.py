"""The A tree without its compiler: kernels run as ordinary Python, and the model plays what they call.

Every operation of the language records the AscendC calls that the templates of tilelang-ascend would make, their own
flags included. Findings name lines of the kernel. What the compiler refuses, or silently gets wrong, is refused with
the reason and what to write instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gen.chips import ASCEND910B
from gen.compile.a_tree.interpreter.process import LIMIT
from gen.compile.a_tree.interpreter.recording import describe, record
from gen.compile.a_tree.lowering import Progress, Request
from gen.compile.base import CompileError, DeviceProgram, host_fault, read_kernel
from gen.compile.tensor_files import run
from gen.errors import Diagnostic
from gen.sim import BuildError
from gen.sim.tape_player import player

__all__ = ["DEBUGGING", "FRONT_END", "compile", "describe"]

DEBUGGING = "debugging"
"""Is told as progress when the kernel stops in a debugger: the terminal is the debugger's until the next step."""
FRONT_END = "interpreter"
"""What verdicts call it."""


def compile(
    path: Path,
    *,
    text: str | None = None,
    function: str | None = None,
    arguments: Mapping[str, Any] | None = None,
    extents: Mapping[str, int] | None = None,
    progress: Progress = lambda _: None,
    seconds: float = LIMIT,
    order: Sequence[str] = (),
) -> DeviceProgram:
    """Records the kernel file `path` (or `text`, which is taken to stand there); takes what gen.compile.a_tree takes.

    `seconds`: how long the recording may take. `order`: names of buffers; where the compiler leaves to chance which of
    two comes first in memory, it is as here.

    Raises CompileError: E402 for what is refused, E403 where the file makes no kernel, E404 when the recorder dies or
    takes too long, E405 for what only the compiler has.
    """
    if text is None:
        text = read_kernel(path)
    request = Request(str(path), text, function, arguments or {})

    def again(other: Sequence[str]) -> DeviceProgram:
        return compile(
            path,
            text=text,
            function=function,
            arguments=arguments,
            extents=extents,
            progress=progress,
            seconds=seconds,
            order=other,
        )

    progress("recording")
    recorded = record(request, extents or {}, lambda: progress(DEBUGGING), seconds, order)
    progress("building")
    try:
        program = player(recorded.tape, sources=(recorded.source,), chip="2201")
    except BuildError as error:
        raise (host_fault(error, path) or _unbuilt(error, path)) from None
    return DeviceProgram(
        tree="a_tree",
        chip=ASCEND910B,
        front_end=FRONT_END,
        emitted=None,
        emitted_path=path,
        program=program,
        runner=run,
        reordered=again if recorded.chance and not order else None,
    )


def _unbuilt(error: BuildError, path: Path) -> CompileError:
    message = f"the player of the interpreter's tapes cannot be built: {error.what}"
    *_, last = error.log.strip().splitlines() or [""]
    return CompileError([Diagnostic("E404", message, str(path), help=last)])
