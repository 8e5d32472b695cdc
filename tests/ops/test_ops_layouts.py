"""Layout changes on the way to the Cube: ND to NZ, and fractals to L0."""

from __future__ import annotations

import numpy as np
import pytest

from tests.ops.ops_model import Array, Chip, Fractals, Model, Nd2Nz, Pipe, Space, assert_same

SIZES = [1, 2, 4]


def matrix(rows: int, cols: int, elem: int) -> Array:
    """Asymmetric: every element says where it comes from."""
    dtype = {1: np.uint8, 2: np.uint16, 4: np.uint32}[elem]
    values = np.arange(rows)[:, None] * 1000 + np.arange(cols)[None, :]
    return (values % (1 << (8 * elem)) if elem < 4 else values).astype(dtype)


def nz(m: Array, rows: int) -> Array:
    """NZ of `m` with `rows` rows per block column: [column][row][C0], the last column filled with zeros."""
    c0 = 32 // m.itemsize
    columns = -(-m.shape[1] // c0)
    padded = np.zeros((rows, columns * c0), m.dtype)
    padded[: m.shape[0], : m.shape[1]] = m
    return padded.reshape(rows, columns, c0).transpose(1, 0, 2)


@pytest.mark.parametrize("elem", SIZES)
@pytest.mark.parametrize(("n", "d"), [(16, 64), (13, 47), (1, 1), (33, 127), (40, 8)])
def test_nd_becomes_nz_and_pads_columns_with_zeros(model: Model, n: int, d: int, elem: int) -> None:
    m = matrix(n, d + 5, elem)[:, :d]
    pitch = (d + 5) * elem
    gm = model.put(Space.GM, 1, matrix(n, d + 5, elem))
    rows = -(-n // 16) * 16
    p = Nd2Nz(n=n, d=d, src_row_pitch=pitch, c0_stride=rows, elem=elem)
    (i,) = model.run("nd2nz", model.at(Space.L1, 64), gm, p)
    expected = nz(m, rows)
    got = model.get(Space.L1, 64, expected.shape, m.dtype)
    assert_same(got[:, :n], expected[:, :n])
    assert (got[:, n:].view(np.uint8) == 0xFF).all()  # rows beyond the matrix stay as they were
    assert i.pipe == Pipe.MTE2
    columns = expected.shape[0]
    whole = (1, columns * n * 32, 0) if n == rows else (columns, n * 32, rows * 32)
    assert i.of(write=True)[0].box() == (whole if columns > 1 else (1, n * 32, 0))


@pytest.mark.parametrize("elem", SIZES)
def test_dn_is_the_transpose_of_nd(model: Model, elem: int) -> None:
    n, d = 21, 37
    m = matrix(d, n, elem)  # d rows of n elements
    gm = model.put(Space.GM, 0, m)
    p = Nd2Nz(n=n, d=d, src_row_pitch=n * elem, c0_stride=32, elem=elem, transposed=True)
    model.run("nd2nz", model.at(Space.L1), gm, p)
    expected = nz(m.T, 32)
    assert_same(model.get(Space.L1, 0, expected.shape, m.dtype)[:, :n], expected[:, :n])


def test_several_matrices_are_parts_of_one_instruction(model: Model) -> None:
    n, d, count = 16, 32, 3
    m = matrix(n * count, d, 2)
    gm = model.put(Space.GM, 0, m)
    p = Nd2Nz(
        matrices=count,
        n=n,
        d=d,
        src_row_pitch=2 * d,
        src_matrix_pitch=2 * d * n,
        c0_stride=n,
        dst_matrix_stride=2 * n + 4,
    )
    parts = model.run("nd2nz", model.at(Space.L1), gm, p)
    assert [i.continues for i in parts] == [False, True, True]
    for k in range(count):
        got = model.get(Space.L1, k * (2 * n + 4) * 32, (2, n, 16), np.uint16)
        assert_same(got, nz(m[k * n : (k + 1) * n], n))


def test_rows_apart_need_one_part_per_block_column(model: Model) -> None:
    n, d = 5, 40
    m = matrix(n, d, 2)
    gm = model.put(Space.GM, 0, m)
    p = Nd2Nz(n=n, d=d, src_row_pitch=2 * d, c0_stride=100, n_stride=3)
    parts = model.run("nd2nz", model.at(Space.L1), gm, p)
    assert len(parts) == 3
    expected = nz(m, n)
    for g in range(3):
        rows = [model.get(Space.L1, (g * 100 + 3 * r) * 32, 16, np.uint16) for r in range(n)]
        assert_same(np.stack(rows), expected[g])
    assert (model.get(Space.L1, 32, 64, np.uint8) == 0xFF).all()  # between the rows


def test_no_rows_or_columns_is_no_instruction(model: Model) -> None:
    for p in (Nd2Nz(n=0, d=16), Nd2Nz(n=16, d=0), Nd2Nz(matrices=0, n=16, d=16)):
        assert model.run("nd2nz", model.at(Space.L1), model.at(Space.GM), p) == []


# ---- L1 -> L0 --------------------------------------------------------------------------------------------------------


def zz(m: Array) -> Array:
    """ZZ: [row block][column block][16][C0]."""
    c0 = 32 // m.itemsize
    rows, cols = m.shape
    return m.reshape(rows // 16, 16, cols // c0, c0).transpose(0, 2, 1, 3)


@pytest.mark.parametrize("elem", SIZES)
def test_nz_in_l1_becomes_zz_in_l0a(a2: Model, elem: int) -> None:
    m = matrix(48, 4 * 32 // elem, elem)
    source = nz(m, 48)
    l1 = a2.put(Space.L1, 32, source)
    f = Fractals(outer=3, inner=4, src_outer=1, src_inner=3, dst_outer=4, dst_inner=1, elem=elem)
    (i,) = a2.run("load_fractals", a2.at(Space.L0A, 512), l1, f)
    expected = zz(m)
    assert_same(a2.get(Space.L0A, 512, expected.shape, m.dtype), expected)
    assert i.pipe == Pipe.MTE1
    assert i.of(write=True)[0].box() == (1, 12 * 512, 0)
    assert i.of(write=False)[0].box() == (1, 12 * 512, 0)


def test_a_window_of_a_larger_tile_stays_one_region(model: Model) -> None:
    """Two of four row blocks, three of four column blocks."""
    m = matrix(64, 64, 2)
    model.put(Space.L1, 0, nz(m, 64))
    f = Fractals(outer=3, inner=2, src_outer=4, src_inner=1, dst_outer=2, dst_inner=1)
    (i,) = model.run("load_fractals", model.at(Space.L0A), model.at(Space.L1, 512), f)
    assert i.of(write=False)[0].box() == (3, 1024, 2048)
    got = model.get(Space.L0A, 0, (3, 2, 16, 16), np.uint16)
    assert_same(got, nz(m, 64).reshape(4, 4, 16, 16)[:3, 1:3])


def test_fractals_can_be_read_backwards(model: Model) -> None:
    source = np.arange(4 * 256, dtype=np.uint16).reshape(4, 256)
    model.put(Space.L1, 0, source)
    f = Fractals(inner=4, src_inner=-1, dst_inner=1)
    model.run("load_fractals", model.at(Space.L0B), model.at(Space.L1, 3 * 512), f)
    assert_same(model.get(Space.L0B, 0, (4, 256), np.uint16), source[::-1])


def zn_of_transposed(m: Array) -> Array:
    """L0B of B = m (k rows, n columns): [k group][n block][16 n][C0 k]."""
    c0 = 32 // m.itemsize
    k, n = m.shape
    return m.reshape(k // c0, c0, n // 16, 16).transpose(0, 2, 3, 1)


def test_transposing_load_turns_k_rows_into_n_rows_for_two_bytes(model: Model) -> None:
    k, n = 48, 80
    m = matrix(k, n, 2)
    l1 = model.put(Space.L1, 0, nz(m, k))
    blocks_k, blocks_n = k // 16, n // 16
    f = Fractals(
        outer=blocks_k,
        inner=blocks_n,
        src_outer=1,
        src_inner=blocks_k,
        dst_outer=blocks_n,
        dst_inner=1,
        transpose=True,
    )
    model.run("load_fractals", model.at(Space.L0B), l1, f)
    expected = zn_of_transposed(m)
    assert_same(model.get(Space.L0B, 0, expected.shape, m.dtype), expected)


def test_transposing_load_of_four_bytes_takes_pairs_along_n(a5: Model) -> None:
    """[K, N] in L1: columns of 8 elements; two neighbours make 16 x 16, which splits along k afterwards."""
    k, n = 32, 48
    m = matrix(k, n, 4)
    l1 = a5.put(Space.L1, 0, nz(m, k))
    f = Fractals(
        outer=n // 16,
        inner=k // 16,
        src_outer=2 * (k // 16),
        src_inner=1,
        dst_outer=1,
        dst_inner=2 * (n // 16),
        transpose=True,
        src_pair=k // 16,
        dst_pair=n // 16,
        elem=4,
    )
    a5.run("load_fractals", a5.at(Space.L0B), l1, f)
    expected = zn_of_transposed(m)
    assert_same(a5.get(Space.L0B, 0, expected.shape, m.dtype), expected)


def test_transposing_load_of_one_byte_takes_pairs_along_k(model: Model) -> None:
    k, n = 64, 96
    m = matrix(k, n, 1)
    l1 = model.put(Space.L1, 0, nz(m, k))
    f = Fractals(
        outer=k // 32,
        inner=n // 32,
        src_outer=2,
        src_inner=k // 16,
        dst_outer=n // 16,
        dst_inner=2,
        transpose=True,
        src_pair=1,
        dst_pair=1,
        elem=1,
    )
    model.run("load_fractals", model.at(Space.L0B), l1, f)
    expected = zn_of_transposed(m)
    assert_same(model.get(Space.L0B, 0, expected.shape, m.dtype), expected)


def test_a_scattered_load_is_split_and_stays_exact(model: Model) -> None:
    """Every second row block of every third column block: three dimensions on both sides."""
    source = np.arange(64 * 256, dtype=np.uint16).reshape(64, 256)
    model.put(Space.L1, 0, source)
    f = Fractals(outer=3, inner=4, src_outer=20, src_inner=3, dst_outer=11, dst_inner=2)
    parts = model.run("load_fractals", model.at(Space.L0A), model.at(Space.L1), f)
    assert [i.continues for i in parts] == [False, True, True]
    for o in range(3):
        for j in range(4):
            got = model.get(Space.L0A, (o * 11 + j * 2) * 512, 256, np.uint16)
            assert_same(got, source[o * 20 + j * 3])


def test_loads_into_l0b_are_slower_on_2201(a2: Model) -> None:
    f = Fractals(inner=64, src_inner=1, dst_inner=1)
    (to_a,) = a2.run("load_fractals", a2.at(Space.L0A), a2.at(Space.L1), f)
    (to_b,) = a2.run("load_fractals", a2.at(Space.L0B), a2.at(Space.L1), f)
    assert (to_a.cycles, to_b.cycles) == (28 + 64 * 2, 28 + 64 * 4)
    a2.reset(Chip.A5)
    (to_b,) = a2.run("load_fractals", a2.at(Space.L0B), a2.at(Space.L1), f)
    assert to_b.cycles == 30 + 64 * 2
