"""The statements of a kernel as the compiler's last passes see them.

The plan of a kernel writes them down: every loop once, both sides of every branch. Loops of one round are taken apart,
unrolled ones written out, and what holds nothing is gone, as the compiler has it by then.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from .buffer import Buffer, Element, Region
from .expression import Expression, names, reads, static
from .implied import Fact, decided, facts
from .places import line
from .refusal import RefusalError, unsupported

SEEN = {
    **dict.fromkeys(("broadcast", "round", "clamp", "clamp_max", "clamp_min", "gather_mask"), 2),
    **dict.fromkeys(("bitwise_xor", "row_expand_mul_experiment"), 3),
    **dict.fromkeys(("row_expand_sub_experiment", "row_expand_div_experiment"), 3),
    "dump_tensor": 0,
}
"""Operations of which the compiler's table has only so many operands, the first ones: not their scratch space."""

Key = tuple[Any, ...]
"""What a core knows a node by: its kind, where it stands in the kernel's text, and which copy of it runs."""


@dataclass(frozen=True)
class Access:
    """A statement and one buffer. `buffer` may be a tensor in GM, or a variable of T.alloc_var."""

    buffer: Any
    writes: bool


class Use(NamedTuple):
    """A buffer that a statement is given; `kept`: written, and read at once."""

    buffer: Buffer
    writes: bool
    kept: bool = False


@dataclass(eq=False)
class Node:
    """Something with a place of its own in a block."""

    key: Key
    names: frozenset[int] = field(default=frozenset(), kw_only=True)
    """Numbers of the names that it reads."""


@dataclass(eq=False)
class Statement(Node):
    """A call of T.`name`. `sliced`: where it starts in a buffer is read from memory."""

    accesses: tuple[Access, ...] = ()
    touched: tuple[Buffer, ...] = ()
    """The buffers on the chip, in the order in which the call has them."""
    pipe: str = "PIPE_V"
    sliced: bool = False
    name: str = ""
    uses: tuple[Use, ...] = ()
    """All that it is given, in order."""
    loaded: tuple[Any, ...] = ()
    """Buffers that the places it works on are read from."""
    operands: tuple[Any, ...] = ()
    """What the kernel gives it."""

    @property
    def elements(self) -> set[Buffer]:
        """Buffers of which it is given a single element."""
        return {part.buffer for part in self.operands if isinstance(part, Element)}

    def part(self, buffer: Buffer) -> bool | None:
        """Whether it is given a part of a buffer that is known before a core runs; None for all of the buffer."""
        known = None
        for one in self.operands:
            if isinstance(one, Region | Element) and one.buffer is buffer:
                low, extent = (one.low, one.extent) if isinstance(one, Region) else (one.index, [1])
                if any(_number(n) is None for n in (*low, *extent)):
                    return False
                if isinstance(one, Element) or tuple(extent) != buffer.shape:
                    known = True
        return known


@dataclass(eq=False)
class Store(Node):
    """An element, or a variable, is assigned; `loaded` are buffers and variables that the value is read from."""

    target: Any = None
    loaded: tuple[Any, ...] = ()


@dataclass(eq=False)
class Outer(Node):
    """A node with others in it; `loaded` are buffers and variables that its condition, bounds or value is read from."""

    loaded: tuple[Any, ...] = field(default=(), kw_only=True)


@dataclass(eq=False)
class Block(Outer):
    """Statements in a row."""

    body: list[Node] = field(default_factory=list)


@dataclass(eq=False)
class Loop(Block):
    """A loop, with its rounds where they are known; `index` is its number in conditions, `name` what the kernel calls
    it. One that `stays` is not taken apart."""

    rounds: int | None = None
    index: Any = None
    name: str = ""
    stays: bool = False


@dataclass(eq=False)
class Written(Loop):
    """A loop of which the compiler writes every round out: a Given for each."""


@dataclass(eq=False)
class Staged(Node):
    """A T.Pipelined with stages: `loop` is it as the kernel has it, `parts` what becomes of it on each kind of core (None:
    on both)."""

    loop: Loop
    parts: dict[bool | None, list[Node]] = field(default_factory=dict)


@dataclass(eq=False)
class Repeated(Block):
    """A while."""


