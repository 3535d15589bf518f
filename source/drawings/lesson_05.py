"""Lesson 05: the LSTM, context2vec, and taggers with a CRF and an adviser."""

from drawing import EDGES, Drawing


def lstm_cell(t) -> Drawing:
    """One step of an LSTM; the memory runs straight through it.

    Alt: In one step of an LSTM the memory runs straight from left to right,
    multiplied by the forget gate f and increased by input gate i times candidate g,
    while all four are computed from z = [x; h] and the output gate o shows tanh of
    the memory as the new state h.
    替代文字：LSTM 的一步：记忆从左到右笔直穿过，只乘上遗忘门 f，再加上输入门 i 与候选
    内容 g 的乘积；三个门和 g 都由 z = [x; h] 算出，输出门 o 让 tanh(m) 露出来，成为新
    的状态 h。
    """
    d = Drawing(760, 440)
    line, gates, bus = 116, 262, 336
    d.box(150, 76, 500, 290, dashed=True)
    d.text(
        400,
        22,
        t(
            "memory: multiplied by f, then added to; no matrix on its way",
            "记忆的路上只有：乘 f，再加；没有矩阵",
        ),
        14,
        bold=True,
    )
    d.text(
        400,
        46,
        t(
            "so the gradient on this path is multiplied by f alone: "
            "near f = 1 it does not vanish",
            "所以沿这条路回传的梯度只乘 f：f 接近 1，梯度就不消失",
        ),
        13,
    )
    xs = {"f": 222, "i": 336, "g": 450, "o": 578}
    names = {
        "f": t("forget gate f", "遗忘门 f"),
        "i": t("input gate i", "输入门 i"),
        "g": t("candidate g", "候选内容 g"),
        "o": t("output gate o", "输出门 o"),
    }
    boxes = {}
    for name, x in xs.items():
        rule = ("tanh" if name == "g" else "σ") + f"(W_{{{name}}} z + b_{{{name}}})"
        boxes[name] = d.box(x - 54, gates, 108, 44, kind="weight")
        d.text(x, gates + 13, names[name], 12)
        d.text(x, gates + 31, rule, 12)
    keep = d.node(xs["f"], line, "⊙")
    add = d.node(393, line, "+")
    new = d.node(393, 200, "⊙")
    show = d.node(xs["o"], 212, "⊙")
    squash = d.box(xs["o"] - 28, 150, 56, 28, "tanh", "plain", size=12)
    thick = {"wide": 3.2, "color": EDGES["state"]}
    d.route((60, line), keep.at("left"), head=False, **thick)
    d.route(keep.at("right"), add.at("left"), head=False, **thick)
    d.route(add.at("right"), (698, line), **thick)
    d.arrow(boxes["f"].at("top"), keep.at("bottom"))
    d.route(boxes["i"].at("top"), (xs["i"], 200), new.at("left"))
    d.route(boxes["g"].at("top"), (xs["g"], 200), new.at("right"))
    d.arrow(new.at("top"), add.at("bottom"))
    d.arrow((xs["o"], line), squash.at("top"))
    d.arrow(squash.at("bottom"), show.at("top"))
    d.arrow(boxes["o"].at("top"), show.at("bottom"))
    d.arrow(show.at("right"), (698, 212))
    join = d.box(90, bus - 13, 40, 26, "[ ; ]")
    d.arrow((60, bus), join.at("left"))
    d.route(join.at("right"), (xs["o"], bus), boxes["o"].at("bottom"))
    for name in "fig":
        d.arrow((xs[name], bus), boxes[name].at("bottom"))
    d.arrow((110, 410), join.at("bottom"))
    d.text(110, 424, t("x_{t}: “bank”", "x_{t}：“银行”"), 14)
    d.text(120, 386, "(B, D)", 11, "start", True)
    d.text(188, bus + 16, "z = [x_{t}; h_{t−1}]", 13, "start")
    for x, y, name in (
        (36, line, "m_{t−1}"),
        (36, bus, "h_{t−1}"),
        (720, line, "m_{t}"),
        (720, 212, "h_{t}"),
    ):
        d.text(x, y, name, 15)
        d.text(x, y + 20, "(B, H)", 11, faint=True)
    d.text(308, line - 16, t("memory m", "记忆单元 m"), 12)
    return d


