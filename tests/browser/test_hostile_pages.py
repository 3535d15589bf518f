"""What students write, on every page that shows it: nothing of it runs or loads.

A class of students hands in texts that were written to get out (hostile.py); a real
Jupyter server with nbgrader's form grader shows them, and the pages of this course do.
The form grader can change every mark, so a program on its page could.
"""

from __future__ import annotations

import contextlib
import io
import sqlite3
from typing import NamedTuple
from urllib.parse import quote

import pytest

pytest.importorskip("playwright.sync_api")

import hostile  # noqa: E402
from hostile import HONEST, NAME, NUMBERS, TEXTS, Watch, tiny  # noqa: E402

from course_grading import commands, gradebook  # noqa: E402
from course_grading.sandbox import available  # noqa: E402

pytestmark = pytest.mark.skipif(
    not available(), reason="bubblewrap is not installed, or may not make namespaces"
)
COMMANDS = ("release", "collect", "judge", "record", "report", "written")
OF_EACH = {
    "form grader": "{lab}/formgrader/submissions/{id}/",
    "its answers.htm": "{lab}/formgrader/submissions/{id}/answers.htm",
    "answers.htm in /files/": "{lab}/files/autograded/{student}/{name}/answers.htm",
    "feedback as a file": "{file}/feedback/{student}/{name}/{name}.html",
    "feedback in /files/": "{lab}/files/feedback/{student}/{name}/{name}.html",
}
OF_ALL = {
    "glance as a file": "{file}/report/{name}.en.html",
    "glance in /files/": "{lab}/files/report/{name}.en.html",
    "Chinese glance as a file": "{file}/report/{name}.zh.html",
    "written answers as a file": "{file}/report/{name}_written.en.html",
    "written answers in /files/": "{lab}/files/report/{name}_written.en.html",
    "Chinese written answers as a file": "{file}/report/{name}_written.zh.html",
    "form grader's list": "{lab}/formgrader/gradebook/{name}/{name}",
    "form grader's students": "{lab}/formgrader/manage_students",
    "form grader's hand-ins": "{lab}/formgrader/manage_submissions/{name}",
}


class Class(NamedTuple):
    """A class that is served, and a server that takes down what is asked of it."""

    root: object
    lab: str
    leak: str
    asked: list
    elsewhere: object
    ids: dict

    def addresses(self, pattern: str) -> dict[str, str]:
        """Return the addresses of a kind of page, by student."""
        parts = {"lab": self.lab, "file": self.root.as_uri(), "name": NAME}
        return {
            student: pattern.format(id=id, student=quote(student), **parts)
            for student, id in self.ids.items()
        }

    def marks(self) -> list[tuple]:
        """Return all marks and comments of the gradebook."""
        asked = (
            "select id, auto_score, manual_score, extra_credit from grade order by id",
            "select id, auto_comment, manual_comment from comment order by id",
            "select id, flagged from submitted_notebook order by id",
        )
        with contextlib.closing(sqlite3.connect(self.root / "gradebook.db")) as book:
            return [row for ask in asked for row in book.execute(ask)]


@pytest.fixture(scope="module")
def served(tmp_path_factory, course):
    """Take hostile hand-ins through all commands; serve the class."""
    root = tmp_path_factory.mktemp("hostile") / "class"
    private = tmp_path_factory.mktemp("private")
    with pytest.MonkeyPatch.context() as patch, hostile.leaks() as (leak, *heard):
        patch.setenv("JUPYTER_CONFIG_DIR", str(private / "empty"))
        room = tiny.make(root)
        for command in COMMANDS:
            if command == "collect":
                hostile.hand_in(room, leak)
            with contextlib.redirect_stdout(io.StringIO()) as said:
                code = commands.main([command, NAME, "--class", str(root)])
            assert code == 0, said.getvalue()
        found = gradebook.submissions(root, NAME)
        ids = {student: id for id, (student, _) in found.items()}
        with hostile.serving(root, private, course) as lab:
            yield Class(root, lab, leak, *heard, ids)


@pytest.fixture(scope="module")
def watch(browser, served):
    """Open a window that notices whatever runs or loads."""
    watch = Watch(browser, served.lab, served.asked)
    yield watch
    watch.context.close()


def test_the_watch_notices_what_nothing_stops(served, watch):
    """The same texts, put into a page as they are, nearly all do what they were for."""
    ran = ["a picture that fails", "a frame", "svg", "a tag over two lines", "noscript"]
    loaded = ["a style sheet", "a prefetched link", "an object"]
    texts = [hostile.filled(TEXTS["bo"][name], name, served.leak) for name in ran]
    texts += [hostile.filled(TEXTS["bo"][name], name, served.leak) for name in loaded]
    texts.append(f"<a href='javascript:pwned({NUMBERS.index('an autolink')})'>x</a>")
    served.elsewhere.page = "<!doctype html><title>x</title>" + "<p>".join(texts)
    found = watch.look(f"{served.leak}/")
    wanted = {f"{name}: ran" for name in [*ran, "an autolink"]}
    assert wanted | {f"{name}: loaded" for name in loaded} <= set(found)
    assert "the title is another" in found


@pytest.mark.parametrize("kind", OF_EACH)
def test_a_page_of_one_student_runs_and_loads_nothing_that_was_written(
    served, watch, kind
):
    before, found = served.marks(), {}
    watch.may_load_mathjax = kind == "form grader"
    for student, address in served.addresses(OF_EACH[kind]).items():
        if noticed := watch.look(address):
            found[student] = noticed
    assert found == {}
    assert served.marks() == before


