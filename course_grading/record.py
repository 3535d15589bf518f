"""Put verdicts into nbgrader's gradebook; no student's code runs.

nbgrader goes through its own steps, except that instead of running a notebook it copies
the judge's words and marks into the test cells. Gradebook, form grader, feedback and
the table of marks are nbgrader's own.
"""

from __future__ import annotations

import contextlib
import csv
import hashlib
import io
import json
import logging
import os
import re
import warnings
from pathlib import Path

from nbconvert.preprocessors import ClearMetadataPreprocessor
from nbformat import NotebookNode
from nbformat.v4 import new_output
from nbgrader import utils
from nbgrader.api import Gradebook
from nbgrader.apps import NbGrader
from nbgrader.apps.api import NbGraderAPI
from nbgrader.plugins import ExportPlugin
from nbgrader.preprocessors import (
    AssignLatePenalties,
    CheckCellMetadata,
    LimitOutput,
    NbGraderPreprocessor,
    SaveAutoGrades,
)
from tqdm import tqdm

from course_lib.grading.hints import steps

from . import exporters, gradebook, harmless, intake, late, settled
from .classroom import Classroom, ClassroomError
from .plain import typed
from .report import quoted
from .words import chinese, visible


class ApplyVerdict(NbGraderPreprocessor):
    """Copy the marks and words of a verdict into the test cells of a notebook."""

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple:
        about = resources["nbgrader"]
        name, student = about["assignment"], about["student"]
        room = Classroom(os.getcwd())
        found = room.collected(name).get(student, {"notebooks": {}})["notebooks"]
        found = found.get(about["notebook"], {"status": "unreadable", "notes": []})
        about["unreadable"] = found["status"] == "unreadable"
        verdict = room.verdict(
            room.root / "submitted" / student / name / f"{about['notebook']}.ipynb"
        )
        if verdict is None:
            raise ClassroomError(f"{student}: {name} is not judged yet: `grade judge`")
        tests = {test["name"]: test for test in verdict["tests"]}
        for cell in nb.cells:
            if cell.cell_type == "code":
                cell.outputs = []
                if utils.is_grade(cell) and not utils.is_solution(cell):
                    test = tests[cell.metadata.nbgrader["grade_id"]]
                    cell.outputs = outputs(test, found)
        return nb, resources


class SaveMarks(SaveAutoGrades):
    """Save the marks; a file that could not be read has none and waits for a person.

    nbgrader would save a 0, which nobody could tell from a wrong answer.
    """

    def _add_score(self, cell: NotebookNode, resources: dict) -> None:
        super()._add_score(cell, resources)
        if resources["nbgrader"].get("unreadable"):
            where = self.notebook_id, self.assignment_id, self.student_id
            grade = self.gradebook.find_grade(cell.metadata.nbgrader.grade_id, *where)
            grade.auto_score, grade.needs_manual_grade = None, True
            self.gradebook.db.commit()


PREPROCESSORS = [
    ApplyVerdict,
    ClearMetadataPreprocessor,
    LimitOutput,
    SaveMarks,
    AssignLatePenalties,
    CheckCellMetadata,
]


# A feedback page of our own, without scripts: texts are rendered already (harmless.py).
FEEDBACK = {
    "extra_template_basedirs": [str(Path(__file__).parent / "templates")],
    "filters": {
        "texts": lambda about: harmless.rendered(recorded(about)),
        "typed": typed,
        "harmless": harmless.as_html,
        "policy": lambda _: harmless.POLICY,
    },
}


def recorded(about: dict) -> Path:
    """Return the notebook that nbgrader makes a feedback page of."""
    place = Path("autograded") / about["student"] / about["assignment"]
    return place / f"{about['notebook']}.ipynb"


class GradesTable(ExportPlugin):
    """nbgrader's table of marks, with a status: no score where nothing was marked."""

    def export(self, gradebook: Gradebook) -> None:
        lines = list(exporters.marks(gradebook, self.assignment, self.student))
        columns = (
            [key for key in lines[0] if key != "waits"] if lines else ["student_id"]
        )
        file = io.StringIO(newline="")
        out = csv.DictWriter(file, columns, extrasaction="ignore")
        out.writeheader()
        out.writerows({k: quoted(v) for k, v in line.items()} for line in lines)
        intake.write_whole(Path(self.to or "grades.csv"), file.getvalue())


