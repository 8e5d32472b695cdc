"""``gen scorecard`` counts what it is told to count, and writes what it says."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from gen.cli.scorecard import MutantOptions, print_scorecard
from gen.score import scorecard
from tests.cli.test_cli_run import KERNEL, RACE

pytestmark = pytest.mark.skipif(not shutil.which("g++"), reason="needs g++")

README = "Before.\n\n<!-- scorecard: written by `gen scorecard --write` -->\nold\n<!-- end of scorecard -->\n\nAfter.\n"


@pytest.fixture
def corpus(tmp_path):
    """A corpus of four kernels: rightly clean, rightly not, one that hides its fault, one that accuses."""
    folder = tmp_path / "corpus" / "ascendc"
    folder.mkdir(parents=True)
    marked = RACE.replace("gx, 64);", "gx, 64); // @load").replace(
        "a, 64);\n}", "a, 64); // @store\n}"
    )
    fault = "// expect: race-raw MTE2→MTE3 @load @store\n"
    files = {
        "right_clean.asc": "// expect: clean\n// expect auto_sync=off: clean\n" + KERNEL,
        "right_race.asc": fault + marked,
        "missed.asc": "// expect: race-raw MTE2→MTE3\n" + KERNEL,
        "accused.asc": "// expect: clean\n" + RACE,
    }
    for name, text in files.items():
        (folder / name).write_text(text.replace("@@", ""))
    return folder.parent


def score(gen, corpus: Path, *more: str, mutants: str = "none", **variables):
    return gen("scorecard", "--corpus", corpus, "--mutants", mutants, *more, **variables)


def test_the_four_ways_to_be_right_or_wrong(gen, corpus):
    result = score(
        gen,
        corpus,
        "--json",
    )
    assert result.status == 1, result.err
    card = json.loads(result.out)
    kernels = card["total"]["kernels"]
    assert (kernels["tp"], kernels["fp"], kernels["fn"], kernels["tn"]) == (1, 1, 1, 2)
    assert (kernels["recall"], kernels["precision"]) == (0.5, 0.5)
    pairs = card["total"]["pairs"]
    assert (pairs["tp"], pairs["fp"], pairs["fn"]) == (1, 1, 1)
    assert card["total"]["support"] == 1.0
    profiles = {(p["profile"], p["asked"]) for p in card["by_profile"]}
    assert profiles == {("910b", 4), ("910b,auto_sync=off", 1)}
    differing = {Path(r["path"]).name for r in card["records"] if r["differences"]}
    assert differing == {"missed.asc", "accused.asc"}


def test_a_kernel_that_is_not_judged_counts_against_support(gen, corpus):
    path = corpus / "ascendc" / "right_clean.asc"
    path.write_text(path.read_text().replace("WaitFlag", "NoSuchCall(a);\n    WaitFlag"))
    card = json.loads(
        score(
            gen,
            corpus,
            "--json",
        ).out
    )
    assert card["total"]["judged"] == card["total"]["asked"] - 2
    assert card["total"]["kernels"]["tn"] == 0


def test_a_second_run_judges_nothing_anew(gen, corpus, tmp_path):
    first = score(
        gen,
        corpus,
        "--json",
    )
    second = score(gen, corpus, "--json", CXX="/nonexistent/c++")
    assert json.loads(second.out) == json.loads(first.out)


def test_a_missing_compiler_is_no_score(gen, corpus, tmp_path):
    cache = str(tmp_path / "empty")
    result = score(
        gen,
        corpus,
        CROSSTREE_CACHE=cache,
        CXX="/nonexistent/c++",
    )
    assert result.status == 1
    assert "it is not run" in result.out


def test_what_is_written(gen, corpus, tmp_path, monkeypatch):
    (tmp_path / "README.md").write_text(README)
    (tmp_path / "docs").mkdir()
    score(gen, corpus, "--write", cwd=tmp_path)
    readme = (tmp_path / "README.md").read_text()
    assert readme.startswith("Before.\n\n<!-- scorecard")
    assert readme.endswith("<!-- end of scorecard -->\n\nAfter.\n")
    assert "old" not in readme
    assert (
        "| **all** | 5 | 1 | 1 | 1 | 2 | 0.500 | 0.500 | 1 | 1 | 1 | 0.500 | 0.500 | 1.000 |"
        in readme
    )
    document = (tmp_path / "docs" / "scorecard.md").read_text()
    assert "| Ascend C, 910b,auto_sync=off | 1 |" in document
    assert "missed.asc` (910b): missing: race-raw MTE2→MTE3" in document


def test_a_readme_without_a_place_for_it(gen, corpus, tmp_path):
    (tmp_path / "README.md").write_text("Nothing.\n")
    result = score(gen, corpus, "--write", cwd=tmp_path)
    assert result.status == 2
    assert "error[E302]" in result.err
    assert (tmp_path / "README.md").read_text() == "Nothing.\n"
    assert not (tmp_path / "docs").exists()


def test_all_mistakes_of_a_corpus_at_once(gen, corpus):
    for name in ("missed.asc", "accused.asc"):
        path = corpus / "ascendc" / name
        path.write_text(path.read_text().replace("// expect: ", "// expect: x"))
    result = score(gen, corpus)
    assert result.status == 2
    assert result.err.count("error[E144]") == 2


def test_no_corpus(gen, tmp_path):
    result = score(gen, tmp_path)
    assert result.status == 2
    assert "error[E101]" in result.err


def test_the_mutants_of_clean_kernels(gen, corpus, tmp_path):
    result = score(gen, corpus, "--json", mutants="all", cwd=tmp_path)
    mutants = json.loads(result.out)["mutants"]
    assert (mutants["kernels"], mutants["left_out"]) == (
        1,
        0,
    )  # the one that is clean, and is to be
    killed = sum(row["killed"] for row in mutants["rows"])
    assert 0 < killed <= mutants["run"]
    delete = next(row for row in mutants["rows"] if row["operator"] == "delete")
    assert (delete["killed"], delete["survived"], delete["rate"]) == (2, 0, 1.0)


def test_a_number_of_mutants_that_is_none(gen, corpus):
    result = score(gen, corpus, mutants="few")
    assert result.status == 2
    assert "error[E140]" in result.err


def test_an_interrupt_loses_no_verdict(corpus, monkeypatch, capsys):
    judged = []
    record = scorecard._record

    def interrupted(*case):
        if judged:
            raise KeyboardInterrupt
        judged.append(record(*case))
        return judged[0]

    monkeypatch.setattr(scorecard, "_record", interrupted)
    with pytest.raises(KeyboardInterrupt):
        print_scorecard(corpus, MutantOptions(wanted=False), write=False, as_json=True)
    assert "the same command goes on from here" in capsys.readouterr().err
    monkeypatch.setattr(scorecard, "_record", record)
    monkeypatch.setattr(scorecard, "judge", lambda file, key, expectation: pytest.fail(str(file)))
    case = next(c for c in scorecard._cases(corpus) if str(c[0].path) == judged[0].path)
    assert scorecard._record(*case) == judged[0]
