"""An expression tree as vector instructions on few buffers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from gen.plan.model import VecInstr
from gen.spec import ElementwiseSpec
from gen.spec.expr import Binary, Const, Expr, Input, Unary

# Both read their source after they have begun to write the destination (a_tree: the composite functions of the
# Ascend C library, adv_api/activation), so that destination and source must differ.
NOT_IN_PLACE = frozenset({"sigmoid", "silu"})
NEEDS_TMP = frozenset({"sigmoid"})

_SCALAR_FORM = {"add": "adds", "mul": "muls", "max": "maxs", "min": "mins"}
_VECTOR_NAME = {"log": "ln"}


@dataclass(frozen=True)
class Program:
    """Instructions of one tile; `work` are the work buffers in the order of first use."""

    code: tuple[VecInstr, ...]
    work: tuple[str, ...]


def build(spec: ElementwiseSpec) -> Program:
    """Translates the body of `spec`: loads are casts where types differ, equal subtrees are computed once."""
    linear = _Linear(spec)
    linear.finish(linear.visit(spec.expr))
    return _allocate(linear.code, spec.output.name)


class _Linear:
    """Single-assignment code: every instruction defines a value named `%i`."""

    def __init__(self, spec: ElementwiseSpec) -> None:
        self.code: list[VecInstr] = []
        self._spec = spec
        self._known: dict[tuple[object, ...], str] = {}
        self._types = {t.name: t.dtype for t in spec.inputs}

    def visit(self, node: Expr) -> str:
        match node:
            case Const(value):
                return self._emit("fill", (), value)
            case Input(name):
                return self._load(name)
            case Unary(op, x):
                return self._unary(op, self.visit(x))
            case Binary(op, x, y):
                return self._binary(op, x, y)
        raise TypeError(f"not an expression: {node!r}")

    def finish(self, result: str) -> None:
        """Makes the last instruction write the output slot."""
        if self._spec.output.dtype != self._spec.compute:
            self._emit("cast", (result,))
        elif not result.startswith("%") or int(result[1:]) != len(self.code) - 1:
            self._emit("copy", (result,))
        self.code[-1] = replace(self.code[-1], dst=self._spec.output.name)

    def _load(self, name: str) -> str:
        if self._types[name] == self._spec.compute:
            return name
        return self._emit("cast", (name,))

    def _unary(self, op: str, x: str) -> str:
        if op == "neg":
            return self._emit("muls", (x,), -1.0)
        return self._emit(_VECTOR_NAME.get(op, op), (x,))

    def _binary(self, op: str, x: Expr, y: Expr) -> str:
        if op in ("add", "mul", "max", "min") and isinstance(x, Const):
            x, y = y, x
        if isinstance(y, Const):
            if op in _SCALAR_FORM:
                return self._emit(_SCALAR_FORM[op], (self.visit(x),), y.value)
            if op == "sub":
                return self._emit("adds", (self.visit(x),), -y.value)
        if op == "sub" and isinstance(x, Const):
            return self._emit("adds", (self._emit("muls", (self.visit(y),), -1.0),), x.value)
        return self._emit(op, (self.visit(x), self.visit(y)))

    def _emit(self, op: str, srcs: tuple[str, ...], scalar: float | None = None) -> str:
        key = (op, srcs, scalar)
        if key not in self._known:
            self._known[key] = f"%{len(self.code)}"
            self.code.append(VecInstr(op, self._known[key], srcs, scalar))
        return self._known[key]


def _allocate(code: list[VecInstr], output: str) -> Program:
    """Linear scan: a value takes the first buffer whose value is dead, in place where the operation allows it."""
    last_use = {src: i for i, instr in enumerate(code) for src in instr.srcs}
    home: dict[str, str] = {}
    free: list[str] = []
    names = _work_names()
    work: list[str] = []

    def take() -> str:
        if free:
            return free.pop(0)
        work.append(next(names))
        return work[-1]

    placed: list[VecInstr] = []
    for i, instr in enumerate(code):
        srcs = tuple(home.get(s, s) for s in instr.srcs)
        dying = sorted({home[s] for s in instr.srcs if s in home and last_use[s] == i})
        if instr.op not in NOT_IN_PLACE:
            free = sorted(free + dying)
        dst = instr.dst if instr.dst == output else take()
        tmp = None
        if instr.op in NEEDS_TMP:
            tmp = take()
            free = sorted([*free, tmp])
        if instr.op in NOT_IN_PLACE:
            free = sorted(free + dying)
        home[instr.dst] = dst
        placed.append(replace(instr, dst=dst, srcs=srcs, tmp=tmp))
    return Program(tuple(placed), tuple(work))


SCRATCH = "tmp"
"""Stands for the scratch of every composite operation: the A tree's compiler gives all of them one buffer."""


def fences(code: tuple[VecInstr, ...], work: tuple[str, ...], passes: int) -> frozenset[int]:
    """Indices of the instructions that need a barrier of the vector pipe before them.

    Such an instruction reads a work buffer written since the last barrier, or writes one read or written since. With
    two passes the code is the body of a loop: the first instructions are held against the last ones too. The queue
    slots need none: flags of the DMA pipes order them.
    """
    found: set[int] = set()
    buffers = {*work, SCRATCH}
    read: set[str] = set()
    written: set[str] = set()
    for i, instr in [*enumerate(code)] * passes:
        reads = set(instr.srcs) & buffers
        writes = {instr.dst, *([instr.tmp, SCRATCH] if instr.tmp else ())} & buffers
        if i in found or reads & written or writes & (read | written):
            found.add(i)
            read, written = set(), set()
        read |= reads
        written |= writes
    return frozenset(found)


def _work_names() -> Iterator[str]:
    i = 0
    while True:
        yield f"w{i}"
        i += 1
