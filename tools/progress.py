"""Show how far the reader has come: work/en/progress.md and work/zh/progress.md.

    python tools/progress.py

Nothing is recorded for it: the saved notebooks in work/ say which cells were run,
which checks passed and which questions were answered. JupyterLab writes the page again
whenever a notebook is saved (tools/lab_settings).
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple

import own_copy
from reader import pick

STUB = "YOUR ANSWER HERE"
NEW = {"en": " (new version)", "zh": "（新版）"}
PAGE = {
    "en": """# How far you are

Read from the notebooks as they were last saved; open this page again to see it anew.

| lesson | cells run | exercises: checks passed | written answers |
|---|---:|---:|---:|
{rows}

Done: {lessons.done} of {lessons.all} lessons, {exercises.done} of {exercises.all}
exercises.
""",
    "zh": """# 学到哪里了

根据最近一次保存的 notebook 统计；重新打开本页就会更新。

| 课 | 运行过的单元格 | 练习：通过的检查 | 笔答题 |
|---|---:|---:|---:|
{rows}

{lessons.all} 课学完了 {lessons.done} 课，
{exercises.all} 份练习做完了 {exercises.done} 份。
""",
}


class Count(NamedTuple):
    """So many of so many."""

    done: int
    all: int

    def __str__(self) -> str:
        if not self.all:
            return ""
        return f"{self.done} / {self.all}" + (" ✓" if self.done == self.all else "")


class Progress(NamedTuple):
    """What was done in one notebook."""

    title: str
    cells: Count  # run without an error
    checks: Count  # passed
    written: Count  # answered

    @property
    def complete(self) -> bool:
        """Tell whether it is done: a lesson was run, an exercise solved."""
        parts = (self.checks, self.written) if self.checks.all else (self.cells,)
        return all(part.done == part.all for part in parts)


def progress(path: Path) -> Progress | None:
    """Read one notebook; None if it cannot be read (a save that was cut off)."""
    cells = own_copy.cells_of(path.read_bytes())
    if not cells:
        return None
    code = [c for c in cells if c.get("cell_type") == "code" and own_copy.text(c)]
    checks = [c for c in code if is_marked(c)]
    texts = [c for c in cells if c.get("cell_type") == "markdown" and is_marked(c)]
    answered = [c for c in texts if STUB not in own_copy.text(c)]
    title = own_copy.text(cells[0]).lstrip("# ").partition("\n")[0]
    ran, passed = (sum(map(was_run, some)) for some in (code, checks))
    return Progress(
        title,
        Count(ran, len(code)),
        Count(passed, len(checks)),
        Count(len(answered), len(texts)),
    )


def is_marked(cell: dict) -> bool:
    """Tell whether a cell earns points."""
    return bool(cell.get("metadata", {}).get("nbgrader", {}).get("grade"))


def was_run(cell: dict) -> bool:
    """Tell whether a cell was run and raised nothing."""
    kinds = [output.get("output_type") for output in cell.get("outputs", [])]
    return bool(cell.get("execution_count")) and "error" not in kinds


def read(folder: Path) -> dict[str, Progress | None]:
    """Read each lesson or exercise of a folder, by its file's name."""
    paths = sorted(folder.glob("[0-9][0-9]_*.ipynb"))
    return {path.stem: progress(path) for path in paths}


def page(folder: Path, language: str) -> str:
    """Write the page of one edition."""
    lessons, tasks = read(folder), read(folder / "exercises")
    rows = []
    for stem in sorted(lessons | tasks):
        of, task = lessons.get(stem), tasks.get(stem)
        path = f"{stem}.ipynb" if stem in lessons else f"exercises/{stem}.ipynb"
        title = (of or task or Progress(stem, *[Count(0, 0)] * 3)).title
        title += NEW[language] * ("_new" in stem)
        cells = [of.cells if of else "", *task_cells(task, stem)]
        rows.append(f"| [{title}]({path}) | {' | '.join(map(str, cells))} |")
    return PAGE[language].format(
        rows="\n".join(rows), lessons=complete(lessons), exercises=complete(tasks)
    )


def complete(found: dict[str, Progress | None]) -> Count:
    """Count what is done; of two versions of one notebook either will do."""
    names = {stem.partition("_new")[0] for stem in found}
    done = {stem.partition("_new")[0] for stem, p in found.items() if p and p.complete}
    return Count(len(done), len(names))


def task_cells(task: Progress | None, stem: str) -> tuple[str, str]:
    """Return the two cells of an exercise: its checks, with a link, and its answers."""
    if task is None:
        return "", ""
    return f"[{task.checks}](exercises/{stem}.ipynb)", str(task.written)


def refresh(folder: Path = own_copy.COURSE / "work") -> None:
    """Write the pages of both editions."""
    for language in PAGE:
        text = page(folder / language, language)
        own_copy.write(folder / language / "progress.md", text.encode())


if __name__ == "__main__":
    refresh()
    print(page(own_copy.COURSE / "work" / pick("en", "zh"), pick("en", "zh")))
    sys.exit(0)
