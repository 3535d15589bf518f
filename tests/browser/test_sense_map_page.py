"""The sense map alone in a browser, as in the book: no Jupyter, no kernel."""

from __future__ import annotations

import math

import pytest

pytest.importorskip("playwright.sync_api")
from every_widget import *  # noqa: F403 (its tests, to be run here too)
from every_widget import NOTE_SLIDER, SLIDE, expect, place, tab, walk

READY = ".sense-map .map"
PICTURE = ["bank|苹果", "49%"]
CLICKS = [".tours button >> nth=0"]


def set_layer(page, layer: float) -> None:
    """Move the slider as a drag does."""
    page.get_by_role("slider").evaluate(SLIDE, layer)


def test_the_slider_moves_points_and_score(page_of, widget):
    page, scores = page_of(), widget("en").data["words"][0]["scores"]
    score = page.locator(".gauge output")
    shares = ["nearest", "centroid"]
    nearest, centroid = (math.floor(100 * scores[2][s] + 0.5) for s in shares)
    assert nearest > 60  # layer 0 has 49%, as below
    said = f"Layer 2: sense accuracy {nearest}% by nearest neighbour, {centroid}%"
    expect(score).to_contain_text(said)
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
    assert len(walk(page, page.locator(".map"), 60)) == 60
    page.keyboard.press("End")
    last = page.locator(".map [role=option]").last
    expect(last).to_be_focused()
    expect(last).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowDown")
    first = page.locator(".map [role=option]").first
    expect(first).to_be_focused()
    for key in ("Alt+ArrowLeft", "Meta+ArrowRight", "Control+End"):  # the browser's
        page.keyboard.press(key)
        expect(first).to_be_focused()


def test_each_arrow_key_is_a_layer_and_each_layer_is_measured(page_of):
    page = page_of()
    slider, heard = page.get_by_role("slider"), page.locator(".unseen[role=status]")
    slider.focus()
    for key, layer in (("Left", 1), ("Down", 0), ("Down", 0), ("Right", 1), ("Up", 2)):
        page.keyboard.press(f"Arrow{key}")
        expect(slider).to_have_value(str(layer))
        expect(heard).to_contain_text(f"Layer {layer}")
    for key, layer in (("Left", 1), ("Right", 2)):  # from between two layers
        set_layer(page, 1.3)
        page.keyboard.press(f"Arrow{key}")
        expect(slider).to_have_value(str(layer))


def test_tab_alone_reaches_every_control(page_of):
    page = page_of()
    reached = tab(page, 11)
    assert reached[:5] == ["bank", "play", "Layer", "▶ Next layer", "Reset"]
    assert reached[5:7] == ["PCA", "Sense axes"]
    assert [text[:1] for text in reached[7:10]] == ["1", "2", "3"]
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
        expect(page.locator(".reader summary")).to_contain_text(
            f"layer {measured} (cosine"
        )
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
    page.evaluate(NOTE_SLIDER)
    page.get_by_role("button", name="▶ Play").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(page.get_by_role("button", name="▶ Play")).to_be_visible(timeout=15_000)
    expect(page.locator(".where")).to_have_text("layer 2")
    assert page.evaluate("seen.size") > 3  # it passed through, it did not jump


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


def test_a_browser_that_is_too_old_keeps_the_picture(browser, written):
    with browser.new_context() as context:
        context.add_init_script("delete Object.entries")
        page = context.new_page()
        with page.expect_event("pageerror"):  # it is still told
            page.goto(written("en"))
        expect(page.get_by_role("img", name="bank")).to_be_visible()
        expect(page.locator(".course-widget")).to_have_count(0)


def test_two_maps_on_one_page_do_not_disturb_each_other(page_of):
    page = page_of("en", "zh")
    expect(page.locator(".sense-map .map")).to_have_count(2)
    page.get_by_role("slider").nth(1).focus()
    page.keyboard.press("Home")
    expect(page.locator(".where").nth(1)).to_have_text("第 0 层")
    expect(page.locator(".where").nth(0)).to_have_text("layer 2")


def test_on_the_sense_axes_points_lie_on_the_side_that_the_score_says(page_of, widget):
    page, word = page_of(), widget("en").data["words"][0]
    before = place(page, 0)
    page.get_by_role("button", name="Sense axes").click()
    assert place(page, 0) != before
    border = page.locator(".borders").get_attribute("d")
    middle = float(border.removeprefix("M").split(",")[0])
    sides = [place(page, i)[0] > middle for i in range(60)]
    right = sum(
        side == bool(kind) for side, kind in zip(sides, word["sense"], strict=True)
    )
    assert right / 60 == pytest.approx(word["scores"][2]["centroid"], abs=1e-3)
    expect(page.locator(".cluster")).to_have_text(word["senses"])
    page.get_by_role("button", name="PCA").click()
    assert place(page, 0) == before


def test_a_sentence_is_read_where_the_pointer_or_the_keyboard_is(page_of, widget):
    page, word = page_of(), widget("en").data["words"][0]
    point, peek = page.locator(".map [role=option]"), page.locator(".peek")
    point.nth(5).dispatch_event("pointerenter")
    expect(peek).to_contain_text("".join(word["sentences"][5]))
    point.nth(5).dispatch_event("pointerleave")
    expect(peek).to_contain_text("Point at a sentence")
    point.nth(7).focus()
    expect(peek).to_contain_text("".join(word["sentences"][7]))


def test_a_map_that_opens_a_page_plays_once_and_stands_still_for_who_wants_it(
    open_page, widget, tmp_path
):
    shown = widget.__wrapped__("en")
    shown.layer, shown.opening = 0.0, True
    file = tmp_path / "opening.html"
    text = shown._repr_mimebundle_()[0]["text/html"]
    file.write_text(f'<!doctype html><meta charset="utf-8">{text}', "utf-8")
    calm = open_page(file.as_uri(), reduced_motion="reduce")
    calm.locator(READY).wait_for()
    moving = open_page(file.as_uri(), reduced_motion="no-preference")
    expect(moving.locator(".where")).to_have_text("layer 2", timeout=30_000)
    expect(moving.get_by_role("button", name="▶ Play")).to_be_visible()
    expect(calm.locator(".where")).to_have_text("layer 0")
