"""The scoreboard as lessons show it: stored rows as a table, a lesson's own beside it.

What is measured is told in experiments/scoreboard.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from course_lib import data
from course_lib.analysis.senses import by_word, context_average, macro
from course_lib.analysis.statistics import Interval

from . import ledger
from .card_page import table

# In the order of the lessons: a lesson shows the models that are known by then.
KNOWN_BY = {
    "random": "01",
    "majority": "01",
    "TF-IDF": "01",
    "NNLM": "01",
    "CBOW": "02",
    "skip-gram": "02",
    "GloVe": "03",
    "context2vec": "05",
    "biLM, layer 2": "05",  # which TagLM adds
    "biLM": "06",
    "biLM, learned mix": "07",
    "AWD-LSTM": "09",
    "GPT": "13",
    "BERT": "14",
}
FLOOR = "× floor"  # a perplexity over the least one
COSTS = {"parameters": ",.0f", "tokens read": ",.0f", "ms per token": ".3f"}
# What the board of the Chinese lessons calls its columns and lines.
COLUMNS_ZH = {
    "senses": "义项",
    "POS": "词性",
    "names": "命名实体",
    "sentiment 100": "情感，标注 100 条",
    "sentiment 1000": "情感，标注 1,000 条",
    "cloze": "完形填空",
    FLOOR: "下界的几倍",
    "tokens read": "读过的词元数",
    "parameters": "参数个数",
    "ms per token": "每词毫秒",
}
LINES_ZH = {
    "random": "随机向量",
    "majority": "总猜最常见的",
    "layer": "层",
    "block": "块",
    "mean of layers": "各层平均",
    "mean of blocks": "各块平均",
    "learned mix": "学出来的混合",
}


def show_scoreboard(t: Callable[[str, str], str], lesson: str) -> None:
    """Display the stored board, of the models that are known by a lesson: "06"."""
    from IPython.display import HTML, display

    rows = ledger.kept("scoreboard", t)
    if rows:
        rows += on_last_layers(ledger.kept("floor", t), rows)
        rows += ledger.kept("learned_mix", t)
        display(HTML(as_html(rows, t, lesson)))


def on_last_layers(found: list[dict], rows: list[dict]) -> list[dict]:
    """Move a model's rows to the line of its last layer, which predicts."""
    lines = dict.fromkeys(row["model"] for row in rows)
    layers = [name.partition(", ") for name in lines]
    last = {model: (model, *more) for model, *more in layers if "mean" not in more[1]}
    return [row | {"model": "".join(last[row["model"]])} for row in found]


def as_html(rows: list[dict], t: Callable[[str, str], str], lesson: str) -> str:
    """Write the board: a line a model, a column a question of this language."""
    language = t("en", "zh")
    ours = [r for r in rows if r["condition"].endswith(f" {language}")]
    means = ledger.over_seeds(ours, "score")
    columns = dict.fromkeys(r["condition"].removesuffix(f" {language}") for r in ours)
    columns = sorted(columns, key=COSTS.__contains__)  # the scores first
    names = dict.fromkeys(r["model"] for r in ours)
    since = {n: KNOWN_BY.get(n, KNOWN_BY[n.partition(",")[0]]) for n in names}
    known = [n for n in names if since[n] <= lesson]
    lines = []
    order = list(KNOWN_BY)
    for name in sorted(known, key=lambda n: order.index(n.partition(",")[0])):
        line = {t("model", "模型"): t(name, model_zh(name))}
        for column in columns:
            span = means.get((name, f"{column} {language}"))
            line[t(column, COLUMNS_ZH.get(column, column))] = cell_text(column, span)
        lines.append(line)
    return table(lines)


def model_zh(name: str) -> str:
    """Name a model and its layer in Chinese: "GPT, block 1" is "GPT，第 1 块"."""
    model, _, layer = name.partition(", ")
    kind, _, number = layer.rpartition(" ")
    if number.isdigit():
        layer = f"第 {number} {LINES_ZH[kind]}"
    return "，".join(LINES_ZH.get(part, part) for part in (model, layer) if part)


def cell_text(column: str, span: Interval | None) -> str:
    """Write a score in per cent with half its interval; a count or a time as it is."""
    if span is None:
        return ""
    if column in COSTS:
        return f"{span.estimate:{COSTS[column]}}"
    half = (span.high - span.low) / 2
    if column == FLOOR:
        return f"{span.estimate:.2f}" + f" ± {half:.2f}" * (half >= 0.005)
    spread = f" ± {100 * half:.1f}" if 100 * half >= 0.05 else ""
    return f"{100 * span.estimate:.1f}{spread}"


def context_scores(vectors: Any, language: str) -> dict[str, float]:
    """Measure the mean of the static vectors of a sentence's other words.

    vectors: gensim's KeyedVectors. (The word's own static vector is the same in every
    sentence: it can only name the majority.) The means are over words.
    """
    sentences = data.senses(language)
    averages = context_average(vectors, sentences, vectors.vector_size)  # (N, D)
    return macro(by_word(averages, sentences))


def sense_table(
    scores: Mapping[str, dict[str, float]], t: Callable[[str, str], str]
) -> str:
    """Write the scores of some models as an HTML table, the majority last."""
    head = (
        t("averaged over words", "各词平均"),
        t("nearest centroid", "最近质心"),
        t("nearest neighbour", "最近邻"),
    )
    rows = [
        (name, f"{row['nearest_centroid']:.3f}", f"{row['nearest_neighbour']:.3f}")
        for name, row in scores.items()
    ]
    most = f"{next(iter(scores.values()))['majority']:.3f}"
    rows.append((t("always the majority", "总猜多数义项"), most, most))
    return table([dict(zip(head, row, strict=True)) for row in rows])
