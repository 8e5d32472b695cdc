"""Errors of pydantic -> our own: code, sentence, what is allowed, what was probably meant."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pydantic_core import ErrorDetails

from gen.errors import hints, known, listing, suggest
from gen.spec.dtype import DType
from gen.spec.models import KEYS, ATreeOptions
from gen.spec.names import MAX_NAME, closest_name
from gen.spec.rules import Problem
from gen.spec.sourcemap import Path

#: How a field may look: shown where it is missing or has the wrong type.
EXAMPLES: Mapping[Path, str] = {
    ("kind",): "kind: elementwise",
    ("name",): "name: my_kernel",
    ("shape",): "shape: [4096, 1024]",
    ("inputs",): "inputs: {x: float16}",
    ("output",): "output: {y: float16}",
    ("body",): "body: x * sigmoid(x)",
    ("compute",): "compute: float32",
    ("chip",): "chip: {ascendc: ascend910b}",
    ("stages",): "stages: 2",
    ("sync",): "sync: manual",
    ("a_tree",): "a_tree: {auto_sync: true}",
    ("seed",): "seed: 7",
    ("m",): "m: 1024",
    ("n",): "n: 1024",
    ("k",): "k: 1024",
    ("a",): "a: float16",
    ("b",): "b: float16",
    ("c",): "c: float16",
    ("transpose_b",): "transpose_b: true",
    ("norm",): "norm: rms",
    ("rows",): "rows: 4096",
    ("cols",): "cols: 1024",
    ("dtype",): "dtype: bfloat16",
    ("weight",): "weight: true",
    ("eps",): "eps: 1.0e-6",
}

#: The tile is written differently in each kind.
TILE_EXAMPLES: Mapping[str, str] = {
    "elementwise": "tile: 4096",
    "gemm": "tile: {m: 128, n: 256, k: 64}",
    "norm": "tile: {rows: 8}",
}

_EXPECTED = {
    "int": "an integer",
    "float": "a number",
    "bool": "`true` or `false`",
    "string": "a text",
    "dict": "a mapping",
    "model": "a mapping",
    "tuple": "a list",
    "finite": "a finite number",
}

#: What people write for a dtype -> its name here.
_DTYPES = {
    "fp16": "float16",
    "f16": "float16",
    "half": "float16",
    "bf16": "bfloat16",
    "fp32": "float32",
    "f32": "float32",
    "fp64": "float32",
    "float64": "float32",
    "double": "float32",
    "float": "float32",
    "single": "float32",
}


def problem(error: ErrorDetails, kind: str) -> Problem:
    """One error of pydantic about a spec of that kind, in our words."""
    path: Path = tuple(error["loc"])
    type_ = error["type"]
    if path and path[-1] == "[key]":
        return _name(path[:-1], str(path[-2]), key=True)
    if path == ("name",) and type_ in ("string_pattern_mismatch", "string_too_long"):
        return _name(path, str(error["input"]), key=False)
    explain = next((f for start, f in _EXPLAIN if type_.startswith(start)), _wrong_type)
    return explain(path, error, kind)


def dotted(path: Path) -> str:
    """``tile.m`` or ``shape[0]``, in backticks."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return f"`{text}`"


def _example(path: Path, kind: str) -> str:
    if path[:1] == ("tile",):
        return TILE_EXAMPLES[kind]
    return EXAMPLES.get(path[:1], "")


def _say(example: str) -> str:
    return f"for example `{example}`" if example else ""


def _missing(path: Path, error: ErrorDetails, kind: str) -> Problem:
    inside = f" in {dotted(path[:-1])}" if len(path) > 1 else f"; a spec of kind {kind} needs it"
    message = f"`{path[-1]}` is missing{inside}"
    return Problem("E111", message, path, _say(_example(path, kind)))


def _unknown_key(path: Path, error: ErrorDetails, kind: str) -> Problem:
    key = str(path[-1])
    if len(path) > 1:
        inner = {
            "chip": ["ascendc"],
            "a_tree": list(ATreeOptions.model_fields),
            "tile": ["m", "n", "k"] if kind == "gemm" else ["rows"],
        }
        allowed = inner.get(str(path[0]), [])
        message = f"{dotted(path[:-1])} has no key `{key}`"
    else:
        allowed = list(KEYS[kind])
        message = f"a spec of kind {kind} has no key `{key}`"
    others = [other for other in KEYS if key in KEYS[other]] if len(path) == 1 else []
    if others:
        help = f"`{key}` belongs to kind {listing(others)}"
    else:
        help = suggest(key, allowed) or known("key", allowed)
    if path == ("chip", "a_tree"):
        help = "the A tree always targets ascend910b"
    if path == ("chip", "m_tree"):
        help = "the M tree always targets ascend950"
    return Problem("E110", message, path, help, key=True)


