"""Replace a part of some Python code, and keep its lines as an author would set them.

A line that is broken within brackets although it has room is the author's wish, and
stays. One that was broken because it did not fit is joined once it does.
"""

from __future__ import annotations

import ast
import functools
import io
import tokenize
import unicodedata
from typing import NamedTuple

WIDTH = 88
INDENT = 4
OPENING, CLOSING = "([{", ")]}"
# What binds less tightly than a call does, and needs parentheses where a call does not.
LOOSE = (ast.BinOp, ast.IfExp, ast.BoolOp, ast.UnaryOp, ast.Compare, ast.Lambda)
F_STRING_STARTS = getattr(tokenize, "FSTRING_START", None)  # since Python 3.12
F_STRING_ENDS = getattr(tokenize, "FSTRING_END", None)
SPACES = {tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}

Span = tuple[int, int]


class Token(NamedTuple):
    """A token and its place in the text: one for a whole f-string."""

    start: int
    end: int
    kind: int
    text: str


def span(code: str, node: ast.AST) -> Span:
    """Return where a node stands in the text, in characters."""
    lines = code.splitlines(keepends=True)

    def offset(line: int, column: int) -> int:  # a column counts bytes
        before = lines[line - 1].encode("utf-8")[:column].decode("utf-8")
        return sum(map(len, lines[: line - 1])) + len(before)

    start = offset(node.lineno, node.col_offset)
    return start, offset(node.end_lineno, node.end_col_offset)


@functools.lru_cache(maxsize=64)
def tokens(code: str) -> list[Token]:
    """Return the tokens of a text, also where it is only a part of a statement."""
    starts = [0]
    for line in code.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found: list[Token] = []
    depth, begin = 0, 0
    for kind, _, (row, column), (last, stop), _ in tokenize.generate_tokens(
        io.StringIO(code).readline
    ):
        start, end = starts[row - 1] + column, starts[last - 1] + stop
        if kind == F_STRING_STARTS:
            begin, depth = (begin if depth else start), depth + 1
        elif kind == F_STRING_ENDS:
            depth -= 1
            start, kind = begin, tokenize.STRING
        if not depth and kind not in SPACES:
            found.append(Token(start, end, kind, code[start:end]))
    return found


