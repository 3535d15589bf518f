"""Lesson 13: a block of the Transformer, and GPT's inputs for four kinds of tasks."""

from itertools import pairwise

from drawing import Drawing


def transformer_block(t) -> Drawing:
    """A block from bottom to top, and one head of its attention.

    One of four blocks from bottom to top: layer norm, masked multi-head self-attention,
    layer norm, feed-forward network, and two residual connections that go round them
    and are added; beside it one of the four heads: queries and keys give a table of
    weights whose upper right half is 0, the values are averaged with these weights, and
    the four heads are laid side by side and mixed.

    四个块之一，从下到上：层归一化、带掩码的多头自注意力、层归一化、前馈网络，两条残差
    连接绕过它们再加上；旁边是四个头之一：查询和键给出一张权重表，右上半全是 0，用这些
    权重对值求加权平均，四个头的结果并排放好再混合。
    """
    d = Drawing(740, 448)
    # The block, bottom to top; what stays as it was goes round on the left.
    x, width = 168, 164
    parts = (
        (356, 28, t("layer norm", "层归一化"), "weight"),
        (
            284,
            44,
            t("masked multi-head\nself-attention", "带掩码的\n多头自注意力"),
            "weight",
        ),
        (234, 26, "+", "plain"),
        (174, 28, t("layer norm", "层归一化"), "weight"),
        (102, 44, t("feed-forward", "前馈网络") + "\n192 → 768 → 192", "weight"),
        (52, 26, "+", "plain"),
    )
    boxes = []
    for y, height, label, kind in parts:
        wide, size = (30, 16) if label == "+" else (width, 13)
        boxes.append(d.box(x - wide / 2, y, wide, height, label, kind, size=size))
    for one, other in pairwise(boxes):
        d.arrow(one.at("top"), other.at("bottom"))
    d.arrow((x, 424), boxes[0].at("bottom"))
    d.arrow(boxes[-1].at("top"), (x, 26))
    for below, added in ((402, boxes[2]), (218, boxes[5])):
        y = added.y + added.height / 2
        d.arrow((x, below), (66, below), head=False)
        d.arrow((66, below), (66, y), head=False)
        d.arrow((66, y), added.at("left"))
    d.text(x, 436, "B, T, 192", 12, faint=True)
    d.text(x, 14, "B, T, 192", 12, faint=True)
    for k, part in enumerate(t("residual", "残差\n连接").split("\n")):
        d.text(8, 306 + 16 * k, part, 12, "start")
    d.text(8, 14, t("block 1 of 4", "4 个块之一"), 13, "start", bold=True)
    # Inside its attention: one head of four.
    d.arrow(boxes[1].at("right", 0.1), (300, 100), dashed=True, head=False)
    d.arrow(boxes[1].at("right", 0.9), (300, 372), dashed=True, head=False)
    for k in (3, 2, 1):
        d.box(300 + 6 * k, 98 - 6 * k, 406, 276)
    d.box(300, 98, 406, 276)
    d.text(312, 116, t("head 1 of 4", "4 个头之一"), 13, "start", bold=True)
    given = d.box(
        380,
        396,
        296,
        26,
        t("after the layer norm: T × 192", "层归一化之后：T × 192"),
        "state",
        size=12,
    )
    q, k, v = (
        d.box(left, 336, 60, 26, name, "weight")
        for left, name in ((392, "Q"), (460, "K"), (600, "V"))
    )
    for box in (q, k, v):
        middle = box.x + 30
        d.arrow((middle, given.y), box.at("bottom"))
    words = t("the bank was shut", "银行 昨天 没 开").split()
    side, left, top = 30, 396, 178
    shares = ((1.0,), (0.4, 0.6), (0.1, 0.7, 0.2), (0.1, 0.6, 0.1, 0.2))
    for i, word in enumerate(words):
        d.text(left - 8, top + (i + 0.5) * side, word, 12, "end")
        d.text(left + (i + 0.5) * side, top - 10, word, 11)
        for j in range(4):
            kind = "state" if j <= i else "given"
            d.cells(left + j * side, top + i * side, 1, kind, side=side)
            share = f"{shares[i][j]:.1f}" if j <= i else "0"
            d.text(left + (j + 0.5) * side, top + (i + 0.5) * side, share, 11)
    d.text(left + 60, top - 32, "softmax(Q Kᵀ / √48)", 12)
    bottom, right = top + 4 * side, left + 4 * side
    d.arrow(q.at("top"), (q.x + 30, bottom), "T × 48")
    d.arrow(k.at("top"), (k.x + 30, bottom), "T × 48")
    mean = t("weighted\nmean of V", "V 的\n加权平均")
    taken = d.box(586, 218, 88, 40, mean, "state", size=12)
    d.arrow((right, 238), taken.at("left"), "T × T")
    d.arrow(v.at("top"), taken.at("bottom"), "T × 48")
    beside = t("4 heads side by side, mixed", "4 个头并排，再混合")
    mix = d.box(400, 34, 290, 26, beside, "weight")
    d.arrow(taken.at("top"), (630, 60), "T × 48")
    d.arrow(mix.at("top"), (545, 22))
    d.text(545, 12, "T × 192", 12, faint=True)
    return d


