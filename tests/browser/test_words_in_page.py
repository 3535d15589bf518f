"""A page without a kernel cuts text into the same words as Python does."""

from __future__ import annotations

import pytest

pytest.importorskip("playwright.sync_api")

from bookmaking import page_models

from course_lib import data
from course_lib.text.tokenise import words_en, words_zh
from course_lib.widgets import kit

ODD_EN = [
    "",
    " \t\n\u3000\u200b ",
    "I can't, won't and cannot; it's O'Neill's — he said: “don't!” DON'T CANNOT",
    "Mr. J. Smith of the U.S. paid $1,000.50 at 10:30, e.g. on Jan. 5 ... or --- so",
    "AT&T's well-known ``quotes'' and ''more'' 'single' ’tis rock 'n' roll",
    "cafe\u0301 x\u0323\u0301y na\u00efve \u0141\u00f3d\u017a \u212bngstr\u00f6m",
    "snake_case __init__ a_1 1st 3.14. 2,3,4 ½ ² Ⅷ ١٢٣ 😀👩\u200d👩\u200d👧 a\u00adb",
    "苹果 and bank，混合 text。",
    "\ufeffbank\u00a0by\u2028the\x1criver\x85bank can\u0301not toucannot",
    "<b>bank</b> {x} \\n $& $1 [a-z]+ ?!",
]
ODD_ZH = [
    "",
    "　 \n",
    "一个苹果，一部苹果手机",
    "他打电话给我，说iPhone15卖了3.5%，C++和C#都AT&T。",
    "𠮷野家的龘龘鑫森淼，蔡英文和小明硕士毕业于中国科学院计算所",
    "乒乓球拍卖完了！！！ok？abc_def-123 +86",
    "龘", "的的的的的", "我 在 这里", "杜鹃花在杜鹃叫的时候开了花",
]  # fmt: skip

CUT = """async ([texts, chinese]) => {
  const known = chinese && lexicon(globalThis.coursePieces.jieba);
  return texts.map((text) => (chinese ? wordsZh(text, known) : wordsEn(text)));
}"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Write a page with the module and jieba's dictionary, as the book has them."""
    folder = tmp_path_factory.mktemp("words")
    text = page_models.script("jieba", page_models.dictionary())
    (folder / "jieba.js").write_text(text, "utf-8")
    module = kit.read("words.js").replace("export ", "")
    page = f'<!doctype html><meta charset="utf-8"><script src="jieba.js"></script>\
<script>{module}</script>'
    (folder / "page.html").write_text(page, "utf-8")
    return (folder / "page.html").as_uri()


def cut(page, texts: list[str], chinese: bool) -> list[list[str]]:
    """Return what the page makes of texts."""
    return page.evaluate(CUT, [texts, chinese])


def test_english_is_cut_as_in_python(open_page, site):
    texts = ODD_EN + [" ".join(s.tokens) for s in data.senses("en")]
    texts += [text.replace(" ", "") for text in ODD_EN]
    assert cut(open_page(site), texts, False) == [words_en(text) for text in texts]


def test_chinese_is_cut_as_jieba_does(open_page, site):
    """All sense sentences, and each backwards, where there are many unknown words."""
    texts = ["".join(s.tokens) for s in data.senses("zh")]
    texts += ODD_ZH + [text[::-1] for text in texts]
    assert cut(open_page(site), texts, True) == [words_zh(text) for text in texts]
