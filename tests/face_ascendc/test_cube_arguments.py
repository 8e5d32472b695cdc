"""Arguments of the Cube and of what goes to and from it that its documents exclude: findings that say which."""

from __future__ import annotations

import pytest

from tests.face_ascendc.bodies import Suite
from tests.face_ascendc.harness import CHIPS, said

TENSORS = """\
    LocalTensor<half> l1(TPosition::A1, 0, 4096), a2(TPosition::A2, 0, 4096), b2(TPosition::B2, 0, 4096);
    LocalTensor<float> c(TPosition::CO1, 0, 4096), bias(TPosition::C2, 0, 64);
    LocalTensor<int32_t> ci(TPosition::CO1, 0, 4096);
    GlobalTensor<float> g; g.SetGlobalBuffer((__gm__ float*)x, 16384);
    GlobalTensor<half> gh; gh.SetGlobalBuffer((__gm__ half*)x, 16384);
    GlobalTensor<int8_t> gi; gi.SetGlobalBuffer((__gm__ int8_t*)x, 16384);
    MmadParams mad; mad.m = mad.n = mad.k = 16;
    FixpipeParamsV220 fix{32, 16, 16, 32, false};
    LoadData3DParamsV2<half> map; map.l1H = 4, map.l1W = 16, map.channelSize = 32;
    map.kExtension = 32, map.mExtension = 64; map.strideW = map.strideH = map.filterW = map.filterH = 1;
    map.dilationFilterW = map.dilationFilterH = 1;
    LoadDataRepeatParam repeat; repeat.dstStride = 4; SetLoadDataRepeat(repeat);
"""

# Body, and what the message names.
WRONG = {
    "mad.cmatrixInitVal = true; Mmad(c, a2, b2, bias, mad);": "a bias is given, and cmatrixInitVal is true",
    "Fixpipe<half, float, CFG_ROW_MAJOR>(gh, c, fix);": "quantPre does not convert",
    "fix.quantPre = QuantMode_t::REQ8; Fixpipe<int8_t, float, CFG_ROW_MAJOR>(gi, c, fix);": "quantPre does not convert",
    "fix.dstStride = 0; Fixpipe<float, float, CFG_ROW_MAJOR>(g, c, fix);": "dstStride is 0",
    "fix.dstStride = 16; Fixpipe<float, float, CFG_ROW_MAJOR>(g, c, fix);": "dstStride is 16, so that lines of 32",
    "fix.dstStride = 0; Fixpipe<float, float, CFG_NZ>(g, c, fix);": "dstStride is 0",
    "map.kStartPt = 8; LoadData(a2, l1, map);": "kStartPt is 8, and the instruction takes multiples of 16",
    "map.kExtension = 24; LoadData(a2, l1, map);": "kExtension is 24, and the instruction takes multiples of 16",
    "map.mExtension = 40; LoadData(a2, l1, map);": "mExtension is 40, and the instruction takes multiples of 16",
    "map.channelSize = 5; LoadData(a2, l1, map);": "channelSize is 5, which is none",
}
RIGHT = (
    "mad.cmatrixInitVal = false; Mmad(c, a2, b2, bias, mad);",
    "mad.isBias = true, mad.cmatrixInitVal = false; Mmad(c, a2, b2, bias, mad);",
    "fix.quantPre = QuantMode_t::F322F16; Fixpipe<half, float, CFG_ROW_MAJOR>(gh, c, fix);",
    "fix.mSize = 1, fix.dstStride = 0; Fixpipe<float, float, CFG_ROW_MAJOR>(g, c, fix);",
    # What goes to the end of the unfolded matrix ends as it does.
    "map.l1H = 3, map.l1W = 15, map.mExtension = 45; LoadData(a2, l1, map);",
    "map.kStartPt = 16, map.kExtension = 16; LoadData(a2, l1, map);",
)
OLDER = "mad.isBias = true; Mmad(c, a2, b2, bias, mad);"
ALL = [*WRONG, *RIGHT, OLDER]
SUITE = Suite({c: TENSORS + c for c in ALL}, cube=frozenset(ALL))


def ranges(call: str, chip: str) -> list[str]:
    done = SUITE.verdict(call, chip)
    assert not done.unsupported, said(done)
    return [f.message for f in done.findings if f.code == "argument-range"]


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("call", WRONG)
def test_what_is_excluded_is_named(call: str, chip: str) -> None:
    (message,) = ranges(call, chip)
    assert WRONG[call] in message


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("call", RIGHT)
def test_what_is_not_is_not(call: str, chip: str) -> None:
    assert ranges(call, chip) == []


@pytest.mark.parametrize("chip", CHIPS)
def test_the_older_flag_for_a_bias_counts_on_the_ascend_950(chip: str) -> None:
    assert len(ranges(OLDER, chip)) == (chip == "910b")


def test_the_ascend_950_takes_the_pitch_of_unfolded_fractals_always() -> None:
    call = "LoadData(a2, l1, map);"
    suite = Suite(
        {call: TENSORS.replace("SetLoadDataRepeat(repeat);", "") + call}, cube=frozenset([call])
    )
    done = suite.verdict(call, "950")
    assert "no dstStride is set" in said(done)
