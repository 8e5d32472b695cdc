"""What every operation of the language does around itself."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from .buffer import Element
from .expression import Condition, Expression, Opaque
from .inserting import before, behind, inserts, key, left_out
from .look import arguments
from .places import spot
from .program import base
from .refusal import RefusalError, unsupported
from .repeated import repeated
from .scalar import Float, Reading, number, printed
from .session import session


class Issued:
    """The result of an operation: it takes effect where it is a statement of the kernel."""


ISSUED = Issued()


def operation(function: Callable[..., None]) -> Callable[..., Issued]:
    """Makes an operation of the language: it runs in a kernel only."""

    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> Issued:
        now = session()
        if now.plan is None and now.core is None:
            raise RefusalError(f"{function.__name__} stands outside of a kernel")
        if now.plan is not None:
            _check_signature(function, args, kwargs)
            if now.lanes is not None:
                raise unsupported("an operation on tiles in T.Parallel")
            look = now.plan.look
            if look is not None:
                look.operation(function.__name__, tuple(arguments(args, kwargs)))
                now.unissued += 1
                return ISSUED
            if base(key("call")) not in now.plan.waiting:
                function(*args, **kwargs)
                now.plan.program.statement(
                    key("call"), function.__name__, tuple(arguments(args, kwargs))
                )
        else:
            now.spot = spot()
            try:
                if not (inserts() and left_out(key("call"))):
                    repeated(now.core, function, args, kwargs, _issue)
            finally:
                now.spot = None
        now.unissued += 1
        return ISSUED

    return run


def _issue(function: Callable[..., None], args: Any, kwargs: Any) -> None:
    """An operation on a core, with what passes of the compiler insert around it."""
    if not inserts():
        function(*args, **kwargs)
        return
    here = key("call")
    if session().core.early != here:
        before(here)
    function(*args, **kwargs)
    behind(here)


def _check_signature(function: Callable[..., None], args: Any, kwargs: Any) -> None:
    import inspect

    try:
        inspect.signature(function).bind(*args, **kwargs)
    except TypeError as error:
        shown = inspect.signature(function)
        names = ", ".join(shown.parameters)
        raise RefusalError(f"{function.__name__}: {error}", f"it takes ({names})") from None


def scalar(value: Any) -> Any:
    """A number for the tape: constants as the compiler prints them."""
    value = number(value)
    if isinstance(value, Reading):
        return value.register
    if isinstance(value, float):
        return float(value) if isinstance(value, Float) else printed(value)
    if isinstance(value, int | Expression | Opaque):
        return value
    if isinstance(value, Condition):
        return value
    raise RefusalError(f"a number is needed, not {type(value).__name__}")


def is_number(value: Any) -> bool:
    """Whether an operand is one number."""
    return isinstance(value, int | float | Expression | Opaque | Reading | Element)


def count(value: Any, what: str) -> Any:
    """A number of elements; it may be one that only a core knows."""
    value = number(value)
    if isinstance(value, Reading):
        return value.register
    if isinstance(value, float) or not isinstance(value, int | Expression | Opaque):
        raise RefusalError(f"{what} counts elements, and {value!r} is no integer")
    return value
