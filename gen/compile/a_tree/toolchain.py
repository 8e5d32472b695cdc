"""The A tree's compiler on this machine: whether it is there, and how it gets there.

It lives in the user's cache folder and is either complete or absent: everything is put together in a staging folder,
proven by lowering a kernel, and then renamed. An installation that was stopped continues with the files that it has.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TextIO

from gen.compile.a_tree.apt import Apt, Package, unpack_deb
from gen.compile.a_tree.installed import Toolchain, toolchain_of, toolchains_folder
from gen.compile.a_tree.process import OFFLINE, InstallError, folder_bytes, free_bytes
from gen.compile.a_tree.recipe import QEMU_NAMES, QEMU_PACKAGE, Host, Recipe, recipe_for
from gen.compile.a_tree.wheels import download_wheel, unpack_wheel
from gen.compile.a_tree.worker import Worker, WorkerError

__all__ = ["InstallError", "Progress", "State", "Status", "install", "location", "remove", "status"]

INSTALL = "gen toolchain install a-tree"
NEEDED_BYTES = 600_000_000
"""Downloads (140 MB with QEMU), what they unpack to (280 MB), the package index, byte code."""

PROOF = """\
import tilelang
import tilelang.language as T


@tilelang.jit
def double():
    @T.prim_func
    def main(X: T.Tensor((64,), "float32"), Y: T.Tensor((64,), "float32")):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            x = T.alloc_ub((64,), "float32")
            with T.Scope("V"):
                T.copy(X[0], x)
                T.barrier_all()
                T.tile.add(x, x, x)
                T.barrier_all()
                T.copy(x, Y[0])

    return main
"""
PROVEN = "AscendC::Add(x[0], x[0], x[0], 64);"


class State(StrEnum):
    """Whether the compiler can be used on this machine."""

    READY = "ready"
    MISSING = "missing"
    IMPOSSIBLE = "impossible"


@dataclass(frozen=True)
class Status:
    """What there is of the compiler, and where."""

    state: State
    reason: str
    """Why it cannot be used, in one sentence; empty when it can."""
    help: str
    """What to do about it; empty when nothing can be done."""
    toolchain: Toolchain | None = None
    """The installed compiler; None unless `state` is ready."""


@dataclass(frozen=True)
class Progress:
    """What an installation does now, and bytes of its downloads (`total` 0: not known yet)."""

    doing: str
    done: int = 0
    total: int = 0


Show = Callable[[Progress], None]


def location() -> Path:
    """The folder below which the compiler is installed, in the user's cache folder of crosstree."""
    return toolchains_folder()


def status() -> Status:
    """Whether the A tree's compiler can be used here. Looks at files only; starts and downloads nothing."""
    recipe = recipe_for(Host.current())
    if isinstance(recipe, str):
        return Status(State.IMPOSSIBLE, recipe, "")
    toolchain = toolchain_of(recipe)
    if not toolchain.root.is_dir():
        return Status(State.MISSING, "the A tree's compiler is not installed", f"run `{INSTALL}`")
    problem = toolchain.problem()
    if problem:
        reason = f"the A tree's compiler is damaged: {problem}"
        return Status(State.MISSING, reason, f"run `{INSTALL}`")
    return Status(State.READY, "", "", toolchain)


def remove() -> int:
    """Removes every installed compiler and what is left of stopped installations; returns the bytes freed."""
    folder = location()
    if not folder.is_dir():
        return 0
    with _lock(folder, lambda _: None):
        freed = folder_bytes(folder)
        for child in folder.iterdir():
            if child.is_dir():
                shutil.rmtree(child)
    return freed


def install(show: Show = lambda progress: None) -> Toolchain:
    """Installs the compiler, or continues a stopped installation; does nothing when it is there.

    Raises InstallError, with what to do about it. Complete downloads stay for the next attempt.
    """
    found = status()
    if found.toolchain is not None:
        return found.toolchain
    recipe = recipe_for(Host.current())
    if isinstance(recipe, str):
        raise InstallError(recipe, "use a machine with Debian or Ubuntu on x86-64 or aarch64")
    folder = location()
    folder.mkdir(parents=True, exist_ok=True)
    with _lock(folder, show):
        found = status()
        if found.toolchain is not None:
            return found.toolchain
        try:
            return _Installation(recipe, show).run()
        except OSError as error:
            message = f"cannot write below {folder}: {error.strerror or error}"
            help = (
                "check the free space and the permissions, or set CROSSTREE_CACHE to another folder"
            )
            raise InstallError(message, help) from error


