"""DataCopy and DataCopyPad count blocks, bytes and gaps as the API does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.face_ascendc.harness import CHIPS, build, run, said

LENGTH = 64 * 64
Vector = NDArray[Any]


def rows_of_37(z: Vector, x: Vector) -> None:
    for r in range(5):
        z[64 * r :][:37] = x[50 * r :][:37]
        z[64 * r + 37 :][:11] = x[50 * r]  # the rest of the last block repeats the first element


def padded_sides(z: Vector, x: Vector) -> None:
    for r in range(4):
        z[32 * r :][:32] = 7
        z[32 * r + 3 :][:21] = x[21 * r :][:21]


def register_padding(z: Vector, x: Vector) -> None:
    for r in range(2):
        z[32 * r :][:20] = x[24 * r :][:20]
        z[32 * r + 20 :][:12] = -2


def old_parameters(z: Vector, x: Vector) -> None:
    for r in range(3):
        z[32 * r :][:17] = x[20 * r :][:17]
        z[32 * r + 17 :][:15] = x[20 * r]


def block_gaps(z: Vector, x: Vector) -> None:
    for r in range(4):
        z[48 * r :][:32] = x[80 * r :][:32]


def contiguous(z: Vector, x: Vector) -> None:
    z[:160] = x[16:176]


IN = [rows_of_37, padded_sides, register_padding, old_parameters, block_gaps, contiguous]


def narrow_rows(z: Vector, x: Vector) -> None:
    for r in range(3):
        z[50 * r :][:11] = x[32 * r :][:11]


def block_rows(z: Vector, x: Vector) -> None:
    for r in range(2):
        z[96 * r :][:16] = x[48 * r :][:16]


def added_twice(z: Vector, x: Vector) -> None:
    z[:100] = x[:100] + x[:100]


OUT = [narrow_rows, block_rows, added_twice]
chips = pytest.mark.parametrize("chip", CHIPS)


def copied(chip: str, form: int) -> tuple[Vector, Vector, Any]:
    x = np.arange(LENGTH, dtype=np.float16)
    program = build("copy_forms", chip)
    out, done = run(program, chip, (str(form),), {"x": x}, {"z": (np.float16, (LENGTH,))})
    return x, out["z"], done


@chips
@pytest.mark.parametrize("form", range(6), ids=[f.__name__ for f in IN])
def test_a_copy_into_ub(chip: str, form: int) -> None:
    x, z, done = copied(chip, form)
    assert done.clean, said(done)
    expected = np.full(LENGTH, -1, np.float16)
    IN[form](expected, x)
    assert np.array_equal(z, expected)


@chips
@pytest.mark.parametrize("form", range(3), ids=[f.__name__ for f in OUT])
def test_a_copy_out_of_ub(chip: str, form: int) -> None:
    x, z, done = copied(chip, 6 + form)
    assert done.clean, said(done)
    expected = np.zeros(LENGTH, np.float16)
    writes: Callable[[Vector, Vector], None] = OUT[form]
    writes(expected, x)
    assert np.array_equal(z, expected)


@chips
def test_a_length_that_is_no_whole_block_is_a_finding(chip: str) -> None:
    _, z, done = copied(chip, 9)
    sentence = (
        "DataCopy of 5 elements of 2 bytes: 10 bytes are not a multiple of 32, the last 10 are not copied: "
        "write DataCopyPad, whose length is in bytes"
    )
    assert [(f.code, f.sentence) for f in done.errors if f.code == "misaligned"] == [
        ("misaligned", sentence)
    ]
    assert np.all(z == 0)
