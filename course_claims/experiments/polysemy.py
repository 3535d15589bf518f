"""Lesson 04: what becomes of two senses in one vector?

Two words get one name (worlds.pseudowords), skip-gram reads the text, and the
pseudoword's vector is compared with those of its parts, at six ratios:
    nearer   cosine to the frequent part minus cosine to the rare part
    excess   fitted weight of the frequent part minus its share of the occurrences
    mix      cosine with the mix of the parts by their shares, minus that with the
             frequent part alone (`mix_gains`)
All cosines and fits are of vectors from which the mean of all vectors was taken: the
control 1:0, where the weight must be 1, showed that it is needed.

clustered_senses gives each of two senses a vector of its own, and measures what that
costs, in processor time, and whether these vectors are nearer to the parts.
"""

from __future__ import annotations

import itertools
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial

import numpy as np
from gensim.models import KeyedVectors, Word2Vec

from course_lib import data
from course_lib.analysis.geometry import mixing_weights
from course_lib.analysis.statistics import Interval
from course_lib.worlds import rivertown
from course_lib.worlds.pseudowords import Blend, blend

from ..ledger import over_seeds

CORPORA = {
    "en": ("brown", "masc_tagged", "bbc"),
    "zh": ("msra", "chid", "online_shopping"),
}
LIMIT = {"en": 2_500_000, "zh": 1_500_000}  # words; jieba takes its time
RATIOS = ((1, 0), (1, 1), (2, 1), (3, 1), (5, 1), (9, 1))  # frequent : rare
UNEQUAL = ("2:1", "3:1", "5:1", "9:1")
TOWN = {  # words of Rivertown and their two senses
    "en": {
        "bank": ("finance", "river"),
        "apple": ("company", "fruit"),
        "bat": ("animal", "sport"),
        "letter": ("alphabet", "mail"),
        "plant": ("factory", "vegetation"),
        "star": ("celebrity", "sky"),
        "interest": ("curiosity", "money"),
    },
    "zh": {
        "小米": ("company", "grain"),
        "杜鹃": ("bird", "flower"),
        "黄牛": ("cattle", "scalper"),
        "算账": ("accounts", "revenge"),
        "东西": ("east_west", "thing"),
        "花": ("flower", "spend"),
    },
}


# -- the text --------------------------------------------------------------------------


def corpora(language: str) -> list:
    """Return what is at hand of the corpora; if that is nothing, Rivertown."""
    found = [data.load(name) for name in CORPORA[language] if data.at_hand(name)]
    return found or [data.load(f"rivertown-{language}", tokens=LIMIT[language])]


def read(language: str, words: int) -> list[list[str]]:
    """Read sentences in small letters until they hold so many words."""
    documents = itertools.chain.from_iterable(c.documents() for c in corpora(language))
    sentences: list[list[str]] = []
    for sentence in itertools.chain.from_iterable(documents):
        if words <= 0:
            break
        sentences.append([word.lower() for word in sentence])
        words -= len(sentence)
    return sentences


def draw(sentences: list[list[str]], pairs: int, seed: int) -> list[Blend]:
    """Draw pairs of words that are about equally frequent, `pairs` for each ratio.

    Words of 200 occurrences or more, but no more than one word in a thousand, to leave
    out the grammatical ones; where these do not suffice, the next below 200 too. A pair
    has the next two words in order of frequency.
    """
    counts = Counter(itertools.chain.from_iterable(sentences))
    most = counts.total() / 1000
    words = [w for w, n in counts.most_common() if n <= most and w.isalpha()]
    wanted = pairs * len(RATIOS)
    enough = sum(counts[w] >= 200 for w in words) // 2
    rng = np.random.default_rng(seed)
    chosen = sorted(rng.permutation(max(enough, wanted))[:wanted])
    couples = [rng.permutation(words[2 * i : 2 * i + 2]).tolist() for i in chosen]
    ratios = itertools.cycle(RATIOS)  # frequent and less frequent pairs at each ratio
    return [Blend(a, b, ratio) for (a, b), ratio in zip(couples, ratios, strict=False)]


def train(sentences: list[list[str]], seed: int, epochs: int = 5) -> KeyedVectors:
    """Train skip-gram on one thread; the same seed gives the same vectors."""
    return Word2Vec(
        sentences, sg=1, vector_size=100, window=5, negative=5, sample=1e-4,
        min_count=5, epochs=epochs, seed=seed, workers=1,
    ).wv  # fmt: skip


# -- the measures ----------------------------------------------------------------------


def cosine(x: np.ndarray, y: np.ndarray) -> float:
    """Return the cosine between two vectors. Shape: (D,), (D,)."""
    return float(x @ y / np.linalg.norm(x) / np.linalg.norm(y))


