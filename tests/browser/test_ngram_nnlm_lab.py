"""NgramNNLM and WindowSampler in a real JupyterLab, with a kernel that answers.

Three things only JupyterLab can break: its shortcuts take the arrow keys, its
extensions' style sheets know the same class names, and the kernel's answers must come.
"""

from __future__ import annotations

import nbformat
import pytest

expect = pytest.importorskip("playwright.sync_api").expect

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
    "print(shown.typed, sampled.draw, sampled.window, sampled.centre)",
]
IDLE = """async () => {
  const session = window.jupyterapp.shell.currentWidget.context.sessionContext;
  await session.ready;
  while (session.session?.kernel?.status !== 'idle')
    await new Promise(resolve => setTimeout(resolve, 50));
}"""
LAST = """async () => {
  const { content } = window.jupyterapp.shell.currentWidget;
  content.activeCellIndex = content.widgets.length - 1;
  await window.jupyterapp.commands.execute('notebook:run-cell');
  return content.widgets.map(cell => cell.outputArea.model.toJSON());
}"""


@pytest.fixture
def page(lab, open_page):
    """Open a notebook with both widgets and run it."""
    folder, address = lab
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    book = nbformat.v4.new_notebook(metadata={"kernelspec": kernel})
    book.cells = [nbformat.v4.new_code_cell(cell) for cell in CELLS]
    nbformat.write(book, folder / "baselines.ipynb")
    page = open_page(f"{address}/doc/tree/baselines.ipynb?reset")
    page.wait_for_function(
        "() => window.jupyterapp && document.querySelector('.jp-Notebook .jp-Cell')",
        timeout=60_000,
    )
    page.evaluate(IDLE)
    run = "() => window.jupyterapp.commands.execute('notebook:run-all-cells')"
    page.evaluate(run)
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
    outputs = page.evaluate(LAST)
    assert not [o for cell in outputs for o in cell if o["output_type"] == "error"]
    assert not [o for cell in outputs for o in cell if o.get("name") == "stderr"]
    assert outputs[-1][0]["text"].split() == [
        "near",
        "the",
        "old",
        "cat",
        "2",
        "3",
        "5",
    ]
