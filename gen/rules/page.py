"""The form of a page: what every rule says, in which order.

A page is a small Markdown file::

    # race-raw: read before the write is complete

    Severity: error
    Group: order

    ## What it does
    ## Why it is bad
    ## Example
    ## Use instead
    ## Source

`Example` and `Use instead` hold a few sentences and one fragment of a kernel for each tree that can say it: a heading
`### Ascend C` and a fenced block. Words behind the language of the fence say how a test runs the fragment (`cube`,
`chip=950`); readers of the page do not see them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

TREES = {"Ascend C": "ascendc", "A tree": "a_tree", "M tree": "m_tree", "Spec": "spec"}
"""Heading of a fragment -> the name of its tree on the command line; `spec` is for what a YAML text can say."""
SECTIONS = ("What it does", "Why it is bad", "Example", "Use instead", "Source")

_TITLE = re.compile(r"# ([a-z][a-z-]*): (\S.*)")
_FIELD = re.compile(r"(Severity|Group): (\S.*)")
_FENCE = re.compile(r"```(\w+)((?: [\w=.]+)*)")


class Severity(StrEnum):
    """What a finding of the rule means for the verdict."""

    ERROR = "error"
    """The kernel is wrong."""
    NOTE = "note"
    """The kernel may stay as it is; the verdict stays clean."""
    OUTCOME = "outcome"
    """There is no verdict on the kernel, and so it is not clean."""


class PageError(ValueError):
    """A page that does not have the form; the message names the page and what is wrong."""


@dataclass(frozen=True, slots=True)
class Fragment:
    """A few lines of a kernel: `language` as the fence says (`cpp`, `python`), `options` for the test that runs it."""

    tree: str
    language: str
    text: str
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """One rule.

    `example` and `instead` begin with their sentences (may be empty); `example_code` and `instead_code` are the
    fragments. `source` names public documents and files, one each.
    """

    code: str
    title: str
    severity: Severity
    group: str
    what: str
    why: str
    example: str
    example_code: tuple[Fragment, ...]
    instead: str
    instead_code: tuple[Fragment, ...]
    source: tuple[str, ...]


def parse(text: str, name: str) -> Page:
    """The page that `text` is; `name` is the code that its file is named after. Raises PageError."""
    head, *parts = re.split(r"^## ", text, flags=re.MULTILINE)
    sections = {title: body.strip() for title, _, body in (p.partition("\n") for p in parts)}
    if tuple(sections) != SECTIONS or len(parts) != len(SECTIONS):
        raise PageError(
            f"{name}: the sections are {', '.join(sections)}, not {', '.join(SECTIONS)}"
        )
    if empty := [title for title, body in sections.items() if not body]:
        raise PageError(f"{name}: nothing stands below {', '.join(empty)}")
    title, severity, group = _head(head, name)
    example, example_code = _fragments(sections["Example"], name)
    instead, instead_code = _fragments(sections["Use instead"], name)
    if not example_code and severity is not Severity.OUTCOME:
        raise PageError(f"{name}: the example shows no kernel")
    missing = {f.tree for f in example_code} - {f.tree for f in instead_code}
    if missing and instead_code:
        raise PageError(
            f"{name}: what to use instead is not shown for {', '.join(sorted(missing))}"
        )
    return Page(
        name,
        title,
        severity,
        group,
        sections["What it does"],
        sections["Why it is bad"],
        example,
        example_code,
        instead,
        instead_code,
        tuple(_items(sections["Source"], name)),
    )


def _head(head: str, name: str) -> tuple[str, Severity, str]:
    first, _, rest = head.strip().partition("\n")
    title = _TITLE.fullmatch(first)
    if title is None or title[1] != name:
        raise PageError(f"{name}: the first line is not `# {name}: what the rule is about`")
    fields = {m[1]: m[2] for line in rest.split("\n") if (m := _FIELD.fullmatch(line.strip()))}
    if set(fields) != {"Severity", "Group"} or len(rest.split()) != 4:
        raise PageError(
            f"{name}: below the title stand `Severity: …` and `Group: …` and nothing else"
        )
    if fields["Severity"] not in set(Severity):
        raise PageError(f"{name}: the severity is one of {', '.join(Severity)}")
    return title[2], Severity(fields["Severity"]), fields["Group"]


def _fragments(section: str, name: str) -> tuple[str, tuple[Fragment, ...]]:
    sentences, *parts = re.split(r"^### ", section, flags=re.MULTILINE)
    return sentences.strip(), tuple(_fragment(part, name) for part in parts)


def _fragment(part: str, name: str) -> Fragment:
    heading, _, rest = part.partition("\n")
    tree = TREES.get(heading.strip())
    if tree is None:
        raise PageError(f"{name}: `### {heading}` is none of {', '.join(TREES)}")
    first, _, rest = rest.strip().partition("\n")
    fence = _FENCE.fullmatch(first)
    body, end, after = rest.partition("\n```")
    if fence is None or not end or after.strip() or not body.strip():
        raise PageError(f"{name}: below `### {heading}` stands one fenced block and nothing else")
    return Fragment(tree, fence[1], body, tuple(fence[2].split()))


def _items(section: str, name: str) -> Iterator[str]:
    for item in re.split(r"^- ", section, flags=re.MULTILINE)[1:]:
        yield " ".join(item.split())
    if not section.startswith("- "):
        raise PageError(f"{name}: the sources are a list")
