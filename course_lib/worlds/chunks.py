"""Chunks of a sentence, cut by rule from its gold parts of speech.

As in the CoNLL-2000 task (Tjong Kim Sang and Buchholz 2000), whose chunks were also cut
by rule, from parse trees: NP, VP, PP, ADJP, ADVP and SBAR do not overlap, and a PP is
the preposition alone. What no rule covers is outside (O).
"""

from __future__ import annotations

import re

from course_lib.worlds.notation import Token

# One letter a token: the rules below are regular expressions over these.
LETTERS = {
    "DET": "D", "ADJ": "A", "NUM": "M", "NOUN": "N", "PROPN": "N", "PRON": "R",
    "VERB": "V", "AUX": "X", "PART": "T", "ADV": "B", "ADP": "P", "SCONJ": "S",
}  # fmt: skip
OWN_LETTER = {
    "'s": "g", "his": "G", "her": "G", "its": "G", "my": "G", "your": "G",
    "their": "G", "our": "G", "的": "g", "得": "O",
}  # fmt: skip
RULES = {
    # very old clocks; her aunt 's boat; it | had not been sold; wanted to know
    "en": r"(?P<NP>[DGR]?(?:B?[AM])*N+(?:g(?:B?[AM])*N+)*|[GR]|[DM]+)"
    r"|(?P<VP>[XTB]*V(?:[TB]*V)*|X+(?:T|B(?!B*A))*)"
    r"|(?P<ADJP>B*A+)|(?P<ADVP>B+)|(?P<PP>P)|(?P<SBAR>S)",
    # 她 的 旧 船; 三个 苹果; 已经 卖 了; 很 冷
    "zh": r"(?P<NP>(?:[RDMAN]g?)*N|[RDM]+)"
    r"|(?P<VP>[XB]*V[TV]*|X+)"
    r"|(?P<ADJP>B*A+)|(?P<ADVP>B+)|(?P<PP>P)|(?P<SBAR>S)",
}


def chunk_tags(tokens: list[Token], language: str) -> list[str]:
    """Return a tag a token: B-NP where a chunk begins, I-NP inside it, O outside."""
    letters = "".join(map(_letter, tokens))
    tags = ["O"] * len(tokens)
    for found in re.finditer(RULES[language], letters):
        start, end = found.span()
        tags[start:end] = [f"I-{found.lastgroup}"] * (end - start)
        tags[start] = f"B-{found.lastgroup}"
    return tags


def entity_tags(tokens: list[Token]) -> list[str]:
    """Return a tag a token: B-PER, I-PER, B-LOC … by the entity of each; O outside.

    Two names of one type side by side become one.
    """
    before = [None, *(token.entity for token in tokens)]
    return [
        f"{'I' if token.entity == last else 'B'}-{token.entity}"
        if token.entity
        else "O"
        for token, last in zip(tokens, before, strict=False)
    ]


def _letter(token: Token) -> str:
    """Return the letter that stands for a token in the rules."""
    return OWN_LETTER.get(token.word, LETTERS.get(token.pos, "O"))