@dataclass(eq=False)
class Core(Block):
    """What stands in a T.Scope."""


@dataclass(eq=False)
class Named(Block):
    """What follows a name for a number that is computed once: the `number`th of the kernel."""

    number: int = 0


@dataclass(eq=False)
class Given(Block):
    """Statements for which more is known of a number: no block to the compiler."""

    facts: tuple[Fact, ...] = ()


@dataclass(eq=False)
class Branch(Outer):
    """An `if`, with both sides."""

    test: Any = None
    sides: tuple[list[Node], list[Node]] = field(default_factory=lambda: ([], []))


def _number(value: Any) -> int | None:
    return static(value) if isinstance(value, Expression) else value


def at(node: Node, error: RefusalError) -> RefusalError:
    """The refusal with the line of `node`, where it has none."""
    places = node.key[1] if len(node.key) > 1 else ()
    if places and not error.line:
        _, (first, *_) = places[0]
        error.line = first
    return error


class Program:
    """Takes the statements in order."""

    def __init__(self) -> None:
        self.root: list[Node] = []
        self.paused = False
        """While a part of the kernel runs that is no part of the result."""
        self.lacking = ""
        self.lacking_line = 0
        """What the kernel has that cannot be written down here."""
        self.names = 0
        """How many numbers have got a name."""
        self._blocks = [self.root]
        self._used: set[int] = set()
        self._loaded: list[Any] = []
        self._touched: list[Use] = []

    def lack(self, what: str) -> None:
        """The passes of the compiler cannot be told of this."""
        if not self.lacking and not self.paused:
            self.lacking, self.lacking_line = what, line()

    def touch(self, buffer: Buffer, writes: bool, kept: bool = False) -> None:
        """The statement that is made uses it."""
        self._touched.append(Use(buffer, writes, kept))

    def load(self, source: Any) -> None:
        """An element of a buffer is read, or a variable."""
        self._loaded.append(source)

    def use(self, value: Any) -> None:
        """A name is read that holds this."""
        self._used |= names(value)

    def used(self) -> frozenset[int]:
        """The names that were read since somebody asked."""
        found, self._used = frozenset(self._used), set()
        return found

    def loads(self) -> tuple[Any, ...]:
        """What was read since somebody asked."""
        found, self._loaded = tuple(self._loaded), []
        return found

    def statement(self, key: Key, name: str, operands: tuple[Any, ...] = ()) -> None:
        """A call of T.`name` on `operands` ends: what was touched since the last belongs to it."""
        loaded = self.loads()
        touched, self._touched = tuple(self._touched), []
        found: dict[Any, bool] = {}
        for use in touched[: SEEN.get(name, len(touched))]:
            found[use.buffer] = found.get(use.buffer, False) or use.writes
        accesses = tuple(Access(buffer, writes) for buffer, writes in found.items())
        on_chip = tuple(use.buffer for use in touched if use.buffer.scope != "global")
        made = Statement(key, accesses, on_chip, _pipe(accesses), name=name)
        made.sliced = any(map(_read_there, operands))
        made.uses, made.loaded, made.operands = touched, loaded, operands
        self.add(made)

    def add(self, node: Node) -> None:
        """It stands behind what is there."""
        node.names = node.names or self.used()
        if not self.paused:
            self._blocks[-1].append(node)

    def open(self, node: Block | Branch) -> int:
        """What follows stands in it (on its first side), until `close` gets the number that this returns."""
        depth = len(self._blocks)
        node.loaded = node.loaded or self.loads()
        self.add(node)
        self.into(node.sides[0] if isinstance(node, Branch) else node.body)
        return depth

    def into(self, block: list[Node]) -> int:
        """What follows stands in this list, until `close` gets the number that this returns."""
        self._blocks.append(block)
        return len(self._blocks) - 1

    def otherwise(self, node: Branch, depth: int) -> None:
        """What follows stands on its other side."""
        self.close(depth)
        self._blocks.append(node.sides[1])

    def close(self, depth: int) -> None:
        """The block that was opened there ends, and all in it."""
        del self._blocks[depth:]


