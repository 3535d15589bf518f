"""What a Transformer has of whole words, layer by layer: pieces put together again.

A model that reads pieces has no vector of a word. BERT's is the mean of its pieces'
vectors; GPT's is that of its last piece, where the word has been read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch.nn.utils.rnn import pad_sequence

from course_lib.models.bert import BERT
from course_lib.models.bilm import batches
from course_lib.models.gpt import GPT
from course_lib.text.pieces import CLS, PAD, SEP, START, Pieces

from .optional import loaded
from .pieces import ReleasedPieces


class WholeWords:
    """A BERT or a GPT, the course's or a released one: sentences in, layers out.

    Its `encode` is that of `bilm.Encoder`: what asks the one can ask the other.
    """

    def __init__(self, model: BERT | GPT, pieces: Pieces | ReleasedPieces):
        self.model, self.pieces = model.eval(), pieces
        self.causal = isinstance(model, GPT)
        if isinstance(pieces, ReleasedPieces):
            self.before, self.after = pieces.before, pieces.after
        else:
            self.before, self.after = ([START], []) if self.causal else ([CLS], [SEP])

    @torch.no_grad()
    def encode(self, sentences: Sequence[Sequence[str]], rows: int = 32) -> list:
        """Return the layers of each sentence, in the order given.

        Shape of each: (L+1, T, D) float32, T words; layer 0 is the embedded input. A
        word without pieces has zeros. Errors: ValueError for a sentence with more
        pieces than the model has positions.
        """
        cut = [self.pieces.pieces_of(words) for words in sentences]
        read = [[*self.before, *sum(words, []), *self.after] for words in cut]
        pad = getattr(self.model.config, "pad", PAD)
        where = next(self.model.parameters()).device
        found: list = [None] * len(cut)
        for chosen in batches([len(row) for row in read], rows):
            ids = [torch.tensor(read[i]) for i in chosen]
            tokens = pad_sequence(ids, batch_first=True, padding_value=pad)  # (B, T)
            layers = self.model.layers(tokens.to(where)).float().cpu().numpy()
            for b, i in enumerate(chosen):
                found[i] = self.of_words(layers[:, b], cut[i])  # (L+1, T, D)
        return found

    def of_words(self, layers: np.ndarray, cut: Sequence[Sequence[int]]) -> np.ndarray:
        """Put pieces together. Shape: (L+1, pieces, D) to (L+1, words, D)."""
        ends = len(self.before) + np.cumsum([len(word) for word in cut], dtype=int)
        found = np.zeros((len(layers), len(cut), layers.shape[-1]), np.float32)
        for t, (word, end) in enumerate(zip(cut, ends, strict=True)):
            if word:
                n = 1 if self.causal else len(word)
                found[:, t] = layers[:, end - n : end].mean(axis=1)
        return found


def reader(t: Callable[[str, str], str], name: str) -> WholeWords | None:
    """Return a released model for a lesson's optional cell, or say what brings it.

    t: what `course_lib.start` gave. Without the model one line is printed, no more.
    """
    found = loaded(t, name)
    return found and WholeWords(*found)
