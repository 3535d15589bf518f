"""The book, as a reader meets it: two lessons of it, built here, page by page.

One lesson has outputs in Chinese, made by a kernel just now; the others have none, and
must say so. No page may ask another machine for anything, not even for a formula.
"""

from __future__ import annotations

import json
import re
import urllib.parse
import urllib.request

import nbformat
import numpy as np
import pytest

pytest.importorskip("playwright.sync_api")
reason = "needs the extra `book`: pip install -e '.[book,test]'"
pytest.importorskip("sphinx_book_theme", reason=reason)
pytest.importorskip("myst_nb", reason=reason)

from every_widget import picture  # noqa: E402
from playwright.sync_api import expect  # noqa: E402
from small_book import build, cut, parts_of, served  # noqa: E402

LESSONS = {
    # what prints code, draws a picture with Chinese labels, or writes a formula
    "00_start_here": (
        "title start imports thread context-average errors error-reduction error-figure"
    ),
    "06_elmo_bilm": None,  # all of it
}
TERMS = {"en": "perplexity", "zh": "一词多义"}


@pytest.fixture(scope="session")
def book(course, tmp_path_factory, request):
    """Build the book of two lessons; yield the address at which it is served."""
    parts, folder = parts_of(course, request), tmp_path_factory.mktemp("book")
    cut(course, folder / "notebooks", LESSONS)
    executed(folder / "notebooks/zh/00_start_here.ipynb", folder / "executed/zh")
    said = build(course, folder, parts)
    assert "without outputs: en/00_start_here, en/06_elmo_bilm" in said
    with served(folder / "out/html") as address:
        yield address


def executed(path, folder):
    """Execute a notebook as `make notebooks` does."""
    import run_notebooks

    folder.mkdir(parents=True)
    content = nbformat.read(path, as_version=4)
    assert run_notebooks.attempt(content, path.parent, 300, dots=False) == ""
    nbformat.write(content, folder / path.name)


@pytest.fixture
def open_page(windows):
    """Return a function that opens an address, in one window for all tests."""
    window, elsewhere, errors = windows

    def show(address, **options):
        page = window(**options)
        page.goto(address)
        return page

    yield show
    assert (elsewhere, errors) == ([], [])


# What a page has to say about itself: where it leads, what can be led to, its text,
# and how many of its formulas MathJax has drawn.
LOOK = """async () => {
  if (window.MathJax?.startup) await MathJax.startup.promise;
  const all = (q) => [...document.querySelectorAll(q)];
  return {
    links: all("a[href]:not([download])").map((a) => a.href),
    files: all("a[download]").map((a) => a.href),
    ids: all("[id], a[name]").map((e) => e.id || e.name),
    text: document.body.innerText,
    formulas: all(".math").length,
    drawn: all(".math mjx-container svg").length,
    wrong: all("mjx-merror, [data-mjx-error]").map((e) => e.textContent),
    nameless: all("img:not([alt]), img[alt='']").length,
    raw: all(".bd-article p, .bd-article li").map((e) => e.innerText)
      .filter((text) => /\\$[^$\\s][^$]*\\$|\\{(ref|doc|py:)/.test(text)),
  };
}"""


@pytest.fixture(scope="module")
def visited(book, browser):
    """Visit every page that can be reached; return what each says about itself."""
    LOCAL = ("http://127.0.0.1", "data:", "blob:")

    context = browser.new_context(reduced_motion="reduce", locale="en-GB")
    page, trouble, seen = context.new_page(), [], {}
    context.on("request", lambda r: r.url.startswith(LOCAL) or trouble.append(r.url))
    context.on(
        "response", lambda r: r.status < 400 or trouble.append(f"{r.status} {r.url}")
    )
    page.on("pageerror", lambda error: trouble.append(f"{page.url}: {error}"))
    page.on(
        "console",
        lambda m: m.type != "error" or trouble.append(f"{page.url}: {m.text}"),
    )
    waiting = [book]
    while waiting:
        address = waiting.pop()
        page.goto(address)
        look = seen[address] = page.evaluate(LOOK)
        to = {urllib.parse.urldefrag(link).url for link in look["links"]}
        waiting += [
            link
            for link in sorted(to)
            if link.startswith(book) and link not in seen and link not in waiting
        ]
    context.close()
    return seen, trouble


