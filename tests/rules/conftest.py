"""The compilers of the TileLang trees, started once for all fragments."""

from tests.a_tree.conftest import compiler, worker
from tests.m_tree.conftest import session

__all__ = ["compiler", "session", "worker"]
