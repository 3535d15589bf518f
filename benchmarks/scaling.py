"""Training in two processes beside one, and what eight GPUs would need.

python benchmarks/scaling.py             one process, then two, on this machine
python benchmarks/scaling.py --estimate  the original pre-trainings, on paper
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import subprocess
import sys
import time

import harness  # first: it sets the environment
import torch

DAY = 86_400
# FLOP a second that a GPU gives to these networks. None was measured here: three
# round figures, from a cheap card to a large one; with a GPU its own is added.
GPU_RATES = [5e12, 20e12, 100e12]


def worker(steps: int) -> None:
    """Train the biLM of the shipped size and print what this process has spent."""
    import bilm_step
    import texts

    from course_lib.models.bilm import BiLM
    from course_lib.text.batches import Batches
    from course_lib.training import parallel
    from course_lib.training.loop import train
    from course_pretraining.processes import together

    torch.set_num_threads(1)
    with together():
        torch.manual_seed(0)
        text = texts.text(6e4)
        vocabulary = text.vocabulary(10_000)
        batches = Batches(text, vocabulary, rows=32)
        model = BiLM(bilm_step.CONFIG, len(vocabulary))
        train(model, batches, epochs=1 / len(batches))  # the first step sets things up
        cpu, wall = time.process_time(), time.perf_counter()
        run = train(model, batches, epochs=steps / len(batches))
        spent = time.process_time() - cpu
        found = {"tokens": run.tokens, "loss": run.losses[-1][1]}
        found |= {"cpu": parallel.total(spent)[0], "wall": time.perf_counter() - wall}
        if parallel.place()[0] == 0:
            print("\nRESULT", json.dumps(found))


def start(processes: int, steps: int) -> dict:
    """Run the worker in some processes and return what the first one printed.

    The variables are those that torchrun would set, without its own start.
    """
    common = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free_port())}
    common |= {"WORLD_SIZE": str(processes), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, __file__, "--worker", str(steps)]
    started = []
    for rank in range(processes):
        place = {"RANK": str(rank), "LOCAL_RANK": str(rank)}
        settings = os.environ | common | place
        pipe = {"stdout": subprocess.PIPE, "text": True, "env": settings}
        started.append(subprocess.Popen(command, **pipe))
    said = [process.communicate()[0] for process in started]
    line = next(x for x in said[0].splitlines() if x.startswith("RESULT"))
    return json.loads(line.removeprefix("RESULT "))


def free_port() -> int:
    """Find a port that nobody uses."""
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        return place.getsockname()[1]


def compare(steps: int, rounds: int) -> None:
    """Print how much of two processes' time goes into the same work."""
    if harness.device().type == "cuda" and torch.cuda.device_count() < 2:
        print("skipped: two processes want two GPUs")
        return
    for number in range(rounds):
        one, two = start(1, steps), start(2, steps)
        cost = [x["cpu"] / x["tokens"] for x in (one, two)]
        rate = [x["tokens"] / x["wall"] for x in (one, two)]
        line = {
            "name": "two processes, work a token", "kind": "ratio", "unit": "tokens",
            "value": cost[0] / cost[1], "spread": [cost[0] / cost[1]] * 2, "rounds": 1,
            "goal": None, "met": None, "rate": rate[1],
            "on_the_clock": rate[1] / rate[0] / 2, "one": one, "two": two,
        }  # fmt: skip
        harness.keep(line)
        print(
            f"round {number + 1}: losses {one['loss']} and {two['loss']} after the "
            f"same steps; CPU time a token {cost[0] * 1e3:.2f} and {cost[1] * 1e3:.2f} "
            f"ms: efficiency {cost[0] / cost[1]:.2f}; on the clock {rate[0]:,.0f} and "
            f"{rate[1]:,.0f} tokens/s: {line['on_the_clock']:.2f}"
        )


# -- on paper --------------------------------------------------------------------------


def elmo_flops(
    cells=4096, projection=512, layers=2, filters=((1, 32), (2, 32), (3, 64), (4, 128),
    (5, 256), (6, 512), (7, 1024)), highways=2, characters=50, samples=8192,
) -> float:  # fmt: skip
    """Return FLOP of one training token of the original ELMo, three times its forward.

    Two FLOP for each weight and token, in the CNN for each of the 50 places. Sizes:
    allenai/bilm-tf, bin/train_elmo.py.
    """
    n = sum(many for _, many in filters)
    cnn = 2 * 16 * characters * sum(width * many for width, many in filters)
    cnn += 2 * (highways * 2 * n * n + n * projection)
    lstm = 2 * (2 * projection * 4 * cells + cells * projection)
    return 3.0 * (cnn + 2 * layers * lstm + 2 * 2 * samples * projection)


def awd_flops(embedding=400, hidden=1150, words=30_000) -> float:
    """Return FLOP of one training token of ULMFiT's AWD-LSTM.

    Sizes: Howard & Ruder 2018, section 4.1; the softmax's 30,000 words are a guess.
    """
    first, middle, last = ((embedding, hidden), (hidden, hidden), (hidden, embedding))
    lstm = sum(4 * h * (i + h) for i, h in (first, middle, last))
    return 3.0 * 2 * (lstm + words * embedding)


def estimate() -> None:
    """Print days on 8 GPUs for each rate: FLOP × tokens / (8 × rate × efficiency)."""
    runs = {
        # 768,648,884 words of the 1 Billion Word Benchmark, 10 epochs (bilm-tf)
        "ELMo, 2018": (elmo_flops(), 768_648_884 * 10),
        # WikiText-103, 103 million words (the paper); 10 epochs are a guess
        "ULMFiT, 2018": (awd_flops(), 103e6 * 10),
    }
    rates = list(GPU_RATES)
    if harness.device().type == "cuda":
        rates.append(harness.matmul_rate())
    here = harness.matmul_rate()
    who = "one core" if harness.device().type == "cpu" else "the GPU"
    for name, (a_token, tokens) in runs.items():
        total = a_token * tokens
        print(f"{name}: {a_token / 1e6:,.0f} MFLOP a token × {tokens / 1e9:.2f} G "
              f"tokens = {total / 1e18:.2f} × 10^18 FLOP")  # fmt: skip
        print(f"  {who} of this machine at {here / 1e9:.0f} GFLOP/s: "
              f"{total / here / DAY / 365:.2g} years at the floor")  # fmt: skip
        for rate in rates:
            days = total / (8 * rate * 0.9) / DAY
            print(f"  8 GPUs that each give {rate / 1e12:.3g} TFLOP/s, nine tenths of "
                  f"it kept in step: {days:.2g} days")  # fmt: skip


def main() -> None:
    """Choose what to do."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--worker", type=int, help="what `start` starts")
    parser.add_argument("--estimate", action="store_true")
    chosen = parser.parse_args()
    if chosen.worker:
        worker(chosen.worker)
    elif chosen.estimate:
        estimate()
    else:
        compare(chosen.steps, chosen.rounds)


if __name__ == "__main__":
    main()
