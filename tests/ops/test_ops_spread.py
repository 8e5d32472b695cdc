"""Broadcasts, Brcb, sequences, gathers and the 16 x 16 transpose."""

from __future__ import annotations

import numpy as np
import pytest

from tests.ops.ops_model import ABSENT, NUMPY, Chip, DType, Model, Space, assert_same, ordinary

D, TMP = 128 * 1024, 64 * 1024


@pytest.mark.parametrize("t", [DType.F32, DType.F16, DType.I8])
@pytest.mark.parametrize("axis", [0, 1])
def test_a_row_or_a_column_becomes_a_tile(model: Model, t: DType, axis: int) -> None:
    rows, cols = 9, 40
    x = ordinary(NUMPY[t], rows if axis == 1 else cols)
    src = model.put(Space.UB, 0, x)
    where = (model.at(Space.UB, D), src, model.at(Space.UB, TMP))
    (i,) = model.run("broadcast", t, *where, rows, cols, axis)
    expected = np.broadcast_to(x[:, None] if axis == 1 else x[None], (rows, cols))
    assert_same(model.get(Space.UB, D, (rows, cols), NUMPY[t]), expected)
    assert [r.row_bytes for r in i.of(write=True)] == [expected.nbytes, expected.nbytes // 4]


def test_dav_2201_has_no_bfloat16_broadcast(a2: Model) -> None:
    where = (a2.at(Space.UB, D), a2.at(Space.UB), ABSENT)
    assert a2.run("broadcast", DType.BF16, *where, 8, 16, 1) == []
    assert "Broadcast of bfloat16 on dav-2201" in a2.findings()


@pytest.mark.parametrize("t", [DType.F32, DType.BF16])
@pytest.mark.parametrize(("blk", "rep", "parts"), [(1, 8, 1), (1, 16, 1), (2, 16, 1), (2, 20, 3)])
def test_brcb_spreads_every_element_over_a_block(
    model: Model, t: DType, blk: int, rep: int, parts: int
) -> None:
    dtype = NUMPY[t]
    x = ordinary(dtype, 24)
    src = model.put(Space.UB, 0, x)
    issued = model.run("brcb", t, model.at(Space.UB, D), src, 3, blk, rep)
    assert len(issued) == parts
    lanes = 32 // dtype.itemsize
    for k in range(24):
        at = D + ((k // 8) * rep + (k % 8) * blk) * 32
        assert_same(model.get(Space.UB, at, lanes, dtype), np.full(lanes, x[k], dtype))


@pytest.mark.parametrize("t", [DType.I32, DType.I16, DType.F32, DType.F16])
def test_sequences(model: Model, t: DType) -> None:
    model.run("arange", t, model.at(Space.UB, D), -3.0, 2.0, 333)
    expected = (-3.0 + 2.0 * np.arange(333)).astype(NUMPY[t])
    assert_same(model.get(Space.UB, D, 333, NUMPY[t]), expected)


@pytest.mark.parametrize("t", [DType.F32, DType.F16])
def test_gather_takes_byte_offsets(model: Model, t: DType) -> None:
    dtype = NUMPY[t]
    x = ordinary(dtype, 64)
    model.put(Space.UB, 256, x)
    src = model.at(Space.UB, 256, lo=256, hi=256 + x.nbytes)
    picks = np.random.default_rng(0).integers(0, 60, 100)
    offsets = model.put(Space.UB, 8192, (picks * dtype.itemsize).astype(np.uint32))
    model.run("gather", t, model.at(Space.UB, D), src, offsets, 2 * dtype.itemsize, 100)
    assert_same(model.get(Space.UB, D, 100, dtype), x[picks + 2])


def test_gather_past_the_end_gives_poison(model: Model) -> None:
    x = ordinary(np.dtype(np.float32), 8)
    model.put(Space.UB, 0, x)
    offsets = model.put(Space.UB, 8192, np.array([28, 32], np.uint32))
    src = model.at(Space.UB, 0, hi=32)
    model.run("gather", DType.F32, model.at(Space.UB, D), src, offsets, 0, 2)
    got = model.get(Space.UB, D, 2, np.float32)
    assert got[0] == x[7]
    assert np.isnan(got[1])


def test_gather_from_a_source_of_unknown_size_reads_where_the_offsets_say(a2: Model) -> None:
    x = ordinary(np.dtype(np.float32), 64)
    a2.put(Space.UB, 0, x)
    offsets = a2.put(Space.UB, 8192, np.array([0, 252, 128], np.uint32))
    a2.run("gather", DType.F32, a2.at(Space.UB, D), a2.at(Space.UB), offsets, 0, 3)
    assert_same(a2.get(Space.UB, D, 3, np.float32), x[[0, 63, 32]])
    assert a2.findings() == ""


def test_transpose_of_16_by_16(model: Model) -> None:
    x = (np.arange(16)[:, None] * 1000 + np.arange(16)).astype(np.uint16)
    src = model.put(Space.UB, 0, x)
    model.run("transpose16", model.at(Space.UB, D), src)
    assert_same(model.get(Space.UB, D, (16, 16), np.uint16), x.T)


@pytest.mark.parametrize("chip", [Chip.A2], ids=["2201"])
def test_nothing_to_do_is_no_instruction(model: Model) -> None:
    at = model.at(Space.UB)
    assert model.run("brcb", DType.F32, at, at, 0, 1, 8) == []
    assert model.run("arange", DType.F32, at, 0.0, 1.0, 0) == []
    assert model.run("broadcast", DType.F32, at, at, ABSENT, 0, 8, 1) == []
    assert model.run("gather", DType.F32, at, at, at, 0, 0) == []
