"""A book of a few lessons, made as the whole one is, for the tests that read it."""

from __future__ import annotations

import functools
import http.server
import shutil
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path

import nbformat
import pytest


def parts_of(course: Path, request) -> Path:
    """Return the folder that keeps MathJax between runs; skip where there is none."""
    sys.path.insert(0, str(course / "docs"))
    from bookmaking import mathjax

    parts = request.config.cache.mkdir("book-parts")
    try:
        mathjax.fetch(parts)
    except mathjax.CannotFetch as error:
        pytest.skip(str(error))
    return parts


def cut(course: Path, folder: Path, lessons: Mapping[str, str | None]) -> None:
    """Copy the notebooks, or the cells of them that are enough here, and drawings.

    lessons: the keys of the cells by lesson; None for all of them
    """
    shutil.copytree(course / "notebooks/drawings", folder / "drawings")
    for language in ("en", "zh"):
        (folder / language).mkdir(parents=True)
        for stem, keys in lessons.items():
            notebook = nbformat.read(course / f"notebooks/{language}/{stem}.ipynb", 4)
            if keys:
                kept = [c for c in notebook.cells if c.id in keys.split()]
                missing = set(keys.split()) - {c.id for c in kept}
                assert not missing, f"lesson {stem} has other cells now: {missing}"
                notebook.cells = kept
            nbformat.write(notebook, folder / language / f"{stem}.ipynb")


def build(course: Path, folder: Path, parts: Path, *options: str) -> str:
    """Make the book of folder/notebooks and folder/executed; return what was said."""
    places = {"notebooks": "notebooks", "executed": "executed", "out": "out"}
    own = [f"--{name}={folder / place}" for name, place in places.items()]
    command = [sys.executable, str(course / "tools/book.py"), "--as-is", *own]
    command += [f"--parts={parts}", *options]
    made = subprocess.run(command, capture_output=True, text=True)
    assert made.returncode == 0, made.stdout + made.stderr
    return made.stdout


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A web server that does not report each request."""

    def log_message(self, *_):
        pass


class served:
    """Serve a folder while a test needs it."""

    def __init__(self, folder):
        handler = functools.partial(Quiet, directory=str(folder))
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{self.server.server_port}/"

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
