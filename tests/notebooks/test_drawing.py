"""Drawings that come up step by step."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from drawing import Drawing


def picture(moving: bool) -> str:
    """Draw two boxes and an arrow, all at once or one after the other."""
    d = Drawing(200, 80)
    if not moving:
        d.arrow(d.box(10, 20, 60, 40, "A").at("right"), (130, 40))
        d.box(130, 20, 60, 40, "B & C")
        return d.svg()
    with d.step(1):
        left = d.box(10, 20, 60, 40, "A")
    with d.step(2):
        d.arrow(left.at("right"), (130, 40))
        d.box(130, 20, 60, 40, "B & C")
    return d.svg()


def test_steps_change_when_a_shape_is_seen_and_not_what_is_seen():
    still, moving = picture(False), picture(True)
    assert "<style>" not in still
    bare = re.sub(r"<style>.*?</style>\n|</?g[^>]*>\n", "", moving, flags=re.DOTALL)
    assert bare == still
    tree = ElementTree.fromstring(moving)
    groups = [g.get("class") for g in tree.iter("{http://www.w3.org/2000/svg}g")]
    assert groups == ["step1", "step2"]
    rules = tree.findtext("{http://www.w3.org/2000/svg}style")
    assert all(f"@keyframes {name} " in rules for name in groups)
    assert rules.strip().endswith("reduce) { [class^=step] { animation: none } }")
