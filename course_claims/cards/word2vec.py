"""Lesson 02: word2vec."""

from __future__ import annotations

import functools

from .. import ledger
from ..claim_card import Card, Pick, Rows
from ..experiments import comparison, glove
from ..outcome import CONVENTION, Hypothesis
from ..rules import only

LESSON = "02_word2vec"
AHEAD = {
    "syntactic": ("syntactic: CBOW above skip-gram", "语法：CBOW 高于 skip-gram"),
    "semantic": ("semantic: skip-gram above CBOW", "语义：skip-gram 高于 CBOW"),
}
TEN_TIMES = {
    "text, 25": ("ten times the text, at 25 numbers", "文本多十倍，25 维"),
    "text, 250": ("ten times the text, at 250 numbers", "文本多十倍，250 维"),
    "numbers, a tenth": ("ten times the numbers, little text", "维数多十倍，文本少"),
    "numbers, all": ("ten times the numbers, all the text", "维数多十倍，全部文本"),
    "text minus numbers": ("more text minus more numbers", "多文本减多维数"),
}
RELATED = {
    name: (f"{name}: related minus alike", f"{name}：“相关”减“相近”")
    for name in ("CBOW", "skip-gram")
}
ANSWERS = {
    ("left out", "right"): ("left out: right", "去掉题目里的词：答对"),
    ("left in", "right"): ("left in: right", "什么也不去掉：答对"),
    ("left in", "a word of the question"): (
        "left in: answers a word of the question",
        "什么也不去掉：答的是题目里的词",
    ),
}
LEFT_IN = {
    "right answers": (
        "nothing left out, minus half of left out",
        "什么也不去掉，减去掉时的一半",
    )
}
BELOW_BIGRAM = {
    "skip-gram, softmax": ("forced by softmax", "硬作 softmax"),
    "skip-gram, softmax and noise": (
        "softmax, times the noise",
        "softmax，乘回噪声分布",
    ),
}
CONDITIONS = {
    "softmax": ("forced by softmax", "硬作 softmax"),
    "softmax and noise": ("softmax, times the noise", "softmax，乘回噪声分布"),
    "": ("bigrams, Kneser-Ney", "二元，Kneser-Ney"),
}


def outcomes(rows: Rows, t: Pick) -> Rows:
    """Show how often an answer is right, or a word of the question."""
    heads = t(("skip-gram, analogies", "share"), ("skip-gram，类比题", "比例"))
    shares = {
        (row["condition"], row["metric"]): ledger.over_seeds(
            rows, row["metric"], by=("condition",)
        )[(row["condition"],)]
        for row in rows
    }
    return [
        dict(zip(heads, (t(*name), f"{shares[key].estimate:.1%}"), strict=True))
        for key, name in ANSWERS.items()
    ]


def forced(rows: Rows, t: Pick, names: tuple[str, ...] = ("skip-gram",)) -> Rows:
    """Show what a model's own numbers add up to, and its perplexity, if it must have one."""
    heads = t(("", "mean over seeds"), ("", "各种子平均"))
    found = [
        (
            f"{name}: {t('own numbers add up to', '自己的数加起来')}",
            f"{total.estimate:,.0f}",
        )
        for (name, _), total in ledger.over_seeds(rows, "sum, 50 %").items()
        if name in names
    ]
    for (name, how), value in ledger.over_seeds(rows, "perplexity").items():
        if name in (*names, "bigram"):
            who = f"{name}, " if name in names else ""
            title = f"{who}{t(*CONDITIONS[how])}: {t('perplexity', '困惑度')}"
            found.append((title, f"{value.estimate:,.0f}"))
    return [dict(zip(heads, line, strict=True)) for line in found]


