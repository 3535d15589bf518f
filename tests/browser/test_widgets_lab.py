"""All widgets in a real JupyterLab: in one notebook, with one kernel.

Each test uses a widget as a student does, by mouse and keyboard, and asks both sides:
does the page show what was done, and has the kernel heard of it? Values that the page
shows are worked out again from what the kernel has. Some things only JupyterLab can
break: its shortcuts take the arrow keys, its extensions' style sheets know the same
class names, and the kernel's answers must come.
"""

from __future__ import annotations

import math
import re

import nbformat
import pytest

from course_lib import widgets

expect = pytest.importorskip("playwright.sync_api").expect

from in_lab import (  # noqa: E402
    OUTPUTS,
    READY,
    assert_clean,
    drag,
    kernel,
    notebook,
    opened,
    run,
    visit,
    wait_for_kernel,
)

CELLS = [
    """import string
from typing import NamedTuple
import numpy as np
import torch
import course_lib
from course_lib.models.bilm import BiLM, BiLMConfig, Encoder
from course_lib.models.seq2seq import Seq2Seq
from course_lib.text.vocabulary import Vocabulary
from course_lib import widgets
from course_lib.widgets.who_sees_whom import guesses, who_sees_whom
t = course_lib.start("en")
draw = np.random.default_rng(0)

class Use(NamedTuple):
    word: str
    sense: str
    tokens: list
    target_index: int

texts = {"river": "we sat on the bank of a river", "money": "ask a bank for a loan"}
uses = [Use("bank", sense, words, words.index("bank"))
        for sense, text in texts.items() for n in range(6)
        for words in [[*text.split(), str(n)]]]""",
    """config = BiLMConfig(cells=16, projection=8, filters=[[1, 8], [2, 8]])
names = Vocabulary(["<unk>", *string.ascii_lowercase[:9]])
torch.manual_seed(0)
model = BiLM(config, 10)
with torch.no_grad():  # so that a word makes a difference before any training
    for p in model.parameters():
        p.mul_(4)
probe = widgets.sentence_probe(Encoder(model, names), "bank", uses)
probe""",
    """layers = draw.normal(size=(3, 12, 6))
mix = widgets.scalar_mix(layers, uses)
mix""",
    """from gensim.models import KeyedVectors
words = sorted({word for use in uses for word in use.tokens})
vectors = KeyedVectors(8)
vectors.add_vectors(words, draw.normal(size=(len(words), 8)).astype("float32"))
one = widgets.one_vector({"en": vectors}, uses, words=["bank"])
one""",
    """names = [*"river ferry lake loan rate debt bank".split(), *"abcdefg"]
snapshots = draw.normal(size=(4, len(names), 8))
losses = [float("nan"), 3.5, 3, 2.5]
read = widgets.Snapshots(snapshots, [0, 1000, 20_000, 300_000], losses)
groups = {"water": names[:3], "money": names[3:6]}
training = widgets.vectors_training(
    {"skip-gram": read}, names, groups, {"bank": ["water", "money"]})
training""",
    """tuning = widgets.fine_tuning({})
tuning""",
    """seen = "they sat on the bank".split()
p = np.full(len(seen), 1 / len(seen))
def masked(words):
    return [guesses(seen, p, k) for k in range(len(words))]
seer = who_sees_whom([(seen, 4)], masked)
seer""",
    """from scipy.sparse import csr_array
names = ["<unk>", *"river water boat money loan bank the of".split()]
X = np.array(draw.integers(1, 60, size=(9, 9)), dtype=float)
X = np.triu(X, 1) + np.triu(X, 1).T
near = widgets.cooccurrence(csr_array(X), names, [names[1:4], names[4:7]],
    {("river", "money"): ["water", "loan"]})
near""",
    """from course_claims.experiments.seq2seq import ABLATION as ways
built = widgets.seq2seq_builder(Seq2Seq(12, 14, 8), {}, ways)
built""",
    """from course_lib.models.nnlm import NNLM
said = "the cat ran in the house and the dog ran near the old river bank .".split()
vocabulary = Vocabulary(["<unk>", *dict.fromkeys(said)])
network = NNLM(len(vocabulary), n=5, m=8, h=16)
ngram = widgets.ngram_nnlm(said * 20, network, vocabulary, [said[:5], said[4:10]])
ngram""",
    """counts = {word: 10_000 // 2**i for i, word in enumerate(vocabulary.words[1:])}
sampled = widgets.window_sampler(counts, [said])
sampled""",
    """senses = ["river", "money"] * 20
centre = {"river": draw.normal(size=16), "money": draw.normal(size=16)}
noise = draw.normal(size=(40, 16)) * 0.6
context = np.array([centre[sense] for sense in senses]) + noise
depths = np.stack([np.ones((40, 16)), context])
shown = widgets.sense_map(
    depths, senses, [["the", "bank", str(i)] for i in range(40)], [1] * 40, "bank")
shown""",
    "shown.layer",
]


