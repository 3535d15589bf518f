"""A class at a glance: student by task, the mistakes made most, what to talk about.

Every answer has one state:

    solved    all checks passed
    A, B …    a known mistake, the letter says which; its sentence stands below
    wrong     no known mistake explains it
    stub      not written
    stopped   ran into a limit, ended Python, or its cell raised an error
    none      there is no verdict
"""

from __future__ import annotations

import math
import re
import string
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from course_lib.grading.hints import steps

from . import gradebook, pages
from .classroom import Classroom
from .gradebook import NOTHING
from .judge import find_task
from .pages import LANGUAGES, Part
from .report import rows
from .words import chinese

MOST = 5  # things to talk about


class Topic(NamedTuple):
    """A task that is worth a word in class, and the students by the state of theirs."""

    number: int  # of the task in the assignment
    part: Part
    groups: dict[str, list[str]]
    enough: int  # how many must share something for it to be said

    @property
    def solved(self) -> int:
        return len(self.groups.get("solved", []))

    @property
    def unsolved(self) -> list[str]:
        return [n for s, names in self.groups.items() if s != "solved" for n in names]

    def shared(self) -> dict[str, list[str]]:
        """Return what enough students have in common, the most frequent first."""
        found = [(s, n) for s, n in self.groups.items() if s != "solved"]
        found = [(s, n) for s, n in found if len(n) >= self.enough]
        return dict(sorted(found, key=lambda group: -len(group[1])))


