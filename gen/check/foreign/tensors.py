"""Tensors of a kernel file: how they are written down, and the seeded values that go in.

A tensor is written `name=dtype[extents]{values}:role`: `x=float16[64,128]:in`, `i=int32[8]{0..63}`, `y=float32[64]:out`.
`values` is a range `lo..hi` (both included), `zeros`, `ones` or `arange`; without it floating-point tensors are standard
normal with a drift along every axis, integers lie between -100 and 100 as far as the type has them (uint8: 0 to 100).
A range has to lie within the type (int8: -128..127).
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from types import MappingProxyType
from typing import Any

import ml_dtypes
import numpy as np

from gen.check.formats import Array
from gen.check.inputs import drift
from gen.errors import suggest

ROLES = ("in", "out", "inout")
LARGEST_INTEGER = 100
MAX_BYTES = 1 << 31

_NAMES: dict[str, Any] = {
    "float64": np.float64,
    "float32": np.float32,
    "float16": np.float16,
    "bfloat16": ml_dtypes.bfloat16,
    "float8_e4m3fn": ml_dtypes.float8_e4m3fn,
    "float8_e5m2": ml_dtypes.float8_e5m2,
    "float8_e8m0fnu": ml_dtypes.float8_e8m0fnu,
    "float4_e2m1fn_x2": np.uint8,  # two in a byte, the first one in the low half: extents count bytes
    "int64": np.int64,
    "int32": np.int32,
    "int16": np.int16,
    "int8": np.int8,
    "uint64": np.uint64,
    "uint32": np.uint32,
    "uint16": np.uint16,
    "uint8": np.uint8,
    "bool": np.bool_,
}
_ALIASES = {"float": "float32", "half": "float16", "bf16": "bfloat16", "fp32": "float32"}
_ALIASES |= {"fp16": "float16", "bfloat16_t": "bfloat16", "int": "int32", "uint": "uint32"}
_ALIASES |= {f"{name}_t": name for name in _NAMES if "int" in name}
DTYPES: Mapping[str, np.dtype[Any]] = MappingProxyType(
    {name: np.dtype(kind) for name, kind in _NAMES.items()}
    | {alias: np.dtype(_NAMES[name]) for alias, name in _ALIASES.items()}
)
"""Every name that a number format goes by."""

_SPEC = re.compile(
    r"(?P<dtype>\w+)\s*\[(?P<shape>[^\]]*)\](?:\{(?P<fill>[^}]*)\})?(?::(?P<role>\w+))?"
)
_RANGE = re.compile(r"(?P<lo>-?\d+(?:\.\d+)?)\.\.(?P<hi>-?\d+(?:\.\d+)?)")


class SpecError(ValueError):
    """A tensor that is not written as it should be; `help` says what to write, `at` is the part that is wrong."""

    def __init__(self, message: str, help: str = "", at: str = "") -> None:
        super().__init__(message)
        self.help, self.at = help, at


@dataclass(frozen=True)
class TensorSpec:
    """A tensor in GM. `role` is in, out, inout, or empty where nobody said; `fill` as in the module's text."""

    name: str
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    role: str = ""
    fill: str = ""

    @property
    def bytes(self) -> int:
        """Size in GM."""
        return self.dtype.itemsize * prod(self.shape)


