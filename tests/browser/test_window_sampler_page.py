"""WindowSampler alone in a browser: its draws against word2vec's own formulas."""

from __future__ import annotations

import functools
import re
from collections import Counter

import numpy as np
import pytest

pytest.importorskip("playwright.sync_api")
from every_widget import *  # noqa: F403 (its tests, to be run here too)
from every_widget import SLIDE, expect, tab

READY = ".window-sampler .columns"
PICTURE = ["0\\.0001"]
CLICKS = [".tours button >> nth=1"]

TEXTS = {
    "en": "the ferry crossed the river near the old zeppelin mill at noon / "
    "she sold the old ferry",
    "zh": "渡船 在 中午 过 了 河 靠近 旧 的 齐柏林 磨坊 / 她 卖 了 渡船",
}
SENTENCES = {
    language: [sentence.split() for sentence in text.split(" / ")]
    for language, text in TEXTS.items()
}
UNKNOWN = {"zeppelin", "齐柏林"}


def counts_of(language: str) -> dict[str, int]:
    """Give the sentences' words their counts, among 300; the rarest 88 are alike."""
    words = Counter(word for words in SENTENCES[language] for word in words)
    known = [word for word, _ in words.most_common() if word not in UNKNOWN]
    ranks = np.geomspace(1, 250, len(known)).astype(int) + np.arange(len(known))
    named = dict(zip(ranks.tolist(), known, strict=True))
    often = [max(int(4e7 / rank**2.2), 300) for rank in range(1, 301)]
    return {named.get(r, f"other{r}"): n for r, n in enumerate(often, start=1)}


@pytest.fixture(scope="module")
def widget():
    """Return a function that makes the widget in one language."""
    from course_lib.widgets import window_sampler

    @functools.cache
    def build(language):
        return window_sampler(counts_of(language), SENTENCES[language], language)

    return build


READ = """() => {
  const all = (box, query) => [...box.querySelectorAll(query)];
  const words = (box, query) => all(box, query).map((word) => word.textContent);
  return {
    words: words(document, '.chip > :first-child'),
    stays: words(document, '.chip small'),
    kinds: all(document, '.chip').map((chip) => chip.className.replace('chip ', '')),
    centre: all(document, '.chip').findIndex((chip) => chip.tabIndex === 0),
    caption: document.querySelector('caption').textContent,
    rows: all(document, 'tbody tr').map((row) => ({
      pair: words(row, 'td').slice(0, 2),
      noise: words(row.lastChild, 'span'),
      same: words(row.lastChild, 's'),
    })),
  };
}"""
DRAW = f"""(button, times) => Array.from({{ length: times }}, () => {{
  button.click();
  return ({READ})();
}})"""


def look(page) -> dict:
    """Read what the page shows of one draw."""
    return page.evaluate(READ)


def draws(page, times: int) -> list[dict]:
    """Press "Draw again" many times and read what is shown after each."""
    return page.get_by_role("button", name="Draw again").evaluate(DRAW, times)


def slide(page, name: str, value: float) -> None:
    """Move a slider as a drag does; t by its logarithm."""
    page.get_by_role("slider", name=name, exact=True).evaluate(SLIDE, value)


def reach_of(shown: dict) -> int:
    """Return the reach that the caption names."""
    return int(re.search(r"reach (\d+)", shown["caption"])[1])


def shares_of(language: str, power: float) -> np.ndarray:
    """Return word2vec's noise over the words of `counts_of`."""
    from course_lib.models.word2vec import noise_distribution

    return noise_distribution(list(counts_of(language).values()), power)


def test_every_centre_gets_the_words_within_reach_that_stayed(page_of):
    """By the arrow keys through the sentence, with three windows, reaches drawn."""
    page = page_of()
    slide(page, "threshold t", -3)
    page.locator(".chip").first.click()
    pairs = 0
    for window in (1, 3, 8):
        slide(page, "window", window)
        for _ in range(12):
            page.keyboard.press("ArrowRight")
            shown = look(page)
            at, kinds, words = shown["centre"], shown["kinds"], shown["words"]
            stayed = [i for i, k in enumerate(kinds) if k not in ("dropped", "unknown")]
            near = []
            if at in stayed and "no pair" not in shown["caption"]:
                reach, place = reach_of(shown), stayed.index(at)
                assert 1 <= reach <= window
                near = stayed[max(0, place - reach) : place + reach + 1]
            others = [i for i in near if i != at]
            expected = [[words[at], words[i]] for i in others]
            assert [row["pair"] for row in shown["rows"]] == expected
            assert [i for i, kind in enumerate(kinds) if kind == "context"] == others
            assert (kinds[at] == "centre") == (at in stayed)
            pairs += len(expected)
    assert pairs > 20