def measure(
    vectors: KeyedVectors, name: str, frequent: str, rare: str, share: float
) -> dict[str, float]:
    """Compare a pseudoword's vector with those of its parts.

    share: the frequent part's share of the pseudoword's occurrences
    Returns cosines to either part, to the best mix of both and to the mix that goes by
    the occurrences; the frequent part's fitted weight (of a sum of 1); and its share of
    the ten nearest neighbours, each given to the part that it is nearer to.
    """
    mean = vectors.vectors.mean(axis=0)
    mixed, *parts = (vectors[word] - mean for word in (name, frequent, rare))
    parts = np.stack(parts)  # (2, D)
    weights = mixing_weights(mixed, parts)  # (2,)
    weight = float(weights[0] / weights.sum())
    to_parts = [cosine(mixed, part) for part in parts]
    return {
        "cos_frequent": to_parts[0],
        "cos_rare": to_parts[1],
        "nearer": to_parts[0] - to_parts[1],
        "cos_best_mix": cosine(mixed, weights @ parts),
        "cos_by_share": cosine(mixed, np.array([share, 1 - share]) @ parts),
        "share": share,
        "weight": weight,
        "excess": weight - share,
        "neighbours": np.mean(sides(vectors, name, frequent, rare)),
    }


def sides(
    vectors: KeyedVectors, name: str, frequent: str, rare: str, k: int = 10
) -> list[bool]:
    """Say of each of the k nearest real words whether it is on the frequent side."""
    near = vectors.most_similar(name, topn=k + 1000)
    words = [w for w, _ in near if w.isalpha() and w not in (frequent, rare)][:k]
    return [
        vectors.similarity(w, frequent) > vectors.similarity(w, rare) for w in words
    ]


def rows(model: str, found: Iterable[tuple[str, dict]]) -> list[dict]:
    """Average what was measured at each condition; one row for each number."""
    by_condition: dict[str, list[dict]] = {}
    for condition, measures in found:
        by_condition.setdefault(condition, []).append(measures)
    return [
        dict(model=model, condition=condition, metric=metric,
             value=float(np.mean([one[metric] for one in many])))
        for condition, many in by_condition.items() for metric in many[0]
    ]  # fmt: skip


# -- the experiments -------------------------------------------------------------------


def measure_blends(vectors: KeyedVectors, blends: Sequence[Blend]):
    """Yield the ratio and the measures of each pseudoword."""
    for pair in blends:
        a, b = pair.ratio
        found = measure(vectors, pair.name, pair.first, pair.second, a / (a + b))
        yield f"{a}:{b}", found


def pseudowords(seed: int, quick: bool = False, language: str = "en") -> list[dict]:
    """Measure 20 pseudowords (quick: 5) at each of six ratios, in one training."""
    words, pairs = (400_000, 5) if quick else (LIMIT[language], 20)
    sentences = read(language, words)
    blends = draw(sentences, pairs, seed)
    vectors = train(blend(sentences, blends, seed), seed)
    return rows(f"pseudowords {language}", measure_blends(vectors, blends))


def training_length(seed: int, quick: bool = False) -> list[dict]:
    """Measure the same pseudowords after 5 and after 20 passes over less text."""
    words, pairs = (200_000, 5) if quick else (1_000_000, 15)
    sentences = read("en", words)
    blends = draw(sentences, pairs, seed)
    text = blend(sentences, blends, seed)
    return [
        row
        for epochs in (5, 20)
        for row in rows(
            f"{epochs} epochs", measure_blends(train(text, seed, epochs), blends)
        )
    ]


def town_senses(seed: int, quick: bool = False) -> list[dict]:
    """Do the same with true senses, which Rivertown labels, in both languages."""
    tokens = 100_000 if quick else 500_000
    return [
        row
        for language in TOWN
        for row in rows(f"Rivertown {language}", town(language, tokens, seed))
    ]


def town(language: str, tokens: int, seed: int):
    """Yield the ratio and the measures of words of two senses in Rivertown.

    In half of the text the senses have names of their own, "bank/river", and are about
    as frequent as each other. In the other half both are "bank", in a ratio drawn here.
    """
    known, rng = rivertown.world(language), np.random.default_rng(seed)
    ratios = itertools.cycle(RATIOS[1:])
    wanted = {
        word: dict(
            zip(rng.permutation(TOWN[language][word]).tolist(), ratio, strict=True)
        )
        for word, ratio in zip(rng.permutation([*TOWN[language]]), ratios, strict=False)
    }
    tilted = rivertown.Rivertown(language, senses=wanted)
    text = spell(known.documents(tokens, seed), wanted, "{0.lemma}/{0.sense}")
    mixed = list(tilted.documents(tokens, seed + 1000))
    vectors = train(text + spell(mixed, wanted, "{0.lemma}"), seed)
    counts = Counter(itertools.chain(*spell(mixed, wanted, "{0.lemma}/{0.sense}")))
    for word, shares in wanted.items():
        frequent, rare = (f"{word}/{sense}" for sense in shares)
        share = counts[frequent] / (counts[frequent] + counts[rare])
        ratio = ":".join(map(str, shares.values()))
        yield ratio, measure(vectors, word, frequent, rare, share)


def spell(documents: Iterable, words: Iterable[str], form: str) -> list[list[str]]:
    """Return sentences in small letters; words with a sense are written as in form."""
    return [
        [
            form.format(token)
            if token.sense and token.lemma in words
            else token.word.lower()
            for token in sentence.tokens
        ]
        for document in documents
        for sentence in document.sentences
    ]


