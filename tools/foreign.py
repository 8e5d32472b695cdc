"""Runs what other people wrote, with their own scripts, and writes down what came of it.

    python tools/foreign.py CHECKOUT... [--only WORD] [--json] [--write FILE]
    python tools/foreign.py --rows FILE... [--write FILE]      # what --json wrote, of several runs

A CHECKOUT is the working tree of one of the repositories in foreign.yaml, which says which of its files are run, with
what, and which findings in them were looked at. Nothing of a checkout is kept. Ctrl-C ends it with the rows so far.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from foreign_builds import builds
from foreign_rows import (
    Case,
    Row,
    from_json,
    markdown,
    paragraph,
    row_json,
    row_of,
    summary,
    summary_line,
)
from ruamel.yaml import YAML

from gen.check.foreign import RunOptions
from gen.check.foreign.script import ScriptVerdict, run_script
from gen.errors import GenError, render
from gen.plan import Tree

LIST = Path(__file__).with_name("foreign.yaml")
README = Path(__file__).parents[1] / "README.md"
MARKS = ("<!-- foreign: written by `make foreign` -->", "<!-- end of foreign -->")
TIMEOUT = 300.0


def main() -> int:
    """Runs and prints; the exit status: 0 all ran, 1 a finding that nobody judged, 2 wrong command line."""
    arguments = _arguments()
    content = YAML(typ="safe").load(LIST.read_text("utf-8"))
    if arguments.rows:
        stored = [json.loads(Path(f).read_text("utf-8")) for f in arguments.rows]
        rows = [from_json(row) for run in stored for row in run["rows"]]
        return _told(rows, content, arguments, whole=True)
    cases = [c for folder in arguments.checkouts for c in _cases(content, Path(folder))]
    cases = list({(c.repository, c.title): c for c in cases}.values())
    cases = [c for c in cases if not arguments.only or any(w in c.title for w in arguments.only)]
    if not cases:
        known = ", ".join(content["repositories"])
        print(
            f"nothing to run in {', '.join(arguments.checkouts)}: known are {known}",
            file=sys.stderr,
        )
        return 2
    rows = []
    try:
        for number, case in enumerate(cases, 1):
            _progress(f"[{number}/{len(cases)}] {case.title}")
            rows.append(_run(case, arguments.timeout))
            _progress(f"    {rows[-1].verdict}, {rows[-1].seconds:.0f} s")
    except KeyboardInterrupt:
        _progress(f"stopped after {len(rows)} of {len(cases)}")
    return _told(rows, content, arguments, whole=len(rows) == len(cases))


def _told(
    rows: list[Row], content: dict[str, Any], arguments: argparse.Namespace, *, whole: bool
) -> int:
    """Prints and writes the rows; the exit status."""
    rows = [r.judged(content.get("judgements") or []) for r in rows]
    text = markdown(rows, arguments.note)
    if arguments.json:
        print(json.dumps({"version": 1, "rows": [row_json(r) for r in rows]}, indent=2))
    else:
        print(text)
    if arguments.write and whole:
        Path(arguments.write).write_text(text, "utf-8")
        _summarise(README, rows, arguments.note)
    print(summary_line(rows), file=sys.stderr)
    return 1 if any(r.unjudged or r.unexpected for r in rows) else 0


def _summarise(readme: Path, rows: list[Row], note: str) -> None:
    """Puts the summary between its marks in the README."""
    text = readme.read_text("utf-8")
    before, mark, rest = text.partition(MARKS[0])
    _, end, after = rest.partition(MARKS[1])
    if mark and end:
        written = f"{mark}\n\n{summary(rows)}{paragraph(note)}\n{end}"
        readme.write_text(f"{before}{written}{after}", "utf-8")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("checkouts", nargs="*", metavar="CHECKOUT", help="a working tree")
    parser.add_argument("--rows", nargs="+", metavar="FILE", help="what --json wrote before")
    parser.add_argument("--only", action="append", metavar="WORD", help="rows with WORD in them")
    parser.add_argument("--json", action="store_true", help="write one JSON object")
    parser.add_argument("--write", metavar="FILE", help="write the table there, when it is whole")
    parser.add_argument("--note", default="", metavar="TEXT", help="what to know about this run")
    parser.add_argument("--timeout", type=float, default=TIMEOUT, help="seconds for a kernel")
    return parser.parse_args()


def _progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _cases(content: dict[str, Any], folder: Path) -> Iterator[Case]:
    """Everything that the list names in a checkout."""
    repositories = content["repositories"]
    assert isinstance(repositories, dict)
    for name, what in repositories.items():
        if (folder / what["marker"]).exists():
            yield from _of_repository(name, what, folder)


def _of_repository(name: str, what: dict[str, Any], folder: Path) -> Iterator[Case]:
    files = what["files"]
    settings = what.get("with") or {}
    assert isinstance(files, list)
    assert isinstance(settings, dict)
    for pattern in files:
        found = sorted(folder.glob(pattern))
        for path in found:
            if path.is_dir():
                yield from _of_sample(name, folder, path, what)
            elif path.suffix == ".py":
                relative = str(path.relative_to(folder))
                tree = Tree(what["tree"]) if "tree" in what else None
                yield Case(name, relative, path, tree, **_settings(settings.get(relative)))


def _settings(given: dict[str, Any] | None) -> dict[str, Any]:
    given = given or {}
    constants = given.get("constants") or {}
    return {
        "words": tuple(str(w) for w in given.get("words") or ()),
        "constants": {str(k): str(v) for k, v in constants.items()},
        "k_tail": str(given.get("k_tail", "group")),
    }


def _of_sample(repository: str, folder: Path, sample: Path, what: dict[str, Any]) -> Iterator[Case]:
    for build in builds(sample):
        path = sample / build.source
        relative = str(path.relative_to(folder))
        given = _settings((what.get("with") or {}).get(relative))
        case = Case(
            repository,
            relative,
            path,
            chip=build.chip,
            defines=build.defines,
            k_tail=given["k_tail"],
        )
        yield case
        for title, edit in ((what.get("edits") or {}).get(relative) or {}).items():
            yield replace(
                case,
                edit=title,
                hide=edit.get("hide", ""),
                show=edit.get("show", ""),
                expected=tuple(edit.get("expect") or ()),
                host=edit.get("host", ""),
            )


def _run(case: Case, timeout: float) -> Row:
    """One row; what goes wrong here is a row, too."""
    options = RunOptions(
        tree=case.tree,
        chip=case.chip or None,
        defines=case.defines,
        constants=case.constants,
        timeout=timeout,
        k_tail=case.k_tail,
        text=case.text() if case.edit else None,
    )
    start = time.perf_counter()
    try:
        verdict: ScriptVerdict | str = run_script(case.path, options, case.words)
    except GenError as error:
        verdict = "; ".join(render(d).splitlines()[0] for d in error.diagnostics)
    except Exception as error:  # one file must not end the others
        verdict = f"internal error: {type(error).__name__}: {error}"
    return row_of(case, verdict, time.perf_counter() - start)


def run_rows(cases: Sequence[Case], timeout: float = TIMEOUT) -> list[Row]:
    """The rows of some cases, for tests."""
    return [_run(case, timeout) for case in cases]


if __name__ == "__main__":
    sys.exit(main())
