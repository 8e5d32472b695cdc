"""Each synchronisation that the M tree's compiler inserts is found, and tied to the statement whose access it guards."""

from __future__ import annotations

from pathlib import Path

import pytest

from gen.check.foreign.options import RunOptions
from gen.check.lowered import LoweredKernel, lower_file, lower_spec
from gen.compile.listing import Kind, listing, without_origin
from gen.compile.m_tree import Request, Session, inputs_of, lower
from gen.compile.m_tree.dialect import DIALECT
from gen.plan import Form, plan
from gen.render import render
from gen.spec import load
from gen.spec.models import ElementwiseSpec, GemmSpec, NormSpec, Spec

CORPUS = Path(__file__).parents[1] / "corpus" / "m_tree"

# Two slots on MTE2 -> V, a vector function, and what stores; no compiler is needed to read it.
SOURCE = """\
void k() {
  asc_sync_notify(PIPE_V, PIPE_MTE2, 0);
  for (int w = 0; w < 4; ++w) {
    asc_sync_wait(PIPE_V, PIPE_MTE2, 0);
    asc_copy_gm2ub_align(a, x);
    asc_sync_notify(PIPE_MTE2, PIPE_V, 0);
    asc_sync_wait(PIPE_MTE2, PIPE_V, 0);
    asc_vf_call<f>(a);
    asc_sync_notify(PIPE_V, PIPE_MTE2, 0);
    asc_sync_pipe(PIPE_MTE2);
    asc_lock(PIPE_MTE3, 3, ASC_LOCK_BLOCK);
    asc_copy_ub2gm_align(y, a);
    asc_unlock(PIPE_MTE3, 3, ASC_LOCK_BLOCK);
    asc_sync();
  }
  asc_sync_wait(PIPE_V, PIPE_MTE2, 0);
}
"""
LOAD, COMPUTE, STORE = 10, 20, 30
ORIGINS = {5: LOAD, 8: COMPUTE, 12: STORE}


def test_what_each_of_them_guards() -> None:
    lines = listing(SOURCE, ORIGINS, DIALECT, without_origin(SOURCE, ORIGINS, DIALECT))
    found = [(x.sync.kind, x.guards) for x in lines if x.inserted and x.sync]
    assert found == [
        (Kind.SET, LOAD),  # nothing was computed yet: it lets the first load pass
        (Kind.WAIT, LOAD),
        (Kind.SET, LOAD),
        (Kind.WAIT, COMPUTE),
        (Kind.SET, COMPUTE),
        (Kind.BARRIER, LOAD),  # of the next round
        (Kind.LOCK, STORE),
        (Kind.UNLOCK, STORE),
        (Kind.BARRIER, LOAD),
        (Kind.WAIT, COMPUTE),  # nothing is loaded any more: it sees the last computation end
    ]


TWO_BUFFERS = """\
void k() {
  asc_sync_notify(PIPE_V, PIPE_MTE2, static_cast<event_t>(0));
  asc_sync_notify(PIPE_V, PIPE_MTE2, static_cast<event_t>(5));
  for (int w = 0; w < 4; ++w) {
    asc_sync_wait(PIPE_V, PIPE_MTE2, static_cast<event_t>((w & 1)));
    asc_copy_gm2ub_align(a, x);
    asc_sync_wait(PIPE_V, PIPE_MTE2, static_cast<event_t>(5));
    asc_copy_gm2ub_align(b, x);
    asc_vf_call<f>(a);
    asc_sync_notify(PIPE_V, PIPE_MTE2, static_cast<event_t>((w & 1)));
    asc_vf_call<g>(b);
    asc_sync_notify(PIPE_V, PIPE_MTE2, static_cast<event_t>(5));
  }
  asc_sync_wait(PIPE_V, PIPE_MTE2, static_cast<event_t>(0));
  asc_sync_wait(PIPE_V, PIPE_MTE2, static_cast<event_t>(5));
}
"""


def test_the_event_id_tells_whose_first_and_last_flags_they_are() -> None:
    origins = {6: 100, 8: 200, 9: 101, 11: 201}
    inserted = without_origin(TWO_BUFFERS, origins, DIALECT)
    lines = {x.number: x.guards for x in listing(TWO_BUFFERS, origins, DIALECT, inserted)}
    assert (lines[2], lines[3]) == (100, 200)
    assert (lines[14], lines[15]) == (101, 201)


