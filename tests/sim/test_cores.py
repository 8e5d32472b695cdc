"""Order between the cores of a block, between blocks, and by buffer mutexes."""

from __future__ import annotations

import pytest
from sim_cases import codes, run_case

WRONG = {
    "two_slots_three_steps": [("race-war", "AIV0 MTE2→AIC FIX")],
    "two_slots_four_steps": [("race-war", "AIV0 MTE2→AIC FIX")],
    "blocks_share_a_workspace": [("output-written-twice", "block FIX→block FIX")],
    "sixteen_sets": [("cross-flag-overflow", "AIC FIX→AIV0 S")],
    "aiv_reads_too_early": [("race-raw", "AIC FIX→AIV0 MTE2")],
    "cross_wait_without_set": [("wait-without-set", "other cores→AIV0 S")],
    "cross_set_without_wait": [("cross-flag-left", "AIC FIX→AIV0 S")],
    "one_aiv_is_not_enough": [("wait-without-set", "other cores→AIC S")],
    "aiv_pair_without_flag": [("race-raw", "AIV0 MTE3→AIV1 MTE2")],
    "aiv_stores_too_early": [("race-war", "AIC MTE2→AIV0 MTE3")],
    "aiv_reads_first": [("race-raw", "AIC FIX→AIV0 MTE2")],
    "ring_of_cores": [("circular-wait", "AIC S→AIV0 S→AIC S")],
    "sync_all_behind_a_wait": [("circular-wait", "AIC S→AIV0 S→AIC S")],
    "aic_ring_unprimed": [("circular-wait", "MTE2→MTE1→MTE2")],
    "cross_wait_left_out": [("race-raw", "AIC FIX→AIV0 MTE2")],
    "one_block_is_stuck": [("wait-without-set", "V→MTE2")],
    "mode_four": [("flag-id", ""), ("flag-id", "")],
    "mode0_set_too_early": [("race-raw", "block MTE3→block MTE2")],
    "mode0_left": [("cross-flag-left", "all AIVs→all AIVs")],
    "no_order_between_blocks": [("race-raw", "block MTE3→block MTE2")],
    "one_sync_all_missing": [("race-war", "block MTE2→block MTE3")],
    "one_block_stays_away": [("wait-without-set", "other cores→AIV0 S")],
    "more_blocks_than_cores": [("wait-without-set", "other cores→AIV0 S")],
}

RIGHT = [
    "two_slots_two_steps",
    "two_slots_with_way_back",
    "two_slots_with_way_back_two_aivs",
    "fifteen_sets",
    "ping_pong",
    "aiv_pair",
    "sync_all_orders_blocks",
    "sync_all_of_all_cores",
    "mode0_orders_blocks",
    "mode0_set_in_time",
    "as_many_blocks_as_cores",
]

WRONG_950 = {
    "intra_flags_forgotten": [("race-raw", "AIC FIX→AIV1 V")],
    "two_slots_three_steps": [("race-war", "AIV0 MTE2→AIC FIX")],
    "mutex_consumer_only": [("race-raw", "MTE2→V"), ("race-war", "V→MTE2")],
    "mutex_producer_only": [("race-raw", "MTE2→V"), ("race-war", "V→MTE2")],
    "mutex_same_pipe_orders_nothing": [("race-waw", "MTE2→MTE2")],
    "mutex_nested": [("mutex", "V")],
    "mutex_left_locked": [("mutex", "MTE2")],
    "mutex_bad_id": [("mutex", "MTE2")],
    "ring_of_cores": [("circular-wait", "AIC FIX→AIV0 MTE2→AIC FIX")],
    "mutex_circle": [("circular-wait", "MTE2→V→MTE2")],
    "mutex_lock_left_out": [("race-war", "V→MTE2")],
}

RIGHT_950 = [
    "intra_flags",
    "mode_four",
    "mutex_both",
    "mutex_queue_style",
    "two_slots_with_way_back",
    "two_slots_with_way_back_two_aivs",
    "sync_all_of_all_cores",
]


@pytest.mark.parametrize("case", WRONG)
def test_mistake_is_found_once(case: str) -> None:
    assert codes(run_case("cores", case)) == WRONG[case]


@pytest.mark.parametrize("case", RIGHT)
def test_right_twin_is_clean(case: str) -> None:
    run = run_case("cores", case)
    assert codes(run) == []
    assert run.clean


@pytest.mark.parametrize("case", WRONG_950)
def test_mistake_is_found_once_on_950(case: str) -> None:
    assert codes(run_case("cores", case, chip="3510")) == WRONG_950[case]


@pytest.mark.parametrize("case", RIGHT_950)
def test_right_twin_is_clean_on_950(case: str) -> None:
    run = run_case("cores", case, chip="3510")
    assert codes(run) == []
    assert run.clean


def test_pending_cross_flag_is_a_note() -> None:
    run = run_case("cores", "cross_set_without_wait")
    assert [f.severity for f in run.findings] == ["note"]
    assert run.clean


def test_binary_cross_flags_cannot_run_ahead() -> None:
    found = codes(run_case("cores", "two_slots_two_steps", xflag="binary"))
    assert found == [("cross-flag-overflow", "AIC FIX→AIV0 S")]
    assert codes(run_case("cores", "ping_pong", xflag="binary")) == []


def test_deadlock_of_all_blocks_says_who_is_missing() -> None:
    (finding,) = run_case("cores", "one_block_stays_away").findings
    assert "only 3 of 4 cores come to it" in finding.message
    assert finding.count == 3


@pytest.mark.parametrize(
    "case", ["sync_all_orders_blocks", "one_sync_all_missing", "no_order_between_blocks"]
)
def test_the_verdict_does_not_depend_on_host_threads(case: str) -> None:
    reports = [run_case("cores", case, threads=n).report for n in (1, 2, 5)]
    assert reports[0]["launches"] == reports[1]["launches"] == reports[2]["launches"]
