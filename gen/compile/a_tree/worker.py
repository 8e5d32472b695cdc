"""The A tree's compiler as a process that stays: loading it costs seconds, lowering a kernel tenths of one."""

from __future__ import annotations

import os
import tempfile
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from gen.compile.a_tree.installed import Toolchain
from gen.compile.a_tree.process import STOP_SECONDS, complaint
from gen.compile.child import Correspondent, GoneError, SilentError
from gen.compile.passes import Change

SERVER = Path(__file__).parent / "guest" / "server.py"
START_TIMEOUT = 300.0
"""Seconds for the compiler to load; under emulation on a busy machine the first time takes minutes."""
LOWER_TIMEOUT = 120.0
GRACE = 15.0
"""Seconds that the process has, after the time of a request is over, to say so itself."""


class WorkerError(Exception):
    """The compiler could not be started, died, or did not answer. The kernel is not to blame."""


@dataclass(frozen=True)
class Tensor:
    """A tensor parameter of a kernel; an extent that is known only at run time is a name."""

    name: str
    dtype: str
    shape: tuple[int | str, ...]


@dataclass(frozen=True)
class LoweredKernel:
    """What the compiler made of one prim_func."""

    name: str
    source: str
    lines: tuple[int, ...]
    """For each line of `source` the line of the Python file, 0 for none; empty where the compiler does not tell."""
    inserted: tuple[int, ...]
    """Lines of `source` with synchronisation that the compiler's own passes inserted; known where `lines` are."""
    passes: tuple[Change, ...]
    """The passes that changed the IR, where the request asked for them."""
    tensors: tuple[Tensor, ...]
    buffers: tuple[Tensor, ...]
    """What the file allocates in UB."""
    outputs: tuple[str, ...]
    """Names of the tensors that the kernel returns, as its `tilelang.jit` says; empty where it does not."""
    workspaces: tuple[str, ...]
    """Names of the tensors that the host allocates for the kernel's own use."""

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """The kernel that `dataclasses.asdict` was applied to. Raises KeyError or TypeError for anything else."""
        return cls(
            name=stored["name"],
            source=stored["source"],
            lines=tuple(stored["lines"]),
            inserted=tuple(stored["inserted"]),
            passes=tuple((name, before, after) for name, before, after in stored["passes"]),
            tensors=_tensors(stored["tensors"]),
            buffers=_tensors(stored["buffers"]),
            outputs=tuple(stored["outputs"]),
            workspaces=tuple(stored["workspaces"]),
        )


@dataclass(frozen=True)
class Refusal:
    """Why the compiler did not lower the file. `line`, `column` 0: the whole file; `length` in characters."""

    kind: str
    """source (an error in the file), unsuitable (no kernel, or arguments are missing), crash, timeout."""
    message: str
    line: int = 0
    column: int = 0
    length: int = 1
    suggestion: str = ""
    """A name that the file may have meant."""
    log: str = ""
    """The end of what the compiler printed."""


@dataclass(frozen=True)
class Lowered:
    """All kernels of a file, or why there are none."""

    kernels: tuple[LoweredKernel, ...] = ()
    refusal: Refusal | None = None


