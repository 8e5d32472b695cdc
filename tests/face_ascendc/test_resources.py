"""Pools of buffers, flags by pipes, and what a kernel asks about numbers, types and its core."""

from __future__ import annotations

import pytest

from tests.face_ascendc.bodies import Suite
from tests.face_ascendc.harness import CHIPS, said

TENSORS = """\
    LocalTensor<float> a(TPosition::VECCALC, 0, 512), b(TPosition::VECCALC, 2048, 512);
    LocalTensor<half> h(TPosition::VECCALC, 4096, 512); LocalTensor<int32_t> i(TPosition::VECCALC, 6144, 512);
    GlobalTensor<float> g; g.SetGlobalBuffer((__gm__ float*)x, 16384);
"""
CLEAN = {
    "bits": (
        "ascendc_assert(GetBitCount<1>(0xffff) == 16 && GetBitCount<0>(0xffff) == 48);"
        "ascendc_assert(CountLeadingZero(0) == 64 && CountLeadingZero(1) == 63);"
        "ascendc_assert(CountBitsCntSameAsSignBit(0) == -1 && CountBitsCntSameAsSignBit(-1) == -1);"
        "ascendc_assert(CountBitsCntSameAsSignBit(1) == 62);"
        "ascendc_assert(CountBitsCntSameAsSignBit(0x0100000000000020) == 6);"
        "ascendc_assert(GetSFFValue<1>(0x1000000000000100) == 8 && GetSFFValue<1>(0) == -1);"
        "ascendc_assert(GetSFFValue<0>(0xff) == 8 && GetSFFValue<0>(~0ull) == -1);"
    ),
    "limits": (
        "ascendc_assert(float(NumericLimits<half>::Max()) == 65504.0f && NumericLimits<int16_t>::Lowest() == -32768);"
        "ascendc_assert(float(NumericLimits<bfloat16_t>::Min()) == NumericLimits<float>::Min());"
        "ascendc_assert(float(NumericLimits<half>::DeNormMin()) == 1.0f / (1 << 24));"
        "float n = float(NumericLimits<half>::QuietNaN()), i0 = float(NumericLimits<bfloat16_t>::NegativeInfinity());"
        "ascendc_assert(n != n && i0 == -1.0f / 0.0f);"
    ),
    "the core": "ascendc_assert(GetDataBlockSizeInBytes() == 32); SetNextTaskStart(); WaitPreTaskEnd(); Nop<10>();",
    "hints": (
        "GlobalTensor<uint64_t> w; w.SetGlobalBuffer((__gm__ uint64_t*)x, 16); DataCachePreload(w, int64_t(0));"
        "ICachePreLoad(2); while (GetICachePreloadStatus() != 0) {} MetricsProfStart(); MetricsProfStop();"
        "SetMMRowMajor(); SetMMColumnMajor(); PrintTimeStamp(3);"
    ),
    "what is left of UB": (
        "TPipe pipe; TBuf<TPosition::VECCALC> one; pipe.InitBuffer(one, 1000); LocalTensor<uint8_t> rest;"
        "ascendc_assert((PopStackBuffer<uint8_t, TPosition::LCM>(rest)));"
        "ascendc_assert(rest.GetPhyAddr() == 1024 && rest.GetSize() + 1024 == GetUBSizeInBytes());"
        "ascendc_assert(AscendC::GetTPipePtr() == &pipe);"
    ),
    "flags of a pair of pipes": (
        "TQueSync<PIPE_MTE2, PIPE_V> sync; DataCopy(a, g, 512); sync.SetFlag(2); sync.WaitFlag(2);"
        "Muls(b, a, 2.0f, 512);"
    ),
    "an atomic sum by its type": (
        "Duplicate(a, 1.0f, 512); PipeBarrier<PIPE_ALL>();"
        "SetStoreAtomicConfig<AtomicDtype::ATOMIC_F32, AtomicOp::ATOMIC_SUM>(); DataCopy(g, a, 512);"
        "DataCopy(g, a, 512); SetStoreAtomicConfig<AtomicDtype::ATOMIC_NONE, AtomicOp::ATOMIC_SUM>();"
        "PipeBarrier<PIPE_ALL>(); DataCopy(b, g, 512); PipeBarrier<PIPE_ALL>();"
        "ascendc_assert(b.GetValue(511) == 2.0f);"
    ),
    "a pool in a pool": (
        "TPipe pipe; TBufPool<TPosition::VECCALC> whole; TBufPool<TPosition::VECCALC, 2> part, same;"
        "TBuf<TPosition::VECCALC> one, two, three, four;"
        "pipe.InitBufPool(whole, 4096); pipe.InitBuffer(four, 256);"
        "whole.InitBuffer(one, 1000); whole.InitBufPool(part, 2048); whole.InitBufPool(same, 1000, part);"
        "part.InitBuffer(two, 512); same.InitBuffer(three, 512);"
        "ascendc_assert(two.Get<float>().GetPhyAddr() == 1024 && three.Get<float>().GetPhyAddr() == 1024);"
        "ascendc_assert(four.Get<float>().GetPhyAddr() == 4096);"
        "part.Reset(); part.InitBuffer(two, 2048); ascendc_assert(two.Get<float>().GetPhyAddr() == 1024);"
    ),
    "a queue of a pool, many times": (
        "TPipe pipe; TBufPool<TPosition::VECCALC> pool; TQue<TPosition::VECIN, 1> in;"
        "pipe.InitBufPool(pool, 4096);"
        "for (int n = 0; n < 50; ++n) {"
        "  pool.InitBuffer(in, 2, 2048); auto t = in.AllocTensor<float>(); DataCopy(t, g, 512); in.EnQue(t);"
        "  t = in.DeQue<float>(); Muls(t, t, 2.0f, 512); in.FreeTensor(t); pool.Reset(); }"
    ),
}
WRONG = {
    "a pool without memory": (
        "TPipe pipe; TBufPool<TPosition::VECCALC> pool; TBuf<> buffer; pool.InitBuffer(buffer, 256);",
        "queue-alloc",
    ),
    "more than the pool": (
        "TPipe pipe; TBufPool<TPosition::VECCALC> pool; TBuf<> buffer; pipe.InitBufPool(pool, 1024);"
        "pool.InitBuffer(buffer, 1056);",
        "overflow",
    ),
    "a pool larger than UB": (
        "TPipe pipe; TBufPool<TPosition::VECCALC> pool; pipe.InitBufPool(pool, 300000);",
        "overflow",
    ),
    "more than the pool that it shares": (
        "TPipe pipe; TBufPool<TPosition::VECCALC> pool, other; pipe.InitBufPool(pool, 1024);"
        "pipe.InitBufPool(other, 2048, pool);",
        "overflow",
    ),
    "a flag of the wrong pair of pipes": (
        "TQueSync<PIPE_MTE2, PIPE_MTE3> sync; DataCopy(a, g, 512); sync.SetFlag(2); sync.WaitFlag(2);"
        "Muls(b, a, 2.0f, 512);",
        "race-raw",
    ),
    "the unaligned workspace of a barrier": (
        "GroupBarrier<PipeMode::MTE3_MODE> barrier(x + 32, 1, 1);",
        "misaligned",
    ),
}
UNSUPPORTED = {
    "Cast(h, i, RoundMode::CAST_NONE, 64);": "AscendC::Cast(int32_t to half before SetDeqScale)",
    "SetCtrlSpr<48, 48>(1);": "AscendC::SetCtrlSpr",
    "LocalTensor<int16_t> s(TPosition::VECCALC, 0, 64); LocalTensor<int8_t> c(TPosition::VECCALC, 2048, 64);"
    "SetDeqScale(1.0f, 0, true); CastDequant(c, s, 64);": "AscendC::CastDequant(int16_t to 8 bits)",
}
ATOMIC = Suite(
    {
        "atomic": (
            "auto* words = reinterpret_cast<__gm__ uint32_t*>(x); auto* f = reinterpret_cast<__gm__ float*>(x + 64);"
            "ascendc_assert(AtomicAdd(words, 5u) == 0 && AtomicAdd(words, 2u) == 5);"
            "ascendc_assert(AtomicCas(words, 6u, 9u) == 7 && AtomicCas(words, 7u, 9u) == 7);"
            "ascendc_assert(AtomicExch(words, 3u) == 9 && AtomicMin(words, 8u) == 3 && AtomicMax(words, 8u) == 3);"
            "ascendc_assert(AtomicAdd(f, 1.5f) == 0 && AtomicAdd(f, -4.0f) == 1.5f && AtomicMax(f, 0.5f) == -2.5f);"
            "auto* l = reinterpret_cast<__gm__ int64_t*>(x + 128);"
            "ascendc_assert(AtomicMin(l, int64_t(-1) << 40) == 0 && AtomicAdd(l, int64_t(1)) == int64_t(-1) << 40);"
        )
    }
)


