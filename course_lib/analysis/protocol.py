"""The capstone's protocol: 100 labelled texts, one decision, and no peeping.

study = Study(pool, test, "en", labels=100, seconds=60)
for seed in range(5):
    study.dev(BASELINE, tf_idf("en"), seed)
    study.dev("mine", mine, seed)
study.choose("mine")               which method meets TF-IDF on the test set
scores = study.open_test()         once: both methods, on every seed's 100 texts
study.report(Report(…))            the protocol, checked

A method is a function `method(labelled, loose, texts, seed)` that returns a label for
each of `texts`: it learns from `labelled`, examples with .text and .label, and from
`loose`, texts without labels. It never sees a label that it is asked for.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ..text.examples import Example
from .baselines import TfIdf
from .statistics import Interval, t_interval

BASELINE = "TF-IDF"
SEEDS = 5  # at least so many draws of labelled texts
HELD_OUT = 0.2  # share of the labelled texts that dev scores are measured on
Method = Callable[[Sequence[Example], Sequence[str], Sequence[str], int], Sequence]


class ProtocolBroken(RuntimeError):
    """Say which rule a call would have broken."""


class Event(NamedTuple):
    """One line of the log.

    what:    "dev" (trained on a part of the labels, scored on the rest), "choose", or
             "test" (trained on all labels, scored on the test set)
    labels:  a number that names the set of labelled texts; equal sets, equal numbers
    seconds: of processor time, for training and answering
    """

    what: str
    method: str
    seed: int = -1
    labels: int = 0
    seconds: float = 0.0


class Report(NamedTuple):
    """What a student concludes: how much better, and what to do.

    gain: accuracy of the chosen method less that of TF-IDF, over the seeds, 0 to 1
    decision: "adopt" the chosen method, "keep" TF-IDF, or "undecided"
    """

    method: str
    gain: Interval
    decision: str


def tf_idf(language: str) -> Method:
    """Return the baseline as a method."""

    def method(labelled, loose, texts, seed):
        labels = [example.label for example in labelled]
        return TfIdf([e.text for e in labelled], labels, language).predict(texts)

    return method


class Study:
    """Keep the labels, hand out what the protocol allows, and write down who asked.

    pool: labelled examples, from which each seed draws its own; test: those that
        decide; labels: how many are drawn, 3 or more, all in all: dev scores cost
        labels, too
    seconds: processor time that one run, training and answering, may take
    Errors: ValueError for fewer labels than three, or more than the pool has.
    """

    def __init__(
        self, pool: Sequence[Example], test: Sequence[Example], language: str,
        labels: int = 100, seconds: float = 60.0,
    ):  # fmt: skip
        self._pool, self._test = list(pool), list(test)
        if not 3 <= labels <= len(self._pool):
            raise ValueError(
                f"{labels} labels from a pool of {len(self._pool)} examples; draw 3 or "
                "more, and no more than there are: dev takes a fifth of them"
            )
        self.labels, self.seconds = labels, seconds
        self._methods: dict[str, Method] = {BASELINE: tf_idf(language)}
        self.log: list[Event] = []
        self.scores: dict[str, dict[int, float]] = {}  # of dev: method, seed
        self._right: dict[str, np.ndarray] = {}  # of the test

    def draw(self, seed: int) -> tuple[list[Example], list[str]]:
        """Return a seed's labelled texts, and the rest of the pool without labels."""
        order = np.random.default_rng(seed).permutation(len(self._pool))
        chosen = [self._pool[i] for i in order]
        return chosen[: self.labels], [e.text for e in chosen[self.labels :]]

    def dev(self, name: str, method: Method, seed: int) -> float:
        """Train on four fifths of a seed's labels; return the accuracy on the rest."""
        if any(event.what == "test" for event in self.log):
            raise ProtocolBroken(
                "the test set has been opened: what is tried now was chosen with it. "
                "Begin a new study on other data.\n测试集已经打开过：现在再试，"
                "就是看着测试集选方法。请换数据，重新开始。"
            )
        if self._methods.setdefault(name, method) is not method and name != BASELINE:
            raise ProtocolBroken(
                f"there is another method called {name!r}; give this one a name of its "
                f"own.\n已有另一个方法叫 {name!r}，请给这个起别的名字。"
            )
        labelled, loose = self.draw(seed)
        cut = round(len(labelled) * HELD_OUT)
        hits = self._run("dev", name, seed, labelled[cut:], loose, labelled[:cut])
        self.scores.setdefault(name, {})[seed] = float(hits.mean())
        return self.scores[name][seed]

    def choose(self, name: str) -> None:
        """Say, before the test set is opened, which method will meet TF-IDF there."""
        if name not in self.scores:
            raise ProtocolBroken(
                f"{name!r} has not been tried: study.dev(…) comes first.\n"
                f"{name!r} 还没有试过：先用 study.dev(…)。"
            )
        self.log.append(Event("choose", name))

    def open_test(self) -> dict[str, np.ndarray]:
        """Train both methods on each seed's labels; return who was right, and where.

        The seeds are those with which the chosen method was tried. Shape: 1 or 0,
        (seeds, test texts), by method; the chosen one first. If a method fails,
        nothing was opened: repair it and call again.
        """
        chosen = [event.method for event in self.log if event.what == "choose"]
        if any(event.what == "test" for event in self.log):
            raise ProtocolBroken(
                "the test set has been opened already; it is opened once.\n"
                "测试集已经打开过，只能打开一次。"
            )
        if len(chosen) != 1:
            raise ProtocolBroken(
                f"this log has {len(chosen)} choices: the test set is opened after "
                f"exactly one.\n记录里有 {len(chosen)} 次选择：恰好选定一次之后才能"
                "打开测试集。"
            )
        before = len(self.log)
        try:
            self._right = self._tested(chosen[0])
        except BaseException:
            del self.log[before:]  # nobody has seen a score
            raise
        return self._right

    def _tested(self, chosen: str) -> dict[str, np.ndarray]:
        """Run both methods on the test set, with every seed."""
        found = {}
        for name in dict.fromkeys([chosen, BASELINE]):
            rows = []
            for seed in self.scores[chosen]:
                labelled, loose = self.draw(seed)
                rows.append(self._run("test", name, seed, labelled, loose, self._test))
            found[name] = np.stack(rows)
        return found

    def _run(self, what, name, seed, labelled, loose, asked) -> np.ndarray:
        """Call a method, write down the call, and return 1 where it was right, (N,)."""
        began = time.process_time()
        said = self._methods[name](labelled, loose, [e.text for e in asked], seed)
        seconds = time.process_time() - began
        if len(said) != len(asked):
            raise ValueError(f"{name} gave {len(said)} labels for {len(asked)} texts")
        drawn, _ = self.draw(seed)
        number = zlib.crc32("\n".join(e.text for e in drawn).encode(errors="replace"))
        self.log.append(Event(what, name, seed, number, seconds))
        return np.array([a == e.label for a, e in zip(said, asked, strict=True)], float)

    def report(self, report: Report) -> list[str]:
        """Return the names of the rules, see RULES, that this study does not keep."""
        if report.method not in self._right:
            raise ProtocolBroken(
                "open_test() comes first, and the report is of the chosen method.\n"
                "先用 open_test()；报告写的应当是选定的方法。"
            )
        return broken(self.log, self.seconds) + misread(report, self._right)


