"""One training loop for every language model of the course.

A model is called as `model(tokens, targets)` and returns its outputs and its losses
in nats per token; the loop lowers the mean of the losses, and a `penalty` if the
outputs have one.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import nn
from tqdm.auto import tqdm

from ..text.batches import IGNORE, Batches
from . import lent, parallel

SAVE_EVERY = 30.0  # seconds between two saved states: a kill loses no more than that


@dataclass
class Run:
    """How far a training run has come.

    losses: one (step, nats per token) pair for every tenth step or so
    """

    step: int = 0
    tokens: int = 0
    seconds: float = 0.0
    losses: list = field(default_factory=list)


def triangle(progress: float, warm_up: float = 0.05) -> float:
    """Rise from 0 to 1 in the first `warm_up` of the way, then fall back to 0.

    The steps of a run lie strictly between the ends, so that none is wasted.
    """
    return min(progress / warm_up, (1 - progress) / (1 - warm_up), 1.0)


def train(
    model: nn.Module,
    batches: Batches,
    epochs: float = 1.0,
    minutes: float = math.inf,
    learning_rate: float = 2e-3,
    folder: str | Path | None = None,
    bf16: bool = False,
    optimizer: torch.optim.Optimizer | None = None,
    schedule: Callable[[float], float] = triangle,
    at_epoch: Callable[[int], None] = lambda epoch: None,
) -> Run:
    """Train until the epochs or the minutes are over, whichever comes first.

    With a `folder`, the state is written there every SAVE_EVERY seconds; a run that was
    stopped, by Ctrl-C or by force, goes on from the last state written. Ctrl-C
    leaves the model as it is then: usable, only less trained. Whoever keeps the model
    must look at `run.step`. Gradients longer than 1 are cut to length 1.

    optimizer: Adam with one learning rate for all; another one may have groups of
        parameters, each with a rate of its own
    schedule: which share of its rate is used, given how far the training is, 0 to 1
    at_epoch: called with its number when an epoch begins; not again when a run goes on
        in the middle of one
    Errors: ZeroDivisionError for a batch without any target; take more rows.
    """
    adam = torch.optim.Adam(model.parameters(), lr=learning_rate, fused=True)
    optimizer = optimizer or adam
    rates = [group["lr"] for group in optimizer.param_groups]
    (part, parts), limit = parallel.place(), 60 * minutes  # seconds
    with lent(model) as where:
        learner = parallel.joined(model.train())
        run = resume(model, optimizer, folder)
        steps = math.ceil(epochs * len(batches))
        clock = Clock(run, folder, minutes, batches.unit)
        total = steps if minutes == math.inf else None  # a run on time has no last step
        bar = tqdm(total=total, initial=run.step, disable=part > 0)
        with suppress(KeyboardInterrupt), bar:
            while run.step < steps and run.seconds < limit:
                progress = max((run.step + 1) / (steps + 1), run.seconds / limit)
                if run.step % len(batches) == 0:
                    at_epoch(run.step // len(batches))
                share = schedule(progress) * batches.pace(run.step)
                for group, rate in zip(optimizer.param_groups, rates, strict=True):
                    group["lr"] = rate * share
                tokens, targets = batches.at(run.step, part, parts)
                with torch.autocast(where.type, torch.bfloat16, enabled=bf16):
                    outputs, losses = learner(tokens.to(where), targets.to(where))
                optimizer.zero_grad()
                # A mean over the whole batch, not a mean of the processes' means.
                mine, loss = int(counted(targets, losses)[0]), losses.mean()
                n, weighted = parallel.total(mine, mine * float(loss.detach()))
                goal = loss + getattr(outputs, "penalty", 0.0)
                (goal * (mine * parts / n)).backward()
                nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                clock.tick(bar, weighted / n, int(n))
                if clock.time_to_save():
                    save(model, optimizer, run, folder)
        save(model, optimizer, run, folder)
    model.eval()
    return run


class Clock:
    """Count steps, tokens and seconds, and show them on the progress bar."""

    def __init__(self, run: Run, folder: str | Path | None, minutes: float, unit: str):
        self.run, self.folder, self.minutes, self.unit = run, folder, minutes, unit
        self.last = self.saved = time.monotonic()
        self.recent: float | None = None

    def tick(self, bar: tqdm, loss: float, n_tokens: int) -> None:
        """Note one step. The perplexity shown is a running mean of the last steps."""
        now, run = time.monotonic(), self.run
        run.step, run.tokens = run.step + 1, run.tokens + n_tokens
        run.seconds = parallel.first_says(run.seconds + now - self.last)
        self.last = now
        past = loss if self.recent is None else self.recent
        self.recent = 0.95 * past + 0.05 * loss
        if run.step == 1 or run.step % 10 == 0:
            run.losses.append((run.step, round(loss, 5)))
        bar.update()
        rate = run.tokens / (run.seconds or 1)  # a coarse clock may not have moved yet
        perplexity = math.exp(min(self.recent, 99))  # a run that diverges is no error
        shown = f"perplexity {perplexity:.0f}, {rate:.0f} {self.unit}/s"
        if self.minutes < math.inf:
            shown += f", {run.seconds / 60:.1f} of {self.minutes:g} min"
        bar.set_postfix_str(shown)

    def time_to_save(self) -> bool:
        """Say whether SAVE_EVERY seconds have passed since this was last true."""
        if self.folder is None or self.last - self.saved < SAVE_EVERY:
            return False
        self.saved = self.last
        return True


def save(model: nn.Module, optimizer: Any, run: Run, folder: str | Path | None) -> None:
    """Write the state of a run, so that a stop at any moment leaves a whole file.

    Not in it: the memory that an AWD-LSTM carries from window to window, and a GPU's
    random numbers; a run that goes on begins these anew.
    """
    if folder is None or parallel.place()[0] > 0:
        return
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    state = {
        "model": model.state_dict(),
        "optimizer": optimizer.state_dict(),
        "run": asdict(run),
        "random": torch.get_rng_state(),
    }
    torch.save(state, folder / "state.pt.part")
    os.replace(folder / "state.pt.part", folder / "state.pt")  # all or nothing


def resume(model: nn.Module, optimizer: Any, folder: str | Path | None) -> Run:
    """Go on from the state in `folder`, if there is one; else begin."""
    if folder is None or not (Path(folder) / "state.pt").exists():
        return Run()
    path = Path(folder) / "state.pt"
    state = torch.load(path, map_location="cpu", weights_only=True)
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    torch.set_rng_state(state["random"])
    return Run(**state["run"])


def counted(targets: torch.Tensor, losses: torch.Tensor) -> torch.Tensor:
    """Count the targets behind each loss. Shape: (2, B, T) and (2,) to (2,)."""
    return (targets.reshape(len(losses), -1) != IGNORE).sum(dim=1)


@torch.no_grad()
def evaluate(model: nn.Module, batches: Batches) -> torch.Tensor:
    """Return the losses over all tokens of `batches`, in nats per token, unrounded.

    Every token weighs the same, whatever batch it is in.
    """
    total, count = 0.0, 0.0
    with lent(model.eval()) as where:
        for tokens, targets in batches:
            losses = model(tokens.to(where), targets.to(where))[1].cpu().double()
            n = counted(targets, losses).double()  # (directions,)
            total, count = total + losses * n, count + n
    return total / count
