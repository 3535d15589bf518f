"""Task 3 of assignment 04: an example of one's own, where a static vector fails.

What can be checked: the form; that the sentences are new and share words; that an
average of the context tells the senses apart; that both cosines are right, on vectors
which the answer has not seen. Not whether the sentences are English or Chinese that
somebody would write: a person reads them.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import partial
from typing import Any

import numpy as np

from course_lib.analysis.senses import context_average, unit
from course_lib.checkpoints import CHECKPOINTS, read_weights
from course_lib.data.senses import senses
from course_lib.grading.checks import Mistake, Spy, Task, numbers, require
from course_lib.text.examples import SenseSentence
from course_lib.text.vocabulary import Vocabulary

OWN = Task("04.own_example")


class Vectors(dict):
    """Vectors by word, too many to be printed; what is read is a copy."""

    def __repr__(self) -> str:
        return f"Vectors of {len(self)} words"

    def __getitem__(self, word: str) -> np.ndarray:
        return super().__getitem__(word).copy()


@functools.lru_cache(maxsize=100)
def shipped(language: str) -> Vectors:
    """Return the static vectors of the course; "both" for those of both languages."""
    if language == "both":
        return Vectors({**shipped("en"), **shipped("zh")})
    folder = CHECKPOINTS / f"static-{language}"
    words = Vocabulary.load(folder / "vocabulary.txt").words
    rows = read_weights(folder / "model.safetensors")["vectors"].numpy()
    return Vectors(zip(words[1:], rows[1:], strict=True))  # without <unk>


@functools.lru_cache(maxsize=100)
def of_the_course() -> dict[str, tuple[str, list[SenseSentence]]]:
    """Return, for each word of the course, its language and its sense sentences."""
    found: dict = {}
    for language in ("en", "zh"):
        for sentence in senses(language):
            found.setdefault(sentence.word, (language, []))[1].append(sentence)
    return found


@functools.lru_cache(maxsize=100)
def muted(language: str) -> dict[str, np.ndarray]:
    """Scale each vector by rank / (rank + 1000): “the” tells little, “river” much.

    Under Zipf's law this is the weight of Arora, Liang and Ma 2017.
    """
    return {
        word: vector * rank / (rank + 1000)
        for rank, (word, vector) in enumerate(shipped(language).items())
    }


def context(word: str, sentences: Sequence[SenseSentence]) -> np.ndarray:
    """Average the words around the target of each sentence. Shape: (N, D)."""
    vectors = muted(of_the_course()[word][0])
    size = next(iter(vectors.values())).size
    return unit(context_average(vectors, sentences, size))


@functools.lru_cache(maxsize=100)
def centres(word: str) -> dict[str, np.ndarray]:
    """Return the average context of each sense, in the course's sentences."""
    known = of_the_course()[word][1]
    found = {}
    for sense in dict.fromkeys(s.sense for s in known):
        mean = context(word, [s for s in known if s.sense == sense]).mean(axis=0)
        found[sense] = unit([mean])[0]  # (D,)
    return found


def reading(word: str, tokens: list[str]) -> str:
    """Name the sense whose average context is nearest to that of a sentence.

    Left out one by one, 85 % of the English and 86 % of the Chinese sentences of the
    course were read rightly when this was written: good enough for clear examples.
    """
    new = SenseSentence(word, "", "", tokens, tokens.index(word), "")
    (x,), of_sense = context(word, [new]), centres(word)
    return max(of_sense, key=lambda sense: float(of_sense[sense] @ x))


def beside(word: str, tokens: Sequence[str]) -> set[str]:
    """Return the words beside the target that have a vector, without punctuation."""
    vectors = shipped(of_the_course()[word][0])
    words = (t for t in tokens if t != word and any(map(str.isalnum, t)))
    return {t.lower() for t in words if t in vectors}


