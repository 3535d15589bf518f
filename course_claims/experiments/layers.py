"""Lesson 08: what the layers of a biLM know.

A seed draws sentences and labels, and differences are taken within it; the biLM is
always the same.

layers_pos_wsd     probes of all layers: on each set of tagged sentences layer 1 is
                   compared with layer 2, on each set of senses layer 2 with layer 1
static_identical   pairs of sentences of a word, in each language: which vectors are
                   the same in both, and how much more alike pairs of one sense are
pos_kept           the nearest other use of a word that has two parts of speech, by
                   layer 2: how often it has the same one, compared with a static vector
                   (chance) and with averaged static vectors of the context
sense_variance     which share of a word's variance in context its senses explain
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence

import numpy as np

from course_lib import data
from course_lib.analysis import baselines, probes
from course_lib.analysis.senses import (
    centroid_hits,
    context_average,
    neighbour_hits,
    target_vectors,
    unit,
)
from course_lib.analysis.statistics import Interval
from course_lib.text.examples import SenseSentence

from ..rules import conditions, gain_in, row
from .shipped import LANGUAGES, encoder, table, tag_sets, tagged

SENSEVAL = ("hard", "interest", "line", "serve")
UNIVERSAL = {
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON",
    "PROPN", "PUNCT", "SCONJ", "SYM", "VERB", "X",
}  # fmt: skip


# -- what is at hand -------------------------------------------------------------------


def near(s: SenseSentence, width: int = 20) -> SenseSentence:
    """Keep `width` words to either side of the target."""
    start = max(0, s.target_index - width)
    tokens = s.tokens[start : s.target_index + width + 1]
    return s._replace(tokens=tokens, target_index=s.target_index - start)


# -- layer 1 and layer 2 ---------------------------------------------------------------


def layers_pos_wsd(seed: int, quick: bool = False) -> list[dict]:
    """Probe parts of speech and senses layer by layer, with every baseline.

    The seed draws sentences, the control's tags, the probe's batches and the untrained
    network; of the course's own sense sentences those that are asked about.
    """
    train, test, steps = (60, 30, 100) if quick else (400, 300, probes.STEPS)
    rows = []
    for language in ("en",) if quick else LANGUAGES:
        for name in [f"rivertown-{language}-pos"] if quick else tag_sets(language):
            rows += probe_tags(name, language, train, test, seed, steps)
        rows += sense_sets(language, seed, quick)
    if data.at_hand("senseval") and not quick:
        rows += [r for word in SENSEVAL for r in lexical_sample(word, 150, seed)]
    return rows


def probe_tags(
    name: str, language: str, train: int, test: int, seed: int, steps: int
) -> list[dict]:
    """Probe the parts of speech of one set of sentences."""
    learn, ask = probes.split_by_sentence(tagged(name), train, test, seed)
    about = f"POS {name}"
    found = baselines.tag(learn, ask, language)
    rows = [row(model, about, "accuracy", value) for model, value in found.items()]
    networks = {"": encoder(language)}
    networks["untrained, "] = probes.untrained(networks[""], seed)
    for prefix, network in networks.items():
        parts = probes.read(network, learn), probes.read(network, ask)
        for k, found in enumerate(probes.accuracies(*parts, seed, steps)):
            for metric in ("accuracy", "control"):
                rows.append(row(f"{prefix}layer {k}", about, metric, found[metric]))
    return rows


def sense_sets(language: str, seed: int, quick: bool) -> list[dict]:
    """Name the senses of a fifth of the course's sentences (nearest centroid).

    All other sentences of the word make the centroids. Model and sentences are the
    same for all seeds: what differs between them is which sentences are asked about,
    so an interval over seeds speaks of other sentences of the same words.
    """
    sentences = data.senses(language)[: 120 if quick else None]
    asked = fifth(sentences, seed)
    about, static = f"WSD senses-{language}", table(language)
    context = context_average(static, sentences, static.vector_size)  # (N, D)
    trained = target_vectors(encoder(language), sentences)  # (L+1, N, D)
    fresh = target_vectors(probes.untrained(encoder(language), seed), sentences)
    vectors = {f"layer {k}": x for k, x in enumerate(trained)}
    vectors |= {f"untrained, layer {k}": x for k, x in enumerate(fresh)}
    vectors["averaged static context"] = context
    shares: dict[str, list[float]] = {model: [] for model in [*vectors, "majority"]}
    for word in dict.fromkeys(s.word for s in sentences):
        here = np.array([i for i, s in enumerate(sentences) if s.word == word])
        senses, these = np.array([sentences[i].sense for i in here]), asked[here]
        for model, x in vectors.items():
            shares[model].append(centroid_hits(x[here], senses)[these].mean())
        commonest = Counter(senses.tolist()).most_common(1)[0][0]
        shares["majority"].append((senses == commonest)[these].mean())
    return [row(m, about, "accuracy", np.mean(of)) for m, of in shares.items()]


def fifth(sentences: Sequence[SenseSentence], seed: int) -> np.ndarray:
    """Deal each word's sentences to five seeds in a row. Shape: (N,), true if dealt.

    Seeds 1 to 5 together have every sentence once; seeds 6 to 10 deal anew.
    """
    turn, player = divmod(seed - 1, 5)
    shuffled = np.random.default_rng(turn).permutation(len(sentences))
    by_word = sorted(shuffled, key=lambda i: sentences[i].word)
    dealt = np.zeros(len(sentences), bool)
    dealt[by_word[player::5]] = True
    return dealt


def lexical_sample(word: str, each: int, seed: int) -> list[dict]:
    """Name the senses of one Senseval word, learning from some of its contexts."""
    every = data.load("senseval").split(word)
    order = np.random.default_rng(seed).permutation(len(every))[: 2 * each]
    chosen = [near(every[i]) for i in order]
    learn, ask = chosen[:each], chosen[each:]
    first, static = probes.first_senses(learn), table("en")
    vectors = {
        f"layer {k}": x for k, x in enumerate(target_vectors(encoder("en"), chosen))
    }
    vectors["averaged static context"] = context_average(static, chosen, 100)
    right = np.array([s.sense for s in ask])
    rows = [row("majority", f"WSD {word}", "accuracy", np.mean(right == first[word]))]
    for model, x in vectors.items():
        for metric, centroids in (("accuracy", True), ("nearest sentence", False)):
            named = probes.name_senses(x[:each], learn, x[each:], ask, first, centroids)
            rows.append(row(model, f"WSD {word}", metric, np.mean(right == named)))
    return rows


# -- the same vector, or another -------------------------------------------------------


def static_identical(seed: int, quick: bool = False, pairs: int = 60) -> list[dict]:
    """Compare a word's vectors in pairs of sentences, of one sense and of two.

    The seed draws the pairs. Metrics: the mean cosine over words; the share of pairs
    in which both vectors are the same to six digits.
    """
    rows = []
    for language in ("en",) if quick else LANGUAGES:
        sentences = data.senses(language)[: 120 if quick else None]
        layers = target_vectors(encoder(language), sentences)  # (L+1, N, D)
        known = table(language)
        unknown = np.ones(known.vector_size)  # one vector for them all
        words = [s.word for s in sentences]
        there = known.key_to_index
        static = np.stack([known[w] if w in there else unknown for w in words])
        models = {"static": static} | {f"layer {k}": x for k, x in enumerate(layers)}
        drawn = draw_pairs(sentences, pairs, seed)
        for model, x in models.items():
            x, found = unit(x), {}
            for kind, couples in drawn.items():
                cosines = [(x[a] * x[b]).sum(axis=1) for a, b in couples]
                found[kind] = np.mean([c.mean() for c in cosines])
                rows.append(row(model, language, f"cosine, {kind}", found[kind]))
            same = [
                (x[a] * x[b]).sum(1) > 1 - 1e-6 for p in drawn.values() for a, b in p
            ]
            rows.append(row(model, language, "identical", np.concatenate(same).mean()))
            difference = found["one sense"] - found["two senses"]
            rows.append(row(model, language, "one less two", difference))
    return rows


def draw_pairs(sentences: Sequence, pairs: int, seed: int) -> dict[str, list]:
    """Draw pairs of sentences of each word: of one sense, and of two senses.

    Each pair of arrays holds row numbers of the first and of the second sentences.
    """
    rng = np.random.default_rng(seed)
    found: dict[str, list] = {"one sense": [], "two senses": []}
    for word in dict.fromkeys(s.word for s in sentences):
        rows = [i for i, s in enumerate(sentences) if s.word == word]
        couples = np.array(list(itertools.combinations(rows, 2)))
        same = np.array([sentences[a].sense == sentences[b].sense for a, b in couples])
        for kind, of in (("one sense", couples[same]), ("two senses", couples[~same])):
            if len(of):
                found[kind].append(of[rng.permutation(len(of))[:pairs]].T)
    return found


# -- neighbours ------------------------------------------------------------------------


def pos_kept(seed: int, quick: bool = False) -> list[dict]:
    """Ask the nearest other occurrence of a word for its part of speech.

    Words of two parts of speech, each in a quarter of its occurrences or more. The
    seed draws the occurrences. A static vector is the same in all of them, so that its
    neighbour is drawn among them by lot.
    """
    rows = []
    for language in ("en",) if quick else LANGUAGES:
        real = {"en": "masc_tagged", "zh": "zh_gsdsimp"}[language]
        town = quick or not data.at_hand(real)
        name = f"rivertown-{language}-pos" if town else real
        words, each = (3, 10) if quick else (20, 40)
        chosen = two_parts(tagged(name), words, each, seed)
        static = table(language)
        layers = target_vectors(encoder(language), chosen)
        vectors = {f"layer {k}": x for k, x in enumerate(layers)}
        size = static.vector_size
        vectors["averaged static context"] = context_average(static, chosen, size)
        vectors["static"] = np.ones((len(chosen), 1))
        different = dict.fromkeys(s.word for s in chosen)
        for model, x in vectors.items():
            hits = []
            for word in different:
                here = [i for i, s in enumerate(chosen) if s.word == word]
                hits.append(
                    neighbour_hits(x[here], [chosen[i].pos for i in here]).mean()
                )
            rows.append(row(model, name, "same part of speech", np.mean(hits)))
        rows.append(row("", name, "words", len(different)))
    return rows


def two_parts(
    sentences: Sequence, words: int, each: int, seed: int
) -> list[SenseSentence]:
    """Find words of two parts of speech and draw occurrences of the commonest ones.

    Fine tags count as their first letters (NN and NNS are NN).
    """
    rng, places = np.random.default_rng(seed), {}
    for n, s in enumerate(sentences):
        for i, (word, tag) in enumerate(zip(s.tokens, s.tags, strict=True)):
            if word.isalpha() and word.islower() | (not word.isascii()):
                places.setdefault(word, []).append((n, i, coarse(tag)))
    good = {}
    for word, of in places.items():
        counts = Counter(tag for *_, tag in of).most_common(2)
        if len(of) >= 10 and len(counts) == 2 and counts[1][1] >= len(of) / 4:
            good[word] = [p for p in of if p[2] in dict(counts)]
    best = sorted(good, key=lambda w: -len(good[w]))[:words]
    found = []
    for word in best:
        for k in rng.permutation(len(good[word]))[:each]:
            n, i, tag = good[word][k]
            found.append(
                near(SenseSentence(word, tag, tag, sentences[n].tokens, i, ""))
            )
    return found


def coarse(tag: str) -> str:
    """Shorten the Penn Treebank's tags to two letters; universal ones stay."""
    return tag if tag in UNIVERSAL else tag[:2]


