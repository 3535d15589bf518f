"""What a student sees of a check, what it bears, and that every task has its cells."""

from __future__ import annotations

import array
import collections
import copy
import html
import itertools
import json
import logging
import re
import shutil
import sys
import tomllib
import warnings
from fractions import Fraction

import numpy as np
import pytest
import torch
from known import NUMBERS, RIGHT, TASKS, cells, fingerprint, judge, load, solution

from course_grading import pages, written
from course_grading.classroom import Classroom
from course_lib.grading import check, checks, library

COURSE = library.ASSIGNMENTS.parents[1]


def test_an_answer_that_leaves_python_fails_and_the_checks_go_on():
    problem = judge("06.char_ids", lambda word: sys.exit())
    assert "SystemExit" in str(problem)


def test_a_variable_called_check_does_no_harm():
    # The student's code may use the name; each test cell imports its own.
    for number in NUMBERS:
        for cell in cells(number):
            if cell.role == "test":
                assert cell.text.startswith("from course_lib.grading import check")


# What a student sees


def test_the_stub_is_not_an_error_but_unfinished_work():
    def char_ids(word):
        raise NotImplementedError

    with pytest.raises(checks.WrongAnswer, match="not written yet"):
        check("06.char_ids", char_ids)
    assert "还没有写" in str(judge("06.char_ids", char_ids))


def test_a_message_has_the_hint_in_both_languages_the_call_and_the_difference(capsys):
    with pytest.raises(AssertionError) as caught:
        check("00.error_reduction", lambda old, new: new - old)
    message = str(caught.value)
    assert "difference in points" in message and "百分点" in message
    assert "error_reduction(88.0, 88.7)" in message
    assert "returned / 返回: 0.7; expected / 应为: 5.8333333" in message
    shown = capsys.readouterr().out
    assert "✗ the example" in shown


def test_an_exception_keeps_its_place_in_the_students_code():
    with pytest.raises(checks.WrongAnswer, match="ZeroDivisionError") as caught:
        check("00.error_reduction", lambda old, new: 1 / 0)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_a_mistake_is_not_blamed_for_an_exception_where_all_numbers_are_right():
    task = checks.Task("00.error_reduction")
    task.mistake("None of this.", "都不是。")(lambda old, new: new - old)
    assert task.diagnose([]) is None
    assert task.diagnose([((1, 3), np.array(2.0), np.array(2.0))]) is None
    blamed = task.diagnose([((1, 3), np.array(200.0), np.array(2.0))])
    assert blamed is task.mistakes[0]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (None, "is there a `return`"),
        ("5.8", "numbers are expected"),
        ({"a": 1}, "numbers are expected"),
        ([5.8], r"shape / 形状: \(1,\); expected / 应为: \(\)"),
    ],
)
def test_an_output_of_the_wrong_kind_is_described(value, message):
    with pytest.raises(checks.WrongAnswer, match=message):
        check("00.error_reduction", lambda old, new: value)


@pytest.mark.parametrize(
    "value",
    [
        [torch.tensor(1.0), torch.tensor(2.0)],
        [torch.tensor(1.0, requires_grad=True), 2],
        (torch.tensor(1.0, dtype=torch.bfloat16), torch.tensor(2)),
        collections.deque([1, 2]),
        array.array("d", [1, 2]),
        [Fraction(1), Fraction(4, 2)],
    ],
    ids=lambda value: type(value).__name__,
)
def test_numbers_are_numbers_in_whatever_they_come(value):
    assert checks.plain(value).tolist() == [1, 2]


def test_prints_warnings_and_logs_cost_nothing(capfd):
    right = load(solution("06.perplexity"), "06.perplexity")
    old_stderr = logging.StreamHandler(sys.stderr)
    logging.getLogger("student").addHandler(old_stderr)

    def talkative(batches):
        print("batches:", len(batches))
        print("progress", file=sys.stderr)
        warnings.warn("deprecated", stacklevel=1)
        logging.getLogger("student").warning("strange")
        return right(batches)

    check("06.perplexity", talkative, hidden=True)
    logging.getLogger("student").removeHandler(old_stderr)
    spoken = capfd.readouterr()
    assert spoken.err == ""  # nbgrader gives 0 points for a line on stderr
    assert "batches: 2" in spoken.out and "progress" in spoken.out


def test_settings_of_the_student_do_not_disturb_the_checks():
    before = torch.get_default_dtype(), torch.random.get_rng_state()
    with warnings.catch_warnings(), np.errstate(all="raise"):
        warnings.simplefilter("error")
        torch.set_default_dtype(torch.float64)
        try:
            for name in ("06.two_directions", "06.perplexity", "06.nearest_sense"):
                assert judge(name, load(solution(name), name)) is None
        finally:
            torch.set_default_dtype(before[0])
    judge("06.two_directions", RIGHT["06.two_directions"][0])
    assert torch.equal(torch.random.get_rng_state(), before[1])  # nor the reverse


def test_an_answer_may_change_its_inputs():
    right = load(solution("06.nearest_sense"), "06.nearest_sense")

    def untidy(vectors, senses):
        found = right(vectors, senses)
        vectors[:] = 0
        senses.clear()
        return found

    assert judge("06.nearest_sense", untidy) is None


# Fixed inputs for students, fresh ones for marks


