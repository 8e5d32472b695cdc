"""Every tensor knows the allocation behind it; what leaves it is a finding."""

from __future__ import annotations

import pytest

from tests.face_ascendc.bodies import Suite
from tests.face_ascendc.harness import CHIPS, said

# Bodies that fill {n} floats of an allocation of 256.
BUFFERS = {
    "queue": "TPipe p; TQue<TPosition::VECIN, 1> q; p.InitBuffer(q, 2, 1024);"
    "LocalTensor<float> t = q.AllocTensor<float>(); Duplicate(t, 1.0f, {n}); q.FreeTensor(t);",
    "whole TBuf": "TPipe p; TBuf<> b, after; p.InitBuffer(b, 1024); p.InitBuffer(after, 1024);"
    "Duplicate(b.Get<float>(), 1.0f, {n});",
    "window of a TBuf": "TPipe p; TBuf<> b; p.InitBuffer(b, 8192);"
    "Duplicate(b.GetWithOffset<float>(256, 512), 1.0f, {n});",
    "static tensor": "LocalTensor<float> t(TPosition::VECCALC, 4096, 256); Duplicate(t, 1.0f, {n});",
    "part of a tensor": "LocalTensor<float> t(TPosition::VECCALC, 4096, 512); Duplicate(t[256], 1.0f, {n});",
    "other type": "LocalTensor<half> t(TPosition::VECCALC, 0, 512);"
    "Duplicate(t.ReinterpretCast<float>(), 1.0f, {n});",
    "allocator": "LocalMemAllocator<> a; LocalTensor<float> t = a.Alloc<float, 256>(), u = a.Alloc<float>(8);"
    "Duplicate(t, 1.0f, {n}); Duplicate(u, 1.0f, 8);",
}
SCALARS = "LocalTensor<half> t(TPosition::VECCALC, 0, 16); Duplicate(t, half(0), 16); t.SetValue({n}, 1); t(0) = t(1);"

# Hardware, chip, floats asked for, bytes that the memory has.
LIMITS = [
    ("UB", "910b", 50000, 196352),
    ("UB", "950", 65000, 253952),
    ("L1", "910b", 140000, 524032),
    ("L0C", "910b", 40000, 131072),
    ("L0C", "950", 70000, 262144),
    ("L0A", "950", 17000, 65536),
    ("BIAS", "910b", 300, 1024),
]


def allocation(memory: str, elements: int) -> str:
    return f"LocalMemAllocator<Hardware::{memory}> a; a.Alloc<float>({elements});"


MUTEXES = (
    "TPipe p; TQue<TPosition::VECIN, 1> a, b; p.InitBuffer(a, 15, 32); p.InitBuffer(b, {n}, 32);"
)
EVENTS = """\
    TPipe p; TQue<TPosition::VECIN, {n}> q; p.InitBuffer(q, {n}, 32);
    LocalTensor<float> t;
    for (int i = 0; i < {n}; ++i) {{ t = q.AllocTensor<float>(); q.EnQue(t); }}
    for (int i = 0; i < {n}; ++i) {{ t = q.DeQue<float>(); q.FreeTensor(t); }}
"""
SUITE = Suite(
    {f"{name} {n}": body.format(n=n) for name, body in BUFFERS.items() for n in (256, 264)}
    | {f"scalar {n}": SCALARS.format(n=n) for n in (15, 16)}
    | {f"{memory} {size}": allocation(memory, size) for memory, _, size, _ in LIMITS}
    | {f"mutexes {n}": MUTEXES.format(n=n) for n in (13, 14)}
    | {f"events {n}": EVENTS.format(n=n) for n in (8, 9)},
    cube=frozenset(f"{memory} {size}" for memory, _, size, _ in LIMITS if memory != "UB"),
)
chips = pytest.mark.parametrize("chip", CHIPS)


@chips
@pytest.mark.parametrize("buffer", BUFFERS)
def test_the_last_element_is_inside_and_the_next_is_not(chip: str, buffer: str) -> None:
    fits = SUITE.verdict(f"{buffer} 256", chip)
    assert fits.clean, said(fits)
    beyond = SUITE.verdict(f"{buffer} 264", chip)
    assert "out-of-bounds" in {f.code for f in beyond.errors}, said(beyond)


@chips
def test_scalar_accesses_have_bounds_too(chip: str) -> None:
    inside = SUITE.verdict("scalar 15", chip)
    assert inside.clean, said(inside)
    assert "out-of-bounds" in {f.code for f in SUITE.verdict("scalar 16", chip).errors}


@pytest.mark.parametrize(("memory", "chip", "elements", "limit"), LIMITS)
def test_an_allocator_stops_at_the_end_of_its_memory(
    memory: str, chip: str, elements: int, limit: int
) -> None:
    done = SUITE.verdict(f"{memory} {elements}", chip)
    name = "BT" if memory == "BIAS" else memory
    sentence = (
        f"LocalMemAllocator::Alloc asks for {elements * 4} bytes of {name} at 0, which ends at {elements * 4} "
        f"of {limit} bytes: use smaller tiles"
    )
    assert [(f.code, f.sentence) for f in done.errors] == [("overflow", sentence)], said(done)


def test_a_950_has_28_mutexes_for_queue_buffers() -> None:
    assert SUITE.verdict("mutexes 13", "950").clean
    assert {f.code for f in SUITE.verdict("mutexes 14", "950").errors} == {"overflow"}


def test_a_910b_has_8_event_ids_for_each_pair_of_pipes() -> None:
    assert SUITE.verdict("events 8", "910b").clean
    assert {f.code for f in SUITE.verdict("events 9", "910b").errors} == {"overflow"}
