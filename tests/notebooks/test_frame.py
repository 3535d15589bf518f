"""What the build adds to a lesson: reading time at the top, links at the end."""

from __future__ import annotations

import re
from pathlib import Path

import frame
import nbformat
import pytest
import sources
from sources import Cell

COURSE = Path(__file__).resolve().parents[2]
LESSONS = sorted(path.stem for path in (COURSE / "source/lessons").glob("*.py"))


def prose(text: str, language: str = "en", key: str = "title") -> Cell:
    """Return a cell of prose."""
    return Cell(key, "markdown", text, {"lang": language})


# Reading time


def test_reading_takes_a_minute_for_200_words_and_half_a_minute_for_open_code():
    cells = [prose("word " * 400), prose("词" * 700, "zh")]
    assert frame.reading_minutes(cells, "en") == (2, 0)
    assert frame.reading_minutes(cells, "zh") == (2, 0)
    cells += [Cell("a", "code", "1", {}), Cell("b", "code", "2", {})]
    assert frame.reading_minutes(cells, "en") == (3, 0)
    cells.append(Cell("c", "code", "3", {"fold": True}))
    assert frame.reading_minutes(cells, "en") == (3, 0)


def test_what_is_folded_is_counted_apart():
    fold = "<details><summary>word</summary>\n\n" + "word " * 399 + "\n\n</details>"
    cells = [prose("word " * 400 + fold), prose(fold)]
    assert frame.length(cells, "en") == (400, 800)
    assert frame.reading_minutes(cells, "en") == (2, 4)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("two *words*", 2),
        ("a $x + y$ b", 3),
        ("a\n\n$$\nx + y\n$$\n\nb", 2),
        ("[two words](https://example.org/a/b)", 2),
        ("a\n```\nx = y\n```\nb", 2),
        ("a <em>b</em>", 2),
        ("if $p < 1$, then $q > 2$", 4),
    ],
)
def test_what_is_read_as_words_is_counted(text, words):
    assert frame.length([prose(text)], "en") == (words, 0)


def test_chinese_is_counted_by_characters_and_foreign_words():
    assert frame.length([prose("用 softmax 归一化。", "zh")], "zh") == (5, 0)


def test_the_reading_time_stands_before_the_running_time():
    text = "# A\n\nRunning time: a minute. The paper: B."
    told = frame.with_reading_time(text, (12, 0), "en")
    assert "Reading: about 12 minutes.\nRunning time: a minute." in told
    assert frame.with_reading_time("# A", (1, 0), "en").endswith(
        "\n\nReading: about 1 minute."
    )
    chinese = frame.with_reading_time("# 甲\n\n在双核电脑上实测一分钟。", (12, 0), "zh")
    assert chinese.endswith("\n\n阅读约 12 分钟。在双核电脑上实测一分钟。")


def test_the_reading_time_says_what_the_folds_add():
    assert frame.reading_time(12, 5, "en") == (
        "Reading: about 12 minutes, and 5 more for all that is folded."
    )
    assert "另需约 5 分钟" in frame.reading_time(12, 5, "zh")


def test_a_lesson_that_takes_too_long_is_noted_with_its_numbers():
    assert not list(frame.too_long("06", [prose("word " * 3500)]))
    [note] = frame.too_long("06", [prose("word " * 3600)])
    assert not list(
        frame.too_long("06", [prose(f"<details>{'word ' * 3600}</details>")])
    )
    assert note.startswith("06 (en): 18 minutes to read, 3,600 words")
    [note] = frame.too_long("06", [prose("词" * 14_000, "zh")])
    assert note.startswith("06 (zh): 40 minutes")


@pytest.mark.parametrize("stem", LESSONS)
def test_every_lesson_says_its_running_time_where_the_reading_time_goes(stem):
    cells = sources.read(COURSE / f"source/lessons/{stem}.py")
    for cell in cells[:2]:
        assert frame.TIME.search(cell.text), cell.language


@pytest.mark.parametrize("stem", LESSONS)
def test_no_lesson_takes_longer_than_one_sitting(stem):
    cells = sources.read(COURSE / f"source/lessons/{stem}.py")
    assert not list(frame.too_long(stem, cells))


@pytest.mark.parametrize("stem", LESSONS)
def test_what_a_fold_holds_is_read_as_markdown(stem):
    """Without an empty line after its summary, *emphasis* and links stay raw."""
    for cell in sources.read(COURSE / f"source/lessons/{stem}.py"):
        if cell.kind == "markdown":
            assert not re.search(r"</summary>\n(?!\n)", cell.text), cell.key


# Links


@pytest.mark.parametrize("stem", LESSONS)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_lesson_leads_to_its_neighbours_its_exercise_and_its_sheet(stem, language):
    folder = COURSE / "notebooks" / language
    notebook = nbformat.read(folder / f"{stem}.ipynb", as_version=4)
    last = notebook.cells[-1]
    assert last.id == frame.FOOTER
    found = re.findall(r"\]\(([^)]+)\)", last.source)
    at = LESSONS.index(stem)
    near = {f"{other}.ipynb" for other in LESSONS[max(0, at - 1) : at + 2]}
    wanted = near - {f"{stem}.ipynb"}
    docs = f"../../docs/{language}"
    wanted |= {
        f"exercises/{stem}.ipynb",
        f"{docs}/sheets/{stem}.md",
        f"{docs}/glossary.md",
    }
    assert set(found) == wanted
    assert all((folder / to).exists() for to in found)


def test_a_link_that_the_prose_has_is_not_written_again():
    edition = [nbformat.v4.new_markdown_cell("See [lesson 2](02_b.ipynb).")]
    text = frame.footer({"02_b.ipynb": "B →", "c.md": "Sheet"}, edition, "en")
    assert text == "For this lesson: [Sheet](c.md)"


def test_the_book_is_linked_where_the_project_says_its_address(tmp_path):
    names = {"06_demo": {"en": "06 · Demo", "zh": "06 · 例"}}
    assert frame.links(tmp_path, "06_demo", names, "en") == {}
    about = '[project.urls]\nBook = "https://example.org/book/"\n'
    (tmp_path / "pyproject.toml").write_text(about, encoding="utf-8")
    found = frame.links(tmp_path, "06_demo", names, "zh")
    assert list(found) == ["https://example.org/book/zh/lessons/06_demo.html"]


def test_the_key_of_the_links_is_the_build_s():
    edition = [nbformat.v4.new_markdown_cell("# A", id=frame.FOOTER)]
    with pytest.raises(sources.SourceError, match="choose another"):
        frame.framed(COURSE, "06_demo", {"06_demo": []}, edition, "en")
