"""Names in a kernel body: what a block assigns is gone behind it, and loops do not add up.

The compiler makes every assignment a new variable of the block that it stands in (T.alloc_var excepted). Python keeps
it. Where the two differ, the kernel is refused.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from .refusal import RefusalError

_VARIABLE = "a name that changes is a variable: v = T.alloc_var('int32', 0), then v = v + 1"


Position = tuple[int, int]
"""Line and column of a statement."""


class _Block:
    def __init__(self, loop: Position | None = None, branch: Position | None = None) -> None:
        self.loop = loop
        """Where the loop stands, of the body of one."""
        self.branch = branch
        """Where its first statement stands, of a side of an `if`."""
        self.names: set[str] = set()
        self.stale: dict[str, tuple[int, Position | None]] = {}
        """Names of this block that an inner one assigned for itself: the line, and the side of an `if` that it is in."""


class Names(ast.NodeVisitor):
    """Goes through a function in the order of its text. Raises RefusalError."""

    def __init__(self, function: ast.FunctionDef, variables: set[str]) -> None:
        self.variables = variables
        self.local = {
            n.id
            for n in ast.walk(function)
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
        }
        self.read = {
            n.id
            for n in ast.walk(function)
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)
        }
        self.blocks = [_Block()]
        self.suspects: dict[Position, RefusalError] = {}
        """Sides of an `if` that assign what is read behind them: wrong where the side is ever taken."""
        self.restored: dict[Position, set[str]] = {}
        """By loop: the names that every round finds as they were in front of it."""
        arguments = function.args
        for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
            self.blocks[0].names.add(argument.arg)
        self._body(function.body)

    def visit(self, node: ast.AST) -> None:
        """Names of comprehensions and lambdas are their own."""
        if not isinstance(
            node, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp | ast.Lambda
        ):
            super().visit(node)

    def _body(self, body: Iterable[ast.stmt]) -> None:
        for statement in body:
            self.visit(statement)

    def _block(
        self,
        body: Sequence[ast.stmt],
        *,
        loop: ast.stmt | None = None,
        branch: bool = False,
        targets: Iterable[ast.expr] = (),
    ) -> None:
        place = position([loop]) if loop is not None else None
        self.blocks.append(_Block(place, position(body) if branch and body else None))
        for target in targets:
            self._assign(target, None)
        self._body(body)
        self.blocks.pop()

    def visit_For(self, node: ast.For) -> None:
        self.visit(node.iter)
        self._block(node.body, loop=node, targets=[node.target])

    def visit_While(self, node: ast.While) -> None:
        self.visit(node.test)
        self._block(node.body, loop=node)

    def visit_If(self, node: ast.If) -> None:
        self.visit(node.test)
        self._block(node.body, branch=True)
        self._block(node.orelse, branch=True)

    def visit_With(self, node: ast.With) -> None:
        for item in node.items:
            self.visit(item.context_expr)
        self._block(node.body, targets=[i.optional_vars for i in node.items if i.optional_vars])

    def visit_Assign(self, node: ast.Assign) -> None:
        self.visit(node.value)
        for target in node.targets:
            self._assign(target, node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)
            self._assign(node.target, node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.visit(node.value)
        if isinstance(node.target, ast.Name):
            self.visit(ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target))
            self._assign(node.target, node.target)
        else:
            self.visit(node.target)

    def _assign(self, target: ast.expr, value: ast.AST | None) -> None:
        if isinstance(target, ast.Tuple | ast.List):
            for part in target.elts:
                self._assign(part, value)
        elif isinstance(target, ast.Name):
            self._bind(target, value)
        else:
            self.visit(target)

    def _bind(self, target: ast.Name, value: ast.AST | None) -> None:
        name = target.id
        *outer, here = self.blocks
        if name not in here.names and name not in self.variables:
            owner = next((b for b in reversed(outer) if name in b.names), None)
            if owner is not None:
                inside = self.blocks[self.blocks.index(owner) + 1 :]
                loops = [b.loop for b in inside if b.loop is not None]
                if loops and value is not None and _adds_up(value, name):
                    raise RefusalError(
                        f"`{name}` does not add up over the loop: the compiler makes it a new variable in every round",
                        _VARIABLE,
                        line=target.lineno,
                    )
                for loop in loops if value is not None else ():
                    self.restored.setdefault(loop, set()).add(name)
                branch = next((b.branch for b in inside if b.branch is not None), None)
                owner.stale[name] = (target.lineno, branch)
        here.names.add(name)
        here.stale.pop(name, None)

    def visit_Name(self, node: ast.Name) -> None:
        if (
            not isinstance(node.ctx, ast.Load)
            or node.id not in self.local
            or node.id in self.variables
        ):
            return
        owner = next((b for b in reversed(self.blocks) if node.id in b.names), None)
        if owner is None:
            raise RefusalError(
                f"`{node.id}` is not defined here: what a block assigns is gone behind it",
                "assign it in front of the block, or use T.alloc_var",
                line=node.lineno,
            )
        if node.id in owner.stale:
            line, branch = owner.stale[node.id]
            refusal = RefusalError(
                f"`{node.id}` still has its old value here: line {line} makes a variable of its block",
                _VARIABLE,
                line=node.lineno,
            )
            if branch is None:
                raise refusal
            self.suspects.setdefault(branch, refusal)


def position(body: Sequence[ast.stmt]) -> Position:
    """Where a block begins."""
    return body[0].lineno, body[0].col_offset


def _adds_up(value: ast.AST, name: str) -> bool:
    """Whether a value is the old one with something done to it."""
    if isinstance(value, ast.BinOp):
        return _adds_up(value.left, name) or _adds_up(value.right, name)
    return isinstance(value, ast.Name) and value.id == name
