"""What a verdict depends on beside the kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Arch = Literal["2201", "3510"]


@dataclass(frozen=True, slots=True)
class Profile:
    """The machine and the compiler that a kernel is judged for.

    * ``chip``: ``2201`` (Ascend 910B) or ``3510`` (Ascend 950).
    * ``auto_sync``: bisheng's ``--cce-auto-sync``, on by default there. On an AIV it orders vector
      instructions among each other (dav-2201) and the scalar unit with V, MTE2 and MTE3; it never
      orders MTE2 with V, V with MTE3, or anything on the Cube.
    * ``flag_identity``: are event flags of one source pipe and id told apart by their destination
      pipe (``doc``, as documented) or not (``strict``)?
    * ``xflag``: cross-core flags count (``counter``, as documented) or hold one event (``binary``).
    * ``k_tail``: does Mmad multiply whole C0 groups of K (``group``), so that lanes beyond k must hold
      zeros, or k lanes (``exact``), as some samples of the vendor expect?
    * ``threads``: host threads; 0 for all cores of the host.
    * ``hazards``: judge the order of accesses. Off only to measure what that costs.
    * ``poison``: seed of what never-written memory holds: 0 for NaN, otherwise finite numbers that
      differ from seed to seed.
    * ``schedule``: which of all orders that the chip allows is run. ``program``: the first in program
      order goes first. ``early-X`` and ``late-X``: X before all others, or only when nothing else can
      go on; X is a pipe (``mte2``), a core (``aiv1``) or both (``aiv1.mte2``). ``reorder``: what the
      chip does not keep in order within a pipe runs the other way round (not judged: no hazards).
      ``blocks-reversed``: the last block of the grid first. ``threads-reversed``: the last thread of
      each SIMT function first. Values are the same under each, unless
      something races; atomic additions excepted, which round differently.
    * ``deep``: also remark on what is wrong only if the chip differs from its documents and on
      synchronisation that tells no pipe anything, and list it (:attr:`gen.sim.Launch.sync`).
    * ``drop``: positions of synchronisation that are left out (:attr:`gen.sim.SyncSite.key`).
    * ``variant``: which form of a program that holds several is run (:mod:`gen.score.mutants`).
    """

    chip: Arch = "2201"
    auto_sync: bool = True
    flag_identity: Literal["doc", "strict"] = "doc"
    xflag: Literal["counter", "binary"] = "counter"
    k_tail: Literal["group", "exact"] = "group"
    threads: int = 0
    hazards: bool = True
    poison: int = 0
    schedule: str = "program"
    deep: bool = False
    drop: tuple[str, ...] = ()
    variant: int = 0

    def environment(self) -> str:
        """The value of ``AICORE_PROFILE``."""

        def switch(on: bool) -> str:
            return "on" if on else "off"

        return (
            f"chip={self.chip},auto_sync={switch(self.auto_sync)},"
            f"flag_identity={self.flag_identity},xflag={self.xflag},"
            f"threads={self.threads},hazards={switch(self.hazards)}"
            + (f",k_tail={self.k_tail}" if self.k_tail != "group" else "")
            + (f",poison={self.poison}" if self.poison else "")
            + (f",schedule={self.schedule}" if self.schedule != "program" else "")
            + (",deep=on" if self.deep else "")
            + (f",drop={'+'.join(self.drop)}" if self.drop else "")
            + (f",variant={self.variant}" if self.variant else "")
        )
