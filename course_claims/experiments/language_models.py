"""Does the neural language model of 2003 beat the n-grams? The claim of lesson 01.

A network that has read the text once, and its mixture with a trigram, against the
better of two Kneser-Ney models, on Brown and on Chinese news.
"""

from __future__ import annotations

import collections
import math

import torch

from course_lib import data
from course_lib.analysis.statistics import Interval, t_interval
from course_lib.models import ngram, nnlm
from course_lib.text.vocabulary import Vocabulary

from ..rules import by_model, conditions, row

N = 5  # order of the network; every model is tested from the fifth word on


def nnlm_beats_ngrams(seed: int, quick: bool = False) -> list[dict]:
    """Return test perplexities on Brown and on Chinese news, split as in the paper.

    Models: Kneser-Ney of orders 3 and 4, the network after once through the text, and
    its mixture with the trigram; the seed is the network's.
    """
    rows = []
    corpora = ["rivertown-en"] if quick else ["brown", "msra"]
    for corpus in corpora:
        parts, V = split(corpus, 30_000 if quick else 1_170_000)
        found = perplexities(*parts, V, seed, steps=200 if quick else 1_500)
        rows += [
            row(name, corpus, "perplexity", value) for name, value in found.items()
        ]
    return rows


def split(corpus: str, limit: int, size: int = 10_000) -> tuple[list[list[int]], int]:
    """Return training, validation and test text as word numbers, and V.

    The shares are the paper's on Brown (800,000, 200,000 and the rest of its words);
    small letters; all but the `size` commonest words of the training text are `<unk>`.
    """
    words: list[str] = []
    for document in data.load(corpus).documents():
        words += [word.lower() for sentence in document for word in sentence]
        if len(words) >= limit:
            break
    cuts = 0, int(0.685 * len(words)), int(0.856 * len(words)), len(words)
    parts = [words[a:b] for a, b in zip(cuts, cuts[1:], strict=False)]
    counts = collections.Counter(parts[0])
    vocabulary = Vocabulary.from_counts(counts, size=size, min_count=4)
    return [vocabulary.encode(part) for part in parts], len(vocabulary)


def perplexities(
    train: list[int], valid: list[int], test: list[int], V: int, seed: int, steps: int
) -> dict[str, float]:
    """Return the test perplexity of each model; all predict the same words."""
    counted = {}
    for n in (3, 4):
        model = ngram.KneserNey([train], n, vocabulary=V + 1)  # and the end of the text
        counted[n] = [log_chances(model, part) for part in (valid, test)]
    network = fit(train, V, seed, steps)
    scored = [
        nnlm.log_probabilities(network, torch.tensor(part)) for part in (valid, test)
    ]
    weight = nnlm.best_weight(scored[0], counted[3][0])
    log_p = {
        "trigram": counted[3][1],
        "4-gram": counted[4][1],
        "NNLM": scored[1],
        "NNLM and trigram": nnlm.mix(scored[1], counted[3][1], weight),
    }
    return {name: math.exp(-float(value.mean())) for name, value in log_p.items()}


def log_chances(model: ngram.NGram, ids: list[int]) -> torch.Tensor:
    """Return log P of each word that has N - 1 words before it. Shape: (T-N+1,)."""
    grams = list(zip(*(ids[k:] for k in range(model.order)), strict=False))
    chances = model.probabilities(grams[N - model.order :])  # (T-N+1,)
    return torch.tensor([*map(math.log, chances)])


def fit(train: list[int], V: int, seed: int, steps: int, m: int = 60) -> nnlm.NNLM:
    """Train an NNLM by Adam on batches of 512; its learning rate falls to zero."""
    torch.manual_seed(seed)
    model = nnlm.NNLM(V, N, m=m, h=100)
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    slower = torch.optim.lr_scheduler.LinearLR(optimizer, 1, 0, total_iters=steps)
    contexts, targets = nnlm.windows(torch.tensor(train), N)
    for _ in range(steps):
        rows = torch.randint(len(targets), (512,))
        optimizer.zero_grad()
        model(contexts[rows], targets[rows])[1].backward()
        optimizer.step()
        slower.step()
    return model


# -- the effects ----------------------------------------------------------------------


def against_ngrams(rows: list[dict]) -> dict[tuple[str, str], Interval]:
    """Return by which share the perplexity differs from the better n-gram's.

    By text and model; -0.1 is a tenth lower, and lower is better.
    """
    found = {}
    for text in conditions(rows):
        of = by_model(rows, "perplexity", text)
        best = min(("trigram", "4-gram"), key=lambda m: of[m].sum())
        for name in ("NNLM", "NNLM and trigram"):
            found[text, name] = t_interval(of[name] / of[best] - 1)
    return found


EXPERIMENTS = {"nnlm_beats_ngrams": nnlm_beats_ngrams}
