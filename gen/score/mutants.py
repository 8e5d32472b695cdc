"""Mutants: what happens to a kernel when one of its synchronisation statements is wrong.

All mutants of a kernel are one program: each changed statement stands beside the original on its own line, behind a
question which variant runs (:func:`schemata`; the engine answers it from the profile key ``variant``). So a kernel is
compiled once, and every finding names the line that it would name in the unchanged source.

The source is device source, C++ with one statement a line: Ascend C as written, or what a TileLang compiler emitted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum


class Operator(StrEnum):
    """Kinds of mistakes."""

    DELETE = "delete"
    """The statement is missing."""
    MOVE = "move"
    """A set before what it reports, a wait behind what it protects."""
    SWAP = "swap"
    """Two neighbouring synchronisation statements in the other order."""
    RETARGET = "retarget"
    """Another pipe, another direction, or another call of the protocol."""
    ID = "id"
    """The next event id, mutex or cross-core flag."""
    STAGES = "stages"
    """One slot, or one stage, less than the rest of the kernel counts on."""
    SHRINK = "shrink"
    """Half the buffer."""


@dataclass(frozen=True)
class Mutant:
    """One changed place. ``number`` is the variant that runs it; ``line`` counts from 1; ``after`` is empty where the
    statement is gone."""

    number: int
    operator: Operator
    line: int
    before: str
    after: str


@dataclass
class _Line:
    """A line and what variants make of it: texts in front of it, behind it, or in its place."""

    text: str
    before: list[tuple[int, str]] = field(default_factory=list)
    instead: list[tuple[int, str]] = field(default_factory=list)
    behind: list[tuple[int, str]] = field(default_factory=list)
    changed: str = ""
    """The line with questions inside of its expressions."""


@dataclass(frozen=True)
class _Sync:
    """A synchronisation statement: what it does (``set``, ``wait``, ``barrier``, ...) and how it is spelt."""

    kind: str
    head: str
    """Up to the opening parenthesis of its arguments."""
    arguments: str

    @property
    def text(self) -> str:
        return f"{self.head}({self.arguments});"

    @property
    def early(self) -> bool:
        """Whether it says that something is done, and so is wrong when it comes too early."""
        return self.kind in ("set", "cross set", "unlock", "EnQue", "FreeTensor")


_STATEMENT = re.compile(
    r"(?P<head>(?:AscendC::)?(?:"
    r"(?P<set>SetFlag<[\w:]+>)|(?P<wait>WaitFlag<[\w:]+>)|(?P<barrier>PipeBarrier<\w+>)"
    r"|(?P<cross_set>CrossCoreSetFlag<[\w, ]+>)|(?P<cross_wait>CrossCoreWaitFlag(?:<[\w, ]+>)?)"
    r"|(?P<sync_all>SyncAll(?:<\w*>)?)|(?P<lock>Mutex::Lock<\w+>)|(?P<unlock>Mutex::Unlock<\w+>))"
    r"|(?P<c_set>asc_sync_notify)|(?P<c_wait>asc_sync_wait)|(?P<c_barrier>asc_sync_pipe|asc_sync)"
    r"|(?P<c_cross_set>asc_sync_(?:intra|block|subblock|inter)_arrive)"
    r"|(?P<c_cross_wait>asc_sync_(?:intra|block|subblock|inter)_wait)"
    r"|(?P<c_lock>asc_lock)|(?P<c_unlock>asc_unlock)"
    r"|\w+\.(?P<queue>EnQue|FreeTensor))\((?P<arguments>.*)\);"
)
_KINDS = {
    **{"set": "set", "wait": "wait", "barrier": "barrier", "sync_all": "sync all"},
    **{"cross_set": "cross set", "cross_wait": "cross wait", "lock": "lock", "unlock": "unlock"},
    **{"c_set": "set", "c_wait": "wait", "c_barrier": "barrier", "c_lock": "lock"},
    **{"c_unlock": "unlock", "c_cross_set": "cross set", "c_cross_wait": "cross wait"},
}
_DEQUE = re.compile(r"\bDeQue<")
_QUEUE_BUFFER = re.compile(r"(InitBuffer\(\w+, )(\w+)(, .*\);)$")
_PLAIN_BUFFER = re.compile(r"(InitBuffer\(\w+, (?:\w+, )?)([^,]+)(\);)$")
_OFFSET_BUFFER = re.compile(r"(\w+)\.GetWithOffset<(\w+)>\((\d+), (\d+)\)")
_ARENA = re.compile(
    r"\bascend_(?:ub|l1|l0a|l0b|l0c)\b"
)  # the whole of a memory, of which the A tree cuts buffers
_MODULO = re.compile(r"%\s*(\d+|[A-Z][A-Z_0-9]+)\b")
_PARITY = re.compile(r"& 1\b")
_SLOT_OFFSET = re.compile(r"\+ (\d{3,})\)")

#: Another pair of pipes that could be meant, for each that is used.
_OTHER_PAIR = {
    **{"MTE2_V": "MTE2_MTE3", "V_MTE3": "V_MTE2", "MTE3_V": "MTE3_MTE2", "V_MTE2": "V_MTE3"},
    **{"MTE3_MTE2": "MTE3_V", "MTE2_MTE3": "MTE2_V", "MTE2_MTE1": "MTE1_MTE2"},
    **{"MTE1_MTE2": "MTE2_MTE1", "MTE1_M": "M_MTE1", "M_MTE1": "MTE1_M", "M_FIX": "FIX_M"},
    **{"FIX_M": "M_FIX", "V_S": "MTE2_S", "S_V": "S_MTE2", "MTE2_S": "V_S", "S_MTE2": "S_V"},
    **{"S_MTE3": "S_V", "MTE3_S": "V_S", "V_V": "MTE2_V", "FIX_MTE2": "FIX_M"},
}
_OTHER_BARRIER = {
    **{"PIPE_V": "PIPE_MTE2", "PIPE_MTE2": "PIPE_MTE3", "PIPE_MTE3": "PIPE_MTE2"},
    **{"PIPE_M": "PIPE_MTE1", "PIPE_MTE1": "PIPE_M", "PIPE_FIX": "PIPE_M", "PIPE_ALL": "PIPE_MTE2"},
}
_PRELUDE = 'namespace aicore { __attribute__((visibility("default"))) int variant(); }\n#line 1\n'


def schemata(source: str, without: frozenset[int] = frozenset()) -> tuple[str, list[Mutant]]:
    """The program of all variants of ``source``, and what each variant changes.

    Variant 0 is the source itself. ``without``: lines that are left alone (a compiler rejected what was made of them).
    """
    return _Maker(source, without).make()


class _Maker:
    def __init__(self, source: str, without: frozenset[int]) -> None:
        self._lines = [_Line(text) for text in source.splitlines()]
        self._without = without
        self._mutants: list[Mutant] = []

    def make(self) -> tuple[str, list[Mutant]]:
        for i, line in enumerate(self._lines):
            if i + 1 in self._without:
                continue
            sync = _sync(line.text)
            if sync is not None:
                self._change_sync(i, sync)
            self._change_expressions(i, sync)
        text = "\n".join(_written(line) for line in self._lines)
        return _PRELUDE + text + "\n", self._mutants

    def _add(self, operator: Operator, i: int, after: str) -> int:
        number = len(self._mutants) + 1
        before = self._lines[i].text.strip()
        self._mutants.append(Mutant(number, operator, i + 1, before, after))
        return number

    def _change_sync(self, i: int, sync: _Sync) -> None:
        here = self._lines[i]
        here.instead.append((self._add(Operator.DELETE, i, ""), ""))
        for text in _retargeted(sync):
            here.instead.append((self._add(Operator.RETARGET, i, text), text))
        shifted = _shifted(sync)
        if shifted:
            here.instead.append((self._add(Operator.ID, i, shifted), shifted))
        self._move(i, sync)
        self._swap(i, sync)

    def _move(self, i: int, sync: _Sync) -> None:
        """Across the nearest operation of its block."""
        step = -1 if sync.early else 1
        k = i + step
        while self._plain(k) and _sync(self._lines[k].text) is not None:
            k += step
        if not self._plain(k) or _declares(self._lines[k].text):
            return
        where = "before" if sync.early else "behind"
        number = self._add(Operator.MOVE, i, f"{sync.text}  ({where} line {k + 1})")
        self._lines[i].instead.append((number, ""))
        (self._lines[k].before if sync.early else self._lines[k].behind).append((number, sync.text))

    def _swap(self, i: int, sync: _Sync) -> None:
        other = _sync(self._lines[i + 1].text) if self._plain(i + 1) else None
        if other is None or other.text == sync.text or i + 2 in self._without:
            return
        number = self._add(Operator.SWAP, i, f"{other.text} {sync.text}")
        self._lines[i].instead.append((number, other.text))
        self._lines[i + 1].instead.append((number, sync.text))

    def _plain(self, i: int) -> bool:
        """Whether line `i` is one whole statement, and none that a condition in front of it governs."""
        if not 0 < i < len(self._lines) or i + 1 in self._without:
            return False
        before = self._lines[i - 1].text.strip()
        return _whole(self._lines[i].text) and before.endswith((";", "{", "}"))

    def _change_expressions(self, i: int, sync: _Sync | None) -> None:
        text = self._lines[i].text
        if not _whole(text):
            return
        rules: list[tuple[Operator, re.Pattern[str], Callable[[re.Match[str]], str]]]
        rules = [
            (Operator.RETARGET, _DEQUE, lambda m: "AllocTensor<"),
            (Operator.STAGES, _QUEUE_BUFFER, lambda m: f"{m[1]}1{m[3]}"),
            (Operator.SHRINK, _OFFSET_BUFFER, self._over_neighbour),
        ]
        if not _ARENA.search(text):
            rules.append((Operator.SHRINK, _PLAIN_BUFFER, lambda m: f"{m[1]}({m[2]}) / 2{m[3]}"))
        if sync is not None or _moves_data(text):
            rules += [
                (Operator.STAGES, _MODULO, lambda m: "% 1"),
                (Operator.STAGES, _PARITY, lambda m: "& 0"),
            ]
        if "asc_copy_gm2" in text:
            rules.append((Operator.SHRINK, _SLOT_OFFSET, lambda m: f"+ {int(m[1]) // 2})"))
        for operator, pattern, change in rules:
            self._change_once(i, operator, pattern, change)

    def _change_once(
        self,
        i: int,
        operator: Operator,
        pattern: re.Pattern[str],
        change: Callable[[re.Match[str]], str],
    ) -> None:
        """The line with its first match changed; a declaration keeps its name, so the question goes inside."""
        text = self._lines[i].text
        match = pattern.search(text)
        if match is None:
            return
        new = change(match)
        if new == match[0]:
            return
        code = (text[: match.start()] + new + text[match.end() :]).strip()
        number = self._add(operator, i, code)
        declared = re.match(r"(?P<name>(?:const )?[\w:<>, ]+ \w+) = (?P<value>.*);$", text.strip())
        if declared is None:
            self._lines[i].instead.append((number, code))
            return
        value = code[len(declared["name"]) + 3 : -1]
        held = self._lines[i].changed or declared["value"]
        self._lines[i].changed = f"aicore::variant() == {number} ? {value} : {held}"

    def _over_neighbour(self, buffer: re.Match[str]) -> str:
        """The buffer where it would lie if the one before it had half its size."""
        memory, kind, count, offset = buffer[1], buffer[2], buffer[3], int(buffer[4])
        sizes = []
        for line in self._lines:
            other = _OFFSET_BUFFER.search(line.text)
            if other and other[1] == memory and int(other[4]) < offset:
                sizes.append(offset - int(other[4]))
        moved = offset - min(sizes) // 64 * 32 if sizes else offset
        return f"{memory}.GetWithOffset<{kind}>({count}, {moved})"


def _sync(text: str) -> _Sync | None:
    match = _STATEMENT.fullmatch(text.strip())
    if match is None:
        return None
    kind = match["queue"] or next(_KINDS[k] for k in _KINDS if match[k])
    return _Sync(kind, match["head"].partition("(")[0], match["arguments"]) if kind else None


def _whole(text: str) -> bool:
    """Whether a line is one statement from its first character to its semicolon."""
    code = text.strip()
    if not code.endswith(";") or code.count(";") != 1 or code.count("(") != code.count(")"):
        return False
    words = ("return", "break", "continue", "using", "case", "#", "//", "}", "struct", "constexpr")
    return not code.startswith(words)


def _declares(text: str) -> bool:
    return (
        re.match(r"(?:const |auto |static )|[\w:<>, *]+ \w+(?: =|;|\()", text.strip()) is not None
    )


def _moves_data(text: str) -> bool:
    return (
        re.search(r"\b(?:copy_\w+|gemm_v\d|DataCopy\w*|LoadData\w*|asc_copy_\w+)", text) is not None
    )


def _retargeted(sync: _Sync) -> Iterator[str]:
    pair = re.search(r"HardEvent::(\w+)|PIPE_(\w+), PIPE_(\w+)", sync.text)
    if pair and sync.kind in ("set", "wait"):
        now = pair[1] or f"{pair[2]}_{pair[3]}"
        other = _OTHER_PAIR.get(now, "")
        if other and pair[1]:
            yield sync.text.replace(f"HardEvent::{now}", f"HardEvent::{other}")
        elif other:
            first, _, second = other.partition("_")
            yield sync.text.replace(pair[0], f"PIPE_{first}, PIPE_{second}")
        return
    pipe = re.search(r"PIPE_\w+", sync.text)
    if pipe and sync.kind in ("barrier", "lock", "unlock", "cross set"):
        other = _OTHER_BARRIER.get(pipe[0], "")
        if other:
            yield sync.text.replace(pipe[0], other, 1)


def _shifted(sync: _Sync) -> str:
    """With the next id, where there is one."""
    if sync.kind not in ("set", "wait", "cross set", "cross wait", "lock", "unlock"):
        return ""
    first, comma, last = sync.arguments.rpartition(", ")
    if sync.kind in ("lock", "unlock") and "MUTEX" in last.upper():
        return ""
    cast = re.fullmatch(r"(static_cast<\w+>\()(.*)(\))", last)
    last = f"{cast[1]}({cast[2]}) + 1{cast[3]}" if cast else f"({last}) + 1"
    return f"{sync.head}({first}{comma}{last});"


def _written(line: _Line) -> str:
    text = line.text
    if line.changed:
        name, _, _ = text.partition(" = ")
        text = f"{name} = {line.changed};"
    if line.instead:
        code = text.strip()
        text = text[: len(text) - len(text.lstrip())]
        for number, other in line.instead:
            text += f"if (aicore::variant() == {number}) {{ {other} }} else "
        text += f"{{ {code} }}"
    front = "".join(f"if (aicore::variant() == {n}) {{ {code} }} " for n, code in line.before)
    behind = "".join(f" if (aicore::variant() == {n}) {{ {code} }}" for n, code in line.behind)
    return front + text + behind
