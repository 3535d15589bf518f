"""NgramNNLM and WindowSampler in a real JupyterLab, with a kernel that answers.

Three things only JupyterLab can break: its shortcuts take the arrow keys, its
extensions' style sheets know the same class names, and the kernel's answers must come.
"""

from __future__ import annotations

import pytest

expect = pytest.importorskip("playwright.sync_api").expect

from in_lab import (  # noqa: E402
    OUTPUTS,
    assert_clean,
    kernel,
    notebook,
    opened,
    run,
    wait_for_kernel,
)

CELLS = [
    """import course_lib
t = course_lib.start("en")
from course_lib.models.nnlm import NNLM
from course_lib.text.vocabulary import Vocabulary
from course_lib.widgets import ngram_nnlm, window_sampler
words = "the cat ran in the house and the dog ran near the old river bank .".split()
vocabulary = Vocabulary(["<unk>", *dict.fromkeys(words)])
contexts = [words[:5], words[4:10]]""",
    """model = NNLM(len(vocabulary), n=5, m=8, h=16)
shown = ngram_nnlm(words * 20, model, vocabulary, contexts)
shown""",
    """counts = {word: 10_000 // 2**i for i, word in enumerate(vocabulary.words[1:])}
sampled = window_sampler(counts, [words])
sampled""",
]


@pytest.fixture
def page(lab, open_page):
    """Open a notebook with both widgets and run it."""
    folder, address = lab
    page = opened(open_page, address, notebook(folder, "baselines.ipynb", CELLS))
    assert_clean(run(page, "notebook:run-all-cells"))
    page.locator(".window-sampler .body").wait_for(timeout=60_000)
    return page


def test_typed_words_and_arrow_keys_reach_the_widgets(page, tmp_path):
    ngram, sampler = page.locator(".ngram-nnlm"), page.locator(".window-sampler")
    box = ngram.get_by_role("textbox", name="Your own words")
    box.fill("near the old cat")
    box.press("Enter")
    mine = ngram.locator(".tabs button").last
    expect(mine).to_have_text("✎ near the old cat …", timeout=20_000)

    sampler.get_by_role("button", name="Draw again").click()  # now in command mode
    slider = sampler.get_by_role("slider", name="window")
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_value("3")
    chips = sampler.get_by_role("option")
    chips.nth(4).click()
    page.keyboard.press("ArrowDown")
    expect(chips.nth(5)).to_be_focused()

    box = ngram.locator("[role=option]").first.bounding_box()
    assert box["height"] < 30  # one line: no style sheet of JupyterLab's meddles
    for widget, name in ((ngram, "ngram"), (sampler, "sampler")):
        widget.screenshot(path=tmp_path / f"{name}.png")
    assert_clean(page.evaluate(OUTPUTS))
    assert kernel(page, "shown.typed.split()") == ["near", "the", "old", "cat"]
    draws = "(sampled.draw, sampled.window, sampled.centre)"
    wait_for_kernel(page, draws, (2, 3, 5))
