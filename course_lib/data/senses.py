"""Sense-annotated sentences: the course's own, and the form that others take."""

from __future__ import annotations

import functools
from pathlib import Path

import course_lib
from course_lib.data import files
from course_lib.data.files import DamagedData, text_lines
from course_lib.text.examples import SenseSentence

COLUMNS = ("word", "sense", "pos", "sentence", "target_index", "cue")
CUES = ("left", "right", "both")


def senses(language: str, folder: Path | None = None) -> list[SenseSentence]:
    """Read the course's sense sentences of a language, "en" or "zh".

    Raises DamagedData that names the file and line of anything malformed.
    """
    if language not in ("en", "zh"):
        raise ValueError(f"language is {language!r}; the course has 'en' and 'zh'")
    path = (folder or course_lib.DATA / "senses") / f"{language}.tsv"
    files.USED[f"senses-{language}"] = path
    with path.open("rb") as raw:
        rows = [line.rstrip("\r\n").split("\t") for line in text_lines(raw, path)]
    if not rows or tuple(rows[0]) != COLUMNS:
        missing = [c for c in COLUMNS if c not in (rows[0] if rows else ())]
        raise DamagedData(
            f"{path}, line 1: the header should be {' '.join(COLUMNS)}, separated by "
            f"tabs; missing: {', '.join(missing) or 'none, but the order differs'}."
        )
    return [_sentence(row, f"{path}, line {n}") for n, row in enumerate(rows[1:], 2)]


def sense_name(word: str, sense: str, language: str) -> str:
    """Name a sense in the language of the page: "fruit" of 苹果 is 水果 in Chinese.

    The sense itself in English, and where there is no Chinese name for it.
    """
    return _chinese_names().get((word, sense), sense) if language == "zh" else sense


@functools.cache
def _chinese_names() -> dict[tuple[str, str], str]:
    """Read the Chinese names of the course's senses, by word and sense."""
    lines = (course_lib.DATA / "senses/names_zh.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in lines.splitlines()[1:]]
    return {(word, sense): name for word, sense, name in rows}


def _sentence(row: list[str], where: str) -> SenseSentence:
    """Check one row and give it names."""
    if len(row) != len(COLUMNS):
        raise DamagedData(
            f"{where}: {len(row)} columns instead of {len(COLUMNS)} "
            f"({', '.join(COLUMNS)}). Are tabs missing?"
        )
    word, sense, pos, sentence, index, cue = row
    tokens = sentence.split(" ")
    if not index.isdigit() or int(index) >= len(tokens):
        raise DamagedData(
            f"{where}: target_index is {index!r}, but the sentence has tokens "
            f"0 to {len(tokens) - 1}."
        )
    if cue not in CUES:
        raise DamagedData(f"{where}: cue is {cue!r}; it is one of {', '.join(CUES)}.")
    return SenseSentence(word, sense, pos, tokens, int(index), cue)
