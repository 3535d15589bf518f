"""What the widget ScalarMixView says, in both languages."""

from __future__ import annotations

SCALAR_MIX = {
    "en": {
        "word": "Word",
        "formula": "mix = γ · ( {terms} )",
        "s_long": "w of layer {layer}, before the softmax",
        "gamma_long": "γ, the length of the mix",
        "weights": "Weights after the softmax: {weights}",
        "weight": "layer {layer}: {weight}",
        "shift": "Only differences of w count: the same added to all changes nothing.",
        "lengths": (
            "Mean length of the vectors: {lengths}. A longer layer counts for more at "
            "the same weight."
        ),
        "length": "layer {layer}: {length}",
        "every": "Average over all {count} words",
        "single": "Only “{word}”",
        "scored": "Score of",
        "score": (
            "Sense accuracy of the nearest measured mix ({mix}): {score}; always the "
            "commonest sense: {majority}."
        ),
        "triangle": (
            "Triangle of {mixes} measured mixes; each corner is one layer alone; arrow "
            "keys move from mix to mix"
        ),
        "mix": "weights {mix}: {score}",
        "corner": "layer {layer}",
        "scale": "Colour: from {low} (faint) to {high} (strong); layer 0 alone apart.",
        "you": "your mix",
        "best_mark": "best of the measured mixes",
        "learned_mark": "learned by a task",
        "only": "layer {layer} alone",
        "all_equal": "all equal",
        "best": "best measured",
        "learned": "learned",
        "yours": "your mix",
        "rows_key": (
            "Bars: sense accuracy by nearest mean, leave one out, in all {dimension} "
            "dimensions ({n} sentences). Dashed: always the commonest sense. The best "
            "was chosen by the same sentences, which flatters it."
        ),
        "map": "Map of {n} sentences with “{word}”, mixed; arrow keys move to the next",
        "share": (
            "The map shows {share} of the variance of “{word}” in all layers together. "
            "A point of the mix is the mix of its points in the layers, times γ."
        ),
        "reset": "Reset",
        "try": "Try this:",
        "welcome": (
            "ELMo does not hand over one layer but a weighted sum of all. Move the "
            "sliders or press a point of the triangle: what does the task prefer?"
        ),
        "taglm": "1 · Top layer alone",
        "taglm_say": (
            "All weight on layer {last}, as in TagLM: {last_score}. The best single "
            "layer here is layer {top} with {top_score}. A mix can say “this layer” as "
            "well: ELMo contains TagLM."
        ),
        "equal": "2 · All equal",
        "equal_say": (
            "w = 0 for all, so that each layer weighs one third: {equal}. Best of the "
            "{mixes} measured mixes: {best} with {best_score}. How far apart are they?"
        ),
        "gamma": "3 · Turn down γ",
        "gamma_say": (
            "γ halved: every point comes half the way to the middle, and the score "
            "stays, for a cosine knows no length. A network trained on top does notice "
            "the size of its input: that is what γ is for."
        ),
        "title": "Sense accuracy of mixes (mean of {count} words)",
        "bars": "dashed: commonest sense {majority}",
        "alone": "layer {layer} {score}",
        "list": ", ",
        "alt": (
            "Sense accuracy of {mixes} mixes of three layers, averaged over {count} "
            "words. Alone: {alone}. All equal: {equal}. Best measured weights {best}: "
            "{best_score}. Always the commonest sense: {majority}."
        ),
    },
    "zh": {
        "word": "词",
        "formula": "混合 = γ · ( {terms} )",
        "s_long": "第 {layer} 层的 w（softmax 之前）",
        "gamma_long": "γ，混合向量的长度",
        "weights": "softmax 之后的权重：{weights}",
        "weight": "第 {layer} 层 {weight}",
        "shift": "只有 w 之间的差才算数：一齐加上同一个数，什么都不变。",
        "lengths": "各层向量的平均长度：{lengths}。权重相同时，向量长的层占得更多。",
        "length": "第 {layer} 层 {length}",
        "every": "全部 {count} 个词的平均",
        "single": "只看“{word}”",
        "scored": "得分取",
        "score": (
            "最接近的已测混合（{mix}）义项准确率 {score}；"
            "一律猜最常见的义项：{majority}。"
        ),
        "triangle": "三角形里是 {mixes} 种已测的混合，每个角只用一层；用方向键逐个移动",
        "mix": "权重 {mix}：{score}",
        "corner": "第 {layer} 层",
        "scale": "颜色：从 {low}（淡）到 {high}（浓），单用第 0 层不计。",
        "you": "你的混合",
        "best_mark": "已测混合中最好的",
        "learned_mark": "任务学到的",
        "only": "只用第 {layer} 层",
        "all_equal": "三层平均",
        "best": "已测最好",
        "learned": "任务学到",
        "yours": "你的混合",
        "rows_key": (
            "横条：义项准确率（最近的平均向量，留一法），用全部 {dimension} 维计算"
            "（{n} 个句子）。虚线：一律猜最常见的义项。“最好”是用同一批句子挑出来的，"
            "所以偏高。"
        ),
        "map": "“{word}”的 {n} 个句子混合以后的分布图，用方向键逐句移动",
        "share": (
            "图中保留了“{word}”各层合计方差的 {share}。"
            "混合的点就是各层的点按权重相加，再乘以 γ。"
        ),
        "reset": "还原",
        "try": "试一试：",
        "welcome": (
            "ELMo 交出的不是某一层，而是各层的加权和。"
            "拖动滑块，或者按三角形里的一个点：任务喜欢哪种混合？"
        ),
        "taglm": "1 · 只用最上层",
        "taglm_say": (
            "权重全放在第 {last} 层，就是 TagLM 的做法：{last_score}。"
            "这里最好的单层是第 {top} 层，{top_score}。"
            "混合也能只取一层，所以 TagLM 是 ELMo 的特例。"
        ),
        "equal": "2 · 三层平均",
        "equal_say": (
            "w 全是 0，每层各占三分之一：{equal}。"
            "{mixes} 种已测混合里最好的是 {best}，{best_score}。两者差多少？"
        ),
        "gamma": "3 · 调小 γ",
        "gamma_say": (
            "γ 减半，每个点离中心的距离也减半，得分却不变，因为余弦不管长度。"
            "可是接在上面训练的网络分得出输入的大小，γ 就是为它准备的。"
        ),
        "title": "各种混合的义项准确率（{count} 个词的平均）",
        "bars": "虚线：最常见的义项 {majority}",
        "alone": "第 {layer} 层 {score}",
        "list": "，",
        "alt": (
            "三层的 {mixes} 种混合的义项准确率，取 {count} 个词的平均。"
            "只用一层：{alone}。三层平均：{equal}。已测最好的权重 {best}："
            "{best_score}。一律猜最常见的义项：{majority}。"
        ),
    },
}
