"""The guide's exercise of one's own, followed to the letter: files and commands."""

from __future__ import annotations

import csv
import re
import subprocess
import sys
from pathlib import Path

import pytest

from course_grading.classroom import COURSE
from course_grading.sandbox import available

WHY = "bubblewrap is not installed, or may not make namespaces"
pytestmark = [pytest.mark.whole, pytest.mark.skipif(not available(), reason=WHY)]
PAGES = [COURSE / f"docs/{language}/instructors.md" for language in ("en", "zh")]


def section(page: Path) -> str:
    """Return the section about an exercise of one's own."""
    text = page.read_text(encoding="utf-8")
    found = re.search(
        r"(?ms)^## (An exercise of your own|自己出一道题)$.*?(?=^## )", text
    )
    assert found, f"{page} has no such section"
    return found[0]


def files(page: Path) -> dict[str, str]:
    """Return the files that a page gives, by their names."""
    given = r"<!-- own: (\S+) -->\n```python\n(.*?)```"
    return dict(re.findall(given, section(page), re.DOTALL))


def commands(page: Path) -> list[str]:
    return re.findall(r"```bash\n(.*?)```", section(page), re.DOTALL)


def test_both_languages_give_the_same_files_and_commands():
    en, zh = map(files, PAGES)
    assert list(en) == ["90_length.py", "visible_90.py", "tasks_90.py"] == list(zh)
    assert en == zh
    bare = [[re.sub(r" *#.*", "", c) for c in commands(page)] for page in PAGES]
    assert bare[0] == bare[1] and len(bare[0]) == 2


def test_whoever_follows_the_guide_gets_marks(tmp_path, monkeypatch):
    """Only `~` is another folder, and python is the one that runs the tests."""
    private = tmp_path / "nlp-2027" / "private"
    private.mkdir(parents=True)
    for name, text in files(PAGES[0]).items():
        (private / name).write_text(text, encoding="utf-8")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(COURSE))
    monkeypatch.setenv("JUPYTER_CONFIG_DIR", str(tmp_path / "settings"))
    for script in commands(PAGES[0]):
        script = script.replace("source .venv/bin/activate\n", "")
        script = re.sub(r"(?m)^python ", f"{sys.executable} ", script)
        done = subprocess.run(
            ["bash", "-ec", script], cwd=COURSE, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr
    table = tmp_path / "nlp-2027/report/90_length.csv"
    with table.open(encoding="utf-8-sig", newline="") as file:
        scores = {row["student"]: row["score"] for row in csv.DictReader(file)}
    assert scores == {"solved": "2", "stub": "0"}
    handed_out = (tmp_path / "nlp-2027/exercises/90_length/90_length.ipynb").read_text()
    assert "keepdims" not in handed_out and "hidden=True" not in handed_out
