"""The rates of a score, and where they are written."""

from __future__ import annotations

from pathlib import Path

import pytest

from gen.plan import Tree
from gen.score.kills import KillRow, Kills, Subject, sampled
from gen.score.record import Record
from gen.score.scorecard import Scorecard
from gen.score.tally import Tally
from gen.show.scorecard import BEGIN, END, document, with_table

ROOT = Path(__file__).parents[2]


def record(outcome: str, *, faulty: bool, expected: str = "judged", **more) -> Record:
    fields = {"path": "k.asc", "tree": "ascendc", "profile": "910b", "case": "K01"}
    fields |= {"expected": expected, "is_faulty": faulty, "outcome": outcome, "differences": ()}
    return Record(**{**fields, **more})


RECORDS = (
    *[record("findings", faulty=True, tp=2)] * 6,
    *[record("clean", faulty=True, fn=3, differences=("missing",))] * 2,
    *[record("findings", faulty=False, fp=1, differences=("accused",))],
    *[record("clean", faulty=False)] * 9,
    record("unsupported", faulty=True, differences=("not judged",)),
    record("failed", faulty=False, differences=("crashed",), profile="950"),
    record("failed", faulty=False, expected="rejected"),
)


def test_kernels_and_pairs_are_counted_apart():
    tally = Tally.of(RECORDS)
    kernels, pairs = tally.kernels, tally.pairs
    assert (kernels.tp, kernels.fp, kernels.fn, kernels.tn) == (6, 1, 2, 9)
    assert (kernels.recall, kernels.precision) == (6 / 8, 6 / 7)
    assert (pairs.tp, pairs.fp, pairs.fn) == (12, 1, 6)
    assert (pairs.recall, pairs.precision) == (12 / 18, 12 / 13)


def test_what_is_not_judged_lowers_support_and_nothing_else():
    tally = Tally.of(RECORDS)
    assert (tally.asked, tally.judged, tally.refused, tally.differing) == (20, 18, 1, 5)
    assert tally.support == 18 / 20


def test_nothing_has_no_rates():
    tally = Tally.of(())
    assert (tally.kernels.recall, tally.kernels.precision, tally.support) == (None, None, None)


def test_equivalent_mutants_do_not_count_and_unsupported_ones_do():
    assert (
        KillRow("a_tree", "delete", killed=9, survived=0, equivalent=5, unsupported=1).rate == 0.9
    )
    assert KillRow("a_tree", "delete", killed=0, survived=0, equivalent=5).rate is None


def test_the_sample_of_kernels_stays_the_same():
    subjects = [Subject(tree, f"{tree}/{i}", "") for tree in Tree for i in range(50)]
    chosen = sampled(subjects, 7)
    assert [s.tree for s in chosen] == [tree for tree in Tree for _ in range(7)]
    assert sampled(subjects[::-1], 7) == chosen[::-1]
    assert sampled(subjects, None) == tuple(subjects)


def test_a_score_by_profile_and_as_documents():
    card = Scorecard(
        RECORDS, Kills((KillRow("ascendc", "delete", 3, 1, 2),), 2, 6, 0, ("k, line 3",))
    )
    assert list(card.by_profile()) == [("ascendc", "910b"), ("ascendc", "950")]
    text = document(card, Path("tests/corpus"))
    assert "| Ascend C, 950 | 1 | 0 | 0 | 0 | 0 | - | - | 0 | 0 | 0 | - | - | 0.000 |" in text
    assert "| Ascend C | delete | 3 | 1 | 2 | 0 | 0.750 |" in text
    assert "- k, line 3" in text
    assert text.count("k.asc` (910b)") == 4


def test_the_readme_has_its_place():
    readme = (ROOT / "README.md").read_text("utf-8")
    made = with_table(readme, Scorecard(RECORDS))
    assert made.partition(BEGIN)[0] == readme.partition(BEGIN)[0]
    assert made.partition(END)[2] == readme.partition(END)[2]
    assert with_table(made, Scorecard(RECORDS)) == made
    with pytest.raises(ValueError, match="no place"):
        with_table("nothing", Scorecard(RECORDS))
