"""T.Parallel: loops over elements that become vector instructions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .refusal import unsupported


def capture(element: Any, value: Any) -> bool:
    """Takes an assignment in a parallel loop."""
    del element, value
    return False


def loop(*extents: Any) -> Iterator[Any]:
    """The body of a parallel loop, once."""
    del extents
    raise unsupported("T.Parallel")
