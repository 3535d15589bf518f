"""Lesson 11: why does pre-training help? Three explanations, each with its experiment.

A small AWD-LSTM reads a million words of English twice (BBC news without the test
articles, and Brown); so do two others whose text has been taken apart, and three more
models are made without any training: see analysis.controls. These pre-trainings take
about a CPU minute each, are done once and kept: the intervals are over labels, heads,
noise and probes, not over pre-trainings. The seed draws the labelled texts. Two tasks
are fine-tuned: the topic of the first 30 words of a news article, one of five; and
whether two neighbours in a treebank sentence (18 words at most) were exchanged. The
rules were fixed before the stored runs. A pilot with seed 1 was seen earlier (transfer,
for_all, regularise); after it, exchanged sentences were limited to 18 words, because
with longer ones every start stayed at chance. So stored runs take other seeds.
Differences are taken within a seed; surely: the 95 % interval over seeds excludes 0.

why_start       From each model all layers are fine-tuned with 160 labels, at two rates.
                "it is a better start": supported if the trained model needs surely
                fewer steps than the untrained one to get as far as that one does at
                its best, in both tasks at both rates, overstated if in some, else wrong
                "it is only a better scale of the numbers": supported if the permuted
                model surely saves more than half of the steps that the real one saves,
                in both tasks at both rates, overstated if it surely saves some in any,
                else wrong
why_regularise  40, 160, 640 labels, 200 steps, from the real and the untrained model,
                and with the real one frozen.
                "it regularises": supported if the loss on unseen texts is surely lower
                than the untrained model's when that on the labelled ones first is as
                low as .2 nats (Erhan et al. 2010 look at equal training loss), in more
                than half of tasks and numbers of labels, overstated if in some, else
                wrong
                "frozen is better with few labels, fine-tuned with many": supported if
                the gain of tuning is surely below 0 with 40 and surely above 0 with
                640 labels in both tasks, overstated if any of these, else wrong
why_l2sp        Fine-tuning with a penalty of every strength, to the start or to zero.
                "fine-tuning keeps the parameters near the pre-trained ones": wrong if
                they surely move further with a higher rate and with more steps,
                overstated if with one of these, else supported
                "an explicit pull to the start helps": the strength is chosen on 200
                other texts; supported if it surely gains over none with 40 and with
                640 labels in both tasks, overstated if in some of these, else wrong
why_transfer    Frozen vectors, simple readers: the topic; the tag of a word; that of
                the word to come; whether two neighbours have changed places.
                "it transfers knowledge of language": supported if the real model surely
                beats the permuted and the untrained one in more than half of these,
                overstated if in some, else wrong
                "without word order it keeps topics and loses syntax": of the real
                model's gain over the untrained one, the shuffled model surely keeps
                more than half in the topic (1) and surely less than half in the tag to
                come and the exchange (2). Supported if both, overstated if one
why_for_all     One frozen model, three questions: the topic; the first word of a text
                of 25; whether a word has an even number of letters. Read from the
                state after the last word, and from all states pooled.
                "one representation serves all tasks": wrong if both vectors are surely
                below a reader that was made for the question in more than half of them,
                overstated if in some, else supported
"""

from __future__ import annotations

import copy
import functools
import itertools
import sys
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch

from course_lib import checkpoints, data
from course_lib.analysis import controls, probes
from course_lib.analysis.baselines import TfIdf
from course_lib.analysis.statistics import t_interval
from course_lib.data import readers
from course_lib.data.entries import BBC
from course_lib.data.files import fetch
from course_lib.data.readers import Document
from course_lib.models.awd_lstm import AWDLSTM, AWDConfig, Remembering
from course_lib.models.classifier import TextClassifier, concat_pool
from course_lib.text.batches import read_text
from course_lib.text.characters import BOS
from course_lib.text.documents import Documents, number, pad
from course_lib.text.streams import Streams, vocabulary_of
from course_lib.text.vocabulary import Vocabulary
from course_lib.training import schedules
from course_lib.training.anchored import anchored, distances
from course_lib.training.features import cache
from course_lib.training.fine_tune import layer_groups, predict, thaw
from course_lib.training.loop import train
from course_lib.training.stages import fingerprint
from course_lib.worlds.rivertown import world

