"""The Cube: layouts, tails, accumulation order, the pad of K, durations."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tests.ops.ops_model import (
    BF16,
    NUMPY,
    Array,
    Chip,
    DType,
    Mem,
    Mmad,
    Model,
    Pipe,
    Space,
    assert_same,
    ordinary,
)

SHAPES = [
    (16, 16, 16),
    (15, 47, 13),
    (17, 65, 29),
    (33, 127, 18),
    (31, 95, 7),
    (128, 64, 256),
    (1, 40, 50),
    (5, 300, 17),
    (32, 200, 16),
]


def up(x: int, unit: int) -> int:
    return -(-x // unit) * unit


def padded(m: Array, rows: int, cols: int, fill: Any) -> Array:
    out = np.full((rows, cols), fill, m.dtype)
    out[: m.shape[0], : m.shape[1]] = m
    return out


def l0a(a: Array, chip: Chip) -> Array:
    """ZZ on dav-2201, NZ on dav-3510; rows of the pad are poison, columns of the pad zero."""
    c0 = 32 // a.itemsize
    rows, cols = up(a.shape[0], 16), up(a.shape[1], c0)
    poison = np.frombuffer(b"\xff" * a.itemsize, a.dtype)[0]
    p = padded(padded(a, a.shape[0], cols, 0), rows, cols, poison)
    blocks = p.reshape(rows // 16, 16, cols // c0, c0)
    return blocks.transpose(0, 2, 1, 3) if chip == Chip.A2 else blocks.transpose(2, 0, 1, 3)


def l0b(b: Array) -> Array:
    """ZN: [k group][n block][16][C0], zero beyond k."""
    c0 = 32 // b.itemsize
    k, n = up(b.shape[0], c0), up(b.shape[1], 16)
    p = padded(b, k, n, 0)
    return p.reshape(k // c0, c0, n // 16, 16).transpose(0, 2, 3, 1)


def l0c(c: Array) -> Array:
    """NZ of 16 x 16: [n block][row][16]."""
    m, n = up(c.shape[0], 16), up(c.shape[1], 16)
    p = padded(c, m, n, np.frombuffer(b"\xff" * 4, c.dtype)[0])
    return p.reshape(m, n // 16, 16).transpose(1, 0, 2)


def read_c(model: Model, offset: int, m: int, n: int, dtype: Any) -> Array:
    rows, groups = up(m, 16), up(n, 16) // 16
    tile = model.get(Space.L0C, offset, (groups, rows, 16), dtype)
    return tile.transpose(1, 0, 2).reshape(rows, groups * 16)


def accumulate(a: Array, b: Array, start: Array, fused: bool) -> Array:
    """Sum over k in order; each step is rounded once (fused) or after the product as well."""
    c = start.astype(np.float32)
    x, y = a.astype(np.float32), b.astype(np.float32)
    for k in range(a.shape[1]):
        if fused:  # products of 16-bit numbers are exact in float
            c = (x[:, k : k + 1].astype(np.float64) * y[k].astype(np.float64) + c).astype(
                np.float32
            )
        else:
            c = x[:, k : k + 1] * y[k] + c
    return c


def put_tiles(model: Model, a: Array, b: Array, chip: Chip) -> None:
    model.put(Space.L0A, 0, l0a(a, chip))
    model.put(Space.L0B, 0, l0b(b))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("t", [DType.F16, DType.BF16, DType.F32])
def test_sums_run_over_k_in_order(
    model: Model, chip: Chip, t: DType, shape: tuple[int, int, int]
) -> None:
    m, k, n = shape
    a, b = ordinary(NUMPY[t], m * k, 1).reshape(m, k), ordinary(NUMPY[t], k * n, 2).reshape(k, n)
    put_tiles(model, a, b, chip)
    where = (model.at(Space.L0C, 1024), model.at(Space.L0A), model.at(Space.L0B))
    (i,) = model.run("mmad", *where, Mmad(m=m, k=k, n=n, a=t, b=t))
    c = read_c(model, 1024, m, n, np.float32)
    assert_same(c[:m, :n], accumulate(a, b, np.zeros((m, n)), t != DType.F32))
    assert np.isnan(c[m:]).all()
    assert np.isnan(c[:, n:]).all()
    assert i.pipe == Pipe.M


@pytest.mark.parametrize("t", [DType.F16, DType.F32])
def test_accumulating_starts_from_what_l0c_holds(model: Model, chip: Chip, t: DType) -> None:
    m, k, n = 19, 40, 37
    a, b = ordinary(NUMPY[t], m * k, 1).reshape(m, k), ordinary(NUMPY[t], k * n, 2).reshape(k, n)
    old = ordinary(np.dtype(np.float32), m * n, 3).reshape(m, n)
    put_tiles(model, a, b, chip)
    model.put(Space.L0C, 0, l0c(old))
    where = (model.at(Space.L0C), model.at(Space.L0A), model.at(Space.L0B))
    (i,) = model.run("mmad", *where, Mmad(m=m, k=k, n=n, a=t, b=t, init=False))
    assert_same(read_c(model, 0, m, n, np.float32)[:m, :n], accumulate(a, b, old, t != DType.F32))
    assert [r.space for r in i.of(write=False)].count(Space.L0C) == 2


def test_init_reads_nothing_from_l0c(model: Model, chip: Chip) -> None:
    """L0C is full of NaN when the first product of a tile comes."""
    put_tiles(model, np.ones((16, 16), np.float16), np.ones((16, 16), np.float16), chip)
    where = (model.at(Space.L0C), model.at(Space.L0A), model.at(Space.L0B))
    (i,) = model.run("mmad", *where, Mmad(m=16, k=16, n=16))
    assert all(r.space != Space.L0C for r in i.of(write=False))
    assert (read_c(model, 0, 16, 16, np.float32) == 16).all()


@pytest.mark.parametrize("t", [DType.F16, DType.I8])
def test_bias_is_the_start_of_every_row(model: Model, chip: Chip, t: DType) -> None:
    m, k, n = 18, 32, 21
    acc = DType.I32 if t == DType.I8 else DType.F32
    a, b = ordinary(NUMPY[t], m * k, 1).reshape(m, k), ordinary(NUMPY[t], k * n, 2).reshape(k, n)
    bias = ordinary(NUMPY[acc], n, 3)
    put_tiles(model, a, b, chip)
    table = model.put(Space.BT, 64, bias)
    p = Mmad(m=m, k=k, n=n, a=t, b=t, c=acc, init=False, bias=True, bias_table=table)
    model.run("mmad", model.at(Space.L0C), model.at(Space.L0A), model.at(Space.L0B), p)
    start = np.broadcast_to(bias, (m, n))
    if t == DType.I8:
        expected = (a.astype(np.int64) @ b.astype(np.int64) + start).astype(np.int32)
    else:
        expected = accumulate(a, b, start, True)
    assert_same(read_c(model, 0, m, n, NUMPY[acc])[:m, :n], expected)


@pytest.mark.parametrize("shape", [(16, 80, 16), (9, 1000, 21), (3, 1024, 32)])
@pytest.mark.parametrize("init", [True, False])
def test_int8_sums_are_exact(
    model: Model, chip: Chip, shape: tuple[int, int, int], init: bool
) -> None:
    m, k, n = shape
    rng = np.random.default_rng(0)
    a = rng.integers(-128, 128, (m, k), dtype=np.int8)
    b = rng.integers(-128, 128, (k, n), dtype=np.int8)
    old = rng.integers(-(10**6), 10**6, (m, n), dtype=np.int32)
    put_tiles(model, a, b, chip)
    model.put(Space.L0C, 0, l0c(old))
    where = (model.at(Space.L0C), model.at(Space.L0A), model.at(Space.L0B))
    model.run("mmad", *where, Mmad(m=m, k=k, n=n, a=DType.I8, b=DType.I8, c=DType.I32, init=init))
    exact = a.astype(np.int64) @ b.astype(np.int64) + (0 if init else old)
    assert_same(read_c(model, 0, m, n, np.int32)[:m, :n], exact.astype(np.int32))


def test_int8_sums_saturate(model: Model, chip: Chip) -> None:
    a = np.array([[127] * 32, [-128] * 32], np.int8)
    b = np.full((32, 16), 127, np.int8)
    put_tiles(model, a, b, chip)
    old = np.stack([np.full(16, 2**31 - 5), np.full(16, -(2**31) + 5)]).astype(np.int32)
    model.put(Space.L0C, 0, l0c(old))
    where = (model.at(Space.L0C), model.at(Space.L0A), model.at(Space.L0B))
    model.run(
        "mmad", *where, Mmad(m=2, k=32, n=16, a=DType.I8, b=DType.I8, c=DType.I32, init=False)
    )
    c = read_c(model, 0, 2, 16, np.int32)
    assert (c[0] == 2**31 - 1).all()
    assert (c[1] == -(2**31)).all()


@pytest.mark.parametrize("t", [DType.F16, DType.BF16, DType.F32])
def test_the_pad_of_the_last_k_block_is_multiplied(model: Model, chip: Chip, t: DType) -> None:
    """A missing zero fill must show: one poisoned lane beyond k reaches every element of its row."""
    c0 = 32 // NUMPY[t].itemsize
    k = 2 * c0 - 3
    a = np.ones((16, 2 * c0), NUMPY[t])
    a[3, k + 1] = np.nan
    put_tiles(model, a, np.ones((2 * c0, 16), NUMPY[t]), chip)
    where = (model.at(Space.L0C), model.at(Space.L0A), model.at(Space.L0B))
    model.run("mmad", *where, Mmad(m=16, k=k, n=16, a=t, b=t))
    c = read_c(model, 0, 16, 16, np.float32)
    assert np.isnan(c[3]).all()
    assert (np.delete(c, 3, axis=0) == 2 * c0).all()


@pytest.mark.parametrize("t", [DType.F16, DType.BF16, DType.F32, DType.I8])
def test_the_pad_of_the_last_k_block_may_be_left_out(model: Model, chip: Chip, t: DType) -> None:
    """With the other reading, nothing beyond k counts: not in A, and not in B."""
    kind = NUMPY[t]
    c0 = 32 // kind.itemsize
    k = 2 * c0 - 3
    stray = 100 if t == DType.I8 else np.nan
    a, b = np.ones((16, 2 * c0), kind), np.ones((2 * c0, 32), kind)
    a[3, k:] = stray
    b[k:, 20] = stray
    put_tiles(model, a, b, chip)
    model.lib.h_exact_k_tail()
    where = (model.at(Space.L0C), model.at(Space.L0A), model.at(Space.L0B))
    out, found = (DType.I32, np.int32) if t == DType.I8 else (DType.F32, np.float32)
    model.run("mmad", *where, Mmad(m=16, k=k, n=32, a=t, b=t, c=out))
    assert (read_c(model, 0, 16, 32, found) == k).all()


def test_gemv_reads_a_as_one_row(model: Model) -> None:
    k, n = 72, 33
    a, b = ordinary(np.dtype(np.float16), k, 1), ordinary(np.dtype(np.float16), k * n, 2).reshape(
        k, n
    )
    model.put(Space.L0A, 0, np.concatenate([a, np.zeros(8, np.float16)]))
    model.put(Space.L0B, 0, l0b(b))
    where = (model.at(Space.L0C), model.at(Space.L0A), model.at(Space.L0B))
    (i,) = model.run("mmad", *where, Mmad(m=1, k=k, n=n, gemv=True))
    assert_same(
        read_c(model, 0, 1, n, np.float32)[:1, :n], accumulate(a[None], b, np.zeros((1, n)), True)
    )
    assert i.of(write=False)[0].row_bytes == 160


@pytest.mark.parametrize(
    ("a", "b", "old", "expected"),
    [
        # 1.5 units of the smallest subnormal: rounded by itself it would be 2, and 3 with the 1 that is there.
        (1.5 * 2.0**-75, 2.0**-74, 2.0**-149, 2.0**-148),
        # The product alone is infinite.
        (2.0**64, 2.0**64, -(2.0**127), 2.0**127),
    ],
)
def test_a_product_of_bfloat16_is_not_rounded_before_it_is_added(
    model: Model, a: float, b: float, old: float, expected: float
) -> None:
    model.put(Space.L0A, 0, np.array([a] + [0] * 255, np.float32).astype(BF16))
    model.put(Space.L0B, 0, np.array([b] + [0] * 255, np.float32).astype(BF16))
    model.put(Space.L0C, 0, np.array([old], np.float32))
    where = (model.at(Space.L0C), model.at(Space.L0A), model.at(Space.L0B))
    model.run("mmad", *where, Mmad(m=1, k=3, n=1, a=DType.BF16, b=DType.BF16, init=False))
    assert model.get(Space.L0C, 0, 1, np.float32)[0] == expected


def test_small_tiles_are_not_ordered_by_the_hardware(model: Model) -> None:
    """Ten fractals of C make accumulating products follow each other without a barrier."""
    where = (model.at(Space.L0C), model.at(Space.L0A), model.at(Space.L0B))
    classes = []
    for m, n in [(48, 48), (80, 32), (79, 31), (16, 160)]:
        (i,) = model.run("mmad", *where, Mmad(m=m, k=16, n=n, init=False))
        classes.append(i.order_class)
    assert classes == [0, 1, 1, 1]


@pytest.mark.parametrize(("m", "k", "n"), [(0, 16, 16), (16, 0, 16), (16, 16, 0)])
def test_an_empty_product_is_no_instruction(model: Model, m: int, k: int, n: int) -> None:
    where = (model.at(Space.L0C), model.at(Space.L0A), model.at(Space.L0B))
    assert model.run("mmad", *where, Mmad(m=m, k=k, n=n)) == []


def test_durations_are_the_published_ones(a2: Model) -> None:
    """asc-devkit, tests/perf/mmad_perf: 21 + fractals * steps of K; float has a quarter and a sixteenth of the rate."""
    where = (a2.at(Space.L0C), a2.at(Space.L0A), a2.at(Space.L0B))

    def cycles(t: DType) -> int:
        (i,) = a2.run("mmad", *where, Mmad(m=64, k=32, n=64, a=t, b=t))
        return int(i.cycles)

    assert (cycles(DType.F16), cycles(DType.F32)) == (21 + 16 * 2, 21 + 16 * 8)
    a2.reset(Chip.A5)
    assert (cycles(DType.F16), cycles(DType.F32)) == (25 + 16 * 2, 25 + 16 * 32)


@pytest.mark.parametrize(
    ("p", "message"),
    [
        (Mmad(m=16, k=16, n=16, c=DType.F16), "accumulator of half"),
        (Mmad(m=16, k=16, n=16, a=DType.I16, b=DType.I16, c=DType.I32), "Mmad of int16"),
        (Mmad(m=16, k=16, n=16, bias=True, bias_table=Mem(space=Space.L0C)), "bias table"),
    ],
)
def test_what_the_cube_does_not_have_is_unsupported(model: Model, p: Mmad, message: str) -> None:
    assert model.run("mmad", model.at(Space.L0C), model.at(Space.L0A), model.at(Space.L0B), p) == []
    assert message in model.findings()


FLOAT8 = {
    DType.E4M3: np.dtype(ml_dtypes.float8_e4m3fn),
    DType.E5M2: np.dtype(ml_dtypes.float8_e5m2),
}


def hif8_value(code: int) -> float:
    """A HiF8 number read off the format's table: a prefix, an exponent of sign and magnitude, a fraction."""
    sign, bits = (-1.0 if code & 0x80 else 1.0), f"{code & 0x7F:07b}"
    if bits == "0000000":
        return float("nan") if code & 0x80 else 0.0
    if bits == "1101111":
        return sign * float("inf")
    for prefix, width in (("11", 4), ("10", 3), ("01", 2), ("001", 1), ("0001", 0)):
        if bits.startswith(prefix):
            field, fraction = bits[len(prefix) :][:width], bits[len(prefix) + width :]
            exponent = int("1" + field[1:], 2) if width else 0
            exponent = -exponent if field.startswith("1") else exponent
            return sign * 2.0**exponent * (1 + int(fraction, 2) / 2 ** len(fraction))
    return sign * 2.0 ** (int(bits[4:], 2) - 23)


