"""Synchronisation that a kernel writes by hand: what is missing is found, what is there is not flagged."""

from __future__ import annotations

import pytest

from gen.sim import Run
from tests.face_ascendc.bodies import Suite
from tests.face_ascendc.harness import CHIPS, said

GLOBAL = "    GlobalTensor<float> g; g.SetGlobalBuffer((__gm__ float*)x, 16384);\n"


def set_wait(event: str) -> str:
    return f"SetFlag<HardEvent::{event}>(EVENT_ID0); WaitFlag<HardEvent::{event}>(EVENT_ID0);"


def row_loop(fence: str) -> str:
    """One TBuf for every row: the next load must wait for the store, and nobody inserts that."""
    return f"""{GLOBAL}
    TPipe pipe; TBuf<TPosition::VECCALC> buf; pipe.InitBuffer(buf, 1024);
    LocalTensor<float> b = buf.Get<float>();
    for (uint32_t r = 0; r < 3; ++r) {{
        DataCopy(b, g[r * 256], 256);
        {set_wait("MTE2_V")}
        Muls(b, b, 2.0f, 256);
        {set_wait("V_MTE3")}
        DataCopy(g[8192 + r * 256], b, 256);
        {fence}
    }}"""


def vector_chain(fence: str) -> str:
    return f"""
    LocalTensor<float> a(TPosition::VECCALC, 0, 64), b(TPosition::VECCALC, 256, 64);
    Duplicate(a, 1.0f, 64);
    {fence}
    Add(b, a, a, 64);
    PipeBarrier<PIPE_ALL>();"""


def scalar_round_trip(before: str, after: str) -> str:
    return f"""
    LocalTensor<float> a(TPosition::VECCALC, 0, 64);
    Duplicate(a, 4.0f, 64);
    {before}
    float s = a.GetValue(0);
    a.SetValue(1, s / 2);
    {after}
    Sqrt(a, a, 8);
    PipeBarrier<PIPE_ALL>();"""


def mutexes(lock: str, unlock: str) -> str:
    return f"""{GLOBAL}
    LocalTensor<float> t(TPosition::VECIN, 0, 64), u(TPosition::VECCALC, 256, 64);
    Mutex::Lock<PIPE_MTE2>(0);
    DataCopy(t, g, 64);
    Mutex::Unlock<PIPE_MTE2>(0);
    {lock}
    Adds(u, t, 1.0f, 64);
    {unlock}
    PipeBarrier<PIPE_ALL>();"""


def reserved_ub(fence: str) -> str:
    return f"""{GLOBAL}
    LocalTensor<float> a(TPosition::VECCALC, 0, 64), kept(TPosition::VECCALC, 184 * 1024, 64);
    LocalTensor<uint8_t> bits(TPosition::VECCALC, 1024, 32);
    Duplicate(a, 1.0f, 64);
    Duplicate(bits.ReinterpretCast<int32_t>(), -1, 8);
    DataCopy(kept, g, 64);
    {fence}
    Select(a, bits, a, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, 64);
    PipeBarrier<PIPE_ALL>();"""


RIGHT_QUEUES = {
    "a queue of depth 2 holds two tensors": f"""{GLOBAL}
    TPipe pipe; TQue<TPosition::VECIN, 2> queue; pipe.InitBuffer(queue, 2, 256);
    for (uint32_t i = 0; i < 2; ++i) {{
        LocalTensor<float> t = queue.AllocTensor<float>();
        DataCopy(t, g[i * 64], 64);
        queue.EnQue(t);
    }}
    LocalTensor<float> first = queue.DeQue<float>(), second = queue.DeQue<float>();
    Add(first, first, second, 64);
    queue.FreeTensor(first);
    queue.FreeTensor(second);""",
    "a queue of depth 0 works in place": f"""{GLOBAL}
    TPipe pipe; TQue<TPosition::VECIN, 0> queue; pipe.InitBuffer(queue, 1, 256);
    LocalTensor<float> t;
    for (uint32_t i = 0; i < 3; ++i) {{
        queue.AllocTensor(t);
        DataCopy(t, g[i * 64], 64);
        queue.EnQue(t);
        queue.DeQue(t);
        Adds(t, t, 1.0f, 64);
        queue.FreeTensor(t);
    }}""",
    "a bound queue moves from MTE2 to MTE3": f"""{GLOBAL}
    TPipe pipe; TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue; pipe.InitBuffer(queue, 2, 256);
    for (uint32_t i = 0; i < 4; ++i) {{
        LocalTensor<float> in = queue.AllocTensor<float>();
        DataCopy(in, g[i * 64], 64);
        queue.EnQue(in);
        LocalTensor<float> out = queue.DeQue<float>();
        DataCopy(g[8192 + i * 64], out, 64);
        queue.FreeTensor(out);
    }}""",
    "a second pipe takes the memory again": f"""{GLOBAL}
    TPipe first;
    TQue<TPosition::VECIN, 1> a;
    first.InitBuffer(a, 1, 128 * 1024);
    LocalTensor<float> t = a.AllocTensor<float>();
    DataCopy(t, g, 64);
    a.EnQue(t);
    t = a.DeQue<float>();
    a.FreeTensor(t);
    first.Destroy();
    TPipe second;
    TQue<TPosition::VECIN, 1> b;
    second.InitBuffer(b, 1, 128 * 1024);
    LocalTensor<float> u = b.AllocTensor<float>();
    DataCopy(u, g[64], 64);
    b.EnQue(u);
    u = b.DeQue<float>();
    b.FreeTensor(u);""",
    "event ids come from the pipe": f"""{GLOBAL}
    TPipe pipe; TBuf<> buf; pipe.InitBuffer(buf, 256);
    LocalTensor<float> t = buf.Get<float>();
    TEventID taken = pipe.AllocEventID<HardEvent::MTE2_V>();
    TEventID next = GetTPipePtr()->FetchEventID(HardEvent::MTE2_V);
    DataCopy(t, g, 64);
    SetFlag<HardEvent::MTE2_V>(next);
    WaitFlag<HardEvent::MTE2_V>(next);
    if (taken == 0 && next == 1) Adds(t, t, 1.0f, 64);
    pipe.ReleaseEventID<HardEvent::MTE2_V>(taken);""",
}
MATMUL_FLAGS = "flags that TPipe presets for the Matmul library leave no trace"

