"""``gen diff`` shows the trees of one spec side by side."""

from __future__ import annotations

import json


def test_all_trees_in_a_wide_terminal(gen):
    result = gen("diff", "specs/add.yaml", COLUMNS="180")
    assert result.status == 0
    for title in ("A tree", "M tree", "Ascend C"):
        assert title in result.out
    assert "\x1b" not in result.out


def test_two_trees_in_a_narrow_terminal_and_a_note(gen):
    result = gen("diff", "specs/add.yaml", COLUMNS="100")
    assert "M tree" not in result.out
    assert "M tree is hidden" in result.err


def test_the_trees_that_were_asked_for(gen):
    result = gen("diff", "specs/add.yaml", "--tree", "m_tree", COLUMNS="100")
    assert "M tree" in result.out
    assert "Ascend C" not in result.out
    assert result.err == ""


def test_steps_as_json(gen):
    said = json.loads(gen("diff", "specs/add.yaml", "--json").out)
    steps = {step["step"]: step["trees"] for step in said["steps"]}
    assert set(steps["load"]) == {"a_tree", "m_tree", "ascendc"}


def test_a_wrong_spec_is_told(gen, tmp_path):
    assert gen("diff", tmp_path / "missing.yaml").status == 2
