"""NgramNNLM alone in a browser: no Jupyter; and with Python answering what is typed."""

from __future__ import annotations

import functools
import re
from collections import Counter

import numpy as np
import pytest

pytest.importorskip("playwright.sync_api")
from every_widget import *  # noqa: F403 (its tests, to be run here too)
from every_widget import expect, tab

READY = ".ngram-nnlm .rankings"
LEGEND = ".ngram-nnlm .key i"
PICTURE = ["dog slept|小狗 睡"]
CLICKS = [".tours button >> nth=0", ".network [role=option] >> nth=1"]

WORDS = {
    "en": (
        ("dog", "cat"),
        ("slept", "ran"),
        ("in", "near"),
        ("the",),
        ("house", "bed"),
    ),
    "zh": (("小狗", "小猫"), ("睡", "跑"), ("在", "到"), ("大",), ("房子", "院子")),
}
CONTEXTS = {  # the second was never seen: no dog slept
    "en": ["the house . cat ran", "the bed . dog slept"],
    "zh": ["大 房子 。 小猫 跑", "大 院子 。 小狗 睡"],
}


def text_of(language: str) -> list[str]:
    """Write 300 sentences in which cats do everything and dogs never sleep."""
    draw, words = np.random.default_rng(0), []
    while len(words) < 1800:
        said = [kinds[draw.integers(len(kinds))] for kinds in WORDS[language]]
        if (said[0], said[1]) not in {("dog", "slept"), ("小狗", "睡")}:
            words += [*said, {"en": ".", "zh": "。"}[language]]
    return words


@pytest.fixture(scope="module")
def widget():
    """Return a function that makes the widget in one language."""
    import torch

    from course_lib.models.nnlm import NNLM
    from course_lib.text.vocabulary import Vocabulary
    from course_lib.widgets import ngram_nnlm

    @functools.cache
    def build(language):
        words = text_of(language)
        vocabulary = Vocabulary.from_counts(Counter([*words, "<unk>"]), size=50)
        torch.manual_seed(0)
        model = NNLM(len(vocabulary), n=5, m=8, h=16)
        contexts = [context.split() for context in CONTEXTS[language]]
        return ngram_nnlm(words, model, vocabulary, contexts, language)

    return build


@pytest.fixture
def asking(with_python, widget):
    """Open the widget with a kernel's part played by the Python of this test."""
    shown = widget("en")
    names = ("data", "context", "order", "word", "typed", "answer", "kernel")
    page, heard = with_python("ngram_nnlm", shown, names, "typed")
    return page, shown, heard


def values(page, panel: str) -> list[str]:
    """Return the probabilities that a ranking shows."""
    return page.locator(f".{panel} [role=option] .p").all_inner_texts()


def test_it_opens_on_what_was_never_seen(page_of, widget):
    page = page_of()
    assert set(values(page, "ml")) == {"0"}
    expect(page.locator(".ml .how")).to_contain_text(
        "never seen: 0 for each of 11 words"
    )
    assert "0" not in values(page, "kn") and "0" not in values(page, "network")
    expect(page.locator(".kn .how")).to_contain_text("goes back to “slept”")
    expect(page.locator(".tabs [aria-pressed=true]")).to_contain_text("dog slept")
    never = widget("en").data["tours"][1]["say"]
    expect(page.locator(".advice")).to_contain_text(never)


def test_every_ranking_shows_what_was_measured(page_of, widget):
    page, data = page_of(), widget("en").data
    for i, context in enumerate(data["contexts"]):
        page.locator(".tabs button").nth(i).click()
        for step, order in enumerate(data["orders"]):
            page.locator(".orders button").nth(step).click()
            here = context["orders"][str(order)]
            parts = {"ml": here["ml"], "kn": here["kn"], "network": context["network"]}
            for name, part in parts.items():
                top = part["top"] or context["network"]["top"]
                shown = page.locator(f".{name} [role=option] .word").all_inner_texts()
                assert shown == [context["shown"][i] for i in top]
                numbers = [float(p.rstrip("%")) / 100 for p in values(page, name)]
                expected = [part["p"][i] for i in top]
                assert numbers == pytest.approx(expected, rel=0.051)


def test_bars_are_as_long_as_their_numbers_on_one_scale(page_of):
    page = page_of()
    page.locator(".tabs button").first.click()
    wide = "all => all.map(e => e.getBoundingClientRect().width)"
    bars = page.locator("[role=option] .track > span").evaluate_all(wide)
    shown = [*values(page, "ml"), *values(page, "kn"), *values(page, "network")]
    shares = np.array([float(p.rstrip("%")) for p in shown])
    [track] = page.locator("[role=option] .track").first.evaluate_all(wide)
    longest = max(bars)
    assert longest > 50 and longest == pytest.approx(track, rel=0.01)
    assert bars == pytest.approx(longest * shares / shares.max(), abs=0.03 * longest)


def test_a_longer_context_is_marked_and_was_seen_less_often(page_of):
    page = page_of()
    page.locator(".tabs button").first.click()
    steps = page.locator(".orders button")
    seen = [
        re.sub(r"\D", "", text) for text in steps.locator("small").all_inner_texts()
    ]
    times = [int(number or 0) for number in seen]
    assert times == sorted(times, reverse=True) and times[0] > times[-1]
    for step, words in enumerate((1, 2, 3, 4)):
        steps.nth(step).click()
        expect(steps.nth(step)).to_have_attribute("aria-pressed", "true")
        expect(page.locator(".line .counted")).to_have_count(words)
        expect(page.locator(".line .read")).to_have_count(4)  # whatever the counts do
    expect(page.locator(".line")).to_have_attribute(
        "aria-label", re.compile("The counts look at “house . cat ran”")
    )