from .ulmfit import conditions, row, verdict

REAL, SHUFFLED, SCATTERED = "real text", "shuffled words", "scattered words"
RENAMED, PERMUTED, UNTRAINED = "renamed words", "permuted weights", "untrained"
FROZEN = f"{REAL}, frozen"
MADE = "made for it"  # a reader that sees just what a question needs
CONTROLS = (REAL, SHUFFLED, SCATTERED, RENAMED, PERMUTED, UNTRAINED)

# -- the text, the topics, the tags ----------------------------------------------------


class Setting(NamedTuple):
    """What an encoder reads, and what it is asked.

    text: for pre-training;  topics: (documents, labels) of "train" and "test"
    tagged: sentences with tags;  epochs, rows: of pre-training
    """

    language: str
    text: list[Document]
    topics: dict[str, tuple[list[Document], np.ndarray]]
    tagged: list
    vocabulary: Vocabulary
    config: AWDConfig
    epochs: int = 2
    rows: int = 16

    def numbered(self, split: str, rows: Sequence[int]) -> list[np.ndarray]:
        """Return some of a split's documents as the models read them."""
        documents = self.topics[split][0]
        return [number(documents[i], self.vocabulary) for i in rows]


def small_letters(document: Document) -> Document:
    """Write all words in small letters, as the models read them."""
    return [[word.lower() for word in sentence] for sentence in document]


def opening(document: Document, words: int = 30) -> Document:
    """Return the first words of a document."""
    kept, room = [], words
    for sentence in document:
        kept.append(sentence[:room])
        room -= len(kept[-1])
        if room <= 0:
            break
    return kept


@functools.cache
def news(words: float = 1e6) -> Setting:
    """Return the setting of the claims: English news and Brown, five topics."""
    articles = [
        (small_letters(readers.english(text.replace("\n", "\n\n"))), name.split("/")[1])
        for name, text in readers.members(fetch(BBC), "latin-1")
    ]
    rng = np.random.default_rng(0)
    articles = [articles[i] for i in rng.permutation(len(articles))]
    parts = {"test": articles[:400], "train": articles[400:]}
    names = sorted({label for _, label in articles})
    topics = {
        split: ([opening(d[1:]) for d, _ in of],  # [0] is the headline
                np.array([names.index(label) for _, label in of]))
        for split, of in parts.items()
    }  # fmt: skip
    read = [d for d, _ in parts["train"]]
    read += [small_letters(d) for d in data.load("brown").documents()]
    text = first([read[i] for i in rng.permutation(len(read))], words)
    return Setting("en", text, topics, data.load("treebank").split("all"),
                   vocabulary_of(read_text(text, window=sys.maxsize), 10_000),
                   AWDConfig(64, 128, layers=2, dropped=0.1, samples=500))  # fmt: skip


@functools.cache
def town(language: str, words: int = 20_000, epochs: int = 2) -> Setting:
    """Return a setting that every clone has: Rivertown, documents of twelve topics."""
    corpus = data.load(f"rivertown-{language}", tokens=words)
    text = [small_letters(document) for document in corpus.documents()]
    parts = {
        k: list(world(language, k).documents(60_000, 1)) for k in ("train", "test")
    }
    names = sorted({document.topic for document in parts["train"]})
    topics = {
        split: ([opening([[t.word.lower() for t in x.tokens] for x in d.sentences])
                 for d in of], np.array([names.index(d.topic) for d in of]))
        for split, of in parts.items()
    }  # fmt: skip
    size = (16, 32) if words < 50_000 else (48, 96)
    return Setting(language, text, topics,
                   data.load(f"rivertown-{language}-pos").split("train"),
                   vocabulary_of(read_text(text, window=sys.maxsize), 5_000),
                   AWDConfig(*size, layers=2, dropped=0.1, samples=500),
                   epochs, rows=8)  # fmt: skip


def first(documents: Sequence[Document], words: float) -> list[Document]:
    """Return the first documents, until they hold so many words."""
    sizes = np.cumsum([sum(map(len, document)) for document in documents])
    return list(documents[: int(np.searchsorted(sizes, words)) + 1])


