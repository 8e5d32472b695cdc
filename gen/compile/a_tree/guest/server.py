"""Lowers A-tree kernels on request. Runs in the Python 3.11 of the compiler, on nothing but its standard library.

    server.py SITE_FOLDER

Reads one JSON object a line from standard input and writes one a line to standard output. The first answer says
whether the compiler could be loaded. Every request is served by a forked child, since some errors of the compiler end
in a segmentation fault; a child that takes too long is killed.
"""

from __future__ import annotations

import contextlib
import difflib
import gc
import importlib.util
import itertools
import json
import os
import re
import resource
import select
import signal
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

Message = dict[str, Any]
REHEARSAL = """
import tilelang
import tilelang.language as T

@tilelang.jit(out_idx=[-1])
def rehearsal():
    @T.prim_func
    def main(x: T.Tensor((4096,), "float16"), y: T.Tensor((4096,), "float16")):
        with T.Kernel(2, is_npu=True) as (cid, vid):
            buffer = T.alloc_ub((2, 512), "float16")
            with T.Scope("V"):
                for i in T.serial(2):
                    tile = cid * 4 + vid * 2 + i
                    if tile < 8:
                        T.copy(x[tile * 512], buffer[i % 2, :])
                        T.set_flag("mte2", "v", 1)
                        T.wait_flag("mte2", "v", 1)
                        T.tile.add(buffer[i % 2, :], buffer[i % 2, :], buffer[i % 2, :])
                        T.set_flag("v", "mte3", 1)
                        T.wait_flag("v", "mte3", 1)
                        T.copy(buffer[i % 2, :], y[tile * 512])
    return main
"""
"""A kernel that is lowered before the first is asked for."""
LOG_BYTES = 20_000
LOOK_SECONDS = 0.5
"""How often it is seen whether the time is over, or the process that asked is gone."""


def main() -> None:
    requests = sys.stdin.buffer
    answers = os.fdopen(os.dup(1), "wb")
    # Whatever the compiler and the kernel files print goes to standard error.
    os.dup2(2, 1)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    began = time.monotonic()
    try:
        _load(sys.argv[1])
    except Exception:
        _send(answers, {"ready": False, "problem": traceback.format_exc()})
        return
    _send(answers, {"ready": True, "seconds": round(time.monotonic() - began, 1)})
    for line in requests:
        _send(answers, _serve(json.loads(line)))


def _load(site: str) -> None:
    here = Path(__file__).resolve().parent
    sys.path[:0] = [str(here), site]
    import stubs  # type: ignore[import-not-found]

    stubs.install()
    _load_file(here.parents[1] / "passes.py")
    import lowering  # type: ignore[import-not-found]

    lowering.prepare()
    # Code that an emulator has translated is there for every child: it need not be translated again for each.
    with contextlib.suppress(Exception), tempfile.TemporaryDirectory(prefix="crosstree-") as folder:
        path = Path(folder, "rehearsal.py")
        path.write_text(REHEARSAL, "utf-8")
        _lower_file(
            path, {"factory": None, "arguments": {}, "with_lines": False, "with_passes": False}
        )
    gc.freeze()


def _load_file(file: Path) -> None:
    """Makes a file that lies elsewhere a module that can be imported."""
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    sys.modules[file.stem] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules[file.stem])


def _send(stream: BinaryIO, message: Message) -> None:
    stream.write(json.dumps(message).encode() + b"\n")
    stream.flush()


def _serve(request: Message) -> Message:
    """Lowers in a child; what it wrote before it died is kept, since the cause of the death is often in it."""
    with tempfile.TemporaryDirectory(prefix="crosstree-") as folder:
        log = Path(folder, "log")
        log.touch()
        reader, writer = os.pipe()
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            os.close(reader)
            _child(request, Path(folder), log, writer)
        os.close(writer)
        parts, timed_out = _collect(reader, child, request["timeout"])
        _, status = os.waitpid(child, 0)
        answer: Message = {"id": request["id"]}
        for part in parts:
            answer.update(part)
        if "kernels" not in answer and "error" not in answer:
            answer["error"] = _death(status, timed_out, request["timeout"])
        answer["log"] = log.read_bytes()[-LOG_BYTES:].decode("utf-8", "replace")
        return answer


