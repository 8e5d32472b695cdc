"""What the compiler's passes insert, as a core comes by, and what they leave out."""

from __future__ import annotations

from typing import Any

from .places import site
from .program import Key, base
from .session import session


def key(kind: Any) -> Key:
    """Of what runs now: the kind of node, where it stands in the text, which copy it is."""
    return (kind, site(), *session().copies)


def before(known: Key) -> None:
    """A core gets to a node."""
    _issue(known, 0)


def behind(known: Key) -> None:
    """It is through with it."""
    _issue(known, 1)


def inserts() -> bool:
    """Whether a core runs a kernel in which something is inserted, or left out."""
    core = session().core
    return core is not None and bool(core.inserted or core.left_out or core.plan.split)


def left_out(known: Key) -> bool:
    """Whether a node is for the other kind of core, or not for this turn of a T.Pipelined."""
    core = session().core
    here = base(known)
    return here in core.left_out or here in core.waiting


def _issue(known: Key, side: int) -> None:
    core = session().core
    around = core.inserted.get(known)
    if around is None:
        return
    for sync in around[side]:
        if sync.call == "PipeBarrier":
            core.emit(sync.call, sync.what)
        elif sync.call == "CrossCoreSetFlag":
            core.emit(sync.call, 2, sync.what, sync.id)
        elif sync.call == "CrossCoreWaitFlag":
            core.emit(sync.call, sync.id)
        else:
            core.emit(sync.call, sync.what, sync.id)
