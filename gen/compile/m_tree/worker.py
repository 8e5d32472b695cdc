"""The process that holds tilelang: reads requests and writes replies, one JSON object a line.

It is started as a file by :mod:`gen.compile.m_tree.session` and imports nothing of this package, so that only what the
compiler itself needs is in its way. A request is ``path, text, function, inputs, constants,
pass_configs, with_passes``; the reply is one of ``progress`` (any number), then ``done`` or ``error``.
"""

from __future__ import annotations

import difflib
import hashlib
import importlib
import importlib.util
import json
import linecache
import os
import re
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

# Not `__main__`: the host part of a kernel file must not run.
MODULE_NAME = "tilelang_kernel_file"

Reply = dict[str, Any]
Send = Callable[[Reply], None]


class KernelFileError(Exception):
    """A mistake in the file that has no exception of its own. `line` counts from 1; 0 is the whole file."""

    def __init__(self, kind: str, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.kind = kind
        self.line = line


def main() -> None:
    """Serves requests until the standard input ends."""
    # What the libraries print must not get into the replies.
    out = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    os.dup2(2, 1)

    def send(reply: Reply) -> None:
        out.write(json.dumps(reply) + "\n")

    threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    compiler = Compiler()
    send({"event": "ready"})
    for line in sys.stdin:
        request = json.loads(line)
        try:
            send({"event": "done", **compiler.lower(request, send)})
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt | SystemExit | MemoryError):
                raise
            send({"event": "error", **describe(error, request["path"])})


def end_with(parent: int) -> None:
    """Ends this process once the one that started it is gone, whatever a kernel file keeps it busy with."""
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


