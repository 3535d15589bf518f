"""A small class of our own: one assignment with three tasks and a written answer.

The tasks are an instructor's own, in private/; so these tests say something about the
grader before they say something about a lesson.
"""

from __future__ import annotations

import copy
import hashlib
import json
import shutil
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from course_grading.classroom import COURSE, Classroom

NAME = "90_tiny"
__all__ = ["COURSE"]  # the attacks know where it is
LIMITS = {"seconds": 2, "wall": 30, "task": 40, "memory": 1 << 30}

TASKS = """
import numpy as np
from course_lib.grading.checks import Task, numbers, require

SOFTMAX = Task("90.softmax")
RUNNING = Task("90.running")
SCALE = Task("90.Scale")
TASKS = {task.name: task for task in (SOFTMAX, RUNNING, SCALE)}


def softmax(x):
    e = np.exp(x - x.max())
    return e / e.sum()


@SOFTMAX.check("the example", "题中的例子")
def example(answer, rng):
    SOFTMAX.compare(answer, [((np.array([0.0, 0.0]),), [0.5, 0.5])])


@SOFTMAX.check("random numbers", "随机的数", hidden=True)
def random_numbers(answer, rng):
    cases = [rng.normal(size=n) for n in (2, 5)]
    SOFTMAX.compare(answer, [((x,), softmax(x)) for x in cases])


@SOFTMAX.mistake("Divide by the sum.", "要除以总和。")
def not_divided(x):
    return np.exp(x - x.max())


@RUNNING.check("a function of one number", "一个数的函数")
def of_one(answer, rng):
    a = float(rng.normal())
    right = np.cumsum([a * n for n in range(4)])
    RUNNING.compare(answer, [((lambda n: a * n, 4), right)])


@SCALE.check("made, called, and read", "构造、调用、读取")
def made(answer, rng):
    a, x = float(rng.normal()), rng.normal(size=3)
    scale = answer(a)
    right = numbers(scale, x)
    require(bool((right == a * x).all()), "Multiply by a.", "要乘以 a。")
    SCALE.compare(lambda: scale.state_dict()["a"], [((), a)])
"""

RIGHT = {
    "softmax": "def softmax(x):\n    e = np.exp(x - x.max())\n    return e / e.sum()",
    "running": (
        "def running(f, n):\n    total, found = 0, []\n    for i in range(n):\n"
        "        total += f(i)\n        found.append(total)\n    return found"
    ),
    "Scale": (
        "class Scale:\n    def __init__(self, a):\n        self.a = a\n\n"
        "    def __call__(self, x):\n        return self.a * x\n\n"
        '    def state_dict(self):\n        return {"a": self.a}'
    ),
    "why-answer": "Because it adds up to 1.",
}
STUB = {
    "softmax": "def softmax(x):\n    raise NotImplementedError",
    "running": "def running(f, n):\n    raise NotImplementedError",
    "Scale": "class Scale:\n    def __init__(self, a): raise NotImplementedError",
    "why-answer": "YOUR ANSWER HERE / 在此作答",
}
POINTS = {"softmax": 3, "running": 2, "Scale": 2}


def notebook(answers: dict[str, str]) -> nbformat.NotebookNode:
    """Return the assignment with these answers, as `tools/build.py` would make it."""
    cells = [new_markdown_cell("# Tiny", id="title")]
    cells.append(code("setup", "import numpy as np", locked=True))
    for key, points in POINTS.items():
        cells.append(new_markdown_cell(f"Write `{key}`.", id=f"{key}-task"))
        cells.append(code(key, answers[key], solution=True))
        test = f'from course_lib.grading import check\n\ncheck("90.{key}", {key})'
        about = {"grade": True, "locked": True, "points": points}
        cells.append(code(f"test_{key}", test, **about))
    cells.append(new_markdown_cell("Why divide?", id="why-question"))
    about = metadata("why-answer", grade=True, solution=True, points=2)
    cells.append(new_markdown_cell(answers["why-answer"], id="why", metadata=about))
    settings = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    return new_notebook(cells=cells, metadata=settings)


def metadata(key: str, **about) -> dict:
    base = {"grade": False, "locked": False, "solution": False, "task": False}
    return {"nbgrader": {**base, "schema_version": 3, "grade_id": key, **about}}


def code(key: str, text: str, **about) -> nbformat.NotebookNode:
    return new_code_cell(text, id=key, metadata=metadata(key, **about))


def make(root: Path) -> Classroom:
    """Make the class, without nbgrader: enough for intake and judge."""
    room = Classroom(root)
    room.create()
    (root / "settings.json").write_text(json.dumps({"limits": LIMITS}))
    (root / "private").mkdir()
    (root / "private/tasks_90.py").write_text(TASKS, encoding="utf-8")
    for tree, answers in (("exercises", STUB), ("private/solutions", RIGHT)):
        folder = root / tree / NAME
        folder.mkdir(parents=True)
        text = nbformat.writes(notebook(answers))
        (folder / f"{NAME}.ipynb").write_text(text, encoding="utf-8")
    return Classroom(root)


def hand_in(room: Classroom, student: str, answers: dict[str, str]) -> dict:
    """Hand in a notebook: the release with these answers; return it as JSON."""
    made = json.loads(nbformat.writes(notebook({**STUB, **answers})))
    save(room, student, made)
    return copy.deepcopy(made)


def save(room: Classroom, student: str, content: dict | bytes) -> Path:
    """Put a file where hand-ins lie."""
    path = room.root / "raw" / student / NAME / f"{NAME}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    path.write_bytes(data)
    return path


def tree_hash(*folders: Path) -> str:
    """Return a digest of all names and contents in some folders."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            digest.update(str(path.relative_to(folder)).encode("utf-8", "replace"))
            if path.is_symlink():
                digest.update(str(path.readlink()).encode())
            elif path.is_file():
                digest.update(path.read_bytes())
    return digest.hexdigest()


def clear(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)


def write_verdict(room: Classroom, key: str, verdict: dict) -> None:
    """Keep a verdict, as `grade judge` does."""
    room.verdict_path(key).write_text(json.dumps(verdict), encoding="utf-8")
