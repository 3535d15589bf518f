"""Build what students open from the text sources; see sources.py for their format.

    source/lessons/06_elmo_bilm.py -> notebooks/{en,zh}/06_elmo_bilm.ipynb
    source/drawings/*.py                       -> notebooks/drawings/*.svg
    source/assignments/06_elmo_bilm/notebook.py
                                   -> solutions/06_elmo_bilm/06_elmo_bilm.ipynb
                                   -> exercises/06_elmo_bilm/06_elmo_bilm.ipynb
                                   -> notebooks/{en,zh}/exercises/06_elmo_bilm.ipynb
    docs/glossary.toml                         -> docs/{en,zh}/glossary.md

    python tools/build.py                              build all (make build)
    python tools/build.py --check                      fail on what is stale,
                                                       untranslated … (make check)
    python tools/build.py --own CLASS/private/90_mine.py   an instructor's assignment
                                   -> CLASS/private/solutions/90_mine/90_mine.ipynb
    python tools/build.py --restamp 06_elmo_bilm       list outdated Chinese cells
    python tools/build.py --restamp 06_elmo_bilm why   … stamp those you have revised
    python tools/build.py --restamp 06_elmo_bilm all
    python tools/build.py --restamp lessons/06_elmo_bilm all        not the assignment

The same sources give the same bytes, on any machine. Everything is made in memory
and in a temporary folder first, so that a failing build changes nothing.
"""

from __future__ import annotations

import argparse
import inspect
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import first_uses
import frame
import nbformat
import papers
import sources
import terms
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from one_language import one_language
from sources import START, Cell, SourceError

COURSE = Path(__file__).resolve().parent.parent
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
GENERATED = (
    "notebooks/*/*.ipynb",
    "notebooks/*/exercises/*.ipynb",
    "notebooks/drawings/*.svg",
    "solutions/*/*.ipynb",
    "exercises/*/*.ipynb",
    "docs/*/glossary.md",
)
LANGUAGES = ("en", "zh")
RULE = "\n\n---\n\n"  # between the English and the Chinese text of an assignment
SHORTEST_LEAK = 12  # characters without white space
DRAWING = re.compile(r"\]\(drawing:(\w+)\)")

Files = dict[str, str]  # path relative to the course -> content


def build(course: Path) -> Files:
    """Return every generated file; raise SourceError if one cannot be made."""
    notebooks, solutions, secrets = {}, {}, {}
    known, lessons = drawings(course), read_lessons(course)
    for stem, cells in lessons.items():
        for language in LANGUAGES:
            edition = lesson(cells, language)
            edition = frame.framed(course, stem, lessons, edition, language)
            notebooks |= draw(edition, known, language, f"{stem}.py")
            notebooks[f"notebooks/{language}/{stem}.ipynb"] = notebook(edition)
    assignments = read_assignments(course)
    for name, cells in assignments.items():
        solutions[f"solutions/{name}/{name}.ipynb"] = notebook(assignment(cells))
        secrets[f"exercises/{name}/{name}.ipynb"] = secret_lines(cells)
    exercises = release(course, solutions) if solutions else {}
    for path, lines in secrets.items():
        refuse_leaks(path, exercises[path], lines)
    for name, cells in assignments.items():
        released = exercises[f"exercises/{name}/{name}.ipynb"]
        for language in LANGUAGES:
            path = f"notebooks/{language}/exercises/{name}.ipynb"
            notebooks[path] = exercise(released, cells, language)
    pages = {}
    if known := first_uses.terms(course):
        for language in LANGUAGES:
            page = first_uses.page(known, language)
            pages[f"docs/{language}/glossary.md"] = page
    return {**notebooks, **solutions, **exercises, **pages}


def read_lessons(course: Path) -> dict[str, list[Cell]]:
    """Return the cells of every lesson, with the papers linked."""
    paths = sorted((course / "source/lessons").glob("*.py"))
    return {path.stem: linked(course, path, path.stem) for path in paths}


