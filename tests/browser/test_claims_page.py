"""The claims page, opened as a file: search, filters and pages without a server."""

from __future__ import annotations

import re
import unicodedata

import pytest

from course_claims.cards import all_cards
from course_claims.page import SURPRISES
from course_claims.page import page as write

expect = pytest.importorskip("playwright.sync_api").expect


@pytest.fixture(scope="module", params=["en", "zh"])
def address(request, tmp_path_factory) -> str:
    """Write the page in one language, which takes seconds; returns where it is."""
    head = f'<!doctype html><html lang="{request.param}"><meta charset="utf-8">'
    path = tmp_path_factory.mktemp("claims") / "claims.html"
    found = write([*all_cards().values()], request.param)
    text = f"{head}<title>claims</title><main>{found}</main></html>"
    path.write_text(text, encoding="utf-8")
    return path.as_uri()


@pytest.fixture(scope="module")
def opened(address, windows):
    """Return a function that opens the page with something in its address."""
    window, elsewhere, errors = windows

    def show(tail: str = "", **options):
        page = window(**options)
        page.goto("about:blank")  # so that a fragment loads the page as well
        page.goto(address + tail, wait_until="domcontentloaded")
        return page

    yield show
    assert not elsewhere, "the page asked for other addresses"
    assert not errors, "the page's script failed"


@pytest.fixture
def claims(opened):
    """Return the page with no filter set, as wide as it was opened."""
    page = opened()
    page.set_viewport_size({"width": 1100, "height": 1000})
    return page


def shown(claims) -> list[str]:
    """Return the keys of the cards that can be seen."""
    visible = claims.locator("article:visible")
    return visible.evaluate_all("all => all.map(one => one.id)")


def found(claims) -> list[str]:
    """Return the keys of the cards on all pages, turned one after the other."""
    keys, after = shown(claims), claims.locator("nav [data-step='1']")
    while after.is_visible() and after.is_enabled():
        after.click()
        keys += shown(claims)
    return keys


