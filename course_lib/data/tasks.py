"""Read labelled examples: one short generator for each task set.

Every reader takes a path and the name of a split. Sentiment is "pos" or "neg"
everywhere; a label of None means unlabelled.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path

from course_lib.data import readers
from course_lib.data.files import DamagedData
from course_lib.data.readers import csv_rows, imdb_texts, json_rows, lines, members
from course_lib.text.examples import Example, Pair, SenseSentence, Tagged
from course_lib.text.tokenise import straighten

SENTIMENT = {"1": "pos", "0": "neg", "Positive": "pos", "Negative": "neg"}
BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LCB-": "{", "-RCB-": "}"}
LEAF = re.compile(r"\(([^\s()]+) ([^\s()]+)\)")  # (NN asbestos) in a parse tree
INSTANCE = re.compile(r'senseid="([^"]+)"/>\s*<context>(.*?)</context>', re.S)
WORD = re.compile(r"""(<head>)?\s*<wf pos=["'](.+?)["']>(.*?)</wf>""")


def imdb(path: Path, split: str) -> Iterator[Example]:
    """Read IMDb reviews (Maas et al. 2011)."""
    folders = {
        "train": ("train/neg", "train/pos"),
        "test": ("test/neg", "test/pos"),
        "unlabelled": ("train/unsup",),
    }[split]
    for folder, text in imdb_texts(path, *folders):
        label = folder.rpartition("/")[2]
        yield Example(text, None if label == "unsup" else label)


def movie_reviews(path: Path, split: str) -> Iterator[Example]:
    """Read 2,000 film reviews (Pang & Lee 2004)."""
    for name, text in members(path, "ascii"):
        yield Example(text, name.split("/")[1])


def sentence_polarity(path: Path, split: str) -> Iterator[Example]:
    """Read 10,662 sentences of film reviews (Pang & Lee 2005)."""
    for name, text in members(path, "utf-8"):
        for line in text.strip().split("\n"):
            yield Example(line.strip(), name.rpartition(".")[2])


def subjectivity(path: Path, split: str) -> Iterator[Example]:
    """Read 10,000 sentences: reviews (subjective) and plots (Pang & Lee 2004)."""
    for name, text in members(path, "utf-8"):
        label = "subjective" if "quote" in name else "objective"
        for line in text.strip().split("\n"):
            yield Example(line.strip(), label)


def qc(path: Path, split: str, *, fine: bool = False) -> Iterator[Example]:
    """Read TREC questions (Li & Roth 2002): 6 coarse or 50 fine classes."""
    for _, text in members(path, "latin-1", inside=split):
        for line in text.strip().split("\n"):
            label, _, question = line.partition(" ")
            yield Example(question.strip(), label if fine else label.split(":")[0])


def rte(path: Path, split: str) -> Iterator[Pair]:
    """Read the RTE challenges 1 to 3: does the first text entail the second?

    Train is the three development sets, test the three test sets.
    """
    for _, text in members(path, "utf-8", inside="dev" if split == "train" else "test"):
        for pair in ElementTree.fromstring(text.encode()).iter("pair"):
            entailed = pair.get("value", pair.get("entailment")) in ("TRUE", "YES")
            label = "entailment" if entailed else "not_entailment"
            yield Pair(pair.findtext("t").strip(), pair.findtext("h").strip(), label)


def senseval(path: Path, split: str) -> Iterator[SenseSentence]:
    """Read the sense-tagged contexts of one word: hard, interest, line or serve."""
    for _, text in members(path, "ascii", inside=split):
        for sense, context in INSTANCE.findall(text):
            words = WORD.findall(context.replace("&amp;", "&"))
            tokens = [straighten(token) for _, _, token in words]
            target = next(i for i, (head, _, _) in enumerate(words) if head)
            yield SenseSentence(split, sense, words[target][1], tokens, target, "")


def treebank(path: Path, split: str) -> Iterator[Tagged]:
    """Read the words and parts of speech of the Penn Treebank sample."""
    for _, text in members(path, "ascii", inside="combined/"):
        for tree in re.split(r"\n(?=\()", text):
            leaves = [leaf for leaf in LEAF.findall(tree) if leaf[0] != "-NONE-"]
            if leaves:
                yield _tagged([(word, tag) for tag, word in leaves])


def masc(path: Path, split: str) -> Iterator[Tagged]:
    """Read MASC's words and parts of speech, a line of it a sentence."""
    for _, text in members(path, "utf-8"):
        for line in filter(str.strip, text.split("\n")):
            tagged = [item.rpartition("_")[::2] for item in line.split()]
            yield _tagged([pair for pair in tagged if all(pair)])  # some lack a tag


def conll2000(path: Path, split: str) -> Iterator[Tagged]:
    """Read the chunks of the CoNLL-2000 shared task (B-NP, I-NP, O …)."""
    for _, text in members(path, "ascii", inside=split):
        for block in text.strip().split("\n\n"):
            yield _tagged([line.split(" ")[::2] for line in block.split("\n")])


def _tagged(pairs: list) -> Tagged:
    """Separate words from tags; write quotes and brackets as elsewhere."""
    words = [straighten(BRACKETS.get(word, word)) for word, _ in pairs]
    return Tagged(words, [tag for _, tag in pairs])


def conllu(path: Path, split: str) -> Iterator[Tagged]:
    """Read the words and universal parts of speech of a CoNLL-U file."""
    tokens, tags = [], []
    for number, line in enumerate(lines(path), start=1):
        columns = line.rstrip("\n").split("\t")
        if not line.strip() and tokens:
            yield Tagged(tokens, tags)
            tokens, tags = [], []
        elif line.strip() and not line.startswith("#"):
            _expect(len(columns) == 10, path, number, "10 columns between tabs", line)
            if columns[0].isdigit():  # 3-4 is a contraction, 3.1 an empty node
                tokens.append(straighten(columns[1]))
                tags.append(columns[3])


def msra(path: Path, split: str) -> Iterator[Tagged]:
    """Read MSRA's named entities: characters, tagged B-PER, I-PER, O …"""
    tokens, tags = [], []
    for number, line in enumerate(lines(path), start=1):
        columns = line.rstrip("\r\n").split("\t")
        if line.strip():
            _expect(len(columns) == 2, path, number, "character, tab, tag", line)
            tokens.append(columns[0])
            tags.append(columns[1])
        elif tokens:
            yield Tagged(tokens, tags)
            tokens, tags = [], []


def _expect(right: bool, path: Path, number: int, what: str, line: str) -> None:
    """Raise an error that names the file and the line unless the line is right."""
    if not right:
        raise DamagedData(
            f"{path}, line {number}: expected {what}; found {line[:60]!r}. "
            "Delete the file and download it again."
        )


def reviews_zh(
    path: Path, split: str, *, category: str | None = None
) -> Iterator[Example]:
    """Read Chinese reviews from a CSV file with the columns label and review."""
    met = set()
    for number, row in csv_rows(path, "label", "review"):
        met.add(row.get("cat"))
        if row["review"].strip() and category in (None, row.get("cat")):
            _expect(row["label"] in SENTIMENT, path, number, "0 or 1", row["label"])
            text = row["review"].replace("\ufeff", "").strip()
            yield Example(text, SENTIMENT[row["label"]])
    readers.known_category(category, met, path)


def tnews(path: Path, split: str) -> Iterator[Example]:
    """Read headlines and their topics."""
    columns = ("sentence",) if split == "unlabelled" else ("sentence", "label_desc")
    for row in json_rows(path, *columns):
        label = row.get("label_desc", "").removeprefix("news_")
        yield Example(row["sentence"], label or None)


def eprstmt(path: Path, split: str) -> Iterator[Example]:
    """Read e-commerce reviews and their sentiment."""
    columns = ("sentence",) if split == "unlabelled" else ("sentence", "label")
    for row in json_rows(path, *columns):
        yield Example(row["sentence"], SENTIMENT.get(row.get("label")))
