"""Split text into sentences and sentences into tokens, English and Chinese.

A letter and its accent become one character (NFC); what has no width is dropped.
English follows the Penn Treebank's habits, because the corpora and tag sets of
the field do: `don't` is `do n't`, `it's` is `it 's`, `cannot` is `can not`, and
punctuation stands alone. Quotes become straight ("), case is kept. Chinese is
either words (jieba's exact mode) or single characters.
"""

from __future__ import annotations

import logging
import re
import unicodedata

NO_WIDTH = re.compile(  # soft hyphens, zero-width spaces …; halves of a character
    "[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff\ud800-\udfff]"
)
STRAIGHT = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'"})
TITLES = "Mr Mrs Ms Dr Prof Rev Gen Col Capt Lt Sgt Sen Gov Rep Hon St Jr Sr Mt"
SHORT = "vs Inc Ltd Corp Co Bros etc Jan Feb Aug Sept Oct Nov Dec"
ABBREVIATIONS = frozenset(f"{TITLES} {SHORT}".split())
END = r"(?![^\W_])"  # no letter or digit follows
ACCENT = "[\u0300-\u036f]"  # on a letter with which it is no single character
CLITIC = re.compile(
    rf"(?<=\w)(?:n't|'(?:s|m|d|re|ll|ve)){END}"  # do n't, it 's
    rf"|(?<=can)(?<![^\W_]can)not{END}",  # can not
    re.IGNORECASE,
)
TOKEN_EN = re.compile(
    rf"""
      [Nn]'[Tt]{END} | '(?:[SsMmDd]|[Rr][Ee]|[Ll][Ll]|[Vv][Ee]){END}  # n't, 's, 're
    | (?:[A-Za-z]\.){{2,}}                          # U.S., e.g.
    | [A-HJ-Z]\.(?=\s+[A-Z])                       # an initial: J. Smith
    | (?:{"|".join(sorted(ABBREVIATIONS))})\.       # Mr., Inc.
    | \d+(?:[.,:]\d+)+{END}                        # 1,000.5 and 10:30
    # well-known, O'Neill, AT&T
    | [^\W_]+(?:(?:{ACCENT}+[-'&]?|[-'&])[^\W_]+)*{ACCENT}*
    | \.{{2,}} | -{{2,}} | _+ | [^\w\s]             # ..., --, one mark at a time
    """,
    re.VERBOSE,
)
# A sentence ends in . ! or ?, perhaps a closing quote or bracket, then a space
# and something that can begin a sentence.
END_EN = re.compile(r"""[.!?]['")\]]*\s+(?=["'(\[]*[A-Z0-9])""")
PARAGRAPH = re.compile(r"\n\s*\n")
LAST_WORD = re.compile(r"([A-Za-z]+)\.$")
END_ZH = re.compile(
    r"(?<=[。！？!?…；])(?![。！？!?…；”’」』）)])"  # not before a closing quote
    r"|(?<=[。！？!?…][”’」』])|\n"
)


def composed(text: str) -> str:
    """Write accented letters as one character; drop what has no width."""
    return unicodedata.normalize("NFC", NO_WIDTH.sub("", text))


def straighten(text: str) -> str:
    """Write curly quotes, `` and '' as straight quotes, and letters as `composed`."""
    return composed(text).translate(STRAIGHT).replace("``", '"').replace("''", '"')


def words_en(text: str) -> list[str]:
    """Split English text into Penn-style tokens.

    Only white space is lost: the tokens joined give `straighten(text)` without it.
    """
    text = straighten(text)
    if "'" in text or "annot" in text or "ANNOT" in text:  # else nothing to split
        text = CLITIC.sub(r" \g<0>", text)
    return TOKEN_EN.findall(text)


def sentences(text: str, language: str = "en") -> list[str]:
    """Split text into sentences by rule; a blank line always ends one.

    English ends at . ! ? before a capital from A to Z or a digit, but not after an
    abbreviation or an initial; Chinese ends at 。！？…； (and ! ?) or a line's end.
    """
    text = composed(text)
    if language == "zh":
        return [piece.strip() for piece in END_ZH.split(text) if piece.strip()]
    return [s for part in PARAGRAPH.split(text) for s in _sentences_en(part)]


def _sentences_en(paragraph: str) -> list[str]:
    """Split one English paragraph."""
    found, start = [], 0
    for end in END_EN.finditer(paragraph):
        if not _abbreviated(paragraph[max(0, end.start() - 9) : end.start() + 1]):
            found.append(paragraph[start : end.end()].strip())
            start = end.end()
    last = paragraph[start:].strip()
    return found + [last] if last else found


def _abbreviated(before: str) -> bool:
    """Tell whether text ends in an abbreviation ('Mr.') or an initial ('J.')."""
    word = LAST_WORD.search(before)
    if word is None:
        return False
    return word[1] in ABBREVIATIONS or (len(word[1]) == 1 and word[1] != "I")


def words_zh(text: str) -> list[str]:
    """Split Chinese text into words with jieba's exact mode; drop white space."""
    import jieba

    jieba.setLogLevel(logging.WARNING)  # otherwise it reports loading its lexicon
    return [word for word in jieba.cut(composed(text)) if not word.isspace()]


def characters_zh(text: str) -> list[str]:
    """Split Chinese text into characters; drop white space."""
    return [character for character in composed(text) if not character.isspace()]


TOKENISERS = {"en": words_en, "zh": words_zh}
