"""Buffers, parts of them, and their elements."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from .expression import Expression, static
from .refusal import RefusalError
from .scalar import ScalarOperators, whole
from .session import session

BYTES = {
    **dict.fromkeys(("int64", "uint64"), 8),
    **dict.fromkeys(("float32", "int32", "uint32"), 4),
    **dict.fromkeys(("float16", "bfloat16", "int16", "uint16"), 2),
    **dict.fromkeys(("int8", "uint8", "bool"), 1),
}
"""Element types that a buffer can have, with their bytes."""

ALIASES = {"float": "float32", "int": "int32", "uint": "uint32"}


def dtype_name(dtype: Any) -> str:
    """An element type by its name. Raises RefusalError."""
    name = dtype if isinstance(dtype, str) else getattr(dtype, "__name__", str(dtype))
    name = ALIASES.get(name, name)
    if name not in BYTES:
        raise RefusalError(f"{dtype!r} is no element type: {', '.join(BYTES)}")
    return name


NAMES = {
    "global": "GM",
    "ub": "UB",
    "l1": "L1",
    "l0a": "L0A",
    "l0b": "L0B",
    "l0c": "L0C",
    "var": "a variable",
    "shared": "shared memory",
    "fragment": "a fragment",
}


class Buffer:
    """A tensor in GM, or a buffer on the chip. `shape` counts elements.

    `address` is in bytes, known when the kernel has been planned; of a tensor it is its number.
    """

    def __init__(self, name: str, scope: str, dtype: str, shape: Sequence[Any]) -> None:
        self.name = name
        self.scope = scope
        self.dtype = dtype
        self.shape = tuple(shape)
        self.size = BYTES[dtype]
        self.address = 0
        self.strides = [prod(self.shape[i + 1 :]) for i in range(len(self.shape))]
        self.written = self.shape
        """As the kernel says: with threads=2 a core has half of it."""
        self.halved = False
        self.versions = 1
        """How many of it lie behind each other, for a T.Pipelined."""
        self.memory: Any = None
        """The buffer for the tape, once it has an address."""

    def __repr__(self) -> str:
        return f"{self.name}: {self.dtype}{list(self.shape)} in {NAMES[self.scope]}"

    @property
    def elements(self) -> int:
        """How many there are."""
        return int(prod(self.shape))

    @property
    def pitch(self) -> int:
        """Bytes from a row to the next as the compiler lays UB out: rows of one element are packed."""
        row = self.shape[-1] * self.size if self.shape else self.size
        if self.scope != "ub" or self.shape[-1:] == (1,):
            return int(row)
        return -(-int(row) // 32) * 32

    @property
    def bytes(self) -> int:
        """Bytes that the compiler reserves."""
        rows = self.versions * prod(self.shape[:-1])
        return -(-int(rows * self.pitch) // 32) * 32

    def __getitem__(self, index: Any) -> Region | Element:
        indices = index if isinstance(index, tuple) else (index,)
        if len(indices) != len(self.shape):
            raise RefusalError(
                f"{self.name} has {len(self.shape)} dimensions, and {len(indices)} indices are given",
                "give one index or slice for each dimension",
            )
        direct = [i.buffer for i in indices if isinstance(i, Element)]
        if any(isinstance(i, slice) for i in indices):
            parts = [_part(i, n, self.name) for i, n in zip(indices, self.written, strict=True)]
            region = Region(self, [low for low, _ in parts], [n for _, n in parts], indices)
            region.direct = direct
            return region
        element = Element(self, [_index(i) for i in indices])
        element.direct = direct
        return element

    def __setitem__(self, index: Any, value: Any) -> None:
        element = self[index]
        if not isinstance(element, Element):
            raise RefusalError(
                f"only single elements can be assigned, not a part of {self.name}",
                "use T.tile.fill or T.copy",
            )
        from .scalar_access import store

        store(element, value)

    def __iter__(self) -> Any:
        raise TypeError(f"the buffer {self.name} cannot be iterated")


class Region:
    """A part of a buffer: `low` and `extent` for each dimension, `given` is what the kernel wrote."""

    def __init__(
        self, buffer: Buffer, low: Sequence[Any], extent: Sequence[Any], given: Any
    ) -> None:
        self.buffer = buffer
        self.low = list(low)
        self.extent = list(extent)
        self.given = given
        self.direct: list[Buffer] = []
        """Buffers whose elements are indices of it."""
        self.name = ""
        """Where it has a name of its own in the kernel."""

    def __getitem__(self, index: Any) -> Any:
        raise RefusalError("a part of a buffer cannot be indexed again", "index the buffer itself")

    @property
    def dtype(self) -> str:
        """Of its elements."""
        return self.buffer.dtype

    @property
    def shape(self) -> list[Any]:
        """Its extents."""
        return self.extent


class Element(ScalarOperators):
    """An element of a buffer: a place that a copy starts at, or the number that is there."""

    def __init__(self, buffer: Buffer, index: Sequence[Any]) -> None:
        self.buffer = buffer
        self.index = list(index)
        self.direct: list[Buffer] = []

    @property
    def dtype(self) -> str:
        """Its type."""
        return self.buffer.dtype

    @property
    def offset(self) -> Any:
        """In elements from the start of the buffer."""
        return offset(self.buffer, self.index)

    def number(self) -> Any:
        """The number that is there: the core reads it now. In T.Parallel it stands for all lanes."""
        if session().lanes is not None:
            return self
        from .scalar_access import load

        return load(self)


def offset(buffer: Buffer, indices: Sequence[Any]) -> Any:
    """Elements in front of the one at `indices`."""
    return sum((i * n for i, n in zip(indices, buffer.strides, strict=True)), 0)


def _index(value: Any) -> Any:
    if type(value) is int:
        return value
    if isinstance(value, ScalarOperators | Expression):
        return whole(value)
    if isinstance(value, bool | float | str) or value is None:
        raise RefusalError(f"an index is an integer, not {value!r}")
    return value


def _part(given: Any, length: Any, name: str) -> tuple[Any, Any]:
    """Where it starts and how long it is."""
    if not isinstance(given, slice):
        return _index(given), 1
    if given.step not in (None, 1):
        raise RefusalError(f"slices of {name} have no step", "copy every part on its own")
    low = 0 if given.start is None else _index(given.start)
    high = length if given.stop is None else _index(given.stop)
    extent = high - low
    known = static(extent) if isinstance(extent, Expression) else extent
    return low, extent if known is None else known
