"""Marks for other systems: nbgrader's export plugins for Canvas, Moodle, spreadsheets.

    grade export canvas                                   this course's command
    nbgrader export --exporter=course_grading.exporters.Canvas    nbgrader's own

A row a student, a column an assignment; what is given is nbgrader's score, after the
penalty for lateness. A mark is left out while a written answer waits for a person, and
there is none where nothing was handed in or nothing could be read. Files are
UTF-8 with a byte order mark: Excel needs it for names in other scripts, Canvas and
Moodle accept it.

Sources of the columns' names: Canvas, lib/gradebook_importer.rb (the first row must
have Student, ID, then SIS User ID and SIS Login ID, then Section; the second the points
possible); Moodle, docs.moodle.org/311/en/Grade_import, and grade/import/csv, where "-"
means no grade.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry, Student
from nbgrader.plugins import ExportPlugin
from traitlets import Bool, Dict, Enum

from . import intake
from .classroom import Classroom
from .phrases import said
from .report import quoted, statuses

ABSENT = {"status": "not handed in", "why": "", "score": ""}


def marks(book: Gradebook, assignments: list, students: list) -> Iterator[dict]:
    """Yield a row for each assignment and student; no score where nothing was marked.

    A row has nbgrader's columns, and status, why, and waits (for a person's mark).
    assignments, students: names, or nothing for all of them
    """
    room = Classroom(os.getcwd())
    for assignment in book.assignments:
        if assignments and assignment.name not in assignments:
            continue
        found = statuses(room, assignment.name)
        for student in book.students:
            if students and student.id not in students:
                continue
            row = as_row(book, assignment, student)
            about = found.get(student.id, ABSENT)
            row |= {"status": about["status"], "why": about["why"]}
            if about["score"] == "" and not row["raw_score"]:
                row |= {"raw_score": "", "score": ""}
            yield row


def as_row(book: Gradebook, assignment, student: Student) -> dict:
    """Return a row with the columns of nbgrader's CsvExportPlugin, and `waits`."""
    row = dict(
        assignment=assignment.name,
        duedate=assignment.duedate or "",
        timestamp="",
        student_id=student.id,
        last_name=student.last_name or "",
        first_name=student.first_name or "",
        email=student.email or "",
        raw_score=0.0,
        late_submission_penalty=0.0,
        score=0.0,
        max_score=assignment.max_score,
        waits=False,
    )
    try:
        submission = book.find_submission(assignment.name, student.id)
    except MissingEntry:
        return row
    penalty = submission.late_submission_penalty
    return row | {
        "timestamp": submission.timestamp or "",
        "raw_score": submission.score,
        "late_submission_penalty": penalty,
        "score": max(0.0, submission.score - penalty),
        "waits": submission.needs_manual_grade,
    }


def write(path: Path, table: list[list]) -> None:
    """Write a table; a text that a spreadsheet would take for a formula is quoted."""
    file = io.StringIO(newline="")
    file.write("\ufeff")  # the byte order mark
    csv.writer(file).writerows([[quoted(value) for value in line] for line in table])
    intake.write_whole(path, file.getvalue())


class Marks(ExportPlugin):
    """A table with a row a student: what Canvas, Moodle and Spreadsheet share."""

    name = ""
    unfinished = Bool(
        False, help="also marks whose written answers wait for a person"
    ).tag(config=True)
    titles = Dict(help="the assignments' names over there, by ours").tag(config=True)

    def export(self, gradebook: Gradebook) -> None:
        found: dict[str, dict[str, dict]] = {}
        for mark in marks(gradebook, self.assignment, self.student):
            found.setdefault(mark["assignment"], {})[mark["student_id"]] = mark
        self.waiting = {
            name: sum(bool(mark["waits"]) for mark in of_one.values())
            for name, of_one in found.items()
        }
        students = [
            s for s in gradebook.students if any(s.id in m for m in found.values())
        ]
        write(Path(self.to or f"{self.name}.csv"), self.table(found, students))

    def table(self, found: dict, students: list[Student]) -> list[list]:
        raise NotImplementedError

    def points(self, mark: dict, empty: str = "") -> float | str:
        """Return a mark to be handed on, or what stands for none."""
        if mark["score"] == "" or (mark["waits"] and not self.unfinished):
            return empty
        return empty if mark["status"] == "not handed in" else round(mark["score"], 2)

    def title(self, assignment: str) -> str:
        return self.titles.get(assignment, assignment)


class Canvas(Marks):
    """For Canvas: Gradebook, Import. ID is the roster's lms_user_id, Canvas' own."""

    name = "canvas"

    def table(self, found: dict, students: list[Student]) -> list[list]:
        who = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
        most = [next(iter(marks.values()))["max_score"] for marks in found.values()]
        lines = [
            [*who, *map(self.title, found)],
            ["    Points Possible", "", "", "", "", *most],
        ]
        for student in students:
            names = (student.last_name, student.first_name)
            named = ", ".join(filter(None, names)) or student.id
            about = [named, student.lms_user_id or "", "", student.id, ""]
            lines.append(about + [self.points(m[student.id]) for m in found.values()])
        return lines


class Moodle(Marks):
    """For Moodle: Grades, Import, CSV file. Map from ID number or Email address."""

    name = "moodle"

    def table(self, found: dict, students: list[Student]) -> list[list]:
        who = ["First name", "Last name", "ID number", "Email address"]
        lines = [[*who, *map(self.title, found)]]
        for student in students:
            number = student.lms_user_id or student.id
            names = [student.first_name or "", student.last_name or ""]
            about = [*names, number, student.email or ""]
            given = [self.points(m[student.id], "-") for m in found.values()]
            lines.append(about + given)
        return lines


class Spreadsheet(Marks):
    """For people: each mark with what lateness cost, and why there is none."""

    name = "marks"
    language = Enum(("en", "zh"), "en").tag(config=True)

    def table(self, found: dict, students: list[Student]) -> list[list]:
        def t(text: str) -> str:
            return said(text, self.language)

        heading = [t(x) for x in ("student", "last name", "first name", "email")]
        for name, of_one in found.items():
            most = next(iter(of_one.values()))["max_score"]
            parts = [f"{t('out of')} {most:g}", t("lost by lateness"), t("status")]
            heading += [f"{self.title(name)}: {part}" for part in parts]
        lines = [heading]
        for student in students:
            names = [student.last_name, student.first_name, student.email]
            line = [student.id, *[name or "" for name in names]]
            for of_one in found.values():
                mark = of_one[student.id]
                waits = mark["waits"] and mark["status"] in ("graded", "repaired")
                status = "written answer waits" if waits else mark["status"]
                lost = mark["late_submission_penalty"]
                line += [self.points(mark), lost or "", t(status)]
            lines.append(line)
        return lines


FORMATS = {plugin.name: plugin for plugin in (Canvas, Moodle, Spreadsheet)}
