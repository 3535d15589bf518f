"""Lesson 12: a translator around two language models."""

from itertools import pairwise

from drawing import Box, Drawing


def seq2seq_attention(t) -> Drawing:
    """An encoder, a decoder, attention between them, and what comes from where.

    An encoder with two LSTM layers reads Chinese, a decoder with two LSTM layers writes
    English; the decoder's upper layer asks the encoder's states by attention, what it
    finds is added to the decoder's lower layer, and a softmax chooses the next word;
    word vectors, lower LSTMs and the softmax come from two language models, the rest is
    new.

    编码器用两层 LSTM 读英文，解码器用两层 LSTM 写中文；解码器的上层用注意力询问编码器
    的状态，问到的内容加到解码器的下层输出上，由 softmax 选出下一个词；词向量、下层
    LSTM 和 softmax 来自两个语言模型，其余是新的。
    """
    d = Drawing(760, 458)
    width, pitch = 66, 88
    new = t("new", "新的")
    sides = (
        (
            28,
            t("我们 镇长 道歉", "our mayor apologised"),
            "S",
            t("Chinese LM", "英文语言模型"),
        ),
        (
            404,
            t("<S> our mayor", "<S> 我们 镇长"),
            "T",
            t("English LM", "中文语言模型"),
        ),
    )
    rows = []
    for left, words, length, language in sides:
        end = left + 2 * pitch + width
        state = "h" if length == "S" else "s"
        d.box(left, 370, end - left, 26, t("word vectors", "词向量"), "weight", size=12)
        d.frame(Box(left, 312, end - left, 84), margin=10)
        for k, line in enumerate((t("from the", "来自"), language)):
            d.text(end + 16, 366 + 17 * k, line, 12, "start")
        lower, upper = (
            [
                d.box(left + k * pitch, y, width, height, label, kind, size=12)
                for k in range(3)
            ]
            for y, height, label, kind in (
                (312, 30, "LSTM 1", "weight"),
                (222, 38, f"LSTM 2\n{new}", "plain"),
            )
        )
        for one, other in [*pairwise(lower), *pairwise(upper)]:
            d.arrow(one.at("right"), other.at("left"))
        for k, word in enumerate(words.split()):
            x = left + k * pitch + width / 2
            d.text(x, 430, word, 14)
            d.arrow((x, 420), (x, 397))
            d.arrow((x, 370), lower[k].at("bottom"))
            shape = f"{state}¹: B, {length}, 128" if k == 1 else ""
            d.arrow(lower[k].at("top"), upper[k].at("bottom"), shape)
        rows.append((lower, upper))
    # Attention, for the third word that is written.
    (_, read), (first, last) = rows
    ask = t(
        f"attention, {new}\nα = softmax(q · hᴺ)", "注意力，新的\nα = softmax(q · hᴺ)"
    )
    attention = d.box(28, 122, 242, 42, ask, size=12)
    for k, box in enumerate(read):
        d.arrow(box.at("top"), (box.x + width / 2, 164), f"α{'₁₂₃'[k]}", size=13)
    x = last[2].x + width / 2
    mixed = d.box(x - 33, 124, 66, 38, f"W_o\n{new}", size=12)
    d.arrow(last[2].at("top", 0.25), attention.at("right", 0.85))
    d.text(440, 206, "q = W_q sᴺ", 12, faint=True)
    d.arrow((270, 140), (mixed.x, 140))
    d.text(425, 154, "B, T, 256", 11, faint=True)
    d.text(425, 127, "c = [Σ α h¹; Σ α hᴺ]", 12, faint=True)
    d.arrow(last[2].at("top"), mixed.at("bottom"), "sᴺ", size=12)
    add = d.box(x - 15, 78, 30, 24, "+", size=16)
    d.arrow(mixed.at("top"), add.at("bottom"))
    d.arrow(first[2].at("right"), add.at("right"), bend=-56)
    d.text(701, 200, "s¹", 12, "start", faint=True)
    d.text(701, 182, t("residual", "残差连接"), 12, "start")
    says = t("softmax, from the ", "softmax，来自") + sides[1][3]
    softmax = d.box(x - 110, 36, 220, 26, says, "weight", size=12)
    d.arrow(add.at("top"), softmax.at("bottom"), "B, T, 128")
    d.arrow(softmax.at("top"), (x, 26))
    d.text(x, 15, t("apologised", "道歉"), 14)
    for left, name in ((28, t("encoder", "编码器")), (404, t("decoder", "解码器"))):
        d.text(left + pitch + width / 2, 449, name, 13, bold=True)
    return d
