"""Lesson 11: what can be read out of vectors that stay as they are?

The encoders and the texts are those of why.py. Differences are taken
within a seed.

why_transfer    Frozen vectors, simple readers: the topic; the tag of a word; that of
                the word to come; whether two neighbours have changed places.
                "It transfers knowledge of language": the real model minus the permuted
                and the untrained one. "Without word order it keeps topics and loses
                syntax": which share of the real model's gain over the untrained one
                the shuffled model keeps, minus one half.
why_for_all     One frozen model, three questions: the topic; the first word of a text
                of 25; whether a word has an even number of letters. Read from the
                state after the last word, and from all states pooled.
                "One representation serves all tasks": a reader that was made for the
                question minus both. "The last state is enough": pooled minus last.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import torch

from course_lib.analysis import probes
from course_lib.analysis.baselines import TfIdf
from course_lib.analysis.probing_tasks import Question, bigram_shift, word_tags
from course_lib.data.readers import Document
from course_lib.models.awd_lstm import AWDLSTM
from course_lib.models.bilm import batches
from course_lib.models.classifier import concat_pool
from course_lib.text.characters import BOS
from course_lib.text.documents import pad
from course_lib.text.vocabulary import Vocabulary
from course_lib.training.curves import Plan

from ..rules import by_model, conditions, row
from .better_start import follow
from .why import (
    REAL,
    SHUFFLED,
    UNTRAINED,
    Setting,
    drawn,
    encoders,
    setting_of,
)

DEDICATED = "made for it"  # a reader that sees just what a question needs


@torch.no_grad()
def states(
    encoder: AWDLSTM, vocabulary: Vocabulary, sentences: Sequence[Sequence[str]]
) -> list[torch.Tensor]:
    """Return every layer's output after each word, side by side. Shape: (T, H + E).

    Each sentence is read from an empty state, behind `<S>`.
    """
    encoder.eval()
    found: list = [None] * len(sentences)
    for chosen in batches([len(s) for s in sentences], rows=100):
        rows = (vocabulary.encode([BOS, *sentences[i]]) for i in chosen)
        ids = pad([np.array(row, dtype=np.int64) for row in rows])
        raw = torch.cat(encoder(ids.clamp(min=0)).raw, dim=2)  # (B, T+1, H+E)
        for i, x in zip(chosen, raw, strict=True):
            found[i] = x[1 : 1 + len(sentences[i])].clone()  # without the others
    return found


def pooled(
    encoder: AWDLSTM, vocabulary: Vocabulary, sentences: Sequence[Sequence[str]]
) -> np.ndarray:
    """Return one vector a text: last, highest, mean output. Shape: (N, 3 (H + E))."""
    rows = states(encoder, vocabulary, sentences)
    return np.stack([
        concat_pool(x[None], torch.ones(1, len(x), dtype=torch.bool))[0].numpy()
        for x in rows
    ])  # fmt: skip


def only_last(x: np.ndarray) -> np.ndarray:
    """Keep the last outputs of pooled ones. Shape: (N, 3 (H + E)) to (N, H + E)."""
    return x[:, : x.shape[1] // 3]


def probe_accuracies(
    train_x: list, labels: Sequence, test_x: list, right: Sequence, seed: int
):
    """Read labels out of each encoder's vectors; return the accuracies, one each."""
    names = np.unique(labels)
    same = np.array([np.searchsorted(names, labels)] * len(train_x))  # (P, N)
    steps = min(probes.STEPS, 2 * len(labels))
    said = probes.linear(np.stack(train_x), same, np.stack(test_x), seed, steps)
    return (names[said] == np.asarray(right)).mean(axis=1)


def ask(
    question: Question, models: dict[str, AWDLSTM], vocabulary: Vocabulary,
    sizes: tuple[int, int], seed: int,
) -> dict[str, float]:  # fmt: skip
    """Answer a question from each model's state at the place, and from words alone."""
    order = np.random.default_rng(seed).permutation(len(question.labels))
    order = order[: sum(sizes)]
    cut = len(order) * sizes[0] // sum(sizes)
    labels = [question.labels[i] for i in order]
    words = [" ".join(question.words[i]).replace("\t", " ") for i in order]
    found = {}
    for name, model in models.items():
        of = states(model, vocabulary, [question.sentences[i] for i in order])
        x = np.stack([
            s[question.places[i]].numpy() for s, i in zip(of, order, strict=True)
        ])  # fmt: skip
        [found[name]] = probe_accuracies(
            [x[:cut]], labels[:cut], [x[cut:]], labels[cut:], seed
        )
    alone = TfIdf(words[:cut], labels[:cut], "en").predict(words[cut:])
    found["words alone"] = np.mean(alone == np.array(labels[cut:]))
    commonest = Counter(labels[:cut]).most_common(1)[0][0]
    found["majority"] = np.mean(np.array(labels[cut:]) == commonest)
    return found


def topic_answers(
    setting: Setting, models: dict[str, AWDLSTM], n: int, seed: int, last: bool = False
) -> dict[str, float]:
    """Name the topics of the test texts from each model's vectors, and by TF-IDF.

    last: from the state after the last word, instead of all states pooled
    """
    chosen, _ = drawn(setting, n, seed)
    (texts, labels), (unseen, right) = (setting.topics[k] for k in ("train", "test"))

    def flat(document: Document) -> list[str]:
        return [word for sentence in document for word in sentence]

    known, asked = [flat(texts[i]) for i in chosen], [flat(d) for d in unseen]
    found = {}
    for name, model in models.items():
        parts = [pooled(model, setting.vocabulary, part) for part in (known, asked)]
        x, y = (only_last(part) if last else part for part in parts)
        [found[name]] = probe_accuracies([x], labels[chosen], [y], right, seed)
    tfidf = TfIdf(map(" ".join, known), labels[chosen], "en")
    found["words alone"] = np.mean(tfidf.predict(map(" ".join, asked)) == right)
    commonest = np.bincount(labels[chosen]).argmax()
    found["majority"] = np.mean(right == commonest)
    return found


