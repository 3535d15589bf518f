"""The widget of co-occurrences alone in a browser: no Jupyter, no kernel."""

from __future__ import annotations

import functools
import re

import numpy as np
import pytest

pytest.importorskip("playwright.sync_api")
from every_widget import *  # noqa: F403 (its tests, to be run here too)
from every_widget import SLIDE, expect, tab

READY = ".cooccurrence .map"
PICTURE = ["river|河"]
CLICKS = [".tours button >> nth=2"]

GROUPS = {
    "en": [["river", "water", "boat"], ["bank", "money", "loan"], ["the", "of"]],
    "zh": [["河", "水", "船"], ["银行", "钱", "贷款"], ["的", "了"]],
}
PROBES = {"en": ["water", "loan", "the"], "zh": ["水", "贷款", "的"]}
# Counts of the first six words in window 10: the others are 2 everywhere.
KNOWN = [
    [0, 40, 30, 10, 0, 1],
    [40, 0, 20, 5, 1, 0],
    [30, 20, 0, 1, 0, 0],
    [10, 5, 1, 0, 60, 50],
    [0, 1, 0, 60, 0, 80],
    [1, 0, 0, 50, 80, 0],
]


def words_of(language: str) -> list[str]:
    others = "other" if language == "en" else "词"
    flat = [word for group in GROUPS[language] for word in group]
    return ["<unk>", *flat, *(f"{others}{n}" for n in range(30))]


def tables() -> dict[int, np.ndarray]:
    """Return X by window: half of each count is left in the smaller one."""
    X = np.full((39, 39), 2.0)
    X[0] = X[:, 0] = 0
    X[1:7, 1:7] = KNOWN
    return {10: X, 2: X / 2}


@pytest.fixture(scope="module")
def widget():
    """Return a function that makes the widget of one language."""
    from scipy.sparse import csr_array

    from course_lib.widgets import cooccurrence

    @functools.cache
    def make(language):
        X = {window: csr_array(table) for window, table in tables().items()}
        groups, words = GROUPS[language], words_of(language)
        first = groups[0][0], groups[1][1]  # river and money, 河 and 钱
        second = groups[0][2], groups[1][0]
        pairs = {first: PROBES[language], second: PROBES[language][:2]}
        return cooccurrence(X, words, groups, pairs, language)

    return make


def table_row(page, number: int) -> list[str]:
    """Return the texts of a row of the ratio table; the reader's own comes last."""
    row = page.locator(".ratios tbody tr").nth(number)
    return row.locator("td").all_inner_texts()


def shares(i: int, k: int, window: int = 10) -> float:
    X = tables()[window]
    return X[i, k] / X[i].sum()


@pytest.mark.parametrize("width", [700, 780, 800, 860, 920, 1100])
def test_wide_numbers_stay_within_the_frame(page_of, width):
    page = page_of("en", viewport={"width": width, "height": 900})
    row = page.locator(".ratios tbody tr").first.locator("td")
    texts = ["patients", "0.333", "26.6", "0.0057%", "0.028%", "0.028"]
    write = "(cells, texts) => texts.forEach((text, i) => cells[i].textContent = text)"
    row.evaluate_all(write, texts)
    right = "element => element.getBoundingClientRect().right"
    frame = page.locator(".course-widget").evaluate(right) - 16  # its padding
    assert page.locator(".ratios").evaluate(right) <= frame


def test_the_table_shows_the_ratios_of_the_counts(page_of):
    page = page_of()
    river, money = 1, 5
    for row, word in enumerate((2, 6, 7)):  # water, loan, the
        texts = table_row(page, row)
        assert texts[0] == PROBES["en"][row]
        X = tables()[10]
        assert [float(texts[1]), float(texts[2])] == [X[river, word], X[money, word]]
        ratio = shares(river, word) / shares(money, word)
        assert float(texts[5]) == pytest.approx(ratio, rel=0.05)
        assert float(texts[3].strip("%")) == pytest.approx(
            100 * shares(river, word), rel=0.05
        )


def test_another_word_in_each_place_changes_the_table(page_of):
    page = page_of()
    for label, word in (("word i", "bank"), ("word j", "boat"), ("your k", "loan")):
        page.get_by_label(label).select_option(word)
    last = table_row(page, 3)
    assert last[1:3] == ["50", "0"] and last[5] == "∞"
    expect(page.locator(".ratios caption")).to_have_text(
        "Which word k tells i = bank from j = boat?"
    )
    expect(page.locator(".legend").last).to_contain_text("(bank, k)")


