"""What a line of the M tree's device source is issued to, and what it synchronises.

Names: asc-devkit, docs, C API; the code generator of tilelang 0.1.15 and its tl_templates/ascend.
"""

from __future__ import annotations

import re

from gen.compile.listing import ALL, Dialect, Kind, Sync

_FLAG = re.compile(
    r"\s*asc_sync_(?P<kind>notify|wait)\(PIPE_(?P<first>\w+), PIPE_(?P<then>\w+),"
    r" (?:static_cast<event_t>\()?(?P<id>.*?)\)*;"
)
_PAIR = re.compile(
    r"\s*asc_sync_(?P<scope>\w+)_(?P<kind>arrive|wait)\(PIPE_(?P<pipe>\w+)(?:, (?P<id>.*))?\);"
)
_MUTEX = re.compile(r"\s*asc_(?P<kind>lock|unlock)\(PIPE_(?P<pipe>\w+), (?P<id>.*)\);")
_BARRIER = re.compile(r"\s*asc_sync(?:_pipe\(PIPE_(?P<pipe>\w+)\)|\(\));")
_THREADS = re.compile(r"\s*asc_syncthreads\(\);")

_PIPES = (
    (re.compile(r"\s*asc_(?:copy_gm2(?:ub|l1)|fill_l1)"), ("MTE2",)),
    (re.compile(r"\s*asc_copy_ub2"), ("MTE3",)),
    (re.compile(r"\s*asc_copy_l12"), ("MTE1",)),
    (re.compile(r"\s*asc_copy_l0c2"), ("FIX",)),
    (re.compile(r"\s*asc_mmad"), ("M",)),
    (re.compile(r"\s*ascend_gemm\w*<"), ("MTE1", "M")),
    (re.compile(r"\s*(?:asc_vf_call<|ascend_nd2nz_scatter|\w+_vf_\d+\()"), ("V",)),
    (re.compile(r"\s*(?:asc_(?:load|store)_dev|tl::(?:read|write)_gm)"), ("S",)),
)


def _sync_of(text: str) -> Sync | None:
    if flag := _FLAG.match(text):
        kind = Kind.SET if flag["kind"] == "notify" else Kind.WAIT
        key = f"{flag['first']}_{flag['then']}"
        return Sync(kind, flag["first"], flag["then"], key, flag["id"])
    if pair := _PAIR.match(text):
        key = f"{pair['scope']} {_of_either(pair['id'] or '')}"
        if pair["kind"] == "arrive":
            return Sync(Kind.SET, pair["pipe"], "", key)
        return Sync(Kind.WAIT, "", pair["pipe"], key)
    if mutex := _MUTEX.match(text):
        key = f"mutex {mutex['id']}"
        if mutex["kind"] == "lock":
            return Sync(Kind.LOCK, "", mutex["pipe"], key)
        return Sync(Kind.UNLOCK, mutex["pipe"], "", key)
    if barrier := _BARRIER.match(text):
        pipe = barrier["pipe"] or ALL
        return Sync(Kind.BARRIER, pipe, pipe, "")
    return Sync(Kind.THREADS, "V", "V", "") if _THREADS.match(text) else None


def _of_either(number: str) -> str:
    """What the cube calls 16 + n is n for the second vector core, as n is for the first."""
    return str(int(number) % 16) if number.isdigit() else number


def _pipes_of(text: str) -> tuple[str, ...]:
    return next((pipes for pattern, pipes in _PIPES if pattern.match(text)), ())


DIALECT = Dialect(_sync_of, _pipes_of, re.compile(r"\s*if ASC_IS_AI[CV] \{"))
