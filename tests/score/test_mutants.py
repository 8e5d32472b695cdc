"""What a kernel is turned into: every kind of mistake, each on its own line, all in one program."""

from __future__ import annotations

import re

import pytest

from gen.score.mutants import Mutant, Operator, schemata

FLAGS = """\
void kernel() {
  for (int i = 0; i < n; ++i) {
    AscendC::WaitFlag<AscendC::HardEvent::V_MTE2>((i % 2));
    tl::ascend::copy_gm_to_ub<float, 64, 1>(x_ub[((i % 2) * 64)], x[(i * 64)], 64, 1, 64);
    AscendC::SetFlag<AscendC::HardEvent::MTE2_V>((i % 2));
    AscendC::WaitFlag<AscendC::HardEvent::MTE2_V>((i % 2));
    AscendC::Add(z_ub[0], x_ub[((i % 2) * 64)], y_ub[0], 64);
    AscendC::PipeBarrier<PIPE_V>();
  }
}
"""
QUEUES = """\
void Init() {
    pipe->InitBuffer(inQueueX, BUFFER_NUM, TILE * sizeof(half));
    pipe->InitBuffer(workBuf, TILE * sizeof(float));
}
void Compute() {
    AscendC::LocalTensor<half> x = inQueueX.DeQue<half>();
    AscendC::Add(y, x, x, TILE);
    inQueueX.FreeTensor(x);
}
"""


def of(source: str, operator: Operator, line: int) -> list[Mutant]:
    return [m for m in schemata(source)[1] if m.operator is operator and m.line == line]


ASKED = re.compile(r"if \(aicore::variant\(\) == (\d+)\) \{ (.*?) \}( else)? ?")
OTHERWISE = re.compile(r"\{ (.*?;) \} ?")
PLAIN = re.compile(r".*?(?=if \(aicore::variant|$)")


def variant(source: str, mutant: Mutant) -> str:
    """The source as the variant runs it: each question answered, the C++ way."""
    text = schemata(source)[0].split("#line 1\n")[1]
    return "\n".join(answered(line.strip(), mutant.number) for line in text.splitlines())


def answered(rest: str, number: int) -> str:
    parts: list[str] = []
    chosen: str | None = None
    in_chain = False
    while rest:
        asked = ASKED.match(rest)
        if asked and asked[3]:
            in_chain = True
            chosen = asked[2] if int(asked[1]) == number else chosen
        elif asked:
            parts += [asked[2]] if int(asked[1]) == number else []
        elif in_chain:
            asked = OTHERWISE.match(rest)
            assert asked is not None
            parts.append(asked[1] if chosen is None else chosen)
            chosen, in_chain = None, False
        else:
            asked = PLAIN.match(rest)
            assert asked is not None
            parts.append(asked[0])
        rest = rest[asked.end() :]
    return " ".join(" ".join(parts).split())


def test_a_wait_can_be_missing() -> None:
    (mutant,) = of(FLAGS, Operator.DELETE, 3)
    assert mutant.before == "AscendC::WaitFlag<AscendC::HardEvent::V_MTE2>((i % 2));"
    assert mutant.after == ""


def test_a_set_moves_before_the_operation_that_it_reports() -> None:
    (mutant,) = of(FLAGS, Operator.MOVE, 5)
    lines = variant(FLAGS, mutant).splitlines()
    assert lines[3].startswith("AscendC::SetFlag<AscendC::HardEvent::MTE2_V>((i % 2));")
    assert "copy_gm_to_ub" in lines[3]
    assert lines[4] == ""


def test_a_wait_moves_behind_the_operation_that_it_protects() -> None:
    (mutant,) = of(FLAGS, Operator.MOVE, 6)
    lines = variant(FLAGS, mutant).splitlines()
    assert lines[5] == ""
    assert lines[6].endswith("AscendC::WaitFlag<AscendC::HardEvent::MTE2_V>((i % 2));")


def test_neighbours_change_places() -> None:
    (mutant,) = of(FLAGS, Operator.SWAP, 5)
    lines = variant(FLAGS, mutant).splitlines()
    assert lines[4].startswith("AscendC::WaitFlag")
    assert lines[5].startswith("AscendC::SetFlag")


def test_ids_and_pipes_change() -> None:
    assert of(FLAGS, Operator.ID, 5)[0].after.endswith("MTE2_V>(((i % 2)) + 1);")
    assert "MTE2_MTE3" in of(FLAGS, Operator.RETARGET, 5)[0].after
    assert of(FLAGS, Operator.RETARGET, 8)[0].after == "AscendC::PipeBarrier<PIPE_MTE2>();"


def test_one_place_counts_on_fewer_slots() -> None:
    assert "% 1" in of(FLAGS, Operator.STAGES, 4)[0].after
    assert of(QUEUES, Operator.STAGES, 2)[0].after.startswith("pipe->InitBuffer(inQueueX, 1, ")


def test_buffers_shrink() -> None:
    for line in (2, 3):
        (mutant,) = of(QUEUES, Operator.SHRINK, line)
        assert mutant.after.endswith(") / 2);")


def test_the_protocol_of_queues() -> None:
    assert of(QUEUES, Operator.DELETE, 8)[0].before == "inQueueX.FreeTensor(x);"
    assert "AllocTensor<half>()" in of(QUEUES, Operator.RETARGET, 6)[0].after
    (early,) = of(QUEUES, Operator.MOVE, 8)
    assert variant(QUEUES, early).splitlines()[6].startswith("inQueueX.FreeTensor(x); ")


@pytest.mark.parametrize("source", [FLAGS, QUEUES])
def test_the_variant_of_no_mutant_is_the_source(source: str) -> None:
    nobody = Mutant(0, Operator.DELETE, 1, "", "")
    plain = [" ".join(line.split()) for line in source.splitlines()]
    same = variant(source, nobody).splitlines()
    differing = [i for i, (a, b) in enumerate(zip(plain, same, strict=True)) if a != b]
    # A declaration asks inside of its value.
    assert all(" ? " in same[i] for i in differing)


@pytest.mark.parametrize("source", [FLAGS, QUEUES])
def test_lines_stay_where_they_are(source: str) -> None:
    text, mutants = schemata(source)
    assert text.split("#line 1\n")[1].count("\n") == source.count("\n")
    assert [m.number for m in mutants] == list(range(1, len(mutants) + 1))


def test_rejected_lines_are_left_alone() -> None:
    _, mutants = schemata(FLAGS, frozenset({5}))
    assert all(m.line != 5 for m in mutants)
    assert not [m for m in mutants if m.operator is Operator.SWAP and m.line == 5]