class Compiler:
    """tilelang, imported once."""

    def __init__(self) -> None:
        self._torch = importlib.import_module("torch")
        self._tilelang = importlib.import_module("tilelang")
        self._tirx = importlib.import_module("tvm.tirx")
        self._lower = importlib.import_module("tilelang.engine").lower
        self._target = importlib.import_module("tilelang.ascend.target").normalize_ascend_target
        self._pass_context = importlib.import_module("tilelang.transform").PassContext
        self._jit = importlib.import_module("tilelang.jit").JITImpl
        self._instrument = importlib.import_module("tvm.ir.instrument").pass_instrument
        self._spans = importlib.import_module("spans")  # beside this file
        self._passes = load(Path(__file__).parents[1] / "passes.py")

    def lower(self, request: Reply, send: Send) -> Reply:
        """The device source of the kernel in `request`, and what its host has to know."""
        send({"event": "progress", "stage": "tracing"})
        with kernel_file(request["path"], request["text"]) as (module, imported):
            kernel = self._find(module, request["function"])
            function = self._traced(kernel, request)
            options = {**(getattr(kernel, "pass_configs", None) or {}), **request["pass_configs"]}
        lowered = self.lower_function(
            function, options, request["path"], send, with_passes=request["with_passes"]
        )
        return {**lowered, "imported": imported}

    def lower_function(
        self,
        function: Any,
        options: dict[str, Any],
        path: str,
        send: Send,
        *,
        with_passes: bool = False,
    ) -> Reply:
        """The same for a PrimFunc of the file at `path`, with the pass configuration of its `tilelang.jit`."""
        target = self._target("ascend")
        report = self._instrument(PassReport)(send)
        spans = self._instrument(self._spans.KeepSpans)(path)
        log = self._instrument(self._passes.PassLog)(importlib.import_module("tvm"))
        instruments = [report, spans, log] if with_passes else [report, spans]
        with self._pass_context(opt_level=3, config=options, instruments=instruments), target:
            artifact = self._lower(function, target=target, enable_device_compile=False)
        with self._pass_context(opt_level=3, config=options), target:
            lines = self._lines(artifact, target, path)
        return {
            "function": str(function.attrs["global_symbol"]),
            "source": artifact.kernel_source,
            "tensors": self._tensors(function),
            "launches": self._launches(artifact),
            "lines": lines,
            "passes": log.changes,
        }

    def _lines(self, artifact: Any, target: Any, path: str) -> list[tuple[int, int]]:
        """Where lines of the device source come from; nothing where the compiler does not let itself be asked."""
        try:
            module = artifact.device_mod
            found: list[tuple[int, int]] = self._spans.lines(
                module, target, artifact.kernel_source, path
            )
        except Exception as error:
            print(f"no lines: {error}", file=sys.stderr)
            return []
        return found

    def _find(self, module: ModuleType, name: str | None) -> Any:
        """The kernel function `name`, or the only one. A name may also stand for a T.prim_func or for a function that
        makes one."""
        if name is not None:
            if not callable(found := getattr(module, name, None)):
                raise KernelFileError("no-kernel", f"there is no kernel function `{name}`")
            return found
        kernels = {k: v for k, v in vars(module).items() if isinstance(v, self._jit)}
        if not kernels:
            raise KernelFileError("no-kernel", "there is no function decorated with @tilelang.jit")
        if len(kernels) > 1:
            names = ", ".join(f"`{k}`" for k in kernels)
            message = f"there are several @tilelang.jit functions: {names}"
            raise KernelFileError("which-kernel", message)
        return next(iter(kernels.values()))

    def _traced(self, kernel: Any, request: Reply) -> Any:
        """The kernel as a PrimFunc, specialised for the inputs and constants of `request`."""
        if isinstance(kernel, self._tirx.PrimFunc):
            return kernel
        if not isinstance(kernel, self._jit):
            made = kernel(**request["constants"])
            if not isinstance(made, self._tirx.PrimFunc):
                message = f"`{kernel.__name__}` returns no T.prim_func"
                raise KernelFileError("no-kernel", message, kernel.__code__.co_firstlineno)
            return made
        if "ascend" not in str(kernel.target):
            message = f"the kernel is for target {kernel.target}"
            line = kernel.func.orig_func.__code__.co_firstlineno
            raise KernelFileError("wrong-target", message, line)
        return kernel.get_tir(*self._arguments(kernel, request), **request["constants"])

    def _arguments(self, kernel: Any, request: Reply) -> Iterator[Any]:
        given = {t["name"]: t for t in request["inputs"]}
        wanted = list(kernel.func.tensor_args)
        line = kernel.func.orig_func.__code__.co_firstlineno
        if missing := [n for n in wanted if n not in given]:
            names = ", ".join(f"`{n}`" for n in missing)
            raise KernelFileError(
                "inputs", f"no shape and dtype is known for the inputs {names}", line
            )
        if extra := [n for n in given if n not in wanted]:
            names = ", ".join(f"`{n}`" for n in extra)
            raise KernelFileError("inputs", f"the kernel has no inputs {names}", line)
        for name in wanted:
            dtype = getattr(self._torch, given[name]["dtype"])
            yield self._torch.empty(given[name]["shape"], dtype=dtype)

    def _tensors(self, function: Any) -> list[Reply]:
        outputs = [int(i) for i in (function.attrs.get("tilelang_out_idx") or [])]
        count = len(function.params)
        found = []
        for i, param in enumerate(function.params):
            if param not in function.buffer_map:
                raise KernelFileError(
                    "scalar", f"the kernel takes the number `{param.name}` at run time"
                )
            buffer = function.buffer_map[param]
            found.append(
                {
                    "name": buffer.name,
                    "data": buffer.data.name,
                    "dtype": str(buffer.dtype),
                    "shape": [int(extent) for extent in buffer.shape],
                    "output": any(i == o % count for o in outputs),
                }
            )
        return found

    def _launches(self, artifact: Any) -> list[Reply]:
        """Kernels in the order in which the host launches them, with the size of the grid."""
        kernels = {v.name_hint: f for v, f in artifact.device_mod.functions.items()}
        found: list[Reply] = []

        def visit(node: Any) -> None:
            if not (isinstance(node, self._tirx.Call) and node.args):
                return
            name = str(getattr(node.args[0], "value", ""))
            if node.op.name == "tirx.tvm_call_packed" and name in kernels:
                found.append(launch(name, kernels[name], node.args[1:]))

        for function in artifact.host_mod.functions.values():
            if isinstance(function, self._tirx.PrimFunc):
                self._tirx.stmt_functor.post_order_visit(function.body, visit)
        return found


def load(file: Path) -> ModuleType:
    """The module that a file beside or above this one holds."""
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def launch(name: str, kernel: Any, arguments: Any) -> Reply:
    """One launch: buffers, then one number for each launch parameter (grid, dynamic UB bytes)."""
    parameters = [str(p) for p in kernel.attrs["tirx.kernel_launch_params"]]
    numbers = dict(zip(parameters, list(arguments)[-len(parameters) :], strict=True))
    readonly = {int(i) for i in (kernel.attrs.get("tl.readonly_param_indices") or [])}
    written = [p.name for i, p in enumerate(kernel.params) if i not in readonly]
    grid = getattr(numbers["blockIdx.x"], "value", None)
    if grid is None:
        raise KernelFileError("grid", "the number of blocks is not a constant")
    ub = getattr(numbers.get("tirx.use_dyn_shared_memory"), "value", 0)
    return {"kernel": name, "blocks": int(grid), "ub_bytes": int(ub), "written": written}


