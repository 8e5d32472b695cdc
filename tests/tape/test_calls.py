"""Every call on a tape issues the instructions that it issues in a compiled program."""

from __future__ import annotations

import pytest

from gen.sim.trace import diff, text
from tests.tape.both import GROUPS, both


@pytest.mark.parametrize("dtype", GROUPS)
def test_calls_do_on_a_tape_what_they_do_in_a_program(dtype: str) -> None:
    program, tape = both(dtype)
    assert tape.run.unsupported is None
    assert program.run.unsupported is None
    differences = diff(program.trace, tape.trace)
    assert not differences, [text(op) for d in differences for op in (*d.left, *d.right)]
    pairs = zip(GROUPS[dtype], program.parts, tape.parts, strict=True)
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
