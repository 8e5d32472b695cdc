"""Vector functions are instructions of V whose exact regions are found by running them; SIMT threads interleave."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sim_cases import codes
from sim_cases import run_case as run_any

from gen.sim import Run


def run_case(case: str, *argv: str, **profile: object) -> Run:
    return run_any("vector", case, *argv, face="c_api", **{"chip": "3510", **profile})


WRONG = {
    "vf_reads_too_early": [("race-raw", "MTE2→V")],
    "vf_is_stored_too_early": [("race-raw", "V→MTE3")],
    "hits_1": [("race-raw", "V→MTE3")],
    "hits_2": [("race-raw", "V→MTE3")],
    "hits_4": [("race-raw", "V→MTE3")],
    "hits_8": [("race-raw", "V→MTE3")],
    "hits_16": [("race-raw", "V→MTE3")],
    "memcpy_is_seen": [("race-raw", "MTE2→V"), ("race-raw", "V→MTE3")],
    "vf_beyond_ub": [("out-of-bounds", "UB")],
    "vf_reads_beyond_gm": [("out-of-bounds", "GM")],
    "vf_writes_gm_twice": [("output-written-twice", "block V→block V")],
    "vf_gm_then_load": [("race-raw", "V→MTE2")],
}

RIGHT = [
    "vf_ordered",
    "gaps_1",
    "gaps_2",
    "gaps_4",
    "gaps_8",
    "gaps_16",
    "unaligned_word",
    "vf_end_of_ub",
    "vf_reads_gm",
    "vf_writes_gm",
    "vf_atomics",
]

UNSUPPORTED = {
    "vf_issues": "an instruction issued inside of a vector function",
    "vf_unsupported": "a thing that the model lacks",
    "kernel_unsupported": "a thing that the model lacks",
    "simt_unsupported": "a thing that the model lacks",
    "on_chip_pointer": "scalar access to on-chip memory by pointer",
}


@pytest.mark.parametrize("case", WRONG)
def test_mistake_is_found_once(case: str) -> None:
    assert codes(run_case(case)) == WRONG[case]


@pytest.mark.parametrize("case", RIGHT)
def test_right_twin_is_clean(case: str) -> None:
    run = run_case(case)
    assert codes(run) == []
    assert run.clean


@pytest.mark.parametrize("case", UNSUPPORTED)
def test_what_the_model_lacks_is_never_clean(case: str) -> None:
    run = run_case(case)
    assert run.unsupported == UNSUPPORTED[case]
    assert not run.clean
    assert run.unsupported_place is not None
    assert run.unsupported_place.line is not None


def test_values(out_file: Path) -> None:
    assert run_case("vf_ordered", str(out_file)).clean
    got = np.fromfile(out_file, np.float32)[:1024]
    assert (got == 2 * np.arange(1024)).all()


def test_atomics_of_all_blocks_add_up(out_file: Path) -> None:
    assert run_case("vf_atomics", str(out_file)).clean
    assert np.fromfile(out_file, np.uint32)[0] == 8


def test_a_vector_function_knows_its_core(out_file: Path) -> None:
    assert run_case("vf_knows_its_core", str(out_file)).clean
    assert np.fromfile(out_file, np.uint32)[:24:8].tolist() == [0, 1, 2]


def simt(case: str, out_file: Path) -> np.ndarray:
    assert run_case(case, str(out_file)).clean
    return np.fromfile(out_file, np.uint32)


def test_every_thread_runs_once(out_file: Path) -> None:
    assert (simt("simt_threads", out_file)[:1024] == 3 * np.arange(1024)).all()


def test_barriers_make_threads_wait_for_each_other(out_file: Path) -> None:
    assert simt("simt_barriers", out_file)[0] == 1024 * 1023 // 2


def test_lanes_of_a_warp_exchange_values(out_file: Path) -> None:
    expected = np.arange(1024).reshape(32, 32).sum(axis=1).repeat(32)
    assert (simt("simt_warps", out_file)[:1024] == expected).all()


def test_only_active_lanes_take_part(out_file: Path) -> None:
    got = simt("simt_diverged", out_file)[:128].reshape(2, 32, 2)
    odd, left = 0x2AAAAAAA, 0x3FFFFFFF
    for warp in got:
        assert warp[0].tolist() == [0, left]
        assert warp[1].tolist() == [odd, left]
        assert warp[30].tolist() == [0xFFFFFFFF, 0xFFFFFFFF]  # had returned: still poison


def test_threads_that_have_ended_do_not_hold_the_barrier(out_file: Path) -> None:
    assert simt("simt_leave_early", out_file)[0] == 40


def test_barriers_and_warp_operations_mix(out_file: Path) -> None:
    t = np.arange(96)
    expected = ((t // 32 * 32 + (t + 1) % 32) + 33) % 96
    assert (simt("simt_mixed", out_file)[:96] == expected).all()
