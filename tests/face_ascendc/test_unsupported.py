"""What the model does not know is said by name, and never passes."""

from __future__ import annotations

import pytest

from tests.face_ascendc.bodies import Suite
from tests.face_ascendc.harness import said

TENSORS = """\
    LocalTensor<float> f(TPosition::VECCALC, 0, 1024), l1(TPosition::A1, 0, 1024), a2(TPosition::A2, 0, 1024);
    LocalTensor<half> h(TPosition::VECCALC, 4096, 1024), b2(TPosition::B2, 0, 1024);
    LocalTensor<float> c(TPosition::CO1, 0, 1024);
    LocalTensor<uint8_t> bits(TPosition::VECCALC, 8192, 1024);
    LocalTensor<uint32_t> u(TPosition::VECCALC, 16384, 1024);
    GlobalTensor<float> g; g.SetGlobalBuffer((__gm__ float*)x, 16384);
    GlobalTensor<half> gh; gh.SetGlobalBuffer((__gm__ half*)x, 16384);
"""

VECTOR = {
    "SliceInfo slices[1] = {{0, 9, 1, 1, 32}}; DataCopy(f, g, slices, slices);": (
        "AscendC::DataCopy(SliceInfo whose slices do not fill start to end)"
    ),
    "SetCtrlSpr<48, 48>(1);": "AscendC::SetCtrlSpr",
    "SetMaskCount(); Gather(f, f, u, 0, 64, 1, 8);": "AscendC::Gather(with repeats in counter mode)",
    "Transpose(h, h, bits, TransposeParamsExt(1, 1, 1, 16, TransposeType::TRANSPOSE_ND2ND_ONLY));": (
        "AscendC::Transpose(of this transposeType)"
    ),
    "Select(f, bits, f, 1.0f, SELMODE::VSEL_CMPMASK_SPR, 64);": (
        "AscendC::Select(VSEL_CMPMASK_SPR with a scalar)"
    ),
    "ReduceSum(f, f, f, 64, 65, 8);": "AscendC::ReduceSum(more repeats than a repeat has elements)",
    "ReduceMax(f, f, f, 60, 2, 8);": "AscendC::ReduceMax(with a mask or strides)",
    "Cast(h, f, static_cast<RoundMode>(0), 64); Cast(u.ReinterpretCast<int32_t>(), f, RoundMode::CAST_ODD, 64);": (
        "AscendC::Cast(a rounding mode that the table of Cast does not list for these types)"
    ),
    "uint64_t holes[2] = {5, 0}; WholeReduceSum(f, f, holes, 1, 1, 1, 8);": (
        "AscendC::ReduceRepeat(a mask with holes)"
    ),
}
CUBE = {
    "LoadData3DParamsV2<float> p; p.l1H = 1, p.l1W = 16, p.channelSize = 4; LoadData(a2, l1, p);": (
        "AscendC::LoadData(3D, channelSize not a multiple of 32 bytes)"
    ),
    "SetLoadDataBoundary(1024);": "AscendC::SetLoadDataBoundary(other than 0)",
    "LocalTensor<float> b(TPosition::B2, 0, 256); MmadParams p; p.m = p.n = p.k = 16; SetHF32Mode(true); Mmad(c, a2, b, p);": (
        "AscendC::Mmad(HF32 on the Ascend 910B, whose digits are not documented)"
    ),
    "float v = l1.GetValue(0); l1.SetValue(1, v);": (
        "AscendC::LocalTensor::GetValue on a memory that the scalar unit cannot read"
    ),
}


SUITE = Suite({call: TENSORS + call for call in VECTOR | CUBE}, cube=frozenset(CUBE))


@pytest.mark.parametrize("call", VECTOR | CUBE)
def test_an_unmodelled_call_ends_the_kernel_by_name(call: str) -> None:
    done = SUITE.verdict(call, "910b")
    assert done.unsupported == (VECTOR | CUBE)[call], said(done)
    assert not done.clean
