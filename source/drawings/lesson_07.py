"""Lesson 07: the layers of the biLM are mixed for a task."""

from drawing import Box, Drawing


def scalar_mix(t) -> Drawing:
    """Three layers, three shares, one scale, one vector; grey frozen, green learned.

    Alt: On the left in grey the frozen biLM with its layers 0 to L = 2; each layer of
    a word is multiplied by its share s, the softmax of learned weights w, and their
    sum times γ is the ELMo vector, which is laid beside the word vector and read by
    the task’s model; the weights, γ and the task’s model are green, for they are
    learned.
    替代文字：左边灰色的是冻结的双向语言模型，有第 0 到 L = 2 层；一个词的各层分别乘上
    份额 s（权重 w 的 softmax），加起来再乘 γ，就是 ELMo 向量，它和词向量摆在一起，交
    给任务的模型；权重、γ 和任务的模型是绿色的，都要学。
    """
    d = Drawing(760, 392)
    words = t("money in the bank", "她 在 银行 存 钱").split()
    chosen = t(3, 2)
    left, wide, middle = 20, 216, 205
    d.text(left + wide / 2, 24, t("biLM: frozen", "双向语言模型：冻结"), 14, bold=True)
    d.text(left + wide / 2, 46, t("L + 1 = 3 layers", "L + 1 = 3 层"), 12, faint=True)
    d.text(400, 24, t("the mix: learned", "混合：要学"), 14, bold=True)
    d.text(400, 46, t("w and γ, 3 + 1 numbers", "w 和 γ，3 + 1 个数"), 12, faint=True)
    d.text(676, 24, t("task: learned", "任务：要学"), 14, bold=True)
    d.box(left, 80, wide, 250, kind="given")
    for k, word in enumerate(words):
        x = left + 30 + 156 * k / (len(words) - 1)
        d.text(x, 372, word, 14, bold=k == chosen)
        d.arrow((x, 360), (x, 330))
    names = {
        2: t("layer 2", "第 2 层"),
        1: t("layer 1", "第 1 层"),
        0: t("layer 0: token layer", "第 0 层：词层"),
    }
    total = d.node(440, middle, "Σ", radius=16, size=16)
    shares = {0: 0.18, 1: 0.55, 2: 0.27}  # of lesson 07, section 1
    for layer, y in {2: 110, 1: middle, 0: 300}.items():
        row = d.box(left + 14, y - 17, wide - 28, 34, names[layer], size=12)
        node = d.node(330, y, "×")
        d.arrow(row.at("right"), node.at("left"), f"h_{{{layer}}} : 512", beside=11)
        if layer:
            d.arrow((left + wide / 2, y + 78), row.at("bottom"))
        share = d.box(
            286, y + 32, 88, 22, f"s_{{{layer}}} = {shares[layer]}", "weight", size=12
        )
        d.arrow(share.at("top"), node.at("bottom"))
        side = {2: ("top", 341, 117), 1: ("left", 343, y), 0: ("bottom", 341, 293)}[
            layer
        ]
        d.arrow(side[1:], total.at(side[0]))
    d.text(330, 372, "s = softmax(w)", 13)
    scaled = d.node(506, middle, "×")
    gamma = d.box(489, middle + 32, 34, 24, "γ", "weight")
    d.arrow(gamma.at("top"), scaled.at("bottom"))
    d.arrow(total.at("right"), scaled.at("left"))
    elmo = d.cells(568, middle - 60, 8, "state", upright=True, side=15)
    d.arrow(scaled.at("right"), elmo.at("left"), "512")
    d.text(576, middle - 78, "ELMo", 14, bold=True)
    word = d.cells(568, middle + 68, 4, "given", upright=True, side=15)
    d.text(576, middle + 146, t("word vector, frozen", "词向量（冻结）"), 12)
    both = d.frame(Box(568, middle - 60, 15, 188), margin=5)
    model = d.box(
        636,
        middle - 50,
        100,
        100,
        t("BiLSTM\n\noutput\nlayer", "BiLSTM\n\n输出层"),
        "weight",
    )
    d.arrow((both.x + both.width, middle), model.at("left"))
    d.arrow(model.at("top"), (686, 106))
    d.text(686, 92, t("the task’s answer", "任务的答案"), 12)
    return d