def test_every_page_opens_and_asks_no_other_machine(visited, book):
    seen, trouble = visited
    assert trouble == []
    names = {address.removeprefix(book) for address in seen}
    for language in ("en", "zh"):
        for name in ("lessons/06_elmo_bilm", "api/models", "claims", "grading"):
            assert f"{language}/{name}.html" in names


def test_each_lesson_s_notebooks_can_be_downloaded(visited, book, course):
    """In the page's own language; the answer key is one for both."""
    seen, _ = visited
    for language in ("en", "zh"):
        files = seen[f"{book}{language}/lessons/06_elmo_bilm.html"]["files"]
        names = [file.rpartition("/")[2] for file in files]
        assert names == ["06_elmo_bilm.ipynb", "06_elmo_bilm_answers.ipynb"]
        notebook, answers = (urllib.request.urlopen(file).read() for file in files)
        own = course / f"notebooks/{language}/06_elmo_bilm.ipynb"
        assert json.loads(notebook)["cells"] == json.loads(own.read_text())["cells"]
        key = course / "solutions/06_elmo_bilm/06_elmo_bilm.ipynb"
        assert answers == key.read_bytes()
    assert seen[book + "en/glossary.html"]["files"] == []


def test_every_link_leads_to_a_place_that_exists(visited, book):
    seen, _ = visited
    for address, look in seen.items():
        for link in look["links"]:
            to, place = urllib.parse.urldefrag(link)
            if to.startswith(book) and place:
                place = urllib.parse.unquote(place)
                assert place in seen[to]["ids"], f"{address}: nothing at {link}"


def test_every_formula_is_drawn_and_no_mark_is_left_over(visited):
    seen, _ = visited
    assert sum(look["formulas"] for look in seen.values()) > 60
    for address, look in seen.items():
        assert (look["drawn"], look["wrong"]) == (look["formulas"], []), address
        assert look["raw"] == [], address
        assert look["nameless"] == 0, f"{address}: a picture without alternative text"


# A font draws every character that it lacks alike.
DRAW = """([text, font]) => {
  const draw = (character) => {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 40;
    const pen = canvas.getContext("2d", { willReadFrequently: true });
    pen.font = `28px ${font}`;
    pen.textBaseline = "top";
    pen.fillText(character, 4, 4);
    return canvas.toDataURL();
  };
  const missing = new Set(["\\u{10FFFD}", "\\u0378"].map(draw));
  return [...text].filter((character) => missing.has(draw(character)));
}"""


@pytest.mark.parametrize("where", ["body", "pre"])
def test_no_character_of_the_book_shows_as_a_box(visited, open_page, book, where):
    seen, _ = visited
    characters = set().union(*(look["text"] for look in seen.values()))
    shown = "".join(sorted(c for c in characters if c.isprintable() and c != " "))
    assert "苹" in shown and "γ" in shown
    page = open_page(book + "zh/lessons/06_elmo_bilm.html")
    font = page.evaluate(
        "where => getComputedStyle(document.querySelector(where)).fontFamily", where
    )
    assert page.evaluate(DRAW, [shown, font]) == []
    assert page.evaluate(DRAW, ["a\u0379苹", font]) == ["\u0379"]  # it would be seen


@pytest.mark.parametrize("edition", ["en", "zh"])
@pytest.mark.parametrize("term", TERMS.values())
def test_search_finds_both_languages_in_both_editions(open_page, book, edition, term):
    page = open_page(f"{book}{edition}/search.html?q={term}")
    results = page.locator("#search-results ul.search > li")
    entry = results.filter(has_text=re.compile("Glossary|术语表")).first
    expect(entry).to_be_visible(timeout=20_000)


@pytest.mark.parametrize("query", ["义多词", "perplexitism"])
def test_search_does_not_find_what_is_not_there(open_page, book, query):
    page = open_page(f"{book}zh/search.html?q={query}")
    summary = page.locator("#search-results .search-summary")
    expect(summary).to_contain_text(r"没有", timeout=20_000)
    expect(page.locator("#search-results ul.search > li")).to_have_count(0)


LIGHTNESS = """(element) => {
  const style = getComputedStyle(element);
  const parts = (name) => style[name].match(/[\\d.]+/g).slice(0, 3).map(Number);
  const light = (name) => parts(name).reduce((a, b) => a + b) / 765;
  return [light("color"), light("backgroundColor")];
}"""


