"""Processes that work for this one: what they say, how they end, and that nothing of them is left."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from gen.compile.child import Child, Correspondent, GoneError, SilentError

ECHO = """\
import json, sys
for line in sys.stdin:
    said = json.loads(line)
    print(said["log"], file=sys.stderr, flush=True)
    print(json.dumps({"back": said["say"]}), flush=True)
"""


def asked(folder: Path, program: str) -> Correspondent:
    return Correspondent([sys.executable, "-c", program], folder / "log")


def running(word: str) -> list[int]:
    """Processes with this word on their command line."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if word.encode() in file.read_bytes().split(b"\0"):
                found.append(int(file.parent.name))
        except OSError:
            continue
    return found


@pytest.fixture
def echo(tmp_path: Path) -> Iterator[Correspondent]:
    child = asked(tmp_path, ECHO)
    yield child
    child.end(5)


def test_it_answers_and_what_it_prints_is_kept(echo: Correspondent) -> None:
    echo.send({"say": 1, "log": "one"})
    assert echo.receive(20) == {"back": 1}
    echo.forget_what_it_printed()
    echo.send({"say": 2, "log": "two"})
    assert echo.receive(20) == {"back": 2}
    assert echo.printed() == "two\n"


def test_silence(tmp_path: Path) -> None:
    child = asked(tmp_path, "import time; time.sleep(100)")
    with pytest.raises(SilentError, match=r"it said nothing for 0\.3 s"):
        child.receive(0.3)
    child.end()
    assert not child.alive


@pytest.mark.parametrize(
    ("program", "how"),
    [
        ("import sys; sys.exit(3)", "exit status 3"),
        ("import os; os.kill(os.getpid(), 11)", "SIGSEGV"),
        ("import os, time; os.close(1); time.sleep(100)", "SIGKILL"),
    ],
)
def test_how_it_ended(tmp_path: Path, program: str, how: str, monkeypatch) -> None:
    monkeypatch.setattr("gen.compile.child.CLOSING_SECONDS", 0.5)
    child = asked(tmp_path, program)
    with pytest.raises(GoneError, match=how):
        child.receive(30)
    assert child.how_it_ended() == how
    child.end()
    with pytest.raises(GoneError, match=how):
        child.send({})


def test_a_child_of_its_own_that_holds_the_pipe_delays_nothing(tmp_path: Path) -> None:
    child = asked(
        tmp_path, "import os\nif os.fork():\n    os._exit(7)\nos.execlp('sleep', 'sleep', '61.25')"
    )
    began = time.monotonic()
    with pytest.raises(GoneError, match="exit status 7"):
        child.receive(60)
    child.end()
    assert time.monotonic() - began < 30
    assert not running("61.25")


@pytest.mark.parametrize(
    "start",
    [
        "sleep {n} &",
        "setsid sleep {n} &",
        "(setsid sh -c 'setsid sleep {n} & setsid sleep {n} & wait' &) ; sleep 0.2",
    ],
)
@pytest.mark.parametrize("ended", [True, False])
def test_nothing_of_it_is_left(start: str, ended: bool) -> None:
    """Not what took a session of its own, and not what has lost its parent."""
    number = f"63.{1 + ended}{len(start)}"
    wait = "" if ended else "\nsleep 50"
    child = Child(["sh", "-c", start.format(n=number) + wait], stdout=subprocess.DEVNULL)
    until = time.monotonic() + 20
    while not running(number) and time.monotonic() < until:
        time.sleep(0.05)
    assert running(number)
    if ended:
        assert child.wait(20) == 0
    child.end()
    assert not running(number)


def test_a_child_is_asked_before_it_is_killed(tmp_path: Path) -> None:
    program = "import signal, sys, time\nsignal.signal(15, lambda *_: sys.exit(5))\nprint(1, flush=True)\ntime.sleep(99)"
    with (tmp_path / "out").open("wb") as out:
        child = Child([sys.executable, "-c", program], stdout=out)
    while not (tmp_path / "out").read_text():
        time.sleep(0.05)
    child.end(20)
    assert child.wait(0) == 5