SUITE = Suite(
    {
        "row loop": row_loop(""),
        "row loop, fenced": row_loop(set_wait("MTE3_MTE2")),
        "vector chain": vector_chain(""),
        "vector chain, barred": vector_chain("PipeBarrier<PIPE_V>();"),
        "scalars": scalar_round_trip("", ""),
        "scalars, fenced": scalar_round_trip(set_wait("V_S"), set_wait("S_V")),
        "mutexes on one side": mutexes("", ""),
        "mutexes on both sides": mutexes("Mutex::Lock<PIPE_V>(0);", "Mutex::Unlock<PIPE_V>(0);"),
        "data in the reserved UB": reserved_ub(""),
        "data in the reserved UB, fenced": reserved_ub(set_wait("MTE2_V")),
        MATMUL_FLAGS: "TPipe pipe; SetFlag<HardEvent::M_MTE1>(5); WaitFlag<HardEvent::M_MTE1>(5);",
        **RIGHT_QUEUES,
    },
    cube=frozenset({MATMUL_FLAGS}),
)

chips = pytest.mark.parametrize("chip", CHIPS)


def found(done: Run) -> set[tuple[str, str]]:
    assert done.unsupported is None, said(done)
    assert done.crashed is None, said(done)
    return {(f.code, f.edge) for f in done.errors}


@chips
@pytest.mark.parametrize("auto_sync", [True, False])
def test_a_row_loop_on_one_buffer_needs_mte3_to_mte2(chip: str, auto_sync: bool) -> None:
    bare = SUITE.verdict("row loop", chip, auto_sync=auto_sync)
    assert ("race-war", "MTE3→MTE2") in found(bare), said(bare)
    assert found(SUITE.verdict("row loop, fenced", chip, auto_sync=auto_sync)) == set()


@pytest.mark.parametrize(
    ("chip", "auto_sync", "races"),
    [("910b", False, True), ("910b", True, False), ("950", False, False), ("950", True, False)],
)
def test_vector_after_vector_is_ordered_by_the_compiler_or_by_the_950(
    chip: str, auto_sync: bool, races: bool
) -> None:
    bare = found(SUITE.verdict("vector chain", chip, auto_sync=auto_sync))
    assert bare == ({("race-raw", "V→V")} if races else set())


@pytest.mark.parametrize("auto_sync", [True, False])
def test_a_barrier_orders_vector_instructions_of_a_910b(auto_sync: bool) -> None:
    assert found(SUITE.verdict("vector chain, barred", "910b", auto_sync=auto_sync)) == set()


@pytest.mark.parametrize(("auto_sync", "edges"), [(False, {"V→S", "S→V"}), (True, set[str]())])
def test_scalars_and_vectors_need_flags_where_the_compiler_adds_none(
    auto_sync: bool, edges: set[str]
) -> None:
    bare = found(SUITE.verdict("scalars", "910b", auto_sync=auto_sync))
    assert {edge for _, edge in bare} == edges
    assert found(SUITE.verdict("scalars, fenced", "910b", auto_sync=auto_sync)) == set()


@chips
@pytest.mark.parametrize("name", [*RIGHT_QUEUES, MATMUL_FLAGS])
def test_what_is_right_gives_no_finding(chip: str, name: str) -> None:
    done = SUITE.verdict(name, chip)
    assert found(done) == set(), said(done)


def test_mutexes_order_a_950_when_both_pipes_hold_them() -> None:
    assert found(SUITE.verdict("mutexes on both sides", "950")) == set()
    assert ("race-raw", "MTE2→V") in found(SUITE.verdict("mutexes on one side", "950"))


def test_select_overwrites_the_reserved_end_of_ub_on_a_910b() -> None:
    assert ("race-waw", "MTE2→V") in found(SUITE.verdict("data in the reserved UB", "910b"))
    assert found(SUITE.verdict("data in the reserved UB, fenced", "910b")) == set()
    assert found(SUITE.verdict("data in the reserved UB", "950")) == set()
