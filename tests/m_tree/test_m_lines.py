"""Each line of the device source is traced back to the Python line that it comes from, or to none."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gen.compile.m_tree import Request, Session, TensorType, inputs_of, lower
from gen.compile.m_tree.spans import read
from gen.plan import plan
from gen.render import render
from gen.spec.models import ElementwiseSpec, GemmSpec, NormSpec, Spec

SPECS: dict[str, Spec] = {
    "elementwise": ElementwiseSpec(
        name="sum_of_squares",
        shape=(100_003,),
        inputs={"x": "float16", "y": "float16"},  # type: ignore[arg-type]
        output={"z": "float16"},  # type: ignore[arg-type]
        body="x * x + y * y",
        tile=128,
    ),
    "gemm": GemmSpec(name="product", m=300, n=260, k=210, a="float16", b="float16", c="float16"),  # type: ignore[arg-type]
    "norm": NormSpec(name="rms", norm="rms", rows=999, cols=100, dtype="float32", weight=True),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("kind", SPECS)
def test_every_transfer_and_computation_has_a_line(
    kind: str, session: Session, tmp_path: Path
) -> None:
    decided = plan(SPECS[kind])
    file = render(decided).kernel("m_tree")
    assert file is not None
    request = Request("m_tree.py", file.text, inputs_of(decided))
    lowered = lower(request, session=session, folder=tmp_path)
    lines = dict(lowered.lines)
    python = file.text.splitlines()
    seen = set()
    for number, line in enumerate(lowered.source.splitlines(), 1):
        call = line.strip().partition("(")[0].partition("<")[0]
        if call in EXPECTED:
            origin = python[lines[number] - 1].strip()
            assert origin.startswith(EXPECTED[call]), (line, origin)
            if call in NAMED:
                (tensor,) = re.findall(r"&\((\w+)\[", line)
                assert tensor in re.findall(r"\w+", statement(python, lines[number]))
            seen.add(call)
        if "asc_sync" in line and "asc_syncthreads" not in line:
            assert number not in lines
    assert seen >= MUST_OCCUR[kind]


def statement(lines: list[str], first: int) -> str:
    """The statement that begins at line `first`, to its closing parenthesis."""
    text = lines[first - 1]
    while text.count("(") > text.count(")"):
        first += 1
        text += lines[first - 1]
    return text


EXPECTED = {
    "asc_copy_gm2ub_align": "T.copy(",
    "asc_copy_ub2gm_align": "T.copy(",
    "asc_copy_gm2l1_nd2nz": "T.copy(",
    "asc_copy_gm2l1_dn2nz": "T.copy(",
    "asc_copy_l0c2gm": "T.copy(",
    "asc_fill_l1": "T.copy(",
    "asc_vf_call": "with T.SimtVF(",
    "ascend_gemm_l1": "T.gemm(",
}
NAMED = {c for c in EXPECTED if c.startswith("asc_copy")}
VECTOR = {"asc_copy_gm2ub_align", "asc_vf_call", "asc_copy_ub2gm_align"}
MUST_OCCUR = {
    "elementwise": VECTOR,
    "norm": VECTOR,
    "gemm": {
        "asc_copy_gm2l1_nd2nz",
        "asc_copy_gm2l1_dn2nz",
        "asc_fill_l1",
        "ascend_gemm_l1",
        "asc_copy_l0c2gm",
    },
}


MANUAL = """\
import tilelang
import tilelang.ascend.language as T

OFF = {tilelang.PassConfigKey.TL_ENABLE_AUTO_SCHEDULE: False}


@tilelang.jit(target="ascend", pass_configs=OFF)
def negate(x):
    N = T.const("N")
    x: T.Tensor((N,), T.float32)
    y = T.empty((N,), T.float32)
    with T.Kernel(1) as core:
        x_ub = T.alloc_shared((64,), T.float32)
        T.copy(x[0:32], x_ub[0:32])
        T.copy(x[32:64], x_ub[32:64])
        T.ascend_set_flag("MTE2_V", 0)
        T.ascend_wait_flag("MTE2_V", 0)
        with T.SimdVF():
            value = T.simd.vld(x_ub[0])
            T.simd.vsts(x_ub[0], T.simd.vneg(value))
        T.ascend_set_flag("V_MTE3", 0)
        T.ascend_wait_flag("V_MTE3", 0)
        T.copy(x_ub, y)
    return y