@pytest.fixture(scope="module")
def page(lab, windows):
    """Run a notebook with all of them; nothing but this machine may be asked."""
    folder, address = lab
    window, elsewhere, errors = windows
    page = visit(window(), address, notebook(folder, "all.ipynb", CELLS))
    outputs = run(page, "notebook:run-all-cells")
    assert_clean(outputs)
    page.locator(".sense-map .map").wait_for(timeout=60_000)
    yield page
    assert_clean(page.evaluate(OUTPUTS))  # also what a click made a widget say
    assert not elsewhere, "the page asked for other addresses"
    assert not errors, "a script of the page failed"


@pytest.fixture
def widget(page, request, tmp_path):
    """Return the widget that the test is named after; keep a picture of what it did."""
    name = re.match("test_([a-z0-9_]+?)__", request.node.name)[1].replace("_", "-")
    part = page.locator(f".course-widget.{name}")
    yield part
    part.screenshot(path=tmp_path / f"{name}.png")


def number(text: str, before: str) -> float:
    """Return the number that stands after some words of a text."""
    return float(re.search(re.escape(before) + r"\s*([\d.]+\d|\d)", text)[1])


def test_sentence_probe__reads_what_is_typed(page, widget):
    """Letters are JupyterLab's shortcuts: a, b and m make cells, d d deletes one."""
    cells = page.locator(".jp-Cell").count()
    box = widget.get_by_role("textbox", name="Your own sentence")
    box.click()
    box.press_sequentially("Add a bank by the mill")
    box.press("Enter")
    mine = widget.locator(".tabs button").last
    expect(mine).to_have_text("✎ Add a bank by the mill", timeout=20_000)
    expect(widget.locator(".chip")).to_have_text(["Add", "a", "by", "the", "mill"])
    words = ["Add", "a", "bank", "by", "the", "mill"]
    assert kernel(page, "probe.answer['sentence']['words']") == words
    last = kernel(page, "len(probe.data['sentences'])")
    wait_for_kernel(page, "probe.sentence", last)

    # What is far away reaches layer 1 of an untrained network hardly, layer 2 surely.
    widget.get_by_role("button", name="2", exact=True).click()
    wait_for_kernel(page, "probe.layer", 2)
    for word, dropped in (("mill", [5]), ("by", [5, 3])):  # the second needs Python
        chip = widget.locator(".chip", has_text=word)
        chip.click()
        expect(chip).to_have_attribute("aria-pressed", "true", timeout=20_000)
        wait_for_kernel(page, "probe.dropped", dropped)
    said = widget.locator(".said")
    expect(said).to_contain_text("Without “mill”, “by”")
    moved = kernel(page, "probe.answer['variant'][0]['moved'][probe.layer][0]")
    assert moved > 0
    expect(said).to_contain_text(f"moved by {moved:.3f}")
    assert page.locator(".jp-Cell").count() == cells


def test_scalar_mix__weighs_layers_as_its_sliders_are_dragged(page, widget):
    for layer, share in enumerate((0.9, 0.35, 0.6)):
        slider = widget.get_by_role("slider", name=f"w of layer {layer}")
        value = drag(page, slider, share)
        assert value == pytest.approx(12 * share - 6, abs=0.25)
        wait_for_kernel(page, f"mix.s[{layer}]", value)
    powers = [math.exp(s) for s in kernel(page, "mix.s")]
    label = widget.locator(".weights").get_attribute("aria-label")
    shown = [float(one) for one in re.findall(r"\d\.\d\d", label)]
    mix = [power / sum(powers) for power in powers]
    assert shown == pytest.approx(mix, abs=0.0051)
    gamma = drag(page, widget.get_by_role("slider", name="γ"), 0.2)
    wait_for_kernel(page, "mix.gamma", gamma)
    expect(widget.locator(".formula")).to_contain_text(f"{gamma:.2f}")


