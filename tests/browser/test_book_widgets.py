"""Every widget on its lesson's page of the book, on a telephone and on a laptop.

A widget that fits a page of its own need not fit the book: the theme's style sheets
reach into it, and a side bar takes its room. So the book is built here, with all the
widgets that their own tests make, each in the cell that shows it.
"""

from __future__ import annotations

import nbformat
import pytest

pytest.importorskip("playwright.sync_api")
reason = "needs the extra `book`: pip install -e '.[book,test]'"
pytest.importorskip("sphinx_book_theme", reason=reason)
pytest.importorskip("myst_nb", reason=reason)

from playwright.sync_api import expect  # noqa: E402
from small_book import build, cut, parts_of, served  # noqa: E402

# Each is a fixture; its name here is the one that the pages below ask for.
from test_cooccurrence_page import widget as cooccurrence  # noqa: E402, F401
from test_fine_tuning_page import widget as fine_tuning  # noqa: E402, F401
from test_ngram_nnlm_page import widget as ngram_nnlm  # noqa: E402, F401
from test_one_vector_page import widget as one_vector  # noqa: E402, F401
from test_scalar_mix_page import widget as scalar_mix  # noqa: E402, F401
from test_sense_maps_page import widget as sense_maps  # noqa: E402, F401
from test_sentence_probe_page import widget as sentence_probe  # noqa: E402, F401
from test_seq2seq_builder_page import widget as seq2seq_builder  # noqa: E402, F401
from test_vectors_training_page import widget as vectors_training  # noqa: E402, F401
from test_who_sees_whom_page import widget as who_sees_whom  # noqa: E402, F401
from test_window_sampler_page import widget as window_sampler  # noqa: E402, F401

PAGES = {  # the lesson of each widget, and the cell that shows it
    "sense_maps": ("06_elmo_bilm", "map-widget"),
    "sentence_probe": ("06_elmo_bilm", "move-widget"),
    "ngram_nnlm": ("01_nnlm", "widget"),
    "window_sampler": ("02_word2vec", "window-widget"),
    "vectors_training": ("02_word2vec", "train-widget"),
    "cooccurrence": ("03_glove", "widget-cooccurrence"),
    "one_vector": ("04_polysemy", "owner-map"),
    "scalar_mix": ("07_elmo_mixing", "widget-run"),
    "fine_tuning": ("10_ulmfit", "widget-run"),
    "seq2seq_builder": ("12_seq2seq", "builder-run"),
    "who_sees_whom": ("14_bert", "widget-run"),
}
STEMS = sorted({stem for stem, _ in PAGES.values()})


@pytest.fixture(scope="module")
def book(course, tmp_path_factory, request):
    """Build the book of the lessons with widgets; yield the address where it is."""
    parts, folder = parts_of(course, request), tmp_path_factory.mktemp("book")
    cut(course, folder / "notebooks", dict.fromkeys(STEMS))
    for language in ("en", "zh"):
        (folder / "executed" / language).mkdir(parents=True)
        for stem in STEMS:
            page = nbformat.read(folder / f"notebooks/{language}/{stem}.ipynb", 4)
            for name, (own, key) in PAGES.items():
                if own == stem:
                    show(page, key, request.getfixturevalue(name)(language))
            nbformat.write(page, folder / f"executed/{language}/{stem}.ipynb")
    assert "without outputs" not in build(course, folder, parts)
    with served(folder / "out/html") as address:
        yield address


def show(page, key: str, shown) -> None:
    """Put a widget into the cell, as an execution would."""
    html = shown._repr_mimebundle_()[0]["text/html"]
    for cell in page.cells:
        if cell.cell_type == "code":
            cell.execution_count = 1
        if cell.id == key:
            new = nbformat.v4.new_output("display_data", data={"text/html": html})
            cell.outputs = [new]


@pytest.fixture
def pages(book, windows):
    """Return a function that opens the page of a lesson, so and so wide."""
    window, elsewhere, errors = windows

    def opened(language: str, stem: str, width: int, height: int = 768):
        page = window()
        page.set_viewport_size({"width": width, "height": height})
        address = f"{book}{language}/lessons/{stem}.html"
        if page.url != address:
            page.goto(address)
            count = sum(own == stem for own, _ in PAGES.values())
            page.locator(".course-widget").nth(count - 1).wait_for()
        return page

    yield opened
    assert (elsewhere, errors) == ([], [])


# What reaches beyond its widget, unless it can be scrolled to, and by how many pixels.
CUT = """() => [...document.querySelectorAll(".course-widget")].flatMap((widget) => {
  const { left, right } = widget.getBoundingClientRect();
  return [...widget.querySelectorAll(":not(.unseen, .unseen *, .scroll *, svg *)")]
    .map((part) => [part, part.getBoundingClientRect()])
    .filter(([, box]) => box.width && (box.right > right || box.left < left))
    .map(([part, box]) => `${widget.className}: ${part.tagName}.${part.className} `
      + `${Math.round(box.right - right)} px`);
})"""

