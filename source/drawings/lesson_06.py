"""Lesson 06: the bidirectional language model."""

from drawing import Drawing


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
            "token layer: the characters of a word → a vector (128 numbers); "
            "one for both directions",
            "词层：一个词的字符 → 一个向量（128 个数）；两个方向共用",
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
            t("reads forward: predicts the next word", "正向读：预测下一个词")
            if forward
            else t("reads backward: predicts the word before", "反向读：预测前一个词")
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
            d.arrow((x, 320), rows[0][k].at("bottom"), "128" if k == 3 else "")
            d.arrow(
                rows[0][k].at("top"), rows[1][k].at("bottom"), "128" if k == 3 else ""
            )
            d.arrow(rows[1][k].at("top"), (x, 123), "128" if k == 3 else "")
            d.arrow((x, 87), (x, 68))
            k_asked = k + 1 if forward else k - 1
            asked = words[k_asked] if 0 <= k_asked < 4 else "–"
            d.text(x, 54, asked, 13, faint=not 0 <= k_asked < 4)
    return d
