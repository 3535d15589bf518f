"""Lesson 07: the layers of the biLM are mixed for a task."""

from drawing import Box, Drawing


def scalar_mix(t) -> Drawing:
    """Look, concatenate, weight, sum; grey frozen, green learned.

    Alt: Five steps, one after the other. On the left in grey the frozen biLM with its
    layers 0 to L = 2, which look at a word; each layer lays its forward and backward
    half end to end, 512 numbers; each is multiplied by its share s, the softmax
    of learned weights w; their sum times γ is the ELMo vector, which is laid beside the
    word vector and read by the task’s model. The weights, γ and the task’s model are
    green, for they are learned.
    替代文字：分五步依次出现。左边灰色的是冻结的双向语言模型，第 0 到 L = 2 层都来看一个
    词；每层把正向、反向两半首尾相接，共 512 个数；各层分别乘上份额 s（权重 w 的
    softmax），加起来再乘 γ，就是 ELMo 向量，它和词向量摆在一起，交给任务的模型；权重、
    γ 和任务的模型是绿色的，都要学。
    """
    d = Drawing(760, 428)
    words = t("money in the bank", "她 在 银行 存 钱").split()
    chosen = t(3, 2)
    left, wide, middle = 20, 216, 205
    heights = {2: 110, 1: middle, 0: 300}
    d.text(left + wide / 2, 24, t("biLM: frozen", "双向语言模型：冻结"), 14, bold=True)
    d.text(left + wide / 2, 46, t("L + 1 = 3 layers", "L + 1 = 3 层"), 12, faint=True)
    d.text(400, 24, t("the mix: learned", "混合：要学"), 14, bold=True)
    d.text(400, 46, t("w and γ, 3 + 1 numbers", "w 和 γ，3 + 1 个数"), 12, faint=True)
    d.text(676, 24, t("task: learned", "任务：要学"), 14, bold=True)
    d.box(left, 80, wide, 250, kind="given")
    rows = {k: d.box(left + 14, y - 17, wide - 28, 34) for k, y in heights.items()}
    both = d.frame(Box(568, middle - 60, 15, 188), margin=5)
    with d.step(1):
        for k, word in enumerate(words):
            x = left + 30 + 156 * k / (len(words) - 1)
            d.text(x, 372, word, 14, bold=k == chosen)
            d.arrow((x, 360), (x, 330))
        for layer, name in enumerate(t(
            ["layer 0: token layer", "layer 1", "layer 2"],
            ["第 0 层：词层", "第 1 层", "第 2 层"],
        )):
            y = heights[layer]
            d.text(left + 22, y, name, 11, "start")
            if layer:
                d.arrow((left + wide / 2, y + 78), rows[layer].at("bottom"))
    with d.step(2):
        for layer, y in heights.items():
            for x, way in ((left + 136, "→"), (left + 165, "←")):
                d.cells(x, y - 1, 4, "state", side=7)
                d.text(x + 14, y - 8, way, 10)
            end = rows[layer].at("right")
            d.arrow(end, (317, y), f"h_{{{layer}}} : 512", beside=11)
    shares = {0: 0.18, 1: 0.55, 2: 0.27}  # of lesson 07, section 1
    with d.step(3):
        for layer, y in heights.items():
            node = d.node(330, y, "×")
            written = f"s_{{{layer}}} = {shares[layer]}"
            share = d.box(286, y + 32, 88, 22, written, "weight", size=12)
            d.arrow(share.at("top"), node.at("bottom"))
        d.text(330, 372, "s = softmax(w)", 13)
    with d.step(4):
        total = d.node(440, middle, "Σ", radius=16, size=16)
        for start, side in (((341, 117), "top"), ((343, middle), "left"),
                            ((341, 293), "bottom")):  # fmt: skip
            d.arrow(start, total.at(side))
        scaled = d.node(506, middle, "×")
        gamma = d.box(489, middle + 32, 34, 24, "γ", "weight")
        d.arrow(gamma.at("top"), scaled.at("bottom"))
        d.arrow(total.at("right"), scaled.at("left"))
        elmo = d.cells(568, middle - 60, 8, "state", upright=True, side=15)
        d.arrow(scaled.at("right"), elmo.at("left"), "512")
        d.text(576, middle - 78, "ELMo", 14, bold=True)
    with d.step(5):
        d.cells(568, middle + 68, 4, "given", upright=True, side=15)
        d.text(576, middle + 146, t("word vector, frozen", "词向量（冻结）"), 12)
        says = t("BiLSTM\n\noutput\nlayer", "BiLSTM\n\n输出层")
        model = d.box(636, middle - 50, 100, 100, says, "weight")
        d.arrow((both.x + both.width, middle), model.at("left"))
        d.arrow(model.at("top"), (686, 106))
        d.text(686, 92, t("the task’s answer", "任务的答案"), 12)
    for k, said in enumerate(t(
        ["look", "concatenate", "weight", "sum, scale", "plug in"],
        ["看", "拼接", "加权", "求和、缩放", "接入任务"],
    ), 1):
        with d.step(k):
            d.text((60, 196, 330, 470, 640)[k - 1], 406, f"{k} {said}", 13, bold=True)
    return d
