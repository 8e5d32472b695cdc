"""Writes docs/rules from the pages of gen.rules: one file for each rule, and an index.

python tools/rule_docs.py            # writes what has changed
python tools/rule_docs.py --check    # writes nothing; exit 1 if a file would change
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from gen.rules import GROUPS, Fragment, Page, Severity, codes, pages

DOCS = Path(__file__).parents[1] / "docs" / "rules"
TREES = {"ascendc": "Ascend C", "a_tree": "A tree", "m_tree": "M tree", "spec": "Spec"}
SEVERITY = {
    Severity.ERROR: "An error: the verdict is `findings`.",
    Severity.NOTE: "A note: the verdict stays `clean`.",
    Severity.OUTCOME: "No verdict: the kernel is not called clean.",
}
INDEX = """\
# Rules

What the model reports about a kernel, by code. `gen explain CODE` prints the same pages. Fragments in Ascend C are
written with `using namespace AscendC`; those of the M tree that set flags are compiled with `tl.enable_auto_schedule`
off. The tests run the fragments: the wrong one is found under its code, the right one is clean.
"""


def main() -> int:
    """Writes or compares; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing, only compare")
    check = parser.parse_args().check
    wanted = {f"{p.code}.md": document(p) for p in pages()} | {"index.md": index()}
    stale = [n for n, text in wanted.items() if _read(DOCS / n) != text]
    stale += sorted(path.name for path in DOCS.glob("*.md") if path.name not in wanted)
    for name in stale:
        print(f"docs/rules/{name} {'differs from' if check else 'written from'} gen/rules/pages")
        if not check:
            _write(DOCS / name, wanted.get(name))
    return 1 if check and stale else 0


def document(p: Page) -> str:
    """The page as the documentation shows it: codes are links, fences carry nothing but the language."""
    parts = [
        f"<!-- Made by tools/rule_docs.py from gen/rules/pages/{p.code}.md: edit that file. -->",
        f"# {p.code}: {p.title}",
        SEVERITY[p.severity],
        "## What it does",
        linked(p.what, p.code),
        "## Why it is bad",
        linked(p.why, p.code),
        "## Example",
        *_example(p.example, p.example_code, p.code),
        "## Use instead",
        *_example(p.instead, p.instead_code, p.code),
        "## Source",
        "\n".join(f"- {item}" for item in p.source),
        "[All rules](index.md)",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _example(text: str, fragments: tuple[Fragment, ...], code: str) -> Iterator[str]:
    yield linked(text, code)
    for f in fragments:
        yield f"### {TREES[f.tree]}"
        yield f"```{f.language}\n{f.text}\n```"


def linked(text: str, own: str) -> str:
    """`text` with each code in backticks, but the page's own, as a link to its page."""

    def link(match: re.Match[str]) -> str:
        code = match[1]
        return f"[`{code}`]({code}.md)" if code in codes() and code != own else match[0]

    return re.sub(r"`([a-z-]+)`", link, text)


def index() -> str:
    """All rules, group by group, one line each."""
    parts = [INDEX.strip()]
    for group, heading in GROUPS.items():
        rows = [
            f"| [`{p.code}`]({p.code}.md) | {p.title}{' (a note)' if p.severity == 'note' else ''} |"
            for p in pages()
            if p.group == group
        ]
        parts += [f"## {heading}", "\n".join(["| code | what it is about |", "|---|---|", *rows])]
    return "\n\n".join(parts) + "\n"


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.is_file() else None


def _write(path: Path, text: str | None) -> None:
    if text is None:
        path.unlink()
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
