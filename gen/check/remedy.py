"""From the fields of a finding's remedy to what to write, in the words of the tree that the kernel is written in."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from gen.check.dialects import EMITTED_C_API, Dialect, dialect_of
from gen.check.event_ids import (
    FlagCall,
    flag_calls,
    free_cross_id,
    free_id,
    only_set,
    partner_missing,
)
from gen.check.nesting import Nesting, nesting
from gen.check.places import Place
from gen.check.queue_words import freed_early, not_enqueued
from gen.check.statements import statement
from gen.sim import Finding

_BLOCK_PIPES = re.compile(r"block (\w+)→block (\w+)")


@dataclass(frozen=True)
class Write:
    """One line to write, move or take out: `where` stands before the line of `place`, as `after` does."""

    code: str
    where: str
    place: Place | None = None

    @property
    def at(self) -> str:
        """`after line 43`, or `before the loop`."""
        return f"{self.where} line {self.place.line}" if self.place else self.where


@dataclass(frozen=True)
class Remedy:
    """What to write: one sentence, and the lines that it is made of (none where no line could be given)."""

    text: str
    lines: tuple[Write, ...] = ()


@dataclass(frozen=True)
class Kernel:
    """What the words depend on: the tree, the text that a person wrote, and the chip (`dav-2201`)."""

    tree: str
    text: str
    arch: str

    @cached_property
    def dialect(self) -> Dialect:
        """Its spellings; Ascend C is qualified where the kernel qualifies it."""
        found = dialect_of(self.tree, self.text)
        return _qualified(found) if found.name == "Ascend C" and "AscendC::" in self.text else found

    @cached_property
    def flags(self) -> tuple[FlagCall, ...]:
        """The flag calls of the text."""
        return flag_calls(self.text, self.dialect)


def remedy_of(
    finding: Finding, kernel: Kernel, first: Place | None, second: Place | None
) -> Remedy | None:
    """What to write against `finding`; `first` and `second` are its places in the kernel, where they are known.

    Falls back to the model's own sentence, and is None where the model has none either.
    """
    fix = finding.fix
    kind = str(fix["kind"]) if fix else ""
    if fix and kind in _KINDS:
        places = _written(first, kernel), _written(second, kernel)
        words = _Words(kernel, fix, finding.edge, *places)
        found = _KINDS[kind](words)
        if found is not None:
            found = replace(found, text=_sentence(found.text))
            return found if kernel.dialect is not EMITTED_C_API else _compiler_made(found, first)
    return Remedy(_sentence(finding.remedy)) if finding.remedy else None


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


@dataclass(frozen=True)
class _Words:
    """One remedy in the making."""

    kernel: Kernel
    fix: Mapping[str, Any]
    edge: str
    first: Place | None
    second: Place | None

    def flag(self, template: str, id: str | int) -> str:
        """A set or a wait of the remedy's pair of pipes."""
        case = self.kernel.dialect.pipe_case
        return template.format(
            source=case(self.fix["from"]), target=case(self.fix["to"]), id=self.id(id)
        )

    def id(self, id: str | int) -> str:
        """An event id as the tree writes it."""
        plain = str(id).isdigit()
        return f"EVENT_ID{id}" if plain and self.kernel.dialect.name == "Ascend C" else str(id)

    def pipe(self, template: str, **more: object) -> str:
        """A call with one pipe."""
        return template.format(pipe=self.kernel.dialect.pipe_case(str(self.fix["pipe"])), **more)

    @property
    def known_id(self) -> str:
        """The id as the source writes it at one of the places, or else its value in the run."""
        lines = {p.line for p in (self.first, self.second) if p}
        pair = (self.fix["from"], self.fix["to"])
        for call in self.kernel.flags:
            if call.line in lines and (call.source, call.target) == pair:
                return call.id
        return str(self.fix["id"])

    @property
    def backwards(self) -> bool:
        """Whether the second place stands above the first: the edge goes from one round of a loop to the next."""
        return bool(
            self.first
            and self.second
            and self.first.file == self.second.file
            and self.second.line <= self.first.line
        )

    @property
    def nesting(self) -> Nesting:
        """How the first place lies to the second: a set must be executed as often as its wait."""
        one, two = self.first, self.second
        if one is None or two is None or self.backwards:
            return Nesting.SAME
        if not (self._in_text(one) and self._in_text(two)):
            return Nesting.SAME
        lines = (self._statement(place)[0] for place in (one, two))
        return nesting(self.kernel.text, *lines)

    def _in_text(self, place: Place) -> bool:
        """Whether the place lies in the kernel's text, and not in what a compiler made of it."""
        lines = self.kernel.text.split("\n")
        known = place.line <= len(lines)
        return known and place.text.strip() in ("", lines[place.line - 1].strip())

    @property
    def behind(self) -> Place | None:
        """The last line of the statement at the first place."""
        return self._at_statement(self.first, last=True)

    @property
    def after(self) -> str:
        """`after`, or how to say that the last line is inside of the block that must be left first."""
        behind = self.behind
        if behind is None or self.first is None or not self._in_text(self.first):
            return "after"
        start = self.kernel.text.split("\n")[self._statement(self.first)[0] - 1]
        return "behind the block that ends with" if start.lstrip().startswith("with ") else "after"

    @property
    def ahead(self) -> Place | None:
        """The first line of the statement at the second place."""
        return self._at_statement(self.second, last=False)

    def _statement(self, place: Place) -> tuple[int, int]:
        return statement(self.kernel.text, place.line, python=self.kernel.tree != "ascendc")

    def _at_statement(self, place: Place | None, *, last: bool) -> Place | None:
        if place is None or not self._in_text(place):
            return place
        line = self._statement(place)[last]
        if line == place.line:
            return place
        return replace(place, line=line, text=self.kernel.text.split("\n")[line - 1])


