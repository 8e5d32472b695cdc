"""Threads, warps, atomics and number formats of SIMT functions."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from .bench import DTYPES, Array, Bench

F16, F32 = DTYPES["float16"], DTYPES["float32"]


def test_threads_reach_global_memory(bench: Bench, rng: np.random.Generator) -> None:
    a = rng.standard_normal((8, 128)).astype(F32)
    found = bench.clean("simt", "global_memory", {"A": a}, {"C": (F32, a.shape)})
    np.testing.assert_array_equal(found["C"], a + 1)


def test_warp_operations(bench: Bench, rng: np.random.Generator) -> None:
    a = rng.integers(-9, 10, 64).astype(F32)
    found = bench.clean("simt", "warps", {"A": a}, {"C": (F32, (8, 64))})["C"]
    lanes = a.reshape(2, 32)

    def everywhere(of_warp: Any) -> Array:
        return np.repeat(np.asarray(of_warp, F32), 32)

    ballot = [sum(1 << i for i in range(32) if warp[i] > 0) for warp in lanes]
    np.testing.assert_array_equal(found[0], everywhere(lanes.max(axis=1)))
    np.testing.assert_array_equal(found[1], everywhere(lanes.min(axis=1)))
    np.testing.assert_array_equal(found[2], everywhere(lanes.sum(axis=1)))
    np.testing.assert_array_equal(found[3], everywhere(ballot))
    np.testing.assert_array_equal(found[4], everywhere([2**32 - 1] * 2))
    even = np.arange(64) % 2 == 0
    np.testing.assert_array_equal(
        found[5], np.where(even, everywhere(lanes[:, ::2].sum(axis=1)), 0)
    )
    np.testing.assert_array_equal(found[6], a[np.arange(64) ^ 1])
    np.testing.assert_array_equal(found[7], everywhere(lanes[:, 5]))


def test_threads_in_three_dimensions(bench: Bench, rng: np.random.Generator) -> None:
    a = rng.integers(-9, 10, (8, 32)).astype(F32)
    found = bench.clean("simt", "three_dimensions", {"A": a}, {"C": (F32, a.shape)})
    row = np.arange(8)[:, None]
    np.testing.assert_array_equal(found["C"], a + row // 4 * 1000 + row % 4 * 100 + np.arange(32))


@pytest.mark.parametrize("name", ["float8_e4m3fn", "float8_e5m2"])
def test_8_bit_floats_round_to_nearest_even_and_saturate(
    bench: Bench, rng: np.random.Generator, name: str
) -> None:
    dtype = np.dtype(getattr(ml_dtypes, name))
    a = (rng.standard_normal((64, 128)) * np.exp2(rng.integers(-20, 20, (64, 128)))).astype(F32)
    every = np.arange(256, dtype=np.uint8).view(dtype).astype(F32)
    a[0], a[1] = every[:128], every[128:]
    middle = (every[:127] + every[1:128]) / 2
    a[2, :127] = middle
    found = bench.clean("simt", "float8", {"A": a}, {"C": (F32, a.shape)}, dt=name)["C"]
    largest = float(ml_dtypes.finfo(dtype).max)
    expected = np.clip(a, -largest, largest).astype(dtype).astype(F32)
    np.testing.assert_array_equal(found, expected)


def test_random_numbers_are_philox(bench: Bench) -> None:
    """The wheel's own generator, compiled as it is; Philox 4x32-10 with the thread in the counter's upper half."""
    found = bench.clean("simt", "random", {}, {"C": (F32, (4, 256))})["C"]
    for thread in (0, 1, 200):
        words = philox((0, 0, thread, 0), (42, 0))
        inverse = np.float32(2.3283064e-10)
        expected = [np.float32(w) * inverse + inverse / np.float32(2) for w in words]
        np.testing.assert_array_equal(found[:, thread], np.array(expected, F32))


def philox(counter: tuple[int, ...], key: tuple[int, int]) -> tuple[int, ...]:
    """Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3 (SC11), ten rounds."""
    c, (k0, k1) = list(counter), key
    for _ in range(10):
        p0, p1 = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [
            (p1 >> 32) ^ c[1] ^ k0,
            p1 & 0xFFFFFFFF,
            (p0 >> 32) ^ c[3] ^ k1,
            p0 & 0xFFFFFFFF,
        ]
        k0, k1 = (k0 + 0x9E3779B9) & 0xFFFFFFFF, (k1 + 0xBB67AE85) & 0xFFFFFFFF
    return tuple(c)


def test_a_reduction_of_halves_by_threads(bench: Bench, rng: np.random.Generator) -> None:
    a = rng.standard_normal((8, 512)).astype(F16)
    found = bench.clean("simt", "half_reduction", {"A": a}, {"C": (F16, (8, 16))})
    np.testing.assert_array_equal(found["C"], np.repeat(a.max(axis=1, keepdims=True), 16, axis=1))


def test_the_scalar_unit_reads_indices(bench: Bench, rng: np.random.Generator) -> None:
    a, index = rng.standard_normal((64, 128)).astype(F32), rng.permutation(64)[:8].astype(np.int32)
    found = bench.clean("simt", "rows_by_index", {"A": a, "I": index}, {"C": (F32, (8, 128))})
    np.testing.assert_array_equal(found["C"], a[index])


def test_rows_are_padded_with_a_value(bench: Bench, rng: np.random.Generator) -> None:
    a = rng.standard_normal((5, 37)).astype(F16)
    found = bench.clean("simt", "padded", {"A": a}, {"C": (F16, (5, 64))})
    np.testing.assert_array_equal(found["C"][:, :37], a)
    np.testing.assert_array_equal(found["C"][:, 37:48], np.full((5, 11), 1.5, F16))
