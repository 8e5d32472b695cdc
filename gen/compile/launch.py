"""`kernel<<<blocks, ubuf, stream>>>(arguments)` → a call that a host compiler understands.

The Ascend compiler launches kernels with triple angle brackets. Each launch becomes
`AICORE_LAUNCH(kernel, kind, blocks)(arguments)` in the same place; nothing moves to another line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from gen.compile.base import CompileError
from gen.compile.cpp_text import blank, closing, split_arguments
from gen.errors import Diagnostic

_MIX = re.compile(r"__mix__\s*\(\s*([01])\s*,\s*([012])\s*\)")
_TASK_TYPE = re.compile(r"KERNEL_TASK_TYPE_DEFAULT\s*\(\s*KERNEL_TYPE_(\w+)\s*\)")
_KIND_OF_TASK_TYPE = {
    "AIV_ONLY": "vector",
    "AIC_ONLY": "cube",
    "MIX_AIC_1_0": "mix_1_0",
    "MIX_AIV_1_0": "mix_0_1",
    "MIX_AIC_1_1": "mix_1_1",
    "MIX_AIC_1_2": "mix_1_2",
}
_KERNEL = re.compile(
    r"(?P<before>(?:__\w+__(?:\s*\([\s\d,]*\))?\s+)*)"
    r"__global__(?P<attributes>[^;{}]*?)\bvoid\s+(?P<name>\w+)\s*(?=\()",
    re.DOTALL,
)
_NAME_BEFORE = re.compile(r"(?:\w+\s*::\s*)*[A-Za-z_]\w*\s*\Z")


@dataclass(frozen=True)
class _Launch:
    """Offsets of one launch: `start` of the kernel's name, `<<<` at `open`, `>>>` at `close`."""

    start: int
    open: int
    close: int


def rewrite_launches(text: str, path: str, *, declared_in: Iterable[str] = ()) -> str:
    """`text` with every launch rewritten; line numbers stay.

    A kernel is looked up in `text` first, then in the texts of `declared_in`. Raises CompileError,
    with one diagnostic for each launch, when its kernel is not declared, its declaration does not
    say which cores it runs on, or the brackets do not close.
    """
    code = blank(text)
    kinds = kernel_kinds([text, *declared_in])
    pieces: list[str] = []
    faults: list[Diagnostic] = []
    done = 0
    for position in (match.start() for match in re.finditer("<<<", code)):
        try:
            launch = _find(code, position)
            pieces += [text[done : launch.start], _call(text, code, launch, kinds)]
            done = launch.close + len(">>>")
        except ValueError as fault:
            faults.append(_diagnostic(str(fault), text, path, position))
    if faults:
        raise CompileError(faults)
    return "".join([*pieces, text[done:]])


def kernel_kinds(texts: Iterable[str]) -> dict[str, str | None]:
    """Kernel name → kind, for every `__global__` function; None where the declaration has none."""
    kinds: dict[str, str | None] = {}
    for code in map(blank, texts):
        for match in _KERNEL.finditer(code):
            attributes = f"{match['before']} {match['attributes']}"
            kind = _attribute_kind(attributes) or _body_kind(code, match.end())
            if kinds.get(match["name"]) is None:
                kinds[match["name"]] = kind
    return kinds


def _attribute_kind(attributes: str) -> str | None:
    mix = _MIX.search(attributes)
    if mix:
        return f"mix_{mix[1]}_{mix[2]}"
    words = set(re.findall(r"\w+", attributes))
    return "vector" if "__vector__" in words else "cube" if "__cube__" in words else None


def _body_kind(code: str, parameters: int) -> str | None:
    """The kind that KERNEL_TASK_TYPE_DEFAULT gives in the body, if there is a body."""
    end = closing(code, parameters)
    body = re.match(r"\s*\{", code[end + 1 :]) if end >= 0 else None
    if body is None:
        return None
    start = end + body.end()
    task_type = _TASK_TYPE.search(code, start, closing(code, start))
    return _KIND_OF_TASK_TYPE.get(task_type[1]) if task_type else None


def _find(code: str, position: int) -> _Launch:
    before = position
    while code[before - 1].isspace():
        before -= 1
    if code[before - 1] == ">":
        before = _template_start(code, before - 1)
    name = _NAME_BEFORE.search(code, max(0, before - 512), before)
    if name is None:
        raise ValueError("no kernel stands before `<<<`")
    close = position + len("<<<")
    while not code.startswith(">>>", close):
        if close >= len(code) or code[close] in ";{}":
            raise ValueError("`<<<` is not closed by `>>>`")
        close = closing(code, close) + 1 if code[close] in "([" else close + 1
        if close == 0:
            raise ValueError("the brackets between `<<<` and `>>>` do not match")
    return _Launch(name.start(), position, close)


def _template_start(code: str, end: int) -> int:
    """Offset of the `<` whose template list ends with the `>` at `end`."""
    angles = parentheses = 0
    for position in range(end, -1, -1):
        char = code[position]
        parentheses += {")": 1, "(": -1}.get(char, 0)
        if parentheses == 0:
            angles += {">": 1, "<": -1}.get(char, 0)
        if angles == 0:
            return position
    raise ValueError("no kernel stands before `<<<`")


def _call(text: str, code: str, launch: _Launch, kinds: dict[str, str | None]) -> str:
    kernel = text[launch.start : launch.open].rstrip()
    name = re.findall(r"\w+", code[launch.start : launch.open].split("<", maxsplit=1)[0])[-1]
    if name not in kinds:
        raise ValueError(f"the kernel `{name}` is not declared with `__global__`")
    if kinds[name] is None:
        raise ValueError(f"the declaration of `{name}` does not say which cores it runs on")
    first = launch.open + len("<<<")
    arguments = split_arguments(code[first : launch.close])
    blocks = text[first + arguments[0][0] : first + arguments[0][1]]
    if not blocks.strip():
        raise ValueError("the number of blocks is missing")
    lines = text.count("\n", launch.start, launch.close) - kernel.count("\n") - blocks.count("\n")
    return f"AICORE_LAUNCH({_one(kernel)}, {kinds[name]}, {_one(blocks)}){lines * chr(10)}"


def _one(argument: str) -> str:
    """`argument` as one argument of a macro."""
    return f"({argument})" if "," in argument else argument


def _diagnostic(message: str, text: str, path: str, position: int) -> Diagnostic:
    line_start = text.rfind("\n", 0, position) + 1
    line_end = text.find("\n", position)
    return Diagnostic(
        code="E402",
        message=message,
        path=path,
        line=text.count("\n", 0, position) + 1,
        column=position - line_start + 1,
        length=len("<<<"),
        source_line=text[line_start : line_end if line_end >= 0 else len(text)],
        help="declare it as `__global__ __vector__`, `__global__ __cube__` or `__global__ __mix__(1, 2)`,"
        " and launch it with `kernel<<<blocks, nullptr, stream>>>(arguments)`",
    )
