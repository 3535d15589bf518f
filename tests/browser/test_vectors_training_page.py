"""VectorsTraining alone in a browser, as in the book: no Jupyter, no kernel."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from course_lib.widgets import Snapshots, maps, vectors_training

pytest.importorskip("playwright.sync_api")
from every_widget import *  # noqa: F403 (its tests, to be run here too)
from every_widget import NOTE_SLIDER, SLIDE, expect, place, walk

READY = ".vectors-training .map"
PICTURE = ["bank|苹果", "100%"]
CLICKS = [".tours button >> nth=0"]

GROUPS = {
    "en": {
        "water": "river canoe ferry brook barge lake stream bridge",
        "money": "loan dollars rate pay debt credit cash cost",
        "fruit": "pears plums grapes cherries figs dates limes melons",
    },
    "zh": {
        "水果": "梨 桃 葡萄 西瓜 柿子 橘子 樱桃 枣",
        "手机": "手机 电脑 平板 相机 屏幕 新款 系统 充电",
        "时间": "春天 夏天 秋天 冬天 早上 中午 下午 晚上",
    },
}
SEVERAL = {"en": "bank", "zh": "苹果"}
LAST, WORDS = 4, 25  # the last snapshot; words on the map


@pytest.fixture(scope="module")
def widget():
    """Return a function that makes the widget of a language: two runs of 5 snapshots.

    Random vectors move to their group's centre, the last word between two centres.
    """

    def run(words: list[str], seed: int) -> Snapshots:
        draw = np.random.default_rng(seed)
        start, noise, centres = (draw.normal(size=(n, 30)) for n in (60, 60, 3))
        goal = noise.copy()
        for row in range(24):
            goal[row] += 2 * centres[row // 8]
        goal[24] += centres[0] + centres[1]
        shares = np.linspace(0, 1, LAST + 1)
        snapshots = np.stack([(1 - s) * start + s * goal for s in shares])
        losses = [float("nan"), 3.5, 2.75, 2.25, 2.0 - seed / 10]
        return Snapshots(snapshots, [0, 1000, 20_000, 300_000, 4_000_000], losses)

    @functools.cache
    def make(language: str):
        groups = {name: text.split() for name, text in GROUPS[language].items()}
        word = SEVERAL[language]
        words = [w for members in groups.values() for w in members] + [word]
        words += [f"other{i}" for i in range(60 - len(words))]
        runs = {"skip-gram": run(words, 0), "CBOW": run(words, 1)}
        between = {word: list(groups)[:2]}
        return vectors_training(runs, words, groups, between, language)

    return make


def measured(widget, name: str, method: int = 0) -> np.ndarray:
    """Return a table of a run, as Python measured it: (S, M, …)."""
    scale = 1 if name == "near" else 1000
    table = maps.unpack(widget.data["runs"][method][name], scale)
    return table.reshape(LAST + 1, WORDS, -1)


def set_moment(page, moment: float) -> None:
    """Move the slider as a drag does."""
    page.get_by_role("slider").evaluate(SLIDE, moment)


def test_it_opens_at_the_end_of_training_with_its_story(page_of, widget):
    page = page_of()
    expect(page.locator(".where")).to_have_text("snapshot 4 of 4: 4,000,000 words read")
    expect(page.locator(".map [aria-selected=true]")).to_have_attribute(
        "aria-label", "bank: words of several senses"
    )
    expect(page.locator(".map text.first", has_text="bank")).to_be_visible()
    order = widget("en").data["runs"][0]["order"]
    assert order[-1] == 1 and order[0] < 0.7
    expect(page.locator(".curves strong").first).to_have_text("100%")


def test_the_slider_moves_points_order_and_loss(page_of, widget):
    page, order = page_of(), widget("en").data["runs"][0]["order"]
    values = page.locator(".curves strong")
    dot = page.locator(".curves .dot").first
    seen = set()
    page.get_by_role("slider").focus()
    page.keyboard.press("Home")
    expect(values.nth(1)).to_have_text("none yet")
    for moment, loss in enumerate(["none yet", "3.50", "2.75", "2.25", "2.00"]):
        set_moment(page, moment)
        expect(values.nth(0)).to_have_text(f"{round(100 * order[moment])}%")
        expect(values.nth(1)).to_have_text(loss)
        seen.add((place(page, 0), dot.get_attribute("transform")))
    assert len(seen) == 5


def test_between_snapshots_positions_are_interpolated_and_numbers_are_not(page_of):
    page = page_of()
    places, numbers = {}, {}
    for moment in (1, 1.25, 2):
        set_moment(page, moment)
        places[moment] = place(page, 7)
        numbers[moment] = page.locator(".reader").inner_text()
        numbers[moment] += page.locator(".curves").inner_text()
    for axis in (0, 1):
        between = 0.75 * places[1][axis] + 0.25 * places[2][axis]
        assert places[1.25][axis] == pytest.approx(between, abs=0.15)
    assert numbers[1.25] == numbers[1] != numbers[2]
    set_moment(page, 1.25)
    expect(page.locator(".where")).to_contain_text("between snapshots 1 and 2")
    expect(page.locator(".where")).to_contain_text("snapshot 1, 1,000 words read")


def test_tables_are_those_that_python_measured_for_each_word_and_snapshot(
    page_of, widget
):
    page, made = page_of(), widget("en")
    near, cosines = measured(made, "near"), measured(made, "cosines")
    means, words = measured(made, "means"), made.data["words"]
    for moment, chosen in ((0, 24), (2, 3), (4, 24)):
        set_moment(page, moment)
        page.get_by_role("combobox").select_option(words[chosen])
        rows = page.locator(".near tr")
        expect(rows).to_have_count(5)
        for n in range(5):
            name, value = near[moment, chosen, n], cosines[moment, chosen, n]
            expect(rows.nth(n)).to_have_text(f"{words[int(name)]}{value:.3f}")
        for kind, mean in enumerate(means[moment, chosen]):
            expect(page.locator(".means tr").nth(kind)).to_contain_text(f"{mean:.2f}")
        expect(page.locator(".means caption")).to_contain_text(words[chosen])


def test_a_run_without_losses_has_no_line(open_page, widget, tmp_path):
    words = GROUPS["en"]["water"].split() + GROUPS["en"]["money"].split()
    vectors = np.random.default_rng(0).normal(size=(2, len(words), 4))
    run = Snapshots(vectors, [0, 1000], 2 * [float("nan")])
    groups = {"water": words[:8], "money": words[8:]}
    shown = vectors_training({"skip-gram": run}, words, groups)
    file, errors = tmp_path / "page.html", []
    twin = shown._repr_mimebundle_()[0]["text/html"]
    file.write_text(f"<!doctype html><meta charset=utf-8>{twin}", "utf-8")
    page = open_page("about:blank")
    page.on("console", lambda said: errors.append(said.text))
    page.goto(file.as_uri())
    expect(page.locator(".curves strong").last).to_have_text("none yet")
    assert not errors


def test_a_word_is_chosen_by_click_by_arrows_and_from_the_list(page_of):
    page = page_of()
    caption, chosen = page.locator(".near caption"), page.get_by_role("combobox")
    page.locator(".map [role=option]").nth(2).click(force=True)
    expect(caption).to_contain_text("“ferry”")
    expect(chosen).to_have_value("2")
    page.locator(".map [role=option]").nth(2).focus()
    page.keyboard.press("ArrowRight")
    expect(caption).to_contain_text("“brook”")
    page.get_by_role("combobox").select_option("figs")
    expect(caption).to_contain_text("“figs”")
    expect(page.locator(".map [aria-selected=true]")).to_have_attribute(
        "aria-label", "figs: fruit"
    )
    expect(page.locator(".unseen[role=status]")).to_contain_text("figs")


def test_the_keyboard_reaches_every_word_and_each_is_announced(page_of):
    page = page_of()
    assert len(walk(page, page.locator(".map"), WORDS)) == WORDS
    page.keyboard.press("End")
    expect(page.locator(".map [role=option]").last).to_be_focused()


def test_tab_alone_reaches_every_control(page_of):
    page = page_of()
    reached = []
    for _ in range(10):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.textContent.slice(0, 9)"))
    assert reached[:5] == ["skip-gram", "CBOW", "", "▶ Next sn", "Reset"]
    assert [text[:1] for text in reached[5:8]] == ["1", "2", "3"]
    role = "document.activeElement.getAttribute('role')"
    assert page.evaluate("document.activeElement.tagName") == "SELECT"
    page.keyboard.press("Shift+Tab")
    assert page.evaluate(role) == "option"


def test_names_do_not_hide_each_other(page_of):
    page = page_of()
    overlaps = """() => {
      const shown = [...document.querySelectorAll('.map .name')]
        .filter(e => e.getAttribute('visibility') === 'visible')
        .map(e => e.getBoundingClientRect());
      return [shown.length, shown.flatMap((a, i) => shown.slice(i + 1).filter(b =>
        a.left < b.right - 2 && b.left < a.right - 2 &&
        a.top < b.bottom - 6 && b.top < a.bottom - 6)).length];
    }"""
    for moment in range(LAST + 1):
        set_moment(page, moment)
        shown, hidden = page.evaluate(overlaps)
        assert shown >= 5 and hidden == 0


def test_the_other_method_brings_its_own_map_and_numbers(page_of, widget):
    page = page_of()
    before = place(page, 0)
    page.get_by_role("button", name="CBOW").click()
    expect(page.locator(".tabs [aria-pressed=true]")).to_have_text("CBOW")
    expect(page.locator(".curves strong").nth(1)).to_have_text("1.90")
    assert place(page, 0) != before
    mean = measured(widget("en"), "means", 1)[4, 24, 0]
    expect(page.locator(".means tr").first).to_contain_text(f"{mean:.2f}")


def test_each_thing_to_try_goes_somewhere_and_says_what_to_see(page_of):
    page = page_of()
    said = page.locator(".advice")
    first = said.inner_text()
    where = []
    for button in page.locator(".tours button").all():
        button.click()
        expect(said).not_to_have_text(first)
        first = said.inner_text()
        where.append(page.locator(".where").inner_text()[:10])
    assert where == ["snapshot 0", "snapshot 4", "snapshot 4"]
    page.get_by_role("combobox").select_option("river")
    page.get_by_role("button", name="CBOW").click()
    page.get_by_role("button", name="Reset").click()
    expect(page.locator(".tabs [aria-pressed=true]")).to_have_text("skip-gram")
    expect(page.locator(".near caption")).to_contain_text("“bank”")


def test_play_glides_and_stops_at_the_end(page_of):
    page = page_of(reduced_motion="no-preference")
    page.evaluate(NOTE_SLIDER)
    page.get_by_role("button", name="▶ Play").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(page.get_by_role("button", name="▶ Play")).to_be_visible(timeout=15_000)
    expect(page.locator(".where")).to_contain_text("snapshot 4 of 4")
    assert page.evaluate("seen.size") > 4  # it passed through, it did not jump


def test_without_movement_each_press_is_the_next_snapshot(page_of):
    page = page_of(reduced_motion="reduce")
    step = page.get_by_role("button", name="Next snapshot")
    for number in (0, 1, 2, 3, 4, 0):
        step.click()
        expect(page.locator(".where")).to_contain_text(f"snapshot {number} of 4")
