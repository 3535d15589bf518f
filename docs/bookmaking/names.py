"""What course_lib offers, read from its source without importing it, and who uses it.

A name is public if it stands at the top level of a module and does not begin with _.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import nbformat

from . import lessons

ROOMS = (
    "text",
    "data",
    "worlds",
    "models",
    "training",
    "analysis",
    "widgets",
    "grading",
)
LEFT_OUT = re.compile(r"\.(page|words_\w+|__main__)$")  # mere phrases


class Name(NamedTuple):
    """A public function or class: where it stands, how it is called, what it says."""

    path: str  # course_lib.models.elmo.ScalarMix
    kind: str  # "function" or "class"
    signature: str
    doc: str
    methods: tuple[tuple[str, str, str], ...] = ()  # name, signature, doc


class Use(NamedTuple):
    """A lesson that shows a name's code, or calls it; and the nearest heading above."""

    stem: str
    key: str  # of the cell with the heading
    heading: str
    shown: bool


class Library(NamedTuple):
    """All public names by path, and the shorter paths under which some are offered."""

    names: dict[str, Name]
    modules: dict[str, str]  # path -> docstring
    aliases: dict[str, str]  # course_lib.data.senses -> course_lib.data.senses.senses

    def resolve(self, path: str) -> str | None:
        """Return the public name that a dotted path begins with, or None."""
        parts = path.split(".")
        for end in range(len(parts), 1, -1):
            start = ".".join(parts[:end])
            found = self.aliases.get(start, start)
            if found in self.names:
                return found
        return None


def read_library(course: Path) -> Library:
    """Read every module of course_lib."""
    names, modules, aliases = {}, {}, {}
    for file in sorted((course / "course_lib").rglob("*.py")):
        parts = file.relative_to(course).with_suffix("").parts
        module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        if LEFT_OUT.search(module):
            continue
        tree = ast.parse(file.read_text(encoding="utf-8"))
        modules[module] = ast.get_docstring(tree) or ""
        for node in tree.body:
            if found := public(node, module):
                names[found.path] = found
            elif parts[-1] == "__init__" and isinstance(node, ast.ImportFrom):
                aliases |= dict(imported(node, module))
    return Library(names, modules, aliases)


def public(node: ast.stmt, module: str) -> Name | None:
    """Return what a statement defines for others, if it does."""
    kinds = {ast.FunctionDef: "function", ast.ClassDef: "class"}
    kind = kinds.get(type(node))
    if kind is None or node.name.startswith("_"):
        return None
    methods = tuple(methods_of(node)) if kind == "class" else ()
    made_by = next((s for name, s, _ in methods if name == "__init__"), fields(node))
    signature = call(node) if kind == "function" else made_by
    kept = tuple(row for row in methods if not row[0].startswith("_"))
    doc = ast.get_docstring(node) or ""
    return Name(f"{module}.{node.name}", kind, signature, doc, kept)


def methods_of(node: ast.ClassDef) -> Iterator[tuple[str, str, str]]:
    """Yield the methods of a class that have something to say."""
    for part in node.body:
        if isinstance(part, ast.FunctionDef):
            yield part.name, call(part, method=True), ast.get_docstring(part) or ""


def fields(node: ast.stmt) -> str:
    """Write how a class without __init__ is made: from its annotated fields."""
    parts = [p for p in getattr(node, "body", []) if isinstance(p, ast.AnnAssign)]
    texts = [
        ast.unparse(p.target) + (f"={ast.unparse(p.value)}" if p.value else "")
        for p in parts
    ]
    return f"({', '.join(texts)})"


def call(node: ast.FunctionDef, method: bool = False) -> str:
    """Write a function's parameters, without types: those are in the docstring."""
    node = ast.parse(ast.unparse(node)).body[0]  # a copy
    arguments = node.args
    first = [*arguments.posonlyargs, *arguments.args]
    bound = not any(ast.unparse(d) == "staticmethod" for d in node.decorator_list)
    if method and bound and first:
        (arguments.posonlyargs or arguments.args).pop(0)
    for argument in ast.walk(arguments):
        if isinstance(argument, ast.arg):
            argument.annotation = None
    return f"({ast.unparse(arguments)})"


def imported(node: ast.ImportFrom, module: str) -> Iterator[tuple[str, str]]:
    """Yield (name as this module offers it, path of what it is) of an import."""
    base = node.module or ""
    if node.level:  # from .sense_map import …, in a package's __init__
        base = ".".join([module, *filter(None, [base])])
    for alias in node.names:
        yield f"{module}.{alias.asname or alias.name}", f"{base}.{alias.name}"


# -- who uses it -----------------------------------------------------------------------


def taught(library: Library, notebooks: dict[str, nbformat.NotebookNode]):
    """Return {path: [Use, …]}: the lessons that show or call each public name.

    notebooks: by stem, of one edition, whose headings the uses quote
    """
    found: dict[str, list[Use]] = {}
    for stem, notebook in sorted(notebooks.items()):
        for path, use in best_uses(library, stem, notebook).items():
            found.setdefault(path, []).append(use)
    return found


def best_uses(library: Library, stem: str, notebook) -> dict[str, Use]:
    """Return where one lesson shows each name, or, if it does not, first calls it."""
    known: dict[str, str] = {}
    place, uses = (notebook.cells[0].id, ""), {}
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            heading = lessons.heading(cell.source)
            place = (cell.id, heading) if heading else place
            continue
        for dotted, shown in mentions(ast.parse(cell.source), known):
            path = library.resolve(dotted)
            if path and (path not in uses or shown > uses[path].shown):
                uses[path] = Use(stem, *place, shown)
    return uses


def mentions(tree: ast.AST, known: dict[str, str]) -> Iterator[tuple[str, bool]]:
    """Yield (dotted path, whether its code is shown) of all that a cell mentions.

    known: {name in the notebook: dotted path}; a cell's imports are added to it
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("cours"):
            new = dict(imported(node, ""))
            known |= {name.lstrip("."): path for name, path in new.items()}
            yield from ((path, False) for path in new.values())
        elif isinstance(node, ast.Import):
            known |= {a.asname or a.name: a.name for a in node.names}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute):
            if dotted := spelled(node, known):
                yield dotted, False
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("source"):
            for argument in node.args:
                if dotted := spelled(argument, known):
                    yield dotted, True


def spelled(node: ast.AST, known: dict[str, str]) -> str | None:
    """Return the full path of `gpt.GPT.forward`, if its first name is known."""
    if not isinstance(node, ast.Name | ast.Attribute):
        return None
    first, _, rest = ast.unparse(node).partition(".")
    if first not in known:
        return None
    return f"{known[first]}.{rest}" if rest else known[first]
