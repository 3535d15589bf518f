"""SentenceProbe alone in a browser: no Jupyter; and with Python answering the page."""

from __future__ import annotations

import functools
import re
import string
from typing import NamedTuple

import pytest
import torch

pytest.importorskip("playwright.sync_api")
from every_widget import *  # noqa: F403 (its tests, to be run here too)
from every_widget import expect, tab, walk

READY = ".sentence-probe .map"
PICTURE = ["bank|苹果", "layer|层"]
CLICKS = [".tours button >> nth=0", ".chip >> nth=2"]
TEXTS = {
    "en": {
        "river": "we sat on the bank of a river",
        "money": "she asked her bank for a loan",
    },
    "zh": {"水果": "他 吃 了 一 个 苹果", "公司": "苹果 发布 了 新 的 手机"},
}
WORDS = {"en": "bank", "zh": "苹果"}
EXAMPLES = 16


class Use(NamedTuple):
    """One sentence, with the fields of `data.SenseSentence` that the probe reads."""

    word: str
    sense: str
    tokens: list[str]
    target_index: int


@pytest.fixture(scope="module")
def widget():
    """Return a function that makes the widget of a language, with an untrained biLM."""
    from course_lib.models.bilm import BiLM, BiLMConfig, Encoder
    from course_lib.text.vocabulary import Vocabulary
    from course_lib.widgets import sentence_probe

    torch.manual_seed(0)
    filters = [[1, 8], [2, 8], [3, 8]]
    config = BiLMConfig(cells=32, projection=16, filters=filters)
    words = Vocabulary(["<unk>", *string.ascii_lowercase[:19]])
    model = BiLM(config, 20)
    with torch.no_grad():  # so that a word makes a difference before any training
        for p in model.parameters():
            p.mul_(4)
    encoder = Encoder(model, words)

    @functools.cache
    def make(language):
        word, rows = WORDS[language], []
        for sense, text in TEXTS[language].items():
            for number in range(EXAMPLES // 2):
                tokens = [*text.split(), f"{number}"]
                rows.append(Use(word, sense, tokens, tokens.index(word)))
        return sentence_probe(encoder, word, rows, language=language)

    return make


@pytest.fixture
def asking(with_python, widget):
    """Open the widget with a kernel's part played by the Python of this test."""
    shown = widget.__wrapped__("en")  # one that nobody has asked anything yet
    traits = ("data", "sentence", "dropped", "layer", "kernel")
    page, heard = with_python(
        "sentence_probe", shown, (*traits, "asked", "answer"), "asked"
    )
    return page, shown, heard


def chip(page, word: str):
    """Return the chip of a word of the sentence."""
    return page.locator(".chip", has_text=re.compile(f"^{word}$"))


def star(page, number: int = 0) -> str:
    """Return where the star of a place of the word is drawn."""
    stars = page.locator(".front > g", has=page.locator(".star"))
    return stars.nth(number).get_attribute("transform")


def visit(page, number: int) -> None:
    """Show one of the sentences; the first one has the word twice."""
    page.locator(".tabs button").nth(number).click()


def test_a_dropped_word_moves_the_star_and_it_comes_back(page_of, widget):
    page, data = page_of(), widget("en").data
    visit(page, 1)
    sentence, best = data["sentences"][1], data["best"]
    [target] = sentence["targets"]
    home, said = star(page), page.locator(".said").inner_text()
    assert said.startswith(f"“bank”, layer {best}: ")
    pulls = [v[0]["moved"][best] for key, v in sentence["variants"].items() if key]
    assert any(forward != backward for _, forward, backward in pulls)
    for i, word in enumerate(sentence["words"]):
        if i == target:
            continue
        one = page.locator(".chip").nth(i - (i > target))
        assert one.inner_text() == word
        moved = [
            f"{value:.3f}" for value in sentence["variants"][str(i)][0]["moved"][best]
        ]
        expect(one).to_have_accessible_name(re.compile(f"{word}: .* by {moved[0]}$"))
        one.click()
        expect(one).to_have_attribute("aria-pressed", "true")
        told = page.locator(".said").inner_text()
        assert f"Without “{word}”" in told
        assert f"moved by {moved[0]}" in told and f"half by {moved[2]}" in told
        if float(moved[0]) > 0.01:
            assert star(page) != home
        one.click()
        assert star(page) == home
        expect(page.locator(".said")).to_have_text(said)


def test_the_way_from_the_old_place_is_drawn(page_of):
    page = page_of()
    visit(page, 1)
    home = re.search(r"translate\((.*?)\)", star(page))[1]
    page.locator(".chip").nth(3).click()
    ghost = page.locator(".map .ghost")
    expect(ghost).to_have_attribute("visibility", "visible")
    assert home in ghost.get_attribute("transform")
    there = re.search(r"translate\((.*?)\)", star(page))[1]
    assert page.locator(".path").first.get_attribute("d") == f"M{home}L{there}"


def test_with_movement_the_star_glides(page_of):
    page = page_of(reduced_motion="no-preference")
    visit(page, 1)
    page.evaluate("""() => {  // note where the star stands, frame by frame
      window.seen = new Set();
      const star = document.querySelector('.front > g:last-child');
      const look = () => {
        seen.add(star.getAttribute('transform'));
        requestAnimationFrame(look);
      };
      look();
    }""")
    before = star(page)
    strongest = page.locator(".chip i > span[style*='width: 100%']").locator(
        "xpath=../.."
    )
    strongest.click()
    page.wait_for_function("seen.size > 4")  # it passes through, it does not jump
    assert star(page) != before


def test_layers_show_their_own_numbers_and_layer_0_ties(page_of, widget):
    page, data = page_of(), widget("en").data
    visit(page, 1)
    [here] = data["sentences"][1]["variants"][""]
    assert len({tuple(row) for row in here["cosines"]}) == 3  # each layer has its own
    rows = page.locator(".near tbody tr")
    for layer in (1, 2):
        page.get_by_role("group", name="Layer").get_by_role("button").nth(layer).click()
        expect(page.locator(".near summary")).to_contain_text(f"layer {layer}")
        shown = rows.locator("td:first-child").all_inner_texts()
        assert [float(text) for text in shown] == here["cosines"][layer]
        values = page.locator(".bars:not(.pulls) .value").all_inner_texts()
        assert [float(text) for text in values] == here["senses"][layer]
        for row, number in zip(rows.all(), here["near"][layer], strict=True):
            expect(row).to_contain_text("".join(data["examples"][number]))
    page.get_by_role("group", name="Layer").get_by_role("button").first.click()
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("All 15 examples are equally near")


def test_the_keyboard_alone_drops_words_and_reads_examples(page_of):
    page = page_of()
    names = tab(page, 11)
    assert names[3:7] == ["0", "1", "2", "Reset"]
    assert [text[:1] for text in names[7:10]] == ["1", "2", "3"]
    chips = page.locator(".chip")
    expect(chips.first).to_be_focused()  # one stop for Tab, then arrow keys
    page.keyboard.press("ArrowRight")
    expect(page.locator(".target").first).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(chips.nth(1)).to_be_focused()
    page.keyboard.press("Delete")
    expect(chips.nth(1)).to_have_attribute("aria-pressed", "true")
    said = page.locator(".said").inner_text()
    expect(page.locator(".unseen[role=status]")).to_have_text(said)
    page.keyboard.press("Enter")
    expect(chips.nth(1)).to_have_attribute("aria-pressed", "false")
    expect(chips.nth(1)).to_be_focused()
    page.keyboard.press("End")
    expect(page.locator(".target").last).to_be_focused()
    page.keyboard.press("Enter")  # the vectors of the second place
    expect(page.locator(".target").last).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Tab")
    assert len(walk(page, page.locator(".map"), EXAMPLES)) == EXAMPLES


def test_the_keyboard_stays_on_the_sentence_that_it_chose(page_of):
    page = page_of()
    for tabs in (page.locator(".tabs button").nth(i) for i in (1, 0)):
        tabs.press("Enter")
        expect(tabs).to_have_attribute("aria-pressed", "true")
        expect(tabs).to_be_focused()


def test_without_a_kernel_one_word_can_go_and_the_box_says_why_it_is_shut(page_of):
    page = page_of()
    box = page.get_by_role("textbox", name="Your own sentence")
    expect(box).to_be_disabled()
    expect(page.locator(".note")).to_contain_text("that needs a kernel")
    visit(page, 1)
    page.locator(".chip").nth(0).click()
    before = star(page)
    page.locator(".chip").nth(2).click()
    expect(page.locator(".note")).to_contain_text("only one word can be dropped")
    expect(page.locator(".chip[aria-pressed=true]")).to_have_count(1)
    assert star(page) == before


def test_each_thing_to_try_goes_somewhere_and_reset_comes_back(page_of, widget):
    page, data = page_of(), widget("en").data
    start = star(page), page.locator(".said").inner_text()
    for button, tour in zip(
        page.locator(".tours button").all(), data["tours"], strict=True
    ):
        button.click()
        expect(page.locator(".advice")).to_have_text(tour["say"])
        [word] = tour["dropped"]
        dropped = page.locator(".chip[aria-pressed=true]")
        expect(dropped).to_have_text(data["sentences"][tour["sentence"]]["words"][word])
        pressed = page.locator(".layers [aria-pressed=true]")
        expect(pressed).to_have_text(str(tour["layer"]))
    page.get_by_role("button", name="Reset").click()
    assert (star(page), page.locator(".said").inner_text()) == start
    expect(page.locator(".advice")).to_contain_text("Press a word to drop it")


def test_another_sentence_brings_its_own_words(page_of, widget):
    page, data = page_of("zh"), widget("zh").data
    for i, sentence in enumerate(data["sentences"]):
        page.locator(".tabs button").nth(i).click()
        at = sentence["targets"]
        words = [w for j, w in enumerate(sentence["words"]) if j not in at]
        expect(page.locator(".chip")).to_have_text(words)
        names = ["苹果"] if len(at) == 1 else ["苹果¹", "苹果²"]
        expect(page.locator(".target")).to_have_text(names)


def test_a_typed_sentence_is_read_by_python(asking):
    page, shown, heard = asking
    box = page.get_by_role("textbox", name="Your own sentence")
    box.fill("Her bank is near the mill")
    composing = "new KeyboardEvent('keydown', { key: 'Enter', isComposing: true })"
    box.evaluate(f"box => box.dispatchEvent({composing})")
    assert heard == []  # the Enter that ends the choice of a Chinese character
    box.press("Enter")
    mine = page.locator(".tabs button").last
    expect(mine).to_have_text("✎ Her bank is near the mill")
    expect(mine).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".chip")).to_have_text(["Her", "is", "near", "the", "mill"])
    chip(page, "near").click()
    best = shown.data["best"]
    moved = shown.answer["sentence"]["variants"]["3"][0]["moved"][best][0]
    expect(page.locator(".said")).to_contain_text(f"moved by {moved:.3f}")
    assert len(heard) == 1  # single drops came along

    chip(page, "mill").click()
    expect(page.locator(".said")).to_contain_text("Without “near”, “mill”")
    moved = shown.answer["variant"][0]["moved"][best][0]
    expect(page.locator(".said")).to_contain_text(f"moved by {moved:.3f}")
    chip(page, "mill").click()
    chip(page, "mill").click()
    expect(page.locator(".said")).to_contain_text("Without “near”, “mill”")
    assert len(heard) == 2  # what was asked once is remembered


