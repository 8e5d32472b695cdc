"""Unfolding loads, HF32, operands of 8 bits, and what Fixpipe does besides storing floats, through the API."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.face_ascendc.harness import build, run, said

Array = NDArray[Any]

HEIGHT, WIDTH, CHANNELS, KERNEL, N = 4, 8, 32, 3, 48
M, K = HEIGHT * WIDTH, CHANNELS * KERNEL * KERNEL
FORMS = "multiply hf32_even hf32_away unfold registers scalar tensor copy_scalar copy_tensor tiles"
FORM = {name: str(number) for number, name in enumerate(FORMS.split())}
CHIPS = ["910b", "950"]
FLOAT8 = {"fp8_e4m3fn_t": ml_dtypes.float8_e4m3fn, "fp8_e5m2_t": ml_dtypes.float8_e5m2}


def in_l0a(a: Array, chip: str) -> Array:
    """ZZ on the Ascend 910B, NZ on the Ascend 950."""
    c0 = 32 // a.itemsize
    blocks = a.reshape(M // 16, 16, K // c0, c0)
    return blocks.transpose(0, 2, 1, 3) if chip == "910b" else blocks.transpose(2, 0, 1, 3)


def in_l0b(b: Array) -> Array:
    c0 = 32 // b.itemsize
    return b.reshape(K // c0, c0, N // 16, 16).transpose(0, 2, 3, 1)


def product(
    chip: str, form: str, inputs: tuple[Array, Array], result: tuple[str, Any], **given: Any
) -> Array:
    operand = given.get("operand", "half")
    program = build("cube_further", chip, OPERAND=operand, RESULT=result[0])
    factors = given.get("factors", np.zeros(N, np.uint64))
    files = {"a": inputs[0], "b": inputs[1], "factors": factors}
    out, done = run(program, chip, (FORM[form],), files, {"c": (result[1], (M * N,))})
    assert done.clean, said(done)
    c: Array = out["c"]
    return c


def small_integers(seed: int, shape: tuple[int, ...], dtype: Any, most: int = 4) -> Array:
    rng = np.random.default_rng(seed)
    return rng.integers(-most, most + 1, shape).astype(dtype)


def unfolded(image: Array, pad: float) -> Array:
    """The rows of a convolution's windows, columns in the order (C1, filter, C0)."""
    c1 = CHANNELS // 16
    padded = np.full((c1, HEIGHT + 2, WIDTH + 2, 16), pad, np.float64)
    padded[:, 1:-1, 1:-1] = image
    rows = [
        padded[:, y : y + KERNEL, x : x + KERNEL].reshape(-1)
        for y in range(HEIGHT)
        for x in range(WIDTH)
    ]
    return np.array(rows)


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("form", ["unfold", "registers"])
def test_a_convolution(chip: str, form: str) -> None:
    image = small_integers(1, (CHANNELS // 16, HEIGHT, WIDTH, 16), np.float16)
    weights = small_integers(2, (K, N), np.float16)
    c = product(chip, form, (image, in_l0b(weights)), ("float", np.float32)).reshape(M, N)
    assert np.array_equal(c, unfolded(image, 3) @ weights.astype(np.float64))


def hf32(x: Array, away: bool) -> Array:
    mantissa, exponent = np.frexp(x.astype(np.float64))
    scaled = mantissa * 2.0**11
    whole = np.trunc(scaled + np.copysign(0.5, scaled)) if away else np.rint(scaled)
    return np.ldexp(whole, exponent - 11)


@pytest.mark.parametrize("form", ["hf32_even", "hf32_away"])
def test_hf32(form: str) -> None:
    """Numbers of 12 digits are ties of HF32; their products with powers of two are exact sums."""
    rng = np.random.default_rng(3)
    a = (1 + rng.integers(0, 2048, (M, K)) / 2048).astype(np.float32)
    b = np.zeros((K, N), np.float32)
    b[np.arange(N), np.arange(N)] = 2.0 ** (np.arange(N) % 3)
    c = product(
        "950",
        form,
        (in_l0a(a, "950"), in_l0b(b)),
        ("float", np.float32),
        operand="float",
    ).reshape(M, N)
    rounded = hf32(a, form == "hf32_away")
    assert np.any(rounded != a)
    assert np.array_equal(c, rounded @ b.astype(np.float64))


@pytest.mark.parametrize("operand", FLOAT8)
def test_8_bit_floats(operand: str) -> None:
    dtype = FLOAT8[operand]
    a, b = small_integers(4, (M, K), dtype), small_integers(5, (K, N), dtype)
    c = product(
        "950", "multiply", (in_l0a(a, "950"), in_l0b(b)), ("float", np.float32), operand=operand
    ).reshape(M, N)
    assert np.array_equal(c, a.astype(np.float64) @ b.astype(np.float64))


def factor_words(scales: Array, offsets: Array) -> Array:
    bits = scales.astype(np.float32).view(np.uint32).astype(np.uint64)
    return (
        bits | (offsets.astype(np.uint64) & np.uint64(0x1FF)) << np.uint64(37) | np.uint64(1 << 46)
    )


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("operand", ["half", "int8_t"])
@pytest.mark.parametrize("form", ["scalar", "tensor", "copy_scalar", "copy_tensor"])
def test_quantising_on_the_way_out(chip: str, operand: str, form: str) -> None:
    dtype = np.float16 if operand == "half" else np.int8
    a, b = small_integers(6, (M, K), dtype), small_integers(7, (K, N), dtype)
    scales = np.linspace(0.1, 1, N).astype(np.float32)
    scales = (scales.view(np.uint32) & np.uint32(0xFFFFE000)).view(np.float32)
    offsets = np.arange(N) % 7
    c = product(
        chip,
        form,
        (in_l0a(a, chip), in_l0b(b)),
        ("int8_t", np.int8),
        operand=operand,
        factors=factor_words(scales, offsets),
    ).reshape(M, N)
    if form.endswith("scalar"):
        scales, offsets = scales[:1], offsets[:1]
    exact = (a.astype(np.float64) @ b.astype(np.float64)).astype(np.float32)
    nine = np.clip(np.rint(exact * scales), -256, 255) + offsets
    assert np.array_equal(c, np.clip(nine, -128, 127).astype(np.int8))


@pytest.mark.parametrize("chip", CHIPS)
def test_several_tiles(chip: str) -> None:
    a, b = small_integers(8, (M, K), np.float16), small_integers(9, (K, N), np.float16)
    c = product(chip, "tiles", (in_l0a(a, chip), in_l0b(b)), ("float", np.float32))
    exact = a.astype(np.float64) @ b.astype(np.float64)
    for tile, columns in enumerate(c.reshape(3, M, 16)):
        assert np.array_equal(columns, exact[:, tile * 16 : tile * 16 + 16])
