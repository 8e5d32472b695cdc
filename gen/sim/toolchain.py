"""The C++ compiler of the host."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from gen.sim.cache import cache_root, write_atomically

_MINIMUM = {"gcc": 11, "clang": 15}
_HELP = (
    "install g++ 11 or newer (Debian, Ubuntu: apt-get install g++; Fedora: dnf install gcc-c++), "
    "or set CXX to a compiler, or: pip install ziglang"
)


class BuildError(Exception):
    """Something could not be compiled. ``log`` is what the compiler said, or what to install."""

    def __init__(self, what: str, log: str) -> None:
        super().__init__(f"{what}\n{log}" if log else what)
        self.what = what
        self.log = log


class NoCompilerError(BuildError):
    """There is no C++ compiler that can be used; ``log`` ends with what to install."""


class StoppedError(BuildError):
    """The compiler was killed, or ran out of room or memory: the source is not at fault."""


@dataclass(frozen=True, slots=True)
class Compiler:
    """A C++ compiler: the words of its command, its family and major version, and a key.

    ``key`` changes when the compiler does (path, size and time of the file, and the host's CPU, for
    which code is generated).
    """

    command: tuple[str, ...]
    family: str
    major: int
    key: str

    @property
    def name(self) -> str:
        """For messages: ``g++ 12``."""
        return f"{' '.join(self.command)} {self.major}"


@lru_cache(maxsize=1)
def find_compiler() -> Compiler:
    """The compiler to use: ``$CXX``, g++, clang++, then the one of the ziglang package.

    Raises :class:`BuildError` with what to install when there is none that is new enough.
    """
    tried: list[str] = []
    for command in _candidates():
        compiler, why = _probe(command)
        if compiler is not None:
            return compiler
        tried.append(f"{' '.join(command)}: {why}")
    if os.environ.get("CXX"):
        raise NoCompilerError("the compiler named by CXX cannot be used", "\n".join(tried))
    raise NoCompilerError("no C++ compiler was found", "\n".join([*tried, _HELP]))


def _candidates() -> list[tuple[str, ...]]:
    own = os.environ.get("CXX")
    if own:
        return [tuple(shlex.split(own))]
    found: list[tuple[str, ...]] = [("g++",), ("clang++",)]
    found += [(f"g++-{v}",) for v in range(15, 10, -1)]
    found += [(f"clang++-{v}",) for v in range(21, 14, -1)]
    present = [c for c in found if shutil.which(c[0])]
    if importlib.util.find_spec("ziglang") is not None:
        present.append((sys.executable, "-m", "ziglang", "c++"))
    return present


def _probe(command: tuple[str, ...]) -> tuple[Compiler | None, str]:
    path = shutil.which(command[0])
    if path is None:
        return None, "not found"
    key = _key(command, path)
    with suppress(OSError, ValueError):  # not seen yet
        family, major = _memory(key).read_text(encoding="utf-8").split()
        return Compiler(command, family, int(major), key), ""
    found, why = _ask(command)
    if found is None:
        return None, why
    with suppress(OSError):  # then it is asked again next time
        write_atomically(_memory(key), f"{found[0]} {found[1]}".encode())
    return Compiler(command, *found, key), ""


def _memory(key: str) -> Path:
    """Where it is kept what a compiler is. Raises OSError."""
    return cache_root() / "compilers" / key


def _ask(command: tuple[str, ...]) -> tuple[tuple[str, int] | None, str]:
    """Family and major version of a compiler that is new enough, or why it cannot be used."""
    try:
        done = subprocess.run(
            [*command, "--version"], capture_output=True, text=True, timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return None, str(error)
    if done.returncode != 0:
        return None, "it does not run"
    clang = re.search(r"clang version (\d+)", done.stdout)
    gcc = re.search(r"\) (\d+)\.\d+|g\+\+.*? (\d+)\.\d+", done.stdout)
    family = "clang" if clang else "gcc"
    found = clang or gcc
    if found is None:
        return None, "its version is not understood"
    major = int(next(g for g in found.groups() if g))
    if major < _MINIMUM[family]:
        return None, f"version {major} is too old, {_MINIMUM[family]} is needed"
    return (family, major), ""


def _key(command: tuple[str, ...], path: str) -> str:
    real = Path(path).resolve()
    stat = real.stat()
    words = [*command, str(real), str(stat.st_size), str(stat.st_mtime_ns), cpu()]
    return hashlib.sha256("\0".join(words).encode()).hexdigest()[:16]


@lru_cache(maxsize=1)
def cpu() -> str:
    """What the host's CPU can do; part of every key, since code is made for it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return platform.machine()
    flags = next((x for x in lines if x.lower().startswith(("flags", "features"))), "")
    return f"{platform.machine()} {flags}"
