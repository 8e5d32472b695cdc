"""What tilelang-ascend says of a kernel file → a diagnostic at the Python line, with what to write instead."""

from __future__ import annotations

import re

from gen.compile.a_tree.worker import Refusal
from gen.errors import Diagnostic

_CODES = {"source": "E402", "unsuitable": "E403", "crash": "E404", "timeout": "E404"}

# What a developer meets and what to write instead, by the compiler's own words (tilelang-ascend 0.1.4).
_HELP: tuple[tuple[str, str], ...] = (
    (r"alloc_local.*no longer supported", "use T.alloc_ub, T.alloc_L1 or T.alloc_L0C"),
    (
        r"NPU kernel threads must be",
        "leave `threads` out: T.Kernel(cores, is_npu=True) as (cid, vid)",
    ),
    (r"cannot unpack non-iterable Var", "write T.Kernel(cores, is_npu=True) as (cid, vid)"),
    (r"must have exactly one block dimension", "give T.Kernel one number and divide cid yourself"),
    (r"T\.gemm K shape check failed", "A and B of gemm_v0 must have the same K"),
    (r"Unsupported scope: src = global", "copy from GM to L1 first, then from L1 to L0"),
    (r"StructuralEqual check failed", "copies between on-chip buffers need equal shapes"),
    (r"Can't deduce copy extents", "give one side of T.copy as a whole buffer or as slices"),
    (r"size must be same", "destination and source of a tile operation need as many elements"),
    (r"CompareScalar alignment error|Compare alignment error", "compare multiples of 256 bytes"),
    (r"physical buffer shape must be constant", "compute tile sizes outside of the kernel body"),
    (
        r"has no attribute access_ptr",
        "slice with one bound or an index, or copy into a smaller buffer",
    ),
    (
        r"Unexpected type for access_ptr",
        "use T.Select instead of T.if_then_else for a scalar operand",
    ),
    (r"Cannot decide infinity", "take -T.infinity of 'float16' or 'float32'"),
    (r"could not get source code", "put the kernel into a file"),
)


def rejected(path: str, text: str, refusal: Refusal) -> Diagnostic:
    """The diagnostic of a refusal; a place in the file is shown with its line."""
    lines = text.splitlines()
    source = lines[refusal.line - 1] if 0 < refusal.line <= len(lines) else ""
    column, length = refusal.column, refusal.length
    if source and not column:
        column, length = len(source) - len(source.lstrip()) + 1, len(source.strip())
    return Diagnostic(
        code=_CODES[refusal.kind],
        message=_message(refusal),
        path=path,
        line=refusal.line if source else 0,
        column=column if source else 0,
        length=max(length, 1),
        source_line=source,
        help=_help(refusal),
    )


def _message(refusal: Refusal) -> str:
    if refusal.kind == "unsuitable":
        return refusal.message
    # TVM puts the time and the C++ line of the check in front of what it has to say.
    said = re.sub(r"\[\d\d:\d\d:\d\d\] \S+:\d+: ", "", re.sub(r"\s+", " ", refusal.message))
    printed = _printed(refusal.log) if refusal.kind == "crash" else ""
    return f"tilelang-ascend: {said}" + (f" after it said: {printed}" if printed else "")


def _printed(log: str) -> str:
    """What the compiler printed of an error before it crashed."""
    return next((line for line in reversed(log.splitlines()) if "rror: " in line), "").strip()


def _help(refusal: Refusal) -> str:
    if refusal.suggestion:
        return f"did you mean `{refusal.suggestion}`?"
    if refusal.kind == "unsuitable":
        return "name the function and give its arguments" if "value" in refusal.message else ""
    return next((help for words, help in _HELP if re.search(words, refusal.message)), "")
