"""Where sorting, gathering and transposition go wrong: bounds, alignment, fields, order."""

from __future__ import annotations

import pytest

from tests.face_ascendc.bodies import Suite
from tests.face_ascendc.harness import CHIPS, said

TENSORS = """\
    LocalTensor<float> a(TPosition::VECCALC, 0, 512), b(TPosition::VECCALC, 2048, 512);
    LocalTensor<float> d(TPosition::VECCALC, 4096, 1024), e(TPosition::VECCALC, 8192, 1024);
    LocalTensor<uint32_t> u(TPosition::VECCALC, 16384, 512);
    LocalTensor<half> h(TPosition::VECCALC, 20480, 256), k(TPosition::VECCALC, 20992, 256);
    GlobalTensor<float> g; g.SetGlobalBuffer((__gm__ float*)x, 16384);
    uint64_t kept = 0; uint16_t lengths[4] = {32, 32, 32, 32};
    Duplicate(a, 1.0f, 512); Duplicate(b, 1.0f, 512); Duplicate(d, 1.0f, 1024);
    Duplicate(u, uint32_t(0), 512); Duplicate(h, half(1.0f), 256); PipeBarrier<PIPE_ALL>();
"""
SORTED = "Sort32(d, a, u, 4); PipeBarrier<PIPE_V>();"
MERGE = "MrgSort(e, {{d, d[64], d[128], d[192]}}, MrgSort4Info(lengths, {0}, {1}, 1));"
INDEX = "u.ReinterpretCast<int32_t>()"
ROWS = """\
    uint64_t to[16], from[16];
    for (int i = 0; i < 16; ++i) { to[i] = k[16 * i].GetPhyAddr(); from[i] = h[16 * i].GetPhyAddr() + (%s); }
    TransDataTo5HD<half>(to, from, {false, false, 1, 0, 0});
"""

