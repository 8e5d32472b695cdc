"""What a line of the A tree's emitted Ascend C is issued to, and what it synchronises.

Names: tilelang-ascend 0.1.4, its code generator and tl_templates/ascend/common.h.
"""

from __future__ import annotations

import re

from gen.compile.listing import ALL, Dialect, Kind, Sync

_FLAG = re.compile(
    r"\s*AscendC::(?P<kind>Set|Wait)Flag<AscendC::HardEvent::(?P<first>[A-Z0-9]+)_(?P<then>[A-Z0-9]+)>"
    r"\((?P<id>.*)\);"
)
_CROSS_SET = re.compile(r"\s*AscendC::CrossCoreSetFlag<\w+, PIPE_(?P<pipe>\w+)>\((?P<id>.*)\);")
_CROSS_WAIT = re.compile(r"\s*AscendC::CrossCoreWaitFlag(?:<[^>]*>)?\((?P<id>.*)\);")
_BARRIER = re.compile(r"\s*AscendC::(?:PipeBarrier<PIPE_(?P<pipe>\w+)>|SyncAll\b)")

_PIPES = (
    (re.compile(r"\s*tl::ascend::copy_gm_to_"), ("MTE2",)),
    (re.compile(r"\s*tl::ascend::(?:copy_ub_to_gm|atomic_add_ub)"), ("MTE3",)),
    (re.compile(r"\s*tl::ascend::copy_l1_to_"), ("MTE1",)),
    (re.compile(r"\s*tl::ascend::(?:copy_l0c_to_|atomic_add_l0c)"), ("FIX",)),
    (re.compile(r"\s*tl::ascend::mma<"), ("M",)),
    (re.compile(r"\s*tl::ascend::gemm_v0<"), ("MTE1", "M")),
    (re.compile(r".*\.[GS]etValue\("), ("S",)),
    (re.compile(r"\s*(?:AscendC|tl::ascend)::\w+(?:<[^()]*>)?\("), ("V",)),
)


def _sync_of(text: str) -> Sync | None:
    if flag := _FLAG.match(text):
        kind = Kind.SET if flag["kind"] == "Set" else Kind.WAIT
        key = f"{flag['first']}_{flag['then']}"
        return Sync(kind, flag["first"], flag["then"], key, flag["id"])
    if cross := _CROSS_SET.match(text):
        return Sync(Kind.SET, cross["pipe"], "", f"cross {cross['id']}")
    if cross := _CROSS_WAIT.match(text):
        return Sync(Kind.WAIT, "", ALL, f"cross {cross['id']}")
    if barrier := _BARRIER.match(text):
        pipe = barrier["pipe"] or ALL
        return Sync(Kind.BARRIER, pipe, pipe, "")
    return None


def _pipes_of(text: str) -> tuple[str, ...]:
    return next((pipes for pattern, pipes in _PIPES if pattern.match(text)), ())


DIALECT = Dialect(_sync_of, _pipes_of, re.compile(r"\s*if ASCEND_IS_AI[CV] \{"))
