"""What a remedy is made of, and what its words depend on: kernel, places, pipes and ids."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from gen.check.dialects import Dialect, dialect_of
from gen.check.event_ids import FlagCall, flag_calls
from gen.check.nesting import Nesting, indent, nesting
from gen.check.places import Place
from gen.check.statements import statement


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


@dataclass(frozen=True)
class Words:
    """One remedy in the making."""

    kernel: Kernel
    fix: Mapping[str, Any]
    edge: str
    first: Place | None
    second: Place | None
    races: frozenset[str] = frozenset()
    """Edges whose lack is a consequence of this one."""
    code: str = ""
    """Of the finding."""
    also: frozenset[str] = frozenset()
    """Codes of its consequences."""

    def flag(self, template: str, id: str | int) -> str:
        """A set or a wait of the remedy's pair of pipes."""
        case = self.kernel.dialect.pipe_case
        return template.format(
            source=case(self.fix["from"]), target=case(self.fix["to"]), id=self.id(id)
        )

    def id(self, id: str | int) -> str:
        """An event id as the tree writes it."""
        plain = str(id).isdigit()
        return f"EVENT_ID{id}" if plain and self.kernel.dialect.event_ids else str(id)

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

    @property
    def in_one_block(self) -> bool:
        """Whether both places are executed equally often, the second above the first, as far as the text shows them."""
        if self.first is None or self.second is None or not self.in_text:
            return True
        one, two = (self._statement(place)[0] for place in (self.second, self.first))
        return nesting(self.kernel.text, min(one, two), max(one, two)) is Nesting.SAME

    @property
    def in_text(self) -> bool:
        """Whether both places are known and lie in the kernel's text."""
        return all(
            place is not None and self._in_text(place) for place in (self.first, self.second)
        )

    def _in_text(self, place: Place) -> bool:
        """Whether the place lies in the kernel's text, and not in what a compiler made of it."""
        lines = self.kernel.text.split("\n")
        known = place.line <= len(lines)
        return known and place.text.strip() in ("", lines[place.line - 1].strip())

    def at(self, line: int) -> Place:
        """A line of the kernel's text."""
        here = self.first or self.second
        assert here is not None
        text = self.kernel.text.split("\n")[line - 1]
        return replace(here, line=line, text=text, step=None, origin=None)

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


def listed(lines: list[Write], because: str = "", otherwise: str = "") -> Remedy:
    """`write A after line 3 and B before line 5`, with the reason before it and the alternative behind."""
    parts = [f"`{line.code}` {line.at}" for line in lines]
    text = (
        f"write {', '.join(parts[:-1])}{',' * (len(parts) > 2)} and {parts[-1]}"
        if parts[1:]
        else f"write {parts[0]}"
    )
    text = f"{because}: {text}" if because else text
    return Remedy(sentence(f"{text}, or {otherwise}" if otherwise else text), tuple(lines))


def moved(code: str, from_there: Place, where: str, place: Place) -> Remedy:
    """A line that stands too early (`where` is `after`) or too late (`before`)."""
    if where == "after" and indent(place.text) > indent(from_there.text):
        where = "behind the block that ends with"
    to = f"{'behind' if where == 'after' else where} line {place.line}"
    lines = (Write(code, "take out", from_there), Write(code, where, place))
    return Remedy(f"move `{code}` from line {from_there.line} {to}", lines)


def instead(code: str, place: Place, because: str = "") -> Remedy:
    """Another line in the place of one."""
    text = f"write `{code}` in line {place.line}"
    return Remedy(f"{because}: {text}" if because else text, (Write(code, "instead of", place),))


def sentence(text: str) -> str:
    return text if text.endswith((".", "?")) else f"{text}."
