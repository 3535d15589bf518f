"""Lesson 01: the n-gram and the neural language model of 2003."""

from drawing import Drawing


def ngram(t) -> Drawing:
    """A window of three words slides over a sentence; where counts fail, one word less.

    Alt: Above, a window of n = 3 words slides over a sentence, and every run of three
    words is counted; below, the counts of three words give a part D of the
    probability to those of two words, these to those of one, and these to 1/V, where
    all words are alike.
    替代文字：上方，n = 3 的窗口在句子上滑动，每个三词串都计一次数；下方，三词串的计数
    把扣下的一份 D 让给两词串，两词串让给一个词，最后让给 1/V，在那里每个词都一样。
    """
    d = Drawing(740, 388)
    words = t("she put money in the bank", "她 昨天 在 银行 存 钱").split()
    pitch, left, wide = 84, 40, 70
    d.text(
        left,
        22,
        t("count: slide a window of n = 3 words", "计数：滑动 n = 3 个词的窗口"),
        13,
        "start",
        bold=True,
    )
    for row in range(4):
        y = 40 + 34 * row
        for k, word in enumerate(words):
            x = left + k * pitch
            if row <= k < row + 3:
                d.box(x, y, wide, 26, word, "word", dashed=k == row + 2)
            else:
                d.text(x + wide / 2, y + 13, word, 13, faint=True)
        d.text(664, y + 13, " ".join(words[row : row + 3]), 12, "end")
        d.text(680, y + 13, "+ 1", 12, "start", bold=True)
    u, v, w = words[-3:]
    y = 256
    d.text(
        left,
        204,
        t(
            f"ask: how probable is “{w}” after “{u} {v}”?",
            f"提问：“{u} {v}”后面接“{w}”，有多大可能？",
        ),
        13,
        "start",
        bold=True,
    )
    often, kinds = (
        t("how often?", "出现过几次？"),
        t("after how many\ndifferent words?", "在几个不同的\n词后面出现过？"),
    )
    steps = ((f"{u} {v} {w}", often), (f"{v} {w}", kinds), (w, kinds))
    names = (t("3 words", "三词串"), t("2 words", "两词串"), t("1 word", "一个词"), "")
    before = None
    for k, (run, question) in enumerate(
        (*steps, ("1 / V", t("all words alike", "每个词都一样")))
    ):
        x = left + k * 178
        last = k == 3
        box = d.box(x, y, 130, 86, kind="given" if last else "word")
        d.text(x + 65, y + 20, run, 13, bold=True)
        for line, words in enumerate(question.split("\n")):
            d.text(x + 65, y + 46 + 17 * line, words, 12)
        d.text(x + 65, y - 16, names[k], 12, faint=True)
        if before:
            d.arrow(before.at("right"), box.at("left"))
            d.text(x - 24, y + 30, "D", 12, faint=True)
        before = box
    d.text(
        left,
        368,
        t(
            "D: taken off every count seen, handed to the shorter history",
            "D：每个出现过的计数都扣掉一点，交给更短的前文",
        ),
        12,
        "start",
        True,
    )
    return d


def nnlm(t) -> Drawing:
    """The network of Bengio et al. 2003, from four words to the probabilities.

    Alt: From bottom to top, four words are looked up in one table C, their rows laid
    end to end give x, and a hidden layer tanh(d + Hx), an output layer U and a
    softmax over all V words follow; W, which may be left out, leads from x straight
    to the scores.
    替代文字：从下到上，四个词在同一张词向量表 C 里各查出一行，首尾相接成 x，再经过隐
    藏层 tanh(d + Hx)、输出层 U 和词表上全部 V 个词的 softmax；可有可无的 W 从 x 直接
    通到分数。
    """
    d = Drawing(740, 456)
    words = t("the cat is walking", "小猫 在 卧室 里").split()
    middle, pitch, right = 340, 84, 536
    xs = [middle + (k - 1.5) * pitch for k in range(4)]
    x_all = d.box(xs[0] - 45, 310, xs[-1] - xs[0] + 90, 25)
    d.box(
        middle - 180,
        364,
        360,
        32,
        t("table C: V × m, a row for each word", "词向量表 C：V × m，每个词一行"),
        "weight",
    )
    for x, word in zip(xs, words, strict=True):
        d.text(x, 434, word, 14)
        d.arrow((x, 422), (x, 396))
        d.cells(x - 39, 316, 6, side=13)
        d.arrow((x, 364), (x, 335), "m = 60" if x == xs[-1] else "")
    notes = (
        (434, t("the n − 1 = 4 words before", "前面的 n − 1 = 4 个词")),
        (322, t("x: their rows, end to end", "x：四行首尾相接")),
        (247, t("learned: H, d", "学到的参数：H、d")),
        (177, t("learned: U, b", "学到的参数：U、b")),
        (126, t("y: a score for each word", "y：每个词一个分数")),
    )
    for y, note in notes:
        d.text(right, y, note, 12, "start", True)
    hidden = d.box(
        middle - 110,
        230,
        220,
        34,
        t("hidden layer  tanh(d + H x)", "隐藏层  tanh(d + H x)"),
        "weight",
    )
    d.arrow(x_all.at("top"), hidden.at("bottom"), "(n − 1) m = 240")
    output = d.box(
        middle - 110, 160, 220, 34, t("output layer  U", "输出层  U"), "weight"
    )
    d.arrow(hidden.at("top"), output.at("bottom"), "h = 100")
    plus = d.node(middle, 126, "+")
    d.arrow(output.at("top"), plus.at("bottom"))
    softmax = d.box(
        middle - 150,
        62,
        300,
        32,
        t("softmax over all V words", "词表上全部 V 个词的 softmax"),
    )
    d.arrow(plus.at("top"), softmax.at("bottom"), "V = 10,000")
    straight = d.box(60, 160, 70, 34, "W", "weight", dashed=True)
    d.route(
        x_all.at("left"), (95, x_all.at("left")[1]), straight.at("bottom"), dashed=True
    )
    d.route(straight.at("top"), (95, 126), plus.at("left"), dashed=True)
    d.text(104, 112, t("may be left out", "可有可无"), 12, "start", True)
    d.arrow(softmax.at("top"), (middle, 38))
    d.text(middle, 24, t("P(in | the cat is walking)", "P(走 | 小猫 在 卧室 里)"), 14)
    return d