def _collect(reader: int, child: int, seconds: float) -> tuple[list[Message], bool]:
    deadline = time.monotonic() + seconds
    asker = os.getppid()
    data = b""
    timed_out = False
    while True:
        if not select.select([reader], [], [], LOOK_SECONDS)[0]:
            if os.getppid() != asker:
                os.kill(child, signal.SIGKILL)
                sys.exit("nobody waits for the answer any more")
            if time.monotonic() < deadline:
                continue
            timed_out = True
            os.kill(child, signal.SIGKILL)
            break
        chunk = os.read(reader, 1 << 16)
        if not chunk:
            break
        data += chunk
    os.close(reader)
    whole = [line for line in data.split(b"\n")[:-1] if line]
    return [json.loads(line) for line in whole], timed_out


def _death(status: int, timed_out: bool, seconds: float) -> Message:
    if timed_out:
        return {"kind": "timeout", "message": f"the compiler was stopped after {seconds:g} s"}
    if os.WIFSIGNALED(status):
        name = signal.Signals(os.WTERMSIG(status)).name
        return {"kind": "crash", "message": f"the compiler crashed ({name})"}
    code = os.WEXITSTATUS(status)
    return {"kind": "crash", "message": f"the compiler ended with exit status {code}"}


def _child(request: Message, folder: Path, log: Path, writer: int) -> NoReturn:
    descriptor = os.open(log, os.O_WRONLY | os.O_APPEND)
    os.dup2(descriptor, 1)
    os.dup2(descriptor, 2)
    with os.fdopen(writer, "wb") as answer:
        path = folder / request["name"]
        path.write_text(request["source"], "utf-8")
        _report_diagnostics(answer, path)
        try:
            _send(answer, {"kernels": _lower_file(path, request), "error": None})
        except BaseException as error:
            failure = _failure(error, path)
            # A diagnostic of the parser was reported when it was made; the exception after it says less.
            if not _Reported.any:
                _send(answer, {"error": failure})
    sys.stdout.flush()
    os._exit(0)


def _lower_file(path: Path, request: Message) -> list[Message]:
    import lowering
    import record  # type: ignore[import-not-found]

    def kernels() -> list[Any]:
        return list(record.record(path, request["factory"], request["arguments"]))

    sys.argv = [str(path)]
    plain = kernels()
    marked, pipelined = [], False
    if request["with_lines"]:
        with (
            lowering.marked_statements(str(path)),
            lowering.unpipelined() as pipelines,
            contextlib.redirect_stdout(None),
        ):
            marked = kernels()
        pipelined = bool(pipelines)
    answer = []
    for kernel, twin in itertools.zip_longest(plain, marked):
        passes: list[Any] | None = [] if request["with_passes"] else None
        shapes: list[Any] = []
        source = lowering.lower_to_source(
            kernel.function, kernel.options, log=passes, shapes=shapes
        )
        lines, inserted = [], []
        if twin is not None:
            written = lowering.lower_to_source(kernel.function, kernel.options, plain=True)
            shown = lowering.lower_to_source(twin.function, twin.options, plain=True)
            lines = (lowering.moved_lines if pipelined else lowering.line_map)(written, shown)
            if lowering.inserts(kernel.options):
                lines, inserted = lowering.spread(source, written, lines)
        answer.append(
            {
                "name": kernel.name,
                "source": source,
                "lines": lines,
                "inserted": inserted,
                "passes": passes or [],
                "tensors": _tensors(kernel.function, shapes),
                "buffers": _buffers(kernel.function),
                "out_idx": kernel.options.get("out_idx"),
                "workspace_idx": kernel.options.get("workspace_idx"),
            }
        )
    return answer


