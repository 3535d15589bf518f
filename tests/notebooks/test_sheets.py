"""The cheat sheets: one a lesson and language, one page, with code that exists."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import sys
from pathlib import Path

import pytest
import sources

COURSE = Path(__file__).resolve().parents[2]
LESSONS = sorted(path.stem for path in (COURSE / "source/lessons").glob("*.py"))
SHEETS = sorted(COURSE.glob("docs/*/sheets/*.md"))
LONGEST = {"en": 400, "zh": 900}  # words; Chinese characters


@pytest.fixture(params=SHEETS, ids=lambda path: f"{path.stem}-{path.parts[-3]}")
def sheet(request) -> Path:
    """Return the path of a sheet."""
    return request.param


def language(path: Path) -> str:
    """Return the language in whose folder a sheet lies."""
    return path.parts[-3]


def snippets(path: Path) -> list[str]:
    """Return the blocks of Python in a sheet."""
    return re.findall(r"```python\n(.*?)```", path.read_text("utf-8"), re.DOTALL)


@pytest.mark.parametrize("of", ["en", "zh"])
def test_every_lesson_has_a_sheet(of):
    assert [path.stem for path in SHEETS if language(path) == of] == LESSONS


def test_a_sheet_has_six_parts_in_this_order(sheet):
    text = sheet.read_text("utf-8")
    heads = re.findall(r"^## .*$", text, re.MULTILINE)
    assert text.startswith(f"# {sheet.stem[:2]} · ")
    assert len(heads) == 6
    assert text.index("```python") > text.index("$$")


def test_a_sheet_is_one_page(sheet):
    text = re.sub(r"```.*?```|\$\$.*?\$\$", "", sheet.read_text("utf-8"), flags=re.S)
    if language(sheet) == "zh":
        assert len(re.findall(r"[\u4e00-\u9fff]", text)) <= LONGEST["zh"]
    else:
        assert len(text.split()) <= LONGEST["en"]


def test_all_rows_of_a_table_have_as_many_cells(sheet):
    for table in re.findall(r"(?:^\|.*\n)+", sheet.read_text("utf-8"), re.MULTILINE):
        assert len({row.count("|") for row in table.splitlines()}) == 1, table


def test_the_emphasis_arrives_where_its_asterisks_stand(sheet):
    cell = sources.Cell(sheet.stem, "markdown", sheet.read_text("utf-8"), {})
    assert not list(sources.broken_emphasis([cell]))


def test_the_code_imports_and_uses_names_that_exist(sheet):
    for snippet in snippets(sheet):
        tree, modules = ast.parse(snippet), {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for name in node.names:
                    modules |= imported(name)
            if isinstance(node, ast.ImportFrom):
                room = importlib.import_module(node.module)
                for name in node.names:
                    found = importable(room, name.name)
                    modules[name.asname or name.name] = found
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                owner = modules.get(node.value.id)
                if inspect.ismodule(owner):
                    assert hasattr(owner, node.attr), f"{node.value.id}.{node.attr}"


def imported(name: ast.alias) -> dict:
    """Return what `import a.b` binds: a, or a.b itself under another name."""
    room, top = importlib.import_module(name.name), name.name.split(".")[0]
    return {name.asname: room} if name.asname else {top: sys.modules[top]}


def importable(room, name: str):
    """Return what `from room import name` gives."""
    if hasattr(room, name):
        return getattr(room, name)
    return importlib.import_module(f"{room.__name__}.{name}")


def test_both_languages_show_the_same_calls(sheet):
    """Strings, comments and examples may differ; the course's functions may not."""
    other = COURSE / "docs" / {"en": "zh", "zh": "en"}[language(sheet)]
    twin = other / "sheets" / sheet.name
    assert calls(sheet) == calls(twin)


def calls(path: Path) -> list[str]:
    """List the functions that the code of a sheet calls; examples may be split."""
    nodes = [
        node for snippet in snippets(path) for node in ast.walk(ast.parse(snippet))
    ]
    called = [node.func for node in nodes if isinstance(node, ast.Call)]
    names = [getattr(func, "attr", getattr(func, "id", "")) for func in called]
    return sorted(name for name in names if name != "split")