def finite_codes(values: Array, count: int, seed: int) -> Array:
    """Random codes of a table whose numbers are of ordinary size, zero among them."""
    size = np.abs(np.nan_to_num(values, nan=1e9, posinf=1e9, neginf=1e9))
    good = np.flatnonzero((size == 0) | ((size > 2.0**-8) & (size < 2.0**8)))
    return np.random.default_rng(seed).choice(good, count).astype(np.uint8)


def values_of(t: DType) -> Array:
    """What each of the 256 codes means."""
    if t == DType.HIF8:
        return np.array([hif8_value(c) for c in range(256)], np.float32)
    return np.arange(256, dtype=np.uint8).view(FLOAT8[t]).astype(np.float32)


@pytest.mark.parametrize(
    ("a", "b"),
    [(x, y) for x in FLOAT8 for y in FLOAT8] + [(DType.HIF8, DType.HIF8)],
)
@pytest.mark.parametrize("shape", [(16, 32, 16), (17, 95, 9), (33, 300, 40)])
def test_8_bit_floats_are_multiplied_exactly(
    model: Model, a: DType, b: DType, shape: tuple[int, int, int]
) -> None:
    m, k, n = shape
    model.reset(Chip.A5)
    left, right = values_of(a), values_of(b)
    x, y = finite_codes(left, m * k, 1).reshape(m, k), finite_codes(right, k * n, 2).reshape(k, n)
    put_tiles(model, x, y, Chip.A5)
    where = (model.at(Space.L0C), model.at(Space.L0A), model.at(Space.L0B))
    (i,) = model.run("mmad", *where, Mmad(m=m, k=k, n=n, a=a, b=b))
    expected = accumulate(left[x], right[y], np.zeros((m, n)), True)
    assert_same(read_c(model, 0, m, n, np.float32)[:m, :n], expected)
    assert i.cycles == 25 + up(m, 16) // 16 * (up(n, 16) // 16) * (up(k, 32) // 32)