def test_all_views_show_the_same_whoever_changes_it(asking):
    page, shown, _ = asking
    views, said = page.locator(".sentence-probe"), page.locator(".said")
    visit(page, 1)
    for number in (0, 1):
        page.locator(".chip").nth(number).click()
    expect(said).to_contain_text("Without “we”, “sat”")
    page.evaluate("display()")  # the same widget in another cell

    def agree(words):
        expect(said).to_contain_text([words, words])
        for part in (".said", ".near", ".tabs", "[aria-pressed=true]"):
            one, other = (v.locator(part).all_inner_texts() for v in views.all())
            assert one == other

    agree("Without “we”, “sat”")
    views.first.locator(".chip").nth(2).click()  # Python answers one, both hear it
    agree("Without “we”, “sat”, “on”")
    page.evaluate("model.set('layer', 0)")  # as `w.layer = 0` does
    agree("layer 0")
    page.evaluate("model.set('dropped', [0])")
    agree("Without “we”")
    page.evaluate("model.set('sentence', 3 - model.get('sentence'))")
    agree("Without “she”")
    for text in ("the bank is steep", "the bank of a mill"):
        views.last.get_by_role("textbox").fill(text)
        views.last.get_by_role("textbox").press("Enter")
        expect(views.first.locator(".tabs button").last).to_have_text(f"✎ {text}")
    agree("“bank”, layer")
    page.evaluate("model.set('dropped', [0, 1])")  # nobody has measured that
    agree("“bank”, layer")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no word yet"),
        ("bank " * 500, "500 words"),
        ("<img src=x onerror=alert(1)>", "None of the words"),
    ],
)
def test_what_cannot_be_read_is_explained_and_nothing_is_lost(asking, text, problem):
    page, _, _ = asking
    box = page.get_by_role("textbox", name="Your own sentence")
    box.fill("the bank is steep")
    box.press("Enter")
    expect(page.locator(".chip")).to_have_text(["the", "is", "steep"])
    chip(page, "steep").click()
    before = star(page), page.locator(".said").inner_text()
    box.fill(text)
    page.get_by_role("button", name="Read it").click()
    expect(page.locator(".note.problem")).to_contain_text(problem)
    assert (star(page), page.locator(".said").inner_text()) == before
    expect(box).to_have_value(text)
    expect(page.locator(".tabs [aria-pressed=true]")).to_have_text(
        "✎ the bank is steep"
    )
    chip(page, "the").click()  # and it goes on from there
    expect(page.locator(".said")).to_contain_text("Without “steep”, “the”")
    expect(page.locator(".note.problem")).to_have_count(0)


