"""The A tree's compiler, started once for all tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gen.compile.a_tree import Worker
from gen.compile.a_tree.installed import Toolchain
from gen.compile.a_tree.toolchain import status


@pytest.fixture(scope="session")
def compiler() -> Toolchain:
    """The installed compiler; tests that need it are skipped where it is not installed."""
    found = status()
    if found.toolchain is None:
        pytest.skip(f"{found.reason}; {found.help}")
    return found.toolchain


@pytest.fixture(scope="session")
def worker(compiler: Toolchain) -> Iterator[Worker]:
    """The compiler as a process that all tests share."""
    with Worker(compiler) as process:
        yield process
