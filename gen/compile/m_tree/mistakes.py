"""What the compiler complains about → a diagnostic at the Python line, with what to write instead."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Any

from gen.compile.m_tree.statements import mentioned_statement
from gen.errors import Diagnostic

_CODES = {"no-kernel": "E403", "which-kernel": "E403"}

_INPUTS_HELP = "give a shape and a dtype for each parameter of the kernel function"
_KIND_HELP = {
    "no-kernel": 'decorate the kernel function with @tilelang.jit(target="ascend")',
    "which-kernel": "say which one is meant",
    "wrong-target": 'write @tilelang.jit(target="ascend")',
    "inputs": _INPUTS_HELP,
    "scalar": "make it a keyword argument with a default, so that it is known when the kernel is compiled",
    "grid": "give T.Kernel a number that is known when the kernel is compiled",
}

# What a developer meets and what to write instead, by the compiler's own words (tilelang 0.1.15).
_HELP: tuple[tuple[str, str], ...] = (
    (r"no attribute 'alloc_ub'", "UB is `T.alloc_shared` in the M tree"),
    (
        r"no attribute '(barrier_all|set_flag|wait_flag|pipe_barrier)'",
        "leave it out: the compiler synchronises",
    ),
    (r"no attribute '(Scope|rs)'", "leave it out: the compiler assigns work to AIC and AIV"),
    (r"no attribute 'tile'", "write the loop with T.Parallel inside `with T.SimtVF(threads=...):`"),
    (r"unexpected keyword argument 'threads'", "threads belong to `with T.SimtVF(threads=...)`"),
    (r"1-D core grid", "use one dimension and T.Persistent([m_tiles, n_tiles], blocks, core)"),
    (
        r"T\.Parallel loop .* must be inside a VF block",
        "put the loop into `with T.SimtVF(threads=...):`",
    ),
    (
        r"trans_A=False, trans_B=True",
        "pass transpose_B=True; for B[K, N] copy with transpose=True into L1",
    ),
    (
        r"T\.copy\(\) from dtype .* outside a VF block",
        "cast inside `with T.SimtVF(...)`, copy equal dtypes",
    ),
    (r"capacity \d+ is insufficient", "use smaller tiles or fewer stages"),
    (r"Cannot fit any sub-K tile in L0", "use a smaller TILE_M or TILE_N"),
    (
        r"not divisible by any valid TILE_K_SUB",
        "make the K tile a multiple of 32 bytes that has such a divisor",
    ),
    (r"unsupported expr|requires VReg extent", "use `with T.SimtVF(threads=...)` for this loop"),
    (r"Unsupported scope shared\.l0c", "T.gemm clears its accumulator: pass clear_accum=(k == 0)"),
    (r"bisheng compiler|npu|torch_npu", 'keep the host part under `if __name__ == "__main__":`'),
)


def rejected(path: str, text: str, reply: Mapping[str, Any]) -> Diagnostic:
    """The diagnostic of an `error` reply of the worker."""
    message = _clean(reply["message"])
    line, column, length = reply["line"], reply["column"], reply["length"]
    if not line:
        line, column, length = _mentioned(text, message)
    lines = text.splitlines()
    source = lines[line - 1] if 0 < line <= len(lines) else ""
    if source and not column:
        column, length = len(source) - len(source.lstrip()) + 1, len(source.strip())
    return Diagnostic(
        code=_CODES.get(reply["kind"], "E402"),
        message=f"tilelang: {message}" if reply["kind"] == "compiler" else message,
        path=path,
        line=line,
        column=column,
        length=max(length, 1),
        source_line=source,
        help=_help(reply, message),
    )


def _clean(message: str) -> str:
    first = message.strip().split("\n\n")[0]
    return re.sub(r"\s+", " ", first.removeprefix("[TileLang Semantic Check] "))


def _help(reply: Mapping[str, Any], message: str) -> str:
    if reply["kind"] in _KIND_HELP:
        return _KIND_HELP[reply["kind"]]
    known = next((help for words, help in _HELP if re.search(words, message)), "")
    guess = f"did you mean `{reply['suggestion']}`?" if reply["suggestion"] else ""
    return known or guess


def _mentioned(text: str, message: str) -> tuple[int, int, int]:
    """Where a name that the message quotes gets its value, else the kernel function; zeros where neither is found."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return 0, 0, 0
    if (statement := mentioned_statement(tree, message))[0]:
        return statement
    places = dict(_targets(tree)) | dict(_allocations(tree))
    for name in re.findall(r"['\"`]([A-Za-z_][\w.]*)['\"`]", message):
        if name in places:
            return places[name]
    kernels = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.decorator_list]
    return (kernels[0].lineno, 0, 0) if kernels else (0, 0, 0)


def _targets(tree: ast.Module) -> Iterator[tuple[str, tuple[int, int, int]]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, (node.lineno, node.col_offset + 1, len(node.id))


# The allocation calls by the memory scope that messages name.
_SCOPES = {
    "alloc_shared": "shared",
    "alloc_l1": "shared.l1",
    "alloc_l0a": "shared.l0a",
    "alloc_l0b": "shared.l0b",
    "alloc_l0c": "shared.l0c",
}


def _allocations(tree: ast.Module) -> Iterator[tuple[str, tuple[int, int, int]]]:
    """The last allocation in each scope."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in _SCOPES:
            yield _SCOPES[node.attr], (node.lineno, 0, 0)
