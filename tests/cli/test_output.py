"""Where the output goes may be full, or gone; what is printed is printed as it stands."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("options", [[], ["--json"]])
def test_no_room_for_the_output(environment, options):
    with FULL.open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "gen.cli", "explain", "race-raw", *options],
            cwd=ROOT,
            env=environment,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 3
    assert done.stderr == "gen: cannot write: [Errno 28] No space left on device\n"


def test_a_reader_that_leaves_finds_nothing_wrong(environment):
    command = [sys.executable, "-m", "gen.cli", "diff", "add"]
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0


def test_source_lines_are_printed_as_they_are(gen, tmp_path):
    kernel = tmp_path / "k.asc"
    kernel.write_text(
        "// launch: blocks=1 y=float32[64]:out\n"
        '#include "kernel_operator.h"\n'
        "__global__ __vector__ void k(GM_ADDR y)\n"
        "{\n"
        "    AscendC::LocalTensor<float> u(AscendC::TPosition::VECOUT, 0, 64);\n"
        "    AscendC::GlobalTensor<float> yGm;\n"
        "    yGm.SetGlobalBuffer((__gm__ float*)y, 64);\n"
        "    AscendC::Duplicate(u, 1.0f, 64); /* :x: [bold] */\n"
        "    AscendC::DataCopy(yGm, u, 64); /* :smile: */\n"
        "}\n"
    )
    result = gen("run", kernel)
    assert ":x: [bold]" in result.out
    assert ":smile:" in result.out