def outputs(test: dict, about: dict) -> list[NotebookNode]:
    """Return what a test cell shows: the judge's words, a hint, then the marks."""
    text = test["text"]
    if about["status"] == "unreadable":
        why = "; ".join(about["notes"])
        said = "；".join(map(chinese, about["notes"]))
        text = f"The file could not be read: {why}\n文件无法读取：{said}\n"
    elif test["failed"] and not test["mistake"] and (found := steps(test["task"])):
        text += f"\n{found[0].en}\n{found[0].zh}\n"
    return [
        new_output("stream", name="stdout", text=text),
        # nbgrader takes the first result of a cell as its marks.
        new_output("execute_result", data={"text/plain": repr(float(test["score"]))}),
    ]


@contextlib.contextmanager
def nbgrader_api(root: Path):
    """Give nbgrader's own interface to a class's folder, with its configuration."""
    before = Path.cwd()
    os.chdir(root)
    try:
        # SQLAlchemy warns about the way in which nbgrader 0.9 makes its rows.
        warnings.filterwarnings("ignore", "Object of type")
        app = NbGrader()
        app.log.setLevel(logging.ERROR)
        app.load_config_file()
        app.config.CourseDirectory.root = str(root)
        app.config.HTMLExporter.merge(FEEDBACK)
        yield NbGraderAPI(config=app.config)
    finally:
        os.chdir(before)


def record(room: Classroom, assignment: str) -> tuple[int, int]:
    """Record what is new; return how many submissions were, and how many failed.

    Where only a person has marked since, the feedback page alone is made anew.
    """
    path = room.root / "intake" / f"{assignment}_recorded.json"
    done = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    new = problems = 0
    with nbgrader_api(room.root) as api:
        rules = lateness(api, room.root, assignment)
        given = gradebook.by_hand(room.root, assignment)
        for student in tqdm(sorted(room.collected(assignment)), unit="submission"):
            now = [state(room, assignment, student, rules), given.get(student, [])]
            before = done.get(student)
            if before == now:
                continue
            again = not isinstance(before, list) or before[0] != now[0]
            if not again:
                paths = list(room.notebooks(assignment, student))
                late.take_off(api, assignment, student, paths)
            steps = [api.autograde, api.generate_feedback][0 if again else 1 :]
            # nbgrader deletes what it has before it fails: ask for verdicts first.
            problem = unjudged(room, assignment, student)
            if not problem:
                done.pop(student, None)
                seen = settled.seen(room, assignment, student)
                problem = first_problem(steps, assignment, student)
                settled.keep(api, room, assignment, student, seen)
            if problem:
                problems += 1
                tqdm.write(visible(f"{student}: {problem}"))
            else:
                done[student], new = now, new + again
            intake.write_whole(path, json.dumps(done, indent=1, sort_keys=True))
    return new, problems


def unjudged(room: Classroom, assignment: str, student: str) -> str:
    """Say that a notebook has no verdict, or nothing."""
    paths = room.notebooks(assignment, student)
    missing = any(room.verdict(path) is None for path in paths)
    return f"{assignment} is not judged yet: `grade judge`" if missing else ""


def first_problem(steps: list, assignment: str, student: str) -> str:
    """Take a submission through steps of nbgrader; return what went wrong, or ""."""
    for step in steps:
        result = step(assignment, student, force=True)
        if not result["success"]:
            return reason(result)
    return ""


def lateness(api: NbGraderAPI, root: Path, assignment: str) -> str:
    """Return when an assignment is due and what is set about late work, as a text."""
    return json.dumps([gradebook.due(root, assignment), late.rules(api)], default=str)


def export(
    room: Classroom, path: Path, kind: type[ExportPlugin] = GradesTable, **options
) -> ExportPlugin:
    """Write a table of marks, as `nbgrader export` does; return its plugin."""
    with nbgrader_api(room.root) as api, api.gradebook as book:
        table = kind(config=api.config, **options)
        table.to = str(path)
        table.export(book)
    return table


def state(room: Classroom, assignment: str, student: str, rules: str) -> str:
    """Return a digest of all that the record of a submission depends on."""
    paths = list(room.notebooks(assignment, student))
    time = room.root / "submitted" / student / assignment / "timestamp.txt"
    found = room.collected(assignment)[student]
    keys = [room.key(room.job(path)) for path in paths]
    files = [path.read_text(encoding="utf-8") for path in paths]  # written answers
    files += [json.dumps(harmless.rendered(path)) for path in paths]
    files += [time.read_text(encoding="utf-8")] if time.exists() else []
    text = json.dumps([found, keys, files, rules], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def reason(result: dict) -> str:
    """Return the line that matters of what nbgrader says about a failure."""
    lines = f"{result.get('error', '')}\n{result.get('log', '')}".splitlines()
    errors = [x.strip() for x in lines if re.match(r"\s*[\w.]+(Error|Exception): ", x)]
    told = [error for error in errors if "Please see" not in error]
    return told[0] if told else "nbgrader failed without a reason"
