"""What `pass_configs` asks of the compiler, done here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from . import auto_combine, auto_memory, auto_sync
from .auto_sync import Area
from .buffer import Buffer
from .expression import Atom, Condition, Expression
from .program import Block, Branch, Key, Loop, Node, Repeated, at, nodes, simplified
from .refusal import RefusalError, unsupported
from .state import Issues

SYNC, MEMORY = "tl.ascend_auto_sync", "tl.ascend_memory_planning"
COMBINE, CROSS = "tl.ascend_auto_cv_combine", "tl.ascend_auto_cross_core_sync"
THREADS = ("cid", "vid")
"""First in the keys of what tells the cores apart."""
STORED = ("element", "unknown", "named")
"""First in the keys of numbers from memory."""


@dataclass(frozen=True)
class Passes:
    """Those that are on. `order`: names of buffers, as the compiler has put them where it is left to chance."""

    sync: bool = False
    memory: bool = False
    combine: bool = False
    cross: bool = False
    order: Sequence[str] = ()


NONE = Passes()


def asked(options: Mapping[str, Any], order: Sequence[str]) -> Passes:
    """The passes that a kernel wants. Raises RefusalError for one that is not here."""
    on = [str(key) for key, value in (options.get("pass_configs") or {}).items() if value]
    for key in on:
        if key.startswith("tl.ascend") and key not in (SYNC, MEMORY, COMBINE, CROSS):
            raise unsupported(f"the pass {key}")
    return Passes(SYNC in on, MEMORY in on, COMBINE in on, CROSS in on, tuple(order))


def apply(plan: Any, buffers: Sequence[Buffer], passes: Passes) -> None:
    """Chooses addresses, what is inserted, and who issues what. Raises RefusalError."""
    if not passes.sync and not passes.memory and not passes.combine:
        return
    if plan.program.lacking:
        error = unsupported(f"passes of the compiler over {plan.program.lacking}")
        error.line = plan.program.lacking_line
        raise error
    if passes.combine:
        plan.sides = plan.sides or auto_combine.sides(plan.program.root, cross=passes.cross)
        program = auto_combine.combined(plan.program.root, plan.sides)
    else:
        program = simplified(plan.program.root)
    _check_hoisted(program)
    if passes.memory:
        plan.chance = bool(auto_memory.place(program, plan.addresses, passes.order))
    tables = _tables(program, buffers, passes)
    for is_cube in (True, False):
        side = plan.sides.get(is_cube)
        key = None if side is None else auto_combine.key(is_cube)
        out = frozenset() if side is None else side.left_out
        plan.issues[is_cube] = Issues(tables.get(key, {}), out, side is not None and not side.kept)


def _tables(
    program: list[Node], buffers: Sequence[Buffer], passes: Passes
) -> dict[Key | None, auto_sync.Table]:
    """What is inserted; with the combining pass, for each kind of core."""
    if passes.sync:
        _check_while(program)
    areas = {b: Area(b.scope, b.address, b.address + b.bytes) for b in buffers}
    if passes.combine:
        found = auto_sync.inserted_by_core(program, areas) if passes.sync else {}
        return {
            part.key: auto_sync.with_flags(found.get(part.key, {}), nodes([part]))
            for part in program
        }
    return {None: auto_sync.inserted(program, areas)} if passes.sync else {}


def _check_while(program: list[Node]) -> None:
    for node in nodes(program):
        dropped = (
            [n for n in node.body if isinstance(n, Repeated)] if isinstance(node, Loop) else []
        )
        if dropped:
            refusal = RefusalError(
                f"with {SYNC} the compiler drops a `while` that stands in a `for`: what is in it runs once",
                "write T.serial with T.loop_break()",
            )
            raise at(dropped[0], refusal)


def _check_hoisted(program: list[Node]) -> None:
    """The compiler moves an `if` out of a loop that holds nothing else and does not change it."""
    for node in nodes(program):
        if isinstance(node, Loop) and any(_moves(test, node.index) for test in _alone(node.body)):
            what = "passes of the compiler over an `if` that is all of a loop and is the same in every round"
            raise at(node, unsupported(what))


def _alone(block: list[Node]) -> Iterator[Any]:
    """The conditions of an `if` that is all of a block, and of those that are all of its sides."""
    if len(block) == 1 and isinstance(block[0], Branch):
        yield block[0].test
        for side in block[0].sides:
            yield from _alone(side)
    elif len(block) == 1 and isinstance(block[0], Block):
        yield from _alone(block[0].body)


def _moves(test: Any, index: Any) -> bool:
    parts = _atoms(test)
    if parts is None:
        return False
    mine = [atom.key for atom in getattr(index, "terms", ())]
    names = list(_names(parts))
    return not any(name in mine or name[0] in (*THREADS, *STORED) for name in names)


def _atoms(test: Any) -> frozenset[Atom] | None:
    """The parts of a condition, or of a number that is one; None where they cannot be told."""
    if isinstance(test, bool | int):
        return frozenset()
    if isinstance(test, Expression):
        return frozenset(test.terms)
    parts = test.test if isinstance(test, Condition) else None
    found = [_atoms(part) for part in (parts or ()) if not isinstance(part, str)]
    if parts is None or None in found:
        return None
    return frozenset(atom for atoms in found if atoms is not None for atom in atoms)


def _names(key: Any) -> Iterator[Any]:
    """All keys in a key."""
    if isinstance(key, Atom):
        yield from _names(key.key)
    elif isinstance(key, tuple) and key and isinstance(key[0], str):
        yield key
        for part in key[1:]:
            yield from _names(part)
    elif isinstance(key, tuple | frozenset):
        for part in key:
            yield from _names(part)
