"""The checks of the exercises are themselves tested: with answers known to be right
and with answers known to be wrong.
"""

from __future__ import annotations

import pytest
from known import RIGHT, SEEDS, TASKS, WRONG, judge, load, solution


def each(table: dict) -> list:
    """Return pytest parameters, one for each answer of a table."""
    return [
        pytest.param(name, *row, id=f"{name}-{row[-1].__name__}")
        for name, rows in table.items()
        for row in rows
    ]


# Right answers pass, however they are written


@pytest.mark.parametrize("name", TASKS)
def test_the_model_solution_passes(name):
    answer = load(solution(name), name)
    assert [judge(name, answer, seed) for seed in SEEDS] == [None] * len(SEEDS)


@pytest.mark.parametrize(
    ("name", "answer"), each({name: [(f,) for f in fs] for name, fs in RIGHT.items()})
)
def test_another_right_answer_passes(name, answer):
    assert [judge(name, answer, seed) for seed in SEEDS] == [None] * len(SEEDS)


# Wrong answers fail, and are told why


@pytest.mark.parametrize(
    ("name", "mistake", "answer"),
    each({n: [(m, f) for m, fs in w.items() for f in fs] for n, w in WRONG.items()}),
)
def test_a_wrong_answer_fails_and_its_mistake_is_named(name, mistake, answer):
    for seed in SEEDS[:2]:
        problem = judge(name, answer, seed)
        assert problem is not None
        # "" stands for mistakes that have no sentence: there any explanation may come.
        assert problem.mistake == mistake or mistake == ""


@pytest.mark.parametrize(
    ("name", "mistake"), [(n, m) for n, task in TASKS.items() for m in task.mistakes]
)
def test_a_known_mistake_is_recognised_and_explained(name, mistake):
    problem = judge(name, mistake.answer, seed=11)
    assert problem is not None
    assert problem.mistake == mistake.name
    assert mistake.en in str(problem) and mistake.zh in str(problem)


def test_there_are_enough_known_answers():
    for name in TASKS:
        assert len(RIGHT[name]) >= 3
        assert sum(map(len, WRONG[name].values())) >= 8
        assert sum(map(len, WRONG[name].values())) - len(WRONG[name].get("", [])) >= 8


@pytest.mark.parametrize("name", TASKS)
def test_nine_in_ten_wrong_answers_have_a_mistake_with_a_name(name):
    answers = [mistake for mistake, fs in WRONG[name].items() for _ in fs]
    assert sum(map(bool, answers)) >= 0.9 * len(answers)


def test_every_sentence_is_there_in_both_languages():
    for task in TASKS.values():
        for text in [*task.checks, *task.mistakes]:
            assert text.en.isprintable() and text.zh.isprintable()
            assert any("\u4e00" <= letter <= "\u9fff" for letter in text.zh), text.zh
            assert text.en.count(" ") >= 1
        names = [mistake.name for mistake in task.mistakes]
        assert len(set(names)) == len(names)
