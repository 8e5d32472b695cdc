"""What is said of a kernel that is not run."""

from __future__ import annotations


class RefusalError(Exception):
    """The kernel is refused, at the line that is running.

    `kind`: source (the compiler does not take it, or takes it and gets it wrong), unsupported (the compiler takes it,
    and nothing like it is here). `help` says what to write instead.
    """

    def __init__(
        self, message: str, help: str = "", *, kind: str = "source", line: int = 0
    ) -> None:
        super().__init__(message)
        self.help = help
        self.kind = kind
        self.line = line
        """Where it is known without running: the line of the statement."""


def unsupported(what: str) -> RefusalError:
    """For what only the compiler has."""
    help = "the compiler has it: gen run --a-tree compiler, gen check --a-tree compiler"
    return RefusalError(f"the interpreter does not have {what}", help, kind="unsupported")
