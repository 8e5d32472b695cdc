"""One mistake is one finding, and who writes what it says has a clean kernel."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from gen.check.foreign import FileVerdict, RunOptions, run_file
from gen.check.verdict import Fault, Outcome
from tests.check.applied import applied

KERNELS = Path(__file__).parent / "kernels"

DELETED = ""


def judged(name: str, text: str, chip: str) -> FileVerdict:
    return run_file(KERNELS / name, RunOptions(text=text, chip=chip, witnesses=False))


@cache
def kernel(name: str) -> str:
    return (KERNELS / name).read_text(encoding="utf-8")


def broken(name: str, old: str, new: str) -> str:
    """The kernel with one statement changed; the first one where several read alike."""
    assert old in kernel(name)
    return kernel(name).replace(old, new, 1)


def the_fault(verdict: FileVerdict) -> Fault:
    """The one error, or the first of several that one line mends."""
    fault, *others = [f for f in verdict.faults if f.severity == "error"]
    assert all(f.remedy == fault.remedy for f in others)
    return fault


@pytest.mark.parametrize("name", sorted(path.name for path in KERNELS.glob("*.asc")))
def test_the_kernels_are_clean_as_they_stand(name: str) -> None:
    assert judged(name, kernel(name), "910b").outcome is Outcome.CLEAN


EXP = "        Exp(out[slot * TILE], in[slot * TILE], TILE);\n"
FREED = "        SetFlag<HardEvent::V_MTE2>(slot);\n"
STORE = "    DataCopy(wGm[here], mine, PART);\n"
TOLD = "    CrossCoreSetFlag<0, PIPE_MTE3>(3);\n"
HEARD = "    CrossCoreWaitFlag<0, PIPE_MTE2>(3);\n"
LOAD = "    DataCopy(other, wGm[there], PART);\n"
HALF_DONE = "        CrossCoreSetFlag<2, PIPE_MTE3>(4);\n"
HALF_STORE = "        DataCopy(wGm[here], mine, HALF);\n"
GO = "        CrossCoreWaitFlag(5);\n"
RELAY = "        CrossCoreWaitFlag(4);\n        CrossCoreSetFlag<2, PIPE_FIX>(5);\n"
FREE = "        inQueue.FreeTensor(in);\n"
HALVE = "        Muls(scaled, in, 0.5f, TILE);\n"

NESTED_LOOP = (
    "        for"
    + kernel("nested.asc")
    .split("        for")[1]
    .partition("        SetFlag<HardEvent::V_MTE2>(slot)")[0]
)
OUTER_FREED = "        SetFlag<HardEvent::V_MTE2>(slot);\n"

MISTAKES = {
    "set moved before what it tells of": (
        "ring.asc", EXP + FREED, FREED + EXP, "race-war", "move `SetFlag"
    ),
    "wait moved behind what should wait": (
        "ring.asc",
        "WaitFlag<HardEvent::V_MTE2>(slot);\n        DataCopy(in[slot * TILE], xGm[i * TILE], TILE);",
        "DataCopy(in[slot * TILE], xGm[i * TILE], TILE);\n        WaitFlag<HardEvent::V_MTE2>(slot);",
        "race-war",
        "move `WaitFlag",
    ),
    "set of a pair that nothing waits for": (
        "ring.asc", EXP + FREED, EXP + FREED.replace("MTE2", "S"), "wait-without-set", "line 30"
    ),
    "set of another pair of the ring": (
        "ring.asc", EXP + FREED, EXP + FREED.replace("MTE2", "MTE3"), "wait-without-set", "line 30"
    ),
    "wait of another pair of the ring": (
        "ring.asc",
        "WaitFlag<HardEvent::MTE3_V>(slot);\n        Exp",
        "WaitFlag<HardEvent::MTE3_MTE2>(slot);\n        Exp",
        "wait-without-set",
        "in line 28",
    ),
    "wait of another pair at the end": (
        "ring.asc",
        "WaitFlag<HardEvent::V_MTE2>(slot);\n        WaitFlag<HardEvent::MTE3_V>",
        "WaitFlag<HardEvent::V_MTE3>(slot);\n        WaitFlag<HardEvent::MTE3_V>",
        "wait-without-set",
        "in line 37",
    ),
    "set of another id of the ring": (
        "ring.asc", EXP + FREED, EXP + FREED.replace("(slot)", "(slot + 1)"),
        "wait-without-set", "in line 30",
    ),
    "wait for an id that does not exist": (
        "exchange.asc", "WaitFlag<HardEvent::V_MTE3>(EVENT_ID0)", "WaitFlag<HardEvent::V_MTE3>(9)",
        "flag-id", "in line 25",
    ),
    "wait of another pair": (
        "exchange.asc",
        "WaitFlag<HardEvent::MTE2_V>(EVENT_ID0)",
        "WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0)",
        "wait-without-set",
        "in line 22",
    ),
    "blocks: nothing waits": ("exchange.asc", HEARD, DELETED, "race-raw", "CrossCoreWaitFlag"),
    "blocks: set on another pipe": (
        "exchange.asc", TOLD, TOLD.replace("MTE3", "V"), "race-raw", "PIPE_MTE3"
    ),
    "blocks: set too early": ("exchange.asc", STORE + TOLD, TOLD + STORE, "race-raw", "move"),
    "blocks: waited for too late": ("exchange.asc", HEARD + LOAD, LOAD + HEARD, "race-raw", "move"),
    "blocks: set behind its own wait": (
        "exchange.asc", TOLD + HEARD, HEARD + TOLD, "circular-wait", "move"
    ),
    "relay: set on another pipe": (
        "relay.asc", HALF_DONE, HALF_DONE.replace("MTE3", "MTE2"), "race-raw", "PIPE_MTE3"
    ),
    "relay: set too early": (
        "relay.asc", HALF_STORE + HALF_DONE, HALF_DONE + HALF_STORE, "race-raw", "move"
    ),
    "relay: nobody waits for the answer": ("relay.asc", GO, DELETED, "race-raw", "(5)"),
    "relay: the cube core does not wait": (
        "relay.asc", "        CrossCoreWaitFlag(4);\n", DELETED, "race-raw", "before line 33"
    ),
    "relay: the cube core answers first": (
        "relay.asc", RELAY, "".join(reversed(RELAY.splitlines(True))), "race-raw", "move"
    ),
    "relay: each waits for the other": (
        "relay.asc", HALF_DONE + GO, GO + HALF_DONE, "circular-wait", "move"
    ),
    "tensor freed before its last uses": (
        "tiles.asc", HALVE, FREE + HALVE, "queue-free", "behind line 29"
    ),
    "tensor enqueued before it is filled": (
        "tiles.asc",
        "DataCopy(in, xGm[i * TILE], TILE);\n        inQueue.EnQue(in);",
        "inQueue.EnQue(in);\n        DataCopy(in, xGm[i * TILE], TILE);",
        "race-raw",
        "move",
    ),
    "workspace: nothing waits": (
        "workspace.asc", "        CrossCoreWaitFlag(READY);\n", DELETED, "race-raw",
        "`CrossCoreWaitFlag(READY);` on the AIV before line 38",
    ),
    "workspace: set on a pipe that does not store": (
        "workspace.asc", "PIPE_FIX>(READY)", "PIPE_M>(READY)", "race-raw", "PIPE_FIX",
    ),
    "workspace: set on the scalar pipe": (
        "workspace.asc", "PIPE_FIX>(READY)", "PIPE_S>(READY)", "race-raw", "PIPE_FIX",
    ),
    "workspace: a mode that does not reach the vector cores": (
        "workspace.asc", "CrossCoreSetFlag<2,", "CrossCoreSetFlag<0,", "wait-without-set",
        "which reaches only AICs",
    ),
    "a flag of the outer ring is set ahead of the inner loop": (
        "nested.asc",
        NESTED_LOOP + OUTER_FREED,
        OUTER_FREED + NESTED_LOOP,
        "race-war",
        "move `SetFlag<HardEvent::V_MTE2>(slot);` from line 29 behind line 38",
    ),
    "a set of the inner ring names the slot of the outer": (
        "nested.asc", "SetFlag<HardEvent::MTE3_V>(half)", "SetFlag<HardEvent::MTE3_V>(slot)",
        "circular-wait", "`SetFlag<HardEvent::MTE3_V>(half);` in line 35",
    ),
    "C API: nothing waits": (
        "plain_c.asc", "        asc_sync_wait(PIPE_V, PIPE_MTE3, slot);\n", DELETED, "race-raw",
        "`asc_sync_wait(PIPE_V, PIPE_MTE3, slot);` before line 25",
    ),
    "C API: nothing sets": (
        "plain_c.asc", "        asc_sync_notify(PIPE_MTE2, PIPE_V, slot);\n        asc_sync_wait(PIPE_MTE2, PIPE_V, slot);\n",
        DELETED, "race-raw", "`asc_sync_notify(PIPE_MTE2, PIPE_V,",
    ),
    "a queue of the wrong position: in": (
        "tiles.asc", "TPosition::VECIN, 2> inQueue", "TPosition::VECOUT, 2> inQueue", "race-raw",
        "`TQue<TPosition::VECIN, 2> inQueue;` in line 10",
    ),
    "a queue of the wrong position: out": (
        "tiles.asc", "TPosition::VECOUT, 2> outQueue", "TPosition::VECIN, 2> outQueue", "race-raw",
        "`TQue<TPosition::VECOUT, 2> outQueue;` in line 11",
    ),
    "a tensor is allocated and not dequeued": (
        "tiles.asc", "out = outQueue.DeQue<float>();", "out = outQueue.AllocTensor<float>();",
        "queue-alloc", "`out = outQueue.DeQue<float>();` in line 31",
    ),
}  # fmt: skip
"""Kernel, statement, what stands there instead, the finding, and what its remedy says."""


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_kernel_is_clean_when_the_remedy_is_applied(mistake: str) -> None:
    name, old, new, code, said = MISTAKES[mistake]
    text = broken(name, old, new)
    if code == "queue-free":
        text = text.replace("scaled, TILE);\n" + FREE, "scaled, TILE);\n")
    fault = the_fault(judged(name, text, "910b"))
    assert fault.code == code
    assert fault.remedy is not None
    assert said in fault.remedy.text
    after = judged(name, applied(text, fault.remedy), "910b")
    assert after.outcome is Outcome.CLEAN, fault.remedy.text


def test_a_wait_on_another_pipe_of_the_950_names_the_one_that_has_to() -> None:
    text = broken("exchange.asc", HEARD, HEARD.replace("PIPE_MTE2", "PIPE_V"))
    assert judged("exchange.asc", text, "910b").outcome is Outcome.CLEAN  # there a core waits
    fault = the_fault(judged("exchange.asc", text, "950"))
    assert fault.remedy is not None
    assert "CrossCoreWaitFlag<0, PIPE_MTE2>(3);" in fault.remedy.text
    after = judged("exchange.asc", applied(text, fault.remedy), "950")
    assert after.outcome is Outcome.CLEAN


def test_a_round_that_never_sets_its_flag_is_told_where_to() -> None:
    fault = the_fault(judged("ring.asc", broken("ring.asc", EXP + FREED, EXP), "910b"))
    assert fault.remedy is not None
    assert fault.remedy.text.startswith("line 24 waits in every round, and no round sets the flag")


def test_a_deadlock_of_all_blocks_is_one_finding() -> None:
    text = broken("exchange.asc", TOLD, f"    if (here == 0) {TOLD.strip()}\n")
    fault = the_fault(judged("exchange.asc", text, "910b"))
    assert (fault.code, fault.count) == ("wait-without-set", 2)
    assert len(fault.message) < 250


def test_a_slot_that_does_not_exist_is_one_finding() -> None:
    text = broken("ring.asc", "slot = i % SLOTS", "slot = i % 3")
    fault = the_fault(judged("ring.asc", text, "910b"))
    assert fault.code == "out-of-bounds"
    assert {"out-of-bounds", "circular-wait"} == {a.code for a in fault.also}


def test_two_buffers_that_are_too_small_by_different_parts_are_two_findings() -> None:
    text = broken("ring.asc", "pipe.InitBuffer(inBuffer, SLOTS", "pipe.InitBuffer(inBuffer, 1")
    text = text.replace("outBuffer, SLOTS * TILE", "outBuffer, SLOTS * TILE / 4 * 3")
    faults = [f for f in judged("ring.asc", text, "910b").faults if f.severity == "error"]
    assert [f.code for f in faults] == ["out-of-bounds", "out-of-bounds"]
    assert {a.code for f in faults for a in f.also} == {"out-of-bounds", "race-war"}


def test_stores_that_overlap_are_one_finding_about_their_distance() -> None:
    text = broken("tiles.asc", "DataCopy(yGm[i * TILE]", "DataCopy(yGm[i * (TILE - 8)]")
    fault = the_fault(judged("tiles.asc", text, "910b"))
    assert fault.code == "race-waw"
    assert {a.code for a in fault.also} == {"output-not-written"}
    assert fault.remedy is not None
    assert "begin 992 bytes apart and each covers 1024" in fault.remedy.text


def test_a_slot_that_is_read_before_it_is_written_is_told_beside_the_race() -> None:
    text = broken("ring.asc", "yGm[i * TILE], out[slot", "yGm[i * TILE], out[(1 - slot)")
    faults = [f for f in judged("ring.asc", text, "910b").faults if f.severity == "error"]
    assert {f.code for f in faults} == {"race-war", "uninitialised-read"}
    (race,) = [f for f in faults if f.code == "race-war"]
    assert race.remedy is not None
    assert race.remedy.text.endswith("use the buffer of the same slot.")


def test_flags_of_queues_that_share_an_id_are_one_finding_that_asks_for_nothing_to_write() -> None:
    options = RunOptions(text=kernel("tiles.asc"), flag_identity="strict", witnesses=False)
    fault = the_fault(run_file(KERNELS / "tiles.asc", options))
    assert fault.code == "flag-set-twice"
    assert fault.remedy is not None
    assert "the queues take these ids themselves" in fault.remedy.text
    assert fault.remedy.lines == ()


def test_a_block_that_does_not_wait_for_another_one_is_told_of_its_ibset() -> None:
    text = broken("sentinel.asc", "        IBWait(flagGm, scratch, 0, 0);\n", DELETED)
    fault = the_fault(judged("sentinel.asc", text, "910b"))
    assert (fault.code, fault.edge) == ("race-raw", "block MTE3→block MTE2")
    assert fault.remedy is not None
    assert "`IBWait(flagGm, scratch, 0, 0);` before line 28" in fault.remedy.text
    assert judged("sentinel.asc", applied(text, fault.remedy), "910b").outcome is Outcome.CLEAN


def test_no_sync_all_is_asked_for_in_a_branch_that_one_block_takes() -> None:
    text = broken("sentinel.asc", "        IBWait(flagGm, scratch, 0, 0);\n", DELETED)
    text = text.replace("        IBSet(flagGm, scratch, 0, 0);\n", DELETED)
    fault = the_fault(judged("sentinel.asc", text, "910b"))
    assert fault.remedy is not None
    assert fault.remedy.lines == ()
    assert "where all cores come by" in fault.remedy.text
    apart = text.replace("    } else {", "    }\n    if (GetBlockIdx() == 1) {")
    fault = the_fault(judged("sentinel.asc", apart, "910b"))
    assert fault.remedy is not None


def test_tensors_that_overlap_are_told_by_their_addresses() -> None:
    text = broken(
        "workspace.asc", "TPosition::B1, SIDE * SIDE * sizeof(half),", "TPosition::B1, 64,"
    )
    faults = [f for f in judged("workspace.asc", text, "910b").faults if f.code == "race-waw"]
    (fault,) = faults
    assert fault.remedy is not None
    assert fault.remedy.text.startswith(
        "`aL1` begins at `0` (line 17) and `bL1` at `64` (line 18), and they share bytes"
    )


def test_a_sum_that_no_mmad_starts_is_the_only_finding() -> None:
    text = broken("workspace.asc", "0, false, true)", "0, false, false)")
    assert the_fault(judged("workspace.asc", text, "910b")).code == "accumulator-not-initialised"


def test_a_copy_of_too_many_blocks_is_told_what_it_counts() -> None:
    text = broken(
        "tiles.asc",
        "DataCopy(in, xGm[i * TILE], TILE);",
        "DataCopyParams p{1, TILE, 0, 0};\n        DataCopy(in, xGm[i * TILE], p);",
    )
    faults = judged("tiles.asc", text, "910b").faults
    outside = [f for f in faults if f.code == "out-of-bounds"]
    assert outside
    assert all(f.remedy and "count blocks of 32 bytes" in f.remedy.text for f in outside)


def test_a_copy_of_too_few_bytes_is_told_what_it_counts() -> None:
    text = broken(
        "tiles.asc",
        "DataCopy(in, xGm[i * TILE], TILE);",
        "DataCopyExtParams p{1, TILE, 0, 0, 0};\n"
        "        DataCopyPad(in, xGm[i * TILE], p, DataCopyPadExtParams<float>{false, 0, 0, 0});",
    )
    fault = the_fault(judged("tiles.asc", text, "910b"))
    assert fault.code == "uninitialised-read"
    assert fault.remedy is not None
    assert "line 23 fills it, where blockLen counts bytes" in fault.remedy.text