@pytest.mark.parametrize("t", [DType.E4M3, DType.E5M2, DType.HIF8])
def test_every_8_bit_code_has_its_value(model: Model, t: DType) -> None:
    """Each code times one, infinities and NaN too."""
    model.reset(Chip.A5)
    one = np.uint8(np.flatnonzero(values_of(t) == 1)[0])
    codes = np.arange(256, dtype=np.uint8)
    x = np.zeros((256, 32), np.uint8)
    x[:, 0] = codes
    y = np.zeros((32, 16), np.uint8)
    y[0] = one
    put_tiles(model, x, y, Chip.A5)
    where = (model.at(Space.L0C), model.at(Space.L0A), model.at(Space.L0B))
    model.run("mmad", *where, Mmad(m=256, k=32, n=16, a=t, b=t))
    got = read_c(model, 0, 256, 16, np.float32)[:256, 0]
    expected = values_of(t) + np.float32(0)  # the sum begins with +0
    assert np.array_equal(np.isnan(got), np.isnan(expected))
    assert_same(got[~np.isnan(got)], expected[~np.isnan(expected)])


@pytest.mark.parametrize("t", [DType.E4M3, DType.E5M2, DType.HIF8])
def test_8_bit_floats_are_of_the_later_chip(a2: Model, t: DType) -> None:
    where = (a2.at(Space.L0C), a2.at(Space.L0A), a2.at(Space.L0B))
    assert a2.run("mmad", *where, Mmad(m=16, k=32, n=16, a=t, b=t)) == []
    assert "Mmad of" in a2.findings()


