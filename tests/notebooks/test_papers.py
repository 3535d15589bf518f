"""The papers that lessons cite are linked by the build, from one table."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import papers
import pytest
import sources
from markdown_it import MarkdownIt
from sources import Cell

COURSE = Path(__file__).resolve().parents[2]
TABLE = papers.read(COURSE)
LEVY = papers.Paper(["Levy", "Goldberg"], ["2014"], "Neural word embedding", "URL")
ELMO = papers.Paper(["Peters", "Neumann", "Iyyer"], ["2018"], "Deep", "URL", "ELMo")
OWN_PAGES = (
    "https://www.jmlr.org/papers/",
    "https://papers.nips.cc/paper/",
    "https://repository.upenn.edu/",
    "https://www.jstor.org/stable/",
    "https://cdn.openai.com/",
)
LIBRARIES = ("https://aclanthology.org/", "https://arxiv.org/abs/", "https://doi.org/")


def prose(text: str, language: str = "en", **options) -> Cell:
    """Return a cell of prose."""
    return Cell("a", "markdown", text, {"lang": language} | options)


def linked(text: str, paper: papers.Paper = LEVY, lesson: str = "03") -> str:
    """Return a text of one cell with one paper linked."""
    return papers.linked([prose(text)], [paper], lesson)[0].text


@pytest.mark.parametrize(
    "citation",
    [
        "Levy and Goldberg (2014)",
        "Levy, Goldberg (2014)",
        "Levy\nand Goldberg\n2014",
        "Levy and Goldberg, 2014",
        "Levy 与 Goldberg（2014）",
        "Levy、Goldberg，2014",
        "Levy et al. 2014",
        "Levy 等人（2014）",
        "Levy and Goldberg's (2014)",
        "*Neural word\nembedding*",
    ],
)
def test_a_citation_becomes_a_link(citation):
    assert linked(f"So say {citation} here.") == f"So say [{citation}](URL) here."


@pytest.mark.parametrize(
    "text",
    [
        "Levy and Goldberg (2015)",
        "Levy, Goldberg, Dagan (2014)",
        "Levy and Goldberg (2014b)",
        "Old-Levy and Goldberg (2014)",
        "**Neural word embedding**",
        "# Levy and Goldberg (2014)",
        "`Levy and Goldberg (2014)`",
        "$Levy and Goldberg (2014)$",
        "[by Levy and Goldberg (2014)](elsewhere)",
        "<details><summary>Levy and Goldberg (2014)?</summary>",
    ],
)
def test_what_is_no_citation_or_cannot_hold_a_link_stays(text):
    assert linked(text) == text


def test_a_title_is_found_whole_or_up_to_its_colon():
    paper = papers.Paper(["Lan"], ["2020"], "ALBERT: a lite BERT", "URL")
    assert linked("*ALBERT*", paper) == "[*ALBERT*](URL)"
    assert linked("*Albert: a lite BERT*", paper) == "[*Albert: a lite BERT*](URL)"
    assert linked("*ALBERT: a*", paper) == "*ALBERT: a*"


def test_a_model_with_the_year_means_its_paper():
    assert linked("From ELMo (2018) on", ELMO) == "From [ELMo (2018)](URL) on"
    assert linked("ELMo 2018 年春天", ELMO) == "ELMo 2018 年春天"
    assert linked("ELMo", ELMO) == "ELMo"


def test_et_al_can_be_kept_for_another_paper_by_the_year():
    other = papers.Paper(["Peters", "Yih"], ["2018"], "B", "2", et_al="2018b")
    text = "Peters et al. (2018), Peters et al. (2018b), Peters and Yih (2018)"
    assert papers.linked([prose(text)], [ELMO, other], "08")[0].text == (
        "[Peters et al. (2018)](URL), [Peters et al. (2018b)](2), Peters and Yih (2018)"
    )


def test_one_name_can_mean_one_paper_in_one_lesson_and_another_elsewhere():
    paper = LEVY._replace(lessons=("12",))
    assert linked("Levy et al. 2014", paper, "12") == "[Levy et al. 2014](URL)"
    assert linked("Levy et al. 2014", paper, "13") == "Levy et al. 2014"


def test_the_first_citation_is_linked_and_the_first_to_read_next():
    once = "Levy et al. 2014"
    cells = [
        prose(f"{once}; {once}"),
        prose(f"{once}，{once}", "zh"),
        prose(f"{once}\n\n## What to read next\n\n* {once}\n* {once}"),
    ]
    link = f"[{once}](URL)"
    assert [cell.text for cell in papers.linked(cells, [LEVY], "03")] == [
        f"{link}; {once}",
        f"{link}，{once}",
        f"{once}\n\n## What to read next\n\n* {link}\n* {once}",
    ]
    only = prose(f"## What to read next\n\n* {once}\n* {once}")
    assert papers.linked([only], [LEVY], "03")[0].text.count("](URL)") == 1


def test_what_a_grader_knows_by_its_name_stays():
    cells = [prose("Levy et al. 2014", role="written")]
    assert papers.linked(cells, [LEVY], "03") == cells


def test_a_course_without_a_table_has_no_links(tmp_path):
    assert papers.read(tmp_path) == []


# The course's own


def test_every_citation_has_its_paper_in_the_table():
    """Those without one invented pseudowords, at a symposium of 1992."""
    found = {
        line.rpartition(": ")[2]
        for path, lesson in papers.files(COURSE).items()
        for line in papers.unknown(sources.read(path), TABLE, lesson)
    }
    assert found == {
        "Gale, Church and Yarowsky 1992",
        "Gale、Church、Yarowsky，1992",
        "Schütze 1992",
        "Schütze，1992",
    }


def test_every_paper_of_the_table_is_cited_and_has_an_address_that_lasts():
    texts = "\n".join(
        cell.text
        for path, lesson in papers.files(COURSE).items()
        for cell in papers.linked(sources.read(path), TABLE, lesson)
    )
    for paper in TABLE:
        assert f"]({paper.link})" in texts, paper
        assert paper.link.startswith(LIBRARIES + OWN_PAGES), paper
    assert len({paper.link for paper in TABLE}) == len(TABLE)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_paper_to_read_next_is_a_link_that_renders(language):
    point = re.compile(r"^\* (.+(?:\n(?!\* |#|\n).+)*)", re.MULTILINE)
    for path in sorted((COURSE / "notebooks" / language).glob("*.ipynb")):
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type != "markdown":
                continue
            assert "](http" not in MarkdownIt().render(cell.source), path.name
            if section := papers.SECTION.search(cell.source):
                for match in point.finditer(cell.source[section.end() :]):
                    if re.search(r"(?<!\d)(?:19|20)\d\d(?!\d)", match[1]):
                        assert "](http" in match[1], (path.name, match[1])
