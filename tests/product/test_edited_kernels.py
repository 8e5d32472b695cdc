"""A kernel that somebody broke is judged as it stands, and the verdict points at its lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from gen.check import Level, Options, Outcome, TreeVerdict, check
from gen.plan import Tree, plan
from gen.render import render, write
from gen.spec import load

from .conftest import a_tree_reason

ROOT = Path(__file__).parents[2]
needs_a_tree = pytest.mark.skipif(bool(a_tree_reason()), reason=a_tree_reason() or "installed")


def judged(folder: Path, tree: Tree, change: dict[str, str]) -> tuple[TreeVerdict, Path]:
    spec = load(ROOT / "specs" / "add.yaml")
    rendering = render(plan(spec))
    write(rendering, folder)
    kernel = rendering.kernel(tree)
    assert kernel is not None
    file = folder / spec.name / kernel.path
    text = file.read_text()
    for old, new in change.items():
        assert old in text
        text = text.replace(old, new, 1)
    file.write_text(text)
    verdict = check(spec, Options(trees=(tree,), source=folder))
    assert not verdict.clean
    return verdict.trees[0], file


@needs_a_tree
def test_a_removed_wait_is_found_at_its_python_lines(tmp_path: Path) -> None:
    wait = '                        T.wait_flag("mte2", "v", slot + 1)\n'
    tree, file = judged(tmp_path, Tree.A, {wait: ""})
    assert tree.outcome is Outcome.FINDINGS
    (race,) = [f for f in tree.faults if f.code == "race-raw"]
    assert race.edge == "MTE2→V"
    origins = [place.origin for place in race.places]
    assert [o.file for o in origins if o] == [str(file)] * 2
    assert [o.text.split("(")[0].strip() for o in origins if o] == ["T.copy", "T.tile.add"]
    assert [p.step for p in race.places] == ["load", "compute"]


def test_a_queue_that_is_bypassed_is_found(tmp_path: Path) -> None:
    change = {
        "inQueueX.EnQue(xLocal);": "",
        "inQueueX.DeQue<float>()": "inQueueX.AllocTensor<float>()",
    }
    tree, file = judged(tmp_path, Tree.ASCENDC, change)
    assert tree.outcome is Outcome.FINDINGS
    assert any(f.code.startswith("queue-") for f in tree.faults)
    assert all(p.file == str(file) for f in tree.faults for p in f.places)


def test_a_syntax_error_is_a_failure_at_its_line(tmp_path: Path) -> None:
    tree, file = judged(tmp_path, Tree.ASCENDC, {"op.Process();": "op.Process()"})
    assert tree.outcome is Outcome.FAILED
    assert tree.level is Level.RENDERED
    (diagnostic,) = tree.diagnostics
    assert diagnostic.path == str(file)
    assert diagnostic.line > 0


def test_a_tail_that_is_not_computed_has_wrong_values(tmp_path: Path) -> None:
    change = {
        "CopyOut(offset, length);": "if (length == tiling.tileLength) CopyOut(offset, length);"
    }
    tree, _ = judged(tmp_path, Tree.ASCENDC, change)
    assert tree.outcome is Outcome.FINDINGS
    assert tree.accuracy["z"].mismatch is not None


def test_nothing_that_was_not_run_is_clean(monkeypatch: pytest.MonkeyPatch) -> None:
    from gen.sim.toolchain import find_compiler

    monkeypatch.setenv("CXX", "no-such-compiler")
    find_compiler.cache_clear()
    try:
        verdict = check(load(ROOT / "specs" / "add.yaml"), Options(trees=(Tree.ASCENDC,)))
    finally:
        monkeypatch.undo()
        find_compiler.cache_clear()
    assert verdict.trees[0].outcome is Outcome.NOT_RUN
    assert "no-such-compiler" in verdict.trees[0].reason
    assert not verdict.clean
