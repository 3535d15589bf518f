"""How time and memory grow with the input: pictures on log-log axes, and the slopes.

A slope of 1 means: twice the input, twice the time. Every series ends at ten times
its smallest input or more, so that inputs ten times as long as usual are among them.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import gc
import io
import json
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import bilm_step
import harness  # first: it sets the environment
import matplotlib
import numpy as np
import texts
import torch

from course_lib.models.awd_lstm import AWDLSTM, AWDConfig
from course_lib.models.bilm import BiLM, Encoder
from course_lib.models.crf import CRF
from course_lib.models.glove import cooccurrences
from course_lib.models.word2vec import Word2Vec, train
from course_lib.text.batches import Batches, read_text
from course_lib.text.vocabulary import Vocabulary

matplotlib.use("Agg")
PAGE = Path("/proc/self")
KEPT = harness.RESULTS
STEEP = 1.15  # a slope above is called superlinear


class Series(NamedTuple):
    """What grows: prepare(n) returns the work at size n."""

    name: str
    axis: str
    sizes: list[int]
    prepare: Callable[[int], Callable]


# -- what is measured ------------------------------------------------------------------


def encode_length(n: int) -> Callable:
    """Encode one sentence of n words with the shipped sizes."""
    model = BiLM(bilm_step.CONFIG, 100)
    encoder = Encoder(model, Vocabulary(["<unk>"]))
    words = [w for s in texts.sentences(3000) for w in s]
    sentence = (words * (n // len(words) + 1))[:n]
    return lambda: encoder.encode([sentence])


def crf_length(n: int) -> Callable:
    """Compute the CRF's loss of 8 sentences of n words, with its gradient."""
    crf, scores = CRF(25), torch.randn(8, n, 25, requires_grad=True)
    tags, mask = torch.zeros(8, n, dtype=torch.long), torch.ones(8, n, dtype=torch.bool)
    return lambda: crf(scores, tags, mask).backward()


def bilm_training(rows: int = 8, words: int = 10_000) -> Callable:
    """Take a training step of a biLM with the shipped LSTMs."""
    text = texts.text(3e4)
    vocabulary = text.vocabulary(min(words, 10_000))
    longest = np.argsort(-text.lengths, kind="stable")[:rows]  # all equally long
    tokens, targets = Batches(text, vocabulary, rows).batch(longest)
    model = BiLM(replace(bilm_step.CONFIG), words)
    adam = torch.optim.Adam(model.parameters(), fused=True)
    return bilm_step.step(lambda: model(tokens, targets)[1], adam)


def awd_training(words: int, samples: int = 0) -> Callable:
    """Take a training step of the AWD-LSTM with so many words."""
    model = AWDLSTM(AWDConfig(samples=samples), words)
    adam = torch.optim.Adam(model.parameters(), fused=True)
    tokens = torch.randint(words, (4, 36))

    def take() -> None:
        reading, loss = model(tokens[:, :-1], tokens[:, 1:])
        adam.zero_grad()
        (loss[0] + reading.penalty).backward()
        adam.step()

    return take


def corpus(n: int) -> tuple[list, Vocabulary, list[list[int]]]:
    """Return n words in documents, a vocabulary, and the sentences in numbers."""
    documents = texts.documents(n)
    vocabulary = Vocabulary.from_sentences((s for d in documents for s in d), 5000)
    return documents, vocabulary, [vocabulary.encode(s) for d in documents for s in d]


def numbering(n: int) -> Callable:
    """Number n words and lay out an epoch of batches."""
    documents, vocabulary, _ = corpus(n)
    return lambda: Batches(read_text(documents), vocabulary, 64).epoch(0)


def counting(n: int) -> Callable:
    """Count the pairs of n words for GloVe."""
    _, vocabulary, numbers = corpus(n)
    return lambda: cooccurrences(numbers, len(vocabulary))


def skip_gram(n: int) -> Callable:
    """Read n words once with skip-gram."""
    _, vocabulary, numbers = corpus(n)
    counts = np.bincount(np.concatenate(numbers), minlength=len(vocabulary))

    def read() -> None:
        with contextlib.redirect_stdout(io.StringIO()):
            train(Word2Vec(len(vocabulary), 50), numbers, counts, epochs=1)

    return read


