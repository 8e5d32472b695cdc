"""Comparisons into a register, selections by it, reductions with a mask, slices: against NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.face_ascendc.harness import CHIPS, build, run, said

LENGTH = 4096
Vector = NDArray[np.float32]


def as_bits(z: Vector, bits: NDArray[np.bool_]) -> None:
    packed = np.packbits(bits, bitorder="little")
    z.view(np.uint8)[: packed.size] = packed


def compared(z: Vector, x: Vector, y: Vector) -> None:
    as_bits(z, np.concatenate([x[:64] < y[:64], np.zeros(64, bool)]))


def compared_in_part(z: Vector, x: Vector, y: Vector) -> None:
    as_bits(z, np.concatenate([x[:10] > y[:10], np.ones(54, bool), np.zeros(64, bool)]))


def selected_by_the_same_bits(z: Vector, x: Vector, y: Vector) -> None:
    bits = np.resize(x[:64] >= y[:64], 300)
    z[:300] = np.where(bits, x[:300], y[:300])


def selected_by_the_register(z: Vector, x: Vector, y: Vector) -> None:
    bits = np.resize(x[:64] <= y[:64], 192)
    z[:192] = np.where(bits, x[:192], y[:192])


def sum_of_repeats(z: Vector, x: Vector, y: Vector) -> None:
    z[0] = x[: 20 * 64].astype(np.float64).sum()


def sum_of_parts(z: Vector, x: Vector, y: Vector) -> None:
    z[0] = sum(x[72 * r :][:50].astype(np.float64).sum() for r in range(3))


def greatest_with_index(z: Vector, x: Vector, y: Vector) -> None:
    z[0] = x[:448].max()
    z[1:2].view(np.uint32)[0] = x[:448].argmax()


def least(z: Vector, x: Vector, y: Vector) -> None:
    z[0] = x[:448].min()


def sum_in_the_register(z: Vector, x: Vector, y: Vector) -> None:
    z[:2] = x[:1000].astype(np.float64).sum()


def pairs(z: Vector, x: Vector, y: Vector) -> None:
    for r in range(3):
        z[32 * r :][:25] = x[64 * r :][:50].reshape(25, 2).sum(axis=1)


def pairs_with_zeros(z: Vector, x: Vector, y: Vector) -> None:
    """On the 950 a pair that is masked off gives 0."""
    z[: 3 * 32] = 0
    pairs(z, x, y)


def pairs_of_blocks(z: Vector, x: Vector, y: Vector) -> None:
    for r in range(2):
        blocks = x[17 * 8 * r :][: 16 * 8].reshape(8, 2, 8)[:, 0]
        z[64 * r :][:32] = blocks.reshape(32, 2).sum(axis=1)


def slices(z: Vector, x: Vector, y: Vector) -> None:
    for to, row in enumerate((1, 3, 5)):
        z[40 * to :][:16] = x[100 * row + 4 :][:16]
        z[40 * to + 24 :][:16] = x[100 * row + 27 :][:16]


def counted_copies(z: Vector, x: Vector, y: Vector) -> None:
    for r in range(2):
        for b in range(20):
            z[160 * r + 8 * b :][:8] = x[24 * r + 40 * b :][:8]


CASES: list[Callable[[Vector, Vector, Vector], None]] = [
    compared,
    compared_in_part,
    selected_by_the_same_bits,
    selected_by_the_register,
    sum_of_repeats,
    sum_of_parts,
    greatest_with_index,
    least,
    sum_in_the_register,
    pairs,
    pairs_of_blocks,
    slices,
    counted_copies,
]


def compared_with_an_element(z: Vector, x: Vector, y: Vector) -> None:
    as_bits(z, x[:256] < y[3])


def selected_from_an_element(z: Vector, x: Vector, y: Vector) -> None:
    z[:256] = np.where(x[:256] < y[:256], x[5], y[:256])


def on_registers(z: Vector, x: Vector, y: Vector) -> None:
    z[:200] = 2 * x[:200] + y[:200]


ONLY_950 = {14: compared_with_an_element, 15: selected_from_an_element, 16: on_registers}
chips = pytest.mark.parametrize("chip", CHIPS)


def inputs() -> tuple[Vector, Vector]:
    rng = np.random.default_rng(29)
    x = rng.integers(-40, 41, LENGTH).astype(np.float32)
    return x, rng.integers(-40, 41, LENGTH).astype(np.float32)


def outcome(chip: str, form: int, *, auto_sync: bool = False) -> Vector:
    x, y = inputs()
    program = build("selection_forms", chip)
    spec = {"z": (np.float32, (LENGTH,))}
    given = {"x": x, "y": y}
    written, done = run(program, chip, (str(form),), given, spec, auto_sync=auto_sync)
    assert done.clean, said(done)
    return written["z"]


def expect(chip: str, form: int, case: Callable[[Vector, Vector, Vector], None]) -> None:
    x, y = inputs()
    expected = np.full(LENGTH, -1, np.float32)
    case(expected, x, y)
    np.testing.assert_array_equal(outcome(chip, form).view(np.uint32), expected.view(np.uint32))


@chips
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_a_form_computes_what_numpy_does(chip: str, case: Any) -> None:
    on_chip = pairs_with_zeros if case is pairs and chip == "950" else case
    expect(chip, CASES.index(case), on_chip)


@pytest.mark.parametrize("form", ONLY_950, ids=lambda form: ONLY_950[form].__name__)
def test_a_form_of_the_950(form: int) -> None:
    expect("950", form, ONLY_950[form])


def test_the_system_counter_counts_at_50_mhz_and_at_1_ghz() -> None:
    """1000 additions of 64 repeats, one of which takes a cycle and more: 1.85 GHz on the 910B, 1.65 GHz on the 950."""
    ticks = {chip: outcome(chip, 13, auto_sync=True)[0] for chip in CHIPS}
    assert 64_000 * 50 / 1850 < ticks["910b"] < 200_000 * 50 / 1850
    assert 30_000 / 1.65 < ticks["950"] < 200_000 / 1.65


@chips
@pytest.mark.parametrize("form", [0, 1])
def test_half_becomes_int4_two_in_a_byte(chip: str, form: int) -> None:
    rng = np.random.default_rng(4)
    x = (rng.integers(-80, 81, 512) / 8).astype(np.float16)
    program = build("selection_forms", chip)
    written, done = run(program, chip, (str(form), "int4"), {"x": x}, {"z": (np.uint8, (256,))})
    assert done.clean, said(done)
    rounded = np.ceil(x) if form == 0 else np.rint(x)
    nibbles = np.clip(rounded, -8, 7).astype(np.int8).view(np.uint8) & 0xF
    np.testing.assert_array_equal(written["z"], nibbles[0::2] | nibbles[1::2] << 4)