# -- the rules -------------------------------------------------------------------------

RULES = {
    "seeds": (
        f"At least {SEEDS} draws of labelled texts, each of them tested.",
        f"至少抽 {SEEDS} 次标注文本，每次都要测。",
    ),
    "paired": (
        "For each seed both methods learn from the same labelled texts.",
        "每个种子下，两种方法用同一批标注文本。",
    ),
    "choice_first": (
        "One choice, made before the test set is opened.",
        "只选一次，而且在打开测试集之前选。",
    ),
    "once": (
        "The test set is opened once: no method is tested twice with a seed, no third "
        "one is tested, nothing is tried afterwards.",
        "测试集只打开一次：同一方法同一种子不测第二遍，不测第三种方法，测完不再试。",
    ),
    "budget": (
        "No run takes more processor time than the budget.",
        "没有一次运行超出时间预算。",
    ),
    "interval": (
        "The gain is the mean of the differences within a seed, with Student's 95 % "
        "interval.",
        "优势是同一种子内之差的平均，配 95% 的 t 区间。",
    ),
    "decision": (
        "“adopt” if the interval lies above 0, “keep” if below, else “undecided”.",
        "区间全在 0 以上才“adopt”，全在 0 以下则“keep”，否则“undecided”。",
    ),
}


def broken(log: Sequence[Event], budget: float) -> list[str]:
    """Return which of the first five rules a log breaks."""
    what = [event.what for event in log]
    chosen = [event.method for event in log if event.what == "choose"]
    tests = [event for event in log if event.what == "test"]
    first = what.index("test") if tests else len(log)
    sets: dict[str, dict[int, int]] = {name: {} for name in (*chosen, BASELINE)}
    for event in tests:
        sets.setdefault(event.method, {})[event.seed] = event.labels
    kept = {
        "seeds": all(len(sets[name]) >= SEEDS for name in (*chosen, BASELINE)),
        "paired": all(sets[name] == sets[BASELINE] for name in chosen),
        "choice_first": len(chosen) == 1 and "choose" in what[:first],
        "once": len({(e.method, e.seed) for e in tests}) == len(tests)
        and {e.method for e in tests} <= {*chosen, BASELINE}
        and "dev" not in what[first:],
        "budget": all(event.seconds <= budget for event in log),
    }
    return [rule for rule, ok in kept.items() if not ok]


def misread(report: Report, right: dict[str, np.ndarray]) -> list[str]:
    """Return which of the last two rules a report breaks, given who was right where."""
    scores = {name: hits.mean(axis=1) for name, hits in right.items()}  # (S,) each
    gain = t_interval(scores[report.method] - scores[BASELINE])
    kept = {
        "interval": np.allclose(report.gain, gain, atol=5e-4, equal_nan=True),
        "decision": decide(gain) == report.decision,
    }
    return [rule for rule, ok in kept.items() if not ok]


def decide(gain: Interval) -> str:
    """Return what an interval of the gain over TF-IDF allows one to decide."""
    if gain.low > 0:
        return "adopt"
    return "keep" if gain.high < 0 else "undecided"