def context2vec(t) -> Drawing:
    """Two LSTMs read up to the gap; their joined states make the gap's vector.

    Alt: One LSTM reads from the left up to the gap, another from the right down to
    it; an MLP joins their two states into the gap's vector c, which is pulled near
    the vector of the word that stood there and pushed away from those of k = 10 words
    drawn at random.
    替代文字：一个 LSTM 从左边读到空缺为止，另一个从右边读到空缺为止；MLP 把两个状态合
    成空缺的向量 c，让它靠近原来那个词的向量，远离随机抽来的 k = 10 个词的向量。
    """
    d = Drawing(760, 448)
    words = t(
        "<S> she sat on the ? of the river </S>",
        "<S> 她 削 了 一个 ? 给 孩子 吃 </S>",
    ).split()
    gap, pitch, wide = 5, 72, 58
    xs = [56 + pitch * k for k in range(len(words))]
    middle = xs[gap]
    cells = {}
    for k, (x, word) in enumerate(zip(xs, words, strict=True)):
        if k == gap:
            d.box(x - 24, 416, 48, 24, dashed=True)
            continue
        d.text(x, 428, word, 14)
        side = "→" if k < gap else "←"
        cells[k] = d.box(x - wide / 2, 330, wide, 32, f"LSTM {side}", "state", size=11)
        d.arrow(
            (x, 416), cells[k].at("bottom"), "D = 100" if k == len(words) - 1 else ""
        )
    for k in range(gap - 1):
        d.arrow(cells[k].at("right"), cells[k + 1].at("left"))
    for k in range(gap + 1, len(words) - 1):
        d.arrow(cells[k + 1].at("left"), cells[k].at("right"))
    d.cells(middle - 80, 262, 10, "state", side=16)
    for k in (gap - 1, gap + 1):
        d.arrow(cells[k].at("top"), (xs[k], 278))
    d.text(xs[gap - 1] - 8, 304, "H = 128", 11, "end", True)
    d.text(xs[gap + 1] + 8, 304, "H = 128", 11, "start", True)
    mlp = d.box(middle - 110, 192, 220, 32, "MLP: 2H → 2H → ReLU → D", "weight")
    d.arrow((middle, 262), mlp.at("bottom"), "2H = 256")
    c = d.cells(middle - 40, 142, 5, "state", side=16)
    d.arrow(mlp.at("top"), c.at("bottom"), "D = 100")
    d.text(middle, 126, t("c: the gap", "c：空缺"), 12)
    word, drawn = t(("bank", "“treaty”, “of”, …"), ("苹果", "“条约”“的”……"))
    near = d.box(60, 132, 160, 36, t(f"u of “{word}”", f"“{word}” 的 u"), "word")
    far = d.box(580, 132, 160, 36, t(f"u of {drawn}", f"{drawn} 的 u"), "given")
    d.arrow(c.at("left"), near.at("right"))
    d.arrow(c.at("right"), far.at("left"), dashed=True)
    d.text(286, 136, t("near", "靠近"), 13, bold=True)
    d.text(520, 136, t("far", "远离"), 13, bold=True)
    d.text(140, 112, t("the word that stood there", "原来站在那里的词"), 12, faint=True)
    d.text(660, 112, t("k = 10 words drawn", "随机抽来的 k = 10 个词"), 12, faint=True)
    d.text(
        380,
        30,
        t("words that could fill the gap lie near c", "能填进空缺的词，都在 c 附近"),
        14,
        bold=True,
    )
    d.text(
        380,
        54,
        t("loss: ", "损失：") + "− log σ(c · u_{w}) − Σ log σ(− c · u_{n})",
        14,
    )
    return d


def bilstm_crf(t) -> Drawing:
    """A BiLSTM scores tags, a CRF adds scores of neighbouring tags; the best path.

    Alt: A BiLSTM reads three words and a dense layer gives each word an emission
    score for the tags O, B and I; transition scores stand on the lines between
    neighbouring tags, and the thick path O B I has the highest sum, 7.
    替代文字：BiLSTM 读三个字，全连接层给每个字的标签 O、B、I 各打一个发射分数；相邻标
    签之间的连线上是转移分数，粗线 O B I 是总分最高的路径，得 7 分。
    """
    d = Drawing(760, 456)
    words, tags = t("in New York", "在 北 京").split(), "OBI"
    scores = ((3, 0, 0), (0, 1, 1.5), (0, 1, 2))  # of lesson 05, section 2
    xs, ys, radius = (190, 340, 490), (56, 136, 216), 20
    best = (0, 1, 2)
    d.text(90, 20, t("tag", "标签"), 12, faint=True)
    for tag, y in zip(tags, ys, strict=True):
        d.text(90, y, tag, 16, bold=True)
    for k in range(2):
        for i, from_y in enumerate(ys):
            for j, to_y in enumerate(ys):
                start, end = (xs[k] + radius, from_y), (xs[k + 1] - radius, to_y)
                if (i, j) == best[k : k + 2]:
                    d.route(start, end, head=False, wide=4)
                else:
                    d.route(start, end, head=False, wide=1, color="#bbbbbb")
    for k, x in enumerate(xs):
        for j, y in enumerate(ys):
            if best[k] == j:
                d.node(x, y, "", radius=radius + 4)
            d.node(x, y, f"{scores[k][j]:g}", "state", radius, 14)
    dense = d.box(120, 268, 440, 30, t("dense layer", "全连接层"), "weight")
    for k, x in enumerate(xs):
        lstm = d.box(x - 50, 336, 100, 32, "BiLSTM × 2", "state", size=12)
        d.arrow(lstm.at("top"), (x, dense.y + 30), "2H = 200" if k == 2 else "")
        d.arrow(
            (x, dense.y), (x, ys[2] + radius + 4 * (k == 2)), "K = 3" if k == 2 else ""
        )
        if k:
            d.route((x - 100, 346), (x - 50, 346))
            d.route((x - 50, 358), (x - 100, 358))
        d.text(x, 428, words[k], 15)
        d.arrow((x, 416), lstm.at("bottom"))
    d.route((xs[0] - 84, ys[2]), (xs[0] - radius, ys[2]))
    signs = (
        ((xs[0] - 57, 216), -4),
        ((298, 184), -4),
        ((448, 184), -4),
        ((404, 168), 1),
    )
    for (x, y), score in signs:
        d.box(x - 13, y - 9, 26, 18, f"{score:+g}".replace("-", "−"), size=11)
    notes = (
        (t("in the circles: emission scores", "圆圈里：发射分数"), False),
        (t("on the lines: transition scores", "连线上：转移分数"), False),
        (t("(0 where none is written)", "（没写的都是 0）"), False),
        ("", False),
        (t("best path: O B I", "最优路径：O B I"), True),
        ("3 + 1 + (1 + 2) = 7", False),
        ("", False),
        (t("each word’s best: O I I", "各挑最高分：O I I"), True),
        ("3 + (−4 + 1.5) + 2 = 2.5", False),
    )
    for k, (note, bold) in enumerate(notes):
        d.text(546, 56 + 20 * k, note, 13, "start", bold=bold)
    return d