def test_at_most_twenty_cards_are_on_screen_and_all_can_be_turned_to(claims):
    assert shown(claims) == [*all_cards()][:20]
    assert found(claims) == [*all_cards()]
    assert re.findall(r"\d+", claims.locator("output").inner_text())[-1] == str(
        len(all_cards())
    )
    assert claims.locator("nav [aria-current]").inner_text() == str(
        -(-len(all_cards()) // 20)
    )


def test_without_scripts_all_cards_are_there(opened):
    page = opened(java_script_enabled=False)
    assert shown(page) == [*all_cards()]
    assert page.locator("form, nav").filter(visible=True).count() == 0


@pytest.mark.parametrize("name", ["told", "runs", "system", "lesson"])
def test_a_filter_leaves_the_cards_that_it_names(claims, name):
    of = {
        "told": lambda card: (card.as_told,),
        "runs": lambda card: (card.ran,),
        "system": lambda card: card.systems,
        "lesson": lambda card: (card.lesson,),
    }[name]
    wanted = next(key for card in all_cards().values() for key in of(card) if key)
    claims.locator(f"select[name={name}]").select_option(wanted)
    left = [key for key, card in all_cards().items() if wanted in of(card)]
    assert found(claims) == left


def test_two_filters_and_a_word_hold_together(claims):
    card = next(iter(all_cards().values()))
    claims.locator("select[name=lesson]").select_option(card.lesson)
    claims.locator("select[name=told]").select_option(card.as_told)
    left = [
        key
        for key, other in all_cards().items()
        if (other.lesson, other.as_told) == (card.lesson, card.as_told)
    ]
    assert found(claims) == left
    claims.locator("[name=q]").fill("no card has these words")
    assert shown(claims) == []
    claims.locator("button[type=reset]").click()
    expect(claims.locator("article:visible")).to_have_count(20)


@pytest.mark.parametrize("words", ["ELMo", "elmo ULMFIT", "ＢＥＲＴ"])
def test_a_search_finds_the_cards_with_all_its_words(claims, words):
    """Capitals do not matter, nor do the wide letters of a Chinese keyboard."""
    claims.locator("[name=q]").fill(words)
    texts = claims.locator("article").evaluate_all(
        "all => all.map(one => [one.id, one.textContent])"
    )
    wanted = unicodedata.normalize("NFKC", words).lower().split()
    left = [
        key
        for key, text in texts
        if all(word in f"{key} {text}".lower() for word in wanted)
    ]
    assert 0 < len(left) < len(texts)
    assert found(claims) == left


def test_what_is_chosen_stands_in_the_address(opened, claims):
    claims.locator("[name=q]").fill("ELMo")
    claims.locator("select[name=told]").select_option("false")
    claims.locator("nav [data-step='1']").click()
    chosen, tail = shown(claims), claims.url.partition("?")[2]
    again = opened(f"?{tail}")
    assert shown(again) == chosen
    assert again.locator("[name=q]").input_value() == "ELMo"
    assert again.locator("nav [aria-current]").inner_text() == "2"


def test_a_count_leads_to_the_cards_that_it_counts(claims):
    with claims.expect_navigation():
        claims.locator(".counts a").filter(has_text="✗").first.click()
    wanted = [key for key, card in all_cards().items() if card.as_told == "false"]
    assert found(claims) == wanted


def test_the_unstable_can_be_picked_out(claims):
    claims.locator("select[name=runs]").select_option("unstable")
    assert found(claims) == [key for key, card in all_cards().items() if card.unstable]


@pytest.mark.parametrize("way", ["click", "address"])
def test_a_card_is_reached_whatever_hides_it(opened, claims, way):
    """A link to a card that is hidden would lead nowhere."""
    key = SURPRISES[-1]
    other = next(v for v in ("right", "false") if v != all_cards()[key].as_told)
    if way == "address":
        claims = opened(f"?told={other}#{key}")
    else:
        claims.locator("select[name=told]").select_option(other)
        assert key not in shown(claims)
        claims.locator(f'li a[href="#{key}"]').click()
    card = claims.locator(f"#{key}")
    expect(card).to_be_in_viewport()
    expect(card.locator(".numbers")).to_be_visible()
    expect(card.locator(".place")).to_have_attribute("href", f"#{key}")
    assert len(shown(claims)) <= 20


def test_a_verdict_is_said_first_and_not_by_its_colour_alone(claims):
    for key in shown(claims):
        first = claims.locator(f"#{key} > :first-child").inner_text()
        assert re.search(r"[✓≈✗○±?–]|own question|自己的问题", first), key


def test_on_paper_the_folded_numbers_are_open(claims):
    numbers = claims.locator("article:visible .numbers").first
    expect(numbers).to_be_hidden()
    claims.emulate_media(media="print")
    expect(numbers).to_be_visible()
    claims.emulate_media(media="screen")


def test_each_card_opens_its_lesson(claims):
    links = claims.locator("article a.lesson").evaluate_all(
        "all => all.map(one => one.getAttribute('href'))"
    )
    wanted = [f"lessons/{card.lesson}.html" for card in all_cards().values()]
    assert links == wanted


def test_a_page_that_anyone_can_read(claims, axe):
    claims.add_script_tag(path=axe)
    found = claims.evaluate("axe.run(document.querySelector('main'))")
    serious = [v for v in found["violations"] if v["impact"] in ("serious", "critical")]
    assert not serious, [(v["id"], v["nodes"][0]["html"][:200]) for v in serious]


@pytest.mark.parametrize("width", [360, 390, 768])
def test_no_card_is_cut_off_on_a_narrow_screen(claims, width):
    """What is wider than its card can be scrolled to, and texts never are."""
    claims.set_viewport_size({"width": width, "height": 844})
    claims.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert claims.evaluate("document.documentElement.scrollWidth") <= width
    wide = claims.locator("article:visible *").evaluate_all(
        "all => all.filter(a => a.scrollWidth > a.clientWidth + 1 && a.clientWidth)"
        ".map(a => getComputedStyle(a).overflowX)"
    )
    assert set(wide) <= {"auto"}
