"""``gen doctor`` says what is there, and never promises a level that cannot be reached."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from gen.cli.doctor import reach
from gen.cli.machine import Part

THERE, MISSING = Part("part", "1.0"), Part("part", problem="not installed", help="install it")


def levels(**parts: Part) -> dict[str, str]:
    names = ("formatters", "cxx", "tilelang", "tilelang_ascend")
    return {r.tree: r.level for r in reach({**dict.fromkeys(names, THERE), **parts})}


def test_with_everything_all_trees_are_simulated():
    assert set(levels().values()) == {"simulated"}


def test_without_a_cpp_compiler_nothing_runs():
    found = levels(cxx=MISSING)
    assert found == {"a_tree": "compiled", "m_tree": "compiled", "ascendc": "rendered"}


def test_without_its_compiler_the_m_tree_is_only_rendered():
    assert levels(tilelang=MISSING)["m_tree"] == "rendered"


def test_without_its_compiler_the_a_tree_is_interpreted():
    assert levels(tilelang_ascend=MISSING)["a_tree"] == "simulated"


def test_without_formatters_nothing_is_rendered():
    assert set(levels(formatters=MISSING).values()) == {"none"}


def test_a_wrong_version_counts_as_missing():
    wrong = Part("tilelang", "0.1.14", "0.1.15 is needed", "upgrade")
    assert levels(tilelang=wrong)["m_tree"] == "rendered"


def test_what_it_says(gen):
    result = gen("doctor")
    assert result.status in (0, 1)
    for word in ("Python", "C++ compiler", "tilelang-ascend", "A tree", "M tree", "Ascend C"):
        assert word in result.out
    assert result.err == ""


def test_json(gen):
    result = gen("doctor", "--json")
    said = json.loads(result.out)
    assert set(said["trees"]) == {"a_tree", "m_tree", "ascendc"}
    assert said["parts"]["python"]["found"].endswith(f"({sys.executable})")
    clean = all(tree["level"] == "simulated" for tree in said["trees"].values())
    assert result.status == (0 if clean else 1)


def test_a_missing_part_comes_with_what_to_do(gen):
    said = json.loads(gen("doctor", "--json", CXX="/no/such/compiler").out)
    assert "/no/such/compiler: not found" in said["parts"]["cxx"]["problem"]
    assert said["trees"]["ascendc"] == {
        "level": "rendered",
        "missing": ["C++ compiler"],
        "help": [said["parts"]["cxx"]["help"]],
        "instead_of": None,
    }


def fake_compiler(folder: Path, says: str) -> str:
    path = folder / "c++"
    path.write_text(f"#!/bin/sh\necho '{says}'\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(
    ("says", "usable"),
    [
        ("g++ (Debian 12.2.0-14) 12.2.0", True),
        ("g++ (Ubuntu 9.4.0-1ubuntu1~20.04.2) 9.4.0", False),
        ("Debian clang version 15.0.6", True),
        ("Ubuntu clang version 14.0.0-1ubuntu1.1", False),
        ("something else", False),
    ],
)
def test_which_compilers_fit(gen, tmp_path, says, usable):
    part = json.loads(gen("doctor", "--json", CXX=fake_compiler(tmp_path, says)).out)["parts"][
        "cxx"
    ]
    assert part["usable"] is usable
    assert bool(part["help"]) is not usable


def test_without_any_compiler_it_says_what_to_install(gen, tmp_path):
    part = json.loads(gen("doctor", "--json", PATH=str(tmp_path)).out)["parts"]["cxx"]
    assert part["problem"] == "no C++ compiler was found"
    assert "g++" in part["help"]


def test_what_is_not_needed_is_no_fault_and_what_stands_in_is_named(gen, tmp_path):
    """Where the A tree's compiler is missing, the interpreter is named, and how to get the compiler."""
    result = gen("doctor", CROSSTREE_CACHE=str(tmp_path))
    assert "  · NPU              none, and none needed: kernels run on the model" in result.out
    assert (
        "A tree           simulated (by the interpreter, in place of tilelang-ascend)" in result.out
    )
    assert "To go further" in result.out
    assert "gen toolchain install a-tree" in result.out
    said = json.loads(gen("doctor", "--json", CROSSTREE_CACHE=str(tmp_path)).out)
    assert said["trees"]["a_tree"]["instead_of"] == "tilelang-ascend"
    assert said["trees"]["m_tree"]["instead_of"] is None
    assert said["parts"]["cache"]["found"].rstrip("/") == str(tmp_path)
    assert said["parts"]["npu"]["optional"] or said["parts"]["npu"]["usable"]


def test_a_cache_that_cannot_be_written_is_told(gen, tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    result = gen("doctor", CROSSTREE_CACHE=str(file))
    assert "the cache folder cannot be used" in result.out
    assert "set CROSSTREE_CACHE to a folder that can be written" in result.out
