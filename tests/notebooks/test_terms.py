"""Words that students should not meet; source/terms.toml says what to say instead."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import terms

COURSE = Path(__file__).resolve().parents[2]
# A use that is meant by a pattern, and one that is right.
USES = {
    "空格": ("把这个空格填上", "汉语没有空格，词与词之间用空格隔开"),
    "底线": ("离底线很远", "画在底部的线"),
    "层的?学习率": ("逐层学习率", "逐层解冻时各层的学习率"),
    "骰子": ("看的是骰子", "看的是抽到的数"),
    "die": ("It goes by the die.", "Old words die out."),
    "当故事": ("只能当故事讲", "一个故事"),
    "数派": ("少数派的份额", "多数义项"),
    "surely": ("It surely helps.", "It leisurely helps."),
    "million": ("six thousand million", "a thousand, a million"),
}


@pytest.fixture
def small(tmp_path) -> Path:
    """Return a course of a list of terms, with a page that has none of them."""
    (tmp_path / "docs/en").mkdir(parents=True)
    (tmp_path / "source").mkdir()
    shutil.copy(COURSE / terms.LIST, tmp_path / "source")
    return tmp_path


@pytest.mark.parametrize("word", USES)
def test_a_pattern_finds_what_it_means_and_spares_what_is_right(small, word):
    wrong, right = USES[word]
    page = small / "docs/en/page.md"
    page.write_text(f"# A page\n\n{right}\n", encoding="utf-8")
    assert not list(terms.problems(small, everything=True))
    page.write_text(f"# A page\n\n{wrong}\n", encoding="utf-8")
    [problem] = terms.problems(small, everything=True)
    assert problem.startswith("docs/en/page.md:3: not “")
    [term] = [t for t in terms.read(small) if word in t.pattern.pattern]
    assert problem.endswith(f"say: {term.say}")


def test_a_term_that_is_off_is_listed_and_fails_nothing(small):
    file = small / terms.LIST
    text = file.read_text("utf-8").replace("on = true", "on = false")
    file.write_text(text, encoding="utf-8")
    (small / "docs/en/page.md").write_text("当故事", encoding="utf-8")
    assert not list(terms.problems(small))
    assert list(terms.problems(small, everything=True))


def test_a_course_without_a_list_has_no_such_problem(tmp_path):
    assert not list(terms.problems(tmp_path))


def test_no_term_that_is_on_stands_anywhere_in_the_course(course):
    assert any(term.on for term in terms.read(course))
    assert not list(terms.problems(course))
