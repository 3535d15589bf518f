"""The sense map in a real JupyterLab: dragged live, and opened without a kernel."""

from __future__ import annotations

import re

import nbformat
import pytest

expect = pytest.importorskip("playwright.sync_api").expect

from in_lab import (  # noqa: E402
    READY,
    assert_clean,
    notebook,
    opened,
    run,
    wait_for_kernel,
)

CELLS = [
    """import course_lib
t = course_lib.start("en")""",
    """import numpy as np
from course_lib.widgets import sense_map
draw = np.random.default_rng(0)
senses = ["river", "money"] * 20
centre = {"river": draw.normal(size=16), "money": draw.normal(size=16)}
noise = draw.normal(size=(40, 16)) * 0.6
context = np.array([centre[sense] for sense in senses]) + noise
layers = np.stack([np.ones((40, 16)), context])
sentences = [["the", "bank", str(i)] for i in range(40)]
shown = sense_map(layers, senses, sentences, [1] * 40, "bank", t.language)
shown""",
    "shown.layer",
]


def test_a_drag_moves_the_map_and_reaches_the_kernel(lab, open_page, tmp_path):
    folder, address = lab
    page = opened(open_page, address, notebook(folder, "live.ipynb", CELLS))
    outputs = run(page, "notebook:run-all-cells")
    assert_clean(outputs)
    shown = page.locator(".sense-map")
    expect(shown.locator(".where")).to_have_text("layer 1", timeout=30_000)
    point = shown.locator(".map [role=option]").first
    before = point.get_attribute("transform")

    slider = shown.get_by_role("slider")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] - 8, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, middle, steps=8)
    expect(shown.locator(".where")).to_contain_text("between layers 0 and 1")
    page.mouse.move(box["x"], middle, steps=8)
    page.mouse.up()
    expect(shown.locator(".gauge output")).to_have_text(re.compile("^Layer 0: .* 49%"))
    assert point.get_attribute("transform") != before
    wait_for_kernel(page, "shown.layer", 0.0)  # told by the drag, and by nothing else

    # In its command mode JupyterLab would take the arrow keys to go to another cell.
    points = shown.locator(".map [role=option]")
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
    active = "() => window.jupyterapp.shell.currentWidget.content.activeCellIndex"
    assert page.evaluate(active) == 1
    shown.screenshot(path=tmp_path / "lab.png")

    page.evaluate(  # the drag made the map's own cell the active one
        "() => { window.jupyterapp.shell.currentWidget.content.activeCellIndex = 2; }"
    )
    last = run(page, "notebook:run-cell")[-1]
    assert last["data"]["text/plain"] == "0.0"


def test_an_opened_notebook_that_nobody_ran_shows_the_picture(lab, open_page, widget):
    folder, address = lab
    bundle, _ = widget("zh")._repr_mimebundle_()
    output = nbformat.v4.new_output("display_data", data=bundle)
    page = opened(
        open_page, address, notebook(folder, "unrun.ipynb", ["shown"], [output])
    )
    expect(page.get_by_role("img", name=re.compile("苹果.*49%"))).to_be_visible()
    page.evaluate(READY)  # so that the server has a whole kernel to end
