"""The score as a table: in the terminal, as Markdown, as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from gen.score.kills import KillRow, Kills
from gen.score.scorecard import THREAD_SANITIZER, Published, Scorecard
from gen.score.tally import Counts, Tally
from gen.show.diff import TITLES

HEAD = ("", "verdicts", "TP", "FP", "FN", "TN", "recall", "precision")
PAIRS = ("TP", "FP", "FN", "recall", "precision")
KILL_HEAD = (
    "tree",
    "mistake",
    "killed",
    "survived",
    "equivalent",
    "unsupported",
    "kill rate",
)
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
    if card.kills.rows:
        console.print(_kill_table(card.kills))
        console.print(escape(_sampling(card.kills)), highlight=False)
        for survivor in card.kills.survivors:
            console.print(
                f"[bold red]survived[/] {escape(survivor)}", highlight=False, soft_wrap=True
            )
    for record in card.differing():
        console.print(
            f"[bold red]differs[/] {escape(record.path)} ({escape(record.profile)})",
            highlight=False,
        )
        for difference in record.differences:
            console.print(f"  {escape(difference)}", highlight=False, soft_wrap=True)


def _kill_table(kills: Kills) -> Table:
    table = Table(title="mutants", title_justify="left")
    for i, name in enumerate(KILL_HEAD):
        table.add_column(name, justify="right" if i > 1 else "left", no_wrap=True)
    for row in kills.rows:
        table.add_row(*_kill_cells(row))
    return table


def _kill_cells(row: KillRow) -> list[str]:
    numbers = (row.killed, row.survived, row.equivalent, row.unsupported)
    return [TITLES[row.tree], row.operator, *map(str, numbers), _rate(row.rate)]


def _sampling(kills: Kills) -> str:
    """What the figures were taken from."""
    text = f"{kills.mutants} mutants of {kills.kernels} clean kernels: the rendered ones, and a fixed sample of the corpus"
    return text + (f"; {kills.left_out} kernels could not be mutated" if kills.left_out else "")


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
        "The corpus and the model were written together, each against the documents, and where they differed the documents"
        " decided. So these figures say how far both agree; on kernels that nobody here has seen they can only be lower.",
        "## By tree and profile",
        "\n".join(
            _markdown((f"{TITLES[t]}, {p}", tally) for (t, p), tally in card.by_profile().items())
        ),
        summary(card),
        "## Not as expected" if card.differing() else "",
        "\n".join(
            f"- `{r.path}` ({r.profile}): {'; '.join(r.differences)}" for r in card.differing()
        ),
        "## Mutants that survived" if card.kills.survivors else "",
        "\n".join(f"- {survivor}" for survivor in card.kills.survivors),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def summary(card: Scorecard) -> str:
    """The tables of the README: by tree, other checkers for comparison, mutants."""
    rows = [(TITLES[tree], tally) for tree, tally in card.by_tree().items()]
    lines = [*_markdown([*rows, ("**all**", card.total)])]
    lines += [f"| {' | '.join(_published(p))} |" for p in THREAD_SANITIZER]
    parts = ["## By tree", "\n".join(lines)]
    if card.kills.rows:
        parts += ["## Mutants", f"{_sampling(card.kills)}.", "\n".join(_kills(card.kills))]
    return "\n\n".join(parts)


def _markdown(rows: Iterable[tuple[str, Tally]]) -> Iterator[str]:
    head = ["", "verdicts", *HEAD[2:], *(f"{name} (lines)" for name in PAIRS), "support"]
    yield f"| {' | '.join(head)} |"
    yield f"|---|{'---:|' * (len(head) - 1)}"
    for name, tally in rows:
        yield f"| {name} | {' | '.join(_cells(tally))} |"


def _kills(kills: Kills) -> Iterator[str]:
    yield f"| {' | '.join(KILL_HEAD)} |"
    yield "|---|---|---:|---:|---:|---:|---:|"
    for row in kills.rows:
        yield f"| {' | '.join(_kill_cells(row))} |"


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
        "mutants": {
            "rows": [{**asdict(row), "rate": row.rate} for row in card.kills.rows],
            "kernels": card.kills.kernels,
            "run": card.kills.mutants,
            "left_out": card.kills.left_out,
            "survivors": list(card.kills.survivors),
        },
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
