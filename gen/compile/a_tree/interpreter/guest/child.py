"""Runs a kernel file as ordinary Python, in a process of its own.

child.py FOLDER          reads FOLDER/request.json, writes FOLDER/answer.json and FOLDER/tape
child.py FOLDER live     answers the player, which asks for the calls of one core after the other
"""

from __future__ import annotations

import contextlib
import difflib
import hashlib
import importlib.machinery
import importlib.util
import json
import linecache
import os
import re
import sys
import threading
import time
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any

HERE = Path(__file__).resolve().parent
STUBS = HERE.parent.parent / "guest" / "stubs.py"
LOOK_SECONDS = 0.5

Message = dict[str, Any]


def main() -> None:
    folder = Path(sys.argv[1])
    request = json.loads((folder / "request.json").read_text("utf-8"))
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    if sys.argv[2:] == ["live"]:
        _live(folder, request)
    deadline = _module("crosstree_overtime", str(HERE / "overtime.py")).Deadline(request["seconds"])
    spoken = Spoken(folder, deadline, silent=request["extents"] is None)
    answer = _answer(folder, request, deadline)
    answer["spoke"] = spoken.yet
    answer["imports"] = _imports(Path(request["path"]).parent)
    target = folder / "answer.json"
    target.with_suffix(".new").write_text(json.dumps(answer), "utf-8")
    target.with_suffix(".new").rename(target)


def _imports(folder: Path) -> dict[str, str]:
    """The modules beside the kernel file that it has imported: what they hold is part of the kernel."""
    found = {}
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if file and Path(file).is_relative_to(folder) and Path(file).is_file():
            found[file] = hashlib.sha256(Path(file).read_bytes()).hexdigest()
    return found


class Spoken:
    """Whether the kernel file printed something, or stopped in a debugger: then it is to do so every time.

    `silent`: it is only asked what it holds, and does neither.
    """

    def __init__(self, folder: Path, deadline: Any, *, silent: bool) -> None:
        self.yet = False
        self._deadline = deadline
        self._silent = silent
        self._folder = folder
        self._stdout = sys.stdout
        sys.stdout = self
        sys.breakpointhook = self._stop

    def write(self, text: str) -> int:
        """As a file has it."""
        if self._silent:
            return len(text)
        self.yet = True
        return self._stdout.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stdout, name)

    def _ask_for_the_terminal(self) -> None:
        """Waits until what shows progress there has stopped. The keys are for a group of processes."""
        with contextlib.suppress(OSError):
            os.setpgid(0, 0)
        (self._folder / "debugging").touch()
        end = time.monotonic() + 5
        while not (self._folder / "terminal").exists() and time.monotonic() < end:
            time.sleep(0.01)

    def _stop(self, *args: Any, **kwargs: Any) -> Any:
        if self._silent:
            return
        self.yet = True
        self._deadline.lift()
        self._ask_for_the_terminal()
        sys.stdout = self._stdout
        sys.breakpointhook = sys.__breakpointhook__
        import pdb

        pdb.Pdb().set_trace(sys._getframe(1))


def _end_with(parent: int) -> None:
    """Ends this process once the one that started it is gone."""
    while os.getppid() == parent:
        time.sleep(LOOK_SECONDS)
    os._exit(1)


def _answer(folder: Path, request: Message, deadline: Any) -> Message:
    job = Job(request)
    try:
        answer = _made(job, folder)
    except BaseException as error:
        computed = job.computes(error)
        if computed is None:
            deadline.lift()
            return {"error": _failure(error, request["path"])}
        answer = _with_libraries(job, folder, computed)
    deadline.lift()
    return answer


def _made(job: Job, folder: Path) -> Message:
    kernels = job.kernels()
    answer: Message = {"kernels": [job.described(kernel) for kernel in kernels]}
    if len(kernels) == 1 and job.request["extents"] is not None:
        answer |= job.recorded(kernels[0], folder)
    return answer


def _with_libraries(job: Job, folder: Path, line: int) -> Message:
    """The same with the real torch, where the kernel needs its numbers at `line`."""
    if not job.take_libraries():
        message = "the kernel needs numbers that torch computes, and torch is not installed here"
        help = "install torch beside crosstree, or compute them with Python"
        return {"error": {"kind": "source", "message": message, "line": line, "help": help}}
    try:
        return _made(job, folder)
    except BaseException as error:
        return {"error": _failure(error, job.path)}


def _live(folder: Path, request: Message) -> None:
    job = Job(request)
    try:
        (kernel,) = job.kernels()
    except BaseException as error:
        if job.computes(error) is None or not job.take_libraries():
            raise
        (kernel,) = job.kernels()
    recording = job.recording(kernel)
    live = _module("gen.sim.tape_live", request["tape"].replace("tape.py", "tape_live.py"))
    live.serve(lambda core: recording.core(core, core.block, core.name, shared=False))


def _module(name: str, path: str) -> ModuleType:
    """A module of the project without the packages around it: they take longer to load than a kernel to run."""
    for package in name.split(".")[:-1]:
        parent = name.partition(f"{package}.")[0] + package
        if parent not in sys.modules:
            sys.modules[parent] = ModuleType(parent)
            sys.modules[parent].__path__ = []
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


class Elsewhere:
    """Modules of tilelang that a kernel does not need: importing them works, using them ends the file."""

    def __init__(self, stubs: ModuleType) -> None:
        self._stubs = stubs
        self._loader = stubs.Finder()

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> Any:
        """As importlib has it."""
        if fullname.partition(".")[0] not in ("tilelang", "tvm"):
            return None
        return importlib.machinery.ModuleSpec(fullname, self._loader, is_package=True)


