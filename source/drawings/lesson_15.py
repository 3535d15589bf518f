"""Lesson 15: which words each reader sees, and when both sides meet."""

from drawing import Drawing


def who_sees_what(t) -> Drawing:
    """One sentence with a gap, five readers, and where its two sides meet.

    The sentence “she put the … on the stove”, read by five models: CBOW takes the mean
    of the words in its window; a left-to-right LM sees only what stands before the gap;
    a biLM gives two one-sided answers that are multiplied; context2vec joins the states
    of both sides once, in a small network before the answer; in a masked LM all places
    see each other in every layer.

    同一句“她把……放在炉子上”，五个模型来读：CBOW 对窗口里的词取平均；从左到右的语
    言模型只看得见空格前面；双向语言模型给出两个各看一侧的答案，再相乘；context2vec 在
    作答之前用一个小网络把两侧的状态合到一起，只有一次；掩码语言模型里，所有位置在每一
    层都互相看得见。
    """
    d = Drawing(750, 458)
    words = t("she put the ＿ on the stove", "她 把 ＿ 放在 炉子 上").split()
    gap, n = words.index("＿"), len(words)
    left, right = 132, 560
    pitch = (right - left) / n
    middles = [left + (k + 0.5) * pitch for k in range(n)]
    middle = middles[gap]
    near = range(gap - 2, gap + 3)
    before, after, every = range(gap), range(gap + 1, n), range(n)
    readers = (
        (
            t("CBOW\n(window 2)", "CBOW\n（窗口 2）"),
            near,
            t("in a mean,\nwithout order", "在平均里，\n不分次序"),
        ),
        (
            t("left-to-right\nLM", "从左到右的\n语言模型"),
            before,
            t("never: it sees\none side only", "不汇合：\n只看一侧"),
        ),
        (
            t("biLM as a\nproduct", "双向语言模型\n（相乘）"),
            every,
            t("only as two answers:\np · p / p(w)", "只是两个答案：\np · p / p(w)"),
        ),
        (
            "context2vec",
            every,
            t("once, just before\nthe answer", "一次：\n作答之前"),
        ),
        (
            t("masked LM", "掩码\n语言模型"),
            every,
            t("in every layer", "每一层\n都汇合"),
        ),
    )
    d.text(582, 14, t("where the sides meet", "两侧在哪里汇合"), 13, "start", bold=True)
    for row, (name, seen, meet) in enumerate(readers):
        y = 22 + 87 * row
        for label, x, bold in ((name, 12, True), (meet, 582, False)):
            lines = label.split("\n")
            for k, line in enumerate(lines):
                down = 17 * (k - (len(lines) - 1) / 2)
                d.text(x, y + 46 + down, line, 13, "start", bold=bold)
        for k, word in enumerate(words):
            kind = "loss" if k == gap else "word" if k in seen else "plain"
            shown = word if k in seen and k != gap else ""
            if k == gap and row == 4:
                shown = "[MASK]"
            x = middles[k] - pitch / 2 + 3
            d.box(x, y + 58, pitch - 6, 21, shown, kind, kind != "word", size=12)
        # The readers, and what comes out of them over the gap.
        wide, answer = pitch - 6, (middle, y + 13)
        if row == 0:
            mean = d.box(
                middle - wide / 2, y + 24, wide, 22, t("mean", "平均"), size=12
            )
            for k in near:
                if 0 <= k < n and k != gap:
                    side = "left" if k < gap else "right"
                    share = 0.25 if abs(k - gap) == 2 else 0.75
                    d.arrow((middles[k], y + 58), mean.at(side, share))
            d.arrow(mean.at("top"), answer)
        elif row < 4:
            parts = [(before, "LSTM →", "left")]
            parts += [(after, "← LSTM", "right")] if row > 1 else []
            for some, label, side in parts:
                x = middles[some[0]] - pitch / 2 + 3
                bar = d.box(
                    x, y + 24, pitch * len(some) - 6, 22, label, "state", size=12
                )
                for k in some:
                    d.arrow((middles[k], y + 58), (middles[k], y + 47))
                other = "right" if side == "left" else "left"
                inner = 12
                if row == 3:
                    end = (middle - 20 if side == "left" else middle + 20, y + 35)
                else:
                    shift = 0 if row == 1 else -16 if side == "left" else 16
                    at = middle + shift
                    end = (at - inner if side == "left" else at + inner, y + 35)
                    d.box(at - inner, y + 24, 2 * inner, 22, "p", size=13)
                    if row == 2:
                        d.arrow((at, y + 24), (middle + shift / 3, y + 13))
                d.arrow(bar.at(other), end)
            if row == 3:
                d.box(middle - 20, y + 24, 40, 22, t("net", "网络"), "state", size=12)
                d.arrow((middle, y + 24), answer)
        else:
            x = middles[0] - pitch / 2 + 3
            label = t(
                "Transformer: all see all, in each layer",
                "Transformer：每层里都互相看得见",
            )
            bar = d.box(x, y + 24, pitch * n - 6, 22, label, "state", size=12)
            for k in range(n):
                d.arrow((middles[k], y + 58), (middles[k], y + 47))
            d.arrow((middle, y + 24), answer)
        if row in (0, 2, 3, 4):
            d.text(middle, y + 6, "×" if row == 2 else "p", 13)
    return d
