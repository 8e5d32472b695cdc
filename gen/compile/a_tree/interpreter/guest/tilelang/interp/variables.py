"""T.alloc_var and T.loop_break."""

from __future__ import annotations

from typing import Any

from .buffer import dtype_name
from .expression import held
from .launch import Variable
from .operation import operation
from .refusal import RefusalError, unsupported
from .session import session


def alloc_var(dtype: Any, *args: Any, scope: str = "local.var", init: Any = None) -> Variable:
    """A number of the core that can be assigned again; 0 where no start is given."""
    numbers = [a for a in args if not isinstance(a, str)]
    if len(numbers) > 1 or (numbers and init is not None):
        raise RefusalError("T.alloc_var takes one start value")
    dtype = dtype_name(dtype)
    start = numbers[0] if numbers else 0 if init is None else init
    return Variable(dtype, start if session().plan is None else held(dtype))


@operation
def loop_break() -> None:
    """Ends the innermost loop."""
    if session().plan is None:
        raise RefusalError("T.loop_break() stands alone, in a loop of the kernel")
    if session().plan.top is not None:
        raise unsupported("T.loop_break() in a T.Pipelined with stages")
