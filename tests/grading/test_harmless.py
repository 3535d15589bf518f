"""Whatever a student writes, a page that somebody opens holds text, and no program.

The pages themselves are opened in Chromium in tests/browser/test_hostile_pages.py.
"""

from __future__ import annotations

import json
import re
import sys
import time
from pathlib import Path

import html5lib
import nbformat
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nbconvert.filters import markdown2html, strip_files_prefix

from course_grading import apart, harmless, intake, report
from course_grading.plain import PAGE, plain, typed
from course_grading.words import visible

sys.path.insert(0, str(Path(__file__).parent / "tamper"))
import tiny_class as tiny  # noqa: E402

# Written once more, so that a change of what is allowed is seen here.
ALLOWED = (
    "a blockquote br code dd del dl dt em h1 h2 h3 h4 h5 h6 hr img li ol p pre strong "
    "table tbody td th thead tr ul math menclose mfrac mi mn mo mover mpadded mroot "
    "mrow mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover"
)
LAYOUT = (
    "accent columnalign columnspacing display displaystyle fence form linethickness "
    "lspace mathvariant maxsize minsize movablelimits notation rowspacing rspace "
    "stretchy width"
)
MACROS = ("href", "url", "require", "unicode", "class", "style", "cssId")
NAMES = ("script", "img", "svg", "math", "style", "iframe", "a", "mtext", "mglyph",
         "annotation-xml", "noscript", "template", "textarea", "title", "b", "x",
         *(f"\\{macro}" for macro in MACROS))  # fmt: skip
DOES = ("onload=alert(1)", "autofocus onfocus=alert(1)", "src=x onerror=alert(1)",
        "href='javascript:alert(1)'", 'style="x:url(//e.x)"', "srcdoc='<script>'",
        "encoding='text/html'", "")  # fmt: skip
PIECES = ("javascript:alert(1)", "data:text/html,<script>1</script>", "http://e.x/a?b",
          "data:image/svg+xml,<svg onload=1>", "attachment:a.png", "&#106;avascript:",
          "&lt;", "`", "```", "````", "$", "$$", "\\(", "\\[", "-->", "<!--", "]]>",
          "<![CDATA[", '"', "'", ">", "<", "\\", "\n", "\n\n", "\u2028", "\0", "苹果",
          "{{ 1 }}", "{%", "|a|b|\n|-|-|\n", "[x]: javascript:1\n\n",
          "\t", "x")  # fmt: skip


FENCES = ("$", "$$", "`", "```\n", "~~~\n", "**", "_")
COMMANDS = (*MACROS, "text", "bbox", "begin", "end", "mathrm")
FORMS = ("[{0}]({1})", "![{0}]({1})", "[{0}][{1}]", "<{0}{1}>", "> {0}\n{1}", "{0}{1}",
         "# {0}\n{1}", "```mermaid\n{0}\n```{1}", "* {0}\n* {1}",
         "\\begin{{a}}{0}\\end{{a}}{1}")  # fmt: skip


