"""The score as a table: in the terminal, as Markdown, as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from gen.score.scorecard import THREAD_SANITIZER, Published, Scorecard
from gen.score.tally import Counts, Tally
from gen.show.diff import TITLES

HEAD = ("", "verdicts", "TP", "FP", "FN", "TN", "recall", "precision")
PAIRS = ("TP", "FP", "FN", "recall", "precision")
BEGIN = "<!-- scorecard: written by `gen scorecard --write` -->"
END = "<!-- end of scorecard -->"


def show(card: Scorecard, console: Console) -> None:
    """Prints the tables, and what is not as the kernels say."""
    table = Table(title="by kernel, then by pair of lines", title_justify="left")
    for i, name in enumerate([*HEAD, *PAIRS, "support"]):
        table.add_column(name, justify="right" if i else "left", no_wrap=True)
    for name, tally in _rows(card):
        table.add_row(escape(name), *_cells(tally))
    for published in THREAD_SANITIZER:
        table.add_row(*_published(published), style="dim")
    console.print(table)
    for row in card.kills:
        rate = _rate(row.rate)
        console.print(
            f"mutants, {TITLES[row.tree]}, {row.operator}: {row.killed} killed, {row.survived} survived,"
            f" {row.equivalent} equivalent; kill rate {rate}",
            highlight=False,
        )
    for record in card.differing():
        console.print(
            f"[bold red]differs[/] {escape(record.path)} ({escape(record.profile)})",
            highlight=False,
        )
        for difference in record.differences:
            console.print(f"  {escape(difference)}", highlight=False, soft_wrap=True)


def _rows(card: Scorecard) -> Iterator[tuple[str, Tally]]:
    for (tree, profile), tally in card.by_profile().items():
        yield f"{TITLES[tree]}, {profile}", tally
    for tree, tally in card.by_tree().items():
        yield f"{TITLES[tree]}, all profiles", tally
    yield "all", card.total


def _cells(tally: Tally) -> list[str]:
    k, p = tally.kernels, tally.pairs
    return [
        str(tally.asked),
        *map(str, (k.tp, k.fp, k.fn, k.tn)),
        _rate(k.recall),
        _rate(k.precision),
        *map(str, (p.tp, p.fp, p.fn)),
        _rate(p.recall),
        _rate(p.precision),
        _rate(tally.support),
    ]


def _published(figures: Published) -> list[str]:
    name = f"{figures.name} on {figures.source}, by {figures.unit}"
    rates = [_rate(figures.recall), _rate(figures.precision)]
    none = [""] * 2
    if figures.unit == "file":
        return [name, "", "", "", "", "", *rates, "", "", "", *none, ""]
    return [name, "", "", "", "", "", *none, "", "", "", *rates, ""]


def _rate(rate: float | None) -> str:
    return "-" if rate is None else f"{rate:.3f}"


# ---- Markdown --------------------------------------------------------------------------------------------------------


def document(card: Scorecard, corpus: Path) -> str:
    """`docs/scorecard.md`."""
    files = len({r.path for r in card.records})
    parts = [
        "# Scorecard",
        f"Made by `gen scorecard --write` (`make scorecard`) from the {files} kernels in `{corpus.as_posix()}`, each under"
        f" every profile that it names: {len(card.records)} verdicts. Do not edit.",
        "What a kernel expects stands in its first lines. *By kernel*: a kernel with a fault in which something is found is"
        " a true positive (TP), one called clean a false negative (FN); a clean kernel in which something is found is a"
        " false positive (FP). *By pair of lines*: a finding that names the rule, the missing edge and the source lines"
        " that the kernel marks is a true positive, any other a false positive, a missing one a false negative."
        " *Support* is the share of kernels that the model judges at all.",
        "## By tree and profile",
        "\n".join(
            _markdown((f"{TITLES[t]}, {p}", tally) for (t, p), tally in card.by_profile().items())
        ),
        summary(card),
        "## Not as expected" if card.differing() else "",
        "\n".join(
            f"- `{r.path}` ({r.profile}): {'; '.join(r.differences)}" for r in card.differing()
        ),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def summary(card: Scorecard) -> str:
    """The tables of the README: by tree, other checkers for comparison, mutants."""
    rows = [(TITLES[tree], tally) for tree, tally in card.by_tree().items()]
    lines = [*_markdown([*rows, ("**all**", card.total)])]
    lines += [f"| {' | '.join(_published(p))} |" for p in THREAD_SANITIZER]
    parts = ["## By tree", "\n".join(lines)]
    if card.kills:
        parts += ["## Mutants", "\n".join(_kills(card))]
    return "\n\n".join(parts)


def _markdown(rows: Iterable[tuple[str, Tally]]) -> Iterator[str]:
    head = ["", "verdicts", *HEAD[2:], *(f"{name} (lines)" for name in PAIRS), "support"]
    yield f"| {' | '.join(head)} |"
    yield f"|---|{'---:|' * (len(head) - 1)}"
    for name, tally in rows:
        yield f"| {name} | {' | '.join(_cells(tally))} |"


def _kills(card: Scorecard) -> Iterator[str]:
    yield "| tree | mistake | killed | survived | equivalent | unsupported | kill rate |"
    yield "|---|---|---:|---:|---:|---:|---:|"
    for row in card.kills:
        numbers = (row.killed, row.survived, row.equivalent, row.unsupported)
        cells = " | ".join(map(str, numbers))
        yield f"| {TITLES[row.tree]} | {row.operator} | {cells} | {_rate(row.rate)} |"


def with_table(readme: str, card: Scorecard) -> str:
    """The README with the table between its markers. Raises ValueError where it has none."""
    before, found, rest = readme.partition(BEGIN)
    _, closed, after = rest.partition(END)
    if not (found and closed):
        raise ValueError("the README has no place for the scorecard")
    text = summary(card).replace("## By tree\n\n", "").replace("## Mutants", "Mutants:")
    return f"{before}{BEGIN}\n\n{text}\n\n{END}{after}"


# ---- JSON ------------------------------------------------------------------------------------------------------------


def to_json(card: Scorecard) -> dict[str, Any]:
    """Everything as plain data."""
    return {
        "total": _tally_json(card.total),
        "by_tree": {tree: _tally_json(t) for tree, t in card.by_tree().items()},
        "by_profile": [
            {"tree": tree, "profile": profile, **_tally_json(t)}
            for (tree, profile), t in card.by_profile().items()
        ],
        "mutants": [
            {
                "tree": row.tree,
                "operator": row.operator,
                "killed": row.killed,
                "survived": row.survived,
                "equivalent": row.equivalent,
                "unsupported": row.unsupported,
                "rate": row.rate,
            }
            for row in card.kills
        ],
        "records": [r.to_json() for r in card.records],
    }


def _tally_json(tally: Tally) -> dict[str, Any]:
    return {
        "kernels": _counts_json(tally.kernels),
        "pairs": _counts_json(tally.pairs),
        "asked": tally.asked,
        "judged": tally.judged,
        "refused": tally.refused,
        "differing": tally.differing,
        "support": tally.support,
    }


def _counts_json(counts: Counts) -> dict[str, Any]:
    figures = {"tp": counts.tp, "fp": counts.fp, "fn": counts.fn, "tn": counts.tn}
    return {**figures, "recall": counts.recall, "precision": counts.precision}
