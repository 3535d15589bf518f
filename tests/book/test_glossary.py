"""The glossary: whole in both languages, and kept to by the Chinese lessons."""

from __future__ import annotations

import re

import pytest
import sources
from bookmaking import glossary

TERMS = glossary.read()


@pytest.fixture(scope="session")
def lessons(course):
    """Return the cells of each lesson, by its stem."""
    return {p.stem: sources.read(p) for p in sorted(course.glob("source/lessons/*.py"))}


def prose(cells, language):
    """Join the prose of one edition."""
    return "\n".join(cell.text for cell in cells if cell.language == language)


def test_every_term_is_whole_in_both_languages(lessons):
    numbers = {stem[:2] for stem in lessons}
    for term in TERMS:
        assert term.lesson in numbers, f"{term.en}: there is no lesson {term.lesson}"
        assert term.means.endswith(".") and not glossary.is_chinese(term.means), term.en
        assert re.search("[。]$", term.zh_means), f"{term.en}: {term.zh_means!r}"
        assert glossary.is_chinese(term.zh_means), term.en


def test_a_term_has_one_entry_and_a_form_one_term():
    assert len({term.target for term in TERMS}) == len(TERMS) >= 80
    for language in ("en", "zh"):
        forms = [form for term in TERMS for form in set(term.forms(language))]
        assert not {form for form in forms if forms.count(form) > 1}


def test_what_is_avoided_is_no_accepted_form_and_not_part_of_one():
    accepted = [form for term in TERMS for form in term.forms("zh")]
    for term in TERMS:
        for word in term.avoid:
            assert not [form for form in accepted if word in form], f"{word} is taken"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_term_occurs_in_the_lessons(lessons, language):
    """A term that no lesson uses explains nothing.

    Two terms name what the English lessons call by its parts.
    """
    pattern, owner = glossary.pattern(TERMS, language)
    text = "\n".join(prose(cells, language) for cells in lessons.values())
    used = {glossary.owner_of(match[0], owner) for match in pattern.finditer(text)}
    unused = {term.en for term in TERMS} - {term.en for term in used}
    assert unused <= {"majority class", "scalar mix"}


def deviations(text, terms=TERMS):
    """List (word that is avoided, term that is used) of a Chinese text."""
    return [(word, term.zh) for term in terms for word in term.avoid if word in text]


def test_the_chinese_lessons_keep_to_the_terms(lessons):
    found = []
    for stem, cells in lessons.items():
        for cell in cells:
            if cell.language == "zh" or cell.kind == "code":  # labels of figures
                found += [
                    f"{stem}, cell '{cell.key}': {word}; the glossary has {name}"
                    for word, name in deviations(cell.text)
                ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "files",
    ["course_claims/cards/*.py", "docs/zh/**/*.md", "source/assignments/*/*.py",
     "course_lib/widgets/page/*.toml", "course_lib/grading/*.py"],
)  # fmt: skip
def test_cards_sheets_exercises_and_widgets_keep_to_the_terms(course, files):
    found = {
        path.name: deviations(path.read_text(encoding="utf-8"))
        for path in sorted(course.glob(files))
    }
    assert not {name: words for name, words in found.items() if words}


def test_a_deviation_would_be_found():
    assert deviations("用精调代替微调，困惑度下降") == [("精调", "微调")]
    assert deviations("微调之后困惑度下降") == []


def words(text, language):
    """List what the glossary finds in a text, in order."""
    pattern, owner = glossary.pattern(TERMS, language)
    found = pattern.finditer(text)
    return [(match[0], glossary.owner_of(match[0], owner).en) for match in found]


def test_a_word_is_found_whole_in_any_number_and_at_the_start_of_a_sentence():
    assert words("Language models beat n-gram baselines.", "en") == [
        ("Language models", "language model"),
        ("n-gram", "n-gram"),
        ("baselines", "baseline"),
    ]
    assert words("biased samples; Elmo, cosiness, masking-tape", "en") == []


def test_the_longest_term_wins_and_line_breaks_do_not_matter():
    assert words("a masked\nlanguage model", "en") == [
        ("masked\nlanguage model", "masked language model")
    ]
    assert words("双向语言模型的困惑度", "zh") == [
        ("双向语言模型", "biLM"),
        ("困惑度", "perplexity"),
    ]


def test_latin_names_in_chinese_text_are_found_without_spaces():
    assert words("ELMo里的LSTM，ELMos", "zh") == [("ELMo", "ELMo"), ("LSTM", "LSTM")]


def test_the_page_gives_each_term_its_place_in_both_languages(lessons):
    for language in ("en", "zh"):
        page = glossary.page(TERMS, language, list(lessons))
        for term in TERMS:
            assert page.count(f"{{#{term.target} .glossary-entry}}") == 1
            assert term.means in page and term.zh_means in page
        assert page.count("(lessons/") == len(TERMS)
