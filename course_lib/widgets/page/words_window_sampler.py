"""What the widget WindowSampler says, in both languages."""

from __future__ import annotations

WINDOW_SAMPLER = {
    "en": {
        "sentences": "Sentence",
        "strip": "The sentence: arrow keys move the centre",
        "centre": "centre",
        "window": "window",
        "dynamic": "draw the reach from 1 … window",
        "negatives": "negatives k",
        "t": "threshold t",
        "no_t": "1 (all stay)",
        "power": "power",
        "again": "Draw again",
        "draw": "draw {draw}",
        "reset": "Reset",
        "try": "Try this:",
        "welcome": (
            "The window slides over the sentence: what does one step of training see? "
            "Words are thinned out first; each pair that is left gets k words of noise."
        ),
        "is_centre": ", centre",
        "is_context": ", in the window",
        "is_outside": ", outside",
        "is_dropped": ", dropped in this draw",
        "is_unknown": ", not in the vocabulary",
        "unknown": "rare",
        "key": (
            "Blue: the centre. Framed: in its window. Struck through: dropped in this "
            "draw. Under each word: how likely it is to stay."
        ),
        "pairs": "“{centre}”, reach {reach}: {pairs} pairs, {questions} questions",
        "none_dropped": "“{centre}” was dropped in this draw: no pair",
        "none_unknown": "“{centre}” is not in the vocabulary: no pair",
        "none_alone": "no word is left within reach of “{centre}”: no pair",
        "near": "near it: yes",
        "noise": "noise: no",
        "same": "the true answer itself: it does not count",
        "pairs_note": (
            "The reach counts words that stayed. “Is this word near “{centre}”?” is "
            "asked 1 + k times for each pair."
        ),
        "curve": "Which share of a word's occurrences stays",
        "frequency": "share of the word in the text",
        "curve_alt": "Share that stays, at threshold {t}: {words}.",
        "curve_note": (
            "min(1, √(t / f)). Of this sentence {expected} of {known} words stay on "
            "average; in this draw {kept}."
        ),
        "bars": "How often a word is drawn as noise",
        "bars_axis": "share of the text, share of the noise",
        "bars_alt": (
            "From share of the text to share of the noise at power {power}: {words}."
        ),
        "bars_note": (
            "Circle: share of the text (power 1). Diamond: share of the noise, "
            "count to the power {power}, divided by the sum over {vocabulary} words. "
            "The axis is logarithmic; “×” says how many times as often."
        ),
        "pairs_try": "1 · Every pair",
        "pairs_say": (
            "Nothing is dropped and the reach is always {window}: “{centre}” makes "
            "{pairs} pairs. Slide the centre to the end of the sentence: how many are "
            "left? Then tick “draw the reach”: near words are in the window more often."
        ),
        "thin": "2 · Thin out frequent words",
        "thin_say": (
            "t = {t}. “{frequent}” is {frequent_f} of the text and stays with "
            "{frequent_keep}; “{rare}” is {rare_f} and stays with {rare_keep}. Of "
            "{known} words {expected} stay on average. The window reaches over the "
            "gaps: which pairs are new?"
        ),
        "flat": "3 · Power 1, and then less",
        "flat_say": (
            "At power 1 noise is drawn as words occur: “{common}” {common_f}, "
            "“{scarce}” {scarce_f}. At 0.75: {common_noise} and {scarce_noise}, that "
            "is {common_times}× and {scarce_times}× as often. Slide the power down to "
            "0: what are all {vocabulary} words then?"
        ),
        "title_pairs": "“{centre}”, window {window}, nothing dropped: {pairs} pairs",
        "alt": (
            "With window {window} and nothing dropped “{centre}” makes {pairs} pairs: "
            "{list}. At t = {t} “{frequent}” ({frequent_f} of the text) stays with "
            "probability {frequent_keep}, “{rare}” ({rare_f}) with {rare_keep}. As "
            "noise, power {power} takes “{common}” from {common_f} to {common_noise} "
            "and lifts “{scarce}” from {scarce_f} to {scarce_noise}."
        ),
        "list": ", ",
        "word_share": "“{word}” {share}",
        "word_change": "“{word}” {f} to {p}",
    },
    "zh": {
        "sentences": "句子",
        "strip": "句子：用方向键移动中心词",
        "centre": "中心词",
        "window": "窗口",
        "dynamic": "每次在 1 到窗口之间抽一个半径",
        "negatives": "负样本数 k",
        "t": "阈值 t",
        "no_t": "1（全都留下）",
        "power": "幂次",
        "again": "重新抽",
        "draw": "第 {draw} 次",
        "reset": "还原",
        "try": "试一试：",
        "welcome": (
            "窗口在句子上滑动，训练的一步究竟看到了什么？"
            "先把常见词抽稀，剩下的词两两成对，每一对再配 k 个噪声词。"
        ),
        "is_centre": "，中心词",
        "is_context": "，在窗口里",
        "is_outside": "，在窗口外",
        "is_dropped": "，这一次没留下",
        "is_unknown": "，不在词表里",
        "unknown": "生僻",
        "key": (
            "蓝底：中心词。有框：在窗口里。划掉：这一次没留下。每个词下面是它留下的概率。"
        ),
        "pairs": "“{centre}”：{pairs} 对，{questions} 道判断题（半径 {reach}）",
        "none_dropped": "“{centre}”这一次没留下，一对也没有",
        "none_unknown": "“{centre}”不在词表里，一对也没有",
        "none_alone": "“{centre}”的半径之内没有留下别的词，一对也没有",
        "near": "在附近：是",
        "noise": "噪声：否",
        "same": "正好抽到正确答案，不算",
        "pairs_note": (
            "半径只数留下来的词。每一对要问 1 + k 次：“这个词在“{centre}”附近吗？”"
        ),
        "curve": "一个词每次出现，留下的概率",
        "frequency": "这个词占全文的比例",
        "curve_alt": "阈值 {t} 时留下的概率：{words}。",
        "curve_note": (
            "min(1, √(t / f))。这句话的 {known} 个词平均留下 {expected} 个，"
            "这一次留下 {kept} 个。"
        ),
        "bars": "一个词被抽作噪声的概率",
        "bars_axis": "占全文、占噪声的比例",
        "bars_alt": "幂次 {power} 时，从占全文的比例到占噪声的比例：{words}。",
        "bars_note": (
            "圆圈：占全文的比例（幂次 1）。菱形：占噪声的比例，"
            "即次数的 {power} 次方除以 {vocabulary} 个词的总和。"
            "横轴是对数刻度，“×”后面是变成了原来的多少倍。"
        ),
        "pairs_try": "1 · 成对",
        "pairs_say": (
            "一个词都不丢，半径总是 {window}：“{centre}”得到 {pairs} 对。"
            "把中心词滑到句尾，还剩几对？再勾上“抽一个半径”："
            "越近的词，落在窗口里的次数越多。"
        ),
        "thin": "2 · 抽稀常见词",
        "thin_say": (
            "t = {t}。“{frequent}”占全文 {frequent_f}，留下的概率是 {frequent_keep}；"
            "“{rare}”占 {rare_f}，留下的概率是 {rare_keep}。{known} 个词平均留下 "
            "{expected} 个。窗口会跨过空缺往外伸：多出了哪些对？"
        ),
        "flat": "3 · 从幂次 1 往下",
        "flat_say": (
            "幂次为 1 时，噪声和正文一样分布：“{common}”{common_f}，“{scarce}”"
            "{scarce_f}。幂次 0.75 时是 {common_noise} 和 {scarce_noise}，"
            "分别是原来的 {common_times} 倍和 {scarce_times} 倍。"
            "把幂次一直滑到 0，这 {vocabulary} 个词会变成什么样？"
        ),
        "title_pairs": "窗口 {window}、不丢词时，“{centre}”有 {pairs} 对",
        "alt": (
            "窗口 {window}、不丢词时，“{centre}”得到 {pairs} 对：{list}。t = {t} 时，"
            "“{frequent}”（占全文 {frequent_f}）留下的概率是 {frequent_keep}，"
            "“{rare}”（{rare_f}）是 {rare_keep}。作为噪声，幂次 {power} 把“{common}”从 "
            "{common_f} 降到 {common_noise}，把“{scarce}”从 {scarce_f} 提到 "
            "{scarce_noise}。"
        ),
        "list": "、",
        "word_share": "“{word}”{share}",
        "word_change": "“{word}”从 {f} 到 {p}",
    },
}
