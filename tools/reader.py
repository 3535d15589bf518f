"""Speak to whoever types the commands in their own language (a Python 3.6 too)."""

import locale
import os

VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")  # in gettext's order


def language(variables=os.environ):
    """Return "zh" or "en": the first that is set decides, else the system's own.

    `make lab LANGUAGE=zh` sets the first. "C" and "POSIX" name no language.
    """
    found = [variables.get(name, "").lower() for name in VARIABLES]
    found.append((locale.getlocale()[0] or "").lower())  # Windows sets no variable
    for name in found:
        if name.partition(".")[0] not in ("", "c", "posix"):
            return "zh" if name.startswith(("zh", "chinese")) else "en"
    return "en"


def say(en, zh):
    """Print one of two sentences; the English one where a terminal has no Chinese."""
    try:
        print(pick(en, zh), flush=True)
    except UnicodeEncodeError:
        print(en.encode("ascii", "replace").decode(), flush=True)


def pick(en, zh):
    """Return one of two texts."""
    return zh if language() == "zh" else en
