"""Every model of the course as a reader: sentences in, a vector for each word out.

The scoreboard asks all models the same questions. For that they must look alike,
whatever they read: words, characters or pieces, in one direction or in two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import nn

from course_lib.models.awd_lstm import AWDLSTM
from course_lib.models.bert import BERT, join
from course_lib.models.bilm import Encoder
from course_lib.models.context2vec import Context2Vec, pad
from course_lib.models.gpt import GPT
from course_lib.text.characters import BOS, EOS
from course_lib.text.pieces import PAD, START, Pieces
from course_lib.text.vocabulary import Vocabulary

from . import gaps

Sentences = Sequence[Sequence[str]]
ROWS = 32  # sentences at a time


class Embedder(NamedTuple):
    """A model that writes vectors of words.

    layers      their names
    read        sentences of T words to an array (T, D_l) for each layer, a list each
    vectors     of a static model its table: it knows no context
    parameters  how many the model has
    fit         scores words for a gap, see `gaps`
    """

    layers: tuple[str, ...]
    read: Callable[[Sentences], Iterator[list[np.ndarray]]]
    vectors: Mapping[str, np.ndarray] | None
    parameters: int
    fit: gaps.Fit


def static(vectors: Mapping[str, np.ndarray], size: int) -> Embedder:
    """Return a word's row of a table (V, D), whatever stands around it.

    A word that the table lacks gets zeros.
    """
    zeros = np.zeros(size, dtype=np.float32)

    def read(sentences: Sentences) -> Iterator[list[np.ndarray]]:
        for words in sentences:
            yield [np.stack([vectors.get(w.lower(), zeros) for w in words])]  # (T, D)

    fit = gaps.static(vectors, size)
    return Embedder(("",), read, vectors, size * len(vectors), fit)


def context2vec(model: Context2Vec) -> Embedder:
    """Return what stands around each word, without the word."""

    def read(part: Sentences) -> Iterator[list[np.ndarray]]:
        marked = ([BOS, *map(str.lower, words), EOS] for words in part)
        contexts = model(pad([model.vocabulary.encode(row) for row in marked]))
        for words, found in zip(part, contexts, strict=True):
            yield [found[: len(words)].numpy()]

    fit = gaps.context2vec(model)
    return Embedder(("",), in_parts(read), None, count(model), fit)


def bilm(encoder: Encoder) -> Embedder:
    """Return ELMo's layers, both directions side by side, and their mean."""

    def read(sentences: Sentences) -> Iterator[list[np.ndarray]]:
        for layers in encoder.stream(sentences):  # (L+1, T, D)
            yield [*layers, layers.mean(axis=0)]

    depth = encoder.model.config.layers
    names = (*(f"layer {k}" for k in range(depth + 1)), "mean of layers")
    return Embedder(names, read, None, count(encoder.model), gaps.bilm(encoder))


def awd_lstm(model: AWDLSTM, vocabulary: Vocabulary) -> Embedder:
    """Return the layers of a model that reads forward only."""

    def read(part: Sentences) -> Iterator[list[np.ndarray]]:
        marked = ([BOS, *map(str.lower, words)] for words in part)
        ids = pad([vocabulary.encode(row) for row in marked])
        raw = model.read(ids).raw  # what is padded comes later, and is not seen
        for i, words in enumerate(part):
            yield [layer[i, 1 : len(words) + 1].numpy() for layer in raw]

    names = tuple(f"layer {k + 1}" for k in range(len(model.lstms)))
    fit = gaps.awd_lstm(model, vocabulary)
    return Embedder(names, in_parts(read), None, count(model), fit)


def gpt(model: GPT, pieces: Pieces) -> Embedder:
    """Return the blocks' outputs at a word's last piece: there it has been read."""

    def row(cut: list[list[int]]) -> tuple[list[int], list[slice]]:
        ends = np.cumsum([len(word) for word in cut])
        return [START, *sum(cut, [])], [slice(e, e + 1) for e in ends]

    return transformer(model, pieces, row, gaps.gpt(model, pieces))


def bert(model: BERT, pieces: Pieces) -> Embedder:
    """Return the blocks' outputs, averaged over a word's pieces."""

    def row(cut: list[list[int]]) -> tuple[list[int], list[slice]]:
        ends = np.cumsum([len(word) for word in cut]) + 1  # after [CLS]
        ended = zip(cut, ends, strict=True)
        return join(sum(cut, [])), [slice(e - len(word), e) for word, e in ended]

    return transformer(model, pieces, row, gaps.bert(model, pieces))


def transformer(
    model: GPT | BERT, pieces: Pieces, row: Callable, fit: gaps.Fit
) -> Embedder:
    """Return each block's output, and their mean.

    row: the pieces of a sentence's words to (what the model reads, where words are).
    Words beyond the positions that the model has learned get zeros.
    """

    def read(part: Sentences) -> Iterator[list[np.ndarray]]:
        found = [row(pieces.pieces_of(words)) for words in part]
        rows, places = zip(*found, strict=True)
        ids = [torch.tensor(r[: model.config.context]) for r in rows]
        layers = blocks_of(model, nn.utils.rnn.pad_sequence(ids, True, PAD))
        for i, spans in enumerate(places):
            means = [layers[:, i, span].mean(dim=1) for span in spans]  # (L, D) each
            found = torch.nan_to_num(torch.stack(means, dim=1)).numpy()  # (L, T, D)
            yield [*found, found.mean(axis=0)]

    depth = len(model.transformer.blocks)
    names = (*(f"block {k + 1}" for k in range(depth)), "mean of blocks")
    return Embedder(names, in_parts(read), None, count(model), fit)


def blocks_of(model: GPT | BERT, ids: torch.Tensor) -> torch.Tensor:
    """Return what each block writes. Shape: (B, T) pieces to (L, B, T, D)."""
    outputs: list[torch.Tensor] = []
    hooks = [
        block.register_forward_hook(lambda _, __, found: outputs.append(found[0]))
        for block in model.transformer.blocks
    ]
    try:
        model(ids)
    finally:
        for hook in hooks:
            hook.remove()
    return torch.stack(outputs)


def in_parts(read: Callable) -> Callable:
    """Let a model read some sentences at a time, without what training would need."""

    def all_of(sentences: Sentences) -> Iterator[list[np.ndarray]]:
        for i in range(0, len(sentences), ROWS):
            with torch.no_grad():  # not around a yield: it would reach the caller
                found = list(read(sentences[i : i + ROWS]))
            yield from found

    return all_of


def count(model: nn.Module) -> int:
    """Count the parameters of a model."""
    return sum(p.numel() for p in model.parameters())
