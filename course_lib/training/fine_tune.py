"""ULMFiT's fine-tuning: a language model for a new text, then a classifier on top.

Three techniques keep what pre-training has learned, each separable from the others:
discriminative rates (lower layers learn more slowly), a slanted triangular schedule
(`schedules.stlr`), and gradual unfreezing (the top layer first). Source: Howard & Ruder
2018, sections 3.2 and 3.3.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import nn

from ..data.readers import Document, chinese, english
from ..models.awd_lstm import AWDLSTM, Remembering
from ..models.classifier import TextClassifier
from ..text.documents import Documents, pad
from ..text.streams import Streams
from ..text.vocabulary import Vocabulary
from . import bf16_pays, on_device
from .loop import Run, train
from .schedules import slanted

FACTOR = 2.6  # between the rates of two neighbouring layers


def as_document(text: str, language: str) -> Document:
    """Cut a text into sentences of words in small letters, as the checkpoints read."""
    document = {"en": english, "zh": chinese}[language](text)
    return [[word.lower() for word in sentence] for sentence in document]


# -- a new vocabulary ------------------------------------------------------------------


@torch.no_grad()
def with_vocabulary(model: AWDLSTM, old: Vocabulary, new: Vocabulary) -> AWDLSTM:
    """Copy a tied language model to another vocabulary.

    A word of both keeps its vector and its bias; a new word begins as the mean of all,
    because nothing better is known about it.
    """
    found = AWDLSTM(model.config, len(new))
    found.lstms.load_state_dict(model.lstms.state_dict())
    found.embedding.weight[:] = model.embedding.weight.mean(dim=0)  # (E,)
    found.bias[:] = model.bias.mean()
    shared = [(i, old.ids[word]) for i, word in enumerate(new.words) if word in old]
    here, there = map(list, zip(*shared, strict=True))
    found.embedding.weight[here] = model.embedding.weight[there]
    found.bias[here] = model.bias[there]
    return found


# -- layers, from the lowest to the highest --------------------------------------------


def layer_groups(model: AWDLSTM | TextClassifier) -> list[list[nn.Parameter]]:
    """List the parameters layer by layer, the lowest first.

    The word vectors of a language model are its lowest layer and, as the softmax, its
    highest; they learn as the highest does. In a classifier they are only the lowest.
    """
    encoder = model.encoder if isinstance(model, TextClassifier) else model
    words = [p for name, p in encoder.named_parameters() if "lstms" not in name]
    lstms = [list(lstm.parameters()) for lstm in encoder.lstms]
    if model is encoder:
        return [*lstms, words]
    return [words, *lstms, list(model.head.parameters())]


def discriminative(
    groups: Sequence[list[nn.Parameter]], rate: float, factor: float = FACTOR
) -> list[dict]:
    """Give each layer its learning rate: η^(l-1) = η^l / factor; the highest has η."""
    top = len(groups) - 1
    return [
        {"params": parameters, "lr": rate / factor ** (top - depth)}
        for depth, parameters in enumerate(groups)
    ]


def thaw(groups: Sequence[list[nn.Parameter]], chosen: range) -> None:
    """Let the chosen layers learn, and no other."""
    for depth, parameters in enumerate(groups):
        for parameter in parameters:
            parameter.requires_grad_(depth in chosen)


def full(epoch: int, n: int) -> range:
    """Let all n layers learn from the start."""
    return range(n)


def last(epoch: int, n: int) -> range:
    """Let only the highest layer learn: the rest is a fixed feature extractor."""
    return range(n - 1, n)


def gradual(epoch: int, n: int) -> range:
    """Let one more layer learn in each epoch, from the highest down ("freez")."""
    return range(max(0, n - 1 - epoch), n)


def chain_thaw(epoch: int, n: int) -> range:
    """Let one layer learn at a time: the highest, then from the lowest up; then all.

    Source: Felbo et al. 2017.
    """
    if epoch >= n:
        return range(n)
    return range(n - 1, n) if epoch == 0 else range(epoch - 1, epoch)


POLICIES = {"full": full, "last": last, "gradual": gradual, "chain-thaw": chain_thaw}


# -- the two stages --------------------------------------------------------------------


def fine_tune(
    model: AWDLSTM | TextClassifier,
    batches: Streams | Documents,
    epochs: float,
    rate: float = 0.01,
    factor: float = FACTOR,
    schedule: Callable[[float], float] = slanted,
    policy: str = "full",
    **options,
) -> Run:
    """Train a language model on new text (stage 2), or a classifier (stage 3).

    rate: the highest layer's, at its highest; factor 1 gives all layers the same
    policy: which layers learn in which epoch, one of POLICIES
    options: minutes, as `train` has them (not folder: it does not keep which layers
        are frozen); bfloat16 is used where `bf16_pays`, measured anew at each call
    All layers are the optimiser's from the start; a frozen one has no gradient, and
    Adam passes over it until it has.
    """
    if policy not in POLICIES:
        raise ValueError(f"policy is {policy!r}; there are {', '.join(POLICIES)}")
    groups = layer_groups(model)
    # The paper's Adam forgets faster than the usual one (0.9, 0.999).
    adam = torch.optim.Adam(discriminative(groups, rate, factor), betas=(0.7, 0.99))
    learner = Remembering(model) if isinstance(model, AWDLSTM) else model
    choose = POLICIES[policy]
    try:
        return train(
            learner,
            batches,
            epochs,
            optimizer=adam,
            schedule=schedule,
            at_epoch=lambda epoch: thaw(groups, choose(epoch, len(groups))),
            bf16=bf16_pays(),
            **options,
        )
    finally:
        thaw(groups, range(len(groups)))


@torch.no_grad()
def predict(
    model: TextClassifier, documents: Sequence[np.ndarray], rows: int = 64
) -> np.ndarray:
    """Return each document's probabilities of the classes. Shape: (N, K) float32.

    The mean of a forward and a backward classifier's is their ensemble.
    """
    order = np.argsort([len(document) for document in documents], kind="stable")
    found = np.zeros((len(documents), model.head[-1].out_features), np.float32)
    with on_device(model.eval()) as where:
        for i in range(0, len(order), rows):
            chosen = order[i : i + rows]
            tokens = pad([documents[j] for j in chosen]).to(where)
            found[chosen] = model(tokens).softmax(dim=1).cpu().numpy()
    return found
