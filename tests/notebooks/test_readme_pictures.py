"""The pictures of the README: `make figures` draws them, and no other are shown."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

COURSE = Path(__file__).resolve().parents[2]
PICTURE = re.compile(r"!\[[^\]]+\]\(([^)]+)\)")  # with words for those who see none


@pytest.fixture
def tool(tmp_path, monkeypatch):
    """Return tools/figures.py, writing to an empty folder."""
    where = COURSE / "tools/figures.py"  # its name is that of a room of the library
    spec = importlib.util.spec_from_file_location("readme_pictures", where)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "DOCS", tmp_path)
    return module


@pytest.mark.parametrize(("word", "language"), [("play", "en"), ("苹果", "zh")])
def test_the_map_of_a_word_is_drawn_and_described(
    tool, word, language, tmp_path, capsys
):
    tool.sense_map(word, language)
    [picture] = tmp_path.iterdir()
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert (COURSE / "docs" / picture.name).is_file()
    assert word in capsys.readouterr().out


@pytest.mark.parametrize("readme", ["README.md", "README.zh.md"])
def test_the_pictures_that_a_readme_shows_exist(readme):
    shown = PICTURE.findall((COURSE / readme).read_text(encoding="utf-8"))
    assert shown
    assert all((COURSE / path).is_file() for path in shown)
