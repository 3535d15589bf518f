"""What the sentence probe measures: a word's vector among its marked sentences.

The model reads a sentence once as it is and once without each of its other words. All
numbers are measured in full dimension; the map only shows them. `page/probe.js` does
the same in a page that has no kernel.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from course_lib.analysis.senses import TIE, sense_accuracy, target_vectors, unit
from course_lib.data.senses import sense_name
from course_lib.text.tokenise import words_en, words_zh

from . import kit, maps

if TYPE_CHECKING:
    from course_lib.models.bilm import Encoder

LIMIT = 30  # words of a sentence: each is dropped once, while the reader waits
VOTERS = 5  # nearest marked sentences, asked for their sense
OFFERED = 3  # sentences to begin with, unless the lesson names some
OPENINGS = {  # each word twice, in two senses: both stars move
    "bank": "the bank by the river bank",
    "apple": "an apple beside an Apple laptop",
    "苹果": "一个苹果，一部苹果手机",
}


class Probes:
    """All annotated words that a sentence may hold, each measured when it is asked."""

    def __init__(
        self,
        encoders: Mapping[str, Encoder],
        examples: Mapping[str, Sequence[Any]],
        language: str,
    ):
        """Sort the examples, by language of the text, by word.

        language: of the labels.
        """
        self.encoders, self.language = encoders, language
        self.text = kit.words("sentence_probe")[language]
        self.uses: dict[str, list] = {}
        self.tongues: dict[str, str] = {}
        self.made: dict[str, Probe] = {}
        for tongue, sentences in examples.items():
            for use in sentences:
                self.uses.setdefault(use.word, []).append(use)
                self.tongues[use.word] = tongue
        for word in [word for word in self.uses if len(self.senses(word)) < 2]:
            del self.uses[word]  # nothing to tell apart
        self.forms = {word: forms_of(word, uses) for word, uses in self.uses.items()}

    def senses(self, word: str) -> set[str]:
        """Return the senses that the sentences of a word are marked with."""
        return {use.sense for use in self.uses.get(word, ())}

    def of(self, word: str) -> Probe:
        """Return the probe of a word; its sentences are encoded at the first call."""
        if word not in self.made:
            encoder = self.encoders[self.tongues.get(word, next(iter(self.encoders)))]
            uses = self.uses.get(word, [])
            self.made[word] = Probe(encoder, word, uses, self.language)
        return self.made[word]

    def cut(self, text: str) -> list[str]:
        """Cut a text into words as its model's training text was."""
        chinese = kit.is_chinese(text) and "zh" in self.encoders
        return (words_zh if chinese or "en" not in self.encoders else words_en)(text)

    def find(self, words: Sequence[str], prefer: str) -> tuple[str, list[int]]:
        """Find an annotated word in a sentence, and all places where it stands."""
        for word in dict.fromkeys([prefer, *self.uses]):
            forms = self.forms.get(word, ())
            if at := [i for i, token in enumerate(words) if token.lower() in forms]:
                return word, at
        return prefer, []

    def read(self, text: str, prefer: str) -> dict[str, Any]:
        """Measure a sentence: what the page shows of it, or what is wrong with it."""
        words = self.cut(text)
        word, at = self.find(words, prefer)
        values = {"word": prefer, "n": len(words), "limit": LIMIT}
        if not words:
            return {"problem": self.text["empty"].format(**values)}
        if len(words) > LIMIT:
            return {"problem": self.text["long"].format(**values)}
        if at:
            return self.answer(word, self.of(word).describe(words, at))
        return self.explain(text, words, prefer)

    def explain(self, text: str, words: list[str], prefer: str) -> dict[str, Any]:
        """Say why no annotated word is in a sentence: jieba may have joined it."""
        values = {"word": prefer, "cut": " / ".join(words)}
        for hidden in dict.fromkeys([prefer, *self.uses]):
            inside = [one for one in words if hidden in one]
            if inside and (hidden == prefer or kit.is_chinese(hidden)):
                values |= {"word": hidden, "inside": inside[0]}
                apart = f" {hidden} ".join(inside[0].split(hidden)).strip()
                fix = text.replace(inside[0], f" {apart} ").strip()
                key = "joined" if kit.is_chinese(hidden) else "glued"  # by jieba
                return {"problem": self.text[key].format(**values), "fix": fix}
        values["words"] = self.text["list"].join(self.uses)
        return {"problem": self.text["missing"].format(**values)}

    def example(self, word: str) -> dict[str, Any]:
        """Return the sentence with which a word opens."""
        return self.answer(word, self.of(word).openings()[0])

    def answer(self, word: str, sentence: dict[str, Any]) -> dict[str, Any]:
        """Put what was measured together with the map of its word."""
        return {"sentence": sentence, "map": self.of(word).map()}


