"""The judge: honest answers get their points through the wall, others a reason."""

from __future__ import annotations

import re
import signal
import sys
from pathlib import Path

import nbformat
import numpy as np
import pytest

from course_grading import dependencies, proxy
from course_grading.classroom import COURSE, Classroom, ClassroomError, called, grader
from course_grading.judge import broken, find_task, judge
from course_grading.report import raised
from course_grading.sandbox import NoSandbox, SandboxProcess, available
from course_lib.grading import library

sys.path.insert(0, str(Path(__file__).parent / "tamper"))
import tiny_class as tiny  # noqa: E402

pytestmark = pytest.mark.skipif(
    not available(), reason="bubblewrap is not installed, or may not make namespaces"
)
ASSIGNMENTS = sorted(path.parent.name for path in COURSE.glob("solutions/*/*.ipynb"))


@pytest.fixture(scope="module")
def room(tmp_path_factory) -> Classroom:
    return tiny.make(tmp_path_factory.mktemp("judge") / "class")


def job(room: Classroom, notebook: nbformat.NotebookNode) -> dict:
    """Return the job that a notebook is."""
    path = room.root / "x.ipynb"
    nbformat.write(notebook, path)
    return room.job(path)


def verdict(room: Classroom, **answers: str) -> dict:
    """Judge the tiny notebook with these answers, right where none is given."""
    return judge(job(room, tiny.notebook({**tiny.RIGHT, **answers})))


def scores(verdict: dict) -> dict[str, float]:
    return {test["name"]: test["score"] for test in verdict["tests"]}


def text(verdict: dict, name: str) -> str:
    """Return what a student reads below a test."""
    return next(test["text"] for test in verdict["tests"] if test["name"] == name)


FULL = {"test_softmax": 3, "test_running": 2, "test_Scale": 2}


# What a cell runs so that the next notebook begins without the names of the last.
FORGET = "for name in [n for n in globals() if n[0] != '_']: del globals()[name]"


@pytest.fixture(scope="module")
def course_judged(tmp_path_factory) -> dict:
    """Judge the solutions of the course, one after the other, behind one wall."""
    room = Classroom(tmp_path_factory.mktemp("course"))
    room.create()
    patient = {"seconds": 60, "wall": 300, "task": 600}  # a busy machine
    cells = []
    for assignment in ASSIGNMENTS:
        cells.append({"name": "cell 0", "source": FORGET})
        path = COURSE / "solutions" / assignment / f"{assignment}.ipynb"
        cells += room.job(path)["cells"]
    return judge({**room.job(path), "limits": patient, "cells": cells})


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
@pytest.mark.whole
def test_the_solutions_of_the_course_get_full_marks_through_the_wall(
    assignment, course_judged
):
    assert course_judged["errors"] == course_judged["stops"] == []
    tests = [t for t in course_judged["tests"] if t["task"][:2] == assignment[:2]]
    assert len(tests) >= 4 or assignment[:2] == "00"
    for test in tests:
        assert test["score"] == test["points"], test["text"]


def test_right_answers_get_full_marks_and_the_stub_nothing(room):
    found = verdict(room)
    assert scores(found) == FULL and found["errors"] == found["stops"] == []
    stub = verdict(room, **tiny.STUB)
    assert set(scores(stub).values()) == {0}
    assert "not written yet" in text(stub, "test_softmax")


def test_a_known_mistake_is_named_in_both_languages(room):
    found = verdict(room, softmax="def softmax(x):\n    return np.exp(x - x.max())")
    assert scores(found) == {**FULL, "test_softmax": 0}
    shown = text(found, "test_softmax")
    assert "Divide by the sum." in shown and "要除以总和。" in shown
    assert "✗ the example / 题中的例子" in shown
    assert found["tests"][0]["mistake"] == "not_divided"


def test_who_knows_the_visible_inputs_learns_no_hidden_one(room):
    table = "def softmax(x):\n    return [0.5, 0.5]"
    found = verdict(room, softmax=table)
    assert scores(found)["test_softmax"] == 0
    shown = text(found, "test_softmax")
    assert "✓ the example" in shown and "✗ random numbers" in shown
    for secret in ("seed", str(room.seed("90.softmax")), "expected", "array"):
        assert secret not in shown


