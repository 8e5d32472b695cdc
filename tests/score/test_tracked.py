"""NumPy expressions with bounds: a right kernel is never outside of them, a wrong one is."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from gen.score.tracked import Tracked, track

RNG = np.random.default_rng(7)
FORMATS = [np.float32, np.float16, ml_dtypes.bfloat16]


def numbers(dtype, *shape: int) -> np.ndarray:
    return (RNG.standard_normal(shape) + 0.5).astype(dtype)


def holds(tracked: Tracked, got: np.ndarray) -> bool:
    return bool((np.abs(got.astype(np.float64) - tracked.value) <= np.asarray(tracked.error)).all())


@pytest.mark.parametrize("dtype", FORMATS)
def test_single_operations_are_exact_in_their_own_format(dtype):
    x, y = numbers(dtype, 100), numbers(dtype, 100)
    a, b = track(x), track(y)
    for made, want in [
        (a + b, x + y),
        (a - b, x - y),
        (a * b, x * y),
        (a / b, x / y),
        (2 * a, dtype(2) * x),
        (-a, -x),
        (abs(a), abs(x)),
        (np.maximum(a, b), np.maximum(x, y)),
        (np.minimum(a, 0), np.minimum(x, dtype(0))),
        (np.sqrt(abs(a)), np.sqrt(abs(x))),
    ]:
        assert made.dtype == np.dtype(dtype)
        assert not np.any(made.error)
        assert np.array_equal(made.value, want.astype(np.float64))


@pytest.mark.parametrize("dtype", FORMATS)
def test_moving_elements_changes_nothing(dtype):
    x = numbers(dtype, 4, 6)
    a = track(x)
    for made, want in [
        (a.T, x.T),
        (a[1:, ::2], x[1:, ::2]),
        (a[[2, 0]], x[[2, 0]]),
        (a.reshape(6, 4), x.reshape(6, 4)),
        (np.concatenate([a, a[:1]]), np.concatenate([x, x[:1]])),
        (np.stack([a, a]), np.stack([x, x])),
        (np.tile(a, (2, 1)), np.tile(x, (2, 1))),
        (np.concatenate([a[0], np.zeros(3)]), np.concatenate([x[0], np.zeros(3)])),
        (np.where(x > 0, a, 0), np.where(x > 0, x, dtype(0))),
    ]:
        assert np.array_equal(made.value, want.astype(np.float64))
        assert not np.any(made.error)


def test_products_hold_for_every_order_of_the_sum():
    x, y = numbers(np.float16, 9, 300), numbers(np.float16, 300, 5)
    made = track(x) @ track(y)
    wide, other = x.astype(np.float32), y.astype(np.float32)
    for order in (np.arange(300), np.arange(300)[::-1], RNG.permutation(300)):
        total = np.zeros((9, 5), np.float32)
        for k in order:
            total += np.outer(wide[:, k], other[k])
        assert holds(made, total)
    assert not holds(made, total * np.float32(1.001))
    assert not holds(made, (wide[:, 1:] @ other[1:]))


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_sums_and_means_hold_in_order_and_backwards(dtype):
    x = numbers(dtype, 3, 200)
    made = track(x).sum(axis=1)
    for step in (1, -1):
        total = np.zeros(3, dtype)
        for column in range(200)[::step]:
            total = total + x[:, column]
        assert holds(made, total)
    assert holds(track(x).mean(axis=1), (total / dtype(200)).astype(dtype))
    assert np.mean(track(x)).shape == ()
    assert not holds(
        track(x)[:, 1:].sum(axis=1), x.astype(np.float64).sum(axis=1) + np.abs(x).sum()
    )


def test_functions_may_be_off_by_their_ulps():
    x = numbers(np.float32, 1000)
    made = np.exp(track(x))
    assert holds(made, np.exp(x))
    assert not holds(made, np.exp(x) * np.float32(1 + 1e-5))


def test_errors_grow_along_a_formula():
    x = np.abs(numbers(np.float32, 500)) + 1
    a = track(x)
    made = np.sqrt(np.exp(a) + 1) / (a * a + np.exp(a))
    assert holds(made, np.sqrt(np.exp(x) + 1) / (x * x + np.exp(x)))
    assert (np.asarray(made.error) < 1e-5 * np.abs(made.value)).all()


def test_conversions():
    x = numbers(np.float32, 100)
    half = track(x).astype(np.float16)
    assert np.array_equal(half.value, x.astype(np.float16).astype(np.float64))
    whole = track(x).astype(np.int32)
    assert isinstance(whole, np.ndarray)
    assert np.array_equal(whole, x.astype(np.int32))
    assert np.array_equal(track(x).view(np.uint32), x.view(np.uint32))
    mixed = track(x.astype(np.float16)) + track(x)
    assert mixed.dtype == np.float32


def test_integers_stay_plain_arrays():
    rows = np.array([2, 0, 1])
    assert track(rows) is rows
    table = numbers(np.float16, 3, 4)
    assert np.array_equal(track(table)[rows].value, table[rows].astype(np.float64))
