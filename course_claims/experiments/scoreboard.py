"""The scoreboard: the same questions to every model of the course.

A model writes vectors, frozen; the questions are the same for all:
senses     which sense has an ambiguous word? The nearest centroid of the other
           sentences, averaged over words. A static model is asked with the mean of the
           other words' vectors: the word's own vector is always the same
POS        linear probe, accuracy;  chunks, names: the same on B/I/O tags, F1 of spans
sentiment  logistic regression on the mean of the words' vectors, 100 and 1,000 labels
cloze      which of ten words stood in the gap? Each model answers in its own way, see
           gaps.py; on the line of its last layer. Chance is 10 %
and beside the scores: tokens read (passes count), parameters, milliseconds a token.
There is no perplexity of these models: they predict words of different lists, or
pieces, and then a perplexity of one says nothing beside another's. The cloze asks all
the same. "× floor" is of small ones of each kind, where it can be compared: floor.py.

NNLM, CBOW, skip-gram, GloVe and context2vec are trained here, on one text; the others
ship. What TagLM adds to a tagger is the biLM's layer 2; what ELMo adds is a mix of the
layers, whose weights each question learns: learned_mix.py. The seed draws sentences and
labels, not the pre-training; senses need no labels drawn, so they are the same for
every seed. It is a table, not a claim.
"""

from __future__ import annotations

import functools
import hashlib
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

import course_lib
from course_lib import data, kept
from course_lib.analysis import probes
from course_lib.analysis.baselines import classify, tag
from course_lib.analysis.senses import by_word, context_average, macro
from course_lib.analysis.tagging import span_f1
from course_lib.models import context2vec
from course_lib.text.examples import Tagged
from course_lib.text.tokenise import TOKENISERS
from course_lib.text.vocabulary import Vocabulary
from course_lib.training.loop import train
from course_pretraining.pretrain import tokens_seen

from .. import embedders, gaps
from ..embedders import Embedder
from ..fingerprint import fingerprint
from ..rules import row
from . import comparison, polysemy
from .taglm import segment

WORDS = {"en": 5_000_000, "zh": 1_500_000}  # of the text that is read here
LONGEST = 40  # words of a sentence that is tagged
SIZES, SMALL = (1000, 500), (40, 20)  # sentences to learn from, and to be asked
LABELS = (100, 1000)
PROBES = {  # what is asked -> the first of these sets that is at hand
    ("en", "POS"): ("treebank", "rivertown-en-pos"),
    ("en", "chunks"): ("conll2000", "rivertown-en-chunks"),
    ("en", "sentiment"): ("sentence_polarity", "rivertown-en-sentiment"),
    ("zh", "POS"): ("zh_gsdsimp", "rivertown-zh-pos"),
    ("zh", "names"): ("msra", "rivertown-zh-entities"),
    ("zh", "sentiment"): ("waimai", "rivertown-zh-sentiment"),
}
STATIC = ("NNLM", "CBOW", "skip-gram", "GloVe")
STEPS = 600  # of the NNLM, 512 predictions each
SHARE, EPOCHS = 5, 3  # context2vec reads a fifth of the text, three times
SHIPS = {"biLM": "elmo", "AWD-LSTM": "awdlstm", "GPT": "gpt", "BERT": "bert"}


# -- the models ------------------------------------------------------------------------


def text(language: str, quick: bool) -> list[list[str]]:
    """Return the sentences that the models trained here read, in small letters."""
    if quick:
        return comparison.text((f"rivertown-{language}",), 20_000)
    if language == "en":
        return comparison.text(comparison.CORPORA, WORDS["en"])
    return polysemy.read("zh", WORDS["zh"])


@functools.cache
def read_here(language: str, quick: bool = False) -> tuple[list, Vocabulary]:
    """Return that text and its words, by frequency."""
    sentences = text(language, quick)
    counts = Counter(word for s in sentences for word in s)
    return sentences, Vocabulary.from_counts(counts, size=30_000, min_count=5)


