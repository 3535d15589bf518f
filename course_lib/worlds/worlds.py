"""Small worlds in which the best possible accuracy is known: PW, CUE and XOR.

pseudowords(sentences, "banana", "door")  PW: two words of any text become one
cue_world("left").sentences(1000)         CUE: what tells them apart is on one side
xor_world().sentences(1000)               XOR: only both sides together tell
optimum(cue_world("left"), "right")       the accuracy that no such reader can beat

A pseudoword hides which of two words stood there: its senses are certain, unlimited
and free (Gale, Church and Yarowsky 1992; Schütze 1992). In real text no one knows how
well it could be resolved. CUE and XOR are pseudowords in contexts of known probability,
at any ratio of the two words, so there the optimum is exact.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from course_lib.text.examples import SenseSentence
from course_lib.text.vocabulary import listed

# -- PW: pseudowords in any text -------------------------------------------------------


class Pseudowords(NamedTuple):
    """A text with a pseudoword in it, and each of its occurrences with its sense."""

    text: list[list[str]]
    senses: list[SenseSentence]


def pseudowords(
    sentences: Iterable[list[str]],
    first: str,
    second: str,
    name: str | None = None,
    ratio: tuple[int, int] | None = None,
    keep: float = 0.0,
    seed: int = 0,
) -> Pseudowords:
    """Merge two words of a text into one, and remember which it was.

    sentences: lists of tokens; `itertools.chain` joins those of several corpora
    name: the pseudoword, `first` + `second` if not given
    ratio: (1, 9) makes `second` exactly nine times as frequent in the pseudoword as
        `first`; occurrences in excess stay as they are, so that no context is lost
    keep: least share of either word's occurrences that stays as it is, so that the
        words' own vectors can be learned beside the pseudoword's
    Returns all sentences, rewritten, and a SenseSentence an occurrence: its sense is
    the word that stood there, its part of speech and cue are unknown ("").
    A sentence's first token counts as the word also if it is capitalised.
    Raises ValueError if a word is too rare, or if the text has the pseudoword already.
    """
    text = [list(listed(s, number)) for number, s in enumerate(sentences)]
    name = name or first + second
    places = [_places(text, word) for word in (first, second)]
    if first == second or _places(text, name):
        raise ValueError(f"{first!r}, {second!r} and {name!r} must be three words")
    counts = _counts(first, second, places, ratio, keep)
    generator = random.Random(seed)
    merged = []
    for word, found, count in zip((first, second), places, counts, strict=True):
        found.sort(key=lambda _: generator.random())
        merged += [(i, j, word) for i, j in found[:count]]
    merged.sort()
    for i, j, _ in merged:
        text[i][j] = name
    senses = [SenseSentence(name, word, "", text[i], j, "") for i, j, word in merged]
    return Pseudowords(text, senses)


def _places(text: list[list[str]], word: str) -> list[tuple[int, int]]:
    """List (sentence, token) where a word stands."""
    capital = word[:1].upper() + word[1:]
    return [
        (i, j)
        for i, tokens in enumerate(text)
        for j, token in enumerate(tokens)
        if token == word or (j == 0 and token == capital)
    ]


def _counts(first, second, places, ratio, keep) -> tuple[int, int]:
    """Say how many occurrences of either word are merged: as many as possible."""
    if ratio and min(ratio) < 1:
        raise ValueError(f"ratio={ratio}: two whole numbers, 1 or more")
    had = [len(found) for found in places]
    free = [n - math.ceil(keep * n) for n in had]
    if ratio:
        times = min(n // share for n, share in zip(free, ratio, strict=True))
        free = [times * share for share in ratio]
    if not all(free):
        raise ValueError(
            f"{first!r} occurs {had[0]} times and {second!r} {had[1]} times: too rare "
            f"for ratio={ratio} and keep={keep}. Take more text or commoner words."
        )
    return free[0], free[1]


# -- CUE and XOR: the words ------------------------------------------------------------


class Lexicon(NamedTuple):
    """The words of a world: opening, LEFT, ..., target, ..., RIGHT, stop.

    left, right: for each side the cues of class 0, the cues of class 1, and words that
    tell nothing. No word stands in two places, so a cue is a cue wherever it is seen.
    """

    classes: tuple[str, str]
    opening: str
    left: list[list[str]]
    left_fillers: list[list[str]]
    right_fillers: list[list[str]]
    right: list[list[str]]
    stop: str


def _phrases(text: str) -> list[list[str]]:
    """Split at commas into phrases, and these at spaces into words."""
    return [phrase.split() for phrase in text.split(",")]


LEXICONS = {
    "en": Lexicon(
        ("baked", "mended"),
        "The",
        _phrases("baker cook chef confectioner, mechanic plumber engineer electrician,"
                 "neighbour teacher visitor cousin"),
        _phrases("often, quietly, again, suddenly, next door, on Monday, last week,"
                 "at home, in the village, with a smile, before the storm"),
        _phrases("old, small, cheap, heavy, very large, rather plain, almost perfect,"
                 "not too expensive, simple but good, round or square"),
        _phrases("loaves cakes pies biscuits, cars bicycles radios pumps,"
                 "things presents samples models"),
        ".",
    ),
    "zh": Lexicon(
        ("烤", "修"),
        "这位",
        _phrases("面包师 厨师 大厨 厨娘, 修理工 电工 管道工 技师, 邻居 老师 客人 表哥"),
        _phrases("昨天, 刚才, 悄悄, 又, 下班 后, 星期一 上午, 趁 天黑, 在 店里,"
                 "在 院子 里, 和 徒弟 一起, 冒 着 雨"),
        _phrases("这些, 那些, 很多, 普通 的, 难得 的, 很贵 的, 朋友 的,"
                 "亲戚 送 的, 城里 买来 的, 仓库 里 的"),
        _phrases("面包 蛋糕 红薯 饼干, 汽车 自行车 收音机 水泵, 东西 样品 宝贝 存货"),
        "。",
    ),
}  # fmt: skip

# -- CUE and XOR: the probabilities ----------------------------------------------------

SIDES = ("left", "right")
ABSENT = 2  # the third kind of cue: a word that tells nothing stands there


@dataclass(frozen=True, eq=False)
class World:
    """Sentences whose class depends on a cue to the left and a cue to the right.

    joint (2, 3, 3): probability of class, left cue and right cue. A cue is of kind 0,
    of kind 1, or absent (2): a word that tells nothing stands in its place.
    distances: least and most tokens from a cue to the target; 1 is next to it. All are
    equally likely, on each side on its own, whatever the class.
    """

    name: str
    language: str
    joint: np.ndarray = field(repr=False)
    distances: tuple[int, int] = (1, 10)

    def sentences(self, n: int, seed: int = 0) -> list[SenseSentence]:
        """Draw n sentences, the same ones every time for the same seed."""
        generator = random.Random(seed)
        return [self.draw(generator) for _ in range(n)]

    def draw(self, generator: random.Random) -> SenseSentence:
        """Draw one sentence: first what it means, then the words.

        The left cue is token 1, the right one token -2; `.sense` is the hidden word,
        `.cue` the side where a cue stands: left, right, both, or none.
        """

        def pick(options, weights=None):
            return generator.choices(options, weights)[0]

        words = LEXICONS[self.language]
        outcomes = list(np.ndindex(self.joint.shape))
        label, left, right = pick(outcomes, self.joint.ravel().tolist())
        distances = range(self.distances[0], self.distances[1] + 1)
        near_left = _fill(pick(distances) - 1, words.left_fillers, pick)
        near_right = _fill(pick(distances) - 1, words.right_fillers, pick)
        before = [words.opening, pick(words.left[left]), *near_left]
        after = [*near_right, pick(words.right[right]), words.stop]
        target, sense = "".join(words.classes), words.classes[label]
        cue = (("both", "left"), ("right", "none"))[left == ABSENT][right == ABSENT]
        tokens = [*before, target, *after]
        return SenseSentence(target, sense, "VERB", tokens, len(before), cue)


def _fill(room: int, phrases: list[list[str]], pick) -> list[str]:
    """Fill `room` tokens with phrases, none twice in a row."""
    filled, last = [], None
    while len(filled) < room:
        left = room - len(filled)
        last = pick([p for p in phrases if len(p) <= left and p != last])
        filled += last
    return filled


def cue_world(
    side: str,
    language: str = "en",
    *,
    ratio: tuple[float, float] = (1, 1),
    distances: tuple[int, int] = (1, 10),
    missing: float = 0.0,
    noise: float = 0.0,
) -> World:
    """Make a world in which the cue is on the left, on the right, or on both sides.

    On "both" the cues are redundant: each alone points to the class.
    ratio: how often the first class to how often the second
    missing: probability that a cue is absent, for each side on its own
    noise: probability that a cue that is there is of the wrong kind, likewise
    """
    if side not in (*SIDES, "both"):
        raise ValueError(f"side is {side!r}; it is 'left', 'right' or 'both'")
    meant = np.zeros((2, 2, 2))  # (class, left, right)
    meant[0, 0, 0] = meant[1, 1, 1] = 1.0
    seen = [_channel(missing if side in (s, "both") else 1, noise) for s in SIDES]
    return _world(f"cue-{side}", language, meant, *seen, ratio, distances)


def xor_world(
    language: str = "en",
    *,
    ratio: tuple[float, float] = (1, 1),
    distances: tuple[int, int] = (1, 10),
    missing: float = 0.0,
    noise: float = 0.0,
) -> World:
    """Make a world in which the class is the exclusive or of the two cues.

    Cues of the same kind mean the first class, of different kinds the second; either
    cue alone tells nothing. The other arguments are those of `cue_world`.
    """
    meant = np.zeros((2, 2, 2))  # (class, left, right)
    for left, right in np.ndindex(2, 2):
        meant[left ^ right, left, right] = 0.5
    seen = _channel(missing, noise)
    return _world("xor", language, meant, seen, seen, ratio, distances)


def _channel(missing: float, noise: float) -> np.ndarray:
    """Return P(cue seen | cue meant): (2, 3), the last column for an absent one."""
    if not (0 <= missing <= 1 and 0 <= noise <= 1):
        raise ValueError(f"missing={missing}, noise={noise}: probabilities, 0 to 1")
    there = 1 - missing
    right, wrong = there * (1 - noise), there * noise
    return np.array([[right, wrong, missing], [wrong, right, missing]])


def _world(name, language, meant, left, right, ratio, distances) -> World:
    """Combine P(class), P(cues meant | class), P(cue seen | cue meant) into a world."""
    if language not in LEXICONS:
        raise ValueError(f"language is {language!r}; the course has 'en' and 'zh'")
    if min(ratio) <= 0:
        raise ValueError(f"ratio={ratio}: two numbers above zero")
    if not 1 <= distances[0] <= distances[1]:
        raise ValueError(f"distances={distances}: least and most, 1 or more")
    share = np.array(ratio) / sum(ratio)  # (2,)
    joint = np.einsum("y,ylr,la,rb->yab", share, meant, left, right)  # (2, 3, 3)
    return World(f"{name}-{language}", language, joint, distances)


def optimum(world: World, reader: str) -> float:
    """Return the best possible accuracy of a reader of one side or of both.

    Exact: Bayes' rule bets on the likelier class for each thing the reader may see,
    sum over s of max over y of P(y, s). What a reader "left" sees of s is the left cue;
    fillers and distances are drawn independently of the class and change nothing.
    """
    hidden = {"left": (2,), "right": (1,), "both": ()}  # axes of joint summed out
    if reader not in hidden:
        raise ValueError(f"reader is {reader!r}; it is 'left', 'right' or 'both'")
    return float(world.joint.sum(axis=hidden[reader]).max(axis=0).sum())
