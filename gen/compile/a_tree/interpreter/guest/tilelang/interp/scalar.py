"""Numbers of a core that are not whole: floats, and what memory holds."""

from __future__ import annotations

import operator
import struct
from typing import Any

from .bits import PLAIN as BITS
from .bits import BitOperators
from .expression import Condition, Expression, Opaque
from .lanes import Node
from .refusal import RefusalError
from .session import session

PLAIN = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
}
FLOATS = ("float32", "float16", "bfloat16")
WIDTHS = {"int8": 8, "uint8": 8, "int16": 16, "uint16": 16, "int32": 32, "uint32": 32}
WIDTHS |= {"int64": 64, "uint64": 64}
PROMOTED = dict.fromkeys(("int8", "uint8", "int16", "uint16"), "int32")
"""What C++ computes narrow integers in."""


def rounded(value: float) -> float:
    """To float32, as the C++ of the compiler computes."""
    try:
        return float(struct.unpack("f", struct.pack("f", value))[0])
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def printed(value: float) -> float:
    """A constant as the compiler prints it: float32, with seven digits."""
    return rounded(float(f"{value:.6e}"))


class ScalarOperators(BitOperators):
    """Operators of what stands for one number of a core: `number()` reads it."""

    def number(self) -> Any:
        """What the operators work on."""
        return self

    def __add__(self, other: Any) -> Any:
        return combined("add", self, other)

    def __radd__(self, other: Any) -> Any:
        return combined("add", other, self)

    def __sub__(self, other: Any) -> Any:
        return combined("sub", self, other)

    def __rsub__(self, other: Any) -> Any:
        return combined("sub", other, self)

    def __mul__(self, other: Any) -> Any:
        return combined("mul", self, other)

    def __rmul__(self, other: Any) -> Any:
        return combined("mul", other, self)

    def __truediv__(self, other: Any) -> Any:
        return combined("div", self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return combined("div", other, self)

    def __floordiv__(self, other: Any) -> Any:
        return quotient(self, other)

    def __rfloordiv__(self, other: Any) -> Any:
        return quotient(other, self)

    def __mod__(self, other: Any) -> Any:
        return rest(self, other)

    def __rmod__(self, other: Any) -> Any:
        return rest(other, self)

    def __neg__(self) -> Any:
        return combined("sub", 0, self)

    def bits(self, name: str, left: Any, right: Any) -> Any:
        """As BitOperators has it."""
        if session().lanes is not None:
            return Node("bits", left, right)
        return _as_int32(BITS[name](whole(left), whole(right)))

    def __lt__(self, other: Any) -> Any:
        return plain(self) < plain(other)

    def __le__(self, other: Any) -> Any:
        return plain(self) <= plain(other)

    def __gt__(self, other: Any) -> Any:
        return plain(self) > plain(other)

    def __ge__(self, other: Any) -> Any:
        return plain(self) >= plain(other)

    def __eq__(self, other: object) -> Any:
        return plain(self) == plain(other)

    def __ne__(self, other: object) -> Any:
        return plain(self) != plain(other)

    __hash__ = object.__hash__

    def __bool__(self) -> bool:
        return bool(plain(self))

    def __index__(self) -> int:
        return int(whole(self))


class Reading(ScalarOperators):
    """A number that the core reads, or computes from what it reads, while it runs."""

    def __init__(self, core: Any, register: Any, dtype: str) -> None:
        self.core = core
        self.register = register
        self.dtype = dtype
        self.named = False
        """Whether it is a variable of the kernel: then it is read once."""

    def value(self) -> Any:
        """The number itself; the recorder must run with the kernel for it."""
        return self.core.value(self.register)


class Float(float):
    """A float32 of a core: every operation rounds."""

    dtype = "float32"

    def __add__(self, other: Any) -> Any:
        return _rounded(float.__add__(self, _float(other)))

    def __sub__(self, other: Any) -> Any:
        return _rounded(float.__sub__(self, _float(other)))

    def __rsub__(self, other: Any) -> Any:
        return _rounded(float.__rsub__(self, _float(other)))

    def __mul__(self, other: Any) -> Any:
        return _rounded(float.__mul__(self, _float(other)))

    def __truediv__(self, other: Any) -> Any:
        return _rounded(float.__truediv__(self, _float(other)))

    def __rtruediv__(self, other: Any) -> Any:
        return _rounded(float.__rtruediv__(self, _float(other)))

    def __neg__(self) -> Float:
        return Float(float.__neg__(self))

    __radd__ = __add__
    __rmul__ = __mul__


def _float(other: Any) -> Any:
    return printed(other) if type(other) is float else other


def _rounded(value: Any) -> Any:
    return value if value is NotImplemented else Float(rounded(value))


def _as_int32(value: Any) -> Any:
    return (value + (1 << 31)) % (1 << 32) - (1 << 31) if type(value) is int else value


def quotient(left: Any, right: Any) -> Any:
    """`//` of numbers of which one is read from memory: the C++ rounds towards 0."""
    if session().lanes is not None:
        return Node("quotient", left, right)
    left, right = number(left), number(right)
    if session().plan is not None or not _integers(left, right):
        return whole(left) // whole(right)
    return _computed("div", _common(left, right), left, right)


def rest(left: Any, right: Any) -> Any:
    """`%` of such numbers: with the sign of `left`."""
    if session().lanes is not None:
        return Node("rest", left, right)
    left, right = number(left), number(right)
    if session().plan is not None or not _integers(left, right):
        return whole(left) % whole(right)
    dtype = _common(left, right)
    whole_parts = _computed("mul", dtype, _computed("div", dtype, left, right), right)
    return _computed("sub", dtype, left, whole_parts)


def _integers(*values: Any) -> bool:
    """Whether all are, and a core has to read one."""
    whole_ones = all(type(n) is int or getattr(n, "dtype", "") in WIDTHS for n in values)
    return whole_ones and any(isinstance(n, Reading) for n in values)


def number(value: Any) -> Any:
    """A number that an operation takes: elements are read, extents of the call are ints, whatever else stays."""
    if isinstance(value, ScalarOperators):
        return value.number()
    if isinstance(value, Expression) and session().core is not None:
        # In T.Parallel there are numbers of the lanes, too.
        return value.of_call() if hasattr(value, "of_call") else value
    return value


def plain(value: Any) -> Any:
    """A number that Python can compare."""
    value = number(value)
    if isinstance(value, Reading):
        return value.value()
    if isinstance(value, ScalarOperators):
        # In T.Parallel: element by element, then.
        session().lanes.plain = False
        return Opaque(str(getattr(value, "dtype", "float32")))
    return value


def whole(value: Any) -> Any:
    """An integer that Python can index with."""
    value = plain(value)
    if isinstance(value, float):
        raise RefusalError(
            "an index is an integer, not a float", "convert it with T.cast(x, 'int32')"
        )
    return value


def dtype_of(value: Any) -> str:
    """The type that the compiler gives it."""
    if isinstance(value, float):
        return "float32"
    return "int32" if isinstance(value, int) else str(getattr(value, "dtype", ""))


def combined(operation: str, left: Any, right: Any) -> Any:
    """`add`, `sub`, `mul` or `div` of two numbers of which one is read from memory."""
    if session().lanes is not None:
        return Node(operation, left, right)
    left, right = number(left), number(right)
    dtype = _quotient_type(left, right) if operation == "div" else _common(left, right)
    operation, right = _folded(operation, right, dtype)
    readings = [n for n in (left, right) if isinstance(n, Reading)]
    if not readings and all(isinstance(n, int | Expression) for n in (left, right)):
        return PLAIN[operation](left, right)
    if not readings:
        # The plan: nothing is read.
        return Opaque(dtype)
    return _computed(operation, dtype, left, right)


def _computed(operation: str, dtype: str, left: Any, right: Any) -> Reading:
    core = session().core
    operands = [n.register if isinstance(n, Reading) else _literal(n) for n in (left, right)]
    return Reading(core, core.compute(operation, PROMOTED.get(dtype, dtype), *operands), dtype)


def _folded(operation: str, right: Any, dtype: str) -> tuple[str, Any]:
    """A division by a constant is a product with what the compiler computes, and prints with seven digits."""
    if operation != "div" or dtype != "float32":
        return operation, right
    now = session()
    if now.plan is not None:
        constant = isinstance(right, Expression) and not right.terms
        now.plan.note("divisor", isinstance(right, int | float) or constant)
        return operation, right
    if not isinstance(right, int | float) or not right or not now.core.known("divisor"):
        return operation, right
    return "mul", 1.0 / right


def _literal(value: Any) -> Any:
    return printed(value) if type(value) is float else value


def _quotient_type(left: Any, right: Any) -> str:
    dtype = _common(left, right)
    return dtype if dtype in FLOATS else "float32"


def _common(left: Any, right: Any) -> str:
    """The type of the result. A whole Python number takes the type of the other side, any other is a float32."""
    literal = (int, float)
    typed = [
        dtype_of(n) for n in (left, right) if not isinstance(n, literal) or isinstance(n, Float)
    ]
    if any(isinstance(n, Expression) for n in (left, right)) and len(set(typed)) > 1:
        typed = [t for t in typed if t in FLOATS] or typed
    if "float32" in typed or any(type(n) is float for n in (left, right)):
        return "float32"
    floats = [t for t in typed if t in FLOATS]
    return (floats or sorted(typed, key=lambda t: -WIDTHS.get(t, 0)) or ["int32"])[0]


__all__ = [
    "Condition",
    "Float",
    "Reading",
    "ScalarOperators",
    "combined",
    "dtype_of",
    "number",
    "printed",
]
