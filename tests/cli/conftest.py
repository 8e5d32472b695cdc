"""Runs the command ``gen`` as users do: in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Result:
    status: int
    out: str
    err: str


Gen = Callable[..., Result]


@pytest.fixture
def environment() -> dict[str, str]:
    """An environment that says nothing about colours, width or compilers."""
    silent = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "CXX", "CROSSTREE_DEBUG")
    kept = {k: v for k, v in os.environ.items() if k not in silent}
    return {**kept, "PYTHONPATH": str(ROOT)}


@pytest.fixture
def gen(environment) -> Gen:
    """Runs ``gen``, in the project's folder unless `cwd` is another; other keywords are environment variables."""

    def run(*arguments: str | Path, cwd: Path = ROOT, **variables: str) -> Result:
        done = subprocess.run(
            [sys.executable, "-m", "gen.cli", *map(str, arguments)],
            cwd=cwd,
            env={**environment, **variables},
            capture_output=True,
            text=True,
            check=False,
        )
        return Result(done.returncode, done.stdout, done.stderr)

    return run
