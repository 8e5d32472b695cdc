"""What a tile operation works on: a buffer, or a part of one whose elements follow each other."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

from . import sharing
from .buffer import NAMES, Buffer, Element, Region
from .places import line
from .refusal import RefusalError
from .session import session

Part = Buffer | Region


@dataclass(slots=True)
class Operand:
    """`offset` in elements from the start of the buffer; `shape` are its extents."""

    buffer: Buffer
    offset: Any
    shape: list[Any]
    shared: bool = False
    """Whether the vector cores have half of it each."""

    @property
    def whole(self) -> int:
        """Elements that the kernel says."""
        return int(prod(self.shape))

    @property
    def size(self) -> int:
        """Elements that an operation takes: with threads=2 those of one core. Raises RefusalError."""
        if self.shared:
            sharing.check_rows(self.buffer)
            return sharing.half(self.whole)
        return self.whole

    @property
    def there(self) -> int:
        """Elements that there are."""
        return self.buffer.elements if self.shared else self.whole

    @property
    def dtype(self) -> str:
        """Of its elements."""
        return self.buffer.dtype

    @property
    def view(self) -> Any:
        """For the tape: the buffer from there on."""
        memory = session().core.view(self.buffer)
        return memory.at(self.offset) if self.offset else memory


def operand(part: Any, what: str, *, rows: bool = False) -> Operand:
    """Raises RefusalError for what is no part of a buffer in UB, or none that one count describes.

    `rows`: the operation knows how far rows are apart.
    """
    if isinstance(part, Buffer):
        found = Operand(part, 0, list(part.written), part.halved)
    elif isinstance(part, Region):
        offset = sum((low * n for low, n in zip(part.low, part.buffer.strides, strict=True)), 0)
        found = Operand(part.buffer, offset, part.extent)
    elif isinstance(part, Element):
        raise RefusalError(
            f"{what} takes a buffer or a part of one, not an element of {part.buffer.name}",
            f"take the row: {part.buffer.name}[{'r, ' * (len(part.index) - 1)}:]",
        )
    else:
        raise RefusalError(f"{what} takes a buffer, not {_kind(part)}")
    if session().plan is not None:
        _check(found, part, what, rows)
    return found


def _kind(value: Any) -> str:
    return "a number" if isinstance(value, int | float) else type(value).__name__


def _check(found: Operand, part: Part, what: str, rows: bool) -> None:
    buffer = found.buffer
    if buffer.scope != "ub":
        raise RefusalError(
            f"{what} works in UB, and {buffer.name} is in {NAMES[buffer.scope]}",
            "copy it to a buffer of T.alloc_ub first",
        )
    if any(not isinstance(n, int) for n in found.shape):
        raise RefusalError(
            f"{what} on a part of {buffer.name} whose size only a core knows: the compiler prints the expression"
            " into the C++, which does not compile",
            "work on the whole buffer: what lies outside of the tile is not stored",
        )
    if session().plan.kernel.threads == 2:
        sharing.check(buffer, part, what)
    if isinstance(part, Region):
        _check_contiguous(part, what)
    if not rows and prod(buffer.shape[:-1]) > 1:
        session().plan.dense.setdefault(buffer, line())


def _check_contiguous(part: Region, what: str) -> None:
    """All dimensions behind the first that is longer than 1 must be whole."""
    buffer = part.buffer
    inner = False
    for extent, length in zip(part.extent, buffer.shape, strict=True):
        if inner and extent != length:
            raise RefusalError(
                f"{what} takes one run of {prod(part.extent)} elements from where this part of {buffer.name} starts,"
                " and not its columns",
                "work on whole rows, or row by row",
            )
        inner = inner or extent != 1