@functools.cache
def shared_words(language: str, quick: bool = False) -> list[str]:
    """Return the words that all models know, the most frequent of that text first.

    To a model that does not know it, a word is `<unk>`: as likely as all others that it
    does not know, together. Among ten choices that would often win.
    """
    lists = (
        course_lib.load(f"elmo-{language}").vocabulary,
        course_lib.load(f"awdlstm-{language}")[1],
    )
    words = read_here(language, quick)[1].words[1:]  # without <unk>
    return [word for word in words if all(word in known for known in lists)]


@functools.cache
def trained_here(language: str, quick: bool = False) -> dict[str, Embedder]:
    """Train the static models and context2vec on one text, or load what was trained."""
    sentences, vocabulary = read_here(language, quick)
    digest = hashlib.sha256()
    for training in (comparison.train, around):
        digest.update(fingerprint(training).encode())
    digest.update("\n".join(map(" ".join, sentences)).encode())
    folder = kept.place("scoreboard") / digest.hexdigest()[:16]
    found = {}
    for method in STATIC:

        def learn(method: str = method) -> dict[str, np.ndarray]:
            read = (sentences, vocabulary, 1, 50 if quick else STEPS)
            return {"vectors": comparison.train(method, *read)}

        vectors = kept.arrays(folder / f"{method}.npz", learn)["vectors"]  # (V, D)
        found[method] = of_table(vocabulary, vectors)
    lot = np.random.default_rng(1).normal(size=(len(vocabulary), comparison.D))
    found["context2vec"] = around(sentences, folder / "context2vec.pt", quick)
    return {"random": of_table(vocabulary, lot.astype(np.float32))} | found


