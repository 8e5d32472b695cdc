"""L0C to GM, L1 and UB: layouts, conversions, ReLU, both UBs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.ops.ops_model import (
    BF16,
    NUMPY,
    Array,
    Chip,
    DType,
    Fixpipe,
    Model,
    Pipe,
    Space,
    Unit,
    assert_same,
    ordinary,
)

ND, NZ, DN = 0, 1, 2
SCALED = 3
QUANT = {DType.F32: 0, DType.F16: 1, DType.BF16: 2}


def put_c(model: Model, m: int, n: int, dtype: Any, rows: int | None = None) -> Array:
    """An m x n tile in L0C whose column groups are `rows` rows apart."""
    rows = rows or -(-m // 16) * 16
    groups = -(-n // 16)
    c = ordinary(np.dtype(dtype), m * n, 5, scale=300.0).reshape(m, n)
    tile = np.frombuffer(b"\xff" * (groups * rows * 64), dtype).reshape(groups, rows, 16).copy()
    for g in range(groups):
        part = c[:, g * 16 : g * 16 + 16]
        tile[g, :m, : part.shape[1]] = part
    model.put(Space.L0C, 0, tile)
    return c


def plain(n: int, m: int, **fields: Any) -> Fixpipe:
    base = {"src_stride": -(-m // 16) * 16, "dst_stride": n, "src": DType.F32, "dst": DType.F32}
    return Fixpipe(n=n, m=m, **{**base, **fields})


@pytest.mark.parametrize(("m", "n"), [(16, 16), (13, 47), (128, 256), (1, 5), (33, 64)])
@pytest.mark.parametrize("t", [DType.F32, DType.F16, DType.BF16])
@pytest.mark.parametrize("relu", [False, True])
def test_groups_become_rows(model: Model, m: int, n: int, t: DType, relu: bool) -> None:
    c = put_c(model, m, n, np.float32)
    size = NUMPY[t].itemsize
    p = plain(n, m, dst_stride=n + 3, dst=t, quant=QUANT[t], relu=relu)
    (i,) = model.run("fixpipe", model.at(Space.GM, 2), model.at(Space.L0C), p)
    got = model.get(Space.GM, 2, m * (n + 3), NUMPY[t])
    expected = (np.maximum(c, 0) if relu else c).astype(NUMPY[t])
    assert_same(got.reshape(m, n + 3)[:, :n], expected)
    assert (got.view(np.uint8).reshape(m, -1)[:, n * size :] == 0xFF).all()
    assert i.pipe == Pipe.FIX
    assert i.of(write=True)[0].box() == (
        (m, n * size, (n + 3) * size) if m > 1 else (1, n * size, 0)
    )


def test_conversion_goes_to_nearest_even_and_overflows_to_infinity(model: Model) -> None:
    values = np.array(
        [1 + 2**-11, 1 + 3 * 2**-11, 65519.0, 65520.0, -1e9, np.nan, 2**-25, 0], np.float32
    )
    tile = np.zeros((1, 16, 16), np.float32)
    tile[0, 0, :8] = values
    model.put(Space.L0C, 0, tile)
    p = plain(8, 1, dst=DType.F16, quant=1)
    model.run("fixpipe", model.at(Space.GM), model.at(Space.L0C), p)
    assert_same(model.get(Space.GM, 0, 8, np.float16), values.astype(np.float16))
    p.saturate = True
    model.run("fixpipe", model.at(Space.GM), model.at(Space.L0C), p)
    got = model.get(Space.GM, 0, 8, np.float16)
    assert got[2:6].tolist() == [65504, 65504, -65504, 0]


def test_relu_keeps_nan(model: Model) -> None:
    """Poison must reach the output."""
    p = plain(16, 2, relu=True)
    model.run("fixpipe", model.at(Space.GM), model.at(Space.L0C), p)
    assert np.isnan(model.get(Space.GM, 0, 32, np.float32)).all()


def test_integers_pass_unchanged(model: Model) -> None:
    c = put_c(model, 20, 24, np.int32)
    p = plain(24, 20, src=DType.I32, dst=DType.I32, relu=True)
    model.run("fixpipe", model.at(Space.GM), model.at(Space.L0C), p)
    assert_same(model.get(Space.GM, 0, (20, 24), np.int32), np.maximum(c, 0))


def test_a_window_of_a_larger_tile(model: Model) -> None:
    """Source groups lie 64 rows apart, 20 rows are taken."""
    c = put_c(model, 20, 40, np.float32, rows=64)
    (i,) = model.run(
        "fixpipe", model.at(Space.GM), model.at(Space.L0C), plain(40, 20, src_stride=64)
    )
    assert_same(model.get(Space.GM, 0, (20, 40), np.float32), c)
    assert [r.box() for r in i.of(write=False)] == [(2, 20 * 64, 64 * 64), (20, 32, 64)]


def test_groups_stay_groups_in_nz(model: Model) -> None:
    m, n = 24, 48
    c = put_c(model, m, n, np.float32)
    p = plain(n, m, dst=DType.F16, quant=1, format=NZ, dst_stride=32 * 16)
    (i,) = model.run("fixpipe", model.at(Space.L1), model.at(Space.L0C), p)
    got = model.get(Space.L1, 0, (3, 32, 16), np.float16)[:, :m]
    assert_same(got, c.reshape(m, 3, 16).transpose(1, 0, 2).astype(np.float16))
    assert i.of(write=True)[0].box() == (3, m * 32, 1024)


@pytest.mark.parametrize("dual", [1, 2])
def test_both_aivs_get_their_half(a5: Model, dual: int) -> None:
    m, n = 10, 64
    c = put_c(a5, m, n, np.float32)
    pitch = 80
    p = plain(n, m, dual=dual, dst_stride=pitch, dst=DType.BF16, quant=2)
    (i,) = a5.run("fixpipe", a5.at(Space.UB, 32), a5.at(Space.L0C), p)
    halves = (c[: m // 2], c[m // 2 :]) if dual == 1 else (c[:, : n // 2], c[:, n // 2 :])
    for unit, half in enumerate(halves):
        got = a5.get(Space.UB, 32, half.shape[0] * pitch, BF16, unit).reshape(-1, pitch)
        assert_same(got[:, : half.shape[1]], half.astype(BF16))
    assert [r.unit for r in i.of(write=True)] == [Unit.AIV0, Unit.AIV1]


@pytest.mark.parametrize("sub_block", [0, 1])
def test_one_aiv_gets_the_whole_tile(a5: Model, sub_block: int) -> None:
    c = put_c(a5, 6, 16, np.float32)
    p = plain(16, 6, sub_block=sub_block)
    (i,) = a5.run("fixpipe", a5.at(Space.UB), a5.at(Space.L0C), p)
    assert_same(a5.get(Space.UB, 0, (6, 16), np.float32, sub_block), c)
    assert i.of(write=True)[0].unit == Unit.AIV0 + sub_block


def test_atomic_add_to_gm(model: Model) -> None:
    c = put_c(model, 9, 20, np.float32)
    old = ordinary(np.dtype(np.float32), 180, 8).reshape(9, 20)
    gm = model.put(Space.GM, 0, old)
    (i,) = model.run("fixpipe", gm, model.at(Space.L0C), plain(20, 9, atomic=1))
    assert_same(model.get(Space.GM, 0, (9, 20), np.float32), old + c)
    assert i.of(write=True)[0].atomic


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"dst": DType.F16}, "destination's type"),
        ({"format": NZ, "n": 20}, "multiple of 16"),
        ({"dual": 1, "m": 7}, "odd m"),
        ({"dual": 1}, "not UB"),
    ],
)
def test_what_fixpipe_does_not_do_is_unsupported(
    model: Model, fields: dict[str, Any], message: str
) -> None:
    p = plain(**{"n": 32, "m": 16, **fields})
    space = Space.GM if message == "not UB" else Space.UB
    assert model.run("fixpipe", model.at(space), model.at(Space.L0C), p) == []
    assert message in model.findings()


def split_tiles(out: Array, m: int, columns: int, width: int, stride: int) -> Array:
    """What lies in column-wise fractals `width` wide and `stride` elements apart, as a matrix."""
    parts = [out[i * stride :][: m * width].reshape(m, width) for i in range(columns)]
    return np.concatenate(parts, 1)


def test_columns_become_rows_on_the_later_chip(model: Model) -> None:
    """NZ2DN: element (i, j) goes to row j of the output."""
    model.reset(Chip.A5)
    m, n = 13, 47
    c = put_c(model, m, n, np.float32)
    p = plain(n, m, format=DN, dst_stride=m + 4, dst=DType.F16, quant=1)
    (i,) = model.run("fixpipe", model.at(Space.GM), model.at(Space.L0C), p)
    got = model.get(Space.GM, 0, n * (m + 4), np.float16).reshape(n, m + 4)
    assert_same(got[:, :m], c.T.astype(np.float16))
    assert (got.view(np.uint8)[:, m * 2 :] == 0xFF).all()
    assert i.of(write=True)[0].box() == (n, m * 2, (m + 4) * 2)


def test_columns_are_of_the_later_chip(a2: Model) -> None:
    p = plain(16, 16, format=DN)
    assert a2.run("fixpipe", a2.at(Space.GM), a2.at(Space.L0C), p) == []
    assert "to columns" in a2.findings()


def test_channel_split_makes_groups_of_eight(model: Model) -> None:
    m, n, stride = 20, 24, 20 * 8 + 16
    c = put_c(model, m, n, np.float32)
    p = plain(n, m, format=NZ, channel_split=True, dst_stride=stride)
    (i,) = model.run("fixpipe", model.at(Space.GM), model.at(Space.L0C), p)
    out = model.get(Space.GM, 0, 3 * stride, np.float32)
    assert_same(split_tiles(out, m, 3, 8, stride), c)
    assert i.of(write=True)[0].box() == (3, m * 32, stride * 4)


def word(scale: float, offset: int = 0, signed: bool = True, shift: int | None = None) -> int:
    """The word that a factor stands in, built from the documents' table of its bits."""
    bits = int(np.array([scale], np.float32).view(np.uint32)[0])
    bits |= (offset & 0x1FF) << 37 | int(signed) << 46
    if shift is not None:
        bits |= (shift - 1) << 32 | 1 << 36
    return bits