def _tensors(function: Any, shapes: list[Any]) -> list[Message]:
    """The tensor parameters in order, with their `shapes` behind the passes; extents that are known only at run time are
    names."""
    found = []
    for parameter, passed in zip(function.params, shapes, strict=False):
        if parameter in function.buffer_map:
            buffer = function.buffer_map[parameter]
            longer = len(passed) > len(buffer.shape)
            known = passed if longer else buffer.shape
            shape = [int(n) if isinstance(n, int) or hasattr(n, "value") else str(n) for n in known]
            found.append({"name": str(buffer.name), "dtype": str(buffer.dtype), "shape": shape})
    return found


def _buffers(function: Any) -> list[Message]:
    """The buffers in UB, with the shapes that the file gives them."""
    from tilelang import tvm

    found = []

    def visit(node: Any) -> None:
        if isinstance(node, tvm.tir.Block):
            for buffer in node.alloc_buffers:
                if buffer.scope() == "shared" and all(hasattr(n, "value") for n in buffer.shape):
                    shape = [int(n) for n in buffer.shape]
                    found.append({"name": buffer.name, "dtype": buffer.dtype, "shape": shape})

    tvm.tir.stmt_functor.post_order_visit(function.body, visit)
    return found


class _Reported:
    """Whether a diagnostic has been sent."""

    any = False


def _report_diagnostics(answer: BinaryIO, path: Path) -> None:
    """Sends what the script parser complains about before it renders it, which may crash."""
    import macros  # type: ignore[import-not-found]
    from tvm.script.parser.core import diagnostics  # type: ignore[import-not-found]

    original = diagnostics.Diagnostics._emit

    def emit(self: Any, node: Any, message: str, level: Any) -> None:
        source = macros.source_of(self)
        if not _Reported.any and source.source_name == str(path):
            _Reported.any = True
            line = (node.lineno or 1) + source.start_line - 1
            column = (node.col_offset or 0) + source.start_column + 1
            same_line = node.end_lineno in (None, node.lineno)
            length = (node.end_col_offset or 0) - (node.col_offset or 0) if same_line else 1
            error = {"kind": "source", "message": message, "line": line, "column": column}
            error |= {"length": max(length, 1), "suggestion": _suggestion(message)}
            _send(answer, {"error": error})
        original(self, node, message, level)

    diagnostics.Diagnostics._emit = emit


def _suggestion(message: str) -> str:
    """What the module does have, where a name is missing in it."""
    match = re.search(r"module '([\w.]+)' has no attribute '(\w+)'", message)
    if match is None or match[1] not in sys.modules:
        return ""
    names = {name.lower(): name for name in dir(sys.modules[match[1]]) if name[0] != "_"}
    close = difflib.get_close_matches(match[2].lower(), names, n=1)
    return names[close[0]] if close else ""


def _failure(error: BaseException, path: Path) -> Message:
    """What an exception says, at the innermost line of the kernel file that it passed through."""
    import record

    if isinstance(error, SyntaxError) and error.filename == str(path):
        message = f"SyntaxError: {error.msg}"
        place = {"line": error.lineno or 0, "column": error.offset or 0}
        return {"kind": "source", "message": message, **place}
    if isinstance(error, record.UnsuitableError):
        return {"kind": "unsuitable", "message": str(error), "line": error.line}
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == str(path)]
    line = frames[-1].lineno if frames else 0
    return {"kind": "source", "message": _sentence(error), "line": line or 0}


def _sentence(error: BaseException) -> str:
    """The last line that says something: errors of TVM carry a stack of C++ frames in their text."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    if not lines:
        return _speechless(error)
    prefixed = [line for line in lines if "Error: " in line]
    text = (prefixed or lines)[-1]
    name = type(error).__name__
    return text if "Error: " in text else f"{name}: {text}"


def _speechless(error: BaseException) -> str:
    """What stands for the message of an error that has none: its type, and the code that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    code = frames[-1].line if frames else ""
    return f"{type(error).__name__} in `{code}`" if code else type(error).__name__


if __name__ == "__main__":
    main()