@pytest.mark.parametrize(
    "told",
    ["print(x.tolist())", "raise ValueError(x.tolist())", "exec(code(x))"],
)
def test_what_a_hidden_check_asks_is_not_in_the_students_page(room, told):
    source = (
        "def code(x):\n    import linecache\n    text = f'1 / 0  # {x.tolist()}'\n"
        "    linecache.cache['cell 1'] = (len(text), None, [text], 'cell 1')\n"
        "    return compile(text, 'cell 1', 'exec')\n\n\ndef softmax(x):\n"
        f"    if not x.any():\n        return [0.5, 0.5]\n    {told}\n    return 0"
    )
    shown = text(verdict(room, softmax=source), "test_softmax")
    assert "✗ random numbers" in shown
    inputs = np.random.default_rng([room.seed("90.softmax"), 1]).normal(size=2)
    assert str(inputs[0]) not in shown
    if "exec" in told:
        assert shown.endswith("cell 1, line 1\n")


def test_what_a_hidden_check_breaks_at_does_not_tell_its_input(room):
    source = tiny.RIGHT["Scale"].replace("self.a = a", "raise ValueError(repr(a))")
    shown = text(verdict(room, Scale=source), "test_Scale")
    assert "could not be checked (ValueError: " in shown  # a visible check
    path = room.root / "private/tasks_90.py"
    path.write_text(
        tiny.TASKS.replace('"构造、调用、读取"', '"构造、调用、读取", hidden=True')
    )
    try:
        shown = text(verdict(room, Scale=source), "test_Scale")
    finally:
        path.write_text(tiny.TASKS)
    assert "could not be checked (ValueError)." in shown


def test_hidden_inputs_are_a_class_own(room, tmp_path):
    other = tiny.make(tmp_path / "class")
    assert other.seed("90.softmax") != room.seed("90.softmax")
    assert room.seed("90.softmax") == Classroom(room.root).seed("90.softmax")
    assert room.seed("90.softmax") != room.seed("90.running")


def test_a_verdict_is_the_same_each_time(room):
    wrong = (
        "import random, numpy as np\nimport torch\ndrawn = torch.rand(1)\n"
        "def softmax(x):\n    print(set('abcdef'), drawn)\n"
        "    print(random.random(), np.random.rand(), torch.rand(1))\n    return x"
    )
    room.settings["limits"] = {**tiny.LIMITS, "seconds": 30}  # to import torch
    first, second = (verdict(room, softmax=wrong) for _ in range(2))
    room.settings["limits"] = tiny.LIMITS
    assert not first["stops"]
    assert {**first, "seconds": 0} == {**second, "seconds": 0}


def test_prints_warnings_and_bars_cost_nothing(room):
    noisy = (
        "import sys, warnings, logging\nfrom tqdm import tqdm\n" + tiny.RIGHT["softmax"]
    )
    noisy = noisy.replace(
        "    e =",
        "    warnings.warn('deprecated')\n    logging.error('no')\n"
        "    print('x' * 10**6, file=sys.stderr)\n"
        "    for _ in tqdm(range(9)): pass\n    e =",
    )
    assert scores(verdict(room, softmax=noisy)) == FULL


def test_what_a_wrong_function_printed_is_shown(room):
    found = verdict(
        room, softmax="def softmax(x):\n    print('here I am')\n    return x"
    )
    assert "here I am" in text(found, "test_softmax")


