"""What is installed on this machine. Looks at files and versions; imports none of the compilers."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from gen.cache import cache_folder, require_cache
from gen.errors import GenError


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that crosstree can use: what was found, or what to do to have it."""

    name: str
    found: str = ""
    """Version and place; empty when it is not there."""
    problem: str = ""
    """Why it cannot be used; empty when it can."""
    help: str = ""
    optional: bool = False
    """Whether nothing that crosstree does here needs it."""

    @property
    def usable(self) -> bool:
        """Whether it is there and fits."""
        return bool(self.found) and not self.problem


def cache() -> Part:
    """The folder of what is costly to make again."""
    folder = cache_folder("")
    try:
        require_cache()
    except GenError as error:
        (mistake,) = error.diagnostics
        return Part("cache", str(folder), mistake.message, mistake.help)
    return Part("cache", str(folder))


def python() -> Part:
    """The interpreter."""
    return Part("Python", f"{platform.python_version()} ({sys.executable})")


def host() -> Part:
    """Processor, cores and system."""
    cores = len(os.sched_getaffinity(0))
    return Part("host", f"{platform.machine()}, {cores} cores, {platform.system()}")


def formatters() -> Part:
    """What rendering needs beside Python: both formatters."""
    versions = {name: _version(name) for name in ("black", "clang-format")}
    missing = [name for name, version in versions.items() if not version]
    if missing:
        help = f"run `pip install {' '.join(missing)}`"
        return Part("formatters", problem=f"{' and '.join(missing)} not installed", help=help)
    return Part("formatters", ", ".join(f"{name} {v}" for name, v in versions.items()))


def cxx() -> Part:
    """The C++ compiler that builds kernels and the model."""
    from gen.sim.toolchain import BuildError, find_compiler

    try:
        compiler = find_compiler()
    except BuildError as error:
        *tried, help = error.log.splitlines() if not os.environ.get("CXX") else [error.log, ""]
        problem = "; ".join([error.what, *tried])
        return Part("C++ compiler", problem=problem, help=help or "unset CXX, or set it to another")
    said = _first_line([*compiler.command, "--version"])
    return Part("C++ compiler", f"{said} ({' '.join(compiler.command)})")


def tilelang() -> Part:
    """The M tree's compiler, with the torch that it imports."""
    from gen.compile.m_tree.installed import missing

    version, torch = _version("tilelang"), _version("torch")
    found = f"{version}, torch {torch or 'missing'}" if version else ""
    why = missing()
    if why is None:
        return Part("tilelang", found)
    return Part("tilelang", found, why.message, why.help)


def tilelang_ascend() -> Part:
    """The A tree's compiler in the user's cache folder."""
    from gen.compile.a_tree import toolchain

    status = toolchain.status()
    if status.toolchain is None:
        return Part("tilelang-ascend", problem=status.reason, help=status.help)
    installed = status.toolchain
    return Part("tilelang-ascend", f"{installed.version}, {installed.runner} ({installed.root})")


def qemu() -> Part:
    """The emulator that runs the A tree's compiler where the processor is not an ARM."""
    if platform.machine() == "aarch64":
        return Part("QEMU", "not needed on aarch64")
    names = ("qemu-aarch64", "qemu-aarch64-static")
    path = next(filter(None, map(shutil.which, names)), None)
    if path is None:
        why = "not installed, and not needed: the A tree's toolchain brings its own"
        return Part("QEMU", problem=why, optional=True)
    return Part("QEMU", f"{_first_line([path, '--version'])} ({path})")


def cann() -> Part:
    """Huawei's toolkit with the compiler bisheng."""
    homes = [os.environ.get(name, "") for name in ("ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME")]
    homes += ["/usr/local/Ascend/ascend-toolkit/latest", "/usr/local/Ascend/latest"]
    home = next((h for h in homes if h and Path(h).is_dir()), "")
    bisheng = shutil.which("bisheng") or next(map(str, Path(home).glob("**/bin/bisheng")), "")
    if not home and not bisheng:
        why = "not installed, and not needed: only a run on an NPU takes it"
        return Part("CANN", problem=why, optional=True)
    if not bisheng:
        help = "source set_env.sh of the toolkit"
        return Part("CANN", home, "the compiler bisheng is not among it", help)
    return Part("CANN", f"{home or 'on PATH'}, {bisheng}")


def npu() -> Part:
    """Ascend NPUs, by their device files."""
    devices = sorted(p.name for p in Path("/dev").glob("davinci[0-9]*"))
    if devices:
        return Part("NPU", ", ".join(devices))
    return Part("NPU", problem="none, and none needed: kernels run on the model", optional=True)


def _version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return ""


def _first_line(command: list[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.partition("\n")[0].strip() if done.returncode == 0 else ""