def _edge(w: _Words) -> Remedy:
    if w.kernel.dialect.name == "Ascend C" and (in_queue := _queue(w)):
        return in_queue
    source, target, d = w.fix["from"], w.fix["to"], w.kernel.dialect
    alone = partner_missing(w.kernel.flags, source, target)
    set_there, wait_there = Write("", w.after, w.behind), Write("", "before", w.ahead)
    if alone and alone.sets:
        return _listed(
            [replace(wait_there, code=w.flag(d.wait_flag, alone.id))],
            f"the flag that line {alone.line} sets is waited for nowhere",
        )
    if alone:
        return _listed(
            [replace(set_there, code=w.flag(d.set_flag, alone.id))],
            f"the flag that line {alone.line} waits for is set nowhere",
        )
    near = [p.line for p in (w.first, w.second) if p]
    nested = w.nesting is not Nesting.SAME and not w.backwards
    id = free_id(w.kernel.flags, source, target, [] if nested else near, d)
    setting, waiting = w.flag(d.set_flag, id), w.flag(d.wait_flag, id)
    then = Write(waiting, "after that")
    if not w.backwards:
        lines = {
            Nesting.SAME: [replace(set_there, code=setting), replace(wait_there, code=waiting)],
            Nesting.OUTSIDE: [replace(set_there, code=setting), then],
        }
        beside_the_second = [Write(setting, "before", w.ahead), then]
        return _listed(lines.get(w.nesting, beside_the_second))
    found = _listed([replace(set_there, code=setting), then])
    assert w.ahead is not None
    loop = (
        f"To let the rounds overlap, wait before line {w.ahead.line} instead, set the flag once before the loop and wait "
        "once after it."
    )
    return replace(found, text=f"{found.text} {loop}")


def _queue(w: _Words) -> Remedy | None:
    """In the words of a TQue, where the tensor comes from one."""
    if missing := not_enqueued(w.kernel.text, w.first, w.second):
        return _listed([Write(*line) for line in missing])
    early = freed_early(w.kernel.text, w.first)
    if early is None or w.first is None:
        return None
    code, line = early
    there = replace(w.first, line=line, text=code, origin=None)
    moved = (Write(code, "take out", there), Write(code, "after", w.first))
    return Remedy(f"move `{code}` from line {line} behind line {w.first.line}", moved)


def _barrier(w: _Words) -> Remedy:
    return _listed([Write(w.pipe(w.kernel.dialect.barrier), "before", w.ahead)])


def _cross(w: _Words) -> Remedy:
    d = w.kernel.dialect
    mode = _mode(w, w.fix["from_core"], w.fix["to_core"])
    id = w.fix.get("id", free_cross_id(w.kernel.text, d))
    # A flag that answers is set when the data have been read; the scalar unit only waited for them.
    source = "MTE2" if w.fix["from"] == "S" else w.fix["from"]
    setting = _cross_setting(d, str(source), mode, id)
    waiting = _cross_waiting(w, str(w.fix["to"]), mode, id)
    one, two = _core(w.fix["from_core"]), _core(w.fix["to_core"])
    if w.second is None:
        answer = [
            Write(setting, f"on the {one} when it has read what the flag announced"),
            Write(waiting, f"on the {two} before it sets the flag again"),
        ]
        return _listed(answer)
    sets, waits = _for_both(d, one, setting, id), _for_both(d, two, waiting, id)
    lines = [
        *(Write(code, f"on the {one} {w.after}", w.behind) for code in sets),
        *(Write(code, f"on the {two} before", w.ahead) for code in waits),
    ]
    if w.backwards:  # the first rounds find their slots free, and nothing is left over
        first_round = f"on the {one} once for each slot before its first round"
        lines += [Write(code, first_round) for code in sets]
        lines += [Write(code, f"on the {two} as often at its end") for code in waits]
    return _listed(lines)


