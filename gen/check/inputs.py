"""Seeded inputs of a spec: random, never constant, never the same along rows and columns."""

from __future__ import annotations

import numpy as np

from gen.check.formats import Array, numpy_dtype
from gen.spec import ElementwiseSpec, GemmSpec, Spec


def make_inputs(spec: Spec, seed: int | None = None) -> dict[str, Array]:
    """Input arrays by name. The same spec and seed give the same bytes on every machine (PCG64).

    Values are standard normal with a slow drift along rows and columns, so that two tiles or two transposed tiles
    that are mixed up differ by much more than a rounding.
    """
    rng = np.random.Generator(np.random.PCG64(spec.seed if seed is None else seed))
    if isinstance(spec, ElementwiseSpec):
        return {
            t.name: _drifting(rng, spec.shape).astype(numpy_dtype(t.dtype)) for t in spec.inputs
        }
    if isinstance(spec, GemmSpec):
        b_shape = (spec.n, spec.k) if spec.transpose_b else (spec.k, spec.n)
        return {
            "A": _drifting(rng, (spec.m, spec.k)).astype(numpy_dtype(spec.a)),
            "B": _drifting(rng, b_shape).astype(numpy_dtype(spec.b)),
        }
    made = {"x": _drifting(rng, (spec.rows, spec.cols)).astype(numpy_dtype(spec.dtype))}
    if spec.weight:
        made["weight"] = (1.0 + 0.25 * rng.standard_normal(spec.cols)).astype(
            numpy_dtype(spec.dtype)
        )
    return made


def _drifting(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    values = rng.standard_normal(shape, dtype=np.float32)
    for axis, extent in enumerate(shape):
        drift = np.linspace(-0.5, 0.5 + 0.25 * axis, extent, dtype=np.float32)
        values += drift.reshape([-1 if i == axis else 1 for i in range(len(shape))])
    return values
