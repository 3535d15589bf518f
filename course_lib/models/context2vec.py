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

import sys
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F
from tqdm import tqdm

from ..text.characters import BOS, EOS
from ..text.vocabulary import UNK, Vocabulary, listed
from .bilm import reverse
from .word2vec import noise_distribution

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

    def forward(self, ids: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """Return the context of each word. Shape: (B, T+2), (B,) to (B, T, D).

        ids: sentences between <S> and </S>, padded; lengths count both marks
        """
        return self.read(self.words(ids), lengths)

    def read(self, x: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """Join the forward state *before* t and the backward state *after* t.

        Shape: word vectors (B, T+2, D), (B,) to contexts (B, T, D).
        """
        forward = self.left(x)[0]  # (B, T+2, H)
        backward = reverse(self.right(reverse(x, lengths))[0], lengths)  # (B, T+2, H)
        around = torch.cat([forward[:, :-2], backward[:, 2:]], dim=2)  # (B, T, 2H)
        return self.join(around)

    def loss(
        self, ids: torch.Tensor, lengths: torch.Tensor, negatives: torch.Tensor
    ) -> torch.Tensor:
        """Return the mean loss of a target, in nats.

        Shape: ids (B, T+2), negatives (B, T, k). Unknown words are read, not asked for.
        """
        contexts, words = self(ids, lengths), ids[:, 1:-1]  # (B, T, D), (B, T)
        inside = torch.arange(words.shape[1]) < lengths[:, None] - 2
        here = inside & (words != 0)
        c, u = contexts[here], self.targets(words[here])  # (N, D)
        v = self.targets(negatives[here])  # (N, k, D)
        wrong = (v @ c[:, :, None])[:, :, 0]  # (N, k)
        fair = negatives[here] != words[here][:, None]  # no negative is the answer
        losses = F.softplus(-(c * u).sum(1)) + (F.softplus(wrong) * fair).sum(1)
        return losses.mean()

    @torch.no_grad()
    def contexts(
        self, sentences: Sequence[Sequence[str]], positions: Sequence[int]
    ) -> np.ndarray:
        """Return the context of one position of each sentence. Shape: to (N, D)."""
        self.eval()
        found = []
        for i in range(0, len(sentences), ROWS):
            chosen = map(listed, sentences[i:][:ROWS])
            rows = [self.vocabulary.encode([BOS, *s, EOS]) for s in chosen]
            c = self(*pad(rows))  # (B, T, D)
            found.append(c[range(len(rows)), positions[i:][:ROWS]])
        return torch.cat(found).numpy()

    @torch.no_grad()
    def fillers(
        self, context: np.ndarray, k: int = 8, among: int = 3000
    ) -> list[tuple[str, float]]:
        """Return the words with the largest cosine to a context. Shape: (D,).

        among: how many of the commonest words may fill the gap; what was met a few
            times only has hardly moved from where it was drawn
        """
        u = F.normalize(self.targets.weight[:among], dim=1)  # (among, D)
        cosines = u @ F.normalize(torch.from_numpy(context), dim=0)  # (among,)
        cosines[:3] = -1  # <unk>, <S> and </S> fill no gap
        best = cosines.topk(k)
        words = self.vocabulary.decode(best.indices.tolist())
        return list(zip(words, best.values.tolist(), strict=True))


def number_words(sentences: Iterable[Sequence[str]], size: int) -> Vocabulary:
    """Number the most frequent words; <S> and </S> come first."""
    words = Vocabulary.from_sentences(sentences, size - 2, min_count=2).words[1:]
    return Vocabulary([UNK, BOS, EOS, *(w for w in words if w not in (BOS, EOS))])


def pad(rows: Sequence[Sequence[int]]) -> tuple[torch.Tensor, torch.Tensor]:
    """Return rows of numbers as a tensor, and their lengths. Shape: (B, T), (B,)."""
    tensors = [torch.tensor(row) for row in rows]
    lengths = torch.tensor([len(row) for row in rows])
    return nn.utils.rnn.pad_sequence(tensors, batch_first=True), lengths


def batches(rows: Sequence, rng: np.random.Generator) -> Iterator[list]:
    """Yield every row once, shuffled, rows of similar length together."""
    order = rng.permutation(len(rows))
    for i in range(0, len(order), 20 * ROWS):
        part = sorted(order[i : i + 20 * ROWS], key=lambda j: len(rows[j]))
        starts = rng.permutation(range(0, len(part), ROWS))
        yield from ([rows[j] for j in part[k : k + ROWS]] for k in starts)


def train(
    model: Context2Vec, sentences: Sequence[Sequence[str]], *, epochs: int = 3,
    negatives: int = 10, lr: float = 2e-3, seed: int = 0,
) -> list[float]:  # fmt: skip
    """Read the sentences `epochs` times with Adam; return the mean loss of each epoch.

    Negatives are drawn by frequency ** 0.75. The gradient is clipped, as the authors
    advise in their code's notes.
    """
    marked = ([BOS, *listed(s)[:WORDS], EOS] for s in sentences if s)
    rows = [model.vocabulary.encode(s) for s in marked]
    counts = np.bincount(np.concatenate(rows or [[0]]), minlength=len(model.vocabulary))
    counts[:3] = 0  # neither <unk> nor the marks are ever the answer
    noise = noise_distribution(counts).cumsum()
    noise[-1] = 1.0  # rounding must not leave a gap at the top
    rng, found = np.random.default_rng(seed), []
    optimizer = torch.optim.Adam(model.parameters(), lr=lr, fused=True)
    total = epochs * sum(map(len, rows))
    with tqdm(total=total, unit="word", unit_scale=True, file=sys.stdout) as bar:
        for _ in range(epochs):
            losses = []
            for batch in batches(rows, rng):
                ids, lengths = pad(batch)
                shape = (len(batch), ids.shape[1] - 2, negatives)
                drawn = noise.searchsorted(rng.random(shape), side="right")
                optimizer.zero_grad()
                loss = model.loss(ids, lengths, torch.from_numpy(drawn))
                loss.backward()
                nn.utils.clip_grad_norm_(model.parameters(), 5.0)
                optimizer.param_groups[0]["lr"] = lr * max(1 - bar.n / total, 0.02)
                optimizer.step()
                losses.append(loss.item())
                bar.update(int(lengths.sum()))
            found.append(float(np.mean(losses)))
    model.eval()
    return found
