"""The M tree's compiler, started once for all tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gen.compile.m_tree import Session, installed


@pytest.fixture(scope="session")
def session() -> Iterator[Session]:
    """The worker with tilelang in it; tests that need it are skipped where it is not installed."""
    absent = installed.missing()
    if absent:
        pytest.skip(f"{absent.message}: {absent.help}")
    with Session() as worker:
        yield worker
