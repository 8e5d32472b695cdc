"""Loads that unfold a feature map for a convolution: windows, paddings, layouts of L0A and L0B."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.ops.ops_model import Array, Chip, Im2col, Model, Pipe, Space, assert_same

KIND = {1: np.int8, 2: np.int16, 4: np.int32}


def feature_map(c1: int, h: int, w: int, elem: int) -> Array:
    """NC1HWC0 with another number in every place."""
    c0 = 32 // elem
    count = c1 * h * w * c0
    return np.arange(1, count + 1).astype(KIND[elem]).reshape(c1, h, w, c0)


def unfolded(x: Array, p: Im2col) -> Array:
    """The whole matrix: one row for each position of the window, columns (C1, filter, C0)."""
    c1, h, w, c0 = x.shape
    padded = np.full(
        (c1, h + p.pad_top + p.pad_bottom, w + p.pad_left + p.pad_right, c0), p.pad, x.dtype
    )
    padded[:, p.pad_top : p.pad_top + h, p.pad_left : p.pad_left + w] = x
    tall, wide = (p.filter_h - 1) * p.dilation_h + 1, (p.filter_w - 1) * p.dilation_w + 1
    rows = []
    for y in range(0, padded.shape[1] - tall + 1, p.stride_h):
        for z in range(0, padded.shape[2] - wide + 1, p.stride_w):
            window = padded[:, y : y + tall : p.dilation_h, z : z + wide : p.dilation_w]
            rows.append(window.reshape(-1))
    return np.array(rows)


def part(matrix: Array, p: Im2col) -> Array:
    return matrix[p.m_start : p.m_start + p.m, p.k_start : p.k_start + p.k]


def fractal(model: Model, space: Space, index: int, dtype: Any) -> Array:
    c0 = 32 // np.dtype(dtype).itemsize
    return model.get(space, index * 512, (16, c0), dtype)


def loaded(model: Model, space: Space, rows: int, columns: int, dtype: Any, place: Any) -> Array:
    """A matrix in fractals of 16 rows and C0 columns, fractal (i, j) at number `place(i, j)`."""
    c0 = 32 // np.dtype(dtype).itemsize
    lines = []
    for i in range(-(-rows // 16)):
        line = [fractal(model, space, place(i, j), dtype) for j in range(-(-columns // c0))]
        lines.append(np.concatenate(line, 1))
    return np.concatenate(lines)[:rows, :columns]


def plain(chip: Chip, **fields: Any) -> Im2col:
    return Im2col(dst_stride=7 if chip == Chip.A5 else 0, **fields)


WINDOWS = [
    {"h": 1, "w": 48},
    {"h": 8, "w": 8, "filter_h": 3, "filter_w": 3},
    {"h": 8, "w": 8, "filter_h": 3, "filter_w": 3, "pad_left": 1, "pad_right": 1, "pad_top": 1}
    | {"pad_bottom": 1, "pad": 77},
    {"h": 9, "w": 11, "filter_h": 2, "filter_w": 3, "stride_h": 2, "stride_w": 3, "pad_left": 2},
    {"h": 9, "w": 12, "filter_h": 3, "filter_w": 2, "dilation_h": 2, "dilation_w": 3},
    {"h": 6, "w": 5, "filter_h": 1, "filter_w": 1, "stride_w": 2},
]


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("elem", [1, 2, 4])
def test_windows_become_rows_of_l0a(
    model: Model, chip: Chip, elem: int, window: dict[str, int]
) -> None:
    x = feature_map(2, window["h"], window["w"], elem)
    model.put(Space.L1, 0, x)
    whole = unfolded(x, plain(chip, elem=elem, **window))
    p = plain(chip, elem=elem, m=len(whole), k=whole.shape[1], **window)
    parts = model.run("im2col", model.at(Space.L0A), model.at(Space.L1), p)
    groups = whole.shape[1] // (32 // elem)

    def place(i: int, j: int) -> int:
        return i * groups + j if chip == Chip.A2 else j * 7 + i

    got = loaded(model, Space.L0A, p.m, p.k, x.dtype, place)
    assert_same(got, whole)
    assert {i.pipe for i in parts} == {Pipe.MTE1}
    assert [i.continues for i in parts] == [False] + [True] * (len(parts) - 1)


@pytest.mark.parametrize("space", [Space.L0A, Space.L0B])
@pytest.mark.parametrize("elem", [1, 2, 4])
def test_transposed(model: Model, chip: Chip, space: Space, elem: int) -> None:
    """A map of one line is a matrix in NZ: K rows of L1 become columns of L0A, or rows of B."""
    if elem == 1 and chip == Chip.A2:
        pytest.skip("not on dav-2201")
    c0, k = 32 // elem, 64
    x = feature_map(3, 1, k, elem)
    model.put(Space.L1, 0, x)
    p = plain(chip, h=1, w=k, m=k, k=3 * c0, elem=elem, transpose=True)
    (i,) = model.run("im2col", model.at(space), model.at(Space.L1), p)
    rows, columns = 3 * c0, k  # of what L0 holds
    blocks, groups = -(-rows // 16), columns // c0

    def place(block: int, group: int) -> int:
        if chip == Chip.A5:
            return group * 7 + block
        return block * groups + group if space == Space.L0A else group * blocks + block

    got = loaded(model, space, rows, columns, x.dtype, place)
    assert_same(got, unfolded(x, p).T)
    written = sum(r.rows * r.row_bytes for r in i.of(write=True))
    assert written == rows * columns * elem


def test_a_part_of_the_matrix(model: Model, chip: Chip) -> None:
    window = {"h": 8, "w": 8, "filter_h": 2, "filter_w": 2, "pad_left": 1, "pad_top": 1}
    x = feature_map(2, 8, 8, 2)
    model.put(Space.L1, 0, x)
    p = plain(chip, elem=2, m_start=16, m=32, k_start=16, k=64, **window)
    model.run("im2col", model.at(Space.L0A), model.at(Space.L1), p)

    def place(i: int, j: int) -> int:
        return i * 4 + j if chip == Chip.A2 else j * 7 + i

    assert_same(loaded(model, Space.L0A, 32, 64, x.dtype, place), part(unfolded(x, p), p))


def test_only_what_the_windows_reach_is_read(model: Model, chip: Chip) -> None:
    """Rows 16 to 31 of a map of one line: 16 blocks of each channel group, no more."""
    x = feature_map(2, 1, 64, 2)
    model.put(Space.L1, 0, x)
    p = plain(chip, h=1, w=64, m_start=16, m=16, k=32, elem=2)
    (i,) = model.run("im2col", model.at(Space.L0A), model.at(Space.L1), p)
    (read,) = i.of(write=False)
    assert (read.base, read.box()) == (16 * 32, (2, 16 * 32, 64 * 32))


def test_rows_that_do_not_exist_are_poisoned(model: Model, chip: Chip) -> None:
    x = feature_map(1, 1, 20, 2)
    model.put(Space.L1, 0, x)
    p = plain(chip, h=1, w=20, m=32, k=16, elem=2)
    model.run("im2col", model.at(Space.L0A), model.at(Space.L1), p)
    got = loaded(model, Space.L0A, 32, 16, np.int16, lambda i, j: i)
    assert_same(got[:20], x[0, 0])
    assert (got[20:] == -1).all()


def test_durations_are_the_published_ones(a2: Model) -> None:
    """asc-devkit, tests/perf/load_data_perf: 50 + bytes / 256, to L0B 128."""
    (i,) = a2.run(
        "im2col", a2.at(Space.L0A), a2.at(Space.L1), Im2col(h=1, w=64, m=64, k=16, elem=2)
    )
    assert i.cycles == 50 + 64 * 32 // 256
    p = Im2col(h=1, w=64, m=64, k=16, elem=2, transpose=True)
    (i,) = a2.run("im2col", a2.at(Space.L0B), a2.at(Space.L1), p)
    assert i.cycles == 50 + 64 * 32 // 128


@pytest.mark.parametrize("nothing", ["h", "w", "m", "k", "filter_h", "filter_w"])
def test_a_zero_makes_it_no_instruction(model: Model, nothing: str) -> None:
    fields = {"h": 4, "w": 4, "m": 16, "k": 16} | {nothing: 0}
    assert model.run("im2col", model.at(Space.L0A), model.at(Space.L1), Im2col(**fields)) == []


@pytest.mark.parametrize(
    ("space", "p", "message"),
    [
        (Space.L0B, Im2col(h=1, w=16, m=16, k=16), "without a transposition"),
        (Space.L0A, Im2col(h=1, w=16, m=16, k=16, m_start=16), "behind the last row"),
        (Space.L0A, Im2col(h=1, w=16, m=16, k=16, elem=8), "elements other than"),
        (Space.L0A, Im2col(h=1, w=16, m=16, k=32, elem=1, transpose=True), "8-bit elements"),
    ],
)
def test_what_it_cannot_do_is_unsupported(a2: Model, space: Space, p: Im2col, message: str) -> None:
    assert a2.run("im2col", a2.at(space), a2.at(Space.L1), p) == []
    assert message in a2.findings()
