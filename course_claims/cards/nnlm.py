"""Lesson 01: language models, and the neural one of 2003."""

from __future__ import annotations

import math

import torch

from course_lib import data
from course_lib.models import ngram, nnlm

from ..claim_card import Card, Pick, Rows
from ..experiments import language_models
from ..outcome import Hypothesis

LESSON = "01_nnlm"
RACED = {
    ("brown", "NNLM"): ("Brown, network alone", "Brown，只用网络"),
    ("brown", "NNLM and trigram"): ("Brown, mixture", "Brown，混合"),
    ("msra", "NNLM"): ("Chinese news, network alone", "中文新闻，只用网络"),
    ("msra", "NNLM and trigram"): ("Chinese news, mixture", "中文新闻，混合"),
}


def seen_words(t: Pick, n: int = 5) -> Rows:
    """Change one word of the context after the other, and see what the network notices."""
    torch.manual_seed(1)
    model = nnlm.NNLM(20, n, m=4, h=6)
    ids = torch.arange(8)
    before = nnlm.log_probabilities(model, ids)[-1]
    found = []
    for back in range(1, 8):
        other = ids.clone()
        other[-1 - back] = 15
        changed = bool(nnlm.log_probabilities(model, other)[-1] != before)
        found.append(
            {
                t("words back, n = 5", "往回数第几个词，n = 5"): back,
                t("the prediction notices a change", "换掉它，预测变不变"): t(
                    *(("yes", "变") if changed else ("no", "不变"))
                ),
            }
        )
    return found


def history(t: Pick) -> Rows:
    """Show when there were vectors of words, and what they were learned from."""
    heads = t(("year", "vectors of words", "where"), ("年份", "词的向量", "出处"))
    lines = (
        (
            1990,
            t("latent semantic analysis", "潜在语义分析"),
            "Deerwester et al., JASIS",
        ),
        (2000, t("neural language model", "神经网络语言模型"), "Bengio et al., NIPS"),
        (2003, t("the same, in full", "同上，完整版"), "Bengio et al., JMLR"),
        (2013, "word2vec", "Mikolov et al."),
    )
    return [dict(zip(heads, line, strict=True)) for line in lines]


def products(t: Pick) -> Rows:
    """Compare the product of a real sentence with that of a few words put in disorder.

    Kneser-Ney trigrams of the course's sense sentences; those compared were held out.
    """
    every = [s.tokens for s in data.senses(t("en", "zh"))]
    held, read = every[::10], [s for k, s in enumerate(every) if k % 10]
    known = {word for tokens in read for word in tokens}
    model = ngram.KneserNey(read, 3, vocabulary=len(known) + 1)
    long = max((s for s in held if set(s) <= known), key=len)
    short = long[2::-1]
    heads = t(("text", "product", "perplexity"), ("文字", "连乘", "困惑度"))
    found = []
    for title, words in (
        (t(f"a sentence of {len(long)} words", f"一句话，{len(long)} 个词"), long),
        (
            t(
                f"three of them backwards: {' '.join(short)}",
                f"倒过来的三个词：{''.join(short)}",
            ),
            short,
        ),
    ):
        nats = model.nats(words)
        product = f"10^{-nats / math.log(10):.0f}"
        perplexity = f"{math.exp(nats / (len(words) + 1)):,.0f}"
        found.append(dict(zip(heads, (title, product, perplexity), strict=True)))
    return found


