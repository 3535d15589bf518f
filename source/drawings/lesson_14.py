"""Lesson 14: what goes into BERT, and what is read off at its top."""

from drawing import Drawing


def bert_input(t) -> Drawing:
    """A pair of texts with a mask, and the three embeddings that are added.

    A pair of texts in one row of pieces, CLS where did she sit SEP she sat on the MASK
    SEP, and above each piece three learned vectors that are added: for the piece, for
    its segment (A up to the first SEP, then B) and for its position, counted from 0;
    the sum goes through a layer norm into the Transformer.

    一对文本写成一行词片：CLS 她 吃 了 什 么 SEP 她 吃 了 MASK 果 SEP，每个词片上面有
    三个学来的向量相加：词片的、段的（到第一个 SEP 为止是 A，其后是 B）、位置的（从 0
    数起）；三者之和经过层归一化，进入 Transformer。
    """
    d = Drawing(750, 344)
    pieces = t(
        "[CLS] where did she sit [SEP] she sat on the [MASK] [SEP]",
        "[CLS] 她 吃 了 什 么 [SEP] 她 吃 了 [MASK] 果 [SEP]",
    ).split()
    left, right, height = 136, 742, 26
    pitch = (right - left) / len(pieces)
    rows = (
        (234, t("token embedding", "词元嵌入"), "V × D"),
        (186, t("segment embedding", "片段嵌入"), "2 × D"),
        (138, t("positional embedding", "位置嵌入"), t("positions × D", "位置数 × D")),
    )
    for y, name, shape in rows:
        d.text(left - 6, y + 6, name, 12, "end")
        d.text(left - 6, y + 21, shape, 11, "end", faint=True)
    d.text(left - 6, 297, t("word pieces", "词片"), 12, "end")
    segment = "A"
    for k, piece in enumerate(pieces):
        x, middle = left + k * pitch + 2, left + (k + 0.5) * pitch
        kind = "given" if piece in ("[CLS]", "[SEP]") else "word"
        kind = "loss" if piece == "[MASK]" else kind
        d.box(x, 284, pitch - 4, height, piece, kind, size=10.5)
        if piece == "[MASK]":
            d.text(middle, 325, t("was: bank", "原是“苹”"), 12)
        d.arrow((middle, 284), (middle, 261))
        for (y, _, _), label in zip(rows, ("", segment, str(k)), strict=True):
            d.box(x, y, pitch - 4, height, label, "weight", size=12)
            if not label:
                d.cells(middle - 18, y + 8.5, 4, "state", side=9)
            if y < 234:
                d.text(middle, y + 36, "+", 14)
        d.arrow((middle, 138), (middle, 105))
        d.arrow((middle, 78), (middle, 50))
        if piece == "[SEP]":
            segment = "B"
    width = right - left - 4
    d.box(left + 2, 78, width, 26, t("layer norm", "层归一化"), "weight")
    d.box(left + 2, 18, width, 31, "Transformer", "weight")
    d.text(left - 6, 64, "B, T, D", 12, "end", faint=True)
    d.text(left - 6, 114, t("the sum", "三者之和"), 12, "end")
    return d


def bert_heads(t) -> Drawing:
    """One encoder, and which of its outputs each head reads.

    One encoder gives a vector for each piece of the row CLS, A, SEP, B, SEP; in pre-
    training the masked LM reads the masked place and next sentence prediction reads
    CLS; in fine-tuning a new layer reads CLS for the class of one text or a pair, each
    word's first piece for its tag, or all pieces of B for the begin and end of a span.

    同一个编码器给一行里的每个词片一个向量，行里依次是 CLS、A、SEP、B、SEP；预训练时，
    掩码语言模型读被遮住的位置，下一句预测读 CLS；微调时新加一层：单句或句对的类别读
    CLS，序列标注读每个词的第一个词片，片段抽取读 B 的所有词片，给出起点和终点。
    """
    d = Drawing(750, 424)
    pieces = t(
        "[CLS] what flood ##ed [SEP] the old bank [SEP]",
        "[CLS] 什 么 开 门 [SEP] 老 银 行 [SEP]",
    ).split()
    n, left, pitch = len(pieces), 130, t(46, 41.4)
    right = left + n * pitch
    border = pieces.index("[SEP]")
    span = set(range(border + 1, n - 1))
    lanes = (
        (46, t("span", "片段抽取"), span, "D → 2", t("begin, end", "起点，终点")),
        (84, t("tags", "序列标注"), t({1, 2}, {1, 3}), "D → K", t("tag", "标签")),
        (
            122,
            t("one text, a pair", "单句，句对"),
            {0},
            "D → D → K",
            t("class", "类别"),
        ),
        (
            186,
            t("next sentence", "下一句预测"),
            {0},
            "D → D → 2",
            t("B follows A?", "B 接着 A？"),
        ),
        (
            224,
            t("masked LM", "掩码语言模型"),
            {n - 2},
            "D → D → V",
            t("which piece?", "哪个词片？"),
        ),
    )
    middles = [left + (k + 0.5) * pitch for k in range(n)]
    for k, x in enumerate(middles):
        highest = min((y for y, _, read, *_ in lanes if k in read), default=None)
        if highest is not None:
            d.arrow((x, 276), (x, highest), head=False)
    for y, name, read, shape, answer in lanes:
        d.text(left - 8, y + 12, name, 12, "end")
        lane = d.box(left, y, n * pitch, 24)
        for k in read:
            d.box(left + k * pitch + 3, y, pitch - 6, 24, "", "state")
            d.arrow((middles[k], y + 36), (middles[k], y + 25))
        head = d.box(right + 18, y, 82, 24, shape, "weight", dashed=y < 150, size=11)
        d.arrow(lane.at("right"), head.at("left"))
        d.arrow(head.at("right"), (head.x + 100, y + 12))
        d.text(head.x + 104, y + 12, answer, 12, "start")
    for y, name in ((28, t("fine-tuning", "微调")), (168, t("pre-training", "预训练"))):
        d.text(12, y, name, 13, "start", bold=True)
    d.text(right + 60, 28, t("a new layer", "新的一层"), 12, faint=True)
    # The encoder below them.
    for x, piece in zip(middles, pieces, strict=True):
        d.cells(x - 16, 276, 4, "state", side=8)
        d.arrow((x, 304), (x, 285))
        kind = "given" if piece[0] == "[" else "word"
        d.box(x - pitch / 2 + 2, 356, pitch - 4, 26, piece, kind, size=t(10, 11))
        d.arrow((x, 356), (x, 335))
    d.box(
        left, 304, n * pitch, 30, t("BERT: one encoder", "BERT：同一个编码器"), "weight"
    )
    d.text(left - 8, 280, "B, T, D", 12, "end", faint=True)
    d.text(left - 8, 369, t("word pieces", "词片"), 12, "end")
    for a, b, name in ((1, border, "A"), (border + 1, n - 1, "B")):
        d.text((middles[a] + middles[b - 1]) / 2, 394, name, 12)
    d.text(middles[n - 2], 410, t("pre-training: [MASK]", "预训练时：[MASK]"), 12)
    return d