def test_two_int4_share_a_byte(a2: Model) -> None:
    """The first one lies in the low half; sums are exact."""
    m, k, n = 18, 128, 20
    rng = np.random.default_rng(0)
    a, b = rng.integers(-8, 8, (m, k)), rng.integers(-8, 8, (k, n))

    def packed(x: Array) -> Array:
        low, high = x[:, 0::2] & 15, x[:, 1::2] & 15
        return (low | high << 4).astype(np.uint8)

    put_tiles(a2, packed(a), packed(b.T.copy()).T.copy(), Chip.A2)
    where = (a2.at(Space.L0C), a2.at(Space.L0A), a2.at(Space.L0B))
    (i,) = a2.run("mmad", *where, Mmad(m=m, k=k, n=n, a=DType.I4, b=DType.I4, c=DType.I32))
    assert_same(read_c(a2, 0, m, n, np.int32)[:m, :n], (a @ b).astype(np.int32))
    assert i.cycles == 21 + 2 * 2 * 2  # asc-devkit, theoretical rates: 64 int4 of K in a step


def hf32(x: Array, away: bool) -> Array:
    """`x` with ten bits behind the leading one, by arithmetic on the numbers themselves."""
    mantissa, exponent = np.frexp(x.astype(np.float64))
    scaled = mantissa * 2.0**11
    whole = np.trunc(scaled + np.copysign(0.5, scaled)) if away else np.rint(scaled)
    return np.ldexp(whole, exponent - 11).astype(np.float32)