def by_language(rows: Sequence[dict], metric: str) -> dict[str, list[Interval]]:
    """Return a metric of the pseudowords at each unequal ratio, by model."""
    means = over_seeds(rows, metric)
    models = dict.fromkeys(model for model, _ in means)
    return {model: [means[model, ratio] for ratio in UNEQUAL] for model in models}


def mix_gains(rows: Sequence[dict]) -> dict[tuple[str, str], Interval]:
    """Return cosine with the mix by shares less cosine with the frequent part."""
    parts = {
        (r["seed"], r["model"], r["condition"]): r["value"]
        for r in rows
        if r["metric"] == "cos_frequent"
    }
    gaps = [
        {**r, "value": r["value"] - parts[r["seed"], r["model"], r["condition"]]}
        for r in rows
        if r["metric"] == "cos_by_share" and r["condition"] != "1:0"
    ]
    return over_seeds(gaps, "cos_by_share")


# -- a vector for each sense -----------------------------------------------------------


def clustered_senses(seed: int, quick: bool = False) -> list[dict]:
    """Give pseudowords of two equal parts two vectors each, and count what it costs.

    Learn vectors; average those near an occurrence; put a word's occurrences into two
    heaps (k-means); write the heap's number to the word, and learn again (Schütze 1998,
    Reisinger and Mooney 2010). The seed draws the pseudowords.
    """
    found = []
    for language in ("en",) if quick else ("en", "zh"):
        sentences = read(language, 300_000 if quick else 600_000)
        every = draw(sentences, 3 if quick else 10, seed)
        blends = [pair._replace(ratio=(1, 1)) for pair in every[:: len(RATIOS)]]
        text = blend(sentences, blends, seed)
        began = time.process_time()
        single = train(text, seed)
        once = time.process_time() - began
        named, agreement = in_heaps(text, sentences, blends, single, seed)
        split = train(named, seed)
        times = (time.process_time() - began) / once
        measures = [sense_vectors(single, split, pair) for pair in blends]
        for metric in measures[0]:
            value = float(np.mean([one[metric] for one in measures]))
            found.append((language, metric, value))
        found += [(language, "agreement", agreement), (language, "times", times)]
    return [
        dict(model="clustered", condition=language, metric=metric, value=value)
        for language, metric, value in found
    ]  # fmt: skip


def in_heaps(
    text: list[list[str]], plain: list[list[str]], blends: Sequence[Blend],
    vectors: KeyedVectors, seed: int, window: int = 5,
) -> tuple[list[list[str]], float]:  # fmt: skip
    """Write "name/0" or "name/1" for each pseudoword, by the heap of its context.

    Returned as well: the share of occurrences, mean over words, that are in the heap
    of their part, whichever heap of the two suits better; a coin has half.
    """
    from sklearn.cluster import KMeans

    mean, shares = vectors.vectors.mean(axis=0), []
    named = [list(sentence) for sentence in text]
    for pair in blends:
        places = [
            (i, j)
            for i, sentence in enumerate(text)
            for j, word in enumerate(sentence)
            if word == pair.name
        ]
        contexts = []
        for i, j in places:
            near = text[i][max(0, j - window) : j] + text[i][j + 1 : j + window + 1]
            known = [vectors[word] - mean for word in near if word in vectors]
            contexts.append(np.mean(known or [np.zeros_like(mean)], axis=0))
        x = np.stack(contexts)  # (N, D)
        x /= np.maximum(np.linalg.norm(x, axis=1, keepdims=True), 1e-9)
        heaps = KMeans(2, n_init=5, random_state=seed).fit_predict(x)
        first = np.array([plain[i][j] == pair.first for i, j in places])
        share = float(np.mean(first == (heaps == 0)))
        shares.append(max(share, 1 - share))
        heaps = heaps if share >= 0.5 else 1 - heaps  # 0: mostly of the first part
        for (i, j), heap in zip(places, heaps, strict=True):
            named[i][j] = f"{pair.name}/{heap}"
    return named, float(np.mean(shares))


def sense_vectors(
    single: KeyedVectors, split: KeyedVectors, pair: Blend
) -> dict[str, float]:
    """Return the mean cosine with its part: of the one vector, and of the two."""
    found = {}
    for name, vectors in {"one": single, "two": split}.items():
        mean = vectors.vectors.mean(axis=0)
        names = [pair.name] * 2 if name == "one" else [f"{pair.name}/{k}" for k in "01"]
        found[name] = float(
            np.mean(
                [
                    cosine(vectors[sense] - mean, vectors[part] - mean)
                    for sense, part in zip(names, pair[:2], strict=True)
                    if sense in vectors  # a heap may be too small to have a vector
                ]
            )
        )
    return found | {"gain": found["two"] - found["one"]}


EXPERIMENTS = {
    "clustered_senses": clustered_senses,
    "frequent_sense_dominates": pseudowords,
    "frequent_sense_dominates_zh": partial(pseudowords, language="zh"),
    "frequent_sense_training": training_length,
    "frequent_sense_rivertown": town_senses,
}
