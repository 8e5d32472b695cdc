"""Sorting, compaction, gathering and transposition move the elements that NumPy says, and count them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.face_ascendc.harness import CHIPS, build, run, said

LENGTH, COUNTS, Z_BYTES = 4096, 16, 32768
Vector = NDArray[Any]
FLOATS = {"float": np.float32, "half": np.float16}
INTEGERS = {"uint32_t": np.uint32, "uint16_t": np.uint16, "int16_t": np.int16}
TYPES: dict[str, Any] = FLOATS | INTEGERS
chips = pytest.mark.parametrize("chip", CHIPS)


@dataclass
class Tiles:
    """What goes into a form; ``z`` and ``n`` are what comes out of it."""

    x: Vector
    y: Vector
    z: Vector = field(default_factory=lambda: np.zeros(Z_BYTES, np.uint8))
    n: Vector = field(default_factory=lambda: np.zeros(COUNTS, np.uint64))

    def words(self) -> Vector:
        """``z`` as elements of the type of ``x``."""
        return self.z.view(self.x.dtype)


def call(chip: str, kind: str, form: int, y: Vector | None = None, ties: bool = False) -> Tiles:
    rng = np.random.default_rng(form)
    dtype = np.dtype(TYPES[kind])
    if dtype.kind == "f":
        x = rng.standard_normal(LENGTH).astype(dtype)
        x = np.round(x * 4) / 4 if ties else x
    else:
        x = rng.integers(0, 30000, LENGTH).astype(dtype)
    y = rng.integers(0, 2**32, LENGTH).astype(np.uint32) if y is None else y.astype(np.uint32)
    outputs = {"z": (np.uint8, (Z_BYTES,)), "n": (np.uint64, (COUNTS,))}
    program = build("rearranging_forms", chip)
    out, done = run(program, chip, (kind, str(form)), {"x": x, "y": y}, outputs)
    assert done.clean, said(done)
    return Tiles(x, y, out["z"], out["n"])


# ---- sorting ---------------------------------------------------------------------------------------------------------


def pairs(scores: Vector, indices: Vector) -> Vector:
    """The bytes of pairs: a score, nothing up to byte 4, an index."""
    out = np.zeros((len(scores), 8), np.uint8)
    out[:, : scores.itemsize] = scores.reshape(-1, 1).view(np.uint8)
    out[:, 4:] = indices.reshape(-1, 1).view(np.uint8)
    return out


def falling(x: Vector) -> NDArray[np.intp]:
    """A stable order by falling score."""
    return np.argsort(-x.astype(np.float64), kind="stable")


def sort_each(t: Tiles, groups: list[slice]) -> Vector:
    parts = []
    for group in groups:
        order = falling(t.x[group])
        parts.append(pairs(t.x[group][order], t.y[group][order]))
    return np.concatenate(parts)


def check_pairs(t: Tiles, expected: Vector) -> None:
    got = t.z.reshape(-1, 8)
    assert np.array_equal(got[: len(expected)], expected)
    assert not got[len(expected) :].any()


@chips
@pytest.mark.parametrize("kind", FLOATS)
@pytest.mark.parametrize("ties", [False, True], ids=["", "ties"])
def test_sort32_sorts_each_group_of_32_and_keeps_the_order_of_equals(
    chip: str, kind: str, ties: bool
) -> None:
    t = call(chip, kind, 0, ties=ties)
    check_pairs(t, sort_each(t, [slice(32 * i, 32 * i + 32) for i in range(5)]))


@chips
@pytest.mark.parametrize("kind", FLOATS)
def test_mrgsort_merges_four_lists_in_each_repeat(chip: str, kind: str) -> None:
    t = call(chip, kind, 1, ties=True)
    check_pairs(t, sort_each(t, [slice(0, 128), slice(128, 256)]))


def sorted_list(t: Tiles, i: int) -> tuple[Vector, Vector]:
    group = slice(32 * i, 32 * i + 32)
    order = falling(t.x[group])
    return t.x[group][order], t.y[group][order]


def merged(t: Tiles, lengths: list[int]) -> tuple[Vector, Vector]:
    """All pairs of the first pairs of each list in order, and the list that each comes from."""
    lists = [sorted_list(t, i) for i in range(len(lengths))]
    scores = np.concatenate([s[:n] for (s, _), n in zip(lists, lengths, strict=True)])
    indices = np.concatenate([i[:n] for (_, i), n in zip(lists, lengths, strict=True)])
    origin = np.repeat(np.arange(len(lengths)), lengths)
    order = falling(scores)
    return pairs(scores[order], indices[order]), origin[order]


@chips
@pytest.mark.parametrize("kind", FLOATS)
def test_mrgsort_merges_three_lists_of_different_lengths(chip: str, kind: str) -> None:
    t = call(chip, kind, 2, ties=True)
    check_pairs(t, merged(t, [32, 20, 7])[0])


@chips
@pytest.mark.parametrize("kind", FLOATS)
@pytest.mark.parametrize(("form", "lengths"), [(3, [32, 20]), (4, [32, 20, 7])])
def test_mrgsort_stops_where_a_list_is_used_up_and_counts(
    chip: str, kind: str, form: int, lengths: list[int]
) -> None:
    t = call(chip, kind, form)
    expected, origin = merged(t, lengths)
    used = np.cumsum(origin[:, None] == np.arange(len(lengths)), axis=0)
    stop = int(np.argmax((used == lengths).any(axis=1))) + 1
    check_pairs(t, expected[:stop])
    assert t.n[: len(lengths)].tolist() == used[stop - 1].tolist()


@chips
@pytest.mark.parametrize("kind", FLOATS)
@pytest.mark.parametrize(("form", "repeats"), [(5, 1), (6, 7), (7, 16), (8, 21)])
def test_a_full_sort_sorts_everything(chip: str, kind: str, form: int, repeats: int) -> None:
    t = call(chip, kind, form, ties=True)
    check_pairs(t, sort_each(t, [slice(0, 32 * repeats)]))


@chips
@pytest.mark.parametrize("kind", FLOATS)
def test_extract_parts_scores_and_indices(chip: str, kind: str) -> None:
    t = call(chip, kind, 9)
    order = falling(t.x[: 21 * 32])
    assert np.array_equal(t.words()[: 21 * 32], t.x[: 21 * 32][order])
    indices = t.z[LENGTH // 2 * t.x.itemsize :].view(np.uint32)[: 21 * 32]
    assert np.array_equal(indices, t.y[: 21 * 32][order])


# ---- compaction ------------------------------------------------------------------------------------------------------

PATTERNS = {1: "01" * 4, 2: "10" * 4, 3: "0001" * 2, 4: "0010" * 2, 5: "0100" * 2, 6: "1000" * 2}
PATTERNS |= {7: "1" * 8}
"""Most significant bit first; asc-devkit, docs, GatherMask."""


def pattern(number: int, count: int) -> NDArray[np.bool_]:
    byte = [bit == "1" for bit in reversed(PATTERNS[number])]
    return np.resize(np.array(byte), count)


def user_bits(y: Vector, count: int, stride: int, repeats: int) -> NDArray[np.bool_]:
    """[repeats, count]: the bits that each repeat takes."""
    raw = y.view(np.uint8)
    rows = [
        np.unpackbits(raw[32 * stride * r :], bitorder="little")[:count] for r in range(repeats)
    ]
    return np.array(rows, bool)


def source(size: int, repeats: int, count: int, block: int, repeat: int) -> NDArray[np.intp]:
    """[repeats, count]: which elements the repeats read."""
    per_block = 32 // size
    r, k = np.ogrid[:repeats, :count]
    where: NDArray[np.intp] = (r * repeat + k // per_block * block) * per_block + k % per_block
    return where


def check_kept(t: Tiles, where: NDArray[np.intp], keep: NDArray[np.bool_]) -> None:
    expected = t.x[where][keep]
    assert t.n[0] == len(expected)
    assert np.array_equal(t.words()[: len(expected)], expected)
    assert not t.words()[len(expected) :].any()


@chips
@pytest.mark.parametrize("kind", ["float", "half", "int16_t"])
@pytest.mark.parametrize("number", PATTERNS)
def test_gather_mask_keeps_the_elements_of_a_pattern(chip: str, kind: str, number: int) -> None:
    t = call(chip, kind, 9 + number)
    lanes = 256 // t.x.itemsize
    where = source(t.x.itemsize, 3, lanes, 1, 8)
    check_kept(t, where, np.tile(pattern(number, lanes), (3, 1)))


@chips
@pytest.mark.parametrize("kind", ["uint32_t", "half"])
def test_gather_mask_keeps_the_elements_whose_bits_are_set(chip: str, kind: str) -> None:
    t = call(chip, kind, 20)
    size = t.x.itemsize
    lanes = 256 // size
    check_kept(t, source(size, 3, lanes, 1, 8), user_bits(t.y, lanes, 1, 3))
    t = call(chip, kind, 23)
    check_kept(t, source(size, 4, lanes, 2, 17), user_bits(t.y, lanes, 1, 4))


@chips
@pytest.mark.parametrize("kind", ["float", "uint16_t"])
def test_gather_mask_takes_so_many_elements_a_repeat_in_counter_mode(chip: str, kind: str) -> None:
    t = call(chip, kind, 21)
    check_kept(t, source(t.x.itemsize, 2, 70, 1, 16), np.tile(pattern(5, 70), (2, 1)))
    t = call(chip, kind, 22)
    check_kept(t, source(t.x.itemsize, 3, 70, 1, 4), user_bits(t.y, 70, 0, 3))


@chips
def test_gather_mask_may_write_over_its_source(chip: str) -> None:
    t = call(chip, "float", 24)
    assert t.n[:2].tolist() == [128, 128]
    assert np.array_equal(t.words()[:128], t.x[1:256:2])
    assert np.array_equal(t.words()[128:4096], t.x[128:])


# ---- gathering -------------------------------------------------------------------------------------------------------


def offsets(seed: int, size: int, most: int) -> Vector:
    """Of elements, each once, bytes."""
    return np.random.default_rng(seed).permutation(np.resize(np.arange(most), LENGTH)) * size


@chips
@pytest.mark.parametrize("kind", TYPES)
def test_gather_reads_by_offsets(chip: str, kind: str) -> None:
    size = np.dtype(TYPES[kind]).itemsize
    y = offsets(1, size, LENGTH - 64)
    t = call(chip, kind, 30, y)
    expected = np.zeros_like(t.words())
    expected[:1000] = t.x[(y[:1000] + 64) // size]
    assert np.array_equal(t.words(), expected)


HOLES = np.array([(0xF0F00000FFFF0F05 | 0x8001 << 64) >> i & 1 for i in range(128)], bool)


@chips
@pytest.mark.parametrize("kind", ["float", "half"])
def test_gather_takes_lanes_by_a_mask(chip: str, kind: str) -> None:
    size = np.dtype(TYPES[kind]).itemsize
    lanes = 256 // size
    y = offsets(2, size, LENGTH - 64)
    for form, mask, stride, base in (
        (31, np.arange(lanes) < lanes - 5, 9, 0),
        (32, HOLES[:lanes], 8, 32),
    ):
        t = call(chip, kind, form, y)
        expected = np.zeros_like(t.words())
        for r in range(3):
            lane = np.flatnonzero(mask)
            expected[r * stride * 32 // size + lane] = t.x[(y[r * lanes + lane] + base) // size]
        assert np.array_equal(t.words(), expected), form


@chips
@pytest.mark.parametrize("kind", ["uint32_t", "uint16_t"])
def test_gatherb_moves_blocks(chip: str, kind: str) -> None:
    size = np.dtype(TYPES[kind]).itemsize
    y = offsets(3, 32, LENGTH * size // 32)
    t = call(chip, kind, 33, y)
    expected = np.zeros(Z_BYTES, np.uint8)
    for i in range(16):
        to = (i // 8 * 17 + i % 8 * 2) * 32
        expected[to : to + 32] = t.x.view(np.uint8)[y[i] : y[i] + 32]
    assert np.array_equal(t.z, expected)


@pytest.mark.parametrize("kind", TYPES)
def test_scatter_writes_by_offsets(kind: str) -> None:
    size = np.dtype(TYPES[kind]).itemsize
    y = np.random.default_rng(4).permutation(LENGTH) * size
    t = call("950", kind, 34, y)
    expected = np.zeros_like(t.words())
    expected[(y[:1000] + 64) // size] = t.x[:1000]
    assert np.array_equal(t.words(), expected)
    lanes = 256 // size
    t = call("950", kind, 35, y)
    expected[:] = 0
    for r in range(3):
        lane = np.arange(lanes - 5)
        expected[y[r * lanes + lane] // size] = t.x[r * 9 * 32 // size + lane]
    assert np.array_equal(t.words(), expected)


# ---- transposition ---------------------------------------------------------------------------------------------------


def rows(t: Tiles, repeat: int, step: int) -> Vector:
    """[16, elements of a block]: the blocks that a repeat of TransDataTo5HD reads."""
    per_block = 32 // t.x.itemsize
    first = np.arange(16)[:, None] * per_block * 4 + repeat * step * per_block
    taken: Vector = t.x[first + np.arange(per_block)]
    return taken


@chips
@pytest.mark.parametrize("kind", TYPES)
def test_trans_data_to_5hd_turns_16_blocks(chip: str, kind: str) -> None:
    t = call(chip, kind, 40)
    block = rows(t, 0, 0)
    assert np.array_equal(t.words()[: block.size], block.T.ravel())
    assert not t.words()[block.size :].any()
    t = call(chip, kind, 41)
    expected = np.concatenate([rows(t, r, 1).T.ravel() for r in range(3)])
    assert np.array_equal(t.words()[: expected.size], expected)
    t = call(chip, kind, 43)
    assert np.array_equal(t.words()[: block.size], rows(t, 0, 0).T.ravel())


@chips
def test_the_strides_of_trans_data_to_5hd_shift_a_single_repeat(chip: str) -> None:
    t = call(chip, "half", 42)
    assert np.array_equal(t.words()[256:512], rows(t, 1, 1).T.ravel())
    assert not t.words()[:256].any()


@chips
@pytest.mark.parametrize("kind", TYPES)
def test_transpose_moves_channels_to_the_end_and_back(chip: str, kind: str) -> None:
    t = call(chip, kind, 44)
    size = 2 * 3 * 4 * 32
    moved = t.x[:size].reshape(2, 3, 128).transpose(0, 2, 1)
    assert np.array_equal(t.words()[:size], moved.ravel())
    t = call(chip, kind, 45)
    moved = t.x[:size].reshape(2, 128, 3).transpose(0, 2, 1)
    assert np.array_equal(t.words()[:size], moved.ravel())


# ---- two runs that take turns ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", TYPES)
def test_interleave_takes_elements_of_both_in_turns(kind: str) -> None:
    t = call("950", kind, 50)
    turns = np.stack([t.x[:1000], t.x[1024:2024]], axis=1).ravel()
    assert np.array_equal(t.words()[:1000], turns[:1000])
    assert np.array_equal(t.words()[1024:2024], turns[1000:])
    assert not t.words()[1000:1024].any()


@pytest.mark.parametrize("kind", TYPES)
def test_deinterleave_takes_them_apart(kind: str) -> None:
    t = call("950", kind, 51)
    turns = np.concatenate([t.x[:1000], t.x[1024:2024]])
    assert np.array_equal(t.words()[:1000], turns[::2])
    assert np.array_equal(t.words()[1024:2024], turns[1::2])
    t = call("950", kind, 52)
    assert np.array_equal(t.words()[:500], t.x[:1000:2])
    assert np.array_equal(t.words()[1024:1524], t.x[1:1000:2])
    assert not t.words()[500:1024].any()


# ---- two steps in one instruction ------------------------------------------------------------------------------------

STEPS: dict[str, tuple[int, Collection[str], Any]] = {
    "AddRelu": (60, CHIPS, lambda a, b, _: np.maximum(a + b, 0)),
    "SubRelu": (61, CHIPS, lambda a, b, _: np.maximum(a - b, 0)),
    "MulAddRelu": (62, CHIPS, lambda a, b, d: np.maximum(a * d + b, 0)),
    "AbsSub": (63, ("950",), lambda a, b, _: np.abs(a - b)),
    "Prelu": (64, ("950",), lambda a, b, _: np.where(a >= 0, a, a * b)),
    "ExpSub": (65, ("950",), lambda a, b, _: np.exp(a - b)),
    "Neg": (66, ("950",), lambda a, _, __: -a),
    "Truncate": (67, ("950",), lambda a, _, __: np.trunc(a)),
}


@pytest.mark.parametrize("kind", FLOATS)
@pytest.mark.parametrize("name", STEPS)
def test_steps_in_one_instruction(name: str, kind: str) -> None:
    form, on, compute = STEPS[name]
    for chip in on:
        t = call(chip, kind, form)
        a, b, d = (t.x[i : i + 1000].astype(np.float64) for i in (0, 1024, 2048))
        rounding = (4 if name == "ExpSub" else 1) * float(np.finfo(t.x.dtype).eps)
        assert np.allclose(t.words()[:1000], compute(a, b, d), rtol=rounding, atol=rounding)
        assert np.array_equal(t.words()[1000:1024], t.x[3048:3072])
