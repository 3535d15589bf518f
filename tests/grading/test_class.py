"""A class from release to report, by the commands that an instructor types."""

from __future__ import annotations

import contextlib
import csv
import html
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from nbgrader.api import Gradebook

from course_grading import commands, workers
from course_grading.classroom import Classroom, ClassroomError
from course_grading.judge import judge
from course_grading.sandbox import NoSandbox, available
from course_lib.grading import checks, hints

sys.path.insert(0, str(Path(__file__).parent / "tamper"))
import tiny_class as tiny  # noqa: E402

pytestmark = [
    pytest.mark.whole,
    pytest.mark.skipif(
        not available(),
        reason="bubblewrap is not installed, or may not make namespaces",
    ),
]
WRONG = "def softmax(x):\n    return np.exp(x - x.max())"
# What an instructor hands out of tasks_90.py: the visible checks, and hints.
VISIBLE = (
    tiny.TASKS.split('@SOFTMAX.check("random')[0]
    + """
@SOFTMAX.mistake("Divide by the sum.", "要除以总和。")
def not_divided(x):
    return np.exp(x - x.max())


HINTS = {"90.softmax": "One.\\n\\n一。\\n\\nTwo.\\n\\n二。\\n\\nThree.\\n\\n三。"}
"""
)
STUDENTS = {
    "ann": tiny.RIGHT,
    "bob": {**tiny.RIGHT, "softmax": WRONG},
    "cai": {"running": tiny.RIGHT["running"], "why-answer": "<script>x</script>!"},
    "dan": {**tiny.RIGHT, "softmax": "import os\n\ndef softmax(x):\n    os._exit(1)"},
    "名字": tiny.RIGHT,
}


