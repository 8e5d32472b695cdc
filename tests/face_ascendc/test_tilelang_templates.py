"""The templates of the installed tilelang-ascend, unmodified, compute on the model what NumPy computes."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

from gen.compile.a_tree.toolchain import status
from gen.sim import Profile, Program, Run, build_program, run_program
from tests.face_ascendc.harness import KERNELS, said

TOOLCHAIN = status().toolchain
pytestmark = pytest.mark.skipif(TOOLCHAIN is None, reason="tilelang-ascend is not installed")

ROWS, COLUMNS = 16, 128
M, N, K = 64, 96, 192
Tile = NDArray[Any]


@cache
def program() -> Program:
    assert TOOLCHAIN is not None
    text = (KERNELS / "tilelang_templates.cpp").read_text(encoding="utf-8")
    place = Path(tempfile.mkdtemp(prefix="crosstree-test-")) / "tilelang_templates.cpp"
    place.write_text(text.replace("(uint32_t[])", "::aicore::ascendc::U32List"), encoding="utf-8")
    return build_program([place], face="ascendc", chip="2201", includes=TOOLCHAIN.includes)


def call(
    name: str, form: int, x: Tile, y: Tile, z: tuple[int, ...], dtype: Any, *, added: bool = False
) -> tuple[Tile, Run]:
    """Runs one kernel; `added`: z is an input of zeros as well, and sums go to it."""
    with tempfile.TemporaryDirectory() as folder:
        path = {key: Path(folder, f"{key}.bin") for key in "XYZ"}
        x.tofile(path["X"])
        y.tofile(path["Y"])
        out = np.zeros(z, dtype)
        out.tofile(path["Z"])
        mode = "inout" if added else "out"
        argv = [name, str(form), f"X:in:{x.nbytes}:{path['X']}", f"Y:in:{y.nbytes}:{path['Y']}"]
        argv.append(f"Z:{mode}:{out.nbytes}:{path['Z']}")
        done = run_program(
            program(), argv=argv, profile=Profile(chip="2201", auto_sync=True), timeout=60
        )
        return np.fromfile(path["Z"], dtype).reshape(z), done


def tiles(dtype: Any, seed: int) -> tuple[Tile, Tile]:
    rng = np.random.default_rng(seed)
    x, y = (rng.standard_normal((ROWS, COLUMNS)).astype(dtype) for _ in range(2))
    return x, y


def blank(dtype: Any) -> Tile:
    return np.full((ROWS, COLUMNS), -1, dtype)


def start(x: Tile, values: Any) -> Tile:
    """-1 everywhere but at the start of the tile."""
    z = blank(x.dtype)
    flat = np.asarray(values, x.dtype).ravel()
    z.ravel()[: flat.size] = flat
    return z


def partial(x: Tile) -> Tile:
    z = np.full_like(x, 2)
    z[:10, :100] = x[:10, :100]
    return z


def scaled(x: Tile, y: Tile) -> Tile:
    """8 repeats of 256 bytes, each times one of the first elements of y."""
    lanes = 256 // x.itemsize
    return start(x, x.ravel()[: 8 * lanes].reshape(8, lanes) * y.ravel()[:8, None])


def columns_only(x: Tile) -> Tile:
    z = blank(x.dtype)
    z[:8, :64] = x[:8, :64]
    return z


EXACT: dict[int, tuple[str, Callable[[Tile, Tile], Tile]]] = {
    0: ("partial copy", lambda x, y: partial(x)),
    1: ("row maximum", lambda x, y: start(x, x.max(axis=1))),
    2: ("column minimum", lambda x, y: start(x, x.min(axis=0))),
    3: ("row maximum, merged", lambda x, y: start(x, np.maximum(x.max(axis=1), -1))),
    4: (
        "broadcast of a column",
        lambda x, y: np.broadcast_to(x.ravel()[:ROWS, None], x.shape).copy(),
    ),
    5: ("broadcast of a row", lambda x, y: np.broadcast_to(x[:1], x.shape).copy()),
    6: ("clamp", lambda x, y: np.clip(x, -1, 0.5)),
    7: ("fill", lambda x, y: np.full_like(x, 1.5)),
    8: ("arithmetic progression", lambda x, y: start(x, 3 + 2 * np.arange(512))),
    9: ("brcb and mul_mask", scaled),
    14: ("round", lambda x, y: np.rint(x)),
    15: ("rows of a tile", lambda x, y: columns_only(x)),
    18: ("compare and select", lambda x, y: np.where(x > y, x, y)),
    19: ("gather", lambda x, y: start(x, x.ravel()[5:69])),
}

types = pytest.mark.parametrize("dtype", [np.float32, np.float16])


def kernel_of(dtype: Any) -> str:
    return "half_vector" if dtype is np.float16 else "float_vector"


@types
@pytest.mark.parametrize("form", EXACT, ids=[name for name, _ in EXACT.values()])
def test_a_vector_template_is_exact(dtype: Any, form: int) -> None:
    x, y = tiles(dtype, form)
    z, done = call(kernel_of(dtype), form, x, y, x.shape, dtype)
    assert done.clean, said(done)
    assert np.array_equal(z, EXACT[form][1](x, y))


def sigmoid(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(1 / (1 + np.exp(-x)))


CLOSE: dict[int, tuple[str, Callable[[NDArray[np.float64]], NDArray[np.float64]]]] = {
    10: ("silu", lambda x: x * sigmoid(x)),
    11: ("sigmoid", sigmoid),
    12: ("sin", np.sin),
    13: ("cos", np.cos),
}


@types
@pytest.mark.parametrize("form", CLOSE, ids=[name for name, _ in CLOSE.values()])
def test_a_function_template_is_within_two_units_in_the_last_place(dtype: Any, form: int) -> None:
    x, y = tiles(dtype, form)
    z, done = call(kernel_of(dtype), form, x, y, x.shape, dtype)
    assert done.clean, said(done)
    exact = CLOSE[form][1](x.astype(np.float64))
    ulp = np.spacing(np.abs(exact).astype(dtype)).astype(np.float64)
    assert np.all(np.abs(z.astype(np.float64) - exact) <= 2 * ulp)


@types
def test_a_store_of_a_part_leaves_the_rest_of_global_memory(dtype: Any) -> None:
    x, y = tiles(dtype, 16)
    z, done = call(kernel_of(dtype), 16, x, y, x.shape, dtype, added=True)
    assert done.clean, said(done)
    expected = np.zeros_like(x)
    expected[:5, :70] = x[:5, :70]
    assert np.array_equal(z, expected)


@types
def test_atomic_stores_add_up(dtype: Any) -> None:
    x, y = tiles(dtype, 17)
    z, done = call(kernel_of(dtype), 17, x, y, x.shape, dtype, added=True)
    assert done.clean, said(done)
    assert np.array_equal(z, x + y)


def test_forms_that_only_half_has() -> None:
    x, y = tiles(np.float16, 0)
    wide = x.astype(np.float64)
    for form in range(5):
        z, done = call("half_only", form, x, y, x.shape, np.float16)
        assert done.clean, said(done)
        if form in (0, 3):  # 128 half values summed in half; the same in float and rounded once
            eps = 2.0**-11 if form == 0 else 2.0**-24
            bound = 128 * eps * np.abs(wide).sum(axis=1) + 2.0**-11 * np.abs(wide.sum(axis=1))
            assert np.all(np.abs(z.ravel()[:16] - wide.sum(axis=1)) <= bound)
        elif form == 1:
            third = (x.astype(np.float32) * (np.float32(1) / np.float32(3))).astype(np.float16)
            assert np.array_equal(z, third)
        elif form == 2:
            corner = x.ravel()[:256].reshape(16, 16).T
            assert np.array_equal(z, start(x, corner))
        else:
            assert np.array_equal(
                z.view(np.int16), x.view(np.int16) ^ blank(x.dtype).view(np.int16)
            )


GEMMS = {
    "gemm_nn": (np.float16, np.float32, False, False),
    "gemm_tn": (np.float16, np.float16, True, False),
    "gemm_nt": (ml_dtypes.bfloat16, ml_dtypes.bfloat16, False, True),
    "gemm_tt": (np.float16, np.float32, True, True),
    "gemm_f32_nt": (np.float32, np.float32, False, True),
    "gemm_i8_nn": (np.int8, np.int32, False, False),
    "gemm_i8_tt": (np.int8, np.int32, True, True),
    "gemm_added": (np.float16, np.float32, False, False),
}


def drawn(rng: np.random.Generator, shape: tuple[int, int], dtype: Any) -> Tile:
    if dtype is np.int8:
        return rng.integers(-100, 100, shape).astype(dtype)
    return rng.standard_normal(shape).astype(dtype)


@pytest.mark.parametrize("name", GEMMS)
def test_gemm_v0_multiplies_in_every_layout(name: str) -> None:
    source, result, turned_a, turned_b = GEMMS[name]
    rng = np.random.default_rng(len(name))
    a, b = (drawn(rng, shape, source) for shape in ((M, K), (K, N)))
    stored_a = np.ascontiguousarray(a.T) if turned_a else a
    stored_b = np.ascontiguousarray(b.T) if turned_b else b
    added = name == "gemm_added"
    c, done = call(name, 0, stored_a, stored_b, (M, N), result, added=added)
    assert done.clean, said(done)
    exact = a.astype(np.float64) @ b.astype(np.float64)
    if name == "gemm_tt":
        exact = np.maximum(exact, 0)
    if source is np.int8:
        assert np.array_equal(c, exact)
        return
    spread = np.abs(a).astype(np.float64) @ np.abs(b).astype(np.float64)
    sums = K * 2.0**-24 * spread
    half_ulp = float(ml_dtypes.finfo(result).eps) / 2
    times = 2 if added else 1
    bound = times * (sums + half_ulp * (np.abs(exact) + sums))
    assert np.all(np.abs(c.astype(np.float64) - times * exact) <= bound)
