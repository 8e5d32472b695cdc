"""A line of the device source is traced back to the Python line that it comes from, or to none."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gen.compile.m_tree import Request, Session, inputs_of, lower
from gen.compile.m_tree.places import python_lines
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
    lines = python_lines(file.text, lowered.function, lowered.source)
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


def test_two_copies_of_one_tensor_are_not_guessed() -> None:
    text = "def k(x):\n    T.copy(x[0], a)\n    T.copy(x[1], b)\n"
    device = "  asc_copy_gm2ub_align((__ubuf__ uint8_t*)0, (__gm__ uint8_t*)((&(x[0]))), 1);\n"
    assert python_lines(text, "k", device) == {}
