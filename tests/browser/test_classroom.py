"""A class on a hub: students and an instructor go from log-in to feedback.

Real accounts, PAM, JupyterHub and its proxy, nbgrader's exchange, the grader's sandbox,
Chromium (hub.py). It takes two minutes of a processor, longer on a busy machine;
`pytest -m "not classroom"` leaves it out. It needs root, for the accounts.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import hub as classroom
import pytest
from hub import INSTRUCTOR, PASSWORD, STUDENTS, Hub

pytestmark = pytest.mark.classroom

ASSIGNMENT = "00_start_here"
ANN, BO, CUI = STUDENTS
PATIENCE = 900_000  # ms: a busy machine is no mistake in the code
# A line of the solution; nobody but the instructor may find it anywhere.
SOLVED = "errors_before = 100 - old"


def missing() -> str:
    """Say what the test needs and has not got, or ""."""
    if sys.platform != "linux" or os.geteuid():
        return "needs root on Linux: it makes accounts"
    for name in ("useradd", "runuser", "nsenter", "unshare", "git", "bwrap"):
        if not shutil.which(name):
            return f"needs {name}"
    try:
        import jupyterhub  # noqa: F401
        import nbgitpuller  # noqa: F401
    except ImportError:
        return "needs JupyterHub: pip install -e '.[classroom]'"
    if not classroom.proxy():
        return "needs the proxy: npm install --prefix build/proxy " + classroom.PROXY
    if not (classroom.COURSE / ".git").exists():
        return "needs the repository: install.sh asks git which files are the course's"
    done = subprocess.run(["unshare", "--mount", "true"], capture_output=True)
    return "" if done.returncode == 0 else "needs the right to mount (a container?)"


@pytest.fixture(scope="module")
def hub(browser):
    """Return a hub with an assignment handed out."""
    if why := missing():
        pytest.skip(why)
    with classroom.running() as started:
        yield started


class Person:
    """Somebody before a browser."""

    def __init__(self, browser, hub: Hub, name: str):
        self.hub, self.name = hub, name
        self.context = browser.new_context(
            viewport={"width": 1200, "height": 900}, reduced_motion="reduce"
        )
        self.context.set_default_timeout(PATIENCE)
        self.page = self.context.new_page()

    def log_in(self, language: str) -> None:
        """Log in, choose the language, have the server started."""
        self.page.goto(f"{self.hub.address}/hub/login")
        self.page.fill("#username_input", self.name)
        self.page.fill("#password_input", PASSWORD)
        self.page.click("#login_submit")
        self.page.check(f"input[value={language}]")
        self.page.click("#spawn_form [type=submit]", no_wait_after=True)

    def home(self, path: str = "") -> Path:
        return self.hub.home(self.name) / path

    def goto(self, path: str) -> None:
        self.page.goto(f"{self.hub.address}/user/{self.name}/{path}")

    def assignments(self) -> None:
        """Open the assignment list from the menu."""
        self.goto("lab?reset")
        self.page.click(".lm-MenuBar-itemLabel:text-is('Nbgrader')")
        self.page.click(".lm-Menu-itemLabel:text-is('Assignment List')")
        self.page.wait_for_selector("#released_assignments_list_loading[hidden]",
                                    state="attached")  # fmt: skip

    def press(self, button: str, within: str) -> None:
        """Press a button of the assignment list and wait until it was done."""
        self.page.click(f"#{within} button:text-is('{button}')")

    def notebook(self) -> Path:
        return self.home(f"{ASSIGNMENT}/{ASSIGNMENT}.ipynb")

    def open_notebook(self) -> None:
        self.goto(f"lab/tree/{ASSIGNMENT}/{ASSIGNMENT}.ipynb?reset")
        self.page.wait_for_selector(".jp-Notebook .jp-CodeCell")

    def write(self, number: int, text: str, written: bool) -> None:
        """Replace the text of a cell, by keyboard."""
        cell = self.page.locator(".jp-Notebook .jp-Cell").nth(number)
        if written:
            cell.locator(".jp-MarkdownOutput").dblclick()
        cell.locator(".cm-content").click()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(text)


def cells(path: Path) -> list[dict]:
    return json.loads(path.read_text(encoding="utf-8"))["cells"]


def source(cell: dict) -> str:
    return "".join(cell["source"])


def answers() -> dict[int, tuple[str, bool]]:
    """Return the right answers: number of the cell, its text, is it prose."""
    path = classroom.COURSE / f"solutions/{ASSIGNMENT}/{ASSIGNMENT}.ipynb"
    return {
        number: (source(cell), cell["cell_type"] == "markdown")
        for number, cell in enumerate(cells(path))
        if cell["metadata"].get("nbgrader", {}).get("solution")
    }


def solve(hub: Hub, name: str, only: int = 10) -> None:
    """Write right answers into somebody's notebook, as that account."""
    path = hub.home(name) / f"{ASSIGNMENT}/{ASSIGNMENT}.ipynb"
    made = json.loads(path.read_text(encoding="utf-8"))
    for number, (text, _) in list(answers().items())[:only]:
        made["cells"][number]["source"] = text
    path.write_text(json.dumps(made), encoding="utf-8")


