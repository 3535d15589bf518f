"""OneVector alone in a browser, as in the book: no Jupyter, no kernel."""

from __future__ import annotations

import functools
import re
from typing import NamedTuple

import numpy as np
import pytest
from gensim.models import KeyedVectors

from course_lib.widgets import one_vector

pytest.importorskip("playwright.sync_api")
from every_widget import *  # noqa: F403 (its tests, to be run here too)
from every_widget import expect, walk

READY = ".one-vector .map"
PICTURE = ["bank", "67%"]
CLICKS = [".tours button >> nth=2"]


class Use(NamedTuple):
    """One sentence, with the fields of `data.SenseSentence` that the map reads."""

    word: str
    sense: str
    tokens: list[str]
    target_index: int


TOPICS = {
    "bank": {"river": "water shore boat fish", "money": "loan cash rate debt"},
    "play": {"drama": "stage actor scene role", "sport": "ball team goal match"},
    "苹果": {"水果": "甜 树 吃 香", "公司": "手机 股价 新款 发布"},
    "打": {"击打": "拳头 人 疼 门", "拨打": "电话 号码 占线 通话"},
}
SENTENCES = 30  # of each word, 20 of its second sense


@pytest.fixture(scope="module")
def widget():
    """Return a function that makes the widget of a language: two words in each."""
    draw, uses = np.random.default_rng(0), []
    vectors = {"en": KeyedVectors(20), "zh": KeyedVectors(20)}
    for word, topics in TOPICS.items():
        own = vectors["zh" if word > "z" else "en"]
        common, *centres = draw.normal(size=(3, 20))
        for centre, (sense, text) in zip(centres, topics.items(), strict=True):
            topic = text.split()
            rows = common + centre + 0.4 * draw.normal(size=(4, 20))
            own.add_vectors(topic, rows.astype("float32"))
            for number in range(10 if centre is centres[0] else 20):
                tokens = [*draw.choice(topic, size=3), word, str(number)]
                uses.append(Use(word, sense, tokens, 3))
        star = common + 0.2 * centres[0] + 0.8 * centres[1]
        own.add_vectors([word], star[None].astype("float32"))
    return functools.cache(
        lambda language: one_vector(vectors, uses, language, list(TOPICS))
    )


def panel(page, word: str):
    """Return the map of a word with all that belongs to it."""
    return page.get_by_role("region", name=word)


def places(part) -> set[str]:
    """Return the different spots on which a map's points are drawn."""
    points = part.locator(".map [role=option]")
    return set(points.evaluate_all("all => all.map(e => e.getAttribute('transform'))"))


def test_it_opens_with_both_languages_and_what_the_star_cannot_know(page_of):
    page = page_of()
    for word, commonest in (("bank", "money"), ("苹果", "公司")):
        fact = panel(page, word).locator(".fact")
        expect(fact).to_contain_text("All 30 sentences share one star")
        expect(fact).to_contain_text(f"always answer “{commonest}”: right for 67%")
        expect(fact).to_contain_text("20 of 30")
        assert len(places(panel(page, word))) > 10
    pressed = page.locator(".tabs [aria-pressed=true]")
    expect(pressed).to_have_text(["bank", "苹果"])


def test_all_sentences_fall_on_the_one_star_and_come_back(page_of):
    page = page_of()
    bank = panel(page, "bank")
    before = places(bank)
    page.get_by_role("button", name="Give each sentence").click()
    expect(bank.locator(".piles")).to_have_attribute("visibility", "visible")
    expect(bank.locator(".piles")).to_have_text("×30")
    [spot] = places(bank)
    star = bank.locator(".front > g").first.get_attribute("transform")
    assert star.startswith(spot)
    page.get_by_role("button", name="Back to the contexts").click()
    expect(bank.locator(".piles")).to_have_attribute("visibility", "hidden")
    assert places(bank) == before


def test_with_movement_the_sentences_glide(page_of):
    page = page_of(reduced_motion="no-preference")
    page.evaluate("""() => {  // note where the first point stands, frame by frame
      window.seen = new Set();
      const point = document.querySelector('.map [role=option]');
      const look = () => {
        seen.add(point.getAttribute('transform'));
        requestAnimationFrame(look);
      };
      look();
    }""")
    page.get_by_role("button", name="Give each sentence").click()
    bank = panel(page, "bank")
    expect(bank.locator(".piles")).to_have_attribute("visibility", "visible")
    assert len(places(bank)) == 1
    assert page.evaluate("seen.size") > 4  # it passed through, it did not jump


def test_a_hovered_point_reads_its_sentence(page_of, widget):
    page, word = page_of(), widget("en").data["words"][0]
    bank = panel(page, "bank")
    heard = page.locator(".unseen[role=status]").inner_text()
    points = np.array([*word["points"], word["star"]])
    apart = np.linalg.norm(points[:, None] - points, axis=2) + 9 * np.eye(len(points))
    apart[word["example"]] = 0  # that one is read already
    far = int(apart[:-1].min(axis=1).argmax())  # no other point lies over this one
    sentence = "".join(word["sentences"][far])
    expect(bank.locator(".chosen")).not_to_contain_text(sentence)
    bank.locator(".map [role=option]").nth(far).hover()
    expect(bank.locator(".chosen")).to_contain_text(sentence)
    expect(bank.locator(".chosen mark")).to_have_text("bank")
    now = page.locator(".unseen[role=status]").inner_text()
    assert now == heard  # a mouse is quiet


