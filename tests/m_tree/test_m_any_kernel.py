"""Kernels that were not rendered here: AIC and AIV together, vector registers written out, a T.prim_func."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gen.compile.m_tree import Session, TensorType, compile
from gen.sim import Profile

KERNELS = Path(__file__).with_name("kernels")
PROFILE = Profile(chip="3510")


def whole(rng: np.random.Generator, *shape: int, dtype: str = "float16") -> np.ndarray:
    """Small whole numbers: sums of their products are exact in every order."""
    return rng.integers(-4, 5, shape).astype(dtype)


def type_of(name: str, array: np.ndarray) -> TensorType:
    return TensorType(name, array.shape, str(array.dtype))


@pytest.mark.parametrize(("m", "n", "k"), [(256, 128, 96), (250, 121, 87), (33, 7, 5)])
def test_an_epilogue_on_the_vector_cores(m: int, n: int, k: int, session: Session) -> None:
    rng = np.random.default_rng(m)
    arrays = {"A": whole(rng, m, k), "B": whole(rng, n, k), "bias": whole(rng, n)}
    types = tuple(type_of(name, array) for name, array in arrays.items())
    program = compile(KERNELS / "gemm_bias_relu.py", types, session=session)
    found, run = program.run(arrays, {"C": (np.dtype("float16"), (m, n))}, PROFILE, 60)
    assert run.clean, run.errors
    a, b, bias = (array.astype(np.float64) for array in arrays.values())
    assert np.array_equal(found["C"], np.maximum(a @ b.T + bias, 0).astype(np.float16))
    (launch,) = run.launches
    assert launch.kind == "mix_1_2"
    assert {"M", "V", "FIX", "MTE3"} <= set(run.counts)


@pytest.mark.parametrize("file", ["double.py", "double_simd.py"])
def test_threads_and_vector_registers_compute_the_same(file: str, session: Session) -> None:
    x = np.random.default_rng(0).standard_normal(1000).astype(np.float16)
    program = compile(KERNELS / file, (type_of("x", x),), session=session)
    found, run = program.run({"x": x}, {"y": (x.dtype, x.shape)}, PROFILE, 60)
    assert run.clean, run.errors
    assert np.array_equal(found["y"], x + x)
    assert run.counts["V"]


def test_a_kernel_made_by_a_function(session: Session) -> None:
    a, b = np.random.default_rng(1).standard_normal((2, 1000), dtype=np.float32)
    program = compile(
        KERNELS / "add_prim_func.py", (), function="add", constants={"N": 1000}, session=session
    )
    found, run = program.run({"A": a, "B": b}, {"C": (a.dtype, a.shape)}, PROFILE, 60)
    assert run.clean, run.errors
    assert np.array_equal(found["C"], a + b)


def test_a_parameter_that_only_annotations_name(tmp_path: Path, session: Session) -> None:
    path = tmp_path / "copied.py"
    path.write_text(
        "import tilelang.ascend.language as T\n\n\n"
        "def copied(N):\n"
        "    @T.prim_func\n"
        '    def main(A: T.Tensor((N,), "float32"), C: T.Tensor((N,), "float32")):\n'
        "        with T.Kernel(1) as block:\n"
        '            a = T.alloc_shared((256,), "float32")\n'
        "            T.copy(A[0:256], a)\n"
        "            T.copy(a, C[0:256])\n\n"
        "    return main\n"
    )
    a = np.arange(256, dtype=np.float32)
    program = compile(path, (), function="copied", constants={"N": 256}, session=session)
    found, run = program.run({"A": a}, {"C": (a.dtype, a.shape)}, PROFILE, 60)
    assert run.clean, run.errors
    assert np.array_equal(found["C"], a)
