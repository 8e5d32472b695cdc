"""The frame of a kernel: its cores, its memory, the code of each kind of core."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, ClassVar

from . import sharing
from .buffer import Buffer, dtype_name
from .expression import Expression, variable
from .look import FRAGMENT, SHARED, FirstLookNeeded
from .places import site
from .refusal import RefusalError, unsupported
from .scalar import whole
from .session import session
from .state import unsized


class Kernel:
    """`with T.Kernel(blocks, is_npu=True) as (cid, vid)`. `threads` is 0 for this form, else 1 or 2."""

    def __init__(
        self,
        *blocks: Any,
        threads: Any = None,
        is_npu: bool = False,
        is_cpu: bool = False,
        **options: Any,
    ) -> None:
        if not is_npu:
            raise RefusalError(
                "T.Kernel without is_npu makes a kernel for a GPU",
                "write T.Kernel(cores, is_npu=True) as (cid, vid)",
            )
        if len(blocks) != 1:
            raise RefusalError(
                "a kernel for the NPU has one block dimension",
                "give T.Kernel one number and divide cid yourself",
            )
        if isinstance(threads, list | tuple) and len(threads) == 1:
            (threads,) = threads
        if threads not in (None, 1, 2):
            raise RefusalError(
                f"NPU kernel threads must be 1 or 2, but got {threads}",
                "leave `threads` out: T.Kernel(cores, is_npu=True) as (cid, vid)",
            )
        self.blocks = blocks[0]
        self.threads = threads or 0

    def __enter__(self) -> Any:
        now = session()
        if now.plan is not None:
            return self._planned(now.plan)
        unit = now.core
        if isinstance(unit, Probe):
            raise Launched(int(whole(self.blocks)))
        return unit.block if self.threads else (unit.block, unit.vid)

    def _planned(self, plan: Any) -> Any:
        if plan.kernel is not None:
            raise RefusalError("a prim_func has one T.Kernel")
        if self.threads == 2 and plan.look is None and plan.seen is None:
            raise FirstLookNeeded
        plan.kernel = self
        blocks = self.blocks
        high = blocks.high if isinstance(blocks, Expression) else blocks
        if not isinstance(high, float) and high < 1:
            raise RefusalError(f"a kernel of {blocks} blocks does not run")
        cid = variable("cid", 0, high - 1)
        return cid if self.threads else (cid, plan.vid)

    def __exit__(self, *error: object) -> None:
        pass


class Probe:
    """Stands for a core until the number of blocks is known."""

    is_cube = False
    plan = SimpleNamespace(seen=None, split=False)
    inserted: ClassVar[dict[Any, Any]] = {}
    left_out: frozenset[Any] = frozenset()
    waiting: frozenset[Any] = frozenset()
    kept = None
    loads: ClassVar[dict[Any, Any]] = {}

    def emit(self, name: str, *arguments: Any) -> None:
        """What stands in front of T.Kernel."""

    def view(self, buffer: Buffer) -> Buffer:
        """Nothing is done with it."""
        return buffer

    def inside(self, dimension: int, highest: int, *, fits: bool) -> None:
        """Nothing is recorded."""


class Launched(Exception):  # noqa: N818
    """The kernel has got to its T.Kernel."""

    def __init__(self, blocks: int) -> None:
        super().__init__(blocks)
        self.blocks = blocks


class CoreScope:
    """`with T.Scope("V")`: the code of the vector cores, "C" of the cube core."""

    def __init__(self, name: Any) -> None:
        if name not in ("C", "V"):
            raise RefusalError(
                f'there is no T.Scope({name!r}): the compiler takes every name but "V" for the cube core',
                'write T.Scope("V") or T.Scope("C")',
            )
        self.name = name

    @property
    def runs(self) -> bool:
        """Whether this core runs it."""
        now = session()
        return now.plan is not None or now.core.is_cube == (self.name == "C")


def allocate(scope: str, shape: Any, dtype: Any) -> Buffer:
    """A buffer on the chip. The same call gives the same buffer to every core."""
    now = session()
    if now.plan is None and now.core is None:
        raise RefusalError("a buffer is allocated in a kernel")
    here = site()
    if now.plan is None:
        known = now.core.plan.allocated[here]
        turn = now.core.allocations.get(here, 0)
        now.core.allocations[here] = turn + 1
        buffer: Buffer = known[turn % len(known)]
        return buffer
    own: Buffer | None = now.plan.own.get(here)
    if own is not None:
        return own
    sizes = tuple(shape) if isinstance(shape, list | tuple) else (shape,)
    dtype = dtype_name(dtype)
    scope, whole = _seen(now.plan, scope, here)
    found = [unsized(n, "the shape of a buffer") for n in sizes]
    if any(n < 1 for n in found):
        raise RefusalError(f"a buffer of shape {found} has no elements")
    if scope in ("l1", "l0a", "l0b", "l0c") and len(found) < 2:
        raise RefusalError(
            f"a buffer in {scope.upper()} is a matrix, and this one has {len(found)} dimensions"
        )
    turn = (here, len(now.plan.allocated.get(here, ())))
    first = now.plan.same.get(turn, turn)
    if first in now.plan.first:
        buffer = now.plan.first[first]
        now.plan.allocated.setdefault(here, []).append(buffer)
        return buffer
    buffer = now.plan.first[first] = Buffer("", scope, dtype, found)
    if not whole:
        sharing.allocated(buffer)
    now.plan.allocated.setdefault(here, []).append(buffer)
    if now.plan.top is not None:
        now.plan.own[here] = buffer
    return buffer


def _seen(plan: Any, scope: str, here: Any) -> tuple[str, bool]:
    """The memory of a new buffer, and whether a core has all of it."""
    if plan.look is not None:
        return scope, True
    if plan.seen is None:
        if scope in (SHARED, FRAGMENT):
            raise FirstLookNeeded
        return scope, True
    turn = len(plan.allocated.get(here, ()))
    shared = plan.kernel is not None and plan.kernel.threads == 2
    return plan.seen.scopes[here][turn], not shared or (here, turn) in plan.seen.whole


def alloc_shared(shape: Any, dtype: Any, scope: str = "shared.dyn") -> Buffer:
    """In L1 or UB, whatever uses it."""
    if scope == "shared" or dtype_name(dtype) == "bool":
        return allocate("ub", shape, dtype)
    if scope not in ("shared.dyn", "shared.l1"):
        raise unsupported(f"T.alloc_shared with scope={scope!r}")
    return allocate(SHARED if scope == "shared.dyn" else "l1", shape, dtype)


def alloc_fragment(shape: Any, dtype: Any, scope: str = "local.fragment") -> Buffer:
    """In L0A, L0B or L0C: where a product takes it."""
    if scope != "local.fragment":
        raise unsupported(f"T.alloc_fragment with scope={scope!r}")
    return allocate(FRAGMENT, shape, dtype)


def alloc_ub(shape: Any, dtype: Any) -> Buffer:
    """In UB."""
    return allocate("ub", shape, dtype)


def alloc_L1(shape: Any, dtype: Any) -> Buffer:  # noqa: N802
    """In L1."""
    return allocate("l1", shape, dtype)


def alloc_L0A(shape: Any, dtype: Any) -> Buffer:  # noqa: N802
    """In L0A."""
    return allocate("l0a", shape, dtype)


def alloc_L0B(shape: Any, dtype: Any) -> Buffer:  # noqa: N802
    """In L0B."""
    return allocate("l0b", shape, dtype)


def alloc_L0C(shape: Any, dtype: Any) -> Buffer:  # noqa: N802
    """In L0C."""
    return allocate("l0c", shape, dtype)


def annotate_address(address_map: Any) -> None:
    """Where buffers start, in bytes."""
    now = session()
    if now.plan is None:
        return
    for buffer, address in address_map.items():
        if not isinstance(buffer, Buffer):
            raise RefusalError("T.annotate_address takes {buffer: address in bytes}")
        now.plan.addresses[buffer] = unsized(address, "an address")


class Variable:
    """T.alloc_var: a number of the core that can be assigned again."""

    def __init__(self, dtype: str, value: Any) -> None:
        self.dtype = dtype
        self._value = value

    @property
    def value(self) -> Any:
        """What it holds."""
        plan = session().plan
        if plan is not None:
            plan.program.load(self)
        return self._value

    @value.setter
    def value(self, value: Any) -> None:
        self._value = value