def test_a_notebook_finds_its_data_and_no_other_file(tmp_path):
    room = tiny.make(tmp_path / "class")
    folder = room.root / f"exercises/{tiny.NAME}"
    (folder / "tables").mkdir()
    (folder / "tables/e.csv").write_text("2.718281828459045\n")
    code = (
        "import os\ne = np.loadtxt('tables/e.csv')\n"
        "assert os.listdir() == ['tables']\n\n"
        "def softmax(x):\n    y = e ** (x - x.max())\n    return y / y.sum()"
    )
    path = folder / "x.ipynb"
    nbformat.write(tiny.notebook({**tiny.RIGHT, "softmax": code}), path)
    job = room.job(path)
    path.unlink()
    for trusted in (False, True):
        found = judge({**job, "trusted": trusted})
        assert scores(found) == FULL and found["errors"] == []
    (folder / "tables/e.csv").write_text("3\n")  # after the job was made
    with pytest.raises(ValueError, match="e.csv has changed"):
        judge(job)


def test_own_tasks_may_begin_with_what_is_handed_out(tmp_path):
    for number in "12":  # two classes, in one process
        folder = tmp_path / number
        folder.mkdir()
        visible, hidden = tiny.TASKS.split('@SOFTMAX.check("random')
        visible = visible.replace('Task("90.softmax")', f'Task("90.softmax", {number})')
        (folder / "visible_90.py").write_text(visible)
        (folder / "tasks_90.py").write_text(
            "import numpy as np\n"
            "from course_lib.grading.checks import numbers, require\n"
            "from visible_90 import RUNNING, SCALE, SOFTMAX, TASKS, softmax\n\n\n"
            f'@SOFTMAX.check("random{hidden}'
        )
        found = find_task("90.softmax", str(folder))
        assert [check.hidden for check in found.checks] == [False, True]
        assert found.tolerance == int(number)
        shown = library.own(folder / "visible_90.py").TASKS["90.softmax"]
        assert not any(check.hidden for check in shown.checks)


def test_own_tasks_may_define_a_dataclass_with_postponed_annotations(tmp_path):
    """A dataclass looks its module up by name; two files may have the same name."""
    found = []
    for number in "12":
        path = tmp_path / number / "tasks_90.py"
        path.parent.mkdir()
        path.write_text(
            "from __future__ import annotations\n"
            "from dataclasses import dataclass\n\n\n"
            "@dataclass\nclass Case:\n"
            f"    value: int = {number}\n\n\n"
            "TASKS = {'90.case': Case}\n"
        )
        found.append(library.own(path))
    assert [module.TASKS["90.case"]().value for module in found] == [1, 2]


def test_two_folders_may_have_helpers_of_one_name(tmp_path):
    """Two assignments, or two classes; also where a library has a module so called."""
    files = {
        "helpers.py": "import statistics\n\nVALUE = statistics.VALUE + {}\n",
        "statistics.py": "VALUE = 10 * {}\n",
        "tasks_90.py": (
            "from helpers import VALUE\nimport statistics\n\n\n"
            "def later():\n    import helpers\n\n    return helpers.VALUE\n"
        ),
    }
    for number in "12":
        (tmp_path / number).mkdir()
        for name, text in files.items():
            (tmp_path / number / name).write_text(text.format(number))
    before = [*sys.path]
    one, two = (library.own(tmp_path / n / "tasks_90.py") for n in "12")
    assert (one.VALUE, two.VALUE) == (11, 22)
    assert (one.later(), two.later()) == (11, 22)  # also when it is imported late
    assert (one.statistics.VALUE, two.statistics.VALUE) == (10, 20)
    assert sys.path == before and "helpers" not in sys.modules


def test_the_class_of_a_helper_is_sent_to_the_answer_with_its_own_source(tmp_path):
    """A module that a task gives to an answer crosses the wall as its source."""
    for number in "12":
        folder = tmp_path / number
        folder.mkdir()
        (folder / "nets.py").write_text(
            "import torch\n\n\nclass Net(torch.nn.Module):\n"
            f"    def forward(self, x):\n        return {number} * x\n"
        )
        (folder / "tasks_90.py").write_text("from nets import Net\n\nTASKS = {}\n")
    nets = [library.own(tmp_path / n / "tasks_90.py").Net() for n in "12"]
    sent = [proxy.parts(net)[0] for net in nets]
    assert "return 1 * x" in sent[0] and "return 2 * x" in sent[1]


