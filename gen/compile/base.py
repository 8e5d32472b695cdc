"""What every front end yields: a kernel that runs on the model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypeAlias

import numpy as np

from gen.chips import Chip
from gen.errors import Diagnostic, GenError
from gen.sim import BuildError, NoCompilerError, Profile, Program, Run, StoppedError

Array: TypeAlias = "np.ndarray[tuple[int, ...], np.dtype[np.generic]]"
OutputSpec: TypeAlias = tuple[np.dtype[np.generic], tuple[int, ...]]


MAX_KERNEL_BYTES = 4 << 20
"""Longer files are no kernels: nobody wrote them, and searching them takes minutes."""


class CompileError(GenError):
    """The front end of a tree, or the host compiler behind it, does not accept a kernel."""


def read_kernel(path: Path) -> str:
    """The text of a kernel file. Raises CompileError (E101)."""
    try:
        size = path.stat().st_size
        if size > MAX_KERNEL_BYTES:
            message = f"a kernel of {size:,} bytes is not read: {MAX_KERNEL_BYTES:,} are the most"
            raise CompileError([Diagnostic("E101", message, str(path))])
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        message = f"cannot read the kernel: {reason}"
        raise CompileError([Diagnostic("E101", message, str(path))]) from None


def host_fault(error: BuildError, path: Path) -> CompileError | None:
    """What to say where the machine is at fault and not the kernel at `path`; None otherwise."""
    if isinstance(error, NoCompilerError):
        *tried, remedy = error.log.splitlines() or [""]
        message = f"{error.what} ({'; '.join(tried)})" if tried else error.what
        return CompileError([Diagnostic("E401", message, str(path), help=remedy)])
    if isinstance(error, StoppedError):
        last = next((line for line in reversed(error.log.splitlines()) if line.strip()), "")
        message = f"{error.what}: {last.strip()}" if last else error.what
        help = "make room on the disk or in memory, and run it again"
        return CompileError([Diagnostic("E502", message, str(path), help=help)])
    return None


class Runner(Protocol):
    """How the arrays of a kernel go in and come out: the launch protocol of its tree."""

    def __call__(
        self,
        program: Program,
        inputs: Mapping[str, Array],
        outputs: Mapping[str, OutputSpec],
        profile: Profile,
        timeout: float,
        *,
        trace: Path | None = None,
        kept: Path | None = None,
    ) -> tuple[dict[str, Array], Run]: ...


@dataclass(frozen=True)
class DeviceProgram:
    """A compiled kernel.

    `front_end` names what accepted the source, with its version, e.g. "tilelang 0.1.15".
    `emitted` is the device source that a TileLang compiler produced, None for Ascend C, where the
    source itself is the device source; `emitted_path` is where line numbers of findings point to.
    `origins` maps a line of the emitted source to the line of the kernel that it comes from;
    synchronisation that a compiler inserted comes from none.
    """

    tree: str
    chip: Chip
    front_end: str
    emitted: str | None
    emitted_path: Path
    program: Program
    runner: Runner
    origins: Mapping[int, int] = field(default_factory=dict)
    rebuild: Callable[[Path], Program] | None = None
    """Builds a changed device source (`program.sources[0]`) as this one was built."""
    reordered: Callable[[Sequence[str]], DeviceProgram] | None = None
    """Makes the program of a kernel, where a compiler leaves to chance which of two buffers comes first in memory, for
    these names of buffers in the order of their addresses. Raises CompileError."""

    def run(
        self,
        inputs: Mapping[str, Array],
        outputs: Mapping[str, OutputSpec],
        profile: Profile,
        timeout: float,
        *,
        trace: Path | None = None,
        kept: Path | None = None,
    ) -> tuple[dict[str, Array], Run]:
        """Runs the kernel once; `outputs` maps each output to its (dtype, shape).

        `trace` and `kept` are the file and the folder that `gen.sim.run_program` fills as `trace` and `outputs`.

        Returns the outputs by name and the report of the model. An output that the kernel did not
        leave behind (it crashed, or ran out of `timeout` seconds) is missing from the result.
        """
        return self.runner(self.program, inputs, outputs, profile, timeout, trace=trace, kept=kept)