def grade(hub: Hub, *steps: str) -> str:
    """Type commands of the class grader as the instructor; return what they say."""
    said = ""
    for step in steps:
        command, _, options = step.partition(" ")
        line = f"python -m course_lib grade {command} {ASSIGNMENT} {options}"
        done = hub.run(INSTRUCTOR, line, hub.home(INSTRUCTOR) / "class")
        assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
        said += done.stdout
    return said


@pytest.fixture(scope="module")
def term(hub, browser) -> dict:
    """Go through the whole way once; the tests look at what was seen."""
    seen: dict = {"hub": hub}
    ada, ann, bo, cui = people = [
        Person(browser, hub, name) for name in (INSTRUCTOR, *STUDENTS)
    ]
    lines = (
        f"mkdir -p class; umask 022; mkdir {hub.folder}/cache/why && echo kept > $_/it"
    )
    made = hub.run(INSTRUCTOR, lines)
    assert made.returncode == 0, made.stderr
    for person, language in zip(people, ("en", "zh", "en", "zh"), strict=True):
        person.log_in(language)
    grade(hub, "release --exchange")
    for person in people:
        person.page.wait_for_url("**/lab/tree/**", wait_until="commit")
    seen["first page"] = [person.page.url for person in people]
    work(ann, seen)
    for student in (bo, cui):
        student.assignments()
        student.press("Fetch", "released_assignments_list")
        student.page.wait_for_selector("#fetched_assignments_list .list_item")
    solve(hub, BO, only=2)
    submit(bo)
    plant(hub)
    seen["collected"] = grade(hub, "collect --exchange", "judge --processes 1")
    solve(hub, BO)
    submit(bo)  # again, after the first was collected
    seen["again"] = grade(hub, "collect --exchange", "judge --processes 1", "record")
    mark(ada, ANN, 3.5)
    seen["returned"] = grade(hub, "record", "feedback --exchange")
    for student in (ann, bo):
        seen[student.name] = feedback(student)
    seen["others"] = ann.page.request.get(
        f"{hub.address}/user/{BO}/api/contents"
    ).status
    there = f"{hub.address}/user/{ANN}/formgrader/"
    seen["formgrader"] = ann.page.request.get(there).status
    seen["server"] = pids(BO, "jupyterhub.singleuser")[0]
    for person in people:
        person.context.close()
    return seen


def pids(account: str, what: str) -> list[str]:
    """List an account's processes whose command has a word in it."""
    done = subprocess.run(["pgrep", "-u", account, "-f", what], capture_output=True)
    return done.stdout.decode().split()


def submit(student: Person) -> None:
    """Hand in with the button; wait until it stands in the list."""
    student.assignments()
    row = "#submitted_assignments_list .list_item .item_status button"
    student.press("Submit", "fetched_assignments_list")
    student.page.wait_for_selector("#fetched_assignments_list button:text-is('Submit')")
    student.page.wait_for_selector(row)


def work(ann: Person, seen: dict) -> None:
    """Fetch, solve in the notebook, lose the kernel on the way, validate, hand in."""
    ann.assignments()
    ann.press("Fetch", "released_assignments_list")
    ann.page.wait_for_selector("#fetched_assignments_list .list_item")
    ann.open_notebook()
    for number, (text, written) in answers().items():
        ann.write(number, text, written)
    ann.page.keyboard.press("Control+s")
    ann.page.click(".jp-Notebook .jp-CodeCell >> nth=0")
    ann.page.wait_for_selector("[data-status=idle].jp-Notebook-ExecutionIndicator")
    ann.page.keyboard.press("Control+Enter")
    kernels = pids(ANN, "ipykernel_launcher")  # the lesson's, too
    for pid in kernels:
        os.kill(int(pid), signal.SIGKILL)
    seen["killed"] = len(kernels)
    ann.page.wait_for_selector(".jp-Dialog")  # the kernel died; it starts again
    ann.page.click(".jp-Dialog .jp-mod-accept")
    ann.page.click(".validate-button")
    seen["validated"] = ann.page.locator(".jp-Dialog #validation-message").inner_text()
    ann.page.click(".jp-Dialog .jp-mod-accept")
    submit(ann)


