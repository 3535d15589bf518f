"""A class of 200, twenty of them hostile, judged three times over: are the marks right?

    python tests/grading/whole_class.py --folder /tmp/class      (about an hour)
    python tests/grading/whole_class.py --folder /tmp/class --students 12 --hostile 4

Each student hands in two notebooks, 03_glove (NumPy) and 10_ulmfit (PyTorch), with
right answers, wrong ones and stubs, of which it is known what they are worth. Judged
are: plainly; with a `kill -9` in the middle and once more; with dask, two workers, one
killed in the middle. Printed are wall time, CPU time, statuses, wrong marks and lost
rows, and whether the three tables are the same, byte for byte. A folder that is there
is gone on with.
"""

from __future__ import annotations

import argparse
import csv
import inspect
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent
COURSE = HERE.parents[1]
sys.path[:0] = [str(HERE), str(COURSE / "tools")]

import known  # noqa: E402
import nbformat  # noqa: E402
import psutil  # noqa: E402

from course_grading.classroom import Classroom  # noqa: E402

ASSIGNMENTS = ("03_glove", "10_ulmfit")
ATTACKS = """
while True: pass
---
import time; time.sleep(10**6)
---
return sum(range(10**13))
---
x = []
while True: x.append(bytearray(10**7))
---
import os; os._exit(0)
---
import ctypes; ctypes.string_at(0)
---
import os
while True:
    try: os.fork()
    except OSError: pass
---
while True: print("x" * 10**4)
---
import sys; sys.exit(0)
---
class Yes(float):
    dtype, shape, ndim, size = np.dtype(float), (), 0, 1
    __eq__ = __le__ = __ge__ = lambda *_: True
    __sub__ = __rsub__ = lambda *_: 0.0
    __hash__ = None
return Yes(0)
---
import builtins
np.allclose = np.isclose = np.array_equal = lambda *_, **__: True
builtins.abs = lambda x: 0
return 0
---
import sys
return sys._getframe(3).f_locals["right"]
---
from course_lib.grading import checks
checks.same = lambda *_: True
return 0
---
import glob
return open(glob.glob("/**/solutions/*/*.ipynb", recursive=True)[0]).read()
---
import socket; socket.create_connection(("1.1.1.1", 80), 1)
---
import subprocess
subprocess.Popen("sleep 999", shell=True, start_new_session=True)
return 0
---
import numpy; return numpy.zeros(10**7)
""".strip().split("\n---\n")
FILES = ("cut off", "empty", "copied twice")


def worth(task: str, code: str) -> bool | None:
    """Tell whether this code is right; None if it cannot stand alone."""
    try:
        problem = known.judge(task, known.load(code, task), seed=3)
    except Exception:
        return None
    lost = problem and re.search("NameError|is not defined", str(problem))
    return None if lost else problem is None


def choices(task: str) -> dict[bool, list[str]]:
    """Return the code of right and of wrong answers, each proved by the checks."""
    functions = [
        *known.RIGHT[task],
        *(answer for _, answer in known.wrong(task)),
    ]
    codes = [known.solution(task), *(c for _, c in known.changes(known.solution(task)))]
    for function in functions:
        if inspect.isfunction(function) and function.__name__ != "<lambda>":
            source = inspect.getsource(function)
            name = rf"^def {function.__name__}\("
            codes.append(re.sub(name, f"def {task[3:]}(", source, flags=re.MULTILINE))
    found: dict[bool, list[str]] = {True: [], False: []}
    for code in codes:
        right = worth(task, code)
        if right is not None:
            found[right].append(code)
    return found