CARDS = (
    Card(
        key="product-like-speech",
        lesson=LESSON,
        as_told="imprecise",
        systems=("language model",),
        claim=(
            "Multiply the probabilities of all words: the larger the product, the more human the sentence.",
            "把所有词的概率乘起来，数值越大，就越像一句人话。",
        ),
        quoted=(
            "S3",
            (
                "Each word is predicted from those before it, and the product of all their "
                "probabilities measures how much the whole sounds like something a person says.",
                "每个词由前面的词预测，所有词的概率连乘，越大就越像人说的话。",
            ),
        ),
        paper=(
            "Language models are compared by perplexity, one over the product's N-th root, N the number "
            "of words (Bengio et al. 2003, section 4.2).",
            "比较语言模型用的是困惑度，也就是把连乘按词数开方，再取倒数（Bengio 等，2003，4.2 节）。",
        ),
        why=(
            "True only among sentences of the same length: each further word makes the product smaller. "
            "So three words in disorder beat a good sentence. Perplexity, which divides by the length, "
            "puts them in the right order.",
            "只在一样长的句子之间成立：每多一个词，乘积就更小。所以三个词颠倒着写，也赢了一句好好的话。困惑度按词数"
            "平均过，次序才对。",
        ),
        facts=products,
    ),
    Card(
        key="nnlm-beats-ngrams",
        lesson=LESSON,
        as_told="right",
        systems=("NNLM", "language model"),
        claim=(
            "The neural language model beats n-grams.",
            "神经网络语言模型胜过 n 元模型。",
        ),
        paper=(
            "Bengio et al. 2003, table 1, test perplexity on Brown: the best n-gram 312; networks alone "
            "268 and 276, 14 and 12 % lower; mixed with a trigram 252, 19 % lower. Table 2, AP News: "
            "the mixture 109 against 117, 7 % lower. (The paper's 24 % is counted from the network; its "
            "8 % fits the validation text, 112 against 104.)",
            "Bengio 等（2003）表 1，Brown 上的测试困惑度：最好的 n 元模型 312；单用网络 268 和 276，低 14% 和 12%；"
            "与三元模型混合 252，低 19%。表 2，AP News：混合 109 对 117，低 7%。（论文说的 24% 以网络为底；8% "
            "与验证集上的 112 对 104 相符。）",
        ),
        why=(
            "A network alone against the better of two Kneser-Ney models, on Brown as in the paper, and "
            "on Chinese news; below 0 the network is better. It read as many windows as the text has words, "
            "some 800,000, drawn at random, and chose among 10,000 words, the paper's among 16,000. The mixture does not count: it has "
            "a trigram in it.",
            "比的是单用网络和两个 Kneser-Ney 模型里较好的一个：一份文本是 Brown，和论文一样，一份是中文新闻；小于 0 "
            "说明网络更好。我们的网络读的窗口数与文本的词数相当，大约八十万，随机抽取；候选词一万个，论文是一万六千个。混合模型不计，因为里面有一个"
            "三元模型。",
        ),
        experiments=("nnlm_beats_ngrams",),
        effects=language_models.against_ngrams,
        hypothesis=Hypothesis(
            6,
            (
                "half of the 12 % by which the paper's network of 276 was below 312",
                "论文里困惑度 276 的网络比 312 低 12%，这里取一半",
            ),
            claimed={("brown", "NNLM"): -1, ("msra", "NNLM"): -1}.get,
        ),
        effect=("perplexity against the best n-gram, %", "困惑度比最好的 n 元（%）"),
        names=RACED,
    ),
    Card(
        key="nnlm-reads-all",
        lesson=LESSON,
        as_told="false",
        systems=("NNLM",),
        claim=(
            "NNLM predicts a word from all the words before it.",
            "NNLM 用前面所有的 t-1 个词预测下一个词。",
        ),
        quoted=(
            "S3",
            (
                "The network gets the t - 1 words of the sentence before word t and has to name word t.",
                "输入句中第 t 个词前面的 t-1 个词，要网络说出第 t 个词。",
            ),
        ),
        paper=(
            "A window of n - 1 words (section 2).",
            "只看 n-1 个词的窗口（第 2 节）。",
        ),
        why=(
            "The input layer has room for n - 1 words. Recurrent networks (Mikolov et al. 2010) did "
            "away with the window.",
            "输入层只装得下 n-1 个词。后来的循环网络（Mikolov 等，2010）才去掉了窗口。",
        ),
        facts=seen_words,
    ),
    Card(
        key="word-vectors-2003",
        lesson=LESSON,
        as_told="false",
        systems=("NNLM", "lineage"),
        claim=("Word vectors are a product of 2003.", "词向量是 2003 年的产物。"),
        quoted=(
            "S3",
            (
                "Word embedding is called a vintage of 2003: that year's neural language model.",
                "说词向量是“2003 年出品”，指的是那一年的神经网络语言模型。",
            ),
        ),
        paper=(
            "The journal article is of 2003; a shorter version was at NIPS 2000. It cites vectors "
            "learned from counts as earlier work.",
            "期刊论文是 2003 年的，较短的版本在 NIPS 2000 就发表了。文中也引了更早的、由计数得来的向量。",
        ),
        why=(
            "The network is three years older than its famous article, and vectors of words are older "
            "still: latent semantic analysis got them from a table of counts.",
            "这个网络比那篇出名的文章早三年；词的向量还要早：潜在语义分析从计数表里就得到了。",
        ),
        facts=history,
    ),
)
