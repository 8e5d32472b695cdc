"""The A tree's compiler, where agreement is asked for."""

from __future__ import annotations

import pytest

from gen.compile.a_tree.toolchain import status


@pytest.fixture(scope="session")
def compiler() -> None:
    """Tests that need the compiler are skipped where it is not installed."""
    found = status()
    if found.toolchain is None:
        pytest.skip(f"{found.reason}; {found.help}")
