"""What the lengths of a copy count, for a copy that moves too much or too little: bytes, blocks of 32 bytes, or elements.

Source: asc-devkit, docs/zh, SIMD-API, 基础API, 数据搬运: DataCopy, DataCopyPad.
"""

from __future__ import annotations

import re

from gen.check.places import Place
from gen.check.statements import statement

_CALL = re.compile(
    r"\bDataCopy(?P<pad>Pad)?\s*(?:<[^;()]*>)?\(\s*(?P<target>\w+)(?P<rest>.*)", re.DOTALL
)
_PARAMS = re.compile(r"\bDataCopy(?:Ext)?Params\b")
_PADDED = "blockLen counts bytes, and a stride bytes in GM and blocks of 32 bytes in a local memory"
_PLAIN = "blockLen and the strides count blocks of 32 bytes"
_COUNTED = "the length counts elements"


def units_at(text: str, place: Place | None) -> str:
    """What the copy at `place` counts; empty where there is none, or one of another form."""
    if place is None or not 0 < place.line <= len(text.split("\n")):
        return ""
    first, last = statement(text, place.line, python=False)
    return _units(text, "\n".join(text.split("\n")[first - 1 : last]), place.line)


def units_of_source(text: str, reader: Place | None) -> str:
    """What the copies count that fill a tensor which the line of `reader` names: of itself, or of its queue."""
    lines = text.split("\n")
    if reader is None or not 0 < reader.line <= len(lines):
        return ""
    names = set(re.findall(r"\w+", lines[reader.line - 1].partition("(")[2]))
    queues = {q for n in names for q in re.findall(rf"\b{n}\s*=\s*(\w+)\.DeQue\s*<", text)}
    for number, line in enumerate(lines, 1):
        call = _CALL.search(line)
        if call is None or number == reader.line:
            continue
        target = call["target"]
        made = re.findall(rf"\b{target}\s*=\s*(\w+)\.AllocTensor\s*<", text)
        if (target in names or queues & {*made}) and (units := _units(text, line, number)):
            return f"line {number} fills it, where {units}"
    return ""


def _units(text: str, code: str, line: int) -> str:
    call = _CALL.search(code)
    if call is None:
        return ""
    if call["pad"]:
        return _PADDED
    arguments = re.findall(r"\b[A-Za-z_]\w*\b", call["rest"])
    above = "\n".join(text.split("\n")[:line])
    structs = [a for a in arguments if re.search(rf"\bDataCopyParams\s+(?:[^;]*,\s*)?{a}\b", above)]
    if structs or _PARAMS.search(code):
        return _PLAIN
    return "" if re.search(r"Params", code) else _counted(call["rest"], above)


def _counted(rest: str, above: str) -> str:
    """Of a copy whose third argument is a number, as far as that is to be seen."""
    last = re.search(r",\s*([^,;]+?)\)\s*;", rest)
    name = last[1].strip() if last else ""
    if not name or (
        name.isidentifier() and re.search(rf"Params\w*\s+(?:[^;]*,\s*)?{name}\b", above)
    ):
        return ""
    return _COUNTED
