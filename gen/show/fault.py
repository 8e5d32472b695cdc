"""A finding as people and programs read it: what happens, where, what to write, what follows from it."""

from __future__ import annotations

import math
import re
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from rich.markup import escape

from gen.check.agreement import DIFFERENCE
from gen.check.deep import DeepLook
from gen.check.places import Place
from gen.check.verdict import Consequence, Fault
from gen.check.witness import Witness

HANGING = 6
"""Columns by which the lines below the first are indented."""
TOO_WIDE = 120
"""Sentences are not set wider than this, however wide the terminal."""

_CODE = re.compile(r"`[^`]*`")
_HARD = "\u00a0"


def faults_lines(
    prefix: str, faults: Sequence[Fault], width: int, *, notes: bool = False
) -> Iterator[str]:
    """All findings as marked-up lines: mistakes in full, notes in one line unless they are wanted.

    That only one front end takes a kernel is shown to whoever asked for both.
    """
    shown = [f for f in faults if notes or f.severity == "error" or f.code == DIFFERENCE]
    for fault in shown:
        yield from fault_lines(prefix, fault, width)
    hidden = Counter(f.code for f in faults if f not in shown)
    if hidden:
        count = sum(hidden.values())
        codes = ", ".join(f"{code} {n} times" if n > 1 else code for code, n in hidden.items())
        yield f"  {prefix}{count} note{'s' * (count != 1)} ({codes}): --notes shows them"
    if shown:
        codes = " · ".join(dict.fromkeys(f"`gen explain {f.code}`" for f in shown))
        yield from (
            f"[dim]{escape(line.replace('`', ''))}[/]"
            for line in wrapped(f"  more: {codes}", width)
        )


def fault_lines(prefix: str, fault: Fault, width: int) -> Iterator[str]:
    """One finding as marked-up lines that fit `width` columns, code excepted."""
    style = "bold red" if fault.severity == "error" else "cyan"
    label = f"{fault.severity}[{fault.code}]"
    first, *rest = wrapped(f"  {prefix}{label}: {fault.message}{_seen(fault)}", width)
    yield escape(first).replace(escape(label), f"[{style}]{escape(label)}[/]", 1)
    yield from map(escape, rest)
    for place in fault.places:
        yield from _place(place)
    if fault.remedy:
        yield from map(escape, wrapped(f"    fix: {fault.remedy.text}", width))
    if fault.witness:
        yield from map(escape, wrapped(f"    shown by: {fault.witness}", width))
    if fault.also:
        listed = ", ".join(map(_consequence, fault.also))
        yield from map(escape, wrapped(f"    also: {listed}", width))


def _seen(fault: Fault) -> str:
    """How often, and where first."""
    parts = [f"{fault.count} times"] if fault.count > 1 else []
    parts += [f"{'first ' if parts else ''}on {fault.core}"] if fault.core else []
    return f" ({', '.join(parts)})" if parts else ""


def _place(place: Place) -> Iterator[str]:
    """The line that a person wrote; below it, where a compiler stood between, the line that it made."""
    own = place.origin or place
    step = f"  (step {own.step})" if own.step else ""
    yield f"    {escape(f'--> {own.file}:{own.line}{step}')}"
    yield f"        [dim]|[/] {escape(own.text.strip())}"
    if place.origin:
        yield f"        [dim]emitted: {escape(f'{place.file}:{place.line}')}[/]"


def _consequence(also: Consequence) -> str:
    lines = list(dict.fromkeys(str((p.origin or p).line) for p in also.places))
    where = f"at line{'s' * (len(lines) > 1)} {' and '.join(lines)}" if lines else ""
    times = f"({also.count} times)" if also.count > 1 else ""
    return " ".join(part for part in (also.code, also.edge, where, times) if part)


def wrapped(text: str, width: int) -> list[str]:
    """`text` in lines of `width` columns; what stands in backticks is not broken."""
    hard = _CODE.sub(lambda code: code[0].replace(" ", _HARD), text)
    lines = textwrap.wrap(
        hard,
        min(width, TOO_WIDE),
        subsequent_indent=" " * HANGING,
        break_long_words=False,
        break_on_hyphens=False,
        drop_whitespace=True,
        replace_whitespace=False,
    )
    indent = text[: len(text) - len(text.lstrip())]
    return [line.replace(_HARD, " ") for line in lines] or [indent]


def fault_json(fault: Fault) -> dict[str, Any]:
    """A finding as plain data."""
    remedy = fault.remedy
    return {
        "code": fault.code,
        "severity": fault.severity,
        "message": fault.message,
        "edge": fault.edge,
        "count": fault.count,
        "core": fault.core,
        "places": [asdict(p) for p in fault.places],
        "remedy": remedy
        and {
            "text": remedy.text,
            "lines": [
                {
                    "code": line.code,
                    "where": line.where,
                    "file": line.place.file if line.place else None,
                    "line": line.place.line if line.place else None,
                }
                for line in remedy.lines
            ],
        },
        "also": [asdict(a) for a in fault.also],
        "witness": witness_json(fault.witness) if fault.witness else None,
    }


def deep_lines(deep: DeepLook | None) -> Iterator[str]:
    """What all schedules say, on one line; nothing where nobody asked."""
    if deep is None or not deep.schedules:
        return
    count = len(deep.schedules)
    if not deep.witnesses:
        yield f"  the same values under {count} schedules"
        return
    names = ", ".join(w.schedule for w in deep.witnesses)
    yield f"  other values under {len(deep.witnesses)} of {count} schedules: {escape(names)}"


def deep_json(deep: DeepLook | None) -> dict[str, Any] | None:
    """As plain data."""
    if deep is None:
        return None
    return {
        "schedules": list(deep.schedules),
        "witnesses": [witness_json(w) for w in deep.witnesses],
        "contradiction": deep.contradiction,
    }


def witness_json(witness: Witness) -> dict[str, Any]:
    """The numbers that go wrong as plain data; what JSON cannot say is text."""

    def value(x: float | int | str) -> float | int | str:
        return x if isinstance(x, str | int) or math.isfinite(x) else str(x)

    return {
        "schedule": witness.schedule,
        "tensor": witness.tensor,
        "index": list(witness.index) if witness.index is not None else None,
        "offset": witness.offset,
        "in_order": value(witness.in_order),
        "otherwise": value(witness.otherwise),
    }
