"""Lesson 02: word2vec."""

import math

from drawing import Drawing


def cbow_skip_gram(t) -> Drawing:
    """Both models of word2vec with negative sampling, bottom to top.

    Alt: Two panels side by side: CBOW looks up the context words, averages their
    vectors and is asked for the centre; skip-gram looks up the centre and is asked
    for each context word; in both, the answer's vector is told from those of k = 5
    noise words by yes-or-no questions.
    替代文字：左右两幅图：CBOW 查出上下文各词的向量，求平均，问中心词；skip-gram 查出
    中心词的向量，逐个问上下文的词；两边都用是非题，把答案的向量和 k = 5 个噪声词的向
    量区分开。
    """
    d = Drawing(760, 440)
    words = t("drank hot coffee from a", "她 端起 杯子 喝 了").split()
    noise = t("treaty, of, …", "条约、的……")
    for left, cbow in ((16, True), (396, False)):
        xs = [left + 34 + 70 * k for k in range(5)]
        middle = xs[2]
        title = (
            t("CBOW: context → centre", "CBOW：上下文 → 中心词")
            if cbow
            else t(
                "skip-gram: centre → each context word",
                "skip-gram：中心词 → 上下文的每个词",
            )
        )
        d.text(middle, 20, title, 13, bold=True)
        d.box(left, 340, 348, 30, t("vectors v: V × D", "词向量 v：V × D"), "weight")
        d.box(
            left,
            148,
            348,
            30,
            t("answers’ vectors v′: V × D", "答案的向量 v′：V × D"),
            "weight",
        )
        for k, (x, word) in enumerate(zip(xs, words, strict=True)):
            given = (k != 2) == cbow
            d.text(x, 412, word, 14, faint=not given)
            if given:
                d.arrow((x, 400), (x, 370))
                read = d.cells(x - 24, 300, 4)
                d.arrow(
                    (x, 340), read.at("bottom"), "D" if k == (4 if cbow else 2) else ""
                )
            if given and cbow:
                start, sum_ = read.at("top"), (middle, 240)
                away = math.dist(start, sum_) / 23  # the circle's edge
                end = [m + (s - m) / away for s, m in zip(start, sum_, strict=True)]
                d.arrow(start, end)
        d.text(middle, 432, t("the centre", "中心词"), 11, faint=True)
        if cbow:
            d.node(middle, 240, t("mean", "平均"), radius=22, size=12)
            start = (middle, 218)
        else:
            start = read.at("top")
        d.arrow(start, (middle, 178), "D = 100")
        asked = [middle - 80] if cbow else [left + 24 + k * 56 for k in range(4)]
        answers = [words[2]] if cbow else words[:2] + words[3:]
        for x, word in zip(asked, answers, strict=True):
            wide = 76 if cbow else 52
            d.box(x - wide / 2 + 2, 80, wide, 28, word, "word")
            d.arrow((x, 148), (x, 108))
            d.text(x, 62, t("yes", "是"), 13, bold=True)
        grey = left + (264 if cbow else 292)
        wide = 132 if cbow else 108
        d.box(grey - wide / 2, 80, wide, 28, noise, "given")
        d.arrow((grey, 148), (grey, 108))
        d.text(
            grey,
            62,
            t("no: k = 5 noise words", "否：k = 5 个噪声词"),
            11 if not cbow else 12,
        )
    d.route((380, 40), (380, 430), head=False, dashed=True, color="#bbbbbb")
    return d
