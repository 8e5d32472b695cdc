"""The judge of the other tests: it must see what is wrong, and the mirrored structures must match."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

import numpy as np
import pytest

from tests.ops import ops_model
from tests.ops.ops_model import NATIVE, Model, Space, VecOp, call


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (0, "2 bytes changed outside the write regions"),
        (1, "1 written bytes depend on bytes outside the read regions"),
        (2, "1 written bytes depend on bytes outside the read regions"),
        (3, "a region lies outside its memory"),
        (4, "misaligned"),
    ],
)
def test_the_judge_sees_a_wrong_region(a2: Model, kind: int, message: str) -> None:
    a2.memory(Space.UB)[:] = np.arange(a2.memory(Space.UB).size) % 251
    call(a2.lib, "wrong", kind)
    assert message in a2.lib.h_errors().decode()


def test_structures_have_the_layout_of_the_headers(tmp_path: Path) -> None:
    names = [
        "Mem",
        "Burst",
        "Nd2Nz",
        "Fractals",
        "NdDma",
        "Im2col",
        "Mmad",
        "Fixpipe",
        "VecShape",
        "Region",
    ]
    lines = "".join(f'std::printf("%zu ", sizeof({n}));' for n in names)
    source = tmp_path / "sizes.cpp"
    head = '#include <cstdio>\n#include "aicore/ops.h"\nusing namespace aicore; using namespace aicore::ops;\n'
    last = 'std::printf("%d %d", int(VecOp::xor_), int(DType::u8));'
    source.write_text(f"{head}int main() {{ {lines} {last} }}\n")
    program = tmp_path / "sizes"
    include = str(NATIVE / "include")
    subprocess.run(
        ["g++", "-std=c++17", "-I", include, str(source), "-o", str(program)], check=True
    )
    output = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    *sizes, last_op, last_type = map(int, output.split())
    assert sizes == [ctypes.sizeof(getattr(ops_model, n)) for n in names]
    assert (last_op, last_type) == (int(VecOp.xor_), int(ops_model.DType.U8))