def test_an_error_in_a_helper_leaves_nothing_behind(tmp_path):
    tasks, helper = tmp_path / "tasks_90.py", tmp_path / "helpers.py"
    tasks.write_text("from helpers import VALUE\n")
    helper.write_text("VALUE = 1 / 0\n")
    with pytest.raises(ZeroDivisionError):
        library.own(tasks)
    helper.write_text("VALUE = 1\n")
    assert library.own(tasks).VALUE == 1


def test_an_error_in_a_cell_is_told_and_the_rest_is_marked(room):
    found = verdict(room, running="def running(f, n) return 3")
    assert scores(found) == {**FULL, "test_running": 0}
    assert found["errors"][0][1] == "SyntaxError"
    assert "there is no running in your notebook" in text(found, "test_running")


@pytest.mark.parametrize(
    ("cell", "en", "zh"),
    [
        ("def running(f, n) return 3", "raised SyntaxError: ", "出错：SyntaxError: "),
        ("1 / 0\ndef running(f, n): pass", "raised ZeroDivisionError: ", "出错：Zero"),
        ("def running(f, n): pass\nwhile 1: pass", "was stopped: ", "被中断了：计算"),
    ],
)  # fmt: skip
def test_an_answers_cell_that_raised_is_reported_with_its_error(room, cell, en, zh):
    """Not only with what follows from it: that there is no such function."""
    found = verdict(room, running=cell)
    shown = text(found, "test_running").split("\n\n")[1]
    assert shown.startswith(f"Your cell did not run to its end: cell 7 {en}")
    assert f"你的单元格没有运行完：cell 7 {zh}" in shown
    test = next(t for t in found["tests"] if t["name"] == "test_running")
    assert test["error"].startswith(f"cell 7 {en}")
    assert all(t["error"] == "" for t in found["tests"] if t is not test)
    if "stopped" not in en:
        assert raised(found)[0].startswith(f"cell 7: {en.split()[1]}")


def test_a_line_that_failed_is_shown(room):
    found = verdict(room, softmax="def softmax(x):\n    return x / 0 + None")
    assert "line 2: return x / 0 + None" in text(found, "test_softmax")


def test_a_long_cell_does_not_stop_the_judge():
    """A search that began anew at each blank line took twenty minutes for this one."""

    def give_up(*_):
        raise TimeoutError

    cells = [{"name": "cell 1", "source": "1/0" + "\n" * 200_000 + "def f(): pass"}]
    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(60)
    try:
        assert broken("f", [["cell 1", "E", "words", ""]], cells)[0] == "cell 1"
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def test_a_crash_costs_its_own_task_only(room):
    crash = "import os\n\ndef softmax(x):\n    os._exit(1)"
    found = verdict(room, softmax=crash)
    assert scores(found) == {**FULL, "test_softmax": 0}
    assert found["stops"] == [
        "softmax: the Python process was ended (exit, or out of memory)"
    ]


def tasks_last(job: dict) -> dict:
    """Return the job with all tests after all other cells."""
    return {**job, "cells": sorted(job["cells"], key=lambda cell: "task" in cell)}


def test_an_object_that_is_stopped_costs_its_own_task_only(room):
    order = ["Scale", "softmax", "running"]
    loop = tiny.RIGHT["Scale"].replace("return self.a * x", "os._exit(1)")
    made = tasks_last(
        job(room, tiny.notebook({**tiny.RIGHT, "Scale": f"import os\n\n{loop}"}))
    )
    made["cells"].sort(key=lambda c: order.index(c["answer"]) if "task" in c else -1)
    found = judge(made)
    assert scores(found) == {**FULL, "test_Scale": 0}
    why = "the Python process was ended (exit, or out of memory)"
    assert found["stops"] == [f"Scale: {why}"]
    assert found["tests"][0]["stopped"] == why


@pytest.mark.parametrize("error", [NoSandbox, OSError])
def test_a_machine_that_starts_no_second_wall_costs_no_points(room, monkeypatch, error):
    started = []

    def start(*settings):
        if started:
            raise error("Cannot allocate memory")
        started.append(SandboxProcess(*settings))
        return started[0]

    monkeypatch.setattr(proxy, "SandboxProcess", start)
    crash = {**tiny.RIGHT, "softmax": "import os\n\ndef softmax(x):\n    os._exit(1)"}
    with pytest.raises(error, match="Cannot allocate"):  # a fault of the judge
        judge(tasks_last(job(room, tiny.notebook(crash))))


