"""Every call on a tape issues the instructions that it issues in a compiled program."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gen.compile.a_tree.toolchain import status
from gen.sim.build import NATIVE
from gen.sim.trace import diff, text
from tests.tape.both import GROUPS, GROUPS_950, Chip, both, groups


@pytest.mark.parametrize(
    ("chip", "dtype"), [*(("2201", t) for t in GROUPS), *(("3510", t) for t in GROUPS_950)]
)
def test_calls_do_on_a_tape_what_they_do_in_a_program(chip: Chip, dtype: str) -> None:
    program, tape = both(dtype, chip)
    assert tape.run.unsupported is None
    assert program.run.unsupported is None
    differences = diff(program.trace, tape.trace)
    assert not differences, [text(op) for d in differences for op in (*d.left, *d.right)]
    pairs = zip(groups(chip)[dtype], program.parts, tape.parts, strict=True)
    assert [case.name for case, left, right in pairs if left != right] == []
    assert tape.run.cycles == program.run.cycles
    assert tape.run.counts == program.run.counts
    assert tape.run.stdout == program.run.stdout
    assert [(f.code, f.message) for f in tape.run.findings] == [
        (f.code, f.message) for f in program.run.findings
    ]


def test_the_cases_store_something_of_their_own() -> None:
    """Otherwise equal outputs would say nothing."""
    program, _ = both("float32")
    vector = [
        part for case, part in zip(GROUPS["float32"], program.parts, strict=True) if case.framed
    ]
    assert len(set(vector)) > len(vector) // 2


def played() -> set[str]:
    """The names in the tables of the player."""
    text = "".join(path.read_text("utf-8") for path in (NATIVE / "tape").glob("calls_*.cpp"))
    handled = re.findall(r'\{"([\w:]+)",\s*[^"\s]', text)
    return {*handled, *re.findall(r"^ +TAPE_\w+\((\w+)", text, re.MULTILINE)}


@pytest.mark.skipif(status().toolchain is None, reason="tilelang-ascend is not installed")
def test_the_player_knows_what_the_templates_call_as_far_as_the_model_does() -> None:
    toolchain = status().toolchain
    assert toolchain is not None
    templates = Path(toolchain.includes[0], "tl_templates", "ascend", "common.h")
    code = re.sub(r"//.*", "", templates.read_text("utf-8"))
    called = set(re.findall(r"AscendC::(\w+)(?:<[^;()]*>)?\(", code))
    assert len(called) > 20
    lacking = NATIVE / "include" / "ascendc" / "tensor_api" / "unmodelled.h"
    unmodelled = set(re.findall(r"^void (\w+)\(", lacking.read_text("utf-8"), re.MULTILINE))
    assert unmodelled
    assert called - unmodelled <= played()


def test_the_arguments_of_every_call_are_written_down() -> None:
    text = (NATIVE / "tape" / "calls.md").read_text("utf-8")
    assert played() <= set(re.findall(r"`([\w:]+)`", text))
