"""The text of a kernel, made to run: once for its plan, once for its cores. Lines stay where they are."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from .names import Names, Position, position
from .refusal import RefusalError

HELPER = "_kernel_"
"""The name by which rewritten code reaches helper.Helper."""

_Node = TypeVar("_Node", bound=ast.AST)

_REFUSED: dict[type[ast.AST], tuple[str, str]] = {
    ast.Try: ("try", ""),
    ast.Raise: ("raise", ""),
    ast.Assert: ("assert", "check sizes in the function around the kernel"),
    ast.Delete: ("del", ""),
    ast.Global: ("global", ""),
    ast.Nonlocal: ("nonlocal", ""),
    ast.ClassDef: ("class", ""),
    ast.FunctionDef: (
        "def",
        "define functions outside of the kernel, with @T.macro where they have several statements",
    ),
    ast.Import: ("import", ""),
    ast.ImportFrom: ("import", ""),
    ast.Break: ("break", "write T.loop_break()"),
    ast.Continue: ("continue", "put the rest of the loop under `if`"),
    ast.Match: ("match", "write `if` and `else`"),
    ast.NamedExpr: (":=", ""),
    ast.Await: ("await", ""),
}


def _called(node: ast.AST | None) -> str:
    """The last part of the name of what is called; empty for anything else."""
    if not isinstance(node, ast.Call):
        return ""
    function = node.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


@dataclass(frozen=True)
class Checked:
    """What is known of the names of a function: those made by T.alloc_var, and branches that must not be taken."""

    variables: set[str]
    suspects: Mapping[Position, RefusalError]
    unused: set[str]
    """Names that are never read: the compiler leaves out what they hold."""
    restored: Mapping[Position, set[str]]
    """By loop: the names that every round finds as they were in front of it."""
    local: set[str]
    """Names that the function assigns or is given."""


def check(function: ast.FunctionDef) -> Checked:
    """Refuses what the compiler does not take, or takes for something else."""
    variables = {
        t.id
        for node in ast.walk(function)
        if isinstance(node, ast.Assign) and _called(node.value) == "alloc_var"
        for t in node.targets
        if isinstance(t, ast.Name)
    }
    for statement in function.body:
        for node in ast.walk(statement):
            _check(node)
    _check_slices(function)
    names = Names(function, variables)
    given = {argument.arg for argument in ast.walk(function) if isinstance(argument, ast.arg)}
    unused = names.local - names.read
    return Checked(variables, names.suspects, unused, names.restored, names.local | given)


def _check(node: ast.AST) -> None:
    if type(node) in _REFUSED:
        word, help = _REFUSED[type(node)]
        line = getattr(node, "lineno", 0)
        raise RefusalError(f"a kernel has no `{word}`", help, line=line)
    if isinstance(node, ast.For | ast.While) and node.orelse:
        raise RefusalError("a loop of a kernel has no `else`", line=node.lineno)
    if isinstance(node, ast.Return):
        message = "a kernel returns nothing" if node.value else "the compiler fails on `return`"
        help = "leave it out; what is not to run everywhere stands under `if`"
        raise RefusalError(message, help, line=node.lineno)


def _check_slices(function: ast.FunctionDef) -> None:
    """A slice with both bounds reaches only T.copy; elsewhere it becomes single elements."""
    copied = {
        id(inner)
        for node in ast.walk(function)
        if _called(node) == "copy"
        for inner in ast.walk(node)
        if isinstance(inner, ast.Slice)
    }
    for node in ast.walk(function):
        if isinstance(node, ast.Slice) and node.lower and node.upper and id(node) not in copied:
            raise RefusalError(
                "a slice with both bounds is taken for single elements here, and the compiler fails on them",
                "slice with one bound or an index (x[:4, :], x[r, :]), or copy into a smaller buffer",
                line=node.lower.lineno,
            )


class _Rewriter(ast.NodeTransformer):
    """What both passes share."""

    def __init__(self, checked: Checked) -> None:
        self.variables = checked.variables
        self.suspects = checked.suspects
        self.unused = checked.unused
        self.restored = checked.restored
        self.local = checked.local

    def call(self, name: str, at: ast.AST, *arguments: ast.expr) -> ast.Call:
        """A call of the helper."""
        function = ast.Attribute(ast.Name(HELPER, ast.Load()), name, ast.Load())
        return self.at(ast.Call(function, list(arguments), []), at)

    def at(self, new: _Node, old: ast.AST) -> _Node:
        """Stands where the other does."""
        for node in ast.walk(new):
            if not hasattr(node, "lineno") and isinstance(node, ast.expr | ast.stmt):
                ast.copy_location(node, old)
        return new

    def body(self, statements: Sequence[ast.stmt]) -> list[ast.stmt]:
        """All of a block, never empty."""
        found: list[ast.stmt] = []
        for statement in statements:
            new = self.visit(statement)
            found += new if isinstance(new, list) else [new]
        return found or [ast.Pass(lineno=1, col_offset=0)]

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in self.variables and isinstance(node.ctx, ast.Load):
            return self.at(ast.Attribute(node, "value", ast.Load()), node)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        if isinstance(node.value, ast.Name) and node.value.id in self.variables:
            return self.at(ast.Attribute(node.value, "value", node.ctx), node)
        return self.generic_visit(node)  # type: ignore[return-value]

    def visit_Assign(self, node: ast.Assign) -> Any:
        made = _called(node.value) == "alloc_var"
        value = self.visit(node.value)
        if len(node.targets) == 1 and isinstance(node.targets[0], ast.Tuple):
            return self._unpacked(node, node.targets[0], value)
        new: list[ast.stmt] = []
        for target in node.targets:
            made_of = self._assigned(target, value, node, made)
            new += made_of if isinstance(made_of, list) else [made_of]
        return new

    def _unpacked(self, node: ast.Assign, target: ast.Tuple, value: ast.expr) -> Any:
        names = [ast.Constant(t.id if isinstance(t, ast.Name) else "") for t in target.elts]
        bound = self.call("bind_all", node, ast.List(list(names), ast.Load()), value)
        return self.at(ast.Assign([target], bound), node)

    def _assigned(
        self, target: ast.expr, value: ast.expr, node: ast.stmt, made: bool = False
    ) -> ast.stmt:
        if isinstance(target, ast.Name) and target.id in self.variables and not made:
            place = ast.Attribute(ast.Name(target.id, ast.Load()), "value", ast.Store())
            kept = self.call("kept", node, ast.Name(target.id, ast.Load()), value)
            return self.at(ast.Assign([place], kept), node)
        if isinstance(target, ast.Name):
            bind = "left_out" if target.id in self.unused else "bind"
            value = self.call(bind, node, ast.Constant(target.id), value)
            return self.at(ast.Assign([target], value), node)
        return self.at(ast.Assign([self.visit(target)], value), node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        if node.value is None:
            return self.at(ast.Pass(), node)
        return self._assigned(node.target, self.visit(node.value), node)

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        old = _loaded(node.target)
        value = self.at(ast.BinOp(old, node.op, node.value), node)
        return self._assigned(node.target, self.visit(value), node)

    def visit_For(self, node: ast.For) -> Any:
        if _called(node.iter) == "Pipelined":
            return self._pipelined(node)
        alone = [ast.Constant(True)] if getattr(node, "alone", False) else []
        inner = [statement for statement in node.body if self._is_statement(statement)]
        if len(inner) == 1 and isinstance(inner[0], ast.For):
            inner[0].alone = _called(node.iter) in ("range", "serial")  # type: ignore[attr-defined]
        name = self._index(node)
        node.iter = self.call("iterated", node.iter, self._range(node.iter), name, *alone)
        before, node.body = self.rounds(node)
        return [*before, node]

    def _index(self, node: ast.For) -> ast.Constant:
        """What the index of a loop is called."""
        return ast.Constant(node.target.id if isinstance(node.target, ast.Name) else "")

    def _pipelined(self, node: ast.For) -> Any:
        """Every statement asks whether it is its turn; what only gives names runs for all of them."""
        turn = f"turn_{node.lineno}"
        given = [statement for statement in node.body if not self._is_statement(statement)]
        before, body = [], []
        for name in sorted(self.restored.get((node.lineno, node.col_offset), ())):
            kept = f"{name}_outside_{node.lineno}"
            before.append(self._moved(kept, name, node))
            body.append(self._moved(name, kept, node))
        count = 0
        for statement in node.body:
            if statement in given:
                body += self.body([statement])
                continue
            test = self._comes(turn, count, statement)
            body.append(self.at(ast.If(test, self.body([statement]), []), statement))
            count += 1
        loop = self.call("iterated", node.iter, self.visit(node.iter), self._index(node))
        node.iter = self.call("staged", node.iter, loop, ast.Constant(count))
        node.target = self.at(
            ast.Tuple([node.target, ast.Name(turn, ast.Store())], ast.Store()), node.target
        )
        node.body = body or [self.at(ast.Pass(), node)]
        return [*before, node]

    def _comes(self, turn: str, number: int, at: ast.stmt) -> ast.expr:
        function = ast.Attribute(ast.Name(turn, ast.Load()), "comes", ast.Load())
        return self.at(ast.Call(function, [ast.Constant(number)], []), at)

    def _is_statement(self, node: ast.stmt) -> bool:
        """Whether the compiler makes a statement of it, and not only a name."""
        if isinstance(node, ast.Pass):
            return False
        if isinstance(node, ast.Expr):
            return not isinstance(node.value, ast.Constant)
        if isinstance(node, ast.Assign) and all(
            isinstance(t, ast.Name | ast.Tuple) for t in node.targets
        ):
            names = {t.id for t in node.targets if isinstance(t, ast.Name)}
            return bool(names & self.variables) and _called(node.value) != "alloc_var"
        if isinstance(node, ast.AnnAssign | ast.AugAssign) and isinstance(node.target, ast.Name):
            return node.target.id in self.variables
        return True

    def rounds(self, node: ast.For | ast.While) -> tuple[list[ast.stmt], list[ast.stmt]]:
        """The body of a loop, and what stands in front of it: what a round assigns is gone in the next."""
        before: list[ast.stmt] = []
        body = self.body(node.body)
        for name in sorted(self.restored.get((node.lineno, node.col_offset), ())):
            kept = f"{name}_outside_{node.lineno}"
            before.append(self._moved(kept, name, node))
            body.insert(0, self._moved(name, kept, node))
        return before, body

    def _moved(self, target: str, source: str, at: ast.stmt) -> ast.stmt:
        return self.at(
            ast.Assign([ast.Name(target, ast.Store())], ast.Name(source, ast.Load())), at
        )

    def _range(self, iterated: ast.expr) -> ast.expr:
        new = self.visit(iterated)
        if isinstance(new, ast.Call) and isinstance(new.func, ast.Name) and new.func.id == "range":
            return self.call("range", new, *new.args)
        return new  # type: ignore[no-any-return]

    def visit_With(self, node: ast.With) -> Any:
        body = self.body(node.body)
        for item in reversed(node.items):
            item.context_expr = self.visit(item.context_expr)
            if _called(item.context_expr) == "Scope":
                body = self.scope(item.context_expr, body, node)
            else:
                body = [self.at(ast.With([item], body), node)]
        return body

    def scope(self, scope: ast.expr, body: list[ast.stmt], node: ast.With) -> list[ast.stmt]:
        """What stands in a T.Scope."""
        return [self.at(ast.If(self.call("scope", scope, scope), body, []), node)]


def _loaded(target: ast.expr) -> ast.expr:
    """The same place, read."""
    new = ast.parse(ast.unparse(target), mode="eval").body
    return ast.copy_location(new, target)


class Recorded(_Rewriter):
    """For a core: conditions and loops are Python's own."""

    def visit_Expr(self, node: ast.Expr) -> Any:
        if _called(node.value) == "loop_break":
            return self.at(ast.Break(), node)
        return self.generic_visit(node)

    def visit_While(self, node: ast.While) -> Any:
        node.test = self.visit(node.test)
        before, node.body = self.rounds(node)
        return [*before, node]

    def visit_If(self, node: ast.If) -> Any:
        node.test = self.visit(node.test)
        node.body = self.body(node.body)
        node.orelse = self.body(node.orelse) if node.orelse else []
        return node


