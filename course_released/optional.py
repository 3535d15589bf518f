"""What a lesson's optional cell asks for: a released model, or one line that brings it.

No lesson needs a released model. Where it is missing the cell prints that line, runs
nothing else and raises nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import course_lib

from .catalogue import EXTRA, MODELS, Model, at_hand


def loaded(t: Callable[[str, str], str], name: str) -> Any | None:
    """Load a released model of the catalogue, or say what brings it and return None.

    t: what `course_lib.start` gave
    """
    if at_hand(name):
        return course_lib.load(name)
    cure = EXTRA
    if isinstance(MODELS[name], Model):
        cure = f"python -m course_lib released {name}"
    print(
        t(
            f"This cell is optional. It needs the released model {name}: {cure}",
            f"这一格可以跳过。它要用到公开发布的模型 {name}，安装命令是 {cure}",
        )
    )
    return None
