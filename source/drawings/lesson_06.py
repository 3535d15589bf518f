"""Lesson 06: the character CNN and the bidirectional language model."""

from drawing import Drawing


def bilm(t) -> Drawing:
    """Two stacks over one token layer and under one softmax; what is shared."""
    d = Drawing(720, 470)
    words = ("<S>", "the", "bank", "closed", "</S>") if t("en", "zh") == "en" else (
        "<S>", "银行", "昨天", "关门", "</S>")  # fmt: skip
    xs = [70 + 132 * k for k in range(5)]
    shared = d.box(40, 380, 640, 34, t("token layer (characters → vector), shared by both directions", "词层（字符 → 向量），两个方向共用"), "weight")
    softmax = d.box(40, 56, 640, 34, t("softmax over the vocabulary, shared by both directions", "词表上的 softmax，两个方向共用"), "weight")
    rows = {("f", 1): 320, ("f", 2): 270, ("b", 1): 200, ("b", 2): 150}
    boxes = {}
    for (side, layer), y in rows.items():
        for k, x in enumerate(xs):
            name = ("→" if side == "f" else "←") + " LSTM " + str(layer)
            boxes[side, layer, k] = d.box(x - 38, y - 14, 76, 28, name, "state", size=11)
        for k in range(4):
            left, right = boxes[side, layer, k], boxes[side, layer, k + 1]
            if side == "f":
                d.arrow(left.at("right"), right.at("left"))
            else:
                d.arrow(right.at("left"), left.at("right"))
    for k, (x, word) in enumerate(zip(xs, words, strict=True)):
        d.text(x, 440, word, 14)
        d.arrow((x, 430), (x, 415))
        d.arrow((x - 12, 380), (x - 12, 335))
        d.arrow((x + 52, 380), (x + 52, 206), bend=0)
        d.arrow((x - 12, 305), (x - 12, 285))
        d.arrow((x + 12, 185), (x + 12, 165))
        d.arrow((x + 12, 135), (x + 12, 91))
        d.arrow((x - 50, 262), (x - 50, 91))
    for k, x in enumerate(xs):
        after = words[k + 1] if k + 1 < 5 else "–"
        before = words[k - 1] if k else "–"
        d.arrow((x - 24, 55), (x - 24, 36))
        d.arrow((x + 24, 55), (x + 24, 36))
        d.text(x - 24, 24, after, 11, faint=True)
        d.text(x + 24, 24, before, 11, faint=True)
    return d
