"""The pass that is running: the plan of a kernel, or the record of one core."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from .auto_combine import Side
from .auto_sync import Inserted
from .buffer import NAMES, Buffer, offset
from .crossing import Stages
from .expression import reads, static, variable
from .look import Look, Seen
from .memory import Elements, Scope
from .pipeline import Pipeline, Schedule
from .places import Places, Site, site
from .program import Block, Branch, Key, Program
from .refusal import RefusalError, unsupported
from .repeated import Kept

MOST_CALLS = 2_000_000
"""Of one core: what makes more does not end."""


class TapeCore(Protocol):
    """What is used of gen.sim.tape.Core."""

    calls: bytearray
    registers: int

    def place(self, frames: Iterable[tuple[str, str, int]], step: int = 0) -> int: ...
    def call(self, name: str, place: int, *arguments: Any) -> None: ...
    def read_scalar(self, place: int, tensor: Any, index: int) -> Any: ...
    def compute(self, operation: str, dtype: str, left: Any, right: Any) -> Any: ...
    def value(self, register: Any) -> Any: ...
    def offsets(self, calls: bytes) -> Iterable[tuple[int, int]]: ...
    def repeat(self, calls: bytes, offsets: Iterable[tuple[int, int]]) -> None: ...


class Views(Protocol):
    """Buffers as the tape has them."""

    def __call__(self, buffer: Buffer) -> Any: ...
    def memory(self, name: str, dtype: str) -> Any: ...


class Issues(NamedTuple):
    """What one kind of core issues beside the statements of the kernel, and what it does not."""

    inserted: Mapping[Key, Inserted] = {}
    left_out: frozenset[Key] = frozenset()
    nothing: bool = False
    """Whether it has no statement at all."""


class Staging:
    """What a plan knows of its T.Pipelined with stages."""

    def __init__(self) -> None:
        self.top: Scope | None = None
        """In a T.Pipelined with stages: where its statements stand."""
        self.own: dict[Site, Buffer] = {}
        """Buffers that are allocated in it."""
        self.pipelines: list[Pipeline] = []
        self.crossings: list[tuple[Stages, Scope, Scope]] = []
        """Those over work of both kinds of core, with their statements as they were written, and what is made of them."""
        self.schedules: dict[tuple[Site, bool | None], Schedule | Stages] = {}
        """By place, and by kind of core where each has its own."""
        self.versions: dict[Buffer, int] = {}
        self.between: dict[str, int] = {}
        """Tensors between the cores, of which there is one for each stage."""
        self.split = False
        """Whether a statement of a T.Pipelined with stages is several to the compiler."""
        self.waiting: frozenset[Key] = frozenset()
        """In a T.Pipelined with stages: what is not for this turn."""


class Plan(Staging):
    """What one pass over a kernel shows: its buffers in order, and what is known of each call before it runs."""

    def __init__(self, *, combine: bool = False) -> None:
        super().__init__()
        self.root = Scope()
        self.scope = self.root
        self.temporary = 0
        """Bytes of the scratch buffer that the compiler adds."""
        self.scratch = Buffer("tmp_ub", "ub", "uint8", (1,))
        self.typed: dict[str, Buffer] = {}
        """The scratch buffers of sorting, by element type."""
        self.allocated: dict[Site, list[Buffer]] = {}
        self.known: dict[tuple[Site, str], list[Any]] = {}
        self.addresses: dict[Buffer, int] = {}
        self.kernel: Any = None
        self.same: dict[tuple[Site, int], tuple[Site, int]] = {}
        """Allocations that take the place of others: they give the same buffer."""
        self.first: dict[tuple[Site, int], Buffer] = {}
        self._loaded: list[tuple[Buffer, Any]] = []
        self.temporaries = 0
        """Buffers that T.Parallel made for results in between."""
        self.dense: dict[Buffer, int] = {}
        """Buffers whose rows tile operations take to be packed, with the line that does first."""
        self.pitched: dict[Buffer, int] = {}
        """Buffers of several rows that copies reach."""
        self.parallel: dict[Site, list[list[bool]] | None] = {}
        """Of a T.Parallel that is made of vectors: which of its numbers only a core knows."""
        self.results: dict[Any, Buffer] = {}
        """Its buffers for results in between."""
        self.inside = ""
        """The T.Scope that runs."""
        self.look: Look | None = None
        """While the kernel is looked at for the first time."""
        self.seen: Seen | None = None
        """What that has shown, where it was needed."""
        self.vid = variable("vid", 0, 1)
        self.combine = combine
        """Whether each kind of core gets its own statements."""
        self.sides: Mapping[bool, Side] = {}
        """These, once they are known."""
        self.program = Program()
        self.issues: dict[bool, Issues] = {True: Issues(), False: Issues()}
        """What the compiler's passes make of the statements, for the cube core and for the others."""
        self.chance = False
        """Whether the compiler leaves to chance where buffers lie."""

    def touch(
        self, *buffers: Buffer, written: Sequence[int] = (0,), kept: Sequence[int] = ()
    ) -> None:
        """One statement uses these, in this order; it writes those at `written`, of which it reads those at `kept`."""
        for i, buffer in enumerate(buffers):
            self._check_core(buffer)
            self.program.touch(buffer, i in written, i in kept)
        mine = tuple(b for b in buffers if b.scope not in ("global", "var"))
        if mine:
            self.scope.children.append(mine)

    def _check_core(self, buffer: Buffer) -> None:
        """A core has its own memories only."""
        lacks = {"C": ("ub",), "V": ("l1", "l0a", "l0b", "l0c")}.get(self.inside, ())
        if buffer.scope in lacks:
            which, other = ("cube", "V") if self.inside == "C" else ("vector", "C")
            raise RefusalError(
                f'{buffer.name} is in {NAMES[buffer.scope]}, and the {which} core, on which T.Scope("{self.inside}") runs,'
                " has none",
                f'put this into T.Scope("{other}")',
            )

    def touch_element(self, buffer: Buffer, index: Any, *, stored: bool = False) -> None:
        """The scalar unit reads an element, or stores what it has read and computed."""
        if self.top is not None:
            raise unsupported("a single element in a T.Pipelined with stages")
        if not stored:
            self.program.load(buffer)
        if buffer.scope in ("global", "var"):
            return
        children = self.scope.children
        at = offset(buffer, index)
        key = getattr(at, "key", at)
        if not stored:
            children.append(_elements((buffer,), [(buffer, key)], None, index))
            self._loaded.append((buffer, key))
            return
        # What is read for it and the store are one statement.
        used, indirect = [buffer], False
        loads: list[tuple[Buffer, Any]] = []
        while children and len(used) <= len(self._loaded):
            last = children[-1]
            if not isinstance(last, Elements) or last.stored is not None:
                break
            used[:0] = last
            loads[:0] = last.loads
            indirect = indirect or last.indirect
            children.pop()
        made = _elements(used, loads, (buffer, key), index)
        made.indirect = made.indirect or indirect
        children.append(made)
        self._loaded.clear()

    @property
    def aside(self) -> bool:
        """Whether T.Pipelined is taken for T.serial: in another one, and while the kernel is only looked at."""
        return self.top is not None or self.look is not None

    def alone(self, what: str) -> None:
        """Refuses what is no single statement, where a T.Pipelined with stages is made of them."""
        if self.top is not None and self.scope is self.top:
            raise unsupported(f"{what} of a T.Pipelined with stages")

    def open(
        self,
        *,
        loop: bool = False,
        rounds: int | None = None,
        node: Block | Branch | None = None,
    ) -> Scope:
        """A loop, branch or variable begins; `node` is it in the program."""
        scope = Scope(loop, rounds, self.scope)
        self.scope.children.append(scope)
        self.scope = scope
        scope.depth = 0 if node is None else self.program.open(node)
        return scope

    def close(self, scope: Scope) -> None:
        """It ends, and all that was opened in it."""
        assert scope.parent is not None
        self.scope = scope.parent
        if scope.depth:
            self.program.close(scope.depth)

    def need(self, bytes: int) -> Buffer:
        """The scratch buffer, at least that large."""
        self.temporary = max(self.temporary, bytes)
        return self.scratch

    def need_of(self, dtype: str, elements: int) -> Buffer:
        """The scratch buffer of an element type, at least that large."""
        name = f"tmp_ub_{len(self.typed) + 1}"
        buffer = self.typed.setdefault(dtype, Buffer(name, "ub", dtype, (elements,)))
        buffer.shape = buffer.written = (max(elements, buffer.elements),)
        return buffer

    def note(self, what: str, value: Any) -> Any:
        """Keeps what is known here of a call, for when it runs."""
        self.known.setdefault((site(), what), []).append(value)
        return value


