"""The checks of the exercises are themselves tested: with answers known to be right
and with answers known to be wrong, among them the known mistakes themselves.
"""

from __future__ import annotations

import pytest
from known import (
    RIGHT,
    SEEDS,
    TASKS,
    WRONG,
    accepted,
    judge,
    load,
    mistakes,
    solution,
    wrong,
)


def each(answers) -> list:
    """Return pytest parameters: what answers(task) lists, for each task."""
    return [
        pytest.param(name, *row, id=f"{name}-{getattr(row[-1], '__name__', row[0])}")
        for name in TASKS
        for row in answers(name)
    ]


# Right answers pass, however they are written


@pytest.mark.parametrize("name", TASKS)
def test_the_model_solution_passes(name):
    answer = load(solution(name), name)
    assert [judge(name, answer, seed) for seed in SEEDS] == [None] * len(SEEDS)


@pytest.mark.parametrize(
    ("name", "answer"), each(lambda name: [(f,) for f in RIGHT[name]])
)
def test_another_right_answer_passes(name, answer):
    assert [judge(name, answer, seed) for seed in SEEDS] == [None] * len(SEEDS)


# Wrong answers fail, and are told why


@pytest.mark.parametrize(("name", "mistake", "answer"), each(mistakes))
def test_a_known_mistake_fails_and_is_told_its_own_sentence(name, mistake, answer):
    # That seed 1 is not accepted either is seen below.
    assert not any(accepted(name, answer, seed) for seed in SEEDS if seed != 1)
    known = next(m for m in TASKS[name].mistakes if m.name == mistake)
    for seed in (1, 11):
        problem = judge(name, answer, seed)
        assert problem.mistake == mistake
        assert known.en in str(problem) and known.zh in str(problem)


@pytest.mark.parametrize(("name", "mistake", "answer"), each(wrong))
def test_another_wrong_answer_fails_and_its_mistake_is_named(name, mistake, answer):
    for seed in SEEDS[:2]:
        problem = judge(name, answer, seed)
        assert problem is not None
        # "" stands for mistakes that have no sentence: there any explanation may come.
        assert problem.mistake == mistake or mistake == ""


def test_all_known_answers_belong_to_a_task():
    assert RIGHT.keys() == TASKS.keys() and WRONG.keys() <= TASKS.keys()


@pytest.mark.parametrize("name", TASKS)
def test_there_are_enough_known_answers(name):
    assert len(RIGHT[name]) >= 3
    named = {answer for mistake, answer in mistakes(name) + wrong(name) if mistake}
    assert len(named) >= 8


@pytest.mark.parametrize("name", TASKS)
def test_nine_in_ten_wrong_answers_have_a_mistake_with_a_name(name):
    tried = mistakes(name) + wrong(name)
    assert sum(bool(mistake) for mistake, _ in tried) >= 0.9 * len(tried)


def test_every_sentence_is_there_in_both_languages():
    for task in TASKS.values():
        for text in [*task.checks, *task.mistakes]:
            assert text.en.isprintable() and text.zh.isprintable()
            assert any("\u4e00" <= letter <= "\u9fff" for letter in text.zh), text.zh
            assert text.en.count(" ") >= 1
        names = [mistake.name for mistake in task.mistakes]
        assert len(set(names)) == len(names)
