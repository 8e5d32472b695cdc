"""`values:` lines: what the outputs of a kernel must hold, as NumPy expressions over its inputs.

`y = 2 * x` must hold within the rounding errors that a right kernel may make in the number format of its operands
(`gen.score.tracked`); `y = np.exp(x) ~ 1e-5` within 1e-5, absolute and relative together, of the result in float64, or of
the one that rounds every operation to the format of its operands, as NumPy does (a sum of halves is a half).
Several outputs are separated by `;`. Names are the tensors' values before the kernel ran, its scalars, and the constants of the file.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import ml_dtypes
import numpy as np

from gen.check.bounds import Bounded, rounded
from gen.check.compare import against_reference
from gen.check.foreign import FileVerdict, OutputData
from gen.check.foreign.files import HeaderLine
from gen.check.foreign.python_kernel import inspect
from gen.check.formats import Array
from gen.errors import GenError, known
from gen.plan import Tree
from gen.score.expectation import CorpusFile
from gen.score.tracked import FORMATS, Tracked, track

_ITEM = re.compile(
    r"(?P<name>\w+)\s*=(?!=)\s*(?P<expression>.+?)(?:\s~\s*(?P<tolerance>[\d.eE+-]+))?"
)
_CONSTANT = re.compile(r"\bconst(?:expr)?\s+[\w:]+\s+(?P<name>\w+)\s*=\s*(?P<value>[\d\s*+/()-]+);")
_ALLOWED = (
    abs,
    bool,
    float,
    int,
    len,
    list,
    max,
    min,
    range,
    reversed,
    round,
    slice,
    sum,
    tuple,
    zip,
)
# NumPy imports some of its parts when they are first needed.
_BUILTINS = {**{f.__name__: f for f in _ALLOWED}, "__import__": __import__}


def wrong_values(file: CorpusFile, verdict: FileVerdict) -> Iterator[str]:
    """A sentence for each output that does not hold what the file says. Raises GenError (E144)."""
    outputs = {output.name: output for output in verdict.outputs}
    for line in file.values:
        for item in (part.strip() for part in line.value.split(";")):
            match = _ITEM.fullmatch(item)
            if match is None:
                raise _mistake(file, line, f"`{item}` is not output = expression", at=item)
            if match["name"] not in outputs:
                help = known("output", list(outputs))
                message = f"the kernel leaves no output `{match['name']}`"
                raise _mistake(file, line, message, at=match["name"], help=help)
            if wrong := _compared(file, line, verdict, outputs[match["name"]], match):
                yield wrong


def _compared(
    file: CorpusFile,
    line: HeaderLine,
    verdict: FileVerdict,
    output: OutputData,
    match: re.Match[str],
) -> str:
    tolerance = float(match["tolerance"]) if match["tolerance"] else None
    prepare = track if tolerance is None else _wide
    wanted = _evaluate(file, line, verdict, match, prepare)
    try:
        wrong = _difference(output.name, output.values, wanted, tolerance)
    except ValueError as error:
        raise _mistake(
            file, line, f"{output.name} does not compare with the expression: {error}"
        ) from None
    if wrong and tolerance is not None:
        return _rounded_difference(file, line, verdict, output, match, wrong)
    return wrong


def _rounded_difference(
    file: CorpusFile,
    line: HeaderLine,
    verdict: FileVerdict,
    output: OutputData,
    match: re.Match[str],
    wrong: str,
) -> str:
    """What is wrong with an output that is not within its tolerance of the exact result (`wrong`): nothing, where it is
    within it of the result whose operations round, as a kernel's do."""
    try:
        wanted = _evaluate(file, line, verdict, match, track)
        plain = wanted.value if isinstance(wanted, Tracked) else wanted
        return _difference(output.name, output.values, plain, float(match["tolerance"]))
    except (GenError, ValueError):
        return wrong