@pytest.mark.parametrize("kind", OF_ALL)
def test_a_page_of_the_class_runs_and_loads_nothing_that_was_written(
    served, watch, kind
):
    before = served.marks()
    address = next(iter(served.addresses(OF_ALL[kind]).values()))
    watch.may_load_mathjax = False
    assert watch.look(address) == []
    assert served.marks() == before


def test_a_notebook_in_jupyterlab_runs_and_loads_nothing_that_was_written(
    served, watch
):
    before = served.marks()
    watch.may_load_mathjax = False
    paths = {
        student: f"autograded/{student}/{NAME}/{NAME}.ipynb" for student in served.ids
    }
    assert watch.look_in_lab(paths) == {}
    assert served.marks() == before


def one_line(text: str) -> str:
    """Return a text without what a browser leaves out or shows in another way."""
    return "".join(c for c in text if c.isprintable() and not c.isspace())


def test_the_form_grader_shows_every_text_as_it_was_typed(served, watch):
    """So the texts did reach the page on which none of them ran."""
    for student, texts in TEXTS.items():
        page = watch.context.new_page()
        address = served.addresses(OF_EACH["form grader"])[student]
        page.goto(address, wait_until="domcontentloaded")
        shown = one_line(page.locator("body").text_content())
        page.close()
        for name, text in texts.items():
            typed = text.encode("utf-8", "replace").decode().replace("\r", "\n")
            typed = hostile.filled(typed, name, served.leak)
            assert one_line(typed) in shown, name


# Another page cannot change marks either

PUT = """async ([url, token]) => {
  const headers = { 'Content-Type': 'application/json' };
  if (token) headers['X-XSRFToken'] = token;
  const body = JSON.stringify({ manual_score: 1.5, extra_credit: 7 });
  try {
    return (await fetch(url, { method: 'PUT', credentials: 'include', headers, body }))
      .status;
  } catch (error) { return error.name; }
}"""
POST = """async (url) => {  // what a form may send without asking
  const type = { 'Content-Type': 'text/plain' };
  return (await fetch(url, { method: 'POST', mode: 'no-cors', credentials: 'include',
    headers: type, body: '{}' })).type;
}"""


@pytest.fixture
def grader(browser, served):
    """Open the form grader on the honest student's work, as an instructor does."""
    context = browser.new_context()
    page = context.new_page()
    address = served.addresses(OF_EACH["form grader"])["gil"]
    page.goto(address, wait_until="domcontentloaded")
    yield page
    context.close()


def written_mark(served) -> str:
    """Return the address at which the mark of the honest answer is changed."""
    with contextlib.closing(sqlite3.connect(served.root / "gradebook.db")) as book:
        ask = "select id from grade where notebook_id = ? and auto_score is null"
        (found,) = book.execute(ask, [served.ids["gil"]]).fetchone()
    return f"{served.lab}/formgrader/api/grade/{found}"


def test_marks_are_changed_by_the_form_grader_and_its_token_only(served, grader):
    before, where = served.marks(), written_mark(served)
    assert grader.evaluate(PUT, [where, ""]) == 403
    assert served.marks() == before
    token = {c["name"]: c["value"] for c in grader.context.cookies()}["_xsrf"]
    assert grader.evaluate(PUT, [where, token]) == 200
    assert (1.5, 7.0) in {row[2:] for row in served.marks()}


def test_a_page_from_elsewhere_cannot_change_marks_or_flags(served, grader):
    """Cookies do not know ports, so a server on this machine is the harder case."""
    before, where = served.marks(), written_mark(served)
    flag = f"{served.lab}/formgrader/api/submission/{served.ids['gil']}/flag"
    grader.goto(served.leak)
    assert grader.evaluate(PUT, [where, ""]) == "TypeError"
    assert grader.evaluate(PUT, [where, "guessed"]) == "TypeError"
    assert grader.evaluate(POST, flag) == "opaque"
    assert served.marks() == before


# And what honest students write is there to be seen

DRAWN = """() => {
  const size = element => element.getBoundingClientRect();
  const all = name => [...document.querySelectorAll(name)];
  const formulas = all('math').filter(m => m.textContent.includes('e')
    || m.textContent.includes('p') || m.textContent.includes('x'));
  return {
    formulas: formulas.filter(m => size(m).width > 5 && size(m).height > 5).length,
    displayed: formulas.filter(m => m.getAttribute('display') === 'block').length,
    rows: all('math mtable mtr').length,
    pictures: all('img').map(i => [i.complete, i.naturalWidth, i.naturalHeight]),
    links: all('a').map(a => a.getAttribute('href')),
  };
}"""
HONEST_PAGES = {
    "answers": "{file}/autograded/{student}/{name}/answers.htm",
    "written": OF_ALL["written answers as a file"],
    "feedback": OF_EACH["feedback as a file"],
}


@pytest.mark.parametrize("kind", HONEST_PAGES)
def test_an_honest_answer_shows_formulas_links_and_pictures_offline(
    served, open_page, kind
):
    assert "align*" in HONEST
    page = open_page(served.addresses(HONEST_PAGES[kind])["gil"], offline=True)
    found = page.evaluate(DRAWN)
    assert found["formulas"] >= 4 and found["displayed"] >= 2 and found["rows"] >= 2
    assert [True, 60, 40] in found["pictures"]
    assert "https://example.org/book" in found["links"]
