"""An argument that does not fit the field of its instruction is one finding, and nothing else follows from it."""

from __future__ import annotations

import pytest

from tests.face_ascendc.bodies import Suite
from tests.face_ascendc.harness import CHIPS, said

_HEAD = """
    GlobalTensor<float> g; g.SetGlobalBuffer((__gm__ float*)x, 16384);
    LocalTensor<float> a(TPosition::VECCALC, 0, 32768);
    LocalTensor<half> h(TPosition::VECCALC, 131072, 1024);
"""
_END = "\n    PipeBarrier<PIPE_ALL>();"


def repeats(times: int) -> str:
    return f"{_HEAD}Adds(a, a, 1.0f, 64, {times}, UnaryRepeatParams{{1, 1, 8, 8}});{_END}"


def lanes(tensor: str, mask: str) -> str:
    return f"{_HEAD}Duplicate({tensor}, {'half(1)' if tensor == 'h' else '1.0f'}, {mask}, 2, 1, 8);{_END}"


def rows(count: int) -> str:
    return f"{_HEAD}DataCopyPad(a, g, DataCopyExtParams{{{count}, 4, 0, 0, 0}}, DataCopyPadExtParams<float>{{}});{_END}"


def padding(elements: int) -> str:
    return f"{_HEAD}DataCopyPad(a, g, DataCopyExtParams{{1, 32, 0, 0, 0}}, DataCopyPadExtParams<float>{{true, 0, {elements}, 0.0f}});{_END}"


TRANSPOSED_FLOATS = "LoadData with ifTranspose of floats"

# Body, and what the message names.
WRONG = {
    TRANSPOSED_FLOATS: (
        """
    LocalTensor<float> l1(TPosition::A1, 0, 256), l0(TPosition::A2, 0, 256);
    GlobalTensor<float> g; g.SetGlobalBuffer((__gm__ float*)x, 16384);
    DataCopy(l1, g, 256);
    SetFlag<HardEvent::MTE2_MTE1>(0); WaitFlag<HardEvent::MTE2_MTE1>(0);
    LoadData(l0, l1, LoadData2DParams{0, 2, 1, 0, 0, true, 0});
    PipeBarrier<PIPE_ALL>();""",
        "ifTranspose takes elements of 2 bytes only",
    ),
    "256 repeats": (repeats(256), "repeatTime is 256"),
    "300 repeats of a reduction": (
        f"{_HEAD}ReduceRepeat<ReduceType::SUM>(a[32000], a, 64, 300, 1, 1, 8);{_END}",
        "repeatTime is 300",
    ),
    "65 lanes of float": (lanes("a", "65"), "mask (a number of lanes) is 65"),
    "129 lanes of half": (lanes("h", "129"), "mask (a number of lanes) is 129"),
    "no lane": (lanes("a", "0"), "mask (a number of lanes) is 0"),
    "4096 rows": (rows(4096), "blockCount is 4096"),
    "paddings of 36 bytes": (padding(9), "rightPadding in bytes is 36"),
}
RIGHT = {
    "255 repeats": repeats(255),
    "64 lanes of float": lanes("a", "64"),
    "128 lanes of half": lanes("h", "128"),
    "4095 rows": rows(4095),
    "paddings of 32 bytes": padding(8),
    "a mask that counts elements": f"""{_HEAD}
    SetMaskCount();
    SetVectorMask<float, MaskMode::COUNTER>(1000);
    Adds<float, false>(a, a, 1.0f, MASK_PLACEHOLDER, 1, UnaryRepeatParams{{1, 1, 8, 8}});
    SetMaskNorm();{_END}""",
}
SUITE = Suite(
    {**{name: body for name, (body, _) in WRONG.items()}, **RIGHT},
    cube=frozenset({TRANSPOSED_FLOATS}),
)

chips = pytest.mark.parametrize("chip", CHIPS)


@chips
@pytest.mark.parametrize("name", WRONG)
def test_what_does_not_fit_its_field_is_reported_once(chip: str, name: str) -> None:
    done = SUITE.verdict(name, chip)
    assert [f.code for f in done.errors] == ["argument-range"], said(done)
    assert WRONG[name][1] in done.errors[0].message
    assert done.errors[0].first is not None
    assert done.errors[0].first.line is not None


@chips
@pytest.mark.parametrize("name", RIGHT)
def test_what_just_fits_is_fine(chip: str, name: str) -> None:
    done = SUITE.verdict(name, chip)
    assert done.clean, said(done)
