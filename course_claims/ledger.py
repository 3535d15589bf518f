"""The ledger: what the experiments measured, seed by seed, in small CSV files.

An experiment is a function of a seed. Many seeds take longer than a lesson, so their
results are kept in data/claims and shown from there; a lesson repeats one of them.

KEY.csv     what was measured: seed, model, condition, metric, value
KEY.json    where each seed came from: fingerprint of the code, corpora and checkpoints
            that were loaded, seconds, machine; "was" is the fingerprint when it was
            measured, where the code has changed since in a way that alters no result:
            `claims run --quick` gave the same numbers before and after

again/      the same with five other seeds: would the verdict come out the same?
zh/         the same on Chinese text, of what is measured in English only: would it?

    python -m course_lib claims run frequent_sense_dominates --seeds 5

What an experiment pre-trains is kept in the user's cache, for its other seeds, under
its sizes and text, not its code. So before measuring again after a change of training,
delete it: `python -m course_lib cache --clear`.
"""

from __future__ import annotations

import csv
import functools
import hashlib
import importlib
import inspect
import io
import json
import os
import platform
import statistics
import time
from collections.abc import Callable, Iterable
from importlib.metadata import version
from pathlib import Path
from pkgutil import iter_modules

from course_lib import DATA
from course_lib.analysis.statistics import gain, over_seeds  # noqa: F401 (ledger.gain)
from course_lib.data import files
from course_lib.kept import write as write_files

from . import experiments as rooms
from .fingerprint import fingerprint

FOLDER = DATA / "claims"
AGAIN = FOLDER / "again"
CHINESE = FOLDER / "zh"
ROOMS = tuple(f"{rooms.__name__}.{m.name}" for m in iter_modules(rooms.__path__))
COLUMNS = ("seed", "model", "condition", "metric", "value")
Experiment = Callable[..., list[dict]]
ENOUGH = 5  # seeds that a verdict needs
OTHERS = range(11, 16)  # seeds of nothing else: a verdict is tried again with them


def experiments() -> dict[str, Experiment]:
    """Return all experiments by name, each a function of (seed, quick=False).

    It returns rows with model, condition, metric and value.
    """
    found = map(importlib.import_module, ROOMS)
    tables = (getattr(room, "EXPERIMENTS", {}) for room in found)  # helpers: none
    return {key: run for table in tables for key, run in table.items()}


def in_chinese() -> dict[str, Experiment]:
    """Return the experiments on English text that can be asked on Chinese text, too.

    Those that take a language, but for those that have a Chinese twin: its rows count
    for the verdict itself.
    """
    known = experiments()
    twins = {key for key in known if f"{key}_zh" in known or key.endswith("_zh")}
    return {
        key: functools.partial(run, language="zh")
        for key, run in known.items()
        if "language" in inspect.signature(run).parameters and key not in twins
    }


def kept_in(folder: Path) -> dict[str, Experiment]:
    """Return the experiments whose results a folder has."""
    return in_chinese() if folder.name == CHINESE.name else experiments()


def measured(key: str, folder: Path = FOLDER) -> list[dict]:
    """Read what was measured; seed is an int, value a float.

    Errors: FileNotFoundError that says how to measure it.
    """
    path = folder / f"{key}.csv"
    if not path.exists():
        raise FileNotFoundError(
            f"{path} is not there: `python -m course_lib claims run {key}` measures it"
        )
    with open(path, encoding="utf-8", newline="") as file:
        return [
            {**row, "seed": int(row["seed"]), "value": float(row["value"])}
            for row in csv.DictReader(file)
        ]


def kept(key: str, t: Callable[[str, str], str]) -> list[dict]:
    """Read what was measured; if nothing was, say so in the notebook."""
    try:
        return measured(key)
    except FileNotFoundError:
        print(key, t("not measured yet", "尚未测量"))
        return []


def seeds_of(key: str, folder: Path = FOLDER) -> list[int]:
    """List the seeds that were measured; none if the experiment was not."""
    there = (folder / f"{key}.csv").exists()
    return sorted({row["seed"] for row in measured(key, folder)}) if there else []


