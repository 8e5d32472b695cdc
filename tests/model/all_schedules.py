"""Every schedule of a small stream, one step at a time: what can overlap, and whether it can get stuck.

A state is the set of operations that have ended. Everything else follows from it: the scalar unit has issued what it
could, each pipe has started what it could; to start early hides nothing, since whether an instruction is under way while
another has not ended is all that counts. What may end next is tried in every order. No clocks, no graph: this knows
nothing of the two judges that it is held against.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations

from gen.sim import Profile
from tests.model.streams import Op, Stream

# Not "get": the scalar unit goes on behind a load until something needs the value, so that what it issues next may
# overtake the load (the compiler puts S→V, S→MTE2 and S→MTE3 there, oracle fact N6).
_STOPS = ("all", "sync")
_HOLDS_ITS_PIPE = ("wait", "xwait", "barrier", "lock", "sync")
_IN_ORDER = ("S", "MTE1", "FIX")

Place = tuple[int, int, int]
"""Block, unit, index of the operation."""


@dataclass(frozen=True)
class Outcome:
    """What can happen to a stream.

    `races`: pairs of conflicting instructions that nothing keeps apart, among those that can run at all. `stuck`: it can
    come to a state in which nothing ends any more. `always_stuck`: it always does.
    """

    races: frozenset[tuple[Place, Place]]
    stuck: bool
    always_stuck: bool


class _Machine:
    def __init__(self, stream: Stream, profile: Profile) -> None:
        self.profile = profile
        self.places: list[Place] = []
        self.ops: list[Op] = []
        cores: dict[tuple[int, int], list[int]] = defaultdict(list)
        for (block, unit), ops in stream.cores:
            for index, op in enumerate(ops):
                cores[block, unit].append(len(self.ops))
                self.places.append((block, unit, index))
                self.ops.append(op)
        self.programs = list(cores.values())
        self.core_of = [place[:2] for place in self.places]
        self.earlier = [self._earlier(n) for n in range(len(self.ops))]
        self.earlier_in_pipe = [
            [m for m in before if self.ops[m].pipe == self.ops[n].pipe]
            for n, before in enumerate(self.earlier)
        ]
        # The compiler sets an event behind the one and waits for it in front of the other.
        self.hidden = [
            [k for m in before if self._hidden(m, n) for k in (m, *self.earlier_in_pipe[m])]
            for n, before in enumerate(self.earlier)
        ]

    def _earlier(self, n: int) -> list[int]:
        program = next(p for p in self.programs if n in p)
        return program[: program.index(n)]

    def _hidden(self, m: int, n: int) -> bool:
        """With --cce-auto-sync the compiler orders the scalar unit of an AIV with what it shares bytes with."""
        pipes = {self.ops[m].pipe, self.ops[n].pipe}
        pair = len(pipes) == 2 and "S" in pipes and bool(pipes & {"V", "MTE2", "MTE3"})
        return pair and self.profile.auto_sync and self.core_of[n][1] == 1 and self.conflict(m, n)

    # -- states

    def started(self, ended: int) -> int:
        """Operations that have started (ended ones too)."""
        mask = 0
        for program in self.programs:
            held: set[str] = set()
            for n in program:
                op = self.ops[n]
                done = ended >> n & 1
                free = all(ended >> m & 1 for m in self.hidden[n])
                if op.pipe == "S" and not free:
                    break  # the compiler has put a wait of the scalar unit here
                ready = op.pipe not in held and free
                if ready:
                    mask |= 1 << n
                if not ready or (op.kind in _HOLDS_ITS_PIPE and not done):
                    held.add(op.pipe)
                if not done and (
                    op.kind in _STOPS or (op.pipe == "S" and op.kind in ("wait", "xwait"))
                ):
                    break  # the scalar unit stands here: nothing more is issued
        return mask

    def may_end(self, n: int, ended: int) -> bool:
        """Of an operation that has started."""
        op = self.ops[n]
        match op.kind:
            case "set" | "xset" | "barrier" | "unlock":
                return all(ended >> m & 1 for m in self.earlier_in_pipe[n])
            case "all":
                return all(ended >> m & 1 for m in self.earlier[n])
            case "wait":
                return self._flags(n, ended)
            case "xwait":
                return self._cross_flags(n, ended)
            case "sync":
                return self._all_came(n, ended)
            case "lock":
                return all(
                    ended >> m & 1
                    for m in self.earlier[n]
                    if (self.ops[m].kind, self.ops[m].id) == ("unlock", op.id)
                    and self.ops[m].pipe != op.pipe  # a pipe is never held up by itself
                )
            case _:
                return True

    def _flags(self, n: int, ended: int) -> bool:
        op = self.ops[n]
        strict = self.profile.flag_identity == "strict"
        count = 0
        for m, other in enumerate(self.ops):
            if not ended >> m & 1 or self.core_of[m] != self.core_of[n] or other.id != op.id:
                continue
            if other.kind == "set" and other.pipe == op.other:
                count += strict or other.other == op.pipe
            elif other.kind == "wait" and other.other == op.other:
                count -= strict or other.pipe == op.pipe
        return count > 0

    def _cross_flags(self, n: int, ended: int) -> bool:
        """AIC and AIV0 of one block: what the other has set, less what this core has taken."""
        op = self.ops[n]
        count = 0
        for m, other in enumerate(self.ops):
            if not ended >> m & 1 or (other.mode, other.id) != (op.mode, op.id):
                continue
            own = self.core_of[m] == self.core_of[n]
            count += (other.kind == "xset" and not own) - (other.kind == "xwait" and own)
        return count > 0

    def _all_came(self, n: int, ended: int) -> bool:
        """Every core has come to as many SyncAll as this one, with all before it ended."""
        turn = sum(self.ops[m].kind == "sync" for m in self.earlier[n])
        for program in self.programs:
            syncs = [m for m in program if self.ops[m].kind == "sync"]
            if len(syncs) <= turn or not all(ended >> m & 1 for m in self.earlier[syncs[turn]]):
                return False
        return True

    # -- conflicts

    def conflict(self, m: int, n: int) -> bool:
        return any(True for _ in self._clashes(m, n))

    def _clashes(self, m: int, n: int):  # type: ignore[no-untyped-def]
        """(does m write, does n write) for each pair of touches that meet."""
        for s, c, k, w in self.ops[m].cells:
            for t, d, j, v in self.ops[n].cells:
                shared = s == t == "GM" or (s == t and self.core_of[m] == self.core_of[n])
                if shared and (w or v) and c < d + j and d < c + k:
                    yield w, v

    def kept_by_the_pipe(self, m: int, n: int) -> bool:
        """Two instructions of one pipe, m first in the program."""
        a, b = self.ops[m], self.ops[n]
        if self.core_of[m] != self.core_of[n] or a.pipe != b.pipe:
            return False
        if a.pipe in _IN_ORDER or (a.order_class and a.order_class == b.order_class):
            return True
        if a.pipe == "V":
            return self.profile.chip == "3510" or self.profile.auto_sync
        if a.pipe == "M":
            return all(v or not w for w, v in self._clashes(m, n))
        return not any(w and v for w, v in self._clashes(m, n))


def explore(stream: Stream, profile: Profile) -> Outcome:
    """Tries every schedule."""
    machine = _Machine(stream, profile)
    count = len(machine.ops)
    whole = (1 << count) - 1
    beside = [0] * count  # per operation: what had not ended while it was under way
    reached = 0  # operations that can end
    stuck = finished = False
    seen, waiting = {0}, [0]
    while waiting:
        ended = waiting.pop()
        reached |= ended
        started = machine.started(ended)
        ends = []
        for n in range(count):
            if started >> n & 1:
                beside[n] |= whole & ~ended
                if not ended >> n & 1 and machine.may_end(n, ended):
                    ends.append(ended | 1 << n)
        if not ends:
            stuck |= ended != whole
            finished |= ended == whole
        for state in ends:
            if state not in seen:
                seen.add(state)
                waiting.append(state)
    data = [n for n in range(count) if machine.ops[n].is_data and reached >> n & 1]
    races = frozenset(
        (machine.places[m], machine.places[n])
        for m, n in combinations(data, 2)
        if beside[n] >> m & 1
        and beside[m] >> n & 1
        and machine.conflict(m, n)
        and not machine.kept_by_the_pipe(m, n)
    )
    return Outcome(races, stuck, stuck and not finished)
