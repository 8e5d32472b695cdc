"""Whether the M tree's compiler can be had, found out without importing it."""

from __future__ import annotations

import importlib.metadata
import importlib.util
from functools import cache
from pathlib import Path

from gen.errors import Diagnostic

TILELANG = "0.1.15"
"""The release whose device source the model knows; others emit other calls."""

INSTALL = (
    f"pip install 'tilelang=={TILELANG}' and a CPU build of torch"
    " (pip install torch --index-url https://download.pytorch.org/whl/cpu)"
)

# What the emitted text depends on, besides the kernel: z3-solver chooses the schedule.
_DISTRIBUTIONS = ("tilelang", "torch", "z3-solver", "apache-tvm-ffi")


@cache
def versions() -> tuple[str, ...]:
    """`name==version` of the installed distributions that the compiler's output depends on."""
    return tuple(f"{name}=={_version(name)}" for name in _DISTRIBUTIONS)


def missing() -> Diagnostic | None:
    """Why the compiler cannot run here, or None."""
    absent = [name for name in ("tilelang", "torch") if _version(name) == "none"]
    if absent:
        what = " and ".join(absent)
        return Diagnostic("E401", f"the M tree needs {what}, not installed here", help=INSTALL)
    found = _version("tilelang")
    # A local version label (0.1.15+cpu) names a build, not another release.
    if found.partition("+")[0] != TILELANG:
        message = f"the M tree needs tilelang {TILELANG}, but {found} is installed"
        return Diagnostic("E401", message, help=INSTALL)
    return None


@cache
def headers() -> Path:
    """Folder of the installed wheel that emitted source includes as `<tl_templates/ascend/…>`."""
    found = importlib.util.find_spec("tilelang")
    if found is None or not found.submodule_search_locations:
        raise FileNotFoundError("tilelang is not installed")
    return Path(found.submodule_search_locations[0]) / "src"


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "none"