def topped_up(key: str, n: int, folder: Path = FOLDER) -> list[int]:
    """Return the seeds that the ledger has, and those after them, to n in all.

    From 1 if it has none. A seed below all that are there is left out on purpose: it
    was a pilot's.
    """
    known = seeds_of(key, folder)
    after = known[-1] if known else 0
    return known + [after + k + 1 for k in range(n - len(known))]


def record(
    key: str, seeds: Iterable[int], folder: Path = FOLDER, quick: bool = False
) -> list[dict]:
    """Run an experiment with the seeds that the ledger does not have, and keep them.

    Each seed is written when it is done, so that a stop loses only the seed at work.
    Errors: KeyError if there is no such experiment.
    """
    known = kept_in(folder)
    if key not in known:
        raise KeyError(f"no experiment {key!r}; there are {', '.join(sorted(known))}")
    rows = measured(key, folder) if (folder / f"{key}.csv").exists() else []
    for seed in seeds:
        if any(row["seed"] == seed for row in rows):
            continue
        print(f"{key}, seed {seed}", flush=True)
        began = time.perf_counter()
        rows += [{"seed": seed, **row} for row in known[key](seed, quick=quick)]
        origin = origin_of(known[key], time.perf_counter() - began)
        write(rows, folder / f"{key}.csv")
        note_origin(key, seed, origin, folder)
    return rows


# -- where a result came from ----------------------------------------------------------


def origin_of(experiment: Experiment, seconds: float) -> dict:
    """Say which code, files and machine a result comes from, now that it is there.

    Files are those that the process has loaded so far, an earlier experiment's too.
    """
    return {
        "code": fingerprint(experiment),
        "files": {name: content(path) for name, path in sorted(files.USED.items())},
        "seconds": round(seconds, 1),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python "
        f"{platform.python_version()}, torch {version('torch')}",
    }


@functools.cache
def content(path: Path | None) -> str:
    """Return the hash of a file that ships with the course; of a corpus, nothing."""
    if path is None:
        return ""
    found = path.exists()
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12] if found else "gone"


def note_origin(key: str, seed: int, origin: dict, folder: Path = FOLDER) -> None:
    """Keep where a seed's results came from, all or nothing."""
    known = {**origins(key, folder), str(seed): origin}
    text = json.dumps(known, indent=1, sort_keys=True, ensure_ascii=False)
    write_files({folder / f"{key}.json": f"{text}\n".encode()})


def origins(key: str, folder: Path = FOLDER) -> dict[str, dict]:
    """Read where the results of each seed came from."""
    path = folder / f"{key}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def seconds(key: str) -> float:
    """Return how long a seed of an experiment took, the median; 0 if that is unknown.

    The first seed may take longer: what it pre-trains is there for the others.
    """
    known = (origins(key, folder).values() for folder in (FOLDER, AGAIN))
    kept = [o["seconds"] for of in known for o in of if "seconds" in o]
    return statistics.median(kept) if kept else 0.0


def stale(key: str, folder: Path = FOLDER) -> list[str]:
    """Say what has changed since an experiment was measured; nothing if it stands.

    "code", the name of a checkpoint or of a file of sense sentences, or "unknown" if
    some seed came from an earlier ledger, which did not keep this.
    """
    known, seeds = origins(key, folder), {row["seed"] for row in measured(key, folder)}
    code, changed = fingerprint(kept_in(folder)[key]), set()
    for seed in seeds:
        if str(seed) not in known:
            changed.add("unknown")
            continue
        origin = known[str(seed)]
        if origin["code"] != code:
            changed.add("code")
        for name, was in origin["files"].items():
            if was and was != content(ships(name)):
                changed.add(name)
    return sorted(changed)


def ships(name: str) -> Path:
    """Return the file of a checkpoint or of sense sentences, by its name."""
    kind, _, language = name.partition("-")
    if kind == "senses":
        return DATA / "senses" / f"{language}.tsv"
    return DATA / "checkpoints" / name / "model.safetensors"


def write(rows: list[dict], path: Path) -> None:
    """Write rows as CSV, all or nothing."""
    file = io.StringIO(newline="")
    table = csv.DictWriter(file, COLUMNS, lineterminator="\n")
    table.writeheader()
    for row in sorted(rows, key=lambda row: row["seed"]):
        table.writerow({**row, "value": f"{row['value']:.6g}"})
    write_files({path: file.getvalue().encode()})
