"""ScalarMixView alone in a browser: weights, scores and points against numpy's."""

from __future__ import annotations

import functools
import re

import numpy as np
import pytest

pytest.importorskip("playwright.sync_api")
from every_widget import *  # noqa: F403 (its tests, to be run here too)
from every_widget import SLIDE, expect, place, tab, walk

READY = ".scalar-mix .map"
PICTURE = ["Sense accuracy|义项准确率", r"\d+%.*\d+%.*\d+%"]
CLICKS = [
    ".tours button >> nth=0",
    ".rows button >> nth=4",
    ".triangle circle >> nth=9",
]
LEARNED = [0.15, 0.6, 0.25]
S = ["w of layer 0", "w of layer 1", "w of layer 2"]


@pytest.fixture(scope="module")
def widget(uses):
    """Return a function that makes the widget of a language's two words."""
    from course_lib.widgets import scalar_mix

    layers, rows = uses

    @functools.cache
    def make(language):
        words = {"en": ("bank", "play"), "zh": ("苹果", "打")}[language]
        here = [i for i, row in enumerate(rows) if row.word in words]
        return scalar_mix(
            layers[:, here, :6],  # so few dimensions that no mix is perfect
            [rows[i] for i in here],
            language,
            learned=LEARNED,
        )

    return make


def slide(page, name: str, value: float) -> None:
    """Move a slider as a drag does."""
    page.get_by_role("slider", name=name).evaluate(SLIDE, value)


def weights(page) -> list[float]:
    """Return the weights that the page states."""
    said = page.locator(".weights").get_attribute("aria-label")
    return [float(number) for number in re.findall(r"\d\.\d\d", said)]


def nearest(data: dict, mix) -> int:
    grid = np.array(data["grid"]) / data["steps"]
    return int(np.square(grid - mix).sum(axis=1).argmin())


def percent(share: float) -> str:
    return f"{np.floor(100 * share + 0.5):g}%"


def test_weights_are_the_softmax_and_the_score_that_of_the_nearest_mix(page_of, widget):
    page, data = page_of(), widget("en").data
    for s in ([1.0, 0.0, -1.0], [0.5, 2.5, 0.5], [-6.0, 6.0, 1.0], [3.0, 2.0, 1.0]):
        for name, value in zip(S, s, strict=True):
            slide(page, name, value)
        mix = np.exp(s) / np.exp(s).sum()
        assert weights(page) == pytest.approx(mix, abs=0.0051)
        number = nearest(data, mix)
        told = " / ".join(f"{k / data['steps']:.2f}" for k in data["grid"][number])
        expect(page.locator(".told")).to_contain_text(f"({told})")
        score = percent(data["scores"][number])
        expect(page.locator(".told")).to_contain_text(f": {score};")
        expect(page.locator(".mine .value")).to_have_text(score)


def test_the_same_added_to_all_s_changes_nothing(page_of):
    page, shown = page_of(), []
    for shift in (0, 2):
        for name, value in zip(S, (1.0, -1.0, 0.5), strict=True):
            slide(page, name, value + shift)
        shown.append((weights(page), page.locator(".told").inner_text()))
    assert shown[0] == shown[1]


def test_points_mix_and_gamma_scales_them_without_touching_the_score(page_of, widget):
    page, frames = page_of(), np.array(widget("en").data["words"][0]["frames"])
    picture = page.locator(".columns .map")
    read = """all => all.map(e =>
      e.getAttribute('transform').match(/-?[\\d.]+/g).map(Number))"""

    def spots():
        return np.array(picture.locator("[role=option]").evaluate_all(read))

    drawn = {}
    for gamma in (1, 0.5):
        slide(page, "γ", gamma)
        for s in ([0, 0, 0], [-6, 6, 0], [2, 0, 1]):
            for name, value in zip(S, s, strict=True):
                slide(page, name, value)
            mix = np.exp(s) / np.exp(s).sum()
            expected = gamma * np.tensordot(mix, frames, axes=1)  # (N, 2)
            drawn[gamma, tuple(s)] = (
                spots(),
                expected,
                page.locator(".told").inner_text(),
            )
    x = np.concatenate([expected for _, expected, _ in drawn.values()])
    y = np.concatenate([spot for spot, _, _ in drawn.values()])
    (right, x0), (down, y0) = (np.polyfit(x[:, d], y[:, d], 1) for d in (0, 1))
    assert right == pytest.approx(-down, rel=0.01)  # one scale for both axes
    assert y == pytest.approx(x * [right, down] + [x0, y0], abs=0.5)
    for s in ([0, 0, 0], [2, 0, 1]):
        assert drawn[1, tuple(s)][2] == drawn[0.5, tuple(s)][2]


