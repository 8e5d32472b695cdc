"""The compiler's passes on programs written by hand: what is inserted, and where buffers lie."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import gen.compile.a_tree.interpreter

FOLDER = Path(str(gen.compile.a_tree.interpreter.__file__)).parent / "guest/tilelang/interp"
PACKAGE = "crosstree_interp"
"""The guest's modules under a name of their own: the installed tilelang is another one."""


def module(name: str) -> ModuleType:
    if PACKAGE not in sys.modules:
        spec = importlib.util.spec_from_file_location(PACKAGE, FOLDER / "__init__.py")
        assert spec is not None
        assert spec.loader is not None
        sys.modules[PACKAGE] = importlib.util.module_from_spec(spec)
        sys.modules[PACKAGE].__path__ = [str(FOLDER)]
        spec.loader.exec_module(sys.modules[PACKAGE])
    return importlib.import_module(f"{PACKAGE}.{name}")


program, sync, memory = module("program"), module("auto_sync"), module("auto_memory")
combine, implied = module("auto_combine"), module("implied")
Buffer, variable = module("buffer").Buffer, module("expression").variable

X, Y = (Buffer(name, "global", "float32", (64,)) for name in "xy")
A, B, C = (Buffer(name, "ub", "float32", (64,)) for name in "abc")
L1, L0C = Buffer("l1", "l1", "float16", (16, 16)), Buffer("l0c", "l0c", "float32", (16, 16))


def written(*steps: Any) -> list[Any]:
    """A program: (name, written, read …) is a call, a list a loop of 4 rounds."""
    made = program.Program()

    def put(steps: Any) -> None:
        for step in steps:
            key = (len(keys),)
            keys.append(key)
            if isinstance(step, list):
                depth = made.open(program.Loop(key, rounds=4))
                put(step)
                made.close(depth)
                continue
            name, *buffers = step
            for i, buffer in enumerate(buffers):
                made.touch(buffer, i == 0)
            made.statement(key, name)

    keys: list[Any] = []
    put(steps)
    return list(program.simplified(made.root))


def issued(found: dict[Any, Any], number: int) -> list[str]:
    """What is inserted in front of a node, in short."""
    around = found.get((number,))
    return [] if around is None else [f"{s.call} {s.what} {s.id}" for s in around.before]


LOAD, ADD, STORE = ("copy", A, X), ("add", B, A, A), ("copy", Y, B)


def test_pipes_of_calls() -> None:
    steps = [LOAD, ADD, STORE, ("copy", L1, X), ("gemm_v0", L0C, L1), ("copy", Y, L0C)]
    pipes = [node.pipe for node in written(*steps)]
    assert pipes == ["PIPE_MTE2", "PIPE_V", "PIPE_MTE3", "PIPE_MTE2", "PIPE_M", "PIPE_FIX"]


def test_flags_where_the_pipe_changes() -> None:
    found = sync.inserted(written(LOAD, ADD, STORE), {})
    assert issued(found, 0) == []
    assert issued(found, 1) == ["SetFlag MTE2_V 1", "WaitFlag MTE2_V 1"]
    assert issued(found, 2) == ["SetFlag V_MTE3 2", "WaitFlag V_MTE3 2"]


def test_barrier_on_one_pipe() -> None:
    found = sync.inserted(written(ADD, ("exp", C, B), ("exp", C, C)), {})
    assert issued(found, 1) == ["PipeBarrier PIPE_V 0"]
    assert issued(found, 2) == ["PipeBarrier PIPE_V 0"]


def test_what_was_waited_for_is_not_waited_for_again() -> None:
    found = sync.inserted(written(LOAD, ADD, ("exp", C, A)), {})
    assert issued(found, 2) == []


def test_second_round_of_a_loop() -> None:
    found = sync.inserted(written([LOAD, ADD]), {})
    assert issued(found, 1) == ["SetFlag V_MTE2 2", "WaitFlag V_MTE2 2"]
    assert issued(found, 2) == [
        "SetFlag MTE2_V 1",
        "WaitFlag MTE2_V 1",
        "PipeBarrier PIPE_V 0",
    ]