def read_assignments(course: Path) -> dict[str, list[Cell]]:
    """Return the cells of every assignment, with its solution and papers linked."""
    paths = sorted((course / "source/assignments").glob("*/notebook.py"))
    return {p.parent.name: linked(course, p, p.parent.name) for p in paths}


def linked(course: Path, source: Path, name: str) -> list[Cell]:
    """Return the cells of a source in which the papers cited have links."""
    return papers.linked(sources.read(source), papers.read(course), name[:2])


def notebook(cells: list[nbformat.NotebookNode]) -> str:
    """Return the text of a notebook without outputs or anything that varies."""
    content = new_notebook(cells=cells, metadata=METADATA)
    nbformat.validate(content)
    return nbformat.writes(content) + "\n"


def lesson(cells: list[Cell], language: str) -> list[nbformat.NotebookNode]:
    """Return one edition: prose and code in one language."""
    start = START.replace('"en"', f'"{language}"')
    edition = []
    for cell in cells:
        if cell.kind == "code":
            code = one_language(cell.text, language).replace(START, start)
            hidden = {"jupyter": {"source_hidden": True}}
            metadata = hidden if cell.options.get("fold") else {}
            edition.append(new_code_cell(code, id=cell.key, metadata=metadata))
        elif cell.language in (None, language):
            edition.append(new_markdown_cell(cell.text, id=cell.key))
    return edition


def drawings(course: Path) -> dict[str, Callable]:
    """Return the functions of source/drawings by name; see drawing.py."""
    found = {}
    for path in sorted((course / "source/drawings").glob("*.py")):
        room = runpy.run_path(str(path))
        found |= {k: f for k, f in room.items() if inspect.isfunction(f)}
    return found


def draw(
    edition: list[nbformat.NotebookNode], known: dict, language: str, source: str
) -> Files:
    """Put the path of each drawing into the cells; return the drawings as files."""
    made = {}

    def path_of(match: re.Match) -> str:
        name = match[1]
        if name not in known:
            raise SourceError(
                f"{source}: no drawing {name!r}; source/drawings has {sorted(known)}"
            )
        picture = known[name](lambda en, zh: {"en": en, "zh": zh}[language])
        made[f"notebooks/drawings/{name}_{language}.svg"] = picture.svg()
        return f"](../drawings/{name}_{language}.svg)"

    for cell in edition:
        if cell.cell_type == "markdown":
            cell.source = DRAWING.sub(path_of, cell.source)
    return made


def assignment(cells: list[Cell]) -> list[nbformat.NotebookNode]:
    """Return the solved assignment: each pair of prose cells becomes one cell."""
    solved = []
    for cell in cells:
        if cell.language == "zh" and solved and solved[-1].id == cell.key:
            solved[-1].source += RULE + cell.text
            continue
        make = new_code_cell if cell.kind == "code" else new_markdown_cell
        solved.append(make(cell.text, id=cell.key, metadata=nbgrader_metadata(cell)))
    return solved


def build_own(source: Path) -> Path:
    """Build an instructor's solved notebook beside its text; return where."""
    made = source.parent / "solutions" / source.stem / f"{source.stem}.ipynb"
    text = notebook(assignment(sources.read(source)))
    made.parent.mkdir(parents=True, exist_ok=True)
    made.write_text(text, encoding="utf-8")
    return made


def nbgrader_metadata(cell: Cell) -> dict:
    """Translate a cell's role into nbgrader's terms."""
    if cell.role is None:
        return {}
    metadata = {
        "grade": cell.role in ("test", "written"),
        "grade_id": cell.key,
        "locked": cell.role in ("given", "test"),
        "schema_version": 3,
        "solution": cell.role in ("answer", "written"),
        "task": False,
    }
    if metadata["grade"]:
        metadata["points"] = cell.options["points"]
    return {"nbgrader": metadata}


