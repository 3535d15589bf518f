"""What the checkpoints of the course are made of: which text, which sizes."""

from __future__ import annotations

import functools
import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from course_lib import data, kept
from course_lib.data.held_out import hold_out
from course_lib.models.awd_lstm import AWDConfig
from course_lib.models.bert import BERTConfig
from course_lib.models.bilm import BiLMConfig
from course_lib.models.gpt import GPTConfig
from course_lib.text.batches import Text, read_text
from course_lib.text.documents import limited
from course_lib.training import stages
from course_lib.training.fine_tune import as_document

ENGLISH = [
    ("brown", math.inf),
    ("reuters", math.inf),
    ("gutenberg", math.inf),
    ("abc", math.inf),
    ("bbc", math.inf),
    ("masc_tagged", math.inf),
    ("imdb", 10e6),
]

# General text first: reviews are a quarter of it, where ENGLISH has three fifths.
MORE_ENGLISH = [
    ("openstax", math.inf),
    ("standardebooks", math.inf),
    *ENGLISH[:-1],
    ("imdb", 6e6),
]

CHINESE = [
    ("msra", math.inf),
    ("chid", math.inf),
    ("online_shopping", math.inf),
    ("tnews", math.inf),
    ("eprstmt", math.inf),
    ("chnsenticorp", math.inf),
    ("waimai", math.inf),
]

CHINESE_ARTICLES = [
    ("cmrc2018", math.inf),
    ("cmrc2019", math.inf),
    ("csl", math.inf),
    ("csldcp", math.inf),
    ("iflytek", math.inf),
    ("weekly", math.inf),
    ("howtocook", math.inf),
    ("lctt", math.inf),
    ("gold-miner", math.inf),
]

MORE_CHINESE = [*CHINESE, *CHINESE_ARTICLES]

# ULMFiT's first stage reads none of the texts that lesson 10 classifies. In Chinese
# there is little general text: msra and waimai are tasks of other lessons, whose texts,
# not labels, it has read.
GENERAL_ENGLISH = [
    (name, math.inf)
    for name in ("brown", "reuters", "gutenberg", "abc", "bbc", "masc_tagged")
]
GENERAL_CHINESE = [(name, math.inf) for name in ("msra", "chid", "eprstmt", "waimai")]


# Twice as many filters as a biLM has by default: they spell vectors better.
WIDE = [[1, 64], [2, 64], [3, 128], [4, 256], [5, 256], [6, 256]]

WHOLE = ("AWD-LSTM", "GPT", "BERT")  # read whole documents, in small letters


@dataclass
class Recipe:
    """What a checkpoint is made of.

    corpora: pairs (name in the catalogue, at most so many tokens of it)
    window, rows: tokens in a window and windows in a batch, see text.batches; the
        windows of a GPT or a BERT are as long as its context
    average: of a biLM, steps that its weights are averaged over while the rate is held
        (`averaging`); 0: the last weights, and a rate that falls to zero
    vectors: a biLM begins with skip-gram vectors of its text, and its token layer
        keeps them (`vector_start`)
    start: the checkpoint that an AWD-LSTM begins from, in the words of its own text
    spare_test: leave out the texts that test lesson 10, where a task comes whole
    """

    kind: str
    corpora: list[tuple[str, float]]
    vocabulary: int = 30_000
    window: int = 64
    rows: int = 64
    config: BiLMConfig | AWDConfig | GPTConfig | BERTConfig = field(
        default_factory=BiLMConfig
    )
    backward: bool = False
    average: int = 0
    vectors: bool = False
    start: str = ""
    spare_test: bool = False


def awd_lstm(corpora: list[tuple[str, float]], rows: int = 64, **options) -> Recipe:
    """Return the recipe of an AWD-LSTM: whole documents, half the usual dropout."""
    config = AWDConfig(dropped=0.5, samples=2000)
    return Recipe("AWD-LSTM", corpora, 20_000, sys.maxsize, rows, config, **options)


def gpt(corpora: list[tuple[str, float]], pieces: int, rows: int = 32) -> Recipe:
    """Return the recipe of a GPT: word pieces of whole documents."""
    return Recipe("GPT", corpora, pieces, sys.maxsize, rows, GPTConfig(samples=1000))


def bert(corpora: list[tuple[str, float]], pieces: int) -> Recipe:
    """Return the recipe of a BERT: word pieces of whole documents."""
    return Recipe("BERT", corpora, pieces, sys.maxsize, 64, BERTConfig())


