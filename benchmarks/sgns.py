"""Skip-gram with negative sampling: the course's in PyTorch, gensim's in C."""

from __future__ import annotations

import contextlib
import io

import numpy as np
import texts
import torch
from gensim.models import Word2Vec as Gensim
from harness import Race, main

from course_lib.models.word2vec import Word2Vec, train

SETTINGS = {"window": 5, "negatives": 5, "t": 1e-4}
THEIRS = {"window": 5, "negative": 5, "sample": 1e-4, "sg": 1, "min_count": 1}


def races(small: bool = False, tiny: bool = False) -> list[Race]:
    """Prepare the same sentences in numbers for ours and in words for gensim."""
    words = 1500 if tiny else 4e4 if small else 2e5
    size = 10 if tiny else 100
    sentences = [s for d in texts.documents(words) for s in d]
    vocabulary = texts.text(words).vocabulary(20_000)
    numbered = [vocabulary.encode(s) for s in sentences]
    counts = np.bincount(np.concatenate(numbered), minlength=len(vocabulary))
    total = sum(map(len, sentences))

    def ours() -> torch.Tensor:
        model = Word2Vec(len(vocabulary), size)
        with contextlib.redirect_stdout(io.StringIO()):
            train(model, numbered, counts, epochs=1, **SETTINGS)
        return model.vectors

    def gensim(workers: int):
        return lambda: Gensim(
            sentences, vector_size=size, workers=workers, epochs=1, **THEIRS
        )

    # Three products for each centre, of (G, D) and (6, D); G is 6 on average.
    kept = np.minimum(1, np.sqrt(1e-4 * total / np.maximum(counts, 1)))
    centres = float(kept @ counts)
    note = "Random numbers differ, so the vectors do; the loss is the same."
    row = {"amount": total, "unit": "words", "tolerance": None, "note": note}
    row["floor"] = (3 * 2 * 6 * 6 * size * centres, 0)
    return [
        Race("SGNS against gensim, one worker", ours, gensim(1), None, **row),
        Race("SGNS against gensim, two workers", ours, gensim(2), None, **row),
    ]


if __name__ == "__main__":
    main(races)