def width(text: str) -> int:
    """Return how many columns a text takes; a Chinese character takes two."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def fits(text: str) -> bool:
    """Say whether no line of a text is too wide."""
    return all(width(line) <= WIDTH for line in text.split("\n"))


# -- a part in the place of the whole --------------------------------------------------


def replaced(code: str, whole: Span, part: Span) -> str:
    """Return the code in which a part of an expression stands for all of it."""
    start, end = whole
    text = code[slice(*part)]
    loose = needs_brackets(code, whole, text)
    if "\n" in text:
        short, both = flat(text), flat(code[start:end])
        room = both and fits(head(code, start) + both + tail(code, end))
        if short and fits(head(code, start) + short + tail(code, end)) and not room:
            text, loose = short, False
    if "\n" in text:
        text = moved(code, whole, part, loose)
    elif "\n" in code[start:end] and below_is_better(code, whole, text):
        text = moved(code, whole, part, loose=True)
    elif loose:
        text = f"({text})"
    after = code[:start] + text + code[end:]
    return joined(code, after, whole, start + len(text))


def below_is_better(code: str, whole: Span, text: str) -> bool:
    """Say whether a text that is too wide gets narrower on a line of its own."""
    before = head(code, whole[0])
    here = before + text + tail(code, whole[1])
    return not fits(here) and indent(before) + INDENT + width(text) < width(here) - 1


def needs_brackets(code: str, whole: Span, text: str) -> bool:
    """Say whether a text is no single thing, and its neighbours could take a part."""
    node = ast.parse(f"({text})", mode="eval").body
    several = sum(t.kind == tokenize.STRING for t in top_level(text)) > 1
    if not isinstance(node, LOOSE) and not (several and "\n" in text):
        return False
    before = [t for t in tokens(code) if t.end <= whole[0] and t.kind != tokenize.NL]
    after = [t for t in tokens(code) if t.start >= whole[1]]
    held = before and before[-1].text in {*OPENING, ","}
    return not (held and after[0].text in {*CLOSING, ","})


def top_level(text: str) -> list[Token]:
    """Return the tokens of an expression that stand in no brackets of its own."""
    depth, found = 0, []
    for token in tokens(f"({text})")[1:-1]:
        depth -= token.text in CLOSING
        if not depth:
            found.append(token)
        depth += token.text in OPENING
    return found


def moved(code: str, whole: Span, part: Span, loose: bool) -> str:
    """Return a part of several lines, set where the whole began."""
    text = code[slice(*part)]
    margin = indent(head(code, whole[0]))
    if loose:
        return f"(\n{shifted(text, code, part, margin + INDENT)}\n{' ' * margin})"
    own = head(code, part[0])
    if text.split("\n")[0][-1] not in OPENING:  # later lines stand below the first
        margin = indent(own) + len(head(code, whole[0])) - len(own)
    return shifted(text, code, part, margin).lstrip()


def shifted(text: str, code: str, part: Span, margin: int) -> str:
    """Return lines whose first is indented by `margin`, and the others with it."""
    if any(t.kind == tokenize.STRING and "\n" in t.text for t in tokens(f"({text})")):
        return " " * margin + text  # a string of several lines is not ours to shift
    by = margin - indent(head(code, part[0]))
    first, *others = text.split("\n")
    lines = [" " * max(0, indent(o) + by) + o.lstrip() for o in others]
    return "\n".join([" " * margin + first, *lines])


def head(code: str, at: int) -> str:
    """Return what stands before this place in its line."""
    return code[code.rfind("\n", 0, at) + 1 : at]


def tail(code: str, at: int) -> str:
    """Return what stands behind this place in its line."""
    return code[at:].split("\n", 1)[0]


def indent(line: str) -> int:
    """Return by how much a line is indented."""
    return len(line) - len(line.lstrip(" "))


# -- lines that have room now ----------------------------------------------------------


def joined(before: str, after: str, whole: Span, end: int) -> str:
    """Join what brackets hold, if it fits now and did not before.

    whole: what was replaced in `before`; in `after` it ends at `end`
    """
    for old, new in affected(before, whole, end - whole[1]):
        text, was = after[slice(*new)], before[slice(*old)]
        if "\n" not in text:
            continue
        alone = text[1:-1].strip().rstrip(",") == after[whole[0] : end]
        for form in (flat, body):
            short, long = form(text), form(was)
            if not short or not fits(head(after, new[0]) + short + tail(after, new[1])):
                continue
            line = long and head(before, old[0]) + long + tail(before, old[1])
            if line and fits(line) and not alone:
                break  # it had room: the author wanted several lines
            return after[: new[0]] + short + after[new[1] :]
    return after


def affected(code: str, whole: Span, longer: int) -> list[tuple[Span, Span]]:
    """Return the brackets around a place, and those that open later in its line.

    Each is a pair: where it is, and where it will be when the whole has become longer.
    """
    around, beside = [], []
    for start, end in brackets(code):
        if start < whole[0] and whole[1] < end:
            around.append(((start, end), (start, end + longer)))
        elif whole[1] <= start and "\n" not in code[whole[1] : start]:
            beside.append(((start, end), (start + longer, end + longer)))
    return sorted(around) + sorted(beside)


def brackets(code: str) -> list[Span]:
    """Return where each pair of brackets begins and ends."""
    waiting, found = [], []
    for token in tokens(code):
        if token.text in OPENING:
            waiting.append(token.start)
        elif token.text in CLOSING:
            found.append((waiting.pop(), token.end))
    return found


def flat(text: str) -> str | None:
    """Return an expression on one line, or None where a comment needs its own."""
    text = f"({text})"
    found = [t for t in tokens(text)[1:-1] if t.kind != tokenize.NL]
    if any(t.kind == tokenize.COMMENT or "\n" in t.text for t in found):
        return None
    pieces: list[str] = []
    for i, token in enumerate(found):
        last = found[i - 1] if i else token
        gap = text[last.end : token.start]
        both = None
        if "\n" in gap:
            if last.text == "," and token.text in CLOSING and not single(found, i):
                pieces.pop()
            if last.kind == token.kind == tokenize.STRING:
                both = merged(pieces[-1], token.text)
            tight = last.text in OPENING or token.text in (*CLOSING, ".")
            gap = "" if tight else " "
        if both:
            pieces[-1] = both
        else:
            pieces += [gap, token.text]
    return "".join(pieces)


def single(found: list[Token], closing: int) -> bool:
    """Say whether the bracket that closes here holds one thing and makes it a tuple."""
    depth, commas = 0, 0
    for i in range(closing - 1, -1, -1):
        if found[i].text in OPENING:
            if not depth:
                break
            depth -= 1
        depth += found[i].text in CLOSING
        commas += not depth and found[i].text == ","
    before = found[i - 1] if i else None
    called = before and (before.kind == tokenize.NAME or before.text in CLOSING)
    return commas == 1 and (found[i].text == "[" if called else found[i].text == "(")


def merged(one: str, other: str) -> str | None:
    """Return two strings that follow each other as one, if that is safe."""
    kinds = {text[: text.index(text[-1])].lower() for text in (one, other)}
    quotes = {text[-1] for text in (one, other)}
    if len(kinds) != 1 or not kinds <= {"", "f"} or len(quotes) != 1:
        return None
    both = one[:-1] + other[other.index(other[-1]) + 1 :]
    if one.endswith('"""') or other.endswith('"""') or "\\" in one[-5:]:
        return None
    return both


def body(text: str) -> str | None:
    """Return brackets whose content is on a line of its own, all of it."""
    first, *lines = text.split("\n")
    if len(lines) < 2 or first not in OPENING or lines[-1].strip() not in CLOSING:
        return None
    inside = flat(text)
    if inside is None:
        return None
    margin = " " * indent(lines[0])
    return f"{first}\n{margin}{inside[1:-1]}\n{lines[-1]}"