def _for_both(d: Dialect, core: str, code: str, id: int) -> list[str]:
    """In the M tree an AIC tells each of its AIVs, and hears from each: the second by an id that is 16 larger.

    Source: asc-devkit, docs/zh, SIMD-API, 同步控制, 核间同步, mode 4.
    """
    if d.name != "the M tree" or core != "AIC":
        return [code]
    return [code, code.replace(f" {id})", f" {id + 16})")]


def _mode(w: _Words, one: str, two: str) -> int:
    """Between AIC and AIV 2 (4 for one AIV on dav-3510, which the M tree uses), among AIVs 1; a wait may not say it."""
    if w.kernel.dialect.name == "the M tree":
        return 4
    return int(w.fix.get("mode") or (1 if _core(one) == _core(two) == "AIV" else 2))


def _cross_setting(d: Dialect, pipe: str, mode: int, id: object) -> str:
    other = "" if mode == 2 else f", {mode}"
    return d.cross_set.format(mode=mode, other_mode=other, pipe=pipe, id=id)


def _cross_waiting(w: _Words, pipe: str, mode: int, id: int) -> str:
    """A wait: on dav-2201 it stops the whole core, and is written without mode and pipe."""
    d = w.kernel.dialect
    code = d.cross_wait.format(mode=mode, pipe=pipe, id=id)
    if d.name == "Ascend C" and w.kernel.arch == "dav-2201":
        return f"{code.partition('CrossCoreWaitFlag')[0]}CrossCoreWaitFlag({id});"
    return code


def _core(unit: str) -> str:
    return unit.rstrip("01")


def _sync_all(w: _Words) -> Remedy | None:
    d = w.kernel.dialect
    if d.sync_all:
        only = "true" if w.fix["cores"] == "AIV" else "false"
        return _listed([Write(d.sync_all.format(only_aiv=only), "before", w.ahead)])
    pipes = _BLOCK_PIPES.fullmatch(w.edge)
    if not (pipes and d.inter[0]):
        return None
    id = free_cross_id(w.kernel.text, d)
    arriving, waiting = (
        t.format(pipe=p, id=id) for t, p in zip(d.inter, pipes.groups(), strict=True)
    )
    return _listed([Write(arriving, w.after, w.behind), Write(waiting, "before", w.ahead)])


def _wait(w: _Words) -> Remedy:
    code = w.flag(w.kernel.dialect.wait_flag, w.known_id)
    alone = partner_missing(w.kernel.flags, w.fix["from"], w.fix["to"])
    if alone and alone.sets and w.first and alone.line == w.first.line:
        pipe = w.kernel.dialect.pipe_case(w.fix["to"])
        return Remedy(
            f"this flag is waited for nowhere: write `{code}` before the first instruction of {pipe} that relies on it",
            (Write(code, "after", w.first),),
        )
    if w.second is not None:
        ids = "another id for one of the two" if w.second != w.first else "one id for each buffer"
        return _listed([Write(code, "before", w.second)], otherwise=f"use {ids}")
    return _listed([Write(code, "at the end of the kernel")], otherwise="leave the last set out")


def _set(w: _Words) -> Remedy:
    d = w.kernel.dialect
    other = only_set(w.kernel.flags, w.fix["from"], w.fix["to"])
    if other is not None and w.first is not None and other.id != w.known_id:
        code = w.flag(d.wait_flag, other.id)
        return Remedy(
            f"line {other.line} sets another id: write `{code}` in line {w.first.line}",
            (Write(code, "instead of", w.first),),
        )
    place = f"line {w.first.line}" if w.first else "this wait"
    code = w.flag(d.set_flag, w.known_id)
    return _listed([Write(code, "before", w.first)], otherwise=f"take {place} out")