def test_dark_mode_follows_the_system_and_the_button(open_page, book):
    page = open_page(book + "zh/index.html", color_scheme="dark")
    for mode, dark in ((None, True), ("light", False), ("auto", True)):
        if mode:
            page.locator(".theme-switch-button").click()
            page.locator(f".theme-change-button[data-mode={mode}]").click()
        for part in ("body", ".course-widget"):
            ink, paper = page.locator(part).first.evaluate(LIGHTNESS)
            assert (ink > 0.7 and paper < 0.3) if dark else (ink < 0.3 and paper > 0.9)


def test_code_can_be_read_in_the_dark(open_page, book):
    page = open_page(book + "zh/lessons/00_start_here.html", color_scheme="dark")
    shown = page.locator(".cell_output pre").filter(has_text="def context_average")
    ink, paper = shown.evaluate(LIGHTNESS)
    assert ink > 0.7 and paper < 0.3


def test_the_first_page_s_slider_moves_the_sentences_without_a_kernel(open_page, book):
    for language, word in (("en", "apple"), ("zh", "苹果")):
        page = open_page(f"{book}{language}/index.html")
        points = page.get_by_role("region", name=word).locator(".map [role=option]")
        expect(points.first).to_be_attached()
        places = "all => new Set(all.map(e => e.getAttribute('transform'))).size"
        expect(page.locator(".where")).to_contain_text("0")  # it begins there
        together = points.evaluate_all(places)
        slider = page.get_by_role("slider")
        slider.focus()
        slider.press("ArrowRight")
        assert points.evaluate_all(places) > together == 1


@pytest.mark.parametrize(("language", "end"), [("en", "layer 2"), ("zh", "第 2 层")])
def test_the_map_plays_on_the_first_screen_before_anyone_scrolls(
    open_page, book, language, end
):
    screen = {"width": 1366, "height": 768}
    address = f"{book}{language}/index.html"
    page = open_page(address, viewport=screen, reduced_motion="no-preference")
    expect(page.locator(".sense-map .where")).to_have_text(end, timeout=30_000)
    maps = page.locator(".sense-map .map")
    assert all(m.bounding_box()["height"] > 200 for m in maps.all())
    ends = [m.bounding_box()["y"] + m.bounding_box()["height"] for m in maps.all()]
    assert max(ends) <= screen["height"]


def test_on_the_first_page_a_sentence_of_one_s_own_is_read(open_page, book):
    """Of either language, by the models that ship, in the page itself."""
    for language, text, word in (
        ("en", "She peeled an apple.", "apple"),
        ("zh", "我用苹果手机拍了一个苹果", "苹果²"),
    ):
        page = open_page(f"{book}{language}/index.html")
        probe = page.locator(".sentence-probe")
        box = probe.get_by_role("textbox")
        expect(box).to_be_enabled()
        box.fill(text)
        box.press("Enter")
        expect(probe.locator(".target").last).to_have_text(word, timeout=60_000)
        expect(probe.locator(".said p").last).to_contain_text("5")
        expect(probe.locator("progress")).to_be_hidden()


def test_the_picture_of_a_lesson_has_been_made_and_speaks(open_page, book):
    page = open_page(book + "zh/lessons/00_start_here.html")
    picture = page.locator(".cell_output img").first
    assert picture.evaluate("async e => (await e.decode(), e.naturalWidth)") > 400
    assert len(picture.get_attribute("alt")) > 20
    expect(page.locator(".admonition.note")).to_have_count(0)


@pytest.mark.parametrize(
    ("language", "word"), [("en", "without outputs"), ("zh", "没有输出")]
)
def test_a_lesson_without_outputs_says_so(open_page, book, language, word):
    page = open_page(f"{book}{language}/lessons/06_elmo_bilm.html")
    expect(page.locator(".admonition.note").first).to_contain_text(word)


def test_the_language_switch_leads_to_the_same_page_and_back(open_page, book):
    page = open_page(book + "en/lessons/06_elmo_bilm.html")
    assert page.locator("html").get_attribute("lang") == "en"
    page.get_by_role("link", name="中文").click()
    expect(page).to_have_url(book + "zh/lessons/06_elmo_bilm.html")
    assert page.locator("html").get_attribute("lang").lower() == "zh-cn"
    page.get_by_role("link", name="English").click()
    expect(page).to_have_url(book + "en/lessons/06_elmo_bilm.html")