def opening_word(setting: Setting, seed: int, length: int = 25) -> tuple:
    """Ask which of eight words stands first, behind which other words follow.

    Return texts of so many words and which word it is, 0 to 7.
    """
    rng = np.random.default_rng(seed)
    firsts = rng.choice(setting.vocabulary.words[100:600], 8, replace=False)
    words = [w for d in setting.topics["test"][0] for s in d for w in s]
    starts = rng.integers(len(words) - length, size=800)
    labels = rng.integers(8, size=800)
    texts = [
        [str(firsts[y]), *words[i : i + length - 1]]
        for i, y in zip(starts, labels, strict=True)
    ]
    return texts, labels, [text[0] for text in texts]


def even_letters(setting: Setting, seed: int) -> tuple:
    """Ask whether a word has an even number of letters; no word is asked twice.

    In Chinese: whether the code number of its last character is even. A word's number
    in the vocabulary says nothing about either.
    """
    chinese = setting.language == "zh"
    words = [w for w in setting.vocabulary.words[3:] if w.isalpha() and len(w) > 1]
    words = words[:3000]
    order = np.random.default_rng(seed).permutation(len(words))[:1600]
    texts = [[words[i]] for i in order]
    size = [ord(w[-1]) if chinese else len(w) for [w] in texts]
    digits = [
        " ".join(f"{k}:{n >> k & 1}" for k in range(16)) if chinese else f"letters {n}"
        for n in size
    ]
    return texts, np.array(size) % 2, digits


def why_transfer(seed: int, quick: bool = False) -> list[dict]:
    """Read four things out of the frozen vectors of every control."""
    setting, found = setting_of(quick), []
    sizes = (100, 50) if quick else (2400, 1200)
    models = encoders(setting, seed)
    questions = {
        "tag": word_tags(setting.tagged, seed, 0),
        "tag to come": word_tags(setting.tagged, seed, 1),
        "exchanged": bigram_shift(setting.tagged, seed),
    }
    answers = {"topic": topic_answers(setting, models, 24 if quick else 640, seed)}
    for name, question in questions.items():
        answers[name] = ask(question, models, setting.vocabulary, sizes, seed)
    for name, of in answers.items():
        found += [row(model, name, "accuracy", value) for model, value in of.items()]
    return found


def why_for_all(seed: int, quick: bool = False) -> list[dict]:
    """Ask one model three questions; two of them go against what it was made for."""
    setting, found = setting_of(quick), []
    n, steps = (24, 4) if quick else (640, 300)
    models = encoders(setting, seed, (REAL, UNTRAINED))
    for last in (True, False):
        topic = topic_answers(setting, models, n, seed, last)
        for name in models:
            title = f"{name}, {'last state' if last else 'pooled'}"
            found.append(row(title, "topic", "accuracy", topic[name]))
    found.append(row(DEDICATED, "topic", "accuracy", topic["words alone"]))
    for name, ask_for in (("first word", opening_word), ("even letters", even_letters)):
        task = ask_for(setting, seed)
        of = designed(setting, models, task, seed)
        of["fine-tuned"] = tuned(setting, models[REAL], *task[:2], seed, steps)
        found += [row(title, name, "accuracy", value) for title, value in of.items()]
    return found


def designed(
    setting: Setting, models: dict[str, AWDLSTM], task: tuple, seed: int
) -> dict[str, float]:
    """Answer a designed question from frozen vectors, and with the right reader."""
    texts, labels, clues = task
    half, found = len(texts) // 2, {}
    for name, model in models.items():
        whole = pooled(model, setting.vocabulary, texts)
        for title, x in (("last state", only_last(whole)), ("pooled", whole)):
            parts = [x[:half]], labels[:half], [x[half:]], labels[half:]
            [found[f"{name}, {title}"]] = probe_accuracies(*parts, seed)
    reader = TfIdf(clues[:half], [str(y) for y in labels[:half]], "en")
    right = reader.predict(clues[half:]) == labels[half:].astype(str)
    return found | {DEDICATED: float(right.mean())}


QUESTIONS = ("topic", "tag", "tag to come", "exchanged")


def over_half(rows: list[dict], question: str) -> np.ndarray:
    """Return what shuffled words keep of the real gain, less one half of that gain."""
    of = by_model(rows, "accuracy", question)
    kept, whole = (of[name] - of[UNTRAINED] for name in (SHUFFLED, REAL))
    return kept - whole / 2


def pooled_gains(rows: list[dict]) -> dict[str, np.ndarray]:
    """Return what pooling all states gains over the last state, by question."""
    found = {}
    for question in conditions(rows):
        of = by_model(rows, "accuracy", question)
        found[question] = of[f"{REAL}, pooled"] - of[f"{REAL}, last state"]
    return found


def tuned(
    setting: Setting, encoder: AWDLSTM, texts: list, labels: np.ndarray, seed: int,
    steps: int,
) -> float:  # fmt: skip
    """Fine-tune on the first half of some texts; return the accuracy on the second."""
    half = len(texts) // 2
    topics = {
        "train": ([[text] for text in texts[:half]], labels[:half]),
        "test": ([[text] for text in texts[half:]], labels[half:]),
    }
    points, _ = follow(
        setting._replace(topics=topics), encoder, half, seed, Plan(steps=steps)
    )
    return points[-1].accuracy


EXPERIMENTS = {"why_transfer": why_transfer, "why_for_all": why_for_all}
