"""What becomes of marks: tables for other systems, lateness, regrading, pages."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import sys
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook
from nbgrader.plugins import CsvExportPlugin

from course_grading import (
    classroom,
    commands,
    glance,
    harmless,
    late,
    record,
    regrade,
    written,
)
from course_grading.classroom import Classroom, ClassroomError
from course_grading.exporters import quoted
from course_grading.plain import PAGE, plain, typed
from course_grading.sandbox import available

sys.path.insert(0, str(Path(__file__).parent / "tamper"))
import tiny_class as tiny  # noqa: E402

pytestmark = [
    pytest.mark.whole,
    pytest.mark.skipif(
        not available(),
        reason="bubblewrap is not installed, or may not make namespaces",
    ),
]
NAME = tiny.NAME
WRONG = "def softmax(x):\n    return np.exp(x - x.max())"
STUDENTS = {
    "ann": tiny.RIGHT,
    "bob": {**tiny.RIGHT, "softmax": WRONG, "why-answer": "So it is <b>one</b>."},
    "李雷": {**tiny.RIGHT, "softmax": WRONG, "why-answer": "加起来是 1。"},
    "late": {"running": tiny.RIGHT["running"], "why-answer": "It is late."},
    "none": {},
}
OWN = """
c.AssignLatePenalties.plugin_class = "course_grading.late.PerDay"
c.PerDay.percent = 25
"""


def grade(root: Path, *words: str, code: int = 0) -> str:
    """Run a command in this process, which is quicker; return what it says."""
    classroom.grader.cache_clear()  # each command is a process of its own
    with pytest.MonkeyPatch.context() as patch:
        said = io.StringIO()
        patch.setattr(sys, "stdout", said)
        patch.setattr(sys, "stderr", said)
        found = commands.main([*words, "--class", str(root)])
    assert found == code, said.getvalue()
    return said.getvalue()


@pytest.fixture(scope="module", autouse=True)
def no_settings_of_this_machine(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_CONFIG_DIR", str(tmp_path_factory.mktemp("settings")))
        yield


@pytest.fixture(scope="module")
def recorded(tmp_path_factory) -> Path:
    """Make a class, late by a day and an hour in one case, and record it."""
    root = tmp_path_factory.mktemp("class") / "class"
    room = tiny.make(root)
    (root / "own_config.py").write_text(OWN)
    grade(root, "release", NAME)
    for student, answers in STUDENTS.items():
        tiny.hand_in(room, student, answers)
        day = "03-03 13:00" if student == "late" else "03-01 12:00"
        path = root / f"raw/{student}/{NAME}/timestamp.txt"
        path.write_text(f"2027-{day}:00 UTC")
    tiny.save(room, "unread", b'{"cells": [')
    with Gradebook(f"sqlite:///{root}/gradebook.db") as book:
        book.update_or_create_assignment(NAME, duedate="2027-03-02 12:00:00 UTC")
        book.add_student("李雷", first_name="雷", last_name="李", lms_user_id="1002")
        book.add_student("ann", first_name="Ann, Jr.", last_name="=1+1", email="a@b.c")
        book.add_student("absent", last_name="Absent")
    for command in ("collect", "judge", "record"):
        grade(root, command, NAME)
    return root


@pytest.fixture
def room(recorded, tmp_path) -> Path:
    """Return a copy of the recorded class, to be changed."""
    return Path(shutil.copytree(recorded, tmp_path / "class"))


def give(root: Path, points: dict[str, float], cell: str = "why-answer") -> None:
    """Give marks and a comment, as the form grader does."""
    with Gradebook(f"sqlite:///{root}/gradebook.db") as book:
        for student, mark in points.items():
            found = book.find_grade(cell, NAME, NAME, student)
            found.manual_score, found.needs_manual_grade = mark, False
            if cell == "why-answer":
                comment = book.find_comment(cell, NAME, NAME, student)
                comment.manual_comment = "Why 1?"
        book.db.commit()


def table(path: Path) -> list[list[str]]:
    data = path.read_bytes()
    assert data.startswith("\ufeff".encode())  # Excel takes it for UTF-8
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))


# Lateness


@pytest.mark.parametrize(
    ("hours", "settings", "lost"),
    [
        (1, {}, 1),  # a day begun
        (24, {}, 1),
        (25, {}, 2),
        (0.2, {"grace": 15}, None),
        (24.2, {"grace": 15}, 1),
        (24 * 30, {"most": 50}, 5),
        (24 * 30, {}, 10),
    ],
)
def test_a_day_of_lateness_costs_a_share(hours, settings, lost):
    plugin = late.PerDay(percent=10, **settings)
    assert plugin.late_submission_penalty("ann", 10.0, 3600 * hours) == lost


def test_lateness_is_shown_and_follows_a_persons_points(room):
    """25 % a day, two days begun: half of 2 points, then half of 3."""
    grade(room, "report", NAME)
    rows = {line[1]: line for line in table(room / f"report/{NAME}.csv")}
    assert rows["late"][-2:] == ["25.0", "1"] and rows["ann"][-2:] == ["", ""]
    give(room, {"late": 1})
    grade(room, "record", NAME)
    found = grades(room)["late"]
    assert (found["raw_score"], found["score"]) == ("3.0", "1.5")
    page = (room / f"feedback/late/{NAME}/{NAME}.html").read_text()
    assert "Late submission penalty (Score: -1.5)" in page


def grades(root: Path) -> dict[str, dict]:
    with (root / "grades.csv").open(encoding="utf-8", newline="") as file:
        return {row["student_id"]: row for row in csv.DictReader(file)}


def test_what_an_instructor_sets_survives_a_release(room):
    (room / "nbgrader_config.py").unlink()
    Classroom(room).create()
    assert (room / "own_config.py").read_text() == OWN
    with record.nbgrader_api(room) as api:
        assert late.rules(api)["PerDay"] == {"percent": 25}


# Tables for other systems


def test_canvas_finds_its_columns(room):
    """By the rules of Canvas' gradebook_importer.rb: header?, update_column_count."""
    give(room, {"ann": 2, "bob": 0, "late": 1})
    said = grade(room, "export", "canvas")
    assert "2 of the marks wait for a person; left out" in said
    header, points, *lines = table(room / "export/canvas.csv")
    assert "Student" in header[0] and "ID" in header[1]
    assert re.search(r"SIS\s+User\s+ID", header[2])
    assert re.search(r"SIS\s+Login\s+ID", header[3]) and "Section" in header[4]
    assert header[5:] == [NAME] and "Points Possible" in points[0]
    assert points[5] == "9.0"
    found = {line[3]: (line[0], line[1], line[5]) for line in lines}
    assert found["ann"] == ("'=1+1, Ann, Jr.", "", "9.0")  # no formula
    assert found["李雷"] == ("李, 雷", "1002", "")  # its written answer waits
    assert found["none"][2] == "0.0"  # nothing to wait for
    assert found["absent"][2] == found["unread"][2] == ""