def test_one_vector__lets_all_sentences_fall_on_the_star(page, widget):
    widget.get_by_role("button", name="Give each sentence").click()
    expect(widget.locator(".piles")).to_be_visible()
    wait_for_kernel(page, "one.pull", 1.0)
    points = widget.locator(".map [role=option]")
    places = "all => all.map(e => e.getAttribute('transform'))"
    assert len(set(points.evaluate_all(places))) == 1
    widget.get_by_role("button", name="Back to the contexts").click()
    wait_for_kernel(page, "one.pull", 0.0)
    points.nth(8).click(force=True)
    page.keyboard.press("ArrowDown")  # else JupyterLab goes to the next cell
    expect(points.nth(9)).to_be_focused()
    wait_for_kernel(page, "one.selected", [9])
    sentence = kernel(page, "''.join(one.data['words'][0]['sentences'][9])")
    expect(widget.locator(".chosen")).to_contain_text(sentence)


def test_vectors_training__goes_back_through_the_training(page, widget):
    where, slider = widget.locator(".where"), widget.get_by_role("slider")
    expect(where).to_have_text("snapshot 3 of 3: 300,000 words read")
    first = widget.locator(".map [role=option]").first
    end = first.get_attribute("transform")
    value = drag(page, slider, 1 / 3)
    slider.press("ArrowRight")
    slider.press("ArrowLeft")
    assert value == pytest.approx(1, abs=0.11)
    wait_for_kernel(page, "training.moment", 1)
    assert first.get_attribute("transform") != end
    order = kernel(page, "training.data['runs'][0]['order'][1]")
    percent = f"{math.floor(100 * order + 0.5)}%"
    expect(widget.locator(".curves strong")).to_have_text([percent, "3.50"])
    widget.get_by_role("combobox").select_option("loan")
    wait_for_kernel(page, "training.selected", 3)
    expect(widget.locator(".near caption")).to_contain_text("“loan”")


def test_fine_tuning__has_the_rates_of_what_is_dragged(page, widget):
    widget.get_by_role("button", name="constant", exact=True).click()
    slider = widget.get_by_role("slider", name="factor between")
    factor = drag(page, slider, 0.25)
    assert factor == pytest.approx(2, abs=0.11)
    wait_for_kernel(page, "(tuning.factor, tuning.schedule)", (factor, "constant"))
    plan = widget.locator(".plan")
    plan.scroll_into_view_if_needed()
    box = plan.bounding_box()
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 0.3 * box["width"], y)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.97 * box["width"], y, steps=8)
    page.mouse.up()
    step = int(widget.get_by_role("slider", name="step").input_value())
    assert step > 70  # of 80: by then every layer learns
    wait_for_kernel(page, "tuning.step", step)
    cells = widget.locator("tbody td:nth-child(2)").all_inner_texts()
    rates = [0.01 / factor**depth for depth in range(5)]
    assert [float(text) for text in cells] == pytest.approx(rates, rel=0.006)


def test_who_sees_whom__hides_the_word_that_is_chosen(page, widget):
    widget.get_by_role("button", name="both sides, masked").click()
    words = widget.locator(".line [role=option]")
    words.nth(0).click()
    page.keyboard.press("ArrowRight")  # else JupyterLab goes to the next cell
    expect(words.nth(1)).to_be_focused()
    wait_for_kernel(page, "(seer.way, seer.slot)", ("masked", 1))
    expect(widget.locator(".line .hidden")).to_have_text("sat")
    expect(widget.locator(".said")).to_contain_text("all 4 other words")
    rank = kernel(page, "seer.data['sentences'][0]['guesses']['masked'][1]['rank']")
    expect(widget.locator(".ranking")).to_contain_text(f"place {rank}")


def test_cooccurrence__weighs_pairs_by_the_sliders(page, widget):
    alpha = drag(page, widget.get_by_role("slider", name="α"), 0.4)
    assert alpha == pytest.approx(0.4, abs=0.051)
    drag(page, widget.get_by_role("slider", name="x_max"), 0.9)
    wait_for_kernel(page, "near.alpha", alpha)
    cells = widget.locator(".map [role=row]").nth(0).locator("rect")
    cells.nth(1).click()
    page.keyboard.press("ArrowRight")  # else JupyterLab goes to the next cell
    wait_for_kernel(page, "(near.cell, near.k)", ([0, 2], 2))
    # Words of the table come without <unk>: its cell (0, 2) is the third of X's (1, 3).
    x, x_max = kernel(page, "(float(X[1, 3]), near.x_max)")
    assert 300 < x_max < 1000
    text = widget.locator(".detail").inner_text()
    assert number(text, "X =") == pytest.approx(x, rel=0.01)
    assert number(text, "f(X) =") == pytest.approx((x / x_max) ** alpha, rel=0.051)


