"""From a paper's numbered equations to the functions that implement them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from . import lessons
from .editions import pick
from .names import Library

FILE = Path(__file__).resolve().parents[1] / "equations.toml"
SOURCE = re.compile(r"Sources?: (.+?)(?:\.(?=\s|$)|$)", re.DOTALL)


class Equation(NamedTuple):
    """A numbered equation: the paper, what it says, who computes it, who teaches it.

    lesson, cell: the lesson, and the key of the cell that explains it
    code: paths of functions, classes or methods of course_lib
    """

    paper: str
    number: str
    tex: str
    what: str
    zh_what: str
    code: tuple[str, ...]
    lesson: str
    cell: str
    note: str = ""
    zh_note: str = ""


def read(path: Path = FILE) -> list[Equation]:
    """Read the map."""
    rows = tomllib.loads(path.read_text(encoding="utf-8"))["equation"]
    return [Equation(**row | {"code": tuple(row["code"])}) for row in rows]


def page(equations: list[Equation], library: Library, language: str) -> str:
    """Write the map, paper by paper, and after it all functions that name a source."""
    lines = [
        pick(language, "# From paper to code", "# 从论文到代码"),
        "",
        pick(
            language,
            "Every numbered equation that a lesson or a docstring names, the lesson "
            "that explains it, and the code that computes it.",
            "各课和文档字符串提到的每一条带编号的公式：在哪一课讲，由哪段代码算。",
        ),
        "",
    ]
    for paper in dict.fromkeys(equation.paper for equation in equations):
        lines += [f"## {paper}", ""]
        for equation in equations:
            if equation.paper == paper:
                lines += entry(equation, library, language)
    return "\n".join([*lines, *sources_section(library, language)])


def entry(equation: Equation, library: Library, language: str) -> list[str]:
    """Write one equation with its links."""
    place = lessons.target(equation.lesson, equation.cell)
    links = ", ".join(code_link(path, library) for path in equation.code)
    number = pick(language, f"Equation {equation.number}", f"公式 {equation.number}")
    what = pick(language, equation.what, equation.zh_what)
    note = pick(language, equation.note, equation.zh_note)
    colon = pick(language, ": ", "：")
    lesson = pick(language, f"lesson {equation.lesson}", f"第 {equation.lesson} 课")
    return [
        f"**{number}**{colon}{what}",
        "",
        f"$$\n{equation.tex.strip()}\n$$",
        "",
        f"[{lesson}](#{place}) · {links}" + (f"\\\n{note}" if note else ""),
        "",
    ]


def code_link(path: str, library: Library) -> str:
    """Link a function, class or method to its entry; a method to that of its class."""
    short = path.removeprefix("course_lib.")
    return f"{{py:obj}}`{short} <{library.resolve(path)}>`"


def sources_section(library: Library, language: str) -> Iterator[str]:
    """List each name whose docstring gives a source, in the order of the modules."""
    yield pick(language, "## All sources, by function", "## 所有注明出处的代码")
    yield ""
    yield pick(
        language,
        "What the docstrings themselves say; most papers do not number what they do.",
        "文档字符串里注明的出处；多数论文并不给每一步编号。",
    )
    yield ""
    for path, text in sources(library):
        short = path.removeprefix("course_lib.")
        target = library.resolve(path)
        yield f"* {{py:obj}}`{short} <{target}>`: {text}"
    yield ""


def sources(library: Library) -> Iterator[tuple[str, str]]:
    """Yield (path, source) of every function, class and method that names one."""
    from .api import escaped

    for name in library.names.values():
        docs = [(name.path, name.doc)]
        docs += [(f"{name.path}.{method}", doc) for method, _, doc in name.methods]
        for path, doc in docs:
            for match in SOURCE.finditer(doc):
                yield path, escaped(" ".join(match[1].split()))
