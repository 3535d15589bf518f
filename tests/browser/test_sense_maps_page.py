"""Sense maps of two languages side by side, one slider for both: alone in a browser."""

from __future__ import annotations

import functools
import re

import numpy as np
import pytest

pytest.importorskip("playwright.sync_api")
from every_widget import (  # noqa: F401 (to be run here too)
    SLIDE,
    expect,
    tab,
    test_axe_finds_nothing,
    test_without_scripts_there_is_a_picture_with_its_words,
    walk,
)

READY = ".sense-map .map"
PICTURE = ["bank", "苹果", "49%"]
CLICKS = [".tours button >> nth=2", ".tabs button >> nth=1"]


@pytest.fixture(scope="module")
def widget(uses):
    """Return a function that makes the widget of both languages' words."""
    from course_lib.widgets import sense_maps

    layers, rows = uses
    here = {
        "en": [i for i, row in enumerate(rows) if row.word in ("bank", "play")],
        "zh": [i for i, row in enumerate(rows) if row.word in ("苹果", "打")],
    }
    by_language = {name: layers[:, numbers] for name, numbers in here.items()}
    sentences = {name: [rows[i] for i in numbers] for name, numbers in here.items()}
    return functools.cache(
        lambda language: sense_maps(by_language, sentences, language)
    )


def panel(page, word: str):
    """Return the map of a word with all that belongs to it."""
    return page.get_by_role("region", name=word)


def test_one_slider_moves_both_maps_and_both_scores(page_of, widget):
    page = page_of()
    expect(page.get_by_role("slider")).to_have_count(1)
    words = [word for word in widget("en").data["words"] if word["word"] in "bank苹果"]
    for layer in (0, 2, 1):
        page.get_by_role("slider").evaluate(SLIDE, layer)
        for word in words:
            score = panel(page, word["word"]).locator(".gauge output")
            nearest = np.floor(100 * word["scores"][layer]["nearest"] + 0.5)
            expect(score).to_contain_text(f"Layer {layer}: sense accuracy {nearest:g}%")
        places = page.locator(".map [role=option]").evaluate_all(
            "all => all.map(e => e.getAttribute('transform'))"
        )
        assert len(set(places)) == (2 if layer == 0 else 120)


def test_another_word_takes_the_place_of_its_own_language_alone(page_of):
    page = page_of()
    page.get_by_role("slider").evaluate(SLIDE, 1)
    page.get_by_role("button", name="打", exact=True).click()
    expect(page.locator(".tabs [aria-pressed=true]")).to_have_text(["bank", "打"])
    expect(panel(page, "打").locator(".chosen mark")).to_have_text("打")
    expect(panel(page, "bank").locator(".chosen mark")).to_have_text("bank")
    expect(page.locator(".where")).to_have_text("layer 1")
    page.get_by_role("button", name="Reset").click()
    expect(page.locator(".tabs [aria-pressed=true]")).to_have_text(["bank", "苹果"])
    expect(page.locator(".where")).to_have_text("layer 2")


def test_what_to_try_is_about_the_layer_that_is_best_for_both(page_of, widget):
    page = page_of()
    shown = [word for word in widget("en").data["words"] if word["word"] in "bank苹果"]
    sums = [sum(word["scores"][k]["nearest"] for word in shown) for k in (1, 2)]
    best = 1 + int(np.argmax(sums))
    for number, button in enumerate(page.locator(".tours button").all()):
        button.click()
        expect(page.locator(".where")).to_have_text(f"layer {best if number else 0}")
        for word in shown:
            stop, part = word["tours"][best - 1][number], panel(page, word["word"])
            expect(part.locator(".advice")).to_have_text(stop["say"])
            sentence = "".join(word["sentences"][stop["selected"]])
            expect(part.locator(".chosen")).to_contain_text(sentence)


def test_each_map_keeps_its_own_sentence_and_the_keyboard_reaches_all(page_of):
    page = page_of()
    there = panel(page, "苹果").locator(".chosen").inner_text()
    assert len(walk(page, panel(page, "bank"), 60)) == 60
    assert panel(page, "苹果").locator(".chosen").inner_text() == there
    page = page_of()
    reached = tab(page, 15)
    assert reached[:4] == ["bank", "play", "苹果", "打"]
    assert [text[:1] for text in reached[9:12]] == ["1", "2", "3"]
    assert re.match("river|money", reached[12]) and "苹果" in reached[14]
    assert reached[13].startswith("Nearest sentences")  # what folds


def test_the_reader_s_language_comes_first_and_a_narrow_page_stacks_them(page_of):
    page = page_of("zh")
    expect(page.locator(".tabs [aria-pressed=true]")).to_have_text(["苹果", "bank"])
    left, right = (page.locator("section").nth(n).bounding_box() for n in (0, 1))
    assert left["y"] == right["y"] and left["x"] + left["width"] <= right["x"]
    page = page_of("zh", viewport={"width": 420, "height": 900})
    first, second = (page.locator("section").nth(n).bounding_box() for n in (0, 1))
    assert first["x"] == second["x"] and first["y"] + first["height"] <= second["y"]
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(wide) == 0
