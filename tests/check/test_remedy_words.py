"""The fields of a remedy become what a specialist of each tree would write there."""

from __future__ import annotations

import pytest

from gen.check.places import Place
from gen.check.remedy import Kernel, Remedy, remedy_of
from gen.sim import Finding

ARCH = {"a_tree": "dav-2201", "m_tree": "dav-3510", "ascendc": "dav-2201"}
BLANK = {"a_tree": "", "m_tree": "T.ascend_set_flag", "ascendc": ""}


def at(line: int, text: str = "", origin: Place | None = None) -> Place:
    return Place("kernel", line, text, None, origin)


def words(
    tree: str,
    fix: dict[str, object] | None,
    text: str = "",
    first: Place | None = None,
    second: Place | None = None,
    remedy: str = "",
) -> Remedy | None:
    """The remedy of a finding with these fields; an M-tree kernel writes its flags by hand."""
    manual = "# enable_auto_schedule\n" if tree == "m_tree" else ""
    finding = Finding(
        "race-raw", "error", "it happens", "UB", (0, 4), "", 1, "", None, None, remedy, fix
    )
    return remedy_of(finding, Kernel(tree, text + manual, ARCH[tree]), first, second)


def edge(source: str, target: str) -> dict[str, object]:
    return {"kind": "edge", "from": source, "to": target, "core": "AIV0"}


@pytest.mark.parametrize(
    ("tree", "setting", "waiting"),
    [
        (
            "ascendc",
            "SetFlag<HardEvent::MTE2_V>(EVENT_ID0);",
            "WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);",
        ),
        ("a_tree", 'T.set_flag("mte2", "v", 1)', 'T.wait_flag("mte2", "v", 1)'),
        ("m_tree", 'T.ascend_set_flag("MTE2_V", 0)', 'T.ascend_wait_flag("MTE2_V", 0)'),
    ],
)
def test_a_missing_edge_is_a_set_and_a_wait(tree: str, setting: str, waiting: str) -> None:
    found = words(tree, edge("MTE2", "V"), first=at(3), second=at(5))
    assert found is not None
    assert found.text == f"write `{setting}` after line 3 and `{waiting}` before line 5."
    assert [(line.code, line.at) for line in found.lines] == [
        (setting, "after line 3"),
        (waiting, "before line 5"),
    ]


def test_ascend_c_is_qualified_where_the_kernel_qualifies_it() -> None:
    text = "AscendC::DataCopy(a, b, 8);"
    found = words("ascendc", edge("V", "MTE3"), text, at(3), at(5))
    assert found is not None
    assert "`AscendC::SetFlag<AscendC::HardEvent::V_MTE3>(EVENT_ID0);`" in found.text


def test_an_id_is_proposed_that_the_pair_does_not_use() -> None:
    text = 'T.set_flag("mte2", "v", 1)\nT.wait_flag("mte2", "v", 1)\n\nT.copy(a, b)\nT.tile.exp(b, b)\n'
    found = words("a_tree", edge("MTE2", "V"), text, at(4), at(5))
    assert found is not None
    assert 'T.set_flag("mte2", "v", 2)' in found.text
    other = words("a_tree", edge("V", "MTE3"), text, at(4), at(5))
    assert other is not None
    assert 'T.set_flag("v", "mte3", 1)' in other.text


def test_a_new_flag_goes_round_with_the_buffers_as_its_neighbours_do() -> None:
    text = (
        'T.copy(a, b)\nT.set_flag("v", "mte2", slot + 1)\nT.wait_flag("v", "mte2", slot + 1)\nuse\n'
    )
    found = words("a_tree", edge("MTE2", "V"), text, at(1), at(4))
    assert found is not None
    assert 'T.set_flag("mte2", "v", slot + 1)' in found.text


def test_a_set_that_lost_its_wait_gets_it_back() -> None:
    text = 'T.copy(a, b)\nT.set_flag("mte2", "v", s % 2)\nuse\n'
    found = words("a_tree", edge("MTE2", "V"), text, at(1), at(3))
    assert found is not None
    assert [line.code for line in found.lines] == ['T.wait_flag("mte2", "v", s % 2)']
    assert found.text.startswith("the flag that line 2 sets is waited for nowhere: write ")


