"""A trace holds every operation of every core, and can be read, printed, counted and compared."""

from __future__ import annotations

from pathlib import Path

import pytest
from sim_cases import program

from gen.sim import Profile, run_program
from gen.sim.trace import Trace, counts, diff, read_trace, text


def traced(
    case: str, folder: Path, file: str = "order", face: str = "core", **profile: object
) -> Trace:
    settings = Profile(**{"chip": "2201", "auto_sync": False, **profile})  # type: ignore[arg-type]
    place = folder / f"{case}.trace"
    run_program(program(file, face), argv=[case], profile=settings, timeout=60, trace=place)
    return read_trace(place)


def test_every_operation_has_a_line_in_the_order_of_the_program(tmp_path: Path) -> None:
    (launch,) = traced("row_loop_one_row", tmp_path).launches
    (ops,) = launch.cores().values()
    assert [op.index for op in ops] == list(range(len(ops)))
    kinds = [(op.kind, op.pipe, op.other) for op in ops]
    assert kinds[:3] == [
        ("instr", "MTE2", ""),
        ("set_flag", "MTE2", "V"),
        ("wait_flag", "V", "MTE2"),
    ]
    assert [op.ordinal for op in ops if op.is_data] == [0, 1, 2]
    assert all(op.ordinal == -1 for op in ops if not op.is_data)


def test_the_counts_are_those_of_the_report(tmp_path: Path) -> None:
    place = tmp_path / "trace"
    run = run_program(
        program("order"),
        argv=["four_slots_freed"],
        profile=Profile(auto_sync=False),
        timeout=60,
        trace=place,
    )
    data = [op for op in read_trace(place).operations if op.is_data]
    assert counts(data) == run.counts


def test_bytes_in_global_memory_count_from_the_start_of_their_tensor(tmp_path: Path) -> None:
    (launch,) = traced("blocks_apart", tmp_path, "memory").launches
    stores = [op for op in launch.operations if op.name == "Store"]
    assert {
        launch.tensors[t.tensor][0] for op in stores for t in op.touches if t.tensor is not None
    } == {"out"}
    starts = sorted(t.base for op in stores for t in op.touches if t.write)
    assert starts[0] == 0
    assert all(base < 65536 for base in starts)


@pytest.mark.parametrize(
    ("case", "chip", "kinds"),
    [
        ("mutex_both", "3510", {"mutex_lock", "mutex_unlock"}),
        ("sync_all_orders_blocks", "2201", {"sync_all", "set_flag", "wait_flag", "barrier_all"}),
        ("mode0_orders_blocks", "2201", {"cross_set", "cross_wait", "barrier_all"}),
    ],
)
def test_synchronisation_of_all_kinds_is_there(
    tmp_path: Path, case: str, chip: str, kinds: set[str]
) -> None:
    trace = traced(case, tmp_path, "cores", chip=chip)
    assert kinds <= {op.kind for op in trace.operations}


def test_what_a_vector_function_touches_is_there(tmp_path: Path) -> None:
    trace = traced("vf_ordered", tmp_path, "vector", "c_api", chip="3510")
    (function,) = [op for op in trace.operations if op.kind == "vector_function"]
    bytes_of = {t.write: (t.space, t.unit, t.base, t.end) for t in function.touches}
    assert bytes_of == {False: ("UB", "AIV0", 0, 4096), True: ("UB", "AIV0", 4096, 8192)}


def test_what_never_ran_is_pending(tmp_path: Path) -> None:
    operations = list(traced("ring_unprimed", tmp_path).operations)
    assert operations
    assert all(op.pending for op in operations)


def test_a_source_line_is_known_for_each_site(tmp_path: Path) -> None:
    trace = traced("row_loop_one_row", tmp_path)
    frames = trace.frames(program("order"))
    assert {op.site for op in trace.operations} <= set(frames)
    assert all(any(f.file.name == "order.cpp" for f in frames[s]) for s in frames)


def test_a_difference_names_what_only_one_of_two_programs_does(tmp_path: Path) -> None:
    (without,) = traced("branch_without_barrier", tmp_path).launches
    (with_it,) = traced("branch_with_barrier", tmp_path).launches
    assert diff(without, without) == []
    found = diff(without, with_it)
    assert found
    assert any(op.kind == "pipe_barrier" for d in found for op in d.right)
    assert not any(op.kind == "pipe_barrier" for d in found for op in d.left)


def test_an_operation_prints_as_one_line(tmp_path: Path) -> None:
    (launch,) = traced("row_loop_one_row", tmp_path).launches
    first, second, *_ = launch.operations
    assert text(first, launch.tensors) == "0 AIV0 MTE2 0..100 Load <in[0+1024] >UB[0+1024]"
    assert text(second) == "0 AIV0 MTE2 100..100 SetFlag MTE2→V id 0"


def test_a_file_that_is_no_trace_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x").write_text('{"block":0}\n')
    with pytest.raises(ValueError, match="x:1 is no line of a trace"):
        read_trace(tmp_path / "x")
    assert read_trace(tmp_path / "none").launches == ()