def test_words_stay_as_often_as_word2vec_keeps_them(page_of):
    from course_lib.models.word2vec import keep_probability

    page, counts = page_of(), counts_of("en")
    keep = dict(zip(counts, keep_probability(list(counts.values()), 1e-3), strict=True))
    slide(page, "threshold t", -3)
    stayed, times = Counter(), 200
    for shown in draws(page, times):
        stayed.update(i for i, kind in enumerate(shown["kinds"]) if kind != "dropped")
    for i, word in enumerate(shown["words"]):
        if word in UNKNOWN:
            assert shown["kinds"][i] == "unknown"
            continue
        p = keep[word]
        said = float(shown["stays"][i].rstrip("%")) / 100
        assert said == pytest.approx(p, rel=0.051)
        margin = 4 * np.sqrt(p * (1 - p) / times) + 1e-9
        assert stayed[i] / times == pytest.approx(p, abs=margin), word


@pytest.mark.parametrize("power", [0, 0.75, 1])
def test_noise_is_drawn_as_word2vec_draws_it(page_of, power):
    """The share of the commonest word, of the rarer half, of some equally rare ones."""
    page, names = page_of(), list(counts_of("en"))
    for name, value in {"threshold t": 0, "window": 8, "negatives k": 10}.items():
        slide(page, name, value)
    slide(page, "power", power)
    drawn, rare, last = [], set(names[150:]), set(names[260:])
    for shown in draws(page, 80):
        assert all(len(row["noise"]) == 10 for row in shown["rows"])
        drawn += [word for row in shown["rows"] for word in row["noise"]]
    p = shares_of("en", power)
    found = {
        "first": (drawn.count(names[0]), p[0]),
        "rare": (sum(word in rare for word in drawn), p[150:].sum()),
        "last": (sum(word in last for word in drawn), p[260:].sum()),
    }
    for name, (number, share) in found.items():
        margin = 4 * np.sqrt(share * (1 - share) / len(drawn))
        assert number / len(drawn) == pytest.approx(share, abs=margin), name


def test_the_answer_itself_among_the_noise_is_struck_out(page_of):
    page, struck = page_of(), 0
    for name, value in {"threshold t": 0, "power": 1, "window": 8}.items():
        slide(page, name, value)
    for shown in draws(page, 40):
        for row in shown["rows"]:
            same = [word for word in row["noise"] if word == row["pair"][1]]
            assert row["same"] == same
            struck += len(same)
    assert struck


def test_a_fixed_reach_is_the_window_and_a_drawn_one_varies(page_of):
    page, reaches = page_of(), {}
    slide(page, "threshold t", 0)
    slide(page, "window", 3)
    for dynamic in (True, False):
        page.get_by_role("checkbox").set_checked(dynamic)
        reaches[dynamic] = Counter(map(reach_of, draws(page, 90)))
    assert reaches[False] == {3: 90}
    assert set(reaches[True]) == {1, 2, 3} and min(reaches[True].values()) > 15


def test_a_higher_threshold_only_adds_words_to_the_same_draw(page_of):
    page, before = page_of(), set()
    for log in range(-5, 1):
        slide(page, "threshold t", log)
        kinds = look(page)["kinds"]
        stayed = {i for i, kind in enumerate(kinds) if kind != "dropped"}
        assert stayed >= before
        before = stayed
    assert len(before) == 12  # t = 1: all, with the one that is not in the vocabulary
    slider = page.get_by_role("slider", name="threshold t")
    expect(slider).to_have_attribute("aria-valuetext", "1 (all stay)")


def test_a_draw_can_be_seen_again(page_of):
    page = page_of()
    first, again = look(page), page.get_by_role("button", name="Draw again")
    again.click()
    expect(page.locator(".window-sampler")).to_contain_text("draw 2")
    second = look(page)
    assert second != first
    slide(page, "threshold t", 0)
    assert look(page) != second
    page.get_by_role("button", name="Reset").click()
    assert look(page) == first
    again.click()
    assert look(page) == second


def axis(page, number: int, key: str, marks: dict[str, float]):
    """Return the function from values to places that two labels of a picture give."""
    picture = page.locator(".columns svg").nth(number)
    labels = [picture.get_by_text(label, exact=True) for label in marks]
    places = [float(label.get_attribute(key)) for label in labels]
    slope, start = np.polyfit(list(marks.values()), places, 1)
    return lambda values: start + slope * np.asarray(values)


def test_noise_bars_say_how_much_more_often(page_of, widget):
    page, bars = page_of(), widget("en").data["bars"]
    times = page.locator("svg g > text:last-child")
    read = "all => all.map(e => +/\\((.*),/.exec(e.getAttribute('transform'))[1])"
    x, f = axis(page, 1, "x", {"1%": -2, "100%": 0}), shares_of("en", 1)[bars]
    circles = "all => all.map(e => +e.getAttribute('cx'))"
    circles = page.locator("circle.text").evaluate_all(circles)
    assert circles == pytest.approx(x(np.log10(f)), abs=0.1)
    for power in (1, 0.75, 0.3, 0):
        slide(page, "power", power)
        p = shares_of("en", power)[bars]
        texts = times.all_text_contents()
        said = [float(text.rstrip("×").replace(",", "")) for text in texts]
        assert said == pytest.approx(p / f, rel=0.051)
        places = page.locator("path.noise").evaluate_all(read)
        assert places == pytest.approx(x(np.log10(p)), abs=0.1)
    assert len(set(places)) == 1  # at power 0 all words are alike
    picture = page.get_by_role("img", name=re.compile("at power 0: “the”"))
    expect(picture).to_be_visible()


