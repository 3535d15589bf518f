"""Lesson 10: the three stages of ULMFiT."""

from drawing import Drawing


def ulmfit_stages(t) -> Drawing:
    """What the three stages hand on, what is new, and how fast each layer learns.

    Three stacks of layers from left to right, one for each stage of ULMFiT: the
    language model of general text is trained on with the task's text, then its layers
    are copied once more and a new head takes the place of the softmax; in stages 2 and
    3 the learning rate falls by a factor of 2.6 from each layer to the one below (in
    stage 2 the word vectors are also the softmax, and learn as the top), and in stage 3
    one more layer begins to learn in each epoch, the head first.

    从左到右三摞层，是 ULMFiT 的三个阶段：读通用文本的语言模型接着读任务的文本，然后各
    层再复制一次，新的分类头代替 softmax；第 2、3 阶段，每低一层，学习率就除以 2.6（第
    2 阶段的词向量同时是 softmax，按最高层的学习率学）；第 3 阶段从分类头开始，每轮多
    解冻一层。
    """
    d = Drawing(760, 452)
    width, height = 160, 36
    lefts = (16, 248, 480)
    levels = (84, 146, 200, 254, 316)  # top, LSTM 3, 2, 1, words
    titles = (
        (t("1 · general text", "1 · 通用文本"), t("once, for all tasks", "只做一次")),
        (t("2 · the task's text", "2 · 任务的文本"), t("no labels", "不用标签")),
        (t("3 · labels", "3 · 标签"), t("a class for each text", "每条文本一个类别")),
    )
    texts = (
        t("the bank was closed", "银行 昨天 关门"),
        t("a wonderful film", "这 东西 超值"),
        t("a wonderful film", "这 东西 超值"),
    )
    asked = (
        t("the next word", "下一个词"),
        t("the next word", "下一个词"),
        t("class: positive", "类别：好评"),
    )
    words = t("word vectors", "词向量")
    rates = (
        [""] * 5,
        ["0.0040", "0.0015", "0.0006", "0.0002", "0.0040"],
        ["0.0100", "0.0038", "0.0015", "0.0006", "0.0002"],
    )
    stacks = []
    for stage, left in enumerate(lefts):
        x = left + width / 2
        tops = (
            "softmax = " + words,
            "softmax = " + words,
            t("new head, K classes", "新的分类头，K 类"),
        )
        names = [tops[stage], "LSTM 3", "LSTM 2", "LSTM 1", words]
        boxes = []
        for name, rate, y in zip(names, rates[stage], levels, strict=True):
            label = f"{name}\nη = {rate}" if rate else name
            new = stage == 2 and y == levels[0]
            boxes.append(
                d.box(left, y, width, height, label, "weight", dashed=new, size=12)
            )
        shapes = ["160", "400", "400", "160"]
        if stage == 2:
            shapes[0] = t("[last; max; mean] 480", "[末; 最大; 平均] 480")
        for upper, lower, shape in zip(boxes, boxes[1:], shapes, strict=False):
            d.arrow(lower.at("top"), upper.at("bottom"), shape)
        d.text(x, 20, titles[stage][0], 14, bold=True)
        d.text(x, 40, titles[stage][1], 12, faint=True)
        d.text(x, 62, asked[stage], 13)
        d.arrow(boxes[0].at("top"), (x, 72))
        d.text(x, 384, texts[stage], 13)
        d.arrow((x, 374), boxes[-1].at("bottom"))
        stacks.append(boxes)
    for stage in (0, 1):
        for level in range(5):
            if stage == 1 and level == 0:
                continue
            one, other = stacks[stage][level], stacks[stage + 1][level]
            d.arrow(one.at("right"), other.at("left"))
    same = t("copied", "复制")
    d.text(212, 208, same, 11, faint=True)
    d.text(444, 208, same, 11, faint=True)
    notes = (
        t("all random at first;\none rate for all", "起初都是随机的；\n各层学习率相同"),
        t(
            "new words begin as the mean;\ndiscriminative rates",
            "新词从平均开始；\n判别式微调",
        ),
        t(
            "gradual unfreezing,\ndiscriminative rates",
            "逐层解冻；\n判别式微调",
        ),
    )
    for left, note in zip(lefts, notes, strict=True):
        for k, line in enumerate(note.split("\n")):
            d.text(left + width / 2, 414 + 18 * k, line, 12)
    d.text(652, levels[0] - 14, t("learns from", "开始学习"), 11, "start", faint=True)
    for level, y in enumerate(levels):
        label = t(f"epoch {level + 1}", f"第 {level + 1} 轮起")
        d.text(652, y + height / 2, label, 12, "start")
    return d
