"""Reductions: order of additions, extrema with indices, tiles, temporaries."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.ops.ops_model import (
    ABSENT,
    NUMPY,
    Array,
    Chip,
    DType,
    Model,
    Space,
    assert_same,
    numbers,
    ordinary,
)

SUM, MAX, MIN = range(3)
VALUE, VALUE_INDEX, INDEX_VALUE, INDEX = range(4)
D, TMP = 128 * 1024, 160 * 1024


def tree(x: Array) -> Any:
    """Neighbours are added, level by level, each sum rounded to the type."""
    while x.size > 1:
        if x.size % 2:
            x = np.append((x[:-1:2] + x[1::2]).astype(x.dtype), x[-1])
        else:
            x = (x[::2] + x[1::2]).astype(x.dtype)
    return x[0]


def reduced(op: int, x: Array) -> Any:
    if op == SUM:
        return tree(x)
    if np.isnan(x.astype(np.float64)).any():
        return np.array([np.nan], np.float32).astype(x.dtype)[0]
    return x.max() if op == MAX else x.min()


def in_repeats(op: int, x: Array) -> Any:
    """Repeats of 256 bytes one after the other."""
    lanes = 256 // x.itemsize
    parts = [reduced(op, x[k : k + lanes]) for k in range(0, x.size, lanes)]
    total = parts[0]
    for p in parts[1:]:
        if op == SUM:
            total = x.dtype.type(np.array([total + p], x.dtype)[0])
        else:
            total = reduced(op, np.array([total, p], x.dtype))
    return total


@pytest.mark.parametrize("op", [SUM, MAX, MIN])
@pytest.mark.parametrize("t", [DType.F32, DType.F16])
@pytest.mark.parametrize("n", [1, 7, 64, 129, 1000, 4097])
def test_a_count_is_reduced_repeat_by_repeat(model: Model, op: int, t: DType, n: int) -> None:
    x = (
        ordinary(NUMPY[t], n, 1)
        if op == SUM
        else -np.abs(ordinary(NUMPY[t], n, 1)) - NUMPY[t].type(1)
    )
    src = model.put(Space.UB, 0, x)
    (i,) = model.run(
        "reduce_whole", op, t, model.at(Space.UB, D), src, model.at(Space.UB, TMP), n, VALUE
    )
    assert_same(model.get(Space.UB, D, 1, NUMPY[t]), np.array([in_repeats(op, x)]))
    assert i.of(write=True)[0].row_bytes == NUMPY[t].itemsize


def test_nan_wins_an_extremum(model: Model) -> None:
    x = ordinary(np.dtype(np.float32), 300)
    x[77] = np.nan
    src = model.put(Space.UB, 0, x)
    for op in (MAX, MIN):
        model.run(
            "reduce_whole", op, DType.F32, model.at(Space.UB, D), src, ABSENT, 300, VALUE_INDEX
        )
        assert np.isnan(model.get(Space.UB, D, 1, np.float32)).all()
        assert model.get(Space.UB, D + 4, 1, np.uint32)[0] == 77


@pytest.mark.parametrize("t", [DType.F32, DType.F16])
@pytest.mark.parametrize("op", [MAX, MIN])
def test_the_first_extremum_gives_the_index(model: Model, op: int, t: DType) -> None:
    x = ordinary(NUMPY[t], 1500)
    best = x.max() if op == MAX else x.min()
    x[[700, 1100]] = best * 2
    src = model.put(Space.UB, 0, x)
    size = NUMPY[t].itemsize
    model.run("reduce_whole", op, t, model.at(Space.UB, D), src, ABSENT, 1500, VALUE_INDEX)
    assert model.get(Space.UB, D, 1, NUMPY[t])[0] == x[700]
    assert model.get(Space.UB, D + size, 1, f"u{size}")[0] == 700


def test_temporaries_of_the_first_round_are_lost_on_2201(model: Model, chip: Chip) -> None:
    """Half: 128 lanes a repeat; an extremum leaves a pair for each, a sum over a count nothing."""
    src = model.put(Space.UB, 0, ordinary(np.dtype(np.float16), 1280))
    for op, size in [(SUM, 0), (MAX, 64)]:
        where = (model.at(Space.UB, D), src, model.at(Space.UB, TMP))
        (i,) = model.run("reduce_whole", op, DType.F16, *where, 1280, VALUE)
        lost = [r.row_bytes for r in i.of(write=True)[1:]]
        assert lost == ([size] if size and chip == Chip.A2 else [])


def test_the_result_may_lie_in_the_temporary_buffer_that_is_the_source(model: Model) -> None:
    x = ordinary(np.dtype(np.float32), 256)
    src = model.put(Space.UB, 0, x)
    model.lib.h_reset(int(Chip.A2), 0)
    model.run("reduce_whole", SUM, DType.F32, src, src, src, 256, VALUE)
    assert_same(model.get(Space.UB, 0, 1, np.float32), np.array([in_repeats(SUM, x)]))


@pytest.mark.parametrize("op", [SUM, MAX, MIN])
@pytest.mark.parametrize("t", [DType.F32, DType.F16])
@pytest.mark.parametrize("lanes", [1, 5, 40, 64])
def test_one_result_per_repeat(model: Model, op: int, t: DType, lanes: int) -> None:
    dtype = NUMPY[t]
    x = numbers(dtype, 3 * 128 * 4, 1)
    src = model.put(Space.UB, 0, x)
    rep = 9  # blocks
    model.run("reduce_repeat", op, t, model.at(Space.UB, D), src, lanes, 4, 3, 1, rep, VALUE)
    got = model.get(Space.UB, D, 12, dtype)
    step = rep * 32 // dtype.itemsize
    for r in range(4):
        expected = reduced(op, x[r * step : r * step + lanes])
        assert_same(got[3 * r : 3 * r + 1], np.array([expected], dtype))
    assert np.isnan(got[1::3].astype(np.float64)).all()


@pytest.mark.parametrize(("out", "size"), [(VALUE_INDEX, 2), (INDEX_VALUE, 2), (INDEX, 1)])
@pytest.mark.parametrize("t", [DType.F32, DType.F16])
def test_indices_are_stored_beside_their_value(model: Model, out: int, size: int, t: DType) -> None:
    dtype = NUMPY[t]
    lanes = 256 // dtype.itemsize
    x = ordinary(dtype, 5 * lanes)
    src = model.put(Space.UB, 0, x)
    model.run("reduce_repeat", MAX, t, model.at(Space.UB, D), src, lanes, 5, 1, 1, 8, out)
    best = x.reshape(5, lanes).argmax(axis=1)
    if out == INDEX:
        assert (model.get(Space.UB, D, 5, np.uint32) == best).all()
        return
    pairs = model.get(Space.UB, D, (5, size), dtype)
    values, indices = (
        (pairs[:, 0], pairs[:, 1]) if out == VALUE_INDEX else (pairs[:, 1], pairs[:, 0])
    )
    assert_same(values, x.reshape(5, lanes).max(axis=1))
    assert (np.ascontiguousarray(indices).view(f"u{dtype.itemsize}") == best).all()


def test_scattered_blocks_are_reduced_repeat_by_repeat(model: Model) -> None:
    """Blocks two apart in repeats that overlap: more regions than one instruction has."""
    x = ordinary(np.dtype(np.float32), 4096)
    src = model.put(Space.UB, 0, x)
    parts = model.run(
        "reduce_repeat", SUM, DType.F32, model.at(Space.UB, D), src, 44, 3, 1, 2, 21, VALUE
    )
    assert [i.continues for i in parts] == [False, True, True]
    lanes = np.array([(k // 8) * 16 + k % 8 for k in range(44)])
    expected = np.array([tree(x[r * 168 + lanes]) for r in range(3)], np.float32)
    assert_same(model.get(Space.UB, D, 3, np.float32), expected)


@pytest.mark.parametrize("op", [SUM, MAX, MIN])
@pytest.mark.parametrize("t", [DType.F32, DType.F16])
@pytest.mark.parametrize("lanes", [64, 37])
def test_one_result_per_block(model: Model, chip: Chip, op: int, t: DType, lanes: int) -> None:
    dtype = NUMPY[t]
    in_block = 32 // dtype.itemsize
    x = ordinary(dtype, 3 * 256 // dtype.itemsize, 1)
    src = model.put(Space.UB, 0, x)
    model.run("reduce_block", op, t, model.at(Space.UB, D), src, lanes, 3, 1, 1, 8)
    got = model.get(Space.UB, D, (3, 8), dtype)
    active = -(-lanes // in_block)
    for r in range(3):
        row = x[r * 8 * in_block : r * 8 * in_block + lanes]
        expected = [reduced(op, row[b * in_block : (b + 1) * in_block]) for b in range(active)]
        assert_same(got[r, :active], np.array(expected, dtype))
    rest = got[:, active:].astype(np.float64)
    if chip == Chip.A2:
        assert np.isnan(rest).all()  # blocks without a lane are not written
    else:
        assert (rest == {SUM: 0, MAX: -np.inf, MIN: np.inf}[op]).all()


@pytest.mark.parametrize("op", [SUM, MAX, MIN])
@pytest.mark.parametrize("by_row", [True, False])
@pytest.mark.parametrize("t", [DType.F32, DType.F16])
@pytest.mark.parametrize("shape", [(3, 37), (16, 128), (1, 5), (20, 1003)])
def test_tiles_are_reduced_along_either_axis(
    model: Model, op: int, by_row: bool, t: DType, shape: tuple[int, int]
) -> None:
    rows, cols = shape
    dtype = NUMPY[t]
    pitch = -(-cols * dtype.itemsize // 32) * 32
    width = pitch // dtype.itemsize
    x = ordinary(dtype, rows * width, 1).reshape(rows, width)
    tile = x[:, :cols]
    src = model.put(Space.UB, 0, x)
    where = (model.at(Space.UB, D), src, model.at(Space.UB, TMP))
    (i,) = model.run("reduce_tile", op, t, *where, rows, cols, pitch, by_row)
    if by_row:
        expected = np.array([in_repeats(op, np.ascontiguousarray(r)) for r in tile], dtype)
    else:
        expected = tile[0].copy()
        for r in tile[1:]:
            pair = {SUM: lambda a, b: (a + b).astype(dtype), MAX: np.maximum, MIN: np.minimum}[op]
            expected = pair(expected, r)
    assert_same(model.get(Space.UB, D, expected.size, dtype), expected)
    assert i.of(write=True)[0].row_bytes == expected.nbytes


@pytest.mark.parametrize("by_row", [True, False])
def test_integer_tiles_on_3510(a5: Model, by_row: bool) -> None:
    x = numbers(np.dtype(np.int32), 4 * 8).reshape(4, 8)
    src = a5.put(Space.UB, 0, x)
    a5.run("reduce_tile", SUM, DType.I32, a5.at(Space.UB, D), src, ABSENT, 4, 8, 32, by_row)
    expected = x.astype(np.int64).sum(axis=1 if by_row else 0).astype(np.int32)
    assert_same(a5.get(Space.UB, D, expected.size, np.int32), expected)


def test_integers_are_not_reduced_on_2201(a2: Model) -> None:
    where = (a2.at(Space.UB, D), a2.at(Space.UB), ABSENT)
    assert a2.run("reduce_whole", SUM, DType.I32, *where, 64, VALUE) == []
    assert "of int32 on dav-2201" in a2.findings()
