"""A command that is started without the standard streams."""

from __future__ import annotations

import subprocess
import sys

from tests.cli.conftest import ROOT


def started(closed: str, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-c", f'exec "$0" -m gen.cli schema {closed}', sys.executable],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_what_nobody_can_read_is_not_written(environment) -> None:
    done = started(">&-", environment)
    assert done.returncode == 3
    assert done.stderr == "gen: cannot write: the standard output is closed\n"


def test_a_result_needs_no_other_stream(environment) -> None:
    done = started("<&- 2>&-", environment)
    assert done.returncode == 0
    assert done.stdout.startswith("{")
