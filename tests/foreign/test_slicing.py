"""What a compiler has to see of a script."""

from __future__ import annotations

import pytest

from gen.check.foreign.slicing import as_called

TEXT = '''\
"""A script."""
from __future__ import annotations
import argparse
import tilelang

tilelang.disable_cache()
parser = argparse.ArgumentParser()
parser.add_argument("--rows", type=int)
rows = parser.parse_args().rows
M, K = 8192, 2**13  # large
pass_configs = {}
pass_configs["sync"] = True; unused = 1
others = {}

@tilelang.jit(pass_configs=pass_configs)
def first(N):
    return N

tensor = make(
    8192); print(tensor)
check(first(8)(tensor))
others["sync"] = helper(3)


def helper(x):
    return x * K


@tilelang.jit(pass_configs=others)
def second(N, block=helper(2)):
    def inner(A: "Tensor(M)"):
        return helper(N) + rows
    return inner


try:
    second(8)(tensor)
except Exception:
    others = None
for M in (1, 2):
    second(M)
'''


def lines(function: str, names: dict[str, object], *arguments: str) -> list[str]:
    found = as_called(TEXT, function, names, arguments)
    compile(found, "script.py", "exec")
    return found.split("\n")


def test_host_code_is_left_out_wherever_it_stands() -> None:
    found = lines("first", {})
    kept = [line for line in found if line]
    assert kept == [
        "from __future__ import annotations",
        "import argparse",
        "import tilelang",
        "tilelang.disable_cache()",
        "pass_configs = {}",
        'pass_configs["sync"] = True; pass',
        "@tilelang.jit(pass_configs=pass_configs)",
        "def first(N):",
        "    return N",
        "pass",
    ]
    assert all(found.index(line) == TEXT.split("\n").index(line) for line in kept[:5])


def test_what_a_function_needs_is_kept_with_what_that_needs() -> None:
    found = lines("second", {})
    for line in (
        'parser.add_argument("--rows", type=int)',
        "rows = parser.parse_args().rows",
        "M, K = 8192, 2**13  # large",
        "others = {}",
        "def helper(x):",
        "        return helper(N) + rows",
    ):
        assert line in found
    assert not any("tensor" in line or "first" in line for line in found)


def test_a_call_sees_the_module_as_it_is_then() -> None:
    found = lines("second", {"M": 2, "rows": 8192}, "--rows", "4")
    assert (
        found[2]
        == "import sys; sys.argv[1:] = ['--rows', '4']; M = 2; rows = 8192; import argparse"
    )
    assert found[-2] == "M = 2; rows = 8192"
    assert "rows = parser.parse_args().rows" not in found


@pytest.mark.parametrize("name", ["absent", "inner"])
def test_without_such_a_function_nothing_is_left_out(name: str) -> None:
    assert as_called(TEXT, name, {}) == TEXT