SERIES = [
    Series("ELMo: encode one sentence", "words of a sentence", [30, 100, 300, 1000],
           encode_length),
    Series("CRF: loss and gradient", "words of a sentence", [10, 30, 100, 300],
           crf_length),
    Series("biLM: training step", "rows of a batch", [1, 3, 10, 30], bilm_training),
    Series("biLM: softmax in bands", "words predicted", [1000, 3000, 10_000, 30_000,
           100_000], lambda n: bilm_training(4, n)),
    Series("AWD-LSTM: full softmax", "words predicted", [1000, 3000, 10_000, 30_000,
           100_000], awd_training),
    Series("AWD-LSTM: softmax of a sample of 1,000", "words predicted",
           [1000, 3000, 10_000, 30_000, 100_000], lambda n: awd_training(n, 1000)),
    Series("reading: numbers and batches", "words of the corpus", [3000, 10_000, 30_000,
           100_000, 300_000], numbering),
    Series("GloVe: counting", "words of the corpus", [3000, 10_000, 30_000, 100_000,
           300_000], counting),
    Series("skip-gram: one epoch", "words of the corpus", [3000, 10_000, 30_000],
           skip_gram),
]  # fmt: skip


# -- measuring -------------------------------------------------------------------------


def memory(field: str) -> float:
    """Return a line of this process's status in MB: VmRSS now, VmHWM at the highest.

    Linux tells; elsewhere the pictures have no memory.
    """
    try:
        lines = (PAGE / "status").read_text().splitlines()
    except OSError:
        return float("nan")
    return next(float(x.split()[1]) / 1e3 for x in lines if x.startswith(field))


def peak(work: Callable) -> float:
    """Return how far the memory rises during some work, in MB."""
    gc.collect()
    with contextlib.suppress(OSError, AttributeError):  # what is free goes back first
        ctypes.CDLL(None).malloc_trim(0)
    with contextlib.suppress(OSError):
        (PAGE / "clear_refs").write_text("5")  # forget the highest so far
    before = memory("VmRSS")
    work()
    return memory("VmHWM") - before


def point(work: Callable, seconds: float = 0.5) -> tuple[float, float]:
    """Return the CPU seconds of some work, the best of a few, and its memory."""
    megabytes = peak(work)
    times: list[float] = []
    end = time.process_time() + seconds
    while len(times) < 2 or (time.process_time() < end and len(times) < 20):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times), megabytes


def slope(sizes: list[int], values: list[float]) -> float:
    """Fit the exponent to the last three sizes, or to two if there are no more."""
    x, y = np.log(sizes[-3:]), np.log(np.maximum(values[-3:], 1e-9))
    return float(np.polyfit(x, y, 1)[0])


def keep(series: Series, sizes: list[int], points: list[tuple], steep: float) -> None:
    """Keep what was measured, so that series measured alone meet in a picture."""
    line = {"name": series.name, "axis": series.axis, "sizes": sizes, "slope": steep}
    line |= {"points": points, "load": harness.load()}
    harness.RESULTS.mkdir(parents=True, exist_ok=True)
    name = "".join(c if c.isalnum() else "_" for c in series.name)
    (KEPT / f"{name}.growth").write_text(json.dumps(line, indent=1), encoding="utf-8")


def draw() -> None:
    """Draw time and memory of all series that were kept, a picture for each axis."""
    import matplotlib.pyplot as plt

    kept = [json.loads(path.read_text()) for path in sorted(KEPT.glob("*.growth"))]
    for axis in sorted({line["axis"] for line in kept}):
        figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.2), layout="tight")
        for line in (line for line in kept if line["axis"] == axis):
            seconds, megabytes = zip(*line["points"], strict=True)
            label = f"{line['name']} (slope {line['slope']:.2f})"
            left.loglog(line["sizes"], seconds, "o-", label=label)
            right.loglog(line["sizes"], np.maximum(megabytes, 0.1), "o-")
        left.set(xlabel=axis, ylabel="CPU seconds, one thread", title="time")
        left.legend(fontsize=8)
        right.set(xlabel=axis, ylabel="MB above the start of the work", title="memory")
        for panel in (left, right):
            panel.grid(alpha=0.3)
        path = KEPT / f"growth_{axis.replace(' ', '_')}.png"
        figure.savefig(path, dpi=110)
        plt.close(figure)
        print(f"drawn: {path}")


def main() -> None:
    """Measure each series, name those that are superlinear, and draw them."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="", help="series whose name contains this")
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    for series in SERIES:
        if chosen.only in series.name:
            series.prepare(series.sizes[0])()  # the first call of all sets things up
            points = [point(series.prepare(n)) for n in series.sizes]
            steep = slope(series.sizes, [seconds for seconds, _ in points])
            keep(series, series.sizes, points, steep)
            seconds = [spent for spent, _ in points[-2:]]
            last = slope(series.sizes[-2:], seconds)
            verdict = "SUPERLINEAR" if max(steep, last) > STEEP else "linear or less"
            shown = ", ".join(f"{n:,}: {s:.3g} s {m:.0f} MB" for n, (s, m) in
                              zip(series.sizes, points, strict=True))  # fmt: skip
            print(
                f"{series.name}: slope {steep:.2f}, of the last step {last:.2f}: "
                f"{verdict} ({shown})",
                flush=True,
            )
    draw()


if __name__ == "__main__":
    main()