def test_seq2seq_builder__unplugs_what_is_clicked(page, widget):
    box = widget.get_by_role("checkbox", name=re.compile("decoder: softmax"))
    before = kernel(page, "built.parts")
    assert "target.softmax" in before
    box.click()
    expect(box).to_have_attribute("aria-checked", "false")
    after = [part for part in before if part != "target.softmax"]
    wait_for_kernel(page, "built.parts", after)
    expect(widget.locator(".cable.on")).to_have_count(len(after))
    box.focus()
    page.keyboard.press("Enter")  # JupyterLab would begin to edit the cell
    expect(box).to_have_attribute("aria-checked", "true")
    wait_for_kernel(page, "sorted(built.parts)", sorted(before))
    random = kernel(page, "sum(not one['part'] for one in built.data['tensors'])")
    expect(widget.locator(".counted")).to_contain_text(f"{random} tensors")


def test_ngram_nnlm__answers_what_is_typed(page, widget):
    box = widget.get_by_role("textbox", name="Your own words")
    box.fill("near the old cat")
    box.press("Enter")
    mine = widget.locator(".tabs button").last
    expect(mine).to_have_text("✎ near the old cat …", timeout=20_000)
    row = widget.locator("[role=option]").first.bounding_box()
    assert row["height"] < 30  # one line: no style sheet of JupyterLab's meddles
    assert kernel(page, "ngram.typed.split()") == ["near", "the", "old", "cat"]


def test_window_sampler__draws_again_and_walks_over_the_words(page, widget):
    widget.get_by_role("button", name="Draw again").click()  # now in command mode
    slider = widget.get_by_role("slider", name="window")
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_value("3")
    chips = widget.get_by_role("option")
    chips.nth(4).click()
    page.keyboard.press("ArrowDown")
    expect(chips.nth(5)).to_be_focused()
    draws = "(sampled.draw, sampled.window, sampled.centre)"
    wait_for_kernel(page, draws, (2, 3, 5))


def test_sense_map__moves_with_a_drag_that_reaches_the_kernel(page, widget):
    where, slider = widget.locator(".where"), widget.get_by_role("slider")
    expect(where).to_have_text("layer 1")
    points = widget.locator(".map [role=option]")
    before = points.first.get_attribute("transform")

    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] - 8, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, middle, steps=8)
    expect(where).to_contain_text("between layers 0 and 1")
    page.mouse.move(box["x"], middle, steps=8)
    page.mouse.up()
    expect(widget.locator(".gauge output")).to_have_text(re.compile("^Layer 0: .* 49%"))
    assert points.first.get_attribute("transform") != before
    wait_for_kernel(page, "shown.layer", 0.0)  # told by the drag, and by nothing else

    # In its command mode JupyterLab would take the arrow keys to go to another cell.
    points.last.click(force=True)
    for key, number in (("ArrowDown", 0), ("ArrowDown", 1), ("ArrowUp", 0)):
        page.keyboard.press(key)
        expect(points.nth(number)).to_be_focused()
    slider.focus()
    page.keyboard.press("ArrowUp")
    expect(slider).to_have_value("1")
    expect(slider).to_be_focused()
    wait_for_kernel(page, "shown.layer", 1)
    page.keyboard.press("Home")
    expect(slider).to_have_value("0")
    content = "window.jupyterapp.shell.currentWidget.content"
    assert page.evaluate(f"{content}.activeCellIndex") == len(CELLS) - 2

    # The drag made the map's own cell the active one.
    page.evaluate(f"() => {{ {content}.activeCellIndex = {len(CELLS) - 1}; }}")
    last = run(page, "notebook:run-cell")[-1]
    assert last["data"]["text/plain"] == "0.0"


def test_an_opened_notebook_that_nobody_ran_shows_the_picture(lab, open_page, uses):
    """Without a kernel: what travels in the file is all there is."""
    folder, address = lab
    layers, rows = uses
    here = [i for i, row in enumerate(rows) if row.word in ("苹果", "打")]
    shown = widgets.sense_maps(layers[:, here], [rows[i] for i in here], "zh")
    bundle, _ = shown._repr_mimebundle_()
    output = nbformat.v4.new_output("display_data", data=bundle)
    unrun = notebook(folder, "unrun.ipynb", ["shown"], [output])
    page = opened(open_page, address, unrun)
    expect(page.get_by_role("img", name=re.compile("苹果.*49%"))).to_be_visible()
    page.evaluate(READY)  # so that the server has a whole kernel to end