def _choice(path: Path, error: ErrorDetails, kind: str) -> Problem:
    choices = _choices(path, error)
    got = error["input"]
    if not isinstance(got, str):
        message = f"{dotted(path)} must be {listing(choices)}, not {described(got)}"
        return Problem("E112", message, path)
    message = f"`{got}` is not a choice for {dotted(path)}"
    meant = _DTYPES.get(got.lower().replace("_t", "").rsplit(".", 1)[-1], "")
    if len(choices) == 1:
        return Problem("E114", message, path, f"only `{choices[0]}` is possible")
    close = f"did you mean `{meant}`?" if meant in choices else suggest(got, choices)
    allowed = f"allowed: {listing(choices)}"
    return Problem("E114", message, path, hints(close, allowed))


def _choices(path: Path, error: ErrorDetails) -> list[str]:
    if path == ("compute",):
        return ["float16", "float32"]
    if path == ("accumulate",):
        return ["float32"]
    if path == ("norm",):
        return ["rms"]
    if path[:1] == ("chip",):
        return ["ascend910b", "ascend950"]
    if path == ("sync",):
        return ["auto", "manual"]
    return [d.value for d in DType]


def _name(path: Path, name: str, *, key: bool) -> Problem:
    if not name:
        return Problem("E116", "the name is empty", path, key=key)
    if len(name) > MAX_NAME:
        return Problem(
            "E116", f"a name of {len(name)} characters; at most {MAX_NAME}", path, key=key
        )
    near = closest_name(name)
    help = "a name starts with a small letter; then small letters, digits and `_`"
    help += f"; for example `{near}`" if near else ""
    return Problem("E116", f"`{name}` is not a name", path, help, key=key)


def _length(path: Path, error: ErrorDetails, kind: str) -> Problem:
    if path == ("output",) and error["type"] == "too_long":
        return Problem("E113", "there is more than one output", path, "a kernel has one output")
    what = {"shape": "extents", "inputs": "inputs", "output": "output"}.get(str(path[0]))
    message = f"{dotted(path)} has no {what}" if what else f"{dotted(path)} is empty"
    return Problem("E113", message, path, _say(EXAMPLES.get(path[:1], "")))


def _range(path: Path, error: ErrorDetails, kind: str) -> Problem:
    ctx = error.get("ctx", {})
    bound = {
        "greater_than": f"greater than {ctx.get('gt')}",
        "greater_than_equal": f"at least {ctx.get('ge')}",
        "less_than": f"less than {ctx.get('lt')}",
        "less_than_equal": f"at most {ctx.get('le')}",
    }.get(error["type"], "a finite number")
    return Problem("E113", f"{dotted(path)} must be {bound}, not {error['input']}", path)


def _wrong_type(path: Path, error: ErrorDetails, kind: str) -> Problem:
    base = error["type"].split("_")[0]
    expected = _EXPECTED.get(base, error["msg"])
    message = f"{dotted(path)} must be {expected}, not {described(error['input'])}"
    example = _example(path, kind) if len(path) == 1 or path[0] in ("tile", "a_tree") else ""
    return Problem("E112", message, path, _say(example))


def described(value: Any) -> str:
    """What a user wrote, as the end of the sentence "… must be an integer, not …"."""
    if value is None:
        return "empty"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, str):
        return f"the text `{value}`" if len(value) <= MAX_NAME else "a text"
    if isinstance(value, int | float):
        return f"the number {value}"
    return "a mapping" if isinstance(value, dict) else "a list"


#: Beginning of a pydantic error type -> how it is explained; everything else is a wrong type.
_EXPLAIN: tuple[tuple[str, Callable[[Path, ErrorDetails, str], Problem]], ...] = (
    ("missing", _missing),
    ("extra_forbidden", _unknown_key),
    ("enum", _choice),
    ("literal_error", _choice),
    ("too_", _length),
    ("string_too_short", _length),
    ("greater_than", _range),
    ("less_than", _range),
    ("finite_number", _range),
)
