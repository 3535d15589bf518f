"""What the grader says about limits and files, in Chinese.

Checks and mistakes bring their own sentences in both languages. Why a process was
stopped and why a file could not be read is said in English, in tables and logs; a
student reads both.
"""

from __future__ import annotations

import re
import unicodedata

CHINESE = {
    r"more than (\S+) s of computing": r"计算时间超过 \1 秒",
    r"no answer within (\S+) s": r"\1 秒内没有回答",
    r"more than (\S+) s for all calls": r"这道题的全部调用超过 \1 秒",
    r"more than (\S+) GB of memory": r"内存超过 \1 GB",
    r"more than (\d+) processes": r"进程超过 \1 个",
    r"an answer of (\d+) MB": r"返回的数据有 \1 MB，太大了",
    r"more than (\S+) s for the notebook": r"整个 notebook 超过 \1 秒",
    r"more memory than the judge has": r"占用的内存超过评分器所有的",
    r"stopped too often": r"中断次数太多",
    r"a forged answer \(.*\)": r"返回的不是评分器能读的数据",
    r"the connection was closed": r"连接被关闭了",
    r"the Python process was killed \(out of memory\?\)": (
        r"Python 进程被杀掉了（内存不够？）"
    ),
    r"the Python process crashed": r"Python 进程崩溃了",
    r"the Python process was ended \(exit, or out of memory\)": (
        r"Python 进程结束了（调用了 exit，或内存不够）"
    ),
    r"not a file": r"不是文件",
    r"an empty file": r"空文件",
    r"larger than (\d+) MB": r"大于 \1 MB",
    r"marks of a merge conflict, line (\d+)": r"第 \1 行有合并冲突的标记",
    r"damaged JSON, line (\d+)": r"JSON 在第 \1 行损坏（文件不完整？）",
    r"JSON, but not a notebook": r"是 JSON，但不是 notebook",
    r"JSON, but without cells": r"是 JSON，但没有单元格",
    r"neither UTF-8 nor another known encoding": r"编码不是 UTF-8，也认不出是什么",
    r"it takes too long, or too much memory, to be read": r"读取它太费时间或内存",
    r"texts are shown as typed, too long to render": (
        r"文字太长，排版太慢，按原样显示"
    ),
    r"says (.+) UTC, came (.+) UTC, which counts": (
        r"自称 \1（UTC）交，实际 \2（UTC）到，以后者为准"
    ),
    r"no such notebook was handed in": r"没有交这个 notebook",
    r"another notebook: none of the answers is in it": (
        r"是别的 notebook，里面没有一道题的答案"
    ),
}


def chinese(reason: str) -> str:
    """Return a reason in Chinese; what has no translation stays as it is."""
    for english, said in CHINESE.items():
        if found := re.fullmatch(english, reason):
            return found.expand(said)
    return reason


def visible(text: str) -> str:
    """Return a text whose control characters do nothing but are seen.

    A terminal obeys them: they can move the cursor, change what stands above, or turn
    the direction of writing.
    """
    return "".join(
        repr(c)[1:-1] if c not in "\n\t" and commands(c) else c for c in text
    )


def commands(character: str) -> bool:
    """Tell whether a terminal may do something at a character instead of showing it."""
    kind = unicodedata.category(character)
    turns = unicodedata.bidirectional(character) in DIRECTIONS
    return kind in ("Cc", "Cs", "Zl", "Zp") or turns


DIRECTIONS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
