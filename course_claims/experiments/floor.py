"""The scoreboard's perplexity: small models of each kind, where the floor is known.

The models that ship predict words of different lists, or pieces, and have read
different texts: their perplexities say nothing beside each other. So here a small one
of each kind reads the same text of Rivertown once, with the same list of words, and is
measured on fresh text, per word. What counts is the perplexity over the least one that
is possible, exp(entropy): a model that knew the grammar would have 1.

Rivertown writes ten thousand surnames, villages and sums; whoever predicts one of them
pays for all. Here each such list keeps its first 20, and the floor is that of the
smaller town, exact as before. Marks of ends are paid for by the words, as in the
entropy, and `<unk>` may be any word of the town that is not in the list.

NNLM sees four words, GPT up to about 90, and the AWD-LSTM carries its state on. Of the
biLM it is the forward half, which sees up to 64 words of its document and, as in
pre-training, predicts no marks: it has the ends for nothing. All are smaller than what
ships, and stop long before the floor. Their rates are the best of two or three in a
pilot with another seed (100, English); NNLM's is that of `language_models`. It is a
table, not a claim.
"""

from __future__ import annotations

import math
import sys

import numpy as np
import torch

from course_lib.models import nnlm
from course_lib.models.awd_lstm import AWDLSTM, AWDConfig, Remembering
from course_lib.models.bilm import BiLM, BiLMConfig
from course_lib.models.gpt import GPT, GPTConfig
from course_lib.text.batches import Batches, read_text
from course_lib.text.streams import Streams, vocabulary_of
from course_lib.training.loop import evaluate, train
from course_lib.worlds.grammar import Grammar, Token, index_words
from course_lib.worlds.rivertown import Rivertown, choice_of

from ..rules import row
from .language_models import fit

TOKENS, FRESH = 500_000, 40_000  # read once; asked about
FEW = 20  # words that a long list keeps
ROWS = 8  # streams, and windows of a batch


class SmallTown(Rivertown):
    """Rivertown with short lists of names and sums; its entropy is as exact."""

    def __init__(self, language: str):
        super().__init__(language)
        shorten(self.grammar)
        self._rules = {
            symbol: choice_of((rule.probability, rule.body) for rule in rules)
            for symbol, rules in self.grammar.rules.items()
        }


def shorten(grammar: Grammar, few: int = FEW) -> None:
    """Keep the first words of each symbol that only ever gives one word."""
    for symbol, rules in grammar.rules.items():
        words = all(len(r.body) == 1 and isinstance(r.body[0], Token) for r in rules)
        if words and len(rules) > few:
            whole = sum(rule.probability for rule in rules[:few])
            grammar.rules[symbol] = [
                rule._replace(probability=rule.probability / whole)
                for rule in rules[:few]
            ]
    index_words(grammar)


def floor(seed: int, quick: bool = False) -> list[dict]:
    """Train a model of each kind in each language; rows as the scoreboard has them.

    The seed draws the text to learn from, the fresh text, and the parameters.
    """
    found = []
    for language in ("en",) if quick else ("en", "zh"):
        town = SmallTown(language)
        least = math.exp(town.entropy_per_token())
        for name, perplexity in perplexities(town, seed, quick).items():
            found.append(row(name, f"× floor {language}", "score", perplexity / least))
    return found


def perplexities(town: Rivertown, seed: int, quick: bool) -> dict[str, float]:
    """Return each model's perplexity per word of fresh text; "majority" only counts."""
    sizes = (4_000, 2_000) if quick else (TOKENS, FRESH)
    documents = [
        [[s.words for s in d.sentences] for d in town.documents(n, seed=own)]
        for n, own in zip(sizes, (2 * seed, 2 * seed + 1), strict=True)
    ]
    whole = [read_text(part, window=sys.maxsize) for part in documents]
    known = int((np.bincount(whole[0].ids) > 2).sum())  # words that came three times
    vocabulary, found = vocabulary_of(whole[0], known + 1), {}
    V = len(vocabulary)
    learn, fresh = (Streams(text, vocabulary, rows=ROWS, seed=seed) for text in whole)
    marks = len(fresh.text.ids) / fresh.text.n_tokens  # predictions a word

    torch.manual_seed(seed)
    ids = [torch.from_numpy(part.number_of[part.text.ids]) for part in (learn, fresh)]
    counts = torch.bincount(ids[0], minlength=V) + 0.5
    found["majority"] = -float((counts / counts.sum()).log()[ids[1]].mean()) * marks
    network = fit(ids[0].tolist(), V, seed, steps=max(1, len(ids[0]) // 512))
    nats = -float(nnlm.log_probabilities(network, ids[1]).mean())
    found["NNLM"] = nats * marks

    sizes = AWDConfig(embedding=64, hidden=192, layers=2, dropped=0.0)
    awd = Remembering(AWDLSTM(sizes, V))
    train(awd, learn, learning_rate=0.024)
    found["AWD-LSTM"] = float(evaluate(awd, fresh)) * marks
    gpt = GPT(GPTConfig(layers=2, dimension=96, context=100), V)
    train(gpt, learn, learning_rate=4e-3)
    found["GPT"] = float(evaluate(gpt, fresh)) * marks

    filters = [[1, 16], [2, 32], [3, 64]]
    config = BiLMConfig(
        cells=192, projection=48, filters=filters, cutoffs=[500], dropout=0.0
    )
    bilm = BiLM(config, V)
    parts = [Batches(read_text(part), vocabulary, ROWS, seed) for part in documents]
    train(bilm, parts[0], learning_rate=8e-3)
    found["biLM"] = float(evaluate(bilm, parts[1])[0])  # forward

    others = len(town.vocabulary()) - V + 3
    unknown = whole[1].unknown(vocabulary) * math.log(others)
    return {name: math.exp(nats + unknown) for name, nats in found.items()}


EXPERIMENTS = {"floor": floor}