def told(answer: Callable, vectors: dict | None = None) -> tuple[str, list, tuple]:
    """Return word, both sentences and both numbers; raise WrongAnswer at a bad form.

    vectors: what the answer gets (it may change them), by default real ones
    """
    kept: list[Any] = []

    def listen() -> int:
        kept.append(answer(vectors or Vectors(shipped("both"))))
        return 0

    numbers(listen)  # an exception in the answer becomes a WrongAnswer
    found = kept[0]
    require(
        isinstance(found, tuple | list)
        and len(found) == 5
        and all(isinstance(text, str) for text in found[:3]),
        "Return (word, first, second, static, context): three strings and two numbers.",
        "请返回 (word, first, second, static, context)：三个字符串和两个数。",
        "not_five",
    )
    word, sentences = found[0], [sentence.split() for sentence in found[1:3]]
    require(
        word in of_the_course(),
        "Take a word whose senses the check knows: " + ", ".join(of_the_course()),
        "请选检查程序知道义项的词：" + "、".join(of_the_course()),
        "another_word",
    )
    require(
        all(tokens.count(word) == 1 for tokens in sentences),
        f"“{word}” should stand exactly once in each sentence, in this very form, with "
        "spaces around it.",
        f"“{word}”在每句里应当恰好出现一次，形式完全相同，前后有空格。",
        "not_once",
    )
    return word, sentences, tuple(found[3:])


@OWN.check("one word in two sentences", "两个句子里的同一个词")
def one_word(answer: Callable, rng: np.random.Generator) -> None:
    word, sentences, _ = told(answer)
    require(
        word in shipped(of_the_course()[word][0]),
        f"The static vectors do not hold “{word}”; choose a word that has a vector.",
        f"静态词向量里没有“{word}”；请换一个有向量的词。",
        "no_vector",
    )
    fewest = min(len(beside(word, tokens)) for tokens in sentences)
    require(
        fewest >= 6,
        f"Beside “{word}”, each sentence needs 6 different words that have a vector; "
        f"one has {fewest}.",
        f"除了“{word}”，每句至少要有 6 个不同的、有向量的词；有一句只有 {fewest} 个。",
        "too_short",
    )


@OWN.check("new sentences that share words", "新写的、有共同词语的句子")
def new_sentences(answer: Callable, rng: np.random.Generator) -> None:
    word, sentences, _ = told(answer)
    mine = [beside(word, tokens) for tokens in sentences]
    for known in of_the_course()[word][1]:
        theirs = beside(word, known.tokens)
        require(
            all(3 * len(words & theirs) <= 2 * len(words) for words in mine),
            f"This is a sentence of the course, or nearly: {' '.join(known.tokens)}",
            f"这是课程里的句子，或者几乎一样：{' '.join(known.tokens)}",
            "from_the_course",
        )
    shared = len(mine[0] & mine[1])
    require(
        shared >= 3,
        f"Beside “{word}”, the sentences should share at least 3 words, so that one "
        f"sees which few words make the difference; they share {shared}.",
        f"除了“{word}”，两句至少要有 3 个共同的词，才看得出差别在哪几个词上；"
        f"现在有 {shared} 个。",
        "few_shared",
    )


@OWN.check("the context tells the senses apart", "上下文能区分两个义项")
def told_apart(answer: Callable, rng: np.random.Generator) -> None:
    word, sentences, _ = told(answer)
    first, second = (reading(word, tokens) for tokens in sentences)
    require(
        first != second,
        f"From the average of the context, both sentences seem to mean “{first}”. Give "
        "each a clearer clue: words that are typical of its sense.",
        f"从上下文的平均看，两句都像是“{first}”这个义项。请给每句更明显的线索："
        "用该义项常见的词。",
        "same_reading",
    )


def cosine(u, v):
    return u @ v / np.sqrt((u @ u) * (v @ v))


def average(vectors, tokens, but=None):
    return np.mean([vectors[t] for t in tokens if t in vectors and t != but], axis=0)


