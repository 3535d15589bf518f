"""The commands: what they measure, and what they keep if something goes wrong."""

from __future__ import annotations

import contextlib
import functools
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from course_claims import commands, ledger
from course_claims.cards import all_cards

pytestmark = pytest.mark.whole

# An experiment that trains for half a minute, and says when it has begun.
SCRIPT = """
import signal
from pathlib import Path

import torch

from course_claims import commands, ledger
from course_lib.training.loop import train

signal.signal(signal.SIGINT, signal.default_int_handler)  # as in a terminal


class Square(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.ones(1))

    def forward(self, tokens, targets):
        return tokens, self.w**2


class Endless:
    unit = "tok"

    def __len__(self):
        return 10**9

    def at(self, step):
        if step % 100 == 5:
            Path("training").touch()
        return torch.ones(1, 1), torch.ones(1, 1)

    def pace(self, step):
        return 1.0


def slow(seed, quick=False):
    run = train(Square(), Endless(), minutes=0.5)
    return [{"model": "w", "condition": "", "metric": "steps", "value": run.step}]


commands.all_cards, ledger.experiments = dict, lambda: {"slow": slow, "next": slow}
ledger.FOLDER = Path("ledger")
if __name__ == "__main__":
    commands.run([], seeds=1, jobs=1)
"""


@pytest.fixture
def training(tmp_path):
    """Begin a run in a process group of its own; it is in the midst of a training.

    What it says is in a file: a pipe that nobody reads would be full, and stop it.
    """
    (tmp_path / "script.py").write_text(SCRIPT)
    command, said = [sys.executable, "script.py"], tmp_path / "said"
    with open(said, "w") as file:
        run = subprocess.Popen(
            command, cwd=tmp_path, stderr=file, start_new_session=True
        )
    try:
        while not (tmp_path / "training").exists():
            assert run.poll() is None, said.read_text()
            time.sleep(0.05)
        yield run
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(run.pid, signal.SIGKILL)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no process groups like these")
def test_ctrl_c_records_no_model_that_is_half_trained(training, tmp_path):
    """A terminal sends SIGINT to all processes, also to those that train."""
    os.killpg(training.pid, signal.SIGINT)
    training.wait(timeout=60)
    said = (tmp_path / "said").read_text()
    assert not list(tmp_path.glob("ledger/*"))
    assert said.strip().endswith("stopped; the same command goes on")
    assert "Traceback" not in said
    assert training.returncode == 1


@pytest.mark.skipif(os.name == "nt", reason="Windows has no process groups like these")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_a_run_that_is_killed_leaves_no_training_behind(training, tmp_path, how):
    """Only the run itself gets the signal; its worker would train for half a minute."""
    training.send_signal(how)
    training.wait(timeout=60)
    time.sleep(2)  # for the worker to notice
    last_step = (tmp_path / "training").stat().st_mtime_ns
    time.sleep(2)
    assert (tmp_path / "training").stat().st_mtime_ns == last_step
    assert not list(tmp_path.glob("ledger/*"))


def test_a_card_without_experiments_starts_nothing():
    fact = next(key for key, card in all_cards().items() if not card.experiments)
    with pytest.raises(SystemExit, match=f"nothing to measure for {fact}"):
        commands.experiments_of([fact])
    tested = next(key for key, card in all_cards().items() if card.experiments)
    assert commands.experiments_of([fact, tested]) == [*all_cards()[tested].experiments]
    assert commands.experiments_of([]) == sorted(ledger.experiments())


def test_in_chinese_a_card_starts_what_can_be_asked_so():
    """gpt-lstm reads any text; gamma's experiment is in both languages already."""
    assert commands.experiments_of(["gpt-lstm"], ledger.CHINESE) == ["gpt_lstm"]
    assert commands.experiments_of([], ledger.CHINESE) == sorted(ledger.in_chinese())
    with pytest.raises(SystemExit, match="nothing to measure for gamma"):
        commands.experiments_of(["gamma"], ledger.CHINESE)


def test_a_quick_run_finds_what_broke_since_the_last_one(tmp_path, monkeypatch):
    def toss(seed, quick=False):
        return [{"model": "m", "condition": "", "metric": "x", "value": 1 / good}]

    good = 1
    monkeypatch.setattr(ledger, "experiments", lambda: {"toss": toss})
    monkeypatch.setattr(commands, "QUICK", tmp_path)
    # In a thread of this process, for a new one takes seconds to start.
    thread = functools.partial(ThreadPoolExecutor, 1)
    monkeypatch.setattr(commands, "ProcessPoolExecutor", lambda *_, **__: thread())
    commands.run(["toss"], seeds=5, quick=True)
    assert len(ledger.measured("toss", tmp_path)) == 1
    good = 0
    with pytest.raises(SystemExit, match="no result of toss"):
        commands.run(["toss"], seeds=5, quick=True)
    assert not list(tmp_path.iterdir())


@pytest.fixture
def small_ledger(tmp_path, monkeypatch):
    """Seeds 2 to 6 of three experiments: a minute each, ten minutes, nobody knows."""
    kept = {"short": {"seconds": 60.0}, "long": {"seconds": 600.0}, "old": {}}
    row = {"model": "m", "condition": "", "metric": "x", "value": 1.0}
    for key, origin in kept.items():
        rows = [{"seed": seed, **row} for seed in range(2, 7)]
        ledger.write(rows, tmp_path / f"{key}.csv")
        for seed in range(2, 7):
            ledger.note_origin(key, seed, origin, tmp_path)
    monkeypatch.setattr(ledger, "FOLDER", tmp_path)
    monkeypatch.setattr(ledger, "AGAIN", tmp_path / "again")
    return [*kept]


def test_the_longest_begin_first_and_what_is_there_is_not_begun(small_ledger):
    missing = commands.to_measure(small_ledger, 6, ledger.FOLDER)
    assert [*missing.items()] == [("long", [7]), ("short", [7]), ("old", [7])]
    assert commands.to_measure(small_ledger, 5, ledger.FOLDER) == {}
    others = commands.to_measure(["short"], 5, ledger.AGAIN)
    assert others == {"short": [*ledger.OTHERS]}


def test_a_forecast_is_the_time_that_the_jobs_need_together(small_ledger):
    # 3 + 10 + 0 minutes of work; two workers cannot halve the one run of ten.
    missing = {"long": [7], "short": [7, 8, 9], "old": [7]}
    assert "5 seeds to measure: about 13 minutes" in commands.forecast(missing, jobs=1)
    assert "about 10 minutes" in commands.forecast(missing, jobs=2)
    assert "0 seeds" in commands.forecast({}, jobs=2)


def test_a_forecast_names_what_it_knows_no_time_of(small_ledger):
    assert "and what old takes" in commands.forecast({"long": [7], "old": [7]}, jobs=2)
    assert commands.forecast({"long": [7]}, jobs=2).endswith("2 at a time")


def test_a_report_that_fails_leaves_the_old_page(tmp_path, monkeypatch):
    (tmp_path / "claims_en.html").write_text("old")
    monkeypatch.setattr("course_claims.page.page", lambda *_: "\ud800")
    with pytest.raises(UnicodeEncodeError):
        commands.report(tmp_path)
    assert (tmp_path / "claims_en.html").read_text() == "old"