def test_a_point_of_the_triangle_sets_its_weights(page_of, widget):
    page, data = page_of(), widget("en").data
    points = page.locator(".map.triangle [role=option]")
    for number in (13, 40, data["corners"][1], data["corners"][2]):
        points.nth(number).click(force=True)
        mix = np.array(data["grid"][number]) / data["steps"]
        assert weights(page) == pytest.approx(mix, abs=0.0051)
        score = percent(data["scores"][number])
        expect(page.locator(".mine .value")).to_have_text(score)
        expect(points.nth(number)).to_have_accessible_name(re.compile(f": {score}$"))


def test_each_row_shows_a_measured_score_and_goes_there(page_of, widget):
    page, data = page_of(), widget("en").data
    numbers = [*data["corners"], data["middle"], data["best"], nearest(data, LEARNED)]
    rows = page.locator(".rows button")
    expect(rows).to_have_count(6)
    for row, number in zip(rows.all(), numbers, strict=True):
        score = percent(data["scores"][number])
        expect(row.locator(".value")).to_have_text(score)
        row.click()
        expect(page.locator(".mine .value")).to_have_text(score)
    assert weights(page) == pytest.approx(LEARNED, abs=0.0051)


def test_one_word_alone_has_scores_of_its_own(page_of, widget):
    page, data = page_of(), widget("en").data
    page.get_by_role("button", name="play", exact=True).click()
    expect(page.locator(".columns .legend")).to_contain_text("drama")
    page.get_by_role("button", name="Only “play”").click()
    play = data["words"][1]
    assert play["scores"] != data["scores"]
    values = page.locator(".rows button .value").all_inner_texts()
    assert values[:3] == [percent(play["scores"][i]) for i in data["corners"]]
    assert values[4] == percent(max(play["scores"]))
    low = min(s for i, s in enumerate(play["scores"]) if i != data["corners"][0])
    scale = page.get_by_text("Colour: from")
    expect(scale).to_contain_text(f"from {percent(low)} (faint) to {values[4]}")


def test_better_mixes_are_stronger_in_colour(page_of, widget):
    page, scores = page_of(), np.array(widget("en").data["scores"])
    read = "all => all.map(e => +e.getAttribute('fill-opacity'))"
    shown = page.locator(".triangle circle[fill-opacity]").evaluate_all(read)
    order = np.argsort(scores)
    assert (np.diff(np.array(shown)[order]) >= 0).all() and max(shown) == 1


def test_the_keyboard_reaches_every_mix_and_each_is_announced(page_of):
    page = page_of()
    names = tab(page, 11)
    assert [text[:1] for text in names[:3]] == ["1", "2", "3"] and names[3] == "Reset"
    assert names[6].startswith("weights 0.3")
    assert [name[:12] for name in names[7:10]] == S and names[10].startswith("γ")
    assert len(walk(page, page.locator(".triangle"), 55)) == 55
    assert len(walk(page, page.locator(".columns .map"), 9)) == 9
    slider = page.get_by_role("slider", name=S[0])
    slider.focus()
    page.keyboard.press("End")
    expect(slider).to_have_value("6")
    assert weights(page)[0] > 0.9


def test_each_thing_to_try_goes_somewhere_and_reset_comes_back(page_of, widget):
    page, data = page_of(), widget("en").data
    read = "all => all.map(e => e.innerText)"
    start = page.locator(".mixing, .columns").evaluate_all(read)
    mixes = ([0, 0, 1], [1 / 3] * 3, [1 / 3] * 3)
    for number, button in enumerate(page.locator(".tours button").all()[:3]):
        before = place_of_first(page)
        button.click()
        expect(page.locator(".advice")).to_have_text(data["tours"][number]["say"])
        assert weights(page) == pytest.approx(mixes[number], abs=0.0051)
        assert place_of_first(page) != before
    expect(page.get_by_role("slider", name="γ")).to_have_value("0.5")
    page.get_by_role("button", name="Reset").click()
    assert page.locator(".mixing, .columns").evaluate_all(read) == start


def place_of_first(page) -> str:
    point = page.locator(".columns .map [role=option]").first
    return point.get_attribute("transform")


def test_with_movement_the_mix_glides(page_of):
    page = page_of(reduced_motion="no-preference")
    page.evaluate("""() => {  // note the first weight, frame by frame
      window.seen = new Set();
      const stack = document.querySelector('.weights span');
      const look = () => { seen.add(stack.style.width); requestAnimationFrame(look); };
      look();
    }""")
    page.locator(".tours button").first.click()
    page.wait_for_function("seen.size > 4")  # it passes through, it does not jump
    expect(page.locator(".told")).to_contain_text("(0.00 / 0.00 / 1.00)")
    assert place(page, 0)
