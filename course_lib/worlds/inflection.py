"""English inflection by rule; exceptions are spelt out in the lexicon."""

from __future__ import annotations

import re


def inflect(spelt: list[str], pos: str) -> dict[str, str]:
    """Name the forms of a word, the first being the one a dictionary lists.

    NOUN `child/children` gives sg, pl. VERB `run/ran/run/running` gives base, pl
    (they run), sg (she runs), past, part, ing; what is left out follows the rule, and a
    fifth form is sg.
    Any other part of speech, and any word not written in Latin letters, has one form.
    """
    word = spelt[0]
    if not word[0].isascii():
        return {"base": word}
    if pos == "NOUN":
        return {"sg": word, "pl": spelt[1] if len(spelt) > 1 else add_s(word)}
    if pos == "VERB":
        past = spelt[1] if len(spelt) > 1 else add_ed(word)
        part = spelt[2] if len(spelt) > 2 else past
        ing = spelt[3] if len(spelt) > 3 else add_ing(word, past)
        singular = spelt[4] if len(spelt) > 4 else add_s(word)
        forms = {"base": word, "pl": word, "sg": singular}
        return forms | {"past": past, "part": part, "ing": ing}
    return {"base": word}


def add_s(word: str) -> str:
    """Return the plural of a noun or the third person of a verb."""
    if re.search(r"[^aeiou]y$", word):
        return word[:-1] + "ies"
    return word + ("es" if re.search(r"(s|x|z|ch|sh)$", word) else "s")


def add_ed(word: str) -> str:
    """Return the regular past tense (a doubled consonant is spelt in the lexicon)."""
    if word.endswith("e"):
        return word + "d"
    return word[:-1] + "ied" if re.search(r"[^aeiou]y$", word) else word + "ed"


def add_ing(word: str, past: str) -> str:
    """Return the -ing form, doubling the consonant where the past tense doubles it."""
    if past == word + word[-1] + "ed":
        return word + word[-1] + "ing"
    if word.endswith("ie"):
        return word[:-2] + "ying"
    silent = word.endswith("e") and not word.endswith(("ee", "oe", "ye"))
    return (word[:-1] if silent else word) + "ing"
