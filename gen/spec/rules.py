"""Rules between fields, judged over whatever fields are valid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

from gen.errors import suggestion
from gen.spec.dtype import DType
from gen.spec.expr import Const, fold, walk
from gen.spec.names import RESERVED, taken_by
from gen.spec.parse import read, words
from gen.spec.sourcemap import Path

# Offsets into a tensor are 32-bit integers in the source that the M tree emits (tilelang 0.1.15).
MAX_ELEMENTS = 2**31 - 1
FLOAT16_OVERFLOW = 65520.0
"""From here on numbers round to infinity in float16 (IEEE 754)."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A broken rule; ``span`` are characters of the text value at the path, ``key`` blames the
    key."""

    code: str
    message: str
    path: Path
    help: str = ""
    span: tuple[int, int] | None = None
    key: bool = False


@dataclass(frozen=True, slots=True)
class TensorNames:
    """The names of an elementwise spec's tensors as they are written, whatever else is wrong with
    them.

    None where the field is missing or no mapping.
    """

    inputs: tuple[str, ...] | None = None
    outputs: tuple[str, ...] | None = None


def check(valid: Mapping[str, Any], names: TensorNames) -> list[Problem]:
    """Every broken rule among the valid fields of a spec.

    A rule whose fields are not all there is skipped.
    """
    kind = valid.get("kind")
    found = [*_reserved(valid.get("name"), names), *_a_tree_options(valid)]
    if kind == "elementwise":
        found += [*_own_names(names), *_elementwise_types(valid)]
        found += [*_body(valid.get("body"), names.inputs), *_elements(valid, "shape")]
        found += _half_constants(valid, names.inputs)
    elif kind == "gemm":
        sizes = [_elements(valid, *pair) for pair in ("mk", "kn", "mn")]
        found += [*_gemm_types(valid), *_gemm_chip(valid), *next(filter(None, sizes), [])]
    elif kind == "norm":
        found += _elements(valid, "rows", "cols")
    return found


def _reserved(name: str | None, names: TensorNames) -> Iterator[Problem]:
    if name in RESERVED:
        message = f"`{name}` is a reserved word of Python or C++"
        yield Problem("E117", message, ("name",), f"write `{name}_op`")
    tensors: list[Path] = [("inputs", n) for n in names.inputs or ()]
    tensors += [("output", n) for n in names.outputs or ()]
    for path in tensors:
        owner = taken_by(str(path[-1]))
        if owner:
            message = f"the name `{path[-1]}` belongs to {owner}"
            yield Problem("E117", message, path, "choose another name", key=True)


def _own_names(names: TensorNames) -> Iterator[Problem]:
    """Names must differ by more than underscores: in Ascend C they are written in camel case."""
    seen: dict[str, str] = {}
    paths: list[Path] = [("inputs", n) for n in names.inputs or ()]
    paths += [("output", n) for n in names.outputs or ()]
    for path in paths:
        name = str(path[-1])
        other = seen.setdefault(name.replace("_", "").lower(), name)
        if other == name and path[0] == "output" and name in (names.inputs or ()):
            help = "give the output a name of its own; kernels do not write over their inputs"
            yield Problem("E118", f"`{name}` is an input and the output", path, help, key=True)
        elif other != name:
            help = "tensor names must differ by more than underscores"
            yield Problem(
                "E118", f"`{name}` and `{other}` are too much alike", path, help, key=True
            )


def _elementwise_types(valid: Mapping[str, Any]) -> Iterator[Problem]:
    inputs, output, compute = valid.get("inputs"), valid.get("output"), valid.get("compute")
    if compute is not DType.FLOAT16 or inputs is None or output is None:
        return
    other = [t for t in (*inputs, output) if t.dtype is not DType.FLOAT16]
    if other:
        message = f"compute in float16 does not go with `{other[0].name}: {other[0].dtype}`"
        yield Problem("E130", message, ("compute",), "compute in `float32`")


def _body(body: str | None, inputs: tuple[str, ...] | None) -> Iterator[Problem]:
    if body is None or inputs is None:
        return
    _, flaws = read(body, inputs)
    for flaw in flaws:
        yield Problem(flaw.code, flaw.message, ("body",), flaw.help, (flaw.start, flaw.end))
    used = words(body)
    for name in inputs:
        meant = any(f.code == "E121" and suggestion(name) in f.help for f in flaws)
        if name not in used and not meant:
            message = f"input `{name}` is not used in the body"
            yield Problem("E124", message, ("inputs", name), "use it, or leave it out", key=True)


def _half_constants(valid: Mapping[str, Any], inputs: tuple[str, ...] | None) -> Iterator[Problem]:
    """Constants that become infinite in float16, where the body is computed in it."""
    body = valid.get("body")
    if valid.get("compute") is not DType.FLOAT16 or body is None or inputs is None:
        return
    expression, flaws = read(body, inputs)
    if expression is None or flaws:
        return
    for node in walk(fold(expression)):
        if isinstance(node, Const) and abs(node.value) >= FLOAT16_OVERFLOW:
            message = f"the constant {node.value!r} is too large for float16"
            help = "the largest float16 is 65504; compute in `float32`"
            yield Problem("E125", message, ("body",), help)


def _a_tree_options(valid: Mapping[str, Any]) -> Iterator[Problem]:
    """The explicit form lays out its buffers itself: only the other one can leave that to the compiler."""
    options = valid.get("a_tree")
    if options and options.memory_planning and not options.auto_sync:
        message = "memory_planning without auto_sync has no kernel to work on"
        help = "write `a_tree: {auto_sync: true, memory_planning: true}`"
        yield Problem("E133", message, ("a_tree", "memory_planning"), help)


def _elements(valid: Mapping[str, Any], *fields: str) -> list[Problem]:
    if any(f not in valid for f in fields):
        return []
    extents = [*valid[fields[0]]] if fields == ("shape",) else [valid[f] for f in fields]
    if prod(extents) <= MAX_ELEMENTS:
        return []
    message = f"a tensor of {' × '.join(map(str, extents))} has more than {MAX_ELEMENTS} elements"
    return [Problem("E119", message, (fields[0],), "offsets in the kernels are 32-bit integers")]


def _gemm_types(valid: Mapping[str, Any]) -> Iterator[Problem]:
    a, b, c = (valid.get(name) for name in "abc")
    if a and b and a is not b:
        yield Problem(
            "E130",
            f"a is {a} but b is {b}",
            ("b",),
            f"the Cube multiplies equal formats; write `b: {a}`",
        )
    if a is DType.FLOAT32 and c and c is not DType.FLOAT32:
        yield Problem(
            "E130", f"a float32 product is not written as {c}", ("c",), "write `c: float32`"
        )


def _gemm_chip(valid: Mapping[str, Any]) -> Iterator[Problem]:
    chip = valid.get("chip")
    if chip and chip.ascendc != "ascend910b":
        message = f"the Ascend C source of a gemm cannot target {chip.ascendc}"
        yield Problem("E131", message, ("chip", "ascendc"), "write `ascend910b`")
