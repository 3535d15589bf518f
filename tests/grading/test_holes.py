"""What is sent through the wall costs neither the judge nor the machine too much."""

from __future__ import annotations

import os
import platform
import re
import sys
from pathlib import Path

import nbformat
import numpy as np
import pytest
import torch

from course_grading import seccomp, wire
from course_grading.classroom import COURSE
from course_grading.judge import judge
from course_grading.proxy import LARGEST, Notebook, weight
from course_grading.sandbox import HOME, Limits, available

sys.path.insert(0, str(Path(__file__).parent / "tamper"))
import tiny_class as tiny  # noqa: E402

needs_bwrap = pytest.mark.skipif(
    not available(), reason="bubblewrap is not installed, or may not make namespaces"
)
SMALL = Limits(seconds=5, wall=60, task=80, memory=1 << 30)


@pytest.mark.parametrize(
    "value",
    [
        np.zeros((0, 1, 10**9)),  # no numbers, but a sum over the first axis has 10**9
        torch.zeros(0, 1, 10**9),
        np.array(10**9),  # range(n) takes it for a whole number
        np.int64(10**9),
        torch.tensor(10**9),
        np.array([10**9]),  # bincount makes a table of that length
        "a" * 10**7,
        [[]] * 10**5,
        [0] * 10**5,
    ],
    ids=lambda value: repr(value)[:30],
)
def test_what_a_given_function_would_suffer_from_is_too_heavy_for_it(value):
    assert weight([value]) > LARGEST


@pytest.mark.parametrize(
    "value",
    [np.zeros((8, 8, 8)), torch.zeros(0, 3), np.array(1e9), 1e9, ["word"] * 300, None],
    ids=lambda value: repr(value)[:30],
)
def test_what_an_honest_answer_gives_a_function_is_light_enough(value):
    assert weight([value]) <= LARGEST


def frame(tree: str, *arrays: bytes) -> tuple[bytes, bytes]:
    sizes = ",".join(str(len(array)) for array in arrays)
    return f"[{tree}, [{sizes}]]".encode(), b"".join(arrays)


def test_a_forged_message_does_not_swell_when_it_is_read():
    small: list[bytes] = []
    wire.add_array(np.zeros(3), small)
    again = '["list", [["array", 0], ["array", 0]]]'  # or a million times
    hollow: list[bytes] = []
    wire.add_array(np.zeros((0, 1, 10**9)), hollow)
    for message in (frame(again, *small), frame('["array", 0]', *hollow)):
        with pytest.raises(wire.NotPlain):
            wire.unpack(*message)


FORGER = """
import gc
agent = next(o for o in gc.get_objects() if type(o).__name__ == "Agent")
agent.obey = lambda message: {}
"""


@needs_bwrap
@pytest.mark.parametrize(
    "reply",
    ["{'error': 5}", "{'error': None}", "{'error': [1, 2]}", "{'error': {'a': 1}}"],
)
def test_a_forged_reply_of_any_type_stops_the_student_and_names_why(reply):
    notebook = Notebook(SMALL)
    try:
        assert notebook.run(FORGER.format(reply), "cell 1") is None
        kind, why, _ = notebook.run("pass", "cell 2")
    finally:
        notebook.close()
    assert kind == "Stopped" and why.startswith("a forged answer (")
    assert notebook.stops == [f"cell 2: {why}"]


@needs_bwrap
def test_an_input_that_exhausts_the_judge_costs_its_own_task_only(tmp_path):
    room = tiny.make(tmp_path / "class")
    greedy = tiny.TASKS.replace(
        "    SOFTMAX.compare(answer, [((np.array",
        "    np.zeros(int(numbers(answer, np.zeros(2))[0]) << 50)\n"
        "    SOFTMAX.compare(answer, [((np.array",
    )
    (room.root / "private/tasks_90.py").write_text(greedy, encoding="utf-8")
    huge = {**tiny.RIGHT, "softmax": "def softmax(x):\n    return [1.0, 1.0]"}
    path = room.root / "x.ipynb"
    nbformat.write(tiny.notebook(huge), path)
    found = judge(room.job(path))
    first, *others = found["tests"]
    assert first["score"] == 0 and first["stopped"] == "more memory than the judge has"
    assert "was stopped: more memory than the judge has" in first["text"]
    assert "被中断了：占用的内存超过评分器所有的" in first["text"]
    assert found["stops"] == ["softmax: more memory than the judge has"]
    assert all(test["score"] == test["points"] for test in others)


