"""An installed A-tree compiler: where it is and how a script runs in its Python."""

from __future__ import annotations

import json
import platform
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from gen.cache import cache_folder
from gen.compile.a_tree.recipe import QEMU_NAMES, TILELANG_ASCEND, Recipe, Runner

MANIFEST = "manifest.json"
SYSROOT_PYTHON = "sysroot/usr/bin/python3.11"
SYSROOT_LOADER = "sysroot/usr/lib/ld-linux-aarch64.so.1"
SYSROOT_LIBRARIES = "sysroot/usr/lib/aarch64-linux-gnu"
EMULATED_CPU = "cortex-a72"
"""Any that Debian and the wheel run on, without pointer authentication: signing the address of every return takes QEMU's
default CPU half of its time."""


def toolchains_folder() -> Path:
    """Where the A tree's compilers are installed, one folder for each recipe."""
    return cache_folder("a_tree") / "toolchains"


@dataclass(frozen=True)
class Toolchain:
    """tilelang-ascend with the Python that runs it."""

    root: Path
    runner: Runner

    @property
    def version(self) -> str:
        """Version of tilelang-ascend."""
        return TILELANG_ASCEND

    @property
    def site(self) -> Path:
        """The folder that holds the Python packages."""
        return self.root / "site"

    @property
    def includes(self) -> tuple[Path, Path]:
        """Include folders of the emitted sources: tilelang-ascend's templates and its copy of CATLASS."""
        package = self.site / "tilelang"
        return package / "src", package / "3rdparty/catlass/include"

    def command(self, script: Path) -> list[str]:
        """The command line that runs `script` with nothing but the standard library on its path."""
        isolated = ["-I", "-S", str(script)]
        python = str(self.root / SYSROOT_PYTHON)
        match self.runner:
            case Runner.NATIVE:
                return [sys.executable, *isolated]
            case Runner.SYSROOT:
                loader = str(self.root / SYSROOT_LOADER)
                libraries = str(self.root / SYSROOT_LIBRARIES)
                return [loader, "--library-path", libraries, python, *isolated]
            case Runner.QEMU:
                emulator = [
                    str(self._qemu()),
                    "-cpu",
                    EMULATED_CPU,
                    "-L",
                    str(self.root / "sysroot"),
                ]
                return [*emulator, python, *isolated]

    def _qemu(self) -> Path:
        own = self.root / "bin" / QEMU_NAMES[0]
        if own.is_file():
            return own
        found = next(filter(None, map(shutil.which, QEMU_NAMES)), None)
        return Path(found) if found else own

    def problem(self) -> str:
        """Why this toolchain cannot run, in one sentence; empty when everything is there."""
        needed = [self.root / MANIFEST, self.site / "tilelang/__init__.py", *self.includes]
        if self.runner is not Runner.NATIVE:
            needed.append(self.root / SYSROOT_PYTHON)
        if self.runner is Runner.QEMU:
            needed.append(self._qemu())
        missing = next((path for path in needed if not path.exists()), None)
        return f"{missing} is gone" if missing else ""

    def write_manifest(self, files: list[str]) -> None:
        """Marks the toolchain as complete and notes what it was made of."""
        content = {
            "tilelang-ascend": self.version,
            "runner": str(self.runner),
            "machine": platform.machine(),
            "files": files,
        }
        (self.root / MANIFEST).write_text(json.dumps(content, indent=1) + "\n", "utf-8")


def toolchain_of(recipe: Recipe) -> Toolchain:
    """The toolchain that `recipe` makes, installed or not."""
    return Toolchain(toolchains_folder() / recipe.key, recipe.runner)
