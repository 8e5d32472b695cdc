"""Kernel file → device source, by the real compiler or from the cache."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from gen.cache import cache_folder
from gen.compile.base import CompileError
from gen.compile.m_tree import installed
from gen.compile.m_tree.mistakes import rejected
from gen.compile.m_tree.session import Progress, Session, WorkerError, shared
from gen.compile.passes import Change
from gen.errors import Diagnostic

CACHE = "m_tree"
"""Part of the cache that holds what the compiler answered."""


@dataclass(frozen=True)
class TensorType:
    """What a kernel is specialised for: the name of a parameter, its shape, and a dtype by torch's name."""

    name: str
    shape: tuple[int, ...]
    dtype: str


@dataclass(frozen=True)
class Launch:
    """One kernel launch of the host part."""

    kernel: str
    blocks: int
    ub_bytes: int
    """UB that the compiler lays out dynamically; 0 where buffers keep their own names."""
    written: tuple[str, ...]
    """Tensors that the kernel may write."""


@dataclass(frozen=True)
class Lowered:
    """The device source of one kernel function."""

    function: str
    source: str
    tensors: tuple[TensorType, ...]
    """Inputs in the order of the function's parameters, then outputs."""
    outputs: tuple[str, ...]
    """The tensors that the function returns or, when it returns none, those that it writes."""
    launches: tuple[Launch, ...]
    log: str
    """What the compiler printed, such as warnings about uninitialised buffers."""
    lines: tuple[tuple[int, int], ...] = ()
    """(line of `source`, line of the kernel file) of what comes from a statement of the kernel; empty if unknown."""
    passes: tuple[Change, ...] = ()
    """The passes that changed the IR, where the request asked for them."""
    viewed: Mapping[str, str] = field(default_factory=dict)
    """The tensor behind a parameter of the device source that has the name of a T.view of it."""


@dataclass(frozen=True)
class Request:
    """A kernel file and what it is to be compiled for."""

    path: str
    text: str
    inputs: tuple[TensorType, ...]
    function: str | None = None
    """The @tilelang.jit function, where the file has several; or a T.prim_func, or a function that makes one."""
    constants: Mapping[str, Any] = field(default_factory=dict)
    pass_configs: Mapping[str, Any] = field(default_factory=dict)
    with_passes: bool = False
    """Whether to tell the IR around each pass that changes it."""

    @property
    def key(self) -> str:
        """Hash of everything that the answer depends on, but the files that the kernel file imports."""
        content = {k: v for k, v in asdict(self).items() if k != "path"}
        here = Path(__file__).parent
        makers = (here / "worker.py", here / "spans.py", here.parent / "passes.py")
        worker = [file.read_text(encoding="utf-8") for file in makers]
        parts = [content, installed.versions(), worker]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def lower(
    request: Request,
    *,
    session: Session | None = None,
    progress: Progress = lambda _: None,
    folder: Path | None = None,
) -> Lowered:
    """Compiles, or answers from `folder` (default: the user's cache) what was compiled before.

    A warm answer starts no process and imports neither torch nor tilelang. Raises CompileError: E401 when the compiler is
    not installed, E402 and E403 for mistakes in the file, E404 when the compiler dies.
    """
    if absent := installed.missing():
        raise CompileError([absent])
    file = (folder or cache_folder(CACHE)) / f"{request.key}.json"
    reply = _read(file)
    if reply is None:
        reply = _ask(request, session or shared(), progress)
        _write(file, reply)
    return lowered_reply(reply)


def _ask(request: Request, session: Session, progress: Progress) -> dict[str, Any]:
    try:
        reply = session.ask(asdict(request), progress)
    except WorkerError as death:
        message = f"the M tree's compiler died while lowering this kernel: {death}"
        help = "run it again; if it dies again, report the kernel to tile-ai/tilelang"
        raise CompileError([Diagnostic("E404", message, request.path, help=help)]) from None
    if reply["event"] == "error":
        raise CompileError([rejected(request.path, request.text, reply)])
    return reply


def lowered_reply(reply: Mapping[str, Any]) -> Lowered:
    """What the worker answered."""
    names = {t["name"] for t in reply["tensors"]}
    viewed = {t["data"]: t["name"] for t in reply["tensors"] if t["data"] not in names}
    launches = [
        Launch(
            k["kernel"], k["blocks"], k["ub_bytes"], tuple(viewed.get(n, n) for n in k["written"])
        )
        for k in reply["launches"]
    ]
    returned = tuple(t["name"] for t in reply["tensors"] if t["output"])
    written = {name for launch in launches for name in launch.written}
    return Lowered(
        function=reply["function"],
        source=reply["source"],
        tensors=tuple(
            TensorType(t["name"], tuple(t["shape"]), t["dtype"]) for t in reply["tensors"]
        ),
        outputs=returned or tuple(t["name"] for t in reply["tensors"] if t["name"] in written),
        launches=tuple(launches),
        log=reply["log"],
        lines=tuple((device, python) for device, python in reply["lines"]),
        passes=tuple((name, before, after) for name, before, after in reply["passes"]),
        viewed=viewed,
    )


def _read(file: Path) -> dict[str, Any] | None:
    """The stored reply, unless there is none, it is damaged, or a file that the kernel imported has changed."""
    try:
        reply: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        fresh = all(_digest(Path(path)) == digest for path, digest in reply["imported"])
        return reply if fresh else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _write(file: Path, reply: Mapping[str, Any]) -> None:
    """Stores the reply; a cache that cannot be written costs time, nothing else."""
    temporary = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_text(json.dumps(reply), encoding="utf-8")
        temporary.replace(file)
    except OSError:
        temporary.unlink(missing_ok=True)


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
