"""Calls that compute and convert, scalars on either side, sequences under masks and TopK, against NumPy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.face_ascendc.harness import CHIPS, build, run, said

IN_BYTES, OUT_BYTES, COUNT = 16384, 32768, 1000
Vector = NDArray[Any]
chips = pytest.mark.parametrize("chip", CHIPS)


def call(chip: str, form: int, x: Vector, y: Vector | None = None) -> Vector:
    """The bytes of ``z`` after a form of computing_forms.asc."""
    pads = {}
    for name, array in (("x", x), ("y", x if y is None else y)):
        raw = np.ascontiguousarray(array).view(np.uint8).ravel()
        pads[name] = (
            np.resize(raw, IN_BYTES)
            if len(raw) > IN_BYTES
            else np.pad(raw, (0, IN_BYTES - len(raw)))
        )
    outputs = {"z": (np.uint8, (OUT_BYTES,))}
    out, done = run(build("computing_forms", chip), chip, (str(form),), pads, outputs)
    assert done.clean, said(done)
    return out["z"]


def values(kind: str, seed: int) -> Vector:
    """Numbers of which sums, products and half of the conversions are inexact or out of range."""
    rng = np.random.default_rng(seed)
    dtype = np.dtype(kind)
    elements = IN_BYTES // dtype.itemsize
    if dtype.kind == "f":
        return (rng.standard_normal(elements) * 12).astype(dtype)
    info = np.iinfo(dtype)
    return rng.integers(info.min, info.max, elements, dtype, endpoint=True)


def halves(x: Vector) -> Vector:
    """Rounded to half away from zero: the modes of NumPy go to even."""
    even = x.astype(np.float16)
    up = np.nextafter(even, np.float16(np.inf)).astype(np.float64)
    down = np.nextafter(even, np.float16(-np.inf)).astype(np.float64)
    wide = x.astype(np.float64)
    tie_up = (wide > 0) & (wide == (even + up) / 2)
    tie_down = (wide < 0) & (wide == (even + down) / 2)
    return np.where(tie_up, up, np.where(tie_down, down, even.astype(np.float64))).astype(
        np.float16
    )


def saturated(x: Vector, kind: str) -> Vector:
    """To an integer type, half to even."""
    info = np.iinfo(kind)
    return np.asarray(np.clip(np.rint(x.astype(np.float64)), info.min, info.max), np.dtype(kind))


@dataclass(frozen=True)
class Form:
    """What a form reads, and what it leaves in z from its start on, as ``to``; the rest stays 0."""

    number: int
    kind: str
    to: str
    expected: Callable[[Vector, Vector], Vector]
    small: bool = False
    """Integers of a few hundred, so that sums and products fit."""

    def operands(self) -> tuple[Vector, Vector]:
        x, y = values(self.kind, self.number), values(self.kind, self.number + 1000)
        if self.small:
            x, y = (a % 200 - (90 if self.kind[0] == "i" else 0) for a in (x, y))
        return x.astype(self.kind), y.astype(self.kind)


def repeats(lanes: list[int], of: Vector, at: int, rows: int, pitch: int) -> Vector:
    """Lanes of rows of `of`, `at` elements apart, into rows `pitch` elements apart."""
    out = np.zeros(rows * pitch, of.dtype)
    for r in range(rows):
        out[r * pitch + np.array(lanes)] = of[r * at + np.array(lanes)]
    return out


def relu(x: Vector) -> Vector:
    return np.where(x > 0, x, x.dtype.type(0))


BITS = [i for i in range(128) if (0x3_00FF00FF0000FFFF >> i) & 1]
FUSED = [
    Form(0, "float32", "float16", lambda x, y: relu(x + y)[:COUNT].astype(np.float16)),
    Form(1, "float16", "int8", lambda x, y: saturated(relu(x + y)[:COUNT], "int8")),
    Form(
        2,
        "int16",
        "int8",
        lambda x, y: saturated(relu(x + y)[:COUNT].astype(np.float16), "int8"),
        small=True,
    ),
    Form(
        3,
        "float32",
        "float16",
        lambda x, y: repeats(list(range(40)), relu(x - y).astype(np.float16), 64, 3, 64),
    ),
    Form(
        4,
        "float16",
        "int8",
        lambda x, y: repeats(BITS, saturated(relu(x - y), "int8"), 128, 3, 128),
    ),
    Form(5, "float16", "int8", lambda x, y: saturated((x * y)[:COUNT], "int8")),
    Form(6, "float16", "uint8", lambda x, y: saturated((x * y)[:512], "uint8")),
    Form(
        7,
        "int32",
        "float16",
        lambda x, y: relu(((x + y)[:COUNT] * np.float64(np.float16(0.1))).astype(np.float16)),
        small=True,
    ),
    Form(8, "int32", "float16", lambda x, y: (x[:COUNT] * 0.25).astype(np.float16), small=True),
    Form(9, "int32", "float16", lambda x, y: (x[:256] * 3.0).astype(np.float16), small=True),
]


def check(form: Form, chip: str) -> None:
    x, y = form.operands()
    with np.errstate(all="ignore"):
        expected = form.expected(x, y).astype(form.to)
    z = call(chip, form.number, x, y)
    got = z.view(form.to)
    assert np.array_equal(got[: len(expected)], expected, equal_nan=form.to.startswith("f"))
    assert not got[len(expected) :].any()


@chips
@pytest.mark.parametrize("form", FUSED, ids=lambda f: str(f.number))
def test_what_computes_and_converts_rounds_once_in_each_step(chip: str, form: Form) -> None:
    check(form, chip)


def one(y: Vector, i: int) -> Any:
    return y[i]


FLEXIBLE = [
    Form(100, "float32", "float32", lambda x, y: np.float32(2.5) + x[:COUNT]),
    Form(101, "float32", "float32", lambda x, y: x[:COUNT] + one(y, 3)),
    Form(102, "float16", "float16", lambda x, y: one(y, 5) - x[:COUNT]),
    Form(
        103,
        "float32",
        "float32",
        lambda x, y: repeats(list(range(50)), np.float32(2.5) - x, 64, 3, 64),
    ),
    Form(104, "int64", "int64", lambda x, y: x[:COUNT] - np.int64(1 << 60)),
    Form(105, "int16", "int16", lambda x, y: repeats(BITS, np.int16(3) * x, 128, 3, 128)),
    Form(106, "float32", "float32", lambda x, y: np.float32(1) / x[:COUNT]),
    Form(107, "float32", "float32", lambda x, y: x[:COUNT] / one(y, 9)),
    Form(108, "int32", "int32", lambda x, y: np.maximum(x[:COUNT], one(y, 1))),
    Form(109, "float16", "float16", lambda x, y: np.minimum(np.float16(0.5), x[:COUNT])),
    Form(110, "uint16", "uint16", lambda x, y: x[:COUNT] | np.uint16(0x0F0F)),
    Form(111, "uint64", "uint64", lambda x, y: one(y, 7) | x[:COUNT]),
    Form(
        112,
        "int16",
        "int16",
        lambda x, y: np.concatenate(
            [np.append(b, 0 * b) for b in (x[:256] & one(y, 0)).reshape(16, 16)]
        ),
    ),
    Form(113, "uint64", "uint64", lambda x, y: np.uint64(0xFF00FF00FF00FF00) & x[:COUNT]),
    Form(119, "float32", "float16", lambda x, y: halves(x[:COUNT] * np.float32(1.5))),
    Form(120, "float32", "float16", lambda x, y: halves(x[:COUNT] * one(y, 2))),
    Form(121, "int64", "int32", lambda x, y: relu(x + y)[:COUNT], small=True),
    Form(122, "int64", "float32", lambda x, y: (x * y)[:COUNT].astype(np.float32), small=True),
]


@pytest.mark.parametrize("form", FLEXIBLE, ids=lambda f: str(f.number))
def test_a_scalar_stands_on_either_side_as_a_number_or_as_an_element(form: Form) -> None:
    check(form, "950")


@pytest.mark.parametrize(("form", "kind"), [(125, "float32"), (126, "float16")])
def test_a_comparison_with_the_scalar_in_front_is_turned_round(form: int, kind: str) -> None:
    x = np.round(values(kind, form) * 2) / 2
    z = call("950", form, x.astype(kind))
    bits = np.unpackbits(z[:128], bitorder="little").astype(bool)
    assert np.array_equal(bits, (x[:1024] > 0.5) if form == 125 else (x[:1024] <= 0.5))


@pytest.mark.parametrize(("form", "kind"), [(114, "uint16"), (115, "int32"), (116, "uint8")])
def test_each_element_is_shifted_by_a_number_of_its_own(form: int, kind: str) -> None:
    bits = np.dtype(kind).itemsize * 8
    x = values(kind, form)
    by = np.random.default_rng(1).integers(0, bits + 3, len(x))
    z = call("950", form, x, by.astype(f"int{bits}")).view(kind)
    wide = x[:COUNT].astype(np.int64)
    expected = wide << by[:COUNT] if form == 114 else wide >> by[:COUNT]
    assert np.array_equal(z[:COUNT], expected.astype(kind))


@pytest.mark.parametrize(("form", "kind"), [(117, "int32"), (118, "uint32")])
def test_mull_keeps_both_halves_of_a_product(form: int, kind: str) -> None:
    x, y = values(kind, 1), values(kind, 2)
    z = call("950", form, x, y).view(kind)
    product = x[:COUNT].astype(kind.replace("32", "64")) * y[:COUNT]
    assert np.array_equal(z[:COUNT], (product & 0xFFFFFFFF).astype(kind))
    assert np.array_equal(z[1024:][:COUNT], (product >> 32).astype(kind))


@chips
def test_a_sequence_counts_the_lanes_that_a_mask_leaves_out(chip: str) -> None:
    x = np.zeros(4, np.int32)
    numbers = np.arange(5, 5 + 384, dtype=np.int16)
    got = call(chip, 10, x).view(np.int16)
    assert np.array_equal(got[:384], repeats(list(range(100)), numbers, 128, 3, 128))
    floats = call(chip, 11, x).view(np.float32)[: 3 * 128].reshape(3, 8, 16)
    expected = np.arange(5, 5 + 192, dtype=np.float32).reshape(3, 8, 8)
    expected[:, 5:] = 0
    assert np.array_equal(floats[:, :, :8], expected)
    assert not floats[:, :, 8:].any()
    rows = call(chip, 12, x).view(np.int16)[: 2 * 144].reshape(2, 144)
    for r in range(2):
        assert np.array_equal(rows[r, BITS], 5 + 128 * r + np.array(BITS))
        assert np.count_nonzero(rows[r]) == len(BITS)


@pytest.mark.parametrize("form", [30, 31])
def test_bilinear_interpolation_sums_gathered_blocks_by_their_weights(form: int) -> None:
    x = values("float16", 1)
    blocks = np.random.default_rng(2).permutation(500)[:32]
    weights = (np.arange(32) / 8 - 2).astype(np.float16)
    y = np.zeros(IN_BYTES, np.uint8)
    y[:128] = (blocks * 32).astype(np.uint32).view(np.uint8)
    y[IN_BYTES // 2 :][:64] = weights.view(np.uint8)
    got = call("910b", form, x, y).view(np.float16)
    gathered = x.reshape(-1, 16)[blocks].reshape(2, 2, 8, 16)
    of_blocks = weights.reshape(2, 2, 8, 1) if form == 31 else weights[:4].reshape(2, 2, 1, 1)
    rows = (gathered * of_blocks).astype(np.float16)
    expected = (rows[:, 0] + rows[:, 1]).reshape(2, 128)
    pitch, lanes = (256, 100) if form == 31 else (128, 128)
    for v in range(2):
        assert np.array_equal(got[v * pitch :][:lanes], expected[v, :lanes])
    assert not got[pitch + lanes :].any()


@chips
def test_comparisons_of_whole_repeats_write_their_bits_in_a_row(chip: str) -> None:
    x, y = (np.round(values("float32", seed)) / 2 for seed in (1, 2))
    cases = {13: (x > y)[:64], 14: (x <= 0.5)[:256]}
    for form, expected in cases.items():
        z = call(chip, form, x.astype(np.float32), y.astype(np.float32))
        assert np.array_equal(z[: len(expected) // 8], np.packbits(expected, bitorder="little"))
        assert not z[len(expected) // 8 :].any()
    halves_ = (np.round(values("float16", 3)) / 2).astype(np.float16)
    z = call(chip, 15, halves_)
    assert np.array_equal(z[:32], np.packbits(halves_[:256] != 0.5, bitorder="little"))


# ---- TopK ------------------------------------------------------------------------------------------------------------


def best(row: Vector, k: int, largest: bool) -> NDArray[np.intp]:
    """The first k of a row: NaN in front, equals as they stood."""
    wide = row.astype(np.float64)
    key = np.where(np.isnan(wide), -np.inf, -wide if largest else wide)
    return np.argsort(key, kind="stable")[:k]


def padded(kind: str, rows: int, n: int, inner: int, fill: float) -> Vector:
    x = np.round(values(kind, 5)[: rows * inner] / 4).astype(kind).reshape(rows, inner)
    x[:, n:] = fill
    x[1, 3] = np.nan
    return x


@chips
def test_topk_takes_the_largest_of_each_row_with_their_numbers(chip: str) -> None:
    x = padded("float32", 4, 50, 64, -np.inf)
    z = call(chip, 20, x)
    got = z.view(np.float32)[:32].reshape(4, 8)[:, :5]
    index = z[OUT_BYTES // 2 :].view(np.int32)[:32].reshape(4, 8)[:, :5]
    order = np.array([best(row, 5, True) for row in x])
    assert np.array_equal(index, order)
    assert np.array_equal(got, np.take_along_axis(x, order, 1), equal_nan=True)


@chips
def test_topk_takes_the_smallest_with_indices_given_and_rows_that_are_finished(chip: str) -> None:
    x = padded("float16", 4, 50, 64, np.inf)
    y = np.zeros(IN_BYTES, np.uint8)
    names = np.random.default_rng(3).permutation(64).astype(np.int32)
    y[:256] = names.view(np.uint8)
    y[IN_BYTES // 2 :][:4] = [0, 1, 0, 0]
    z = call(chip, 21, x, y)
    got = z.view(np.float16)[:64].reshape(4, 16)[:, :7]
    index = z[OUT_BYTES // 2 :].view(np.int32)[:32].reshape(4, 8)[:, :7]
    order = np.array([best(row, 7, False) for row in x])
    assert np.array_equal(got, np.take_along_axis(x, order, 1), equal_nan=True)
    assert np.array_equal(index[[0, 2, 3]], names[order][[0, 2, 3]])
    assert (index[1] == 50).all()


@chips
def test_topk_of_small_rows_packs_them(chip: str) -> None:
    x = padded("float32", 5, 20, 32, -np.inf)
    names = np.random.default_rng(4).permutation(160).astype(np.int32)
    z = call(chip, 22, x, names)
    order = np.array([best(row, 3, True) for row in x])
    got = z.view(np.float32)[:15].reshape(5, 3)
    assert np.array_equal(got, np.take_along_axis(x, order, 1), equal_nan=True)
    index = z[OUT_BYTES // 2 :].view(np.int32)[:15].reshape(5, 3)
    assert np.array_equal(index, np.take_along_axis(names.reshape(5, 32), order, 1))
    assert not z[60 : OUT_BYTES // 2].any()
