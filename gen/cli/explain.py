"""``gen explain``: the page of a rule, the meaning of an error code, or the list of all rules."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator

from gen.cli.exits import Exit
from gen.cli.guard import print_json, wants_color
from gen.errors import CODES, Diagnostic, GenError, columns, listing, suggest
from gen.rules import GROUPS, Fragment, Page, codes, page, pages

KINDS = {
    "E14": "a mistake in how a kernel file is run, or in what its first lines say",
    "E1": "a mistake in a spec; nothing is rendered until it is put right",
    "E2": "a spec that no chip can carry out as it stands",
    "E3": "a rendering that could not be written",
    "E4": "a kernel that could not be compiled, or a compiler that is missing",
    "E5": "a fault of the machine, not of the kernel",
    "E6": "a mistake on the command line",
}
"""What the first digits of an error code say; the first that fits."""
TREES = {"ascendc": "Ascend C", "a_tree": "A tree", "m_tree": "M tree", "spec": "Spec"}

_WIDEST = 96
_BOLD, _DIM, _RESET = "\x1b[1m", "\x1b[2m", "\x1b[0m"


def explain(code: str | None, *, as_json: bool) -> Exit:
    """Prints what `code` means; all codes, one line each, without one. Raises GenError (E601)."""
    if code is None:
        _list(as_json=as_json)
        return Exit.CLEAN
    if code.lower() in codes():
        code = code.lower()
    if code in codes():
        found = page(code)
        print_json(_to_json(found)) if as_json else _print(_page(found))
    elif code.upper() in CODES:
        _error_code(code.upper(), as_json=as_json)
    else:
        message = f"there is no rule and no error code `{code}`"
        kin = [known for known in codes() if known.startswith(f"{code.lower()}-")]
        help = f"there are {listing(kin, 'and')}" if len(kin) > 1 else ""
        help = help or suggest(code, [*codes(), *CODES]) or "`gen explain` lists all of them"
        raise GenError([Diagnostic("E601", message, help=help)])
    return Exit.CLEAN


def _print(lines: Iterator[str]) -> None:
    color = wants_color(sys.stdout)
    for line in lines:
        plain = line.replace(_BOLD, "").replace(_DIM, "").replace(_RESET, "")
        print(line if color else plain)


def _list(*, as_json: bool) -> None:
    if as_json:
        rules = [{"code": p.code, "title": p.title, "severity": str(p.severity)} for p in pages()]
        errors = [{"code": code, "title": title} for code, title in CODES.items()]
        print_json({"rules": rules, "errors": errors})
        return
    _print(_catalogue())


def _catalogue() -> Iterator[str]:
    width = max(map(len, codes()))
    for group, heading in GROUPS.items():
        yield f"{_BOLD}{heading}{_RESET}"
        for p in pages():
            if p.group == group:
                note = "  (a note)" if p.severity == "note" else ""
                yield f"  {p.code:<{width}}  {p.title}{note}"
        yield ""
    yield f"{_BOLD}Mistakes in specs, and what keeps a kernel from being judged{_RESET}"
    for code, title in CODES.items():
        yield f"  {code:<{width}}  {title}"


def _error_code(code: str, *, as_json: bool) -> None:
    kind = next(kind for start, kind in KINDS.items() if code.startswith(start))
    if as_json:
        print_json({"code": code, "title": CODES[code], "kind": kind})
    else:
        print(f"{code}: {CODES[code]}\n\nThis is {kind}. The message that carries the code says")
        print("where it is, and its `help:` line says what to write instead.")


def _page(p: Page) -> Iterator[str]:
    yield f"{_BOLD}{p.code}: {p.title}{_RESET}"
    yield f"{_DIM}{_severity(p)}{_RESET}"
    for heading, text in (("What it does", p.what), ("Why it is bad", p.why)):
        yield from ("", f"{_BOLD}{heading}{_RESET}", "")
        yield from _wrapped(text)
    for heading, text, code in (
        ("Example", p.example, p.example_code),
        ("Use instead", p.instead, p.instead_code),
    ):
        yield from ("", f"{_BOLD}{heading}{_RESET}")
        if text:
            yield ""
            yield from _wrapped(text)
        for fragment in code:
            yield from _code(fragment)
    yield from ("", f"{_BOLD}Source{_RESET}", "")
    for item in p.source:
        yield from _wrapped(item, "- ", "  ")


def _severity(p: Page) -> str:
    return {
        "error": "an error: the verdict is `findings`",
        "note": "a note: the verdict stays `clean`",
        "outcome": "no verdict: the kernel is not called clean",
    }[str(p.severity)]


def _code(fragment: Fragment) -> Iterator[str]:
    yield from ("", f"  {_DIM}{TREES[fragment.tree]}{_RESET}", "")
    yield from (f"    {line}".rstrip() for line in fragment.text.split("\n"))


def _wrapped(text: str, first: str = "", then: str = "") -> Iterator[str]:
    """`text` in lines that fit the terminal; a Chinese character takes two columns."""
    width = min(shutil.get_terminal_size().columns, _WIDEST)
    for i, paragraph in enumerate(text.split("\n\n")):
        if i:
            yield ""
        line = first
        for word in paragraph.split():
            if line.strip(" -") and columns(line) + columns(word) >= width:
                yield line.rstrip()
                line = then
            line += f"{word} "
        yield line.rstrip()


def _to_json(p: Page) -> dict[str, object]:
    def code(fragments: tuple[Fragment, ...]) -> list[dict[str, str]]:
        return [{"tree": f.tree, "language": f.language, "text": f.text} for f in fragments]

    return {
        "code": p.code,
        "title": p.title,
        "severity": str(p.severity),
        "group": p.group,
        "what_it_does": p.what,
        "why_it_is_bad": p.why,
        "example": {"text": p.example, "code": code(p.example_code)},
        "use_instead": {"text": p.instead, "code": code(p.instead_code)},
        "source": list(p.source),
    }
