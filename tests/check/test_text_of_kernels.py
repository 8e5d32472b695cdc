"""What the text of a kernel says about its cores, branches, numbers, queues and copies."""

from __future__ import annotations

import pytest

from gen.check.branches import branch_of, core_of
from gen.check.constants import number
from gen.check.copy_units import units_at, units_of_source
from gen.check.cross_calls import cross_calls
from gen.check.dialects import C_API, dialect_of
from gen.check.flag_places import end_of_block
from gen.check.places import Place
from gen.check.queue_positions import wrong_position

KERNEL = """\
constexpr uint16_t READY = 3;
void kernel()
{
    if ASCEND_IS_AIC {
        Fixpipe(w, l0);
    }
    if ASCEND_IS_AIV {
        if (GetBlockIdx() == 0) {
            for (int i = 0; i < 4; i++) {
                DataCopy(a, x);
            }
        } else if (GetBlockIdx() == 1) {
            DataCopy(b, x);
        }
        Exp(b, a, 64);
    }
}
"""


def test_a_branch_between_kinds_of_cores_is_one_that_all_of_a_kind_take() -> None:
    assert branch_of(KERNEL, 5) is None
    assert branch_of(KERNEL, 15) is None


def test_the_branches_of_one_if_begin_with_it() -> None:
    assert branch_of(KERNEL, 10) == 8
    assert branch_of(KERNEL, 13) == 8


def test_a_branch_of_one_kind_of_core_says_which() -> None:
    assert [core_of(KERNEL, line) for line in (1, 5, 10, 15)] == ["", "AIC", "AIV", "AIV"]


def test_what_an_inner_loop_does_is_over_behind_its_end() -> None:
    text = "for a {\n    set\n    for b {\n        use\n        use\n    }\n    more\n}".replace(
        "\\\n", "\n"
    )
    assert end_of_block(text, 2, 4) == 6
    assert end_of_block(text, 2, 7) == 7
    assert end_of_block(text, 4, 7) is None
    assert end_of_block("for a:\n    set\n    for b:\n        use\n    more\n", 2, 4) == 4


@pytest.mark.parametrize(
    ("expression", "value"),
    [("3", 3), ("EVENT_ID2", 2), ("READY", 3), ("OTHER", None), ("s + 1", None)],
)
def test_numbers_have_names(expression: str, value: int | None) -> None:
    assert number(KERNEL, expression) == value


def test_a_name_with_two_values_has_none() -> None:
    assert number("int a = 1;\nint b = 2;\na = 2;", "a") is None


def test_the_c_api_has_words_of_its_own() -> None:
    text = '#include "c_api/asc_simd.h"\nasc_sync_block_arrive(PIPE_FIX, 3);\n'.replace(
        "\\\n", "\n"
    )
    assert dialect_of("ascendc", text) is C_API
    (call,) = cross_calls(text, C_API)
    assert (call.sets, call.mode, call.pipe, call.id) == (True, "2", "FIX", "3")
    assert dialect_of("ascendc", '#include "kernel_operator.h"\n').name == "Ascend C"


QUEUES = """\
TQue<TPosition::VECOUT, 1> inA, inB;
TQue<TPosition::VECOUT, 1> out;
LocalTensor<half> a = inA.AllocTensor<half>();
DataCopy(a, aGm, 64);
LocalTensor<half> b = inB.AllocTensor<half>();
DataCopy(b, bGm, 64);
a = inA.DeQue<half>();
b = inB.DeQue<half>();
LocalTensor<half> c = out.AllocTensor<half>();
Add(c, a, b, 64);
c = out.DeQue<half>();
DataCopy(cGm, c, 64);
"""


def test_a_position_is_wrong_where_copies_fill_a_queue_of_results() -> None:
    found = wrong_position(QUEUES, (4, 10))
    assert found is not None
    assert (found.queue, found.right, found.line) == ("inA", "VECIN", 1)
    assert found.code == "TQue<TPosition::VECIN, 1> inA, inB;"


def test_a_queue_that_is_declared_with_a_right_one_is_named_alone() -> None:
    text = QUEUES.replace("inA, inB;", "inA, out;").replace("> out;", "> inB;", 1)
    found = wrong_position(text, (4, 10))
    assert found is not None
    assert (found.queue, found.code) == ("inA", "")


def test_positions_that_fit_are_not_blamed() -> None:
    assert wrong_position(QUEUES.replace("VECOUT, 1> inA", "VECIN, 1> inA"), (4, 10)) is None


COPIES = """\
DataCopyParams p{1, 8, 0, 0};
DataCopyExtParams q{1, 256, 0, 0, 0};
DataCopy(a, xGm, p);
DataCopyPad(b, xGm, q, pad);
DataCopy(c, xGm, 64);
DataCopy(d, xGm, Nd2NzParams(1, 16, 16, 0, 16, 16, 1, 0));
Add(e, b, a, 64);
"""


@pytest.mark.parametrize(
    ("line", "counts"),
    [
        (3, "count blocks of 32 bytes"),
        (4, "blockLen counts bytes"),
        (5, "counts elements"),
        (6, ""),
        (7, ""),
    ],
)
def test_what_a_copy_counts(line: int, counts: str) -> None:
    units = units_at(COPIES, Place("kernel.asc", line, ""))
    assert counts in units
    assert bool(units) is bool(counts)


def test_the_copy_that_fills_an_operand_is_named() -> None:
    assert units_of_source(COPIES, Place("kernel.asc", 7, "")).startswith("line 3 fills it")
    assert units_of_source(COPIES, Place("kernel.asc", 6, "")) == ""