class Glance:
    """What the page shows of an assignment of a class."""

    def __init__(self, room: Classroom, assignment: str):
        self.room, self.assignment = room, assignment
        self.parts = list(pages.parts(room, assignment))
        self.tasks = [part for part in self.parts if part.task]
        self.table = rows(room, assignment)[0]
        students = room.collected(assignment)
        self.names = dict(
            zip(students, [r["student"] for r in self.table], strict=True)
        )
        self.tests = self.verdicts()
        self.letters = self.named()
        self.given = gradebook.by_hand(room.root, assignment)
        self.recorded = gradebook.recorded(room.root, assignment)

    def verdicts(self) -> dict[str, dict[str, dict]]:
        """Return the judge's tests by student and cell."""
        found = {}
        for student, row in zip(self.names, self.table, strict=True):
            found[student] = {}
            if row["status"] == "unreadable":  # what was judged is not the student's
                continue
            paths = self.room.notebooks(self.assignment, student)
            judged = filter(None, map(self.room.verdict, paths))
            found[student] = {t["name"]: t for v in judged for t in v["tests"]}
        return found

    def named(self) -> dict[tuple[str, str], str]:
        """Return the letters of the mistakes, in each task by frequency."""
        letters = {}
        for part in self.tasks:
            tests = [test.get(part.cell, {}) for test in self.tests.values()]
            made = Counter(t["mistake"] for t in tests if t.get("mistake"))
            for letter, (name, _) in zip(
                string.ascii_uppercase, made.most_common(), strict=False
            ):
                letters[part.cell, name] = letter
        return letters

    def state(self, student: str, part: Part) -> str:
        """Return the state of an answer, or the letter of its mistake."""
        test = self.tests[student].get(part.cell)
        if test is None:
            return "none"
        if not test["failed"]:
            return "solved"
        if test["stopped"] or test["error"]:
            return "stopped"
        if re.search("not written yet|NotImplementedError", test["text"]):
            return "stub"
        return self.letters.get((part.cell, test["mistake"]), "wrong")

    def written(self, student: str, part: Part) -> str:
        """Return a person's mark of a written answer, "…" if it waits, "·" if none."""
        if not self.tests[student]:
            return "?"
        judged, given, _ = self.recorded.get((student, part.cell), NOTHING)
        if given is not None:
            return f"{given:g}"
        return "·" if judged == 0 else "…"

    def lines(self) -> list[dict]:
        """Return a line for each student: name, states, marks, and what else to say."""
        found = []
        for student, row in zip(self.tests, self.table, strict=True):
            cells = [
                self.state(student, part) if part.task else self.written(student, part)
                for part in self.parts
            ]
            found.append({"cells": cells, "row": row})
        return found

    def solved(self) -> list[int]:
        return [
            sum(self.state(student, part) == "solved" for student in self.tests)
            for part in self.tasks
        ]

    def judged(self) -> list[str]:
        return [student for student, tests in self.tests.items() if tests]

    def mistakes(self, language: str) -> list[dict]:
        """Return the known mistakes that were made, the most frequent first."""
        made: dict[tuple[str, str], list[str]] = {}
        for student, name in self.names.items():
            for part in self.tasks:
                mistake = self.tests[student].get(part.cell, {}).get("mistake")
                if mistake:
                    made.setdefault((part.cell, mistake), []).append(name)
        listed = []
        for (cell, name), students in made.items():
            number, part = self.numbered(cell)
            listed.append(
                {
                    "number": number,
                    "letter": self.letters[cell, name],
                    "title": pages.heading(part.question, language),
                    "sentence": self.sentence(part, name, language),
                    "hints": self.hints(part, language),
                    "students": students,
                }
            )
        return sorted(listed, key=lambda m: (-len(m["students"]), m["number"]))

    def why(self, row: dict, language: str) -> str:
        """Return what the report says of a submission, in a language."""
        if language == "en":
            return row["why"]
        said = []
        for reason in row["why"].split("; "):
            where, colon, rest = reason.rpartition(": ")
            said.append(f"{where}{colon and '：'}{chinese(rest)}")
        return "；".join(said)

    def numbered(self, cell: str) -> tuple[int, Part]:
        return next(
            (number, part)
            for number, part in enumerate(self.parts, start=1)
            if part.cell == cell
        )

    def sentence(self, part: Part, name: str, language: str) -> str:
        """Return what a mistake's author wrote about it, or what the judge said."""
        task = find_task(part.task, str(self.room.root / "private"))
        for mistake in task.mistakes:
            if mistake.name == name:
                return mistake.zh if language == "zh" else mistake.en
        tests = (tests.get(part.cell, {}) for tests in self.tests.values())
        text = next(t["text"] for t in tests if t.get("mistake") == name)
        lines = text.partition("\n\n")[2].splitlines()
        return lines[min(len(lines) - 1, language == "zh")] if lines else name

    def hints(self, part: Part, language: str) -> list[str]:
        """Return where to look, and the idea with its example."""
        found = [step.zh if language == "zh" else step.en for step in steps(part.task)]
        return found[1:]

    def topics(self) -> list[Topic]:
        """Return the tasks to talk about, that which most have not solved first.

        A task is one if fewer than half solved it, or if two, and a tenth of the class,
        share a mistake or a way of being stuck.
        """
        enough = max(2, math.ceil(len(self.judged()) / 10))
        found = []
        for number, part in enumerate(self.parts, start=1):
            groups: dict[str, list[str]] = {}
            for student in self.judged() if part.task else ():
                state = self.state(student, part)
                groups.setdefault(state, []).append(self.names[student])
            topic = Topic(number, part, groups, enough)
            if topic.shared() or len(topic.unsolved) > topic.solved:
                found.append(topic)
        return sorted(found, key=lambda t: (-len(t.unsolved), t.number))[:MOST]


def write(room: Classroom, assignment: str) -> list[Path]:
    """Write the page in both languages; return where."""
    seen = Glance(room, assignment)
    due = gradebook.due(room.root, assignment)[:16]
    made = []
    for language in LANGUAGES:
        path = room.root / "report" / f"{assignment}.{language}.html"
        pages.save(
            path,
            "glance.html.j2",
            language,
            seen=seen,
            due=due,
            mistakes=seen.mistakes(language),
            heading=pages.heading,
        )
        made.append(path)
    return made
