"""The whole bar for the checks of all tasks; too long for `make test`.

For every task: at least 600 runs of right answers, all accepted, also when they print
and warn; every known mistake, every hand-made wrong answer and every small change of
the solution on 20 seeds, all rejected; every known mistake is told its own sentence on
every seed, and of all wrong answers but the small changes at least nine in ten are, in
each task.

    python tests/grading/bar.py                all tasks (about 40 CPU minutes)
    python tests/grading/bar.py 03 10.pool     some
    python tests/grading/bar.py --processes 2

What is done is kept in build/grading-bar.jsonl, so that it can be stopped and begun
again; an entry counts as long as task, answers and checks have not changed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import logging
import multiprocessing
import os
import signal
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
COURSE = HERE.parents[1]
sys.path[:0] = [str(HERE), str(COURSE / "tools")]
os.environ.setdefault("OMP_NUM_THREADS", "1")

import known  # noqa: E402
from tqdm import tqdm  # noqa: E402

from course_lib.grading import library  # noqa: E402

RUNS, SEEDS, PATIENCE = 600, 20, 1800
NAMED = 0.9  # of the wrong answers of each task, known mistakes among them
LOG = COURSE / "build/grading-bar.jsonl"


class Unit(NamedTuple):
    """One answer on all its seeds."""

    task: str
    kind: str  # right, noisy, wrong, known or small
    number: int
    name: str

    @property
    def id(self) -> str:
        return "/".join(map(str, self))


def units(task: str) -> Iterator[Unit]:
    """Yield what is to be tried for a task."""
    rights = ["the solution", *(f.__name__ for f in known.RIGHT[task])]
    yield from (Unit(task, "right", n, name) for n, name in enumerate(rights))
    yield Unit(task, "noisy", 0, "the solution")
    wrong = [answer.__name__ for _, answer in known.wrong(task)]
    yield from (Unit(task, "wrong", n, name) for n, name in enumerate(wrong))
    bank = [name for name, _ in known.mistakes(task)]
    yield from (Unit(task, "known", n, name) for n, name in enumerate(bank))
    for n, (line, _) in enumerate(known.changes(known.solution(task))):
        if line not in known.HARMLESS.get(task, ()):
            yield Unit(task, "small", n, line)


def attempt(unit: Unit) -> dict:
    """Try an answer; return how often it was right about it, and whether it was named.

    good: in how many of the runs it was accepted (right answers) or rejected (others)
    """
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGALRM, too_long)
    signal.alarm(PATIENCE)
    task = unit.task
    if unit.kind in ("right", "noisy"):
        answer = load_right(task, unit.number)
        if unit.kind == "noisy":
            answer = noisy(answer)
        count = SEEDS
        if unit.kind == "right":
            count = -(-RUNS // (1 + len(known.RIGHT[task])))
        good = sum(known.judge(task, answer, seed) is None for seed in range(count))
        return {"runs": count, "good": good}
    if unit.kind == "small":
        code = changes(task)[unit.number][1]
        good = sum(
            not known.accepted(task, known.load(code, task), seed)
            for seed in range(SEEDS)
        )
        return {"runs": SEEDS, "good": good}
    listed = known.wrong(task) if unit.kind == "wrong" else known.mistakes(task)
    mistake, answer = listed[unit.number]
    found = [known.judge(task, answer, seed) for seed in range(SEEDS)]
    good = sum(problem is not None for problem in found)
    named = bool(mistake) and all(p and p.mistake == mistake for p in found)
    return {"runs": SEEDS, "good": good, "named": named}


def too_long(*_) -> None:
    raise TimeoutError(f"more than {PATIENCE} s")


def changes(task: str) -> list[tuple[str, str]]:
    return list(known.changes(known.solution(task)))


def load_right(task: str, number: int):
    if number:
        return known.RIGHT[task][number - 1]
    return known.load(known.solution(task), task)


def noisy(answer):
    """Return an answer that also prints, warns, logs and shows a bar."""

    def talk(*inputs):
        print("…" * 2000)
        warnings.warn("deprecated", stacklevel=1)
        logging.getLogger("student").error("strange")
        for _ in tqdm(range(2), file=sys.stderr):
            pass
        return answer(*inputs)

    return talk


@cache
def digest(number: str) -> str:
    """Return a digest of all that the entries of an assignment depend on."""
    task = library.file_of("checks", number)
    beside = sorted({*task.parent.glob("*.py")} - {task.with_name("hints.py")})
    paths = [COURSE / "course_lib/grading/checks.py", *beside]
    text = b"".join(path.read_bytes() for path in paths) + b"%d %d" % (RUNS, SEEDS)
    solutions = [known.solution(t) for t in known.TASKS if t[:2] == number]
    return hashlib.sha256(text + "".join(solutions).encode()).hexdigest()[:16]


def done() -> dict[str, dict]:
    """Return what is known already, by unit; a half-written line does not count."""
    found = {}
    for line in LOG.read_text(encoding="utf-8").splitlines() if LOG.exists() else ():
        try:
            entry = json.loads(line)
            if entry["digest"] == digest(entry["id"][:2]):
                found[entry["id"]] = entry
        except (ValueError, KeyError, TypeError):
            continue
    return found


def report(found: dict[Unit, dict]) -> int:
    """Print the counts and what falls short; return 0 if nothing does."""
    runs, good, answers = Counter(), Counter(), Counter()
    for unit, entry in found.items():
        answers[unit.kind] += 1
        runs[unit.kind] += entry["runs"]
        good[unit.kind] += entry["good"]
        if entry["good"] < entry["runs"]:
            print(f"✗ {unit.id}: {entry['good']} of {entry['runs']}")
    for kind, said in {
        "right": "right answers accepted",
        "noisy": "right and noisy answers accepted",
        "wrong": "hand-made wrong answers rejected",
        "known": "known mistakes rejected",
        "small": "small changes of the solution rejected",
    }.items():
        print(f"{said}: {good[kind]} of {runs[kind]} runs ({answers[kind]} answers)")
    return 1 if unnamed(found) or good != runs else 0


def unnamed(found: dict[Unit, dict]) -> list[str]:
    """Print how often the mistake was named; return where it should have been."""
    wrong = [(unit, e) for unit, e in found.items() if unit.kind in ("wrong", "known")]
    made = Counter(unit.task for unit, _ in wrong)
    named = Counter(unit.task for unit, entry in wrong if entry["named"])
    shares = {task: named[task] / made[task] for task in made}
    print(
        f"mistake named on all seeds: {named.total()} of {made.total()} wrong answers; "
        f"in the task with the fewest {min(shares.values(), default=1):.1%}"
    )
    few = [task for task, share in shares.items() if share < NAMED]
    few += [u.id for u, entry in wrong if u.kind == "known" and not entry["named"]]
    for one in few:
        print(f"✗ {one}: not always told which mistake it is")
    return few


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("tasks", nargs="*", help="03, 10.pool, …; all if none")
    parser.add_argument("--processes", type=int, default=1)
    options = parser.parse_args()
    chosen = [t for t in known.TASKS if t.startswith(tuple(options.tasks or [""]))]
    wanted = {unit.id: unit for task in chosen for unit in units(task)}
    before = done()
    rest = [unit for id, unit in wanted.items() if id not in before]
    LOG.parent.mkdir(exist_ok=True)
    spawn = multiprocessing.get_context("spawn")
    with (
        spawn.Pool(options.processes) as pool,
        LOG.open("a", encoding="utf-8") as log,
        tqdm(total=len(wanted), initial=len(wanted) - len(rest), unit="answer") as bar,
    ):
        for unit, entry in zip(rest, pool.imap(attempt, rest), strict=True):
            entry |= {"id": unit.id, "digest": digest(unit.task[:2])}
            log.write(json.dumps(entry, ensure_ascii=False) + "\n")
            log.flush()
            bar.set_postfix_str(unit.task, refresh=False)
            bar.update()
    found = done()
    return report({unit: found[id] for id, unit in wanted.items()})


if __name__ == "__main__":
    sys.exit(main())
