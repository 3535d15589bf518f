"""What does a pre-trained model know that a damaged one does not?

A control takes one thing away and keeps the rest, so that a difference has a name:

    shuffle_words    the order of the words in each sentence; topics stay
    scatter_words    everything but how often each word occurs
    respell          how the words are spelled
    rename           which word has which vector; the rest of the model stays
    permute          what was learned; every tensor keeps its values
    untrained        that as well: as the model was before any training

The first three make texts to pre-train on, the others make a model from a trained one.
Source for the texts: Sinha et al. 2021, who shuffled what RoBERTa reads.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence

import numpy as np
import torch

from ..data.readers import Document
from ..models.awd_lstm import AWDLSTM
from ..text.vocabulary import listed

MARKS = 3  # `<unk>`, `<S>` and `</S>` come first in a vocabulary and keep their names

# -- texts -----------------------------------------------------------------------------


def shuffle_words(documents: Iterable[Document], seed: int) -> list[Document]:
    """Put the words of each sentence into a random order.

    Each sentence keeps its words and its length, and each document its sentences: who
    counts words finds no difference, who reads finds no syntax.
    """
    rng = np.random.default_rng(seed)
    return [
        [[s[i] for i in rng.permutation(len(s))] for s in map(listed, document)]
        for document in documents
    ]


def scatter_words(documents: Sequence[Document], seed: int) -> list[Document]:
    """Deal all words of a text out again, to sentences of the old lengths.

    As if each word were drawn by how frequent it is, whatever stands around it; but the
    counts are exactly those of the text.
    """
    words = [w for document in documents for s in document for w in listed(s)]
    order = iter(np.random.default_rng(seed).permutation(len(words)))
    return [
        [[words[next(order)] for _ in sentence] for sentence in document]
        for document in documents
    ]


def respell(
    documents: Sequence[Document], seed: int, consistent: bool = True
) -> list[Document]:
    """Shuffle the letters of the words.

    consistent: the same way wherever a word occurs, and different words stay different
    """
    rng, spelling, used = np.random.default_rng(seed), {}, set()

    def scrambled(word: str) -> str:
        return "".join(word[i] for i in rng.permutation(len(word)))

    def once(word: str) -> str:
        if word not in spelling:
            new = scrambled(word)
            while new in used:  # an anagram of another word: append a letter
                new += word[0]
            used.add(new)
            spelling[word] = new
        return spelling[word]

    change = once if consistent else scrambled
    return [[[change(w) for w in listed(s)] for s in d] for d in documents]


# -- models ----------------------------------------------------------------------------


@torch.no_grad()
def rename(model: AWDLSTM, seed: int) -> AWDLSTM:
    """Give each word another one's vector and bias, by lot; the marks keep theirs.

    It is what a text would have given in which each word is replaced by another, always
    by the same one: it knows how words follow one another, but under wrong names.
    """
    found = copy.deepcopy(model)
    rng = np.random.default_rng(seed)
    new = np.arange(len(model.bias))
    new[MARKS:] = MARKS + rng.permutation(len(new) - MARKS)
    order = torch.from_numpy(new)
    found.embedding.weight.copy_(model.embedding.weight[order])
    found.bias.copy_(model.bias[order])
    return found


@torch.no_grad()
def permute(model: AWDLSTM, seed: int) -> AWDLSTM:
    """Put the numbers of each tensor into a random order.

    Each keeps its mean, its spread and its extremes: what a good initialisation is made
    of. What stands where is lost.
    """
    found = copy.deepcopy(model)
    draw = torch.Generator().manual_seed(seed)
    for parameter in found.parameters():
        order = torch.randperm(parameter.numel(), generator=draw)
        parameter.copy_(parameter.flatten()[order].reshape(parameter.shape))
    return found


def untrained(model: AWDLSTM, seed: int) -> AWDLSTM:
    """Return a model of the same sizes that has read nothing."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        return AWDLSTM(model.config, len(model.bias)).eval()
