"""Lesson 08: are unknown and misspelt words of use to a biLM?

The same probe for part of speech on every representation; a seed draws its sentences,
and differences are taken within it. The character CNN is compared with a table of words
and with hashed n-grams, on words that the table lacks and on misspelt ones.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence

import numpy as np
import torch

from course_lib.analysis import probes
from course_lib.analysis.probes import misspell
from course_lib.analysis.statistics import Interval
from course_lib.text.batches import spell_sentences
from course_lib.text.vocabulary import listed

from ..rules import conditions, gain_in, row
from .shipped import LANGUAGES, encoder, table, tag_sets, tagged

SLIPS = (0.0, 0.1, 0.2, 0.3)


def char_cnn_oov(seed: int, quick: bool = False) -> list[dict]:
    """Tag clean and misspelt sentences from one vector a word, and from its context.

    The probe learns from clean sentences. The seed draws these, the slips and the
    probe's batches. Metrics: the accuracy on all words, on words that the word table
    lacks and on misspelt words.
    """
    sizes, steps = ((60, 30), 100) if quick else ((500, 250), probes.STEPS)
    rows = []
    for language in ("en",) if quick else LANGUAGES:
        name = f"rivertown-{language}-pos" if quick else tag_sets(language)[0]
        learn, ask = probes.split_by_sentence(tagged(name), *sizes, seed)
        rows += slips_and_words(name, language, learn, ask, seed, steps)
    return rows


def with_slips(
    sentences: Sequence[Sequence[str]], share: float, seed: int
) -> tuple[list[list[str]], list[list[bool]]]:
    """Misspell a share of the words that are long enough; say which were.

    Long enough are words of 4 letters or 2 Chinese characters. With a larger share the
    same words are misspelt, the same way, and others besides. Slips are made of the
    small letters of the sentences themselves: there must be one.
    """
    letters = sorted({c for s in sentences for w in s for c in w if c.isalpha()})
    chinese = [c for c in letters if ord(c) > 0x2E80]
    latin = [c for c in letters if c.isascii() and c.islower()]
    rng = np.random.default_rng(seed)
    texts, changed = [], []
    for sentence in sentences:
        text = []
        for word in listed(sentence):
            drawn, of = rng.random(), chinese if word[:1] > "\u2e80" else latin
            own = np.random.default_rng(rng.integers(2**32))
            enough = word.isalpha() and len(word) >= (2 if of is chinese else 4)
            text.append(misspell(word, own, of) if enough and drawn < share else word)
        texts.append(text)
        changed.append([a != b for a, b in zip(text, sentence, strict=True)])
    return texts, changed


def slips_and_words(
    name: str, language: str, learn: list, ask: list, seed: int, steps: int
) -> list[dict]:
    """Compare the representations on one set of sentences."""
    tokens = [s.tokens for s in ask]
    noisy = [with_slips(tokens, share, seed) for share in SLIPS]
    texts = [s.tokens for s in learn], *(text for text, _ in noisy)
    tags = [np.concatenate([s.tags for s in part]) for part in (learn, ask)]
    known = table(language)
    lacks = np.array([w not in known for s in tokens for w in s])
    rows = [row("", name, "share of unknown words", lacks.mean())]
    for model, vectors in representations(texts, language).items():
        said = np.split(
            probes.linear(
                vectors[0][None], tags[0][None], np.concatenate(vectors[1:])[None],
                seed, steps,
            )[0],
            len(SLIPS),
        )  # fmt: skip
        for share, (_, changed), found in zip(SLIPS, noisy, said, strict=True):
            right, slipped = found == tags[1], np.concatenate(changed)
            about = f"{name}: {share:.0%}"
            rows.append(row(model, about, "accuracy", right.mean()))
            if slipped.any():
                rows.append(row(model, about, "misspelt words", right[slipped].mean()))
        rows.append(
            row(model, name, "unknown words", (said[0] == tags[1])[lacks].mean())
        )
    return rows


def representations(texts: Sequence, language: str) -> dict[str, list[np.ndarray]]:
    """Return the vectors of all words of each text, (N, D), in six ways.

    Four look at the word alone; two see its context, too.
    """
    known, network = table(language), encoder(language)
    words = [list(itertools.chain(*text)) for text in texts]
    different = sorted({w for part in words for w in part})
    place = {w: i for i, w in enumerate(different)}
    hashed = hashed_grams(language)(different)  # (U, D)
    zero = np.zeros(known.vector_size, dtype=np.float32)
    there = known.key_to_index
    rows = np.stack([known[w] if w in there else zero for w in different])  # (U, D)
    lacks = np.array([w not in known for w in different])[:, None]
    spelled = spell_sentences([[w] for w in different])
    with torch.no_grad():
        chars = network.model.token_layer(spelled.characters)  # (U, P)
        chars = chars[spelled.positions[:, 0]].numpy()  # (U, P), in this order
    alone = {
        "word table": rows,
        "hashed n-grams": hashed,
        "table, else n-grams": np.where(lacks, hashed, rows),
        "char-CNN": chars,
    }
    found = {
        name: [x[[place[w] for w in part]] for part in words]
        for name, x in alone.items()
    }
    found["table and neighbours"] = [
        beside(x, text) for x, text in zip(found["word table"], texts, strict=True)
    ]
    found["biLM layer 1"] = [
        np.concatenate([layers[1] for layers in network.encode(text)]) for text in texts
    ]
    return found


@functools.cache
def hashed_grams(language: str) -> probes.HashedGrams:
    """Fit the n-grams of a language, once."""
    return probes.HashedGrams(table(language), {"en": (3, 5), "zh": (1, 3)}[language])


def beside(x: np.ndarray, text: Sequence) -> np.ndarray:
    """Put the vectors of both neighbours beside each word's, zeros at the ends.

    Shape: (N, D), N words of the sentences in `text`, to (N, 3D).
    """
    parts = []
    for sentence in np.split(x, np.cumsum([len(s) for s in text])[:-1]):
        padded = np.pad(sentence, ((1, 1), (0, 0)))  # (T+2, D)
        parts.append(np.hstack([padded[:-2], sentence, padded[2:]]))
    return np.concatenate(parts)


def unknown_gains(rows: Sequence[dict]) -> dict[tuple[str, str, str], Interval]:
    """Return the char-CNN's lead, by set, kind of words and rival."""
    most = f"{SLIPS[-1]:.0%}"
    found = {}
    for name in conditions(rows, "unknown words"):
        for metric, about in (
            ("unknown words", name),
            ("misspelt words", f"{name}: {most}"),
        ):
            for rival in ("word table", "hashed n-grams"):
                gained = gain_in(rows, metric, "char-CNN", rival, about)
                found[name, metric, rival] = gained
    return found


EXPERIMENTS = {"char_cnn_oov": char_cnn_oov}
