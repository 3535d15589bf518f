"""Chunks are cut by rule: sentences whose chunks a reader can check by eye."""

from __future__ import annotations

import pytest

from course_lib.worlds.chunks import chunk_tags, entity_tags
from course_lib.worlds.notation import Token

ENGLISH = [
    "[NP The/DET very/ADV old/ADJ clocks/NOUN] [VP had/AUX not/PART been/AUX cut/VERB]",
    "[NP she/PRON] [VP wanted/VERB to/PART leave/VERB] [PP on/ADP] [NP Monday/PROPN]",
    "[NP Ben/PROPN] [VP gave/VERB] [NP her/PRON] [NP a/DET map/NOUN] ./PUNCT",
    "[NP her/PRON aunt/NOUN 's/PART boat/NOUN] [VP was/AUX] [ADJP very/ADV wet/ADJ]",
    "[VP slept/VERB] [SBAR because/SCONJ] [NP it/PRON] [VP rained/VERB] [ADVP so/ADV]",
]
CHINESE = [
    "[NP 她/PRON 的/PART 旧/ADJ 船/NOUN] [VP 已经/ADV 卖/VERB 了/PART]",
    "[NP 三个/NUM 苹果/NOUN] [ADJP 很/ADV 红/ADJ] 。/PUNCT",
    "[NP 小芳/PROPN] [PP 在/ADP] [NP 家/NOUN] [VP 不/ADV 想/AUX 吃/VERB]",
]


def read(text: str) -> tuple[list[Token], list[str]]:
    """Read brackets as tokens and tags."""
    tokens, tags, inside = [], [], ""
    for part in text.replace("]", " ]").split():
        if part.startswith("["):
            inside, begins = part[1:], True
        elif part == "]":
            inside = ""
        else:
            word, pos = part.rsplit("/", 1)
            tokens.append(Token(word, pos, word))
            tags.append(f"{'B' if begins else 'I'}-{inside}" if inside else "O")
            begins = False
    return tokens, tags


@pytest.mark.parametrize(
    ("language", "text"),
    [("en", text) for text in ENGLISH] + [("zh", text) for text in CHINESE],
)
def test_chunks(language, text):
    tokens, tags = read(text)
    assert chunk_tags(tokens, language) == tags


def test_entities_are_runs_of_tokens_with_the_same_label():
    labels = ["PER", "PER", None, "LOC", "ORG", "ORG", None]
    tokens = [Token("x", "PROPN", "x", None, label) for label in labels]
    assert entity_tags(tokens) == [
        "B-PER",
        "I-PER",
        "O",
        "B-LOC",
        "B-ORG",
        "I-ORG",
        "O",
    ]
