"""`gen break`: one statement goes wrong, and what the model says to that."""

from __future__ import annotations

import json

import pytest

ADD = """
kind: elementwise
name: broken_add
shape: [100003]
inputs: {x: float16, y: float16}
output: {z: float16}
body: x + y
tile: 128
"""


@pytest.fixture
def add(tmp_path):
    path = tmp_path / "broken_add.yaml"
    path.write_text(ADD)
    return path


def test_shows_the_line_and_the_finding(gen, add):
    result = gen("break", add, "--tree", "ascendc", "--operator", "delete")
    assert result.status == 0, result.err
    assert "Ascend C: mutant" in result.out
    assert "- " in result.out
    assert "error[" in result.out


def test_a_race_comes_with_the_numbers_that_go_wrong(gen, add):
    result = gen("break", add, "--tree", "a_tree", "--json")
    said = json.loads(result.out)
    assert said["fate"] == "killed"
    assert said["mutant"]["operator"] == "delete"
    races = [f for f in said["findings"] if f["code"].startswith("race-")]
    assert any(f["witness"] for f in races)


def test_one_mutant_by_its_number(gen, add):
    listed = json.loads(gen("break", add, "--tree", "ascendc", "--list", "--json").out)["mutants"]
    assert [m["number"] for m in listed] == list(range(1, len(listed) + 1))
    last = listed[-1]
    said = json.loads(
        gen("break", add, "--tree", "ascendc", "--number", str(last["number"]), "--json").out
    )
    assert said["mutant"] == last


def test_what_is_not_there_is_told(gen, add, tmp_path):
    unknown = gen("break", add, "--tree", "ascendc", "--number", "4711")
    assert unknown.status == 2
    assert "E603" in unknown.err
    assert "`delete`" in unknown.err
    assert gen("break", tmp_path / "missing.yaml").status == 2


def test_without_a_compiler(gen, add):
    result = gen("break", add, "--tree", "ascendc", CXX="/nowhere/g++")
    assert result.status == 2
    assert "E401" in result.err
    assert "Traceback" not in result.err
