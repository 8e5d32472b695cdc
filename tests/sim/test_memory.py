"""An access outside of its memory is reported and not carried out; outputs are written whole, once, by one core."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sim_cases import codes, run_case

WRONG = {
    "beyond_ub": [("out-of-bounds", "UB")],
    "rows_over_each_other": [("operand-overlap", "GM")],
    "beyond_l1": [("out-of-bounds", "L1")],
    "beyond_buffer": [("out-of-bounds", "UB")],
    "before_buffer": [("out-of-bounds", "UB")],
    "beyond_tensor": [("out-of-bounds", "GM")],
    "before_tensor": [("out-of-bounds", "GM")],
    "store_beyond_tensor": [("out-of-bounds", "GM")],
    "wild_pointer": [("out-of-bounds", "GM")],
    "beyond_view": [("out-of-bounds", "GM")],
    "rows_beyond_ub": [("out-of-bounds", "UB")],
    "scalar_beyond_ub": [("out-of-bounds", "UB")],
    "over_allocated": [("overflow", "UB")],
    "misaligned_ub": [("misaligned", "UB")],
    "misaligned_gm": [("misaligned", "GM")],
    "cube_on_aiv": [("wrong-core", "M")],
    "vector_on_aic": [("wrong-core", "V")],
    "ub_without_aiv": [("wrong-core", "UB")],
    "tail_missing": [("output-not-written", "argument 3")],
    "last_byte_missing": [("output-not-written", "argument 3")],
    "first_block_missing": [("output-not-written", "argument 3")],
    "hole": [("output-not-written", "argument 3")],
    "blocks_overlap": [("output-written-twice", "block MTE3→block MTE3")],
    "blocks_share_a_byte": [("output-written-twice", "block MTE3→block MTE3")],
    "reads_of_a_neighbour": [("race-raw", "block MTE3→block MTE2")],
    "atomic_and_plain": [("output-written-twice", "block MTE3→block MTE3")],
    "both_aivs_write_the_same": [("output-written-twice", "AIV0 MTE3→AIV1 MTE3")],
}

RIGHT = [
    "rows_behind_each_other",
    "end_of_ub",
    "inside_buffer",
    "empty_beyond_ub",
    "l0c_to_ub",
    "whole_output",
    "untouched_output",
    "initialised_output",
    "blocks_apart",
    "odd_neighbours",
    "block_rewrites_its_own",
    "in_place",
    "shared_input",
    "atomic_sum",
    "aivs_write_the_same",
]


@pytest.mark.parametrize("case", WRONG)
def test_mistake_is_found_once(case: str) -> None:
    assert codes(run_case("memory", case)) == WRONG[case]


@pytest.mark.parametrize("case", RIGHT)
def test_right_twin_is_clean(case: str) -> None:
    run = run_case("memory", case)
    assert codes(run) == []
    assert run.clean


@pytest.mark.parametrize(
    ("case", "lo", "hi"),
    [
        ("tail_missing", 64512, 65531),
        ("last_byte_missing", 65530, 65531),
        ("first_block_missing", 0, 1024),
        ("hole", 4096, 5120),
        ("blocks_share_a_byte", 1025, 1026),
        ("beyond_ub", 196096, 197120),
        ("before_tensor", -32, 992),
    ],
)
def test_range_is_exact(case: str, lo: int, hi: int) -> None:
    (finding,) = run_case("memory", case).findings
    assert finding.bytes == (lo, hi)


def test_store_out_of_bounds_changes_nothing(out_file: Path) -> None:
    run_case("memory", "store_beyond_tensor", str(out_file))
    assert not np.fromfile(out_file, np.uint8).any()


def test_on_chip_memory_is_poisoned_for_every_block(out_file: Path) -> None:
    # One host thread: the second block gets the memories that the first one has used.
    assert run_case("memory", "reads_what_nobody_wrote", str(out_file), threads=1).clean
    got = np.fromfile(out_file, np.uint8)[:2048]
    assert (got[1024:] == 0xFF).all()
    assert got[:1024].view(np.float32).tolist() == [1.0] * 256


def test_workspace_that_is_written_in_part_is_a_note_only() -> None:
    run = run_case("memory", "workspace")
    assert [(f.code, f.severity) for f in run.findings] == [("output-not-written", "note")]
    assert run.clean


def test_report_counts_written_bytes() -> None:
    tensors = run_case("memory", "blocks_apart").tensors
    assert [(t.index, t.written_bytes) for t in tensors] == [(0, 0), (1, 4 * 8 * 1024), (2, 0)]


@pytest.mark.parametrize(
    ("chip", "case", "found"),
    [
        ("2201", "over_allocated", [("overflow", "UB")]),
        ("3510", "over_allocated", [("overflow", "UB")]),
        ("3510", "end_of_ub", []),
        ("3510", "beyond_ub", [("out-of-bounds", "UB")]),
    ],
)
def test_capacities_are_those_of_the_chip(
    chip: str, case: str, found: list[tuple[str, str]]
) -> None:
    assert codes(run_case("memory", case, chip=chip)) == found


@pytest.mark.parametrize(
    ("case", "code"),
    [
        ("sums_started_for_each_j", "accumulator-initialised-twice"),
        ("tiles_started_for_the_first_j", "accumulator-not-initialised"),
        ("sums_never_started", "accumulator-not-initialised"),
    ],
)
def test_a_stored_tile_is_started_once_and_first(case: str, code: str) -> None:
    (finding,) = run_case("memory", case).findings
    assert (finding.code, finding.edge, finding.space) == (code, "M", "L0C")
    assert finding.first is not None
    assert finding.second is not None
    assert (finding.first.op, finding.second.op) == ("Mmad", "Fixpipe")


@pytest.mark.parametrize(
    "case",
    [
        "sums_started_once",
        "tiles_started_for_each_j",
        "sums_never_stored",
        "parts_of_tiles",
        "sums_start_from_loaded_values",
    ],
)
def test_a_right_accumulator_is_no_finding(case: str) -> None:
    assert codes(run_case("memory", case)) == []
