"""One training loop for every language model of the course.

A model is called as `model(tokens, targets)` and returns its outputs and its losses
in nats per token; the loop lowers the mean of the losses, and a `penalty` if the
outputs have one.
"""

from __future__ import annotations

import math
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from torch import nn

from ..text.batches import counted
from ..text.epochs import Epochs
from . import on_device, parallel, without_dropout
from .progress import Clock, Run, resume, save


def triangle(progress: float, warm_up: float = 0.05) -> float:
    """Rise from 0 to 1 in the first `warm_up` of the way, then fall back to 0.

    The steps of a run lie strictly between the ends, so that none is wasted.
    """
    return min(progress / warm_up, (1 - progress) / (1 - warm_up), 1.0)


def train(
    model: nn.Module, batches: Epochs, epochs: float = 1.0, minutes: float = math.inf,
    learning_rate: float = 2e-3, folder: str | Path | None = None, bf16: bool = False,
    optimizer: torch.optim.Optimizer | None = None,
    schedule: Callable[[float], float] = triangle,
    at_epoch: Callable[[int], None] = lambda epoch: None,
) -> Run:  # fmt: skip
    """Train until the epochs or the minutes are over, whichever comes first.

    With a `folder`, the state is written there now and then, and a run that was stopped
    goes on from it. Ctrl-C stops it as it stops any cell: the model stays as it is
    then, and ready to be used, but nothing takes it for one that is trained.
    optimizer: Adam with one learning rate for all; or one whose groups have their own
    schedule: which share of its rate is used, given how far the training is, 0 to 1
    bf16: products in bfloat16, which has three digits
    at_epoch: called with its number when an epoch begins, not when a run goes on in it
    Errors: ZeroDivisionError for a batch without any target; take more rows.
    """
    adam = torch.optim.Adam(model.parameters(), lr=learning_rate, fused=True)
    optimizer = optimizer or adam
    rates = [group["lr"] for group in optimizer.param_groups]
    with on_device(model) as where:
        learner, batches = parallel.shared(model.train(), batches)  # under torchrun
        run = resume(model, optimizer, folder)
        clock = Clock(run, math.ceil(epochs * len(batches)), minutes, batches.unit)
        with clock.bar, ended(model, optimizer, run, folder):
            while not clock.over():
                if run.step % len(batches) == 0:
                    at_epoch(run.step // len(batches))
                    if not model.training:  # it was asked for an answer
                        model.train()
                share = schedule(clock.progress()) * batches.pace(run.step)
                for group, rate in zip(optimizer.param_groups, rates, strict=True):
                    group["lr"] = rate * share
                batch = (part.to(where) for part in batches.at(run.step))
                with whole_step():
                    clock.tick(*step(model, learner, *batch, optimizer, bf16))
                if clock.time_to_save():
                    save(model, optimizer, run, folder)
    return run


@contextmanager
def whole_step() -> Iterator[None]:
    """Let Ctrl-C wait until a step is over: from half a step no run can go on."""
    if threading.current_thread() is not threading.main_thread():
        yield  # signals go to the main thread alone
        return
    pressed: list[tuple] = []
    before = signal.signal(signal.SIGINT, lambda *about: pressed.append(about))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed:
        signal.raise_signal(signal.SIGINT)


@contextmanager
def ended(model: nn.Module, *state: Any) -> Iterator[None]:
    """Save the state at the end, after Ctrl-C too, and leave the model in `eval`."""
    try:
        yield
    except KeyboardInterrupt:
        save(model, *state)
        raise
    else:
        save(model, *state)
    finally:
        model.eval()


def step(
    model: nn.Module, learner: Callable, tokens: Any, targets: torch.Tensor,
    optimizer: torch.optim.Optimizer, bf16: bool,
) -> tuple[float, int]:  # fmt: skip
    """Go one step down the gradient of a batch's loss, cut to length 1.

    learner: the model, or under torchrun what averages its gradients. Return the loss
    and how many targets it is the mean over.
    """
    with torch.autocast(targets.device.type, torch.bfloat16, enabled=bf16):
        outputs, losses = learner(tokens, targets)
    loss = losses.mean()
    optimizer.zero_grad()
    (loss + getattr(outputs, "penalty", 0.0)).backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return float(loss.detach()), int(counted(targets, losses)[0])


@torch.no_grad()
def evaluate(model: nn.Module, batches: Epochs) -> torch.Tensor:
    """Return the losses over all tokens of `batches`, in nats per token, unrounded.

    Every token weighs the same, whatever batch it is in.
    """
    total, count = 0.0, 0.0
    with on_device(model) as where, without_dropout(model):
        for tokens, targets in batches:
            losses = model(tokens.to(where), targets.to(where))[1].cpu().double()
            n = counted(targets, losses).double()  # (directions,)
            total, count = total + losses * n, count + n
    return total / count
