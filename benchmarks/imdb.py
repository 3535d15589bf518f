"""IMDb: read, tokenised and numericalised; and again from what is kept on disk."""

from __future__ import annotations

import sys
import tempfile
from itertools import islice
from pathlib import Path

import numpy as np
import texts
from harness import Race, main

from course_lib import data
from course_lib.data import catalogue
from course_lib.data.entries import CATALOGUE
from course_lib.data.readers import imdb_texts
from course_lib.text.batches import read_text
from course_lib.text.streams import Streams, vocabulary_of
from course_lib.training.fine_tune import as_document
from course_pretraining import recipes

TEXTS = 100_000  # of the whole corpus
FOLDERS = ["test/neg", "test/pos", "train/neg", "train/pos", "train/unsup"]


def reviews(n: int):
    """Yield n reviews; each as often as it takes where IMDb is not at hand."""
    if catalogue.at_hand("imdb"):
        path = data.files.find(CATALOGUE["imdb"].files[0])
        every = (review for _, review in imdb_texts(path, *FOLDERS))
    else:
        every = (" ".join(w for s in d for w in s) for d in texts.corpus())
    yield from islice(every, n)


def numbered(n: int) -> np.ndarray:
    """Read, tokenise and number n reviews as ULMFiT's second stage does. (N,)"""
    documents = (as_document(review, "en") for review in reviews(n))
    text = read_text(documents, window=sys.maxsize)
    rows = min(64, len(text.ids) - 1)
    streams = Streams(text, vocabulary_of(text, 20_000), rows)
    return streams.epoch(0)[0]


def races(small: bool = False, tiny: bool = False) -> list[Race]:
    """Prepare a share of the reviews; the seconds are scaled to all of them."""
    n = 20 if tiny else 500 if small else 4000
    at_hand = catalogue.at_hand("imdb")
    first = Race(
        "IMDb read, tokenised, numbered",
        lambda: numbered(n),
        goal=60,
        kind="seconds",
        scale=n / TEXTS,
        amount=TEXTS,
        unit="texts",
        note=f"Measured on {n:,} texts. One process; the goal is for two cores.",
        skip="" if at_hand or tiny else "IMDb is not at hand",
    )
    return [first] if tiny else [first, from_disk()]


def from_disk() -> Race:
    """Prepare what pre-training keeps on disk of a text that it has read."""
    folder = Path(tempfile.mkdtemp())
    recipe = recipes.Recipe("AWD-LSTM", [(texts.name(), 2e5)])
    words = recipes.texts(recipe, folder)[0].n_tokens
    return Race(
        "a numbered text of 25 million words read again from disk",
        lambda: recipes.texts(recipe, folder)[0].n_tokens,
        goal=2,
        kind="seconds",
        scale=words / 25e6,
        amount=25e6,
        unit="words",
        note=f"As pre-training keeps it; measured on {words:,} words.",
    )


if __name__ == "__main__":
    main(races)