def test_moodle_reads_a_dash_as_no_grade_and_a_title_of_its_own(room):
    with (room / "own_config.py").open("a") as file:
        file.write(f"c.Moodle.titles = {{{NAME!r}: 'Übung 90'}}\n")
    grade(room, "export", "moodle", NAME, "--unfinished")
    header, *lines = table(room / "export/moodle.csv")
    names = ["First name", "Last name", "ID number", "Email address"]
    assert header == [*names, "Übung 90"]
    found = {line[2]: line[4] for line in lines}
    assert found["1002"] == "4.0" and found["absent"] == found["unread"] == "-"


def test_a_spreadsheet_says_why_there_is_no_mark_in_two_languages(room):
    give(room, {"ann": 2})
    for language, waits, absent in (
        ("en", "written answer waits", "not handed in"),
        ("zh", "书面题待评", "没有交"),
    ):
        grade(room, "export", "marks", "--language", language)
        found = {line[0]: line for line in table(room / "export/marks.csv")}
        assert found["ann"][4:] == ["9.0", "", ("graded", "已评分")[language == "zh"]]
        assert found["bob"][4:] == ["", "", waits]
        assert found["absent"][-1] == absent


def test_an_assignment_that_is_not_there_is_named(room):
    assert "not released: 91_no" in grade(room, "export", "moodle", "91_no", code=1)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("=1", "'=1"),
        ("-", "-"),
        ("-x", "'-x"),
        ("+1", "'+1"),
        ("\t=1", "'\t=1"),
        ("-1.5", "-1.5"),
        ("-1+2", "'-1+2"),
        (-1.5, -1.5),
        ("李", "李"),
    ],
)
def test_no_text_is_a_formula(value, written):
    assert quoted(value) == written


def test_the_table_is_nbgraders_own_where_that_can_be_read(room):
    """nbgrader writes names with a comma without quotes; ours are read back."""
    grade(room, "record", NAME)
    ours = grades(room)
    assert ours["ann"]["first_name"] == "Ann, Jr."
    with record.nbgrader_api(room) as api, api.gradebook as book:
        plugin = CsvExportPlugin(config=api.config)
        plugin.to = str(room / "theirs.csv")
        plugin.export(book)
    with (room / "theirs.csv").open(encoding="utf-8", newline="") as file:
        for theirs in csv.DictReader(file):
            mine = ours[theirs["student_id"]]
            if mine["score"] and mine["student_id"] != "ann":
                assert {key: mine[key] for key in theirs} == theirs


