"""Kernels that were changed by hand keep the steps of the lines that stayed."""

from __future__ import annotations

from pathlib import Path

import pytest

from gen.errors import GenError
from gen.plan import plan
from gen.render import edited, render, write
from gen.spec import load

ROOT = Path(__file__).parents[2]


def test_an_edited_file_replaces_the_rendering_and_its_steps_move_along(tmp_path: Path) -> None:
    rendering = render(plan(load(ROOT / "specs" / "add.yaml")))
    write(rendering, tmp_path)
    file = tmp_path / "add" / "a_tree.py"
    lines = file.read_text().splitlines(keepends=True)
    (store,) = [i for i, line in enumerate(lines) if "T.copy(z_ub" in line]
    (load_x,) = [i for i, line in enumerate(lines) if "T.copy(x[" in line]
    lines[load_x] += lines[load_x]
    del lines[store - 1]
    file.write_text("".join(lines))
    changed = edited(rendering, tmp_path, ("a_tree",)).kernel("a_tree")
    assert changed is not None
    assert changed.text == "".join(lines)
    assert changed.steps_at(load_x + 1)[-1] == "load"
    assert changed.steps_at(load_x + 2)[-1] == "load"
    assert changed.steps_at(store + 1)[-1] == "store"


def test_untouched_files_are_the_rendering(tmp_path: Path) -> None:
    rendering = render(plan(load(ROOT / "specs" / "add.yaml")))
    write(rendering, tmp_path)
    assert edited(rendering, tmp_path, ("a_tree", "m_tree", "ascendc")) == rendering


def test_every_missing_file_is_named_at_once(tmp_path: Path) -> None:
    rendering = render(plan(load(ROOT / "specs" / "add.yaml")))
    with pytest.raises(GenError) as caught:
        edited(rendering, tmp_path, ("a_tree", "m_tree"))
    assert [Path(d.path).name for d in caught.value.diagnostics] == ["a_tree.py", "m_tree.py"]
