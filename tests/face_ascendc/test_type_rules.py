"""What the device compiler refuses for its types is refused here too, with a sentence that says what to write."""

from __future__ import annotations

from pathlib import Path

import pytest

from gen.sim import BuildError, build_program
from tests.face_ascendc.harness import ARCH, CHIPS

TENSORS = """\
    LocalTensor<bfloat16_t> b(TPosition::VECCALC, 0, 64);
    LocalTensor<half> h(TPosition::VECCALC, 128, 64);
    LocalTensor<float> f(TPosition::VECCALC, 256, 64);
    LocalTensor<int32_t> i(TPosition::VECCALC, 512, 64);
    LocalTensor<int8_t> c(TPosition::VECCALC, 768, 64);
"""
NO_FORM = (
    "has no form for this element type on this chip; an Ascend 910B has no bfloat16_t arithmetic: "
    "Cast to float, compute, Cast back"
)
NO_CAST = "Cast has no conversion between these types on this chip; an Ascend 910B converts bfloat16_t from and to float only"

# Body, what the 910B says, what the 950 says; None: it compiles.
RULES = [
    ("Add(b, b, b, 64);", f"Add {NO_FORM}", None),
    ("Muls(b, b, bfloat16_t(2), 64);", f"Muls {NO_FORM}", None),
    ("Div(b, b, b, 64);", f"Div {NO_FORM}", f"Div {NO_FORM}"),
    ("Exp(i, i, 64);", f"Exp {NO_FORM}", f"Exp {NO_FORM}"),
    ("Add(c, c, c, 64);", f"Add {NO_FORM}", None),
    ("And(i, i, i, 64);", f"And {NO_FORM}", None),
    ("Sigmoid(b, b, 64);", f"Sigmoid {NO_FORM}", f"Sigmoid {NO_FORM}"),
    ("Cast(h, b, RoundMode::CAST_RINT, 64);", NO_CAST, None),
    ("Cast(f, b, RoundMode::CAST_NONE, 64);", None, None),
    ("Cast(b, i, RoundMode::CAST_RINT, 64);", NO_CAST, NO_CAST),
    (
        "Muls(f, f, 2.0, 64);",
        "the scalar of Muls must have the element type of the tensors; write T(scalar)",
        "the scalar of Muls must have the element type of the tensors; write T(scalar)",
    ),
    (
        "PipeBarrier<PIPE_S>();",
        "PipeBarrier<PIPE_S> does not exist: the scalar unit waits for itself",
        "PipeBarrier<PIPE_S> does not exist: the scalar unit waits for itself",
    ),
    (
        "CrossCoreSetFlag<4, PIPE_MTE3>(0);",
        "CrossCoreSetFlag knows the modes 0, 1 and 2, and 4 on the Ascend 950",
        None,
    ),
    (
        "LoadData(h, h, LoadData2DParamsV2{});",
        "LoadData with LoadData2DParamsV2 exists on the Ascend 950 only",
        None,
    ),
    (
        "Mmad(h, h, h, MmadParams{});",
        "Mmad multiplies half, bfloat16_t or float into float and int8_t into int32_t",
        "Mmad multiplies half, bfloat16_t or float into float and int8_t into int32_t",
    ),
    (
        "TQue<TPosition::VECCALC, 1> q; TPipe p; p.InitBuffer(q, 1, 32);",
        "no data stream connects these two positions",
        "no data stream connects these two positions",
    ),
    (
        "TQue<TPosition::VECIN, 0> q; q.AllocTensor<float>();",
        "a queue of depth 0 allocates in place: AllocTensor(tensor)",
        "a queue of depth 0 allocates in place: AllocTensor(tensor)",
    ),
    (
        "TBuf<> t; TPipe p; p.InitBuffer(t, 2, 32);",
        "InitBuffer(que, num, len) is for a TQue; for a TBuf write InitBuffer(buf, len)",
        "InitBuffer(que, num, len) is for a TQue; for a TBuf write InitBuffer(buf, len)",
    ),
]


_SOURCE = """\
#include "kernel_operator.h"
using namespace AscendC;
"""
_FUNCTION = "void rule_{index}() {{ {tensors} {body} }}\n"


def source(bodies: list[str]) -> str:
    """Each body in a function of its own, on the line 3 + its index."""
    tensors = " ".join(TENSORS.split())
    lines = [_FUNCTION.format(index=i, tensors=tensors, body=b) for i, b in enumerate(bodies)]
    return _SOURCE + "".join(lines) + "int main() {}\n"


def compiler_log(bodies: list[str], chip: str, folder: Path) -> str:
    """What the compiler complains about; empty when it accepts everything."""
    file = folder / "rules.cpp"
    file.write_text(source(bodies), encoding="utf-8")
    try:
        build_program([file], face="ascendc", chip=ARCH[chip])
    except BuildError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("chip", CHIPS)
def test_what_breaks_a_rule_is_refused_with_its_sentence(chip: str, tmp_path: Path) -> None:
    broken = [(r[0], r[1 if chip == "910b" else 2]) for r in RULES]
    refused = [(body, sentence) for body, sentence in broken if sentence is not None]
    log = compiler_log([body for body, _ in refused], chip, tmp_path)
    for index, (body, sentence) in enumerate(refused):
        assert f"static assertion failed: {sentence}" in log, body
        assert f"rules.cpp:{index + 3}:" in log, body
    assert log.count("static assertion failed: ") >= len({s for _, s in refused})


@pytest.mark.parametrize("chip", CHIPS)
def test_what_keeps_the_rules_compiles(chip: str, tmp_path: Path) -> None:
    allowed = [r[0] for r in RULES if r[1 if chip == "910b" else 2] is None]
    assert compiler_log(allowed, chip, tmp_path) == ""