def test_a_button_brings_another_pair(page_of):
    page = page_of()
    page.get_by_role("button", name="boat / bank").click()
    expect(page.get_by_label("word i")).to_have_value("2")
    expect(page.locator(".ratios caption")).to_contain_text("i = boat from j = bank")
    pressed = page.get_by_role("group", name="Words to compare")
    expect(pressed.locator("[aria-pressed=true]")).to_have_text("boat / bank")


def test_bars_point_to_the_word_they_speak_for_and_few_counts_are_hollow(page_of):
    page = page_of()
    bars = page.locator(".ratios .bar")
    water, loan = (bars.nth(n).locator("rect") for n in (0, 1))
    assert float(water.get_attribute("x")) == 45  # from the middle to the right
    assert float(loan.get_attribute("x")) < 45
    assert water.get_attribute("fill") != loan.get_attribute("fill") != "none"
    page.get_by_label("word i").select_option("loan")
    expect(bars.nth(2).locator("rect")).to_have_attribute("fill", "none")  # 2 + 2


def colour(page, row: int, column: int) -> tuple[str, float]:
    cell = page.locator(".map [role=row]").nth(row).locator("rect").nth(column)
    look = "e => [e.getAttribute('class'), e.style.fill, e.style.fillOpacity]"
    kind, fill, opacity = cell.evaluate(look)
    return (kind, 0.0) if kind else (fill, float(opacity))


def test_three_views_colour_the_same_counts_differently(page_of):
    page = page_of()
    expect(page.get_by_role("button", name="beyond frequency")).to_have_attribute(
        "aria-pressed", "true"
    )
    often, seldom = colour(page, 4, 5), colour(page, 3, 1)  # money-loan, bank-water
    assert often[0] != seldom[0] and often[1] > 0
    page.get_by_role("button", name="counts X").click()
    assert colour(page, 4, 5)[1] == 1  # the highest count
    assert colour(page, 3, 1)[1] == pytest.approx(5 / 80, abs=0.001)
    page.get_by_role("button", name="log X").click()
    expected = 0.05 + 0.95 * np.log(5) / np.log(80)  # counts from 1 to 80
    assert colour(page, 3, 1)[1] == pytest.approx(expected, abs=0.001)
    assert colour(page, 0, 4) == ("never", 0)


def test_only_another_view_or_window_colours_the_map_anew(page_of):
    """There are up to 1,296 cells: with all of them, a slider would drag behind."""
    page = page_of()
    page.evaluate(
        """() => {
          window.painted = new Set();
          const note = (all) => all.forEach(({ target }) => painted.add(target));
          const watch = { subtree: true, attributeFilter: ["style", "aria-label"] };
          const map = document.querySelector(".map [role=row]").parentNode;
          new MutationObserver(note).observe(map, watch);
        }"""
    )
    painted = "() => new Promise(done => setTimeout(() => done(painted.size)))"
    slide(page, "x_max", 1)
    page.get_by_label("word i").select_option("bank")
    page.locator(".map [role=gridcell]").first.click()
    assert page.evaluate(painted) == 0
    page.get_by_role("button", name="counts X").click()
    assert page.evaluate(painted) == len(page.locator(".map [role=gridcell]").all())


def test_a_smaller_window_brings_its_own_counts(page_of):
    page = page_of()
    page.get_by_role("group", name="Window").get_by_text("2").click()
    assert table_row(page, 0)[1] == "20"
    expect(page.locator(".detail")).to_contain_text("X = 40")  # money, loan: was 80
    page.get_by_role("button", name="Reset").click()
    assert table_row(page, 0)[1] == "40"


