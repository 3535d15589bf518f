"""Of textbooks, novels and articles, the prose is read and nothing else."""

import zipfile

import pytest

from course_lib.data import markup
from course_lib.data.files import DamagedData

BOOK = """<document xmlns="http://cnx.rice.edu/cnxml"
 xmlns:m="http://www.w3.org/1998/Math/MathML"><title>Rivers</title>
<metadata>A title.</metadata><content>
<para>The <term>bank</term> is steep<footnote>So they say.</footnote>. It is
“high”; see <link document="m2">the map</link>. Its height is
<m:math><m:mi>h</m:mi></m:math> metres. Look at <link target-id="f1"/> again.</para>
<section class="review-questions"><para>What is a bank?</para></section>
<section><title>References</title><para>Otter, J. 2010.</para></section>
<note><title>Boats</title><para>They float.</para>
 <list><item>A heading</item><item>A boat is tied to it.</item></list></note>
<table><row><entry>No prose.</entry></row></table>
<exercise><problem><para>Compute it.</para></problem></exercise></content>
<glossary><definition><meaning>The side of a river.</meaning></definition></glossary>
</document>"""

CHAPTER = """<html xmlns="http://www.w3.org/1999/xhtml"><body><section>
<hgroup><h2>I</h2><p>The Tooth</p></hgroup>
<p>“I’ve brought it, <abbr>Mr.</abbr> Otter,” said\u2060—softly\u2060—she. He left.</p>
</section></body></html>"""

ARTICLE = """> * 原文作者：[Otter](https://a.b/c)

# 一个标题，不是句子

* 苹果**很甜**，[平板](https://a.b/c)也快。![图](x.png)
1. 运行 `ls`，然后<ruby>回车<rt>Enter</rt></ruby>。

```python
print("代码，不是文字。")
```

    缩进的也是代码，不读。

| 表，格 | 甲。 |
The bank is steep, but 好，not Chinese.
本文由 [LCTT](https://a.b) 翻译，荣誉推出。
一行没有标点的字
"""


def zipped(path, texts):
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in texts.items():
            archive.writestr(name, text)
    return path


def test_a_module_is_read_without_formulas_exercises_and_apparatus(tmp_path):
    path = zipped(
        tmp_path / "o.zip", {"b/modules/m1/index.cnxml": BOOK, "b/LICENSE": ""}
    )
    (document,) = markup.openstax(path)
    assert [" ".join(s) for s in document] == [
        "The bank is steep .",
        'It is " high " ; see the map .',
        "They float .",
        "A boat is tied to it .",
    ]


def test_a_chapter_is_read_without_its_headings(tmp_path):
    path = zipped(tmp_path / "s.zip", {"n/src/epub/text/chapter-1.xhtml": CHAPTER})
    (document,) = markup.standard_ebooks(path)
    assert [" ".join(s) for s in document] == [
        '" I \'ve brought it , Mr. Otter , " said -- softly -- she .',
        "He left .",
    ]


def test_an_article_is_read_without_code_links_and_notices(tmp_path):
    english = "# Title\n\nNobody has translated this, so far。"
    path = zipped(tmp_path / "a.zip", {"r/1.md": ARTICLE, "r/2.md": english})
    (document,) = markup.articles(path, unit="characters")
    lines = ["".join(sentence) for sentence in document]
    assert lines == ["苹果很甜，平板也快。", "运行ls，然后回车。"]


@pytest.mark.parametrize("reader", [markup.openstax, markup.standard_ebooks])
def test_broken_xml_is_named(reader, tmp_path):
    texts = {"b/index.cnxml": BOOK[:300], "b/chapter.xhtml": CHAPTER[:90]}
    path = zipped(tmp_path / "cut.zip", texts)
    with pytest.raises(DamagedData, match=r"cut\.zip: b/.* is not well-formed.*Delete"):
        list(reader(path))


@pytest.mark.parametrize(
    "reader", [markup.openstax, markup.standard_ebooks, markup.articles]
)
def test_a_truncated_zip_is_named(reader, tmp_path):
    whole = zipped(tmp_path / "w.zip", {"r/1.md": ARTICLE * 50}).read_bytes()
    path = tmp_path / "cut.zip"
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DamagedData, match=r"cut\.zip cannot be read to its end"):
        list(reader(path))


def test_json_lines_are_read_from_all_files(tmp_path):
    paths = [tmp_path / "a.json", tmp_path / "b.json"]
    for path, text in zip(paths, ["天晴。走吧。", "好。"], strict=True):
        path.write_text(f'{{"abst": "{text}"}}\n', "utf-8")
    read = markup.fields("abst")
    found = [["".join(s) for s in d] for d in read(*paths, unit="characters")]
    assert found == [["天晴。", "走吧。"], ["好。"]]
    paths[1].write_text('{"abst": "好。"}\n{"id": 1}\n', "utf-8")
    with pytest.raises(DamagedData, match=r"b\.json, line 2: no abst"):
        list(read(*paths))


def test_paragraphs_and_stories_are_read_without_gaps(tmp_path):
    path = tmp_path / "c.json"
    path.write_text('[{"context_text": "\\u5929\\u6674\\u3002"}]', "utf-8")
    assert list(markup.cmrc2018(path, unit="characters")) == [[list("天晴。")]]
    story = '{"data": [{"context": "天晴。[BLANK1]，走吧。好。"}]}'
    path.write_text(story, "utf-8")
    (document,) = markup.cmrc2019(path, unit="characters")
    assert document == [list("天晴。"), list("好。")]


@pytest.mark.parametrize("reader", [markup.cmrc2018, markup.cmrc2019])
@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('{"data": [{"context": "天', r"c\.json, line 1: not JSON"),
        ('{"data": [{"text": 1}]}', r"c\.json: an entry without"),
    ],
)
def test_damaged_json_is_named(reader, text, complaint, tmp_path):
    path = tmp_path / "c.json"
    if reader is markup.cmrc2018:
        text = text.removeprefix('{"data": ').removesuffix("}")
    path.write_text(text, "utf-8")
    with pytest.raises(DamagedData, match=complaint):
        list(reader(path))
