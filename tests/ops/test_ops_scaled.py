"""Products of operands with a factor for every 32 elements of K, and of sparse ones."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tests.ops.ops_model import Array, Chip, DType, Mmad, Model, Space, assert_same
from tests.ops.test_ops_mmad import l0a, l0b, l0c, read_c, up

E2M1 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])
E1M2 = np.arange(8) * 0.25
CODED = {
    DType.E4M3: np.arange(256, dtype=np.uint8).view(ml_dtypes.float8_e4m3fn).astype(np.float64),
    DType.E5M2: np.arange(256, dtype=np.uint8).view(ml_dtypes.float8_e5m2).astype(np.float64),
    DType.E2M1: np.concatenate([E2M1, -E2M1]),
    DType.E1M2: np.concatenate([E1M2, -E1M2]),
}
SHAPES = [(16, 64, 16), (33, 128, 40), (16, 192, 9), (48, 640, 64), (5, 64, 17)]
PAIRS = [
    (DType.E4M3, DType.E4M3),
    (DType.E5M2, DType.E4M3),
    (DType.E2M1, DType.E2M1),
    (DType.E1M2, DType.E2M1),
]


def codes(t: DType, rng: Any, shape: tuple[int, int]) -> Array:
    """Bytes, or numbers of 4 bits, of finite values."""
    values = CODED[t]
    usable = np.flatnonzero(np.isfinite(values) & (np.abs(values) < 32)).astype(np.uint8)
    chosen: Array = rng.choice(usable, shape)
    return chosen


def packed(t: DType, x: Array) -> Array:
    """Neighbours along K share a byte, the first one in the low half."""
    return x if len(CODED[t]) == 256 else (x[:, ::2] | x[:, 1::2] << 4)


def factor_fractals(scales: Array) -> Array:
    """[lines, K / 32] to 16 lines of two factors, the fractals of the same lines one after the other."""
    lines, parts = scales.shape
    padded = np.full((up(lines, 16), parts), 0xFF, np.uint8)
    padded[:lines] = scales
    return padded.reshape(-1, 16, parts // 2, 2).transpose(0, 2, 1, 3)


class Operands:
    """A of m x k and B of k x n, in L0A and L0B from `at` on, with their factors."""

    def __init__(self, model: Model, types: tuple[DType, DType], m: int, k: int, n: int) -> None:
        rng = np.random.default_rng(m * k + n)
        self.at = 2048
        a, b = codes(types[0], rng, (m, k)), codes(types[1], rng, (n, k))
        self.scale_a = rng.integers(122, 132, (m, k // 32), dtype=np.uint8)
        self.scale_b = rng.integers(122, 132, (n, k // 32), dtype=np.uint8)
        model.put(Space.L0A, self.at, l0a(packed(types[0], a), Chip.A5))
        model.put(Space.L0B, self.at, l0b(packed(types[1], b).T))
        model.put(Space.L0A_MX, self.at // 16, factor_fractals(self.scale_a))
        model.put(Space.L0B_MX, self.at // 16, factor_fractals(self.scale_b))
        self.a = CODED[types[0]][a] * 2.0 ** (np.repeat(self.scale_a, 32, 1) - 127.0)
        self.b = CODED[types[1]][b] * 2.0 ** (np.repeat(self.scale_b, 32, 1) - 127.0)

    def product(self, start: Array | float = 0.0) -> Array:
        """Summed over k in order, each step rounded to float."""
        c = np.broadcast_to(start, (len(self.a), len(self.b))).astype(np.float32)
        for x, y in zip(self.a.T, self.b.T, strict=True):
            c = (np.outer(x, y) + c.astype(np.float64)).astype(np.float32)
        return c


def where(model: Model, at: int, c: int = 0) -> tuple[Any, Any, Any]:
    return model.at(Space.L0C, c), model.at(Space.L0A, at), model.at(Space.L0B, at)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("types", PAIRS)
def test_operands_are_scaled_first(
    a5: Model, types: tuple[DType, DType], shape: tuple[int, int, int]
) -> None:
    m, k, n = shape
    x = Operands(a5, types, m, k, n)
    p = Mmad(m=m, k=k, n=n, a=types[0], b=types[1], scaled=True)
    parts = a5.run("mmad", *where(a5, x.at), p)
    assert_same(read_c(a5, 0, m, n, np.float32)[:m, :n], x.product())
    assert [i.continues for i in parts] == [False, True][: len(parts)]
    assert len(parts) == (2 if n > 16 and n % 16 else 1)


def test_scaled_products_accumulate_and_start_from_a_bias(a5: Model) -> None:
    m, k, n = 20, 128, 40
    x = Operands(a5, PAIRS[0], m, k, n)
    old = np.arange(m * n, dtype=np.float32).reshape(m, n) / 8
    a5.put(Space.L0C, 0, l0c(old))
    given = {"m": m, "k": k, "n": n, "a": DType.E4M3, "b": DType.E4M3, "scaled": True}
    a5.run("mmad", *where(a5, x.at), Mmad(**given, init=False))
    assert_same(read_c(a5, 0, m, n, np.float32)[:m, :n], x.product(old))
    bias = np.linspace(-3, 3, n, dtype=np.float32)
    table = a5.put(Space.BT, 64, bias)
    a5.run("mmad", *where(a5, x.at), Mmad(**given, init=False, bias=True, bias_table=table))
    assert_same(read_c(a5, 0, m, n, np.float32)[:m, :n], x.product(bias))


def test_the_largest_and_the_missing_factor(a5: Model) -> None:
    x = Operands(a5, PAIRS[0], 16, 64, 16)
    x.scale_a[3, 1], x.scale_a[4, 0], x.scale_a[5, 1] = 0xFF, 0, 254
    a5.put(Space.L0A_MX, x.at // 16, factor_fractals(x.scale_a))
    a5.run(
        "mmad", *where(a5, x.at), Mmad(m=16, k=64, n=16, a=DType.E4M3, b=DType.E4M3, scaled=True)
    )
    c = read_c(a5, 0, 16, 16, np.float32)
    assert np.isnan(c[3]).all()
    assert np.isfinite(c[[2, 4, 6]]).all()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"k": 32}, "k not a multiple of 64"),
        ({"gemv": True, "m": 1}, "GEMV"),
        ({"a": DType.I8, "b": DType.I8, "c": DType.I32}, "a scaled Mmad of int8"),
        ({"b": DType.E2M1}, "a scaled Mmad of fp8_e4m3fn"),
    ],
)
def test_what_no_scaled_product_is(a5: Model, given: dict[str, Any], said: str) -> None:
    c, a, b = where(a5, 0)
    p = Mmad(
        **({"m": 16, "k": 64, "n": 16, "a": DType.E4M3, "b": DType.E4M3, "scaled": True} | given)
    )
    assert a5.run("mmad", c, a, b, p) == []
    assert said in a5.findings()


def sparse(rng: Any, n: int, k: int) -> tuple[Array, Array, Array]:
    """A matrix [n, k] with two of four elements, what is kept of it, and the indices, four in a byte."""
    full, kept = np.zeros((n, k), np.int8), np.zeros((n, k // 2), np.int8)
    index = np.zeros((n, k // 2), np.uint8)
    for row in range(n):
        for group in range(k // 4):
            first, second = sorted(rng.choice(4, 2, replace=False))
            values = rng.integers(1, 128, 2) * rng.choice([-1, 1], 2)
            full[row, 4 * group + np.array([first, second])] = values
            kept[row, 2 * group : 2 * group + 2] = values
            index[row, 2 * group : 2 * group + 2] = first, second - 1
    quads = index.reshape(n, -1, 4)
    return full, kept, (quads << np.array([0, 2, 4, 6], np.uint8)).sum(-1).astype(np.uint8)


@pytest.mark.parametrize(
    "shape", [(16, 64, 16), (20, 128, 40), (5, 320, 7), (128, 64, 128), (16, 32, 16)]
)
def test_two_of_four_elements_are_multiplied(a2: Model, shape: tuple[int, int, int]) -> None:
    m, k, n = shape
    rng = np.random.default_rng(k)
    a = rng.integers(-128, 128, (m, k), dtype=np.int8)
    full, kept, indices = sparse(rng, n, k)
    wide = up(k // 2, 32) // 4
    padded = np.zeros((up(n, 16), wide), np.uint8)
    padded[:n, : indices.shape[1]] = indices
    fractals = padded.reshape(-1, 16, wide // 8, 8).transpose(2, 0, 1, 3)
    b = l0b(kept.T)
    a2.put(Space.L0A, 0, l0a(a, Chip.A2))
    source = a2.put(Space.L1, 1024, b), a2.put(Space.L1, 1 << 17, fractals)
    (load,) = a2.run("load_sparse", a2.at(Space.L0B, 512), *source, b.size // 512)
    assert [r.space for r in load.of(write=True)] == [Space.L0B, Space.L0B_MX]
    p = Mmad(m=m, k=k, n=n, a=DType.I8, b=DType.I8, c=DType.I32, sparse=True)
    a2.run("mmad", a2.at(Space.L0C), a2.at(Space.L0A), a2.at(Space.L0B, 512), p)
    expected = a.astype(np.int32) @ full.T.astype(np.int32)
    assert_same(read_c(a2, 0, m, n, np.int32)[:m, :n], expected)


def test_one_index_stands_for_both(a2: Model) -> None:
    """Of four elements of which one counts, the third has the indices 2 and 0 (asc-devkit, MmadWithSparse, table 2)."""
    a = np.arange(64, dtype=np.int8)[None, :]
    kept = np.zeros((16, 32), np.int8)
    kept[0, :2] = 1
    indices = np.zeros((1, 16, 8), np.uint8)
    indices[0, 0, 0] = 2
    a2.put(Space.L0A, 0, l0a(a, Chip.A2))
    a2.put(Space.L0B, 0, l0b(kept.T))
    a2.put(Space.L0B_MX, 0, indices)
    p = Mmad(m=1, k=64, n=16, a=DType.I8, b=DType.I8, c=DType.I32, sparse=True)
    a2.run("mmad", a2.at(Space.L0C), a2.at(Space.L0A), a2.at(Space.L0B), p)
    assert read_c(a2, 0, 1, 16, np.int32)[0, 0] == 2 + 2
