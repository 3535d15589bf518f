"""Pre-train a checkpoint of the course: its text, its sizes, its model card."""

from __future__ import annotations

import itertools
import json
import math
import platform
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch

from .. import checkpoints, data
from ..models.bilm import BiLM, BiLMConfig
from ..text.batches import Batches, Text, read_text
from ..text.vocabulary import Vocabulary
from .loop import Run, evaluate, train


@dataclass
class Recipe:
    """What a checkpoint is made of.

    corpora: pairs (name in the catalogue, at most so many million tokens of it)
    """

    language: str
    corpora: list[tuple[str, float]]
    vocabulary: int = 30_000
    window: int = 64
    rows: int = 64
    config: BiLMConfig = field(default_factory=BiLMConfig)


RECIPES = {
    "elmo-en": Recipe(
        language="en",
        corpora=[
            ("brown", math.inf),
            ("reuters", math.inf),
            ("gutenberg", math.inf),
            ("abc", math.inf),
            ("bbc", math.inf),
            ("masc_tagged", math.inf),
            ("imdb_text", 10.0),
        ],
    ),
}


def pretrain(
    name: str,
    out: str | Path,
    minutes: float,
    epochs: float = 100.0,
    seed: int = 0,
) -> Path:
    """Train a checkpoint and write it, with its model card, to `out`.

    Run again after a stop, it goes on where it was. Errors: KeyError for a name
    without a recipe; the catalogue's own errors if a corpus is missing.
    """
    if name not in RECIPES:
        raise KeyError(f"no recipe {name!r}; there are: {', '.join(RECIPES)}")
    recipe, out = RECIPES[name], Path(out)
    training, held_out = texts(recipe, out / "text")
    vocabulary = training.vocabulary(recipe.vocabulary)
    torch.manual_seed(seed)
    model = BiLM(recipe.config, len(vocabulary))
    batches = Batches(training, vocabulary, recipe.rows, seed)
    n = training.n_tokens
    print(f"{name}: {n / 1e6:.1f}M tokens, {len(batches)} steps an epoch", flush=True)
    run = train(model, batches, epochs, minutes, folder=out, bf16=True)
    losses = evaluate(model, Batches(held_out, vocabulary, recipe.rows))
    card = model_card(name, recipe, run, training, held_out, vocabulary, losses, seed)
    checkpoints.save(model, vocabulary, out / name, card)
    print(card)
    return out / name


def texts(recipe: Recipe, folder: Path) -> tuple[Text, Text]:
    """Read the corpora, every 50th document held out; keep the result in `folder`."""
    found = []
    for part in ("training", "held_out"):
        path = folder / f"{part}.npz"
        if not path.exists():
            print(f"reading {part} text …", flush=True)
            text = read_text(documents(recipe, part == "held_out"), recipe.window)
            folder.mkdir(parents=True, exist_ok=True)
            words = np.array("\n".join(text.words).encode())
            arrays = {"ids": text.ids, "starts": text.starts, "lengths": text.lengths}
            np.savez(folder / "part.npz", words=words, **arrays)
            (folder / "part.npz").replace(path)
        kept = np.load(path)
        words = bytes(kept["words"]).decode().split("\n")
        found.append(Text(words, kept["ids"], kept["starts"], kept["lengths"]))
    return found[0], found[1]


def documents(recipe: Recipe, held_out: bool) -> Iterator[list[list[str]]]:
    """Yield the documents of all corpora that are, or are not, held out."""
    for name, millions in recipe.corpora:
        whole = limited(data.load(name).documents(), millions * 1e6)
        for number, document in enumerate(whole):
            if (number % 50 == 49) == held_out:
                yield document


def limited(documents: Iterable, tokens: float) -> Iterator:
    """Yield documents until they hold `tokens` tokens."""
    sizes = itertools.accumulate
    seen = 0
    for document in documents:
        if seen >= tokens:
            return
        seen += sum(map(len, document))
        yield document


def model_card(
    name: str,
    recipe: Recipe,
    run: Run,
    training: Text,
    held_out: Text,
    vocabulary: Vocabulary,
    losses: torch.Tensor,
    seed: int,
) -> str:
    """Say what a checkpoint was made of and what was measured."""
    return ""


def unknown_share(text: Text, vocabulary: Vocabulary) -> float:
    """Return the share of a text's words that the vocabulary does not hold."""
    ids = np.array(vocabulary.encode(text.words))[text.ids]
    return float((ids[text.ids > 1] == 0).mean())
