"""Arrays that carry, with each value, how far a right kernel may be from it.

NumPy expressions over `Tracked` arrays compute in the number format of their operands, as a kernel does: every operation
rounds once, exact operations on exact operands stay exact, and a sum of products is accumulated in float32 in any order
(`gen.check.bounds`; the bound of a sum is that of Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., 4.2).
What has no rule of its own is computed on the values alone and yields a plain array.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gen.check.bounds import Bounded, function, rounded
from gen.check.formats import F64, numpy_dtype, round_to, unit_roundoff
from gen.spec import DType

FORMATS: dict[np.dtype[Any], DType] = {numpy_dtype(d): d for d in DType}
_FUNCTIONS: dict[Any, tuple[str, Callable[[F64], F64]]] = {
    np.exp: ("exp", np.exp),
    np.log: ("log", np.log),
}
_MOVES = frozenset(
    {
        np.reshape,
        np.transpose,
        np.concatenate,
        np.stack,
        np.vstack,
        np.hstack,
        np.tile,
        np.repeat,
        np.pad,
        np.roll,
        np.flip,
        np.broadcast_to,
        np.expand_dims,
        np.squeeze,
        np.ravel,
        np.take,
        np.where,
        np.swapaxes,
        np.moveaxis,
        np.split,
    }
)


class Tracked(np.lib.mixins.NDArrayOperatorsMixin):
    """`value` in float64, exactly representable in `dtype`; `error` is the largest permitted difference."""

    def __init__(self, value: F64, error: F64, dtype: DType) -> None:
        self.value = np.asarray(value)
        # A bound on one number may come as an array of one element.
        bound = error.reshape(self.value.shape) if error.size == self.value.size else error
        self.error = np.broadcast_to(bound, self.value.shape)
        self.format = dtype

    @property
    def bounded(self) -> Bounded:
        """As `gen.check` compares it."""
        return Bounded(self.value, self.error)

    # ---- what an array has -------------------------------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, ...]:
        """Extents."""
        return self.value.shape

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return self.value.ndim

    @property
    def size(self) -> int:
        """Number of elements."""
        return self.value.size

    @property
    def dtype(self) -> np.dtype[Any]:
        """Number format."""
        return numpy_dtype(self.format)

    @property
    def T(self) -> Tracked:  # noqa: N802  NumPy's name
        """Axes reversed."""
        return self._moved(lambda a: a.T)

    def __len__(self) -> int:
        return len(self.value)

    def __getitem__(self, index: Any) -> Tracked:
        return self._moved(lambda a: a[index])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        made = self.value.astype(self.dtype)
        return made if dtype is None else made.astype(dtype)

    def reshape(self, *shape: Any) -> Tracked:
        """As NumPy's."""
        return self._moved(lambda a: a.reshape(*shape))

    def ravel(self) -> Tracked:
        """As NumPy's."""
        return self._moved(lambda a: a.ravel())

    flatten = ravel

    def transpose(self, *axes: Any) -> Tracked:
        """As NumPy's."""
        return self._moved(lambda a: a.transpose(*axes))

    def repeat(self, *how: Any, **more: Any) -> Tracked:
        """As NumPy's."""
        return self._moved(lambda a: a.repeat(*how, **more))

    def view(self, dtype: Any) -> np.ndarray[Any, Any]:
        """The bits of the values, without their bounds."""
        return np.ascontiguousarray(np.asarray(self)).view(dtype)

    def astype(self, dtype: Any) -> Any:
        """Rounded to another number format; a plain array for one that has no fractions."""
        wanted = np.dtype(dtype)
        if wanted == np.float64:
            return self._as(DType.FLOAT32)
        return self._as(FORMATS[wanted]) if wanted in FORMATS else np.asarray(self).astype(wanted)

    def sum(self, axis: Any = None, keepdims: bool = False) -> Tracked:
        """Added up in any order."""
        count = self.value.size / max(self.value.sum(axis=axis).size, 1)
        value = self.value.sum(axis=axis, keepdims=keepdims)
        magnitude = np.abs(self.value).sum(axis=axis, keepdims=keepdims)
        error = self.error.sum(axis=axis, keepdims=keepdims)
        return self._of(value, error + _spread(count, self.format) * magnitude)

    def mean(self, axis: Any = None, keepdims: bool = False) -> Tracked:
        """The sum, divided by how many there are."""
        total = self.sum(axis, keepdims)
        made: Tracked = total / (self.value.size / max(total.value.size, 1))
        return made

    def max(self, axis: Any = None, keepdims: bool = False) -> Tracked:
        """Largest elements."""
        return self._of(
            self.value.max(axis=axis, keepdims=keepdims),
            self.error.max(axis=axis, keepdims=keepdims),
        )

    def min(self, axis: Any = None, keepdims: bool = False) -> Tracked:
        """Smallest elements."""
        return self._of(
            self.value.min(axis=axis, keepdims=keepdims),
            self.error.max(axis=axis, keepdims=keepdims),
        )

    def __getattr__(self, name: str) -> Any:
        """What has no rule of its own, computed on the values alone (`argmax`, `cumsum`, `any`)."""
        if name.startswith("_"):
            raise AttributeError(f"'Tracked' object has no attribute '{name}'")
        return getattr(np.asarray(self), name)

    # ---- NumPy's functions -------------------------------------------------------------------------------------

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **more: Any) -> Any:
        if method != "__call__" or more:
            return getattr(ufunc, method)(*map(_plain, inputs), **more)
        if ufunc is np.matmul:
            return _product(*(_tracked(x, self.format) for x in inputs))
        if ufunc in _FUNCTIONS:
            name, f = _FUNCTIONS[ufunc]
            made = function(name, f, self.bounded, self.format)
            return Tracked(made.value, made.error, self.format)
        if ufunc not in _RULES:
            return ufunc(*map(_plain, inputs))
        operands = [_tracked(x, self.format) for x in inputs]
        format_ = _common(operands)
        value = ufunc(*(x.value for x in operands))
        made = rounded(value, np.asarray(_RULES[ufunc](*operands)), format_)
        return Tracked(made.value, made.error, format_)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if func in _METHODS:
            return getattr(args[0], _METHODS[func])(*args[1:], **kwargs)
        if func in _MOVES:
            first = _first(args)
            values = func(*_each(args, lambda x: x.value), **kwargs)
            errors = func(*_each(args, lambda x: x.error, plain=np.zeros_like), **kwargs)
            if isinstance(values, list):
                return [Tracked(v, e, first.format) for v, e in zip(values, errors, strict=True)]
            return Tracked(values, errors, first.format)
        return func(*_each(args, _plain), **kwargs)

    # ---- inside ------------------------------------------------------------------------------------------------

    def _moved(self, move: Callable[[Any], Any]) -> Tracked:
        return Tracked(np.asarray(move(self.value)), np.asarray(move(self.error)), self.format)

    def _of(self, value: Any, error: Any) -> Tracked:
        made = rounded(np.asarray(value), np.asarray(error), self.format)
        return Tracked(made.value, made.error, self.format)

    def _as(self, wanted: DType) -> Tracked:
        made = rounded(self.value, self.error, wanted)
        return Tracked(made.value, made.error, wanted)