def inputs_seen(name: str, **options) -> list[str]:
    right, seen = load(solution(name), name), []

    def spy(*inputs):
        seen.append(fingerprint(copy.deepcopy(inputs)))
        return right(*inputs)

    with checks.captured_output():
        check(name, spy, **options)
    return seen


def test_visible_inputs_are_fixed_and_hidden_ones_fresh(capsys):
    name = "06.perplexity"
    visible = inputs_seen(name)
    assert visible == inputs_seen(name)
    hidden = inputs_seen(name, hidden=True)
    assert hidden != inputs_seen(name, hidden=True)
    assert inputs_seen(name, hidden=True, seed=7) == inputs_seen(
        name, hidden=True, seed=7
    )
    assert len(hidden) > len(visible)


def test_a_hidden_failure_names_the_seed_that_repeats_it():
    name = "06.perplexity"
    with pytest.raises(checks.WrongAnswer) as caught:
        check(name, lambda batches: 1.0, hidden=True)
    seed = int(str(caught.value).split("seed=")[1].split(")")[0])
    with pytest.raises(checks.WrongAnswer) as again:
        check(name, lambda batches: 1.0, hidden=True, seed=seed)
    assert str(again.value) == str(caught.value)


def test_an_unknown_task_is_named():
    for name in ("06.charids", "99.none", ""):
        with pytest.raises(ValueError, match=f"no task '{name}'"):
            check(name, print)


# The assignments and the tasks belong together


@pytest.mark.parametrize("number", NUMBERS)
def test_every_task_has_its_cells(number):
    by_key = {cell.key: cell for cell in cells(number) if cell.kind == "code"}
    names = [name for name in TASKS if name.startswith(number)]
    tests = {key for key, cell in by_key.items() if cell.role == "test"}
    assert tests == {f"test_{name[3:]}" for name in names}
    for name in names:
        call = f'check("{name}", {name[3:]}'
        text = by_key[f"test_{name[3:]}"].text
        assert text.count(call) == 2 and text.count("hidden=True") == 1
        assert by_key[name[3:]].role == "answer"


@pytest.mark.parametrize("number", NUMBERS)
def test_a_written_answer_has_a_rubric_that_adds_up(number):
    prose = {(c.key, c.language): c for c in cells(number) if c.kind == "markdown"}
    written = [c for c in prose.values() if c.role == "written" and c.language == "en"]
    assert written
    for cell in written:
        topic = cell.key.removesuffix("-answer")
        for language, point in (("en", "** (1)"), ("zh", "**（1 分）")):
            question = prose[f"{topic}-question", language].text
            assert question.count(point) == cell.options["points"]


ASKING = {  # assignments by their written questions, in the notebook's order
    path.parent.name: found
    for path in sorted(library.ASSIGNMENTS.glob("*/notebook.py"))
    if (
        found := re.findall(
            r'key="(\S+)" lang="en" role="written"', path.read_text(encoding="utf-8")
        )
    )
}
NO_SAMPLES = "# No samples: "  # how a samples.toml begins that has a reason for it


@pytest.mark.parametrize("name", ASKING)
def test_the_courses_samples_fit_their_rubric(name):
    """Three for each question, of three worths; a mark for each point of its rubric."""
    path = library.ASSIGNMENTS / name / "samples.toml"
    assert path.exists(), f"{name} asks for a written answer: give it three samples"
    text = path.read_text(encoding="utf-8")
    if len(text.removeprefix(NO_SAMPLES)) < len(text):
        assert re.match(r"\w+ \w+", text.removeprefix(NO_SAMPLES))
        pytest.skip(text.strip())
    cells = json.loads(
        (COURSE / f"exercises/{name}/{name}.ipynb").read_text(encoding="utf-8")
    )["cells"]
    sources = {cell["id"]: "".join(cell["source"]) for cell in cells}
    found = tomllib.loads(text)
    assert list(found) == ASKING[name]
    for cell, samples in found.items():
        question = sources[cell.replace("-answer", "-question")]
        for language in pages.LANGUAGES:
            half = pages.half(question, language)
            points = re.findall(r"(?m)^\d+\. \*\*.*?[(（](\d)", half)
            for sample in samples:
                assert len(sample["marks"]) == len(points), (cell, points)
                for mark, most in zip(sample["marks"], points, strict=True):
                    assert 0 <= mark <= int(most)
        sums = [sum(sample["marks"]) for sample in samples]
        assert len(set(sums)) == 3 == len(samples)


@pytest.mark.parametrize("name", ASKING)
def test_the_courses_samples_stand_on_the_page_to_mark_by(name, tmp_path, monkeypatch):
    """Each text and comment of a language, of every question of an assignment."""
    monkeypatch.setattr(written.gradebook, "submissions", lambda *_: {"id": ("", "")})
    for folder in ("exercises", "solutions"):
        shutil.copytree(COURSE / folder / name, tmp_path / folder / name)
    listed = written.samples(Classroom(tmp_path), name)
    made = written.write(Classroom(tmp_path), name)
    for language, path in zip(pages.LANGUAGES, made, strict=True):
        page = html.unescape(path.read_text(encoding="utf-8"))
        assert page.count('<div class="sample">') == sum(map(len, listed.values()))
        for sample in itertools.chain(*listed.values()):
            text = written.flowing(sample[language])
            for shown in filter(None, [text, *sample[f"comments_{language}"]]):
                assert shown in page
