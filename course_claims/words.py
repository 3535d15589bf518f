"""The words of the verdicts in both languages, and what cards pass around."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from course_lib.analysis.statistics import Interval, t_interval

from .outcome import OUTCOMES, Place

AS_TOLD = {
    "right": "属实",
    "imprecise": "不够准确",
    "false": "不属实",
    "opinion": "见仁见智",
}
ZH = ("重现了", "相反", "不一致", "看不出", "没有测")
IN_OUR_RUNS = dict(zip(OUTCOMES, ZH, strict=True))
Text = tuple[str, str]  # English, Chinese
Rows = list[dict]
Pick = Callable[[str, str], str]  # `t` of a notebook: the text of its edition
Effects = Callable[[Rows], Mapping[Place, Interval]]
Values = dict[Place, dict[int, float]]  # of each place, one value a seed


def without_seeds(values: Values) -> dict[Place, Sequence[float]]:
    """Return the values of each place without saying which seed they are of."""
    return {place: list(of.values()) for place, of in values.items()}


def spans(differences: Values) -> dict[Place, Interval]:
    """Return the mean of each place's seeds, and its 95 % interval."""
    return {place: t_interval(of) for place, of in without_seeds(differences).items()}
