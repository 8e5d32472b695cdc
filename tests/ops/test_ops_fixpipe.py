"""L0C to GM, L1 and UB: layouts, conversions, ReLU, both UBs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.ops.ops_model import (
    BF16,
    NUMPY,
    Array,
    DType,
    Fixpipe,
    Model,
    Pipe,
    Space,
    Unit,
    assert_same,
    ordinary,
)

ND, NZ = 0, 1
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
