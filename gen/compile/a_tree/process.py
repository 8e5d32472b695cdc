"""Programs that an installation runs, and the disk that it fills."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

POLL_SECONDS = 0.2
STOP_SECONDS = 5.0

Tick = Callable[[], None]
"""Called while a program runs, to show how far the downloads are."""

OFFLINE = "check the network (and proxy) and run the command again: what is complete is kept"


class InstallError(Exception):
    """An installation that could not go on: why, and what can be done about it."""

    def __init__(self, message: str, help: str) -> None:
        super().__init__(message)
        self.help = help


def run(
    command: list[str], environment: Mapping[str, str], cwd: Path, tick: Tick
) -> subprocess.CompletedProcess[str]:
    """Runs a program to its end, calling `tick` meanwhile; it is stopped when this process is interrupted."""
    process = subprocess.Popen(
        command,
        cwd=cwd,
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
    )
    try:
        while True:
            try:
                out, err = process.communicate(timeout=POLL_SECONDS)
                return subprocess.CompletedProcess(command, process.returncode, out, err)
            except subprocess.TimeoutExpired:
                tick()
    finally:
        stop(process)


def stop(process: subprocess.Popen[str]) -> None:
    """Ends a program that this process started, if it still runs."""
    if process.poll() is not None:
        return
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def complaint(text: str) -> str:
    """What a failed program says is wrong: its first error, else its last line."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith(("E:", "ERROR:"))]
    return [*errors[:1], *lines[-1:], "it said nothing"][0]


def is_complete(path: Path, sha256: str) -> bool:
    """Whether the file is there with exactly that content."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == sha256


def folder_bytes(folder: Path) -> int:
    """Bytes of all files below `folder`, while files come and go."""
    total = 0
    for base, _, names in os.walk(folder):
        for name in names:
            try:
                total += Path(base, name).lstat().st_size
            except OSError:
                continue
    return total


def free_bytes(folder: Path) -> int:
    """Free disk space where `folder` is, or will be."""
    return shutil.disk_usage(next(p for p in (folder, *folder.parents) if p.exists())).free
