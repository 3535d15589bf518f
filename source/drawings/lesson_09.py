"""Lesson 09: the AWD-LSTM and where its dropouts bite."""

from itertools import pairwise

from drawing import Drawing


def awd_lstm(t) -> Drawing:
    """Three LSTM layers between one table, and what is dropped on the way.

    An AWD-LSTM from bottom to top: words are looked up in a table, go through three
    LSTM layers and are scored with the same table; white cells are dropped, namely a
    word's whole row, the same features at every step before, between and after the
    layers, and single recurrent weights; AR and TAR act on the last layer's outputs.

    AWD-LSTM，从下到上：词在一张表里查出向量，经过三层 LSTM，再用同一张表打分；白格是
    丢掉的，有一个词的整行，有各层之前、之间、之后每一步都相同的特征，还有循环矩阵里的
    个别权重；AR 和 TAR 作用在最后一层的输出上。
    """
    d = Drawing(750, 424)
    words = t("the bank of the river", "打 完 电话 打 车").split()
    width, left, pitch = 72, 196, 90
    middles = [left + k * pitch + width / 2 for k in range(4)]
    end = left + 3 * pitch + width
    note = end + 20
    for y, label in (
        (358, t("look up each word's row", "查出每个词的那一行")),
        (56, t("softmax: a score for every row", "softmax：每一行一个得分")),
    ):
        d.box(20, y, end - 20, 26, label, "weight", size=12)
    # The table, once for both.
    for k, word in enumerate([*dict.fromkeys(words), "…"]):
        y = 194 + 14 * k
        d.text(84, y + 7, word, 11, "end")
        kind = "plain" if word == words[0] else "weight"
        for j in range(4):
            d.cells(92 + 14 * j, y, 1, kind, side=14)
    d.text(120, 156, t("one table", "同一张表"), 13, bold=True)
    d.text(120, 176, "V × 160", 12, faint=True)
    d.arrow((120, 142), (120, 83))
    d.arrow((120, 324), (120, 357))
    d.text(20, 286, t("embedding dropout 0.02:", "嵌入 dropout 0.02："), 12, "start")
    d.text(20, 304, t("a word's row, when read", "读入时丢词的整行"), 12, "start")
    # The layers, bottom to top, with what is dropped on the way.
    for layer, y in ((1, 284), (2, 210), (3, 136)):
        boxes = [
            d.box(left + k * pitch, y, width, 28, f"LSTM {layer}", "state", size=11)
            for k in range(4)
        ]
        for one, other in pairwise(boxes):
            d.arrow(one.at("right"), other.at("left"))
            d.text(one.x + width + 9, y + 4, "U", 11, faint=True)
    for k, x in enumerate(middles):
        d.text(x, 408, words[k], 13)
        d.arrow((x, 399), (x, 385))
        whole = {0, 1, 2, 3} if words[k] == words[0] else {2}
        for y, n, dropped, below, above, shape in (
            (330, 4, whole, 358, 313, "B, T, 160"),
            (256, 6, {1, 4}, 284, 239, "B, T, 400"),
            (182, 6, {0, 3}, 210, 165, "B, T, 400"),
            (108, 4, {1}, 136, 83, "B, T, 160"),
        ):
            d.arrow((x, below), (x, y + 11), head=False)
            for j in range(n):
                kind = "plain" if j in dropped else "state"
                d.cells(x - n * 5.5 + j * 11, y, 1, kind, side=11)
            d.arrow((x, y), (x, above))
            if k == 0:
                d.text(x - 5, (y + above) / 2 + 1, shape, 10, "end", faint=True)
        d.arrow((x, 56), (x, 42))
        d.text(x, 29, words[k + 1], 13)
    # The names of the dropouts, each at its place.
    for y, label in (
        (336, t("input dropout 0.25", "输入 dropout 0.25")),
        (262, t("between layers 0.15", "层间 dropout 0.15")),
        (188, t("between layers 0.15", "层间 dropout 0.15")),
        (114, t("output dropout 0.1", "输出 dropout 0.1")),
    ):
        d.text(note, y, label, 12, "start")
    same = t("the same features at all steps", "每一步丢同样的特征")
    d.text(note, 353, same, 11, "start", faint=True)
    for i, row in enumerate(("10111", "11101", "01111", "11011", "10111")):
        for j, kept in enumerate(row):
            kind = "weight" if kept == "1" else "plain"
            d.cells(note + 8 * j, 204 + 8 * i, 1, kind, side=8)
    d.text(note + 50, 216, "weight-drop 0.2:", 12, "start")
    d.text(note + 50, 233, t("weights of U", "丢 U 的个别权重"), 12, "start")
    d.box(
        note,
        20,
        158,
        60,
        t(
            "added to the loss\nAR: outputs small\nTAR: changes small",
            "加进损失\nAR：输出要小\nTAR：逐步变化要小",
        ),
        "loss",
        size=12,
    )
    d.arrow((middles[3] + 22, 113), (note + 20, 81), bend=-8)
    return d
