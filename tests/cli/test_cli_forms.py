"""Forms of one spec, through every command: who synchronises is the only difference."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from gen.compile.a_tree.toolchain import status
from gen.compile.m_tree import installed

needs_m = pytest.mark.skipif(bool(installed.missing()), reason="needs tilelang")
needs_a = pytest.mark.skipif(status().toolchain is None, reason="needs the A tree's compiler")

PLAIN = """\
kind: elementwise
name: small
shape: [100003]
inputs: {x: float16, y: float16}
output: {z: float16}
body: x + y
tile: 128
"""
FORMS = "sync: manual\na_tree: {auto_sync: true, memory_planning: true}\n"
ALL = ["a_tree", "a_tree_auto", "m_tree", "m_tree_manual", "ascendc"]


@pytest.fixture
def spec(tmp_path):
    path = tmp_path / "small.yaml"
    path.write_text(PLAIN + FORMS)
    return path


def test_render_writes_each_form_beside_its_tree(gen, spec, tmp_path):
    out = tmp_path / "out"
    assert gen("render", spec, "--out", out).status == 0
    texts = {p.stem: p.read_text() for p in (out / "small").glob("*.py")}
    assert set(texts) == set(ALL) - {"ascendc"}
    assert "T.set_flag" in texts["a_tree"]
    assert "flag(" not in texts["a_tree_auto"] + texts["m_tree"]
    assert "T.pipe_barrier" not in texts["a_tree_auto"]
    assert "TL_ASCEND_AUTO_SYNC: True" in texts["a_tree_auto"]
    assert "TL_ASCEND_MEMORY_PLANNING: True" in texts["a_tree_auto"]
    assert "T.ascend_set_flag" in texts["m_tree_manual"]
    assert "TL_ENABLE_AUTO_SCHEDULE: False" in texts["m_tree_manual"]
    assert gen("render", spec, "--out", out, "--check").status == 0


def test_what_is_not_asked_for_any_more_is_removed(gen, spec, tmp_path):
    out = tmp_path / "out"
    gen("render", spec, "--out", out)
    spec.write_text(PLAIN)
    checked = gen("render", spec, "--out", out, "--check")
    assert checked.status == 1
    stale = {p.split("/")[-1] for p in re.findall(r"stale +(\S+)", checked.out)}
    assert stale == {"a_tree_auto.py", "m_tree_manual.py"}
    gen("render", spec, "--out", out, "-t", "m_tree")  # says nothing of the others
    assert (out / "small/m_tree_manual.py").exists()
    gen("render", spec, "--out", out)
    assert {p.name for p in (out / "small").glob("*.py")} == {"a_tree.py", "m_tree.py"}


def test_only_one_form(gen, spec, tmp_path):
    listed = gen("render", spec, "--out", tmp_path, "-t", "m_tree_manual", "--list", "--json")
    (rendering,) = json.loads(listed.out)["renderings"]
    assert [Path(f["path"]).name for f in rendering["files"]] == ["m_tree_manual.py"]


@pytest.mark.parametrize(
    ("command", "form", "help"),
    [
        (["render"], "m_tree_manual", "write `sync: manual` in it"),
        (["render"], "a_tree_auto", "write `a_tree: {auto_sync: true}` in it"),
        (["check"], "m_tree_manual", "write `sync: manual` in it"),
        (["diff"], "a_tree_auto", "write `a_tree: {auto_sync: true}` in it"),
        (["break"], "m_tree_manual", "write `sync: manual` in it"),
        (["break", "--list"], "m_tree_manual", "write `sync: manual` in it"),
        (["lower"], "a_tree_auto", "write `a_tree: {auto_sync: true}` in it"),
    ],
)
def test_a_form_that_the_spec_does_not_ask_for(gen, spec, tmp_path, command, form, help):
    spec.write_text(PLAIN)
    out = ["--out", tmp_path / "out"] if command == ["render"] else []
    for _ in range(2):  # the second time the rendering is remembered
        result = gen(*command, spec, "--tree", form, *out)
        assert result.status == 2
        assert result.out == ""
        assert f"error[E204]: the spec does not ask for {form}" in result.err
        assert f"help: {help}" in result.err
    assert not (tmp_path / "out").exists()


@needs_m
@needs_a
def test_all_of_them_are_judged_and_compared(gen, spec):
    result = gen("check", spec, "--json")
    assert result.status == 0, result.out
    (verdict,) = json.loads(result.out)["verdicts"]
    assert [t["tree"] for t in verdict["trees"]] == ALL
    assert {t["level"] for t in verdict["trees"]} == {"simulated"}
    assert len(verdict["pairs"]) == 10
    shown = gen("check", spec).out
    assert "A tree, auto" in shown
    assert "M tree, manual" in shown
    assert "the 5 outputs agree bit for bit" in shown


@needs_m
def test_an_edited_form_is_judged_as_it_stands_there(gen, spec, tmp_path):
    out = tmp_path / "out"
    gen("render", spec, "--out", out)
    kernel = out / "small/m_tree_manual.py"
    line = '                T.ascend_wait_flag("MTE2_V", slot)\n'
    assert line in kernel.read_text()
    kernel.write_text(kernel.read_text().replace(line, ""))
    result = gen("check", spec, "--source", out, "-t", "m_tree_manual", "-t", "m_tree")
    assert result.status == 1
    assert re.search(r"M tree, manual: .*error\[race-raw\]", result.out)
    assert f"{kernel}:" in result.out
    assert 'T.ascend_wait_flag("MTE2_V", slot)' in result.out  # what to write


@needs_m
def test_break_one_of_its_flags(gen, spec):
    result = gen("break", spec, "--tree", "m_tree_manual")
    assert result.status == 0
    assert "M tree, manual: mutant" in result.out
    assert "T.ascend_" in result.out
    assert "error[" in result.out
    listed = json.loads(gen("break", spec, "--tree", "m_tree_manual", "--list", "--json").out)
    assert listed["tree"] == "m_tree_manual"
    assert listed["mutants"]


def test_diff_shows_as_many_as_there_is_room_for(gen, spec):
    titles = ("A tree, auto", "M tree, manual")
    wide, narrow = (gen("diff", spec, COLUMNS=c) for c in ("240", "140"))
    assert all(t in wide.out for t in titles)
    assert wide.err == ""
    assert not any(t in narrow.out for t in titles)
    assert "A tree, auto and M tree, manual are hidden" in narrow.err
    chosen = gen("diff", spec, "-t", "m_tree", "-t", "m_tree_manual", COLUMNS="100")
    assert "M tree, manual" in chosen.out
    assert "Ascend C" not in chosen.out
    steps = json.loads(gen("diff", spec, "--json").out)["steps"]
    loads = {s["step"]: set(s["trees"]) for s in steps}["load"]
    assert loads == set(ALL)


@needs_a
def test_lower_shows_what_the_compiler_put_into_the_automatic_form(gen, spec):
    result = gen("lower", spec, "--tree", "a_tree_auto")
    assert result.status == 0
    assert re.search(r"\+ marks what the compiler inserted: .*barriers", result.out)
    assert "renderings/small/a_tree_auto.py:" in result.out


@needs_m
def test_lower_shows_that_nothing_was_put_into_the_manual_form(gen, spec):
    result = gen("lower", spec, "--tree", "m_tree_manual")
    assert result.status == 0
    assert "the compiler inserted no synchronisation" in result.out
    assert "asc_sync_notify" in result.out
