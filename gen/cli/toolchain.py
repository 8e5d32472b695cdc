"""``gen toolchain``: install and remove the A tree's compiler."""

from __future__ import annotations

import sys

from gen.cli.exits import Exit
from gen.compile.a_tree import toolchain
from gen.compile.a_tree.toolchain import InstallError, Progress
from gen.errors import Diagnostic, GenError

_MB = 1_000_000
_CLEAR = "\r\x1b[K"


def install_a_tree() -> Exit:
    """Installs the compiler and shows how far it is."""
    ticker = _Ticker()
    try:
        installed = toolchain.install(ticker.show)
    except InstallError as error:
        raise GenError([Diagnostic("E406", str(error), help=error.help)]) from error
    finally:
        ticker.end()
    print(f"tilelang-ascend {installed.version} is ready in {installed.root}")
    return Exit.CLEAN


def remove_a_tree() -> Exit:
    """Removes the compiler."""
    freed = toolchain.remove()
    print(f"removed {freed // _MB} MB" if freed else "there was nothing to remove")
    return Exit.CLEAN


class _Ticker:
    """Progress on stderr: one line that changes on a terminal, else a line for each new activity."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._doing = ""

    def show(self, progress: Progress) -> None:
        if self._terminal:
            amount = f" ({progress.done // _MB} of {progress.total // _MB} MB)"
            text = progress.doing + (amount if progress.total else "")
            print(f"{_CLEAR}{text}", end="", file=sys.stderr, flush=True)
        elif progress.doing != self._doing:
            print(progress.doing, file=sys.stderr, flush=True)
        self._doing = progress.doing

    def end(self) -> None:
        if self._terminal and self._doing:
            print(_CLEAR, end="", file=sys.stderr, flush=True)