@needs_bwrap
def test_a_notebook_has_a_time_limit_of_its_own():
    """A hundred cells that each stay below the limit of a cell are stopped, too."""
    notebook = Notebook(SMALL._replace(notebook=0))
    try:
        kind, why, _ = notebook.run("pass", "cell 1")
    finally:
        notebook.close()
    assert (kind, why) == ("Stopped", "more than 0 s for the notebook")


WRITABLE = """
import os
def writable():
    places = {line.split()[4] for line in open("/proc/self/mountinfo")}
    places |= {os.path.join("/", name) for name in os.listdir("/")} | {"/", "/agent"}
    found = {}
    for place in places:
        try:
            with open(os.path.join(place, "probe"), "w"):
                about = os.statvfs(place)
            found[place] = about.f_blocks * about.f_frsize
        except OSError:
            continue
    return found
"""


@pytest.fixture(params=["as it is", "ordinary"])
def found(request, monkeypatch):
    """Return a function that runs code behind the wall, and one of its functions.

    It does so for this user, and as for an ordinary one, who owns the folders that
    bubblewrap makes.
    """
    if request.param == "ordinary":
        monkeypatch.setattr(os, "getuid", lambda: 1000)

    def find(code: str, name: str):
        notebook = Notebook(SMALL)
        try:
            assert notebook.run(code, "cell 1") is None
            return notebook.call((), {}, name=name)
        finally:
            notebook.close()

    return find


@needs_bwrap
def test_all_that_can_be_written_to_is_bounded_for_any_user(found):
    places = found(WRITABLE, "writable")
    assert set(places) == {"/tmp", HOME, "/dev/shm"}
    assert all(size <= SMALL.disk for size in places.values())


UNCOUNTED = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
NEW_USER, NEW_MOUNTS, CREATE = 0x10000000, 0x20000, 0o1000

def mount():
    if os.fork() == 0:
        libc.unshare(NEW_USER | NEW_MOUNTS)
        os._exit(libc.mount(b"none", b"/tmp", b"tmpfs", 0, b"size=3g") and 1)
    return -os.wait()[1]

def uncounted():
    calls = {
        "a file in memory": lambda: libc.memfd_create(b"x", 0),
        "a secret file in memory": lambda: libc.syscall(447, 0),
        "a shared segment": lambda: libc.shmget(0, 1 << 20, CREATE | 0o600),
        "a queue of messages": lambda: libc.msgget(0, CREATE | 0o600),
        "a folder in memory": mount,
        "a folder in memory, the new way": lambda: libc.syscall(430, b"tmpfs", 0),
    }
    return [name for name, call in calls.items() if call() >= 0]
"""


@needs_bwrap
@pytest.mark.skipif(
    platform.machine() not in seccomp.MACHINES, reason="no filter for this processor"
)
def test_no_memory_can_be_had_that_belongs_to_no_process(found):
    """What is mounted or shared would fill the machine, and no limit would see it."""
    assert found(UNCOUNTED, "uncounted") == []


def test_no_cache_of_the_judge_grows_without_end():
    files = [*COURSE.glob("course_grading/*.py"), *COURSE.glob("course_lib/grading/*")]
    files += COURSE.glob("source/assignments/*/*.py")
    for path in filter(Path.is_file, files):
        text = path.read_text(encoding="utf-8")
        found = re.findall(r"@(?:functools\.)?cache\b\ndef \w+\(\w", text)
        assert not found, path  # one without inputs keeps one value
