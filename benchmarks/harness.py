"""What the benchmarks share: outputs checked first, then ours and the peer in turns.

A script defines `races(small)`, a list of `Race`, and ends with `main(races)`. Ours and
the peer run in one process, one after the other, for several rounds: what slows the
machine down slows both. What counts is the median over the rounds of the ratio of
their CPU times (one thread), because the wall clock also counts the waiting for other
programs. On a GPU, whose work CPU time does not see, it is the wall clock.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before torch and numpy are imported
import course_lib  # first: it sets how threads wait  # noqa: E402, F401, I001
import torch  # noqa: E402

from course_lib.training import device  # noqa: E402

RESULTS = Path(__file__).resolve().parents[1] / "build" / "bench"
FLOAT32, BFLOAT16 = torch.float32, torch.bfloat16
COUNTED = (-1.0, 0.0)


@dataclass
class Race:
    """One row: what is measured, against what, and what would be enough.

    ours, peer: do the same work and return what came out; without a peer, only the
        rate or the seconds of ours count
    goal: `kind` says of what. "ratio": the peer's time / ours, at least; "share": ours
        / the peer's, at most; "rate": `amount` of `unit` a second, at least;
        "seconds": at most. None: the row has no goal
    tolerance: how far the outputs may lie apart; None: they cannot be equal, and
        `note` says why
    floor: the least that ours has to do, in FLOP and in bytes; see `floor_of`.
        COUNTED: the matrix products that torch meets in ours, of `dtype`
    scale: which share of the whole work is measured; seconds are of the whole
    skip: why this row cannot be measured here
    """

    name: str
    ours: Callable[[], Any] | None = None
    peer: Callable[[], Any] | None = None
    goal: float | None = 1.0
    kind: str = "ratio"
    amount: float = 1
    unit: str = "times"
    tolerance: float | None = 1e-4
    floor: tuple[float, float] = (0, 0)
    dtype: torch.dtype = FLOAT32
    scale: float = 1.0
    note: str = ""
    skip: str = ""


class Times(NamedTuple):
    """The seconds of one side in each round."""

    cpu: list[float]
    wall: list[float]

    @property
    def counted(self) -> list[float]:
        """Return those that count: of the processor, but on a GPU of the clock."""
        return self.cpu if device().type == "cpu" else self.wall


def wait() -> None:
    """Let a GPU finish what it was given; a processor has finished."""
    if device().type != "cpu":
        getattr(torch, device().type).synchronize()


def cpu_seconds() -> float:
    """Return the CPU time of this process, and of its children that have ended."""
    spent = os.times()
    return time.process_time() + spent.children_user + spent.children_system


def timed(work: Callable[[], Any], times: Times) -> None:
    """Run some work and note how long it took."""
    wait()
    wall, cpu = time.perf_counter(), cpu_seconds()
    work()
    wait()
    times.cpu.append(cpu_seconds() - cpu)
    times.wall.append(time.perf_counter() - wall)


def keep_memory(kept: bool) -> None:
    """Let glibc keep what is freed, as course_lib does; or not, as it does by itself.

    Not kept: blocks of over 32 MB go back to the system, as they do in a long run of a
    program that sets nothing. What ours has left is cleared away first.
    """
    if platform.libc_ver()[0] != "glibc":
        return
    library = ctypes.CDLL(None)
    library.mallopt(-3, 2**25)  # M_MMAP_THRESHOLD; used only if there may be mappings
    library.mallopt(-4, 0 if kept else 2**16)  # M_MMAP_MAX
    library.mallopt(-1, 2**31 - 1 if kept else 2**26)  # M_TRIM_THRESHOLD
    if not kept:
        library.malloc_trim(0)


def alternate(
    works: list[Callable], rounds: int, seconds: float, kept: list[bool] | None = None
) -> list[Times]:
    """Run all works in turns until the rounds or the seconds are over.

    kept: for each, whether freed memory is kept; by default for all
    """
    of = dict(zip(works, kept or [True] * len(works), strict=True))
    found = [Times([], []) for _ in works]
    end = time.monotonic() + seconds
    for number in range(rounds):
        order = list(zip(works, found, strict=True))
        for work, times in order if number % 2 == 0 else reversed(order):
            keep_memory(of[work])
            timed(work, times)
        if time.monotonic() > end:
            break
    return found


# -- the floor -------------------------------------------------------------------------


def count_flops(work: Callable[[], Any]) -> tuple[Any, float]:
    """Do some work; return what came out, and the FLOP of its products."""
    from torch.utils.flop_counter import FlopCounterMode

    with FlopCounterMode(display=False) as counter:
        found = work()
    return found, float(counter.get_total_flops())


def matmul_rate(dtype: torch.dtype = FLOAT32, size: int = 0) -> float:
    """Measure FLOP a second of a product of two (size, size) matrices: the best of 7.

    A product takes size multiplications and size additions for each of its numbers.
    By default 768; 4,096 on a GPU, which is not filled by less.
    """
    size = size or (768 if device().type == "cpu" else 4096)
    x = torch.randn(size, size, device=device(), dtype=dtype)
    times = alternate([lambda: x @ x], 8, 20.0)[0].counted
    return 2 * size**3 / min(times[1:] or times)


def bandwidth(megabytes: int = 64) -> float:
    """Measure bytes a second, read and written, of copying memory: the best of 7."""
    x = torch.ones(megabytes * 2**18, device=device())
    y = torch.empty_like(x)
    times = alternate([lambda: y.copy_(x)], 8, 20.0)[0].counted
    return 2 * x.nbytes / min(times[1:] or times)


def floor_of(race: Race) -> tuple[float, str]:
    """Return the seconds below which ours cannot come, and how they were found.

    Arithmetic at the measured rate of matrix products, or bytes at the measured
    bandwidth, whichever takes longer.
    """
    operations, moved = race.floor
    found = []
    if operations:
        rate, kind = matmul_rate(race.dtype), str(race.dtype).removeprefix("torch.")
        how = f"{operations / 1e9:.1f} GFLOP at {rate / 1e9:.0f} GFLOP/s {kind}"
        found.append((operations / rate, how))
    if moved:
        rate = bandwidth()
        found.append((moved / rate, f"{moved / 1e9:.2f} GB at {rate / 1e9:.1f} GB/s"))
    return max(found, default=(0.0, ""))


# -- a race ----------------------------------------------------------------------------


def check(race: Race) -> None:
    """Run each side once; raise AssertionError unless both give the same.

    Notes in the race how near they are, and the floor if it is to be counted.
    """
    if race.floor == COUNTED:
        mine, operations = count_flops(race.ours)
        race.floor = (operations, 0.0)
    else:
        mine = race.ours()
    theirs = None if race.peer is None else race.peer()
    if race.peer is None or race.tolerance is None:
        return
    pairs = [
        (one.float(), other.float())
        for one, other in zip(flat(mine), flat(theirs), strict=True)
    ]
    for one, other in pairs:
        close = {"rtol": race.tolerance, "atol": race.tolerance}
        torch.testing.assert_close(one, other, **close)
    worst = max(float((one - other).abs().max()) for one, other in pairs)
    race.note = f"Outputs equal to {worst:.0e}. {race.note}".strip()


def flat(found: Any) -> list[torch.Tensor]:
    """List the tensors in what a side returned."""
    if isinstance(found, list | tuple):
        return [tensor for part in found for tensor in flat(part)]
    return [torch.as_tensor(found).detach()]


def measure(race: Race, rounds: int, seconds: float) -> dict:
    """Check a race, run it, and return its line of the table."""
    if race.skip:
        return {"name": race.name, "skip": race.skip}
    check(race)
    works = [race.ours] + [race.peer] * (race.peer is not None)
    # A ratio is to another program, which has its memory as the C library gives it.
    kept = [True, race.kind != "ratio"][: len(works)]
    ours, *peers = alternate(works, rounds, seconds, kept)
    mine = statistics.median(ours.counted) / race.scale
    floor, how = floor_of(race)
    line = {
        "name": race.name, "kind": race.kind, "goal": race.goal, "unit": race.unit,
        "rounds": len(ours.cpu),
        "ours": mine, "ours_wall": statistics.median(ours.wall) / race.scale,
        "rate": race.amount / mine, "floor": floor, "floor_how": how, "note": race.note,
        "of_floor": floor / mine,
    }  # fmt: skip
    values = {"rate": [race.amount / t for t in ours.counted]}
    values["seconds"] = [t / race.scale for t in ours.counted]
    if peers:
        theirs = peers[0]
        pairs = list(zip(ours.counted, theirs.counted, strict=True))
        values["ratio"] = [their / our for our, their in pairs]
        values["share"] = [our / their for our, their in pairs]
        line["peer"] = statistics.median(theirs.counted)
        line["peer_wall"] = statistics.median(theirs.wall)
    found = sorted(values[race.kind])
    line |= {"value": statistics.median(found), "spread": [found[0], found[-1]]}
    line["met"] = judged(race.kind, line["value"], race.goal)
    return line


def judged(kind: str, value: float, goal: float | None) -> bool | None:
    """Say whether a value is enough; None if there is no goal."""
    if goal is None:
        return None
    return value >= goal if kind in ("ratio", "rate") else value <= goal


def verdict(line: dict) -> str:
    """Say what the goal is, and whether it is met."""
    if line["goal"] is None:
        return "no goal"
    sign = "≥" if line["kind"] in ("ratio", "rate") else "≤"
    return f"goal {sign} {line['goal']:,.3g}: {'met' if line['met'] else 'NOT met'}"


def show(line: dict) -> str:
    """Write a line of the table for people."""
    if "skip" in line:
        return f"{line['name']}\n  skipped: {line['skip']}\n"
    low, high = line["spread"]
    counted = "CPU" if device().type == "cpu" else "counted"  # a GPU: of the clock
    rows = [
        f"ours   {line['ours']:.4g} s {counted}, {line['ours_wall']:.4g} s on the "
        f"clock, {line['rate']:,.0f} {line['unit']}/s"
    ]
    if "peer" in line:
        seconds = f"{line['peer']:.4g} s {counted}, {line['peer_wall']:.4g} s"
        rows.append(f"peer   {seconds} on the clock")
    if line["floor"]:
        rows.append(f"floor  {line['floor']:.4g} s = {line['floor_how']}: ours needs "
                    f"{1 / line['of_floor']:.2f} times as long")  # fmt: skip
    rows.append(
        f"{line['kind']:6s} {line['value']:,.3g} ({low:,.3g} to {high:,.3g} in "
        f"{line['rounds']} rounds); {verdict(line)}"
    )
    rows += [line["note"]] * bool(line["note"])
    return "\n  ".join([line["name"], *rows]) + "\n"


def main(races: Callable[[bool], list[Race]]) -> None:
    """Run a script's races, print each line, and keep them in build/bench."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=7, help="of a race, at most")
    parser.add_argument("--seconds", type=float, default=60, help="for a race, about")
    parser.add_argument("--small", action="store_true", help="less work a round")
    parser.add_argument("--only", default="", help="races whose name contains this")
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    print(f"{Path(sys.argv[0]).stem}: {device()}, one thread, load {load()}\n")
    for race in races(chosen.small):
        if chosen.only in race.name:
            line = measure(race, chosen.rounds, chosen.seconds)
            print(show(line), flush=True)
            keep(line)


def load() -> str:
    """Say how many programs want to compute: of the last minute, of how many cores."""
    wanting = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    return f"{wanting} on {os.cpu_count()} cores"


def keep(line: dict) -> None:
    """Write a line to build/bench, where `table.py` finds it."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    script = Path(sys.argv[0]).stem
    name = "".join(c if c.isalnum() else "_" for c in line["name"])
    text = json.dumps({"script": script, "load": load(), **line}, indent=1)
    (RESULTS / f"{script}.{name}.json").write_text(text, encoding="utf-8")
