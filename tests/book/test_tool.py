"""The tool that puts the book's pages together."""

from __future__ import annotations

import argparse
import json

import book
import pytest
from bookmaking import names


def plan(tmp_path, course, *lessons):
    """Return a plan over the notebooks of the course, without any outputs."""
    options = argparse.Namespace(
        lessons=list(lessons),
        notebooks=course / "notebooks",
        executed=tmp_path / "executed",
        out=tmp_path / "out",
        parts=None,
        profile="quick",
    )
    return book.Plan(options)


def test_a_lesson_that_is_not_there_is_named_with_those_that_are(tmp_path, course):
    with pytest.raises(SystemExit, match="no lesson 99_none; .*06_elmo_bilm"):
        plan(tmp_path, course, "99_none")


def test_both_editions_have_the_same_pages(tmp_path, course):
    """The switch of language leads from each page to its twin."""
    maps = {"en": "", "zh": ""}
    both = [book.pages(plan(tmp_path, course), name, maps) for name in ("en", "zh")]
    assert both[0].keys() == both[1].keys()
    assert sum(name.startswith("lessons/") for name in both[0]) == 16
    for pages in both:
        assert all(text.strip() for name, text in pages.items() if name != "map.html")


def test_every_page_stands_in_a_table_of_contents(tmp_path, course):
    pages = book.pages(plan(tmp_path, course), "en", {"en": ""})
    listed = set(pages["index.md"].splitlines()) | {"index"}
    listed |= {f"api/{name}" for name in pages["api/index.md"].splitlines()}
    kinds = (".md", ".ipynb")
    assert {n.rpartition(".")[0] for n in pages if n.endswith(kinds)} <= listed


def test_only_what_changed_is_written_and_what_is_gone_is_deleted(tmp_path):
    book.stage(tmp_path, {"a/one.md": "1", "two.md": "2"})
    before = (tmp_path / "a/one.md").stat().st_mtime_ns
    book.stage(tmp_path, {"a/one.md": "1", "three.md": "3"})
    assert (tmp_path / "a/one.md").stat().st_mtime_ns == before
    assert {f.name for f in tmp_path.rglob("*.md")} == {"one.md", "three.md"}


def test_the_table_of_claims_has_the_cards_of_the_lessons_in_the_book():
    pages = {}
    assert "claims.html" in book.claims(pages, "en", ["08_elmo_layers"])
    assert 'id="layers-pos-wsd"' in pages["claims.html"]
    assert 'id="gpt-lstm"' not in pages["claims.html"]


def test_the_search_cuts_chinese_into_pairs_and_leaves_words_whole():
    search = pytest.importorskip(
        "bookmaking.search", reason="needs the extra `book`", exc_type=ImportError
    )
    words = search.SearchBilingual({}).split("ELMo里的一词多义 word_2")
    assert [w for w in words if len(w) > 1] == [
        "ELMo",
        "里的",
        "的一",
        "一词",
        "词多",
        "多义",
        "word_2",
    ]
    assert {"里", "义"} <= set(words)


def test_the_search_knows_the_lesson_that_teaches_a_term():
    search = pytest.importorskip(
        "bookmaking.search", reason="needs the extra `book`", exc_type=ImportError
    )
    line = search.order().split("\n")[0]
    taught = dict(json.loads(line.removeprefix("const taught = ").removesuffix(";")))
    assert (taught["bert"], taught["掩码"], taught["elmo"]) == ("14", "14", "06")
    assert taught["masked language modelling"] == "14"  # another form of the term


def test_the_front_page_shows_words_that_have_senses():
    from bookmaking import front

    from course_lib import data

    for language, words in front.WORDS.items():
        senses = {(use.word, use.sense) for use in data.senses(language)}
        for word in words:
            assert sum(found == word for found, _ in senses) >= 2


def test_a_signature_is_what_a_caller_writes(course):
    library = names.read_library(course)
    stlr = library.names["course_lib.training.schedules.stlr"]
    assert stlr.signature.startswith("(t, T, cut_frac=0.1")
    config = library.names["course_lib.models.bilm.BiLMConfig"]
    assert config.signature.startswith("(layers=2, cells=512, projection=128")


def test_a_lesson_offers_its_notebooks_and_the_key_that_the_course_publishes(
    tmp_path, course
):
    found = plan(tmp_path, course)
    for stem in found.stems:
        files = found.files("zh", stem)
        assert files[f"{stem}.ipynb"] == course / f"notebooks/zh/{stem}.ipynb"
        exercises = files[f"{stem}_exercises.ipynb"]
        assert exercises == course / f"notebooks/zh/exercises/{stem}.ipynb"
        answers = course / f"solutions/{stem}/{stem}.ipynb"
        assert (f"{stem}_answers.ipynb" in files) == answers.exists()


def test_mistakes_are_reported_where_the_repository_is_and_else_nowhere(
    tmp_path, course, monkeypatch
):
    text = (course / "pyproject.toml").read_text("utf-8").split("[project.urls]")[0]
    urls = '\n[project.urls]\nRepository = "https://example.org/course/"\n'
    for extra, address in (("", ""), (urls, "https://example.org/course/issues")):
        (tmp_path / "pyproject.toml").write_text(text + extra, encoding="utf-8")
        monkeypatch.setattr(book, "COURSE", tmp_path)
        offered = book.files_and_issues(plan(tmp_path, course), "en")
        assert offered["course_issues"] == address
