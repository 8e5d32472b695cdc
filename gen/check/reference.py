"""What a spec means: float64 NumPy, one function a kind, without tiles, trees or chips."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gen.check.bounds import NO_ERROR, Bounded, exact, function, rounded
from gen.check.formats import EXACT_FLOAT32, F64, Array, round_to, to_float64, ulp, unit_roundoff
from gen.spec import DType, ElementwiseSpec, GemmSpec, NormSpec, Spec
from gen.spec.expr import Binary, Const, Expr, Input, Unary

F32 = DType.FLOAT32


def reference(spec: Spec, inputs: Mapping[str, Array]) -> dict[str, Bounded]:
    """Outputs by name, rounded to the output's dtype, each with the bound that a kernel has to meet."""
    with np.errstate(all="ignore"):
        if isinstance(spec, ElementwiseSpec):
            return _elementwise(spec, inputs)
        if isinstance(spec, GemmSpec):
            return {"C": _gemm(spec, inputs)}
        return {"y": _rms_norm(spec, inputs)}


def _store(x: Bounded, dtype: DType, compute: DType) -> Bounded:
    if dtype is compute:
        return x
    return rounded(x.value, x.error, dtype)


# ---- elementwise -----------------------------------------------------------------------------------------------------


CHUNK = 1 << 15
"""Elements evaluated at a time: the temporaries of an expression stay in the cache."""


def _elementwise(spec: ElementwiseSpec, inputs: Mapping[str, Array]) -> dict[str, Bounded]:
    flat = {name: array.ravel() for name, array in inputs.items()}
    value = np.empty(spec.elements)
    error: F64 | None = None
    for start in range(0, spec.elements, CHUNK):
        part = slice(start, start + CHUNK)
        values = {n: exact(round_to(to_float64(a[part]), spec.compute)) for n, a in flat.items()}
        result = _store(_evaluate(spec.expr, values, spec.compute), spec.output.dtype, spec.compute)
        value[part] = result.value
        if result.error.any():
            error = np.zeros(spec.elements) if error is None else error
            error[part] = result.error
    bound = NO_ERROR if error is None else error.reshape(spec.shape)
    return {spec.output.name: Bounded(value.reshape(spec.shape), bound)}


def _evaluate(node: Expr, values: Mapping[str, Bounded], dtype: DType) -> Bounded:
    match node:
        case Const(value):
            return exact(round_to(np.array([value]), dtype))
        case Input(name):
            return values[name]
        case Unary(op, x):
            return _unary(op, _evaluate(x, values, dtype), dtype)
        case Binary(op, x, y):
            return _binary(op, _evaluate(x, values, dtype), _evaluate(y, values, dtype), dtype)
    raise TypeError(f"not an expression: {node!r}")


def _unary(op: str, x: Bounded, dtype: DType) -> Bounded:
    match op:
        case "neg":
            return Bounded(-x.value, x.error)
        case "abs":
            return Bounded(np.abs(x.value), x.error)
        case "relu":
            return Bounded(np.maximum(x.value, 0.0), x.error)
        case "sqrt":
            low = np.sqrt(np.maximum(x.value - x.error, 0.0))
            spread = np.where(x.error > 0, np.sqrt(x.value + x.error) - low, 0.0)
            return rounded(np.sqrt(x.value), spread, dtype)
        case "exp":
            return function("exp", np.exp, x, dtype)
        case "log":
            return function("log", np.log, x, dtype)
        case "sigmoid":
            return function("sigmoid", _sigmoid, x, dtype)
    raise TypeError(f"not a function of specs: {op}")


def _sigmoid(x: F64) -> F64:
    return np.asarray(1.0 / (1.0 + np.exp(-x)), dtype=np.float64)


def _binary(op: str, x: Bounded, y: Bounded, dtype: DType) -> Bounded:
    a, b, ea, eb = x.value, y.value, x.error, y.error
    match op:
        case "add":
            return rounded(a + b, ea + eb, dtype)
        case "sub":
            return rounded(a - b, ea + eb, dtype)
        case "mul":
            return rounded(a * b, np.abs(a) * eb + np.abs(b) * ea + ea * eb, dtype)
        case "div":
            closest = np.maximum(np.abs(b) - eb, 0.0)
            spread = np.where((ea > 0) | (eb > 0), (ea + np.abs(a / b) * eb) / closest, 0.0)
            return rounded(a / b, spread, dtype)
        case "max":
            return Bounded(np.maximum(a, b), np.maximum(ea, eb))
        case "min":
            return Bounded(np.minimum(a, b), np.maximum(ea, eb))
    raise TypeError(f"not an operation of specs: {op}")


# ---- GEMM ------------------------------------------------------------------------------------------------------------


def _gemm(spec: GemmSpec, inputs: Mapping[str, Array]) -> Bounded:
    a, b = to_float64(inputs["A"]), to_float64(inputs["B"])
    if spec.transpose_b:
        b = b.T
    if _sums_are_exact(a, b, spec.k):
        return Bounded(round_to(a @ b, spec.c), NO_ERROR)
    return _store_sum(a @ b, gamma(spec.k + 1) * (np.abs(a) @ np.abs(b)), spec.c)


def _sums_are_exact(a: F64, b: F64, k: int) -> bool:
    """Whether every partial sum is an integer that float32 holds, whatever the order."""
    largest = k * float(np.abs(a).max()) * float(np.abs(b).max())
    return largest <= EXACT_FLOAT32 and not (a % 1).any() and not (b % 1).any()


def gamma(n: int) -> float:
    """Bound on the relative error of a float32 sum of n terms in any order (Higham, lemma 3.1): n u / (1 - n u)."""
    nu = n * unit_roundoff(F32)
    return nu / (1.0 - nu)


def _store_sum(value: F64, error: F64, dtype: DType) -> Bounded:
    half_ulp = 0.5 * ulp(np.abs(value) + error, dtype)
    return Bounded(value, error + half_ulp)


# ---- norms -----------------------------------------------------------------------------------------------------------


def _rms_norm(spec: NormSpec, inputs: Mapping[str, Array]) -> Bounded:
    """y = x / sqrt(mean(x^2) + eps) * w.

    The mean of squares has only terms of one sign, so its relative error is that of the sum, gamma(cols + 1), of the
    division and of adding eps; the square root halves it. Then come a square root, a division (or a reciprocal and a
    product, or rsqrt within 2 ulp) and two products.
    """
    weight = to_float64(inputs["weight"]) if spec.weight else 1.0
    relative = 0.5 * gamma(spec.cols + 3) + gamma(6)
    value, error = np.empty((spec.rows, spec.cols)), np.empty((spec.rows, spec.cols))
    step = max(1, CHUNK // spec.cols)
    for start in range(0, spec.rows, step):
        rows = slice(start, start + step)
        x = to_float64(inputs["x"][rows])
        y = x / np.sqrt(np.mean(x * x, axis=1, keepdims=True) + spec.eps) * weight
        result = _store_sum(y, relative * np.abs(y), spec.dtype)
        value[rows], error[rows] = result.value, result.error
    return Bounded(value, error)