def plant(hub: Hub) -> None:
    """Have a student hand in a link to a secret, and something in another's name."""
    inbound = hub.folder / "exchange/text-representations/inbound"
    secret = hub.home(INSTRUCTOR) / "class/secret"
    lines = f"""
    stamp='2030-01-01 00:00:00.000000 UTC'
    cd "{inbound}"
    mkdir "{BO}+{ASSIGNMENT}+$stamp+y" "{CUI}+{ASSIGNMENT}+$stamp+x"
    cd "{CUI}+{ASSIGNMENT}+$stamp+x"
    ln -s {secret} {ASSIGNMENT}.ipynb; ln -s {secret} answer.txt; mkfifo pipe.ipynb
    cp ~/{ASSIGNMENT}/{ASSIGNMENT}.ipynb mine.ipynb; chmod -R go+rX .
    """
    done = hub.run(CUI, lines)
    assert done.returncode == 0, done.stderr


def mark(ada: Person, student: str, points: float) -> None:
    """Give points for the written answer, in the form grader."""
    ada.goto(f"formgrader/manage_students/{student}/{ASSIGNMENT}")
    ada.page.click(f"table a:text-is('{ASSIGNMENT}')")
    ada.page.wait_for_url("**/formgrader/submissions/**")
    ada.page.wait_for_load_state("networkidle")  # it shows what the gradebook has
    box = ada.page.locator("input.score").last
    box.fill(str(points))
    with ada.page.expect_response(lambda r: "/api/grade/" in r.url):
        box.press("Tab")
    comment = ada.page.locator("textarea.comment").last
    comment.fill("Say where the sentence stands.")
    with ada.page.expect_response(lambda r: "/api/comment/" in r.url):
        comment.press("Tab")


def feedback(student: Person) -> str:
    """Fetch the feedback with the button; return the text of the newest page."""
    student.assignments()
    student.page.click("button:text-is('Fetch Feedback') >> nth=0")
    student.page.wait_for_selector("a:has-text('(view feedback)')")
    pages = sorted(student.home(f"{ASSIGNMENT}/feedback").glob("*/*.html"))
    student.goto(f"files/{pages[-1].relative_to(student.home())}")
    return student.page.inner_text("body")


# What an account may do: path (with BO's hand-in and so on filled in), how, who.
READERS = [
    ("{hub}/course/course_lib/kept.py", "everybody"),
    ("{hub}/course/source/assignments/00_start_here/checks.py", "everybody"),
    ("{hub}/cache", "everybody"),
    ("{exchange}/outbound/00_start_here/00_start_here.ipynb", "everybody"),
    ("{bo}/00_start_here/00_start_here.ipynb", "trc-bo"),
    ("{bo}/00_start_here/feedback", "trc-bo"),
    ("{bo}/.local/share/jupyter/nbgrader_cache", "trc-bo"),
    ("{bo}/.local/share/jupyter/runtime", "trc-bo"),
    ("{ada}/course/solutions/00_start_here/00_start_here.ipynb", "trc-ada"),
    ("{ada}/class/solutions", "trc-ada"),
    ("{ada}/class/secret", "trc-ada"),
    ("{ada}/class/gradebook.db", "trc-ada"),
    ("{ada}/class/raw/trc-bo/00_start_here", "trc-ada"),
    ("{ada}/class/verdicts", "trc-ada"),
    ("{ada}/class/feedback/trc-bo/00_start_here/00_start_here.html", "trc-ada"),
    ("{exchange}/inbound", "trc-ada"),  # a hand-in is read by who knows its name
    ("{exchange}/feedback", "trc-ada"),
    ("{hub}/etc/local.py", "nobody"),
    ("{hub}/state/jupyterhub.sqlite", "nobody"),
    ("{hub}/state/cookie_secret", "nobody"),
    ("/proc/{bo_server}/environ", "trc-bo"),
]
WRITERS = [
    ("{hub}/course/course_lib", "nobody"),
    ("{hub}/etc", "nobody"),
    ("{hub}/lessons.bundle", "nobody"),
    ("{hub}/cache", "trc-ada"),
    ("{hub}/exchange", "nobody"),  # who writes here can make a course of his own
    ("{exchange}", "trc-ada"),
    ("{exchange}/inbound", "everybody"),
    ("{exchange}/outbound/00_start_here/00_start_here.ipynb", "trc-ada"),
    ("{exchange}/feedback", "trc-ada"),
    ("{bo}/00_start_here/00_start_here.ipynb", "trc-bo"),
]


