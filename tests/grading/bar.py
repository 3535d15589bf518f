"""The whole bar for the checks of all tasks; too long for `make test`.

For every task: at least 600 runs of right answers, all accepted, also when they print
and warn; every hand-made wrong answer, every known mistake and every small change of
the solution on 20 seeds, all rejected; of the hand-made ones at least nine in ten, in
each task, are told which mistake it is, on every seed.

    python tests/grading/bar.py                all tasks (about 40 CPU minutes)
    python tests/grading/bar.py 03 10.pool     some
    python tests/grading/bar.py --processes 2

What is done is kept in build/grading-bar.jsonl, so that it can be stopped and begun
again; an entry counts as long as task, answers and checks have not changed.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
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
import numpy as np  # noqa: E402
from tqdm import tqdm  # noqa: E402

from course_lib.grading import checks, library  # noqa: E402

RUNS, SEEDS, PATIENCE = 600, 20, 1800
NAMED = 0.9  # of the hand-made wrong answers of each task
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
    wrong = [f.__name__ for fs in known.WRONG[task].values() for f in fs]
    yield from (Unit(task, "wrong", n, name) for n, name in enumerate(wrong))
    bank = [mistake.name for mistake in known.TASKS[task].mistakes]
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
    if unit.kind == "wrong":
        listed = [(m, f) for m, fs in known.WRONG[task].items() for f in fs]
        mistake, answer = listed[unit.number]
        found = [known.judge(task, answer, seed) for seed in range(SEEDS)]
        good = sum(problem is not None for problem in found)
        named = bool(mistake) and all(p and p.mistake == mistake for p in found)
        return {"runs": SEEDS, "good": good, "named": named}
    if unit.kind == "known":
        answer = known.TASKS[task].mistakes[unit.number].answer
    else:
        changed = itertools.islice(changes(task), unit.number, None)
        answer = known.load(next(changed)[1], task)
    return {
        "runs": SEEDS,
        "good": sum(rejects(task, answer, seed) for seed in range(SEEDS)),
    }


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


def rejects(task: str, answer, seed: int) -> bool:
    """Tell whether a check fails; the first that does is enough."""
    with checks.overheard():
        for number, check in enumerate(known.TASKS[task].checks):
            try:
                check.test(answer, np.random.default_rng([seed, number]))
            except checks.WrongAnswer:
                return True
    return False


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
    wrong = [(unit, entry) for unit, entry in found.items() if unit.kind == "wrong"]
    made = Counter(unit.task for unit, _ in wrong)
    named = Counter(unit.task for unit, entry in wrong if entry["named"])
    shares = {task: named[task] / made[task] for task in made}
    print(
        f"mistake named on all seeds: {named.total()} of {made.total()} wrong answers; "
        f"in the task with the fewest {min(shares.values(), default=1):.1%}"
    )
    few = [task for task, share in shares.items() if share < NAMED]
    for task in few:
        print(f"✗ {task}: mistake named for only {named[task]} of {made[task]}")
    return 1 if few or good != runs else 0


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
