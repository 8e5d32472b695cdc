"""Lowers a prim_func to Ascend C, and says which line of the Python file each emitted line comes from.

The compiler keeps no source positions. A second lowering, with a `T.printf` that names the line in front of every
statement, shows them; it counts only if it equals the first one as soon as those lines are taken out again.

A loop of `T.Pipelined` has its statements taken apart, and the marks would stay behind: there the second lowering has
plain loops, and an emitted line is told by what it calls and on which tensors.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import macros  # type: ignore[import-not-found]
import tilelang.language as T  # noqa: N812
from passes import PassLog  # type: ignore[import-not-found]
from tilelang import tvm
from tilelang.engine import lower
from tilelang.utils import target as target_module
from tvm.script.ir_builder import tir as builder  # type: ignore[import-not-found]
from tvm.script.parser.core import parser  # type: ignore[import-not-found]

MARK = "@crosstree-line"
_MARK_LINE = re.compile(rf'\s*AscendC::PRINTF\("{MARK} (\d+)\\n"\);')
_CONTROL = re.compile(r"\s*(\} else|if|for|while)\b")
INSERTING = ("tl.ascend_auto_sync", "tl.ascend_auto_cross_core_sync")
"""Options of the compiler with which passes insert synchronisation."""
_SYNC = re.compile(r"\s*AscendC::(?:(?:CrossCore)?(?:Set|Wait)Flag|PipeBarrier|SyncAll)\b")
_PLACED = re.compile(r"(\s*auto \w+ = \w+\.GetWithOffset<\w+>\()")
_PRINTF_INCLUDE = re.compile(r'#include [<"].*printf\.h[>"]')


def prepare() -> None:
    """Makes the output independent of the machine: without an NPU the compiler merges buffers differently. Knows macros."""
    target_module.check_npu_availability = lambda: True
    macros.install()


def lower_to_source(
    function: Any,
    options: dict[str, Any],
    *,
    plain: bool = False,
    log: list[Any] | None = None,
    shapes: list[Any] | None = None,
) -> str:
    """The Ascend C source of one prim_func, with the pass configuration of its `tilelang.jit`.

    `plain` leaves out the synchronisation that passes insert; `log` takes what each pass changed, `shapes` those of the
    tensors behind the passes: one between the cores gets a dimension more in a T.Pipelined over work of both.
    """
    config = {k: v for k, v in _config(options).items() if not (plain and k in INSERTING)}
    watcher = tvm.ir.instrument.pass_instrument(PassLog)(tvm)
    watching = [] if log is None else [watcher]
    with tvm.transform.PassContext(opt_level=3, config=config, instruments=watching):
        made = lower(function, target="ascendc", platform=_platform(options))
    if shapes is not None:
        shapes += [parameter.shape for parameter in made.params]
    if log is not None:
        log += watcher.changes
    return str(made.kernel_source)


def inserts(options: dict[str, Any]) -> bool:
    """Whether the compiler is asked to synchronise."""
    return any(_config(options).get(key) for key in INSERTING)


def _config(options: dict[str, Any]) -> dict[str, Any]:
    """Keys may be members of an enumeration."""
    config = options.get("pass_configs") or {}
    return {str(getattr(key, "value", key)): value for key, value in config.items()}


def _platform(options: dict[str, Any]) -> str:
    platform = str(options.get("platform", "auto"))
    return "A3" if platform == "auto" else platform


def _emits(node: Any) -> bool:
    """Whether a node is a call, or stores an element."""
    if _kind(node) == "Expr":
        return True
    targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
    return _kind(node) in ("Assign", "AugAssign") and _kind(targets[0]) == "Subscript"


def _is_parallel(node: Any) -> bool:
    called = getattr(getattr(node, "iter", None), "func", None)
    return _kind(node) == "For" and getattr(called, "attr", "") == "Parallel"


def _kind(node: Any) -> str:
    return type(node).__name__.rpartition(".")[2]


@contextmanager
def marked_statements(path: str) -> Iterator[None]:
    """While this is open, statements of kernels in the file `path` are parsed with a mark in front of each.

    A loop of `T.Parallel` is one statement: it must stay a loop over elements and nothing else.
    """
    visit = parser.Parser.visit
    parallel: list[Any] = []

    def marking(self: Any, node: Any) -> Any:
        loop = _is_parallel(node)
        source = macros.source_of(self.diag)
        if (
            (loop or _emits(node))
            and not parallel
            and self.dispatch_tokens[-1] == "tir"
            and source.source_name == path
        ):
            shown = node.body[0] if loop and len(node.body) == 1 else node
            line = source.start_line - 1 + shown.lineno
            builder.evaluate(T.printf(f"{MARK} {line}\n"))
        if not loop:
            return visit(self, node)
        parallel.append(node)
        try:
            return visit(self, node)
        finally:
            parallel.pop()

    parser.Parser.visit = marking
    try:
        yield
    finally:
        parser.Parser.visit = visit


@contextmanager
def unpipelined() -> Iterator[list[int]]:
    """While this is open, `T.Pipelined` makes plain loops; yields the stage counts of those that it replaced."""
    pipelined = T.Pipelined
    replaced: list[int] = []

    def loop(start: Any, stop: Any = None, num_stages: int = 0, **options: Any) -> Any:
        if num_stages == 0:
            return pipelined(start, stop, num_stages, **options)
        replaced.append(num_stages)
        return T.serial(start) if stop is None else T.serial(start, stop)

    T.Pipelined = loop
    try:
        yield replaced
    finally:
        T.Pipelined = pipelined


def moved_lines(source: str, marked: str) -> list[int]:
    """As line_map, for a `source` whose statements stand in another order, or more than once, in `marked`.

    Where several Python lines make the same call on the same tensors, the other arguments tell them apart, else where
    they stand between their neighbours.
    """
    known: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    current = 0
    for text in marked.splitlines():
        mark = _MARK_LINE.fullmatch(text)
        if mark:
            current = int(mark[1])
        elif _CONTROL.match(text) or text == "}":
            current = 0
        else:
            known[_call(text)][current].add(_placeless(text))
    choices: list[list[int] | None] = []
    for text in source.splitlines():
        if text.endswith("{") or text.lstrip().startswith("}"):
            choices.append(None)
            continue
        lines = known.get(_call(text), {}) if text.strip().endswith(");") else {}
        same = [line for line, texts in lines.items() if _placeless(text) in texts]
        choices.append(sorted({*(same or lines)} - {0}))
    return _settled(choices)


def _settled(choices: list[list[int] | None]) -> list[int]:
    """One of the lines that each may come from, 0 for none; None is where a block begins or ends.

    In a block it is the order of the Python file that decides, as far as that goes.
    """
    settled: list[int] = []
    before = 0
    for number, lines in enumerate(choices):
        if lines is None:
            settled.append(0)
            before = 0
            continue
        after = _next_sure(choices[number + 1 :])
        between = [line for line in lines if before < line < after]
        later = [line for line in lines if line > before]
        settled.append([*between, *later, *lines, 0][0])
        before = settled[-1] or before
    return settled


def _next_sure(choices: list[list[int] | None]) -> int:
    """The next line of the block that is certain; 0 for none."""
    for lines in choices:
        if lines is None:
            return 0
        if len(lines) == 1:
            return lines[0]
    return 0


def _placeless(text: str) -> str:
    """A statement without the elements of its tensors at which it begins."""
    return re.sub(r"\[[^\[\]]*\]", "[]", text.strip())


def _call(text: str) -> str:
    """A call without what a pipeline changes in it: offsets, and extents that depend on them."""
    called = re.match(r"\s*([\w:]+(?:<[^()]*>)?)\(", text)
    if called is None:
        return text.strip()
    tensors = re.findall(r"(\w+)\[", text[called.end() :])
    return " ".join([called[1], *tensors]) if tensors else text.strip()


def spread(source: str, plain: str, lines: list[int]) -> tuple[list[int], list[int]]:
    """`lines` of `plain` for the lines of `source`, and which lines of `source` (from 1) are inserted synchronisation.

    Nothing where `source` differs from `plain` in more than that.
    """
    written = plain.splitlines()
    known = iter(zip(written, lines or [0] * len(written), strict=True))
    wanted, line = next(known, ("", 0))
    origins: list[int] = []
    inserted: list[int] = []
    for number, text in enumerate(source.splitlines(), 1):
        if _same(text, wanted):
            origins.append(line)
            wanted, line = next(known, ("", 0))
        elif _SYNC.match(text):
            origins.append(0)
            inserted.append(number)
        else:
            return [], []
    return origins, inserted


def _same(one: str, other: str) -> bool:
    """Whether two lines are equal, but for the place of a buffer: its planning differs from run to run."""
    placed = _PLACED.match(one)
    return one == other or (placed is not None and other.startswith(placed[1]))


def line_map(source: str, marked: str) -> list[int]:
    """For each line of `source` the Python line that it comes from, 0 where none does.

    Empty when `marked` differs from `source` in more than its marks: then nothing is known.
    """
    plain: list[str] = []
    origin: list[int] = []
    current = 0
    for text in marked.splitlines():
        mark = _MARK_LINE.fullmatch(text)
        if mark:
            current = int(mark[1])
            continue
        if _PRINTF_INCLUDE.fullmatch(text) and text not in source:
            continue
        if _CONTROL.match(text) or text == "}":
            current = 0
        plain.append(text)
        origin.append(0 if text.strip() in ("{", "}") else current)
    wanted = source.splitlines()
    if len(plain) != len(wanted) or not all(map(_same, plain, wanted)):
        return []
    return origin