def test_atomic_operations_of_the_scalar_unit_return_what_was_there() -> None:
    done = ATOMIC.verdict("atomic", "950")
    assert done.clean, said(done)


SUITE = Suite({name: TENSORS + body for name, body in CLEAN.items()})
FAULTS = Suite(
    {name: TENSORS + body for name, (body, _) in WRONG.items()}
    | {b: TENSORS + b for b in UNSUPPORTED}
)


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("name", CLEAN)
def test_what_the_pages_say(name: str, chip: str) -> None:
    done = SUITE.verdict(name, chip)
    assert done.clean, said(done)


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("name", WRONG)
def test_a_mistake_is_found_under_its_code(name: str, chip: str) -> None:
    done = FAULTS.verdict(name, chip)
    assert done.unsupported is None
    assert [f.code for f in done.findings if f.severity == "error"] == [WRONG[name][1]], said(done)


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("call", UNSUPPORTED)
def test_what_is_not_modelled_is_named(call: str, chip: str) -> None:
    assert FAULTS.verdict(call, chip).unsupported == UNSUPPORTED[call]


CUBE = Suite(
    {
        "dump": (
            "LocalTensor<half> l1(TPosition::A1, 0, 1024), a2(TPosition::A2, 0, 256), b2(TPosition::B2, 0, 256);"
            "LocalTensor<float> c(TPosition::CO1, 0, 256);"
            "Fill(l1, {1, 32, 0, half(2.0f)}); PipeBarrier<PIPE_ALL>();"
            "LoadData(a2, l1, LoadData2DParams(0, 1, 0, 0, 0, false, 0));"
            "LoadData(b2, l1, LoadData2DParams(0, 1, 0, 0, 0, false, 0)); PipeBarrier<PIPE_ALL>();"
            "MmadParams p; p.m = p.n = p.k = 16; Mmad(c, a2, b2, p);"
            "DumpTensor(c, 7, 3); DumpTensor(l1, 8, 2);"
        )
    },
    cube=frozenset({"dump"}),
)


@pytest.mark.parametrize("chip", CHIPS)
def test_dump_tensor_prints_what_the_cube_left(chip: str) -> None:
    done = CUBE.verdict("dump", chip)
    assert done.clean, said(done)
    assert "DumpTensor 7: 64 64 64" in done.stdout
    assert "DumpTensor 8: 2 2" in done.stdout
