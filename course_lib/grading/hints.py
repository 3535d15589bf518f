"""Hints, a step at a time: a nudge, where to look, the idea in a small example.

hint()             the next step for the task that was checked last
hint("10.pool")    the next step for this task

The hints of an assignment are in its hints.py, six paragraphs a task: each step in
English, then in Chinese. Where a known mistake explains what went wrong, its sentence
is the nudge. Nothing is told that was not asked for, beyond the nudge; hints cost no
points.
"""

from __future__ import annotations

import inspect
import re
from typing import NamedTuple

from . import library

TITLES = ("a nudge / 提醒一句", "where to look / 看哪里", "the idea / 思路")
MORE = "Stuck? Run hint() in a new cell. / 没有思路？在新单元格里运行 hint()。"


class Step(NamedTuple):
    """One step of the ladder, in both languages."""

    en: str
    zh: str


class Ladder:
    """How many steps each task's hints have been climbed, and what was checked last."""

    def __init__(self) -> None:
        self.given: dict[str, int] = {}
        self.last = ""

    def next(self, name: str) -> str:
        """Return the next step as text; the last one comes again and again."""
        found = steps(name)
        if not found:
            return f"There are no hints for {name}. / {name} 没有提示。"
        at = min(self.given.get(name, 0), len(found) - 1)
        self.given[name] = at + 1
        title = f"Hint {at + 1} of {len(found)} / 提示 {at + 1}/{len(found)}"
        return f"{title}: {TITLES[at]}\n\n{found[at].en}\n\n{found[at].zh}"

    def failed(self, name: str, named: bool, begun: bool) -> str:
        """Return what a failed check adds: the nudge if it is due, and how to go on.

        named: the message names the mistake; begun: the function is not the stub
        """
        self.last = name
        if not steps(name):
            return ""
        if named:
            self.given.setdefault(name, 1)
        nudge = "" if named or not begun or name in self.given else self.next(name)
        return f"{nudge}\n\n{MORE}".strip()


LADDER = Ladder()


def steps(name: str) -> list[Step]:
    """Return the three steps of a task, or none."""
    text = library.table("hints", name[:2]).get(name, "")
    parts = [p for p in re.split(r"\n\s*\n", inspect.cleandoc(text)) if p.strip()]
    return [Step(*pair) for pair in zip(parts[::2], parts[1::2], strict=True)]


def hint(name: str = "") -> None:
    """Print the next hint: for the task checked last, or for the one called name."""
    name = name or LADDER.last
    if not name:
        print("Run a check first. / 请先运行一次检查。")
    else:
        print(LADDER.next(name))