def _read_there(operand: Any) -> bool:
    """Whether an operand starts where a number from memory says, which has no name."""
    if isinstance(operand, Region):
        return any(map(reads, operand.low))
    return isinstance(operand, Element) and any(map(reads, operand.index))


def _pipe(accesses: tuple[Access, ...]) -> str:
    """The pipe of a call, by the memories between which it moves data."""
    sources = {a.buffer.scope for a in accesses if not a.writes}
    targets = {a.buffer.scope for a in accesses if a.writes}
    if "l0c" in targets:
        return "PIPE_M"
    if "global" in sources and targets & {"ub", "l1"}:
        return "PIPE_MTE2"
    if "global" in targets:
        return "PIPE_FIX" if "l0c" in sources else "PIPE_MTE3"
    return "PIPE_MTE1" if targets & {"l0a", "l0b"} else "PIPE_V"


def simplified(block: list[Node]) -> list[Node]:
    """As the compiler leaves it. Raises RefusalError where a core could not tell two statements apart."""
    found = list(_all(block, ()))
    seen: set[Key] = set()
    for node in nodes(found):
        if node.key in seen:
            raise at(node, unsupported("a pass over statements of one line that run as several"))
        seen.add(node.key)
    return found


def _simplified(node: Node, known: tuple[Fact, ...]) -> Iterator[Node]:
    if isinstance(node, Branch):
        yield from _branch(node, known)
        return
    if isinstance(node, Staged):
        yield from _all(node.parts[None], known)
        return
    if not isinstance(node, Block):
        yield node
        return
    if isinstance(node, Written):
        yield from _all(node.body if node.rounds else [], known)
        return
    if isinstance(node, Given):
        yield from _all(node.body, (*known, *node.facts))
        return
    body = [*_all(node.body, known)]
    rounds = node.rounds if isinstance(node, Loop) else None
    if rounds == 1 and isinstance(node, Loop) and not node.stays:
        yield from body
    elif body and (rounds is None or rounds > 0):
        yield replace(node, body=body)


def _branch(node: Branch, known: tuple[Fact, ...]) -> Iterator[Node]:
    """An `if`; one of its sides where those around it decide it."""
    try:
        truth = decided(node.test, known)
    except RefusalError as error:
        raise at(node, error) from None
    if truth is not None:
        yield from _all(node.sides[0 if truth else 1], known)
        return
    one, two = (
        [*_all(side, (*known, *facts(node.test, holds)))]
        for side, holds in zip(node.sides, (True, False), strict=True)
    )
    if one or two:
        yield replace(node, sides=(one, two))


def _all(block: list[Node], known: tuple[Fact, ...]) -> Iterator[Node]:
    for node in block:
        yield from _simplified(node, known)


def source(block: list[Node]) -> list[Node]:
    """As it stands in the kernel: each loop once. Raises RefusalError where the rounds of one that is written out have
    not the same statements."""
    return [node for part in block for node in _source(part)]


def _source(node: Node) -> Iterator[Node]:
    if isinstance(node, Staged):
        yield from _source(node.loop)
    elif isinstance(node, Given):
        yield from source(node.body)
    elif isinstance(node, Branch):
        one, two = (source(side) for side in node.sides)
        yield replace(node, key=base(node.key), sides=(one, two))
    elif isinstance(node, Written):
        rounds = [source([part]) for part in node.body]
        if any(_shape(one) != _shape(rounds[0]) for one in rounds):
            raise at(
                node, unsupported("passes of the compiler over T.unroll with rounds that differ")
            )
        yield Loop(base(node.key), rounds[0], rounds=node.rounds, name=node.name)
    elif isinstance(node, Block):
        yield replace(node, key=base(node.key), body=source(node.body))
    else:
        yield replace(node, key=base(node.key))


def _shape(block: list[Node]) -> list[Key]:
    return [node.key for node in nodes(block)]


def base(key: Key) -> Key:
    """Of a node, without what tells its copies apart."""
    return key[:2]


def nodes(block: list[Node]) -> Iterator[Node]:
    """All of them, in the order of the text."""
    for node in block:
        yield node
        if isinstance(node, Block):
            yield from nodes(node.body)
        elif isinstance(node, Branch):
            yield from nodes(node.sides[0])
            yield from nodes(node.sides[1])
