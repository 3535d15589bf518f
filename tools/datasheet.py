"""Measure Rivertown and write the numbers into its datasheet (`make datasheet`).

The tables stand between two marks in data/rivertown/DATASHEET.md; the rest of the page
is written by hand. Takes about three minutes.
"""

from __future__ import annotations

import collections
import math
import time
from collections.abc import Sequence

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from course_lib import data
from course_lib.analysis.baselines import TfIdf, classify, most_common, tag, text_of
from course_lib.data.entries import TOWN
from course_lib.models.ngram import KneserNey
from course_lib.worlds.rivertown import FOLDER, Rivertown, world

PAGE = FOLDER / "DATASHEET.md"
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
SAMPLE = 200_000  # tokens
LANGUAGES = ("en", "zh")


def main() -> None:
    """Measure, and replace what stands between the marks."""
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    after = rest.split(END)[1]
    blocks = [statistics(), ngrams(), baselines(), samples()]
    page = "\n\n".join([before + BEGIN, *blocks, END + after])
    part = PAGE.with_suffix(".part")
    part.write_text(page, encoding="utf-8")
    part.replace(PAGE)
    print("\n\n".join(blocks))


def table(title: str, heads: list[str], rows: dict[str, list]) -> str:
    """Write a table in Markdown."""
    lines = [
        f"### {title}",
        "",
        f"| | {' | '.join(heads)} |",
        "|---" * (len(heads) + 1),
    ]
    lines[-1] += "|"
    lines += [f"| {name} | {' | '.join(map(str, row))} |" for name, row in rows.items()]
    return "\n".join(lines)


def statistics() -> str:
    """Measure the text itself: two samples of 200,000 tokens with different seeds."""
    columns = [measured(language) for language in LANGUAGES]
    rows = {name: [column[name] for column in columns] for name in columns[0]}
    return table("The text", ["English", "Chinese"], rows)


def measured(language: str) -> dict[str, str]:
    """Return the statistics of one language."""
    town = Rivertown(language)
    grammar = town.grammar
    start = time.process_time()
    samples = [list(town.documents(SAMPLE, seed)) for seed in (1, 2)]
    seconds = time.process_time() - start
    sentences = [[s for d in sample for s in d.sentences] for sample in samples]
    first, second = ([t for s in part for t in s.tokens] for part in sentences)
    known = {token.word for token in first}
    counts = collections.Counter(token.word for token in first + second)
    ranked = np.array([n for _, n in counts.most_common(1000)])
    slope = np.polyfit(np.log(np.arange(1, 1001)), np.log(ranked), 1)[0]
    said = collections.Counter(" ".join(s.words) for s in sentences[0])
    lengths = [len(s.tokens) for s in sentences[0]]
    entropy = town.entropy_per_token()
    tables = (FOLDER / language).glob("*.tsv")
    rows = [
        r.split("\t") for t in tables for r in t.read_text("utf-8").splitlines()[1:]
    ]
    files = (FOLDER / language).glob("*.grammar")
    lines = [line for f in files for line in f.read_text("utf-8").splitlines()]
    return {
        "productions, as written": f"{sum(line.startswith('  ') for line in lines):,}",
        "lexicon entries": f"{sum(len(r[2].split()) for r in rows if len(r) == 3):,}",
        "words that a text may contain": f"{len(town.vocabulary()):,}",
        "entropy, nats per token (exact)": f"{entropy:.3f}",
        "perplexity floor": f"{math.exp(entropy):.2f}",
        "topics": len(grammar.topics),
        "sentences a document": f"{min(grammar.lengths)}-{max(grammar.lengths)}",
        "tokens a sentence: mean; 5 %, 95 %": f"{np.mean(lengths):.1f}; "
        + ", ".join(f"{q:.0f}" for q in np.percentile(lengths, [5, 95])),
        "different words in 400,000 tokens": f"{len(counts):,}",
        "Zipf exponent, top 1,000 words": f"{-slope:.2f}",
        "tokens of 200,000 unknown in 200,000 others": f"{share(second, known):.2%}",
        "most frequent sentence of it": f"{max(said.values()) / len(lengths):.3%}",
        "sentences of it said before": f"{1 - len(said) / len(lengths):.2%}",
        "tokens per CPU second": f"{len(first + second) / seconds / 1000:,.0f},000",
    }


def share(tokens: list, known: set[str]) -> float:
    """Return how many of the tokens are unknown words, as a share."""
    return sum(token.word not in known for token in tokens) / len(tokens)