# Regrading


def mend(root: Path) -> None:
    """Let the softmax task be satisfied with what was wrong before."""
    path = root / "private/tasks_90.py"
    text = path.read_text(encoding="utf-8")
    text = text.replace("    return e / e.sum()\n", "    return e\n")
    path.write_text(text.replace("[0.5, 0.5]", "[1.0, 1.0]"), encoding="utf-8")


def marks(root: Path) -> dict[str, str]:
    return {name: row["raw_score"] for name, row in grades(root).items()}


def test_marks_change_only_after_they_were_shown_and_confirmed(room):
    give(room, {"bob": 1})
    grade(room, "record", NAME)
    before, book = marks(room), (room / "gradebook.db").read_bytes()
    mend(room)
    said = grade(room, "regrade", NAME, "--task", "90.softmax")
    assert "3 marks change, 2 up, 1 down" in said and "Nothing is changed yet" in said
    assert re.search(r"90\.softmax  3 -> 0 of 3  ann: the example", said)
    assert re.search(r"90\.softmax  0 -> 3 of 3  李雷\n", said)
    assert (room / "gradebook.db").read_bytes() == book and marks(room) == before
    shown = table(room / f"report/{NAME}_regrade.csv")
    assert [line[1:5] for line in shown[1:]] == [
        ["ann", "90.softmax", "3.0", "0"],
        ["bob", "90.softmax", "0.0", "3"],
        ["李雷", "90.softmax", "0.0", "3"],
    ]
    grade(room, "regrade", NAME, "--task", "90.softmax", "--confirm")
    after = marks(room)
    assert (after["ann"], after["bob"], after["李雷"]) == ("4.0", "8.0", "7.0")
    grade(room, "export", "canvas")
    found = {line[3]: line[5] for line in table(room / "export/canvas.csv")[2:]}
    assert found["bob"] == "8.0"  # what a person gave need not be given again
    assert "no recorded mark changes" in grade(room, "regrade", NAME)


def test_a_task_alone_is_not_regraded_if_others_change_too(room):
    before = marks(room)
    mend(room)
    said = grade(room, "regrade", NAME, "--task", "90.running", "--confirm", code=1)
    assert "marks of other tasks than 90.running would change, too" in said
    assert "90.softmax (3)" in said and marks(room) == before


def test_a_change_by_a_new_hand_in_is_told_apart(room):
    tiny.hand_in(Classroom(room), "bob", tiny.RIGHT)
    grade(room, "collect", NAME)
    said = grade(room, "regrade", NAME)
    assert re.search(r"0 -> 3 of 3  bob \(handed in again since\)", said)


def test_what_an_earlier_version_collected_is_made_anew_and_marks_stay(room):
    give(room, {"ann": 1.5})
    places = [room / tree / "ann" / NAME for tree in ("submitted", "autograded")]
    for place in places:
        path = place / f"{NAME}.ipynb"
        made = nbformat.read(path, 4)
        made.cells[-1].source = typed(made.cells[-1].source)  # as it was kept then
        nbformat.write(made, path)
        harmless.forget(place)
    path = room / f"intake/{NAME}_recorded.json"
    done = json.loads(path.read_text("utf-8"))
    done["ann"][0] = "a digest of other files"
    path.write_text(json.dumps(done), "utf-8")
    for command in ("collect", "record"):
        grade(room, command, NAME)
    for place in places:
        source = nbformat.read(place / f"{NAME}.ipynb", 4).cells[-1].source
        assert source == plain(tiny.RIGHT["why-answer"])
        assert (place / PAGE).exists()
    with Gradebook(f"sqlite:///{room}/gradebook.db") as book:
        mark = book.find_grade("why-answer", NAME, NAME, "ann")
        assert mark.manual_score == 1.5 and not mark.needs_manual_grade


def test_a_mark_by_hand_waits_again_only_if_the_answer_changed(room):
    give(room, {"ann": 2, "bob": 1})
    answers = {**STUDENTS["bob"], "why-answer": "Another answer."}
    tiny.hand_in(Classroom(room), "bob", answers)
    tiny.hand_in(Classroom(room), "ann", {**tiny.RIGHT, "running": "pass"})
    for command in ("collect", "judge", "record"):
        grade(room, command, NAME)
    with Gradebook(f"sqlite:///{room}/gradebook.db") as book:
        waits = {
            name: book.find_grade("why-answer", NAME, NAME, name).needs_manual_grade
            for name in ("ann", "bob")
        }
    assert waits == {"ann": False, "bob": True}


