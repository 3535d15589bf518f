"""A sequence tagger that may be given the states of a language model: TagLM.

    x_t = [c_t; w_t]                     the word's characters, the word's vector
    h_1 = biLSTM(x),  h_2 = biLSTM(h_1)  two layers, each reads in both directions
    P_t = W h_2,t + b                    a score for each tag; a CRF chooses among them

The language model was trained on text without labels and stays as it is. Its states
are joined to one of x_t ("input"), h_1,t ("after first") and h_2,t ("after second").
Source: Peters et al. 2017, "Semi-supervised sequence tagging with bidirectional
language models". Departures: smaller; LSTMs where the paper's entity tagger has GRUs;
the characters are read as in ELMo (a highway layer, a projection).
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import nn

from ..text.batches import Tokens, spell_sentences
from ..text.examples import Tagged, aligned
from ..text.vocabulary import Vocabulary
from .bilm import reverse
from .charcnn import CharCNN
from .crf import CRF

PLACES = ("input", "after first", "after second", "alone")
ROWS = 32  # sentences in a step
RATE = 5e-3  # Adam's largest learning rate


class TaggedSentences(NamedTuple):
    """Sentences with their tags; features, if any: (T, F) for each sentence."""

    examples: Sequence[Tagged]
    features: Sequence[np.ndarray] | None = None

    def take(self, rows: Sequence[int]) -> TaggedSentences:
        """Return some of the sentences."""
        features = None if self.features is None else [self.features[i] for i in rows]
        return TaggedSentences([self.examples[i] for i in rows], features)


class BiLSTM(nn.Module):
    """A forward and a backward LSTM over the same input, joined at each word."""

    def __init__(self, inputs: int, hidden: int):
        super().__init__()
        self.right = nn.LSTM(inputs, hidden, batch_first=True)  # reads to the right
        self.left = nn.LSTM(inputs, hidden, batch_first=True)  # reads to the left

    def forward(self, x: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """Read each row's words, not its padding. Shape: (B, T, I) to (B, T, 2H)."""
        forward = self.right(x)[0]  # (B, T, H); padding comes last, so it harms nothing
        backward = reverse(self.left(reverse(x, lengths))[0], lengths)
        return torch.cat([forward, backward], dim=2)


class Tagger(nn.Module):
    """Two biLSTM layers and a CRF over words, characters and perhaps features.

    vocabulary: the words that have a vector; C (V, D): the vectors to begin with
    tags: the names of the tags
    n_features: F, or 0; place: of PLACES, where the features are joined. "alone" is a
        control without words, characters and LSTMs: features, a dense layer, the CRF
    """

    def __init__(
        self, vocabulary: Vocabulary, C: torch.Tensor, tags: Sequence[str],
        n_features: int = 0, place: str = "after first", hidden: int = 100,
    ):  # fmt: skip
        super().__init__()
        if place not in PLACES:
            raise ValueError(f"place is {place!r}; there are {', '.join(PLACES)}")
        if place == "alone" and not n_features:
            raise ValueError("alone, without features, there is nothing to tag from")
        self.vocabulary, self.tags = vocabulary, list(tags)
        self.n_features, self.place = n_features, place
        self.characters = CharCNN([(3, 30)], projection=30)
        self.words = nn.Embedding.from_pretrained(C.clone(), freeze=False)
        extra = {at: n_features if at == place else 0 for at in PLACES}
        self.first = BiLSTM(30 + C.shape[1] + extra["input"], hidden)
        self.second = BiLSTM(2 * hidden + extra["after first"], hidden)
        top = n_features if place == "alone" else 2 * hidden + extra["after second"]
        self.dense = nn.Linear(top, len(tags))
        self.crf = CRF(len(tags))
        self.dropout = nn.Dropout(0.25)

    def forward(self, sentences: Sequence[Sequence[str]], features=None) -> tuple:
        """Score the tags. Shape: B sentences, features (B, T, F); to (B, T, K), mask.

        No sentence may be empty.
        Errors: ValueError if features are missing, or there and not expected.
        """
        if (features is None) != (self.n_features == 0):
            raise ValueError(
                f"this tagger was built for {self.n_features} features a word; give "
                "features of that size if there are any, else none"
            )
        where = self.crf.start.device
        features = features if features is None else features.to(where)
        tokens = spell_sentences(sentences).to(where)
        places = torch.arange(tokens.positions.shape[1], device=where)  # (T,)
        mask = places < tokens.lengths[:, None]  # (B, T)
        if self.place == "alone":
            return self.dense(self.dropout(features)), mask
        x = self.join("input", self.embed(sentences, tokens), features)
        h = self.first(self.dropout(x), tokens.lengths)  # (B, T, 2H)
        h = self.join("after first", h, features)
        h = self.second(self.dropout(h), tokens.lengths)
        h = self.join("after second", h, features)
        return self.dense(self.dropout(h)), mask

    def embed(self, sentences: Sequence[Sequence[str]], tokens: Tokens) -> torch.Tensor:
        """Return [characters; word] of each token. Shape: (B, T, 30 + D)."""
        spelled = self.characters(tokens.characters)[tokens.positions]  # (B, T, 30)
        rows = [torch.tensor(self.vocabulary.encode(s)) for s in sentences]
        numbers = nn.utils.rnn.pad_sequence(rows, batch_first=True)  # (B, T)
        return torch.cat([spelled, self.words(numbers.to(spelled.device))], dim=2)

    def join(self, place: str, x: torch.Tensor, features) -> torch.Tensor:
        """Join the features to x if this is their place. Shape: (B, T, I or I + F)."""
        if features is None or place != self.place:
            return x
        return torch.cat([x, features], dim=2)

    def loss(self, batch: TaggedSentences) -> torch.Tensor:
        """Return the CRF's loss, in nats per sentence."""
        sentences = [x.tokens for x in batch.examples]
        scores, mask = self(sentences, stack(batch.features, sentences))
        numbers = [
            [self.tags.index(tag) for tag in x.tags] for x in aligned(batch.examples)
        ]
        rows = [torch.tensor(row) for row in numbers]
        tags = nn.utils.rnn.pad_sequence(rows, batch_first=True)  # (B, T)
        return self.crf(scores, tags.to(mask.device), mask)

    @torch.no_grad()
    def tag(self, data: TaggedSentences) -> list[list[str]]:
        """Return the tags that the tagger gives to sentences, in their order."""
        self.eval()
        found: list = [[]] * len(data.examples)
        for rows in by_length(data, range(len(data.examples)), 64):
            batch = data.take(rows)
            sentences = [x.tokens for x in batch.examples]
            best = self.crf.decode(*self(sentences, stack(batch.features, sentences)))
            for i, path in zip(rows, best, strict=True):
                found[i] = [self.tags[k] for k in path]
        return found


