"""Kernels that check their own values: an assertion that fails is a finding, one that holds says nothing."""

from __future__ import annotations

import pytest

from tests.face_ascendc.bodies import Suite
from tests.face_ascendc.harness import said

SUMS = """\
    LocalTensor<float> f(TPosition::VECCALC, 0, 1024), sums(TPosition::VECCALC, 4096, 64);
    Duplicate(sums, 0.0f, 64);
    CreateVecIndex(f.ReinterpretCast<int32_t>(), 0, 256);
    PipeBarrier<PIPE_V>();
    Cast(f, f.ReinterpretCast<int32_t>(), RoundMode::CAST_RINT, 256);
    PipeBarrier<PIPE_V>();
    {call}
    SetFlag<HardEvent::V_S>(0);
    WaitFlag<HardEvent::V_S>(0);
    ascendc_assert({holds});
"""

TRUE = {
    "a repeat takes the lanes of its mask": SUMS.format(
        call="ReduceRepeat<ReduceType::SUM, float, float>(sums, f, 10, 3, 1, 1, 8);",
        holds="sums(0) == 45.0f && sums(1) == 685.0f && sums(2) == 1325.0f && sums(3) == 0.0f",
    ),
    "a count crosses repeats": SUMS.format(
        call=(
            "SetMaskCount(); SetVectorMask<float, MaskMode::COUNTER>(0, 100); "
            "ReduceRepeat<ReduceType::SUM, float, float, false>(sums, f, 0, 1, 1, 1, 8); "
            "SetMaskNorm(); ResetMask();"
        ),
        holds="sums(0) == 2016.0f && sums(1) == 2934.0f && sums(2) == 0.0f",
    ),
    "blocks give one value each": SUMS.format(
        call="ReduceDataBlock<ReduceType::MAX, float, float>(sums, f, 64, 2, 1, 1, 8);",
        holds="sums(0) == 7.0f && sums(7) == 63.0f && sums(15) == 127.0f && sums(16) == 0.0f",
    ),
    "scalars go to global memory and back": """\
    __gm__ float* g = (__gm__ float*)x;
    WriteGmByPassDCache(g + 3, 2.5f);
    ascendc_assert(ReadGmByPassDCache(g + 3) == 2.5f, "read %f", ReadGmByPassDCache(g + 3));
""",
    "the helpers of the headers round up": """\
    static_assert(IsSameType<Conditional<true, half, float>::type, half>::value);
    ascendc_assert(DivCeil(33, 32) == 2 && CeilDivision(32, 32) == 1 && AlignUp(33, ONE_BLK_SIZE) == 64);
    ascendc_assert(GetUBSizeInBytes() > 190 * 1024 && GetRuntimeUBSize() == GetUBSizeInBytes());
""",
}


SUITE = Suite({**TRUE, "false": "    const int lanes = 3; ascendc_assert(lanes == 4);"})


@pytest.mark.parametrize("chip", ["910b", "950"])
@pytest.mark.parametrize("name", TRUE)
def test_what_holds_is_clean(name: str, chip: str) -> None:
    done = SUITE.verdict(name, chip)
    assert done.clean, said(done)


@pytest.mark.parametrize("chip", ["910b", "950"])
def test_what_does_not_hold_is_named(chip: str) -> None:
    done = SUITE.verdict("false", chip)
    assert not done.clean
    assert [(f.severity, f.code) for f in done.findings] == [("error", "assert")], said(done)
    assert "lanes == 4" in done.findings[0].message
