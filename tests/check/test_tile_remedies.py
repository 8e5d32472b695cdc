"""Remedies of TileLang kernels mend the flag, the mutex or the argument that the kernel has, and are right when written."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from gen.check.foreign import FileVerdict, RunOptions, run_file
from gen.check.id_values import means_the_same, values
from gen.check.remedy import Kernel, Remedy, remedy_of
from gen.check.tile_lines import accesses, pipe_of, same_round
from gen.check.verdict import Outcome
from gen.check.wording import Write
from gen.sim import Finding
from tests.check.applied import applied
from tests.check.test_remedy_words import at, edge

KERNELS = Path(__file__).parent / "kernels"
ARGUMENTS = {
    "halves.py": {"M": "192", "N": "64", "K": "64"},
    "held.py": {"N": "4096"},
    "handed.py": {"N": "256", "K": "64"},
}
ADD = "                        y[slot, k] = x[slot, k] + 1.0\n"
RELEASED = '                T.ascend_rls_buf("PIPE_V", slot + 2)\n'
V_DONE = '                    T.ascend_set_flag("V_MTE3", 0)\n                    T.ascend_wait_flag("V_MTE3", 0)\n'
SECOND_TOLD = '                    T.ascend_cross_core_set_flag(4, "PIPE_FIX", 19)\n'
SECOND_HEARD = '                    T.ascend_cross_core_wait_flag(4, "PIPE_FIX", 18)\n'
ANSWER = '                    T.ascend_cross_core_set_flag(4, "PIPE_MTE3", 2)\n'
READ = "                    T.copy(W[i % 2, vid * half, 0], ub)\n"
FREE = '                    T.set_cross_flag("MTE2", 3)\n'

MISTAKES = {
    "a mutex that is never released": ("held.py", RELEASED, "", "T.ascend_rls_buf"),
    "a mutex that is released too early": (
        "held.py", f"                with T.SimtVF(threads=128):\n                    for k in T.Parallel(512):\n{ADD}"
        f'                T.ascend_rls_buf("PIPE_V", slot)\n{RELEASED}',
        f"{RELEASED}                with T.SimtVF(threads=128):\n                    for k in T.Parallel(512):\n{ADD}"
        '                T.ascend_rls_buf("PIPE_V", slot)\n',
        "move `T.ascend_rls_buf",
    ),
    "the order behind a flag between cores": ("halves.py", V_DONE, "", 'T.ascend_set_flag("V_MTE3", 0)'),
    "a set for one AIV only": ("halves.py", SECOND_TOLD, "", '"PIPE_FIX", 19)'),
    "a wait for one AIV only": ("halves.py", SECOND_HEARD, "", '"PIPE_FIX", 18)'),
    "an answer of another pipe": (
        "halves.py", ANSWER, ANSWER.replace("MTE3", "V"), '"PIPE_MTE3", 2)'
    ),
    "an answer before the read": ("handed.py", READ + FREE, FREE + READ, "move `T.set_cross_flag"),
}  # fmt: skip


@cache
def kernel(name: str) -> str:
    return (KERNELS / name).read_text(encoding="utf-8")


def judged(name: str, text: str) -> FileVerdict:
    options = RunOptions(
        text=text, arguments=ARGUMENTS[name], a_tree="interpreter", witnesses=False
    )
    return run_file(KERNELS / name, options)


@pytest.mark.parametrize("name", ARGUMENTS)
def test_the_kernels_are_clean_as_they_stand(name: str) -> None:
    verdict = judged(name, kernel(name))
    assert verdict.outcome is Outcome.CLEAN, (verdict.diagnostics, verdict.faults)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_who_writes_what_the_remedy_says_has_a_clean_kernel(mistake: str) -> None:
    name, right, wrong, said = MISTAKES[mistake]
    head, found, tail = kernel(name).rpartition(right)
    assert found
    text = head + wrong + tail
    errors = [f for f in judged(name, text).faults if f.severity == "error"]
    remedy = errors[0].remedy
    assert remedy is not None
    assert said in remedy.text
    mended = judged(name, applied(text, remedy))
    assert mended.outcome is Outcome.CLEAN, (remedy.text, mended.faults)


def told(
    tree: str,
    text: str,
    fix: dict[str, object],
    first: int,
    second: int,
    path: str = "",
    code: str = "race-raw",
) -> Remedy:
    finding = Finding(
        code, "error", "it happens", "GM", (0, 4), path, 1, "", None, None, "mind it", fix
    )
    found = remedy_of(finding, Kernel(tree, text, "dav-2201"), at(first), at(second))
    assert found is not None
    return found


def spelled(lines: tuple[Write, ...]) -> list[tuple[str, str]]:
    return [(line.code, line.at) for line in lines]


SUM = "for t in T.serial(2):\n    for k in T.{loop}:\n        T.gemm(a, b, acc, {argument})\n    T.copy(acc, C)\n"


@pytest.mark.parametrize("starts", [True, False])
def test_an_accumulator_is_started_by_the_call_that_adds_to_it(starts: bool) -> None:
    text = SUM.format(loop="Pipelined(4, num_stages=2)", argument=f"clear_accum={not starts}")
    fix: dict[str, object] = {"kind": "init", "value": starts}
    found = told("m_tree", text, fix, 3, 4)
    assert spelled(found.lines) == [
        ("T.gemm(a, b, acc, clear_accum=(k == 0))", "instead of line 3")
    ]
    assert "report it" not in found.text
    deeper = text.replace("        T.gemm", "        for j in range(1, 3):\n            T.gemm")
    lines = told("m_tree", deeper, fix, 4, 5).lines
    assert lines[0].code == "T.gemm(a, b, acc, clear_accum=T.And(k == 0, j == 1))"


def test_an_accumulator_whose_loop_is_not_seen_is_only_told_of() -> None:
    text = SUM.format(loop="grid(2, 2)", argument="init=False")
    found = told("a_tree", text, {"kind": "init", "value": True}, 3, 4)
    assert found.lines == ()
    assert found.text == "write `init=True` at line 3 in the first step of the sum."


def test_ids_are_known_from_the_loops_and_numbers_that_they_are_made_of() -> None:
    text = (
        "S = 2\nfor f in T.serial(S):\n    use(f)\nfor i in range(n):\n    s = i % S\n    use(s)\n"
    )
    assert values(text, "f + 2", 3) == frozenset({2, 3})
    assert values(text, "s", 6) == frozenset({0, 1})
    assert values(text, "i", 6) is None
    assert values(text, "EVENT_ID3", 1) == frozenset({3})


def test_an_expression_means_the_same_only_where_its_names_do() -> None:
    text = "for i in r:\n    a\n    f = i % 2\n    b(f)\n    c\n    for k in q:\n        d\ne\n"
    assert means_the_same(text, "f", 4, [5])
    assert not means_the_same(text, "f", 4, [2])
    assert not means_the_same(text, "f", 4, [8])


def test_a_new_flag_takes_an_id_that_is_free_and_whose_names_are_known_there() -> None:
    text = (
        "for i in T.serial(4):\n    for k in T.serial(4):\n        f = k % 2\n"
        '        T.wait_flag("mte1", "mte2", f + 1)\n        T.mma(a, b, c)\n        T.set_flag("mte1", "mte2", f + 1)\n'
        "    T.copy(c, C)\n"
    )
    found = told("a_tree", text, edge("FIX", "M"), 7, 5)
    assert found.lines[0].code == 'T.set_flag("fix", "m", 1)'
    same = told("a_tree", text, edge("MTE1", "MTE2"), 7, 7)
    assert same.lines[0].code == 'T.set_flag("mte1", "mte2", 3)'


def test_a_wait_stands_before_the_first_access_that_it_guards() -> None:
    text = kernel("handed.py")
    lines = text.split("\n")
    aic = next(n for n, line in enumerate(lines, 1) if "T.copy(product" in line)
    load = next(n for n, line in enumerate(lines, 1) if "T.copy(W" in line)
    text = text.replace("T.copy(ub, Y[vid * half, i * 64])", "T.copy(ub, W[i % 2, vid * half, 0])")
    bare = re.sub(r"T\.\w+_cross_flag\(.*\)", "pass", text)
    store = next(n for n, line in enumerate(text.split("\n"), 1) if "T.copy(ub, W" in line)
    found = told(
        "a_tree", bare, {"kind": "own_bytes", "cores": "cores"}, aic, store, "AIC FIX→AIV0 MTE3",
        "output-written-twice",
    )  # fmt: skip
    assert found.lines[-1].at == f"on the AIV before line {load}"


def test_what_the_lines_of_a_kernel_say() -> None:
    text = kernel("handed.py")
    line = {
        key: n for n, code in enumerate(text.split("\n"), 1) for key in LINES if LINES[key] in code
    }
    assert pipe_of(text, line["load"]) == "MTE2"
    assert pipe_of(text, line["store"]) == "MTE3"
    assert pipe_of(text, line["fixpipe"]) == ""
    assert same_round(text, line["load"], line["store"])
    assert not same_round(text, line["load"], line["fixpipe"])
    assert accesses(text, frozenset({"W"}), line["store"]) == [line["load"]]


LINES = {"load": "T.copy(W", "store": "T.copy(ub, Y", "fixpipe": "T.copy(product"}
