"""Rendering needs neither an array library nor a compiler, and a formatter only when it formats."""

from __future__ import annotations

import subprocess
import sys


def test_importing_the_renderer_is_light():
    code = "import sys, gen.render; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert not loaded & {"numpy", "torch", "tilelang", "ml_dtypes", "black"}
