"""T.printf and T.dump_tensor."""

from __future__ import annotations

from typing import Any

from .buffer import Buffer
from .operand import operand
from .operation import count, operation, scalar
from .refusal import RefusalError
from .session import session


@operation
def printf(format_str: str, *args: Any) -> None:
    """Prints while the kernel runs."""
    if not isinstance(format_str, str):
        raise RefusalError("T.printf takes a format first")
    values = [
        a.address if isinstance(a, Buffer) else a if isinstance(a, str) else scalar(a) for a in args
    ]
    if session().plan is None:
        session().core.emit("PRINTF", format_str.replace("%p", "0x%x"), *values)


@operation
def dump_tensor(tensor: Any, desc: int, dump_size: Any, shape_info: Any = ()) -> None:
    """Prints the first elements of a buffer while the kernel runs."""
    del shape_info
    if isinstance(desc, bool) or not isinstance(desc, int) or not 0 <= desc <= 0xFFFF_FFFF:
        raise RefusalError(f"desc must be uint32, but your desc is {desc}")
    now = session()
    if isinstance(tensor, Buffer) and tensor.scope == "global":
        if now.plan is None:
            now.core.emit("DumpTensor", now.core.view(tensor), desc, count(dump_size, "dump_size"))
        return
    part = operand(tensor, "T.dump_tensor", rows=True)
    if now.plan is not None:
        now.plan.touch(part.buffer, written=())
        return
    now.core.emit("DumpTensor", part.view, desc, count(dump_size, "dump_size"))
