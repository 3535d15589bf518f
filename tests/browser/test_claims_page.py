"""The claims page, opened as a file: its filters work without a kernel."""

from __future__ import annotations

import pytest

from course_claims.cards import all_cards
from course_claims.page import SURPRISES, ran_or_not
from course_claims.page import page as write


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
    """Open the page once: it is long. Nothing may fail in it, or ask for more."""
    window, elsewhere, errors = windows
    page = window()
    page.goto(address, wait_until="domcontentloaded")
    yield page
    assert not elsewhere, "the page asked for other addresses"
    assert not errors, "the page's script failed"


@pytest.fixture
def claims(opened):
    """Return the page with no filter set, as wide as it was opened."""
    opened.set_viewport_size({"width": 1100, "height": 1000})
    for select in opened.locator("select").all():
        select.select_option(index=0)
    return opened


def shown(claims) -> list[str]:
    """Return the keys of the cards that can be seen."""
    visible = claims.locator("article:visible")
    return visible.evaluate_all("all => all.map(one => one.id)")


def test_all_cards_are_there_until_a_filter_is_set(claims):
    assert shown(claims) == [*all_cards()]
    assert (
        claims.locator("output").inner_text()
        == f"{len(all_cards())} / {len(all_cards())}"
    )


@pytest.mark.parametrize("name", ["told", "runs", "system", "lesson"])
def test_a_filter_leaves_the_cards_that_it_names(claims, name):
    of = {
        "told": lambda card: (card.as_told,),
        "runs": lambda card: (ran_or_not(card),),
        "system": lambda card: card.systems,
        "lesson": lambda card: (card.lesson,),
    }[name]
    wanted = next(key for card in all_cards().values() for key in of(card) if key)
    claims.locator(f"select[name={name}]").select_option(wanted)
    left = [key for key, card in all_cards().items() if wanted in of(card)]
    assert shown(claims) == left
    assert claims.locator("output").inner_text() == f"{len(left)} / {len(all_cards())}"


def test_two_filters_hold_together(claims):
    card = next(iter(all_cards().values()))
    claims.locator("select[name=lesson]").select_option(card.lesson)
    claims.locator("select[name=told]").select_option(card.as_told)
    left = [
        key
        for key, other in all_cards().items()
        if (other.lesson, other.as_told) == (card.lesson, card.as_told)
    ]
    assert shown(claims) == left


def test_the_unstable_can_be_picked_out(claims):
    claims.locator("select[name=runs]").select_option("unstable")
    assert shown(claims) == [key for key, card in all_cards().items() if card.unstable]


def test_a_surprise_is_reached_whatever_the_filters_hide(claims):
    """A link to a card that is hidden would lead nowhere."""
    key = SURPRISES[-1]
    other = next(v for v in ("right", "false") if v != all_cards()[key].as_told)
    claims.locator("select[name=told]").select_option(other)
    assert key not in shown(claims)
    claims.locator(f'a[href="#{key}"]').click()
    assert shown(claims) == [*all_cards()]
    assert claims.locator(f"#{key}").evaluate(
        "card => Math.abs(card.getBoundingClientRect().top) < innerHeight / 2"
    )


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


def test_no_card_is_cut_off_on_a_narrow_screen(claims):
    """What is wider than the page can be scrolled to, card by card."""
    claims.set_viewport_size({"width": 500, "height": 800})
    wide = claims.locator("article").evaluate_all(
        "all => all.filter(a => a.scrollWidth > a.clientWidth + 1)"
        ".map(a => getComputedStyle(a).overflowX)"
    )
    assert set(wide) <= {"auto"}
    assert claims.evaluate("document.documentElement.scrollWidth") <= 500