def test_a_line_with_an_origin_was_written_and_not_inserted() -> None:
    origins = ORIGINS | {6: 11, 7: 12}
    lines = listing(SOURCE, origins, DIALECT, without_origin(SOURCE, origins, DIALECT))
    assert [x.number for x in lines if x.sync and not x.inserted] == [6, 7]
    assert lines[5].origin == 11


SPECS: list[tuple[Spec, dict[str, str]]] = [
    (
        ElementwiseSpec(
            name="sum_of",
            shape=(100_003,),
            inputs={"x": "float16", "y": "float16"},  # type: ignore[arg-type]
            output={"z": "float16"},  # type: ignore[arg-type]
            body="x + y",
            tile=128,
        ),
        {"MTE2_V": "T.copy(y", "V_MTE3": "with T.SimtVF(", "MTE3_V": "T.copy(z_ub"},
    ),
    (
        GemmSpec(name="product", m=300, n=260, k=210, a="float16", b="float16", c="float16"),  # type: ignore[arg-type]
        {"MTE2_MTE1": "T.copy(", "M_FIX": "T.gemm(", "MTE1_MTE2": "T.gemm("},
    ),
    (
        NormSpec(name="rms", norm="rms", rows=999, cols=100, dtype="float32", weight=True),  # type: ignore[arg-type]
        {"V_MTE3": "with T.SimtVF(", "MTE2_V": "T.copy(x"},
    ),
]


@pytest.mark.parametrize(("spec", "sets"), SPECS, ids=lambda v: getattr(v, "name", ""))
def test_of_rendered_kernels(spec: Spec, sets: dict[str, str], session: Session) -> None:
    kernel = lower_spec(spec, Form.M)
    inserted = [x for x in kernel.lines if x.inserted]
    assert inserted
    assert all(x.guards and not x.origin for x in inserted)
    for key, statement in sets.items():
        last = [x for x in inserted if x.sync and (x.sync.kind, x.sync.key) == (Kind.SET, key)][-1]
        assert kernel.statement(last.guards).startswith(statement)
    for line in kernel.lines:
        assert ("asc_sync" in line.text) == line.inserted


@pytest.mark.usefixtures("session")
def test_flags_of_two_cores_are_tied_to_the_statement_on_the_other_side() -> None:
    kernel = lower_file(CORPUS / "epilogue_rows_halved.py", RunOptions())
    cross = [x for x in kernel.lines if "asc_sync_intra" in x.text]
    assert cross
    statements = {kernel.statement(x.guards).partition("(")[0] for x in cross}
    assert statements == {"T.dual_copy", "with T.SimtVF"}


@pytest.mark.usefixtures("session")
def test_what_is_written_by_hand_is_not_marked() -> None:
    kernel = lower_file(CORPUS / "mixed_manual.py", RunOptions())
    assert not [
        x for x in kernel.lines if x.inserted and x.sync and x.sync.kind is not Kind.THREADS
    ]
    assert [x for x in kernel.lines if x.sync and not x.inserted]


# ---- passes ----------------------------------------------------------------------------------------------------------


def test_the_passes_change_nothing_in_what_comes_out(session: Session, tmp_path: Path) -> None:
    decided = plan(SPECS[0][0])
    file = render(decided).kernel("m_tree")
    assert file is not None
    request = Request("m_tree.py", file.text, inputs_of(decided))
    plain = lower(request, session=session, folder=tmp_path)
    watched = lower(
        Request("m_tree.py", file.text, inputs_of(decided), with_passes=True),
        session=session,
        folder=tmp_path,
    )
    assert (watched.source, watched.lines) == (plain.source, plain.lines)
    assert plain.passes == ()
    names = [name for name, _, _ in watched.passes]
    assert "tl.InsertSync" in names
    for name, before, after in watched.passes:
        assert before != after, name
    before, after = next((b, a) for n, b, a in watched.passes if n == "tl.InsertSync")
    assert "ascend_set_flag" not in before
    assert "ascend_set_flag" in after


@pytest.mark.usefixtures("session")
def test_statements_over_several_lines_are_one() -> None:
    spec = load("gemm")
    kernel: LoweredKernel = lower_spec(spec, Form.M)
    copies = {kernel.statement(x.guards) for x in kernel.lines if x.guards}
    assert any(c.startswith("T.copy( B[") and c.endswith(")") for c in copies)
