"""Lesson 07: does the factor γ before ELMo's mix matter?

γ can say nothing that the next layer's weights could not, so it can only make the way
there easier; and a rate of learning may do as much. Each kind of γ is therefore trained
at three rates, and the rate is chosen on dev, in each seed. Three tasks, with the last
layer alone (where the paper's supplement says that it matters most) and with the
learned mix.

    fixed at 1        the mix as it is
    learned from 1    the paper's
    fixed at 0.2      scaled by hand: ELMo is about as long as the word vectors
    learned from 0.2  as elsewhere in this course

The claim is about the first two. Film reviews and the last kind came later, when the
other two tasks were known.
"""

from __future__ import annotations

from collections.abc import Sequence

from course_lib.analysis.statistics import Interval
from course_lib.training.plug_in import FULL, SMALL, PlugIn, learn, loaded, score

from ..rules import gains, row
from .mixing import TOWN

TASKS = ("conll2000", "sentence_polarity", "waimai")
LAYERS = {"top layer": "top", "learned mix": "all"}
KINDS = {
    "fixed at 1": {"gamma": 1.0, "learns_gamma": False},
    "learned from 1": {"gamma": 1.0, "learns_gamma": True},
    "fixed at 0.2": {"gamma": 0.2, "learns_gamma": False},
    "learned from 0.2": {"gamma": 0.2, "learns_gamma": True},
}
RATES = (1e-3, 5e-3, 2e-2)


def gamma(seed: int, quick: bool = False) -> list[dict]:
    """Return scores on test at the rate chosen on dev, all rates, and where γ ended."""
    sizes, rates = (SMALL, RATES[:2]) if quick else (FULL, RATES)
    found = []
    for task in TASKS:
        made = loaded(TOWN[task] if quick else task, sizes)
        for name, layers in LAYERS.items():
            place = f"{task}: {name}"
            for kind, fixed in KINDS.items():
                on_dev, tested = {}, {}
                for rate in rates:
                    way = PlugIn(layers, **fixed)
                    model, tested[rate] = learn(made, way, seed, sizes, rate)
                    on_dev[rate] = score(model, made, "dev", layers)
                    found.append(row(kind, place, f"score at {rate}", tested[rate]))
                    end = model.mixes["input"].gamma.item()
                    found.append(row(kind, place, f"gamma at {rate}", end))
                best = max(rates, key=on_dev.__getitem__)
                found.append(row(kind, place, "score", tested[best]))
                found.append(row(kind, place, "rate", best))
    return found


def gamma_gains(rows: Sequence[dict]) -> dict[str, Interval]:
    """Return by how much learning γ is ahead of γ = 1, by place."""
    return gains(rows, "score", "learned from 1", "fixed at 1")


EXPERIMENTS = {"gamma": gamma}
