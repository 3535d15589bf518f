"""A small task model with sockets for ELMo: at its input, at its output, or at both.

What a task's model was in 2018: word vectors, a bidirectional LSTM, an output layer.
The mixed layers of a frozen biLM are laid beside the word vectors, or beside the LSTM's
output; nothing else changes. Source: Peters et al. 2018, section 3.3.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from .elmo import ScalarMix
from .pair import compare

PLACES = {"none": (), "input": ("input",), "output": ("output",)}
PLACES["both"] = ("input", "output")
GAMMA = 0.2  # where γ begins, see `Plugged`
KINDS = ("tagging", "classification", "pair")
MIX_RATE = 5  # w learns so many times faster than the rest; γ does not, it overshot


class PaddedSentences(NamedTuple):
    """A batch of sentences, padded.

    words: (B, T) rows of the table of word vectors
    marks: (B, T, M) rows of the table of marks (how a word is written), 0 for none
    layers: (L+1, B, T, D) of the frozen biLM, or fewer if they were chosen before
    mask: (B, T) True at words
    """

    words: torch.Tensor
    marks: torch.Tensor
    layers: torch.Tensor
    mask: torch.Tensor


class Plugged(nn.Module):
    """Word vectors and marks, a BiLSTM, scores; ELMo at one of PLACES.

    C: (V, S) word vectors, which stay as they are
    marks: how many marks there are; their vectors are learned from nothing
    kind: of KINDS; tagging scores each word, the others one or two sentences
    layers: (L+1, D) the size of what is mixed
    γ begins at GAMMA and not at 1, because the layers are several times as long as the
    word vectors beside which they stand.
    """

    def __init__(
        self, C, marks: int, classes: int, kind="tagging", layers=(3, 256),
        place="input", do_layer_norm=False, H=64,
    ):  # fmt: skip
        super().__init__()
        if kind not in KINDS or place not in PLACES:
            raise ValueError(
                f"kind {kind!r} at {place!r}: there are the kinds {', '.join(KINDS)} "
                f"and the places {', '.join(PLACES)}"
            )
        self.kind, places = kind, PLACES[place]
        self.C = nn.Embedding.from_pretrained(C, freeze=True)
        self.marks = nn.Embedding(marks, 50, padding_idx=0)
        nn.init.zeros_(self.marks.weight)  # a mark never met counts for nothing
        self.mixes = nn.ModuleDict(
            {name: ScalarMix(layers[0], do_layer_norm) for name in places}
        )
        for mix in self.mixes.values():
            nn.init.constant_(mix.gamma, GAMMA)
        I = C.shape[1] + 50 + layers[1] * ("input" in places)  # noqa: E741
        O = 2 * H + layers[1] * ("output" in places)  # noqa: E741
        self.lstm = nn.LSTM(I, H, batch_first=True, bidirectional=True)
        self.hidden = nn.Linear(4 * O if kind == "pair" else O, H)
        self.out = nn.Linear(H, classes)

    def read(self, side: PaddedSentences) -> torch.Tensor:
        """Read sentences. Shape: to (B, T, 2H), and D more with ELMo at the output."""
        mixed = {
            name: self.drop(mix(side.layers, side.mask), 0.5)  # (B, T, D)
            for name, mix in self.mixes.items()
        }
        # (B, T, S) and (B, T, 50)
        x = [self.C(side.words), self.marks(side.marks).sum(dim=2)]
        x += [mixed["input"]] if "input" in mixed else []
        x = self.drop(torch.cat(x, dim=2), 0.2)  # (B, T, I)
        # Packed, so that the backward LSTM begins at a sentence's end, not in padding.
        lengths = side.mask.sum(1).cpu()
        packed = pack_padded_sequence(x, lengths, True, enforce_sorted=False)
        h, _ = pad_packed_sequence(self.lstm(packed)[0], True, 0.0, x.shape[1])
        h = [self.drop(h, 0.2)]  # (B, T, 2H)
        h += [mixed["output"]] if "output" in mixed else []
        return torch.cat(h, dim=2)  # (B, T, O)

    def forward(
        self, sides: Sequence[PaddedSentences], targets: torch.Tensor | None = None
    ):
        """Return scores, or with `targets` the loss in nats per label.

        Shape: (B, T, K) for tagging, else (B, K). A target of -1 does not count.
        """
        read = [self.read(side) for side in sides]
        if self.kind != "tagging":
            read = [pool(h, s.mask) for h, s in zip(read, sides, strict=True)]  # (B, O)
        # (B, 4O) for a pair, (B, T, O) for tagging, else (B, O)
        h = compare(*read) if self.kind == "pair" else read[0]
        scores = self.out(torch.tanh(self.hidden(h)))  # (B, T, K) or (B, K)
        if targets is None:
            return scores
        return F.cross_entropy(
            scores.flatten(0, -2), targets.flatten(), ignore_index=-1
        )

    def drop(self, x: torch.Tensor, p: float) -> torch.Tensor:
        """Set some dimensions to 0 in training, the same ones for a whole sentence.

        Shape: (B, T, D) to the same. Drawing them once a sentence is cheaper, and what
        is missing cannot be read off the next word. Source: Gal and Ghahramani 2016.
        """
        return x * F.dropout(x.new_ones(len(x), 1, x.shape[2]), p, self.training)

    def penalty(self, lambda_: float) -> torch.Tensor | float:
        """Return lambda ||w||^2, added up over the mixes."""
        return sum(mix.penalty(lambda_) for mix in self.mixes.values())


def pool(h: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Take each number's largest value over the words. Shape: (B, T, O) to (B, O)."""
    return h.masked_fill(~mask[:, :, None], -torch.inf).amax(dim=1)


def fit(
    model: Plugged,
    batches: Callable[[], Sequence[tuple]],
    score: Callable[[Plugged], float],
    rounds: int,
    lr: float = 5e-3,
    lambda_: float = 0.0,
) -> float:
    """Train with Adam; keep the parameters of the round whose `score` was best.

    batches: returns (sides, targets) for one round, in a new order each time
    lambda_: of the penalty on the weights of the mixes. Returns the best score.
    """
    learned = {name: p for name, p in model.named_parameters() if p.requires_grad}
    weights = [p for name, p in learned.items() if name.endswith(".w")]
    rest = [p for name, p in learned.items() if not name.endswith(".w")]
    groups = [{"params": rest}]
    groups += [{"params": weights, "lr": MIX_RATE * lr}] if weights else []
    optimizer = torch.optim.Adam(groups, lr=lr)
    scores, kept = [], {}
    for _ in range(rounds):
        model.train()
        for sides, targets in batches():
            optimizer.zero_grad()
            (model(sides, targets) + model.penalty(lambda_)).backward()
            optimizer.step()
        model.eval()
        scores.append(score(model))
        if scores[-1] > max(scores[:-1], default=-1.0):
            kept = copy.deepcopy(model.state_dict())
    model.load_state_dict(kept)
    return max(scores)
