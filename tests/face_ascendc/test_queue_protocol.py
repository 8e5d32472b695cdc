"""A queue that is used against its protocol is a finding that names the queue and what to write."""

from __future__ import annotations

import numpy as np
import pytest

from tests.face_ascendc.harness import CHIPS, build, run, said

chips = pytest.mark.parametrize("chip", CHIPS)
IN_QUEUE = "TQue<VECIN, 1> (2 buffers of 1024 bytes, UB 0x0)"
OUT_QUEUE = "TQue<VECOUT, 1> (2 buffers of 1024 bytes, UB 0x800)"

# FAULT of queue_faults.asc, the finding, what happens, and what to write.
FAULTS = [
    (
        "3",
        "queue-deque",
        f"{IN_QUEUE}: DeQue from a queue that holds no tensor",
        "write EnQue() after the tensor is filled, before this DeQue()",
    ),
    (
        "4",
        "queue-enque",
        f"{IN_QUEUE}: EnQue of a tensor that is in the queue already",
        "write EnQue() once after AllocTensor() or DeQue()",
    ),
    (
        "5",
        "queue-depth",
        f"{IN_QUEUE}: EnQue into a queue that holds 1 tensor already, as many as its depth: the oldest is lost",
        "write DeQue() before the next EnQue(), or give the queue a larger depth",
    ),
    (
        "6",
        "queue-free",
        f"{OUT_QUEUE}: FreeTensor of a tensor that does not come from this queue's AllocTensor()",
        "give it the tensor that this queue's AllocTensor() or DeQue() returned",
    ),
    (
        "7",
        "queue-alloc",
        f"{IN_QUEUE}: AllocTensor never returns, every buffer is in use (0 allocated, 0 enqueued, 2 dequeued)",
        "write FreeTensor() after the last use of a tensor, or give the queue more buffers in InitBuffer",
    ),
    (
        "8",
        "queue-free",
        f"{IN_QUEUE}: FreeTensor of a tensor that is free already",
        "write FreeTensor() once for every AllocTensor()",
    ),
    (
        "9",
        "queue-left",
        f"{OUT_QUEUE}: 1 tensor was never freed",
        "write FreeTensor() after the last use of every tensor",
    ),
]


@chips
def test_the_right_protocol_gives_no_finding(chip: str) -> None:
    x = np.arange(1024, dtype=np.float32)
    program = build("queue_faults", chip, FAULT="0")
    out, done = run(program, chip, (), {"x": x}, {"z": (np.float32, (1024,))})
    assert done.clean, said(done)
    assert np.array_equal(out["z"], x + x)


@chips
@pytest.mark.parametrize(("fault", "code", "message", "remedy"), FAULTS)
def test_each_wrong_step_is_one_finding(
    chip: str, fault: str, code: str, message: str, remedy: str
) -> None:
    x = np.arange(1024, dtype=np.float32)
    _, done = run(build("queue_faults", chip, FAULT=fault), chip, (), {"x": x}, {})
    found = [(f.code, f.message, f.remedy) for f in done.errors]
    assert found == [(code, message, remedy)], said(done)
    assert done.unsupported is None
    assert done.crashed is None


@chips
def test_the_finding_points_at_the_line_of_the_kernel(chip: str) -> None:
    x = np.arange(1024, dtype=np.float32)
    program = build("queue_faults", chip, FAULT="3")
    _, done = run(program, chip, (), {"x": x}, {})
    (finding,) = done.errors
    assert finding.first is not None
    assert finding.first.line is not None
    text = program.sources[0].read_text(encoding="utf-8").split("\n")
    assert "inQueueX.DeQue<float>()" in text[finding.first.line.line - 1]


@chips
@pytest.mark.parametrize("auto_sync", [True, False])
def test_buffers_without_enque_and_deque_are_races(chip: str, auto_sync: bool) -> None:
    x = np.arange(1024, dtype=np.float32)
    program = build("queue_faults", chip, FAULT="2")
    _, done = run(program, chip, (), {"x": x}, {}, auto_sync=auto_sync)
    assert {(f.code, f.edge) for f in done.errors} >= {
        ("race-raw", "MTE2→V"),
        ("race-raw", "V→MTE3"),
    }, said(done)


@pytest.mark.parametrize(("chip", "limit"), [("910b", "196352"), ("950", "253952")])
def test_a_buffer_that_does_not_fit_names_memory_bytes_and_limit(chip: str, limit: str) -> None:
    x = np.arange(1024, dtype=np.float32)
    _, done = run(build("queue_faults", chip, FAULT="1"), chip, (), {"x": x}, {})
    sentence = (
        "InitBuffer of a TQue at VECIN asks for 2 x 131072 bytes of UB, where 2048 bytes are taken: "
        f"264192 bytes in all, but a kernel has {limit}: use smaller tiles or fewer buffers"
    )
    assert [(f.code, f.sentence) for f in done.errors] == [("overflow", sentence)], said(done)