def declared(name: str, dtype: str, shape: tuple[int, ...], role: str = "") -> TensorSpec:
    """A tensor as a kernel declares it; numbers of 4 bits are bytes of two. Raises SpecError where nobody has such
    numbers here."""
    if dtype.startswith("float4"):
        return TensorSpec(name, DTYPES["uint8"], (*shape[:-1], shape[-1] // 2), role)
    if dtype not in DTYPES:
        raise SpecError(f"{name} is a tensor of {dtype}, which has no values here")
    return TensorSpec(name, DTYPES[dtype], shape, role)


def looks_like_tensor(value: str) -> bool:
    """Whether a value was meant as a tensor and not as a number or a file."""
    return bool(re.match(r"\w+\s*\[", value))


def parse_tensor(name: str, value: str) -> TensorSpec:
    """The tensor that `name=value` describes. Raises SpecError."""
    match = _SPEC.fullmatch(value.strip())
    if match is None:
        raise SpecError(f"`{value}` is no tensor", "write it as float32[64,128]:in", value)
    if match["dtype"] not in DTYPES:
        raise SpecError(
            f"there is no number format `{match['dtype']}`",
            suggest(match["dtype"], DTYPES),
            match["dtype"],
        )
    shape = tuple(_extent(part.strip()) for part in match["shape"].split(","))
    role = match["role"] or ""
    if role and role not in ROLES:
        raise SpecError(f"`{role}` is neither in, out nor inout", suggest(role, ROLES), role)
    fill = (match["fill"] or "").strip()
    if fill and fill not in ("zeros", "ones", "arange") and not _RANGE.fullmatch(fill):
        raise SpecError(
            f"`{fill}` are no values", "write {lo..hi}, {zeros}, {ones} or {arange}", fill
        )
    spec = TensorSpec(name, DTYPES[match["dtype"]], shape, role, fill)
    _require_fitting(spec)
    if spec.bytes > MAX_BYTES:
        raise SpecError(
            f"{name} has {spec.bytes} bytes; the largest tensor is {MAX_BYTES}", at=match["shape"]
        )
    return spec


def _require_fitting(spec: TensorSpec) -> None:
    """Raises SpecError for a range that is empty, or that the number format does not hold."""
    numbers = _numbers(spec)
    if numbers is None:
        return
    lo, hi = numbers
    if lo > hi:
        raise SpecError(f"{{{spec.fill}}} is empty", f"write {{{hi:g}..{lo:g}}}", spec.fill)
    if spec.dtype.kind in "iu":
        limits = np.iinfo(spec.dtype)
        if lo != int(lo) or hi != int(hi):
            raise SpecError(f"{spec.dtype} holds whole numbers only", "", spec.fill)
        if lo < limits.min or hi > limits.max:
            message = f"{spec.dtype} does not hold {{{spec.fill}}}"
            help = f"its numbers are {{{limits.min}..{limits.max}}}"
            raise SpecError(message, help, spec.fill)


def _extent(text: str) -> int:
    if not re.fullmatch(r"[1-9]\d*", text):
        raise SpecError(
            f"`{text}` is no extent", "extents are numbers from 1 on, separated by commas", text
        )
    return int(text)


def make(spec: TensorSpec, seed: int) -> Array:
    """Seeded values of the tensor: they depend on its name, format, shape and `seed` only."""
    rng = np.random.Generator(np.random.PCG64([seed, zlib.crc32(spec.name.encode())]))
    count, numbers = prod(spec.shape), _numbers(spec)
    if spec.fill == "arange":
        return np.arange(count).reshape(spec.shape).astype(spec.dtype)
    if spec.fill in ("zeros", "ones"):
        return np.full(spec.shape, spec.fill == "ones").astype(spec.dtype)
    if spec.dtype.kind == "b":
        return rng.integers(0, 2, spec.shape).astype(spec.dtype)
    if spec.dtype.kind in "iu":
        lo, hi = numbers or _integers(spec.dtype)
        return rng.integers(int(lo), int(hi), spec.shape, endpoint=True).astype(spec.dtype)
    if numbers:
        return rng.uniform(*numbers, spec.shape).astype(spec.dtype)
    return drift(rng, spec.shape).astype(spec.dtype)


def _numbers(spec: TensorSpec) -> tuple[float, float] | None:
    match = _RANGE.fullmatch(spec.fill)
    return (float(match["lo"]), float(match["hi"])) if match else None


def _integers(dtype: np.dtype[Any]) -> tuple[float, float]:
    limits = np.iinfo(dtype)
    return max(limits.min, -LARGEST_INTEGER), min(limits.max, LARGEST_INTEGER)
