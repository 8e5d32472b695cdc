"""Rendered files appear whole or not at all, and only where their bytes differ."""

from __future__ import annotations

from pathlib import Path

import pytest

from gen.errors import GenError
from gen.render import RenderedFile, Rendering, compare, write


def rendering(
    a: str = "a = 1\n", trees: tuple[str, ...] = ("a_tree", "m_tree", "ascendc")
) -> Rendering:
    files = {
        "a_tree": RenderedFile("a_tree", "a_tree.py", a),
        "m_tree": RenderedFile("m_tree", "m_tree.py", "m = 1\n"),
        "ascendc": RenderedFile("ascendc", "ascendc/op.asc", "int main() {}\n"),
    }
    refused = {tree: "cannot" for tree in files if tree not in trees}
    return Rendering("op", tuple(files[tree] for tree in trees), refused)


def states(found) -> dict[str, str]:
    return {state.path.name: state.state for state in found}


def test_files_go_below_the_folder_of_the_operator(tmp_path: Path):
    write(rendering(), tmp_path)
    assert (tmp_path / "op/a_tree.py").read_bytes() == b"a = 1\n"
    assert (tmp_path / "op/ascendc/op.asc").read_bytes() == b"int main() {}\n"
    assert len([path for path in tmp_path.rglob("*") if path.is_file()]) == 3


def test_an_unchanged_file_is_not_touched(tmp_path: Path):
    write(rendering(), tmp_path)
    before = (tmp_path / "op/m_tree.py").stat()
    assert states(write(rendering("a = 2\n"), tmp_path)) == {
        "a_tree.py": "changed",
        "m_tree.py": "unchanged",
        "op.asc": "unchanged",
    }
    after = (tmp_path / "op/m_tree.py").stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert (tmp_path / "op/a_tree.py").read_text() == "a = 2\n"


def test_comparing_touches_nothing(tmp_path: Path):
    assert set(states(compare(rendering(), tmp_path)).values()) == {"new"}
    assert list(tmp_path.iterdir()) == []
    write(rendering(), tmp_path)
    (tmp_path / "op/a_tree.py").write_bytes(b"a = 1")
    assert states(compare(rendering(), tmp_path))["a_tree.py"] == "changed"
    assert (tmp_path / "op/a_tree.py").read_bytes() == b"a = 1"


def test_the_kernel_of_a_tree_that_is_refused_now_does_not_stay(tmp_path: Path):
    write(rendering(), tmp_path)
    (tmp_path / "op/notes.txt").write_text("mine")
    found = write(rendering(trees=("m_tree", "ascendc")), tmp_path)
    assert states(found)["a_tree.py"] == "stale"
    assert not (tmp_path / "op/a_tree.py").exists()
    assert (tmp_path / "op/notes.txt").read_text() == "mine"


def test_a_failure_while_writing_leaves_the_old_files(tmp_path: Path):
    write(rendering(trees=("a_tree", "m_tree")), tmp_path)
    (tmp_path / "op/ascendc").write_text("a file where a folder should be")
    with pytest.raises(GenError) as caught:
        write(rendering("a = 2\n"), tmp_path)
    assert caught.value.diagnostics[0].code == "E302"
    assert (tmp_path / "op/a_tree.py").read_text() == "a = 1\n"
    assert sorted(path.name for path in (tmp_path / "op").iterdir()) == [
        "a_tree.py",
        "ascendc",
        "m_tree.py",
    ]