def ngrams() -> str:
    """Measure n-gram models on fresh text, beside the floor."""
    rows = collections.defaultdict(list)
    for language in LANGUAGES:
        train, fresh = lines(language, 1_000_000, 1), lines(language, 50_000, 2)
        words = sum(word != "\n" for doc in fresh for word in doc)
        V = len(world(language).vocabulary()) + 2
        for n in (1, 2, 3, 4, 5):
            model = KneserNey(train, n, vocabulary=V)
            nats = sum(map(model.nats, fresh)) / words
            rows[f"Kneser-Ney, n = {n}"].append(f"{math.exp(nats):.1f}")
        floor = world(language).entropy_per_token()
        rows["floor"].append(f"{math.exp(floor):.2f}")
    title = "Perplexity (1,000,000 tokens of training text, 50,000 fresh)"
    return table(title, ["English", "Chinese"], rows)


def lines(language: str, tokens: int, seed: int) -> list[list[str]]:
    """Read documents as sequences of words, a newline after each sentence."""
    corpus = data.load(f"rivertown-{language}", tokens=tokens, seed=seed)
    return [[w for s in doc for w in [*s, "\n"]] for doc in corpus.documents()]


def baselines() -> str:
    """Measure the baselines of every task set on its test split."""
    rows = {}
    for task in TOWN:
        found = [baseline(data.load(f"rivertown-{x}-{task}")) for x in LANGUAGES]
        cells = ["; ".join(f"{k} {v:.3f}" for k, v in one.items()) for one in found]
        rows[task] = cells
    return table("Baselines on the test splits", ["English", "Chinese"], rows)


def baseline(task, train: str = "train", test: str = "test") -> dict[str, float]:
    """Return the baselines of a task set: accuracies, for a translation BLEU."""
    measure = {
        "classification": classify,
        "pair": classify,
        "senses": disambiguate,
        "tagging": tag,
        "translation": translate,
    }[task.kind]
    return measure(task.split(train), task.split(test), task.language)


def disambiguate(train: Sequence, test: Sequence, language: str) -> dict[str, float]:
    """Return the accuracy over all words; each word has a classifier of its own.

    A word that training did not have counts, as one that nobody gets right.
    """
    hits: dict[str, list[bool]] = {"majority": [], "TF-IDF": []}
    for word in sorted({example.word for example in test}):
        seen = [example for example in train if example.word == word]
        unseen = [example for example in test if example.word == word]
        if not seen:
            for known in hits.values():
                known += [False] * len(unseen)
            continue
        senses = [example.sense for example in seen]
        commonest = most_common(senses)
        tfidf = TfIdf(map(text_of, seen), senses, language)
        guesses = tfidf.predict(map(text_of, unseen))
        for example, found in zip(unseen, guesses, strict=True):
            hits["majority"].append(example.sense == commonest)
            hits["TF-IDF"].append(example.sense == found)
    return {name: float(np.mean(values)) for name, values in hits.items()}


def translate(train: Sequence, test: Sequence, language: str) -> dict[str, float]:
    """Return the corpus BLEU (0 to 1) of the translation of the most similar sentence.

    Source: Papineni et al. 2002, up to 4-grams, as NLTK computes it.
    """
    from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu

    vectors = TfidfVectorizer(analyzer=list)
    seen = vectors.fit_transform(pair.source for pair in train)  # (N, V)
    unseen = vectors.transform(pair.source for pair in test)  # (M, V)
    nearest = np.asarray((unseen @ seen.T).argmax(axis=1)).ravel()  # (M,)
    found = [train[i].target for i in nearest]
    right = [[pair.target] for pair in test]
    smooth = SmoothingFunction().method1  # silent where no 4-gram is right
    return {"nearest": float(corpus_bleu(right, found, smoothing_function=smooth))}


def samples() -> str:
    """Show one document of each language and one example of each task."""
    parts = ["### Samples", ""]
    for language in LANGUAGES:
        document = next(world(language).documents(seed=0))
        parts += [f"*{document.topic}*", ""]
        parts += [f"> {' '.join(sentence.words)}  " for sentence in document.sentences]
        parts.append("")
    for task in TOWN:
        for language in LANGUAGES:
            example = data.load(f"rivertown-{language}-{task}").split("train")[0]
            cells = zip(example._fields, example, strict=True)
            text = "; ".join(f"{name}: {plain(value)}" for name, value in cells)
            parts.append(f"- `rivertown-{language}-{task}` {text}")
    return "\n".join(parts)


def plain(value) -> str:
    """Write a value of an example on one line."""
    return " ".join(value) if isinstance(value, list) else str(value)


if __name__ == "__main__":
    main()
