"""BERT: a Transformer that looks both ways, because what it predicts is hidden.

Some pieces are masked and predicted from everything around them (MLM); and of two
segments it is predicted whether the second one follows the first (NSP).
Source: Devlin et al. 2019. Departures: much smaller; pre-norm (see `transformer`); no
dropout in pre-training, where so small a model does not overfit, and never any on the
attention weights; training lowers the mean of the two losses, not their sum, without
weight decay; pairs are drawn anew in every epoch, and where their segments meet nothing
is cut. With the config of a released BERT the same code runs that one.

Shapes: B batch, T time, D dimension, V pieces, K classes, N masked places.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from ..text.batches import IGNORE
from ..text.epochs import Epochs, n_batches, share
from ..text.pieces import CLS, MARKS, MASK, PAD, SEP, UNK, PieceText
from .classifier import Scores
from .sampled_softmax import summed_loss
from .transformer import Transformer, drop, form, places_of, start_small

# -- what is hidden --------------------------------------------------------------------


@dataclass(frozen=True)
class Masking:
    """Which share of the pieces is to be predicted, and what is put in their place.

    mask, random: of those, so many become [MASK], so many another piece; the rest
        stays as it is
    """

    share: float = 0.15
    mask: float = 0.8
    random: float = 0.1


STANDARD = Masking()


def mask_pieces(
    tokens: np.ndarray, n_pieces: int, rng: np.random.Generator, how: Masking = STANDARD
) -> tuple[np.ndarray, np.ndarray]:
    """Hide some pieces (B, T). Return what the model reads, and the targets, (B, T).

    A target is the piece that was there before, IGNORE where none is to be predicted.
    Marks, padding among them, are never predicted and never drawn as a random piece.
    Source: Devlin et al. 2019, section 3.1 and appendix A.1. Departures: each piece is
    chosen by a toss of its own, so that a row may have more or fewer than 15 %, even
    none (the paper takes 15 % of each row); a random piece is never a mark.
    """
    chosen = (rng.random(tokens.shape) < how.share) & (tokens >= len(MARKS))  # (B, T)
    dice = rng.random(tokens.shape)  # (B, T): one draw decides among the three
    if n_pieces <= len(MARKS):
        raise ValueError(f"{n_pieces} pieces are nothing but marks; learn more of them")
    others = rng.integers(len(MARKS), n_pieces, tokens.shape)  # (B, T)
    read = np.where(chosen & (dice < how.mask), MASK, tokens)
    swapped = (dice >= how.mask) & (dice < how.mask + how.random)
    read = np.where(chosen & swapped, others, read)
    return read, np.where(chosen, tokens, IGNORE)


# -- pairs of segments -----------------------------------------------------------------


def join(one: Sequence[int], other: Sequence[int] | None = None) -> list[int]:
    """Write one or two texts: [CLS] one [SEP] other [SEP]."""
    row = [CLS, *one, SEP]
    return row if other is None else [*row, *other, SEP]


def segments(tokens: torch.Tensor, sep: int = SEP) -> torch.Tensor:
    """Number segments: 0 up to the first [SEP], then 1. Shape: (B, T) to (B, T)."""
    ends = (tokens == sep).long()
    return (ends.cumsum(dim=1) - ends).clamp(max=1)


def draw_pairs(
    text: PieceText, context: int, rng: np.random.Generator
) -> list[tuple[np.ndarray, int]]:
    """Cut a text into rows `[CLS] A [SEP] B [SEP]`; 1 if B follows A, else 0.

    A is one sentence or several in a row. Half of the time B is what comes next in the
    document; else B is about as much of another one, and the sentences that would
    have come next begin the next pair. What does not fit is cut where the segments do
    not meet: the beginning of A, the end of B.
    """
    room, pairs = context - 3, []
    for document in rng.permutation(len(text.documents) - 1):
        at, end = text.documents[document : document + 2]
        while end - at >= 2:
            stop = at + 2  # sentences at … stop - 1 fill the row
            while stop < end and text.sentences[stop] - text.sentences[at] < room:
                stop += 1
            split = rng.integers(at + 1, stop)  # B's first sentence
            begin, last = text.sentences[[split, stop]]
            one = text.ids[text.sentences[at] : begin]
            follows, length = int(rng.random() < 0.5), last - begin
            if not follows:
                begin, last = elsewhere(text, document, length, rng)
            other = text.ids[begin:last][: max(length, room - len(one))]
            one, other = cut_to_fit(one, other, room)
            pairs.append((np.array(join(one, other), dtype=np.int64), follows))
            at = stop if follows else split
    return pairs


def elsewhere(
    text: PieceText, document: int, length: int, rng: np.random.Generator
) -> tuple[int, int]:
    """Draw sentences of another document: at least so many pieces, if it has them.

    As many as would have followed: so the length tells little, but for short documents.
    """
    n = len(text.documents) - 1
    if n < 2:
        raise ValueError("a second segment from elsewhere needs a second document")
    other = (document + rng.integers(1, n)) % n
    first, end = text.documents[other : other + 2]
    borders = text.sentences[first : end + 1]
    starts = np.searchsorted(borders, borders[-1] - length, side="right")
    begin = borders[rng.integers(max(starts, 1))]
    stop = min(np.searchsorted(borders, begin + length), len(borders) - 1)
    return begin, borders[stop]


def cut_to_fit(one: np.ndarray, other: np.ndarray, room: int) -> tuple:
    """Shorten the longer segment, or both, away from where the two meet."""
    a, b = len(one), len(other)
    if a + b > room:
        a = min(a, max(room // 2, room - b))
        b = min(b, room - a)
    return one[len(one) - a :], other[:b]


class MaskedPairs(Epochs):
    """Batches of pairs with masked pieces; new pairs and new masks in every epoch.

    masking: None predicts the next piece everywhere instead ("LTR")
    next_sentence: False has no label for the pairs ("No NSP")
    """

    unit = "predictions"  # what a training counts

    def __init__(
        self,
        text: PieceText,
        n_pieces: int,
        context: int,
        rows: int = 64,
        seed: int = 0,
        masking: Masking | None = STANDARD,
        next_sentence: bool = True,
    ):
        self.text, self.n_pieces, self.context = text, n_pieces, context
        self.rows, self.seed, self.masking = rows, seed, masking
        self.next_sentence = next_sentence
        if context < 5:
            raise ValueError(f"a context of {context} has no room for two words")
        if not self.epoch(0):
            raise ValueError("no document has two sentences, so there are no pairs")
        # Every epoch draws other pairs; all have as many steps as the first.
        self._steps = n_batches(len(self.epoch(0)), rows)
        self.n_read = sum(len(row) for row, _ in self.epoch(0))  # pieces of an epoch

    def __len__(self) -> int:
        return self._steps

    def draw(self, rng: np.random.Generator) -> list[tuple[np.ndarray, int]]:
        """Return an epoch's pairs in their order."""
        found = draw_pairs(self.text, self.context, rng)
        return [found[i] for i in rng.permutation(len(found))]

    def at(
        self, step: int, part: int = 0, parts: int = 1
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return a step's rows (B, T) and its targets (2, B, T), or (1, B, T).

        [0] is the piece that was masked, or is next; [1], at [CLS], whether the second
        segment follows. IGNORE everywhere else.
        """
        epoch, place = divmod(step, len(self))
        pairs = self.epoch(epoch)
        wanted = np.arange(place * self.rows, (place + 1) * self.rows)
        if epoch == 0:
            wanted = wanted[wanted < len(pairs)]  # a whole pass, nothing twice
        chosen = share([pairs[i % len(pairs)] for i in wanted], part, parts)
        T = max(len(row) for row, _ in chosen)
        tokens = np.stack([np.pad(row, (0, T - len(row))) for row, _ in chosen])
        follows = np.full_like(tokens, IGNORE)
        follows[:, 0] = [label for _, label in chosen]
        read, targets = self.hide(tokens, (self.seed, step, part))
        both = np.stack([targets, follows] if self.next_sentence else [targets])
        return torch.from_numpy(read), torch.from_numpy(both)

    def hide(self, tokens: np.ndarray, seed: tuple) -> tuple[np.ndarray, np.ndarray]:
        """Return what is read (B, T) and which pieces are to be predicted (B, T)."""
        if self.masking is not None:
            rng = np.random.default_rng(seed)
            return mask_pieces(tokens, self.n_pieces, rng, self.masking)
        following = np.full_like(tokens, IGNORE)
        following[:, :-1] = np.where(tokens[:, 1:] < len(MARKS), IGNORE, tokens[:, 1:])
        return tokens, following


# -- the model -------------------------------------------------------------------------


@dataclass
class BERTConfig:
    """The sizes of a BERT.

    dropout: in pre-training; when a task is taught it is always `transformer.DROPOUT`
    context: the longest row of pieces that it can read
    causal: each position sees only itself and what is before it, for the left-to-right
        ablation
    inner, post_norm, gelu, epsilon: see `transformer.Block`. The paper has (0, True,
        "none", 1e-12)
    pad, sep: the numbers of [PAD] and [SEP]
    """

    layers: int = 4
    dimension: int = 192
    heads: int = 4
    context: int = 128
    dropout: float = 0.0
    causal: bool = False
    inner: int = 0
    post_norm: bool = False
    gelu: str = "none"
    epsilon: float = 1e-5
    pad: int = PAD
    sep: int = SEP


class BERT(nn.Module):
    """Rows of pieces in, for each piece a vector that knows both its sides."""

    def __init__(self, config: BERTConfig, n_pieces: int):
        super().__init__()
        self.config = c = config
        D = c.dimension
        self.token = nn.Embedding(n_pieces, D)  # also the softmax
        self.segment = nn.Embedding(2, D)
        self.position = nn.Embedding(c.context, D)
        self.norm, self.dropout = nn.LayerNorm(D, c.epsilon), nn.Dropout(c.dropout)
        self.before_softmax = nn.Sequential(
            nn.Linear(D, D), nn.GELU(c.gelu), nn.LayerNorm(D, c.epsilon)
        )
        self.bias = nn.Parameter(torch.zeros(n_pieces))
        self.pooler = nn.Linear(D, D)
        self.follows = nn.Linear(D, 2)
        self.apply(start_small)
        sizes = c.layers, D, c.heads, c.dropout, c.causal
        self.transformer = Transformer(*sizes, **form(c))

    def forward(self, tokens: torch.Tensor, targets: torch.Tensor | None = None):
        """Read rows (B, T), padded behind with PAD. Return a vector for each piece.

        Shape: (B, T, D). Given targets (2, B, T), or (1, B, T) without NSP, IGNORE
        where there is none, return the losses (2,) or (1,) as well: nats per masked
        piece, nats per pair.
        """
        h = self.read(tokens)[0]
        if targets is None:
            return h
        losses = [self.masked_loss(h, targets[0])]
        if len(targets) == 2:
            scores = self.follows(self.pooled(h, tokens)).float()  # (B, 2)
            losses.append(F.cross_entropy(scores, targets[1, :, 0]))
        return h, torch.stack(losses)

    def embed(self, tokens: torch.Tensor) -> torch.Tensor:
        """Add what stands there, in which segment, and where. Shape: (B, T, D)."""
        places = places_of(tokens, self.config.context)  # (T,)
        parts = segments(tokens, self.config.sep)  # (B, T)
        x = self.token(tokens) + self.segment(parts) + self.position(places)
        return self.dropout(self.norm(x))

    def read(self, tokens: torch.Tensor):
        """Return the vectors (B, T, D), and who looks where: (B, H, T, T) a block."""
        return self.transformer(self.embed(tokens), padding=tokens == self.config.pad)

    def layers(self, tokens: torch.Tensor) -> torch.Tensor:
        """Return the embedded pieces and each block's output. Shape: (L+1, B, T, D)."""
        x, padding = self.embed(tokens), tokens == self.config.pad
        return torch.stack(self.transformer.layers(x, padding)[0])

    def logits(self, h: torch.Tensor) -> torch.Tensor:
        """Score every piece as the masked one. Shape: (..., D) to (..., V)."""
        return F.linear(self.before_softmax(h), self.token.weight, self.bias)

    def masked_loss(self, h: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """Return the mean of -log p(target) over the places to be predicted."""
        here = targets != IGNORE  # (B, T)
        x = self.before_softmax(h[here])  # (N, D)
        total = summed_loss(x, targets[here], self.token.weight, self.bias)
        return total / here.sum().clamp(min=1)

    def pooled(self, h: torch.Tensor, tokens: torch.Tensor) -> torch.Tensor:
        """Return one vector for each row, (B, D): what [CLS] has gathered.

        A causal model's [CLS] has seen nothing; there the last piece is taken.
        """
        c = self.config
        last = (tokens != c.pad).sum(dim=1) - 1 if c.causal else 0
        return torch.tanh(self.pooler(h[torch.arange(len(h)), last]))


# -- heads for four kinds of tasks -----------------------------------------------------
# Source: Devlin et al. 2019, figure 4. A pair of texts is a row like any other, so that
# sentences and pairs have the same head.


class Classifier(nn.Module):
    """A BERT and one layer on [CLS]: a class for each sentence or pair."""

    def __init__(self, encoder: BERT, n_classes: int = 2):
        super().__init__()
        self.encoder = encoder
        self.dropout = nn.Dropout()
        self.head = nn.Linear(encoder.config.dimension, n_classes)
        start_small(self.head)
        drop(self)

    def forward(self, tokens: torch.Tensor, targets: torch.Tensor | None = None):
        """Score rows (B, T), or (B, 1, T). Return logits (B, K).

        Given the classes (B,), return the loss (1,) as well, in nats per row.
        """
        tokens = tokens.flatten(0, -2)  # (B, T)
        pooled = self.encoder.pooled(self.encoder(tokens), tokens)  # (B, D)
        logits = self.head(self.dropout(pooled)).float()  # (B, K)
        return with_loss(logits, targets)


class TokenClassifier(nn.Module):
    """A BERT and one layer on every piece: a tag for each.

    A word's tag is asked for at its first piece; elsewhere the target is IGNORE.
    """

    def __init__(self, encoder: BERT, n_tags: int):
        super().__init__()
        self.encoder = encoder
        self.dropout = nn.Dropout()
        self.head = nn.Linear(encoder.config.dimension, n_tags)
        start_small(self.head)
        drop(self)

    def forward(self, tokens: torch.Tensor, targets: torch.Tensor | None = None):
        """Score rows (B, T). Return logits (B, T, K).

        Given the tags (B, T), return the loss (1,) as well, in nats per tag.
        """
        logits = self.head(self.dropout(self.encoder(tokens))).float()  # (B, T, K)
        return with_loss(logits, targets)


class SpanFinder(nn.Module):
    """A BERT and two vectors: where does the answer begin, where does it end?

    Rows are `[CLS] question [SEP] paragraph [SEP]`; the span lies in the paragraph.
    """

    def __init__(self, encoder: BERT):
        super().__init__()
        self.encoder = encoder
        self.head = nn.Linear(encoder.config.dimension, 2)
        start_small(self.head)
        drop(self)

    def forward(self, tokens: torch.Tensor, targets: torch.Tensor | None = None):
        """Score every place as begin and as end. Return logits (B, 2, T).

        Given begin and end (B, 2), return the loss (1,) as well, in nats per end.
        Errors: ValueError for an end that is not in the paragraph.
        """
        scores = self.head(self.encoder(tokens)).float()  # (B, T, 2)
        sep = self.encoder.config.sep
        marks = (tokens < len(MARKS)) & (tokens != UNK)  # an [UNK] may be an answer
        outside = (segments(tokens, sep) == 0) | marks | (tokens == sep)  # (B, T)
        if targets is not None:
            check_spans(targets, ~outside)
        logits = scores.masked_fill(outside[:, :, None], -torch.inf)
        return with_loss(logits.transpose(1, 2), targets)  # (B, 2, T)


def check_spans(spans: torch.Tensor, allowed: torch.Tensor) -> None:
    """Raise ValueError unless spans lie where they are allowed. Shape: (B, 2), (B, T).

    Places that are IGNORE do not count.
    """
    inside = spans.clamp(0, allowed.shape[1] - 1)  # (B, 2)
    fine = (spans == inside) & allowed.gather(1, inside) | (spans == IGNORE)
    turned = (spans[:, 0] > spans[:, 1]) & (spans != IGNORE).all(dim=1)
    if not fine.all() or turned.any():
        raise ValueError(
            "an answer begins or ends outside its paragraph, or ends before it begins: "
            "places count from [CLS], 0; leave out answers that have been cut off"
        )


def with_loss(logits: torch.Tensor, targets: torch.Tensor | None):
    """Return scores (..., K) alone, or with the mean loss (1,) of targets (...)."""
    if targets is None:
        return logits
    flat, wanted = logits.flatten(0, -2), targets.flatten()
    loss = F.cross_entropy(flat, wanted, ignore_index=IGNORE)
    return Scores(logits, loss.new_zeros(())), loss.reshape(1)


def best_span(logits: torch.Tensor, longest: int = 30) -> torch.Tensor:
    """Return the likeliest begin and end, end not before begin. Shape: (B, 2, T) to
    (B, 2).

    longest: pieces of an answer at most. Errors: ValueError if there is no such span
    """
    begin, end = logits.unbind(dim=1)  # (B, T) each
    T = begin.shape[1]
    scores = begin[:, :, None] + end[:, None, :]  # (B, T, T)
    allowed = logits.new_ones(T, T, dtype=torch.bool).triu().tril(longest - 1)
    score, best = scores.masked_fill(~allowed, -torch.inf).flatten(1).max(dim=1)  # (B,)
    if not (score > -torch.inf).all():
        raise ValueError("a row has no paragraph in which an answer may stand")
    return torch.stack([best // T, best % T], dim=1)
