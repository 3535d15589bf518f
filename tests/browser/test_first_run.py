"""`make lab` as a new reader meets it: their lesson, nothing in front of it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import urllib.request

import pytest
from conftest import lab_environment, wait_for

FLAGS = [
    *["--no-browser", "--allow-root", "--ip=127.0.0.1", "--IdentityProvider.token="],
    "--ServerApp.disable_check_xsrf=True",  # the test saves without a page
]


@pytest.fixture(scope="module")
def first_run(tmp_path_factory, course):
    """Start tools/lab.py of a copy of the course: yields the copy, the address."""
    private, root = (tmp_path_factory.mktemp(name) for name in ("jupyter", "course"))
    for name in ("tools", "notebooks"):
        shutil.copytree(course / name, root / name)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address, log_file = f"http://127.0.0.1:{port}", private / "lab.log"
    flags = [*FLAGS, f"--port={port}", "--ServerApp.port_retries=0"]
    environment = lab_environment(private, course) | {"LANGUAGE": "zh"}
    environment.pop("JUPYTERLAB_SETTINGS_DIR")  # a reader has none yet
    with open(log_file, "w") as log:
        server = subprocess.Popen(
            [sys.executable, root / "tools/lab.py", *flags],
            env=environment,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            wait_for(server, address, log_file)
            yield root, address
        finally:
            os.killpg(server.pid, signal.SIGTERM)
            server.wait(30)


def get(address: str) -> tuple[str, str]:
    """Return where a request ended, and what it got."""
    with urllib.request.urlopen(address) as answer:
        return answer.url, answer.read().decode()


def test_the_first_page_is_lesson_00_in_the_readers_language(first_run):
    _, address = first_run
    url, page = get(address)
    assert url == f"{address}/lab/tree/work/zh/00_start_here.ipynb"
    settings = page.partition('id="jupyter-config-data"')[2].partition("</script>")[0]
    disabled = json.loads(settings[settings.index("{") :])["disabledExtensions"]
    assert "@jupyter/nbgrader" in disabled
    assert "@jupyterlab/apputils-extension:announcements" in disabled


def test_nothing_is_in_front_of_it(first_run, open_page):
    """No launcher, no question about news, no menu of nbgrader's."""
    _, address = first_run
    page = open_page(address)
    page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=90_000)
    page.wait_for_selector("text=Python 3", timeout=60_000)
    assert page.locator(".jp-Dialog, .Toastify__toast, .jp-Launcher").count() == 0
    assert "从这里开始" in page.locator(".jp-Notebook h1").first.inner_text()
    assert page.locator("text=/nbgrader|formgrader/i").count() == 0


def test_saving_a_notebook_shows_in_the_page_of_progress(first_run):
    root, address = first_run
    notebook = json.loads((root / "work/zh/03_glove.ipynb").read_bytes())
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["execution_count"] = 1
    request = urllib.request.Request(
        f"{address}/api/contents/work/zh/03_glove.ipynb",
        data=json.dumps({"type": "notebook", "content": notebook}).encode(),
        headers={"Content-Type": "application/json"},
        method="PUT",
    )
    assert urllib.request.urlopen(request).status == 200
    text = (root / "work/zh/progress.md").read_text(encoding="utf-8")
    assert "学完了 1 课" in text


def test_the_next_start_opens_what_was_worked_in_last(first_run, course):
    root, _ = first_run
    sys.path.insert(0, str(course / "tools"))
    import lab

    folder, source = root / "work/zh", root / "notebooks/zh"
    lesson = folder / "exercises/05_taglm.ipynb"
    lesson.write_text(lesson.read_text(encoding="utf-8") + " ", encoding="utf-8")
    assert lab.place(folder, source) == lesson
    assert lab.place(root / "work/en", root / "notebooks/en").name.startswith("00_")
    assert not list(source.rglob("*_new*"))
