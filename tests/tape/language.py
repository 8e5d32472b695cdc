"""A call of the AscendC API, said once: how C++ writes it, and how a tape does."""

from __future__ import annotations

from dataclasses import dataclass, replace

from gen.sim.tape import DTYPES, Argument, Global, Local, Register

CPP = {
    "float32": "float",
    "float16": "half",
    "bfloat16": "bfloat16_t",
    "int64": "int64_t",
    "uint64": "uint64_t",
    "int32": "int32_t",
    "uint32": "uint32_t",
    "int16": "int16_t",
    "uint16": "uint16_t",
    "int8": "int8_t",
    "uint8": "uint8_t",
}
CAPACITY = {"A1": 524032, "A2": 65536, "B2": 65536, "CO1": 131072, "VECCALC": 196352}
"""Bytes of the buffers that a kernel makes of the memories."""
BUFFER = {"A1": "l1", "A2": "l0a", "B2": "l0b", "CO1": "l0c", "VECCALC": "ub"}


@dataclass(frozen=True)
class Tile:
    """A tensor in on-chip memory that both sides call by a name. Without ``dtype`` it has that of the case."""

    name: str
    position: str
    elements: int
    address: int
    dtype: str = ""
    offset: int = 0
    seen_as: str = ""

    def __getitem__(self, offset: int) -> Tile:
        return replace(self, offset=self.offset + offset)

    def cast(self, dtype: str) -> Tile:
        return replace(self, seen_as=dtype)

    def declaration(self, dtype: str) -> str:
        kind = CPP[self.dtype or dtype]
        buffer = BUFFER[self.position]
        return (
            f"auto {self.name} = {buffer}.GetWithOffset<{kind}>({self.elements}, {self.address});"
        )

    def cpp(self, dtype: str) -> str:
        text = f"{self.name}[{self.offset}]" if self.offset else self.name
        return text + (f".ReinterpretCast<{CPP[self.seen_as]}>()" if self.seen_as else "")

    def on_tape(self, dtype: str) -> list[Argument]:
        kind = self.dtype or dtype
        end = self.address + -(-self.elements * DTYPES[kind] // 32) * 32
        high = min(end, CAPACITY[self.position])
        local = Local(self.position, kind, self.address, self.elements, self.address, high)
        local = local.at(self.offset)
        return [local.cast(self.seen_as) if self.seen_as else local]


@dataclass(frozen=True)
class Whole:
    """A tensor in global memory: the ``index``-th of the kernel."""

    name: str
    index: int
    offset: int = 0
    dtype: str = ""

    def __getitem__(self, offset: int) -> Whole:
        return replace(self, offset=self.offset + offset)

    def cpp(self, dtype: str) -> str:
        return f"{self.name}[{self.offset}]"

    def on_tape(self, dtype: str) -> list[Argument]:
        return [Global(self.index, self.dtype or dtype, self.offset)]


@dataclass(frozen=True)
class Struct:
    """Parameters that a constructor takes; a tape has them one after the other."""

    type: str
    values: tuple[bool | int | float, ...]

    def cpp(self, dtype: str) -> str:
        kind = self.type.replace("<T>", f"<{CPP[dtype]}>")
        return f"AscendC::{kind}({', '.join(_literal(v, dtype) for v in self.values)})"

    def on_tape(self, dtype: str) -> list[Argument]:
        return list(self.values)


@dataclass(frozen=True)
class Name:
    """A value of an enumeration: ``type`` ``value``."""

    type: str
    value: str

    def cpp(self, dtype: str) -> str:
        return f"AscendC::{self.type}::{self.value}"

    def on_tape(self, dtype: str) -> list[Argument]:
        return [self.value]


@dataclass(frozen=True)
class Bits:
    """A mask in two words of bits."""

    low: int
    high: int

    def cpp(self, dtype: str) -> str:
        return f"Bits{{{{{self.low}ull, {self.high}ull}}}}.words"

    def on_tape(self, dtype: str) -> list[Argument]:
        return [self.low, self.high]


@dataclass(frozen=True)
class NoMask:
    """A mask that the call does not look at."""

    def cpp(self, dtype: str) -> str:
        return "uint64_t(0)"

    def on_tape(self, dtype: str) -> list[Argument]:
        return []


@dataclass(frozen=True)
class Shape:
    """A list of extents."""

    extents: tuple[int, ...]

    def cpp(self, dtype: str) -> str:
        return f"aicore::ascendc::U32List{{{', '.join(map(str, self.extents))}}}"

    def on_tape(self, dtype: str) -> list[Argument]:
        return list(self.extents)


@dataclass(frozen=True)
class Raw:
    """What C++ and a tape write differently."""

    text: str
    arguments: tuple[Argument, ...]

    def cpp(self, dtype: str) -> str:
        return self.text

    def on_tape(self, dtype: str) -> list[Argument]:
        return list(self.arguments)


@dataclass(frozen=True)
class Variable:
    """A scalar that the core has read or computed."""

    index: int

    def cpp(self, dtype: str) -> str:
        return f"v{self.index}"

    def on_tape(self, dtype: str) -> list[Argument]:
        return [Register(self.index, dtype)]


Part = (
    Tile | Whole | Struct | Name | Bits | NoMask | Shape | Raw | Variable | bool | int | float | str
)


@dataclass(frozen=True)
class Call:
    """``AscendC::name<template>(parts)``; a tape has ``first``, then the parts in ``order``."""

    name: str
    parts: tuple[Part, ...]
    template: str = ""
    first: tuple[Argument, ...] = ()
    order: tuple[int, ...] | None = None

    def cpp(self, dtype: str) -> str:
        template = self.template.replace("<T", f"<{CPP[dtype]}", 1)
        arguments = ", ".join(_cpp(part, dtype) for part in self.parts)
        return f"AscendC::{self.name}{template}({arguments});"

    def on_tape(self, dtype: str) -> tuple[str, list[Argument]]:
        parts = self.parts if self.order is None else [self.parts[i] for i in self.order]
        flat = [argument for part in parts for argument in _on_tape(part, dtype)]
        return self.name, [*self.first, *flat]


@dataclass(frozen=True)
class Write:
    """``tensor.SetValue(index, value)``."""

    tensor: Tile | Whole
    index: int
    value: float | Variable | Raw

    def cpp(self, dtype: str) -> str:
        value = _cpp(self.value, dtype)
        return f"{self.tensor.cpp(dtype)}.SetValue({self.index}, {value});"

    def on_tape(self, dtype: str) -> tuple[str, list[Argument]]:
        tensor, value = self.tensor.on_tape(dtype), _on_tape(self.value, dtype)
        return "SetValue", [*tensor, self.index, *value]


@dataclass(frozen=True)
class Read:
    """``T v = tensor.GetValue(index)``."""

    result: Variable
    tensor: Tile | Whole
    index: int

    def cpp(self, dtype: str) -> str:
        return f"auto {self.result.cpp(dtype)} = {self.tensor.cpp(dtype)}.GetValue({self.index});"

    def on_tape(self, dtype: str) -> tuple[str, list[Argument]]:
        tensor, result = self.tensor.on_tape(dtype), self.result.on_tape(dtype)
        return "GetValue", [*tensor, self.index, *result]


FORMS = {
    "add": "{0} + {1}",
    "sub": "{0} - {1}",
    "mul": "{0} * {1}",
    "div": "{0} / {1}",
    "max": "{0} > {1} ? {0} : {1}",
    "min": "{0} < {1} ? {0} : {1}",
}


@dataclass(frozen=True)
class Compute:
    """``T v = left operation right``."""

    result: Variable
    operation: str
    left: Variable
    right: Variable

    def cpp(self, dtype: str) -> str:
        both = [f"({WIDE.get(dtype, CPP[dtype])}){v.cpp(dtype)}" for v in (self.left, self.right)]
        form = FORMS[self.operation].format(*both)
        return f"auto {self.result.cpp(dtype)} = static_cast<{CPP[dtype]}>({form});"

    def on_tape(self, dtype: str) -> tuple[str, list[Argument]]:
        numbers = [v.on_tape(dtype)[0] for v in (self.left, self.right, self.result)]
        return f"register.{self.operation}", [dtype, *numbers]


WIDE = {"float16": "float", "bfloat16": "float"}
Step = Call | Write | Read | Compute


def call(name: str, *parts: Part, template: str = "", first: tuple[Argument, ...] = ()) -> Call:
    return Call(name, parts, template, first)


def _literal(value: bool | float, dtype: str) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{CPP[dtype]}({value}f)" if isinstance(value, float) else str(value)


def _cpp(part: Part, dtype: str) -> str:
    if isinstance(part, (bool, int, float)):
        return _literal(part, dtype)
    if isinstance(part, str):
        return '"' + part.replace("\n", "\\n") + '"'
    return part.cpp(dtype)


def _on_tape(part: Part, dtype: str) -> list[Argument]:
    if isinstance(part, (bool, int, float, str)):
        return [part]
    return part.on_tape(dtype)