def may(account: str, test: str, path: str) -> bool:
    """Ask as an account whether a path can be read (-r) or written (-w)."""
    command = ["runuser", "-u", account, "--", "test", test, path]
    return subprocess.run(command).returncode == 0


def table(hub: Hub, server: str, rows: list, test: str) -> tuple[dict, dict]:
    """Return who may and who should, by path."""
    names = {
        "hub": hub.folder,
        "exchange": hub.folder / "exchange/text-representations",
    }
    names |= {"ada": hub.home(INSTRUCTOR), "bo": hub.home(BO), "bo_server": server}
    found, wanted = {}, {}
    for path, who in rows:
        place = path.format(**names)
        assert os.path.exists(place), place
        accounts = (INSTRUCTOR, *STUDENTS)
        found[path] = [name for name in accounts if may(name, test, place)]
        wanted[path] = [name for name in accounts if who in ("everybody", name)]
    return found, wanted


def test_everybody_lands_on_the_first_lesson_in_their_language(term):
    found = [re.search("notebooks/(..)/", url)[1] for url in term["first page"]]
    assert found == ["en", "zh", "en", "zh"]


def test_what_the_instructor_computed_is_in_each_students_cache(term):
    own = term["hub"].home(CUI) / ".cache/text-representations-course/why/it"
    assert own.read_text() == "kept\n"
    assert not may(CUI, "-w", str(own))
    assert may(CUI, "-w", str(own.parent))  # for what the student computes


def test_students_see_the_lessons_and_not_what_is_an_authors(term):
    found = {path.name for path in (term["hub"].home(CUI) / "course").iterdir()}
    assert found == {".git", "docs", "notebooks"}


def test_a_killed_kernel_costs_nothing_that_was_saved(term):
    assert term["killed"]
    assert "passes all the tests" in term["validated"]


def test_the_marks_of_the_last_hand_in_count_and_come_back(term):
    assert "Score: 12.5 / 13.0" in " ".join(term[ANN].split())
    assert "Say where the sentence stands." in term[ANN]
    assert "Score: 9.0 / 13.0" in " ".join(term[BO].split())


@pytest.mark.parametrize("rows, test", [(READERS, "-r"), (WRITERS, "-w")])
def test_each_account_reaches_what_is_its_own(term, rows, test):
    found, wanted = table(term["hub"], term["server"], rows, test)
    assert found == wanted


def test_no_student_finds_a_solution_anywhere(term):
    """A line of it is in the instructor's files, and in those of who wrote it."""
    hub = term["hub"]
    line = f"grep -rlsF --exclude-dir=proc '{SOLVED}' {hub.folder.parent}"
    for name in (CUI, INSTRUCTOR):
        found = subprocess.run(
            ["runuser", "-u", name, "--", "sh", "-c", line],
            capture_output=True, encoding="utf-8",
        ).stdout  # fmt: skip
        assert bool(found) == (name == INSTRUCTOR), found


def test_a_hand_in_stays_where_it_is_even_for_who_knows_its_name(term):
    inbound = term["hub"].folder / "exchange/text-representations/inbound"
    path = next(p for p in inbound.iterdir() if p.owner() == BO)
    command = ["runuser", "-u", CUI, "--", "mv", str(path), f"{path}.gone"]
    assert subprocess.run(command, capture_output=True).returncode
    assert path.is_dir()


def test_a_student_cannot_open_another_ones_server(term):
    assert term["others"] == 403


def test_a_link_to_a_secret_and_another_ones_name_are_not_taken(term):
    assert f"{BO}: not taken: handed in by {CUI}" in term["collected"]
    assert f"'{ASSIGNMENT}.ipynb' is not taken: a link" in term["collected"]
    assert f"{CUI}: says 2030-01-01 00:00 UTC, came" in term["collected"]
    ada = term["hub"].home(INSTRUCTOR) / "class"
    secret = (ada / "secret").read_text().strip()
    taken = [path for path in (ada / "raw").rglob("*") if path.is_file()]
    assert taken and not [p for p in taken if secret in p.read_text(errors="replace")]


def test_only_the_newer_hand_in_is_taken_again(term):
    assert "3 new in the exchange" in term["collected"]
    assert "1 new in the exchange" in term["again"]


def test_a_person_is_told_whose_answers_wait(term):
    assert f"an answer waits for your mark: {BO}" in term["returned"]


def test_students_have_no_form_grader(term):
    assert term["formgrader"] == 404
