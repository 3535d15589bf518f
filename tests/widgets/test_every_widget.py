"""What must be true of every widget: its words, its page, what it may reach for."""

from __future__ import annotations

import ast
import base64
import functools
import json
import re
import string
from html import unescape
from pathlib import Path

import pytest
from samples import NAMES, SAMPLES

from course_lib import widgets
from course_lib.widgets import kit

every_widget = pytest.mark.parametrize("name", NAMES)
in_both_languages = pytest.mark.parametrize("language", ["en", "zh"])
EVIL = ["</script><b>", "{x}", "<!--"]


@functools.cache
def made(name: str, language: str):
    """Make a widget once."""
    return SAMPLES[name](language)


@functools.cache
def shown(name: str, language: str) -> dict:
    """Return what a notebook is given of a widget; its picture takes a while."""
    return made(name, language)._repr_mimebundle_()[0]


def blanks(text: str) -> set[str]:
    """Return the names of a text's blanks."""
    return {name for _, name, *_ in string.Formatter().parse(text) if name}


def texts(value) -> list[str]:
    """List all texts in a widget's data."""
    if isinstance(value, dict):
        return [text for inner in value.values() for text in texts(inner)]
    if isinstance(value, list):
        return [text for inner in value for text in texts(inner)]
    return [value] if isinstance(value, str) else []


@every_widget
def test_both_languages_say_the_same_things(name):
    english, chinese = (kit.words(name)[key] for key in ("en", "zh"))
    assert english.keys() == chinese.keys()
    for key, text in english.items():
        assert blanks(text) == blanks(chinese[key]), key


@in_both_languages
@every_widget
def test_no_blank_is_left_open(name, language):
    data = made(name, language).data
    said = texts({key: value for key, value in data.items() if key != "text"})
    assert not [text for text in said if re.search(r"\{\w*\}", text)]


@in_both_languages
@every_widget
def test_the_page_is_whole_and_small_and_asks_nobody(name, language, caplog):
    bundle = shown(name, language)
    assert "application/vnd.jupyter.widget-view+json" in bundle  # the live widget, too
    page = bundle["text/html"]
    assert len(page.encode()) < 300_000
    alt, data = re.search(
        r'<img alt="([^"]+)" src="data:image/png;base64,([^"]+)"', page
    ).groups()
    picture = base64.b64decode(data)
    assert picture.startswith(b"\x89PNG") and len(picture) < 60_000
    assert not re.search(r"[{}]|nan\b", unescape(alt))
    assert caplog.text == ""  # matplotlib found its fonts
    page = page.replace("http://www.w3.org/2000/svg", "")  # a name, never loaded
    assert not re.findall(r"https?://|//[a-z]+\.|@import|url\((?!#)", page)


@every_widget
def test_what_travels_is_json(name):
    """A nan would stop the page's script."""
    json.dumps(made(name, "en").data, allow_nan=False)


@every_widget
def test_without_a_kernel_the_page_asks_none(name):
    asks = made(name, "en").has_trait("kernel")
    assert ('"kernel":false' in shown(name, "en")["text/html"]) == asks


@every_widget
def test_the_page_carries_one_module_without_imports(name):
    assert kit.parts(name)[0] == "kit" and kit.parts(name)[-1] == name
    source = kit.module(name)
    assert "import " not in re.sub(r"//.*|\*.*", "", source)
    assert "export default" in source
    assert source.count("export function pageModel") == 1
    assert kit.style(name).startswith(kit.read("kit.css"))


@every_widget
def test_no_word_can_break_out_of_the_page(name):
    widget = SAMPLES[name]("en")
    widget.data = {**widget.data, "evil": EVIL}
    page = widget._repr_mimebundle_()[0]["text/html"]
    assert "u003c/script>" in page and "{x}" in page  # it did get there
    assert not any(one in page for one in ("</script><b>", "<!--"))
    assert page.count("<script") == page.count("</script>") == 1


@every_widget
def test_another_language_is_refused(name):
    with pytest.raises(ValueError, match="'fr'.*'en' and 'zh'"):
        SAMPLES[name]("fr")


def test_alt_text_cannot_break_out_of_the_page():
    page = kit.twin("kit", {}, b"", '"><b>' + EVIL[0])
    assert "<b>" not in page


def imported(path: Path) -> set[str]:
    """Return the full names of what a module of the package imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


@pytest.mark.parametrize(
    "path", sorted(Path(widgets.__file__).parent.rglob("*.py")), ids=lambda p: p.stem
)
def test_a_widget_is_given_all_that_it_shows(path):
    """It fetches nothing: no corpus, no checkpoint, no result; names of senses only."""
    names = {name for name in imported(path) if name.startswith("course_")}
    assert not [name for name in names if name.startswith("course_claims")]
    rooms = {"course_lib.data", "course_lib.checkpoints", "course_lib.worlds"}
    reached = {n for n in names if any(f"{n}.".startswith(f"{r}.") for r in rooms)}
    assert reached <= {"course_lib.data.senses.sense_name"}
    assert not names & {"course_lib.load", "course_lib.DATA", "course_lib"}