def test_a_cell_that_crashes_is_left_out_when_the_others_run_again(room):
    made = tiny.notebook(tiny.RIGHT)
    made.cells.insert(1, nbformat.v4.new_code_cell("import os\nos._exit(1)"))
    found = judge(job(room, made))
    assert scores(found) == FULL
    assert found["stops"] == [
        "cell 2: the Python process was ended (exit, or out of memory)"
    ]


def test_equal_notebooks_are_one_job_and_a_change_is_another(room):
    keys = {
        room.key(job(room, tiny.notebook({**tiny.RIGHT, "running": source})))
        for source in (tiny.RIGHT["running"], tiny.RIGHT["running"], "pass")
    }
    assert len(keys) == 2


def test_what_judges_is_known_down_to_the_libraries_and_the_data():
    names = {
        number: {
            str(path.relative_to(COURSE))
            for path in dependencies.of_verdict(number, "")
        }
        for number in ("04", "06", "16")
    }
    grading = {"course_grading/sandbox.py", "course_lib/grading/library.py"}
    assert all(grading <= found for found in names.values())
    assert "course_lib/text/characters.py" in names["06"]
    assert "course_lib/analysis/senses.py" in names["04"] & names["06"]
    assert {"data/senses/en.tsv", "data/checkpoints/static-zh/model.safetensors"} <= (
        names["04"]
    )
    assert {"data/claims/pos_kept.csv", "course_claims/cards/start_here.py"} <= (
        names["16"]
    )


def test_a_change_in_a_file_that_own_tasks_import_is_another_verdict(tmp_path):
    room = tiny.make(tmp_path / "class")
    helper = room.root / "private/helpers_90.py"
    tasks = room.root / "private/tasks_90.py"
    tasks.write_text(f"from helpers_90 import RIGHT\n{tiny.TASKS}", encoding="utf-8")
    keys = set()
    for text in ("RIGHT = 1\n", "RIGHT = 2\n"):
        helper.write_text(text)
        grader.cache_clear()
        keys.add(room.key(job(room, tiny.notebook(tiny.RIGHT))))
    assert len(keys) == 2


def test_a_test_that_the_judge_cannot_do_is_refused_when_it_is_released():
    cell = tiny.code("test_x", "assert x() == 1", grade=True, points=1)
    with pytest.raises(ClassroomError, match="test_x"):
        called(cell)


@pytest.mark.parametrize(
    "value", ["'a'", "[1, 'a']", "{'a': 1}", "1j", "lambda: 3", "b'a'", "object()"]
)
def test_an_answer_of_another_kind_is_wrong_and_breaks_nothing(room, value):
    found = verdict(room, softmax=f"def softmax(x):\n    return {value}")
    assert scores(found) == {**FULL, "test_softmax": 0}
    assert found["stops"] == []
    assert "numbers are expected" in text(found, "test_softmax") or value == "[1, 'a']"


def test_numbers_of_any_kind_are_numbers(room):
    for value in (
        *("list(y)", "tuple(y)", "torch.tensor(y)", "memoryview(y).tolist()"),
        *("collections.deque(y)", "array.array('d', y)"),
        "[fractions.Fraction(float(z)) for z in y]",
        "[torch.tensor(z, requires_grad=True) for z in y]",
    ):
        answer = tiny.RIGHT["softmax"].replace("return e / e.sum()", "y = e / e.sum()")
        library = re.search(r"torch|collections|fractions|array(?=\.)|$", value)[0]
        source = f"import {library or 'math'}\n\n{answer}\n    return {value}"
        room.settings["limits"] = {**tiny.LIMITS, "seconds": 30, "memory": 3 << 30}
        assert scores(verdict(room, softmax=source)) == FULL, value
    room.settings["limits"] = tiny.LIMITS
