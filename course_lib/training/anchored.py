"""L2-SP: fine-tuning that is pulled back to where it began.

Nothing in plain fine-tuning keeps the parameters near the pre-trained ones; only small
steps and few of them do. Here a term of the loss does it.
Source: Li, Grandvalet and Davoine 2018.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

import torch
from torch import nn

from ..models.awd_lstm import AWDLSTM
from ..models.classifier import TextClassifier


def l2_sp(
    parameters: Sequence[torch.Tensor], start: Sequence[torch.Tensor], alpha: float
) -> torch.Tensor:
    """Return α/2 ‖w − w⁰‖², over all numbers of all tensors.

    Its gradient is α (w − w⁰): nothing at the start, and the further away, the stronger
    the pull. With zeros as the start it is weight decay.
    """
    pairs = zip(parameters, start, strict=True)
    squares = [(w - w0.to(w.device)).square().sum() for w, w0 in pairs]
    return alpha / 2 * torch.stack(squares).sum()


@contextlib.contextmanager
def anchored(
    model: TextClassifier, alpha: float, to_zero: bool = False
) -> Iterator[None]:
    """Within this block, training a classifier pulls its encoder to where it is now.

    to_zero: pull it to 0 instead, as weight decay does. The head was not pre-trained;
    it is left alone (the paper pulls it to 0, with a strength of its own). A model in
    training mode must be given targets here.
    """
    parameters = list(model.encoder.parameters())
    start = [p.detach().clone() for p in parameters]
    if to_zero:
        start = [torch.zeros_like(p) for p in parameters]

    def add(module: nn.Module, inputs: tuple, found):
        if not module.training:
            return found
        scores, losses = found
        pull = l2_sp(parameters, start, alpha)
        return scores._replace(penalty=scores.penalty + pull), losses

    handle = model.register_forward_hook(add)
    try:
        yield
    finally:
        handle.remove()


@torch.no_grad()
def distances(model: AWDLSTM, start: AWDLSTM) -> dict[str, float]:
    """Return how far each layer has moved, beside the length it had: ‖θ−θ₀‖ / ‖θ₀‖.

    The layers are "words" (vectors and bias), "LSTM 1", "LSTM 2" …, and "all".
    """

    def layers(of: AWDLSTM) -> dict[str, torch.Tensor]:
        parts = {"words": [p for n, p in of.named_parameters() if "lstms" not in n]}
        for depth, lstm in enumerate(of.lstms, start=1):
            parts[f"LSTM {depth}"] = list(lstm.parameters())
        parts["all"] = list(of.parameters())
        return {k: torch.cat([p.flatten() for p in ps]) for k, ps in parts.items()}

    after, before = layers(model), layers(start)
    return {k: float((after[k] - v).norm() / v.norm()) for k, v in before.items()}