def test_a_short_sense_is_not_broken_into_its_characters(page_of):
    page = page_of("zh", viewport={"width": 800, "height": 900})
    page.locator(".near tbody tr td:last-child").first.evaluate(
        "cell => cell.textContent = '一边刷手机，一边咔嚓咔嚓地啃着苹果。'.repeat(3)"
    )
    name = page.locator(".near tbody .named").first
    assert name.bounding_box()["height"] < 30  # one line


def test_both_places_of_a_word_move_and_either_can_be_looked_at(page_of, widget):
    page, data = page_of(), widget("en").data
    sentence, best = data["sentences"][0], data["best"]
    assert sentence["targets"] == [1, 5]
    home = star(page), star(page, 1)
    expect(page.locator(".said p")).to_have_count(2)
    page.locator(".chip", has_text="river").click()
    assert star(page) != home[0] and star(page, 1) != home[1]
    for number in (0, 1):
        page.locator(".target").nth(number).click()
        place = sentence["variants"]["4"][number]
        shown = page.locator(".bars:not(.pulls) .value").all_inner_texts()
        assert [float(text) for text in shown] == place["senses"][best]
        moved = f"{place['moved'][best][0]:.3f}"
        expect(page.locator(".said p").nth(number)).to_contain_text(f"moved by {moved}")
        rows = page.locator(".pulls .value").all_inner_texts()
        assert [float(x) for x in rows] == sorted(map(float, rows), reverse=True)
        pulls = [
            v[number]["moved"][best][0] for k, v in sentence["variants"].items() if k
        ]
        assert sorted(map(float, rows)) == sorted(pulls)
