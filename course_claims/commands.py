"""The ledger's commands: `python -m course_lib claims list|run|report`."""

from __future__ import annotations

import math
import os
import signal
import threading
import traceback
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context, parent_process
from pathlib import Path

from tqdm import tqdm

from course_lib import kept

from . import ledger
from .cards import all_cards
from .claim_card import Card
from .words import AS_TOLD, IN_OUR_RUNS

QUICK = Path("build/claims-quick")  # never among the results that ship


def list_cards() -> None:
    """Print all cards: key, lesson, both verdicts, seeds, and what is doubtful."""
    found = all_cards()
    for card in found.values():
        doubts = ["unstable"] * card.unstable
        doubts += [f"measured before a change of {change}" for change in card.stale]
        minutes = math.ceil(sum(map(ledger.seconds, card.experiments)) / 60)
        seeds = f"{card.seeds} seeds of {minutes} min" if card.experiments else ""
        verdicts = f"{card.as_told:10} {card.ran:12}"
        print(f"{card.key:34} {card.lesson:20} {verdicts} {seeds:17}", *doubts)
    print(f"\n{len(found)} cards")
    print(count_verdicts(found.values()))
    hours = sum(map(ledger.seconds, ledger.experiments())) / 3600
    print(f"a seed of every experiment: {hours:.1f} hours of one core")


def count_verdicts(found: Collection[Card]) -> str:
    """Count both verdicts in words: as told: 12 right, …; in our runs: …"""
    lines = []
    for title, words, attribute in (
        ("as told", AS_TOLD, "as_told"),
        ("in our runs", IN_OUR_RUNS, "ran"),
    ):
        counted = Counter(getattr(card, attribute) for card in found)
        lines.append(f"{title}: " + ", ".join(f"{counted[w]} {w}" for w in words))
    return "\n".join(lines)


def experiments_of(names: Sequence[str], folder: Path = ledger.FOLDER) -> list[str]:
    """Return the experiments that names, of cards or experiments, stand for, or all.

    Only those of which the folder has results; in Chinese that is some of them.
    Errors: SystemExit that says what is wrong, if a name is neither or none of the
    cards has such an experiment.
    """
    known, found = ledger.kept_in(folder), all_cards()
    if not names:
        return sorted(known)
    keys = []
    for name in names:
        if name not in ledger.experiments() and name not in found:
            raise SystemExit(
                f"claims: no experiment or card {name!r}; `python -m course_lib claims "
                "list` lists the cards"
            )
        keys += found[name].experiments if name in found else [name]
    keys = [key for key in keys if key in known]
    if not keys:
        named = ", ".join(names)
        why = "not on Chinese text" if folder == ledger.CHINESE else "no experiments"
        raise SystemExit(f"claims: nothing to measure for {named}: {why}")
    return list(dict.fromkeys(keys))


def run(
    names: Sequence[str],
    seeds: int,
    quick: bool = False,
    again: bool = False,
    chinese: bool = False,
    jobs: int = 2,
) -> None:
    """Measure experiments, all if none is named; what was measured before is kept.

    Each experiment has a process of its own, with one thread: what it loaded is known
    afterwards, its memory is freed, and an error of one does not stop the others.
    Ctrl-C ends them all at once, and nothing is kept of the seeds at work.
    quick: one seed at the smallest size, always anew, into a folder of its own; a check
    that all of it runs, never a result. again: with five other seeds. chinese: on
    Chinese text, where an experiment is in English only and can be asked so.
    seeds: how many of each there shall be. jobs: experiments at a time.
    Errors: SystemExit that names the experiments that have no result.
    """
    folder = ledger.AGAIN if again else ledger.CHINESE if chinese else ledger.FOLDER
    keys = experiments_of(names, folder)
    if quick:
        folder = QUICK / ledger.CHINESE.name if chinese else QUICK
        left = begun_anew(keys, folder)
    else:
        left = to_measure(keys, seeds, folder)
        print(forecast(left, jobs))
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # of the processes that start now
    workers = {"max_tasks_per_child": 1, "initializer": end_with_the_run}
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), **workers)
    failed = []
    try:
        given = {pool.submit(measure, k, s, folder, quick): k for k, s in left.items()}
        for job in tqdm(as_completed(given), total=len(given), unit="experiment"):
            if error := job.exception():
                traceback.print_exception(error)
                failed.append(given[job])
    except KeyboardInterrupt:
        goes_on = "" if quick else "; the same command goes on"
        raise SystemExit(f"stopped{goes_on}") from None
    finally:
        pool.shutdown(cancel_futures=True)
    if failed:
        raise SystemExit(f"claims: no result of {', '.join(failed)}; see above")


def end_with_the_run() -> None:
    """Let this process end at once at Ctrl-C, and when the one that began it is gone.

    A run that was killed must not go on, unseen, for hours.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)

    def watch() -> None:
        parent_process().join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def begun_anew(keys: Sequence[str], folder: Path) -> dict[str, list[int]]:
    """Forget quick results, which may be of older code; return one seed of each."""
    for key in keys:
        (folder / f"{key}.csv").unlink(missing_ok=True)
        (folder / f"{key}.json").unlink(missing_ok=True)
    return {key: [1] for key in keys}


def to_measure(keys: Sequence[str], seeds: int, folder: Path) -> dict[str, list[int]]:
    """Return which seeds a folder lacks, by experiment, the longest runs first.

    So that none of them is left to run alone at the end.
    """
    missing = {}
    for key in keys:
        again = folder == ledger.AGAIN
        wanted = ledger.OTHERS if again else ledger.topped_up(key, seeds, folder)
        there = ledger.seeds_of(key, folder)
        missing[key] = [seed for seed in wanted if seed not in there]
    left = [key for key in keys if missing[key]]
    left.sort(key=lambda key: len(missing[key]) * ledger.seconds(key), reverse=True)
    return {key: missing[key] for key in left}


def forecast(missing: Mapping[str, Sequence[int]], jobs: int) -> str:
    """Say how much is to be measured, and about how long it will take.

    Without what is pre-trained for the first seed, and is then kept for the others.
    """
    count = sum(map(len, missing.values()))
    seconds = [len(of) * ledger.seconds(key) for key, of in missing.items()]
    minutes = max(sum(seconds) / jobs, *seconds, 0) / 60
    said = f"{count} seeds to measure: about {minutes:.0f} minutes, {jobs} at a time"
    unknown = [key for key in missing if not ledger.seconds(key)]
    if unknown:
        said += f", and what {', '.join(unknown)} takes, which is not known yet"
    return said


def measure(key: str, seeds: Sequence[int], folder: Path, quick: bool) -> None:
    """Record an experiment in a process of its own, whose bars need no shared lock.

    The one that tqdm makes belongs to the system, and would outlive a killed process.
    """
    tqdm.set_lock(threading.RLock())
    ledger.record(key, seeds, folder, quick)


def report(out: Path) -> None:
    """Write the claims page of the book, one file a language, and count verdicts."""
    from .page import page

    for language in ("en", "zh"):
        path = out / f"claims_{language}.html"
        kept.write({path: page([*all_cards().values()], language).encode()})
        print(path)
    print(count_verdicts(all_cards().values()))
