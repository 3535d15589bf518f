"""GPT: a causal Transformer that reads on, and is then taught a task.

Pieces in, the next pieces out. For a task, its inputs are written as one row of pieces
with a few marks between them; only a small head is new.
Source: Radford et al. 2018. Departures: much smaller; pre-norm (see `transformer`) and
the exact GELU; no dropout in pre-training, where so small a model does not overfit, and
never any on the attention weights; no weight decay; the softmax has a bias, from which
the frequency of the pieces is learned at once, and in pre-training it is estimated from
a sample (`samples`). With the config of a released GPT-1 or GPT-2 the same code runs
that one; its softmax then has a bias of 0.

Shapes: B batch, R rows of an example, T time, D dimension, V pieces, K classes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F

from ..text.batches import IGNORE
from ..text.pieces import DELIM, EXTRACT, MARKS, PAD, START, pad
from .awd_lstm import check_beginning, draw_next
from .classifier import Scores
from .sampled_softmax import sampled_loss, summed_loss
from .transformer import Transformer, drop, form, places_of, start_small


@dataclass
class GPTConfig:
    """The sizes of a GPT.

    dropout: in pre-training; when a task is taught it is always `transformer.DROPOUT`
    context: the longest row of pieces that it can read
    samples: pieces that the softmax is estimated from in training; 0: all pieces
    inner, post_norm, gelu, epsilon: see `transformer.Block`. The paper has (0, True,
        "tanh", 1e-5), GPT-2 (0, False, "tanh", 1e-5)
    marks: its first pieces are the course's marks; a released one has no such marks
    """

    layers: int = 4
    dimension: int = 192
    heads: int = 4
    context: int = 128
    dropout: float = 0.0
    samples: int = 0
    inner: int = 0
    post_norm: bool = False
    gelu: str = "none"
    epsilon: float = 1e-5
    marks: bool = True


class GPT(nn.Module):
    """Pieces in, for each of them a vector that knows it and what came before."""

    def __init__(self, config: GPTConfig, n_pieces: int):
        super().__init__()
        self.config = c = config
        self.embedding = nn.Embedding(n_pieces, c.dimension)  # also the softmax
        self.position = nn.Embedding(c.context, c.dimension)
        self.dropout = nn.Dropout(c.dropout)
        self.bias = nn.Parameter(torch.zeros(n_pieces))
        self.apply(start_small)
        sizes = c.layers, c.dimension, c.heads, c.dropout
        self.transformer = Transformer(*sizes, **form(c))

    def forward(self, tokens: torch.Tensor, targets: torch.Tensor | None = None):
        """Read pieces (B, T). Return a vector for each, (B, T, D).

        Given targets (B, T), IGNORE where there is none, return the loss (1,) as well,
        in nats per piece.
        """
        h = self.read(tokens)[0]
        return h if targets is None else (h, self.loss(h, targets).reshape(1))

    def read(self, tokens: torch.Tensor):
        """Return the vectors (B, T, D), and who looks where: (B, H, T, T) a block.

        What stands behind a row's end is read, but nothing before it sees that.
        """
        return self.transformer(self.embed(tokens))

    def layers(self, tokens: torch.Tensor) -> torch.Tensor:
        """Return the input and each block's output, the last normed: (L+1, B, T, D)."""
        return torch.stack(self.transformer.layers(self.embed(tokens))[0])

    def embed(self, tokens: torch.Tensor) -> torch.Tensor:
        """Add what stands there, and where. Shape: (B, T, D)."""
        places = places_of(tokens, self.config.context)  # (T,)
        x = self.embedding(tokens) + self.position(places)  # (B, T, D) + (T, D)
        return self.dropout(x)

    @property
    def softmax(self) -> torch.Tensor:
        """The pieces' vectors as outputs, (V, D): the embedding once more ("tied")."""
        return self.embedding.weight

    def logits(self, h: torch.Tensor) -> torch.Tensor:
        """Score every piece as the next one. Shape: (..., D) to (..., V)."""
        return F.linear(h, self.softmax, self.bias)

    def loss(self, h: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """Return the mean of -log p(target) over the positions that have a target."""
        here = targets != IGNORE  # (B, T)
        h, targets = h[here], targets[here]  # (N, D), (N,)
        if self.training and self.config.samples:
            parameters = (self.softmax, self.bias)
            return sampled_loss(h, targets, *parameters, self.config.samples)
        return summed_loss(h, targets, self.softmax, self.bias) / len(targets)


@torch.no_grad()
def generate(
    model: GPT, ids: Sequence[int], n: int, temperature: float = 1.0
) -> list[int]:
    """Continue a text by n pieces, drawn one by one; of the marks only <S> and </S>.

    temperature: below 1 the model keeps to likely pieces, above 1 it ventures more; at
        0 it takes the likeliest. Errors: ValueError if it is below 0, or ids are empty
    The model sees the last `context` pieces and has no other memory.
    """
    check_beginning(ids, temperature)
    model.eval()
    found = list(ids)
    marks = MARKS if model.config.marks else []
    never = [i for i, mark in enumerate(marks) if mark not in ("<S>", "</S>")]
    for _ in range(n):
        seen = found[-model.config.context :]
        window = torch.tensor([seen], device=model.bias.device)  # (1, T)
        logits = model.logits(model(window)[0, -1]).float()  # (V,)
        logits[never] = -torch.inf
        found.append(draw_next(logits, temperature))
    return found[len(ids) :]


# -- four kinds of tasks, written as rows of pieces ------------------------------------
# Source: Radford et al. 2018, section 3.3 and figure 1. Each returns the rows of one
# example; a row begins with <S> and ends with <EXTRACT>, and the vector there decides.

Row = list[int]


def classification(text: Row) -> list[Row]:
    """Write one text: <S> text <EXTRACT>."""
    return [[START, *text, EXTRACT]]


def entailment(premise: Row, hypothesis: Row) -> list[Row]:
    """Write an ordered pair: <S> premise <DELIM> hypothesis <EXTRACT>."""
    return [[START, *premise, DELIM, *hypothesis, EXTRACT]]


def similarity(one: Row, other: Row) -> list[Row]:
    """Write a pair that has no order in both orders; the two vectors are added."""
    return [*entailment(one, other), *entailment(other, one)]


def multiple_choice(context: Row, answers: Sequence[Row]) -> list[Row]:
    """Write a row for each answer; a softmax over the rows' scores chooses."""
    return [row for answer in answers for row in entailment(context, answer)]


def shortened(texts: Sequence[Row], room: int) -> list[Row]:
    """Cut pieces off the end of the longest text until all fit into the room."""
    texts = [list(text) for text in texts]
    while sum(map(len, texts)) > max(room, 0):
        max(texts, key=len).pop()
    return texts


class GPTClassifier(nn.Module):
    """A GPT with a head: rows of pieces in, scores of the classes out.

    choice: the R rows of an example are its K answers, of which one is right; else
        they are one input, written R times, and their vectors are added
    lm_weight: λ, how much the language model's own loss counts beside the task's
    """

    def __init__(
        self,
        encoder: GPT,
        n_classes: int = 2,
        choice: bool = False,
        lm_weight: float = 0.5,
    ):
        super().__init__()
        if not encoder.config.marks:
            raise ValueError(
                "this GPT has no pieces <S>, <DELIM> and <EXTRACT>; a head needs new "
                "ones, with vectors of their own"
            )
        self.encoder, self.choice, self.lm_weight = encoder, choice, lm_weight
        self.dropout = nn.Dropout()
        self.head = nn.Linear(encoder.config.dimension, 1 if choice else n_classes)
        start_small(self.head)
        drop(self)

    def forward(self, tokens: torch.Tensor, targets: torch.Tensor | None = None):
        """Score examples (B, R, T), padded behind with PAD. Return logits (B, K).

        Errors: ValueError for a row without <EXTRACT>.
        Given the classes (B,), return the loss (1,) as well, in nats per example; the
        penalty of the scores is λ L1, so that a training lowers L3 = L2 + λ L1.
        Source: Radford et al. 2018, equations 3 to 5.
        """
        B, R, _ = tokens.shape
        rows = tokens.flatten(0, 1)  # (B R, T)
        marks = rows == EXTRACT  # (B R, T)
        if not marks.any(dim=1).all():
            raise ValueError(
                "a row has no <EXTRACT>, where its class is read off; shorten the text "
                "with `shortened` before its marks are put around it, not the row"
            )
        h = self.encoder(rows)  # (B R, T, D)
        end = marks.long().argmax(dim=1)  # (B R,)
        extracted = h[torch.arange(len(rows)), end].view(B, R, -1)  # (B, R, D)
        if not self.choice:
            extracted = extracted.sum(dim=1, keepdim=True)  # (B, 1, D)
        scores = self.head(self.dropout(extracted)).float()  # (B, R, 1) or (B, 1, K)
        logits = scores.flatten(1)  # (B, K)
        if targets is None:
            return logits
        loss = F.cross_entropy(logits, targets)
        return Scores(logits, self.auxiliary(h, rows)), loss.reshape(1)

    def auxiliary(self, h: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
        """Return λ times the language model's loss on the rows themselves."""
        if not (self.training and self.lm_weight):
            return h.new_zeros(())
        # following: (B R, T-1)
        following = rows[:, 1:].masked_fill(rows[:, 1:] == PAD, IGNORE)
        return self.lm_weight * self.encoder.loss(h[:, :-1], following)


@torch.no_grad()
def predict(
    model: GPTClassifier, examples: Sequence[Sequence[Row]], rows: int = 64
) -> torch.Tensor:
    """Return each example's probabilities of the classes. Shape: (N, K)."""
    model.eval()
    parts = [examples[i : i + rows] for i in range(0, len(examples), rows)]
    where = next(model.parameters()).device
    return torch.cat([model(pad(p).to(where)).softmax(dim=1).cpu() for p in parts])