# -- the encoders ----------------------------------------------------------------------


def pretrained(setting: Setting, text: list[Document]) -> AWDLSTM:
    """Train a language model on a text; kept on disk, as it is the same for all seeds.

    The labelled texts are in the vocabulary of the unchanged text, whatever was read.
    """
    torch.manual_seed(0)
    model = AWDLSTM(setting.config, len(setting.vocabulary))
    read = read_text(text, window=sys.maxsize)
    about = (setting.epochs, setting.rows, setting.vocabulary.words)
    folder = cache().parent / "why" / fingerprint(model, read, (about, read.words))
    if not (folder / "model.safetensors").exists():
        streams = Streams(read, setting.vocabulary, setting.rows)
        train(Remembering(model), streams, setting.epochs, learning_rate=1e-2)
        checkpoints.save(model, setting.vocabulary, folder)
    return checkpoints.load(str(folder))[0]


def encoders(
    setting: Setting, seed: int, names: Sequence[str] = CONTROLS
) -> dict[str, AWDLSTM]:
    """Return each control's encoder; those that read are the same for all seeds."""
    real = pretrained(setting, setting.text)
    make = {
        REAL: lambda: real,
        SHUFFLED: lambda: pretrained(setting, controls.shuffle_words(setting.text, 0)),
        SCATTERED: lambda: pretrained(setting, controls.scatter_words(setting.text, 0)),
        RENAMED: lambda: controls.rename(real, seed),
        PERMUTED: lambda: controls.permute(real, seed),
        UNTRAINED: lambda: controls.untrained(real, seed),
    }
    return {name: make[name]() for name in names}


# -- fine-tuning, watched --------------------------------------------------------------


class How(NamedTuple):
    """How a classifier is trained, and when it is looked at.

    steps: how many;  marks: after which it is tested, besides the end
    alpha, to_zero: the strength of a pull, and where to, see `anchored`
    """

    rate: float = 4e-3
    steps: int = 200
    marks: tuple[int, ...] = ()
    frozen: bool = False
    alpha: float = 0.0
    to_zero: bool = False


class Seen(NamedTuple):
    """What a classifier can do after some steps, in nats per text and shares right.

    seen: on the texts that it is trained with; otherwise on the test texts
    """

    step: int
    seen_loss: float
    loss: float
    seen_accuracy: float
    accuracy: float


