"""A lesson's code in one language: what it does is the same, and so is its layout."""

from __future__ import annotations

import ast
import functools
import textwrap
import tokenize
from pathlib import Path

import layout
import one_language
import pytest
import sources
from hypothesis import given
from hypothesis import strategies as st

LESSONS = sorted(Path(__file__).resolve().parents[2].glob("source/lessons/*.py"))


def english(code: str) -> str:
    """Return the English edition of some code that a test writes indented."""
    return one_language.one_language(textwrap.dedent(code).strip("\n"), "en")


def chooser(language: str):
    """Return what lessons call t, without the package's fonts and threads."""

    def t(en, zh):
        return en if language == "en" else zh

    t.language = language
    return t


# What is chosen

CASES = {
    "a text": ('print(t("layer", "层"))', 'print("layer")'),
    "an f-string": ('t(f"layer {k}", f"第 {k} 层")', 'f"layer {k}"'),
    "several texts": ('t(("a", "b"), ("甲", "乙"))', '("a", "b")'),
    "a method of it": ('t("a b", "甲 乙").split()', '"a b".split()'),
    "data": ('{"en": ["bank"], "zh": ["苹果"]}[t.language]', '["bank"]'),
    "a dictionary in an f-string": (
        """f"{t({'x': 'a'}.get(x, 'b'), '乙')}" """,
        """f"{ {'x': 'a'}.get(x, 'b')}" """,
    ),
    "in an f-string": ("""f"{x} {t('nats', '奈特')}" """, """f"{x} nats" """),
    "with a format": (
        """f"{t('nats', '奈特'):>6}" """,
        """f"{'nats':>6}" """,
    ),
    "with an apostrophe": (
        'f"""{t("Ada\'s", "她的")}"""',
        'f"""{"Ada\'s"}"""',
    ),
    "one in another": (
        """t(f"{t('a', '甲')}b", "乙")""",
        'f"ab"',
    ),
    "less tight": ('t("a" + x, "甲" + x).upper()', '("a" + x).upper()'),
    "less tight, alone": ('t("a" + x, "甲" + x)', '("a" + x)'),
    "less tight, an argument": ('f(t("a" + x, "甲" + x))', 'f("a" + x)'),
    "after a comment": (
        't("a", "甲")  # 苹果, t("b", "乙")',
        '"a"  # 苹果, t("b", "乙")',
    ),
    "no literal": ("t(title, name)", "t(title, name)"),
    "unpacked": ('t(*("a", "甲"))', 't(*("a", "甲"))'),
    "in a string": ("""'t("a", "甲")'""", """'t("a", "甲")'"""),
    "something else called t": (
        'def f(t):\n    return t("a", "甲")',
        'def f(t):\n    return t("a", "甲")',
    ),
    "an act": ('t("a", (n := "甲"))', 't("a", (n := "甲"))'),
}


@pytest.mark.parametrize("case", CASES)
def test_the_language_s_text_stands_where_the_call_stood(case):
    code, wanted = CASES[case]
    assert one_language.one_language(code, "en") == wanted


def test_a_line_broken_for_the_other_language_is_joined():
    assert (
        english("""
            print(
                t("the same vector twice, in both sentences:", "两句里是同一个向量："),
                np.array_equal(first, second),
            )
            """)
        == 'print("the same vector twice, in both sentences:", '
        "np.array_equal(first, second))"
    )


def test_a_line_broken_although_it_had_room_stays_broken():
    code = """
        NAMES = {
            "none": t("no language model", "没有"),
            "both": t("both", "双向"),
        }
        """
    assert english(code) == textwrap.dedent("""\
        NAMES = {
            "none": "no language model",
            "both": "both",
        }""")


def test_a_comment_keeps_its_line():
    code = f"""
        show(
            t("{"a" * 30}", "{"甲" * 30}"),  # why
            2,
        )
        """
    assert "  # why\n    2,\n)" in english(code)


def test_a_long_text_keeps_its_brackets_and_lines():
    code = f"""
        course_lib.show(
            figure,
            alt=t(
                "{"a" * 60} "
                "{"b" * 60}",
                "{"甲" * 40}",
            ),
        )
        """
    assert english(code) == textwrap.dedent(f"""\
        course_lib.show(
            figure,
            alt=(
                "{"a" * 60} "
                "{"b" * 60}"
            ),
        )""")


def test_a_text_that_is_too_wide_beside_its_name_stays_below_it():
    code = f"""
        toy = t(
            "{"a" * 84}",
            "{"甲" * 38}",
        )
        """
    assert english(code) == f'toy = (\n    "{"a" * 84}"\n)'


