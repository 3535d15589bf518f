"""What the widgets say, in both languages; {names} are filled in by the widget."""

from __future__ import annotations

SENSE_MAP = {
    "en": {
        "word": "Word",
        "layer": "Layer",
        "play": "▶ Play",
        "pause": "❚❚ Pause",
        "next": "▶ Next layer",
        "reset": "Reset",
        "at": "layer {layer}",
        "between": (
            "between layers {low} and {high}: positions interpolated; "
            "scores and neighbours: layer {near}"
        ),
        "map": (
            "Map of {n} sentences with “{word}”: each point is a sentence; "
            "arrow keys move from one to the next"
        ),
        "share": (
            "The map shows {share} of the variance of all layers together "
            "(one PCA, each layer centred on its own mean). Scores and neighbours "
            "use all {dimension} dimensions."
        ),
        "score": (
            "Layer {layer}: sense accuracy {nearest} by nearest neighbour, "
            "{centroid} by nearest centroid"
        ),
        "majority": "commonest sense {majority}",
        "gauge_key": (
            "Bar: the nearest of the other sentences has the same sense (thin line: "
            "95% interval for {n} sentences). Diamond: the nearest centroid does. "
            "Dashed: always answering the commonest sense."
        ),
        "neighbours": (
            "Nearest sentences at layer {layer} (cosine, {dimension} dimensions)"
        ),
        "cosine": "cosine",
        "sense": "sense",
        "sentence": "sentence",
        "ties": (
            "{ties} sentences are equally near: no order among them, "
            "so that none is named."
        ),
        "welcome": (
            "Each point is a sentence with “{word}”; colour and shape show its sense. "
            "Drag the slider, click a point, or move from point to point by arrow keys."
        ),
        "try": "Try this:",
        "no_context": "1 · Before context",
        "no_context_tied": (
            "Layer 0 reads the word without its sentence. Different vectors among "
            "these {n} sentences: {spots}. Equal vectors are tied, so that the score "
            "is the average over every way to break the ties: {before}."
        ),
        "no_context_free": (
            "At layer 0 the {n} sentences already have {spots} different vectors: "
            "this layer has read more than the word. Its score is {before}."
        ),
        "context": "2 · Add context",
        "context_say": (
            "From layer 0 to layer {best} the score goes from {before} to {after} "
            "(commonest sense: {majority}). Now drag the slider slowly: "
            "which points leave together, and which stay behind?"
        ),
        "wrong": "3 · A wrong neighbour",
        "wrong_say": (
            "This is “{sense}”, but at layer {best} the nearest sentence is about "
            "“{other}”. Read both: what do they share, and where is the cue?"
        ),
        "close": "3 · The closest call",
        "close_say": (
            "This is “{sense}”, and its nearest neighbour agrees; but at layer {best} "
            "a sentence about “{other}” is almost as near. Where is the cue?"
        ),
        "hard": "3 · The hardest sentence",
        "panel": "layer {layer}: {nearest}",
        "title": "“{word}” in {n} sentences: accuracy of the nearest neighbour's sense",
        "alt": (
            "“{word}” in {n} sentences, {senses} senses. Sense accuracy of the nearest "
            "neighbour: {scores}. Always answering the commonest sense: {majority}."
        ),
        "alt_score": "{nearest} at layer {layer}",
        "list": ", ",
        "gap": " ",
    },
    "zh": {
        "word": "词",
        "layer": "层",
        "play": "▶ 播放",
        "pause": "❚❚ 暂停",
        "next": "▶ 下一层",
        "reset": "还原",
        "at": "第 {layer} 层",
        "between": (
            "介于第 {low} 层与第 {high} 层之间：位置是插值；得分和近邻仍取第 {near} 层"
        ),
        "map": "“{word}”的 {n} 个句子的分布图：每个点是一个句子，用方向键逐句移动",
        "share": (
            "图中保留了各层合计方差的 {share}（所有层共用一次 PCA，"
            "每层减去各自的均值）。得分和近邻都用全部 {dimension} 维计算。"
        ),
        "score": "第 {layer} 层：义项准确率，最近邻 {nearest}，最近质心 {centroid}",
        "majority": "最常见义项 {majority}",
        "gauge_key": (
            "横条：其余句子中离它最近的一句义项相同（细线：{n} 个句子的 95% 区间）。"
            "菱形：最近的质心属于同一义项。虚线：一律猜最常见的义项。"
        ),
        "neighbours": "第 {layer} 层的近邻句子（余弦相似度，{dimension} 维）",
        "cosine": "余弦",
        "sense": "义项",
        "sentence": "句子",
        "ties": "有 {ties} 个句子与它一样近，分不出先后，所以不列。",
        "welcome": (
            "每个点是一个含有“{word}”的句子，颜色和形状表示义项。"
            "拖动滑块，点选一个点，或者用方向键逐点移动。"
        ),
        "try": "试一试：",
        "no_context": "1 · 还没有上下文",
        "no_context_tied": (
            "第 0 层只看词，不看句子：{n} 个句子只有 {spots} 个不同的向量。"
            "向量相同就是并列，得分按所有打破并列的方式取平均：{before}。"
        ),
        "no_context_free": (
            "在第 0 层，{n} 个句子就已经有 {spots} 个不同的向量："
            "这一层看到的不只是词本身。得分是 {before}。"
        ),
        "context": "2 · 加入上下文",
        "context_say": (
            "从第 0 层到第 {best} 层，得分由 {before} 变为 {after}"
            "（一律猜最常见的义项：{majority}）。再慢慢拖动滑块："
            "哪些点一起离开，哪些点留在原处？"
        ),
        "wrong": "3 · 认错的近邻",
        "wrong_say": (
            "这一句是“{sense}”，可在第 {best} 层，离它最近的句子却是“{other}”。"
            "两句对照着读：它们有什么共同之处？线索在哪里？"
        ),
        "close": "3 · 最悬的一句",
        "close_say": (
            "这一句是“{sense}”，最近邻也认对了；可在第 {best} 层，"
            "有一句“{other}”几乎一样近。线索在哪里？"
        ),
        "hard": "3 · 最难的一句",
        "panel": "第 {layer} 层：{nearest}",
        "title": "“{word}”的 {n} 个句子：最近邻判断义项的准确率",
        "alt": (
            "“{word}”的 {n} 个句子，{senses} 个义项。用最近邻判断义项的准确率："
            "{scores}。一律猜最常见的义项：{majority}。"
        ),
        "alt_score": "第 {layer} 层 {nearest}",
        "list": "，",
        "gap": "",
    },
}