def test_recording_too_early_takes_nothing_away(room):
    mend(room)
    pages = tiny.tree_hash(room / "feedback", room / "autograded")
    assert "not judged yet" in grade(room, "record", NAME, code=1)
    assert tiny.tree_hash(room / "feedback", room / "autograded") == pages


# The class at a glance


def test_a_glance_names_states_mistakes_and_what_to_talk_about(room):
    seen = glance.Glance(Classroom(room), NAME)
    states = {
        name: [seen.state(name, part) for part in seen.tasks] for name in seen.tests
    }
    assert states["ann"] == ["solved"] * 3
    assert states["bob"] == states["李雷"] == ["A", "solved", "solved"]
    assert states["late"] == ["stub", "solved", "stub"]
    assert states["unread"] == ["none"] * 3
    first = seen.topics()[0]  # four of five have not solved it
    assert (first.part.task, first.solved, len(first.unsolved)) == ("90.softmax", 1, 4)
    assert first.shared() == {"A": ["bob", "李雷"], "stub": ["late", "none"]}
    [mistake] = seen.mistakes("zh")
    assert mistake["sentence"] == "要除以总和。" and mistake["students"] == [
        "bob",
        "李雷",
    ]


def test_the_page_is_there_in_both_languages_and_names_can_be_hidden(room):
    hostile = Path(room / "raw/<img src=x>") / NAME
    shutil.copytree(room / f"raw/bob/{NAME}", hostile)
    for command in ("collect", "judge", "report"):
        grade(room, command, NAME)
    for language, words in (("en", "Divide by the sum."), ("zh", "要除以总和。")):
        page = (room / f"report/{NAME}.{language}.html").read_text(encoding="utf-8")
        assert words in page and "李雷" in page and "2027-03-02 12:00" in page
        assert "<img" not in page and "&lt;img src=x&gt;" in page
        assert 'id="hide"' in page and "://" not in page


def test_a_glance_before_the_judge_praises_nobody(room):
    mend(room)
    grade(room, "report", NAME)
    page = (room / f"report/{NAME}.en.html").read_text(encoding="utf-8")
    assert "Nothing is judged yet" in page and "Nothing stands out" not in page


# Written answers


def test_a_written_answer_is_marked_by_nobody_but_a_person(recorded):
    """Only what was left as it was handed out is worth 0, as nbgrader has it."""
    with Gradebook(f"sqlite:///{recorded}/gradebook.db") as book:
        found = {
            name: book.find_grade("why-answer", NAME, NAME, name).auto_score
            for name in STUDENTS
        }
    assert found == {"ann": None, "bob": None, "李雷": None, "late": None, "none": 0}


def test_the_page_has_answers_without_names_and_comments_to_use_again(room):
    give(room, {"bob": 1, "李雷": 1.5})
    said = grade(room, "written", NAME)
    assert f"{NAME}_written.zh.html" in said
    page = (room / f"report/{NAME}_written.en.html").read_text(encoding="utf-8")
    assert "So it is &lt;b&gt;one&lt;/b&gt;." in page and "(given 2×)" in page
    assert "1.5 / 2" in page and page.count("waits for you") == 2
    assert "李雷" not in page and "bob" not in page and "YOUR ANSWER" not in page
    numbers = re.findall(r"<b>#(\d)</b>", page)
    assert len(numbers) == 4 and numbers == sorted(numbers)


def test_a_class_brings_samples_of_its_own(room):
    path = room / "private/samples_90.toml"
    sample = """
[[why-answer]]
marks = [1, 0]
en = "A sample."
zh = "样例。"
comments_en = ["Good.", "And why?"]
comments_zh = ["好。", "为什么？"]
"""
    path.write_text(sample, encoding="utf-8")
    grade(room, "written", NAME)
    page = (room / f"report/{NAME}_written.zh.html").read_text(encoding="utf-8")
    assert "样例。" in page and "为什么？" in page
    path.write_text(sample.replace('["Good.", ', "["), encoding="utf-8")
    assert "needs a mark and a comment" in grade(room, "written", NAME, code=1)


def test_before_anything_is_recorded_there_is_nothing_to_mark(tmp_path):
    room = tiny.make(tmp_path / "class")
    with pytest.raises(ClassroomError, match="nothing of 90_tiny is recorded yet"):
        written.write(room, NAME)
    assert regrade.refused([], "90.softmax") == ""