def test_a_flag_of_a_loop_that_lost_its_wait_gets_it_back_where_the_first_round_can_pass() -> None:
    ring = (
        "for s:\n    SetFlag<HardEvent::V_MTE2>(s);\n"
        "for i:\n    DataCopy(a);\n    Exp(a);\n    SetFlag<HardEvent::V_MTE2>(s);\n"
        "for s:\n    WaitFlag<HardEvent::V_MTE2>(s);\n"
    )
    found = words("ascendc", edge("V", "MTE2"), ring, first=at(5), second=at(4))
    assert found is not None
    assert [(line.code, line.at) for line in found.lines] == [
        ("WaitFlag<HardEvent::V_MTE2>(s);", "before line 4")
    ]
    unprimed = 'copy(a)\nstore(a)\nT.set_flag("mte3", "mte2", 1)\n'
    found = words("a_tree", edge("MTE3", "MTE2"), unprimed, first=at(2), second=at(1))
    assert found is not None
    assert [(line.code, line.at) for line in found.lines] == [
        ('T.wait_flag("mte3", "mte2", 1)', "after line 3")
    ]


def test_an_edge_from_one_round_to_the_next_stands_at_its_end() -> None:
    found = words("ascendc", edge("MTE3", "MTE2"), first=at(9), second=at(4))
    assert found is not None
    assert [line.at for line in found.lines] == ["after line 9", "after that"]
    assert "set the flag once before the loop" in found.text


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("copy\nexp\n", ["after line 1", "before line 2"]),
        ("copy\nfor i:\n    exp\n", ["after line 1", "after that"]),
        ("for i:\n    copy\nexp\n", ["before line 3", "after that"]),
        ("if a:\n    copy\nif b:\n    exp\n", ["before line 4", "after that"]),
    ],
)
def test_a_set_is_executed_as_often_as_its_wait(text: str, where: list[str]) -> None:
    lines = text.split("\n")
    places = [at(n) for n, line in enumerate(lines, 1) if line.strip() in ("copy", "exp")]
    found = words("a_tree", edge("MTE2", "V"), text, *places)
    assert found is not None
    assert [line.at for line in found.lines] == where


MANY_LINES = """\
# enable_auto_schedule
def f():
    with T.SimtVF(threads=32):
        for i in T.Parallel(64):
            b[i] = a[i]
    T.copy(
        b,
        y[0],
    )
    T.copy(x[0], b)
"""


def test_a_call_or_a_vector_function_of_several_lines_is_one_place() -> None:
    found = words("m_tree", edge("V", "MTE3"), MANY_LINES, at(5), at(7))
    assert found is not None
    assert [line.at for line in found.lines] == [
        "behind the block that ends with line 5",
        "before line 6",
    ]
    after = words("m_tree", edge("MTE3", "MTE2"), MANY_LINES, at(6), at(10))
    assert after is not None
    assert [line.at for line in after.lines] == ["after line 9", "before line 10"]
    call = "DataCopy(x, xGm,\n         64);\nAdd(y, x,\n    x, 64);\n"
    cpp = words("ascendc", edge("MTE2", "V"), call, at(1), at(3))
    assert cpp is not None
    assert [line.at for line in cpp.lines] == ["after line 2", "before line 3"]


def test_an_expression_of_another_loop_is_no_id_here() -> None:
    text = (
        "for s in T.serial(2):\n"
        "    load\n"
        '    T.set_flag("v", "mte2", s)\n'
        '    T.wait_flag("v", "mte2", s)\n'
        "use\n"
    )
    found = words("a_tree", edge("MTE2", "V"), text, at(2), at(5))
    assert found is not None
    assert [line.code for line in found.lines] == [
        'T.set_flag("mte2", "v", 1)',
        'T.wait_flag("mte2", "v", 1)',
    ]


QUEUE = """\
LocalTensor<half> tile = inQueue.AllocTensor<half>();
DataCopy(tile, xGm, 64);
Exp(out, tile, 64);
"""


