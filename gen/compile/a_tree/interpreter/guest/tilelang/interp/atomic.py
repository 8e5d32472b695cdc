"""T.tile.atomic_add."""

from __future__ import annotations

from typing import Any

from .copy import _fixed
from .extents import areas
from .operation import operation
from .refusal import RefusalError, unsupported
from .session import session
from .templates import copies


@operation
def atomic_add(dst: Any, src: Any) -> None:
    """Adds a tile in UB or L0C to a tensor in GM."""
    source, target = areas(src, dst)
    buffer = source.buffer
    if target.buffer.scope != "global" or buffer.scope not in ("ub", "l0c"):
        raise RefusalError(
            "T.tile.atomic_add adds from UB or L0C to GM", "the destination comes first"
        )
    if buffer.dtype != target.buffer.dtype:
        raise RefusalError(
            f"T.tile.atomic_add takes one type: {buffer.name} is {buffer.dtype}, {target.buffer.name}"
            f" {target.buffer.dtype}"
        )
    if buffer.halved:
        raise unsupported("T.tile.atomic_add with threads=2")
    rows, columns = _rows(source), _fixed(source, -1, "atomic_add")
    m, n = target.valid()
    now = session()
    if now.plan is not None:
        now.plan.touch(buffer, target.buffer, written=(1,))
        return
    core = now.core
    to, a = core.view(target.buffer).at(target.offset), core.view(buffer).at(source.offset)
    if buffer.scope == "ub":
        copies.atomic_add_ub_to_gm(core, to, a, columns, target.pitch(), m, n)
    else:
        copies.atomic_add_l0c_to_gm(core, to, a, rows, columns, target.pitch(), m, n)


def _rows(area: Any) -> int:
    if len(area.buffer.shape) == 1:
        return 1
    return int(min(area.buffer.shape[-2], _fixed(area, -2, "atomic_add")))
