"""Flags and barriers."""

from __future__ import annotations

from typing import Any

from .operation import operation
from .refusal import RefusalError
from .scalar import Reading, number
from .session import session

PIPES = ("S", "V", "M", "MTE1", "MTE2", "MTE3", "FIX")


def _pipe(name: Any, what: str) -> str:
    pipe = str(name).upper()
    if pipe not in PIPES:
        raise RefusalError(
            f"{what}: there is no pipe {name!r}, and the C++ does not compile",
            "the pipes are s, v, m, mte1, mte2, mte3 and fix",
        )
    return pipe


def _id(value: Any) -> Any:
    value = number(value)
    return value.register if isinstance(value, Reading) else value


def _flag(call: str, src: Any, dst: Any, event: Any) -> None:
    names = [_pipe(name, call) for name in (src, dst)]
    event = _id(event)
    if session().plan is None:
        session().core.emit(call, "_".join(names), event)


@operation
def set_flag(src: str, dst: str, eventId: Any) -> None:  # noqa: N803
    """`src` says that it is done; `dst` waits for it with the same id."""
    _flag("SetFlag", src, dst, eventId)


@operation
def wait_flag(src: str, dst: str, eventId: Any) -> None:  # noqa: N803
    """`dst` waits for a flag of `src`."""
    _flag("WaitFlag", src, dst, eventId)


@operation
def barrier_all() -> None:
    """All pipes of the core wait for each other."""
    if session().plan is None:
        session().core.emit("PipeBarrier", "PIPE_ALL")


@operation
def pipe_barrier(pipe: str) -> None:
    """A pipe waits for itself."""
    name = "ALL" if str(pipe).upper() == "ALL" else _pipe(pipe, "T.pipe_barrier")
    if session().plan is None:
        session().core.emit("PipeBarrier", f"PIPE_{name}")


@operation
def sync_all() -> None:
    """All cores of the kernel meet."""
    if session().plan is None:
        session().core.emit("SyncAll", False)


@operation
def set_cross_flag(pipe: str, flag: Any, mode: int = 2) -> None:
    """A flag between the cores of a block (mode 2), or of all blocks (0)."""
    name = _pipe(pipe, "T.set_cross_flag")
    if mode not in (0, 1, 2):
        raise RefusalError(
            f"there is no mode {mode!r} of a flag between cores", "the modes are 0, 1 and 2"
        )
    if session().plan is None:
        session().core.emit("CrossCoreSetFlag", int(mode), f"PIPE_{name}", _id(flag))


@operation
def wait_cross_flag(flag: Any, pipe: str = "") -> None:
    """Waits for a flag of other cores; on 910B all pipes do."""
    del pipe
    if session().plan is None:
        session().core.emit("CrossCoreWaitFlag", _id(flag))
