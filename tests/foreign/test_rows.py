"""Rows of the table of foreign kernels."""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
from foreign_rows import Case, Found, Row, from_json, markdown, row_json, row_of

from gen.check import Outcome
from gen.check.foreign.script import Values

CASE = Case("own/kernels", "a/add.asc", Path("a/add.asc"), chip="950", defines={"N": "2"})
RACE = Found("race-raw", "RAW on UB", (3, 5), 2)
JUDGEMENTS = [
    {"file": "a/*.asc", "codes": ["race-raw"], "real": True, "because": "nothing waits"},
    {"file": "b/*.asc", "codes": ["race-raw"], "real": False, "because": "another file"},
]


def row(outcome: Outcome, values: Values, findings: tuple[Found, ...] = ()) -> Row:
    return Row(CASE, outcome, values, "", findings, 1, 2.4)


def test_a_finding_is_judged_by_file_and_code() -> None:
    found = row(Outcome.FINDINGS, Values.RIGHT, (RACE,))
    assert found.unjudged == (RACE,)
    judged = found.judged(JUDGEMENTS)
    assert (judged.unjudged, judged.findings[0].because) == ((), "nothing waits")
    text = markdown([judged])
    line = "| a/add.asc | 950, N=2 | findings: race-raw (true) | right | 1 | 2 |"
    assert line in text
    assert "| own/kernels | 1 | 1 (100%) | 1 | 1 | 0 | 0 | 0 |" in text


def test_what_does_not_run_is_counted() -> None:
    rows = [
        row(Outcome.CLEAN, Values.RIGHT),
        row(Outcome.CLEAN, Values.UNCHECKED),
        row(Outcome.UNSUPPORTED, Values.NOT_REACHED),
        row(Outcome.NOT_RUN, Values.NOT_REACHED),
    ]
    assert "| **all** | 3 | 2 (67%) | 0 | 0 | 0 | 0 | 1 |" in markdown(rows)


def test_a_seeded_fault_shows_what_it_is_documented_to() -> None:
    fault = Case("r", "f.asc", Path("f.asc"), edit="no wait", expected=("race-raw",))
    wrong = Row(fault, Outcome.FINDINGS, Values.RIGHT, "", (RACE,), 1, 1.0)
    assert not wrong.unexpected
    assert Row(fault, Outcome.CLEAN, Values.RIGHT, "", (), 1, 1.0).unexpected
    leak = Case("r", "f.asc", Path("f.asc"), edit="leak", host="never freed")
    told = ("the memory of x is never freed",)
    assert not Row(leak, Outcome.CLEAN, Values.RIGHT, "", (), 1, 1.0, told).unexpected
    assert Row(leak, Outcome.CLEAN, Values.RIGHT, "", (), 1, 1.0).unexpected


def test_an_edit_hides_and_shows_lines(tmp_path: Path) -> None:
    path = tmp_path / "k.asc"
    path.write_text("  Copy(a);\n  // Copy(a[5]);\n// Copy(b)\n")
    case = Case("r", "k.asc", path, edit="e", hide=r"Copy\(a\)", show=r"a\[5\]")
    assert case.text() == "//   Copy(a);\n     Copy(a[5]);\n// Copy(b)\n"


def test_rows_come_back_from_json() -> None:
    for case in (CASE, Case("r", "f.asc", Path("f.asc"), chip="950", edit="leak", host="freed")):
        before = Row(
            case, Outcome.FINDINGS, Values.WRONG, "it says so", (RACE,), 3, 1.0, ("freed",)
        )
        after = from_json(json.loads(json.dumps(row_json(before))))
        assert markdown([after]) == markdown([before])


def test_a_file_that_could_not_be_run_is_a_row() -> None:
    found = row_of(CASE, "internal error: KeyError: 'x' in /tmp/some/file.py", 1.0)
    assert found.verdict == "failed: internal error: KeyError: 'x' in …/file.py"


def test_a_note_stands_below_the_summary() -> None:
    ran = Row(CASE, Outcome.CLEAN, Values.RIGHT, "", (), 1, 1.0)
    text = markdown([ran], "some files were not at hand")
    assert text.index("**all**") < text.index("some files were not at hand") < text.index("## ")
    assert text.replace("\nsome files were not at hand\n", "") == markdown([ran])
