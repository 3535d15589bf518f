"""Lessons see the claims' public face and whole experiments, and nothing behind them.

What a lesson shows with `course_lib.source` is code of course_lib: a student finds it
in the package that the course explains.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import course_claims
from course_claims import experiments

LESSONS = Path(__file__).parents[2] / "source" / "lessons"
EXPERIMENTS = {m.name for m in pkgutil.iter_modules(experiments.__path__)}


def code_of(path: Path) -> ast.Module:
    """Parse a lesson's cells of code; its prose is comments."""
    return ast.parse(path.read_text(encoding="utf-8"))


def imported(tree: ast.Module) -> list[tuple[str, str]]:
    """List what is imported, as (module, name); name "" where it is the module."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(alias.name, "") for alias in node.names]
        if isinstance(node, ast.ImportFrom):
            found += [(node.module, alias.name) for alias in node.names]
    return found


def allowed(module: str, name: str) -> bool:
    """Tell whether a lesson may import this."""
    if module.startswith("course_grading"):
        return False
    if not module.startswith("course_claims"):
        return True
    if module == "course_claims":
        return not name or name in course_claims.__all__
    return module == "course_claims.experiments" and name in EXPERIMENTS


@pytest.mark.parametrize("path", sorted(LESSONS.glob("*.py")), ids=lambda p: p.stem)
def test_a_lesson_imports_only_the_face_and_whole_experiments(path):
    inside = [pair for pair in imported(code_of(path)) if not allowed(*pair)]
    assert not inside


@pytest.mark.parametrize(
    ("module", "name", "may"),
    [
        ("course_claims", "", True),
        ("course_claims", "card", True),
        ("course_claims", "ledger", False),
        ("course_claims.ledger", "measured", False),
        ("course_claims.experiments", "transfer", True),
        ("course_claims.experiments.transfer", "prepare", False),
        ("course_claims.cards", "all_cards", False),
        ("course_grading", "", False),
        ("course_lib.models", "pair", True),
    ],
)
def test_what_a_lesson_may_import(module, name, may):
    assert allowed(module, name) == may


@pytest.mark.parametrize("path", sorted(LESSONS.glob("*.py")), ids=lambda p: p.stem)
def test_a_lesson_shows_only_code_of_course_lib(path):
    """Each argument is a name imported from course_lib, or something inside it."""
    tree = code_of(path)
    home = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                home[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    shown = [
        argument
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "course_lib.source"
        for argument in node.args
    ]
    for argument in shown:
        first, *inner = ast.unparse(argument).split(".")
        thing = found(home[first])
        for name in inner:
            thing = getattr(thing, name)
        assert thing.__module__.partition(".")[0] == "course_lib", ast.unparse(argument)


def found(name: str):
    """Return a module, or something in one, by its full name."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        module, _, inside = name.rpartition(".")
        return getattr(importlib.import_module(module), inside)


def test_the_face_has_what_it_names_and_is_cheap_to_import():
    for name in course_claims.__all__:
        assert getattr(course_claims, name) is not None
    with pytest.raises(AttributeError, match="over_seeds"):
        course_claims.over_seed  # noqa: B018
    script = "import course_claims, sys; print({'torch', 'numpy'} & {*sys.modules})"
    command = [sys.executable, "-c", script]
    told = subprocess.run(command, capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "set()"