def ten_bits(x: float) -> np.float32:
    return (np.array([x], np.float32).view(np.uint32) & np.uint32(0xFFFFE000)).view(np.float32)[0]


def to_8_bits(c: Array, scale: Array, offset: int, signed: bool, relu: bool) -> Array:
    x = c.astype(np.float32)
    y = x * np.where(relu & (x < 0), np.float32(0), scale)
    nine = np.clip(np.rint(y), -256, 255) + offset
    low, high = (-128, 127) if signed else (0, 255)
    return np.clip(nine, low, high).astype(np.int16).astype(np.int8 if signed else np.uint8)


@pytest.mark.parametrize("source", [DType.F32, DType.I32])
@pytest.mark.parametrize("signed", [True, False])
@pytest.mark.parametrize("relu", [True, False])
def test_one_factor_for_all(model: Model, source: DType, signed: bool, relu: bool) -> None:
    m, n, scale, offset = 19, 35, 0.30071, -7
    c = put_c(model, m, n, NUMPY[source])
    dst = DType.I8 if signed else DType.U8
    p = plain(
        n, m, src=source, dst=dst, quant=SCALED, relu=relu, factor=word(scale, offset, signed)
    )
    model.run("fixpipe", model.at(Space.GM), model.at(Space.L0C), p)
    assert ten_bits(scale) != np.float32(scale)
    expected = to_8_bits(c, ten_bits(scale), offset, signed, relu)
    assert_same(model.get(Space.GM, 0, (m, n), NUMPY[dst]), expected)


