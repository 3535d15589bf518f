"""A biLM that begins with skip-gram vectors of the text that it is going to read.

What a small biLM lacks longest is the topic of words: its own token layer learns
spelling first. So the token layer is taught to spell out skip-gram's vectors, and then
stays as it is: left to the language model's loss, it loses topics again. The softmax
begins with the vectors by which skip-gram predicts, and the LSTMs learn alone for some
steps, until they can use both. After that LSTMs and softmax learn, from the language
model's loss only. In ELMo all is learned by that loss, and begins at random: the card
of a checkpoint that has this start says so.
"""

from __future__ import annotations

import numpy as np
import torch
from tqdm.auto import tqdm

from course_lib.models.bilm import BiLM
from course_lib.text.batches import Batches, Text
from course_lib.text.characters import char_table
from course_lib.text.vocabulary import Vocabulary
from course_lib.training import bf16_pays
from course_lib.training.loop import train

from .averaging import hold

SPELLED = 2500  # steps in which the token layer learns to spell, 512 words each
ALONE = 200  # steps in which the LSTMs learn alone


def start_from_vectors(
    model: BiLM, text: Text, words: Vocabulary, batches: Batches, bf16: bool
) -> None:
    """Give an untrained biLM its start; `batches` are what the LSTMs read alone."""
    read, predicted, known = skip_gram(text, words, model.config.projection)
    spell_out(model, words, read, known, SPELLED)
    with torch.no_grad():
        size = model.config.projection**-0.5
        model.softmax.weight.copy_(size * centred(predicted, known))
    model.token_layer.requires_grad_(False)  # for good
    model.softmax.requires_grad_(False)
    lstms = [p for p in model.parameters() if p.requires_grad]
    adam = torch.optim.Adam(lstms, lr=2e-3, fused=True)
    epochs = ALONE / len(batches)
    train(model, batches, epochs, bf16=bf16, optimizer=adam, schedule=hold)
    model.softmax.requires_grad_(True)


def skip_gram(
    text: Text, words: Vocabulary, size: int, epochs: int = 2
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Train skip-gram with gensim; return what it reads with and what it predicts with.

    Shape: (V, D), (V, D), and which words it has met (V,).
    """
    from gensim.models import Word2Vec

    ids = np.array(words.encode(text.words))  # of the text's words, in the vocabulary
    ids[:2] = 0  # neither marks nor unknown words are read
    numbered = ids[text.ids]
    sentences = [
        [str(i) for i in numbered[begin : begin + n] if i]
        for begin, n in zip(text.starts, text.lengths, strict=True)
    ]
    settings = {"vector_size": size, "window": 8, "negative": 10, "sample": 1e-4}
    found = Word2Vec(
        sentences, sg=1, min_count=1, epochs=epochs, workers=1, seed=1, **settings
    )
    read, predicted = np.zeros((2, len(words), size), dtype=np.float32)
    known = np.zeros(len(words), dtype=bool)
    for name, row in found.wv.key_to_index.items():
        read[int(name)] = found.wv.vectors[row]
        predicted[int(name)] = found.syn1neg[row]
        known[int(name)] = True
    return read, predicted, known


def spell_further(model: BiLM, text: Text, words: Vocabulary, steps: int) -> None:
    """Teach a token layer that spells skip-gram's vectors already to spell them better.

    Each training of skip-gram begins at random and ends in a space of its own; so the
    vectors are turned first to where the layer has its words, by the orthogonal matrix
    that brings them nearest. Source: Schönemann 1966.
    """
    read, _, known = skip_gram(text, words, model.config.projection)
    wanted, where = centred(read, known), next(model.parameters()).device
    table = torch.from_numpy(char_table(words.words).astype(np.int64))
    often = (torch.arange(len(words)) + 1.0) ** -0.5 * torch.from_numpy(known)
    with torch.no_grad():
        parts = [model.token_layer(x.to(where)).cpu() for x in table.split(2048)]
    u, _, v = torch.linalg.svd((often[:, None] * wanted).T @ torch.cat(parts))
    turned = (wanted @ (u @ v)).numpy()
    spell_out(model, words, turned, known, steps, rows=2048, rate=1.5e-3)


def centred(vectors: np.ndarray, known: np.ndarray) -> torch.Tensor:
    """Subtract the mean of the known vectors, and give their numbers a spread of 1."""
    moved = vectors - vectors[known].mean(axis=0)
    return torch.from_numpy(moved / moved[known].std())  # (V, D)


def spell_out(
    model: BiLM,
    words: Vocabulary,
    vectors: np.ndarray,
    known: np.ndarray,
    steps: int,
    rows: int = 512,
    rate: float = 2e-3,
) -> None:
    """Teach the token layer to give each word its vector; frequent words come oftener.

    Least squares, Adam, `rows` words a step. Shape: vectors (V, D), known (V,).
    """
    where = next(model.parameters()).device
    wanted = centred(vectors, known).to(where)
    table = torch.from_numpy(char_table(words.words).astype(np.int64))  # (V, 50)
    table, met = table.to(where), torch.from_numpy(np.flatnonzero(known)).to(where)
    often = (met.float() + 1) ** -0.5  # by rank
    layer, bf16 = model.token_layer.train(), bf16_pays()
    adam = torch.optim.Adam(layer.parameters(), lr=rate, fused=True)
    for step in tqdm(range(steps), desc="token layer"):
        adam.param_groups[0]["lr"] = rate * min((step + 1) / 100, 1 - step / steps)
        chosen = met[torch.multinomial(often, min(rows, len(met)))]
        with torch.autocast(where.type, torch.bfloat16, enabled=bf16):
            spelled = layer(table[chosen])  # (512, D)
        loss = (spelled.float() - wanted[chosen]).pow(2).mean()
        adam.zero_grad()
        loss.backward()
        adam.step()


@torch.no_grad()
def start_wider(model: BiLM, characters: torch.Tensor) -> None:
    """Rescale untrained weights, so that a long training need not begin with that.

    As torch leaves them, words differ by 0.15 a number, states are a tenth of that, and
    training multiplies both tenfold. Here the token layer is centred and scaled by some
    words, (U, C) character ids; so that states are about as large, gates see about
    three times as much of their inputs' variance, and projections are four times wider.
    """
    for lstm in [*model.forward_stack, *model.backward_stack]:
        lstm.from_input.weight *= 3**0.5
        lstm.from_past.weight *= 3**0.5
        lstm.project.weight *= 4
    last = model.token_layer.projection
    words = model.token_layer(characters)  # (U, P)
    spread = words.std(dim=0).mean()
    last.weight /= spread
    last.bias.copy_((last.bias - words.mean(dim=0)) / spread)
