"""Text -> expression tree, with every mistake placed at its characters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from gen.errors import hints, known, suggest
from gen.spec.expr import Binary, BinaryOp, Const, Expr, Input, Unary, UnaryOp, evaluate

#: Functions of an expression, with their number of arguments.
FUNCTIONS: Mapping[str, int] = MappingProxyType(
    {"abs": 1, "exp": 1, "log": 1, "max": 2, "min": 2, "relu": 1, "sigmoid": 1, "sqrt": 1}
)

#: Functions that one may expect, and how to write them with those that there are.
INSTEAD: Mapping[str, str] = MappingProxyType(
    {
        "silu": "x * sigmoid(x)",
        "swish": "x * sigmoid(x)",
        "rsqrt": "1 / sqrt(x)",
        "reciprocal": "1 / x",
        "rcp": "1 / x",
        "square": "x * x",
        "pow": "x * x, or exp(y * log(x))",
        "tanh": "2 * sigmoid(2 * x) - 1",
        "gelu": "x * sigmoid(1.5957691216 * (x + 0.044715 * x * x * x))",
        "softplus": "log(1 + exp(x))",
        "ln": "log(x)",
        "log2": "log(x) * 1.4426950408889634",
        "exp2": "exp(x * 0.6931471805599453)",
        "maximum": "max(x, y)",
        "minimum": "min(x, y)",
        "neg": "-x",
        "add": "x + y",
        "sub": "x - y",
        "mul": "x * y",
        "div": "x / y",
        "leaky_relu": "max(x, 0.01 * x)",
        "clamp": "min(max(x, low), high)",
        "clip": "min(max(x, low), high)",
    }
)

# Whoever walks a tree does so by recursion; no kernel that anybody wants needs more than this.
MAX_DEPTH = 64
MAX_OPERATIONS = 200
MAX_LENGTH = 4096


@dataclass(frozen=True, slots=True)
class Flaw:
    """A mistake in the characters ``start`` to ``end`` of an expression."""

    code: str
    message: str
    start: int
    end: int
    help: str = ""


class ExpressionError(ValueError):
    """An expression with at least one mistake."""

    def __init__(self, flaws: Sequence[Flaw]) -> None:
        self.flaws = tuple(flaws)
        super().__init__("; ".join(f"{f.message} (at character {f.start + 1})" for f in flaws))


def parse(text: str, inputs: Sequence[str]) -> Expr:
    """The tree of an expression over the named inputs; operations on constants are carried out.

    Raises ExpressionError with all mistakes.
    """
    expr, flaws = read(text, inputs)
    if flaws or expr is None:
        raise ExpressionError(flaws)
    return expr


def read(text: str, inputs: Sequence[str]) -> tuple[Expr | None, list[Flaw]]:
    """The tree and all mistakes; the tree is right only when there are none."""
    if len(text) > MAX_LENGTH:
        return None, [_too_long(text)]
    parser = _Parser(text, tuple(inputs))
    try:
        expr: Expr | None = parser.whole()
    except _StopError:
        expr = None
        parser.rest()
    parser.flaws.sort(key=lambda f: (f.start, f.end))
    return expr, parser.flaws


def words(text: str) -> frozenset[str]:
    """Every name that occurs in an expression, also in one that cannot be read."""
    return frozenset(token.text for token in _tokens(text) if token.kind == "name")


def _too_long(text: str) -> Flaw:
    message = f"the expression has {len(text)} characters; at most {MAX_LENGTH} are allowed"
    return Flaw("E120", message, 0, 1)


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str  # number, name, op, foreign (an operator of other languages), bad, end
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


_TOKEN = re.compile(
    r"(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[^\W\d]\w*)"
    r"|(?P<op>[-+(),]|\*(?!\*)|/(?!/))"
    r"|(?P<foreign>\*\*|//|<=|>=|==|!=|&&|\|\||[<>^%@&|!~=?])"
    r"|(?P<bad>\S)"
)


def _tokens(text: str) -> Iterator[_Token]:
    for match in _TOKEN.finditer(text):
        yield _Token(match.lastgroup or "bad", match.group(), match.start())
    yield _Token("end", "", len(text.rstrip()))


class _StopError(Exception):
    """The rest of the expression cannot be read."""


@dataclass
class _Parser:
    """Recursive descent: sum = product {+-}, product = sign {*/}, sign = - sign | atom."""

    text: str
    inputs: tuple[str, ...]
    flaws: list[Flaw] = field(default_factory=list)
    depth: int = 0
    operations: int = 0

    def __post_init__(self) -> None:
        self.tokens = list(_tokens(self.text))
        self.at = 0

    @property
    def token(self) -> _Token:
        return self.tokens[self.at]

    def take(self) -> _Token:
        token = self.token
        self.at += token.kind != "end"
        return token

    def flaw(self, code: str, message: str, token: _Token, help: str = "") -> None:
        self.flaws.append(Flaw(code, message, token.start, max(token.end, token.start + 1), help))

    def stop(self, message: str, token: _Token, help: str = "") -> _StopError:
        self.flaw("E120", message, token, help)
        return _StopError()

    def whole(self) -> Expr:
        expr = self.sum()
        if self.token.kind != "end":
            raise self.unexpected(self.token, "an operator or the end of the expression")
        return expr

    def sum(self) -> Expr:
        names: dict[str, BinaryOp] = {"+": "add", "-": "sub"}
        start = self.token.start
        expr = self.product()
        while self.token.kind == "op" and self.token.text in names:
            op = names[self.take().text]
            expr = self.made(Binary(op, expr, self.product()), start)
        return expr

    def product(self) -> Expr:
        names: dict[str, BinaryOp] = {"*": "mul", "/": "div"}
        start = self.token.start
        expr = self.sign()
        while self.token.kind == "op" and self.token.text in names:
            op = names[self.take().text]
            expr = self.made(Binary(op, expr, self.sign()), start)
        return expr

    def sign(self) -> Expr:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.stop(f"the expression is nested deeper than {MAX_DEPTH} levels", self.token)
        try:
            if self.token.kind == "op" and self.token.text in ("-", "+"):
                sign = self.take()
                inner = self.sign()
                return self.made(Unary("neg", inner), sign.start) if sign.text == "-" else inner
            return self.atom()
        finally:
            self.depth -= 1

    def atom(self) -> Expr:
        token = self.take()
        if token.kind == "number":
            return self.number(token)
        if token.kind == "name":
            if self.token.text == "(":
                return self.call(token)
            return self.input(token)
        if token.text == "(":
            inner = self.sum()
            self.close(token)
            return inner
        raise self.unexpected(token, "a number, an input, a function or `(`")

    def number(self, token: _Token) -> Expr:
        value = float(token.text)
        if value == float("inf"):
            self.flaw(
                "E125", f"`{token.text}` is too large", token, "the largest float32 is 3.4e38"
            )
        return Const(value)

    def input(self, token: _Token) -> Expr:
        if token.text in FUNCTIONS and token.text not in self.inputs:
            message = f"`{token.text}` is a function and needs arguments"
            arguments = "(x, y)" if FUNCTIONS[token.text] == 2 else "(x)"
            self.flaw("E123", message, token, f"write `{token.text}{arguments}`")
        elif token.text not in self.inputs:
            help = hints(suggest(token.text, self.inputs), known("input", self.inputs))
            self.flaw("E121", f"`{token.text}` is not an input", token, help)
        return Input(token.text)

    def call(self, name: _Token) -> Expr:
        opening = self.take()
        arguments: list[Expr] = []
        if self.token.text != ")":
            arguments.append(self.sum())
            while self.token.text == ",":
                self.take()
                arguments.append(self.sum())
        self.close(opening)
        return self.apply(name, arguments)

    def apply(self, name: _Token, arguments: list[Expr]) -> Expr:
        arity = FUNCTIONS.get(name.text)
        if arity is None:
            self.unknown_function(name)
        elif len(arguments) != arity:
            count = "one argument" if arity == 1 else "two arguments"
            message = f"`{name.text}` takes {count}, not {len(arguments) or 'none'}"
            self.flaw("E123", message, name)
        if arity is None or len(arguments) != arity:
            return Const(0.0)
        return self.made(_operation(name.text, arguments), name.start)

    def made(self, expr: Expr, start: int) -> Expr:
        """An operation whose characters go from ``start`` to the last token taken."""
        self.operations += 1
        if self.operations == MAX_OPERATIONS + 1:
            message = f"the expression has more than {MAX_OPERATIONS} operations"
            raise self.stop(message, self.tokens[self.at - 1])
        try:
            return evaluate(expr)
        except (ArithmeticError, ValueError):
            message = "this operation on constants has no finite value"
            self.flaws.append(Flaw("E125", message, start, self.tokens[self.at - 1].end))
            return Const(1.0)

    def rest(self) -> None:
        """Judge the names behind the place where reading stopped."""
        for token, after in zip(self.tokens[self.at :], self.tokens[self.at + 1 :], strict=False):
            if token.kind != "name":
                continue
            if after.text != "(":
                self.input(token)
            elif token.text not in FUNCTIONS:
                self.unknown_function(token)

    def unknown_function(self, name: _Token) -> None:
        if name.text in INSTEAD:
            help = f"write `{INSTEAD[name.text]}`"
        else:
            help = hints(suggest(name.text, FUNCTIONS), known("function", list(FUNCTIONS)))
        self.flaw("E122", f"there is no function `{name.text}`", name, help)

    def close(self, opening: _Token) -> None:
        if self.token.text == ")":
            self.take()
        elif self.token.kind == "end":
            raise self.stop("this `(` is never closed", opening)
        else:
            raise self.unexpected(self.token, "an operator, `,` or `)`")

    def unexpected(self, token: _Token, wanted: str) -> _StopError:
        if token.kind == "end":
            return self.stop(f"the expression ends where {wanted} should follow", token)
        if token.kind == "foreign":
            return self.stop(f"there is no operator `{token.text}`", token, _foreign(token.text))
        if token.kind in ("name", "number") and wanted.startswith("an operator"):
            return self.stop(f"an operator is missing in front of `{token.text}`", token)
        return self.stop(f"unexpected `{token.text}`: {wanted} should stand here", token)


def _foreign(operator: str) -> str:
    if operator in ("**", "^"):
        return "write a power as a product, `x * x`"
    if operator == "//":
        return "there is only `/`"
    if operator[0] in "<>=!":
        return "there are no comparisons; `max`, `min`, `relu` and `abs` choose by value"
    return "the operators are `+`, `-`, `*` and `/`"


def _operation(name: str, arguments: list[Expr]) -> Expr:
    unary: dict[str, UnaryOp] = {
        "abs": "abs",
        "exp": "exp",
        "log": "log",
        "relu": "relu",
        "sigmoid": "sigmoid",
        "sqrt": "sqrt",
    }
    if name in unary:
        return Unary(unary[name], arguments[0])
    return Binary("max" if name == "max" else "min", arguments[0], arguments[1])
