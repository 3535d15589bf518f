"""Seq2SeqBuilder alone in a browser: plugs, what they copy, what was measured."""

from __future__ import annotations

import functools
import itertools
import re

import pytest

pytest.importorskip("playwright.sync_api")
from every_widget import *  # noqa: F403 (its tests, to be run here too)
from every_widget import apart, expect, picture, tab

from course_claims.experiments import seq2seq as claims
from course_lib.models.seq2seq import EVERYTHING, LanguageModel, Seq2Seq, initialise

READY = ".seq2seq-builder .plan"
PICTURE = ["language model|语言模型", r"\d+%", r"\d\d\.\d"]
CLICKS = [".tabs >> nth=0 >> button >> nth=1", ".run >> nth=6"]
SIZES = 40, 50, 16
ROWS = [*claims.ABLATION, "no network"]
BOXES = {
    part: f"{side}: {words}"
    for part, (side, words) in zip(
        EVERYTHING,
        itertools.product(
            ("encoder", "decoder"), ("word vectors", "first LSTM", "softmax")
        ),
        strict=True,
    )
}


@pytest.fixture(scope="module")
def widget():
    """Return a function that makes the widget in a language.

    It has the ablation on two tasks, one of them with a single seed.
    """
    from course_lib.widgets import seq2seq_builder

    tasks = {"rivertown, 1000 pairs": (1, 2, 3), "vowels, 300 pairs": (1,)}
    scores = [
        {"seed": seed, "model": row, "condition": task, "metric": "BLEU", "value": v}
        for task, seeds in tasks.items()
        for seed in seeds
        for k, row in enumerate(ROWS)
        for v in [40 - 3 * k + seed]
    ]
    given = Seq2Seq(*SIZES), {"seq2seq_ablation": scores}, claims.ABLATION
    return functools.cache(lambda language: seq2seq_builder(*given, language))


