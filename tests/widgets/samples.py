"""One small widget of each kind, made of numbers drawn by lot."""

from __future__ import annotations

import string
from typing import NamedTuple

import numpy as np
import torch
from gensim.models import KeyedVectors
from scipy.sparse import csr_array

from course_lib import widgets
from course_lib.models.bilm import BiLM, BiLMConfig, Encoder
from course_lib.models.nnlm import NNLM
from course_lib.models.seq2seq import Seq2Seq
from course_lib.text.vocabulary import Vocabulary
from course_lib.training.translate import TranslatorSettings


class Use(NamedTuple):
    """One sentence, with the fields of `data.SenseSentence` that the widgets read."""

    word: str
    sense: str
    tokens: list[str]
    target_index: int


TEXTS = {"river": "we sat on the bank of a river", "money": "ask a bank for a loan"}
USES = [
    Use("bank", sense, words, words.index("bank"))
    for sense, text in TEXTS.items()
    for number in range(6)
    for words in [[*text.split(), str(number)]]
]
WORDS = sorted({word for use in USES for word in use.tokens})
WAYS = {
    "full": TranslatorSettings(),
    "without softmax": TranslatorSettings(),
    "no pre-training": TranslatorSettings(parts=()),
}


def drawn(*shape: int) -> np.ndarray:
    """Draw numbers, the same each time."""
    return np.random.default_rng(0).normal(size=shape)


def measured(models: str, condition: str, metric: str) -> list[dict]:
    """Make up what three seeds gave each model; a comma stands between the models."""
    return [
        {"seed": seed, "model": m, "condition": condition, "metric": metric, "value": v}
        for seed in (1, 2, 3)
        for m in models.split(", ")
        for v in [0.5 + 0.1 * seed]
    ]


def cooccurrence(language: str):
    table = np.triu(np.random.default_rng(0).integers(1, 60, size=(9, 9)), 1)
    names = ["<unk>", "river", "water", "boat", "money", "loan", "bank", "the", "of"]
    pairs = {("river", "money"): ["water", "loan"]}
    X = csr_array((table + table.T).astype(float))
    return widgets.cooccurrence(X, names, [names[1:4], names[4:7]], pairs, language)


def fine_tuning(language: str):
    rows = measured("ULMFiT", "qc: gradual", "accuracy")
    return widgets.fine_tuning({"ulmfit_policies": rows}, language)


def ngram_nnlm(language: str):
    text = [word for use in USES for word in use.tokens]
    vocabulary = Vocabulary(["<unk>", *WORDS])
    torch.manual_seed(0)
    model = NNLM(len(vocabulary), n=5, m=8, h=16)
    contexts = [text[:5], text[3:9]]
    return widgets.ngram_nnlm(text, model, vocabulary, contexts, language)


def one_vector(language: str):
    vectors = KeyedVectors(8)
    vectors.add_vectors(WORDS, drawn(len(WORDS), 8).astype("float32"))
    return widgets.one_vector({"en": vectors}, USES, language, words=["bank"])


def scalar_mix(language: str):
    return widgets.scalar_mix(drawn(3, len(USES), 6), USES, language)


def sense_map(language: str):
    return widgets.sense_maps(drawn(3, len(USES), 6), USES, language)


def sentence_probe(language: str):
    torch.manual_seed(0)
    config = BiLMConfig(cells=16, projection=8, filters=[[1, 8], [2, 8]])
    names = Vocabulary(["<unk>", *string.ascii_lowercase[:9]])
    encoder = Encoder(BiLM(config, 10), names)
    return widgets.sentence_probe(encoder, "bank", USES, language=language)


def seq2seq_builder(language: str):
    rows = measured(", ".join(WAYS), "rivertown, 1000 pairs", "BLEU")
    given = {"seq2seq_ablation": rows}, WAYS, language
    return widgets.seq2seq_builder(Seq2Seq(11, 13, width=4), *given)


def vectors_training(language: str):
    names = ["river", "ferry", "lake", "loan", "rate", "debt", "bank", *"abcdefg"]
    losses = [float("nan"), 3.5, 3, 2.5]
    run = widgets.Snapshots(drawn(4, len(names), 8), [0, 10, 200, 3000], losses)
    groups = {"water": names[:3], "money": names[3:6]}
    between = {"bank": ("water", "money")}
    given = {"skip-gram": run}, names, groups, between, language
    return widgets.vectors_training(*given)


def who_sees_whom(language: str):
    sentence = USES[0].tokens, USES[0].target_index
    return widgets.who_sees_whom([sentence], language=language)


def window_sampler(language: str):
    counts = {word: 10_000 // (1 + number) for number, word in enumerate(WORDS)}
    return widgets.window_sampler(counts, [USES[0].tokens], language)


NAMES = [name for name in widgets.__all__ if name.islower() and name != "sense_maps"]
SAMPLES = {name: globals()[name] for name in NAMES}
