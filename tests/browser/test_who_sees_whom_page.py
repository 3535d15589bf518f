"""WhoSeesWhom alone in a browser: the squares that the page computes, the guesses."""

from __future__ import annotations

import functools
import re

import numpy as np
import pytest

pytest.importorskip("playwright.sync_api")
from every_widget import *  # noqa: F403 (its tests, to be run here too)
from every_widget import expect

from course_lib.widgets.who_sees_whom import (
    WAYS,
    guesses,
    predictors,
    reads,
    who_sees_whom,
)

READY = ".who-sees-whom .square"
LEGEND = ".who-sees-whom .key i"
PICTURE = ["bank|苹果", r"\d"]
TABS = ".who-sees-whom .tabs >> nth={} >> button >> nth={}"
CLICKS = [TABS.format(0, 0), TABS.format(2, 3)]
SENTENCES = {
    "en": [(["they", "sat", "on", "the", "bank"], 4), (["rain", "stopped", "play"], 1)],
    "zh": [([*"她在树下吃", "苹果"], 5), ([*"他打了一行字"], 1)],
}
BUTTONS = {
    "left": "left to right",
    "halves": "two halves, joined on top",
    "open": "both sides, nothing hidden",
    "masked": "both sides, masked",
}


def say(words) -> list:
    """Make up a ranking for each word; the model does not know the last one."""
    names, found = ["of", "tea", *words[:-1]], []
    for k, word in enumerate(words):
        p = np.random.default_rng(k).dirichlet(np.ones(len(names)))
        found.append(guesses(names, p, names.index(word) if word in names else None))
    return found


@pytest.fixture(scope="module")
def widget():
    """Return a function that makes the widget of a language: two sentences."""

    def halves(words):
        return {kind: say(words) for kind in ("forward", "backward", "product")}

    return functools.cache(
        lambda language: who_sees_whom(SENTENCES[language], say, halves, language)
    )


def press(page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def choose(page, number: int) -> None:
    page.locator(".line [role=option]").nth(number).click()


def drawn(page) -> list[np.ndarray]:
    """Return which cells of each square are filled, row by row."""
    squares = []
    for square in page.locator(".square").all():
        kinds = square.locator(".cell").evaluate_all(
            "all => all.map(e => e.classList.contains('seen'))"
        )
        size = round(len(kinds) ** 0.5)
        squares.append(np.array(kinds).reshape(size, size))
    return squares


@pytest.mark.parametrize("way", WAYS)
def test_the_page_computes_the_squares_that_python_has(page_of, way):
    page = page_of()
    press(page, BUTTONS[way])
    words = SENTENCES["en"][0][0]
    for slot in (0, 2, 4):
        choose(page, slot)
        squares = drawn(page)
        sides = predictors(way, slot)
        assert len(squares) == len(sides)
        for square, side in zip(squares, sides, strict=True):
            expected = reads(side, len(words) + 2)
            if way == "masked":
                expected[:, slot + 1] = False
            assert np.array_equal(square, expected)


def test_the_answer_leaks_only_when_nothing_is_hidden(page_of):
    page = page_of()
    for way in WAYS:
        press(page, BUTTONS[way])
        for slot in range(5):
            choose(page, slot)
            expect(page.locator(".cell.leak")).to_have_count(int(way == "open"))


def test_what_is_said_counts_the_words_that_were_read(page_of):
    page = page_of()
    said = page.locator(".said")
    choose(page, 3)
    expect(said).to_contain_text("read 3 of the 4 other words")
    press(page, BUTTONS["halves"])
    expect(said).to_contain_text(
        "the 3 words on its left, the other the 1 on its right"
    )
    press(page, BUTTONS["open"])
    expect(said).to_contain_text("The answer leaks")
    press(page, BUTTONS["masked"])
    expect(said).to_contain_text("all 4 other words")
    expect(page.locator(".line .hidden")).to_have_text("the")
    across = page.locator(".square text", has_text="[MASK]")
    expect(across).to_have_count(2)  # as a column and as a row


def test_the_guesses_are_those_of_python(page_of, widget):
    page, found = page_of(), widget("en").data["sentences"][0]["guesses"]
    press(page, BUTTONS["masked"])
    for slot in (0, 3):
        choose(page, slot)
        listed = [word for word, _ in found["masked"][slot]["words"]]
        expect(page.locator(".guess .word")).to_have_text(listed)
        rank = found["masked"][slot]["rank"]
        expect(page.locator(".ranking")).to_contain_text(f"place {rank}")
    choose(page, 4)
    expect(page.locator(".ranking")).to_contain_text("is not in this model's list")
    press(page, BUTTONS["halves"])
    expect(page.locator(".ranking")).to_have_count(3)
    press(page, BUTTONS["open"])
    expect(page.locator(".ranking")).to_have_count(0)
    expect(page.locator(".rankings")).to_contain_text("may copy")


def test_the_keyboard_reaches_every_word_and_each_is_announced(page_of):
    page = page_of()
    page.locator(".line [tabindex='0']").focus()
    heard = set()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
        heard.add(page.locator(".unseen[role=status]").inner_text())
    assert len(heard) == 5
    expect(page.locator(".line [aria-selected=true]")).to_have_count(1)
    page.keyboard.press("Home")
    expect(page.locator(".line [role=option]").first).to_be_focused()


def test_each_thing_to_try_goes_somewhere_and_reset_comes_back(page_of, widget):
    page = page_of()
    advice = page.locator(".advice")
    welcome = advice.inner_text()
    for tour in widget("en").data["tours"]:
        press(page, tour["label"])
        expect(advice).to_have_text(tour["say"])
        pressed = page.get_by_role("button", name=BUTTONS[tour["way"]], exact=True)
        expect(pressed).to_have_attribute("aria-pressed", "true")
    choose(page, 0)
    press(page, "Reset")
    expect(advice).to_have_text(welcome)
    expect(page.locator(".line [aria-selected=true]")).to_have_text("bank")


def test_another_sentence_comes_with_its_own_word(page_of):
    page = page_of()
    press(page, "rain stopped play")
    expect(page.locator(".line [role=option]")).to_have_text(
        ["rain", "stopped", "play"]
    )
    expect(page.locator(".line [aria-selected=true]")).to_have_text("stopped")
    assert drawn(page)[0].shape == (5, 5)


def test_the_square_says_in_words_what_it_shows(page_of):
    page = page_of()
    choose(page, 2)
    label = page.locator(".square").get_attribute("aria-label")
    assert re.search("7 vectors by 7 words", label)
    assert "‹S›, they, sat" in label and "bank" not in label


def test_the_chinese_edition_starts_with_chinese(page_of):
    page = page_of("zh")
    expect(page.locator(".line [aria-selected=true]")).to_have_text("苹果")
    expect(page.locator(".said")).to_contain_text("另外 5 个词里，它读过 5 个")