def test_a_tensor_of_a_queue_is_enqueued_and_dequeued() -> None:
    found = words("ascendc", edge("MTE2", "V"), QUEUE, at(2), at(3))
    assert found is not None
    assert [(line.code, line.at) for line in found.lines] == [
        ("inQueue.EnQue(tile);", "after line 2"),
        ("tile = inQueue.DeQue<half>();", "before line 3"),
    ]


def test_a_tensor_is_declared_again_in_another_function() -> None:
    load, compute = QUEUE.split("Exp")
    text = f"void CopyIn()\n{{\n{load}}}\nvoid Compute()\n{{\nExp{compute}}}\n"
    found = words("ascendc", edge("MTE2", "V"), text, at(4), at(8))
    assert found is not None
    assert found.lines[1].code == "LocalTensor<half> tile = inQueue.DeQue<half>();"


def test_a_tensor_that_is_freed_before_its_last_use_is_freed_after_it() -> None:
    text = (
        "LocalTensor<half> t = q.DeQue<half>();\nq.FreeTensor(t);\nExp(out, t, 64);\nDataCopy();\n"
    )
    found = words("ascendc", edge("V", "MTE2"), text, at(3), at(4))
    assert found is not None
    assert found.text == "move `q.FreeTensor(t);` from line 2 behind line 3."
    assert [line.at for line in found.lines] == ["take out line 2", "after line 3"]


@pytest.mark.parametrize(
    ("tree", "fix", "code"),
    [
        ("ascendc", {"kind": "barrier", "pipe": "V"}, "PipeBarrier<PIPE_V>();"),
        ("a_tree", {"kind": "barrier", "pipe": "MTE2"}, 'T.pipe_barrier("mte2")'),
        ("m_tree", {"kind": "barrier", "pipe": "MTE2"}, 'T.ascend_pipe_barrier("PIPE_MTE2")'),
        ("ascendc", {"kind": "sync_all", "cores": "AIV"}, "SyncAll<true>();"),
        ("a_tree", {"kind": "sync_all", "cores": "all"}, "T.sync_all()"),
        ("ascendc", {"kind": "unlock", "pipe": "V", "id": 3}, "Mutex::Unlock<PIPE_V>(3);"),
        ("m_tree", {"kind": "unlock", "pipe": "V", "id": 3}, 'T.ascend_rls_buf("PIPE_V", 3)'),
    ],
)
def test_what_stands_before_the_second_place(tree: str, fix: dict[str, object], code: str) -> None:
    found = words(tree, fix, first=at(3), second=at(5))
    assert found is not None
    assert found.text == f"write `{code}` before line 5."


@pytest.mark.parametrize(
    ("tree", "setting", "waiting"),
    [
        ("ascendc", "CrossCoreSetFlag<2, PIPE_FIX>(0);", "CrossCoreWaitFlag(0);"),
        ("a_tree", 'T.set_cross_flag("FIX", 0)', "T.wait_cross_flag(0)"),
        (
            "m_tree",
            'T.ascend_cross_core_set_flag(4, "PIPE_FIX", 0)',
            'T.ascend_cross_core_wait_flag(4, "PIPE_MTE2", 0)',
        ),
    ],
)
def test_an_edge_between_cores_is_a_cross_core_flag(tree: str, setting: str, waiting: str) -> None:
    fix = {"kind": "cross", "from": "FIX", "from_core": "AIC", "to": "MTE2", "to_core": "AIV1"}
    found = words(tree, {**fix, "mode": 2}, first=at(3), second=at(5))
    assert found is not None
    second = [(setting.replace(" 0)", " 16)"), "on the AIC after line 3")]
    assert [(line.code, line.at) for line in found.lines] == [
        (setting, "on the AIC after line 3"),
        *(second if tree == "m_tree" else []),
        (waiting, "on the AIV before line 5"),
    ]