def test_a_word_is_found_in_all_lists(page_of):
    page = page_of()
    page.locator(".network [role=option]").nth(3).click()
    word = page.locator(".network [aria-selected=true] .word").inner_text()
    expect(page.locator(".marked")).to_contain_text(f"“{word}”: counting 0;")
    chance = values(page, "network")[3]
    assert chance != values(page, "network")[0]
    expect(page.locator(".marked")).to_contain_text(f"network {chance}, rank 4")
    for panel in ("ml", "kn"):
        chosen = page.locator(f".{panel} [aria-selected=true] .word")
        expect(chosen).to_have_text(word)
    expect(page.locator(".unseen")).to_have_text(page.locator(".marked").inner_text())


def test_the_keyboard_alone_reaches_everything(page_of):
    page = page_of()
    reached = tab(page, 13)
    assert [text[:5] for text in reached[:2]] == ["the h", "the b"]
    assert [text[:5] for text in reached[2:6]] == [f"n = {n}" for n in (2, 3, 4, 5)]
    assert reached[6] == "Reset" and [text[:1] for text in reached[7:10]] == list("123")
    role = "document.activeElement.getAttribute('role')"
    assert page.evaluate(role) == "option"  # a stop for each list, then arrow keys
    page.keyboard.press("Home")
    page.keyboard.press("ArrowDown")
    second = page.locator(".network [role=option]").nth(1)
    expect(second).to_be_focused()
    expect(second).to_have_attribute("aria-selected", "true")
    page.keyboard.press("End")
    expect(page.locator(".network [role=option]").last).to_be_focused()


def test_choosing_is_announced_and_keeps_the_focus(page_of):
    page = page_of()
    step = page.locator(".orders button").first
    step.focus()
    page.keyboard.press("Enter")
    expect(step).to_be_focused()
    live = page.locator(".unseen[role=status]")
    expect(live).to_contain_text(re.compile(r"c\(context\) = \d+; Counting: “.*%"))
    expect(live).to_contain_text("Neural network: “")


def test_lenders_are_listed_with_the_exchanged_word_marked(page_of, widget):
    page, data = page_of(), widget("en").data
    near = data["contexts"][1]["orders"]["3"]["near"]
    rows = page.locator(".near li")
    expect(rows).to_have_count(len(near))
    for row, one in zip(rows.all(), near, strict=True):
        expect(row).to_contain_text(f"{' '.join(one['words'])}: {one['seen']}×")
        expect(row.locator("mark")).to_have_text(one["words"][one["place"]])


def test_each_thing_to_try_goes_somewhere_and_reset_comes_back(page_of, widget):
    page, data = page_of(), widget("en").data
    start = page.locator(".rankings").inner_text()
    for button, tour in zip(
        page.locator(".tours button").all(), data["tours"], strict=True
    ):
        button.click()
        expect(page.locator(".advice")).to_have_text(tour["say"])
        tab = page.locator(".tabs button").nth(tour["context"])
        expect(tab).to_have_attribute("aria-pressed", "true")
        order = page.locator(".orders [aria-pressed=true]")
        expect(order).to_contain_text(f"n = {tour['order']}")
        marked = page.locator(".marked")
        expect(marked).to_contain_text(f"“{tour['word']}”")
    page.locator(".tabs button").first.click()
    assert page.locator(".rankings").inner_text() != start
    expect(page.locator(".advice")).not_to_contain_text("never")  # no longer true here
    page.get_by_role("button", name="Reset").click()
    assert page.locator(".rankings").inner_text() == start
    expect(page.locator(".orders [aria-pressed=true]")).to_contain_text("n = 3")
    expect(page.locator(".advice")).to_contain_text("Which word comes next?")


def test_without_a_kernel_the_box_says_why_it_is_shut(page_of):
    page = page_of()
    expect(page.get_by_role("textbox", name="Your own words")).to_be_disabled()
    expect(page.locator(".own")).to_contain_text("that needs a kernel")


def test_typed_words_go_to_python_and_its_answer_is_shown(asking):
    page, shown, heard = asking
    box = page.get_by_role("textbox", name="Your own words")
    box.fill("near the bed . Dog slept")
    assert heard == []  # nothing is sent before Enter
    composing = "new KeyboardEvent('keydown', { key: 'Enter', isComposing: true })"
    box.evaluate(f"box => box.dispatchEvent({composing})")
    assert heard == []  # nor by the Enter that ends the choice of a Chinese character
    box.press("Enter")
    tab = page.locator(".tabs button").nth(2)
    expect(tab).to_have_text("✎ near the bed . dog slept …")
    expect(tab).to_have_attribute("aria-pressed", "true")
    assert heard == ["near the bed . Dog slept"]
    network = shown.answer["network"]
    first = [shown.answer["shown"][i] for i in network["top"]]
    assert page.locator(".network [role=option] .word").all_inner_texts() == first
    expect(page.locator(".unseen")).to_contain_text("Neural network: “")

    page.locator(".tabs button").first.click()
    box.press("Enter")  # the same words once more: they are there already
    expect(tab).to_have_attribute("aria-pressed", "true")
    box.fill("zeppelin")
    page.get_by_role("button", name="Ask").click()
    words = [*["<unk>"] * 3, "zeppelin <unk>", "?"]
    expect(page.locator(".line .token")).to_have_text(words)
    box.fill("   ")
    box.press("Enter")
    assert heard == ["near the bed . Dog slept", "zeppelin"]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_picture_s_words_say_the_network_s_first(page_of, widget, language):
    page = page_of(language, java_script_enabled=False)
    part = widget(language).data["contexts"][1]["network"]
    alt = page.get_by_role("img").get_attribute("alt")
    assert f"{100 * part['p'][part['top'][0]]:.3g}%" in alt
