"""Training while another program wants a core: one thread, two patient, two impatient.

By its nature this is measured with the clock. Each setting is a process of its own,
because OpenMP reads its environment once; all take turns, with and without the other
program, so that a machine that is busy anyway is equally busy for all.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import statistics
import subprocess
import sys
import time

import harness  # first: it sets the environment

PATIENT = {"GOMP_SPINCOUNT": "0", "OMP_WAIT_POLICY": "PASSIVE"}
IMPATIENT = {"GOMP_SPINCOUNT": "INFINITY", "OMP_WAIT_POLICY": "ACTIVE"}
SETTINGS = {
    "one thread (what a lesson sets)": (1, PATIENT),
    "two threads that sleep while they wait (the course's default)": (2, PATIENT),
    "two threads that spin while they wait": (2, IMPATIENT),
}


def worker(threads: int, seconds: float) -> None:
    """Train a small biLM for some seconds whenever told to; print tokens a second."""
    import torch

    torch.set_num_threads(threads)
    take, tokens = training_step()
    take()
    print("ready", flush=True)
    for _line in sys.stdin:
        start, done = time.perf_counter(), 0
        while time.perf_counter() - start < seconds:
            take()
            done += tokens
        print(done / (time.perf_counter() - start), flush=True)


def training_step():
    """Return a step of training on a small batch, and how many tokens it reads."""
    import bilm_step
    import texts
    import torch

    from course_lib.models.bilm import BiLM
    from course_lib.text.batches import Batches

    text = texts.text(2e4)
    vocabulary = text.vocabulary(5000)
    tokens, targets = Batches(text, vocabulary, 8).at(0)
    model = BiLM(bilm_step.CONFIG, len(vocabulary))
    adam = torch.optim.Adam(model.parameters(), fused=True)
    step = bilm_step.step(lambda: model(tokens, targets)[1], adam)
    return step, int(tokens.lengths.sum())


def start(threads: int, environment: dict, seconds: float) -> subprocess.Popen:
    """Start a worker with its own OpenMP settings."""
    settings = os.environ | environment | {"OMP_NUM_THREADS": str(threads)}
    command = [sys.executable, __file__, "--worker", str(threads)]
    command += ["--seconds", str(seconds)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, env=settings, **pipes)


@contextlib.contextmanager
def other_program():
    """Keep one core busy, but not for ever, whatever happens to this process."""
    code = "import time\nend = time.time() + 60\nwhile time.time() < end: pass"
    busy = subprocess.Popen([sys.executable, "-c", code])
    try:
        yield
    finally:
        busy.kill()
        busy.wait()


def ask(process: subprocess.Popen) -> float:
    """Let a worker train for a while and return its tokens a second."""
    process.stdin.write("go\n")
    process.stdin.flush()
    return float(process.stdout.readline())


def compare(rounds: int, seconds: float) -> dict[str, tuple[list, list]]:
    """Measure each setting alone and beside the other program, in turns."""
    workers = {name: start(*how, seconds) for name, how in SETTINGS.items()}
    found = {name: ([], []) for name in SETTINGS}
    try:
        for process in workers.values():
            process.stdout.readline()  # it is ready
        for _ in range(rounds):
            for name, process in workers.items():
                found[name][0].append(ask(process))
                with other_program():
                    found[name][1].append(ask(process))
    finally:
        for process in workers.values():
            process.kill()
            process.wait()
    return found


def main() -> None:
    """Print a line for each setting, and keep it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=4, help="of one measurement")
    parser.add_argument("--worker", type=int)
    chosen = parser.parse_args()
    if chosen.worker:
        return worker(chosen.worker, chosen.seconds)
    print(f"threads: on the clock, load {harness.load()}\n")
    for name, (alone, beside) in compare(chosen.rounds, chosen.seconds).items():
        shares = sorted(b / a for a, b in zip(alone, beside, strict=True))
        value = statistics.median(shares)
        line = {
            "name": name, "kind": "ratio", "goal": 0.6, "unit": "tokens",
            "value": value, "spread": [shares[0], shares[-1]], "rounds": len(shares),
            "met": value >= 0.6, "rate": statistics.median(alone),
            "beside": statistics.median(beside),
        }  # fmt: skip
        harness.keep(line)
        print(f"{name}\n  {line['rate']:,.0f} tokens/s alone, {line['beside']:,.0f} "
              f"beside another program: {value:.2f} ({shares[0]:.2f} to "
              f"{shares[-1]:.2f}); goal ≥ 0.6: "
              f"{'met' if line['met'] else 'NOT met'}")  # fmt: skip


if __name__ == "__main__":
    main()