def around(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Put a text into a tag, a link, a formula, a macro, a fence, or beside another."""
    name, does = st.sampled_from(NAMES), st.sampled_from(DOES)
    fence, command = st.sampled_from(FENCES), st.sampled_from(COMMANDS)
    return st.one_of(
        st.builds("<{0} {1}>{2}</{0}>".format, name, does, inner),
        st.builds("<{}/{} {}".format, name, does, inner),
        st.builds("\\{}{{{}}}{{{}}}".format, command, inner, inner),
        st.builds("{0}{1}{0}".format, fence, inner),
        st.builds(str.format, st.sampled_from(FORMS), inner, inner),
    )


TEXTS = st.recursive(st.sampled_from(PIECES) | st.text(max_size=5), around)


def elements(page: str) -> list:
    """Return what a browser makes of a piece of HTML: tags with their attributes.

    Errors: AssertionError for one that is no HTML and no MathML
    """
    found = []
    for part in html5lib.parseFragment(page, treebuilder="etree").iter():
        if not isinstance(part.tag, str):
            raise AssertionError(f"a comment: {part.text}")
        space, _, tag = part.tag.rpartition("}")
        if tag != "DOCUMENT_FRAGMENT":
            assert "svg" not in space
            found.append((tag, part.attrib))
    return found


@settings(max_examples=2000, deadline=None)
@given(TEXTS)
def test_a_rendered_text_holds_nothing_that_is_not_allowed(text):
    pictures = {"a.png": {"image/png": "iVBORw0KGgo="}, text: {"image/png": text}}
    for tag, attributes in elements(harmless.as_html(text, pictures)):
        assert tag in ALLOWED.split()
        for name, value in attributes.items():
            if (tag, name) == ("a", "href"):
                assert re.match("(?i)https?://|mailto:", value)
            elif (tag, name) == ("img", "src"):
                assert re.match("data:image/(png|jpeg);base64,", value)
            else:
                assert tag.startswith("m") and name in LAYOUT.split()
                assert re.fullmatch(r"[\w.% +-]*", value)


@settings(max_examples=2000, deadline=None)
@given(TEXTS)
def test_the_form_grader_gets_a_text_as_it_was_typed_and_a_link(text):
    """Its template puts each text through these two filters."""
    source = plain(text)
    assert typed(source) == text
    page = elements(strip_files_prefix(markdown2html(source)))
    assert [tag for tag, _ in page] == ["pre", "code", "p", "a"]
    assert [attributes for _, attributes in page] == [{}, {}, {}, {"href": PAGE}]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a < b, `<unk>`", "<p>a &lt; b, <code>&lt;unk&gt;</code></p>"),
        ("<b>x</b>", "<p>&lt;b&gt;x&lt;/b&gt;</p>"),
        (
            "**b** http://a.b",
            '<p><strong>b</strong> <a href="http://a.b">http://a.b</a>',
        ),
        ("[x](javascript:y)", "<p><a>x</a></p>"),
        ("![a](http://e.x/p.png)", '<p>a (<a href="http://e.x/p.png">'),
        ("![a](attachment:我%20的.png)", '<p><img src="data:image/png;base64,iVBO"> a'),
        ("![a](attachment:lost.png)", "<p>a (<a>attachment:lost.png</a>)"),
        ("$x_{<t}$", "<mo>&lt;</mo>"),
        ("$$\\frac12$$", '<math display="block">'),
        ("$$\\begin{aligned}a&=b\\end{aligned}$$", "<mtable"),
        ("\\begin{align*}a&=b\\end{align*}", "<mtable"),
        ("$\\color{red}{x}$", "<mstyle><mrow><mi>x</mi>"),
        ("$\\href{javascript:1}{x}$", "<mi>x</mi>"),
        ("$x_{$", "<code>x_{</code>"),
    ],
)
def test_what_an_honest_answer_has_is_shown(text, shown):
    made = harmless.as_html(text, {"我 的.png": {"image/png": "iVBO"}})
    assert shown in made


def test_an_answer_collected_by_an_earlier_version_is_read_as_it_was_typed():
    assert typed("a &lt;b $x_{< t}$") == "a <b $x_{<t}$"


@pytest.mark.parametrize("text", ["\x1b[2Ja", "a\rb", "a\u202eb", "\x9b1mb", "\x07"])
def test_a_terminal_and_a_table_show_commands_in_place_of_obeying_them(text):
    for made in (visible(text), report.quoted(text)):
        assert re.search(r"\\(x|r|u)", made)
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", made)


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＠"])
def test_a_table_holds_no_formula(sign):
    assert report.quoted(f"{sign}cmd|' /C calc'!A0").startswith("'")


def test_an_ordinary_text_in_a_table_stays_as_it_is():
    for text in ("李雷", "-1.5", "-", "O'Neil", "a = b", "नमस्ते"):
        assert report.quoted(text) == text


# What costs its reader more than its writer

SLOW = {"brackets": "[", "pictures": "![", "links": "[a](", "formulas": "\\begin{a}",
        "tables": "|a\n|-\n", "stars": "*a ", "code": "`a``"}  # fmt: skip


@pytest.mark.whole
def test_slow_texts_cost_the_class_little_and_are_shown_as_typed(tmp_path, monkeypatch):
    monkeypatch.setattr(apart, "SECONDS", 3)
    room = tiny.make(tmp_path / "class")
    for name, piece in SLOW.items():
        made = tiny.hand_in(room, name, tiny.RIGHT)
        text = piece * (100_000 // len(piece))
        made["cells"][-1]["source"] = text
        tiny.save(room, name, made)
    tiny.hand_in(room, "zoe", {**tiny.RIGHT, "why-answer": "$x$ is **one**"})
    began = time.process_time()
    found = room.collect(tiny.NAME)
    assert time.process_time() - began < 10  # of this process
    for name, piece in SLOW.items():
        folder = room.root / "submitted" / name / tiny.NAME
        made = nbformat.read(folder / f"{tiny.NAME}.ipynb", 4).cells[-1]
        assert typed(made.source) == piece * (100_000 // len(piece))
        notes = found[name]["notebooks"][tiny.NAME]["notes"]
        assert (folder / PAGE).exists() == (notes == [])
        assert notes in ([], ["texts are shown as typed, too long to render"])
    assert any(found[name]["notebooks"][tiny.NAME]["notes"] for name in SLOW)
    assert found["zoe"]["notebooks"][tiny.NAME] == {"status": "graded", "notes": []}
    page = (room.root / "submitted/zoe" / tiny.NAME / PAGE).read_text("utf-8")
    assert "<math" in page and "<strong>one</strong>" in page


def wait(seconds: float) -> str:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
    return "done"


def test_what_takes_too_long_ends_its_own_process_and_the_next_gets_a_new_one(
    monkeypatch,
):
    monkeypatch.setattr(apart, "SECONDS", 1)
    with apart.Apart() as process:
        assert process.call(len, "four") == 4
        with pytest.raises(apart.TooMuch):
            process.call(eval, "10 ** 10 ** 9")  # in C: nothing can interrupt it
        with pytest.raises(apart.TooMuch):
            process.call(bytes, 1 << 40)
        with pytest.raises(ZeroDivisionError):
            process.call(divmod, 1, 0)
        assert process.call(len, "four") == 4


def test_a_hand_in_of_too_many_characters_is_cut_and_says_so(tmp_path):
    made = json.loads(nbformat.writes(tiny.notebook(tiny.RIGHT)))
    own = {"cell_type": "code", "metadata": {}, "source": "#" * 200_000}
    made["cells"] += [own] * 20
    path = tmp_path / "x.ipynb"
    path.write_text(json.dumps(made))
    cells, notes = intake.read(path)
    assert notes == [f"only the first {intake.MOST_TEXT} characters are read"]
    assert sum(len(cell.text) for cell in cells) == intake.MOST_TEXT
    built, _ = intake.rebuild(tiny.notebook(tiny.STUB), cells)
    sources = [cell.source for cell in built.cells]
    assert tiny.RIGHT["softmax"] in sources
