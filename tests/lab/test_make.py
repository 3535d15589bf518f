"""What the Makefile and its neighbours promise."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

TARGETS = [
    *["lab", "test", "test-whole", "build", "check", "notebooks", "lint"],
    *["pretrain", "clean"],
]


def make(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    if not shutil.which("make"):
        pytest.skip("make is not installed")
    command = ["make", *arguments]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("MAKE")}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True
    )


def test_make_alone_lists_every_target_with_a_line_of_help(course):
    listed = make(course).stdout
    described = re.findall(r"^make ([\w-]+) +\S+", listed, re.MULTILINE)
    phony = re.search(r"^\.PHONY: (.*)$", (course / "Makefile").read_text(), re.M)[1]
    assert described == phony.split()
    assert set(TARGETS) <= set(described)


@pytest.mark.parametrize(
    ("target", "stamp"), [("lab", ""), ("test", "-test"), ("test-whole", "-test")]
)
def test_set_up_is_done_once_and_again_when_the_dependencies_change(
    course, tmp_path, target, stamp
):
    shutil.copy(course / "Makefile", tmp_path)
    (tmp_path / "pyproject.toml").touch()
    fresh = make(tmp_path, "--dry-run", target).stdout
    assert fresh.index("tools/install.py") < fresh.index("touch")

    (tmp_path / ".venv").mkdir()
    (tmp_path / f".venv/installed{stamp}").touch()
    assert "install" not in make(tmp_path, "--dry-run", target).stdout

    later = (tmp_path / "pyproject.toml").stat().st_mtime + 10
    os.utime(tmp_path / "pyproject.toml", (later, later))
    assert "tools/install.py" in make(tmp_path, "--dry-run", target).stdout


def test_ci_is_a_script_that_can_be_started(course):
    assert os.access(course / ".ci/run", os.X_OK)
    subprocess.run(["bash", "-n", ".ci/run"], cwd=course, check=True)