def test_the_keyboard_reaches_every_sentence_and_each_is_announced(page_of):
    page = page_of()
    for word in ("bank", "苹果"):
        part = panel(page, word)
        chosen = part.locator(".chosen")
        chosen.evaluate("""e => {  // note every sentence that is read there
          e.read = new Set();
          const note = () => e.read.add(e.innerText);
          new MutationObserver(note).observe(e, { childList: true });
        }""")
        assert len(walk(page, part, SENTENCES)) == SENTENCES
        assert chosen.evaluate("e => e.read.size") == SENTENCES
        page.keyboard.press("End")
        expect(part.locator(".map [role=option]").last).to_be_focused()


def test_each_map_keeps_its_own_sentence(page_of):
    page = page_of()
    there = panel(page, "苹果").locator(".chosen").inner_text()
    panel(page, "bank").locator(".map [role=option]").last.click(force=True)
    expect(panel(page, "bank").locator(".chosen")).to_contain_text("19")
    assert panel(page, "苹果").locator(".chosen").inner_text() == there


def test_neighbours_carry_the_sense_that_python_measured(page_of, widget):
    page, word = page_of(), widget("en").data["words"][0]
    rows = panel(page, "bank").locator("tbody tr")
    expect(rows).to_have_count(len(word["neighbours"]))
    for row, near in zip(rows.all(), word["neighbours"], strict=True):
        sense = word["senses"][near["sense"]]
        cells = [near["word"], f"{near['cosine']:.2f}", sense, f"+{near['lead']:.2f}"]
        expect(row.locator("td")).to_have_text(cells)


def test_hidden_senses_are_hidden_from_eye_and_ear(page_of):
    page = page_of()
    bank, points = panel(page, "bank"), panel(page, "bank").locator("[role=option]")
    fills = "all => all.flatMap(e => [...e.querySelectorAll('path')]" + (
        ".filter(p => p.getClientRects().length).map(p => getComputedStyle(p).fill))"
    )
    assert len(set(points.evaluate_all(fills))) == 2
    expect(points.first).to_have_attribute("aria-label", re.compile("^river: "))
    page.get_by_role("button", name="Show senses").click()
    assert len(set(points.evaluate_all(fills))) == 1
    expect(points.first).not_to_have_attribute("aria-label", re.compile("river"))
    expect(bank.locator(".legend")).to_have_text(
        "the vector of “bank”", use_inner_text=True
    )
    for part in (".chosen", "tbody"):
        expect(bank.locator(part)).not_to_contain_text(re.compile("river|money"))
    points.first.click(force=True)
    expect(page.locator(".unseen[role=status]")).not_to_contain_text("river")
    page.get_by_role("button", name="Show senses").click()
    assert len(set(points.evaluate_all(fills))) == 2


def test_another_word_takes_the_place_of_its_own_language_alone(page_of):
    page = page_of()
    page.get_by_role("button", name="play", exact=True).click()
    expect(panel(page, "play").locator(".chosen mark")).to_have_text("play")
    expect(panel(page, "play").locator(".legend")).to_contain_text("drama")
    expect(panel(page, "苹果")).to_be_visible()
    expect(panel(page, "bank")).to_have_count(0)
    page.get_by_role("button", name="打", exact=True).click()
    expect(page.locator(".tabs [aria-pressed=true]")).to_have_text(["play", "打"])
    page.get_by_role("button", name="Reset").click()
    expect(page.locator(".tabs [aria-pressed=true]")).to_have_text(["bank", "苹果"])


def test_each_thing_to_try_goes_somewhere_and_says_what_to_see(page_of, widget):
    page, word = page_of(), widget("en").data["words"][0]
    bank = panel(page, "bank")
    said, chosen = bank.locator(".advice"), bank.locator(".chosen")
    welcome = said.inner_text()
    tours = page.locator(".tours button")
    tours.nth(0).click()
    expect(said).to_have_text(word["say"][0])
    assert len(places(bank)) == 1
    tours.nth(1).click()
    expect(said).to_have_text(word["say"][1])
    assert len(places(bank)) > 10
    expect(chosen).to_contain_text("".join(word["sentences"][word["other"]]))
    expect(chosen).to_contain_text(word["senses"][word["sense"][word["other"]]])
    tours.nth(2).click()
    expect(said).to_have_text(word["say"][2])
    expect(page.locator(".one-vector.blind")).to_have_count(1)
    page.get_by_role("button", name="Reset").click()
    expect(page.locator(".one-vector.blind")).to_have_count(0)
    expect(panel(page, "bank").locator(".advice")).to_have_text(welcome)
    first = "".join(word["sentences"][word["example"]])
    expect(panel(page, "bank").locator(".chosen")).to_contain_text(first)


def test_tab_alone_reaches_every_control(page_of):
    page = page_of()
    reached = []
    for _ in range(14):
        page.keyboard.press("Tab")
        role = "document.activeElement.getAttribute('role')"
        text = "document.activeElement.textContent.slice(0, 5)"
        reached.append(page.evaluate(f"{role} ?? {text}"))
    assert reached[:7] == ["bank", "play", "苹果", "打", "Show ", "Give ", "Reset"]
    assert [text[:1] for text in reached[7:10]] == ["1", "2", "3"]
    assert reached[10:] == ["option", "Neare", "option", "Neare"]  # map, folded table


def test_the_chinese_edition_starts_with_chinese(page_of):
    page = page_of("zh")
    expect(page.locator(".tabs [aria-pressed=true]")).to_have_text(["苹果", "bank"])
    expect(page.locator(".fact").first).to_contain_text("30 个句子共用一个星号")
