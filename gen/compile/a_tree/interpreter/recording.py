"""A kernel file to its tape, in a process of its own: what the file does there is done to nobody else."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import gen.sim.tape
import gen.sim.tape_live
from gen.compile.a_tree.interpreter import kept
from gen.compile.a_tree.interpreter.process import LIMIT, Ended, run_child
from gen.compile.a_tree.interpreter.refused import refused
from gen.compile.a_tree.lowering import Request
from gen.compile.a_tree.worker import LoweredKernel
from gen.compile.base import CompileError
from gen.errors import Diagnostic, listing
from gen.sim.cache import cache_root, scratch, write_atomically

GUEST = Path(__file__).parent / "guest"
STUBS = Path(__file__).parent.parent / "guest" / "stubs.py"


@dataclass(frozen=True)
class Recorded:
    """A tape, and the file that its places name."""

    tape: Path
    source: Path
    chance: bool
    """Whether the compiler leaves to chance where buffers lie."""


def describe(request: Request, seconds: float = LIMIT) -> LoweredKernel:
    """The kernel that `request` asks for, with its tensors and no source. Raises CompileError."""
    place = _folder(request, None)
    known = place / kept.ANSWER
    kept.used(place)
    answer = _valid(known)
    if answer is None:
        with scratch(cache_root() / "runs") as folder:
            answer = _ask(request, None, folder, seconds)
        _store(known, answer)
    return _chosen(request, answer["kernels"])


def record(
    request: Request,
    extents: Mapping[str, int],
    on_breakpoint: Callable[[], None] = lambda: None,
    seconds: float = LIMIT,
    order: Sequence[str] = (),
) -> Recorded:
    """The tape of the kernel. Runs no process when the same was recorded before, unless the kernel prints then.

    `order`: names of buffers. Where the compiler leaves to chance which of two comes first in memory, it is as here.

    Raises CompileError.
    """
    folder = _folder(request, extents, order)
    source = Path(request.path).resolve()
    kept.used(folder)
    answer = _valid(folder / kept.ANSWER)
    if answer is None:
        # Two processes may want the same tape at once.
        with kept.reserved(folder):
            answer = _valid(folder / kept.ANSWER)
            if answer is None:
                answer = _ask(request, extents, folder, seconds, order, on_breakpoint)
        kept.prune()
    _chosen(request, answer["kernels"])
    return Recorded(folder / "tape", source, answer["chance"])


def _folder(request: Request, extents: Mapping[str, int] | None, order: Sequence[str] = ()) -> Path:
    """Where all is kept that the same request makes again."""
    given = None if extents is None else sorted(extents.items())
    parts = (request.key, str(Path(request.path).resolve()), given, list(order), _version())
    key = hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]
    return kept.root() / key


@cache
def _version() -> str:
    """Hash of everything that a tape depends on besides the kernel."""
    digest = hashlib.sha256(sys.version.encode())
    for script in _scripts():
        digest.update(script.read_bytes())
    return digest.hexdigest()


def _scripts() -> Iterator[Path]:
    yield from sorted(GUEST.rglob("*.py"))
    yield STUBS
    yield from (Path(str(m.__file__)) for m in (gen.sim.tape, gen.sim.tape_live))


def _ask(
    request: Request,
    extents: Mapping[str, int] | None,
    folder: Path,
    seconds: float,
    order: Sequence[str] = (),
    on_breakpoint: Callable[[], None] = lambda: None,
) -> dict[str, Any]:
    """What the child answers. Raises CompileError for everything but kernels."""
    question = {
        "path": str(Path(request.path).resolve()),
        "text": request.text,
        "function": request.function,
        "arguments": dict(request.arguments),
        "extents": None if extents is None else dict(extents),
        "tape": str(gen.sim.tape.__file__),
        "seconds": seconds,
        "order": list(order),
    }
    (folder / kept.ANSWER).unlink(missing_ok=True)
    (folder / "request.json").write_text(json.dumps(question), "utf-8")
    command = [sys.executable, str(GUEST / "child.py"), str(folder)]
    ended = run_child(command, folder, seconds, on_breakpoint)
    answer = _stored(folder / kept.ANSWER)
    if answer is None:
        raise CompileError([_died(request, ended)])
    if "error" in answer:
        (folder / kept.ANSWER).unlink(missing_ok=True)
        raise CompileError([refused(request.path, request.text, answer["error"])])
    return answer


def _died(request: Request, ended: Ended) -> Diagnostic:
    message = f"the kernel was not recorded: {ended.reason}"
    return Diagnostic("E404", message, request.path, help=ended.help)


def _chosen(request: Request, kernels: list[dict[str, Any]]) -> LoweredKernel:
    if len(kernels) == 1:
        return _described(kernels[0])
    names = listing(sorted({kernel["name"] for kernel in kernels}))
    message = f"the file makes {len(kernels)} kernels, of {names}"
    help = "say which function, and with which arguments"
    raise CompileError([Diagnostic("E403", message, request.path, help=help)])


def _described(kernel: Mapping[str, Any]) -> LoweredKernel:
    names = [tensor["name"] for tensor in kernel["tensors"]]

    def named(indices: int | list[int] | None) -> list[str]:
        return [names[i] for i in ([indices] if isinstance(indices, int) else indices or [])]

    outputs, workspaces = named(kernel["out_idx"]), named(kernel["workspace_idx"])
    nothing = {"source": "", "lines": [], "inserted": [], "buffers": [], "passes": []}
    return LoweredKernel.from_json(
        {**nothing, **kernel, "outputs": outputs, "workspaces": workspaces}
    )


def _valid(file: Path) -> dict[str, Any] | None:
    """What was answered before, if it would be the same now: the kernel prints nothing, and imports the same."""
    answer = _stored(file)
    if answer is None or answer.get("spoke"):
        return None
    imports: dict[str, str] = answer["imports"]
    same = all(_digest(Path(name)) == digest for name, digest in imports.items())
    return answer if same else None


def _digest(file: Path) -> str:
    try:
        return hashlib.sha256(file.read_bytes()).hexdigest()
    except OSError:
        return ""


def _stored(file: Path) -> dict[str, Any] | None:
    try:
        found: dict[str, Any] = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return found


def _store(file: Path, answer: dict[str, Any]) -> None:
    """A cache that cannot be written costs time, nothing else."""
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(file, json.dumps(answer).encode())