def around(sentences: list, path: Path, quick: bool) -> Embedder:
    """Train context2vec on a fifth of a text (it is slow), or load it."""
    torch.manual_seed(1)
    words = context2vec.number_words(sentences, 15_000)
    model = context2vec.Context2Vec(words).eval()

    def learn() -> None:
        part = sentences if quick else sentences[: len(sentences) // SHARE]
        batches = context2vec.Gaps(part, words, seed=1)
        train(model, batches, epochs=1 if quick else EPOCHS)

    kept.trained(model, path, learn)
    return embedders.context2vec(model)


def of_table(vocabulary: Vocabulary, vectors: np.ndarray) -> Embedder:
    """Read words from a table (V, D); row 0 is no word's."""
    pairs = zip(vocabulary.words[1:], vectors[1:], strict=True)
    return embedders.static(dict(pairs), vectors.shape[1])


def models(language: str, quick: bool = False) -> dict[str, Embedder]:
    """Return all models of a language, in the order of the lessons."""
    found = dict(trained_here(language, quick))
    found["biLM"] = embedders.bilm(course_lib.load(f"elmo-{language}"))
    found["AWD-LSTM"] = embedders.awd_lstm(*course_lib.load(f"awdlstm-{language}"))
    for name, make in {"GPT": embedders.gpt, "BERT": embedders.bert}.items():
        if f"{SHIPS[name]}-{language}" in course_lib.checkpoints.names():
            found[name] = make(*course_lib.load(f"{SHIPS[name]}-{language}"))
    return found


def tokens_read(name: str, language: str, quick: bool = False) -> int:
    """Return how many tokens a model has read, each pass over a text counted.

    GloVe passes once, to count. What ships says it on its card; GPT and BERT in pieces.
    """
    if name in SHIPS:
        return tokens_seen(f"{SHIPS[name]}-{language}")
    words = sum(map(len, read_here(language, quick)[0]))
    steps, share, epochs = (50, 1, 1) if quick else (STEPS, SHARE, EPOCHS)
    around = epochs * words // share
    read = {"random": 0, "NNLM": 512 * steps, "GloVe": words, "context2vec": around}
    return read.get(name, 5 * words)


# -- the questions ---------------------------------------------------------------------


def sense_scores(reader: Embedder, language: str) -> list[float]:
    """Return the sense accuracy of each layer."""
    sentences = data.senses(language)
    if reader.vectors is not None:
        size = len(next(iter(reader.vectors.values())))
        small = [s._replace(tokens=[w.lower() for w in s.tokens]) for s in sentences]
        layers = [context_average(reader.vectors, small, size)]  # (N, D)
    else:
        read = reader.read([s.tokens for s in sentences])
        at = [
            [layer[s.target_index] for layer in found]
            for s, found in zip(sentences, read, strict=True)
        ]
        layers = [np.stack(rows) for rows in zip(*at, strict=True)]
    return [macro(by_word(x, sentences))["nearest_centroid"] for x in layers]


def sentences_of(name: str, sizes: tuple[int, int], seed: int) -> tuple[list, list]:
    """Draw tagged sentences to learn from, and others to be asked about."""
    task = data.load(name)
    if {"train", "test"} <= set(task.splits):
        rng, drawn = np.random.default_rng(seed), []
        for part, n in zip(("train", "test"), sizes, strict=True):
            fit = [s for s in task.split(part) if len(s.tokens) <= LONGEST]
            chosen = [fit[i] for i in rng.permutation(len(fit))[:n]]
            drawn.append(list(map(in_words, chosen)) if name == "msra" else chosen)
        return tuple(drawn)
    every = [s for part in task.splits for s in task.split(part)]
    short = [s for s in every if len(s.tokens) <= LONGEST]
    return probes.split_by_sentence(short, *sizes, seed)


def in_words(sentence: Tagged) -> Tagged:
    """Cut a sentence of characters into words; all models here read words.

    A word in which a name begins has the tag of its beginning, else that of its first
    character.
    """
    words, tags, at = segment(sentence.tokens), [], 0
    for word in words:
        own = sentence.tags[at : at + len(word)]
        tags.append(next((tag for tag in own if tag.startswith("B-")), own[0]))
        at += len(word)
    return Tagged(words, tags)


def tag_scores(reader: Embedder, parts: tuple, seed: int, steps: int) -> list[float]:
    """Return what a linear probe on each layer has: accuracy, of spans F1."""
    layers = []
    for part in parts:
        read = list(reader.read([s.tokens for s in part]))
        layers.append([np.concatenate(x) for x in zip(*read, strict=True)])
    tags = np.array([tag for s in parts[0] for tag in s.tags])
    gold = [s.tags for s in parts[1]]
    cuts, found = np.cumsum([len(tags) for tags in gold])[:-1], []
    for x, asked in zip(*layers, strict=True):
        (said,) = probes.linear(x[None], tags[None], asked[None], seed, steps)
        guessed = [list(row) for row in np.split(said, cuts)]
        spans = any(tag.startswith("B-") for tag in tags)
        right = np.mean(np.concatenate(guessed) == np.concatenate(gold))
        found.append(span_f1(gold, guessed) if spans else float(right))
    return found


def texts_of(name: str, n: int, seed: int) -> tuple[list, list]:
    """Draw n labelled texts to learn from, and as many others to be asked about."""
    task = data.load(name)
    examples = [e for part in task.splits for e in task.split(part) if e.label]
    order = np.random.default_rng(seed).permutation(len(examples))[: 2 * n]
    half = len(order) // 2
    return tuple([examples[i] for i in rows] for rows in (order[half:], order[:half]))


def text_scores(reader: Embedder, parts: tuple, language: str, counts) -> list[list]:
    """Return the accuracy of each layer's mean vectors, for each number of labels."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    words_of = TOKENISERS[language]
    means = []
    for part in parts:
        words = [words_of(e.text)[:60] or ["."] for e in part]
        read = ([layer.mean(axis=0) for layer in found] for found in reader.read(words))
        means.append([np.stack(x) for x in zip(*read, strict=True)])  # (N, D) a layer
    labels, right = ([e.label for e in part] for part in parts)
    found = []
    for x, asked in zip(*means, strict=True):
        scores = []
        for n in counts:
            model = LogisticRegression(C=0.01, max_iter=300)
            model = make_pipeline(StandardScaler(), model).fit(x[:n], labels[:n])
            scores.append(float(model.score(asked, right)))
        found.append(scores)
    return found


# -- the experiment --------------------------------------------------------------------


def scoreboard(seed: int, quick: bool = False) -> list[dict]:
    """Ask every model everything; rows of model, question and score."""
    rows = []
    for language in ("en",) if quick else ("en", "zh"):
        for name, reader in models(language, quick).items():
            rows += asked(name, reader, language, seed, quick)
        rows += without_models(language, seed, quick)
    return rows


def questions(language: str, seed: int, quick: bool) -> dict[str, tuple]:
    """Return the sentences and texts of each question, to learn from and to ask."""
    found = {}
    for (spoken, kind), names in PROBES.items():
        if spoken == language:
            name = names[-1] if quick else next(filter(data.at_hand, names))
            found[kind] = (
                texts_of(name, LABELS[0] if quick else LABELS[-1], seed)
                if kind == "sentiment"
                else sentences_of(name, SMALL if quick else SIZES, seed)
            )
    return found


def asked(
    name: str, reader: Embedder, language: str, seed: int, quick: bool
) -> list[dict]:
    """Ask one model everything."""
    called = [f"{name}, {layer}" if layer else name for layer in reader.layers]
    steps, counts = (50, LABELS[:1]) if quick else (probes.STEPS, LABELS)
    found: dict[str, Sequence[float]] = {"senses": sense_scores(reader, language)}
    sets = questions(language, seed, quick)
    for kind, parts in sets.items():
        if kind == "sentiment":
            scores = text_scores(reader, parts, language, counts)
            for k, n in enumerate(counts):
                found[f"sentiment {n}"] = [of_layer[k] for of_layer in scores]
        else:
            found[kind] = tag_scores(reader, parts, seed, steps)
    found["parameters"] = [reader.parameters] * len(called)
    found["ms per token"] = [pace(reader, language)] * len(called)
    found["tokens read"] = [tokens_read(name, language, quick)] * len(called)
    rows = [
        row(model, f"{kind} {language}", "score", value)
        for kind, values in found.items()
        for model, value in zip(called, values, strict=True)
    ]
    unread = [s.tokens for s in sets["POS"][1]]
    cloze = gaps.draw(unread, shared_words(language, quick), seed)
    (*_, last) = (k for k, x in enumerate(reader.layers) if not x.startswith("mean"))
    score = gaps.accuracy(reader.fit, cloze)
    return [*rows, row(called[last], f"cloze {language}", "score", score)]


def pace(reader: Embedder, language: str) -> float:
    """Return the CPU milliseconds a token when a model reads the sense sentences."""
    sentences = [s.tokens for s in data.senses(language)[:128]]
    began = time.process_time()
    for _ in reader.read(sentences):
        pass
    return 1000 * (time.process_time() - began) / sum(map(len, sentences))


def without_models(language: str, seed: int, quick: bool) -> list[dict]:
    """Return what needs no vectors: the majority, and TF-IDF for texts."""
    sentences, rows = data.senses(language), []
    most = macro(by_word(np.zeros((len(sentences), 1)), sentences))["majority"]
    rows.append(row("majority", f"senses {language}", "score", most))
    for kind, (learn, ask) in questions(language, seed, quick).items():
        if kind == "sentiment":
            for n in LABELS[:1] if quick else LABELS:
                said = classify(learn[:n], ask, language)
                about = f"sentiment {n} {language}"
                rows += [
                    row(model, about, "score", value) for model, value in said.items()
                ]
        else:
            said = tag(learn, ask, language)
            rows.append(
                row("majority", f"{kind} {language}", "score", said["word's majority"])
            )
    return rows


# -- the board in a lesson -------------------------------------------------------------


EXPERIMENTS = {"scoreboard": scoreboard}