@pytest.mark.parametrize("away", [False, True])
def test_hf32_rounds_what_is_multiplied(model: Model, chip: Chip, away: bool) -> None:
    m, k, n = 16, 40, 16
    a = ordinary(np.dtype(np.float32), m * k, 1).reshape(m, k)
    b = ordinary(np.dtype(np.float32), k * n, 2).reshape(k, n)
    a[0, :4] = [1 + 2**-11, 1 + 3 * 2**-11, -1 - 2**-11, 1 + 2**-11 + 2**-23]  # ties, and beside
    put_tiles(model, a, b, chip)
    where = (model.at(Space.L0C), model.at(Space.L0A), model.at(Space.L0B))
    p = Mmad(m=m, k=k, n=n, a=DType.F32, b=DType.F32, hf32=2 if away else 1)
    (i,) = model.run("mmad", *where, p)
    x, y = hf32(a, away), hf32(b, away)
    assert x[0, 0] == (1 + 2**-10 if away else 1)
    assert not np.array_equal(x, a)
    assert_same(
        read_c(model, 0, m, n, np.float32)[:m, :n], accumulate(x, y, np.zeros((m, n)), True)
    )
    assert i.cycles == (21 if chip == Chip.A2 else 25) + 5


def test_hf32_keeps_infinity_and_nan(model: Model) -> None:
    a = np.zeros((16, 8), np.float32)
    a[:3, 0] = [np.inf, np.nan, 3.4e38]
    b = np.ones((8, 16), np.float32)
    put_tiles(model, a, b, Chip.A5)
    model.reset(Chip.A5)
    put_tiles(model, a, b, Chip.A5)
    where = (model.at(Space.L0C), model.at(Space.L0A), model.at(Space.L0B))
    model.run("mmad", *where, Mmad(m=16, k=8, n=16, a=DType.F32, b=DType.F32, hf32=1))
    c = read_c(model, 0, 16, 16, np.float32)[:3, 0]
    assert np.isinf(c[0])
    assert np.isnan(c[1])
    assert c[2] == hf32(np.array([3.4e38]), False)[0]


