"""Constants of a Python file."""

from __future__ import annotations

import pytest

from gen.check.foreign.edits import with_constants
from gen.errors import GenError

TEXT = """\
M, K = 8192, 2**13  # large
N = M


def factory(n, K=64, *, tile=128):
    return n


for M in (1, 2):
    factory(M, rows=4096)
"""


def test_constants_are_replaced_where_they_are_set() -> None:
    found = with_constants("k.py", TEXT, {"M": "256", "K": "32", "tile": "16", "rows": "8"})
    assert found.splitlines()[0] == "M, K = 256, 32  # large"
    assert "def factory(n, K=32, *, tile=16):" in found
    assert "factory(M, rows=8)" in found
    assert found.count("\n") == TEXT.count("\n")


def test_what_is_computed_is_no_constant() -> None:
    with pytest.raises(GenError) as caught:
        with_constants("k.py", TEXT, {"N": "3"})
    diagnostic = caught.value.diagnostics[0]
    assert diagnostic.message == "the file gives no value to `N`"
    assert diagnostic.help == "the constants are `K`, `M`, `rows` and `tile`"