def drawn(setting: Setting, n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw n labelled documents, as many of each topic, and 200 others to choose by."""
    labels = setting.topics["train"][1]
    order = np.random.default_rng(seed).permutation(len(labels))
    rank = np.empty(len(order), int)  # how many of its topic were drawn before it
    for topic in np.unique(labels):
        here = labels[order] == topic
        rank[here] = np.arange(here.sum())
    order = order[np.argsort(rank, kind="stable")]
    return order[:n], order[n : n + 200]


def judged(model: TextClassifier, documents: list, labels: np.ndarray) -> tuple:
    """Return a classifier's loss in nats per document, and its accuracy."""
    probabilities = predict(model, documents)  # (N, K)
    right = probabilities[np.arange(len(labels)), labels]
    loss = -np.log(np.maximum(right, 1e-9)).mean()
    return float(loss), float((probabilities.argmax(axis=1) == labels).mean())


def follow(
    setting: Setting, encoder: AWDLSTM, n: int, seed: int, how: How
) -> tuple[list[Seen], TextClassifier]:
    """Train a classifier on n labelled documents, and test it on the way.

    Every layer learns at the same rate, from every start: what differs is the start.
    """
    torch.manual_seed(seed)
    chosen, _ = drawn(setting, n, seed)
    texts = setting.numbered("train", chosen)
    labels = setting.topics["train"][1][chosen]
    right = setting.topics["test"][1]
    unseen = setting.numbered("test", range(len(right)))
    batches = Documents(texts, labels, rows=16, seed=seed)
    model = TextClassifier(copy.deepcopy(encoder), int(right.max()) + 1)
    groups, marks, found = layer_groups(model), list(how.marks), []
    thaw(groups, range(len(groups) - 1 if how.frozen else 0, len(groups)))

    def look(epoch: int) -> None:
        step = epoch * len(batches)
        if marks and step >= marks[0]:
            marks[:] = [mark for mark in marks if mark > step]
            found.append(tested(step))
            model.train()

    def tested(step: int) -> Seen:
        seen, later = judged(model, texts, labels), judged(model, unseen, right)
        return Seen(step, seen[0], later[0], seen[1], later[1])

    adam = torch.optim.Adam(model.parameters(), how.rate, betas=(0.7, 0.99))
    with anchored(model, how.alpha, how.to_zero):
        run = train(model, batches, how.steps / len(batches), optimizer=adam,
                    schedule=schedules.linear, at_epoch=look)  # fmt: skip
    return [*found, tested(run.step)], model


def at_level(points: Sequence[Seen], level: float) -> float:
    """Return the loss on unseen texts where that on the seen ones first is so low.

    Between two looks both go in a straight line; if it never is, at the lowest point.
    """
    for a, b in itertools.pairwise(points):
        if a.seen_loss > level >= b.seen_loss:
            part = (a.seen_loss - level) / (a.seen_loss - b.seen_loss)
            return a.loss + part * (b.loss - a.loss)
    return min(points, key=lambda point: point.seen_loss).loss


# -- frozen vectors --------------------------------------------------------------------


@torch.no_grad()
def states(
    encoder: AWDLSTM, vocabulary: Vocabulary, sentences: Sequence[Sequence[str]]
) -> list[torch.Tensor]:
    """Return every layer's output after each word, side by side. Shape: (T, H + E).

    Each sentence is read from an empty state, behind `<S>`.
    """
    encoder.eval()
    found = []
    for i in range(0, len(sentences), 100):
        part = sentences[i : i + 100]
        ids = [np.array(vocabulary.encode([BOS, *s]), dtype=np.int64) for s in part]
        raw = torch.cat(encoder(pad(ids).clamp(min=0)).raw, dim=2)  # (B, T+1, H+E)
        found += [x[1 : 1 + len(s)] for x, s in zip(raw, part, strict=True)]
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


def probed(train_x: list, labels: Sequence, test_x: list, right: Sequence, seed: int):
    """Read labels out of each encoder's vectors; return the accuracies, one each."""
    names = np.unique(labels)
    same = np.array([np.searchsorted(names, labels)] * len(train_x))  # (P, N)
    steps = min(probes.STEPS, 2 * len(labels))
    said = probes.linear(np.stack(train_x), same, np.stack(test_x), seed, steps)
    return (names[said] == np.asarray(right)).mean(axis=1)


def exchange_task(setting: Setting) -> Setting:
    """Let the texts be sentences, and their topics whether neighbours were exchanged.

    The same for every seed, which only draws the labelled ones.
    """
    # In a long sentence one exchange is a needle in a haystack, for any start.
    short = [s for s in setting.tagged if len(s.tokens) <= 18]
    question = exchanged(short, seed=0)
    labels = np.array([label == "exchanged" for label in question.labels]).astype(int)
    documents = [[sentence] for sentence in question.sentences]
    order = np.random.default_rng(0).permutation(len(labels))[:2400]
    cut = max(400, len(order) // 6)
    parts = {"test": order[:cut], "train": order[cut:]}
    topics = {k: ([documents[i] for i in of], labels[of]) for k, of in parts.items()}
    return setting._replace(topics=topics)


def tasks(setting: Setting) -> dict[str, Setting]:
    """Return the two tasks that are fine-tuned, by name."""
    return {"topic": setting, "exchanged": exchange_task(setting)}


class Question(NamedTuple):
    """What is asked of single places: sentences, a place in each, a label, some words.

    words: all that a reader without any encoder is given
    """

    sentences: list[list[str]]
    places: list[int]
    labels: list[str]
    words: list[tuple[str, ...]]


def tags(tagged: Sequence, seed: int, to_come: int) -> Question:
    """Ask for the tag of one word of each sentence, or of the one that follows it."""
    rng = np.random.default_rng(seed)
    long = [s for s in tagged if len(s.tokens) >= 5]
    places = [int(rng.integers(2, len(s.tokens) - 1)) for s in long]
    sentences = [[word.lower() for word in s.tokens] for s in long]
    labels = [s.tags[i + to_come] for s, i in zip(long, places, strict=True)]
    words = [(s[i],) for s, i in zip(sentences, places, strict=True)]
    return Question(sentences, places, labels, words)


def exchanged(tagged: Sequence, seed: int) -> Question:
    """Exchange two neighbours in half of the sentences; ask after the second word."""
    rng, found = np.random.default_rng(seed), Question([], [], [], [])
    for s in tagged:
        words = [word.lower() for word in s.tokens]
        if len(words) < 5:
            continue
        i, change = int(rng.integers(2, len(words) - 1)), bool(rng.integers(2))
        if words[i] == words[i - 1]:
            continue
        if change:
            words[i - 1 : i + 1] = words[i], words[i - 1]
        pair = f"left {words[i - 1]}", f"right {words[i]}"
        about = words, i, "exchanged" if change else "as it was", pair
        for column, value in zip(found, about, strict=True):
            column.append(value)
    return found


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
        [found[name]] = probed([x[:cut]], labels[:cut], [x[cut:]], labels[cut:], seed)
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
        [found[name]] = probed([x], labels[chosen], [y], right, seed)
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


# -- the experiments -------------------------------------------------------------------

RATES = (1e-3, 4e-3)
COUNTS = (40, 160, 640)
STRENGTHS = (0.001, 0.01, 0.1)
LEVEL = 0.2  # nats: the training loss at which test losses are compared
MARKS = (0, 10, 20, 30, 40, 60, 80, 100, 130, 160)


def at_hand(quick: bool) -> Setting:
    """Return the setting of an experiment; quick: a small one, of Rivertown."""
    return town("en") if quick else news()


def steps_to(points: Sequence[Seen], accuracy: float) -> int:
    """Return after how many steps an accuracy is first seen; twice the end if never."""
    reached = [point.step for point in points if point.accuracy >= accuracy]
    return reached[0] if reached else 2 * points[-1].step


def why_start(seed: int, quick: bool = False) -> list[dict]:
    """Fine-tune from every control; see how soon the untrained one's best is met."""
    setting, found = at_hand(quick), []
    n, steps = (24, 4) if quick else (160, 120)
    models = encoders(setting, seed)
    for (task, of), rate in itertools.product(tasks(setting).items(), RATES):
        how = How(rate, steps, MARKS)
        curves = {k: follow(of, m, n, seed, how)[0] for k, m in models.items()}
        target = max(point.accuracy for point in curves[UNTRAINED])
        for name, points in curves.items():
            about = f"{task}, rate {rate:g}"
            value = steps_to(points, target)
            found.append(row(name, about, "steps to target", value))
            for point in points:
                here = name, f"{about}, step {point.step}"
                found.append(row(*here, "loss", point.loss))
                found.append(row(*here, "training loss", point.seen_loss))
                found.append(row(*here, "accuracy", point.accuracy))
    return found


def why_regularise(seed: int, quick: bool = False) -> list[dict]:
    """Compare training and test at growing numbers of labels, and at equal training."""
    setting, found = at_hand(quick), []
    steps, marks = (4, (0, 2)) if quick else (200, MARKS)
    models = encoders(setting, seed, (REAL, UNTRAINED))
    models[FROZEN] = models[REAL]
    counts = (12, 24) if quick else COUNTS
    for (task, of), n in itertools.product(tasks(setting).items(), counts):
        for name, model in models.items():
            how = How(steps=steps, marks=marks, frozen=name == FROZEN)
            points, _ = follow(of, model, n, seed, how)
            end, about = points[-1], (name, f"{task}, {n} labels")
            found += [
                row(*about, "accuracy", end.accuracy),
                row(*about, "training accuracy", end.seen_accuracy),
                row(*about, "loss", end.loss),
                row(*about, "training loss", end.seen_loss),
                row(*about, f"loss at {LEVEL} nats", at_level(points, LEVEL)),
            ]
    return found


def plans(few: int, many: int, steps: int) -> list[tuple[str, int, str, How, str]]:
    """List the runs of `why_l2sp`: task, labels, title, how, and from which model."""
    found = []
    for task, n in itertools.product(("topic", "exchanged"), (few, many)):
        found.append((task, n, "no pull", How(steps=steps), REAL))
        # Towards zero in one task only: it is for comparison.
        ends = {"the start": False} | ({"zero": True} if task == "exchanged" else {})
        for (end, to_zero), alpha in itertools.product(ends.items(), STRENGTHS):
            how = How(steps=steps, alpha=alpha, to_zero=to_zero)
            found.append((task, n, f"to {end}, {alpha:g}", how, REAL))
    ways = {
        "slower": (How(1e-3, steps), REAL),
        "faster": (How(1.6e-2, steps), REAL),
        "shorter": (How(steps=steps // 4), REAL),
        "no pull": (How(steps=steps), UNTRAINED),
    }
    return found + [("exchanged", few, k, *way) for k, way in ways.items()]


def why_l2sp(seed: int, quick: bool = False) -> list[dict]:
    """Pull to the start, or to zero; then without a pull, faster, slower, shorter."""
    setting, found = at_hand(quick), []
    models = encoders(setting, seed, (REAL, UNTRAINED))
    sizes = (12, 24, 4) if quick else (COUNTS[0], COUNTS[-1], 200)
    both_tasks = tasks(setting)
    for task, n, title, how, start in plans(*sizes):
        points, model = follow(both_tasks[task], models[start], n, seed, how)
        about = start, f"{task}, {n} labels: {title}"
        chosen_by = validated(both_tasks[task], model, n, seed)
        found += [
            row(*about, "accuracy", points[-1].accuracy),
            row(*about, "training accuracy", points[-1].seen_accuracy),
            row(*about, "validation", chosen_by),
        ]
        moved = distances(model.encoder, models[start])
        found += [row(*about, f"moved: {k}", v) for k, v in moved.items()]
    return found


def validated(setting: Setting, model: TextClassifier, n: int, seed: int) -> float:
    """Return a classifier's accuracy on texts that neither trained nor test it."""
    _, others = drawn(setting, n, seed)
    labels = setting.topics["train"][1][others]
    return judged(model, setting.numbered("train", others), labels)[1]


def why_transfer(seed: int, quick: bool = False) -> list[dict]:
    """Read four things out of the frozen vectors of every control."""
    setting, found = at_hand(quick), []
    sizes = (100, 50) if quick else (2400, 1200)
    models = encoders(setting, seed)
    questions = {
        "tag": tags(setting.tagged, seed, 0),
        "tag to come": tags(setting.tagged, seed, 1),
        "exchanged": exchanged(setting.tagged, seed),
    }
    answers = {"topic": topic_answers(setting, models, 24 if quick else 640, seed)}
    for name, question in questions.items():
        answers[name] = ask(question, models, setting.vocabulary, sizes, seed)
    for name, of in answers.items():
        found += [row(model, name, "accuracy", value) for model, value in of.items()]
    return found


def why_for_all(seed: int, quick: bool = False) -> list[dict]:
    """Ask one model three questions; two of them go against what it was made for."""
    setting, found = at_hand(quick), []
    n, steps = (24, 4) if quick else (640, 300)
    models = encoders(setting, seed, (REAL, UNTRAINED))
    for last in (True, False):
        topic = topic_answers(setting, models, n, seed, last)
        for name in models:
            title = f"{name}, {'last state' if last else 'pooled'}"
            found.append(row(title, "topic", "accuracy", topic[name]))
    found.append(row(MADE, "topic", "accuracy", topic["words alone"]))
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
            [found[f"{name}, {title}"]] = probed(*parts, seed)
    reader = TfIdf(clues[:half], [str(y) for y in labels[:half]], "en")
    right = reader.predict(clues[half:]) == labels[half:].astype(str)
    return found | {MADE: float(right.mean())}


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
        setting._replace(topics=topics), encoder, half, seed, How(steps=steps)
    )
    return points[-1].accuracy


# -- the rules -------------------------------------------------------------------------


def paired(rows: list[dict], metric: str, condition: str) -> dict[str, np.ndarray]:
    """Return each model's values of a metric, in the order of the seeds."""
    found: dict[str, dict[int, float]] = {}
    for r in rows:
        if (r["metric"], r["condition"]) == (metric, condition):
            found.setdefault(r["model"], {})[r["seed"]] = r["value"]
    return {k: np.array([of[seed] for seed in sorted(of)]) for k, of in found.items()}


def surely(values: Sequence[float]) -> bool:
    """Say whether the interval of a mean lies above 0."""
    return t_interval(values).low > 0


def both(sure: Sequence[bool]) -> str:
    """Judge a claim that has several parts, all of which must hold."""
    return "supported" if all(sure) else "overstated" if any(sure) else "wrong"


def starts(rows: list[dict]) -> list[dict[str, np.ndarray]]:
    """Return each model's steps to the target, for each task and rate."""
    pairs = itertools.product(("topic", "exchanged"), RATES)
    return [
        paired(rows, "steps to target", f"{task}, rate {rate:g}")
        for task, rate in pairs
    ]  # fmt: skip


def start_verdict(rows: list[dict]) -> str:
    """Judge: it is a better start."""
    return both([surely(of[UNTRAINED] - of[REAL]) for of in starts(rows)])


def scale_verdict(rows: list[dict]) -> str:
    """Judge: it is only a better scale of the numbers."""
    half, some = [], []
    for of in starts(rows):
        saved, whole = (of[UNTRAINED] - of[name] for name in (PERMUTED, REAL))
        half.append(surely(saved - whole / 2))
        some.append(surely(saved))
    if all(half):
        return "supported"
    return "overstated" if any(some) else "wrong"


def places(rows: list[dict], task: str) -> list[str]:
    """List a task's numbers of labels, "topic, 40 labels" …, the smallest first."""
    found = {r["condition"].partition(":")[0] for r in rows}
    of = [text for text in found if text.startswith(f"{task}, ")]
    return sorted(of, key=lambda text: int(text.split()[1]))


def everywhere(rows: list[dict]) -> list[str]:
    """List the numbers of labels of both tasks."""
    return [*places(rows, "topic"), *places(rows, "exchanged")]


def regularise_verdict(rows: list[dict]) -> str:
    """Judge: it regularises."""
    of = [paired(rows, f"loss at {LEVEL} nats", here) for here in everywhere(rows)]
    return verdict([surely(x[UNTRAINED] - x[REAL]) for x in of])


def frozen_verdict(rows: list[dict]) -> str:
    """Judge: frozen is better with few labels, fine-tuned with many."""
    sure = []
    for task in ("topic", "exchanged"):
        few, *_, many = places(rows, task)
        for here, sign in ((few, -1), (many, 1)):
            of = paired(rows, "accuracy", here)
            sure.append(surely(sign * (of[REAL] - of[FROZEN])))
    return both(sure)


def near_verdict(rows: list[dict]) -> str:
    """Judge: fine-tuning keeps the parameters near the pre-trained ones."""
    few = places(rows, "exchanged")[0]
    names = ("no pull", "slower", "faster", "shorter")
    base, slower, faster, shorter = (
        paired(rows, "moved: all", f"{few}: {name}")[REAL] for name in names
    )
    rate = surely(faster - base) and surely(base - slower)
    opposite = both([rate, surely(base - shorter)])
    return {"supported": "wrong", "wrong": "supported"}.get(opposite, opposite)


def pull_gain(rows: list[dict], here: str) -> np.ndarray:
    """Return what a pull of the strength chosen on other texts gains, seed by seed."""
    names = [f"{here}: to the start, {alpha:g}" for alpha in STRENGTHS]
    chosen, scores = (
        np.stack([paired(rows, metric, name)[REAL] for name in names])
        for metric in ("validation", "accuracy")
    )  # (strengths, seeds)
    best = chosen.argmax(axis=0)
    gained = scores[best, np.arange(len(best))]
    return gained - paired(rows, "accuracy", f"{here}: no pull")[REAL]


def pull_verdict(rows: list[dict]) -> str:
    """Judge: an explicit pull to the start helps."""
    return both([surely(pull_gain(rows, here)) for here in everywhere(rows)])


QUESTIONS = ("topic", "tag", "tag to come", "exchanged")


def transfer_verdict(rows: list[dict]) -> str:
    """Judge: it transfers knowledge of language."""
    of = [paired(rows, "accuracy", name) for name in QUESTIONS]
    return verdict([
        surely(x[REAL] - x[PERMUTED]) and surely(x[REAL] - x[UNTRAINED]) for x in of
    ])  # fmt: skip


def over_half(rows: list[dict], question: str) -> np.ndarray:
    """Return what shuffled words keep of the real gain, less one half of that gain."""
    of = paired(rows, "accuracy", question)
    kept, whole = (of[name] - of[UNTRAINED] for name in (SHUFFLED, REAL))
    return kept - whole / 2


def order_verdict(rows: list[dict]) -> str:
    """Judge: without word order it keeps topics and loses syntax."""
    kept = surely(over_half(rows, "topic"))
    lost = [surely(-over_half(rows, name)) for name in ("tag to come", "exchanged")]
    return both([kept, all(lost)])


def for_all_verdict(rows: list[dict]) -> str:
    """Judge: one representation serves all tasks."""
    names = conditions(rows)
    of = [paired(rows, "accuracy", name) for name in names]
    vectors = f"{REAL}, last state", f"{REAL}, pooled"
    opposite = verdict([all(surely(x[MADE] - x[v]) for v in vectors) for x in of])
    return {"supported": "wrong", "wrong": "supported"}.get(opposite, opposite)


def overfitting(rows: list[dict]) -> dict[str, np.ndarray]:
    """Return how much narrower the real model's gap is than the untrained one's.

    The gap: accuracy on the labelled texts less that on unseen ones, seed by seed.
    """
    found = {}
    for here in everywhere(rows):
        seen, unseen = (
            paired(rows, metric, here) for metric in ("training accuracy", "accuracy")
        )
        gap = {name: seen[name] - unseen[name] for name in (REAL, UNTRAINED)}
        found[here] = gap[UNTRAINED] - gap[REAL]
    return found


def overfitting_verdict(rows: list[dict]) -> str:
    """Judge: a pre-trained network overfits less.

    Supported if the gap is surely narrower in more than half of tasks and numbers of
    labels, overstated if in some, else wrong.
    """
    return verdict([surely(values) for values in overfitting(rows).values()])


def chosen_pull(rows: list[dict], here: str) -> np.ndarray:
    """Return the decimal logarithm of the strength that the other texts choose."""
    names = [f"{here}: to the start, {alpha:g}" for alpha in STRENGTHS]
    chosen = np.stack([paired(rows, "validation", name)[REAL] for name in names])
    return np.log10(np.array(STRENGTHS)[chosen.argmax(axis=0)])


def weaker_pull(rows: list[dict]) -> dict[str, np.ndarray]:
    """Return by how many powers of ten the pull is weaker with more labels, by task."""
    found = {}
    for task in ("topic", "exchanged"):
        few, *_, many = places(rows, task)
        found[task] = chosen_pull(rows, few) - chosen_pull(rows, many)
    return found


def prior_verdict(rows: list[dict]) -> str:
    """Judge: the more labels, the weaker the prior, as Bayes has it.

    Supported if the chosen strength of L2-SP is surely lower with 640 labels than with
    40 in both tasks, overstated if in one, else wrong.
    """
    return both([surely(values) for values in weaker_pull(rows).values()])


def pooled_gains(rows: list[dict]) -> dict[str, np.ndarray]:
    """Return what pooling all states gains over the last state, by question."""
    found = {}
    for question in conditions(rows):
        of = paired(rows, "accuracy", question)
        found[question] = of[f"{REAL}, pooled"] - of[f"{REAL}, last state"]
    return found


def pooled_verdict(rows: list[dict]) -> str:
    """Judge: the state after the last word is enough, it has read everything.

    Wrong if pooling is surely better in more than half of the questions, overstated if
    in some, else supported. (Younger than the rows of why_for_all; written without a
    look at these differences.)
    """
    opposite = verdict([surely(values) for values in pooled_gains(rows).values()])
    return {"supported": "wrong", "wrong": "supported"}.get(opposite, opposite)


EXPERIMENTS = {
    "why_start": why_start,
    "why_regularise": why_regularise,
    "why_l2sp": why_l2sp,
    "why_transfer": why_transfer,
    "why_for_all": why_for_all,
}
