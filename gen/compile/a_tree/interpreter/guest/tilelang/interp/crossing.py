"""T.Pipelined with stages over work of the cube and of the vector cores.

The compiler takes as many rounds together as there are stages. In such a group each run of statements of one kind of core
gets a loop over its rounds. A buffer of the loop that one of these loops reads, and another one uses, has a version for
each round of the group, as have the tensors between the cores, whose names start with `workspace`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from .buffer import Buffer
from .memory import Scope, home, uses
from .pipeline import Statement
from .program import Block, Branch, Core, Node, at, nodes
from .program import Statement as Call
from .refusal import RefusalError, unsupported

WORKSPACE = "workspace"
"""How the compiler knows a tensor between the cores."""
SCALED = ("add", "sub", "mul", "div")
"""Operations of which the compiler finds the version of a single element that they take."""


def crosses(body: Sequence[Node]) -> bool:
    """Whether a loop has work of both kinds of core."""
    kinds = {kind(b) for n in nodes(list(body)) if isinstance(n, Call) for b in n.touched}
    return {True, False} <= kinds


def kind(buffer: Buffer) -> bool:
    """Whether a buffer on the chip is the cube core's."""
    return buffer.scope not in ("ub", "var")


class Turn(NamedTuple):
    """One statement that a core runs: for which index, in which loops, and which version of buffers it has."""

    statement: Statement
    k: int
    version: int
    loops: tuple[Any, ...]
    marker: None = None
    printed: bool = False


class Stages:
    """The loops of one group. Raises RefusalError where the compiler makes something else of the kernel's loop."""

    def __init__(
        self,
        statements: Sequence[Statement],
        made: Sequence[tuple[int, Node]],
        rounds: int | None,
        stages: int,
    ) -> None:
        self.stages = stages
        self.groups = _groups(rounds, stages)
        body = [node for _, node in made]
        for node in nodes(body):
            if isinstance(node, Core):
                raise at(node, unsupported("a T.Pipelined with stages over T.Scope of both cores"))
        self.parts: list[list[Statement]] = []
        self._nodes: list[list[Node]] = []
        last: bool | None = None
        for statement, node in zip(statements, body, strict=True):
            mine = _kind(node, last)
            if mine != last:
                self.parts.append([])
                self._nodes.append([])
            last = mine
            self.parts[-1].append(statement)
            self._nodes[-1].append(node)
        _check_tensors(body)
        self.shared = _shared(self._nodes)

    def turns(self, start: int, stop: int) -> Iterator[Turn]:
        """As a core runs them."""
        for k in range(start, stop, self.stages):
            for number, part in enumerate(self.parts):
                for i in range(self.stages):
                    for statement in part:
                        loops = ("groups", ("stage", number))
                        yield Turn(statement, k + i, i, loops)


def versions(stages: Stages, aside: Scope, block: Scope, root: Scope) -> dict[Buffer, int]:
    """The buffers that have several versions."""
    found = {}
    outside = uses(root)
    for buffer, scopes in uses(aside).items():
        mine = home(scopes, aside) is aside
        if any(not scope.inside(block) for scope in outside.get(buffer, [])) or not mine:
            continue
        if buffer in stages.shared:
            found[buffer] = stages.stages
    for buffer in found:
        _check_elements(stages, buffer)
    return found


def _groups(rounds: int | None, stages: int) -> int:
    if rounds is None:
        raise RefusalError(
            "over work of both kinds of core the compiler multiplies the rounds of a T.Pipelined that only a core knows"
            " with its stages",
            "make the number of rounds a constant, or use T.serial",
        )
    if rounds % stages or not rounds:
        raise RefusalError(
            f"over work of both kinds of core the compiler takes {stages} rounds of this T.Pipelined together, and loses"
            f" the last {rounds % stages} of {rounds}",
            f"make the number of rounds a multiple of {stages}, or use T.serial",
        )
    return rounds // stages


