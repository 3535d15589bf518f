"""Lesson 03: GloVe."""

from drawing import EDGES, FAINT, Box, Drawing


def glove(t) -> Drawing:
    """The table of counts as a product of two narrow matrices and two biases.

    Alt: The V by V table log X is approximated by word vectors, V by D, times context
    vectors, D by V, plus a bias for each row and one for each column, with one cell
    marked through all of them; below, the weight f(X) rises from 0 and stays at 1
    from x_max on.
    替代文字：V × V 的共现数表 log X 约等于词向量（V × D）乘上下文向量（D × V），再加
    上每行、每列各一个偏置，其中一格在各个矩阵里都标了出来；下方，权重 f(X) 从 0 上升，
    到 x_max 以后保持为 1。
    """
    d = Drawing(760, 440)
    top, side, thin, row, column = 76, 150, 14, 48, 96
    i, k = t(("summer", "hot"), ("苹果", "好吃"))

    def matrix(x, y, width, height, name, shape, kind):
        box = d.box(x, y, width, height, kind=kind)
        d.text(x + width / 2, 22, name, 13, bold=True)
        d.text(x + width / 2, top + side + 18, shape, 12, faint=True)
        return box

    def mark(box: Box, down=None, along=None):
        """Mark a row, a column or, where they cross, a cell."""
        x = box.x if along is None else box.x + along
        y = box.y if down is None else box.y + down
        width = box.width if along is None else thin
        height = box.height if down is None else thin
        d.shapes.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" '
            f'fill="{EDGES["word"]}" fill-opacity="0.75"/>'
        )

    X = matrix(
        70, top, side, side, t("counts, log X", "共现数 log X"), "V × V", "given"
    )
    w = matrix(276, top, 40, side, t("words w", "词向量 w"), "V × D, D = 50", "weight")
    c = matrix(352, top, side, 40, t("contexts w̃", "上下文向量 w̃"), "D × V", "weight")
    b = matrix(546, top, thin, side, "b", "V", "weight")
    b_ = matrix(594, top, side, thin, "b̃", "V", "weight")
    for x, sign in ((248, "≈"), (334, "·"), (524, "+"), (577, "+")):
        d.text(x, top + side / 2, sign, 20)
    mark(X, row, column)
    mark(w, row)
    mark(c, None, column)
    mark(b, row)
    mark(b_, None, column)
    d.text(60, top + row + 7, i, 13, "end")
    for box in (X, c, b_):
        d.text(box.x + column + 7, top - 14, k, 13)
    d.text(380, 274, "log X_{ik}  ≈  w_{i} · w̃_{k}  +  b_{i}  +  b̃_{k}", 17)
    # The weight, as the released code has it: (x / x_max) ** 0.75, but never above 1.
    x0, y0, reach, high = 130, 414, 260, 68
    curve = [(x0 + reach * s / 40, y0 - high * (s / 40) ** 0.75) for s in range(41)]
    d.route((x0, y0), (x0 + 400, y0))
    d.route((x0, y0), (x0, y0 - 92))
    d.route(*curve, (x0 + 390, y0 - high), head=False, wide=2.4, color=EDGES["word"])
    d.route(
        (x0 + reach, y0), (x0 + reach, y0 - high), head=False, dashed=True, color=FAINT
    )
    d.text(x0 - 10, y0 - high, "1", 12, "end")
    d.text(x0 - 10, y0, "0", 12, "end")
    d.text(x0 + reach, y0 + 14, "x_{max}", 12)
    d.text(x0 + 412, y0, t("count X", "共现数 X"), 12, "start")
    d.text(x0 + 10, y0 - 88, t("weight f(X)", "权重 f(X)"), 13, "start", bold=True)
    d.text(
        x0 + 4,
        y0 + 14,
        t("0: pairs that never met", "0：从没碰过面"),
        12,
        "start",
        True,
    )
    d.text(x0 + 412, y0 - high, t("never more than 1", "最多是 1"), 12, "start", True)
    return d
