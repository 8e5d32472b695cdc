"""Remedies for an accumulator that the products of a TileLang kernel start in the wrong step, or never.

Which step starts it is an argument of the call (`clear_accum` in the M tree, `init` in the A tree): the user's own,
whoever writes the synchronisation. Source: tilelang 0.1.15, tilelang/language; tilelang-ascend 0.1.4,
tilelang/language/ascend.py.
"""

from __future__ import annotations

import ast
from functools import reduce

from gen.check.places import Place
from gen.check.tile_lines import loops, nodes
from gen.check.wording import Kernel, Remedy, Write

_ARGUMENT = {"m_tree": "clear_accum", "a_tree": "init"}
_COUNTING = frozenset({"range", "serial", "Serial", "unroll", "Unroll", "Pipelined"})
"""Loops whose only argument is their number of rounds, or whose two are the first number and the end."""


def init(kernel: Kernel, starts: bool, product: Place | None, store: Place | None) -> Remedy | None:
    """The argument to write in the call at `product`, which should (`starts`), or should not, start the sum that the line
    of `store` takes; without lines where the text does not show the loop of the sum."""
    name = _ARGUMENT.get(kernel.tree)
    if name is None or product is None:
        return None
    condition = _first_step(kernel.text, product, store) if store else None
    call = _call(kernel.text, product.line)
    if condition is None or call is None:
        when = "in the first step of the sum" if starts else "in every step after the first"
        return Remedy(f"write `{name}={starts}` at line {product.line} {when}")
    argument = f"{name}={condition}"
    text = f"write `{argument}` in line {product.line}"
    if condition != "True":
        text += ": the first step of the sum starts it, and the others add to it"
    line = _with_argument(kernel.text, call, name, argument)
    return Remedy(text, (Write(line, "instead of", product),) if line else ())


def _first_step(text: str, product: Place, store: Place) -> str | None:
    """When the step is the first one of its sum: in the first round of each loop around the product and not around the
    store. None where no such loop is seen."""
    around, other = loops(text, product.line), loops(text, store.line)
    sums = [loop for loop in around if loop not in other]
    firsts = [_first_round(loop) for loop in sums]
    if not around:
        return "True"
    if not firsts or None in firsts:
        return None
    every = reduce(lambda one, two: f"T.And({one}, {two})", [f for f in firsts if f])
    return every if len(firsts) > 1 else f"({every})"


def _first_round(loop: ast.For) -> str | None:
    if not isinstance(loop.target, ast.Name) or not isinstance(loop.iter, ast.Call):
        return None
    if ast.unparse(loop.iter.func).rpartition(".")[2] not in _COUNTING:
        return None
    match loop.iter.args:
        case [_]:
            return f"{loop.target.id} == 0"
        case [start, _]:
            return f"{loop.target.id} == {ast.unparse(start)}"
    return None


def _call(text: str, line: int) -> ast.Call | None:
    """The statement at `line`, where it is one call in one line."""
    for node in nodes(text):
        if isinstance(node, ast.Expr) and node.lineno == line == node.end_lineno:
            return node.value if isinstance(node.value, ast.Call) else None
    return None


def _with_argument(text: str, call: ast.Call, name: str, argument: str) -> str:
    """The call with its argument `name` written anew; empty where it may stand there without its name."""
    line = text.split("\n")[call.lineno - 1].encode()
    given = next((k for k in call.keywords if k.arg == name), None)
    if given is not None:
        end = given.value.end_col_offset or 0
        closed = (
            line[end:].lstrip().startswith(b")")
            and line[: given.value.col_offset].rstrip()[-1:] == b"("
        )
        end += line[end:].index(b")") + 1 if closed else 0
        return (line[: given.col_offset] + argument.encode() + line[end:]).decode().strip()
    if len(call.args) > 3:
        return ""
    end = (call.end_col_offset or 0) - 1
    return (line[:end].rstrip(b", ") + b", " + argument.encode() + line[end:]).decode().strip()