class Job:
    """One kernel file."""

    def __init__(self, request: Message) -> None:
        self.request = request
        self.path = request["path"]
        sys.path[:0] = [str(HERE), str(Path(self.path).parent)]
        self.tape = _module("gen.sim.tape", request["tape"])
        self.stubs = _module("crosstree_stubs", str(STUBS))
        sys.meta_path.insert(0, self.stubs.Finder())
        sys.meta_path.append(Elsewhere(self.stubs))
        text = request["text"]
        # What the file is said to hold counts, whatever lies there.
        linecache.cache[self.path] = (len(text), None, text.splitlines(True), self.path)
        sys.argv = [self.path]

    def kernels(self) -> list[Any]:
        """The kernels that are asked for."""
        from tilelang.interp import files, record  # noqa: F401

        # Nothing is left beside the kernel, and a module there is read as it stands.
        sys.dont_write_bytecode = True
        return list(
            files.kernels(
                self.path,
                self.request["text"],
                self.request["function"],
                self.request["arguments"],
                self.stubs.HostReached,
            )
        )

    def computes(self, error: BaseException) -> int | None:
        """The line at which the file wants numbers of a library that is only a stand-in, if that is what went wrong."""
        from tilelang.interp.host import RECORDER

        frames = traceback.extract_tb(error.__traceback__)
        lines = [f.lineno or 0 for f in frames if f.filename == self.path]
        if isinstance(error, self.stubs.HostReached) or re.search(
            r"\bAbsent\b|'torch\b", str(error)
        ):
            return (lines or [0])[-1]
        nothing = getattr(error, "kind", "") == "unsuitable"
        return RECORDER.computed if nothing and RECORDER.computed else None

    def take_libraries(self) -> bool:
        """Puts the real torch in the place of the stand-in; False where there is none."""
        from tilelang.interp.host import RECORDER

        vars(self.stubs)["ABSENT"] = ("torch_npu",)
        beside = _imports(Path(self.path).parent)
        for name, module in list(sys.modules.items()):
            if name.partition(".")[0] == "torch" or getattr(module, "__file__", "") in beside:
                del sys.modules[name]
        RECORDER.clear()
        return importlib.util.find_spec("torch") is not None

    def described(self, kernel: Any) -> Message:
        """Tensors and options of a kernel."""
        from tilelang.interp import crossing, files

        named = any(t.name.startswith(crossing.WORKSPACE) for t in kernel.function.tensors)
        between = self.planned(kernel).plan.between if named else {}
        return dict(files.described(kernel, between))

    def planned(self, kernel: Any) -> Any:
        """With its buffers."""
        from tilelang.interp import auto_passes, record

        passes = auto_passes.asked(kernel.options, self.request["order"])
        return record.planned(kernel.function, passes)

    def recording(self, kernel: Any) -> Any:
        """Ready to record cores."""
        from tilelang.interp import record

        planned = self.planned(kernel)
        views = record.BufferViews(self.tape.Local, self.tape.Global)
        return record.Recording(planned, self.request["extents"], views)

    def recorded(self, kernel: Any, folder: Path) -> Message:
        """Writes the tape."""
        from tilelang.interp import files

        recording = self.recording(kernel)
        command = [sys.executable, str(Path(__file__)), str(folder), "live"]
        tape = self.tape.TapeWriter(
            kernel=f"{kernel.function.name}_kernel",
            kind=recording.kernel.kind,
            blocks=recording.blocks,
            tensors=files.tensors(
                kernel, recording.tensors, recording.kernel.plan.between, self.tape.TapeTensor
            ),
            command=command,
        )
        live = False
        for block in range(recording.blocks):
            for name in self.tape.KINDS[tape.kind]:
                core = tape.core(block, name)
                try:
                    recording.core(core, block, name)
                except self.tape.NeedsValueError:
                    live = True
                    tape.live(block, name)
        tape.write(folder / "tape")
        return {"tape": True, "live": live, "chance": recording.kernel.plan.chance}


def _failure(error: BaseException, path: str) -> Message:
    """What an exception says, at the innermost line of the kernel file that it passed through."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == path]
    line = frames[-1].lineno if frames else 0
    kind, help = "source", ""
    if isinstance(error, SyntaxError) and error.filename == path:
        return {
            "kind": "source",
            "message": f"SyntaxError: {error.msg}",
            "line": error.lineno or 0,
            "help": "",
        }
    message = f"{type(error).__name__}: {error}"
    if not str(error).strip():
        frames = traceback.extract_tb(error.__traceback__)
        code = frames[-1].line if frames else ""
        message = f"{type(error).__name__} in `{code}`" if code else type(error).__name__
    if isinstance(error, AttributeError):
        message, help = str(error), _meant(str(error))
    refusal: Any = error
    if hasattr(error, "kind") and hasattr(error, "help"):
        message, kind, help, line = str(error), refusal.kind, refusal.help, refusal.line or line
    elif type(error).__name__ == "BdbQuit":
        message = "the debugger was left before the kernel was recorded"
    return {"kind": kind, "message": message, "line": line or 0, "help": help}


def _meant(message: str) -> str:
    """A name that the module does have, where one is missing in it."""
    found = re.search(r"module '([\w.]+)' has no attribute '(\w+)'", message)
    if found is None:
        return ""
    module = sys.modules.get(_MODULES.get(found[1], found[1]))
    names = {name.lower(): name for name in dir(module) if name[0] != "_"}
    close = difflib.get_close_matches(found[2].lower(), names, n=1)
    return f"did you mean `{names[close[0]]}`?" if close else ""


_MODULES = {"tilelang.language.ascend_tile": "tilelang.language.tile"}


if __name__ == "__main__":
    main()