def test_a_slot_is_given_back_before_it_is_filled_again() -> None:
    fix = {"kind": "cross", "from": "MTE2", "from_core": "AIV0", "to": "FIX", "to_core": "AIC"}
    found = words("ascendc", {**fix, "mode": 2}, first=at(9), second=at(4))
    assert found is not None
    setting, waiting = "`CrossCoreSetFlag<2, PIPE_MTE2>(0);`", "`CrossCoreWaitFlag(0);`"
    assert found.text == (
        f"write {setting} on the AIV after line 9, {waiting} on the AIC before line 4, "
        f"{setting} on the AIV once for each slot before its first round, "
        f"and {waiting} on the AIC as often at its end."
    )


def test_a_cross_core_flag_that_nobody_names_is_proposed() -> None:
    fix = {"kind": "cross", "from": "V", "from_core": "AIV0", "to": "FIX", "to_core": "AIC"}
    text = "CrossCoreSetFlag<2, PIPE_FIX>(0);\nCrossCoreWaitFlag(0);\n"
    found = words("ascendc", {**fix, "mode": 2}, text, at(3), at(5))
    assert found is not None
    assert "CrossCoreSetFlag<2, PIPE_V>(1);" in found.text


def test_a_producer_that_runs_ahead_waits_for_an_answer() -> None:
    fix = {"kind": "cross", "from": "S", "from_core": "AIV1", "to": "FIX", "to_core": "AIC"}
    text = "CrossCoreSetFlag<2, PIPE_FIX>(0);\n"
    found = words("ascendc", {**fix, "mode": 2}, text, at(1))
    assert found is not None
    assert [(line.code, line.at) for line in found.lines] == [
        (
            "CrossCoreSetFlag<2, PIPE_MTE2>(1);",
            "on the AIV when it has read what the flag announced",
        ),
        ("CrossCoreWaitFlag(1);", "on the AIC before it sets the flag again"),
    ]


def test_blocks_of_the_m_tree_arrive_and_wait() -> None:
    finding = Finding(
        *("race-raw", "error", "m", "GM", (0, 4), "block MTE3→block MTE2", 1, "", None, None),
        "",
        {"kind": "sync_all", "cores": "AIV"},
    )
    kernel = Kernel("m_tree", "MANUAL = {PassConfigKey.TL_ENABLE_AUTO_SCHEDULE: False}", "dav-3510")
    found = remedy_of(finding, kernel, at(3), at(5))
    assert found is not None
    assert [(line.code, line.at) for line in found.lines] == [
        ('T.ascend_sync_inter_arrive("PIPE_MTE3", 0)', "after line 3"),
        ('T.ascend_sync_inter_wait("PIPE_MTE2", 0)', "before line 5"),
    ]


def flag(kind: str, **more: object) -> dict[str, object]:
    return {"kind": kind, "from": "MTE2", "to": "V", "id": 1, "core": "AIV0", **more}


def test_flags_that_do_not_balance() -> None:
    text = 'T.set_flag("mte2", "v", s)\nT.wait_flag("mte2", "v", s)\n'
    again = words("a_tree", flag("wait"), text, at(1), at(1))
    left = words("a_tree", flag("wait"), text, at(1))
    missing = words("a_tree", flag("set"), text, at(2))
    circle = words("a_tree", flag("prime"), text, at(2))
    assert again is not None
    assert left is not None
    assert missing is not None
    assert circle is not None
    wait, setting = '`T.wait_flag("mte2", "v", s)`', '`T.set_flag("mte2", "v", s)`'
    assert again.text == f"write {wait} before line 1, or use one id for each buffer."
    assert (
        left.text
        == f"write {wait} at the end of the kernel for each buffer, or leave the last set out."
    )
    assert missing.text == f"write {setting} before line 2, or take line 2 out."
    each = "for each buffer"
    assert (
        circle.text == f"write {setting} before the loop {each} and {wait} after the loop {each}."
    )


def test_a_wait_for_another_id_waits_for_the_one_that_is_set() -> None:
    text = "SetFlag<HardEvent::MTE2_V>(EVENT_ID0);\nWaitFlag<HardEvent::MTE2_V>(EVENT_ID1);\n"
    found = words("ascendc", flag("set"), text, at(2))
    assert found is not None
    wanted = "`WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);`"
    assert found.text == f"line 1 sets another id: write {wanted} in line 2."