def test_the_keyboard_walks_over_the_map_and_each_cell_is_announced(page_of):
    page = page_of()
    stop = page.locator(".map [role=gridcell][tabindex='0']")
    expect(stop).to_have_count(1)  # one stop for Tab, then arrow keys
    stop.focus()
    heard = page.locator(".unseen[role=status]")
    page.keyboard.press("Home")
    expect(heard).to_contain_text("money, river: never near each other")
    page.keyboard.press("ArrowUp")
    expect(heard).to_have_text("bank, river: counted 10")
    page.keyboard.press("ArrowRight")
    expect(heard).to_have_text("bank, water: counted 5")
    expect(page.locator(".detail")).to_contain_text("log X = 1.61")
    expect(page.get_by_label("your k")).to_have_value("1")  # the column is the k
    page.keyboard.press("End")
    page.keyboard.press("ArrowRight")
    expect(heard).to_have_text("bank, river: counted 10")  # round to the first
    expect(stop).to_be_focused()
    for key in ("Alt+ArrowLeft", "Meta+ArrowLeft", "Control+Home"):  # the browser's
        page.keyboard.press(key)
        expect(heard).to_have_text("bank, river: counted 10")


def test_the_menu_in_the_table_keeps_the_keyboard(page_of):
    page = page_of()
    menu = page.get_by_label("your k")
    menu.focus()
    before = menu.input_value()
    for _ in range(2):
        page.keyboard.press("ArrowDown")
        expect(menu).not_to_have_value(before)
        expect(menu).to_be_focused()
        before = menu.input_value()


def test_tab_alone_reaches_every_control(page_of):
    page = page_of()
    reached = tab(page, 17)
    assert reached[:6] == ["counts X", "log X", "beyond frequency", "10", "2", "Reset"]
    assert [text[:1] for text in reached[6:9]] == ["1", "2", "3"]
    assert reached[9] == "money, loan: counted 80"
    assert reached[10:12] == ["river / money", "boat / bank"]
    assert reached[12:] == ["word i", "word j", "your k", "x_max", "α"]


def weight_on_curve(page) -> float:
    """Return f of the chosen cell, as written below the map."""
    text = page.locator(".detail").inner_text()
    return float(re.search(r"f\(X\) = ([\d.]+)", text)[1])


def slide(page, label: str, value: float) -> None:
    """Move a slider as a drag does."""
    page.get_by_label(label).evaluate(SLIDE, value)


def test_the_sliders_change_the_weights(page_of):
    page = page_of()
    assert weight_on_curve(page) == pytest.approx(0.8**0.75, abs=0.01)  # 80 of 100
    route = page.locator(".curve").get_attribute("d")
    before = page.locator(".weights").inner_text()
    slide(page, "x_max", 3)
    assert weight_on_curve(page) == pytest.approx(0.08**0.75, abs=0.01)
    assert page.locator(".curve").get_attribute("d") != route
    slide(page, "x_max", 1)
    assert weight_on_curve(page) == 1  # 80 is above 10, and no pair weighs more
    slide(page, "x_max", 3)
    slide(page, "α", 0)
    assert weight_on_curve(page) == 1
    assert page.locator(".weights").inner_text() != before
    expect(page.locator(".weights")).to_contain_text("100% weigh 1")
    page.get_by_role("button", name="Reset").click()
    expect(page.locator(".weights")).to_have_text(before)


def test_the_pairs_of_the_table_lie_on_the_curve(page_of):
    page = page_of()
    points = page.locator(".weighing g[transform]")
    # Four probes beside two words, less the pair never seen, and the chosen cell.
    drawn = points.evaluate_all("all => all.map(e => e.textContent)")
    assert len(drawn) == 8 and drawn[0] == "(river, water) weighs 0.5"
    assert float(drawn[0].split()[-1]) == pytest.approx(0.4**0.75, abs=0.01)


def test_each_thing_to_try_goes_somewhere_and_says_what_to_see(page_of):
    page = page_of()
    said = page.locator(".advice")
    for number, text in enumerate(
        ("a few cells outshine", "speaks for river", "α = 0")
    ):
        page.locator(".tours button").nth(number).click()
        expect(said).to_contain_text(text)
        if number == 0:
            expect(page.get_by_role("button", name="counts X")).to_have_attribute(
                "aria-pressed", "true"
            )
    expect(page.get_by_label("α")).to_have_value("0")
    page.get_by_role("button", name="Reset").click()
    expect(page.get_by_label("α")).to_have_value("0.75")
    expect(said).to_contain_text("Each cell is a pair")


def test_two_on_one_page_do_not_disturb_each_other(page_of):
    page = page_of("en", "zh")
    expect(page.locator(".cooccurrence .map")).to_have_count(2)
    page.get_by_label("自选 k").select_option("银行")
    expect(page.get_by_label("自选 k")).to_have_value("3")
    expect(page.get_by_label("your k")).to_have_value("2")
