"""What stands in tables and on pages for instructors, in Chinese."""

from __future__ import annotations

SAID = {
    "student": "学生",
    "last name": "姓",
    "first name": "名",
    "email": "邮箱",
    "out of": "满分",
    "lost by lateness": "迟交扣分",
    "status": "状态",
    "graded": "已评分",
    "repaired": "修复后评分",
    "stopped": "有中断",
    "unreadable": "无法读取",
    "not judged": "还没有评判",
    "not handed in": "没有交",
    "written answer waits": "书面题待评",
}


def said(text: str, language: str) -> str:
    """Return a text of tables and pages in a language: "en" or "zh"."""
    return SAID[text] if language == "zh" else text
