"""Integers that only a running core knows: what is known of them before.

The plan of a kernel runs its body once with these in place of loop variables and core numbers. An expression is a sum
of terms with constant factors, so that differences of equal parts vanish, with the range that its value lies in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import Any

from .bits import PLAIN, BitOperators
from .refusal import RefusalError
from .session import session

NAMED = "named"
"""First in the key of a number that has a name."""
ANY = -1
"""The number of a name that cannot be told."""
Bound = float
"""An int, or plus or minus infinity."""


@dataclass(frozen=True, slots=True)
class Atom:
    """A term: a variable, or an operation that is no sum. Atoms with equal keys have equal values."""

    key: Any
    low: Bound = -inf
    high: Bound = inf


class Condition:
    """A comparison of such numbers: `truth` where their ranges decide it, else None.

    `test` says what it compares: (an operator, a number that is compared with 0), or "and", "or" or "not" with other
    conditions. None where it compares anything else.
    """

    def __init__(self, truth: bool | None, test: tuple[Any, ...] | None = None) -> None:
        self.truth = truth
        self.test = test

    def __bool__(self) -> bool:
        raise undecided()

    def __and__(self, other: Any) -> Any:
        return of_bits("&", self, other) if _counts(other) else both(self, other)

    def __or__(self, other: Any) -> Any:
        return of_bits("|", self, other) if _counts(other) else either(self, other)

    def __xor__(self, other: Any) -> Any:
        return of_bits("^", self, other)

    def __rand__(self, other: Any) -> Any:
        return of_bits("&", other, self)

    def __ror__(self, other: Any) -> Any:
        return of_bits("|", other, self)

    def __rxor__(self, other: Any) -> Any:
        return of_bits("^", other, self)


def _counts(value: Any) -> bool:
    """Whether it is an integer, and no condition."""
    return isinstance(value, int | Expression) and not isinstance(value, bool)


def undecided() -> RefusalError:
    """For a place where Python itself needs the truth of a condition of a core."""
    return RefusalError(
        "Python would decide this condition while the kernel is compiled, when no core has its value",
        "write `if` as a statement of the kernel, or T.if_then_else in an index",
    )


def truth(value: Any) -> bool | None:
    """What is known of a condition before a core runs."""
    if isinstance(value, Condition):
        return value.truth
    if isinstance(value, Expression):
        return None if value.low <= 0 <= value.high and value.value is None else value.value != 0
    if isinstance(value, Opaque):
        return None
    return bool(value)


def both(*values: Any) -> Condition:
    """True where all are."""
    known = [truth(v) for v in values]
    if False in known:
        return Condition(False)
    return Condition(None if None in known else True, ("and", *values))


def either(*values: Any) -> Condition:
    """True where one is."""
    known = [truth(v) for v in values]
    if True in known:
        return Condition(True)
    return Condition(None if None in known else False, ("or", *values))


def negation(value: Any) -> Condition:
    """True where the other is false."""
    known = truth(value)
    return Condition(None if known is None else not known, ("not", value))


class Opaque(BitOperators):
    """A number of which nothing is known before a core runs: a float, or what memory holds."""

    def __init__(self, dtype: str) -> None:
        self.dtype = dtype
        self.name: int | None = None
        """The number of its name, where it has one."""

    def _with(self, other: Any) -> Opaque:
        del other
        return Opaque(self.dtype)

    def bits(self, name: str, left: Any, right: Any) -> Any:
        """As BitOperators has it."""
        return of_bits(name, left, right)

    def _compared(self, other: Any) -> Condition:
        del other
        return Condition(None)

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _with
    __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = _with

    def __truediv__(self, other: Any) -> Opaque:
        plan = session().plan
        if plan is not None and self.dtype == "float32":
            # Of a constant the compiler makes a factor.
            known = isinstance(other, Expression) and not other.terms
            plan.note("divisor", isinstance(other, int | float) or known)
        return Opaque(self.dtype)

    __lt__ = __le__ = __gt__ = __ge__ = _compared

    def __eq__(self, other: object) -> Condition:  # type: ignore[override]
        return self._compared(other)

    def __ne__(self, other: object) -> Condition:  # type: ignore[override]
        return self._compared(other)

    __hash__ = object.__hash__

    def __neg__(self) -> Opaque:
        return Opaque(self.dtype)

    def __bool__(self) -> bool:
        raise undecided()

    def __index__(self) -> int:
        raise not_known()

    __int__ = __index__
    __float__ = __index__


def not_known() -> RefusalError:
    """For a place where Python needs a number of a core."""
    return RefusalError(
        "Python needs this number while the kernel is compiled, when no core has it",
        "compute sizes and Python loops from constants; `T.serial` takes numbers of a core",
    )


class Expression(BitOperators):
    """An integer that only a core knows."""

    dtype = "int32"

    def __init__(self, terms: Mapping[Atom, int], constant: int = 0) -> None:
        self.terms = {atom: n for atom, n in terms.items() if n}
        self.constant = constant
        low = high = float(constant) if not self.terms else constant
        for atom, n in self.terms.items():
            ends = (n * atom.low, n * atom.high)
            low, high = low + min(ends), high + max(ends)
        self.low: Bound = low
        self.high: Bound = high

    @property
    def value(self) -> int | None:
        """The number itself, where only one is possible."""
        return int(self.low) if self.low == self.high else None

    @property
    def key(self) -> Any:
        """Equal for equal expressions."""
        return (frozenset(self.terms.items()), self.constant)

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, int | Expression):
            return _mixed(other)
        return self._sum(other, 1)

    def __sub__(self, other: Any) -> Any:
        if not isinstance(other, int | Expression):
            return _mixed(other)
        return self._sum(other, -1)

    __radd__ = __add__

    def __rsub__(self, other: Any) -> Any:
        return self * -1 + other

    def __neg__(self) -> Any:
        return self * -1

    def _sum(self, other: int | Expression, factor: int) -> Expression:
        if isinstance(other, int):
            return Expression(self.terms, self.constant + factor * int(other))
        terms = dict(self.terms)
        for atom, n in other.terms.items():
            terms[atom] = terms.get(atom, 0) + factor * n
        return Expression(terms, self.constant + factor * other.constant)

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, Expression) and other.value is not None:
            other = other.value
        if isinstance(other, int):
            factor = int(other)
            return Expression(
                {a: n * factor for a, n in self.terms.items()}, self.constant * factor
            )
        if isinstance(other, Expression):
            ends = [_times(a, b) for a in (self.low, self.high) for b in (other.low, other.high)]
            return atom(("*", frozenset((self.key, other.key))), min(ends), max(ends))
        return _mixed(other)

    __rmul__ = __mul__

    def __floordiv__(self, other: Any) -> Any:
        divisor = other.value if isinstance(other, Expression) else other
        if not isinstance(divisor, int):
            return (
                _mixed(other)
                if isinstance(other, float | Opaque)
                else atom(("//", self.key, _key(other)))
            )
        if divisor == 0:
            raise ZeroDivisionError("division by zero")
        return self._divided(int(divisor))

    def _divided(self, divisor: int) -> Any:
        """The parts that are multiples of the divisor leave the division."""
        whole = {a: n // divisor for a, n in self.terms.items() if n % divisor == 0}
        rest = Expression(
            {a: n for a, n in self.terms.items() if n % divisor}, self.constant % divisor
        )
        outside = Expression(whole, self.constant // divisor)
        if rest.low >= 0 and rest.high < abs(divisor):
            return outside
        ends = [_floor(end, divisor) for end in (rest.low, rest.high)]
        return outside + atom(("//", rest.key, divisor), min(ends), max(ends))

    def __mod__(self, other: Any) -> Any:
        divisor = other.value if isinstance(other, Expression) else other
        if not isinstance(divisor, int):
            return (
                _mixed(other)
                if isinstance(other, float | Opaque)
                else atom(("%", self.key, _key(other)))
            )
        quotient = self // int(divisor)
        rest = self - quotient * int(divisor)
        if isinstance(rest, Expression) and not (rest.low >= 0 and rest.high < divisor):
            return atom(("%", self.key, divisor), 0, divisor - 1)
        return rest

    def __rfloordiv__(self, other: Any) -> Any:
        return atom(("//", _key(other), self.key))

    def __rmod__(self, other: Any) -> Any:
        return atom(("%", _key(other), self.key))

    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, int | Expression):
            raise RefusalError(
                "the compiler does not divide integers of a core with `/`",
                "write a // b, or T.cast(a, 'float32') / b",
            )
        return Opaque("float32")

    __rtruediv__ = __truediv__

    def bits(self, name: str, left: Any, right: Any) -> Any:
        """As BitOperators has it."""
        return of_bits(name, left, right)

    def _compare(self, operator: str, other: Any, below: Any, above: Any) -> Condition:
        """`below` and `above` say what follows when the difference lies below and above 0 (or is 0 for both)."""
        if not isinstance(other, int | Expression):
            return Condition(None)
        difference = self - other
        known = _decided(difference.low, difference.high, below, above)
        return Condition(known, (operator, difference))

    def __lt__(self, other: Any) -> Condition:
        return self._compare("<", other, lambda low, high: high < 0, lambda low, high: low >= 0)

    def __le__(self, other: Any) -> Condition:
        return self._compare("<=", other, lambda low, high: high <= 0, lambda low, high: low > 0)

    def __gt__(self, other: Any) -> Condition:
        return self._compare(">", other, lambda low, high: low > 0, lambda low, high: high <= 0)

    def __ge__(self, other: Any) -> Condition:
        return self._compare(">=", other, lambda low, high: low >= 0, lambda low, high: high < 0)

    def __eq__(self, other: object) -> Condition:  # type: ignore[override]
        return self._compare(
            "==", other, lambda low, high: low == high == 0, lambda low, high: not low <= 0 <= high
        )

    def __ne__(self, other: object) -> Condition:  # type: ignore[override]
        return self._compare(
            "!=", other, lambda low, high: not low <= 0 <= high, lambda low, high: low == high == 0
        )

    __hash__ = object.__hash__

    def __bool__(self) -> bool:
        raise undecided()

    def __index__(self) -> int:
        raise not_known()

    __int__ = __index__
    __float__ = __index__


def _decided(low: Bound, high: Bound, yes: Any, no: Any) -> bool | None:
    if yes(low, high):
        return True
    return False if no(low, high) else None


def atom(key: Any, low: Bound = -inf, high: Bound = inf) -> Expression:
    """An expression of one term."""
    return Expression({Atom(key, low, high): 1})


def variable(name: str, low: Bound, high: Bound) -> Expression:
    """A fresh variable of a core."""
    return atom((name, object()), low, high)


WIDE = ("cid", "vid")
"""Names of variables that are 64 bits wide in the C++."""


def wide(value: Any) -> bool:
    """Whether an integer is computed from such variables, so that the C++ has 64 bits for it, too."""
    if isinstance(value, Expression):
        return any(wide(atom.key) for atom in value.terms)
    if isinstance(value, Atom):
        return wide(value.key)
    if isinstance(value, tuple) and len(value) == 2 and value[0] in WIDE:
        return True
    return isinstance(value, tuple | frozenset) and any(map(wide, value))


def unknown(dtype: str) -> Any:
    """A number of which nothing is known."""
    whole = dtype.startswith(("int", "uint"))
    return variable("unknown", -inf, inf) if whole else Opaque(dtype)


def reads(value: Any) -> bool:
    """Whether a number that has no name comes from memory, or from a variable."""
    return isinstance(value, Expression) and any(_from_memory(a) for a in value.terms)


def _from_memory(key: Any) -> bool:
    if isinstance(key, Atom):
        return _from_memory(key.key)
    if isinstance(key, frozenset):
        return any(map(_from_memory, key))
    if not isinstance(key, tuple) or not key or key[0] == NAMED:
        return False
    return key[0] in ("element", "unknown") or any(map(_from_memory, key))


def named(value: Any, number: int) -> Any:
    """A number from memory that has got a name, the `number`th of the kernel: it is read once."""
    if isinstance(value, Expression):
        return atom((NAMED, number), value.low, value.high)
    made = Opaque(value.dtype)
    made.name = number
    return made


def names(value: Any) -> set[int]:
    """The names, by their numbers, that a number is computed from. (A comparison of floats: ANY.)"""
    if isinstance(value, Opaque):
        return set() if value.name is None else {value.name}
    if isinstance(value, Condition):
        parts = [part for part in value.test or () if not isinstance(part, str)]
        return {ANY} if value.test is None else set().union(*map(names, parts))
    return _names(value.key) if isinstance(value, Expression) else set()


def _names(key: Any) -> set[int]:
    if isinstance(key, Atom):
        return _names(key.key)
    if isinstance(key, tuple) and len(key) == 2 and key[0] == NAMED:
        return {key[1]}
    return set().union(*map(_names, key)) if isinstance(key, tuple | frozenset) else set()


class Held(Expression):
    """What a variable of T.alloc_var holds."""


def held(dtype: str) -> Any:
    """The value of such a variable: nothing is known of it."""
    value = unknown(dtype)
    return Held(value.terms) if isinstance(value, Expression) else HeldFloat(dtype)


class HeldFloat(Opaque):
    """The same of floats."""


def constant(value: int) -> Expression:
    """A number that is known, in a variable of the kernel."""
    return Expression({}, value)


class Called(Expression):
    """What the compiler makes a call of: it is no number to some operations, under a name neither."""


class CalledFloat(Opaque):
    """The same of floats, until it has a name."""


def of_bits(name: str, left: Any, right: Any) -> Any:
    """The result of an operator on bits; a condition among integers is 0 or 1. Raises RefusalError for floats."""
    if any(isinstance(value, int | Expression) for value in (left, right)):
        left, right = _of_condition(left), _of_condition(right)
    if not all(isinstance(value, int | Expression) for value in (left, right)):
        raise RefusalError(
            f"`{name}` takes integers, and here is a number of another kind",
            "convert it with T.cast(x, 'int32'); of conditions write T.And(a, b) and T.Or(a, b)",
        )
    known = [static(value) for value in (left, right)]
    if None not in known:
        return constant(PLAIN[name](*known))
    tops = [n for value in (left, right) for n in [_top(value)] if n is not None]
    low, high = (0, min(tops)) if name == "&" and tops else (-inf, inf)
    found = atom((name, _key(left), _key(right)), low, high)
    return Called(found.terms)


def _of_condition(value: Any) -> Any:
    if not isinstance(value, Condition):
        return value
    return atom(("condition", object()), 0, 1) if value.truth is None else int(value.truth)


def _top(value: Any) -> Bound | None:
    """The largest value of a number that is never negative."""
    low, high = (value.low, value.high) if isinstance(value, Expression) else (value, value)
    return high if low >= 0 else None


def _mixed(other: Any) -> Any:
    if isinstance(other, float):
        return Opaque("float32")
    if hasattr(other, "dtype"):
        return Opaque(str(other.dtype))
    return NotImplemented


def _key(value: Any) -> Any:
    return value.key if isinstance(value, Expression) else value


def _times(a: Bound, b: Bound) -> Bound:
    return 0 if 0 in (a, b) else a * b


def _floor(value: Bound, divisor: int) -> Bound:
    return value // divisor if abs(value) != inf else value * (1 if divisor > 0 else -1)


def static(value: Any) -> int | None:
    """The value of a number that is known before a core runs, else None."""
    if isinstance(value, Expression):
        return value.value
    return int(value) if isinstance(value, int) else None
