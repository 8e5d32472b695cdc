"""Every mistake of a kernel is told once, at its place, in the words of the interface, and all of them at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from gen.chips import ASCEND910B, ASCEND950, Chip
from gen.compile.ascendc import compile
from gen.compile.base import CompileError
from gen.compile.cpp_log import errors_of
from gen.errors import Diagnostic

VECTOR = """\
#include "kernel_operator.h"
using namespace AscendC;

__global__ __vector__ void kernel(GM_ADDR x)
{
    GlobalTensor<half> g;
    LocalTensor<half> a(TPosition::VECCALC, 0, 64), b(TPosition::VECCALC, 128, 64);
    LocalTensor<float> f(TPosition::VECCALC, 256, 64);
    LocalTensor<bfloat16_t> bf(TPosition::VECCALC, 512, 64);
    DataCopyExtParams rows{1, 64, 0, 0, 0};
    DataCopyPadExtParams<float> pad{false, 0, 0, 0};
"""
CUBE = """\
#include "kernel_operator.h"

__global__ __cube__ void kernel(GM_ADDR x)
{
    AscendC::GlobalTensor<float> g;
    AscendC::LocalTensor<half> l1(AscendC::TPosition::A1, 0, 64), a(AscendC::TPosition::A2, 0, 64);
    AscendC::LocalTensor<half> b(AscendC::TPosition::B2, 0, 64);
    AscendC::LocalTensor<int8_t> i8(AscendC::TPosition::B2, 0, 64);
    AscendC::LocalTensor<float> c(AscendC::TPosition::CO1, 0, 64);
    AscendC::MmadParams p;
    AscendC::LoadData2DParams l;
    AscendC::FixpipeParamsV220 v;
"""

# Each line, the word that is marked, and what is said of it.
IN_VECTOR = [
    ("Add(bf, bf, bf, 64);", "Add", "Add takes half, float, int16_t or int32_t on the Ascend 910B, not bfloat16_t"),
    ("Div(b.ReinterpretCast<int16_t>(), a.ReinterpretCast<int16_t>(), a.ReinterpretCast<int16_t>(), 64);", "Div", "Div takes half or float on the Ascend 910B, not int16_t"),
    ("Add(b, a, f, 64);", "Add", "Add takes one element type for its operands, not half of dst, half of src0, float of src1"),
    ("Add(b, a, g, 64);", "Add", "src1 (argument 3) of Add is a GlobalTensor<half>, and it takes a LocalTensor<T>"),
    ("Add(b, a, 64);", "Add", "Add takes 4 or 6 arguments, and 3 are given"),
    ("Exp(b, a);", "Exp", "Exp takes 3 or 5 arguments, and 2 are given"),
    ("DataCopy(f, g, 64);", "DataCopy", "DataCopy takes one element type for its operands, not float of dst, half of src"),
    ("DataCopy(b, x, 64);", "DataCopy", "src (argument 2) of DataCopy is a uint8_t*, and it takes a GlobalTensor<T> or a LocalTensor<T>"),
    ("DataCopy(b, g, {1, 2, 3, 4, 5});", "DataCopy", "{1, 2, 3, 4, 5} makes no DataCopyParams"),
    ("DataCopyPad(b, g, rows, pad);", "DataCopyPad", "DataCopyPad takes one element type for its operands, not half of dst, half of src, float of pad"),
    ("DataCopyPad(b, g, rows);", "DataCopyPad", "has 4 parameters, and 3 are given"),
    ("rows.blockLength = 3;", "blockLength", "DataCopyExtParams has no member blockLength"),
    ("SetFlag(EVENT_ID0);", "SetFlag", "SetFlag lacks a template argument, `HardEvent event`: write SetFlag<…>(…)"),
    ("SetFlag<PIPE_V>(EVENT_ID0);", "SetFlag", "the template argument PIPE_V of SetFlag is of type pipe_t, and it takes a HardEvent"),
    ("SetFlag<HardEvent::MTE2_VEC>(EVENT_ID0);", "MTE2_VEC", "HardEvent has no member MTE2_VEC"),
    ("SetFlag<HardEvent::V_MTE3>(a);", "a", "LocalTensor<half> stands where int32_t is needed"),
    ("Cast(f, a, RoundMode::NONE, 64);", "NONE", "RoundMode has no member NONE"),
    ("Gather(b, a, a, 0, 64);", "Gather", "offsets (argument 3) of Gather is a LocalTensor<half>, and it takes a LocalTensor<uint32_t>"),
    ("g.SetGlobalBuffer(x, 64);", "x", "uint8_t* stands where half* is needed"),
    ("half h = 1.0h;", "1.0h", "`1.0h` is no number of C++"),
    ("LocalTensor q(TPosition::VECCALC, 0, 16);", "LocalTensor", "LocalTensor lacks its element type"),
    ("LocalTensor<half> r(VECCALC, 0, 16);", "VECCALC", "`VECCALC` is not declared"),
    ("TQue<TPosition::VECIN> queue;", "TQue", "TQue takes at least 2 template arguments, and 1 stands there"),
    ("a.setValue(0, half(1));", "setValue", "LocalTensor has no member setValue"),
    ("Addd(b, a, a, 64);", "Addd", "`Addd` is not declared"),
    ("AscendC::DataCpoy(b, g, 64);", "DataCpoy", "there is no AscendC::DataCpoy"),
    ("Adds(b, a, scale, 64);", "scale", "`scale` is not declared"),
    ("int blocks = GetBlockIdx;", "GetBlockIdx", "int64_t (*)() stands where int is needed"),
    ("Sub(b, a, a, 64)", "", "expected `;` before `return`"),
]  # fmt: skip
IN_CUBE = [
    ("AscendC::Mmad(c, a, i8, p);", "Mmad", "Mmad multiplies half, bfloat16_t or float into float"),
    ("AscendC::Mmad(c, a, b, {16, 16});", "Mmad", "{16, 16} makes no MmadParams"),
    ("AscendC::Mmad(c, a, b, 16, 16, 16);", "Mmad", "Mmad takes 4 or 5 arguments, and 6 are given"),
    ("AscendC::LoadData(a, l1, p);", "LoadData", "params (argument 3) of LoadData is a MmadParams, and it takes"),
    ("AscendC::LoadData(i8, l1, l);", "LoadData", "LoadData takes one element type for its operands, not int8_t of dst, half of src"),
    ("AscendC::LoadData(a, l1, AscendC::LoadData2DParamsV2{});", "LoadData", "LoadData with LoadData2DParamsV2 exists on the Ascend 950 only"),
    ("l.repeatTime = 3;", "repeatTime", "LoadData2DParams has no member repeatTime"),
    ("AscendC::Fixpipe(c, g, v);", "Fixpipe", "src (argument 2) of Fixpipe is a GlobalTensor<float>, and it takes a LocalTensor<U>"),
    ("AscendC::Fixpipe<half, float>(g, c, v);", "Fixpipe", "not half of the template argument, float of dst"),
    ("v.quantPre = QuantMode_t::F322FP16;", "F322FP16", "QuantMode_t has no member F322FP16"),
    ("AscendC::CrossCoreSetFlag<2>(3);", "CrossCoreSetFlag", "lacks a template argument, `pipe_t pipe`: write CrossCoreSetFlag<2, …>(…)"),
    ("PipeBarrier<PIPE_ALL>();", "PipeBarrier", "`PipeBarrier` is not declared"),
]  # fmt: skip


def found(path: Path, text: str, chip: Chip = ASCEND910B) -> list[Diagnostic]:
    path.write_text(text)
    with pytest.raises(CompileError) as caught:
        compile(path, chip, own_host=False)
    return list(caught.value.diagnostics)


@pytest.mark.parametrize(
    ("head", "lines"), [(VECTOR, IN_VECTOR), (CUBE, IN_CUBE)], ids=["vector", "cube"]
)
def test_all_mistakes_of_a_file_come_at_once(
    tmp_path: Path, head: str, lines: list[tuple[str, str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gen.compile.cpp_mistakes.MOST", 100)
    body = "".join(f"    {line}\n" for line, _, _ in lines)
    diagnostics = found(tmp_path / "kernel.asc", f"{head}{body}    return;\n}}\n")
    said = {d.source_line.strip(): d for d in diagnostics}
    assert [d.line for d in diagnostics] == list(
        range(head.count("\n") + 1, head.count("\n") + 1 + len(lines))
    )
    for line, word, message in lines:
        told = said[line]
        assert (told.code, message in told.message) == ("E402", True), told
        assert "aicore" not in told.message + told.help
        if word:
            assert told.source_line[told.column - 1 :].startswith(word), told
            assert told.length == len(word)


HELP = {
    "rows.blockLength = 3;": "did you mean `blockLen`?",
    "SetFlag(EVENT_ID0);": "it is `SetFlag<HardEvent event>(int32_t id)`",
    "g.SetGlobalBuffer(x, 64);": "write (__gm__ half*)x",
    "int blocks = GetBlockIdx;": "write GetBlockIdx()",
    "LocalTensor<half> r(VECCALC, 0, 16);": "write AscendC::TPosition::VECCALC",
    "DataCopyPad(yg, b, {1, 64});": "",
    "half h = 1.0h;": "write half(1.0)",
    "Add(b, a, 64);": "it is `Add(LocalTensor<T> dst, LocalTensor<T> src0, LocalTensor<T> src1, int32_t count)`",
    "DataCopy(b, g, {1, 2, 3, 4, 5});": "DataCopyParams is built of `{blockCount, blockLen, srcGap, dstGap}`",
}


def test_what_to_write_instead(tmp_path: Path) -> None:
    lines = [line for line in HELP if "yg" not in line]
    body = "".join(f"    {line}\n" for line in lines)
    diagnostics = found(tmp_path / "kernel.asc", f"{VECTOR}{body}}}\n")
    assert len(diagnostics) == len(lines)
    for told in diagnostics:
        assert told.help.startswith(HELP[told.source_line.strip()]), told


def test_an_operand_of_a_template_is_told_where_the_template_calls(tmp_path: Path) -> None:
    head = VECTOR.replace(
        "__global__",
        "template <class T>\n__aicore__ void twice(const T& t)\n{\n    Add(t, t, t, 8);\n}\n\n__global__",
        1,
    )
    (told,) = found(tmp_path / "kernel.asc", f"{head}    twice(bf);\n    twice(a);\n}}\n")
    assert (told.line, told.column, told.length) == (7, 5, 3)


def test_a_mistake_in_an_included_file_is_told_there(tmp_path: Path) -> None:
    (tmp_path / "helper.h").write_text("inline int helper()\n{\n    return missing;\n}\n")
    text = f"{VECTOR}}}\n".replace("using namespace", '#include "helper.h"\nusing namespace')
    (told,) = found(tmp_path / "kernel.asc", text)
    assert (told.path, told.line, told.column) == (str(tmp_path / "helper.h"), 3, 12)
    assert told.message == "`missing` is not declared"


def test_a_mistake_in_a_file_beside_the_folder_is_told_there(tmp_path: Path) -> None:
    for folder in ("common", "kernel"):
        (tmp_path / folder).mkdir()
    (tmp_path / "common" / "helper.h").write_text(
        "inline int helper()\n{\n    return missing;\n}\n"
    )
    include = '#include "../common/helper.h"\nusing namespace'
    text = f"{VECTOR}}}\n".replace("using namespace", include)
    (told,) = found(tmp_path / "kernel" / "kernel.asc", text)
    assert (Path(told.path).name, told.line) == ("helper.h", 3)


def test_the_chip_decides_what_a_call_takes(tmp_path: Path) -> None:
    text = f"{VECTOR}    Div(f.ReinterpretCast<int8_t>(), f.ReinterpretCast<int8_t>(), f.ReinterpretCast<int8_t>(), 64);\n}}\n"
    (told,) = found(tmp_path / "kernel.asc", text, ASCEND950)
    assert told.message.startswith("Div takes half, float")
    assert "on the Ascend 950, not int8_t" in told.message


def test_a_bracket_that_is_not_closed(tmp_path: Path) -> None:
    text = f"{VECTOR}    if (true) {{\n    Relu(b, a, 64);\n}}\n"
    (told,) = found(tmp_path / "kernel.asc", text)
    assert told.line in (5, text.count("\n"))


def test_what_the_model_lacks_beside_a_mistake(tmp_path: Path) -> None:
    body = "    BilateralFilter(b);\n    Exp(b, a);\n    AscendC::Where(b, a, a, a);\n    AscendC::Hypot(b, a, a);\n"
    diagnostics = found(tmp_path / "kernel.asc", f"{VECTOR}{body}}}\n")
    assert [d.code for d in diagnostics] == ["E402", "E402", "E405"]
    assert (
        diagnostics[2].message == "the model lacks AscendC::Hypot (1 use), AscendC::Where (1 use)"
    )


def test_a_name_that_is_not_declared_is_told_once(tmp_path: Path) -> None:
    body = (
        "    Fold<half>(a, ROWS * COLUMNS);\n"
        "    Fold<half>(b, 3);\n"
        "    auto part = [=]() { Relu(b, a, int32_t(ROWS)); };\n"
        "    Exp(b, a);\n"
    )
    diagnostics = found(tmp_path / "kernel.asc", f"{VECTOR}{body}}}\n")
    lines = (tmp_path / "kernel.asc").read_text().split("\n")
    first = lines.index(body.split("\n", maxsplit=1)[0]) + 1
    assert [(d.line, d.message.split(" ")[0]) for d in diagnostics] == [
        (first, "`Fold`"),
        (first, "`ROWS`"),
        (first, "`COLUMNS`"),
        (first + 3, "Exp"),
    ]


CLANG = """\
/k/a.cpp:6:5: error: no matching function for call to 'Add'
    6 |     Add(b, a, 64);
      |     ^~~
/h/vector.h:70:15: note: candidate function template not viable: requires 4 arguments, but 3 were provided
In file included from /k/a.cpp:1:
/h/call.h:28:5: error: static assertion failed due to requirement 'takes<__bf16>': Add has no form
   28 |     static_assert(
/k/a.cpp:8:9: note: in instantiation of function template specialization 'AscendC::Add<__bf16>' requested here
"""


def test_places_in_the_log_of_clang() -> None:
    first, second = errors_of(CLANG)
    own = "/k/a.cpp".__eq__
    places = [e.place(own) for e in (first, second)]
    assert [(p.line, p.column) for p in places if p] == [(6, 5), (8, 9)]
    assert first.notes[0].said.endswith("but 3 were provided")
    assert second.inside.startswith("in instantiation of function template specialization")