def release(course: Path, solutions: Files) -> Files:
    """Return the students' versions, made by `nbgrader generate_assignment`."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        shutil.copy(course / "nbgrader_config.py", root)
        for path, content in solutions.items():
            (root / path).parent.mkdir(parents=True)
            (root / path).write_text(content, encoding="utf-8", newline="\n")
        command = ["nbgrader", "generate_assignment", "--assignment=*", "--no-db"]
        made = subprocess.run(
            [sys.executable, "-m", *command],
            cwd=root,
            # Settings of the person at this machine must not shape the course.
            env={**os.environ, "JUPYTER_CONFIG_DIR": folder, "JUPYTER_NO_CONFIG": "1"},
            capture_output=True,
            encoding="utf-8",
        )
        if made.returncode:
            raise SourceError(f"nbgrader generate_assignment failed:\n{made.stderr}")
        paths = sorted(root.glob("exercises/*/*"))
        return {p.relative_to(root).as_posix(): p.read_text("utf-8") for p in paths}


def secret_lines(cells: list[Cell]) -> list[tuple[str, str]]:
    """Return (key, line without white space) for what students must not see."""
    secrets = []
    for cell in cells:
        text = cell.text
        if cell.role == "test":
            text = "\n".join(regions(text, "HIDDEN TESTS"))
        elif cell.role == "answer":
            text = "\n".join(regions(text, "SOLUTION") or [text])
        elif cell.role != "written":
            continue
        lines = ["".join(line.split()) for line in text.splitlines()]
        secrets += [(cell.key, line) for line in lines if len(line) >= SHORTEST_LEAK]
    return secrets


def exercise(released: str, cells: list[Cell], language: str) -> str:
    """Return a released assignment with its prose in one language.

    All that nbgrader or the class grader knows by its name stays as it is released: an
    edition that is handed in is the same work, under the same name, for the same marks.
    """
    prose = {cell.key: cell.text for cell in cells if cell.language == language}
    content = nbformat.reads(released, as_version=4)
    for cell in content.cells:
        if cell.id in prose and "nbgrader" not in cell.metadata:
            cell.source = prose[cell.id]
    return nbformat.writes(content) + "\n"


def regions(text: str, name: str) -> list[str]:
    """Return what stands between the BEGIN and END lines of this name."""
    return re.findall(rf"BEGIN {name}[^\n]*\n(.*?)\n[^\n]*END {name}", text, re.DOTALL)


def refuse_leaks(path: str, released: str, secrets: list[tuple[str, str]]) -> None:
    """Raise SourceError if a released notebook shows a line of a solution."""
    for cell in json.loads(released)["cells"]:
        shown = "".join("".join(cell["source"]).split())
        for key, line in secrets:
            if line in shown:
                raise SourceError(
                    f"{path}: cell '{cell['id']}' shows a line of the solution or the "
                    f"hidden tests of '{key}': {line}"
                )


def stale(course: Path, files: Files) -> Iterator[str]:
    """Say where the generated files on disk differ from those just built."""
    for path, content in files.items():
        if not (course / path).exists():
            yield f"{path}: not built yet; run `make build`"
        elif (found := (course / path).read_text(encoding="utf-8")) != content:
            cell = first_difference(found, content)
            yield f"{path}: stale from cell '{cell}' on; run `make build`"
    for tree in GENERATED:
        for found in sorted(course.glob(tree)):
            if (path := found.relative_to(course).as_posix()) not in files:
                yield f"{path}: built from no source; delete it"


def first_difference(found: str, content: str) -> str:
    """Return the key of the first cell in which two notebooks differ."""
    if content.startswith("<svg"):
        return "(drawing)"
    new = json.loads(content)["cells"]
    try:
        old = json.loads(found)["cells"]
    except (ValueError, KeyError):
        return new[0]["id"] if new else ""
    for before, after in zip(old, new, strict=False):
        if before != after:
            return after["id"]
    longer = max(old, new, key=len)
    shorter = min(len(old), len(new))
    return longer[shorter]["id"] if len(longer) > shorter else "(metadata)"


def write(course: Path, files: Files) -> int:
    """Write the files that have changed, each at once or not at all; count them."""
    changed = 0
    for path, content in files.items():
        target = course / path
        if target.exists() and target.read_text(encoding="utf-8") == content:
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        part = target.with_name(target.name + ".part")
        part.write_text(content, encoding="utf-8", newline="\n")
        part.replace(target)
        changed += 1
    return changed


def source_files(course: Path, name: str = "*") -> list[Path]:
    """List the sources of that name, or the one that "lessons/NAME" means."""
    place, _, name = name.rpartition("/")
    forms = []
    if place in ("", "lessons"):
        forms.append(f"source/lessons/{name}.py")
    if place in ("", "assignments"):
        forms.append(f"source/assignments/{name}/notebook.py")
    return sorted(path for form in forms for path in course.glob(form))


def restamp(course: Path, name: str, keys: list[str]) -> int:
    """Stamp the Chinese cells with these keys, or list those that are outdated."""
    paths = source_files(course, name)
    if not paths:
        print(f"there is no source/*/{name}.py")
        return 1
    unknown = set(keys) - {"all"}
    for path in paths:
        due = sources.outdated(sources.read(path))
        unknown -= due.keys()
        chosen = due if "all" in keys else [key for key in due if key in keys]
        before = text = path.read_text(encoding="utf-8")
        for key in due:
            if key in chosen:
                text = stamped(text, key, due[key])
            verb = "stamped" if key in chosen else "revise the Chinese of"
            print(f"{path.relative_to(course)}: {verb} '{key}'")
        if text != before:
            part = path.with_suffix(".part")  # the only copy of what somebody wrote
            part.write_text(text, encoding="utf-8", newline="\n")
            part.replace(path)
    for key in sorted(unknown):
        print(f"'{key}' is not outdated, or has no Chinese cell")
    return 1 if unknown else 0


def stamped(text: str, key: str, mark: str) -> str:
    """Return a source in which the Chinese cell with this key follows `mark`."""
    header = rf'^# %% \[(?:markdown|md)\](?=.*\bkey="{key}")(?=.*\blang="zh").*$'

    def stamp(match: re.Match) -> str:
        return re.sub(r'\s+follows="[^"]*"', "", match[0]) + f' follows="{mark}"'

    return re.sub(header, stamp, text, count=1, flags=re.MULTILINE)


def long_lessons(course: Path) -> Iterator[str]:
    """Note which lessons take long to read: a hint for their authors, no mistake."""
    for stem, cells in read_lessons(course).items():
        yield from (f"note: {message}" for message in frame.too_long(stem, cells))


def main(arguments: list[str] | None = None) -> int:
    """Build, check or restamp; return 0 if all is well."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true", help="build nothing")
    parser.add_argument("--own", type=Path, help="build an instructor's assignment")
    parser.add_argument("--restamp", metavar="NN_slug", help="list or stamp Chinese")
    parser.add_argument("keys", nargs="*", help="cells to stamp, or: all")
    parser.add_argument("--course", type=Path, default=COURSE, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.keys and not options.restamp:
        parser.error("keys are named only with --restamp NN_slug")
    try:
        if options.restamp:
            return restamp(options.course, options.restamp, options.keys)
        if options.own:
            print(f"built {build_own(options.own)}")
            return 0
        files = build(options.course)
    except SourceError as error:
        print(error, file=sys.stderr)
        return 1
    found = [p for path in source_files(options.course) for p in sources.problems(path)]
    found += terms.problems(options.course)
    print(*long_lessons(options.course), sep="\n", file=sys.stderr)
    if options.check:
        found += stale(options.course, files)
    else:
        print(f"{write(options.course, files)} of {len(files)} files changed")
    print(*found, sep="\n", end="\n" if found else "", file=sys.stderr)
    if options.check:
        print(f"{len(files)} files checked, {len(found)} problems")
    return 1 if options.check and found else 0


if __name__ == "__main__":
    sys.exit(main())
