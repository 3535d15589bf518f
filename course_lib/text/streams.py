"""From documents to parallel streams: for a language model that remembers.

All documents are laid end to end and cut into B streams of equal length. A batch is a
window of a few dozen tokens from each stream, and the next batch goes on where it has
stopped: the model's state is carried from one to the next.
"""

from __future__ import annotations

import numpy as np
import torch

from .batches import Text
from .characters import BOS, EOS
from .epochs import Epochs
from .vocabulary import UNK, Vocabulary

BPTT = 70  # tokens of a window, on average


def vocabulary_of(text: Text, size: int) -> Vocabulary:
    """Number the most frequent words of a text; the two marks are words here."""
    words = text.vocabulary(size - 2).words
    return Vocabulary([UNK, BOS, EOS, *words[1:]])


def without_inner_marks(text: Text) -> Text:
    """Keep `<S>` where a document begins, and `</S>` where a sentence ends.

    Windows of the text must be its documents: `read_text(…, window=sys.maxsize)`.
    """
    keep = text.ids != 0
    keep[text.starts] = True
    lengths = np.add.reduceat(keep, text.starts) if len(keep) else text.lengths
    starts = np.cumsum(lengths) - lengths
    return Text(text.words, text.ids[keep], starts, lengths)


def window_lengths(total: int, rng: np.random.Generator, bptt: int = BPTT) -> list[int]:
    """Draw the lengths of windows, whose sum is `total`.

    About N(70, 5), but one in twenty about N(35, 5): otherwise the same words would be
    the first of a window in every epoch, and never send a gradient to the words
    before them. Source: Merity et al. 2017, section 4.
    """
    found: list[int] = []
    while (room := total - sum(found)) > 0:
        mean = bptt if rng.random() < 0.95 else bptt / 2
        length = max(5, round(rng.normal(mean, 5)))
        found.append(min(length, room))
    return found


class Streams(Epochs):
    """Windows of B streams, from the left to the right.

    Each epoch shuffles the documents and the windows' lengths. With `backward`, every
    document is read from its end, for a model that predicts the word before.
    """

    def __init__(
        self,
        text: Text,
        vocabulary: Vocabulary,
        rows: int = 64,
        seed: int = 0,
        backward: bool = False,
    ):
        text = without_inner_marks(text)
        self.text, self.rows, self.seed, self.backward = text, rows, seed, backward
        self.number_of = np.array(vocabulary.encode(text.words), dtype=np.int64)
        # steps of a stream; the last word has no next
        steps = (len(text.ids) - 1) // rows if rows > 0 else 0
        if steps < 1:
            raise ValueError(
                f"a text of {len(text.ids)} tokens is too short for {rows} streams; "
                "take fewer rows, but at least one"
            )
        rng = np.random.default_rng(seed)
        self.lengths = np.array(window_lengths(steps, rng))

    def __len__(self) -> int:
        return len(self.lengths)

    def draw(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Return an epoch's streams (B, steps + 1) and where its windows begin.

        The last column of a stream is the first of the next one: its target.
        """
        order = rng.permutation(len(self.text.starts))
        spans = zip(self.text.starts[order], self.text.lengths[order], strict=True)
        ids = np.concatenate([self.text.ids[s : s + n] for s, n in spans])
        ids = self.number_of[ids[::-1] if self.backward else ids]
        steps = int(self.lengths.sum())
        # at: (B, steps+1)
        at = np.arange(self.rows)[:, None] * steps + np.arange(steps + 1)
        borders = np.concatenate([[0], rng.permutation(self.lengths).cumsum()])
        return ids[at], borders

    def pace(self, step: int) -> float:
        """Return a window's length beside the usual one: longer steps may be larger.

        A short window has fewer losses to learn from and would otherwise weigh as much
        as a long one. Source: Merity et al. 2017, section 4.
        """
        epoch, here = divmod(step, len(self))
        _, borders = self.epoch(epoch)
        return float(borders[here + 1] - borders[here]) / BPTT

    def at(
        self, step: int, part: int = 0, parts: int = 1
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return a step's tokens (B, T) and, as targets, the tokens one further.

        Several processes take a part of the streams each.
        """
        epoch, here = divmod(step, len(self))
        streams, borders = self.epoch(epoch)
        window = streams[part::parts, borders[here] : borders[here + 1] + 1]
        window = torch.from_numpy(window)  # (B, T+1)
        return window[:, :-1], window[:, 1:]
