"""Runs a kernel file as a program: `python -m … TREE FILE TEXT FOLDER SEED [arguments of the script]`.

TEXT is the file that is executed in place of FILE (the same, or a copy with other constants). What the script asks goes
to standard output, the answers come from standard input, and what it prints goes to standard error. How it ended is
told last.
"""

from __future__ import annotations

import importlib
import os
import sys
import threading
import time
import traceback
from pathlib import Path
from types import ModuleType

from gen.check.foreign.script_host.channel import (
    Channel,
    KernelError,
    Message,
    MisfitError,
    OtherTargetError,
)
from gen.compile.process_tree import adopt_orphans, end_descendants

LOOK_SECONDS = 0.5


def main() -> None:
    """Runs the script, ends what it has started, and tells how it ended."""
    tree, file, text, folder, seed, *arguments = sys.argv[1:]
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as out, os.fdopen(os.dup(0)) as into:
        os.dup2(2, 1)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        adopt_orphans()
        threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
        channel = Channel(out, into, Path(folder))
        device = importlib.import_module("gen.check.foreign.script_host.device")
        checks = device.install()
        importlib.import_module(f"gen.check.foreign.script_host.{tree}").install(channel)
        importlib.import_module("gen.check.foreign.script_host.chance").seed(int(seed))
        end: Message = {"kind": "end", **_run(Path(file), Path(text), arguments, channel)}
        end |= {"checks": checks.made, "failed": checks.failed}
        sys.stdout.flush()
        end_descendants()
        channel.tell(end)
    os._exit(0)


def _end_with(parent: int) -> None:
    """Ends this process once the one that started it is gone, whatever the script is busy with."""
    while os.getppid() == parent:
        time.sleep(LOOK_SECONDS)
    end_descendants()
    os._exit(1)


def _run(file: Path, text: Path, arguments: list[str], channel: Channel) -> Message:
    module = ModuleType("__main__")
    module.__file__ = str(text)
    sys.modules["__main__"] = module
    sys.argv = [str(file), *arguments]
    sys.path.insert(0, str(file.resolve().parent))
    source = text.read_text("utf-8")
    try:
        exec(compile(source, str(text), "exec", dont_inherit=True), vars(module))
        if not channel.calls:
            _run_tests(module)
    except SystemExit as leaving:
        if leaving.code not in (None, 0):
            status = (
                leaving.code if isinstance(leaving.code, str) else f"exit status {leaving.code}"
            )
            return {"error": "SystemExit", "message": status}
    except OtherTargetError as error:
        return {} if channel.calls else _problem(error, text)
    except BaseException as error:
        return _problem(error, text)
    return {}


def _run_tests(module: ModuleType) -> None:
    """A file of tests that does nothing as a program: its tests one after the other, those without parameters."""
    for name, test in list(vars(module).items()):
        if name.startswith("test_") and callable(test):
            count = getattr(getattr(test, "__code__", None), "co_argcount", 0)
            if not count and not getattr(test, "pytestmark", None):
                test()


def _problem(error: BaseException, text: Path) -> Message:
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == str(text)]
    traceback.print_exception(error)
    return {
        "error": "wrong call" if isinstance(error, MisfitError) else type(error).__name__,
        "message": _sentence(error),
        "line": frames[-1].lineno if frames else 0,
        "code": f": `{frames[-1].line}`" if frames and frames[-1].line else "",
        "compared": isinstance(error, AssertionError),
        "kernel": isinstance(error, KernelError),
    }


def _sentence(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return " ".join(lines)[:400]


if __name__ == "__main__":
    main()