class Worker:
    """One compiler process, started when it is first needed. Requests of several threads take turns."""

    def __init__(self, toolchain: Toolchain, *, start_timeout: float = START_TIMEOUT) -> None:
        self._toolchain = toolchain
        self._lock = threading.Lock()
        self._start_timeout = start_timeout
        self._process: Correspondent | None = None
        self._scratch = tempfile.TemporaryDirectory(prefix="crosstree-a-tree-")
        self._requests = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def running(self) -> bool:
        """Whether the compiler is loaded."""
        return self._process is not None

    def start(self) -> None:
        """Loads the compiler, unless it is. Raises WorkerError."""
        with self._lock:
            self._started()

    def close(self) -> None:
        """Ends the process."""
        if self._process is not None:
            self._process.end(STOP_SECONDS)
            self._process = None
        self._scratch.cleanup()

    def lower(
        self,
        source: str,
        *,
        name: str,
        factory: str | None = None,
        arguments: Mapping[str, Any] | None = None,
        with_lines: bool = False,
        with_passes: bool = False,
        timeout: float = LOWER_TIMEOUT,
    ) -> Lowered:
        """Lowers the text of a Python file called `name` (without folders).

        `factory` is a function under `tilelang.jit`, `arguments` its keyword arguments; without it the file's own
        kernels are lowered. `with_lines` takes a second lowering to learn where each emitted line
        comes from; `with_passes` keeps the IR around each pass that changed it. Raises WorkerError when the process is at fault, never for the file.
        """
        with self._lock:
            self._requests += 1
            request = {
                "id": self._requests,
                "source": source,
                "name": name,
                "factory": factory,
                "arguments": dict(arguments or {}),
                "with_lines": with_lines,
                "with_passes": with_passes,
                "timeout": timeout,
            }
            return _lowered(self._ask(request, timeout + GRACE))

    def _ask(self, request: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        process = self._started()
        answer = self._answer(process, seconds, request)
        if answer.get("id") != request["id"]:
            self._forget()
            raise WorkerError(
                "the A tree's compiler answered another request than the one it was sent"
            )
        return answer

    def _started(self) -> Correspondent:
        if self._process is not None:
            return self._process
        scratch = Path(self._scratch.name)
        command = [*self._toolchain.command(SERVER), str(self._toolchain.site)]
        try:
            self._process = Correspondent(
                command, scratch / "log", cwd=scratch, environment=self._environment()
            )
        except OSError as error:
            raise WorkerError(f"cannot start the A tree's compiler: {error}") from error
        ready = self._answer(self._process, self._start_timeout)
        if not ready.get("ready"):
            raise WorkerError(f"the A tree's compiler does not load: {complaint(ready['problem'])}")
        return self._process

    def _environment(self) -> dict[str, str]:
        scratch = self._scratch.name
        own = {"HOME": scratch, "TMPDIR": scratch, "TILELANG_CACHE_DIR": f"{scratch}/tilelang"}
        return {"PATH": os.defpath, "LANG": "C.UTF-8", **own}

    def _answer(
        self, process: Correspondent, seconds: float, request: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """What it says to `request`, or next."""
        try:
            if request is not None:
                process.send(request)
            return process.receive(seconds)
        except SilentError:
            self._forget()
            raise WorkerError(
                f"the A tree's compiler did not answer within {seconds:g} s"
            ) from None
        except GoneError as gone:
            said = complaint(process.printed())
            self._forget()
            raise WorkerError(f"the A tree's compiler ended by itself ({gone}): {said}") from None

    def _forget(self) -> None:
        """The next request starts a new process."""
        if self._process is not None:
            self._process.end()
        self._process = None


def _lowered(answer: Mapping[str, Any]) -> Lowered:
    error = answer.get("error")
    if error:
        return Lowered(refusal=Refusal(**error, log=answer.get("log", "")))
    return Lowered(tuple(_kernel(kernel) for kernel in answer["kernels"]))


def _kernel(answer: Mapping[str, Any]) -> LoweredKernel:
    names = [tensor["name"] for tensor in answer["tensors"]]
    return LoweredKernel.from_json(
        {
            **answer,
            "outputs": _names(names, answer["out_idx"]),
            "workspaces": _names(names, answer["workspace_idx"]),
        }
    )


def _tensors(stored: Iterable[Mapping[str, Any]]) -> tuple[Tensor, ...]:
    return tuple(Tensor(t["name"], t["dtype"], tuple(t["shape"])) for t in stored)


def _names(names: list[str], indices: int | list[int] | None) -> list[str]:
    """Tensors by index as `tilelang.jit` takes it: one or several, negative ones from the end."""
    if indices is None:
        return []
    return [names[i] for i in ([indices] if isinstance(indices, int) else indices)]
