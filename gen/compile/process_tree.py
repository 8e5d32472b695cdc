"""A process and everything that it started, ended together: children that took a session of their own, too."""

from __future__ import annotations

import ctypes
import os
import signal
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

MARK = "CROSSTREE_CHILD"
"""Environment variable by which the descendants of a process are known when their parents are gone."""
LOOK_SECONDS = 0.02
PATIENCE_SECONDS = 5.0
_PR_SET_CHILD_SUBREAPER = 36
"""prctl(2)."""


def marked(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment of a process that can be ended with `end_tree`. Marks of processes around it stay."""
    around = environment.get(MARK)
    return {**environment, MARK: ".".join(filter(None, [around, uuid.uuid4().hex]))}


def adopt_orphans() -> None:
    """Makes this process the parent of every descendant whose own parent ends, where the system can do that."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def end_tree(mark: str, root: int | None = None) -> None:
    """Kills every process with this `mark`, and `root` with all that descends from it.

    Where there is no /proc (proc(5)), `root` and its group. Whoever started it has to wait for it.
    """
    if root is not None:
        with suppress(OSError):
            if os.getpgid(root) == root:
                os.killpg(root, signal.SIGKILL)
            os.kill(root, signal.SIGKILL)
    _kill(mark, root)


def end_descendants() -> None:
    """Kills what this process has started, and all that descends from that."""
    _kill(os.environ.get(MARK, ""), os.getpid())


def _kill(mark: str, root: int | None) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    # Whatever was about to start a process may have done so meanwhile.
    while (members := list(_members(mark, root))) and time.monotonic() < deadline:
        for member in members:
            with suppress(OSError):
                os.kill(member, signal.SIGKILL)
        time.sleep(LOOK_SECONDS)


def _members(mark: str, root: int | None) -> Iterator[int]:
    """Processes that run and belong to the tree; this one never does."""
    parents = dict(_running())
    for pid in parents:
        if pid != os.getpid() and (
            _descends(pid, root, parents) or (mark and mark in _mark_of(pid))
        ):
            yield pid


def _running() -> Iterator[tuple[int, int]]:
    """Every process that is no zombie, with its parent."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, ValueError, IndexError):
            state, parent = stat.read_text("utf-8", "replace").rpartition(")")[2].split()[:2]
            if state not in "ZX":
                yield int(stat.parent.name), int(parent)


def _descends(pid: int, root: int | None, parents: Mapping[int, int]) -> bool:
    while pid in parents and pid != root:
        pid = parents[pid]
    return pid == root


def _mark_of(pid: int) -> str:
    with suppress(OSError):
        for variable in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
            name, _, value = variable.partition(b"=")
            if name == MARK.encode():
                return value.decode("utf-8", "replace")
    return ""
