"""Which builds a CMakeLists.txt accepts."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
from foreign_builds import builds

HEAD = (
    'set(CMAKE_ASC_ARCHITECTURES "dav-2201" CACHE STRING "NPU architecture: dav-2201, dav-3510")\n'
)
RANGE = """\
set(SCENARIO_NUM "1" CACHE STRING "Scene number (1-3)")
if(NOT SCENARIO_NUM MATCHES "^[1-3]$")
    message(FATAL_ERROR "SCENARIO_NUM must be 1, 2 or 3, but got ${SCENARIO_NUM}")
endif()
if(SCENARIO_NUM STREQUAL "3" AND CMAKE_ASC_ARCHITECTURES STREQUAL "dav-2201")
    message(FATAL_ERROR "3 is for dav-3510")
endif()
add_definitions(-DSCENARIO_NUM=${SCENARIO_NUM})
"""
LISTED = """\
set(VALID 0 2)
if(NOT DEFINED WIDE)
    message(FATAL_ERROR "WIDE is not set")
endif()
if(NOT WIDE IN_LIST VALID)
    message(FATAL_ERROR "no")
elseif(WIDE EQUAL 2)
    target_compile_definitions(demo PRIVATE TWICE WIDE=${WIDE})
else()
    target_compile_definitions(demo PRIVATE WIDE=${WIDE})
endif()
"""
TOLD = 'set(N "1" CACHE STRING "one of (1,4)")\nadd_compile_definitions(N=${N})\n'


def found(folder: Path, text: str, readme: str = "") -> list[tuple[object, ...]]:
    (folder / "CMakeLists.txt").write_text(f"# a sample\n{text}\nadd_executable(demo\n  k.asc\n)\n")
    (folder / "README.md").write_text(readme)
    return [(b.chip, dict(b.defines), b.source) for b in builds(folder)]


def test_scenarios_that_are_refused_are_left_out(tmp_path: Path) -> None:
    expected = [("910b", "1"), ("910b", "2"), ("950", "1"), ("950", "2"), ("950", "3")]
    assert found(tmp_path, HEAD + RANGE) == [
        (chip, {"SCENARIO_NUM": n}, "k.asc") for chip, n in expected
    ]


def test_lists_and_branches(tmp_path: Path) -> None:
    assert found(tmp_path, HEAD + LISTED)[:2] == [
        ("910b", {"WIDE": "0"}, "k.asc"),
        ("910b", {"TWICE": "", "WIDE": "2"}, "k.asc"),
    ]


def test_values_that_only_the_description_names(tmp_path: Path) -> None:
    assert [d for chip, d, _ in found(tmp_path, HEAD + TOLD) if chip == "950"] == [
        {"N": "1"},
        {"N": "4"},
    ]


@pytest.mark.parametrize(
    ("text", "readme", "chips"),
    [
        (HEAD, "", ["910b", "950"]),
        (HEAD.replace(", dav-3510", ""), "", ["910b"]),
        (HEAD.replace('"dav-2201" ', '"dav-3510" '), "build for dav-3510", ["950"]),
        ("", "for Atlas A2 and A3", ["910b"]),
    ],
)
def test_chips(tmp_path: Path, text: str, readme: str, chips: list[str]) -> None:
    assert [chip for chip, _, _ in found(tmp_path, text, readme)] == chips


MATCHED = """\
string(REGEX MATCH "[0-9]+$" NUMBER "${CMAKE_ASC_ARCHITECTURES}")
ascendc_compile_definitions(demo PRIVATE ARCH=${NUMBER})
"""


def test_what_a_pattern_finds(tmp_path: Path) -> None:
    found_chips = {chip: defines for chip, defines, _ in found(tmp_path, HEAD + MATCHED)}
    assert found_chips == {"910b": {"ARCH": "2201"}, "950": {"ARCH": "3510"}}
