"""Exceptions of a command -> messages and exit status."""

from __future__ import annotations

import errno
import json
import os
import sys
import traceback
from collections.abc import Callable, Iterable
from typing import Any, NoReturn, TextIO, TypeVar

import typer

from gen.cli.exits import Exit
from gen.errors import Diagnostic, GenError, render

#: Codes of faults that are ours, although they come as a GenError.
_OUR_FAULTS = frozenset({"E301"})
_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})

Item = TypeVar("Item")


def guarded(command: Callable[[], Exit], *, as_json: bool) -> NoReturn:
    """Runs a command and leaves with its exit status; every exception becomes a message."""
    try:
        status = command()
        sys.stdout.flush()
    except GenError as error:
        show_errors(error.diagnostics, as_json=as_json)
        ours = any(d.code in _OUR_FAULTS for d in error.diagnostics)
        status = Exit.INTERNAL if ours else Exit.USAGE
    except KeyboardInterrupt:
        print("gen: interrupted", file=sys.stderr)
        status = Exit.INTERRUPTED
    except BrokenPipeError:
        # The reader of a pipe has left, as `head` does. Python would complain once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = Exit.CLEAN
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _NO_ROOM:
            # What is still in the buffer of stdout cannot be written either.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            print(f"gen: cannot write: {error}", file=sys.stderr)
        else:
            show_internal(error, as_json=as_json)
        status = Exit.INTERNAL
    raise typer.Exit(status)


def finished(items: Iterable[Item]) -> tuple[list[Item], bool]:
    """What came before the end, or before an interrupt, and whether there was one."""
    found: list[Item] = []
    try:
        for item in items:
            found.append(item)
    except KeyboardInterrupt:
        return found, True
    return found, False


def show_errors(diagnostics: Iterable[Diagnostic], *, as_json: bool) -> None:
    """Mistakes of the user: on stderr for people, as one JSON object on stdout for programs."""
    if as_json:
        print_json({"errors": [d.to_json() for d in diagnostics]})
        return
    color = wants_color(sys.stderr)
    for diagnostic in diagnostics:
        print(render(diagnostic, color), file=sys.stderr)


def show_internal(error: Exception, *, as_json: bool) -> None:
    """A fault of our own: one line, or the traceback with CROSSTREE_DEBUG=1."""
    what = " ".join(f"{type(error).__name__}: {error}".split())
    if as_json:
        print_json({"errors": [], "internal": what})
    if os.environ.get("CROSSTREE_DEBUG"):
        traceback.print_exception(error)
    else:
        note = "set CROSSTREE_DEBUG=1 for the traceback"
        print(f"gen: internal error: {what} ({note})", file=sys.stderr)


def print_json(content: dict[str, Any]) -> None:
    """The one JSON object that a command with --json writes to stdout."""
    print(json.dumps({"version": 1, **content}, indent=2, ensure_ascii=False))


def wants_color(stream: TextIO) -> bool:
    """Whether to colour: on a terminal, unless NO_COLOR says no (https://no-color.org)."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"
