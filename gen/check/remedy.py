"""From the fields of a finding's remedy to what to write, in the words of the tree that the kernel is written in."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from gen.check import accumulators, cross_words, flag_words
from gen.check.copy_units import units_at, units_of_source
from gen.check.dialects import EMITTED_C_API
from gen.check.places import Place
from gen.check.queue_left_out import left_out
from gen.check.wording import Kernel, Remedy, Words, Write, sentence
from gen.sim import Finding

__all__ = ["Kernel", "Remedy", "Write", "remedy_of"]


_RANGE = re.compile(
    r"(?P<name>\w+)(?: \([^)]*\)| in bytes)? is (?P<value>\d+), and the instruction takes (?P<least>\d+) to (?P<most>\d+)"
)
_COUNTS = re.compile(r"(?i)repeat|count|len|size|num|value|mask|^[mnk]$")
"""Arguments that several calls can share among them."""


def remedy_of(
    finding: Finding, kernel: Kernel, first: Place | None, second: Place | None
) -> Remedy | None:
    """What to write against `finding`; `first` and `second` are its places in the kernel, where they are known.

    Falls back to the model's own sentence, and is None where the model has none either.
    """
    fix = finding.fix
    kind = str(fix["kind"]) if fix else ""
    if fix and kind == "init" and (argument := _argument(finding, kernel, first, second)):
        return replace(argument, text=sentence(argument.text))
    if fix and kind in _KINDS:
        places = _written(first, kernel), _written(second, kernel)
        races = frozenset(a.edge for a in finding.also if a.code.startswith("race-"))
        also = frozenset(a.code for a in finding.also)
        words = Words(kernel, fix, finding.edge, *places, races, finding.code, also)
        found = _KINDS[kind](words)
        if found is not None:
            found = replace(found, text=sentence(found.text))
            return found if kernel.dialect is not EMITTED_C_API else _compiler_made(found, first)
    if kernel.dialect.name == "Ascend C" and (call := left_out(finding.code, kernel, first)):
        return call
    return _in_plain_words(finding, kernel, first) if finding.remedy else None


def _in_plain_words(finding: Finding, kernel: Kernel, first: Place | None) -> Remedy:
    """The model's own sentence, with the values that an argument takes, or the unit that a copy counts in."""
    taken = _RANGE.search(finding.message) if finding.code == "argument-range" else None
    if taken and not (_COUNTS.search(taken["name"]) and int(taken["value"]) > int(taken["most"])):
        return Remedy(f"write a value of {taken['least']} to {taken['most']} for {taken['name']}.")
    text = sentence(finding.remedy)
    units = ""
    if kernel.tree == "ascendc" and finding.code in ("out-of-bounds", "uninitialised-read"):
        outside = finding.code == "out-of-bounds"
        units = (units_at if outside else units_of_source)(kernel.text, first)
    return Remedy(f"{text.removesuffix('.')}; {units}." if units else text)


def _argument(
    finding: Finding, kernel: Kernel, first: Place | None, second: Place | None
) -> Remedy | None:
    """The argument of a TileLang call that starts an accumulator: the user's, whoever writes the flags."""
    assert finding.fix is not None
    starts = finding.fix["value"] in (True, 1, "true")
    product, store = ((place.origin or place) if place else None for place in (first, second))
    return accumulators.init(kernel, starts, product, store)


def _written(place: Place | None, kernel: Kernel) -> Place | None:
    """The line that a person edits: the kernel's own, or the emitted one where only a compiler writes flags."""
    if place is None or kernel.dialect is EMITTED_C_API:
        return place
    return place.origin or place


def _compiler_made(found: Remedy, first: Place | None) -> Remedy:
    """The compiler writes the flags of this kernel: what its output lacks, and what its user can do."""
    statement = f" of line {first.origin.line}" if first and first.origin else ""
    text = (
        f"{found.text} The M tree's compiler writes the synchronisation{statement} itself: where the kernel does nothing "
        "unusual (buffer versions, raw pointers), report it to tile-ai/tilelang with this statement; to write it by hand, "
        'set pass_configs={"tl.enable_auto_schedule": False} and use T.ascend_set_flag and T.ascend_wait_flag throughout.'
    )
    return replace(found, text=text)


_KINDS: dict[str, Callable[[Words], Remedy | None]] = {
    "edge": flag_words.edge,
    "freed": flag_words.freed,
    "barrier": flag_words.barrier,
    "cross": cross_words.cross,
    "own_bytes": cross_words.own_bytes,
    "sync_all": cross_words.sync_all,
    "wait": flag_words.wait_once_more,
    "set": flag_words.set_once_more,
    "prime": flag_words.prime,
    "cross_set": cross_words.cross_set,
    "cross_wait": cross_words.cross_wait,
    "other_id": flag_words.other_id,
    "remove": flag_words.remove,
    "unlock": flag_words.unlock,
    "lock": flag_words.lock,
    "init": flag_words.init,
}
"""Remedies that a tree has words for; for the others the model's sentence is as good."""