def press(page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def plug(page, part: str):
    """Return the box of a part."""
    return page.get_by_role("checkbox", name=re.compile(BOXES[part]))


def build(page, parts) -> None:
    """Plug in these parts, and pull out the others."""
    for part in EVERYTHING:
        if (plug(page, part).get_attribute("aria-checked") == "true") != (
            part in parts
        ):
            plug(page, part).click()


def listed(page) -> dict[str, tuple[str, int, str]]:
    """Return the tables: name of a tensor to its shape, size and origin."""
    rows = page.locator(".tensors tbody tr").evaluate_all(
        "all => all.map(row => [...row.cells].map(cell => cell.innerText))"
    )
    return {n: (shape, int(p.replace(",", "")), o) for n, shape, p, o in rows}


@pytest.mark.parametrize(
    "parts", [EVERYTHING, (), EVERYTHING[:3], ("source.softmax", "target.lstm")]
)
def test_the_page_copies_what_the_library_copies(page_of, parts):
    """Each tensor's name, shape, size and origin are those of `initialise`."""
    page, model = page_of(), Seq2Seq(*SIZES)
    build(page, parts)
    lms = LanguageModel(SIZES[0], SIZES[2]), LanguageModel(SIZES[1], SIZES[2])
    origin, shown = initialise(model, *lms, parts=parts), listed(page)
    assert shown.keys() == origin.keys()
    for name, p in model.named_parameters():
        shape, size, start = shown[name]
        assert shape == " × ".join(map(str, p.shape)) and size == p.numel()
        assert start.split()[0] == origin[name]
    total = sum(p.numel() for n, p in model.named_parameters() if origin[n] == "random")
    expect(page.locator(".counted")).to_contain_text(f"tensors, {total:,} (")


def test_seeing_one_layer_makes_the_output_matrix_narrower(page_of):
    page = page_of()
    press(page, "attention to first + top layer")
    model = Seq2Seq(*SIZES, both_layers=False)
    width = model.output.weight.shape[1]
    assert listed(page)["output.weight"][0] == f"{SIZES[2]} × {width}"


def test_a_plug_is_drawn_as_it_stands(page_of):
    page, box = page_of(), plug(page_of(), "target.softmax")
    expect(page.locator(".cable.on")).to_have_count(6)
    expect(box).to_contain_text("target LM")
    box.click()
    expect(box).to_contain_text("random")
    expect(box).to_have_attribute("aria-checked", "false")
    expect(page.locator(".cable.on")).to_have_count(5)
    page.locator(".lm.target").last.click()  # the language model's end of the cable
    expect(page.locator(".cable.on")).to_have_count(6)


def test_every_row_of_the_ablation_is_told_with_its_numbers(page_of, widget):
    page, runs = page_of(), widget("en").data["runs"]["rivertown, 1000 pairs"]
    rows = page.locator("button.run")
    expect(rows).to_have_count(len(claims.ABLATION))
    for row, (key, way) in zip(rows.all(), claims.ABLATION.items(), strict=True):
        row.click()
        expect(row).to_have_attribute("aria-pressed", "true")
        for part in EVERYTHING:
            checked = str(part in way.parts).lower()
            expect(plug(page, part)).to_have_attribute("aria-checked", checked)
        mean, low, high, _ = runs[key]["bleu"]
        told = page.locator(".told")
        expect(told).to_contain_text("This setting was measured")
        expect(told).to_contain_text(f"BLEU {mean:.1f} [{low:.1f}, {high:.1f}]")
    expect(page.locator("div.run")).to_contain_text("no network at all")


def test_what_was_not_measured_gets_no_number_of_its_own(page_of):
    page = page_of()
    plug(page, "source.embedding").click()
    told = page.locator(".told")
    expect(told).to_contain_text("This setting was not measured")
    expect(told).to_contain_text("“everything” (differs in: encoder: word vectors)")
    expect(page.locator("button.run[aria-pressed=true]")).to_have_count(0)
    expect(page.locator(".paper .same")).to_have_count(0)


def test_equally_near_rows_are_all_named(page_of):
    """Without the residual alone it is as far to "everything" as to "no extras"."""
    page = page_of()
    press(page, "residual connection")
    told = page.locator(".told")
    expect(told).to_contain_text("“everything” (differs in: residual connection)")
    expect(told).to_contain_text("(differs in: attention to first + top layer)")


def test_one_seed_is_said_to_be_one(page_of):
    page = page_of()
    press(page, "vowels, 300 pairs")
    expect(page.locator(".told")).to_contain_text("BLEU 41.0, 1 seed, no interval")
    expect(page.locator(".track .interval")).to_have_count(0)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_without_rows_it_says_so_and_the_plugs_still_work(
    open_page, tmp_path, language
):
    from course_lib.widgets import seq2seq_builder

    shown = seq2seq_builder(Seq2Seq(*SIZES), {}, claims.ABLATION, language)
    file = tmp_path / "page.html"
    twin = shown._repr_mimebundle_()[0]["text/html"]
    file.write_text(f"<!doctype html><meta charset=utf-8>{twin}", "utf-8")
    page, text = open_page(file.as_uri()), shown.data["text"]
    expect(page.locator(".told")).to_have_text(text["nothing"])
    expect(page.locator(".run .value")).to_have_text([text["not_yet"]] * len(ROWS))
    page.get_by_role("checkbox").last.click()
    expect(page.locator(".cable.on")).to_have_count(5)


def test_the_papers_row_is_marked_when_set_up_alike_and_stands_apart(page_of):
    page = page_of()
    for number, bleu in ((1, "−1.0"), (2, "−1.6"), (3, "−1.6"), (6, "−2.0")):
        page.locator("button.run").nth(number).click()
        expect(page.locator(".paper .same td").last).to_have_text(bleu)
    assert page.locator(".results").get_by_text("−2.0", exact=True).count() == 0


def test_what_follows_from_the_drawing_is_said(page_of):
    page, said = page_of(), page_of().locator(".follows")
    expect(said).to_contain_text("the decoder is the target language model, exactly")
    plug(page, "target.softmax").click()
    expect(said).to_contain_text("its softmax is random")
    press(page, "joint LM loss")
    expect(said).to_contain_text("never used")
    build(page, ())
    expect(said).to_contain_text("no untranslated text is ever read")


def test_the_arrows_have_heads_also_below_a_hidden_widget(page_of):
    page = page_of("en", "zh")
    plan, first = page.locator(".plan").nth(1), page.locator(".seq2seq-builder").first
    # Of a whole number of pixels, so that hiding it shifts no line by half of one.
    first.evaluate("e => e.style.height = `${Math.ceil(e.offsetHeight)}px`")
    before = picture(plan)
    first.evaluate("e => e.style.display = 'none'")
    assert apart(before, picture(plan)) < 0.0005  # without any heads: 0.0018


def test_the_keyboard_reaches_every_plug_and_each_change_is_announced(page_of):
    page = page_of()
    names = tab(page, 13)
    assert names[3] == "Reset"
    assert [name.split(",")[0] for name in names[4:10]] == list(BOXES.values())
    assert names[10:] == [
        "joint LM loss",
        "residual connection",
        "attention to first + top layer",
    ]
    box = plug(page, "source.lstm")
    box.focus()
    page.keyboard.press("Space")
    expect(box).to_have_attribute("aria-checked", "false")
    expect(box).to_be_focused()
    expect(page.locator(".unseen[role=status]")).to_contain_text("3 of 24 tensors")
    page.keyboard.press("Enter")
    expect(box).to_have_attribute("aria-checked", "true")


def test_each_thing_to_try_goes_somewhere_and_reset_comes_back(page_of, widget):
    page, data = page_of(), widget("en").data

    def shown():
        plugs = page.get_by_role("checkbox").evaluate_all(
            "all => all.map(e => e.ariaChecked)"
        )
        return plugs, page.locator(".counted, .results, .paper").all_inner_texts()

    start = shown()
    for tour in data["tours"]:
        press(page, tour["label"])
        expect(page.locator(".advice")).to_have_text(tour["say"])
        row = page.locator("button.run[aria-pressed=true] > span").first
        expect(row).to_have_text(data["text"][tour["row"]])
    press(page, "vowels, 300 pairs")
    press(page, "residual connection")
    press(page, "Reset")
    assert shown() == start