def gpt_inputs(t) -> Drawing:
    """Four kinds of tasks as rows of pieces for one Transformer; dashed is new.

    Four kinds of tasks as rows for one Transformer: classification has one text between
    a start mark and the extract mark, entailment two with a delimiter between;
    similarity writes both orders and adds the two vectors at the extract mark, multiple
    choice writes a row for each answer; new, and dashed, are the delimiter, the extract
    mark and a linear layer on the vector there; in multiple choice a softmax compares
    the rows' scores.

    四类任务都写成行，交给同一个 Transformer：分类是开始标记和提取标记之间的一段文本，
    蕴含是两段，中间隔着分隔标记；相似把两种次序各写一行，提取标记处的两个向量相加；多
    项选择每个答案写一行；新的是分隔标记、提取标记和那里的向量上面的线性层，都画成虚线
    框；多项选择再用 softmax 比较各行的得分。
    """
    d = Drawing(750, 368)
    text, premise, hypothesis, context, *answers = t(
        (
            "a dull film",
            "the bank opened",
            "a bank is open",
            "by the river he",
            "caught a fish",
            "drew money",
        ),
        ("电影 很 闷", "银行 开门 了", "银行 开 着", "他 在 河边", "钓 鱼", "取 钱"),
    )
    pair = [premise, hypothesis]
    tasks = (
        (t("classification", "分类"), [[text]]),
        (t("entailment", "蕴含"), [pair]),
        (t("similarity: both orders", "相似：两种次序"), [pair, pair[::-1]]),
        (t("multiple choice", "多项选择"), [[context, answer] for answer in answers]),
    )
    d.box(456, 24, 96, 332, "", "weight")
    lines = t("Transformer\n4 blocks,\npre-trained", "Transformer\n4 个块，\n预训练过")
    for k, line in enumerate(lines.split("\n")):
        d.text(504, 180 + 18 * k, line, 13, bold=not k)
    new = t("linear\nnew", "线性层\n新的")
    y = 14
    for number, (name, rows) in enumerate(tasks):
        d.text(12, y + 6, name, 13, "start", bold=True)
        y += 20
        heights = []
        for parts in rows:
            pieces = [("<S>", 32, "given"), (parts[0], 120, "word")]
            if len(parts) == 1:
                pieces = [("<S>", 32, "given"), (parts[0], 312, "word")]
            else:
                pieces += [("<DELIM>", 72, "given"), (parts[1], 120, "word")]
            x = 12
            for label, width, kind in [*pieces, ("<EXTRACT>", 84, "given")]:
                fresh = label in ("<DELIM>", "<EXTRACT>")
                box = d.box(x, y, width, 28, label, kind, fresh, size=12)
                x += width
            d.arrow(box.at("right"), (456, y + 14))
            heights.append(y + 14)
            y += 36
        y += 14
        at = sum(heights) / len(heights)
        if number < 3:
            last = d.box(650, at - 18, 60, 36, new, "weight", dashed=True, size=12)
            d.arrow(last.at("right"), (730, at))
            d.text(738, at, "K", 13)
        if number < 2:
            d.arrow((552, at), last.at("left"), "192")
        elif number == 2:
            add = d.box(606, at - 14, 28, 28, "+", size=16)
            for height, share in zip(heights, (0.25, 0.75), strict=True):
                d.arrow((552, height), add.at("left", share), "192")
            d.arrow(add.at("right"), last.at("left"))
        else:
            most = d.box(676, heights[0] - 16, 62, 68, "softmax", size=12)
            d.box(590, most.y, 58, most.height, new, "weight", dashed=True, size=12)
            for height in heights:
                d.arrow((552, height), (590, height), "192")
                d.arrow((648, height), (most.x, height), "1")
    return d
