"""Seeded inputs of a spec: random, never constant, never the same along rows and columns."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gen.check.formats import EXACT_FLOAT32, Array, numpy_dtype
from gen.spec import DType, ElementwiseSpec, GemmSpec, NormSpec, Spec

LARGEST_INTEGER = 63
"""Keeps six bits: exact in every input format, and sums of products that float16 cannot hold."""


def make_inputs(spec: Spec, seed: int | None = None) -> dict[str, Array]:
    """The first of `input_sets`: random numbers."""
    return input_sets(spec, seed)[0]


def input_sets(spec: Spec, seed: int | None = None) -> tuple[dict[str, Array], ...]:
    """Sets of input arrays by name; a kernel has to be right on each.

    The same spec and seed give the same bytes on every machine (PCG64). Values are standard normal with a slow drift
    along rows and columns, so that tiles that are mixed up or transposed differ by much more than a rounding. What a
    bound on the rounding errors of a long sum would hide has inputs of its own: a GEMM is also run on integers whose
    sums are exact, and each row of a norm has one element as heavy as all others.
    """
    rng = np.random.Generator(np.random.PCG64(spec.seed if seed is None else seed))
    if isinstance(spec, ElementwiseSpec):
        return ({t.name: _drifting(rng, spec.shape, t.dtype) for t in spec.inputs},)
    if isinstance(spec, GemmSpec):
        return _gemm(rng, spec)
    made = {"x": _peaked(rng, spec)}
    if spec.weight:
        weight = 1.0 + 0.25 * rng.standard_normal(spec.cols)
        made["weight"] = weight.astype(numpy_dtype(spec.dtype))
    return (made,)


def _gemm(rng: np.random.Generator, spec: GemmSpec) -> tuple[dict[str, Array], ...]:
    shapes = {
        "A": (spec.m, spec.k),
        "B": (spec.n, spec.k) if spec.transpose_b else (spec.k, spec.n),
    }
    random = {name: _drifting(rng, shape, spec.a) for name, shape in shapes.items()}
    largest = min(LARGEST_INTEGER, int((EXACT_FLOAT32 / spec.k) ** 0.5))
    if largest < 1:
        return (random,)
    integers = {
        name: rng.integers(-largest, largest, shape, endpoint=True).astype(numpy_dtype(spec.a))
        for name, shape in shapes.items()
    }
    return random, integers


def _peaked(rng: np.random.Generator, spec: NormSpec) -> Array:
    """Rows whose mean of squares is half due to one element: the last in the first row, then others."""
    values = drift(rng, (spec.rows, spec.cols))
    rows = np.arange(spec.rows)
    values[rows, (spec.cols - 1 - 37 * rows) % spec.cols] = np.sqrt(spec.cols)
    return values.astype(numpy_dtype(spec.dtype))


def _drifting(rng: np.random.Generator, shape: tuple[int, ...], dtype: DType) -> Array:
    return drift(rng, shape).astype(numpy_dtype(dtype))


def drift(rng: np.random.Generator, shape: tuple[int, ...]) -> npt.NDArray[np.float32]:
    """Standard normal values that drift along every axis."""
    values = rng.standard_normal(shape, dtype=np.float32)
    for axis, extent in enumerate(shape):
        drift = np.linspace(-0.5, 0.5 + 0.25 * axis, extent, dtype=np.float32)
        values += drift.reshape([-1 if i == axis else 1 for i in range(len(shape))])
    return values
