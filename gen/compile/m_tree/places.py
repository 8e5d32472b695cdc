"""Which line of the Python kernel a line of the device source comes from.

The compiler keeps no line numbers, but it keeps names: a copy names its tensor in GM, a vector function its number.
Only what is unambiguous is answered; synchronisation, which has no line in Python, is not.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

_LOAD = re.compile(r"^\s*asc_copy_gm2(?:ub_align|l1_nd2nz|l1_dn2nz)\(")
_STORE = re.compile(r"^\s*asc_copy_(?:ub2gm_align|l0c2gm)\(")
_IN_GM = re.compile(r"&\((\w+)\[")
_FILL = re.compile(r"^\s*asc_fill_l1\(")
_GEMM = re.compile(r"^\s*(?:ascend_\w*gemm_l1<|asc_mmad)")
_VF_CALL = re.compile(r"^\s*(?:asc_vf_call<)?\w+?_(sim[td])_vf_(\d+)\b")
_VF_DEFINITION = re.compile(r"^__(?:simt|simd)_vf__ .*\bvoid \w+?_(sim[td])_vf_(\d+)\(")


@dataclass
class _Kernel:
    """Lines of a kernel function: copies by tensor name, matrix products, vector functions in order."""

    loads: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    stores: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    gemms: list[int] = field(default_factory=list)
    vector_functions: list[int] = field(default_factory=list)


def python_lines(text: str, function: str, device: str) -> dict[int, int]:
    """Line of `device` → line of `text`, both counted from 1, for the kernel `function` of the file `text`."""
    kernel = _read(text, function)
    lines = device.splitlines()
    found: dict[int, int] = {}
    loaded: dict[str, int] = {}
    inside: int | None = None
    for number, line in enumerate(lines, 1):
        if match := _VF_DEFINITION.match(line):
            inside = _vector_function(kernel, lines, match)
        elif line.startswith("}"):
            inside = None
        origin = inside or _copy(kernel, line) or _other(kernel, lines, line)
        if origin is not None:
            found[number] = origin
            if "gm2l1" in line:
                loaded[_first_argument(line)] = origin
    return found | _fills(lines, loaded)


def _read(text: str, function: str) -> _Kernel:
    kernel = _Kernel()
    for node in _statements(text, function):
        if isinstance(node, ast.With):
            calls = [item.context_expr for item in node.items]
            if any(_called(call) in ("SimtVF", "SimdVF") for call in calls):
                kernel.vector_functions.append(node.lineno)
        elif (
            _called(node) in ("copy", "dual_copy")
            and isinstance(node, ast.Call)
            and len(node.args) > 1
        ):
            kernel.loads[_root(node.args[0])].append(node.lineno)
            kernel.stores[_root(node.args[1])].append(node.lineno)
        elif _called(node) == "gemm" and isinstance(node, ast.Call):
            kernel.gemms.append(node.lineno)
    return kernel


def _statements(text: str, function: str) -> Iterator[ast.AST]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and node.name == function:
            yield from sorted(
                (n for n in ast.walk(node) if isinstance(n, ast.With | ast.Call)),
                key=lambda n: n.lineno,
            )


def _called(node: ast.AST) -> str:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr
    return ""


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _only(lines: list[int] | None) -> int | None:
    return lines[0] if lines and len(lines) == 1 else None


def _copy(kernel: _Kernel, line: str) -> int | None:
    for pattern, copies in ((_LOAD, kernel.loads), (_STORE, kernel.stores)):
        if pattern.match(line):
            names = [n for n in _IN_GM.findall(line) if n in copies]
            return _only(copies[names[0]]) if len(names) == 1 else None
    return None


def _other(kernel: _Kernel, lines: list[str], line: str) -> int | None:
    if _GEMM.match(line):
        return _only(kernel.gemms)
    if match := _VF_CALL.match(line):
        return _vector_function(kernel, lines, match)
    return None


def _vector_function(kernel: _Kernel, lines: list[str], match: re.Match[str]) -> int | None:
    """By its number, when the source defines as many as the kernel has and all are of one kind."""
    defined = [m.group(1) for line in lines if (m := _VF_DEFINITION.match(line))]
    number = int(match.group(2))
    if (
        len(set(defined)) != 1
        or len(defined) != len(kernel.vector_functions)
        or number >= len(defined)
    ):
        return None
    return kernel.vector_functions[number]


def _first_argument(line: str) -> str:
    """The text of the first argument of the call on `line`, which is in parentheses."""
    start = line.index("(") + 1
    depth = 0
    for i, char in enumerate(line[start:], start):
        depth += (char == "(") - (char == ")")
        if char == "," and depth == 0:
            return line[start:i]
    return line[start:]


def _fills(lines: list[str], loaded: dict[str, int]) -> dict[int, int]:
    """Zero fills of L1 tiles: they belong to the copy into their tile."""
    return {
        number: at
        for number, line in enumerate(lines, 1)
        if _FILL.match(line)
        for tile, at in loaded.items()
        if tile in line
    }