def test_data_of_several_lines_moves_to_where_the_choice_began():
    code = f"""
        two = {{
            "en": [
                "{"a" * 50}".split(),
                "{"b" * 50}".split(),
            ],
            "zh": ["{"甲" * 20}".split()],
        }}[t.language]
        """
    assert english(code) == textwrap.dedent(f"""\
        two = [
            "{"a" * 50}".split(),
            "{"b" * 50}".split(),
        ]""")


# What it means is the same

WORDS = st.text("ab {}'\"\\\n层词", max_size=6)
PLAIN = WORDS.map(repr)
FIELDS = WORDS.map(lambda w: "f" + repr(w.replace("{", "").replace("}", "") + "{n}"))
PARTS = st.one_of(
    PLAIN,
    FIELDS,
    st.lists(PLAIN, min_size=1, max_size=3).map(lambda x: f"[{', '.join(x)}]"),
    st.lists(PLAIN, min_size=1, max_size=3).map(lambda x: f"({', '.join(x)},)"),
    st.tuples(PLAIN, PLAIN).map(lambda x: f"{x[0]} if n else {x[1]}"),
    st.tuples(PLAIN, PLAIN).map(lambda x: f"{x[0]} + {x[1]}"),
    st.tuples(PLAIN, PLAIN).map(lambda x: f"{x[0]}\n  {x[1]}"),
)
CHOICES = st.one_of(
    st.tuples(PARTS, PARTS).map(lambda x: f"t({x[0]}, {x[1]})"),
    st.tuples(PARTS, PARTS).map(lambda x: f"t(\n    {x[0]},\n    {x[1]},\n)"),
    st.tuples(PARTS, PARTS).map(
        lambda x: f'{{"en": {x[0]}, "zh": {x[1]}}}[t.language]'
    ),
)


def around(choice: str) -> st.SearchStrategy[str]:
    """Return expressions in which a choice may stand."""
    forms = ["{}", "[{}, n]", "({},)", "str({}).upper()", "{}[0]", "{} * 2"]
    forms += ["[\n    {},\n    n,\n]", "len(\n    {}\n)", "dict(a={})"]
    forms += ["{{'k': {}}}", "[x for x in {}]"]
    return st.sampled_from([form.format(choice) for form in forms])


def value(code: str, language: str):
    """Return what an expression is worth, or the kind of its error."""
    try:
        return eval(f"({code})", {"t": chooser(language), "n": 3})  # noqa: S307
    except (IndexError, TypeError) as error:
        return type(error)


@given(CHOICES.flatmap(around), st.sampled_from(["en", "zh"]))
def test_an_expression_is_worth_the_same_in_its_edition(code, language):
    built = one_language.one_language(f"x = ({code})", language)
    assert not list(one_language.places(built, language))
    assert value(built.removeprefix("x = "), language) == value(code, language)


# The lessons


@functools.cache
def editions(path: Path, language: str) -> list[tuple[str, str, str]]:
    """Return the key of each code cell, its code, and that of one language."""
    code = [(cell.key, cell.text) for cell in sources.read(path) if cell.kind == "code"]
    return [(k, text, one_language.one_language(text, language)) for k, text in code]


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_code_of_a_lesson_is_its_source_with_the_texts_chosen(path, language):
    for key, code, built in editions(path, language):
        wanted = one_language.Choose(language).visit(ast.parse(code))
        found = one_language.Choose(language).visit(ast.parse(built))
        assert ast.dump(found) == ast.dump(wanted), key
        assert set(comments(built)) >= set(comments(code, language)), key
        assert not list(one_language.places(built, language)), key


def comments(code: str, language: str = "") -> list[str]:
    """List the comments of some code; with a language, those beside its choices."""
    found = [t for t in layout.tokens(code) if t.kind == tokenize.COMMENT]
    inside = list(one_language.places(code, language)) if language else []
    beside = [t for t in found if not any(a < t.start < b for a, b, *_ in inside)]
    return [t.text for t in beside]


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_texts_of_a_lesson_are_those_that_t_would_pick(path, language):
    """What needs no names of the lesson is evaluated, in the source and the edition."""
    there = {"t": chooser(language)}
    for key, code, _ in editions(path, language):
        for node in ast.walk(ast.parse(code)):
            part = one_language.choice(node, language)
            if part and {n.id for n in ast.walk(node) if isinstance(n, ast.Name)} == {
                "t"
            }:
                texts = [eval(ast.unparse(x), there) for x in (part, node)]  # noqa: S307
                assert texts[0] == texts[1], key


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_line_gets_too_wide(path, language):
    for key, code, built in editions(path, language):
        if "fmt: skip" not in code:
            before, now = (max(map(layout.width, x.split("\n"))) for x in (code, built))
            assert now <= max(before, layout.WIDTH), key
