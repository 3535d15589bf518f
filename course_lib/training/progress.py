"""How far a training has come: counted, shown on a bar, and kept on disk."""

from __future__ import annotations

import io
import math
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import nn
from tqdm.auto import tqdm

from .. import kept
from . import parallel

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


class Clock:
    """Count steps, tokens and seconds, and show them on a progress bar.

    steps, minutes: the run is over after these, whichever comes first
    unit: what is counted as tokens
    """

    def __init__(self, run: Run, steps: int, minutes: float, unit: str):
        self.run, self.steps, self.minutes, self.unit = run, steps, minutes, unit
        self.last = self.saved = time.monotonic()
        self.recent: float | None = None
        total = steps if minutes == math.inf else None  # a run on time has no last step
        hidden = parallel.place()[0] > 0
        self.bar = tqdm(total=total, initial=run.step, disable=hidden)

    def over(self) -> bool:
        """Say whether the steps or the minutes are over."""
        return self.run.step >= self.steps or self.run.seconds >= 60 * self.minutes

    def progress(self) -> float:
        """Return where this step lies between 0 and 1; at the ends a rate may be 0."""
        by_step = (self.run.step + 1) / (self.steps + 1)
        return max(by_step, self.run.seconds / (60 * self.minutes))

    def tick(self, loss: float, n_tokens: int) -> None:
        """Note one step. The perplexity shown is a running mean of the last steps."""
        now, run = time.monotonic(), self.run
        n, weighted = parallel.total(n_tokens, n_tokens * loss)
        loss = weighted / n
        run.step, run.tokens = run.step + 1, run.tokens + int(n)
        run.seconds = parallel.first_says(run.seconds + now - self.last)
        self.last = now
        past = loss if self.recent is None else self.recent
        self.recent = 0.95 * past + 0.05 * loss
        if run.step == 1 or run.step % 10 == 0:
            run.losses.append((run.step, round(loss, 5)))
        self.bar.set_postfix_str(self.shown(), refresh=False)
        self.bar.update()

    def shown(self) -> str:
        """Say how good the model is, and how fast."""
        perplexity = math.exp(min(self.recent, 99))  # a run that diverges is no error
        rate = self.run.tokens / (self.run.seconds or 1)  # a clock may be coarse
        text = f"perplexity {perplexity:.0f}, {rate:.0f} {self.unit}/s"
        if self.minutes < math.inf:
            text += f", {self.run.seconds / 60:.1f} of {self.minutes:g} min"
        return text

    def time_to_save(self) -> bool:
        """Say whether SAVE_EVERY seconds have passed since this was last true."""
        if self.last - self.saved < SAVE_EVERY:
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
    state = {
        "model": model.state_dict(),
        "optimizer": optimizer.state_dict(),
        "run": asdict(run),
        "random": torch.get_rng_state(),
    }
    file = io.BytesIO()
    torch.save(state, file)
    kept.write({Path(folder) / "state.pt": file.getvalue()})


def resume(model: nn.Module, optimizer: Any, folder: str | Path | None) -> Run:
    """Go on from the state in `folder`, if there is one; else begin.

    Errors: ValueError if the state is damaged, or another model's.
    """
    if folder is None or not (Path(folder) / "state.pt").exists():
        return Run()
    path = Path(folder) / "state.pt"
    try:
        state = torch.load(path, map_location="cpu", weights_only=True)
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        torch.set_rng_state(state["random"])
        return Run(**state["run"])
    except Exception as error:  # torch has many for what is no state
        raise ValueError(
            f"{path} is damaged, or of another model ({error}); delete it to begin "
            "the training anew"
        ) from None