class PassReport:
    """Tells which pass of the compiler is running, once for each name."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._last = ""

    def run_before_pass(self, _module: Any, info: Any) -> None:
        if info.name != self._last:
            self._last = info.name
            self._send({"event": "progress", "stage": info.name})


class kernel_file:  # noqa: N801  used as a context manager, like `open`
    """Executes the text of a kernel file as a module of its own and forgets it afterwards.

    Yields the module and the files beside it that it imported, each with the hash of its content.
    """

    def __init__(self, path: str, text: str) -> None:
        self._path = path
        self._text = text
        self._folder = str(Path(path).resolve().parent)

    def __enter__(self) -> tuple[ModuleType, list[list[str]]]:
        lines = self._text.splitlines(keepends=True)
        # `inspect.getsource`, with which tilelang reads the function, asks linecache; no time stamp: never checked.
        linecache.cache[self._path] = (len(self._text), None, lines, self._path)
        module = ModuleType(MODULE_NAME)
        module.__file__ = self._path
        before = set(sys.modules)
        sys.modules[MODULE_NAME] = module
        sys.path.insert(0, self._folder)
        try:
            exec(compile(self._text, self._path, "exec", dont_inherit=True), vars(module))
        finally:
            self._forget(before)
        return module, self._imported

    def _forget(self, before: set[str]) -> None:
        sys.path.remove(self._folder)
        self._imported = []
        for name in set(sys.modules) - before - {MODULE_NAME}:
            file = getattr(sys.modules[name], "__file__", None)
            if file and Path(file).is_relative_to(self._folder):
                digest = hashlib.sha256(Path(file).read_bytes()).hexdigest()
                self._imported.append([file, digest])
                del sys.modules[name]

    def __exit__(self, *_: object) -> None:
        sys.modules.pop(MODULE_NAME, None)


def describe(error: BaseException, path: str) -> Reply:
    """Where and why `error` happened: kind, type, message, line, column, length, suggestion."""
    line, column, length = position(error, path)
    message = error.msg if isinstance(error, SyntaxError) else str(error)
    marker = re.search(r"\n\s*--> (.+?):(\d+)(?::(\d+))?\s*(?:\n|$)", message)
    if marker:
        message = message[: marker.start()]
        if not line and marker[1] == path:
            line = int(marker[2])
    message = message if message.strip() else speechless(error)
    return {
        "kind": kind(error),
        "type": type(error).__name__,
        "message": message,
        "line": line,
        "column": column,
        "length": length,
        "suggestion": suggestion(error),
    }


def speechless(error: BaseException) -> str:
    """What stands for the message of an error that has none: its type, and the code that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    code = frames[-1].line if frames else ""
    return f"{type(error).__name__} in `{code}`" if code else type(error).__name__


def kind(error: BaseException) -> str:
    """Who complains: this file's own checks, Python, or the compiler."""
    if isinstance(error, KernelFileError):
        return error.kind
    return "python" if isinstance(error, SyntaxError | ImportError | NameError) else "compiler"


def position(error: BaseException, path: str) -> tuple[int, int, int]:
    """Line, column and length of the place in the kernel file, counted from 1; zeros where there is none."""
    if isinstance(error, KernelFileError):
        return error.line, 0, 0
    if isinstance(error, SyntaxError) and error.filename == path:
        end = error.end_offset if error.end_lineno == error.lineno else None
        column = error.offset or 0
        return error.lineno or 0, column, max((end or column) - column, 1)
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if frame.filename == path and frame.lineno:
            if frame.colno is None or frame.end_colno is None or frame.end_lineno != frame.lineno:
                return frame.lineno, 0, 0
            # Python counts columns in UTF-8 bytes.
            text = linecache.getline(path, frame.lineno).encode()
            before, name = text[: frame.colno], text[frame.colno : frame.end_colno]
            return frame.lineno, len(before.decode()) + 1, len(name.decode())
    return 0, 0, 0


def suggestion(error: BaseException) -> str:
    """The name that was probably meant, or an empty string."""
    if not isinstance(error, AttributeError) or not error.name or error.obj is None:
        return ""
    names = {n.lower(): n for n in dir(error.obj) if not n.startswith("_")}
    close = difflib.get_close_matches(error.name.lower(), names, n=1)
    return names[close[0]] if close else ""


if __name__ == "__main__":
    main()
