"""The package stays small: rooms import downwards, files and functions are short."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

COURSE = Path(__file__).resolve().parents[1]
# From the ground up: a room knows only those before it.
ROOMS = (
    "course_lib",  # DATA, start, load …: the package itself, which loads what it needs
    "kept",
    "figures",
    "text",
    "worlds",
    "data",
    "models",
    "checkpoints",
    "analysis",
    "training",
    "widgets",
    "grading",
    "course_released",
    "course_pretraining",
    "course_claims",
    "course_grading",
)
# Where somebody's older configuration looks: it says where to look now.
REACHES_UP = {"course_lib/grading/record.py"}
# The function, the only one, in which course_lib imports a package above it.
LOOKS_UP = ("course_lib/checkpoints/__init__.py", "released")
FILES = {
    path.relative_to(COURSE).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
    for package in (
        "course_lib",
        "course_released",
        "course_pretraining",
        "course_claims",
        "course_grading",
    )
    for path in sorted((COURSE / package).rglob("*.py"))
}
TO_READ = [name for name in FILES if name.startswith("course_lib/")]


def room(module: str) -> str:
    """Return the room in which a module, or a name in one, stands."""
    package, _, inner = module.partition(".")
    first = inner.partition(".")[0]
    return first if package == "course_lib" and first in ROOMS else package


def module_of(name: str) -> str:
    """Return the dotted name of a file: course_lib.text.pairs of its path."""
    return name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def imported(name: str) -> Iterator[str]:
    """Yield what a file imports of the course, as full names.

    Also inside functions, but not what only a type checker reads.
    """
    package = name.removesuffix(".py").replace("/", ".").rpartition(".")[0].split(".")
    waiting: list[ast.AST] = [FILES[name]]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        if (name, getattr(node, "name", "")) == LOOKS_UP:
            continue
        waiting += ast.iter_child_nodes(node)
        found = []
        if isinstance(node, ast.ImportFrom):
            home = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*home, *filter(None, [node.module])])
            found = [f"{base}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        yield from (x for x in found if x.startswith("course_"))


@pytest.mark.parametrize("name", sorted(FILES.keys() - REACHES_UP))
def test_a_room_imports_only_rooms_below_it(name):
    here = room(module_of(name))
    if here == "course_lib":
        return  # its functions load what they need when they are called
    above = ROOMS[ROOMS.index(here) + 1 :]
    assert not [thing for thing in imported(name) if room(thing) in above]


def test_course_lib_looks_up_at_one_place_and_only_when_asked():
    above = ROOMS[ROOMS.index("grading") + 1 :]
    assert not [
        (name, thing)
        for name in sorted({*TO_READ} - REACHES_UP)
        for thing in imported(name)
        if room(thing) in above
    ]
    asked = "import sys, course_lib; course_lib.load('static-en'); "
    asked += "sys.exit('course_released' in sys.modules)"
    subprocess.run([sys.executable, "-c", asked], cwd=COURSE, check=True)


def test_no_module_imports_itself_by_way_of_others():
    names = {module_of(name): name for name in FILES}
    above = {module_of(name) for name in REACHES_UP}
    modules = {m for m in names.keys() - above if room(m) != "course_lib"}
    graph: dict[str, set[str]] = {module: set() for module in modules}
    for module in modules:
        for thing in imported(names[module]):
            there = thing if thing in modules else thing.rpartition(".")[0]
            graph[module] |= {there} & modules - {module}
    TopologicalSorter(graph).prepare()  # CycleError names the modules of a circle


@pytest.mark.parametrize("name", TO_READ)
def test_files_and_functions_are_short_enough_to_be_read_aloud(name):
    text = (COURSE / name).read_text(encoding="utf-8")
    assert text.count("\n") <= 450
    functions = (n for n in ast.walk(FILES[name]) if isinstance(n, ast.FunctionDef))
    long = {f.name for f in functions if f.end_lineno - f.lineno >= 40}
    assert not long


def test_the_readme_leads_to_every_model_and_names_only_what_is_there():
    folder = COURSE / "course_lib"
    text = (folder / "README.md").read_text(encoding="utf-8")
    links = set(re.findall(r"\]\(([^)]+)\)", text))
    assert not [link for link in links if not (folder / link).exists()]
    models = {f"models/{path.name}" for path in folder.glob("models/[!_]*.py")}
    assert models <= links
    linked = [FILES[f"course_lib/{link}"] for link in links if link.endswith(".py")]
    defined = {
        node.name
        for tree in linked
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }
    for line in (line for line in text.splitlines() if re.match(r"\| \d\d ", line)):
        named = re.findall(r"`([\w.]+)`", line)
        assert {part for name in named for part in name.split(".")} <= defined, line
