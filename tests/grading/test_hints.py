"""Hints: three steps a task, in two languages, and only as many as one asks for."""

from __future__ import annotations

import re

import pytest
from known import NUMBERS, TASKS

from course_lib.grading import check, checks, hint, hints, library


@pytest.fixture(autouse=True)
def nobody_asked_yet(monkeypatch):
    monkeypatch.setattr(hints, "LADDER", ladder := hints.Ladder())
    monkeypatch.setattr(checks, "LADDER", ladder)


def tried(answer) -> None:
    with pytest.raises(checks.WrongAnswer):
        check("03.ratios", answer)


def something(X, i, j):
    return X[i] * 0 + 17


def stub(X, i, j):
    raise NotImplementedError


@pytest.mark.parametrize("name", TASKS)
def test_every_task_has_three_steps_in_both_languages(name):
    found = hints.steps(name)
    assert len(found) == 3
    for step in found:
        assert len(re.findall("[\u4e00-\u9fff]", step.zh)) > 8
        assert len(re.findall("[a-z]{2,} ", step.en)) > 5
    for lines in (step.en.splitlines() for step in found):
        assert all(len(line) <= 88 for line in lines)
    # The idea comes with an example: numbers, or at least one case.
    assert re.search(r"\d", found[2].en) and re.search(r"\d", found[2].zh)


@pytest.mark.parametrize("number", NUMBERS)
def test_there_are_no_hints_for_tasks_that_do_not_exist(number):
    assert library.table("hints", number).keys() <= set(TASKS)


@pytest.mark.parametrize("name", TASKS)
def test_both_languages_tell_the_same_numbers(name):
    def results(text: str) -> set[str]:  # those that one would compute
        return {n for n in re.findall(r"\d+\.\d+", text)}

    idea = hints.steps(name)[2]
    assert results(idea.en) == results(idea.zh)


def test_a_first_wrong_answer_gets_the_nudge_and_no_more(capsys):
    tried(something)
    shown = capsys.readouterr().out
    nudge, pointer, idea = hints.steps("03.ratios")
    assert nudge.en in shown and nudge.zh in shown and hints.MORE in shown
    assert pointer.en not in shown and idea.en not in shown
    tried(something)  # running it again gives nothing away
    shown = capsys.readouterr().out
    assert nudge.en not in shown and pointer.en not in shown and hints.MORE in shown


def test_hint_climbs_one_step_at_a_time_and_stays_at_the_top(capsys):
    tried(something)
    for step in (1, 2, 2):
        capsys.readouterr()
        hint()
        shown = capsys.readouterr().out
        assert f"Hint {step + 1} of 3" in shown
        assert hints.steps("03.ratios")[step].zh in shown


def test_a_mistake_that_is_named_stands_for_the_nudge(capsys):
    tried(lambda X, i, j: X[i] / X[i].sum() - X[j] / X[j].sum())
    shown = capsys.readouterr().out
    assert hints.steps("03.ratios")[0].en not in shown and hints.MORE in shown
    hint()
    assert hints.steps("03.ratios")[1].en in capsys.readouterr().out


def test_who_has_not_begun_gets_no_hint_unasked(capsys):
    tried(stub)
    shown = capsys.readouterr().out
    assert hints.steps("03.ratios")[0].en not in shown and hints.MORE in shown
    hint()
    assert hints.steps("03.ratios")[0].en in capsys.readouterr().out


def test_hints_of_each_task_are_climbed_apart(capsys):
    hint("03.ratios")
    hint("10.pool")
    hint("03.ratios")
    told = re.findall(r"Hint (\d) of 3", capsys.readouterr().out)
    assert told == ["1", "1", "2"]


def test_without_a_check_or_with_an_unknown_task_one_is_told_what_to_do(capsys):
    hint()
    hint("99.none")
    shown = capsys.readouterr().out
    assert "Run a check first" in shown and "no hints for 99.none" in shown


def test_a_right_answer_gets_no_hint(capsys):
    check("00.error_reduction", lambda old, new: 100 * (new - old) / (100 - old))
    assert "Hint" not in capsys.readouterr().out


def test_every_assignment_has_hint_at_hand():
    for path in library.ASSIGNMENTS.glob("*/notebook.py"):
        text = path.read_text(encoding="utf-8")
        assert "from course_lib.grading import hint" in text, path
        assert text.count("`hint()`") == 2, path  # explained in both languages
