"""The probe without a kernel: the page reads a sentence and says what Python says.

Two small models, untrained, and their marked sentences stand in the folder `models`, as
in the book; the page is opened from file://.
"""

from __future__ import annotations

import re
import string
from typing import NamedTuple

import numpy as np
import pytest
import torch

pytest.importorskip("playwright.sync_api")
from bookmaking import page_models
from playwright.sync_api import expect

from course_lib.models.bilm import BiLM, BiLMConfig, Encoder
from course_lib.text.vocabulary import Vocabulary
from course_lib.widgets import kit, sentence_probe

TEXTS = {
    ("bank", "river"): "we sat on the bank of a river",
    ("bank", "money"): "she asked her bank for a loan",
    ("light", "lamp"): "turn the light on in the hall",
    ("light", "not heavy"): "her bag is light and small",
    ("苹果", "水果"): "他 吃 了 一 个 苹果",
    ("苹果", "公司"): "苹果 发布 了 新 的 手机",
}
READ = [
    "The bank by the river bank!",
    "A light, zxqvw lamp — it's ½ off… café",
    "一个苹果，一部苹果手机",
    "we sat on the bank of a river 3",  # an example itself
]
NOT_READ = ["", "nothing of the kind", "the embankment", "bank " * 40, "苹果公司来了"]


class Use(NamedTuple):
    """One sentence, with the fields of `data.SenseSentence` that the probe reads."""

    word: str
    sense: str
    tokens: list[str]
    target_index: int


def encoder(seed: int) -> Encoder:
    """Return an untrained biLM in which each word makes a difference."""
    torch.manual_seed(seed)
    model = BiLM(BiLMConfig(2, 20, 12, [[1, 8], [2, 8], [3, 8]]), 20)
    with torch.no_grad():  # kept in half precision, as those that ship
        for p in model.parameters():
            p.copy_((4 * p).half())
    return Encoder(model, Vocabulary(["<unk>", *string.ascii_lowercase[:19]]))


@pytest.fixture(scope="module")
def widget():
    """Return the probe of both languages."""
    rows = {"en": [], "zh": []}
    for (word, sense), text in TEXTS.items():
        for number in range(8):
            tokens = [*text.split(), f"{number}"]
            own = rows["zh" if kit.is_chinese(word) else "en"]
            own.append(Use(word, sense, tokens, tokens.index(word)))
    return sentence_probe({"en": encoder(0), "zh": encoder(1)}, "bank", rows)


@pytest.fixture(scope="module")
def site(widget, tmp_path_factory):
    """Write the widget into a page of a book, and the models beside the editions."""
    folder = tmp_path_factory.mktemp("book")
    files = page_models.word_files(widget.probes)
    for one in widget.probes.encoders.values():
        files |= page_models.files(one)
    for name, text in files.items():
        file = folder / "models" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    (folder / "en").mkdir()
    page = (
        '<!doctype html><html lang="en" data-content_root="./"><meta charset="utf-8">'
    )
    page += f"<title>A page</title>{widget._repr_mimebundle_()[0]['text/html']}"
    (folder / "en/index.html").write_text(page, "utf-8")
    return folder


@pytest.fixture
def page(open_page, site):
    """Open the page, and wait until it knows that there are models."""
    shown = open_page((site / "en/index.html").as_uri())
    expect(shown.locator(".note")).to_contain_text("The model runs in this page")
    return shown


def ask(page, text: str) -> None:
    """Type a sentence, and wait until the page has no more to say about it."""
    page.get_by_role("textbox").fill(text)
    page.get_by_role("textbox").press("Enter")
    expect(page.locator(".note")).not_to_contain_text("Reading")


@pytest.mark.parametrize("text", READ)
def test_the_page_says_what_python_says(page, widget, text):
    python = widget.probes.read(text, "bank")["sentence"]
    ask(page, text)
    typed = page.locator(".tabs button").last
    chinese = kit.is_chinese(text)
    expect(typed).to_have_text("✎ " + ("" if chinese else " ").join(python["words"]))
    others = [w for i, w in enumerate(python["words"]) if i not in python["targets"]]
    expect(page.locator(".chip")).to_have_text(others)
    for layer in range(3):
        page.locator(".layers button").nth(layer).click()
        for key, places in python["variants"].items():
            if key:
                name = f"moves by {places[0]['moved'][layer][0]:.3f}"
                number = int(key) - sum(t < int(key) for t in python["targets"])
                chip = page.locator(".chip").nth(number)
                expect(chip).to_have_attribute("title", approximately(name))
        said = page.locator(".said p").all_inner_texts()
        for line, place in zip(said, python["variants"][""], strict=True):
            if layer:
                kind = place["said"][layer]
                assert f"{place['votes'][layer][kind]} of the 5 nearest" in line
        shown = page.locator(".bars:not(.pulls) .value").all_inner_texts()
        expected = python["variants"][""][0]["senses"][layer]
        np.testing.assert_allclose(list(map(float, shown)), expected, atol=1.1e-3)


def approximately(name: str):
    """Match a text whose last digit may be one more or less."""
    head, value = name.rsplit(" ", 1)
    near = [f"{float(value) + step:.3f}" for step in (-0.001, 0, 0.001)]
    return re.compile(f"{re.escape(head)} -?({'|'.join(map(re.escape, near))})$")


@pytest.mark.parametrize("text", NOT_READ)
def test_what_cannot_be_read_is_explained_in_the_same_words(page, widget, text):
    said = widget.probes.read(text, "bank")
    ask(page, text)
    expect(page.locator(".note.problem")).to_contain_text(said["problem"].strip())
    if "fix" in said:
        page.locator(".note button").click()
        typed = "✎ " + said["fix"].replace(" ", "")
        if kit.is_chinese(text):
            expect(page.locator(".tabs button").last).to_have_text(typed)


def test_several_words_can_be_dropped_and_another_word_be_chosen(page, widget):
    for number in (0, 1):
        page.locator(".chip").nth(number).click()
    expect(page.locator(".chip[aria-pressed=true]")).to_have_count(2)
    sentence = widget.data["sentences"][0]
    asked = {"words": sentence["words"], "targets": sentence["targets"]}
    [first, _] = widget.probes.of("bank").variant(asked | {"dropped": [0, 2]})
    moved = first["moved"][widget.data["best"]][0]
    expect(page.locator(".said p").first).to_contain_text("Without “the”, “by”")
    said = re.search(r"moved by ([\d.]+);", page.locator(".said").inner_text())[1]
    assert float(said) == pytest.approx(moved, abs=1.1e-3)
    page.get_by_label("A sentence with").select_option("苹果")
    expect(page.locator(".target").first).to_have_text("苹果¹")
    expect(page.locator(".legend")).to_contain_text("水果")


def test_a_book_with_other_models_asks_for_a_kernel(open_page, site, widget):
    """It would say other things than the widget's own model."""
    text = (site / "en/index.html").read_text("utf-8")
    for mark in widget.data["models"].values():
        text = text.replace(mark, "0" * 16)
    (site / "en/other.html").write_text(text, "utf-8")
    shown = open_page((site / "en/other.html").as_uri())
    expect(shown.locator(".note")).to_contain_text("that needs a kernel")
    shown.wait_for_function("globalThis.courseLoaded?.size > 0")
    expect(shown.get_by_role("textbox")).to_be_disabled()
