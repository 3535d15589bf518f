"""Pages for instructors: what they show of a class, filled into templates/."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import jinja2
import nbformat

from . import harmless, intake
from .classroom import Classroom, called
from .phrases import said

HERE = Path(__file__).parent / "templates"
LANGUAGES = ("en", "zh")
TEMPLATES = jinja2.Environment(
    loader=jinja2.FileSystemLoader(HERE),
    autoescape=True,  # what students write stays text
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=jinja2.StrictUndefined,
)


class Part(NamedTuple):
    """A task that the judge marks, or a written answer that a person marks."""

    cell: str  # nbgrader's name of the cell that has the points
    task: str  # "NN.name", or "" for a written answer
    points: float
    question: str  # in both languages, as handed out


def parts(room: Classroom, assignment: str) -> Iterator[Part]:
    """Yield all that is marked in an assignment, in the notebook's order."""
    for path in sorted((room.root / "exercises" / assignment).glob("*.ipynb")):
        text = ""
        for cell in nbformat.read(path, as_version=4).cells:
            about = cell.metadata.get("nbgrader", {})
            if cell.cell_type == "markdown" and not about.get("solution"):
                text = cell.source
            if about.get("grade"):
                task = "" if about.get("solution") else called(cell)[0]
                yield Part(about["grade_id"], task, about["points"], text)


def half(text: str, language: str) -> str:
    """Return one language of a text that has both, English first; or all of it."""
    halves = re.split(r"(?m)^---$", text, maxsplit=1)
    return halves[-1 if language == "zh" else 0].strip()


def heading(text: str, language: str) -> str:
    """Return the heading of a question, without its number and points."""
    found = re.search(r"(?m)^#+ +(?:\d+\. *)?(.*)$", half(text, language))
    return re.sub(r"\s*[(（][^()（）]*[)）]$", "", found[1]) if found else ""


def save(path: Path, template: str, language: str, script: str = "", **values) -> None:
    """Fill a template and write the page; `t` chooses one of two texts in it.

    script: the name of the only script that the page may run, beside its template
    """

    def t(en: str, zh: str) -> str:
        return zh if language == "zh" else en

    values |= {"said": lambda text: said(text, language), "policy": harmless.POLICY}
    if script:
        values["script"] = (HERE / script).read_text(encoding="utf-8")
        digest = hashlib.sha256(values["script"].encode()).digest()
        known = base64.b64encode(digest).decode()
        values["policy"] += f"; script-src 'sha256-{known}'"
    page = TEMPLATES.get_template(template).render(t=t, language=language, **values)
    path.parent.mkdir(parents=True, exist_ok=True)
    intake.write_whole(path, page)