def test_hf32_is_for_floats_only(model: Model, chip: Chip) -> None:
    put_tiles(model, np.ones((16, 16), np.float16), np.ones((16, 16), np.float16), chip)
    where = (model.at(Space.L0C), model.at(Space.L0A), model.at(Space.L0B))
    (i,) = model.run("mmad", *where, Mmad(m=16, k=16, n=16, hf32=1))
    assert i.cycles == (21 if chip == Chip.A2 else 25) + 1


def test_rows_of_fractals_may_have_an_even_number(a2: Model) -> None:
    """kDirectionAlign: 36 of K take five fractals, and the next row of fractals starts behind the sixth."""
    m, k, n = 32, 36, 16
    a = ordinary(np.dtype(np.float32), m * k, 1).reshape(m, k)
    b = ordinary(np.dtype(np.float32), k * n, 2).reshape(k, n)
    a2.put(Space.L0A, 0, l0a(padded(a, m, 48, 0), Chip.A2))
    a2.put(Space.L0B, 0, l0b(b))
    where = (a2.at(Space.L0C), a2.at(Space.L0A), a2.at(Space.L0B))
    p = Mmad(m=m, k=k, n=n, a=DType.F32, b=DType.F32, align_k=True)
    (i,) = a2.run("mmad", *where, p)
    got = read_c(a2, 0, m, n, np.float32)[:m, :n]
    assert_same(got, accumulate(a, b, np.zeros((m, n)), False))
    assert i.of(write=False)[0].box() == (2, 5 * 512, 6 * 512)
