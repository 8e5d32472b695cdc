"""Every finding has a page, every page has the form, and `gen explain` prints it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from gen.errors import CODES
from gen.rules import GROUPS, PageError, codes, page, pages, parse

NATIVE = Path("gen/sim/native")
CODE = r'"((?:race|wait|circular|flag|sync|cross|queue|out|output|operand|argument|wrong|uninitialised|accumulator|device)'
NAMED = re.compile(CODE + r'-[a-z-]+|mutex|misaligned|overflow|assert)"')
GOOD = """\
# some-rule: what it is about

Severity: error
Group: order

## What it does

One thing.

## Why it is bad

For a reason.

## Example

### Ascend C
```cpp cube chip=950
Add(y, x, x, 64);
```

## Use instead

### Ascend C
```cpp
Add(z, x, x, 64);
```

## Source

- a document
- another one,
  on two lines
"""


def explain(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "gen.cli", "explain", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_every_code_that_the_model_reports_has_a_page() -> None:
    texts = [p.read_text(encoding="utf-8") for p in NATIVE.rglob("*") if p.suffix in {".h", ".cpp"}]
    reported = {code for text in texts for code in NAMED.findall(text)}
    assert len(reported) > 20
    assert reported - set(codes()) == set()


def test_every_page_has_the_form() -> None:
    assert {p.code for p in pages()} == set(codes())
    assert {p.group for p in pages()} == set(GROUPS)


@pytest.mark.parametrize("code", codes())
def test_pages_are_short_sentences_and_plain_text(code: str) -> None:
    p = page(code)
    sentences = (p.what, p.why, p.example, p.instead)
    assert all(s == "" or s.endswith((".", ":")) for s in sentences)
    assert "](" not in "".join(sentences), "links are made from codes in backticks"
    lines = [line for f in (*p.example_code, *p.instead_code) for line in f.text.split("\n")]
    assert max(map(len, lines), default=0) <= 108


def test_a_page_is_read_in_parts() -> None:
    p = parse(GOOD, "some-rule")
    assert (p.title, p.severity, p.group) == ("what it is about", "error", "order")
    assert (p.what, p.why, p.example) == ("One thing.", "For a reason.", "")
    (fragment,) = p.example_code
    assert (fragment.tree, fragment.language) == ("ascendc", "cpp")
    assert (fragment.text, fragment.options) == ("Add(y, x, x, 64);", ("cube", "chip=950"))
    assert p.source == ("a document", "another one, on two lines")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("# some-rule:", "# other-rule:", "the first line is not `# some-rule:"),
        ("Severity: error", "Severity: bad", "the severity is one of error, note, outcome"),
        ("Group: order", "Group: order\nAuthor: me", "and nothing else"),
        ("## Source", "## Sources", "the sections are"),
        ("One thing.", "", "nothing stands below What it does"),
        ("### Ascend C\n```cpp cube", "### CUDA\n```cpp cube", "`### CUDA` is none of Ascend C"),
        ("64);\n```\n\n## Use", "64);\n```\nand more\n\n## Use", "one fenced block and nothing"),
        ("### Ascend C\n```cpp\n", "### A tree\n```cpp\n", "not shown for ascendc"),
        ("- a document\n- another", "another", "the sources are a list"),
    ],
)
def test_a_page_without_the_form_is_refused(old: str, new: str, says: str) -> None:
    assert old in GOOD
    with pytest.raises(PageError, match=re.escape(says)):
        parse(GOOD.replace(old, new, 1), "some-rule")


def test_explain_prints_a_page() -> None:
    done = explain("race-raw")
    assert done.returncode == 0
    assert done.stdout.startswith("race-raw: read before the write is complete\n")
    for words in ("What it does", "SetFlag<HardEvent::MTE2_V>", 'T.set_flag("mte2", "v", 1)'):
        assert words in done.stdout
    assert "```" not in done.stdout
    assert explain("RACE-RAW").stdout == done.stdout


def test_explain_in_json_has_every_part() -> None:
    said = json.loads(explain("queue-free", "--json").stdout)
    assert said["code"] == "queue-free"
    assert said["severity"] == "error"
    assert [c["tree"] for c in said["example"]["code"]] == ["ascendc"]
    assert all(said[k] for k in ("title", "what_it_does", "why_it_is_bad", "use_instead", "source"))


def test_explain_without_a_code_lists_all() -> None:
    words = {line.split()[0] for line in explain().stdout.split("\n") if line.startswith("  ")}
    assert words == {*codes(), *CODES}
    listed = json.loads(explain("--json").stdout)
    assert {r["code"] for r in listed["rules"]} == set(codes())
    assert {e["code"] for e in listed["errors"]} == set(CODES)


def test_explain_says_what_an_error_code_means() -> None:
    done = explain("e201")
    assert done.returncode == 0
    assert done.stdout.startswith("E201: tile does not fit the memory\n")


def test_an_unknown_code_is_a_mistake_with_a_suggestion() -> None:
    done = explain("race-rew")
    assert done.returncode == 2
    assert "error[E601]: there is no rule and no error code `race-rew`" in done.stderr
    assert "did you mean `race-raw`?" in done.stderr


def test_the_beginning_of_several_codes_names_them() -> None:
    assert "there are `race-raw`, `race-war` and `race-waw`" in explain("race").stderr


def test_explain_needs_neither_numpy_nor_pydantic() -> None:
    script = (
        "import sys; from gen.cli.explain import explain; explain('race-raw', as_json=False);"
        "print(sorted({'numpy', 'pydantic', 'rich.table'} & set(sys.modules)))"
    )
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.endswith("\n[]\n")