def test_a_reader_goes_on_and_back_from_page_to_page(open_page, book):
    page = open_page(book + "zh/index.html")
    page.locator("a.right-next").click()
    expect(page).to_have_url(book + "zh/lessons/00_start_here.html")
    page.locator("a.right-next").click()
    expect(page).to_have_url(book + "zh/lessons/06_elmo_bilm.html")
    page.locator("a.left-prev").click()
    expect(page).to_have_url(book + "zh/lessons/00_start_here.html")


def test_a_term_is_linked_once_and_explained_where_it_leads(open_page, book):
    page = open_page(book + "en/lessons/06_elmo_bilm.html")
    terms = page.locator("a.glossary-link")
    to = terms.evaluate_all("all => all.map(a => a.getAttribute('href'))")
    assert len(to) == len(set(to)) > 20
    term = page.locator("a.glossary-link[href$='#term-perplexity']")
    assert term.get_attribute("title").startswith("困惑度: ")
    term.click()
    expect(page.locator("#term-perplexity")).to_contain_text("困惑度")
    assert page.evaluate("document.querySelector(':target').id") == "term-perplexity"


def test_the_library_leads_back_to_the_lesson(open_page, book):
    page = open_page(book + "en/api/models.html")
    entry = page.locator("dl").filter(
        has=page.locator("[id='course_lib.models.bilm.BiLM']")
    )
    entry.locator(".taught a").first.click()
    expect(page).to_have_url(f"{book}en/lessons/06_elmo_bilm.html#lesson-06-lstm")


def test_on_paper_there_is_the_lesson_and_nothing_to_click(open_page, book):
    page = open_page(book + "en/lessons/06_elmo_bilm.html")
    page.emulate_media(media="print")
    expect(page.locator("h1").filter(visible=True)).to_have_count(1)
    expect(page.locator("article h2").first).to_be_visible()
    lists = ".bd-sidebar-primary", ".prev-next-footer"
    for part in (*lists, ".language-switch", ".lesson-box"):
        for element in page.locator(part).all():
            expect(element).to_be_hidden()
    page.emulate_media(media="screen")


def test_on_paper_everything_is_unfolded_and_afterwards_as_it_was(open_page, book):
    page = open_page(book + "zh/lessons/00_start_here.html")
    folded = page.locator(".bd-article details").first
    assert folded.get_attribute("open") is None
    page.emulate_media(media="print")  # style sheets alone would do
    expect(folded.locator("pre").first).to_be_visible()
    page.emulate_media(media="screen")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".bd-article details:not([open])").count() == 0
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert folded.get_attribute("open") is None


@pytest.mark.parametrize(
    "name", ["zh/lessons/00_start_here", "en/lessons/06_elmo_bilm"]
)
def test_figures_follow_the_light(open_page, book, name):
    """One is drawn by matplotlib, the other is a drawing of the course."""
    found = {}
    for scheme in ("light", "dark"):
        page = open_page(f"{book}{name}.html", color_scheme=scheme)
        sign = page.locator(".bd-article img").first
        found[scheme] = np.median(picture(sign))
    assert found["dark"] < 60 and found["light"] > 200


def test_a_lesson_that_is_done_is_marked_until_it_is_not(open_page, book):
    page = open_page(f"{book}en/lessons/06_elmo_bilm.html")
    marked = page.locator(".bd-sidebar-primary a:has(.lesson-done)")
    page.locator(".lesson-box input").check()
    page.goto(f"{book}en/index.html")
    expect(marked).to_have_count(1)
    assert marked.get_attribute("href").endswith("06_elmo_bilm.html")
    page.goto(f"{book}en/lessons/06_elmo_bilm.html")
    page.locator(".lesson-box input").uncheck()
    expect(page.locator(".lesson-done")).to_have_count(0)


@pytest.mark.parametrize(
    "name",
    [
        "zh/index",
        "en/lessons/00_start_here",
        "en/lessons/06_elmo_bilm",
        "zh/glossary",
        "zh/claims",
        "en/api/models",
    ],
)
def test_axe_finds_nothing_serious(open_page, book, axe, name):
    page = open_page(f"{book}{name}.html")
    page.evaluate("async () => { await window.MathJax?.startup?.promise; }")
    page.add_script_tag(path=axe)
    found = page.evaluate("axe.run()")["violations"]
    bad = [row for row in found if row["impact"] in ("serious", "critical")]
    short = [[row["id"], [n["html"][:120] for n in row["nodes"]][:3]] for row in bad]
    assert bad == [], json.dumps(short, indent=1)
