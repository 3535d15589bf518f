"""Which word stood here? The same gaps for every model that can say.

A gap is a place in a sentence, and up to ten words for it: the one that stood there,
and nine about as frequent (fewer, where the list of words is short: then guessing is
right more often), so that being frequent does not help. Every model scores them by
what it sees of the sentence without that word:

static vectors   cosine to the mean of all other words' vectors (the output vectors with
                 which CBOW and skip-gram learned are not kept)
context2vec      c . u, the context's vector and the word's, as it was trained
biLM             log p(w | left) + log p(w | right)
AWD-LSTM, GPT    log p(w | left): of what comes after the gap they see nothing
BERT             log p(w | both sides), the word masked

A word of several pieces has the sum of their log-probabilities: in GPT one after the
other, in BERT as many masks side by side. That a word ends there is not asked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import torch

from course_lib.models.awd_lstm import AWDLSTM
from course_lib.models.bert import BERT, join
from course_lib.models.bilm import Encoder
from course_lib.models.context2vec import Context2Vec
from course_lib.models.gpt import GPT
from course_lib.text.batches import spell_sentences
from course_lib.text.characters import BOS, EOS
from course_lib.text.pieces import MASK, PAD, START, Pieces
from course_lib.text.vocabulary import Vocabulary

CHOICES = 10
RANKS = (100, 5000)  # of the words asked for: no little words, no rare ones

Words = Sequence[str]
# A sentence with its gap, the gap's place, some words -> a score for each, (K,)
Fit = Callable[[Words, int, Words], np.ndarray]


class Gap(NamedTuple):
    """A sentence, a place in it, and the words to choose from; the right one first."""

    words: Words
    place: int
    choices: Words


def draw(sentences: Sequence[Words], by_frequency: Words, seed: int) -> list[Gap]:
    """Make one gap in each sentence that has a word of the right frequency.

    by_frequency: words that every model knows, the most frequent first
    """
    first, end = RANKS
    rank = {word: i for i, word in enumerate(by_frequency[:end]) if i >= first}
    rng, found = np.random.default_rng(seed), []
    for words in sentences:
        places = [t for t, word in enumerate(words) if word in rank and word.isalpha()]
        if not places:
            continue
        place = int(rng.choice(places))
        right = words[place]
        near = range(rank[right] - 5 * CHOICES, rank[right] + 5 * CHOICES + 1)
        band = [by_frequency[i] for i in near if i in range(first, len(by_frequency))]
        others = [word for word in band if word != right and word.isalpha()]
        chosen = rng.permutation(others)[: CHOICES - 1].tolist()
        found.append(Gap(words, place, [right, *chosen]))
    return found


def accuracy(fit: Fit, gaps: Sequence[Gap]) -> float:
    """Return how often the right word has the best score; a tie of k counts 1/k."""
    right = []
    for gap in gaps:
        scores = fit(*gap)
        best = scores == scores.max()
        right.append(best[0] / best.sum())
    return float(np.mean(right))


# -- how each model answers ------------------------------------------------------------


def static(vectors: Mapping[str, np.ndarray], size: int) -> Fit:
    """Compare a word's vector (D,) with the mean of the others in the sentence."""
    zeros = np.zeros(size, dtype=np.float32)

    def fit(words: Words, place: int, choices: Words) -> np.ndarray:
        others = [w.lower() for t, w in enumerate(words) if t != place]
        mean = np.mean([vectors.get(w, zeros) for w in others] or [zeros], axis=0)
        table = np.stack([vectors.get(w, zeros) for w in choices])  # (K, D)
        # The mean's length is left out: it is the same for all choices.
        return table @ mean / np.maximum(np.linalg.norm(table, axis=1), 1e-9)

    return fit


def context2vec(model: Context2Vec) -> Fit:
    """Compare the vector of what stands around the gap with the words' own."""

    def fit(words: Words, place: int, choices: Words) -> np.ndarray:
        (context,) = model.contexts([[w.lower() for w in words]], [place])  # (D,)
        ids = model.vocabulary.encode(choices)
        return model.targets.weight[ids].detach().numpy() @ context

    return fit


def bilm(encoder: Encoder) -> Fit:
    """Add what both language models say of the word."""
    model, vocabulary = encoder.model, encoder.vocabulary

    @torch.no_grad()
    def fit(words: Words, place: int, choices: Words) -> np.ndarray:
        top = model(spell_sentences([[BOS, *words, EOS]]))[-1, 0]  # (T+2, 2P)
        P = model.config.projection
        # With BOS in front the gap is at place + 1; its neighbours have not read it.
        sides = torch.stack([top[place, :P], top[place + 2, P:]])
        log_p = model.softmax.log_prob(sides).sum(dim=0)  # (V,)
        return log_p[vocabulary.encode(choices)].numpy()

    return fit


def awd_lstm(model: AWDLSTM, vocabulary: Vocabulary) -> Fit:
    """Ask what comes next, after the words before the gap."""

    @torch.no_grad()
    def fit(words: Words, place: int, choices: Words) -> np.ndarray:
        left = vocabulary.encode([BOS, *map(str.lower, words[:place])])
        top = model.read(torch.tensor([left])).top[0, -1]  # (E,)
        log_p = model.logits(top).log_softmax(dim=0)  # (V,)
        return log_p[vocabulary.encode(choices)].numpy()

    return fit


def gpt(model: GPT, pieces: Pieces) -> Fit:
    """Ask how likely each word is, piece by piece, after the words before the gap."""

    @torch.no_grad()
    def fit(words: Words, place: int, choices: Words) -> np.ndarray:
        left, cut = [START, *pieces.encode(words[:place])], pieces.pieces_of(choices)
        rows = [torch.tensor([*left, *word]) for word in cut]
        tokens = torch.nn.utils.rnn.pad_sequence(rows, True, PAD)  # (K, T)
        log_p = model.logits(model(tokens)).log_softmax(dim=2)  # (K, T, V)
        said = [
            sum(log_p[k, len(left) - 1 + i, piece] for i, piece in enumerate(word))
            for k, word in enumerate(cut)
        ]
        return np.array(said)

    return fit


def bert(model: BERT, pieces: Pieces) -> Fit:
    """Ask for each piece of a word behind its mask; all pieces are masked at once."""

    @torch.no_grad()
    def fit(words: Words, place: int, choices: Words) -> np.ndarray:
        left, right = pieces.encode(words[:place]), pieces.encode(words[place + 1 :])
        cut, said = pieces.pieces_of(choices), {}
        for n in {len(word) for word in cut}:
            row = torch.tensor([join([*left, *[MASK] * n, *right])])
            masked = model(row)[0, len(left) + 1 :][:n]  # (n, D), after [CLS]
            said[n] = model.logits(masked).log_softmax(dim=1)  # (n, V)
        return np.array([said[len(w)][range(len(w)), w].sum().item() for w in cut])

    return fit
