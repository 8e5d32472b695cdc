"""The M tree's compiler and a bench, for all tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from gen.compile.m_tree import Session, installed

from .bench import Bench


@pytest.fixture(scope="session")
def compiler() -> Iterator[Session]:
    """The M tree's compiler; tests that need it are skipped where it is not installed."""
    absent = installed.missing()
    if absent:
        pytest.skip(f"{absent.message}: {absent.help}")
    with Session() as worker:
        yield worker


@pytest.fixture
def bench(compiler: Session, tmp_path: Path) -> Bench:
    return Bench(compiler, tmp_path)


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(950)