def _cross_set(w: _Words) -> Remedy | None:
    if "core" not in w.fix or "id" not in w.fix:
        return None
    d, core = w.kernel.dialect, _core(str(w.fix["core"]))
    # Usually a core tells of what it has stored: FIXPIPE on an AIC, MTE3 on an AIV.
    pipe = str(w.fix.get("pipe", "FIX" if core == "AIC" else "MTE3"))
    mode = _mode(w, core, str(w.fix.get("to_core", "AIV")))
    code = _cross_setting(d, pipe, mode, w.fix["id"])
    place = f"line {w.first.line}" if w.first else "this wait"
    return _listed([Write(code, f"once more on the {core}")], otherwise=f"take {place} out")


def _prime(w: _Words) -> Remedy:
    d, id = w.kernel.dialect, w.known_id
    each = "" if id.removeprefix("EVENT_ID").isdigit() else " for each buffer"
    return _listed(
        [
            Write(w.flag(d.set_flag, id), f"before the loop{each}"),
            Write(w.flag(d.wait_flag, id), f"after the loop{each}"),
        ]
    )


def _cross_wait(w: _Words) -> Remedy:
    code = _cross_waiting(w, "S", int(w.fix["mode"]), w.fix["id"])
    where = f"at the end on the {_core(w.fix['core'])}"
    return _listed([Write(code, where)], otherwise="leave the last set out")


def _other_id(w: _Words) -> Remedy | None:
    if "from" not in w.fix:
        return None
    near = [p.line for p in (w.first, w.second) if p]
    id = free_id(w.kernel.flags, w.fix["from"], w.fix["to"], near, w.kernel.dialect)
    return Remedy(
        f"use an id of 0 to {w.fix['ids'] - 1}, in the set and in its wait: `{id}` is free"
    )


def _remove(w: _Words) -> Remedy:
    lines = [Write(p.text.strip(), "take out", p) for p in (w.first, w.second) if p is not None]
    return Remedy(
        (
            f"take out {' and '.join(f'line {line.place.line}' for line in lines if line.place)}"
            if lines
            else "take it out"
        ),
        tuple(lines),
    )


def _unlock(w: _Words) -> Remedy | None:
    template = w.kernel.dialect.unlock
    code = w.pipe(template, id=w.fix["id"])
    return _listed([Write(code, "before", w.second or w.first)]) if template else None


def _lock(w: _Words) -> Remedy | None:
    template = w.kernel.dialect.lock
    code = w.pipe(template, id=w.fix["id"])
    return _listed([Write(code, "before", w.first)]) if template else None


def _init(w: _Words) -> Remedy:
    d = w.kernel.dialect
    starts = w.fix["value"] in (True, 1, "true")
    what = "in the first step of the sum" if starts else "in every step after the first"
    place = f" at line {w.first.line}" if w.first else ""
    return Remedy(f"write `{d.starts if starts else d.continues}`{place} {what}")


def _listed(lines: list[Write], because: str = "", otherwise: str = "") -> Remedy:
    """`write A after line 3 and B before line 5`, with the reason before it and the alternative behind."""
    parts = [f"`{line.code}` {line.at}" for line in lines]
    text = (
        f"write {', '.join(parts[:-1])}{',' * (len(parts) > 2)} and {parts[-1]}"
        if parts[1:]
        else f"write {parts[0]}"
    )
    text = f"{because}: {text}" if because else text
    return Remedy(_sentence(f"{text}, or {otherwise}" if otherwise else text), tuple(lines))


def _sentence(text: str) -> str:
    return text if text.endswith((".", "?")) else f"{text}."


_KINDS: dict[str, Callable[[_Words], Remedy | None]] = {
    "edge": _edge,
    "barrier": _barrier,
    "cross": _cross,
    "sync_all": _sync_all,
    "wait": _wait,
    "set": _set,
    "prime": _prime,
    "cross_set": _cross_set,
    "cross_wait": _cross_wait,
    "other_id": _other_id,
    "remove": _remove,
    "unlock": _unlock,
    "lock": _lock,
    "init": _init,
}
"""Remedies that a tree has words for; for the others the model's sentence is as good."""


def _qualified(d: Dialect) -> Dialect:
    """Ascend C with its namespace in front."""
    spelled = {
        field: getattr(d, field)
        for field in ("set_flag", "wait_flag", "barrier", "cross_set", "cross_wait", "sync_all")
    }
    spelled |= {"lock": d.lock, "unlock": d.unlock}
    return replace(
        d,
        **{
            field: "AscendC::" + text.replace("HardEvent::", "AscendC::HardEvent::")
            for field, text in spelled.items()
        },
    )
