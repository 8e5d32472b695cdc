"""What the exit status of ``gen`` means."""

from enum import IntEnum


class Exit(IntEnum):
    """Exit status of every command."""

    CLEAN = 0
    FINDINGS = 1
    """The command did its work, and what it found is not clean."""
    USAGE = 2
    """The command line or a spec is wrong, or the output cannot be written."""
    INTERNAL = 3
    """A fault of crosstree itself."""
    INTERRUPTED = 130
    """Ctrl-C, as shells count it (128 + SIGINT)."""
    TERMINATED = 143
    """128 + SIGTERM."""
