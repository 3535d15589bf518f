"""The ledger keeps what was measured, seed by seed, and says what is not there."""

from __future__ import annotations

import functools
import math

import numpy as np
import pytest

import course_lib
from course_claims import ledger
from course_lib import data
from course_lib.analysis.statistics import t_interval
from course_lib.data import files

COIN = {"model": "coin", "condition": "fair", "metric": "heads"}


@pytest.fixture
def tossed(monkeypatch):
    """Put an experiment of our own in the table; returns the seeds that were run."""
    seeds = []

    def toss(seed: int, quick: bool = False) -> list[dict]:
        seeds.append(seed)
        if seed == 13:
            raise KeyboardInterrupt
        return [{**COIN, "value": seed / 4}]

    monkeypatch.setattr(ledger, "experiments", lambda: {"toss": toss})
    return seeds


def test_what_was_recorded_is_read_back(tossed, tmp_path):
    rows = ledger.record("toss", [2, 1], tmp_path)
    assert sorted(rows, key=lambda row: row["seed"]) == ledger.measured(
        "toss", tmp_path
    )
    assert ledger.measured("toss", tmp_path)[0] == {"seed": 1, **COIN, "value": 0.25}


def test_a_stopped_run_goes_on_where_it_stopped(tossed, tmp_path):
    with pytest.raises(KeyboardInterrupt):
        ledger.record("toss", [1, 2, 13], tmp_path)
    assert [row["seed"] for row in ledger.measured("toss", tmp_path)] == [1, 2]
    ledger.record("toss", [1, 2, 3], tmp_path)
    assert tossed == [1, 2, 13, 3]  # nothing was measured twice


@pytest.mark.parametrize(
    ("there", "n", "seeds"),
    [
        ([], 3, [1, 2, 3]),
        ([1, 2], 4, [1, 2, 3, 4]),
        ([2, 3], 2, [2, 3]),
        ([2, 3], 3, [2, 3, 4]),  # 1 was a pilot's: it is left out on purpose
        ([1, 2, 3], 2, [1, 2, 3]),
    ],
)
def test_seeds_are_added_after_those_that_are_there(tossed, tmp_path, there, n, seeds):
    if there:
        ledger.record("toss", there, tmp_path)
    assert ledger.topped_up("toss", n, tmp_path) == seeds


def test_what_is_not_there_is_named(tossed, tmp_path):
    with pytest.raises(FileNotFoundError, match="claims run toss"):
        ledger.measured("toss", tmp_path)
    with pytest.raises(KeyError, match="there are toss"):
        ledger.record("tos", [1], tmp_path)


def rows(model: str, values: list[float]) -> list[dict]:
    return [
        {**COIN, "model": model, "seed": seed, "value": value}
        for seed, value in enumerate(values)
    ]


def test_what_is_asked_in_chinese_is_kept_apart(monkeypatch, tmp_path):
    """Not what takes no language, nor what has a Chinese twin among the experiments."""

    def plain(seed, quick=False):
        return []

    def named(seed, quick=False, language="en"):
        return [{**COIN, "condition": language, "value": 1.0}]

    twins = {"both": named, "both_zh": functools.partial(named, language="zh")}
    table = {"plain": plain, "named": named, **twins}
    monkeypatch.setattr(ledger, "experiments", lambda: table)
    assert [*ledger.in_chinese()] == ["named"]
    ledger.record("named", [1], tmp_path)
    ledger.record("named", [1], tmp_path / "zh")
    (here,), (there,) = (ledger.measured("named", tmp_path / f) for f in ("", "zh"))
    assert (here["condition"], there["condition"]) == ("en", "zh")
    with pytest.raises(KeyError, match="named"):
        ledger.record("plain", [1], tmp_path / "zh")


def test_the_interval_over_seeds_is_student_s():
    """Student's own example: hours of sleep gained, n = 10 (1908; t = 2.262)."""
    gained = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
    found = t_interval(gained)
    half = 2.262 * np.std(gained, ddof=1) / math.sqrt(10)
    assert found.estimate == pytest.approx(2.33)
    assert found.low == pytest.approx(2.33 - half, abs=1e-3)
    assert found.high == pytest.approx(2.33 + half, abs=1e-3)
    summary = ledger.over_seeds(rows("drug", gained), "heads")
    assert summary == {("drug", "fair"): found}


