"""Whatever a file holds: a spec, or mistakes that lie in it. Never an exception of another kind."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from gen.errors import GenError, render
from gen.spec import loads
from gen.spec.yamltext import split_lines

TEXTS = [
    path.read_text(encoding="utf-8")
    for folder in ("specs", "tests/spec/golden")
    for path in sorted(Path(folder).glob("*.yaml"))
]
SCRAPS = [
    "'", '"', "{", "}", "[", "]", ":", ": ", "- ", "\t", "\n", "\r", "\r\n", "  ", "&a ", "*a",
    "!x ", "!!binary aGk=", "|", "> ", "#", "%", "@", "?", "? ", "---\n", "...\n", "<<: ", "\\",
    "\u2028", "\x85", "\0", "é", "宽", "😀", "1e999", "0x1F", "0o17", "010", "-1", "1_0", ".inf",
    ".nan", "null", "~", "true", "2024-01-01", "1:30", "x", "**", "(", ")",
]  # fmt: skip

edits = st.lists(
    st.tuples(st.integers(0, 400), st.integers(0, 6), st.sampled_from(["", *SCRAPS])), max_size=5
)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(TEXTS), edits)
def test_a_file_that_somebody_typed_wrong(text, edits):
    for at, cut, scrap in edits:
        text = text[:at] + scrap + text[at + cut :]
    try:
        loads(text)
    except GenError as error:
        lines = split_lines(text.removeprefix("\ufeff"))
        for d in error.diagnostics:
            assert render(d)
            if d.line:
                assert d.source_line == lines[d.line - 1]
                assert 1 <= d.column <= len(d.source_line) + 1
                assert d.column - 1 + d.length <= len(d.source_line) + 1