class _Installation:
    """One attempt; what it downloads outlives it."""

    def __init__(self, recipe: Recipe, show: Show) -> None:
        self._recipe = recipe
        self._show = show
        self._staging = location() / f"{recipe.key}.staging"
        self._downloads = self._staging / "downloads"
        self._progress = Progress("starting")

    def run(self) -> Toolchain:
        self._check_space()
        self._downloads.mkdir(parents=True, exist_ok=True)
        packages = self._resolve()
        debs, wheels = self._download(packages)
        tree = self._staging / "tree"
        shutil.rmtree(tree, ignore_errors=True)
        self._unpack(tree, debs, wheels)
        self._prove(replace(toolchain_of(self._recipe), root=tree))
        final = toolchain_of(self._recipe)
        shutil.rmtree(final.root, ignore_errors=True)
        tree.rename(final.root)
        shutil.rmtree(self._staging)
        return final

    def _tell(self, doing: str, total: int | None = None) -> None:
        total = self._progress.total if total is None else total
        self._progress = Progress(doing, self._downloaded(), total)
        self._show(self._progress)

    def _tick(self) -> None:
        self._tell(self._progress.doing)

    def _downloaded(self) -> int:
        return min(folder_bytes(self._downloads), self._progress.total or (1 << 62))

    def _check_space(self) -> None:
        have = free_bytes(self._staging) + folder_bytes(self._staging)
        if have < NEEDED_BYTES:
            message = f"{NEEDED_BYTES // 10**6} MB are needed below {location()}, {have // 10**6} MB are free"
            raise InstallError(
                message, "free some, or set CROSSTREE_CACHE to a folder on another disk"
            )

    def _apt(self) -> Apt:
        folder = self._staging / "apt"
        folder.mkdir(parents=True, exist_ok=True)
        return Apt(folder, self._tick)

    def _resolve(self) -> tuple[Package, ...]:
        if not self._recipe.packages:
            return ()
        self._tell("reading the index of the Debian archive")
        return self._apt().resolve(self._recipe.packages)

    def _download(self, packages: Sequence[Package]) -> tuple[dict[str, Path], list[Path]]:
        total = sum(p.size for p in packages) + sum(w.size for w in self._recipe.wheels)
        self._tell("downloading the arm64 system", total)
        files = self._apt().download(packages, self._downloads / "debs") if packages else ()
        debs = {package.name: file for package, file in zip(packages, files, strict=True)}
        wheels = []
        for wheel in self._recipe.wheels:
            self._tell(f"downloading {wheel.requirement}", total)
            scratch = self._downloads / "partial"
            shutil.rmtree(scratch, ignore_errors=True)
            wheels.append(download_wheel(wheel, self._downloads / "wheels", scratch, self._tick))
        return debs, wheels

    def _unpack(self, tree: Path, debs: dict[str, Path], wheels: Sequence[Path]) -> None:
        sysroot = tree / "sysroot"
        for name, deb in debs.items():
            self._tell(f"unpacking {name.split(':')[0]}")
            if name == QEMU_PACKAGE:
                self._take_qemu(deb, tree)
            else:
                _merge_usr(sysroot)
                unpack_deb(deb, sysroot)
        for unused in ("usr/share", "usr/lib/aarch64-linux-gnu/gconv"):
            shutil.rmtree(sysroot / unused, ignore_errors=True)
        for wheel in wheels:
            self._tell(f"unpacking {wheel.name.split('-')[0]}")
            unpack_wheel(wheel, tree / "site")

    def _take_qemu(self, deb: Path, tree: Path) -> None:
        unpacked = self._staging / "qemu"
        shutil.rmtree(unpacked, ignore_errors=True)
        unpack_deb(deb, unpacked)
        (tree / "bin").mkdir(parents=True, exist_ok=True)
        (unpacked / "usr/bin" / QEMU_NAMES[0]).rename(tree / "bin" / QEMU_NAMES[0])
        shutil.rmtree(unpacked)

    def _prove(self, toolchain: Toolchain) -> None:
        """Lowers a kernel, which also leaves the byte code of every module behind."""
        self._tell("trying it: lowering a kernel")
        files = sorted(path.name for path in self._downloads.rglob("*") if path.is_file())
        try:
            with Worker(toolchain, start_timeout=600.0) as worker:
                lowered = worker.lower(PROOF, name="proof.py")
        except WorkerError as error:
            message = f"the installed compiler does not work here: {error}"
            raise InstallError(
                message, "run the command again; report it if it fails again"
            ) from error
        if not any(PROVEN in kernel.source for kernel in lowered.kernels):
            message = "the installed compiler lowers a kernel to something else than it should"
            raise InstallError(message, OFFLINE)
        toolchain.write_manifest(files)


def _merge_usr(root: Path) -> None:
    """Debian's merged /usr: what a package ships in /lib and /bin belongs to /usr."""
    for name in ("lib", "bin", "sbin"):
        (root / "usr" / name).mkdir(parents=True, exist_ok=True)
        if not (root / name).is_symlink():
            (root / name).symlink_to(f"usr/{name}")


@contextmanager
def _lock(folder: Path, show: Show) -> Iterator[None]:
    """One installation at a time; the system drops the lock when its holder dies."""
    with (folder / "lock").open("w") as file:
        if not _try_lock(file):
            show(Progress("waiting for another installation"))
            fcntl.flock(file, fcntl.LOCK_EX)
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield


def _try_lock(file: TextIO) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
