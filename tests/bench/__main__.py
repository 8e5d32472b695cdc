"""Measures every row of the table and writes it, with the machine, to bench.json and to the terminal."""

from __future__ import annotations

import importlib.util
import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path

from tests.bench.judging import price_of_judging
from tests.bench.programs import programs
from tests.bench.rows import Row, median

ROOT = Path(__file__).parents[2]
SPECS = sorted(ROOT.joinpath("specs").glob("*.yaml"))
GEN = [sys.executable, "-m", "gen.cli"]


def command(*words: str) -> Callable[[], object]:
    """A whole process, its output thrown away; a failing one ends the bench."""
    return lambda: subprocess.run([*words], check=True, cwd=ROOT, stdout=subprocess.DEVNULL)


def start_up() -> Iterator[Row]:
    python = median(command(sys.executable, "-c", "pass"))
    render = [*GEN, "render", "--check", "specs/gemm.yaml"]
    for what, words in (("gen --help", [*GEN, "--help"]), ("gen render, one spec", render)):
        seconds = median(command(*words))
        yield Row(
            f"{what}: milliseconds above the interpreter's start",
            (seconds - python) * 1000,
            "python -c pass",
            "150",
            seconds,
            python,
        )


def on_the_model() -> Iterator[Row]:
    import numpy as np

    triton = yardsticks()
    rng = np.random.default_rng(0)
    a = rng.standard_normal((1024, 1024), dtype=np.float32)
    b = rng.standard_normal((1024, 1024), dtype=np.float32)
    x, y = (rng.standard_normal(1 << 22, dtype=np.float32) for _ in range(2))
    numpy_seconds = {"gemm": median(lambda: a @ b, 9), "add": median(lambda: x + y, 9)}
    goals = {"gemm": ("20 times faster", "3"), "add": ("10 times faster", "none")}
    for problem in ("gemm", "add"):
        for tree, seconds in runs(ROOT / "specs" / f"{problem}.yaml").items():
            label = f"{problem}, {tree}, all cores, hazards on"
            faster, multiple = goals[problem]
            if triton:
                yard = triton[problem]
                name = "Triton's CPU interpreter"
                yield Row(f"{label}: times faster", yard / seconds, name, faster, seconds, yard)
            yard = numpy_seconds[problem]
            yield Row(
                f"{label}: multiple of NumPy", seconds / yard, "NumPy", multiple, seconds, yard
            )


def yardsticks() -> dict[str, float]:
    """Triton's interpreter, where Triton is installed."""
    if importlib.util.find_spec("triton") is None:
        print("triton is not installed: its rows are left out", file=sys.stderr)
        return {}
    words = [sys.executable, "-m", "tests.bench.triton_yardstick"]
    done = subprocess.run(words, check=True, cwd=ROOT, capture_output=True, text=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def runs(path: Path) -> dict[str, float]:
    """Seconds of the run on the model alone, by tree: the process, its inputs and its outputs."""
    return {p.tree: median(p.judged) for p in programs(path)}


def warm_checks() -> Iterator[Row]:
    one = {path: median(command(*GEN, "check", str(path)), 3) for path in SPECS}
    for path, seconds in one.items():
        yield Row(f"warm gen check {path.name}: seconds", seconds, "one second", "1", seconds, 1.0)
    together = median(command(*GEN, "check", *map(str, SPECS)), 3)
    parts = sum(one.values())
    yield Row(
        f"gen check of {len(SPECS)} specs together",
        together / parts,
        "one by one",
        "1",
        together,
        parts,
    )


def memory() -> Iterator[Row]:
    for path, tensors in (("gemm.yaml", 3 * 2 * 1024**2), ("add.yaml", 3 * 4 * 1024**2 * 4)):
        peak = peak_bytes([*GEN, "check", f"specs/{path}"])
        allowed = 3 * tensors + 200 * 1024**2
        yield Row(
            f"gen check {path}: peak memory of its largest process",
            peak / allowed,
            "3 x tensors + 200 MB",
            "1",
            peak / 1e6,
            allowed / 1e6,
        )


def peak_bytes(words: list[str]) -> int:
    """Peak resident bytes of the largest process that `words` starts."""
    script = (
        "import resource,subprocess,sys;subprocess.run(sys.argv[1:],check=True,"
        "stdout=subprocess.DEVNULL);print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *words], check=True, cwd=ROOT, capture_output=True, text=True
    )
    return int(done.stdout) * 1024


def machine() -> dict[str, object]:
    model = [
        line.partition(":")[2].strip()
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if line.startswith("model name")
    ]
    return {
        "cpu": model[0] if model else platform.machine(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "system": platform.platform(),
    }


def main() -> None:
    rows = [*start_up(), *on_the_model(), *price_of_judging(), *warm_checks(), *memory()]
    report = {"machine": machine(), "rows": [asdict(row) for row in rows]}
    target = ROOT / "bench.json"
    target.write_text(json.dumps(report, indent=1) + "\n")
    width = max(len(row.what) for row in rows)
    print(json.dumps(report["machine"]))
    for row in rows:
        parts = f"{row.seconds:.3f} against {row.yardstick_seconds:.3f}"
        print(
            f"{row.what:<{width}}  {row.ratio:8.2f}   goal {row.goal:<16} ({parts}, {row.yardstick})"
        )
    print(f"written to {target.name}")


if __name__ == "__main__":
    main()
