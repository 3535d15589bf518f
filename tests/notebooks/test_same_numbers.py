""" "Restart and run all" twice: the same numbers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.whole

LESSONS = Path(__file__).resolve().parents[2] / "source" / "lessons"
# Lesson 14 learns its word pieces and trains a small BERT: all
# that its code does up to this cell. Then the script says what came out.
LESSON, LAST = "14_bert", "live-run"
SCRIPT = """
import hashlib
import json
import sys

import nbformat

kernel = {}
for cell in nbformat.read(sys.argv[1], 4).cells:
    if cell.cell_type == "code":
        exec(cell.source, kernel)
    if cell.id == sys.argv[2]:
        break
weights = [w.numpy().tobytes() for w in kernel["tiny"].state_dict().values()]
digest = hashlib.sha256(b"".join(weights)).hexdigest()
found = kernel["pieces"].words, kernel["run"].losses, digest
print()
print(json.dumps(found))
"""


def test_a_lesson_that_is_run_again_trains_the_same_model(course, tmp_path):
    path = course / "notebooks" / "en" / f"{LESSON}.ipynb"
    found = []
    for hash_seed in "12":  # each kernel has its own
        here = os.environ | {
            "COURSE_PROFILE": "quick",
            "COURSE_CACHE": str(tmp_path),
            "PYTHONHASHSEED": hash_seed,
            "PYTHONPATH": str(course),
        }
        command = [sys.executable, "-W", "ignore", "-c", SCRIPT, path, LAST]
        run = subprocess.run(
            command, env=here, cwd=path.parent, capture_output=True, text=True
        )
        assert run.returncode == 0, run.stderr
        found.append(json.loads(run.stdout.splitlines()[-1]))
    assert found[0] == found[1]


@pytest.mark.parametrize("lesson", sorted(p.stem for p in LESSONS.glob("*.py")))
def test_no_lesson_trains_by_the_clock(lesson):
    """A busy machine would do fewer steps, and give other numbers."""
    source = (LESSONS / f"{lesson}.py").read_text(encoding="utf-8")
    assert "minutes=" not in source