def _evaluate(
    file: CorpusFile,
    line: HeaderLine,
    verdict: FileVerdict,
    match: re.Match[str],
    prepare: Callable[[Array], Any],
) -> Any:
    tensors = {name: prepare(x) for name, x in verdict.inputs.items()}
    names = {**_constants(file, verdict), **_scalars(verdict), **tensors}
    scope = {"__builtins__": _BUILTINS, "np": np, "ml_dtypes": ml_dtypes, **names}
    try:
        with np.errstate(all="ignore"):
            return eval(match["expression"], scope)
    except Exception as error:
        message = f"the expression cannot be computed: {type(error).__name__}: {error}"
        help = known("name", sorted(names))
        raise _mistake(file, line, message, at=match["expression"], help=help) from None


def _wide(array: Array) -> Array:
    """An input as float64, where it has fractions: a tolerance is one from the exact result."""
    return array.astype(np.float64) if array.dtype in FORMATS else array


def _difference(name: str, got: Array, wanted: Any, tolerance: float | None) -> str:
    """What is wrong with an output; empty where nothing is. Raises ValueError for shapes that do not fit."""
    if got.dtype in FORMATS:
        bounded = _bounded(wanted, got, tolerance)
        mismatch = against_reference(name, got, bounded, FORMATS[got.dtype]).mismatch
        return f"wrong values: {mismatch}" if mismatch else ""
    plain = _shaped(np.asarray(wanted), got).astype(got.dtype)
    off = got != plain
    if tolerance is not None:
        off = np.abs(got.astype(np.float64) - plain.astype(np.float64)) > tolerance
    if not off.any():
        return ""
    at = tuple(int(i) for i in np.argwhere(off)[0])
    where = ", ".join(map(str, at))
    count = int(np.count_nonzero(off))
    return (
        f"wrong values: {name}[{where}] = {got[at]}, expected {plain[at]};"
        f" {count} of {got.size} elements are wrong"
    )


def _bounded(wanted: Any, got: Array, tolerance: float | None) -> Bounded:
    if isinstance(wanted, Tracked):
        value, error = _shaped(wanted.value, got), _shaped(np.array(wanted.error), got)
    else:
        value, error = _shaped(np.asarray(wanted, np.float64), got), np.zeros(())
    if tolerance is None:
        return rounded(value, error, FORMATS[got.dtype])
    return Bounded(value, tolerance * (1 + np.abs(value)))


def _shaped(wanted: np.ndarray[Any, Any], got: Array) -> np.ndarray[Any, Any]:
    """`wanted` in the shape of the output: spread out, or the same elements in another shape."""
    if wanted.size == got.size:
        return wanted.reshape(got.shape)
    return np.broadcast_to(wanted, got.shape)


def _scalars(verdict: FileVerdict) -> dict[str, Any]:
    """Scalars of the launch; those that are no Python number (`{1, 2}`, `3f`) as far as they are one."""
    found = {}
    for name, value in verdict.scalars.items():
        if not isinstance(value, str):
            found[name] = value
            continue
        text = re.sub(r"(?<=[\d.])[fFuUlL]+\Z", "", value)
        try:
            found[name] = ast.literal_eval(text.replace("{", "(").replace("}", ")"))
        except (ValueError, SyntaxError):
            found[name] = value == "true" if value in ("true", "false") else value
    return found


def _constants(file: CorpusFile, verdict: FileVerdict) -> Mapping[str, Any]:
    if verdict.tree is not Tree.ASCENDC:
        return inspect(file.text).constants
    found: dict[str, Any] = {}
    for match in _CONSTANT.finditer(file.text):
        found[match["name"]] = eval(match["value"].replace("/", "//"), {"__builtins__": {}})
    return found


def _mistake(
    file: CorpusFile, line: HeaderLine, message: str, *, at: str = "", help: str = ""
) -> GenError:
    return GenError([line.mistake("E144", file.path, message, at=at, help=help)])
