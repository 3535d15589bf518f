"""Lesson 06: should a Chinese word be spelled in bytes or in characters?

A released ELMo reads a word as its UTF-8 bytes: 256 of them spell every language, and a
Chinese character is three. A network could read the characters (code points) instead:
fewer steps, but thousands of rows to learn, and none for a character never seen.
Small biLMs are trained on the same Chinese text, alike but for the spelling. Compared
is the logarithm of the held-out perplexity, within a seed.
"""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Iterable, Sequence

import numpy as np
import torch
from torch import nn

from course_lib import data
from course_lib.analysis.senses import by_word, macro
from course_lib.analysis.statistics import Interval, t_interval
from course_lib.models.bilm import BiLM, BiLMConfig
from course_lib.text.batches import Batches, Text, read_text
from course_lib.text.characters import (
    BOS,
    EOS,
    N_CHARACTERS,
    WIDTH,
    char_ids,
    char_table,
)
from course_lib.text.documents import limited
from course_lib.text.vocabulary import Vocabulary
from course_lib.training.loop import evaluate, train

from ..rules import row

# Half as wide as elmo-zh. Of a byte or a character 16 numbers, or 64.
SPELLINGS = {"bytes": 16, "characters": 16, "characters, wide": 64}
DIRECTIONS = ("forward", "backward")


def sized(char_size: int) -> BiLMConfig:
    """Return the sizes of a small biLM."""
    filters = [[1, 16], [2, 16], [3, 32], [4, 64], [5, 64], [6, 64]]
    sizes = {"cells": 256, "projection": 64, "filters": filters}
    return BiLMConfig(**sizes, char_size=char_size, cutoffs=[1000, 4000])


class CodePoints:
    """Numbers for the characters of some words, after those of bytes and marks."""

    def __init__(self, words: Iterable[str]):
        seen = sorted({letter for word in words for letter in word})
        self.number = {c: i for i, c in enumerate(seen, start=N_CHARACTERS + 1)}
        self.n = N_CHARACTERS + 1 + len(seen)

    def table(self, words: Sequence[str]) -> np.ndarray:
        """Spell words. Shape: (number of words, 50) int64.

        As `char_table` does it, with one number a character. All characters that were
        never seen share one number.
        """
        table = char_table([""] * len(words))  # two word marks, then padding
        end = table[0, 1]
        for spelled, word in zip(table, words, strict=True):
            if word in (BOS, EOS):
                spelled[:] = char_ids(word)
                continue
            ids = [self.number.get(c, N_CHARACTERS) for c in word[: WIDTH - 2]]
            spelled[1 : len(ids) + 2] = [*ids, end]
        return table


def bytes_or_characters(seed: int, quick: bool = False) -> list[dict]:
    """Train a biLM with each spelling; ask for perplexities and senses.

    The text is passages of `chid`, 239,000 words, of which every tenth passage is held
    out; the vocabulary is the 10,000 commonest words.
    """
    name, words = ("rivertown-zh", 3000) if quick else ("chid", 500_000)
    name = name if data.at_hand(name) else "rivertown-zh"
    documents = [*limited(data.load(name).documents(), words)]
    text = read_text(d for i, d in enumerate(documents) if i % 10)
    held_out = read_text(documents[::10])
    vocabulary, points = text.vocabulary(10_000), CodePoints(text.words)
    sentences, found = data.senses("zh")[: 120 if quick else None], []
    for title, size in SPELLINGS.items():
        spelling = None if title == "bytes" else points
        torch.manual_seed(seed)
        model = BiLM(sized(size), len(vocabulary))
        if spelling:
            cnn = model.token_layer
            cnn.embedding = nn.Embedding(points.n, size, padding_idx=0)
        train(model, numbered(text, vocabulary, 32, spelling, seed))
        losses = evaluate(model, numbered(held_out, vocabulary, 32, spelling))
        for direction, loss in zip(DIRECTIONS, losses.tolist(), strict=True):
            found.append(row(title, direction, "perplexity", math.exp(loss)))
        n_parameters = sum(p.numel() for p in model.parameters())
        found.append(row(title, "whole model", "parameters", n_parameters))
        for depth, x in enumerate(at_targets(model, sentences, vocabulary, spelling)):
            score = macro(by_word(x, sentences))["nearest_centroid"]
            found.append(row(title, f"layer {depth}", "sense accuracy", score))
    return found


def numbered(
    text: Text,
    vocabulary: Vocabulary,
    rows: int,
    spelling: CodePoints | None,
    seed: int = 0,
) -> Batches:
    """Make batches whose words are spelled in bytes, or in characters."""
    batches = Batches(text, vocabulary, rows, seed)
    if spelling:
        batches.table = spelling.table(text.words).astype(np.int16)
    return batches


@torch.no_grad()
def at_targets(
    model: BiLM, sentences: Sequence, vocabulary: Vocabulary, spelling
) -> np.ndarray:
    """Encode sense sentences one by one; keep the target word's vectors.

    Shape: (L+1, N, D) for N sentences.
    """
    text = read_text(([s.tokens] for s in sentences), window=sys.maxsize)
    batches = numbered(text, vocabulary, 1, spelling)
    found = []
    for i, s in enumerate(sentences):
        tokens, _ = batches.batch(np.array([i]))
        layers = model.eval()(tokens)  # (L+1, 1, T+2, D)
        found.append(layers[:, 0, s.target_index + 1].numpy())
    return np.stack(found, axis=1)


def cheaper(rows: Sequence[dict]) -> dict[tuple[str, str], Interval]:
    """Return by how much log perplexity is lower in characters than in bytes.

    For each spelling in characters and each direction.
    """
    logs: dict[tuple[str, str], dict[int, float]] = {}
    for r in rows:
        if r["metric"] == "perplexity":
            of = logs.setdefault((r["model"], r["condition"]), {})
            of[r["seed"]] = math.log(r["value"])
    found = {}
    for title, direction in itertools.product(SPELLINGS, DIRECTIONS):
        if title != "bytes":
            old, new = logs["bytes", direction], logs[title, direction]
            gains = [old[seed] - new[seed] for seed in sorted(new)]
            found[title, direction] = t_interval(gains)
    return found


EXPERIMENTS = {"bytes_or_characters": bytes_or_characters}
