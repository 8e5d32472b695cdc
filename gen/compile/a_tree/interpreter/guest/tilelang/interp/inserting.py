"""What the compiler's passes insert, as a core comes by."""

from __future__ import annotations

from .places import site
from .program import Key
from .session import session


def key(kind: str) -> Key:
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
    return core is not None and bool(core.inserted or core.left_out)


def left_out(known: Key) -> bool:
    """Whether a node is for the other kind of core."""
    return known in session().core.left_out


def _issue(known: Key, side: int) -> None:
    core = session().core
    around = core.inserted.get(known)
    if around is None:
        return
    for sync in around[side]:
        if sync.call == "PipeBarrier":
            core.emit(sync.call, sync.what)
        else:
            core.emit(sync.call, sync.what, sync.id)