CLEAN = {
    "the last pair": "Sort32(d, a, u, 16);",
    "lists": SORTED + MERGE.format("false", 15),
    # The bits of 1.0f: seven of 32 elements are kept.
    "as many as are kept": (
        "LocalTensor<float> t(TPosition::VECCALC, 24576, 14);"
        "GatherMask(t, a, b.ReinterpretCast<uint32_t>(), false, 0, {1, 1, 8, 0}, kept);"
    ),
    "the last element": f"Duplicate({INDEX}, 2044, 8); PipeBarrier<PIPE_V>(); Gather(d, a, u, 0, 8);",
    "a part of a buffer that is being filled elsewhere": "DataCopy(a[256], g, 256); Gather(d, a, u, 0, 64);",
    "the last block": (
        f"Duplicate({INDEX}, 2016, 8); PipeBarrier<PIPE_V>();"
        "Gatherb(d.ReinterpretCast<uint32_t>(), a.ReinterpretCast<uint32_t>(), u, 1, GatherRepeatParams(1, 8));"
    ),
    "rows": ROWS % "0",
}
WRONG = {
    "one pair too many": ("Sort32(d, a, u, 17);", "out-of-bounds"),
    "too many repeats": (
        "LocalTensor<float> s(TPosition::VECCALC, 32768, 8192), o(TPosition::VECCALC, 98304, 16384);"
        "Duplicate(s, 1.0f, 8192); Duplicate(o, 1.0f, 8192); PipeBarrier<PIPE_V>();"
        "Sort32(o, s, s.ReinterpretCast<uint32_t>(), 256);",
        "argument-range",
    ),
    "pairs over scores": ("Sort32(d, d, u, 4);", "operand-overlap"),
    "in place": ("Gather(a, a, u, 0, 8);", "operand-overlap"),
    "onto the offsets": ("Gather(u.ReinterpretCast<float>(), a, u, 0, 8);", "operand-overlap"),
    "blocks in place": (
        "Gatherb(a.ReinterpretCast<uint32_t>(), a.ReinterpretCast<uint32_t>(), u, 1, GatherRepeatParams(1, 8));",
        "operand-overlap",
    ),
    "a negative number": ("Sort32(d, a, u, -1);", "argument-range"),
    "one list": (SORTED + MERGE.format("false", 1), "argument-range"),
    "a list too long": (
        "LocalTensor<float> o(TPosition::VECCALC, 98304, 8192), r(TPosition::VECCALC, 131072, 8448);"
        "Duplicate(o, 1.0f, 8192); PipeBarrier<PIPE_V>(); lengths[0] = 4096;"
        "MrgSort(r, {o, d, d[64], d[128]}, MrgSort4Info(lengths, false, 15, 1));",
        "argument-range",
    ),
    "into its own list": (
        SORTED + "MrgSort(d, {d, d[64], d[128], d[192]}, MrgSort4Info(lengths, false, 15, 1));",
        "operand-overlap",
    ),
    "more than fits": (
        "LocalTensor<float> t(TPosition::VECCALC, 24576, 13);"
        "GatherMask(t, a, b.ReinterpretCast<uint32_t>(), false, 0, {1, 1, 8, 0}, kept);",
        "out-of-bounds",
    ),
    "no pattern": ("GatherMask(d, a, uint8_t(8), false, 0, {1, 1, 8, 0}, kept);", "argument-range"),
    "nothing counted": (
        "GatherMask(d, a, uint8_t(1), true, 0, {1, 1, 8, 0}, kept);",
        "argument-range",
    ),
    "behind the buffer": (
        f"Duplicate({INDEX}, 2048, 8); PipeBarrier<PIPE_V>(); Gather(d, a, u, 0, 8);",
        "out-of-bounds",
    ),
    "behind the memory": (
        f"Duplicate({INDEX}, 1 << 20, 8); PipeBarrier<PIPE_V>(); Gather(d, a, u, 0, 8);",
        "out-of-bounds",
    ),
    "between elements": (
        f"Duplicate({INDEX}, 6, 8); PipeBarrier<PIPE_V>(); Gather(d, a, u, 0, 8);",
        "misaligned",
    ),
    "a crooked base": ("Gather(d, a, u, 2, 8);", "misaligned"),
    "between blocks": (
        f"Duplicate({INDEX}, 40, 8); PipeBarrier<PIPE_V>();"
        "Gatherb(d.ReinterpretCast<uint32_t>(), a.ReinterpretCast<uint32_t>(), u, 1, GatherRepeatParams(1, 8));",
        "misaligned",
    ),
    "crooked rows": (ROWS % "8", "misaligned"),
    "sorted too early": ("DataCopy(a, g, 512); Sort32(d, a, u, 4);", "race-raw"),
    "gathered too early": ("DataCopy(a, g, 512); Gather(d, a, u, 0, 64);", "race-raw"),
    "bits too early": (
        "DataCopy(b, g, 512); GatherMask(d, a, b.ReinterpretCast<uint32_t>(), false, 0, {1, 1, 8, 0}, kept);",
        "race-raw",
    ),
    "stored too early": ("Sort32(d, a, u, 4); DataCopy(g, d, 256);", "race-raw"),
    "turned too early": (
        "LocalTensor<float> f(TPosition::VECCALC, 20480, 128); DataCopy(f, g, 128);" + ROWS % "0",
        "race-raw",
    ),
}
ON_950 = {
    "scattered behind the buffer": (
        f"Duplicate({INDEX}, 4096, 8); PipeBarrier<PIPE_V>(); Scatter(d, a, u, 0, 8);",
        "out-of-bounds",
    ),
    "scattered too early": ("Scatter(d, a, u, 0, 1); DataCopy(g, d, 8);", "race-raw"),
    "runs behind the buffer": ("Interleave(d, e, a, a, 514);", "out-of-bounds"),
    "one source, behind the buffer": ("DeInterleave(d, e, a, 514);", "out-of-bounds"),
    "into its own run": ("Interleave(d, e, a, d[8], 64);", "operand-overlap"),
    "an odd number": ("DeInterleave(d, e, a, 63);", "argument-range"),
    "in turns too early": ("DataCopy(b, g, 512); Interleave(d, e, a, b, 512);", "race-raw"),
}
ORDERED_BY_COMPILER = {
    "merged too early": "Sort32(d, a, u, 4);" + MERGE.format("false", 15),
    "merged, with an end, too early": "Sort32(d, a, u, 4);" + MERGE.format("true", 15),
    "gathered from what is sorted": "Sort32(d, a, u, 4); Gather(e, d, u, 0, 64);",
}

SUITE = Suite(
    {name: TENSORS + body for name, body in (CLEAN | ORDERED_BY_COMPILER).items()}
    | {name: TENSORS + body for name, (body, _) in WRONG.items()}
)
SUITE_950 = Suite({name: TENSORS + body for name, (body, _) in ON_950.items()})
chips = pytest.mark.parametrize("chip", CHIPS)


@chips
@pytest.mark.parametrize("name", CLEAN)
def test_what_just_fits_is_clean(name: str, chip: str) -> None:
    done = SUITE.verdict(name, chip)
    assert done.clean, said(done)


@chips
@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_found(name: str, chip: str) -> None:
    done = SUITE.verdict(name, chip)
    assert {f.code for f in done.errors} == {WRONG[name][1]}, said(done)


@pytest.mark.parametrize("name", ON_950)
def test_what_only_a_950_has_has_bounds_and_order(name: str) -> None:
    done = SUITE_950.verdict(name, "950")
    assert {f.code for f in done.errors} == {ON_950[name][1]}, said(done)


@pytest.mark.parametrize("name", ORDERED_BY_COMPILER)
def test_a_910b_needs_a_barrier_between_them(name: str) -> None:
    assert SUITE.verdict(name, "910b").clean
    assert SUITE.verdict(name, "950", auto_sync=False).clean
    done = SUITE.verdict(name, "910b", auto_sync=False)
    assert {f.code for f in done.errors} == {"race-raw"}, said(done)
