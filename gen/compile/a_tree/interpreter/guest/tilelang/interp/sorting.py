"""Operations that sort, and those that take their results apart."""

from __future__ import annotations

from typing import Any

from .buffer import Buffer, Element
from .expression import Opaque, reads
from .operand import Operand, operand
from .operation import count, operation
from .refusal import RefusalError, unsupported
from .scalar import Reading, number
from .session import session
from .state import unsized
from .templates import sorts
from .tile_checks import check_words

SORTED = ("float32", "float16")


def _whole(part: Any, what: str) -> Operand:
    """Of a whole buffer. Raises RefusalError."""
    if not isinstance(part, Buffer):
        raise RefusalError(
            f"{what} takes whole buffers, and no parts of them: the compiler does not take it",
            "T.copy the part to a buffer of its own",
        )
    return operand(part, what)


def _sorted(dst: Any, src: Any, what: str) -> tuple[Operand, Operand]:
    to, a = _whole(dst, what), _whole(src, what)
    if session().plan is not None and (to.dtype not in SORTED or a.dtype != to.dtype):
        raise RefusalError(
            f"{what} takes {' or '.join(SORTED)} to the same type, not {a.dtype} to {to.dtype}"
        )
    return to, a


def _now(value: Any) -> int:
    """A number that decides which instructions there are."""
    value = number(value)
    known = session().core.value(value.register) if isinstance(value, Reading) else value
    return int(known)


@operation
def sort(dst: Any, src: Any, actual_num: Any) -> None:
    """Pairs of value and index by falling value; what lies behind the first elements becomes -inf."""
    to, a = _sorted(dst, src, "T.tile.sort")
    now = session()
    if now.plan is not None:
        if isinstance(actual_num, Element | Opaque) or reads(actual_num):
            # The compiler prints it twice, and so it is read twice.
            raise unsupported("T.tile.sort of as many elements as memory says, without a name")
        if isinstance(actual_num, int) and to.there < 2 * -(-actual_num // 32) * 32:
            raise RefusalError(
                f"T.tile.sort writes {2 * -(-actual_num // 32) * 32} elements: a value and an index for each, in groups"
                f" of 32; {to.buffer.name} has {to.there}"
            )
        now.plan.need(8 * a.size * a.buffer.size)
        now.plan.touch(to.buffer, a.buffer, now.plan.need_of(a.dtype, 8 * a.size))
        return
    actual = _now(actual_num)
    tmp = now.core.view(now.core.plan.typed[a.dtype])
    sorts.sort(now.core, to.view, a.view, tmp, -(-actual // 32), actual)


@operation
def topk(dst: Any, src: Any, K: Any, actual_num: Any) -> None:  # noqa: N803
    """The first K pairs of the sorted elements."""
    to, a = _sorted(dst, src, "T.tile.topk")
    now = session()
    # The wheel adds the extents up, where it means to multiply them.
    repeats = -(-sum(unsized(n, "an extent") for n in a.shape) // 32)
    if now.plan is not None:
        _check_topk(to, a, K, repeats)
        now.plan.need(4 * a.size)
        now.plan.touch(to.buffer, a.buffer, now.plan.need_of(a.dtype, 4 * a.size))
        return
    tmp = now.core.view(now.core.plan.typed[a.dtype])
    sorts.topk(now.core, to.view, a.view, tmp, _now(K), repeats, _now(actual_num))


def _check_topk(to: Operand, a: Operand, k: Any, repeats: int) -> None:
    if len(a.shape) > 1 or a.size % 32:
        raise RefusalError(
            f"T.tile.topk is right for one dimension of a multiple of 32 elements, and {a.buffer.name} is {a.shape}: the"
            f" compiler sorts {32 * repeats} elements of it",
            "make the buffer one-dimensional, and fill what is too much with -inf",
        )
    if a.dtype == "float16":
        raise RefusalError(
            "T.tile.topk of float16 works in less scratch space than it needs",
            "T.tile.cast to float32 first",
        )
    if isinstance(k, int) and to.there < -(-2 * k // 8) * 8:
        raise RefusalError(
            f"T.tile.topk writes {-(-2 * k // 8) * 8} elements, and {to.buffer.name} has {to.there}"
        )


@operation
def merge_sort(dst: Any, src0: Any, src1: Any, src2: Any = None, src3: Any = None) -> None:
    """Two to four sorted lists of pairs become one."""
    given = [src for src in (src0, src1, src2, src3) if src is not None]
    to, *lists = (operand(part, "T.tile.merge_sort") for part in (dst, *given))
    now = session()
    if now.plan is not None:
        if to.dtype != "float32" or any(part.dtype != to.dtype for part in lists):
            raise RefusalError(
                "T.tile.merge_sort is right for float32: it takes a pair for two elements",
                "T.tile.cast to float32 first",
            )
        if not isinstance(dst, Buffer):
            raise RefusalError(
                "the destination of T.tile.merge_sort is a whole buffer: the compiler does not take a part of one"
            )
        scratch = now.plan.need(to.size * to.buffer.size)
        now.plan.touch(to.buffer, scratch, *(part.buffer for part in lists), written=(0, 1))
        return
    sorts.merge(
        now.core, to.view, [part.view for part in lists], [part.size // 2 for part in lists]
    )
    sorts.barrier(now.core)


@operation
def sort32(dst: Any, src0: Any, src1: Any) -> None:
    """Groups of 32 pairs of a value and the index that is given for it."""
    to, a = _sorted(dst, src0, "T.tile.sort32")
    index = _whole(src1, "T.tile.sort32")
    now = session()
    if now.plan is not None:
        check_words("indices of T.tile.sort32", index)
        now.plan.touch(to.buffer, a.buffer, index.buffer)
        return
    now.core.emit("Sort32", to.view, a.view, index.view, a.size // 32)


@operation
def init_sort_buf(buffer: Any, num: Any, rsv: Any) -> None:
    """Pairs that come behind all others."""
    to = _whole(buffer, "T.tile.init_sort_buf")
    now = session()
    if now.plan is not None:
        if not isinstance(num, int) or num != rsv or num % 64 or num > 255 * 64:
            raise RefusalError(
                "T.tile.init_sort_buf fills as many elements as its last argument says, in multiples of 64 and at most"
                f" {255 * 64}",
                f"T.tile.init_sort_buf({to.buffer.name}, n, n)",
            )
        now.plan.touch(to.buffer)
        return
    sorts.init_sort_buf(now.core, to.view, num)


@operation
def gatherb(
    dst: Any, src0: Any, offset: Any, repeat_time: Any, dst_blk_stride: Any, dst_rep_stride: Any
) -> None:
    """Blocks of 32 bytes at offsets in bytes, eight in each repeat."""
    what = "T.tile.gatherb"
    to, a, offsets = (_whole(part, what) for part in (dst, src0, offset))
    now = session()
    if now.plan is not None:
        if offsets.dtype != "uint32" or to.dtype != a.dtype:
            raise RefusalError(
                f"{what} takes one type and offsets of uint32, not {to.dtype}, {a.dtype} and {offsets.dtype}"
            )
        now.plan.touch(to.buffer, a.buffer, offsets.buffer)
        return
    numbers = [count(n, what) for n in (repeat_time, dst_blk_stride, dst_rep_stride)]
    sorts.gather_blocks(now.core, to.view, a.view, offsets.view, *numbers)
