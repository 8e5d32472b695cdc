"""What a tile operation asks of its operands."""

from __future__ import annotations

from typing import Any

from .expression import Called, CalledFloat
from .operand import Operand
from .refusal import RefusalError

ARITHMETIC = ("float32", "float16", "int16", "int32")
FLOATING = ("float32", "float16")
BITS = ("int16", "uint16")
SHIFTED = ("int16", "uint16", "int32", "uint32")

CONVERTED = {
    "float32": ("float32", "float16", "bfloat16", "int16", "int32", "int64"),
    "float16": ("float32", "int8", "uint8", "int16", "int32"),
    "bfloat16": ("float32", "int32"),
    "int8": ("float16",),
    "uint8": ("float16",),
    "int16": ("float32", "float16"),
    "int32": ("float32", "float16", "int16", "int64"),
    "int64": ("float32", "int32"),
}
"""What Cast makes of a type on 910B (asc-devkit, docs of Cast)."""


def check_words(what: str, x: Operand) -> None:
    """Raises RefusalError where `x` is not of uint32; `what` says what it holds, in the plural."""
    if x.dtype != "uint32":
        raise RefusalError(f"{what} are uint32, and {x.buffer.name} is {x.dtype}")


def same_size(name: str, *operands: Operand) -> int:
    """Elements of all. Raises RefusalError where they differ."""
    sizes = [o.whole for o in operands]
    if len(set(sizes)) > 1:
        parts = " and ".join(f"{o.buffer.name} {o.whole}" for o in operands)
        raise RefusalError(
            f"T.tile.{name} takes as many elements everywhere, and there are {parts}",
            "destination and source of a tile operation need as many elements",
        )
    return sizes[0]


def typed(name: str, dtypes: tuple[str, ...], *operands: Operand) -> None:
    """Raises RefusalError where the instruction does not exist for the type, or the types differ."""
    kinds = {o.dtype for o in operands}
    if len(kinds) > 1:
        parts = " and ".join(f"{o.buffer.name} {o.dtype}" for o in operands)
        raise RefusalError(
            f"T.tile.{name} takes one type, and there are {parts}", "T.tile.cast converts"
        )
    (kind,) = kinds
    if kind not in dtypes:
        raise RefusalError(
            f"T.tile.{name} does not exist for {kind} on 910B: {', '.join(dtypes)}",
            "T.tile.cast to float32 and back",
        )


def apart(name: str, to: Operand, *sources: Operand) -> None:
    """Some operations write before they have read everything."""
    for a in sources:
        if a.buffer is to.buffer and isinstance(a.offset, int) and a.offset == to.offset:
            raise RefusalError(
                f"T.tile.{name} cannot work in place: it writes {to.buffer.name} before it has read all of it",
                "give it another destination",
            )


def no_call(value: Any) -> None:
    """Raises RefusalError for a number that the compiler takes for a buffer."""
    if isinstance(value, Called | CalledFloat):
        raise RefusalError(
            "the compiler takes T.if_then_else, and operators on bits, for a buffer here",
            "write T.Select in place of T.if_then_else, and // and % in place of >> and &",
        )


def converted(to: str, source: str) -> None:
    """Raises RefusalError where Cast does not have these types."""
    if to in CONVERTED.get(source, ()):
        return
    ways = [kind for kind in CONVERTED.get(source, ()) if to in CONVERTED.get(kind, ())]
    help = f"go through {ways[0]}: two casts, and a buffer of that type" if ways else ""
    raise RefusalError(f"Cast does not convert {source} to {to} on 910B", help)