class Synchronised(Recorded):
    """For a core of a kernel into which passes of the compiler insert calls: loops, branches and assignments have them,
    too."""

    def visit_Expr(self, node: ast.Expr) -> Any:
        new = super().visit_Expr(node)
        if isinstance(new, ast.Break):
            return [self._passed("before", "call", node.value), new]
        if not _called(node.value):
            return new
        # In front of the numbers that it is given, which it may read.
        return self._where("call", node.value, [self._passed("early", "call", node.value), new])

    def visit_For(self, node: ast.For) -> Any:
        at = node.iter
        return self._where("loop", at, self._around("loop", at, super().visit_For(node)))

    def visit_While(self, node: ast.While) -> Any:
        at = node.test
        return self._where("while", at, self._around("while", at, super().visit_While(node)))

    def visit_If(self, node: ast.If) -> Any:
        at = node.test
        return self._where("if", at, self._around("if", at, [super().visit_If(node)]))

    def scope(self, scope: ast.expr, body: list[ast.stmt], node: ast.With) -> list[ast.stmt]:
        """With what stands around it."""
        return super().scope(scope, self._around("scope", scope, body), node)

    def _assigned(
        self, target: ast.expr, value: ast.expr, node: ast.stmt, made: bool = False
    ) -> Any:
        new = super()._assigned(target, value, node, made)
        if made:
            return new
        if not isinstance(target, ast.Name):
            return self._where("store", target, self._around("store", target, [new]))
        if target.id in self.variables:
            return self._where("store", node, self._around("store", node, [new]))
        nothing = self.at(ast.Assign([ast.Name(target.id, ast.Store())], ast.Constant(1)), node)
        return self._where("name", node, self._around("name", node, [new]), [nothing])

    def _where(
        self, kind: str, at: ast.AST, inside: list[ast.stmt], other: list[ast.stmt] | None = None
    ) -> list[ast.stmt]:
        """Only where it is for the core."""
        test = self.call("issues", at, ast.Constant(kind))
        return [self.at(ast.If(test, inside, other or []), at)]

    def _around(self, kind: str, at: ast.AST, inside: list[ast.stmt]) -> list[ast.stmt]:
        return [self._passed("before", kind, at), *inside, self._passed("behind", kind, at)]

    def _passed(self, side: str, kind: str, at: ast.AST) -> ast.stmt:
        return self.at(ast.Expr(self.call(side, at, ast.Constant(kind))), at)