def work(t: Pick) -> Rows:
    """Count the multiplications for one predicted word, and what the networks have."""
    N, D, H, V, k = 4, 100, 100, 10_000, 5
    heads = t(
        (
            "one predicted word",
            "hidden layer",
            "words that are scored",
            "multiplications",
        ),
        ("预测一个词", "隐藏层", "要打分的词", "乘法次数"),
    )
    none, tanh = t("none", "没有"), "tanh"
    lines = (
        ("NNLM", tanh, f"{V:,}", f"{N * D * H + H * V:,}"),
        ("CBOW", none, 1 + k, f"{(1 + k) * D:,}"),
        ("skip-gram", none, 1 + k, f"{(1 + k) * D:,}"),
    )
    return [dict(zip(heads, line, strict=True)) for line in lines]


CARDS = (
    Card(
        key="brothers",
        lesson=LESSON,
        as_told="imprecise",
        systems=("NNLM", "CBOW", "skip-gram"),
        claim=(
            "Word2vec has much the same network as NNLM; only the training differs.",
            "Word2Vec 和 NNLM 的网络结构基本一样，只是训练方法不同。",
        ),
        quoted=(
            "S3",
            (
                "The two networks are called full brothers; what differs is which word is predicted "
                "from which.",
                "说两者的网络是“亲兄弟”，差别在于拿什么词去预测什么词。",
            ),
        ),
        paper=(
            "2013a, sections 2 and 3: the hidden layer is removed; 2013b, section 2.2: the softmax is "
            "replaced by a few yes-or-no questions.",
            "2013a 第 2、3 节：去掉隐藏层；2013b 第 2.2 节：softmax 换成几道是非题。",
        ),
        why=(
            "The table of vectors they share, and that is all: no hidden layer, no softmax, no order of "
            "words. (Counted for 4 words of context, 100 numbers a word, 100 hidden units, 10,000 words "
            "to choose from, 5 draws of noise.)",
            "共有的只是那张词向量表：没有隐藏层，没有 softmax，也不管词序。（按上文 4 个词、词向量 100 维、隐藏层 100 个"
            "单元、候选 10,000 个词、每次抽 5 个噪声词计。）",
        ),
        facts=work,
    ),
    Card(
        key="similar-words",
        lesson=LESSON,
        as_told="imprecise",
        systems=("analogies", "CBOW", "skip-gram"),
        claim=(
            "The nearest words are words of similar meaning.",
            "离得最近的词，就是语义相近的词。",
        ),
        quoted=(
            "S3",
            (
                "With a word as a vector it is easy to find others that are close to it in meaning.",
                "说词一旦成了向量，找意思相近的词就轻而易举。",
            ),
        ),
        paper=(
            "Hill et al. 2015 made SimLex-999 because the sets before it asked how related two words "
            "are, not how alike: coffee and cup are related.",
            "Hill 等（2015）编 SimLex-999，就是因为以前的测试问的是两个词有多相关，而不是有多相近：咖啡和杯子只是相关。",
        ),
        why=(
            "Agreement with people's scores on SimLex-999 (is it alike?) against that on WordSim-353 (is it "
            "related?); below 0 the vectors would know more of likeness. Five million words of English, 100 "
            "numbers a word. The nearest words themselves are not looked at, only how pairs are ranked; and part of "
            "the difference may be due to the tests, which have other words and other judges. Good and bad are "
            "neighbours, too.",
            "比的是同一份词向量与人的评分有多一致：WordSim-353（有多相关）减 SimLex-999（有多相近），小于 0 才说明向量"
            "更懂相近。五百万英文词，100 维。看的只是词对的排序，没有去看最近的词是哪些；差距里也有测试本身的一份：词不一样，评分的人也不一样。“高”和“低”也是近邻。",
        ),
        experiments=("cbow_or_skip_gram",),
        effects=comparison.related_or_alike,
        hypothesis=Hypothesis(0.05, CONVENTION, claimed=lambda place: -1),
        effect=("Spearman's rho", "Spearman 相关系数"),
        scale=1.0,
        digits=2,
        names=RELATED,
    ),
    Card(
        key="corpus-size",
        lesson=LESSON,
        as_told="imprecise",
        systems=("CBOW",),
        claim=(
            "The quality of word vectors depends mainly on the size of the corpus.",
            "词向量的效果主要取决于语料的大小。",
        ),
        quoted=(
            "S4",
            (
                "How good the vectors are is said to be above all a matter of how much text there is.",
                "说词向量好不好，主要看训练语料有多大。",
            ),
        ),
        paper=(
            "2013a, table 2, CBOW, per cent of analogies: 24 million words 13.4 with 50 numbers, 24.0 "
            "with 600; 783 million words 23.2 and 50.4. Its own conclusion: one has to increase both "
            "together.",
            "2013a 表 2，CBOW 的类比正确率（%）：2400 万词，50 维 13.4，600 维 24.0；7.83 亿词，分别是 23.2 和 50.4。"
            "论文自己的结论是两样要一起加。",
        ),
        why=(
            "The last line counts: what ten times the text gives minus what ten times the numbers give. "
            "Ours is the smallest end, some 0.25 against 2.5 million words; with so few, hardly anything "
            "is learned, however long the vectors. The paper begins at 24 million, and from there 33 times the "
            "text and 12 times the numbers gave about the same: hence imprecise as told, whatever came out here.",
            "只计最后一行：文本多十倍的好处，减去维数多十倍的好处。我们在最小的一端，大约二十五万词对二百五十万词，"
            "词少到这个地步，多少维都学不到什么。论文从 2400 万词起，在那里文本多到 33 倍和维数多到 12 倍，好处差不多大："
            "所以不管我们测得什么，这句转述都不够准确。",
        ),
        experiments=("text_or_dimensions",),
        effects=comparison.text_and_size_gains,
        hypothesis=Hypothesis(0.05, CONVENTION, claimed=only("text minus numbers")),
        effect=("rho with people's scores", "与人评分的相关系数之差"),
        scale=1.0,
        digits=2,
        names=TEN_TIMES,
    ),
    Card(
        key="cbow-syntax",
        lesson=LESSON,
        as_told="right",
        systems=("CBOW", "skip-gram", "analogies"),
        claim=(
            "CBOW is better on syntax, skip-gram on meaning.",
            "CBOW 长于语法，skip-gram 长于语义。",
        ),
        paper=(
            "2013a, table 3 (same data, 640 dimensions), per cent semantic / syntactic: NNLM 23 / 53, "
            "CBOW 24 / 64, skip-gram 55 / 59. No intervals.",
            "2013a 表 3（同样的数据，640 维），语义 / 语法正确率（%）：NNLM 23 / 53，CBOW 24 / 64，skip-gram 55 / 59。"
            "没有给出区间。",
        ),
        why=(
            "CBOW minus skip-gram on syntactic analogies, skip-gram minus CBOW on semantic ones: both above "
            "0, and the claim is right. Five million words and 100 numbers a word; the paper had 640, and its "
            "vectors answered several times as many questions. Lesson 02 shows what a score of this kind is made of.",
            "语法题上看 CBOW 减 skip-gram，语义题上看 skip-gram 减 CBOW，两个都大于 0 才如论断所说。我们用五百万词，"
            "100 维；论文是 640 维，答对的题是我们的好几倍。这类分数是怎么来的，见第 02 课。",
        ),
        experiments=("cbow_or_skip_gram",),
        effects=comparison.syntax_and_meaning,
        hypothesis=Hypothesis(
            2.5,
            (
                "half of the 5 points between them on syntax in the paper's table 3",
                "论文表 3 里两者在语法题上差 5 个点，这里取一半",
            ),
        ),
        effect=("right analogies, points", "类比题答对（百分点）"),
        names=AHEAD,
    ),
    Card(
        key="king-queen",
        lesson=LESSON,
        as_told="imprecise",
        systems=("analogies",),
        claim=(
            "king - man + woman = queen: vectors compute with meanings.",
            "国王 - 男人 + 女人 = 王后：向量会对意思做算术。",
        ),
        quoted=(
            "S0",
            (
                "Dense vectors stand for meanings, and arithmetic with them catches relations of meaning.",
                "稠密向量表示词的语义，向量运算能捕捉语义关系。",
            ),
        ),
        paper=(
            "The question's words are discarded from the search (2013a, section 4; 2013b, section 3); "
            "there is no result without this.",
            "搜索时去掉题目里的词（2013a 第 4 节，2013b 第 3 节）；不去掉会怎样，论文没有说。",
        ),
        why=(
            "If the equation held, most right answers would stay right with nothing left out: so half of "
            "those with the question's words left out are subtracted. Skip-gram on up to 600,000 words of "
            "each of five corpora, 100 numbers a word. The offset is worth something: with the English "
            "vectors that ship, two to three times as many answers are right as with the word nearest to "
            "“woman” alone (lesson 02). But it does not reach the answer: the word nearest to the sum is mostly one "
            "that the sum is made of.",
            "等式要是成立，什么也不去掉时，答对的题大半应该还答得对：所以拿它和去掉题目里的词时的一半相减。我们的 "
            "skip-gram 读了五份语料，每份最多六十万词，100 维。差向量是有用的：用随课程发布的英文向量，"
            "答对的题是“直接取离‘女人’最近的词”的两到三倍（见第 02 课）。只是它走不到答案：离得最近的词，多半就是算式里原有的词。",
        ),
        experiments=("analogy_words_left_in",),
        shown=outcomes,
        effects=comparison.left_in_against_half,
        hypothesis=Hypothesis(1, CONVENTION),
        effect=("right answers, points", "答对的题（百分点）"),
        names=LEFT_IN,
    ),
    Card(
        key="sgns-language-model",
        lesson=LESSON,
        as_told="false",
        systems=("skip-gram", "language model"),
        claim=(
            "Word2vec is trained on the language-model task: it predicts the words of the context.",
            "word2vec 做的就是语言模型任务：预测上下文里的词。",
        ),
        quoted=(
            "S3",
            (
                "Word2vec is called a tool that learns word vectors with a language model.",
                "说 Word2Vec 是用语言模型做词向量的工具。",
            ),
        ),
        paper=(
            "2013b, section 2.2: logistic regression tells the true word from k draws of noise; "
            "approximating the softmax is given up, for vectors do not need it.",
            "2013b 第 2.2 节：用逻辑回归从 k 个噪声里认出真的那个词；不再去近似 softmax，词向量用不着它。",
        ),
        why=(
            "Probabilities of the next word would add up to 1. These are answers to separate questions, "
            "and nothing makes them do so. Here they are forced to, and compared with a bigram model, the "
            "simplest that has one word to go by; above 0 skip-gram would be the better language model. "
            "The test is lesson 03's, for skip-gram alone.",
            "下一个词的概率加起来应该是 1。这里是一道道互不相干的题，谁也没有要求它们加起来等于 1。我们硬让它们等于 1，"
            "再和二元模型比，那是同样只看一个词的最简单的模型；大于 0 才说明 skip-gram 是更好的语言模型。用的是第 03 "
            "课的检验，只看 skip-gram。",
        ),
        experiments=("glove_is_a_language_model",),
        shown=forced,
        effects=functools.partial(glove.against_bigram, names=("skip-gram",)),
        hypothesis=Hypothesis(
            0.1,
            (
                "a perplexity of a tenth more or less: our convention",
                "困惑度差一成左右，本课的约定",
            ),
        ),
        effect=(
            "log perplexity: a bigram's minus skip-gram's, nats",
            "对数困惑度：二元模型减 skip-gram（奈特）",
        ),
        scale=1.0,
        digits=2,
        names=BELOW_BIGRAM,
    ),
)