def test_a_cross_core_set_that_is_missing() -> None:
    fix = {"kind": "cross_set", "core": "AIC", "to_core": "AIV0", "mode": 2, "id": 3}
    found = words("ascendc", fix, "", at(9))
    assert found is not None
    assert found.text == (
        "write `CrossCoreSetFlag<2, PIPE_FIX>(3);` once more on the AIC, or take line 9 out."
    )


@pytest.mark.parametrize(
    ("id", "text"),
    [
        (3, "line 1 sets another id: write `CrossCoreWaitFlag(3);` in line 2."),
        (2, "let every core that has to tell it come to line 1 as often as this is waited for"),
    ],
)
def test_a_cross_core_set_of_another_id_or_of_too_few_cores(id: int, text: str) -> None:
    kernel = f"CrossCoreSetFlag<0, PIPE_MTE3>({id});\nCrossCoreWaitFlag(2);\n"
    fix = {"kind": "cross_set", "core": "AIV0", "to_core": "AIV0", "mode": 0, "id": 2}
    found = words("ascendc", fix, kernel, at(2, "    CrossCoreWaitFlag(2);"))
    assert found is not None
    assert found.text.startswith(text)


def test_ids_conditions_and_what_can_go() -> None:
    other = words("ascendc", flag("other_id", ids=8), "", at(4))
    gone = words("ascendc", {"kind": "remove", "pipe": "V"}, "", at(4, "  PipeBarrier<PIPE_V>();"))
    start = words("a_tree", {"kind": "init", "value": True}, "", at(4))
    keep = words("ascendc", {"kind": "init", "value": False}, "", at(4))
    assert other is not None
    assert gone is not None
    assert start is not None
    assert keep is not None
    assert other.text == "use an id of 0 to 7, in the set and in its wait: `EVENT_ID0` is free."
    assert gone.text == "take out line 4."
    assert gone.lines[0].code == "PipeBarrier<PIPE_V>();"
    assert start.text == "write `init=True` at line 4 in the first step of the sum."
    assert keep.text.startswith("write `cmatrixInitVal = false` at line 4")


def test_synchronisation_that_the_compiler_writes_is_named_in_its_output() -> None:
    """An M-tree kernel without flags of its own: the emitted line, and what its user can do."""
    finding = Finding(
        "race-raw", "error", "m", "UB", (0, 4), "", 1, "", None, None, "", edge("MTE2", "V")
    )
    kernel = Kernel("m_tree", "T.copy(x[0], x_ub)\n", "dav-3510")
    found = remedy_of(finding, kernel, at(30, origin=at(1)), at(34))
    assert found is not None
    assert "`asc_sync_notify(PIPE_MTE2, PIPE_V, 0);` after line 30" in found.text
    assert "`asc_sync_wait(PIPE_MTE2, PIPE_V, 0);` before line 34" in found.text
    assert "synchronisation of line 1 itself" in found.text
    assert '"tl.enable_auto_schedule": False' in found.text


def test_without_fields_the_model_s_sentence_stands() -> None:
    assert words("a_tree", None, remedy="shorten the access") == Remedy("shorten the access.")
    assert words("a_tree", {"kind": "order"}, remedy="reorder") == Remedy("reorder.")
    assert words("a_tree", None) is None


def test_a_ring_whose_flag_is_set_nowhere() -> None:
    text = """\
for i in T.serial(8):
    T.wait_flag("v", "mte2", slot + 1)
    T.copy(x[i], a)
for s in T.serial(2):
    T.wait_flag("v", "mte2", s + 1)
"""
    fix = {"kind": "set", "from": "V", "to": "MTE2", "core": "AIV0", "id": 1}
    found = words("a_tree", fix, text, first=at(5), second=at(2))
    assert found is not None
    assert found.text == (
        'no line sets V→MTE2: write `T.set_flag("v", "mte2", slot + 1)` in the loop behind the last instruction of V that '
        'uses what line 2 guards and `T.set_flag("v", "mte2", slot + 1)` before the loop for each buffer.'
    )