class Planned(_Rewriter):
    """For the plan: every loop once, both sides of every branch."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        new = super().visit_Name(node)
        if new is node and node.id in self.local and isinstance(node.ctx, ast.Load):
            return self.call("used", node, node)
        return new

    def visit_Expr(self, node: ast.Expr) -> Any:
        if isinstance(node.value, ast.Constant):
            return node
        node.value = self.call("statement", node.value, self.visit(node.value))
        return node

    def scope(self, scope: ast.expr, body: list[ast.stmt], node: ast.With) -> list[ast.stmt]:
        """With its end."""
        inside = self.at(ast.If(self.call("scoped", scope, scope), body, []), node)
        return [inside, self.at(ast.Expr(self.call("left", scope)), node)]

    def visit_If(self, node: ast.If) -> Any:
        test = self.call("branch", node.test, self.visit(node.test))
        parts: list[ast.stmt] = [self.at(ast.If(test, self._side(node.body), []), node)]
        if node.orelse:
            parts.append(
                self.at(ast.If(self.call("otherwise", node), self._side(node.orelse), []), node)
            )
        parts.append(self.at(ast.Expr(self.call("joined", node)), node))
        return parts

    def _side(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        """A side of an `if`. Whoever gets to one that assigns what is read behind it is refused."""
        place = position(body)
        found = self.body(body)
        if place in self.suspects:
            numbers = [ast.Constant(n) for n in place]
            found.insert(0, self.at(ast.Expr(self.call("suspect", body[0], *numbers)), body[0]))
        return found

    def visit_While(self, node: ast.While) -> Any:
        test = self.call("repeated", node.test, self.visit(node.test))
        before, body = self.rounds(node)
        loop = self.at(ast.If(test, body, []), node)
        return [*before, loop, self.at(ast.Expr(self.call("joined", node)), node)]

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        name = "both" if isinstance(node.op, ast.And) else "either"
        parts = [self._later(self.visit(value)) for value in node.values]
        return self.call(name, node, *parts)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        operand = self.visit(node.operand)
        if isinstance(node.op, ast.Not):
            return self.call("negation", node, operand)
        return self.at(ast.UnaryOp(node.op, operand), node)

    def visit_Compare(self, node: ast.Compare) -> Any:
        if len(node.ops) > 1:
            values = [self.visit(value) for value in (node.left, *node.comparators)]
            self_checked = self.call("chained", node, *values)
            plain = ast.Compare(values[0], node.ops, values[1:])
            return self.at(ast.BoolOp(ast.And(), [self_checked, plain]), node)
        return self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        node.test = self.call("decided", node.test, self.visit(node.test))
        node.body, node.orelse = self.visit(node.body), self.visit(node.orelse)
        return node

    def _later(self, value: ast.expr) -> ast.expr:
        nothing = ast.arguments([], [], None, [], [], None, [])
        return self.at(ast.Lambda(nothing, value), value)


def rewritten(
    function: ast.FunctionDef, rewriter: Callable[[Checked], _Rewriter], checked: Checked
) -> ast.FunctionDef:
    """The function, to be compiled; the one that is given stays as it is."""
    import copy

    new = copy.deepcopy(function)
    new.decorator_list = []
    new.returns = None
    arguments = (*new.args.posonlyargs, *new.args.args, *new.args.kwonlyargs)
    for argument in arguments:
        argument.annotation = None
    new.args.defaults, new.args.kw_defaults = [], [None for _ in new.args.kwonlyargs]
    new.body = rewriter(checked).body(new.body)
    return ast.fix_missing_locations(new)
