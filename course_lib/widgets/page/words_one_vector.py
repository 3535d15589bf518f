"""What the widget OneVector says, in both languages."""

from __future__ import annotations

ONE_VECTOR = {
    "en": {
        "word": "Word",
        "senses": "Show senses",
        "pull": "Give each sentence its word's vector",
        "push": "Back to the contexts",
        "reset": "Reset",
        "map": (
            "Map of {n} sentences with “{word}”: each point is a sentence, the star is "
            "the one vector of “{word}”; arrow keys move from one to the next"
        ),
        "star": "the vector of “{word}”",
        "fact": (
            "All {n} sentences share one star. Whoever sees only the star can do no "
            "better than always answer “{commonest}”: right for {majority} "
            "({most} of {n})."
        ),
        "context": (
            "The words around “{word}” know more: the sense whose mean context is "
            "nearest is right for {centroid} (95% interval {low} to {high}; each "
            "sentence left out of its own mean)."
        ),
        "share": (
            "A point is the mean vector of the sentence's other words. The map shows "
            "{share} of the contexts' variance (one PCA, vectors scaled to length 1); "
            "the star is laid onto it. Cosines and accuracies use all {dimension} "
            "dimensions."
        ),
        "neighbours": "Nearest words of the star, by cosine",
        "neighbour": "word",
        "cosine": "cosine",
        "closest": "closest sense",
        "lead": "lead",
        "tally": (
            "Closest sense: that with whose mean context the word has the highest "
            "cosine; lead: over the next sense. {tally}."
        ),
        "count": "{sense} {count}",
        "hidden": "The senses are hidden.",
        "welcome": (
            "Each point is a sentence, placed by the words around “{word}”; colour and "
            "shape show its sense. Point at one, or use the arrow keys, to read it."
        ),
        "try": "Try this:",
        "one_star": "1 · One star for all",
        "one_star_say": (
            "A static vector does not read the sentence. Give each of the {n} "
            "sentences the vector of “{word}” itself, and all fall on the star: "
            "one spot, {senses} senses."
        ),
        "lost": "2 · The other sense",
        "lost_say": (
            "This “{word}” means “{least}”. But of the {k} nearest words of the star "
            "{top} are closest to “{leader}” and {bottom} to “{least}”. The vector "
            "follows the text it was trained on, not this sentence."
        ),
        "even_say": (
            "This “{word}” means “{least}”. The nearest words of the star do not "
            "agree on one sense: {tally}. Whichever sense you need, the others are in "
            "the way."
        ),
        "blind": "3 · Without the labels",
        "blind_say": (
            "Now the senses are hidden, as they are for a model. Can you tell the "
            "groups apart? In all {dimension} dimensions the contexts name the sense "
            "for {centroid}, the star for {majority}."
        ),
        "title": "“{word}”: {n} sentences, one star",
        "alt": (
            "“{word}” in {n} sentences: {tallied}; all share one star. Static accuracy "
            "{majority}, the share of the commonest sense; by the words around it "
            "{centroid}. Nearest words of the star: {near}; by closest sense: {tally}."
        ),
        "list": ", ",
        "gap": " ",
    },
    "zh": {
        "word": "词",
        "senses": "显示义项",
        "pull": "每句都换成词本身的向量",
        "push": "回到上下文",
        "reset": "还原",
        "map": (
            "含有“{word}”的 {n} 个句子的分布图：每个点是一个句子，"
            "星号是“{word}”唯一的词向量；用方向键逐句移动"
        ),
        "star": "“{word}”的词向量",
        "fact": (
            "{n} 个句子共用一个星号。只看星号，最好也不过一律猜“{commonest}”："
            "猜对 {majority}（{n} 句中的 {most} 句）。"
        ),
        "context": (
            "“{word}”周围的词知道得更多：看哪个义项的平均上下文离它最近，"
            "猜对 {centroid}（95% 区间 {low} 到 {high}；算平均时去掉这一句本身）。"
        ),
        "share": (
            "每个点是句中其余词的向量的平均。图中保留了上下文方差的 {share}"
            "（一次 PCA，向量缩放到长度 1），星号投影到同一平面。"
            "余弦和准确率都用全部 {dimension} 维计算。"
        ),
        "neighbours": "离星号最近的词，按余弦排列",
        "neighbour": "词",
        "cosine": "余弦",
        "closest": "最近的义项",
        "lead": "领先",
        "tally": (
            "最近的义项：这个词与哪个义项的平均上下文余弦最高；"
            "领先：比第二名高多少。{tally}。"
        ),
        "count": "{sense} {count}",
        "hidden": "义项已隐藏。",
        "welcome": (
            "每个点是一个句子，位置由“{word}”周围的词决定，颜色和形状表示义项。"
            "把指针移到点上，或者用方向键，就能读到这一句。"
        ),
        "try": "试一试：",
        "one_star": "1 · 共用一个星号",
        "one_star_say": (
            "静态词向量不看句子。把 {n} 个句子都换成“{word}”本身的向量，"
            "它们就全落在星号上：一个点，{senses} 个义项。"
        ),
        "lost": "2 · 另一个义项",
        "lost_say": (
            "这一句的“{word}”是“{least}”。可是离星号最近的 {k} 个词里，"
            "{top} 个靠近“{leader}”，{bottom} 个靠近“{least}”。"
            "词向量跟着训练语料走，不跟着这一句走。"
        ),
        "even_say": (
            "这一句的“{word}”是“{least}”。离星号最近的词，义项并不一致：{tally}。"
            "不管你要哪个义项，其他义项都混在里面。"
        ),
        "blind": "3 · 去掉标签",
        "blind_say": (
            "现在义项藏起来了，模型看到的就是这样。你还分得出哪些句子是一组吗？在全部 "
            "{dimension} 维里，靠上下文能猜对 {centroid}，只靠星号是 {majority}。"
        ),
        "title": "“{word}”：{n} 个句子，一个星号",
        "alt": (
            "“{word}”的 {n} 个句子：{tallied}；共用一个星号。静态词向量的准确率 "
            "{majority}，就是最常见义项的比例；靠周围的词是 {centroid}。"
            "离星号最近的词：{near}；按最近的义项：{tally}。"
        ),
        "list": "、",
        "gap": "",
    },
}
