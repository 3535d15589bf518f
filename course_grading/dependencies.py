"""What a verdict depends on: the code that judges, and the data which that code reads.

A verdict is kept under a digest of these files; after a change of one of them it is no
longer found, and the notebook is judged again. Too many files cost a run of the judge,
one too few a wrong mark: so every import is followed, also one that is used for a name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

from course_lib import DATA
from course_lib.grading import library

HERE = Path(__file__).parent
COURSE = HERE.parent
READ = {  # what the checks of an assignment compare with, below data/
    "04": ("senses/*", "checkpoints/static-*/*"),
    "16": ("claims/*.csv",),
}


def of_verdict(number: str, private: str) -> list[Path]:
    """Return the files that a verdict on an assignment depends on.

    private: the folder of an instructor's own tasks
    """
    tasks = [Path(private) / f"{kind}_{number}.py" for kind in ("tasks", "visible")]
    tasks.append(library.file_of("checks", number))
    code = with_imports([HERE / "agent.py", HERE / "judge.py", *tasks])
    read = {p for form in READ.get(number, ()) for p in DATA.glob(form)}
    return sorted(code | set(filter(Path.is_file, read)))


def with_imports(files: Iterable[Path]) -> set[Path]:
    """Return the files, and all of the course that they import, directly or not."""
    waiting, found = list(files), set()
    while waiting:
        path = waiting.pop()
        if path not in found and path.is_file():
            found.add(path)
            waiting += imported(path)
    return found


def imported(path: Path) -> Iterator[Path]:
    """Yield the files that a file may import; most of them do not exist."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        homes, names = [path.parent, COURSE], []
        if isinstance(node, ast.Import):
            names = [alias.name.split(".") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            homes = [path.parents[node.level - 1]] if node.level else homes
            names = [(node.module or "").split(".")]
            names += [[*names[0], alias.name] for alias in node.names]
        for home in homes:
            for name in names:
                place = home.joinpath(*name)
                yield from (place.with_name(f"{place.name}.py"), place / "__init__.py")
