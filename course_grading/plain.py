"""A student's text in a notebook that others open: as it was typed, and nothing more.

nbgrader's form grader renders Markdown, on a page that is not ours, has scripts of its
own and can change every mark. So it gets each text as a block of code, which no
renderer takes for anything else, and below it a link to PAGE, where the text stands as
it was meant (harmless.py).
"""

from __future__ import annotations

import re

PAGE = "answers.htm"  # beside the notebook (record.py)
MORE = f"[with formulas and pictures / 显示公式和图片]({PAGE})"


def plain(text: str) -> str:
    """Return Markdown that shows a text as it was typed, whoever renders it.

    The fence is longer than any in the text.
    """
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(4, longest + 1)
    return f"{fence}\n{text}\n{fence}\n\n{MORE}"


def typed(source: str) -> str:
    """Return the text that a cell shows, as it was typed."""
    fence, _, rest = source.partition("\n")
    end = f"\n{fence}\n\n{MORE}"
    if len(fence) >= 4 and set(fence) == {"`"} and rest.endswith(end):
        return rest.removesuffix(end)
    # Collected by an earlier version, which wrote "&lt;" or a space after "<".
    return re.sub(r"(?:&lt;|< )(?=[A-Za-z/!?])", "<", source)
