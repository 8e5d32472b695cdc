"""Bursts, fills and the regions that they leave."""

from __future__ import annotations

import numpy as np
import pytest

from tests.ops.ops_model import NUMPY, Burst, DType, Model, Pipe, Space, assert_same, ordinary

NONE, FIRST, VALUE = range(3)
ADD, MAX, MIN = 1, 2, 3


def rows_of(data: np.ndarray, rows: int, row: int, pitch: int, start: int = 0) -> np.ndarray:
    """`rows` runs of `row` bytes, `pitch` bytes apart."""
    return np.stack([data[start + r * pitch : start + r * pitch + row] for r in range(rows)])


def test_rows_of_any_length_go_from_gm_to_blocks_of_ub(model: Model) -> None:
    rows, row, src_pitch, dst_pitch = 5, 37, 101, 64
    source = np.random.default_rng(0).integers(0, 255, rows * src_pitch, dtype=np.uint8)
    gm = model.put(Space.GM, 3, source)
    b = Burst(rows=rows, row_bytes=row, src_pitch=src_pitch, dst_pitch=dst_pitch, pad_to_block=True)
    (i,) = model.run("burst", Pipe.MTE2, model.at(Space.UB, 96), gm, b)
    ub = model.get(Space.UB, 96, rows * dst_pitch, np.uint8).reshape(rows, dst_pitch)
    assert (ub[:, :row] == rows_of(source, rows, row, src_pitch)).all()
    assert (ub[:, row:] == 0xFF).all()
    assert i.of(write=False)[0].box() == (rows, row, src_pitch)
    assert i.of(write=True)[0].box() == (
        1,
        rows * 64,
        0,
    )  # whole blocks, and these follow each other
    assert i.pipe == Pipe.MTE2


@pytest.mark.parametrize("fill", [NONE, FIRST, VALUE])
def test_padding_fills_to_the_end_of_the_block(model: Model, fill: int) -> None:
    """Two halves to the left, one to the right, the rest of the block: all get the same."""
    rows, elements = 3, 9
    source = ordinary(np.dtype(np.float16), rows * elements)
    gm = model.put(Space.GM, 0, source)
    value = np.float16(2.5)
    b = Burst(
        rows=rows,
        row_bytes=2 * elements,
        src_pitch=2 * elements,
        dst_pitch=96,
        left_pad=4,
        right_pad=2,
        pad_to_block=True,
        fill=fill,
        pad_value=int(value.view(np.uint16)),
        elem=2,
    )
    (i,) = model.run("burst", Pipe.MTE2, model.at(Space.UB), gm, b)
    assert i.of(write=True)[0].box() == (rows, 32, 96)
    ub = model.get(Space.UB, 0, (rows, 48), np.float16)[:, :16]
    for row, got in zip(source.reshape(rows, elements), ub, strict=True):
        assert_same(got[2:11], row)
        pad = {NONE: np.uint16(0xFFFF).view(np.float16), FIRST: row[0], VALUE: value}[fill]
        assert_same(np.delete(got, range(2, 11)), np.full(7, pad, np.float16))


def test_rows_leave_ub_without_their_padding(model: Model) -> None:
    rows, row, dst_pitch = 4, 13, 29
    source = np.random.default_rng(1).integers(0, 255, (rows, 32), dtype=np.uint8)
    ub = model.put(Space.UB, 64, source)
    b = Burst(rows=rows, row_bytes=row, src_pitch=32, dst_pitch=dst_pitch)
    (i,) = model.run("burst", Pipe.MTE3, model.at(Space.GM, 5), ub, b)
    gm = model.get(Space.GM, 5, rows * dst_pitch, np.uint8)
    assert (rows_of(gm, rows, row, dst_pitch) == source[:, :row]).all()
    assert i.of(write=True)[0].box() == (rows, row, dst_pitch)
    assert i.of(write=False)[0].box() == (rows, row, 32)


def test_a_negative_pitch_reverses_rows(model: Model) -> None:
    source = np.arange(96, dtype=np.uint8)
    model.put(Space.GM, 0, source)
    b = Burst(rows=3, row_bytes=32, src_pitch=-32, dst_pitch=32)
    model.run("burst", Pipe.MTE2, model.at(Space.UB), model.at(Space.GM, 64), b)
    assert (
        model.get(Space.UB, 0, 96, np.uint8).reshape(3, 32) == source.reshape(3, 32)[::-1]
    ).all()


@pytest.mark.parametrize(("rows", "row"), [(0, 32), (3, 0)])
def test_nothing_to_move_is_no_instruction(model: Model, rows: int, row: int) -> None:
    b = Burst(rows=rows, row_bytes=row, src_pitch=32, dst_pitch=32)
    assert model.run("burst", Pipe.MTE2, model.at(Space.UB), model.at(Space.GM), b) == []


@pytest.mark.parametrize("op", [ADD, MAX, MIN])
@pytest.mark.parametrize("t", [DType.F32, DType.F16, DType.BF16, DType.I32, DType.I16, DType.I8])
def test_atomics_combine_with_what_is_there(model: Model, op: int, t: DType) -> None:
    dtype = NUMPY[t]
    old, new = ordinary(dtype, 24, seed=1), ordinary(dtype, 24, seed=2)
    gm, ub = model.put(Space.GM, 0, old), model.put(Space.UB, 0, new)
    b = Burst(row_bytes=new.nbytes, atomic=op, atomic_type=t)
    (i,) = model.run("burst", Pipe.MTE3, gm, ub, b)
    wide = np.float64 if dtype.kind in "fV" else np.int64
    x, y = old.astype(wide), new.astype(wide)
    expected = {ADD: x + y, MAX: np.maximum(x, y), MIN: np.minimum(x, y)}[op]
    if dtype.kind in "fV":
        expected = expected.astype(np.float32)
    assert_same(model.get(Space.GM, 0, 24, dtype), expected.astype(dtype))
    assert [r.atomic for r in i.of(write=True)] == [True]
    assert any(r.atomic for r in i.of(write=False))


def test_an_atomic_on_a_type_without_one_is_unsupported(model: Model) -> None:
    b = Burst(row_bytes=32, atomic=ADD, atomic_type=DType.U16)
    assert model.run("burst", Pipe.MTE3, model.at(Space.GM), model.at(Space.UB), b) == []
    assert "unsupported: atomic access of uint16" in model.findings()


def test_fill_leaves_gaps(model: Model) -> None:
    value = int(np.float16(-1.5).view(np.uint16))
    (i,) = model.run("fill", Pipe.MTE2, model.at(Space.L1, 128), 3, 2, 1, value, 2)
    l1 = model.get(Space.L1, 128, (3, 48), np.float16)
    assert (l1[:, :32] == np.float16(-1.5)).all()
    assert np.isnan(l1[:, 32:]).all()
    assert i.of(write=True)[0].box() == (3, 64, 96)


def test_every_builder_takes_longer_for_more_bytes(model: Model) -> None:
    small, large = Burst(row_bytes=64), Burst(row_bytes=64 * 1024)
    (a,) = model.run("burst", Pipe.MTE2, model.at(Space.UB), model.at(Space.GM), small)
    (b,) = model.run("burst", Pipe.MTE2, model.at(Space.UB), model.at(Space.GM), large)
    assert 1 < a.cycles < b.cycles
