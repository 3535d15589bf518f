"""The sense map alone in a browser, as in the book: no Jupyter, no kernel."""

from __future__ import annotations

import re

import pytest

expect = pytest.importorskip("playwright.sync_api").expect

DARK = """
:root { --jp-layout-color0: #111; --jp-layout-color2: #333; --jp-border-color1: #616161;
  --jp-ui-font-color0: rgba(255, 255, 255, 1); } body { background: #111; color: #fff }
"""


def place(page, number: int) -> tuple[float, float]:
    """Return where on the map a point is drawn."""
    text = page.locator(".map [role=option]").nth(number).get_attribute("transform")
    x, y = re.fullmatch(r"translate\((.*),(.*)\)", text).groups()
    return float(x), float(y)


def set_layer(page, layer: float) -> None:
    """Move the slider as a drag does."""
    slide = "(e, v) => { e.value = v; e.dispatchEvent(new Event('input')); }"
    page.get_by_role("slider").evaluate(slide, layer)


def test_the_slider_moves_points_and_score(page_of):
    page = page_of()
    score = page.locator(".gauge output")
    expect(score).to_contain_text("Layer 2:")
    top = place(page, 0), score.inner_text()
    page.get_by_role("slider").focus()
    page.keyboard.press("Home")
    expect(score).to_contain_text("Layer 0: sense accuracy 49%")  # 29 of 59 others
    assert place(page, 0) != top[0] and score.inner_text() != top[1]
    assert place(page, 0) == place(page, 59)  # one vector for all sentences
    expect(page.locator(".piles")).to_contain_text("×60")


def test_between_layers_positions_are_interpolated_and_scores_are_not(page_of):
    page = page_of()
    places, scores = {}, {}
    for layer in (1, 1.25, 2):
        set_layer(page, layer)
        places[layer] = place(page, 7)
        scores[layer] = page.locator(".gauge output").inner_text()
    for axis in (0, 1):
        between = 0.75 * places[1][axis] + 0.25 * places[2][axis]
        assert places[1.25][axis] == pytest.approx(between, abs=0.15)
    assert scores[1.25] == scores[1] != scores[2]
    set_layer(page, 1.25)
    expect(page.locator(".where")).to_contain_text("between layers 1 and 2")


def test_the_keyboard_reaches_every_sentence_and_each_is_announced(page_of):
    page = page_of()
    chosen = page.locator(".map [role=option][tabindex='0']")
    expect(chosen).to_have_count(1)  # one stop for Tab, then arrow keys
    chosen.focus()
    heard = set()
    for _ in range(60):
        page.keyboard.press("ArrowRight")
        heard.add(page.locator(".unseen[role=status]").inner_text())
    assert len(heard) == 60
    page.keyboard.press("End")
    last = page.locator(".map [role=option]").last
    expect(last).to_be_focused()
    expect(last).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".map [role=option]").first).to_be_focused()


def test_tab_alone_reaches_every_control(page_of):
    page = page_of()
    reached = []
    for _ in range(9):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.textContent.slice(0, 9)"))
    assert reached[:5] == ["bank", "play", "", "▶ Next la", "Reset"]
    assert [text[:1] for text in reached[5:8]] == ["1", "2", "3"]
    assert page.evaluate("document.activeElement.getAttribute('role')") == "option"


def test_neighbours_follow_the_chosen_sentence_and_the_layer(page_of, widget):
    page = page_of()
    page.locator(".map [role=option]").first.click(force=True)
    expect(page.locator(".chosen mark")).to_have_text("bank")
    table = page.locator(".reader table")
    rows = table.locator("tbody tr")
    bank = widget("en").data["words"][0]
    for layer, measured in ((2, 2), (1.25, 1), (1.75, 2)):
        set_layer(page, layer)
        expect(table.locator("caption")).to_contain_text(f"layer {measured} (cosine")
        for row, (i, _) in enumerate(bank["neighbours"][measured][0]):
            expect(rows.nth(row)).to_contain_text("".join(bank["sentences"][i]))
    set_layer(page, 0)
    expect(table).to_contain_text("59 sentences are equally near")
    expect(rows).to_have_count(1)