def start(room: Path, *words: str) -> subprocess.Popen:
    """Start one of the commands, as an instructor types it."""
    command = [sys.executable, "-m", "course_lib", "grade", *words, tiny.NAME]
    return subprocess.Popen(
        [*command, "--class", str(room)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        cwd=tiny.COURSE,
    )


def grade(room: Path, *words: str) -> str:
    """Run a command in this process, which is quicker; return what it says."""
    with contextlib.redirect_stdout(io.StringIO()) as said:
        code = commands.main([*words, tiny.NAME, "--class", str(room)])
    assert code == 0, said.getvalue()
    return said.getvalue()


@pytest.fixture(scope="module", autouse=True)
def no_settings_of_this_machine(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_CONFIG_DIR", str(tmp_path_factory.mktemp("settings")))
        yield


@pytest.fixture(scope="module")
def collected(tmp_path_factory) -> Path:
    """Make a class with an instructor's own assignment; hand in and collect."""
    root = tmp_path_factory.mktemp("class") / "class"
    room = tiny.make(root)
    shutil.rmtree(root / "exercises")  # it is to be made by nbgrader
    (root / "private/visible_90.py").write_text(VISIBLE, encoding="utf-8")
    (root / f"private/solutions/{tiny.NAME}/numbers.csv").write_text("3,4\n")
    said = grade(root, "release")
    assert f"hand out {root / 'exercises' / tiny.NAME}" in said
    for student, answers in STUDENTS.items():
        tiny.hand_in(room, student, answers)
    tiny.save(room, "eve", b'{"cells": [')
    said = grade(root, "collect")
    assert "6 submissions" in said and "1 unreadable" in said
    return root


@pytest.fixture(scope="module")
def done(collected, tmp_path_factory) -> Path:
    """Take a copy through all commands, without interruption."""
    root = tmp_path_factory.mktemp("done") / "class"
    shutil.copytree(collected, root)
    for command in ("judge", "record", "report"):
        grade(root, command)
    return root


def test_an_instructors_own_checks_hints_and_data_are_handed_out(
    collected, monkeypatch, capsys
):
    monkeypatch.chdir(collected / f"exercises/{tiny.NAME}")
    assert Path("numbers.csv").read_text() == "3,4\n"
    assert not Path("tasks_90.py").exists()
    with pytest.raises(checks.WrongAnswer, match="Divide by the sum"):
        checks.check("90.softmax", lambda x: np.exp(x - x.max()))
    hints.hint()  # the mistake's sentence was the first step
    assert "Hint 2 of 3" in capsys.readouterr().out


def test_hidden_checks_are_not_handed_out_by_mistake(collected, tmp_path):
    root = tmp_path / "class"
    shutil.copytree(collected, root)
    (root / "private/visible_90.py").write_text(tiny.TASKS, encoding="utf-8")
    with pytest.raises(ClassroomError, match="hidden checks: .'random numbers'"):
        Classroom(root).add_visible_checks(tiny.NAME)


def rows(root: Path, table: str = tiny.NAME) -> dict[str, dict]:
    with (root / f"report/{table}.csv").open(encoding="utf-8-sig") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


def test_what_is_handed_out_holds_no_solution(collected):
    text = (collected / f"exercises/{tiny.NAME}/{tiny.NAME}.ipynb").read_text()
    assert "e.sum()" not in text and "adds up" not in text


def test_every_submission_has_a_row_with_a_status_and_a_reason(done):
    found = rows(done)
    assert {name: (row["status"], row["score"]) for name, row in found.items()} == {
        "ann": ("graded", "7"),
        "bob": ("graded", "4"),
        "cai": ("graded", "2"),
        "dan": ("stopped", "4"),
        "eve": ("unreadable", ""),
        "名字": ("graded", "7"),
    }
    assert found["eve"]["why"] == "damaged JSON, line 1"
    assert "softmax: the Python process was ended" in found["dan"]["why"]
    assert {(row["out_of"], row["by_hand"]) for row in found.values()} == {("7", "2")}
    assert (done / f"report/{tiny.NAME}.png").stat().st_size > 10_000


def test_the_gradebook_has_the_same_marks(done):
    with Gradebook(f"sqlite:///{done}/gradebook.db") as book:
        submissions = book.assignment_submissions(tiny.NAME)
        marks = {s.student.id: (s.score, s.needs_manual_grade) for s in submissions}
    assert len(marks) == 6
    assert marks["ann"] == (7, True)  # the written answer waits for a person
    assert marks["bob"][0] == marks["dan"][0] == 4 and marks["cai"][0] == 2
    assert marks["eve"] == (0, True)  # nbgrader has no other number; a person sees it
    with (done / "grades.csv").open(encoding="utf-8", newline="") as file:
        table = {line["student_id"]: line for line in csv.DictReader(file)}
    assert len(table) == 6
    assert (table["bob"]["score"], table["bob"]["status"]) == ("4.0", "graded")
    assert (table["eve"]["score"], table["eve"]["raw_score"]) == ("", "")
    assert table["eve"]["status"] == "unreadable"
    assert table["eve"]["why"] == "damaged JSON, line 1"


def feedback(root: Path, student: str) -> tuple[str, str]:
    """Return a feedback page and its text."""
    page = (root / "feedback" / student / tiny.NAME / f"{tiny.NAME}.html").read_text()
    return page, html.unescape(re.sub(r"<[^>]*>", "", page))


def test_the_feedback_names_the_check_and_the_mistake_and_shows_nothing_hidden(done):
    _, text = feedback(done, "bob")
    assert re.search(r"Grade cell: test_softmax\s+Score: 0\.0 / 3\.0", text)
    assert "✗ random numbers / 随机的数" in text and "Divide by the sum." in text
    for secret in ("rng", "normal", "seed", str(Classroom(done).seed("90.softmax"))):
        assert secret not in text.split("Grade cell: test_softmax")[1][:700]
    page, text = feedback(done, "cai")
    assert "<script>x" not in page and "<script>x</script>!" in text  # as words
    _, text = feedback(done, "eve")
    assert "The file could not be read: damaged JSON, line 1" in text
    assert "文件无法读取：JSON 在第 1 行损坏" in text
    _, text = feedback(done, "dan")
    assert "was stopped: the Python process was ended" in text
    assert "被中断了：Python 进程结束了" in text


def test_doing_it_again_changes_nothing(done):
    book = done / "gradebook.db"
    before = tiny.tree_hash(done / "report", done / "verdicts", done / "feedback")
    changed = book.stat().st_mtime_ns
    assert "0 judged now" in grade(done, "judge")
    grade(done, "record")
    grade(done, "report")
    after = tiny.tree_hash(done / "report", done / "verdicts", done / "feedback")
    assert after == before
    assert book.stat().st_mtime_ns == changed


def test_after_a_kill_in_the_middle_the_tables_are_the_same(collected, done, tmp_path):
    root = tmp_path / "class"
    shutil.copytree(collected, root)
    process = start(root, "judge", "--processes", "1")
    while not list((root / "verdicts").glob("*.json")) and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    first = len(list((root / "verdicts").glob("*.json")))
    assert 1 <= first < 5
    assert re.search(
        rf"5 notebooks, {5 - first} judged now, 0 faults", grade(root, "judge")
    )
    grade(root, "report")
    for name in (tiny.NAME, f"{tiny.NAME}_tasks"):
        table = f"report/{name}.csv"
        assert (root / table).read_bytes() == (done / table).read_bytes()


def test_shards_are_a_division_of_the_work(collected, tmp_path):
    root = tmp_path / "class"
    shutil.copytree(collected, root)
    said = [grade(root, "judge", "--shard", f"{i}/2") for i in range(2)]
    assert "3 judged now" in said[0] and "2 judged now" in said[1]


@pytest.mark.parametrize(
    "words",
    [
        *(["--shard", shard] for shard in ("1-4", "1/0", "4/4", "-1/4")),
        ["--executor", "slurm"],
        ["--executor", "dask://"],
    ],
    ids=" ".join,
)
def test_an_option_that_cannot_be_is_refused_with_a_sentence(words, capsys):
    with pytest.raises(SystemExit) as stop:
        commands.main(["judge", tiny.NAME, "=".join(words)])
    assert stop.value.code == 2
    assert f"argument {words[0]}: {words[1]!r}" in capsys.readouterr().err


def test_marks_given_by_hand_come_into_the_table(done, tmp_path):
    root = tmp_path / "class"
    shutil.copytree(done, root)
    with Gradebook(f"sqlite:///{root}/gradebook.db") as book:
        mark = book.find_grade("why-answer", tiny.NAME, tiny.NAME, "ann")
        mark.manual_score, mark.needs_manual_grade = 1.5, False
        book.db.commit()
    assert "0 submissions recorded now" in grade(root, "record")
    with (root / "grades.csv").open(encoding="utf-8", newline="") as file:
        table = {line["student_id"]: line for line in csv.DictReader(file)}
    assert table["ann"]["score"] == "8.5" and table["eve"]["score"] == ""
    assert not list(root.glob("grades.csv?*"))
    grade(root, "report")
    assert (rows(root)["ann"]["score"], rows(root)["ann"]["given"]) == ("7", "1.5")
    assert rows(root)["bob"]["given"] == ""
    _, page = feedback(root, "ann")
    assert re.search(r"Score: 8\.5 / 9\.0", page)  # the page agrees with the table


def test_late_work_costs_what_was_set_also_after_it_was_recorded(done, tmp_path):
    """The gradebook has the due date, timestamp.txt the time, the settings the cost."""
    root = tmp_path / "class"
    shutil.copytree(done, root)
    for student, day in (("ann", 1), ("bob", 3)):
        path = root / f"raw/{student}/{tiny.NAME}/timestamp.txt"
        path.write_text(f"2027-03-0{day} 12:00:00 UTC")
    grade(root, "collect")
    with Gradebook(f"sqlite:///{root}/gradebook.db") as book:
        book.update_or_create_assignment(tiny.NAME, duedate="2027-03-02 12:00:00 UTC")
    with (root / "nbgrader_config.py").open("a") as file:
        file.write("\nc.LateSubmissionPlugin.penalty_method = 'zero'\n")
    assert "6 submissions recorded now" in grade(root, "record")
    with (root / "grades.csv").open(encoding="utf-8", newline="") as file:
        table = {line["student_id"]: line for line in csv.DictReader(file)}
    assert (table["ann"]["late_submission_penalty"], table["ann"]["score"]) == (
        "0.0",
        "7.0",
    )
    assert (table["bob"]["raw_score"], table["bob"]["score"]) == ("4.0", "0.0")
    assert "0 submissions recorded now" in grade(root, "record")


def test_a_new_hand_in_is_judged_and_recorded_alone(done, tmp_path):
    root = tmp_path / "class"
    shutil.copytree(done, root)
    tiny.hand_in(Classroom(root), "bob", {**tiny.RIGHT, "running": "pass"})
    for command in ("collect", "judge", "record", "report"):
        said = grade(root, command)
        assert command != "judge" or "5 notebooks, 1 judged now" in said
    assert rows(root)["bob"]["score"] == "5"
    with Gradebook(f"sqlite:///{root}/gradebook.db") as book:
        assert book.find_submission(tiny.NAME, "bob").score == 5


def test_nothing_is_recorded_that_was_not_judged(collected, tmp_path):
    root = tmp_path / "class"
    shutil.copytree(collected, root)
    grade(root, "report")
    assert {row["status"] for row in rows(root).values()} == {
        "not judged",
        "unreadable",
    }
    assert {row["score"] for row in rows(root).values()} == {""}
    with contextlib.redirect_stdout(io.StringIO()) as said:
        assert commands.main(["record", tiny.NAME, "--class", str(root)]) == 1
    assert "not judged yet" in said.getvalue()


def test_a_judge_that_dies_takes_no_other_job_along(collected):
    jobs = Classroom(collected).jobs([tiny.NAME])
    first = next(iter(jobs))
    jobs[first] = {**jobs[first], "cells": None}  # no such job exists: a fault
    results = dict(workers.verdicts(jobs, "local", 2))
    assert isinstance(results.pop(first), TypeError)
    assert all(isinstance(result, dict) for result in results.values())


def test_a_sandbox_that_does_not_start_costs_no_other_verdict(
    collected, tmp_path, monkeypatch, capsys
):
    root = tmp_path / "class"
    shutil.copytree(collected, root)

    def verdicts(jobs, *_):
        first, *rest = jobs
        yield first, NoSandbox("the sandbox does not start: no answer within 60 s")
        yield from ((key, {"stops": []}) for key in rest)

    monkeypatch.setattr(workers, "verdicts", verdicts)
    assert commands.main(["judge", tiny.NAME, "--class", str(root)]) == 1
    assert "5 notebooks, 5 judged now, 1 faults" in capsys.readouterr().out
    assert len(list((root / "verdicts").glob("*.json"))) == 4


def test_a_student_can_check_a_file_before_handing_it_in(tmp_path):
    solved = tiny.COURSE / "solutions/03_glove/03_glove.ipynb"
    content = json.loads(solved.read_text(encoding="utf-8"))
    answers = [c for c in content["cells"] if c["id"] == "ratios"]
    content["cells"] += answers  # a copy, as happens
    path = tmp_path / "mine.ipynb"
    path.write_text(json.dumps(content), encoding="utf-8")
    command = [sys.executable, "-m", "course_lib", "grade", "check", str(path)]
    done = subprocess.run(command, cwd=tiny.COURSE, capture_output=True, text=True)
    assert "! ratios: 2 copies, the last changed one counts" in done.stdout
    assert "you can hand it in" in done.stdout and done.returncode == 0


IMPORTS = {
    "imported": "from course_lib.text.characters import char_ids",
    "found again": (
        "import sys\nfor name in [n for n in sys.modules if n[:6] == 'course']:\n"
        "    del sys.modules[name]\nfrom course_lib.text.characters import char_ids"
    ),
    "read": (
        f"exec(open({str(tiny.COURSE / 'course_lib/text/characters.py')!r}).read()"
        ".replace('from ..', 'from course_lib.'))"
    ),
}


@pytest.mark.parametrize("way", IMPORTS)
def test_what_a_student_checks_at_home_is_what_the_class_will_say(way, tmp_path):
    """The course's own solution passes in neither place; the exercise says so."""
    name = "06_elmo_bilm"
    solved = tiny.COURSE / f"solutions/{name}/{name}.ipynb"
    content = json.loads(solved.read_text(encoding="utf-8"))
    kept = ("title", "setup", "char_ids", "test_char_ids")
    content["cells"] = [c for c in content["cells"] if c["id"] in kept]
    content["cells"][2]["source"] = IMPORTS[way]
    assert "none may import it" in "".join(content["cells"][0]["source"])
    root = tmp_path / "class"
    room = Classroom(root)
    room.create()
    for folder in ("raw/ann", "exercises"):
        path = root / folder / name / f"{name}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(content), encoding="utf-8")
    shutil.copy(tiny.COURSE / f"exercises/{name}/{name}.ipynb", path)
    room.collect(name)
    [(_, job)] = room.jobs([name]).items()
    marked = judge(job)["tests"][0]
    with contextlib.redirect_stdout(io.StringIO()) as said:
        assert commands.main(["check", str(root / f"raw/ann/{name}/{name}.ipynb")]) == 1
    assert marked["score"] == 0 and "failed: test_char_ids" in said.getvalue()
    assert marked["error"] in said.getvalue().replace(": ", " raised ", 1)


def forgotten(key: str, address: str) -> None:
    """Wait until no worker keeps a result that was handed over already."""
    import distributed

    with distributed.Client(address) as client:
        for _ in range(50):
            if not client.who_has().get(key):
                return
            time.sleep(0.1)
    pytest.fail("a lost worker's results would be judged again")


def test_an_engine_that_is_there_can_judge_and_lose_a_worker(collected, done, tmp_path):
    distributed = pytest.importorskip("distributed")
    root = tmp_path / "class"
    shutil.copytree(collected, root)
    jobs = Classroom(root).jobs([tiny.NAME])
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None
    ) as cluster:
        address = cluster.scheduler_address.removeprefix("tcp://")
        results, lost = {}, False
        for key, result in workers.verdicts(jobs, f"dask://{address}", 0):
            results[key] = result
            if not lost:
                forgotten(key, cluster.scheduler_address)
                os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)
                lost = True
    assert sorted(results) == sorted(jobs)
    for key, result in results.items():
        kept = json.loads(Classroom(done).verdict_path(key).read_text())
        assert {**result, "seconds": 0} == {**kept, "seconds": 0}
