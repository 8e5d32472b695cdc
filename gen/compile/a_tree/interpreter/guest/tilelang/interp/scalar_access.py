"""Single elements that the scalar unit reads and writes."""

from __future__ import annotations

from typing import Any

from .buffer import Buffer, Element
from .expression import Opaque, atom, reads
from .inserting import key
from .places import spot
from .program import Store
from .refusal import RefusalError
from .scalar import FLOATS, Float, Reading, dtype_of, number, printed
from .session import session

READABLE = ("ub", "global")


def load(element: Element) -> Any:
    """The core reads the element (`GetValue`)."""
    buffer = element.buffer
    now = session()
    look = now.plan.look if now.plan is not None else None
    if look is not None:
        look.element(element)
    else:
        _check(buffer)
    if now.plan is not None:
        now.plan.touch_element(buffer, element.index)
        if buffer.dtype in FLOATS:
            return Opaque(buffer.dtype)
        # The same element twice is the same number, so that sizes stay known.
        return atom(("element", id(buffer), tuple(getattr(i, "key", i) for i in element.index)))
    core = now.core
    return Reading(core, core.read(buffer, element.offset), buffer.dtype)


def store(element: Element, value: Any) -> None:
    """The core writes the element (`SetValue`)."""
    buffer = element.buffer
    now = session()
    look = now.plan.look if now.plan is not None else None
    if look is not None:
        look.element(element)
        look.value(value if now.lanes is not None else number(value))
        return
    if now.lanes is not None:
        now.lanes.append((element, value))
        if now.plan is not None:
            now.lanes.lines.append(spot().frames[0][-1])
        return
    _check(buffer)
    value = number(value)
    if now.plan is not None:
        now.plan.touch_element(buffer, element.index, stored=True)
        if any(map(reads, element.index)):
            now.plan.program.lack("an element at an index from memory, which has no name")
        now.plan.program.add(Store(key("store"), buffer, now.plan.program.loads()))
        return
    if isinstance(value, Reading):
        value = value.register
    elif isinstance(value, float) and not isinstance(value, Float):
        value = printed(value)
    elif not isinstance(value, int | float):
        raise RefusalError(f"an element takes a number, not {dtype_of(value) or value!r}")
    now.core.emit("SetValue", now.core.view(buffer), element.offset, value)


def _check(buffer: Buffer) -> None:
    if buffer.scope not in READABLE:
        raise RefusalError(
            f"the scalar unit cannot reach {buffer.name} in {buffer.scope.upper()}",
            "only elements in UB can be read or written on their own",
        )