def forms_of(word: str, uses: Sequence[Any]) -> set[str]:
    """Return the forms in which a word stands in its sentences."""
    return {use.tokens[use.target_index].lower() for use in uses} | {word}


class Probe:
    """A word's examples, measured once, and the model that reads other sentences."""

    def __init__(
        self, encoder: Encoder, word: str, examples: Sequence[Any], language: str
    ):
        """Encode the examples: N of them, of S senses."""
        senses = [sense_name(word, s.sense, language) for s in examples]
        self.names = list(dict.fromkeys(senses))
        if not 2 <= len(self.names) <= len(maps.MARKS):
            raise ValueError(
                f"{word!r} has {len(senses)} examples of {len(self.names)} senses; the "
                f"map tells 2 to {len(maps.MARKS)} senses apart"
            )
        self.encoder, self.word, self.examples = encoder, word, examples
        self.tongue = "zh" if kit.is_chinese(word) else "en"
        self.forms = forms_of(word, examples)
        self.layers = target_vectors(encoder, examples).astype(float)  # (L+1, N, D)
        self.directions = np.stack([unit(layer) for layer in self.layers])
        self.sense = np.array([self.names.index(sense) for sense in senses])  # (N)
        self.plane = maps.plane(self.layers)
        self.scores = [
            sense_accuracy(layer, senses)["nearest_centroid"] for layer in self.layers
        ]
        self.worth = [self.held_out(layer) for layer in self.directions[1:]]
        self.best = 1 + int(np.argmax(self.worth))  # of the layers that read context

    def map(self) -> dict[str, Any]:
        """Return the examples as the map shows them, ready to be written as JSON."""
        split = [kit.split(s.tokens, s.target_index) for s in self.examples]
        return {
            "word": self.word,
            "senses": self.names,
            "sense": self.sense.tolist(),
            "examples": split,
            "dimension": self.layers.shape[2],
            "frames": self.plane.place(self.layers).round(3).tolist(),
            "share": round(self.plane.share, 4),
            "scores": [round(score, 4) for score in self.scores],
            "worth": [None, *(round(share, 4) for share in self.worth)],
            "best": self.best,
            "tongue": self.tongue,
            "majority": float(np.bincount(self.sense).max() / len(self.sense)),
        }

    def held_out(self, directions: np.ndarray) -> float:
        """Let each example be judged by the vote of its nearest others: (N, D)."""
        cosines = directions @ directions.T  # (N, N)
        np.fill_diagonal(cosines, -np.inf)
        return float((self.vote(cosines).argmax(axis=1) == self.sense).mean())

    def vote(self, cosines: np.ndarray) -> np.ndarray:
        """Count the votes of the nearest examples. (…, N) to (…, S).

        Of two senses with as many votes the one whose voters are nearer wins: a
        thousandth of 1 + cosine is added for each.
        """
        count = min(VOTERS, len(self.sense) - 1)
        near = np.argsort(-cosines, axis=-1, kind="stable")[..., :count]
        weight = 1 + (1 + np.take_along_axis(cosines, near, axis=-1)) / 1000
        member = np.eye(len(self.names))[self.sense[near]]  # (…, count, S)
        return (weight[..., None] * member).sum(axis=-2)

    def openings(self) -> list[dict[str, Any]]:
        """Describe the sentences to begin with: the word twice, then clear ones."""
        found = self.clearest()
        if text := OPENINGS.get(self.word):
            words = (words_zh if self.tongue == "zh" else words_en)(text)
            at = [i for i, word in enumerate(words) if word.lower() in self.forms]
            if at:
                found.insert(0, self.describe(words, at))
        return found

    def clearest(self) -> list[dict[str, Any]]:
        """Describe the clearest example of each sense, the commonest senses first."""
        cosines = maps.cosine_tables(self.layers)[self.best]  # (N, N)
        margins, _ = maps.sense_margins(cosines, self.sense)  # (N)
        long = np.array([len(s.tokens) > LIMIT for s in self.examples])
        often = np.argsort(-np.bincount(self.sense), kind="stable")[:OFFERED]
        rows = [
            np.where((self.sense == kind) & ~long, margins, -np.inf).argmax()
            for kind in often
        ]
        found = [self.examples[i] for i in rows]
        return [self.describe(s.tokens, [s.target_index]) for s in found]

    def describe(self, words: Sequence[str], targets: list[int]) -> dict[str, Any]:
        """Measure a sentence as it is and without each of its other words.

        targets: where the word stands; each place has its own vectors.
        """
        drops = [(), *((i,) for i in range(len(words)) if i not in targets)]
        own = self.number_of(words)
        at_each = [
            self.measure(vectors, vectors[:, :1], own)
            for vectors in self.encode(words, targets, drops)  # (L+1, M, D) each
        ]
        keys = [",".join(map(str, drop)) for drop in drops]
        variants = map(list, zip(*at_each, strict=True))
        return {
            "word": self.word,
            "words": list(words),
            "targets": list(targets),
            "variants": dict(zip(keys, variants, strict=True)),
        }

    def variant(self, asked: dict[str, Any]) -> list[dict[str, Any]]:
        """Measure a sentence without several of its words, at each of its targets."""
        words, drops = asked["words"], [(), asked["dropped"]]
        return [
            self.measure(vectors[:, 1:], vectors[:, :1], self.number_of(words))[0]
            for vectors in self.encode(words, asked["targets"], drops)  # (L+1, 2, D)
        ]

    def number_of(self, words: Sequence[str]) -> int | None:
        """Return which example this sentence is, if it is one."""
        tokens = (list(s.tokens) for s in self.examples)
        return next((n for n, own in enumerate(tokens) if own == list(words)), None)

    def encode(
        self, words: Sequence[str], targets: list[int], drops: Sequence[Sequence[int]]
    ) -> list[np.ndarray]:
        """Return each target's vectors without some words. (L+1, M, D) each."""
        kept = [[i for i in range(len(words)) if i not in drop] for drop in drops]
        layers = self.encoder.encode([[words[i] for i in rest] for rest in kept])
        found = []
        for target in targets:
            at = [rest.index(target) for rest in kept]
            picked = [x[:, i] for x, i in zip(layers, at, strict=True)]  # (L+1, D)
            found.append(np.stack(picked, axis=1).astype(float))
        return found

    def measure(
        self, vectors: np.ndarray, whole: np.ndarray, own: int | None
    ) -> list[dict[str, Any]]:
        """Measure vectors (L+1, M, D) against the examples and the whole sentence.

        whole (L+1, 1, D); own: the example that the sentence is, left out of all.
        """
        points = self.plane.place(vectors)  # (L+1, M, 2)
        directions = np.stack([unit(layer) for layer in vectors])
        cosines = directions @ self.directions.transpose(0, 2, 1)  # (L+1, M, N)
        if own is not None:
            cosines[:, :, own] = -np.inf
        near = np.argsort(-cosines, axis=2, kind="stable")[:, :, :VOTERS]
        best = np.take_along_axis(cosines, near, axis=2)  # (L+1, M, VOTERS)
        ties = (best[:, :, :1] - cosines < TIE).sum(axis=2)  # (L+1, M)
        votes = self.vote(cosines)  # (L+1, M, S)
        to_senses = directions @ self.centroids(own).transpose(0, 2, 1)  # (L+1, M, S)
        moved = distances(vectors, whole)  # (L+1, M, 3)
        return [
            {
                "points": points[:, m].round(3).tolist(),
                "near": near[:, m].tolist(),
                "cosines": best[:, m].round(3).tolist(),
                "ties": ties[:, m].tolist(),
                "senses": to_senses[:, m].round(3).tolist(),
                "votes": votes[:, m].astype(int).tolist(),
                "said": votes[:, m].argmax(axis=1).tolist(),
                "moved": moved[:, m].round(3).tolist(),
            }
            for m in range(vectors.shape[1])
        ]

    def centroids(self, own: int | None) -> np.ndarray:
        """Return the direction of each sense's mean. Shape: (L+1, S, D)."""
        kept = np.arange(len(self.sense)) != (-1 if own is None else own)
        means = [
            self.directions[:, kept & (self.sense == kind)].sum(axis=1)
            for kind in range(len(self.names))
        ]  # each (L+1, D)
        return np.stack([unit(layer) for layer in np.stack(means, axis=1)])


def distances(vectors: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """Return 1 - cosine: of the vectors, their forward and their backward halves.

    (L+1, M, D) and (L+1, 1, D) to (L+1, M, 3).
    """
    half = vectors.shape[2] // 2
    parts = [slice(None), slice(half), slice(half, None)]
    found = []
    for part in parts:
        a, b = vectors[:, :, part], whole[:, :, part]
        lengths = np.linalg.norm(a, axis=2) * np.linalg.norm(b, axis=2)
        cosine = (a * b).sum(axis=2) / np.maximum(lengths, 1e-12)
        found.append(np.abs(1 - cosine))  # rounding may pass 1
    return np.stack(found, axis=2)
