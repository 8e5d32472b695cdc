"""Names for results that are kept: they change with whatever could change the result."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

import gen

CACHE = "score"
"""Part of the cache that holds results."""
JUDGES = ("chips", "check", "compile", "score", "sim")
"""Packages that a result depends on."""


@cache
def judge_key() -> str:
    """Changes with everything that judges: the engine, its headers, the front ends, and this package."""
    root = Path(gen.__file__).parent
    digest = hashlib.sha256()
    for package in JUDGES:
        for path in sorted((root / package).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(f"{path.relative_to(root)} {path.stat().st_size}\0".encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()