def track(array: np.ndarray[Any, Any]) -> Any:
    """An input: without error. A plain array where the format is none of a kernel's floating-point formats."""
    if array.dtype not in FORMATS:
        return array
    return Tracked(array.astype(np.float64), np.zeros(()), FORMATS[array.dtype])


def _spread(count: float, dtype: DType) -> float:
    """Relative error of a sum of `count` terms, whose partial sums are rounded to `dtype` (at most float32)."""
    unit = unit_roundoff(dtype)
    return (count - 1) * unit / (1 - (count - 1) * unit) if count * unit < 1 else np.inf


def _product(a: Tracked, b: Tracked) -> Tracked:
    """A sum of products, exact each, accumulated in float32."""
    value, magnitude = a.value @ b.value, np.abs(a.value) @ np.abs(b.value)
    error = a.error @ np.abs(b.value) + np.abs(a.value) @ b.error + a.error @ b.error
    error = error + _spread(a.value.shape[-1], DType.FLOAT32) * magnitude
    made = rounded(value, error, DType.FLOAT32)
    return Tracked(made.value, made.error, DType.FLOAT32)


def _quotient(a: Tracked, b: Tracked) -> Any:
    with np.errstate(divide="ignore", invalid="ignore"):
        size = np.abs(b.value)
        spread = (np.abs(a.value) * b.error + size * a.error) / (size * (size - b.error))
    return np.where((a.error == 0) & (b.error == 0), 0.0, spread)


def _root(x: Tracked) -> Any:
    low = np.sqrt(np.maximum(x.value - x.error, 0.0))
    return np.where(x.error > 0, np.sqrt(x.value) - low, 0.0)


_RULES: dict[Any, Callable[..., Any]] = {
    np.add: lambda a, b: a.error + b.error,
    np.subtract: lambda a, b: a.error + b.error,
    np.multiply: lambda a, b: np.abs(a.value) * b.error
    + np.abs(b.value) * a.error
    + a.error * b.error,
    np.true_divide: _quotient,
    np.maximum: lambda a, b: np.maximum(a.error, b.error),
    np.minimum: lambda a, b: np.maximum(a.error, b.error),
    np.negative: lambda a: a.error,
    np.positive: lambda a: a.error,
    np.absolute: lambda a: a.error,
    np.sqrt: _root,
}
_METHODS: dict[Any, str] = {np.sum: "sum", np.mean: "mean", np.max: "max", np.min: "min"}


def _plain(x: Any) -> Any:
    return np.asarray(x) if isinstance(x, Tracked) else x


def _tracked(x: Any, otherwise: DType) -> Tracked:
    """An operand; numbers and plain arrays take the format of what they meet."""
    if isinstance(x, Tracked):
        return x
    array = np.asarray(x)
    own = FORMATS.get(array.dtype, otherwise) if array.ndim else otherwise
    return Tracked(round_to(array.astype(np.float64), own), np.zeros(()), own)


def _common(operands: list[Tracked]) -> DType:
    """The format that the result of an operation has: float32 where the operands' formats differ."""
    formats = {x.format for x in operands}
    return formats.pop() if len(formats) == 1 else DType.FLOAT32


def _each(args: Any, of: Callable[[Any], Any], plain: Callable[[Any], Any] | None = None) -> Any:
    """Arguments, also those in lists, with every tracked array replaced."""

    def one(x: Any) -> Any:
        if isinstance(x, Tracked):
            return of(x)
        if isinstance(x, list | tuple):
            return type(x)(map(one, x))
        return (
            plain(x)
            if plain is not None and isinstance(x, np.ndarray) and x.dtype.kind == "f"
            else x
        )

    return tuple(one(x) for x in args)


def _first(args: Any) -> Tracked:
    for x in args:
        if isinstance(x, Tracked):
            return x
        if isinstance(x, list | tuple) and any(isinstance(y, Tracked) for y in x):
            return _first(x)
    raise TypeError("no tracked array")