def _kind(node: Node, last: bool | None) -> bool:
    """Whether a statement is the cube core's; one without buffers goes with the one in front."""
    if isinstance(node, Branch):
        refusal = RefusalError(
            "in a T.Pipelined over work of both kinds of core the compiler runs what stands under `if` in every round,"
            " too",
            "put the `if` into a loop of one round, or use T.serial",
        )
        raise at(node, refusal)
    found = {_first(n) for n in nodes([node]) if isinstance(n, Call)} - {None}
    if len(found) > 1:
        raise at(node, unsupported("a T.Pipelined with stages over a loop with work of both cores"))
    if found:
        return bool(found.pop())
    if isinstance(node, Block):
        raise at(node, unsupported("a T.Pipelined over both cores with a loop without buffers"))
    if last is None:
        refusal = RefusalError(
            "a T.Pipelined over work of both kinds of core loses the flags and barriers that it begins with",
            "put them behind a statement with a buffer",
        )
        raise at(node, refusal)
    return last


def _first(call: Call) -> bool | None:
    return kind(call.touched[0]) if call.touched else None


def _check_tensors(body: Sequence[Node]) -> None:
    """The tensors between the cores get versions, by their names."""
    calls = [n for n in nodes(list(body)) if isinstance(n, Call)]
    if not any(a.writes and a.buffer.scope == "global" for c in calls for a in c.accesses):
        raise unsupported("a T.Pipelined with stages over both kinds of core without a store to GM")
    for call in calls:
        for buffer in (use.buffer for use in call.uses):
            if WORKSPACE not in buffer.name:
                continue
            if buffer.scope != "global":
                raise at(call, unsupported(f"a buffer called {buffer.name} in a T.Pipelined"))
            if not buffer.name.startswith(WORKSPACE):
                refusal = RefusalError(
                    f"the compiler moves {buffer.name} on for each stage of this T.Pipelined, and makes no room for it",
                    f"begin its name with {WORKSPACE}",
                )
                raise at(call, refusal)


def _shared(parts: Sequence[Sequence[Node]]) -> set[Buffer]:
    """Buffers of several parts, of which one reads what it has not written."""
    found = set()
    by_part = [[n for n in nodes(list(part)) if isinstance(n, Call)] for part in parts]
    used = [{b for call in calls for b in call.touched} for calls in by_part]
    for buffer in set().union(*used):
        mine = [calls for calls, there in zip(by_part, used, strict=True) if buffer in there]
        if len(mine) > 1 and any(_exposed(calls, buffer) for calls in mine):
            found.add(buffer)
    return found


def _exposed(calls: Sequence[Call], buffer: Buffer) -> bool:
    """Whether statements in a row read what none of them has written in front."""
    written: list[bool] = []
    exposed = False
    for call in calls:
        extent = call.part(buffer)
        mine = [use for use in call.uses if use.buffer is buffer]
        if any(not use.writes or use.kept for use in mine) and not exposed:
            exposed = _uncovered(call, buffer, extent, written)
        if any(use.writes for use in mine):
            written.append(extent is None)
    return exposed


def _uncovered(call: Call, buffer: Buffer, extent: bool | None, written: Sequence[bool]) -> bool:
    """Whether a read reaches behind what is `written` (all of the buffer, or a part of it). `extent`: None for all, else
    whether the part is constant."""
    if extent is False:
        return True
    if any(written):
        return False
    if extent is True and written:
        raise at(call, unsupported(f"parts of {buffer.name} in a T.Pipelined over both cores"))
    return True


def _check_elements(stages: Stages, buffer: Buffer) -> None:
    for part in stages._nodes:
        for call in nodes(list(part)):
            if isinstance(call, Call) and buffer in call.elements and call.name not in SCALED:
                what = (
                    f"an element of {buffer.name}, which has versions, as an operand of {call.name}"
                )
                raise at(call, unsupported(what))
