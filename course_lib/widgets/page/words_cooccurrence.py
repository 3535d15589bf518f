"""What the widget Cooccurrence says, in both languages; {names} are filled in."""

from __future__ import annotations

COOCCURRENCE = {
    "en": {
        "window": "Window",
        "views": "Show",
        "count": "counts X",
        "log": "log X",
        "beyond": "beyond frequency",
        "reset": "Reset",
        "try": "Try this:",
        "welcome": (
            "Each cell is a pair of words that stood near each other. Choose what the "
            "colour shows, click a cell or move by arrow keys; then change the words "
            "of the table."
        ),
        "map": "Counts of {n} words beside each other; arrow keys move the cell",
        "cell": "{row}, {column}: {value}",
        "never": "never near each other",
        "times": "counted {x}",
        "detail": "X = {x}, log X = {log}; by chance {chance}; weight f(X) = {f}",
        "detail_never": "X = 0: log X does not exist, and f(0) = 0: left out",
        "key_count": "pale: little … full: {high}; grey: never",
        "key_log": "from {low} to {high}, each step of colour a factor; grey: never",
        "key_beyond": (
            "blue: more often than two words of these frequencies would by chance "
            "(full: 50 times), orange: less often; grey: never"
        ),
        "pair": "Words to compare",
        "i": "word i",
        "j": "word j",
        "k": "your k",
        "ratios": "Which word k tells i = {i} from j = {j}?",
        "probe": "k",
        "ratio": "P(k|i) / P(k|j)",
        "ratio_key": (
            "Bars: a factor, to the right for {i}, to the left for {j}. Hollow: fewer "
            "than {few} counts together, hardly evidence."
        ),
        "x_max": "x_max",
        "alpha": "α",
        "curve": (
            "Weight f(x) of a pair against its count x: rises to 1 at x = {x_max}, "
            "power {alpha}; {points}"
        ),
        "point": "({word}, {k}) weighs {f}",
        "axis_x": "count x of a pair",
        "axis_f": "weight f(x)",
        "curve_key": (
            "Grey: how many pairs of the whole vocabulary have such a count "
            "(highest: {highest})."
        ),
        "chosen": "the chosen cell",
        "weights": (
            "Of {pairs} cells that are not 0, {full} weigh 1. Those counted at most "
            "once, {rare} of all, hold {held} of the weight."
        ),
        "groups": "1 · Three looks at a table",
        "groups_say": (
            "Counts first: a few cells outshine the rest. Press “log X”: now the rows "
            "of frequent words stand out. Then “beyond frequency”: within a group two "
            "words are near each other {inside} times as often as by chance, across "
            "groups {across} times."
        ),
        "telling": "2 · Which words tell?",
        "telling_say": (
            "“{high}” speaks for {i} (ratio {high_ratio}), “{low}” for {j} "
            "({low_ratio}); “{even}” comes nearest to 1 ({even_ratio}). The last row "
            "is yours: choose another k, and guess its ratio first."
        ),
        "weightless": "3 · Without weights",
        "weightless_say": (
            "α = 0: all pairs weigh the same, and those counted at most once hold "
            "{flat} of the weight. With α = 0.75 and x_max = 100 they hold {held}. "
            "Move both sliders: who decides what the vectors learn?"
        ),
        "title_map": "beyond frequency: {n} words",
        "title_ratios": "P(k|{i}) / P(k|{j})",
        "alt": (
            "Counts of {n} words near each other: within a group two words are near "
            "each other {inside} times as often as by chance, across groups {across} "
            "times. "
            "Ratios P(k|{i}) / P(k|{j}): {ratios}."
        ),
        "alt_ratio": "{k} {ratio}",
        "list": ", ",
    },
    "zh": {
        "window": "窗口",
        "views": "显示",
        "count": "共现数 X",
        "log": "log X",
        "beyond": "除去词频",
        "reset": "还原",
        "try": "试一试：",
        "welcome": (
            "每一格是两个词，颜色表示它们挨得近的次数。选一种显示方式，点一格，"
            "或者用方向键移动；再换一换右边表里的词。"
        ),
        "map": "{n} 个词两两共现的热力图，用方向键移动",
        "cell": "{row}、{column}：{value}",
        "never": "从未一起出现",
        "times": "共现数 {x}",
        "detail": "X = {x}，log X = {log}；按词频凑巧应有 {chance}；权重 f(X) = {f}",
        "detail_never": "X = 0：没有 log X，而且 f(0) = 0，不参加训练",
        "key_count": "淡：少；浓：多，最深 {high}；灰：从未一起出现",
        "key_log": "从 {low} 到 {high}，颜色每深一点就多一个倍数；灰：从未一起出现",
        "key_beyond": (
            "蓝：比按词频凑巧的更常在一起（最深为 50 倍）；橙：更少；灰：从未一起出现"
        ),
        "pair": "要比较的两个词",
        "i": "词 i",
        "j": "词 j",
        "k": "自选 k",
        "ratios": "哪些词 k 能分辨 i =“{i}”和 j =“{j}”？",
        "probe": "k",
        "ratio": "P(k|i) / P(k|j)",
        "ratio_key": (
            "横条表示倍数：向右偏向“{i}”，向左偏向“{j}”。空心：两边合计不到 {few}，"
            "算不上证据。"
        ),
        "x_max": "x_max",
        "alpha": "α",
        "curve": (
            "权重 f(x) 随共现数 x 变化：到 x = {x_max} 升为 1，指数 {alpha}；{points}"
        ),
        "point": "（{word}，{k}）权重 {f}",
        "axis_x": "一对词的共现数 x",
        "axis_f": "权重 f(x)",
        "curve_key": "灰色：全词表里有多少对词是这个共现数（最高一条 {highest}）。",
        "chosen": "选中的一格",
        "weights": (
            "不为 0 的格子有 {pairs} 个，其中 {full} 的权重是 1。"
            "共现数不超过 1 的占 {rare}，它们分到总权重的 {held}。"
        ),
        "groups": "1 · 一张表，三种看法",
        "groups_say": (
            "先看共现数：几格独大。按“log X”：常用词所在的行和列浮了出来。"
            "再按“除去词频”：同组的两个词在一起的次数是凑巧的 {inside} 倍，"
            "不同组的是 {across} 倍。"
        ),
        "telling": "2 · 哪些词说明问题？",
        "telling_say": (
            "“{high}”偏向“{i}”（比值 {high_ratio}），“{low}”偏向“{j}”"
            "（{low_ratio}）；“{even}”最接近 1（{even_ratio}）。"
            "最后一行归你：换一个 k，先猜猜它的比值。"
        ),
        "weightless": "3 · 不加权会怎样",
        "weightless_say": (
            "α = 0：每对词权重相同，共现数不超过 1 的那些就占了总权重的 {flat}。"
            "取 α = 0.75、x_max = 100，它们只占 {held}。动一动两个滑块："
            "词向量学什么，由谁说了算？"
        ),
        "title_map": "除去词频之后：{n} 个词",
        "title_ratios": "P(k|{i}) / P(k|{j})",
        "alt": (
            "{n} 个词两两共现：同组的两个词在一起的次数是凑巧的 {inside} 倍，"
            "不同组的是 {across} 倍。比值 P(k|{i}) / P(k|{j})：{ratios}。"
        ),
        "alt_ratio": "{k} {ratio}",
        "list": "，",
    },
}