def test_one_seed_has_no_interval():
    found = t_interval([0.5])
    assert found.estimate == 0.5
    assert math.isnan(found.low)


def test_a_gain_is_taken_within_each_seed():
    """Seeds differ by ten, the models by one: the gain is certain all the same."""
    both = rows("old", [0, 10, 20]) + rows("new", [1, 11, 21])
    gain = ledger.gain(both, "heads", new={"model": "new"}, old={"model": "old"})
    assert gain == (1, 1, 1)


def test_a_gain_needs_the_same_seeds_and_one_row_each():
    both = rows("old", [0, 10]) + rows("new", [1, 11, 21])
    with pytest.raises(ValueError, match="seeds"):
        ledger.gain(both, "heads", new={"model": "new"}, old={"model": "old"})
    with pytest.raises(ValueError, match="several rows"):
        ledger.gain(both + both, "heads", new={"model": "new"}, old={"model": "new"})


@pytest.mark.parametrize(
    "path",
    sorted([*ledger.FOLDER.glob("*.csv"), *ledger.CHINESE.glob("*.csv")]),
    ids=lambda p: f"{p.parent.name}-{p.stem}",
)
def test_what_the_repository_keeps_is_of_an_experiment_that_there_is(path):
    found = ledger.measured(path.stem, path.parent)
    assert path.stem in ledger.kept_in(path.parent)
    assert len({row["seed"] for row in found}) >= ledger.ENOUGH
    assert all(math.isfinite(row["value"]) for row in found)


@pytest.mark.parametrize(
    "path", sorted(ledger.AGAIN.glob("*.csv")), ids=lambda p: p.stem
)
def test_the_other_seeds_are_five_that_decided_nothing(path):
    first, again = ledger.measured(path.stem), ledger.measured(path.stem, ledger.AGAIN)
    assert {row["seed"] for row in again} == set(ledger.OTHERS)
    assert not {row["seed"] for row in first} & set(ledger.OTHERS)
    assert all(math.isfinite(row["value"]) for row in again)


def test_each_seed_keeps_where_it_came_from(tossed, tmp_path):
    ledger.record("toss", [1, 2], tmp_path)
    known = ledger.origins("toss", tmp_path)
    assert known.keys() == {"1", "2"}
    assert known["1"].keys() == {"code", "files", "seconds", "machine"}
    assert ledger.stale("toss", tmp_path) == []


def test_a_result_is_stale_when_code_or_a_checkpoint_has_changed(tossed, tmp_path):
    ledger.record("toss", [1, 2], tmp_path)
    origin = ledger.origins("toss", tmp_path)["2"]
    ledger.note_origin("toss", 2, {**origin, "code": "older"}, tmp_path)
    assert ledger.stale("toss", tmp_path) == ["code"]
    files = {"elmo-en": "another file's hash", "brown": "", "senses-zh": "older"}
    ledger.note_origin("toss", 2, {**origin, "files": files}, tmp_path)
    assert ledger.stale("toss", tmp_path) == ["elmo-en", "senses-zh"]
    (tmp_path / "toss.json").unlink()
    assert ledger.stale("toss", tmp_path) == ["unknown"]


def test_what_was_loaded_is_noted_with_the_hash_of_what_ships():
    data.senses("en")
    data.load("rivertown-en")
    noted = ledger.origin_of(lambda seed: [], 1.0)["files"]
    assert noted["rivertown-en"] == ""
    assert noted["senses-en"] == ledger.content(ledger.ships("senses-en")) != "gone"


def test_no_path_of_a_machine_is_noted():
    """A model that an experiment trained and kept is known by its code alone."""
    folder = str(ledger.ships("static-en").parent)
    before = dict(files.USED)
    course_lib.load(folder)
    assert files.USED.keys() - before.keys() <= {"static-en"}
    for path in ledger.FOLDER.glob("*.json"):
        assert '"/' not in path.read_text(encoding="utf-8"), path.name