def test_each_thing_to_try_goes_somewhere_and_says_what_to_see(page_of):
    page = page_of()
    said = page.locator(".advice")
    first = said.inner_text()
    layers = []
    for button in page.locator(".tours button").all():
        button.click()
        expect(said).not_to_have_text(first)
        first = said.inner_text()
        layers.append(page.locator(".where").inner_text())
    assert layers[0] == "layer 0" and layers[1] == layers[2] != "layer 0"
    page.get_by_role("button", name="Reset").click()
    expect(page.locator(".where")).to_have_text("layer 2")


def test_another_word_brings_its_own_sentences(page_of):
    page = page_of()
    page.get_by_role("button", name="play", exact=True).click()
    expect(page.locator(".legend")).to_contain_text("drama")
    expect(page.locator(".chosen mark")).to_have_text("play")
    expect(page.locator(".tabs [aria-pressed=true]")).to_have_text("play")


def test_play_glides_and_stops_at_the_top(page_of):
    page = page_of(reduced_motion="no-preference")
    page.get_by_role("button", name="▶ Play").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    seen = set()
    for _ in range(200):
        seen.add(page.get_by_role("slider").input_value())
        if page.get_by_role("button", name="▶ Play").count():
            break
        page.wait_for_timeout(20)
    assert len(seen) > 3  # it passed through, it did not jump
    expect(page.locator(".where")).to_have_text("layer 2", timeout=15_000)


def test_without_movement_each_press_is_the_next_layer(page_of):
    page = page_of(reduced_motion="reduce")
    step = page.get_by_role("button", name="Next layer")
    for layer in (0, 1, 2, 0):
        step.click()
        expect(page.locator(".where")).to_have_text(f"layer {layer}")


def test_senses_differ_in_shape_and_in_colour(page_of):
    page = page_of()
    marks = page.locator(".map [role=option] path")
    kinds = marks.evaluate_all(
        "all => all.map(e => [e.getAttribute('d'), e.getAttribute('fill')])"
    )
    assert len({shape for shape, _ in kinds}) == 2
    assert len({colour for _, colour in kinds}) == 2


@pytest.mark.parametrize("style", ["", DARK], ids=["light", "dark"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_axe_finds_nothing(page_of, axe, language, style, tmp_path):
    page = page_of(language, style)
    page.add_script_tag(path=axe)
    run = "async () => (await axe.run()).violations.map(v => [v.id, v.impact, v.help])"
    assert page.evaluate(run) == []
    page.locator(".tours button").first.click()
    assert page.evaluate(run) == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_without_scripts_there_is_a_picture_with_its_words(page_of, language):
    page = page_of(language, java_script_enabled=False)
    picture = page.get_by_role("img", name=re.compile("bank|苹果"))
    expect(picture).to_be_visible()
    assert re.search("49%", picture.get_attribute("alt"))


def test_chinese_is_drawn_and_not_boxes(page_of):
    """Compare each character with what the browser draws for one that no font has."""
    page = page_of("zh")
    text = "".join(sorted(set(page.locator(".sense-map").inner_text()) - set(" \n\t")))
    drawn = """text => {
      const font = getComputedStyle(document.querySelector('.sense-map')).fontFamily;
      const draw = (character) => {
        const canvas = document.createElement('canvas');
        canvas.width = canvas.height = 40;
        const pen = canvas.getContext('2d');
        pen.font = `28px ${font}`;
        pen.fillText(character, 4, 32);
        return canvas.toDataURL();
      };
      const box = ['\\u{10FFFD}', '\\u0378'].map(draw);
      return [...text].filter(character => box.includes(draw(character)));
    }"""
    missing = page.evaluate(drawn, text)
    if set(missing) >= set("苹果"):
        pytest.skip("no Chinese font on this machine: apt-get install fonts-noto-cjk")
    assert missing == []


def test_two_maps_on_one_page_do_not_disturb_each_other(page_of, widget):
    page = page_of("en")
    bundle, _ = widget("zh")._repr_mimebundle_()
    add = """html => {
      const range = document.createRange();
      document.querySelector('main').append(range.createContextualFragment(html));
    }"""
    page.evaluate(add, bundle["text/html"])
    expect(page.locator(".sense-map .map")).to_have_count(2)
    page.get_by_role("slider").nth(1).focus()
    page.keyboard.press("Home")
    expect(page.locator(".where").nth(1)).to_have_text("第 0 层")
    expect(page.locator(".where").nth(0)).to_have_text("layer 2")
