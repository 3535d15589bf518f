"""What every widget must pass, alone in a browser; each module of tests imports it.

Such a module has a fixture `widget` (a function from a language to a widget) and says
of its widget: READY, a selector of what is there once it is drawn; PICTURE, what the
text of its picture names; and CLICKS, selectors of what to press before a second look.
It may say LEGEND, a selector of the signs that stand for different kinds of things.

Whether such tests notice anything is tried by mutants.py: it breaks a copy of each
widget (a listener, a number, the font, what the kernel is told) and says what survives.
"""

from __future__ import annotations

import io
import itertools
import re

import numpy as np
import pytest

expect = pytest.importorskip("playwright.sync_api").expect

__all__ = [
    "test_a_narrow_page_shows_everything",
    "test_axe_finds_nothing",
    "test_chinese_is_drawn_and_not_boxes",
    "test_kinds_look_different_with_any_colour_vision",
    "test_no_blank_is_left_open",
    "test_without_scripts_there_is_a_picture_with_its_words",
]
DARK = """
:root { --jp-layout-color0: #111; --jp-layout-color2: #333; --jp-border-color1: #616161;
  --jp-ui-font-color0: rgba(255, 255, 255, 1); } body { background: #111; color: #fff }
"""
NAME = """(e => e.getAttribute('aria-label') ?? (e.closest('label') ?? e).textContent)
(document.activeElement)"""
AXE = "async () => (await axe.run()).violations.map(v => [v.id, v.impact, v.help])"
MISSING = """text => {
  const font = getComputedStyle(document.querySelector('.course-widget')).fontFamily;
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
LEGEND = ".legend >> nth=0 >> .named > svg"
VISIONS = ("none", "deuteranopia", "protanopia", "tritanopia", "achromatopsia")
NOTE_SLIDER = """() => {  // note in `seen` where the slider stands, frame by frame
  window.seen = new Set();
  const slider = document.querySelector('input[type=range]');
  const look = () => { seen.add(slider.value); requestAnimationFrame(look); };
  look();
}"""
NOTE_HEARD = """() => {  // note in `heard` all that a screen reader is told
  const status = document.querySelector('.unseen[role=status]');
  window.heard = new Set();
  const note = () => heard.add(status.innerText);
  const all = { childList: true, characterData: true, subtree: true };
  new MutationObserver(note).observe(status, all);
}"""
SLIDE = "(e, v) => { e.value = v; e.dispatchEvent(new Event('input')); }"


def tab(page, times: int) -> list[str]:
    """Press Tab so often; return the name of what has the focus after each."""
    names = []
    for _ in range(times):
        page.keyboard.press("Tab")
        names.append(page.evaluate(NAME))
    return names


def walk(page, part, times: int) -> set[str]:
    """Walk over a listbox by arrow key; return all that a screen reader heard."""
    chosen = part.locator("[role=option][tabindex='0']")
    expect(chosen).to_have_count(1)  # one stop for Tab, then arrow keys
    expect(page.locator(".unseen[role=status]")).to_have_count(1)
    chosen.focus()
    page.evaluate(NOTE_HEARD)
    for _ in range(times):
        page.keyboard.press("ArrowRight")
    return set(page.evaluate("[...heard]"))


def place(page, number: int) -> tuple[float, float]:
    """Return where on the (first) map a point is drawn."""
    point = page.locator(".map").first.locator("[role=option]").nth(number)
    text = point.get_attribute("transform")
    x, y = re.fullmatch(r"translate\((.*),(.*)\)", text).groups()
    return float(x), float(y)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_axe_finds_nothing(request, page_of, axe, language, tmp_path):
    """By day and by night, as it opens and after some clicks."""
    page = page_of(language)
    page.add_script_tag(path=axe)
    assert page.evaluate(AXE) == []
    night = page.add_style_tag(content=DARK)
    assert page.evaluate(AXE) == []
    for selector in request.module.CLICKS:
        page.locator(selector).click()
    assert page.evaluate(AXE) == []
    page.screenshot(path=tmp_path / "dark.png", full_page=True)  # to look at
    night.evaluate("style => style.remove()")
    assert page.evaluate(AXE) == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_blank_is_left_open(page_of, language):
    page = page_of(language)
    for button in page.locator(".course-widget button").all():
        if button.is_visible() and button.is_enabled():
            button.click()
        shown = page.locator(".course-widget").inner_html()
        assert not re.search(r"[{}]|undefined|NaN|Infinity", shown)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_without_scripts_there_is_a_picture_with_its_words(request, page_of, language):
    page = page_of(language, java_script_enabled=False)
    first, *others = request.module.PICTURE
    picture = page.get_by_role("img", name=re.compile(first))
    expect(picture).to_be_visible()
    for words in others:
        assert re.search(words, picture.get_attribute("alt"))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_narrow_page_shows_everything(page_of, language):
    """Nothing has to be looked for beyond the edge of a telephone, or of a tablet.

    Style sheets alone decide what stands where: no module asks how wide the page is.
    """
    page = page_of(language)
    for width in (400, 800, 900):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def picture(sign) -> np.ndarray:
    """Return what a reader sees of an element. Shape: (height, width, 3)."""
    image = pytest.importorskip("PIL.Image").open(io.BytesIO(sign.screenshot()))
    return np.asarray(image.convert("RGB")).astype(int)


def apart(one: np.ndarray, other: np.ndarray) -> float:
    """Say which share of the pixels differs clearly."""
    height, width = np.minimum(one.shape, other.shape)[:2]
    gap = np.abs(one[:height, :width] - other[:height, :width]).max(axis=2)
    return (gap > 25).mean()


def test_kinds_look_different_with_any_colour_vision(request, page_of):
    """Chromium shows the page as somebody sees it who lacks a kind of cone, or all."""
    page = page_of()
    signs = page.locator(getattr(request.module, "LEGEND", LEGEND))
    if signs.count() < 2:
        pytest.skip("this widget has no legend of kinds")
    session = page.context.new_cdp_session(page)
    try:
        for vision in VISIONS:
            session.send("Emulation.setEmulatedVisionDeficiency", {"type": vision})
            seen = [picture(sign) for sign in signs.all()]
            for one, other in itertools.combinations(seen, 2):
                assert apart(one, other) > 0.05, vision
    finally:
        session.send("Emulation.setEmulatedVisionDeficiency", {"type": "none"})
        session.detach()


def test_chinese_is_drawn_and_not_boxes(page_of):
    """Compare each character with what the browser draws for one that no font has."""
    page = page_of("zh")
    text = page.locator(".course-widget").inner_text()
    text = "".join(sorted(set(text) - set(" \n\t")))
    missing = page.evaluate(MISSING, text)
    if set(missing) >= set(re.findall("[\u4e00-\u9fff]", text)):
        pytest.skip("no Chinese font on this machine: apt-get install fonts-noto-cjk")
    assert missing == []
