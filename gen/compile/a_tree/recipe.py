"""What the A tree's compiler consists of, and how a host can run it.

tilelang-ascend is published as a wheel for Linux on aarch64 only. Its native libraries need glibc 2.38 and
GLIBCXX_3.4.32, its Python packages CPython 3.11. A host without those gets a small arm64 system made of Debian
packages; a host of another architecture runs that system under QEMU's user-mode emulation.
"""

from __future__ import annotations

import platform
import shutil
import sys
from dataclasses import dataclass
from enum import StrEnum

RECIPE = 1
"""Raised whenever the packages below change, so that a toolchain made of others is never taken for this one."""

TILELANG_ASCEND = "0.1.4"
NEEDED_GLIBC = (2, 38)
NEEDED_PYTHON = (3, 11)


@dataclass(frozen=True)
class Wheel:
    """One wheel of PyPI, by version and content."""

    name: str
    version: str
    sha256: str
    size: int

    @property
    def requirement(self) -> str:
        """What pip calls it."""
        return f"{self.name}=={self.version}"


WHEELS = (
    Wheel(
        "tilelang-ascend",
        TILELANG_ASCEND,
        "1afec13f59e18fd9133ae2345a9845d8b58e3f005bd773325664821db5990d03",
        50662070,
    ),
    Wheel(
        "numpy",
        "1.26.4",
        "7ab55401287bfec946ced39700c053796e7cc0e3acbef09993a9ad2adba6ca6e",
        14222994,
    ),
    Wheel(
        "psutil",
        "7.2.2",
        "b0726cecd84f9474419d67252add4ac0cd9811b04d61123054b9fb6f57df6e9e",
        156997,
    ),
    Wheel(
        "tqdm", "4.70.1", "c293e525e6fef9c20e8728fd4612df02a0aa31bb5fe91ecd93e123b1b7bffa73", 80199
    ),
    Wheel(
        "typing_extensions",
        "4.16.0",
        "481caa481374e813c1b176ada14e97f1f67a4539ce9cfeb3f350d78d6370c2e8",
        45571,
    ),
    Wheel(
        "cloudpickle",
        "3.1.3",
        "1654f4f18e416447210a63c5c25a135d65a292156aa5fa519dfa4baf7726dddb",
        22399,
    ),
)
"""What `import tilelang` needs. torch is not among them: what the compiler uses of it is stubbed (guest/stubs.py)."""

PLATFORMS = ("manylinux2014_aarch64", "manylinux_2_28_aarch64")

UNUSED_IN_WHEEL = (
    "tilelang/3rdparty/composable_kernel/",
    "tilelang/3rdparty/cutlass/",
    "tilelang/3rdparty/pto-isa/",
)
"""Back ends of other chips: half of the files of the wheel."""

DEBIAN_MIRROR = "http://deb.debian.org/debian"
DEBIAN_SUITES = ("trixie", "bookworm")
DEBIAN_KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"

SYSROOT_PACKAGES = (
    # The C and C++ run time that the wheel's libraries were linked with is newer than bookworm's.
    *(f"{name}:arm64/trixie" for name in ("libc6", "libgcc-s1", "libstdc++6")),
    # CPython 3.11 is bookworm's; these are all that it and the wheels load.
    *(
        f"{name}:arm64/bookworm"
        for name in (
            "libbz2-1.0",
            "libexpat1",
            "libffi8",
            "liblzma5",
            "libpython3.11-minimal",
            "libpython3.11-stdlib",
            "libsqlite3-0",
            "libssl3",
            "libuuid1",
            "python3.11-minimal",
            "zlib1g",
        )
    ),
)
QEMU_PACKAGE = "qemu-user-static:amd64/bookworm"
QEMU_NAMES = ("qemu-aarch64-static", "qemu-aarch64")


class Runner(StrEnum):
    """How the host runs the compiler."""

    NATIVE = "native"
    """With the Python that runs crosstree."""
    SYSROOT = "sysroot"
    """On an aarch64 CPU, with the Python and the C library of the small arm64 system."""
    QEMU = "qemu"
    """The same under emulation."""


@dataclass(frozen=True)
class Host:
    """What decides how a machine can run the compiler."""

    system: str
    machine: str
    glibc: tuple[int, int]
    python: tuple[int, int]
    apt: bool
    qemu: str | None
    """Path of QEMU's user-mode emulator of aarch64, where the host has one."""

    @classmethod
    def current(cls) -> Host:
        """The machine that this process runs on."""
        return cls(
            system=platform.system(),
            machine=platform.machine().lower(),
            glibc=_glibc(),
            python=sys.version_info[:2],
            apt=all(shutil.which(tool) for tool in ("apt-get", "dpkg-deb")),
            qemu=next(filter(None, map(shutil.which, QEMU_NAMES)), None),
        )


@dataclass(frozen=True)
class Recipe:
    """Everything to download for one host."""

    runner: Runner
    packages: tuple[str, ...]
    """Debian packages as apt-get names them: name:architecture/suite."""
    wheels: tuple[Wheel, ...] = WHEELS

    @property
    def key(self) -> str:
        """Folder name of what this recipe makes."""
        return f"tilelang-ascend-{TILELANG_ASCEND}-{self.runner}-{RECIPE}"


def recipe_for(host: Host) -> Recipe | str:
    """How `host` gets the compiler, or in one sentence why it cannot."""
    if host.system != "Linux":
        return f"the A tree's compiler is a Linux program and this is {host.system}"
    if host.machine in ("aarch64", "arm64"):
        if host.glibc >= NEEDED_GLIBC and host.python == NEEDED_PYTHON:
            return Recipe(Runner.NATIVE, ())
        return Recipe(Runner.SYSROOT, SYSROOT_PACKAGES) if host.apt else _no_apt(host)
    if host.machine not in ("x86_64", "amd64"):
        return f"the A tree's compiler is an aarch64 program and cannot be emulated here on {host.machine}"
    if not host.apt:
        return _no_apt(host)
    emulator = () if host.qemu else (QEMU_PACKAGE,)
    return Recipe(Runner.QEMU, (*SYSROOT_PACKAGES, *emulator))


def _no_apt(host: Host) -> str:
    needed = (
        "apt-get and dpkg-deb, which unpack the arm64 system that the A tree's compiler runs in"
    )
    return f"this {host.machine} machine has no {needed}"


def _glibc() -> tuple[int, int]:
    name, version = platform.libc_ver()
    parts = version.split(".")
    if name != "glibc" or len(parts) < len(NEEDED_GLIBC) or not all(p.isdigit() for p in parts[:2]):
        return (0, 0)
    return int(parts[0]), int(parts[1])
