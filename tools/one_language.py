"""Give the code of a lesson in one language: its labels, messages and data.

    t("layer", "层")                      -> "layer"
    {"en": ["bank"], "zh": ["苹果"]}[t.language]   -> ["bank"]

What is chosen is found in the syntax tree, and replaced in the text where it stands:
names, comments and layout stay the author's. Lines that were broken only because two
languages had to find room are joined again. Where neither text is a literal, as in
`t(title, name)`, the call stays, and picks its text when it runs.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import layout
from sources import SourceError

LANGUAGES = ("en", "zh")
CHOOSER = "t"  # the name that lessons give to what course_lib.start returns
TEXTS = ast.Constant | ast.JoinedStr
# A part that does more than read: leaving one out would change what the code does.
ACTS = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)


class Mistranslated(SourceError):
    """Say that the code of one language would do something else than the source."""


def one_language(code: str, language: str) -> str:
    """Return the code with the texts of one language, otherwise as it is written.

    Code that is no Python stays as it is: sources.problems names it. Raises
    Mistranslated if the result is not the source with its texts chosen.
    """
    try:
        tree = ast.parse(code)
    except SyntaxError:
        return code
    if not any(choice(node, language) for node in ast.walk(tree)) or rebinds(tree):
        return code
    lines = code.splitlines(keepends=True)
    for first, last in reversed(blocks(tree)):
        block = "".join(lines[first - 1 : last])
        lines[first - 1 : last] = [chosen(block, language)]
    result = "".join(lines)
    wanted = ast.dump(Choose(language).visit(tree))
    if ast.dump(Choose(language).visit(ast.parse(result))) != wanted:
        raise Mistranslated(f"this code changes its meaning in {language}:\n{code}")
    return result


# -- in the syntax tree ----------------------------------------------------------------


def choice(node: ast.AST, language: str) -> ast.expr | None:
    """Return the part of this node that the language chooses, or None."""
    if isinstance(node, ast.Call):
        parts = call_parts(node)
    elif isinstance(node, ast.Subscript):
        parts = dictionary_parts(node)
    else:
        return None
    if parts is None or any(isinstance(n, ACTS) for p in parts for n in ast.walk(p)):
        return None
    return parts[LANGUAGES.index(language)]


def call_parts(call: ast.Call) -> list[ast.expr] | None:
    """Return both texts of `t(english, chinese)` if there is a literal in one."""
    named = isinstance(call.func, ast.Name) and call.func.id == CHOOSER
    if not named or len(call.args) != 2 or call.keywords:
        return None
    literal = any(isinstance(n, TEXTS) for part in call.args for n in ast.walk(part))
    starred = any(isinstance(part, ast.Starred) for part in call.args)
    return call.args if literal and not starred else None


def dictionary_parts(node: ast.Subscript) -> list[ast.expr] | None:
    """Return both values of `{"en": …, "zh": …}[t.language]`."""
    if ast.unparse(node.slice) != f"{CHOOSER}.language":
        return None
    if not isinstance(node.value, ast.Dict):
        return None
    keys = [getattr(key, "value", None) for key in node.value.keys]
    return node.value.values if keys == [*LANGUAGES] else None


def rebinds(tree: ast.AST) -> bool:
    """Say whether `t` may be something else here than what start() returned."""
    bound = 0
    for node in ast.walk(tree):
        if isinstance(node, ast.arg) and node.arg == CHOOSER:
            return True
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound += node.id == CHOOSER
        elif isinstance(node, ast.Assign):
            bound -= ast.unparse(node).startswith(f"{CHOOSER} = course_lib.start(")
    return bound > 0


def blocks(tree: ast.Module) -> list[tuple[int, int]]:
    """Return the first and last line of each statement; those on one line together."""
    found: list[tuple[int, int]] = []
    for node in tree.body:
        decorators = [d.lineno for d in getattr(node, "decorator_list", [])]
        first, last = min([node.lineno, *decorators]), node.end_lineno
        if found and found[-1][1] >= first:
            first = found.pop()[0]
        found.append((first, last))
    return found


class Choose(ast.NodeTransformer):
    """Replace in a tree what `one_language` replaces in the text."""

    def __init__(self, language: str):
        self.language = language

    def generic_visit(self, node: ast.AST) -> ast.AST:
        if part := choice(node, self.language):
            return self.visit(part)
        return super().generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.JoinedStr:  # noqa: N802
        """Make one text of a chosen text and its neighbours: {'nats'} is nats."""
        node, values = super().generic_visit(node), []
        for value in node.values:
            if plain_field(value):
                value = value.value
            if values and all(isinstance(v, ast.Constant) for v in (values[-1], value)):
                value = ast.Constant(values.pop().value + value.value)
            values.append(value)
        node.values = values
        return node


def plain_field(node: ast.AST) -> bool:
    """Say whether this is {'a text'} in an f-string, without a format."""
    if not isinstance(node, ast.FormattedValue) or node.format_spec:
        return False
    text = getattr(node.value, "value", None)
    return isinstance(text, str) and node.conversion == -1


# -- in the text -----------------------------------------------------------------------


def chosen(code: str, language: str) -> str:
    """Choose the texts of one statement, from the outside inwards."""
    while found := next(places(code, language), None):
        start, end, part, in_text = found
        if in_text:
            code = in_f_string(code, start, end, part)
        else:
            code = layout.replaced(code, (start, end), layout.span(code, part))
    return code


Place = tuple[int, int, ast.expr, bool]  # from, to, the part chosen, in an f-string?


def places(code: str, language: str) -> Iterator[Place]:
    """Yield what can be replaced; what contains it comes before what is in it."""
    tree = ast.parse(code)
    texts = [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
    inner = {id(node) for text in texts for node in ast.walk(text)}
    for node in ast.walk(tree):
        if part := choice(node, language):
            start, end = layout.span(code, node)
            if id(node) not in inner or found_at(code, start, end, node):
                yield start, end, part, id(node) in inner


def found_at(code: str, start: int, end: int, node: ast.expr) -> bool:
    """Say whether a node stands where Python 3.11 believes it to be in an f-string."""
    try:
        there = ast.parse(code[start:end].strip(), mode="eval").body
    except SyntaxError:
        return False
    return ast.dump(there) == ast.dump(node)


def in_f_string(code: str, start: int, end: int, part: ast.expr) -> str:
    """Write a text that was chosen in an f-string into it, without braces."""
    text = getattr(part, "value", None)
    alone = code[start - 1] == "{" and code[end] == "}" and isinstance(text, str)
    if alone and text.isprintable() and not set(text) & set("{}\"'\\"):
        return code[: start - 1] + text + code[end + 1 :]
    a, b = layout.span(code, part)
    apart = " " if code[start - 1] == code[a] == "{" else ""  # {{ would be a brace
    return code[:start] + apart + code[a:b] + code[end:]
