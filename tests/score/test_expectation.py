"""What kernels of the corpus say about themselves, and one clear sentence for each slip of the pen."""

from __future__ import annotations

from pathlib import Path

import pytest

from gen.errors import GenError
from gen.score.expectation import Kind, parse

FILE = Path("kernel.asc")
BODY = """
__global__ __vector__ void kernel(GM_ADDR x)
{
    Duplicate(a, 1.0f, 64); // @fill
    Add(d, a, a,
        64); // @add
    PipeBarrier<PIPE_ALL>(); // @fence @last
}
"""


def file(*lines: str):
    return parse(FILE, "\n".join([*lines, BODY]))


def mistake(*lines: str):
    with pytest.raises(GenError) as raised:
        file(*lines)
    (diagnostic,) = raised.value.diagnostics
    assert diagnostic.code == "E144"
    return diagnostic


def test_everything_that_a_file_says():
    made = file(
        "// case: K01",
        "// what: a sentence: with a colon",
        "// chip: 910b, dav-3510",
        "// expect: clean",
        "// expect auto_sync=off: race-raw V -> V @fill @add; note sync-redundant @fence",
        "// values: y = 2 * x",
    )
    assert (made.case, made.what) == ("K01", "a sentence: with a colon")
    assert made.chips == ("910b", "950")
    _, off = made.expectations
    race, note = off.findings
    assert (race.code, race.edge, race.marks, race.is_note) == (
        "race-raw",
        "V→V",
        ("fill", "add"),
        False,
    )
    assert note.is_note
    assert off.errors == (race,)
    assert [line.value for line in made.values] == ["y = 2 * x"]


def test_a_mark_covers_its_statement():
    made = file("// expect: race-raw @fill @add")
    lines = ["", *file("// expect: race-raw @fill @add").text.splitlines()]
    (span,) = made.markers["add"]
    assert [lines[n].strip() for n in span] == ["Add(d, a, a,", "64); // @add"]
    assert made.markers["fence"] == made.markers["last"]


def test_a_mark_in_python_covers_its_statement():
    text = "# expect: race-raw @copy\ndef f():\n    T.copy(\n        a,\n        b,\n    )  # @copy\n    g()\n"
    (span,) = parse(Path("kernel.py"), text).markers["copy"]
    assert list(span) == [3, 4, 5, 6]


def test_every_profile_is_run_once_with_the_line_that_says_most():
    made = file(
        "// chip: 910b, 950",
        "// expect: clean",
        "// expect chip=950: flag-pair",
        "// expect auto_sync=off: race-raw V→V @fill @add",
        "// expect chip=950, auto_sync=off: flag-pair; race-raw V→V",
    )
    found = {str(key): expectation.line.line for key, expectation in made.runs()}
    assert found == {"910b": 2, "950": 3, "910b,auto_sync=off": 4, "950,auto_sync=off": 5}


@pytest.mark.parametrize("word", ["unsupported", "rejected", "failed"])
def test_files_that_get_no_verdict(word: str):
    (made,) = file(f"// expect: {word} because of this").expectations
    assert (made.kind, made.text) == (Kind(word), "because of this")


def test_other_comments_are_left_alone():
    made = file("// Copyright (c): somebody", "// see also: the guide", "// expect: clean")
    assert len(made.expectations) == 1


@pytest.mark.parametrize(
    ("lines", "message", "help", "at"),
    [
        (("// case: K01",), "does not say what is expected", "expect: clean", 0),
        (("// expect: race-row",), "no rule `race-row`", "did you mean `race-raw`?", 12),
        (("// expect: clen",), "no rule `clen`", "did you mean `clean`?", 12),
        (("// expect: clean; race-raw",), "a clean kernel has no findings", "", 12),
        (("// expect: race-raw @fil",), "no line is marked @fil", "did you mean `fill`?", 21),
        (("// expect: race-raw @gone",), "no line is marked @gone", "write `// @gone`", 21),
        (("// expect auto-sync=off: clean",), "no `auto-sync`", "did you mean `auto_sync`?", 11),
        (("// expect auto_sync=of: clean",), "never `of`", "did you mean `off`?", 11),
        (("// expect xflag=both: clean",), "never `both`", "`counter` or `binary`", 11),
        (("// expect:",), "nothing stands behind `expect:`", "", 4),
        (("// chip: 910c", "// expect: clean"), "no chip `910c`", "did you mean `910b`?", 10),
        (("// expext: clean", "// expect: clean"), "no key `expext`", "did you mean `expect`?", 4),
        (("// expect: note",), "no rule ``", "lists the rules", 12),
    ],
)
def test_slips_of_the_pen(lines, message, help, at):
    diagnostic = mistake(*lines)
    assert message in diagnostic.message
    assert help in diagnostic.help
    assert (diagnostic.column if diagnostic.line else 0) == at


def test_all_slips_at_once():
    with pytest.raises(GenError) as raised:
        file("// chip: 900", "// expect: race-row", "// expect xflg=binary: clean")
    assert len(raised.value.diagnostics) == 3