def cosines(vectors, word, first, second, but=True, near=cosine):
    """Return the cosine of the word with itself, and that of its two contexts."""
    contexts = (average(vectors, s, word if but else None) for s in (first, second))
    return near(vectors[word], vectors[word]), near(*contexts)


@OWN.check("both cosines", "两个余弦")
def both_cosines(answer: Callable, rng: np.random.Generator) -> None:
    """Compare both numbers on random vectors; some word of the context has none."""
    word, sentences, _ = told(answer)
    words = sorted({token for tokens in sentences for token in tokens})
    for _ in range(3):
        vectors = {w: rng.normal(0.3, 1, size=6).round(3) for w in words}
        if spare := sorted(set(words) - {word})[4:]:
            del vectors[rng.choice(spare).item()]
        _, again, given = told(answer, deepcopy(vectors))
        require(again == sentences, "The sentences change.", "句子前后不一致。")
        case = (vectors, word, *sentences)
        witness = Spy(lambda *_, given=given: given, getattr(answer, "seen", []))
        OWN.compare(witness, [(case, cosines(*case))])


@OWN.check("both cosines, other vectors", "换别的向量，再算两个余弦", hidden=True)
def other_cosines(answer: Callable, rng: np.random.Generator) -> None:
    both_cosines(answer, rng)


FIRST = "We walked along the bank of the river to fish and swim ."
SECOND = "We walked to the bank of the town to pay in cash and cheques ."


def told_as(measure: Callable) -> Callable:
    """Make an answer of a function that measures a given example."""

    def answer(vectors, *example):
        if example:  # the checks ask what it makes of the student's
            return measure(vectors, *example)
        case = "bank", FIRST.split(), SECOND.split()
        return ("bank", FIRST, SECOND, *measure(vectors, *case))

    return answer


def of_tokens(keep: Callable) -> Callable:
    """Make a measure that reads only those tokens of each sentence that are kept."""

    def measure(vectors, word, *sentences):
        return cosines(vectors, word, *map(keep, sentences))

    return measure


def without_signs(tokens: Sequence[str]) -> list[str]:
    """Leave out what has neither letters nor digits."""
    return [token for token in tokens if any(map(str.isalnum, token))]


OWN.mistakes += [
    Mistake(
        "with_the_word",
        "The context of a word is the *other* words; leave the word itself out.",
        "一个词的上下文是*别的*词；要把它自己去掉。",
        told_as(partial(cosines, but=False)),
    ),
    Mistake(
        "dot_products",
        "These are products; divide by the lengths of both vectors to get a cosine.",
        "这是内积；要除以两个向量的长度才是余弦。",
        told_as(partial(cosines, near=lambda u, v: u @ v)),
    ),
    Mistake(
        "distances",
        "This is 1 minus the cosine; return the cosine.",
        "这是 1 减余弦；请返回余弦。",
        told_as(partial(cosines, near=lambda u, v: 1 - cosine(u, v))),
    ),
    Mistake(
        "cosines_swapped",
        "The two numbers are swapped: first static, then context.",
        "两个数的次序反了：先是 static，后是 context。",
        told_as(lambda *case: cosines(*case)[::-1]),
    ),
    Mistake(
        "static_of_sentences",
        "The first number is about the word itself: the cosine of its vector in the "
        "first sentence with its vector in the second.",
        "第一个数说的是这个词本身：它在第一句里的向量和在第二句里的向量的余弦。",
        told_as(lambda *case: (cosines(*case, but=False)[1], cosines(*case)[1])),
    ),
    Mistake(
        "without_punctuation",
        "Punctuation that has a vector counts in the average, too.",
        "标点只要有向量，也要算进平均里。",
        told_as(of_tokens(without_signs)),
    ),
    Mistake(
        "each_word_once",
        "A word that stands twice in a sentence counts twice in the average.",
        "一个词在句子里出现两次，求平均时就算两次。",
        told_as(of_tokens(lambda tokens: list(dict.fromkeys(tokens)))),
    ),
]