def stack(
    features: Sequence[np.ndarray] | None, sentences: Sequence[Sequence[str]]
) -> torch.Tensor | None:
    """Pad features with zeros. Shape: B of (T, F), T words, to (B, T, F) float32."""
    if features is None:
        return None
    lengths, words = [len(x) for x in features], [len(s) for s in sentences]
    if lengths != words:
        raise ValueError(f"sentences of {words} words with features for {lengths}")
    rows = [torch.from_numpy(np.array(x, dtype=np.float32)) for x in features]
    return nn.utils.rnn.pad_sequence(rows, batch_first=True)


def by_length(
    data: TaggedSentences, order: Sequence[int], rows: int
) -> list[list[int]]:
    """Cut an order into batches of sentences of about the same length."""
    order = sorted(order, key=lambda i: len(data.examples[i].tokens))
    return [order[i : i + rows] for i in range(0, len(order), rows)]


def fit(
    tagger: Tagger, train: TaggedSentences, dev: TaggedSentences, seed: int,
    measure: Callable[[list, list], float], steps: int,
) -> list[float]:  # fmt: skip
    """Train with Adam and keep the parameters that were best on `dev`, of six times.

    measure: of the right tags and the guessed ones, such as `analysis.tagging.span_f1`
    steps: of ROWS sentences each, six at least; the learning rate rises, then falls to
        nothing
    Returns the six values on `dev`. `seed` shuffles; dropout follows torch's own seed.
    """
    others = [p for name, p in tagger.named_parameters() if not name.startswith("crf.")]
    groups = [{"params": others}, {"params": tagger.crf.parameters()}]
    if steps < 6 or not train.examples:
        raise ValueError(
            f"{steps} steps, {len(train.examples)} sentences: give six steps or more, "
            "and a sentence to learn from"
        )
    optimizer = torch.optim.Adam(groups, fused=True)
    scores, kept = [], {}
    for step, batch in zip(range(1, steps + 1), shuffled(train, seed), strict=False):
        done = step / (steps + 1)
        # Adam moves a number by about its rate a step. The scores of pairs of tags
        # begin at 0 and must become large, so that theirs is ten times as high.
        for group, factor in zip(optimizer.param_groups, (1, 10), strict=True):
            group["lr"] = factor * RATE * min(done / 0.2, (1 - done) / 0.8)
        tagger.train()
        optimizer.zero_grad()
        tagger.loss(batch).backward()
        nn.utils.clip_grad_norm_(tagger.parameters(), 5.0)
        optimizer.step()
        if step * 6 // steps > (step - 1) * 6 // steps:
            scores.append(measure([x.tags for x in dev.examples], tagger.tag(dev)))
            if scores[-1] > max(scores[:-1], default=-1):
                kept = copy.deepcopy(tagger.state_dict())
    tagger.load_state_dict(kept)
    return scores


def shuffled(data: TaggedSentences, seed: int) -> Iterator[TaggedSentences]:
    """Yield batches without end: shuffled, of similar length, each sentence in turn."""
    rng = np.random.default_rng(seed)
    while True:
        order = rng.permutation(len(data.examples))
        for i in range(0, len(order), 8 * ROWS):
            for rows in by_length(data, order[i : i + 8 * ROWS], ROWS):
                yield data.take(rows)