def test_the_curve_shows_the_sentence_s_words_where_they_are(page_of):
    page, counts = page_of(), counts_of("en")
    names = sorted(set(SENTENCES["en"][0]) - UNKNOWN, key=counts.get, reverse=True)
    f = np.array([counts[name] for name in names]) / sum(counts.values())
    read = "(all, key) => all.map(e => +e.getAttribute(key))"
    x = axis(page, 0, "x", {"1%": -2, "0.01%": -4})
    y = axis(page, 0, "y", {"0": 0, "50%": 0.5})
    for log in (-4, -2.5):
        slide(page, "threshold t", log)
        keep = np.minimum(1, np.sqrt(10**log / f))
        for key, place in {"cx": x(np.log10(f)), "cy": y(keep)}.items():
            places = page.locator("circle.word").evaluate_all(read, key)
            assert places == pytest.approx(place, abs=0.1)
        expect(page.locator(".columns svg").first).to_contain_text("ferry")


def test_the_keyboard_alone_reaches_everything(page_of):
    page = page_of()
    reached = tab(page, 15)
    wanted = ["the ferry", "she sold", "1 ·", "2 ·", "3 ·", ", centre", "centre"]
    wanted += ["window", "draw the", "Draw again", "negatives", "Reset"]
    wanted += ["threshold", "power"]
    for label, part in zip(reached, wanted, strict=False):
        assert part in label.replace(" draw the", "draw the")
    slider = page.get_by_role("slider", name="window")
    slider.focus()
    page.keyboard.press("End")
    expect(slider).to_have_attribute("aria-valuetext", "8")
    slider = page.get_by_role("slider", name="centre")
    slider.focus()
    page.keyboard.press("Home")
    expect(slider).to_have_attribute("aria-valuetext", "the")
    assert look(page)["centre"] == 0
    expect(page.locator(".unseen[role=status]")).to_have_text(look(page)["caption"])


def test_a_word_outside_the_vocabulary_makes_no_pair(page_of):
    page = page_of()
    page.get_by_text("zeppelin", exact=True).click()
    expect(page.locator("caption")).to_contain_text("not in the vocabulary: no pair")
    chosen = page.get_by_role("option", selected=True)
    expect(chosen).to_have_accessible_name(
        re.compile("zeppelin.*not in the vocabulary")
    )


def test_each_thing_to_try_goes_somewhere_and_says_what_to_see(page_of, widget):
    page, data = page_of(), widget("en").data
    start = look(page)
    buttons = page.locator(".tours button").all()
    for button, tour in zip(buttons, data["tours"][0], strict=True):
        button.click()
        expect(page.locator(".advice")).to_have_text(tour["say"])
        now = tour["set"]
        power = page.get_by_role("slider", name="power")
        expect(power).to_have_value(f"{now['power']:g}")
        assert page.get_by_role("checkbox").is_checked() == now["dynamic"]
    buttons[0].click()
    shown = look(page)
    assert "dropped" not in shown["kinds"]
    pairs = len(shown["rows"])
    assert f"makes {pairs} pairs" in page.locator(".advice").inner_text()
    page.get_by_role("button", name="Reset").click()
    assert look(page) == start


def test_another_sentence_brings_its_own_words(page_of, widget):
    page, data = page_of(), widget("en").data
    slide(page, "centre", 11)
    page.locator(".tabs button").nth(1).click()
    shown = look(page)
    assert shown["words"] == SENTENCES["en"][1]
    assert shown["centre"] == data["centres"][1]
    expect(page.get_by_role("slider", name="centre")).to_have_attribute("max", "4")
    page.locator(".tours button").first.click()
    expect(page.locator(".advice")).to_have_text(data["tours"][1][0]["say"])


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_blank_is_left_open_at_any_word(page_of, language):
    page = page_of(language)
    for button in page.locator(".tours button, .tabs button").all():
        button.click()
        for chip in page.locator(".chip").all()[::4]:
            chip.click()
            shown = page.locator(".window-sampler").inner_html()
            assert not re.search(r"\{|undefined|NaN|Infinity", shown)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_picture_quotes_words_of_the_text(page_of, language):
    page = page_of(language, java_script_enabled=False)
    picture = page.get_by_role("img", name=re.compile("0.0001"))
    expect(picture).to_be_visible()
    quoted = re.findall("“(.+?)”", picture.get_attribute("alt"))
    assert len(quoted) >= 3
    assert set(quoted) <= counts_of(language).keys()