def test_shared_memory_counts_as_the_same_buffer() -> None:
    areas = {A: sync.Area("ub", 0, 256), C: sync.Area("ub", 128, 384)}
    steps = (LOAD, ("exp", B, C))
    assert issued(sync.inserted(written(*steps), areas), 1)[:1] == ["SetFlag MTE2_V 1"]
    apart = {**areas, C: sync.Area("ub", 256, 512)}
    assert issued(sync.inserted(written(*steps), apart), 1) == []


def test_barriers_around_an_if() -> None:
    inner = written(LOAD)
    node = program.Branch(("if",), variable("i", 0, 3) > 1, (inner, []))
    found = sync.inserted([node], {})
    assert [s.what for s in found[("if",)].before] == ["PIPE_ALL"]
    assert [s.what for s in found[("if",)].behind] == ["PIPE_ALL"]


def test_loops_of_one_round_are_taken_apart() -> None:
    made = program.Program()
    depth = made.open(program.Loop(("loop",), rounds=1))
    made.statement(("call",), "barrier_all")
    made.close(depth)
    assert [node.key for node in program.simplified(made.root)] == [("call",)]


def test_two_statements_with_one_key_are_refused() -> None:
    made = program.Program()
    made.statement(("call",), "barrier_all")
    made.statement(("call",), "barrier_all")
    with pytest.raises(Exception, match="statements of one line"):
        program.simplified(made.root)


def big(name: str, kilobytes: int) -> Any:
    return Buffer(name, "ub", "uint8", (1024 * kilobytes,))


def test_memory_is_new_while_there_is_some_and_then_the_first_gap() -> None:
    one, two, three = big("one", 100), big("two", 80), big("three", 60)
    together = written(("fill", one), ("fill", two), ("add", three, one, two))
    with pytest.raises(Exception, match="three of 61,440 bytes finds no room"):
        memory.place(together, {}, ())
    memory.place(written(("fill", one), ("exp", two, one), ("exp", three, two)), {}, ())
    assert (one.address, two.address, three.address) == (0, 100 * 1024, 0)


def test_what_a_loop_uses_from_outside_lives_to_its_end() -> None:
    one, two, three = big("one", 100), big("two", 80), big("three", 60)
    steps = written(("fill", one), [("exp", two, one), ("exp", three, two)])
    with pytest.raises(Exception, match="three of 61,440 bytes finds no room"):
        memory.place(steps, {}, ())


def test_buffers_that_begin_together() -> None:
    one, two = big("one", 1), big("two", 2)
    steps = written(("exp", one, two))
    assert memory.place(steps, {}, ()) == [[one, two]]
    assert (one.address, two.address) == (0, 1024)
    memory.place(steps, {}, ("two", "one"))
    assert (one.address, two.address) == (2048, 0)


def test_statements_go_to_the_core_of_their_first_buffer() -> None:
    whole = written(("barrier_all",), ("copy", L1, X), ("barrier_all",), ADD, ("barrier_all",))
    sides = combine.sides(whole, cross=False)
    parts = [[node.key for node in sides[cube].of(whole)] for cube in (True, False)]
    assert parts == [[(1,), (2,)], [(3,), (4,)]]


def test_conditions_inside_of_others() -> None:
    i, j = variable("i", 0, 5), variable("j", 0, 5)
    known = list(implied.facts(i > 1))
    assert implied.decided(i > 0, known) is True
    assert implied.decided(i > 2, known) is None
    assert implied.decided(i == 1, known) is False
    assert implied.decided(j > 1, known) is None
    assert implied.decided(i > 0, list(implied.facts(i == 0, False))) is True
    both = list(implied.facts(i + j < 5))
    assert implied.decided(i + j < 5, both) is True
    with pytest.raises(Exception, match="may decide"):
        implied.decided(i + j < 7, both)
