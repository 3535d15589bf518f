"""context2vec: a vector for what stands around a word, beside vectors for the words.

    left_t  = forward LSTM over <S> w_1 … w_t-1        what stands before the target
    right_t = backward LSTM over </S> w_T … w_t+1      what stands after it
    c_t     = L2 relu(L1 [left_t; right_t])            the context of position t

c_t never sees w_t. It is learned to be near the vector u of the word that stood there,
and far from k words drawn at random: -log s(c_t . u_w) - sum_k log s(-c_t . u_k).
Source: Melamud, Goldberger and Dagan 2016. Departures: smaller; both directions read
one table of word vectors, where the paper has two.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils.rnn import pad_sequence

from ..text.batches import IGNORE
from ..text.characters import BOS, EOS
from ..text.epochs import Epochs, alike, n_batches, share
from ..text.vocabulary import UNK, Vocabulary, listed
from .bilm import reverse
from .word2vec import noise_distribution

END, MARKS = 2, 3  # </S>; <unk>, <S> and </S> come before the words, fill no gap
ROWS = 32  # sentences in a step
WORDS = 60  # of a sentence that are read


class Context2Vec(nn.Module):
    """Two LSTMs over one table of words, a small network, vectors of the targets.

    vocabulary: numbers the words, see `number_words`; D: size of all vectors
    """

    def __init__(self, vocabulary: Vocabulary, D: int = 100, hidden: int = 128):
        super().__init__()
        self.vocabulary = vocabulary
        self.words = nn.Embedding(len(vocabulary), D)  # a word as part of a context
        # `left` reads forward, what is left of the target; `right` what is right of it.
        self.left = nn.LSTM(D, hidden, batch_first=True)
        self.right = nn.LSTM(D, hidden, batch_first=True)
        self.join = nn.Sequential(
            nn.Linear(2 * hidden, 2 * hidden), nn.ReLU(), nn.Linear(2 * hidden, D)
        )
        self.targets = nn.Embedding(len(vocabulary), D)  # u: a word as the answer
        nn.init.normal_(self.words.weight, std=0.1)
        nn.init.normal_(self.targets.weight, std=0.1)

    def forward(self, ids: torch.Tensor, targets: torch.Tensor | None = None):
        """Return the context of each word. Shape: (B, T+2) to (B, T, D).

        ids: sentences between <S> and </S>, padded behind. Given targets (B, T, 1+k),
        at each word itself and k others drawn at random, IGNORE where nothing is asked,
        return the loss (1,) as well, in nats per word.
        """
        c = self.read(self.words(ids), row_lengths(ids))  # (B, T, D)
        return c if targets is None else (c, self.loss(c, targets).reshape(1))

    def read(self, x: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """Join the forward state *before* t and the backward state *after* t.

        Shape: word vectors (B, T+2, D), (B,) to contexts (B, T, D).
        """
        forward = self.left(x)[0]  # (B, T+2, H)
        backward = reverse(self.right(reverse(x, lengths))[0], lengths)  # (B, T+2, H)
        around = torch.cat([forward[:, :-2], backward[:, 2:]], dim=2)  # (B, T, 2H)
        return self.join(around)

    def loss(self, contexts: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """Return the mean of -log s(c . u_w) - sum_k log s(-c . u_k) over the words.

        Shape: (B, T, D), (B, T, 1+k) to a scalar.
        """
        here = targets[:, :, 0] != IGNORE  # (B, T)
        c, asked = contexts[here], targets[here]  # (N, D), (N, 1+k)
        u = self.targets(asked.clamp(min=0))  # (N, 1+k, D)
        scores = (u @ c[:, :, None])[:, :, 0]  # (N, 1+k)
        right, wrong = F.softplus(-scores[:, 0]), F.softplus(scores[:, 1:])
        return (right + (wrong * (asked[:, 1:] != IGNORE)).sum(dim=1)).mean()

    @torch.no_grad()
    def contexts(
        self, sentences: Sequence[Sequence[str]], positions: Sequence[int]
    ) -> np.ndarray:
        """Return the context of one position of each sentence. Shape: to (N, D).

        Errors: ValueError if a sentence has no such position.
        """
        for s, position in zip(sentences, positions, strict=True):
            if not 0 <= position < len(s):
                raise ValueError(f"no position {position} in a sentence of {len(s)}")
        self.eval()
        found = []
        for i in range(0, len(sentences), ROWS):
            chosen = map(listed, sentences[i:][:ROWS])
            rows = [self.vocabulary.encode([BOS, *s, EOS]) for s in chosen]
            c = self(pad(rows).to(self.targets.weight.device))  # (B, T, D)
            found.append(c[range(len(rows)), positions[i:][:ROWS]])
        return torch.cat(found).cpu().numpy()

    @torch.no_grad()
    def fillers(
        self, context: np.ndarray, k: int = 8, among: int = 3000
    ) -> list[tuple[str, float]]:
        """Return the words with the largest cosine to a context. Shape: (D,).

        among: how many of the commonest words may fill the gap; what was met a few
            times only has hardly moved from where it was drawn
        """
        u = F.normalize(self.targets.weight[:among], dim=1)  # (among, D)
        cosines = u @ F.normalize(torch.from_numpy(context).to(u), dim=0)  # (among,)
        cosines[:MARKS] = -1  # <unk>, <S> and </S> fill no gap
        best = cosines.topk(max(0, min(k, len(cosines) - MARKS)))
        words = self.vocabulary.decode(best.indices.tolist())
        return list(zip(words, best.values.tolist(), strict=True))


def number_words(sentences: Iterable[Sequence[str]], size: int) -> Vocabulary:
    """Number the most frequent words; <S> and </S> come first."""
    words = Vocabulary.from_sentences(sentences, size - 2, min_count=2).words[1:]
    return Vocabulary([UNK, BOS, EOS, *(w for w in words if w not in (BOS, EOS))])


def pad(rows: Sequence[Sequence[int]]) -> torch.Tensor:
    """Return rows of numbers as one tensor, filled up behind with 0. Shape: (B, T)."""
    return pad_sequence([torch.tensor(row) for row in rows], batch_first=True)


def row_lengths(ids: torch.Tensor) -> torch.Tensor:
    """Return how long the rows are, both marks counted. Shape: (B, T) to (B,).

    Errors: ValueError for a row without </S>.
    """
    ends = ids == END  # (B, T)
    if not ends.any(dim=1).all():
        raise ValueError(
            "a row has no </S>; cut a sentence before its marks, not after"
        )
    return ends.int().argmax(dim=1) + 1


class Gaps(Epochs):
    """Sentences in which every known word is asked for, beside k drawn at random.

    Those are drawn by frequency ** 0.75, anew in every epoch.
    """

    unit = "questions"  # what a training counts: does this word stand here?

    def __init__(
        self, sentences: Sequence[Sequence[str]], vocabulary: Vocabulary, k: int = 10,
        size: int = ROWS, seed: int = 0,
    ):  # fmt: skip
        marked = ([BOS, *listed(s)[:WORDS], EOS] for s in sentences if s)
        self.rows = [vocabulary.encode(s) for s in marked]
        self.k, self.size, self.seed = k, size, seed
        counts = np.bincount(
            np.concatenate(self.rows or [[0]]), minlength=len(vocabulary)
        )
        counts[:MARKS] = 0  # neither <unk> nor the marks are ever the answer
        self.edges = noise_distribution(counts).cumsum()  # (V,)
        self.edges[-1] = 1.0  # rounding must not leave a gap at the top

    def __len__(self) -> int:
        return n_batches(len(self.rows), self.size)

    def draw(self, rng: np.random.Generator) -> list[np.ndarray]:
        """Shuffle the sentences, alike lengths together."""
        return alike(np.array([len(row) for row in self.rows]), len(self), rng)

    def at(
        self, step: int, part: int = 0, parts: int = 1
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return a step's sentences (B, T+2) and what is asked, (B, T, 1+k)."""
        epoch, place = divmod(step, len(self))
        chosen = share(self.epoch(epoch)[place], part, parts)
        ids = pad([self.rows[i] for i in chosen])  # (B, T+2)
        words = ids[:, 1:-1, None]  # (B, T, 1)
        rng = np.random.default_rng((self.seed, step, part))
        shape = (*words.shape[:2], self.k)
        drawn = torch.from_numpy(self.edges.searchsorted(rng.random(shape), "right"))
        drawn = torch.where(drawn == words, IGNORE, drawn)  # the answer is not wrong
        asked = torch.cat([words, drawn], dim=2)  # (B, T, 1+k)
        return ids, torch.where(words >= MARKS, asked, IGNORE)