def test_ties_go_to_even_and_the_range_is_kept(model: Model) -> None:
    values = np.array([0.5, 1.5, -0.5, -2.5, 126.5, 127.5, 1e9, -1e9, 0, 3], np.float32)
    tile = np.zeros((1, 16, 16), np.float32)
    tile[0, 0, :10] = values
    model.put(Space.L0C, 0, tile)
    p = plain(10, 1, dst=DType.I8, quant=SCALED, factor=word(1.0))
    model.run("fixpipe", model.at(Space.GM), model.at(Space.L0C), p)
    assert model.get(Space.GM, 0, 10, np.int8).tolist() == [0, 2, 0, -2, 126, 127, 127, -128, 0, 3]


def test_a_factor_for_each_column(model: Model) -> None:
    m, n = 17, 40
    c = put_c(model, m, n, np.float32)
    scales = np.linspace(0.01, 2, n).astype(np.float32)
    words = np.array([word(float(s), offset=i % 5) for i, s in enumerate(scales)], np.uint64)
    model.put(Space.FB, 128, words)
    p = plain(n, m, dst=DType.I8, quant=SCALED, factors=model.at(Space.FB, 128))
    (i,) = model.run("fixpipe", model.at(Space.GM), model.at(Space.L0C), p)
    used = np.array([ten_bits(float(s)) for s in scales])
    expected = np.stack([to_8_bits(c[:, j], used[j], j % 5, True, False) for j in range(n)], 1)
    assert_same(model.get(Space.GM, 0, (m, n), np.int8), expected)
    (factors,) = [r for r in i.of(write=False) if r.space == Space.FB]
    assert (factors.base, factors.row_bytes) == (128, n * 8)