class Unit:
    """One core while it is recorded."""

    def __init__(
        self, plan: Plan, core: TapeCore, block: int, name: str, views: Views, places: Places
    ) -> None:
        self.plan = plan
        self.core = core
        self.block = block
        self.name = name
        self.vid = 1 if name == "aiv1" else 0
        self.views = views
        self.places = places
        self.inserted = plan.issues[self.is_cube].inserted
        self.left_out = plan.issues[self.is_cube].left_out
        self.calls = 0
        self.allocations: dict[Site, int] = {}
        self.pipelined = False
        """Whether a T.Pipelined with stages runs."""
        self.waiting: frozenset[Key] = frozenset()
        """In it: what is not for this turn."""
        self.early: Key = ()
        """The operation for which what is inserted in front of it has been issued."""
        self.turn = 0
        """The index of the statement that runs, in a T.Pipelined with stages."""
        self.turn_printed = False
        """Whether the compiler prints that index as a number."""
        self.loads: dict[tuple[Buffer, int], tuple[int, int]] = {}
        """Rows and columns that the last copy to a part of L1 wrote, where it left the rest as it was."""
        self.kept = places.kept
        """Calls of operations that may come again."""
        self.highest: dict[int, int] | None = None
        """While an operation is recorded that may: up to where its part of GM may start, by dimension."""
        self.stages = tuple({*plan.versions.values(), *plan.between.values()})
        self.shared = plan.kernel is not None and plan.kernel.threads == 2
        self.variant = (self.is_cube, self.vid if self.shared else 0)
        """What operations depend on besides their arguments."""

    @property
    def is_cube(self) -> bool:
        """AIC or AIV."""
        return self.name == "aic"

    def emit(self, name: str, *arguments: Any) -> None:
        """One call of `AscendC::name`."""
        self._count(1)
        self.core.call(name, self.place(), *arguments)

    def repeat(self, known: Kept, start: int) -> None:
        """The calls of an operation once more; `start` is where its part of GM starts."""
        self._count(known.number)
        self.core.repeat(known.calls, [(i, start + offset) for i, offset in known.offsets])

    def inside(self, dimension: int, highest: int, *, fits: bool) -> None:
        """A part of GM is looked at: what is recorded is the same as long as it starts at most there."""
        if self.highest is None:
            return
        if fits:
            self.highest[dimension] = min(highest, self.highest.get(dimension, highest))
        else:
            self.highest = None

    def _count(self, calls: int) -> None:
        self.calls += calls
        if self.calls > MOST_CALLS:
            raise RefusalError(
                f"a core has made {MOST_CALLS:,} calls: does every loop of the kernel end?",
                "a `while` ends when its condition, or T.loop_break(), says so",
            )

    def get(self, view: Any, index: int) -> Any:
        """A register with an element of a view."""
        return self.core.read_scalar(self.place(), view, index)

    def read(self, buffer: Buffer, index: int) -> Any:
        """A register with an element of a buffer."""
        return self.get(self.view(buffer), index)

    def compute(self, operation: str, dtype: str, left: Any, right: Any) -> Any:
        """A register with a result."""
        return self.core.compute(operation, dtype, left, right)

    def value(self, register: Any) -> Any:
        """The number in a register."""
        return self.core.value(register)

    def view(self, buffer: Buffer) -> Any:
        """The buffer for the tape: the version of it whose turn it is."""
        if buffer.scope == "global":
            number = self.plan.between.get(buffer.name)
        else:
            number = self.plan.versions.get(buffer)
        if number is None or not self.pipelined:
            return self.views(buffer)
        return self.views(buffer).at(self.turn % number * buffer.elements)

    def starts(self, buffer: Buffer) -> bool:
        """Whether the version whose turn it is starts the buffer, and the compiler sees that."""
        number = self.plan.versions.get(buffer)
        return number is None or (self.turn_printed and self.turn % number == 0)

    def version(self, buffer: Buffer) -> int:
        """The number of the version whose turn it is."""
        return self.turn % self.plan.versions.get(buffer, 1)

    def l0(self, memory: str, dtype: str) -> Any:
        """All of L0A or L0B."""
        return self.views.memory(memory, dtype)

    def known(self, what: str) -> Any:
        """What the plan noted of this call; None where it noted different things."""
        noted = self.plan.known.get((site(), what), [])
        return noted[0] if noted and all(n == noted[0] for n in noted) else None

    def loaded(self, buffer: Buffer, place: int, size: tuple[int, int], cleared: bool) -> None:
        """A copy to a part of L1 that wrote so many rows and columns."""
        place += self.version(buffer) * buffer.elements
        whole = size == tuple(buffer.shape[-2:])
        if whole or cleared:
            self.loads.pop((buffer, place), None)
        else:
            self.loads[buffer, place] = size

    def filled(self, buffer: Buffer, place: int) -> tuple[int, int] | None:
        """Rows and columns that are loaded, where they are not all."""
        return self.loads.get((buffer, place + self.version(buffer) * buffer.elements))

    def place(self) -> int:
        """The number of the line that is running, with the lines that called it."""
        return self.places.number(self.core)


def _elements(
    used: Iterable[Buffer],
    loads: Iterable[tuple[Buffer, Any]],
    stored: tuple[Buffer, Any] | None,
    index: Any,
) -> Elements:
    made = Elements(used)
    made.loads, made.stored = tuple(loads), stored
    made.indirect = any(map(reads, index))
    return made


def unsized(value: Any, what: str) -> int:
    """An integer that must be known before a core runs. Raises RefusalError."""
    if isinstance(value, bool) or not isinstance(value, int):
        known = static(value) if hasattr(value, "terms") else None
        if known is None or hasattr(value, "terms"):
            raise RefusalError(
                f"{what} must be a constant, and this is computed inside of the kernel",
                "compute tile sizes outside of the kernel body, as Python ints",
            )
        return known
    return int(value)