# -- what is compared ------------------------------------------------------------------


def layer_gains(rows: Sequence[dict]) -> dict[str, Interval]:
    """Return layer 1 less layer 2 for parts of speech, layer 2 less 1 for senses."""
    found = {}
    for name in conditions(rows, "accuracy"):
        order = (
            ("layer 1", "layer 2") if name.startswith("POS") else ("layer 2", "layer 1")
        )
        found[name] = gain_in(rows, "accuracy", *order, name)
    return found


# -- how much of a vector is its sense? ------------------------------------------------


def sense_variance(seed: int, quick: bool = False) -> list[dict]:
    """Measure which share of a word's variance in context its senses explain.

    The seed draws half of the sentences. The share is corrected for the number of
    senses: senses drawn by lot explain 0 on average. Mean over words.
    """
    rows, rng = [], np.random.default_rng(seed)
    for language in ("en",) if quick else LANGUAGES:
        every = data.senses(language)[: 200 if quick else None]
        half = np.flatnonzero(rng.random(len(every)) < 0.5)
        sentences = [every[i] for i in half]
        vectors = target_vectors(encoder(language), sentences)  # (L+1, N, D)
        static = table(language)
        context = context_average(static, sentences, static.vector_size)
        named = {"layer 1": vectors[1], "layer 2": vectors[2]}
        for model, x in (named | {"averaged static context": context}).items():
            shares = explained(x, sentences)
            rows.append(row(model, language, "explained by sense", np.mean(shares)))
    return rows


def explained(x: np.ndarray, sentences: Sequence[SenseSentence]) -> list[float]:
    """Return, word by word, the share of the variance between senses: epsilon squared.

    Shape: x (N, D). Source: Kelley 1935.
    """
    found = []
    for word in dict.fromkeys(s.word for s in sentences):
        rows = [i for i, s in enumerate(sentences) if s.word == word]
        senses = np.array([sentences[i].sense for i in rows])
        names = set(senses.tolist())
        if len(names) < 2 or len(rows) <= 2 * len(names):
            continue
        of = x[rows]  # (n, D)
        within = sum(
            ((of[senses == name] - of[senses == name].mean(axis=0)) ** 2).sum()
            for name in names
        )
        total = ((of - of.mean(axis=0)) ** 2).sum()
        free = (len(rows) - 1) / (len(rows) - len(names))
        found.append(float(1 - free * within / total))
    return found


EXPERIMENTS = {
    "layers_pos_wsd": layers_pos_wsd,
    "static_identical": static_identical,
    "pos_kept": pos_kept,
    "sense_variance": sense_variance,
}
