"""A missing edge is one finding, named by its rule and its pipes; the right twin of a kernel is clean."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sim_cases import codes, run_case

WRONG = {
    "branch_without_barrier": [("race-raw", "V→V")],
    "read_between_hides_nothing": [("race-raw", "MTE2→V")],
    "small_mmads": [("race-raw", "M→M")],
    "no_unit_flag": [("race-raw", "M→FIX")],
    "l1_slot_twice": [("race-war", "MTE1→MTE2")],
    "four_slots_five_tiles": [("race-war", "MTE1→MTE2")],
    "nothing_freed": [("race-war", "M→MTE1"), ("race-war", "MTE1→MTE2")],
    "ring_unprimed": [("circular-wait", "MTE2→MTE1→MTE2")],
    "ring_not_drained": [("flag-left-set", "MTE1→MTE2"), ("flag-left-set", "M→MTE1")],
    "scalar_without_flags": [("race-raw", "S→V"), ("race-raw", "V→S")],
    "row_loop": [("race-war", "MTE3→MTE2")],
    "no_sync_at_all": [("race-raw", "MTE2→V"), ("race-raw", "V→MTE3")],
    "loads_overlap": [("race-waw", "MTE2→MTE2")],
    "set_twice": [("flag-set-twice", "MTE2→V")],
    "flag_left": [("flag-left-set", "MTE2→V")],
    "flag_bad_id": [("flag-id", "MTE2→V")],
    "circle": [("circular-wait", "MTE2→V→MTE2")],
    "same_place": [("race-raw", "V→V")],
    "wait_left_out": [("race-raw", "MTE2→V")],
    "wait_left_out_once": [("flag-set-twice", "MTE2→V")],
    "other_wait_left_out": [("race-raw", "MTE2→MTE3")],
    "set_left_out": [("wait-without-set", "MTE2→V")],
    "first_of_two_sets_left_out": [("wait-without-set", "MTE2→V")],
    "set_with_another_id": [("wait-without-set", "MTE2→V")],
    "set_for_another_pipe": [("wait-without-set", "MTE2→V")],
    "wait_of_another_pipe": [("wait-without-set", "MTE2→MTE3")],
    "flag_bad_id_in_use": [("flag-id", "MTE2→V")],
    "mte2_to_mte2": [("flag-pair", "MTE2→MTE2")],
    "m_on_aiv": [("flag-pair", "MTE2→M")],
    "two_loads_one_edge": [("race-war", "MTE1→MTE2")],
}

RIGHT = [
    "branch_with_barrier",
    "read_between_waited",
    "scopes_do_not_alias",
    "small_mmads_with_barrier",
    "unit_flag",
    "l1_slot_once",
    "l1_slot_freed",
    "four_slots_four_tiles",
    "four_slots_freed",
    "nested_same_id",
    "nested_two_ids",
    "ring_right",
    "scalar_with_flags",
    "row_loop_one_row",
    "row_loop_with_way_back",
    "barrier_everywhere",
    "loads_overlap_with_barrier",
    "loads_interleave",
    "transitive",
    "set_twice_waited",
    "wait_before_set",
]


@pytest.mark.parametrize("case", WRONG)
def test_mistake_is_found_once(case: str) -> None:
    assert codes(run_case("order", case)) == sorted(WRONG[case])


@pytest.mark.parametrize("case", RIGHT)
def test_right_twin_is_clean(case: str) -> None:
    run = run_case("order", case)
    assert codes(run) == []
    assert run.clean


@pytest.mark.parametrize("profile", [{"auto_sync": True}, {"chip": "3510"}])
def test_vector_instructions_are_in_order_where_the_profile_says_so(
    profile: dict[str, object],
) -> None:
    assert codes(run_case("order", "branch_without_barrier", **profile)) == []


def test_auto_sync_orders_the_scalar_unit_but_never_mte2_and_v() -> None:
    assert codes(run_case("order", "scalar_without_flags", auto_sync=True)) == []
    found = codes(run_case("order", "no_sync_at_all", auto_sync=True))
    assert found == [("race-raw", "MTE2→V"), ("race-raw", "V→MTE3")]


def test_auto_sync_leaves_the_cube_alone() -> None:
    assert codes(run_case("order", "small_mmads", auto_sync=True)) == [("race-raw", "M→M")]


def test_scalar_unit_sees_and_changes_values(out_file: Path) -> None:
    for case in ("scalar_with_flags", "scalar_without_flags"):
        run = run_case("order", case, str(out_file), auto_sync=True)
        assert run.clean
        got = np.fromfile(out_file, np.float32)[:4]
        assert got.tolist() == [0.0, 2.0, 8.0, 12.0]  # 4 i, and element 1 was halved in between


def test_one_missing_edge_in_a_loop_is_one_finding_with_a_count() -> None:
    (finding,) = run_case("order", "row_loop").findings
    assert finding.count == 63
    assert finding.bytes == (0, 1024)
    assert finding.space == "UB"
    assert finding.first is not None
    assert finding.second is not None
    assert (finding.first.op, finding.first.pipe) == ("Store", "MTE3")
    assert (finding.second.op, finding.second.pipe) == ("Load", "MTE2")


def test_finding_names_both_lines_of_the_source() -> None:
    (finding,) = run_case("order", "read_between_hides_nothing").findings
    source = (Path(__file__).parent / "kernels" / "order.cpp").read_text().splitlines()
    lines = [
        source[place.line.line - 1].strip()
        for place in (finding.first, finding.second)
        if place is not None and place.line is not None
    ]
    assert lines == ["load(A, g.in, T);", "add(B, A, A, T);"]


def test_flags_of_one_source_and_id_are_one_flag_under_the_strict_identity() -> None:
    (finding,) = run_case("order", "nested_same_id", flag_identity="strict").findings
    assert (finding.code, finding.edge) == ("flag-set-twice", "MTE3→MTE2")
    assert ("race-war", "MTE3→MTE2") in {(a.code, a.edge) for a in finding.also}
    assert codes(run_case("order", "nested_two_ids", flag_identity="strict")) == []


@pytest.mark.parametrize("case", [c for c in WRONG if not c.startswith("flag_bad_id")])
def test_every_message_says_what_to_write(case: str) -> None:
    for finding in run_case("order", case).findings:
        words = ("leave it out", "set ", "wait for it", "put a barrier", "use another id", "prime")
        assert any(word in finding.remedy for word in words), finding.sentence


def test_deadlock_names_every_blocked_pipe() -> None:
    (finding,) = run_case("order", "ring_unprimed").findings
    for word in ("AIC MTE2", "AIC MTE1", "AIC M", "WaitFlag MTE1→MTE2, id 0"):
        assert word in finding.message


def test_the_verdict_does_not_depend_on_host_threads() -> None:
    for case in ("row_loop", "ring_unprimed", "row_loop_with_way_back"):
        reports = [run_case("order", case, threads=n).report for n in (1, 2, 3)]
        assert reports[0]["launches"] == reports[1]["launches"] == reports[2]["launches"]


@pytest.mark.parametrize(
    ("case", "fix"),
    [
        ("row_loop", {"kind": "edge", "from": "MTE3", "to": "MTE2", "core": "AIV0"}),
        ("branch_without_barrier", {"kind": "barrier", "pipe": "V", "core": "AIV0"}),
        ("flag_left", {"kind": "wait", "from": "MTE2", "to": "V", "core": "AIV0", "id": 5}),
        ("flag_bad_id", {"kind": "other_id", "from": "MTE2", "to": "V", "ids": 8, "id": 8}),
    ],
)
def test_the_remedy_is_given_in_fields_too(case: str, fix: dict[str, object]) -> None:
    finding = run_case("order", case).findings[0]
    assert finding.fix is not None
    assert finding.fix.items() >= fix.items()


@pytest.mark.parametrize(
    ("case", "consequences"),
    [
        ("wait_left_out", {"flag-set-twice", "flag-left-set"}),
        ("other_wait_left_out", {"flag-set-twice", "flag-left-set", "race-waw"}),
        ("wait_left_out_once", set()),
        ("set_with_another_id", {"flag-set-twice"}),
        ("set_for_another_pipe", {"flag-set-twice"}),
        ("wait_of_another_pipe", {"flag-set-twice", "race-raw"}),
        ("flag_bad_id_in_use", {"flag-id", "race-raw"}),
    ],
)
def test_what_follows_from_a_mistake_is_listed_with_it(case: str, consequences: set[str]) -> None:
    (finding,) = run_case("order", case).findings
    assert {also.code for also in finding.also} == consequences


def test_the_wait_that_is_named_is_the_one_whose_set_is_missing() -> None:
    (finding,) = run_case("order", "first_of_two_sets_left_out").findings
    source = (Path(__file__).parent / "kernels" / "order.cpp").read_text().splitlines()
    assert finding.first is not None
    assert finding.first.line is not None
    assert source[finding.first.line.line - 1].endswith("// the culprit")


def test_an_id_that_two_flags_of_a_pipe_share_is_a_remark_when_asked_for() -> None:
    assert codes(run_case("order", "nested_same_id")) == []
    (finding,) = run_case("order", "nested_same_id", deep=True).findings
    assert (finding.code, finding.edge) == ("flag-set-twice", "MTE3→MTE2")
    assert finding.severity == "note"
    assert codes(run_case("order", "nested_two_ids", deep=True)) == []


def test_a_pair_of_v_and_v_is_unknown_to_dav_3510() -> None:
    (finding,) = run_case("order", "v_to_v", chip="3510").errors
    assert (finding.code, finding.edge) == ("flag-pair", "V→V")
    assert finding.first is not None
    assert finding.second is not None
    assert (finding.first.op, finding.second.op) == ("SetFlag", "WaitFlag")
    assert run_case("order", "v_to_v").errors == ()


def test_an_id_of_the_framework_is_a_remark_when_asked_for() -> None:
    assert codes(run_case("order", "reserved_id")) == []
    (finding,) = run_case("order", "reserved_id", deep=True).findings
    assert (finding.code, finding.severity) == ("flag-id", "note")


@pytest.mark.parametrize(
    ("case", "edge", "profile"),
    [
        ("second_flag", "MTE2→V", {}),
        ("vector_fence", "V→V", {}),
        ("second_barrier", "ALL", {}),
        ("vector_barrier", "V", {"auto_sync": True}),
    ],
)
def test_what_tells_no_pipe_anything_is_a_remark(
    case: str, edge: str, profile: dict[str, object]
) -> None:
    assert codes(run_case("order", case, **profile)) == []
    (finding,) = run_case("order", case, deep=True, **profile).findings
    assert (finding.code, finding.severity, finding.edge) == ("sync-redundant", "note", edge)
    source = (Path(__file__).parent / "kernels" / "order.cpp").read_text().splitlines()
    assert finding.first is not None
    assert finding.first.line is not None
    assert source[finding.first.line.line - 1].endswith("// tells nothing new")


@pytest.mark.parametrize("case", ["ring_of_flags", "vector_barrier", "flag_for_nobody"])
def test_what_tells_a_pipe_something_is_no_remark(case: str) -> None:
    assert codes(run_case("order", case, deep=True)) == []


def test_synchronisation_is_listed_and_can_be_left_out() -> None:
    run = run_case("order", "ring_of_flags", deep=True)
    sites = run.launches[0].sync
    assert [(s.place.op, s.edge, s.count) for s in sites] == [
        ("SetFlag", "V→MTE2", 1),
        ("WaitFlag", "V→MTE2", 3),
        ("SetFlag", "MTE2→V", 3),
        ("WaitFlag", "MTE2→V", 3),
        ("SetFlag", "V→MTE2", 3),
        ("WaitFlag", "V→MTE2", 1),
    ]
    assert [s.component for s in sites] == [sites[i].component for i in (0, 0, 2, 2, 0, 0)]
    back = tuple(s.key for s in sites if s.component == sites[0].component)
    assert codes(run_case("order", "ring_of_flags", drop=back)) == [("race-war", "V→MTE2")]


def test_the_event_goes_behind_all_that_the_pipe_was_issued() -> None:
    (finding,) = run_case("order", "two_loads_one_fence").findings
    source = (Path(__file__).parent / "kernels" / "order.cpp").read_text().splitlines()
    assert finding.behind is not None
    assert finding.behind.line is not None
    assert source[finding.behind.line.line - 1].endswith("// the fence goes here")
