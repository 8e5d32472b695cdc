"""The two front ends of the A tree: its own compiler, and the interpreter. They must agree."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any

from gen.compile import a_tree
from gen.compile.a_tree import interpreter
from gen.compile.a_tree.interpreter.process import LIMIT
from gen.compile.a_tree.lowering import Progress, Request
from gen.compile.a_tree.toolchain import status
from gen.compile.a_tree.worker import LoweredKernel
from gen.compile.base import DeviceProgram

__all__ = ["FrontEnd", "compile", "describe", "partner"]


class FrontEnd(StrEnum):
    """Which one takes a kernel."""

    DEFAULT = "default"
    """The compiler where it is installed, else the interpreter."""
    COMPILER = "compiler"
    INTERPRETER = "interpreter"
    BOTH = "both"
    """The compiler, and then what the interpreter makes of the same kernel is held against it."""


def describe(
    request: Request,
    front_end: str = FrontEnd.DEFAULT,
    progress: Progress = lambda _: None,
    timeout: float = LIMIT,
) -> LoweredKernel:
    """The kernel that `request` asks for, with its tensors. Raises CompileError.

    `timeout`: seconds that the interpreter may run the file. (The compiler has a limit of its own.)
    """
    if _interprets(front_end):
        return interpreter.describe(request, timeout)
    return a_tree.lower(request, progress=progress)


def compile(
    path: Path,
    *,
    text: str | None = None,
    function: str | None = None,
    arguments: Mapping[str, Any] | None = None,
    extents: Mapping[str, int] | None = None,
    front_end: str = FrontEnd.DEFAULT,
    progress: Progress = lambda _: None,
    timeout: float = LIMIT,
) -> DeviceProgram:
    """Takes the kernel file `path` (or `text`, which is taken to stand there). Raises CompileError.

    `timeout`: as `describe` has it.
    """
    chosen = (
        partial(interpreter.compile, seconds=timeout) if _interprets(front_end) else a_tree.compile
    )
    return chosen(
        path,
        text=text,
        function=function,
        arguments=arguments,
        extents=extents,
        progress=progress,
    )


def partner(front_end: str) -> FrontEnd | None:
    """The one that the result is held against; None where nobody asked for that."""
    return FrontEnd.INTERPRETER if front_end == FrontEnd.BOTH else None


def _interprets(front_end: str) -> bool:
    if front_end == FrontEnd.DEFAULT:
        return status().toolchain is None
    return front_end == FrontEnd.INTERPRETER
