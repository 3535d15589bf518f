"""Lesson 06: the bidirectional language model."""

from drawing import EDGES, Drawing


def bilm(t) -> Drawing:
    """Two stacks over one token layer and under one softmax; what is shared."""
    d = Drawing(760, 410)
    words = t("the bank closed early", "银行 昨天 关门 早").split()
    width, gap = 68, 86
    d.box(
        20,
        320,
        720,
        34,
        t(
            "token layer: the characters of a word → a vector (256 numbers); "
            "one for both directions",
            "词层：一个词的字符 → 一个向量（256 个数）；两个方向共用",
        ),
        "weight",
        size=12,
    )
    d.box(
        20,
        88,
        720,
        34,
        t(
            "softmax over the vocabulary; one for both directions",
            "词表上的 softmax；两个方向共用",
        ),
        "weight",
        size=12,
    )
    for side, left in (("→", 40), ("←", 400)):
        forward = side == "→"
        name = (
            t("reads forward: predicts the next word", "前向读：预测下一个词")
            if forward
            else t("reads backward: predicts the word before", "后向读：预测前一个词")
        )
        d.text(left + 1.5 * gap + width / 2 - 6, 22, name, 13, bold=True)
        rows = []
        for layer, y in ((1, 256), (2, 176)):
            boxes = [
                d.box(
                    left + k * gap,
                    y,
                    width,
                    32,
                    f"LSTM {layer} {side}",
                    "state",
                    size=11,
                )
                for k in range(4)
            ]
            for one, other in zip(boxes, boxes[1:], strict=False):
                if forward:
                    d.arrow(one.at("right"), other.at("left"))
                else:
                    d.arrow(other.at("left"), one.at("right"))
            rows.append(boxes)
        for k, word in enumerate(words):
            x = left + k * gap + width / 2
            d.text(x, 390, word, 14)
            d.arrow((x, 378), (x, 356))
            d.arrow((x, 320), rows[0][k].at("bottom"), "256" if k == 3 else "")
            d.arrow(
                rows[0][k].at("top"), rows[1][k].at("bottom"), "256" if k == 3 else ""
            )
            d.arrow(rows[1][k].at("top"), (x, 123), "256" if k == 3 else "")
            d.arrow((x, 87), (x, 68))
            k_asked = k + 1 if forward else k - 1
            asked = words[k_asked] if 0 <= k_asked < 4 else "–"
            d.text(x, 54, asked, 13, faint=not 0 <= k_asked < 4)
    return d


def char_cnn(t) -> Drawing:
    """The token layer: from the bytes of a word to its vector.

    Alt: The bytes of a word between begin and end marks become small vectors; filters
    of widths 1 to 6 slide over them, the maximum over all positions is kept of each,
    and the 1,024 maxima pass a highway layer and a projection to become the token
    vector of 256 numbers.
    替代文字：一个词的字节（前后有词首、词尾标记）各换成小向量；宽度 1 到 6 的卷积核在
    上面滑动，各自只留下所有位置上的最大值；1,024 个最大值经过高速公路层和投影，成为
    256 个数的词层向量。
    """
    d = Drawing(760, 366)
    word = t("banks", "银行")
    raw = t([*"banks", ""], [f"{byte:02X}" for byte in "银行".encode()])[: t(5, 6)]
    begin, end = t(("begin", "end"), ("词首", "词尾"))
    rows = [begin, *raw, end, *[t("pad", "填充")] * t(2, 1)]
    top, step, left = 76, 30, 70
    d.text(88, 24, t(f"bytes of “{word}”", f"“{word}”的字节"), 13, bold=True)
    d.text(88, 44, t("a vector of 16 each", "各换成 16 个数"), 12, faint=True)
    for k, label in enumerate(rows):
        y = top + step * k
        given = label in (begin, end) or k > len(raw) + 1
        d.text(left - 12, y + 8, label, 12 if given else 14, "end", faint=given)
        d.cells(left, y, 6, "given" if k > len(raw) + 1 else "word", side=16)
    if word == "银行":
        for sign, k in (("银", 2), ("行", 5)):
            d.text(16, top + step * k + 8, sign, 14)
    bottom = top + step * len(rows) - 14
    d.text(290, 24, t("filters", "卷积核"), 13, bold=True)
    d.text(290, 44, t("slide over the bytes", "沿着字节滑动"), 12, faint=True)
    d.text(416, 24, t("maximum", "最大值"), 13, bold=True)
    d.text(416, 44, t("over all positions", "在所有位置上取"), 12, faint=True)
    filters = ((1, 64), (2, 64), (3, 128), (4, 256), (5, 256), (6, 256))
    d.box(470, top, 18, bottom - top, kind="state")
    for k, (width, n) in enumerate(filters):
        y = top + k * (bottom - top - 30) / 5
        box = d.box(
            240,
            y,
            100,
            30,
            t(f"width {width} × {n}", f"宽 {width} × {n}"),
            "weight",
            size=12,
        )
        most = d.box(394, y + 2, 44, 26, "max", size=12)
        d.arrow(box.at("right"), most.at("left"))
        d.arrow(most.at("right"), (470, y + 15), str(n))
        if width == 3:  # the rows that it covers at one of its places
            at = top + step * t(2, 1) - 5
            d.route(
                (left - 3, at),
                (left + 99, at),
                (left + 99, at + 86),
                (left - 3, at + 86),
                (left - 3, at - 1),
                head=False,
                wide=2.6,
                color=EDGES["weight"],
            )
            d.arrow((left + 100, at + 43), box.at("left"))
        else:
            d.arrow((left + 102, y + 15), box.at("left"))
    d.box(left - 6, top - 6, 108, bottom - top + 12, dashed=True)
    d.shapes.insert(0, d.shapes.pop())
    d.text(479, top - 14, "1,024", 12, faint=True)
    middle = (top + bottom) / 2
    high = d.box(
        520,
        middle - 32,
        76,
        64,
        t("ReLU,\nhighway\nlayer", "ReLU、\n高速\n公路层"),
        "weight",
        size=12,
    )
    project = d.box(
        634, middle - 32, 62, 64, t("pro-\njection", "投影"), "weight", size=12
    )
    vector = d.cells(734, middle - 56, 7, "word", upright=True, side=16)
    d.arrow((488, middle), high.at("left"))
    d.arrow(high.at("right"), project.at("left"), "1,024")
    d.arrow(project.at("right"), vector.at("left"), "256")
    d.text(750, middle + 78, t("token vector", "词层向量"), 13, "end", bold=True)
    return d
