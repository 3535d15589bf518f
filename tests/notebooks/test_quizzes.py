"""The quiz of each lesson: one right option a question, a reason for every option."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest
import sources

LESSONS = sorted((Path(__file__).resolve().parents[2] / "source/lessons").glob("*.py"))
EDITIONS = [(path, language) for path in LESSONS for language in ("en", "zh")]
# A reason begins by saying whether the option is right.
RIGHT = {"en": "Right. ", "zh": "对。"}
WRONG = {"en": "Not quite: ", "zh": "再想想："}
OPTION = re.compile(
    r"<details><summary>([A-D])\. (.+?)</summary>\n\n(.+?)\n\n</details>", re.DOTALL
)


class Option(NamedTuple):
    """A choice, and what a click on it shows."""

    letter: str
    text: str
    reason: str


def quiz(path: Path, language: str) -> list[tuple[str, list[Option]]]:
    """Return the questions of a lesson's quiz, each with its options."""
    found = [
        cell.text
        for cell in sources.read(path)
        if (cell.key, cell.language) == ("checkpoint", language)
    ]
    assert len(found) == 1, f"{path.stem} has {len(found)} quizzes in {language}"
    _, *parts = re.split(r"^\*\*\d\.\*\* ", found[0], flags=re.MULTILINE)
    return [
        (part.split("<details>")[0].strip(), [Option(*o) for o in OPTION.findall(part)])
        for part in parts
    ]


def places(path: Path, language: str) -> list[str]:
    """Return the letter of the right option of each question."""
    return [
        option.letter
        for _, options in quiz(path, language)
        for option in options
        if option.reason.startswith(RIGHT[language])
    ]


@pytest.fixture(params=EDITIONS, ids=lambda of: f"{of[0].stem}-{of[1]}")
def edition(request) -> tuple[Path, str]:
    """Return a lesson and a language."""
    return request.param


def test_there_are_three_to_five_questions_with_lettered_options(edition):
    questions = quiz(*edition)
    assert 3 <= len(questions) <= 5
    for question, options in questions:
        assert question
        assert "".join(o.letter for o in options) in ("ABC", "ABCD"), question


def test_one_option_is_right_and_all_others_say_why_they_are_not(edition):
    language = edition[1]
    for question, options in quiz(*edition):
        right = [o for o in options if o.reason.startswith(RIGHT[language])]
        wrong = [o for o in options if o.reason.startswith(WRONG[language])]
        assert len(right) == 1, question
        assert len(right) + len(wrong) == len(options), question


def test_every_reason_says_more_than_right_or_wrong(edition):
    language = edition[1]
    for _, options in quiz(*edition):
        for option in options:
            opening = max(RIGHT[language], WRONG[language], key=len)
            assert len(option.reason) > len(opening) + (12 if language == "en" else 4)


def test_no_markdown_is_left_in_an_option_that_only_knows_html(edition):
    """Between <summary> and </summary> Markdown and formulas are not rendered."""
    for _, options in quiz(*edition):
        for option in options:
            assert not re.search(r"[*`$]", option.text), option.text


def test_the_place_of_the_right_option_varies(edition):
    assert len(set(places(*edition))) > 1


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_place_is_a_good_guess(language):
    """Who always says B is right in half of all questions at most."""
    counts = Counter(p for path in LESSONS for p in places(path, language))
    assert max(counts.values()) <= sum(counts.values()) / 2


def test_the_quiz_stands_before_the_open_questions(edition):
    path, language = edition
    keys = [cell.key for cell in sources.read(path) if cell.language == language]
    assert keys.index("checkpoint") < keys.index("questions")
