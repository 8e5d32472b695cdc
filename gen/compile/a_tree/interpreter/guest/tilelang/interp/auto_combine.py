"""`tl.ascend_auto_cv_combine`: of a kernel without T.Scope the cube core gets its statements, the vector cores theirs.

A statement belongs to the core in whose memory its first buffer lies. One without a buffer goes where the last one went
that had one, and nowhere before the first. (As tilelang-ascend 0.1.4 does it.)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from .launch import Variable
from .program import Block, Branch, Core, Key, Node, Outer, Statement, Store, at, nodes, simplified
from .refusal import RefusalError, unsupported

EVERYWHERE = ("printf",)
"""Operations that both kinds of cores keep."""
PLAIN = (
    "set_flag",
    "wait_flag",
    "barrier_all",
    "pipe_barrier",
    "set_cross_flag",
    "wait_cross_flag",
)
"""Operations without a buffer that the compiler takes there."""


@dataclass(frozen=True)
class Share:
    """What one kind of core keeps, and what it leaves out."""

    program: list[Node]
    left_out: frozenset[Key]


def shares(program: list[Node]) -> tuple[Share, Share]:
    """Of the cube core and of the vector cores. Raises RefusalError."""
    cube, vector = (_share(program, is_cube) for is_cube in (True, False))
    if cube.program and vector.program:
        _check_mixed(program)
    if vector.program and any(_is_variable(node) for node in nodes(program)):
        raise RefusalError(
            "with tl.ascend_auto_cv_combine the compiler keeps what is assigned to a variable of T.alloc_var for the"
            " cube core only",
            "write T.Scope and leave that option out",
        )
    return cube, vector


def combined(cube: Share, vector: Share) -> list[Node]:
    """One kernel of both, as the passes behind see it."""
    return [
        Core(key(is_cube), share.program)
        for is_cube, share in ((True, cube), (False, vector))
        if share.program
    ]


def key(is_cube: bool) -> Key:
    """What the block of one kind of core is called."""
    return ("share", is_cube)


def _is_variable(node: Node) -> bool:
    return isinstance(node, Store) and isinstance(node.target, Variable)


def _share(program: list[Node], is_cube: bool) -> Share:
    known = list(nodes(program))
    kept = _kept([n for n in known if isinstance(n, Statement | Store)], is_cube)
    whole = simplified(_filtered(program, lambda node: node.key in kept))
    return Share(whole, frozenset(n.key for n in known if n.key not in kept))


def _filtered(block: list[Node], keeps: Callable[[Node], bool]) -> list[Node]:
    found: list[Node] = []
    for node in block:
        if isinstance(node, Branch):
            one, two = (_filtered(side, keeps) for side in node.sides)
            found.append(replace(node, sides=(one, two)))
        elif isinstance(node, Block):
            found.append(replace(node, body=_filtered(node.body, keeps)))
        elif keeps(node):
            found.append(node)
    return found


def _kept(statements: list[Any], is_cube: bool) -> set[Key]:
    kept = set()
    here = False
    mixed = {True, False} <= {_cube(s) for s in statements}
    for node in statements:
        side = _cube(node)
        if isinstance(node, Store):
            keeps = side == is_cube
        elif side is not None:
            keeps = here = side == is_cube
        else:
            keeps = here or node.name in EVERYWHERE
            _check_plain(node, certain=here and not mixed)
        if keeps:
            kept.add(node.key)
    return kept


def _check_plain(node: Statement, *, certain: bool) -> None:
    if node.name in EVERYWHERE:
        return
    if node.name not in PLAIN:
        raise at(node, unsupported(f"tl.ascend_auto_cv_combine over T.{node.name}"))
    if not certain and len(node.key) > 2:
        what = "tl.ascend_auto_cv_combine over flags and barriers in a loop that is taken apart"
        raise at(node, unsupported(what))


def _cube(node: Statement | Store) -> bool | None:
    """Whether it is the cube core's; None where it says nothing of that."""
    if isinstance(node, Store):
        return bool(getattr(node.target, "scope", "") != "ub")
    return node.touched[0].scope != "ub" if node.touched else None


def _check_mixed(program: list[Node]) -> None:
    both = "tl.ascend_auto_cv_combine of both cores with"
    for node in nodes(program):
        if isinstance(node, Outer | Store) and node.loaded:
            raise at(node, unsupported(f"{both} numbers from memory"))
    for node in nodes(program):
        if len(node.key) > 2:
            raise at(node, unsupported(f"{both} a loop that is taken apart"))
