"""A claim card keeps the paper's figures and ours apart, and its verdict is a word."""

import pytest

from course_lib.claims import VERDICTS, Claim

TEXTS = {"said": ("A < B", "甲 < 乙"), "source": ("an article", "一篇文章")}
PAPER = {"paper": ("88.7", "88.7（论文）"), "why": ("It is so.", "事实如此。")}


def claim(verdict="wrong"):
    rows = [{"model": "ours", "accuracy": 0.5}]
    return Claim(key="k", run=lambda: rows, verdict=verdict, **TEXTS, **PAPER)


def english(en, zh):
    return en


def chinese(en, zh):
    return zh


def test_a_verdict_is_one_of_five_words():
    for verdict in VERDICTS:
        assert claim(verdict).verdict == verdict
    with pytest.raises(ValueError, match="nonsense"):
        claim("nonsense")


def test_the_papers_number_and_ours_stand_in_different_cells():
    card = claim()
    cells = card.as_html(english, card.run()).split("<td")
    assert sum("88.7" in cell for cell in cells) == 1
    assert sum("0.5" in cell for cell in cells) == 1
    assert not any("88.7" in cell and "0.5" in cell for cell in cells)


def test_the_verdict_can_be_read_without_colours_in_both_languages():
    assert "wrong." in claim().as_html(english, claim().run())
    assert f"{VERDICTS['wrong']}。" in claim().as_html(chinese, claim().run())


def test_a_claim_with_html_in_it_is_shown_not_obeyed():
    assert "A &lt; B" in claim().as_html(english, claim().run())
