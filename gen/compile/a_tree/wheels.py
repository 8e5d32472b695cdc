"""Wheels for CPython 3.11 on aarch64, by pip on whatever machine this is."""

from __future__ import annotations

import importlib.util
import os
import sys
import zipfile
from pathlib import Path

from gen.compile.a_tree.process import OFFLINE, InstallError, Tick, complaint, is_complete, run
from gen.compile.a_tree.recipe import NEEDED_PYTHON, PLATFORMS, UNUSED_IN_WHEEL, Wheel


def download_wheel(wheel: Wheel, folder: Path, scratch: Path, tick: Tick) -> Path:
    """Downloads one wheel into `folder`, unless it is there with the right content."""
    folder.mkdir(parents=True, exist_ok=True)
    scratch.mkdir(parents=True, exist_ok=True)
    found = _find(wheel, folder)
    if found is not None:
        return found
    environment = {**os.environ, "TMPDIR": str(scratch), "LC_ALL": "C.UTF-8"}
    done = run(_download_command(wheel, folder), environment, folder, tick)
    if done.returncode:
        # Without a network pip ends with "no matching distribution"; what it says before is the reason.
        offline = "connection broken by" in done.stderr
        reason = "no connection to the package index" if offline else complaint(done.stderr)
        message = f"pip could not download {wheel.requirement}: {reason}"
        raise InstallError(message, OFFLINE)
    found = _find(wheel, folder)
    if found is None:
        raise InstallError(
            f"the {wheel.requirement} that pip downloaded is not the published one: its SHA-256 differs",
            "check which package index pip is configured to use",
        )
    return found


def _download_command(wheel: Wheel, folder: Path) -> list[str]:
    python = ".".join(map(str, NEEDED_PYTHON))
    quiet = ["--disable-pip-version-check", "--progress-bar=off", "--no-cache-dir", "--no-input"]
    target = ["--implementation=cp", f"--python-version={python}", "--only-binary=:all:"]
    target += [f"--platform={name}" for name in PLATFORMS]
    patience = ["--retries=3", "--timeout=30"]
    command = [*_pip(), "download", "--no-deps", *quiet, *target, *patience]
    return [*command, f"--dest={folder}", wheel.requirement]


def _find(wheel: Wheel, folder: Path) -> Path | None:
    for path in folder.glob(f"{wheel.name.replace('-', '_')}-{wheel.version}-*.whl"):
        if is_complete(path, wheel.sha256):
            return path
        path.unlink()
    return None


def _pip() -> list[str]:
    """How to run pip: as a module, or out of the copy that `ensurepip` brings."""
    if importlib.util.find_spec("pip") is not None:
        return [sys.executable, "-m", "pip"]
    ensurepip = importlib.util.find_spec("ensurepip")
    if ensurepip is not None and ensurepip.origin is not None:
        bundled = sorted(Path(ensurepip.origin).parent.glob("_bundled/pip-*.whl"))
        if bundled:
            return [sys.executable, str(bundled[-1] / "pip")]
    message = "this Python has no pip"
    raise InstallError(message, "install pip into the environment that crosstree runs in")


def unpack_wheel(wheel: Path, site: Path) -> None:
    """Unpacks a wheel below `site`, without the back ends of other chips that tilelang-ascend carries along."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            names = [n for n in archive.namelist() if not n.startswith(UNUSED_IN_WHEEL)]
            archive.extractall(site, names)
    except OSError as error:
        message = f"cannot unpack {wheel.name}: {error.strerror}"
        raise InstallError(message, "check the free disk space") from None
