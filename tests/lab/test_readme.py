"""What a stranger reads first: every link leads somewhere, in both languages alike."""

from __future__ import annotations

import re

import pytest

PAGES = ("README", "CONTRIBUTING")
LINK = re.compile(r"\]\(([^)\s]+)\)|src=\"([^\"]+)\"")


def read(course, page: str, language: str) -> str:
    name = f"{page}.zh.md" if language == "zh" else f"{page}.md"
    return (course / name).read_text(encoding="utf-8")


def anchors(text: str) -> set[str]:
    """Return the names of a page's headings, as GitHub makes them."""
    heads = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_link_leads_to_a_file_or_a_heading(course, page, language):
    text = read(course, page, language)
    for target in (a or b for a, b in LINK.findall(text)):
        if target.startswith("#"):
            assert target[1:] in anchors(text), target
        elif "://" not in target:
            assert (course / target).exists(), target


@pytest.mark.parametrize("page", PAGES)
def test_both_languages_say_the_same_as_far_as_one_can_count(course, page):
    texts = [read(course, page, language) for language in ("en", "zh")]
    tables, blocks = (
        [len(re.findall(mark, text, re.MULTILINE)) for text in texts]
        for mark in (r"^\|", r"\n\n    \S|\n\n       \S")
    )
    assert tables[0] == tables[1]
    assert abs(blocks[0] - blocks[1]) <= 2  # Chinese has the mirror's two commands


def test_every_lesson_exercise_and_sheet_is_a_link(course):
    for language in ("en", "zh"):
        text = read(course, "README", language)
        folder = course / f"notebooks/{language}"
        for path in folder.rglob("*.ipynb"):
            assert f"({path.relative_to(course).as_posix()})" in text
        for path in (course / f"docs/{language}/sheets").glob("*.md"):
            assert f"({path.relative_to(course).as_posix()})" in text


def test_the_terms_name_every_folder_of_data(course):
    text = (course / "LICENSES.md").read_text(encoding="utf-8")
    for folder in (course / "data").iterdir():
        if folder.is_dir() and folder.name != "__pycache__":
            assert f"data/{folder.name}" in text


def test_conda_takes_the_version_of_pytorch_that_the_project_pins(course):
    import install

    text = (course / "environment.yml").read_text(encoding="utf-8")
    assert f"torch=={install.wanted_torch()}+cpu" in text