@pytest.mark.parametrize("n", [64, 80])
def test_8_bit_fractals_are_32_wide(model: Model, n: int) -> None:
    """Two groups of 16 columns lie side by side; an odd last one stays as it is."""
    m, stride = 20, 20 * 32 + 64
    c = put_c(model, m, n, np.float32)
    p = plain(n, m, dst=DType.I8, quant=SCALED, format=NZ, dst_stride=stride, factor=word(0.25))
    (i,) = model.run("fixpipe", model.at(Space.GM), model.at(Space.L0C), p)
    expected = to_8_bits(c, np.float32(0.25), 0, True, False)
    out = model.get(Space.GM, 0, stride * 3, np.int8)
    assert_same(split_tiles(out, m, 2, 32, stride), expected[:, :64])
    if n == 80:
        assert_same(out[2 * stride :][: m * 16].reshape(m, 16), expected[:, 64:])
    assert sum(r.rows * r.row_bytes for r in i.of(write=True)) == m * n


def test_integers_become_half(model: Model, chip: Chip) -> None:
    m, n, scale = 16, 32, 0.0625 + 2**-20
    c = put_c(model, m, n, np.int32)
    p = plain(n, m, src=DType.I32, dst=DType.F16, quant=SCALED, factor=word(scale), relu=True)
    model.reset(chip)
    c = put_c(model, m, n, np.int32)
    model.run("fixpipe", model.at(Space.GM), model.at(Space.L0C), p)
    expected = np.maximum(c.astype(np.float32), 0) * ten_bits(scale)
    assert_same(model.get(Space.GM, 0, (m, n), np.float16), expected.astype(np.float16))


def test_integers_may_be_shifted_first_on_the_earlier_chip(a2: Model) -> None:
    values = np.array([1 << 20, -(1 << 20), 40000, -40000, 5, -5, 1 << 30], np.int32)
    tile = np.zeros((1, 16, 16), np.int32)
    tile[0, 0, :7] = values
    a2.put(Space.L0C, 0, tile)
    p = plain(7, 1, src=DType.I32, dst=DType.F16, quant=SCALED, factor=word(1.0, shift=4))
    a2.run("fixpipe", a2.at(Space.GM), a2.at(Space.L0C), p)
    expected = np.clip(values >> 4, -32768, 32767).astype(np.float16)
    assert_same(a2.get(Space.GM, 0, 7, np.float16), expected)


@pytest.mark.parametrize(
    ("source", "dst"), [(DType.F32, DType.F16), (DType.F32, DType.BF16), (DType.I32, DType.BF16)]
)
def test_factors_of_the_later_chip(model: Model, source: DType, dst: DType) -> None:
    model.reset(Chip.A5)
    c = put_c(model, 16, 16, NUMPY[source])
    p = plain(16, 16, src=source, dst=dst, quant=SCALED, factor=word(1.5))
    model.run("fixpipe", model.at(Space.GM), model.at(Space.L0C), p)
    expected = (c.astype(np.float32) * np.float32(1.5)).astype(NUMPY[dst])
    assert_same(model.get(Space.GM, 0, (16, 16), NUMPY[dst]), expected)
    model.reset(Chip.A2)
    assert model.run("fixpipe", model.at(Space.GM), model.at(Space.L0C), p) == []
    assert "conversion" in model.findings()


def test_several_tiles_are_one_instruction(model: Model) -> None:
    m, n, count, apart, rows = 10, 24, 3, 500, 64
    tiles = []
    for t in range(count):
        c = np.arange(m * n, dtype=np.float32).reshape(m, n) + 1000 * t
        whole = np.full((2, 16, 16), np.nan, np.float32)
        whole[0, :m], whole[1, :m, :8] = c[:, :16], c[:, 16:]
        model.put(Space.L0C, t * rows * 64, whole)
        tiles.append(c)
    p = plain(n, m, matrices=count, src_matrix=rows, dst_matrix=apart)
    parts = model.run("fixpipe", model.at(Space.GM), model.at(Space.L0C), p)
    out = model.get(Space.GM, 0, apart * count, np.float32)
    for t, c in enumerate(tiles):
        assert_same(out[t * apart :][: m * n].reshape(m, n), c)
    assert [i.continues for i in parts] == [False, True, True]


def test_words_of_four_bytes_do_not_go_to_l1_on_the_earlier_chip(a2: Model) -> None:
    p = plain(16, 16, format=NZ, dst_stride=256)
    assert a2.run("fixpipe", a2.at(Space.L1), a2.at(Space.L0C), p) == []
    assert "to L1" in a2.findings()