"""


def test_synchronisation_that_is_written_out_has_lines(session: Session, tmp_path: Path) -> None:
    request = Request("negate.py", MANUAL, (TensorType("x", (64,), "float32"),))
    lowered = lower(request, session=session, folder=tmp_path)
    lines, python = dict(lowered.lines), MANUAL.splitlines()
    statements = {
        text.strip(): python[lines[number] - 1].strip()
        for number, text in enumerate(lowered.source.splitlines(), 1)
        if number in lines
    }
    called = {text.split("(")[0]: origin for text, origin in statements.items()}
    copies = [s for t, s in statements.items() if t.startswith("asc_copy_gm2ub_align")]
    assert copies == ["T.copy(x[0:32], x_ub[0:32])", "T.copy(x[32:64], x_ub[32:64])"]
    assert called["asc_copy_ub2gm_align"] == "T.copy(x_ub, y)"
    assert called["asc_sync_wait"] == 'T.ascend_wait_flag("V_MTE3", 0)'
    assert called["negate_kernel_simd_vf_0"] == "with T.SimdVF():"
    assert called["simd_inst::vsts_norm"] == "T.simd.vsts(x_ub[0], T.simd.vneg(value))"


def test_the_right_half_of_a_split_copy_is_found(session: Session, tmp_path: Path) -> None:
    """The passes for AIC and AIV rebuild these copies; their spans must not be lost."""
    file = Path(__file__).with_name("kernels") / "gemm_bias_relu.py"
    shapes = {"A": (250, 87), "B": (121, 87), "bias": (121,)}
    types = tuple(TensorType(name, shape, "float16") for name, shape in shapes.items())
    text = file.read_text(encoding="utf-8")
    lowered = lower(Request(str(file), text, types), session=session, folder=tmp_path)
    lines, python = dict(lowered.lines), text.splitlines()
    for number, line in enumerate(lowered.source.splitlines(), 1):
        if "asc_copy_ub2gm_align" in line:
            assert "T.dual_copy(C_ub, C[" in python[lines[number] - 1]
        if "asc_copy_l0c2ub" in line:
            assert "T.dual_copy(C_l0c, sum_ub)" in python[lines[number] - 1]
        if "C_ub_local_cast" in line:
            assert "C_ub[i, j] = " in python[lines[number] - 1]


CORPUS = Path(__file__).parents[1] / "corpus" / "m_tree"
WRITTEN = {
    "asc_copy": ("T.copy(", "T.dual_copy("),
    "asc_set_gm2l1_nz_para": ("T.copy(",),
    "asc_fill_l1": ("T.copy(",),
    "ascend_gemm_l1": ("T.gemm(",),
    "asc_mmad": ("T.gemm(",),
    "asc_vf_call": ("with T.SimtVF(",),
    "asc_sync_notify": ("T.ascend_set_flag(",),
    "asc_sync_wait": ("T.ascend_wait_flag(",),
    "asc_sync_intra_arrive": ("T.ascend_cross_core_set_flag(",),
    "asc_sync_intra_wait": ("T.ascend_cross_core_wait_flag(",),
    "asc_lock": ("T.ascend_get_buf(", "T.ascend_set_flag(", "T.ascend_wait_flag("),
    "asc_unlock": ("T.ascend_rls_buf(", "T.ascend_set_flag(", "T.ascend_wait_flag("),
}
"""Calls of the device source, and the statements that they can come from."""


@pytest.mark.parametrize(
    ("file", "shapes"),
    [
        ("mixed_manual.py", {"A": (192, 128), "B": (64, 128)}),
        ("l0_ring.py", {"A": (64, 192), "B": (64, 192)}),
        ("mutex_guards_l0.py", {"A": (64, 192), "B": (64, 192)}),
        ("more_ids_than_the_chip_has.py", {"x": (12, 256)}),
    ],
)
def test_every_call_of_a_manual_kernel_has_its_statement(
    file: str, shapes: dict[str, tuple[int, ...]], session: Session, tmp_path: Path
) -> None:
    text = (CORPUS / file).read_text(encoding="utf-8")
    dtype = re.findall(r"T\.Tensor\(.*T\.(\w+)\)", text)[0]
    types = tuple(TensorType(name, shape, dtype) for name, shape in shapes.items())
    lowered = lower(Request(file, text, types), session=session, folder=tmp_path)
    lines, python = dict(lowered.lines), text.splitlines()
    seen = 0
    for number, line in enumerate(lowered.source.splitlines(), 1):
        for call, statements in WRITTEN.items():
            if line.strip().startswith(call):
                assert python[lines[number] - 1].strip().startswith(statements), line
                seen += 1
    assert seen > 8


PRINTED = """\
inline void
gen_python_line(3);
__simt_vf__ inline void k_simt_vf_0(int a) {
  gen_python_line(5);
  a = 1;
  gen_python_line(0);
  library(a);
}
void k() {
  gen_python_line(0);
  asc_sync();
  gen_python_line(4);
  asc_vf_call<k_simt_vf_0>(1);
}
"""
PLAIN = "".join(t for t in PRINTED.splitlines(keepends=True) if "gen_python_line" not in t)


def test_a_library_inside_a_vector_function_belongs_to_its_call() -> None:
    assert read(PRINTED, PLAIN) == [(3, 5), (4, 4), (8, 4)]


def test_markers_that_change_the_text_answer_nothing() -> None:
    assert read(PRINTED, PLAIN.replace("a = 1", "a = 2")) == []
