"""What a finding says to write is the tree's own spelling, and with it the kernel is clean."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gen.check.faults import faults_in
from gen.check.remedy import Write
from gen.check.verdict import Fault
from gen.compile import a_tree, m_tree
from gen.compile.base import DeviceProgram
from gen.rules import Fragment, page
from gen.sim import Run
from tests.face_ascendc.harness import said
from tests.rules import ascendc_fragments, tilelang_fragments

CODES = ("race-raw", "race-war", "race-waw", "flag-left-set", "circular-wait")
"""Rules whose remedy is lines to write, and whose example lacks nothing else."""


def examples(tree: str) -> pytest.MarkDecorator:
    found = [(c, f) for c in CODES for f in page(c).example_code if f.tree == tree]
    return pytest.mark.parametrize(("code", "fragment"), found, ids=[c for c, _ in found])


def fault_of(code: str, run: Run, program: DeviceProgram, text: str) -> Fault:
    found = [f for f in faults_in(run, program, "kernel", text) if f.code == code]
    assert len(found) == 1, said(run)
    return found[0]


def mended(fragment: Fragment, written: str, fault: Fault) -> Fragment:
    """`fragment` with the lines of the remedy; `written` is the source that it stands in, indented or not."""
    assert fault.remedy is not None
    lines = fragment.text.split("\n")
    above = [line.strip() for line in written.split("\n")].index(lines[0].strip())
    inserts: list[tuple[int, str]] = []
    for line in fault.remedy.lines:
        beside, at = place_of(line, above, lines, inserts)
        inserts.append((at, beside[: len(beside) - len(beside.lstrip())] + line.code))
    while inserts:  # from below, and of two at one place the second first
        last = max(range(len(inserts)), key=lambda i: (inserts[i][0], i))
        lines.insert(*inserts.pop(last))
    return replace(fragment, text="\n".join(lines))


def place_of(
    line: Write, above: int, lines: list[str], earlier: list[tuple[int, str]]
) -> tuple[str, int]:
    """The line of the fragment beside which the new one goes, and the index that it gets."""
    if line.place is not None:
        own = (line.place.origin or line.place).line - 1 - above
        return lines[own], own + 1 if line.where == "after" else own
    if line.where == "after that":
        at, code = earlier[-1]
        return code, at
    return lines[0], 0 if line.where == "before the loop" else len(lines)


@examples("ascendc")
def test_the_remedy_mends_ascend_c(code: str, fragment: Fragment) -> None:
    broken = ascendc_fragments.alone(fragment)
    fault = fault_of(code, broken.verdict(fragment), broken.program(), broken.source())
    right = mended(fragment, broken.source(), fault)
    done = ascendc_fragments.alone(right).verdict(right)
    assert done.clean, f"{right.text}\n{said(done)}"


@examples("a_tree")
def test_the_remedy_mends_the_a_tree(code: str, fragment: Fragment, worker: a_tree.Worker) -> None:
    program = tilelang_fragments.a_program(fragment, worker)
    text = tilelang_fragments.a_text(fragment)
    fault = fault_of(code, tilelang_fragments.verdict(fragment, program), program, text)
    right = mended(fragment, text, fault)
    done = tilelang_fragments.verdict(right, tilelang_fragments.a_program(right, worker))
    assert done.clean, f"{right.text}\n{said(done)}"


@examples("m_tree")
def test_the_remedy_mends_the_m_tree(
    code: str, fragment: Fragment, session: m_tree.Session
) -> None:
    program = tilelang_fragments.m_program(fragment, session)
    text = tilelang_fragments.m_text(fragment)
    fault = fault_of(code, tilelang_fragments.verdict(fragment, program), program, text)
    right = mended(fragment, text, fault)
    done = tilelang_fragments.verdict(right, tilelang_fragments.m_program(right, session))
    assert done.clean, f"{right.text}\n{said(done)}"
