"""Lesson 03: GloVe."""

from __future__ import annotations

from collections import Counter

from course_lib.models import glove as model

from ..claim_card import Card, Pick, Rows
from ..experiments import glove
from ..outcome import Hypothesis
from . import word2vec

LESSON = "03_glove"
FORCED = {
    "GloVe, softmax": ("GloVe, softmax of its scores", "GloVe，分数过 softmax"),
    "skip-gram, softmax": (
        "skip-gram, softmax of its scores",
        "skip-gram，分数过 softmax",
    ),
    "skip-gram, softmax and noise": (
        "skip-gram, the noise added back",
        "skip-gram，把噪声加回去",
    ),
}


def forced(rows: Rows, t: Pick) -> Rows:
    """Show sums and perplexities of both models."""
    return word2vec.forced(rows, t, names=glove.BOTH)


def same_pairs(t: Pick) -> Rows:
    """Count pairs in windows as they are met, and compare with the table X.

    A pair at distance d counts 1/d in X; here it is added up pair by pair.
    """
    sentence = "the cat sat on the mat and the dog sat on the cat"
    text = sentence.split()
    words = sorted(set(text))
    ids = [1 + words.index(word) for word in text]
    X = model.cooccurrences([ids], len(words) + 1, window=3)
    met: Counter = Counter()
    for at, word in enumerate(text):
        for near in range(max(0, at - 3), min(len(text), at + 4)):
            if near != at:
                met[word, text[near]] += 1 / abs(near - at)
    heads = t(
        ("pair", "met in windows", "in the table X"),
        ("词对", "窗口里遇到的", "表 X 里的"),
    )
    pairs = [("the", "cat"), ("sat", "on"), ("dog", "cat"), ("mat", "dog")]
    rows = []
    for a, b in pairs:
        counted = X[1 + words.index(a), 1 + words.index(b)]
        cells = f"{a} {b}", f"{met[a, b]:.2f}", f"{counted:.2f}"
        rows.append(dict(zip(heads, cells, strict=True)))
    return rows


CARDS = (
    Card(
        key="glove_is_a_language_model",
        lesson=LESSON,
        as_told="false",
        systems=("GloVe", "skip-gram", "language model"),
        claim=(
            "GloVe and word2vec learn their vectors by doing a language model's task.",
            "GloVe 和 Word2Vec 的词向量，是做语言模型任务得来的。",
        ),
        quoted=(
            "S3",
            (
                "With Word2vec or GloVe one does a language model's task and gets a vector for each word.",
                "说拿这两种工具去做语言模型任务，词向量就有了。",
            ),
        ),
        paper=(
            "Pennington et al. 2014, eq. 8: a weighted regression on log counts. Mikolov et al. 2013b, "
            "eq. 4: the task is to tell a true neighbour from noise. Neither paper reports a perplexity.",
            "Pennington 等（2014）式 8：对共现数的对数作加权回归。Mikolov 等（2013b）式 4：分辨真的邻居和噪声。"
            "两篇论文都没有报告困惑度。",
        ),
        why=(
            "One is a regression on counts, the other a series of yes-or-no questions; neither has to "
            "share out a probability. We force one upon them, a softmax of their scores, and compare "
            "perplexities with Kneser-Ney bigrams on 800,000 words of Brown (100 dimensions). In the "
            "last line the scores get back the noise that negative sampling takes out of them.",
            "一个是对次数的回归，一个是一连串是非题，都不必把概率分给所有的词。我们用 softmax 硬把分数变成概率，"
            "在 80 万词的 Brown 上（100 维）和 Kneser-Ney 二元模型比困惑度。最后一行把负采样抵掉的噪声加回到分数里。",
        ),
        experiments=("glove_is_a_language_model",),
        shown=forced,
        effects=glove.against_bigram,
        hypothesis=Hypothesis(
            0.1,
            (
                "about a tenth of the perplexity: our convention",
                "困惑度差一成左右，本课的约定",
            ),
        ),
        effect=(
            "log perplexity: a bigram's minus the model's, nats",
            "对数困惑度：二元模型减该模型（奈特）",
        ),
        scale=1.0,
        digits=2,
        names=FORCED,
    ),
    Card(
        key="global-or-local",
        lesson=LESSON,
        as_told="imprecise",
        systems=("GloVe", "skip-gram"),
        claim=(
            "GloVe uses global statistics, word2vec only local windows.",
            "GloVe 用全局统计，word2vec 只用局部窗口。",
        ),
        source=("textbooks", "常见教材"),
        paper=(
            "The introduction of Pennington et al. 2014 puts it so. Levy and Goldberg (2014): with "
            "enough dimensions skip-gram with negative sampling fits the PMI of the same counts, minus "
            "log k.",
            "Pennington 等（2014）引言里就是这么说的。Levy 和 Goldberg（2014）：维数够大时，负采样的 skip-gram 拟合的是"
            "同一批计数的 PMI 减去 log k。",
        ),
        why=(
            "The table comes from windows, too. Added up pair by pair while reading, the evidence is the "
            "same to the last digit; what differs is the order, the weights and the loss.",
            "那张表也是从窗口里数来的。边读边一对一对地加，得到的证据一分不差；不同的是先后、权重和损失。",
        ),
        facts=same_pairs,
    ),
)
