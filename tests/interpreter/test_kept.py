"""Of the recordings those used last are kept, and none that somebody may be using."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest

from gen.compile.a_tree import interpreter
from gen.compile.a_tree.interpreter import kept
from tests.interpreter.kernels import vector


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own."""
    monkeypatch.setattr(kept, "cache_root", lambda: tmp_path / "cache")
    kept.root().mkdir(parents=True)
    return kept.root()


def recording(root: Path, name: str, hours: float, bytes: int = 10) -> Path:
    """One that was last used so long ago."""
    folder = root / name
    with kept.reserved(folder):
        (folder / "tape").write_bytes(b"x" * bytes)
        (folder / kept.ANSWER).write_text("")
    then = time.time() - hours * 3600
    os.utime(folder / kept.ANSWER, (then, then))
    return folder


def names(root: Path) -> list[str]:
    return sorted(folder.name for folder in root.iterdir())


def test_the_oldest_go(root: Path) -> None:
    for hours in range(1, 6):
        recording(root, f"{hours}00", hours)
    kept.prune(most=3)
    assert names(root) == ["100", "200", "300"]


def test_so_many_bytes_stay(root: Path) -> None:
    for hours in range(1, 6):
        recording(root, f"{hours}00", hours, bytes=100)
    kept.prune(most_bytes=250)
    assert names(root) == ["100", "200"]


def test_what_was_asked_for_lately_stays(root: Path) -> None:
    old = [recording(root, f"{hours}00", hours) for hours in (1, 2)]
    kept.used(old[1])
    kept.prune(most=0)
    assert names(root) == ["200"]


def test_where_somebody_records_nothing_is_removed(root: Path) -> None:
    folder = recording(root, "100", 1)
    with kept.reserved(folder):
        kept.prune(most=0)
    assert names(root) == ["100"]
    kept.prune(most=0)
    assert names(root) == []


def test_many_prune_at_once(root: Path) -> None:
    for hours in range(1, 60):
        recording(root, f"{hours:03}", hours)
    threads = [threading.Thread(target=kept.prune, args=(5,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert names(root) == [f"{hours:03}" for hours in range(1, 6)]


def test_what_was_left_half_removed_goes(root: Path) -> None:
    recording(root, ".gone-1-100", 0)
    kept.prune()
    assert names(root) == []


def test_a_kernel_whose_recording_is_gone_is_recorded_again(root: Path, tmp_path: Path) -> None:
    path = tmp_path / "kernel.py"
    path.write_text(vector("T.tile.add(c, a, b)"), encoding="utf-8")
    tape = Path(interpreter.compile(path).program.arguments[0])
    then = time.time() - 3600
    os.utime(tape.with_name(kept.ANSWER), (then, then))
    kept.prune(most=0)
    assert not tape.exists()
    assert Path(interpreter.compile(path).program.arguments[0]) == tape
    assert tape.exists()