def long_bilm(corpora: list[tuple[str, float]]) -> Recipe:
    """Return the recipe of a biLM that goes on reading for as long as one likes."""
    return Recipe(
        "biLM",
        corpora,
        rows=128,
        config=BiLMConfig(projection=256, filters=WIDE, samples=2000),
        average=500,
        vectors=True,
    )


RECIPES = {
    "elmo-en": long_bilm(MORE_ENGLISH),
    "elmo-zh": long_bilm(MORE_CHINESE),
    "static-en": Recipe("SGNS", ENGLISH),
    "static-zh": Recipe("SGNS", CHINESE),
    "awdlstm-en": awd_lstm(GENERAL_ENGLISH),
    "awdlstm-zh": awd_lstm(GENERAL_CHINESE),
    "awdlstm-en-backward": awd_lstm(GENERAL_ENGLISH, backward=True),
    "awdlstm-zh-backward": awd_lstm(GENERAL_CHINESE, backward=True),
    # ULMFiT's second stage on all the film reviews, except those that test lesson 10.
    "awdlstm-en-reviews": awd_lstm([("imdb", math.inf)], 128, start="awdlstm-en"),
    "awdlstm-zh-reviews": awd_lstm(
        [("online_shopping", math.inf)], 128, start="awdlstm-zh", spare_test=True
    ),
    # The text of elmo-en, so that the three can be set side by side.
    "gpt-en": gpt(MORE_ENGLISH, 8000, 128),
    "bert-en": bert(MORE_ENGLISH, 8000),
    # Chinese has some 6,000 characters, each of them a piece twice: as the beginning of
    # a word and inside one.
    "gpt-zh": gpt(GENERAL_CHINESE + CHINESE_ARTICLES, 16_000, 128),
    "bert-zh": bert(GENERAL_CHINESE + CHINESE_ARTICLES, 16_000),
}


def describe(recipe: Recipe, training: Text, held_out: Text) -> str:
    """Say in one line which text a checkpoint has read."""
    names = [f"{n} (first {m:,.0f})" if m < math.inf else n for n, m in recipe.corpora]
    single = " (in msra, a sentence)" if "msra" in names else ""
    form = (
        f"Windows of whole sentences, at most {recipe.window} tokens with their "
        "marks, never across documents"
    )
    if recipe.kind in WHOLE:
        form = "In small letters; whole documents, one after the other"
    return (
        f"{', '.join(names)}: {training.n_tokens:,} tokens; every 50th document "
        f"of each{single}, {held_out.n_tokens:,} tokens, held out. {form}"
    )


def texts(recipe: Recipe, folder: Path) -> tuple[Text, Text]:
    """Read the corpora, every 50th document held out; keep the result in `folder`."""
    found = []
    for part in ("training", "held_out"):
        make = functools.partial(read, recipe, part)
        arrays = kept.arrays(folder / f"{part}.npz", make)
        words = bytes(arrays.pop("words")).decode().split("\n")
        found.append(Text(words, **arrays))
    return found[0], found[1]


def read(recipe: Recipe, part: str) -> dict[str, np.ndarray]:
    """Read a part of the corpora; its words in one array, one a line."""
    print(f"reading {part} text …", flush=True)
    chosen = documents(recipe, part == "held_out")
    if recipe.kind in WHOLE:
        chosen = ([[w.lower() for w in s] for s in d] for d in chosen)
    text = read_text(chosen, recipe.window)
    words = np.array("\n".join(text.words).encode())
    arrays = {"ids": text.ids, "starts": text.starts, "lengths": text.lengths}
    return {"words": words, **arrays}


def documents(recipe: Recipe, held_out: bool) -> Iterator[list[list[str]]]:
    """Yield the documents of all corpora that are, or are not, held out."""
    for name, most in recipe.corpora:
        found = without_test(name) if recipe.spare_test else data.load(name).documents()
        whole = limited(found, most)
        for number, document in enumerate(whole):
            if (number % 50 == 49) == held_out:
                yield document


def without_test(name: str) -> Iterator[list[list[str]]]:
    """Yield a task's texts, those that `stages.prepare` keeps for the test left out.

    A text that stands there twice, in the test and outside it, is left out as well.
    """
    found, language = stages.examples(name)
    held = hold_out(found, {"test": stages.FULL.test})["test"]
    test = {example.text for example in held}
    for example in found["all"]:
        if example.text not in test:
            yield as_document(example.text, language)
