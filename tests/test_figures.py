"""Figures: Chinese is drawn and not boxes; no picture comes without its words."""

from __future__ import annotations

import io
import logging
import re
import warnings

import matplotlib
import matplotlib.pyplot as plt
import pytest
from fontTools.ttLib import TTFont

from course_lib import figures

TERMS = "词向量上下文语言模型双向多义词预训练微调困惑度字符卷积残差连接义项苹果打包袱"


@pytest.fixture
def style():
    """Give the test a style of its own and put the old one back."""
    with matplotlib.rc_context():
        yield figures.use_course_style


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_glyph_is_missing_and_no_font_is_sought_in_vain(style, language, caplog):
    style(language)
    figure, axes = plt.subplots()
    axes.set(
        title=f"“{TERMS}” at layer −1.5",
        xlabel="café → ≤ 5 μ",
        ylabel="第 2 层，（实测）",
    )
    with warnings.catch_warnings(), caplog.at_level(logging.WARNING):
        warnings.simplefilter("error")  # matplotlib warns of a missing glyph
        figures.png(figure)
    plt.close(figure)
    assert caplog.text == ""  # and logs a missing font


def test_the_chinese_edition_may_mix_words_and_formulas(style, caplog):
    style("zh")
    figure, axes = plt.subplots()
    axes.set_title(r"第 $j$ 层的权重 $s_j = \mathrm{softmax}(w)_j$")
    with caplog.at_level(logging.WARNING):
        figures.png(figure)
    plt.close(figure)
    assert "does not have a glyph" not in caplog.text


def test_no_label_is_cut_off(style):
    """Squares side by side: constrained layout alone puts their titles off the edge."""
    style("en")
    figure, axes = plt.subplots(1, 3, figsize=(9.2, 3.3), sharey=True)
    for axis in axes:
        axis.imshow([[0] * 7] * 7)
        axis.set_title("both sides, nothing hidden", fontsize=10)
        axis.set_xlabel("word s")
    axes[0].set_ylabel("state t")
    picture = plt.imread(io.BytesIO(figures.png(figure)))  # (height, width, 4)
    plt.close(figure)
    for edge in (picture[0], picture[-1], picture[:, 0], picture[:, -1]):
        assert edge[..., :3].min() == 1  # white


def test_the_font_has_all_common_characters_and_carries_its_licence():
    font = TTFont(figures.FONT)
    rows, cells = range(0xB0, 0xF8), range(0xA1, 0xFF)
    pairs = (bytes((row, cell)) for row in rows for cell in cells)
    hanzi = "".join(pair.decode("gb2312", errors="ignore") for pair in pairs)
    assert len(hanzi) == 6763
    assert {ord(character) for character in hanzi} <= font.getBestCmap().keys()
    names = {record.nameID: str(record) for record in font["name"].names}
    assert names[1] == "Course Sans SC" and "Source" not in names[1]
    licence = (figures.FONT.parent / "OFL.txt").read_text(encoding="utf-8")
    assert (
        licence.startswith("Copyright") and "OPEN FONT LICENSE Version 1.1" in licence
    )


def test_colours_differ_and_the_cycle_uses_them(style):
    style("en")
    cycle = matplotlib.rcParams["axes.prop_cycle"].by_key()["color"]
    assert tuple(cycle) == figures.OKABE_ITO and len(set(cycle)) == len(cycle)


def test_using_the_style_twice_registers_the_font_once(style):
    from matplotlib.font_manager import fontManager

    style("en")
    style("zh")
    names = [entry.name for entry in fontManager.ttflist]
    assert names.count("Course Sans SC") == 1


def test_an_unknown_language_is_refused(style):
    with pytest.raises(ValueError, match="'fr'.*'en' and 'zh'"):
        style("fr")


@pytest.fixture
def displayed(monkeypatch):
    """Collect what a cell would display."""
    import IPython.display

    shown = []
    monkeypatch.setattr(IPython.display, "display", shown.append)
    return shown


def test_show_displays_a_picture_with_its_words_and_closes_the_figure(displayed):
    figure, axes = plt.subplots()
    axes.plot([0, 1])
    figures.show(figure, alt='A line that rises from 0 to 1, "straight" & <thin>')
    (output,) = displayed
    alt = re.search(r'alt="([^"]*)"', output.data).group(1)
    assert (
        alt == "A line that rises from 0 to 1, &quot;straight&quot; &amp; &lt;thin&gt;"
    )
    assert 'src="data:image/png;base64,' in output.data
    assert not plt.fignum_exists(figure.number)


@pytest.mark.parametrize("alt", ["", "  \n"])
def test_show_refuses_a_figure_without_words_and_says_what_to_write(alt, displayed):
    figure = plt.figure()
    with pytest.raises(ValueError, match="say in a sentence what the figure shows"):
        figures.show(figure, alt=alt)
    assert displayed == []
    plt.close(figure)


def test_the_same_figure_gives_the_same_bytes():
    figure, axes = plt.subplots()
    axes.plot([0, 1])
    assert figures.png(figure) == figures.png(figure)
    plt.close(figure)