def taglm(t) -> Drawing:
    """The tagger of Peters et al. 2017, and three places for the adviser's states.

    Alt: On the left, from bottom to top, a tagger: characters and word vectors, two
    BiLSTM layers, a dense layer with a CRF, tags; on the right a frozen language
    model in grey, whose states g can be joined to the tagger's input, after its first
    layer, which is the paper's choice, or after its second.
    替代文字：左边从下到上是标注器：字符和词向量、两层 BiLSTM、全连接层与 CRF、标签；
    右边灰色的是冻结的语言模型，它的状态 g 可以拼到三个位置：输入、第一层之后（论文的
    选择）、第二层之后。
    """
    d = Drawing(760, 460)
    words = t("lives in New York", "住 在 北 京").split()
    tags = "OOBI"
    left, wide = 40, 330
    middle = left + wide / 2
    d.text(
        middle, 22, t("tagger: learned from labels", "标注器：从标注学"), 13, bold=True
    )
    xs = [left + 42 + 82 * k for k in range(4)]
    entry = d.box(
        left,
        384,
        wide,
        30,
        t("characters (CNN) 30 ; word vector 100", "字符卷积 30；词向量 100"),
        "weight",
        size=12,
    )
    first = d.box(left, 288, wide, 30, "BiLSTM 1", "weight")
    second = d.box(left, 192, wide, 30, "BiLSTM 2", "weight")
    top = d.box(left, 90, wide, 30, t("dense layer, CRF", "全连接层，CRF"), "weight")
    for x, word, tag in zip(xs, words, tags, strict=True):
        d.text(x, 444, word, 14)
        d.arrow((x, 432), (x, 414))
        d.arrow((x, 90), (x, 68))
        d.text(x, 54, tag, 14)
    joins = []
    for below, above, size in (
        (entry, first, "x"),
        (first, second, "h_{1}"),
        (second, top, "h_{2}"),
    ):
        y = (below.y + above.y + above.height) / 2
        join = d.box(middle - 24, y - 12, 48, 24, "[ ; ]")
        d.arrow(below.at("top"), join.at("bottom"))
        d.arrow(join.at("top"), above.at("bottom"))
        d.text(
            middle - 34,
            y,
            size + (" : 130" if size == "x" else " : 200"),
            12,
            "end",
            True,
        )
        joins.append(join)
    right = 500
    lm = d.box(right, 288, 230, 126, kind="given")
    d.text(
        right + 115, 308, t("language model, frozen", "语言模型，冻结"), 13, bold=True
    )
    for y, name in (
        (326, t("reads forward  →", "前向读 →")),
        (368, t("reads backward  ←", "后向读 ←")),
    ):
        d.box(right + 20, y, 190, 32, name, size=12)
    read = t(
        words, ["住", "在", "北京"]
    )  # the language model reads words, not characters
    for k, word in enumerate(read):
        x = right + 28 + 174 * k / (len(read) - 1)
        d.text(x, 444, word, 14)
        d.arrow((x, 432), (x, 414))
    g = d.cells(right + 67, 247, 6, "given", side=16)
    d.arrow(lm.at("top"), g.at("bottom"), "2 · 256 = 512")
    d.text(right + 172, 255, t("g: its states", "g：顶层状态"), 12, "start", True)
    names = (
        t("input", "输入"),
        t("after first: the paper’s choice", "第一层之后：论文的选择"),
        t("after second", "第二层之后"),
    )
    bus = 470
    for k, (join, name) in enumerate(zip(joins, names, strict=True)):
        y = join.at("right")[1]
        chosen = k == 1
        d.route(
            (bus, 255),
            (bus, y),
            join.at("right"),
            dashed=not chosen,
            wide=2.6 if chosen else 1.3,
        )
        d.text(bus - 8, y - 10, name, 12, "end", bold=chosen)
    d.route(g.at("left"), (bus, 255), head=False, wide=2.6)
    return d