def hand_in(room: Classroom, assignment: str, students: int, hostile: int) -> dict:
    """Write what is handed in; return {(student, task): points or None if hostile}."""
    draw, expected = random.Random(assignment), {}
    [path] = (room.root / f"exercises/{assignment}").glob("*.ipynb")
    text = path.read_text(encoding="utf-8")
    tests = list(room.cells(nbformat.reads(text, as_version=4)))
    points = {c["task"]: c["points"] for c in tests if "task" in c}
    codes = {task: choices(task) for task in points}
    for number in range(students):
        student = f"s{number:03}"
        content = json.loads(text)
        cells = {c["id"]: c for c in content["cells"]}
        for task, most in points.items():
            kind = draw.choices(("right", "wrong", "stub"), (70, 24, 6))[0]
            if kind != "stub":
                code = draw.choice(codes[task][kind == "right"])
                cells[task[3:]]["source"] = f"{code}\n# {student}\n"
            expected[student, task] = most if kind == "right" else 0
        bad = number * hostile // students != (number + 1) * hostile // students
        if bad:
            which = number * hostile // students
            spoil(content, cells, [*points], which, assignment)
            if which - len(ATTACKS) != FILES.index("copied twice"):  # honest
                expected |= {(student, task): None for task in points}
        target = room.root / f"raw/{student}/{assignment}/{path.name}"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(damaged(content, number * hostile // students, bad))
    return expected


def spoil(content: dict, cells: dict, tasks: list[str], which: int, name: str) -> None:
    """Put an attack in the place of an answer, another one in each notebook."""
    shifted = which + (7 if name == ASSIGNMENTS[0] else 0)
    if which < len(ATTACKS):
        body = ATTACKS[shifted % len(ATTACKS)].replace("\n", "\n    ")
        code = f"import numpy as np\ndef {tasks[0][3:]}(*inputs):\n    {body}\n"
        cells[tasks[0][3:]]["source"] = code
    else:
        content["cells"] += content["cells"][-8:]


def damaged(content: dict, which: int, bad: bool) -> str:
    text = json.dumps(content)
    kind = FILES[which - len(ATTACKS)] if bad and which >= len(ATTACKS) else ""
    return {"cut off": text[: len(text) // 2], "empty": ""}.get(kind, text)


# Running the commands, and how long they take


class Clock:
    """Wall and CPU time of a command and of all that it starts, sampled."""

    def __init__(self, process: subprocess.Popen):
        self.process, self.began, self.taken = process, time.monotonic(), {}
        threading.Thread(target=self.watch, daemon=True).start()

    def watch(self) -> None:
        while self.process.poll() is None:
            self.look()
            time.sleep(0.3)

    def look(self) -> None:
        try:
            first = psutil.Process(self.process.pid)
            for one in [first, *first.children(recursive=True)]:
                times = one.cpu_times()
                self.taken[one.pid, one.create_time()] = times.user + times.system
        except psutil.Error:
            pass

    def read(self) -> str:
        wall = time.monotonic() - self.began
        return f"{wall / 60:.1f} min, {sum(self.taken.values()) / 60:.1f} CPU min"


def start(room: Path, command: str, *words: str) -> tuple[subprocess.Popen, Clock]:
    line = [sys.executable, "-m", "course_lib", "grade", command, *ASSIGNMENTS]
    with (room / f"{command}.log").open("a") as log:
        process = subprocess.Popen(
            [*line, "--class", str(room), *words], cwd=COURSE, stdout=log, stderr=log
        )
    return process, Clock(process)


def run(room: Path, command: str, *words: str, middle: Callable | None = None) -> None:
    """Run a command to its end; in the middle of the work, call `middle`."""
    process, clock = start(room, command, *words)
    jobs = len(list((room / "submitted").glob("*/*/*.ipynb")))
    while process.poll() is None:
        time.sleep(0.2)
        if middle and len(list((room / "verdicts").glob("*.json"))) > 0.45 * jobs:
            middle(process)
            middle = None
    print(f"{room.name}: {command}: {clock.read()}", flush=True)


def with_dask(room: Path) -> None:
    """Judge on two workers of dask's, and kill one in the middle."""
    import distributed

    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None
    ) as cluster:
        address = cluster.scheduler_address.removeprefix("tcp://")

        def lose_a_worker(_) -> None:
            os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)

        run(room, "judge", "--executor", f"dask://{address}", middle=lose_a_worker)


def table(room: Path, name: str) -> bytes:
    return (room / f"report/{name}.csv").read_bytes()


def compare(room: Path, expected: dict) -> None:
    """Print the statuses, and what is wrong with the marks."""
    for assignment in ASSIGNMENTS:
        with (room / f"report/{assignment}.csv").open(encoding="utf-8-sig") as file:
            rows = {row["student"]: row for row in csv.DictReader(file)}
        students = {student for student, _ in expected}
        status = Counter(row["status"] for row in rows.values())
        print(f"{assignment}: {len(rows)} rows, {len(students - set(rows))} lost,", *[
            f"{n} {name}" for name, n in status.items()])  # fmt: skip
        with (room / f"report/{assignment}_tasks.csv").open(
            encoding="utf-8-sig"
        ) as file:
            marks = {(r["student"], r["task"]): float(r["score"])
                     for r in csv.DictReader(file)}  # fmt: skip
        mine = {k: v for k, v in expected.items() if k[1][:2] == assignment[:2]}
        accepted = [k for k, v in mine.items() if v == 0 and marks.get(k, 0)]
        rejected = [k for k, v in mine.items() if v and not marks.get(k)]
        attacked = {s for (s, _), v in mine.items() if v is None}
        first = next(iter(mine))[1]
        paid = [s for s in attacked if marks.get((s, first))]
        print(f"  {len(mine)} answers: {len(accepted)} false accepts, {len(rejected)} "
              f"false rejects; attacks that got marks: {paid}")  # fmt: skip
        print(*[f"  {k}" for k in accepted + rejected], sep="\n")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--students", type=int, default=200)
    parser.add_argument("--hostile", type=int, default=20)
    options = parser.parse_args()
    plain, killed, dask = (options.folder / n for n in ("plain", "killed", "dask"))
    answers = options.folder / "expected.json"
    if not answers.exists():
        options.folder.mkdir(parents=True, exist_ok=True)
        room = Classroom(plain)
        room.create()
        (plain / "raw").mkdir(exist_ok=True)
        run(plain, "release")
        expected = {}
        for name in ASSIGNMENTS:
            expected |= hand_in(room, name, options.students, options.hostile)
        run(plain, "collect")
        for other in (killed, dask):
            shutil.copytree(plain, other, dirs_exist_ok=True)
        answers.write_text(json.dumps([[*k, v] for k, v in expected.items()]))
    expected = {(s, t): v for s, t, v in json.loads(answers.read_text())}
    run(plain, "judge")
    run(killed, "judge", middle=lambda process: process.kill())
    run(killed, "judge")
    with_dask(dask)
    for room in (plain, killed, dask):
        run(room, "report")
    compare(plain, expected)
    names = [n for a in ASSIGNMENTS for n in (a, f"{a}_tasks")]
    for other in (killed, dask):
        same = [table(plain, n) == table(other, n) for n in names]
        print(f"{other.name}: tables the same: {same}")
    run(plain, "record")


if __name__ == "__main__":
    main()
