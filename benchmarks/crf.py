"""The CRF of the tagger: its loss and Viterbi beside the tagger's own LSTMs."""

from __future__ import annotations

import texts
import torch
from harness import Race, device, main
from torch import nn

from course_lib.models.crf import CRF
from course_lib.models.tagger import ROWS, BiLSTM

TAGS = 25


def loop_loss(crf: CRF, scores: torch.Tensor, tags: torch.Tensor, lengths: list[int]):
    """Compute the mean loss sentence by sentence and word by word."""
    losses = []
    for P, y, T in zip(scores, tags, lengths, strict=True):
        alpha, gold = crf.start + P[0], crf.start[y[0]] + P[0, y[0]]
        for t in range(1, T):
            alpha = (alpha[:, None] + crf.transitions).logsumexp(0) + P[t]
            gold = gold + crf.transitions[y[t - 1], y[t]] + P[t, y[t]]
        losses.append((alpha + crf.end).logsumexp(0) - gold - crf.end[y[T - 1]])
    return torch.stack(losses).mean()


def loop_over_tags(crf: CRF, scores: torch.Tensor, tags: torch.Tensor, lengths):
    """Compute the mean loss with a loop over the tags as well, as tutorials do."""
    losses = []
    for P, y, T in zip(scores, tags, lengths, strict=True):
        alpha = crf.start + P[0]
        for t in range(1, T):
            into = crf.transitions.unbind(1)  # K of (K,)
            new = [(alpha + a).logsumexp(0) + P[t, k] for k, a in enumerate(into)]
            alpha = torch.stack(new)
        one, row = y[None, :T], torch.ones(1, T, dtype=torch.bool, device=P.device)
        gold = crf.score(P[None, :T], one, row)[0]
        losses.append((alpha + crf.end).logsumexp(0) - gold)
    return torch.stack(losses).mean()


@torch.no_grad()
def loop_viterbi(crf: CRF, scores: torch.Tensor, lengths: list[int]) -> list[list[int]]:
    """Find the best tags sentence by sentence and word by word."""
    found = []
    for P, T in zip(scores, lengths, strict=True):
        best, back = crf.start + P[0], []
        for t in range(1, T):
            value, source = (best[:, None] + crf.transitions).max(0)
            best = value + P[t]
            back.append(source)
        path = [int((best + crf.end).argmax())]
        for source in reversed(back):
            path.append(int(source[path[-1]]))
        found.append(path[::-1])
    return found


@torch.no_grad()
def viterbi_over_tags(crf: CRF, scores: torch.Tensor, lengths: list[int]):
    """Find the best tags with a loop over the tags as well, as tutorials do."""
    found = []
    for P, T in zip(scores, lengths, strict=True):
        best, back = crf.start + P[0], []
        for t in range(1, T):
            into = [(best + a).max(0) for a in crf.transitions.unbind(1)]
            best = torch.stack([value for value, _ in into]) + P[t]
            back.append([int(source) for _, source in into])
        path = [int((best + crf.end).argmax())]
        for source in reversed(back):
            path.append(source[path[-1]])
        found.append(path[::-1])
    return found


def alike(rows: int) -> list[int]:
    """Return lengths of sentences that the tagger would put in one batch."""
    lengths = sorted(len(s) for s in texts.sentences(8 * rows))
    return lengths[4 * rows : 5 * rows]


def races(small: bool = False, tiny: bool = False) -> list[Race]:
    """Prepare scores for a batch of sentences, and the tagger's two biLSTM layers."""
    torch.manual_seed(0)
    where, rows = device(), 3 if tiny else ROWS
    lengths = [5, 1, 3] if tiny else alike(rows)
    T, K, H = max(lengths), 4 if tiny else TAGS, 6 if tiny else 100
    crf = CRF(K).to(where)
    for parameter in crf.parameters():
        nn.init.normal_(parameter)
    scores = torch.randn(rows, T, K, device=where, requires_grad=True)
    tags = torch.randint(K, (rows, T), device=where)
    ends = torch.tensor(lengths, device=where)
    mask = torch.arange(T, device=where) < ends[:, None]
    layers = [BiLSTM(130, H).to(where), BiLSTM(2 * H, H).to(where)]
    x = torch.randn(rows, T, 130, device=where, requires_grad=True)

    def read() -> torch.Tensor:
        return layers[1](layers[0](x, ends), ends)

    def gradient(loss: torch.Tensor) -> list[torch.Tensor]:
        return [loss.detach(), *torch.autograd.grad(loss, [scores, crf.transitions])]

    def ours():
        return gradient(crf(scores, tags, mask))

    def lstm():
        read().sum().backward()

    def viterbi():
        return [k for path in crf.decode(scores.detach(), mask) for k in path]

    def decoded(loop) -> list[int]:
        return [k for path in loop(crf, scores.detach(), lengths) for k in path]

    size = {"amount": sum(lengths), "unit": "words"}
    beside = "Not the same work: the share is of the LSTMs' own time."
    return [
        Race("CRF loss and its gradient, beside the tagger's LSTMs", ours, lstm, 2,
             "share", **size, tolerance=None, note=beside),
        Race("Viterbi, beside the LSTMs' forward pass", viterbi, torch.no_grad()(read),
             2, "share", **size, tolerance=None, note=beside),
        Race("CRF loss against a loop over sentences", ours,
             lambda: gradient(loop_loss(crf, scores, tags, lengths)), 20, **size,
             floor=(0, 10 * 4 * rows * T * K * K)),
        Race("CRF loss against a loop over sentences and tags", ours,
             lambda: gradient(loop_over_tags(crf, scores, tags, lengths)), 20, **size),
        Race("Viterbi against a loop over sentences", viterbi,
             lambda: decoded(loop_viterbi), 20, **size),
        Race("Viterbi against a loop over sentences and tags", viterbi,
             lambda: decoded(viterbi_over_tags), 20, **size),
    ]  # fmt: skip


if __name__ == "__main__":
    main(races)
