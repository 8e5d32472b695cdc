"""Findings in the terminal: short, at 80 columns, the line of a person before the line of a compiler."""

from __future__ import annotations

from rich.text import Text

from gen.check.places import Place
from gen.check.remedy import Remedy
from gen.check.verdict import Consequence, Fault
from gen.rules import codes
from gen.show.fault import fault_json, faults_lines

WRITTEN = Place("out/add/a_tree.py", 43, "        T.copy(y[tile * TILE], y_ub[slot, :])", "load")
EMITTED = Place("cache/add.cpp", 45, "tl::ascend::copy_gm_to_ub(...);", "load", WRITTEN)
RACE = Fault(
    "race-raw",
    "RAW on UB, bytes 57344..86015: Add (V) reads what DataCopyPad (MTE2) writes; no edge MTE2→V",
    "error",
    (EMITTED,),
    count=586,
    core="AIV0 of block 0",
    edge="MTE2→V",
    remedy=Remedy('write `T.wait_flag("mte2", "v", slot + 1)` before line 46.'),
    also=(Consequence("race-war", "V→MTE2", 3, (WRITTEN,)),),
)
NOTE = Fault("sync-redundant", "the barrier orders nothing", "note", (WRITTEN,))


def shown(*faults: Fault, width: int = 80, notes: bool = False) -> list[str]:
    lines = faults_lines("A tree: ", faults, width, notes=notes)
    return [Text.from_markup(line).plain for line in lines]


def test_a_finding_says_what_where_how_often_and_what_to_write() -> None:
    text = " ".join(" ".join(shown(RACE)).split())
    assert "A tree: error[race-raw]: RAW on UB, bytes 57344..86015:" in text
    assert "(586 times, first on AIV0 of block 0)" in text
    assert "--> out/add/a_tree.py:43 (step load) | T.copy(y[tile * TILE], y_ub[slot, :])" in text
    assert 'fix: write `T.wait_flag("mte2", "v", slot + 1)` before line 46.' in text
    assert "also: race-war V→MTE2 at line 43 (3 times)" in text
    assert text.endswith("more: gen explain race-raw")


def test_the_line_of_a_person_stands_before_the_line_of_a_compiler() -> None:
    lines = [line.strip() for line in shown(RACE)]
    assert lines.index("emitted: cache/add.cpp:45") > lines.index(
        "--> out/add/a_tree.py:43  (step load)"
    )


def test_everything_fits_80_columns() -> None:
    assert max(map(len, shown(RACE, NOTE, notes=True))) <= 80


def test_code_is_not_broken() -> None:
    assert any('`T.wait_flag("mte2", "v", slot + 1)`' in line for line in shown(RACE, width=60))


def test_notes_are_counted_unless_they_are_wanted() -> None:
    hidden = shown(NOTE, RACE, NOTE)
    assert "  A tree: 2 notes (sync-redundant 2 times): --notes shows them" in hidden
    assert not any("orders nothing" in line for line in hidden)
    full = shown(NOTE, notes=True)
    assert full[0] == "  A tree: note[sync-redundant]: the barrier orders nothing"
    assert not any("--notes" in line for line in full)


def test_what_is_pointed_to_can_be_explained() -> None:
    assert {RACE.code, NOTE.code} <= set(codes())


def test_json_has_the_remedy_in_parts() -> None:
    data = fault_json(RACE)
    assert data["remedy"]["text"].startswith("write ")
    assert data["also"][0]["code"] == "race-war"
    assert data["places"][0]["origin"]["line"] == 43
