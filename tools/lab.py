"""Open JupyterLab at the lesson the reader is in, in a copy of their own (make lab).

    python tools/lab.py                    where you were last; at first, lesson 00
    python tools/lab.py --no-browser …     what follows goes to JupyterLab

The language is that of the system, or of LANGUAGE=zh (LANGUAGE=en) in the environment.
Settings of this course alone: no news, no panels of instructors, pages of text are
shown as pages (tools/lab_settings). `jupyter lab` itself starts without them.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import own_copy
import progress
from reader import language, say

COURSE = own_copy.COURSE
SETTINGS = COURSE / "tools" / "lab_settings"


def place(folder: Path, source: Path) -> Path:
    """Return the notebook to open: the one saved last, of those that were worked in."""
    worked = [
        path
        for path in folder.rglob("[0-9][0-9]_*.ipynb")
        if not (source / (inside := path.relative_to(folder))).exists()
        or path.read_bytes() != (source / inside).read_bytes()
    ]
    first = folder / "00_start_here.ipynb"
    return max(worked, key=lambda path: path.stat().st_mtime, default=first)


def environment() -> dict[str, str]:
    """Return the variables that let Jupyter find its settings and its programs."""
    paths = [str(SETTINGS), os.environ.get("JUPYTER_CONFIG_PATH", "")]
    programs = [str(Path(sys.executable).parent), os.environ.get("PATH", "")]
    return os.environ | {
        "JUPYTER_CONFIG_PATH": os.pathsep.join(filter(None, paths)),
        "JUPYTER_PREFER_ENV_PATH": "1",  # else a kernel of another Python may start
        "PATH": os.pathsep.join(filter(None, programs)),
    }


def main(flags: list[str]) -> int:
    """Bring work/ up to date and start the server in it."""
    own_copy.report(own_copy.update(COURSE / "notebooks", COURSE / "work"))
    progress.refresh()
    edition = COURSE / "work" / language()
    opened = place(edition, COURSE / "notebooks" / language())
    page = opened.relative_to(COURSE).as_posix()
    say(f"opening {page}", f"打开 {page}")
    command = [
        *[sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={COURSE}"],
        f"--FileContentsManager.preferred_dir={edition}",
        f"--LabApp.default_url=/lab/tree/{page}",
        *flags,
    ]
    try:
        return subprocess.call(command, env=environment())
    except KeyboardInterrupt:  # the server has heard it too and says goodbye itself
        return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