# What is too small for a fingertip. A point of a map is as large as the map allows.
SMALL = """() => [...document.querySelectorAll(
  ".course-widget :is(button, select, input, a, summary, [role=option]):not(svg *)")]
  .map((part) => part.querySelector(":scope > input") ? part
    : part.type === "checkbox" ? part.closest("label") : part)
  .map((part) => [part, part.getBoundingClientRect()])
  .filter(([, box]) => box.width && Math.min(box.width, box.height) < 24)
  .map(([part, box]) => `${part.tagName} ${part.textContent} `
    + `${Math.round(box.width)} x ${Math.round(box.height)}`)"""


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("stem", STEMS)
@pytest.mark.parametrize("width", [360, 390, 768])
def test_nothing_of_a_widget_is_cut_on_a_narrow_screen(pages, stem, language, width):
    page = pages(language, stem, width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(CUT) == []


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("stem", STEMS)
def test_a_fingertip_hits_what_it_means(pages, stem, language):
    assert pages(language, stem, 360).evaluate(SMALL) == []


NEAREST = """(map, [x, y]) => {
  const far = [...map.querySelectorAll("[role=option]")].map((point) => {
    const box = point.getBoundingClientRect();
    return Math.hypot(x - box.x - box.width / 2, y - box.y - box.height / 2);
  });
  return far.indexOf(Math.min(...far));
}"""


def test_a_tap_beside_a_point_of_a_map_takes_the_nearest(pages):
    page = pages("en", "06_elmo_bilm", 360)
    picture = page.locator(".map").first
    picture.scroll_into_view_if_needed()
    box = picture.locator("[role=option][aria-selected=false]").last.bounding_box()
    place = [box["x"] + box["width"] + 7, box["y"] + box["height"] + 7]
    number = picture.evaluate(NEAREST, place)
    page.mouse.click(*place)
    point = picture.locator("[role=option]").nth(number)
    expect(point).to_have_attribute("aria-selected", "true")


# What is moved, the picture that answers, and the score, by widget.
TOGETHER = {
    "sense_maps": ".tabs, .rail, .tours, .map, .gauge svg",
    "sentence_probe": ".layers, .chips, .map, .said, .bars",
    "ngram_nnlm": ".tabs, .orders, .line, .rankings",
    "window_sampler": ".strip, .controls, table, svg",
    "vectors_training": ".tabs, .rail, .map, .curves, .reader",
    "cooccurrence": ".tabs, .map, .ratios, .slider, .weighing svg",
    "one_vector": ".controls, .tabs, .map, .fact",
    "scalar_mix": ".tours, .sliders, .triangle, .map, .told, .rows",
    "fine_tuning": ".tours, .slider, .plan, .told, .results .tabs",
    "seq2seq_builder": ".plan, .tabs:not(:first-child), .counted, .told",
    "who_sees_whom": ".tabs, .line, .square, .said, .rankings",
}
HEIGHT = """([number, parts]) => {
  const widget = document.querySelectorAll(".course-widget")[number];
  const boxes = [...widget.querySelectorAll(parts)]
    .map((part) => part.getBoundingClientRect()).filter(({ width }) => width);
  return Math.max(...boxes.map((b) => b.bottom)) - Math.min(...boxes.map((b) => b.top));
}"""


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", TOGETHER)
def test_control_picture_and_score_stand_on_one_screen(pages, name, language):
    """At 1366 x 768; the book's own bar takes 48 pixels of it."""
    stem, _ = PAGES[name]
    number = [own for own, (lesson, _) in PAGES.items() if lesson == stem].index(name)
    page = pages(language, stem, 1366)
    page.reload()  # what is folded is decided when a page opens
    page.locator(".course-widget").nth(number).wait_for()
    assert page.evaluate(HEIGHT, [number, TOGETHER[name]]) <= 768 - 48
    assert page.locator(".course-widget details[open]").count() == 0


LESSONS_FIRST = {  # what a reader looks for, and the lesson that teaches it
    "BERT": "14_bert",
    "掩码": "14_bert",
    "ELMo": "06_elmo_bilm",
    "词义": "04_polysemy",
    "GloVe": "03_glove",
    "一词多义": None,  # lesson 00, which is not in this book
}


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("query", LESSONS_FIRST)
def test_a_search_leads_to_the_lesson_that_teaches_it(book, windows, query, language):
    """Lessons come before the library, and excerpts are text of the page."""
    page = windows[0]()
    page.goto(f"{book}{language}/search.html?q={query}")
    results = page.locator("#search-results ul.search > li")
    expect(page.locator(".search-summary")).not_to_be_empty()
    links = results.locator("> a").evaluate_all(
        "all => all.map(a => a.getAttribute('href'))"
    )
    stem = LESSONS_FIRST[query]
    if stem and any(stem in link for link in links):  # 词义 is in no English lesson
        assert links[0].startswith(f"lessons/{stem}.html"), links[:5]
    kinds = [link.startswith("lessons/") for link in links]
    assert kinds == sorted(kinds, reverse=True), links
    said = " ".join(results.all_inner_texts())
    for words in ("Show the code", "Hide the code", "显示代码", "收起代码"):
        assert words not in said
