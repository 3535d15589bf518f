"""The scoreboard's line of ELMo as it is used: each question learns how to mix layers.

The readers are those of the other lines: a linear one by AdamW for tags, a penalised
logistic regression for texts. Here they read s_0 h_0 + s_1 h_1 + s_2 h_2, and learn
the weights s beside their own. Senses are left out: the nearest centroid learns
nothing. Each layer is scaled to mean 0 and deviation 1, and so is their sum. It is a
table, not a claim.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch.nn import functional as F

import course_lib
from course_lib.analysis import probes
from course_lib.analysis.tagging import span_f1
from course_lib.models.elmo import ScalarMix
from course_lib.text.tokenise import TOKENISERS

from ..rules import row
from .scoreboard import LABELS, questions

MODEL = "biLM, learned mix"
SOFT = 0.01  # C of the logistic regression, as on the other lines


def learned_mix(seed: int, quick: bool = False) -> list[dict]:
    """Return the scores; the seed draws the sentences, the texts and the batches."""
    found = []
    for language in ("en",) if quick else ("en", "zh"):
        encoder = course_lib.load(f"elmo-{language}")
        for kind, parts in questions(language, seed, quick).items():
            if kind == "sentiment":
                scores = of_texts(encoder, parts, language, quick)
            else:
                scores = {kind: of_tags(encoder, parts, seed, quick)}
            for name, (score, _) in scores.items():
                found.append(row(MODEL, f"{name} {language}", "score", score))
    return found


def of_tags(encoder, parts: tuple, seed: int, quick: bool) -> tuple[float, list]:
    """Return accuracy, or F1 of spans, and the weights."""
    known, asked = (
        np.concatenate(encoder.encode([s.tokens for s in part]), axis=1)
        for part in parts
    )  # (L+1, N, D)
    labels = [tag for s in parts[0] for tag in s.tags]
    draw = torch.Generator().manual_seed(seed)

    def learn(loss: Callable, n: int, parameters: list, w: list) -> None:
        groups = [{"params": w, "weight_decay": 0.0}, {"params": parameters}]
        adam = torch.optim.AdamW(groups, lr=0.01, weight_decay=0.1, fused=True)
        steps = 50 if quick else probes.STEPS
        slower = torch.optim.lr_scheduler.LinearLR(adam, 1.0, 0.01, steps)
        for _ in range(steps):
            rows = torch.randint(n, (min(256, n),), generator=draw)
            adam.zero_grad()
            loss(rows).backward()
            adam.step()
            slower.step()

    said, s = mixed(known, labels, asked, learn)
    gold = [sentence.tags for sentence in parts[1]]
    cuts = np.cumsum([len(tags) for tags in gold])[:-1]
    guessed = [list(row_) for row_ in np.split(said, cuts)]
    if any(tag.startswith("B-") for tag in labels):
        return span_f1(gold, guessed), s
    return float(np.mean(said == np.concatenate(gold))), s


def of_texts(encoder, parts: tuple, language: str, quick: bool) -> dict[str, tuple]:
    """Return the accuracy and the weights for each number of labels."""
    words_of = TOKENISERS[language]
    means = []
    for part in parts:
        words = [words_of(e.text)[:60] or ["."] for e in part]
        means.append(np.stack([x.mean(axis=1) for x in encoder.stream(words)], axis=1))
    labels, right = ([e.label for e in part] for part in parts)

    def learn(loss: Callable, n: int, parameters: list, w: list) -> None:
        newton = torch.optim.LBFGS(
            [*parameters, *w], max_iter=100, line_search_fn="strong_wolfe"
        )

        def step():
            newton.zero_grad()
            size = parameters[0].square().sum()  # of W; b is free
            total = n * loss(slice(None)) + size / (2 * SOFT)
            total.backward()
            return total

        newton.step(step)

    found = {}
    for n in LABELS[:1] if quick else LABELS:
        said, s = mixed(means[0][:, :n], labels[:n], means[1], learn)
        found[f"sentiment {n}"] = float(np.mean(said == right)), s
    return found


def mixed(
    x: np.ndarray, labels: Sequence[str], unseen: np.ndarray, learn: Callable
) -> tuple[np.ndarray, list[float]]:
    """Fit softmax(W Σ s_k x_k + b); return what it says of unseen x, and s.

    x: (L+1, N, D), unseen (L+1, M, D); learn lowers the loss of some rows. The sum
    over layers is scaled to deviation 1 again: else a single layer, whose numbers are
    larger than a mean's, would be the cheaper one for W. γ is about that, and stays 1.
    """
    mean, spread = x.mean(axis=1, keepdims=True), x.std(axis=1, keepdims=True) + 1e-6
    scaled, asked = (
        torch.from_numpy(((part - mean) / spread).astype(np.float32))
        for part in (x, unseen)
    )
    names, numbers = np.unique(labels, return_inverse=True)
    y, mix = torch.from_numpy(numbers), ScalarMix(len(x))
    together = torch.einsum("knd,lnd->dkl", scaled, scaled) / len(y)  # (D, L+1, L+1)
    W = torch.zeros(len(names), x.shape[2], requires_grad=True)
    b = torch.zeros(len(names), requires_grad=True)

    def scores(part: torch.Tensor) -> torch.Tensor:
        s = mix.weights
        deviation = torch.einsum("k,dkl,l->d", s, together, s).sqrt() + 1e-6
        return F.linear(mix(part[:, None])[0] / deviation, W, b)  # (N, K)

    def loss(rows) -> torch.Tensor:
        return F.cross_entropy(scores(scaled[:, rows]), y[rows])

    learn(loss, len(y), [W, b], [mix.w])
    with torch.no_grad():
        return names[scores(asked).argmax(dim=1).numpy()], mix.weights.tolist()


EXPERIMENTS = {"learned_mix": learned_mix}
