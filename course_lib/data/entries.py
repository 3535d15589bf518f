"""The table of corpora: what each is, where it comes from, on which terms.

Nothing listed here is part of the course, except what ships: the loaders fetch it
from its public source, or find it in COURSE_DATA and NLTK_DATA.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from course_lib.data import markup, readers, tasks
from course_lib.data.files import File
from course_lib.data.readers import Document
from course_lib.data.repositories import PARTS
from course_lib.data.senses import senses
from course_lib.worlds.splits import SPLITS

# The hashes stand as sha256sum writes them. Four files (IMDb, BBC news, Reuters,
# Gutenberg) are also passed on in re-packed form, Gutenberg without the Bible (with it
# 2.6M words): then any sound archive will do, or the public MD5 below. The zips that
# are put together from repositories come out a little different each time: any sound
# one will do.
HASHES = Path(__file__).with_name("sha256.txt").read_text("ascii").splitlines()
SHA256 = {path: f"sha256:{hash_}" for hash_, path in map(str.split, HASHES)}
GITHUB = "https://raw.githubusercontent.com"
ZH_NLP = "SophonPlus/ChineseNlpCorpus/a0b781d72158bde242c0626c9e354d2b328865ff"
FEWCLUE = "CLUEbenchmark/FewCLUE/62a02c6f31cf32814cfe522f78ef088228840f8d"
UD = "UniversalDependencies"
UD_EN = f"{UD}/UD_English-EWT/15d613d8447b3478787d4c278730a1e48a945efb"
UD_ZH = f"{UD}/UD_Chinese-GSDSimp/eb3aed31ebb170897405ee5cd1db83a1a0b11864"
RESEARCH, NLTK_TERMS = "research use", "see nltk_data's index"


class Entry(NamedTuple):
    """What the catalogue knows of one corpus.

    files: one that holds every split, or one a split; none if the corpus ships.
    text and task: readers, text(path, **options) and task(path, split, **options).
    Of several files, the text of a set with tasks is in the last one; without tasks,
    text(*paths, **options) reads all.
    """

    language: str
    kind: str  # text, classification, pair, tagging, senses or translation
    size: str
    terms: str
    files: tuple[File, ...] = ()
    text: Callable[..., Iterator[Document]] | None = None
    task: Callable[..., Iterator[NamedTuple]] | None = None
    splits: tuple[str, ...] = ("all",)


def _nltk(name: str) -> tuple[File, ...]:
    """Name a zip of NLTK's; its downloader has its own checks, its index moves on."""
    path = f"corpora/{name}.zip"
    return (File(path, None, (SHA256[path],), any_version=True),)


def _zh(folder: str, path: str) -> tuple[File, ...]:
    """Name a file of ChineseNlpCorpus."""
    url = f"{GITHUB}/{ZH_NLP}/datasets/{folder}/{path}"
    return (File(path, url, (SHA256[path],)),)


def _fewclue(name: str, *splits: str) -> tuple[File, ...]:
    """Name the files of a FewCLUE task, one a split."""
    paths = {split: f"fewclue/{name}_{split}.json" for split in splits}
    base = f"{GITHUB}/{FEWCLUE}/datasets/{name}"
    return tuple(
        File(path, f"{base}/{split}.json", (SHA256[path],))
        for split, path in paths.items()
    )


def _ud(base: str, name: str) -> tuple[File, ...]:
    """Name the dev and test files of a Universal Dependencies treebank."""
    paths = [f"{name}-ud-{split}.conllu" for split in ("dev", "test")]
    return tuple(File(p, f"{GITHUB}/{base}/{p}", (SHA256[p],)) for p in paths)


def _packed(path: str) -> tuple[File, ...]:
    """Name a zip that is put together from repositories."""
    return (File(path, None, (SHA256[path],), any_version=True, parts=PARTS[path]),)


def _cmrc(year: str, commit: str, *splits: str) -> tuple[File, ...]:
    """Name the files of a Chinese reading-comprehension set."""
    base = f"{GITHUB}/ymcui/cmrc{year}/{commit}/data"
    names = [f"cmrc{year}_{split}.json" for split in splits]
    return tuple(File(p, f"{base}/{p}", (SHA256[p],)) for p in names)


def _rivertown(language: str) -> Callable[..., Iterator[Document]]:
    """Make the reader of Rivertown, which is generated and has no file."""

    def read(path: None, *, tokens: int = 200_000, seed: int = 0, senses=None):
        from course_lib.worlds import rivertown

        return rivertown.text(language, tokens, seed, senses)

    return read


def _town(task: str, language: str, kind: str, size: str) -> Entry:
    """Make the entry of a task set of Rivertown, which is generated too."""

    def read(path: None, split: str) -> Iterator[NamedTuple]:
        from course_lib.worlds import town_tasks

        yield from getattr(town_tasks, task)(language, split)

    return Entry(language, kind, size, "CC0", task=read, splits=SPLITS)


TOWN = {
    "pos": ("tagging", "5,500 sentences, UPOS"),
    "chunks": ("tagging", "5,500 sentences, chunks"),
    "entities": ("tagging", "5,500 sentences, entities"),
    "senses": ("senses", "5,500 sentences"),
    "topics": ("classification", "5,500 sentences, 12 topics"),
    "sentiment": ("classification", "5,500 reviews"),
    "questions": ("pair", "5,500 questions and answers"),
    "translation": ("translation", "5,500 pairs"),
}


def _ours(language: str) -> Callable[..., Iterator[NamedTuple]]:
    """Make the reader of the course's own sense sentences."""

    def read(path: None, split: str) -> Iterator[NamedTuple]:
        yield from senses(language)

    return read


IMDB = File(
    "aclImdb_v1.tar.gz",
    "https://ai.stanford.edu/~amaas/data/sentiment/aclImdb_v1.tar.gz",
    ("md5:7c2ac02c03563afcf9b574c7e56c153a", SHA256["aclImdb_v1.tar.gz"]),
)
BBC = File(  # no hash of the public file is known: a sound zip will do
    "bbc-fulltext.zip",
    "http://mlg.ucd.ie/files/datasets/bbc-fulltext.zip",
    (SHA256["bbc-fulltext.zip"],),
    any_version=True,
)
FEW_FILES = ("train_few_all", "dev_few_all", "test_public", "unlabeled")
FEW_SPLITS = ("train", "dev", "test", "unlabelled")

# Best running text first: general prose before newswire before reviews.
CATALOGUE: dict[str, Entry] = {
    # -- English text
    "brown": Entry(
        "en", "text", "1.2M words, 3 MB", "non-commercial use",
        _nltk("brown"), readers.brown,
    ),
    "masc_tagged": Entry(
        "en", "tagging", "0.6M words, 2 MB", NLTK_TERMS,
        _nltk("masc_tagged"), readers.masc, tasks.masc,
    ),
    "bbc": Entry(
        "en", "text", "1.0M words, 3 MB", f"{RESEARCH}; cite Greene & Cunningham 2006",
        (BBC,), readers.bbc,
    ),
    "reuters": Entry(
        "en", "text", "1.5M words, 6 MB", RESEARCH, _nltk("reuters"), readers.reuters,
    ),
    "gutenberg": Entry(
        "en", "text", "1.6M words, 3 MB", "public domain",
        _nltk("gutenberg"), readers.gutenberg,
    ),
    "abc": Entry(
        "en", "text", "0.8M words, 1 MB", NLTK_TERMS, _nltk("abc"), readers.blocks,
    ),
    "imdb": Entry(
        "en", "classification", "100,000 reviews, 20M words, 84 MB",
        f"{RESEARCH}; cite Maas et al. 2011",
        (IMDB,), readers.imdb, tasks.imdb, ("train", "test", "unlabelled"),
    ),
    "movie_reviews": Entry(
        "en", "classification", "2,000 reviews, 4 MB", "CC BY 4.0",
        _nltk("movie_reviews"), readers.movie_reviews, tasks.movie_reviews,
    ),
    "openstax": Entry(
        "en", "text", "25 textbooks, 7M words, 30 MB", "CC BY or CC BY-NC-SA 4.0",
        _packed("openstax.zip"), markup.openstax,
    ),
    "standardebooks": Entry(
        "en", "text", "19 novels of 1889-1934, 2.6M words", "public domain, CC0",
        _packed("standardebooks.zip"), markup.standard_ebooks,
    ),
    "webtext": Entry(  # last: overheard talk and film scripts, in parts offensive
        "en", "text", "0.4M words, 1 MB; strong language", NLTK_TERMS,
        _nltk("webtext"), readers.blocks,
    ),
    "rivertown-en": Entry("en", "text", "any", "CC0", text=_rivertown("en")),
    # -- English tasks
    "sentence_polarity": Entry(
        "en", "classification", "10,662 sentences", NLTK_TERMS,
        _nltk("sentence_polarity"), task=tasks.sentence_polarity,
    ),
    "subjectivity": Entry(
        "en", "classification", "10,000 sentences", NLTK_TERMS,
        _nltk("subjectivity"), task=tasks.subjectivity,
    ),
    "qc": Entry(
        "en", "classification", "5,952 questions (TREC)", NLTK_TERMS,
        _nltk("qc"), task=tasks.qc, splits=("train", "test"),
    ),
    "rte": Entry(
        "en", "pair", "4,167 pairs", NLTK_TERMS,
        _nltk("rte"), task=tasks.rte, splits=("train", "test"),
    ),
    "treebank": Entry(
        "en", "tagging", "3,914 sentences, POS", NLTK_TERMS,
        _nltk("treebank"), task=tasks.treebank,
    ),
    "conll2000": Entry(
        "en", "tagging", "10,948 sentences, chunks", NLTK_TERMS,
        _nltk("conll2000"), task=tasks.conll2000, splits=("train", "test"),
    ),
    "en_ewt": Entry(
        "en", "tagging", "4,078 sentences, UPOS", "CC BY-SA 4.0",
        _ud(UD_EN, "en_ewt"), task=tasks.conllu, splits=("dev", "test"),
    ),
    "senseval": Entry(
        "en", "senses", "15,225 contexts of 4 words", NLTK_TERMS,
        _nltk("senseval"), task=tasks.senseval,
        splits=("hard", "interest", "line", "serve"),
    ),
    "senses-en": Entry("en", "senses", "12 words or more", "CC0", task=_ours("en")),
    # -- Chinese text
    "msra": Entry(
        "zh", "tagging", "55,289 sentences, entities, 3 MB", RESEARCH,
        _zh("dh_msra", "dh_msra.zip"), readers.msra, tasks.msra,
    ),
    "chid": Entry(
        "zh", "text", "6,509 passages, 3 MB", RESEARCH,
        _fewclue("chid", "unlabeled"), readers.chid,
    ),
    "online_shopping": Entry(
        "zh", "classification", "62,773 reviews, 10 categories, 4 MB", RESEARCH,
        _zh("online_shopping_10_cats", "online_shopping_10_cats.zip"),
        readers.reviews_zh, tasks.reviews_zh,
    ),
    "tnews": Entry(
        "zh", "classification", "24,293 headlines, 15 topics, 4 MB", RESEARCH,
        _fewclue("tnews", *FEW_FILES), readers.headlines_zh, tasks.tnews, FEW_SPLITS,
    ),
    "eprstmt": Entry(
        "zh", "classification", "20,495 reviews, 3 MB", RESEARCH,
        _fewclue("eprstmt", *FEW_FILES), readers.headlines_zh, tasks.eprstmt,
        FEW_SPLITS,
    ),
    "chnsenticorp": Entry(
        "zh", "classification", "7,765 hotel reviews, 3 MB", RESEARCH,
        _zh("ChnSentiCorp_htl_all", "ChnSentiCorp_htl_all.csv"),
        readers.reviews_zh, tasks.reviews_zh,
    ),
    "waimai": Entry(
        "zh", "classification", "11,987 food-delivery reviews, 1 MB", RESEARCH,
        _zh("waimai_10k", "waimai_10k.csv"), readers.reviews_zh, tasks.reviews_zh,
    ),
    "gold-miner": Entry(
        "zh", "text", "articles on software, 6M characters", RESEARCH,
        _packed("gold-miner.zip"), markup.articles,
    ),
    "lctt": Entry(
        "zh", "text", "articles on free software, 10M characters", "CC BY-SA 4.0",
        _packed("lctt.zip"), markup.articles,
    ),
    "weekly": Entry(
        "zh", "text", "a weekly on technology and life, 2M characters", RESEARCH,
        _packed("weekly.zip"), markup.articles,
    ),
    "howtocook": Entry(
        "zh", "text", "recipes, 0.1M characters", "Unlicense",
        _packed("howtocook.zip"), markup.articles,
    ),
    "iflytek": Entry(
        "zh", "text", "descriptions of apps, 2M characters", RESEARCH,
        _fewclue("iflytek", "train_few_all", "dev_few_all", "test_public", "test"),
        markup.fields("sentence"),
    ),
    "csl": Entry(
        "zh", "text", "abstracts of papers, 2M characters", RESEARCH,
        _fewclue("csl", "test_public", "test"), markup.fields("abst"),
    ),
    "csldcp": Entry(
        "zh", "text", "abstracts of papers, 2M characters", RESEARCH,
        _fewclue("csldcp", "train_few_all", "dev_few_all", "test_public", "test"),
        markup.fields("content"),
    ),
    "cmrc2018": Entry(
        "zh", "text", "paragraphs of the Chinese Wikipedia", "CC BY-SA 4.0",
        _cmrc("2018", "c0eb1b6ba219847457e6af3180da722bbeb656af", "trial", "dev"),
        markup.cmrc2018,
    ),
    "cmrc2019": Entry(
        "zh", "text", "stories", "CC BY-SA 4.0",
        _cmrc("2019", "f3808ee33f74a59aaf78f8635e6d5177c49f7cc2",
              "qualify", "trial", "dev"),
        markup.cmrc2019,
    ),
    "rivertown-zh": Entry("zh", "text", "any", "CC0", text=_rivertown("zh")),
    # -- Chinese tasks
    "zh_gsdsimp": Entry(
        "zh", "tagging", "1,000 sentences, UPOS", "CC BY-SA 4.0",
        _ud(UD_ZH, "zh_gsdsimp"), task=tasks.conllu, splits=("dev", "test"),
    ),
    "senses-zh": Entry("zh", "senses", "12 words or more", "CC0", task=_ours("zh")),
    # -- Rivertown's tasks
    **{
        f"rivertown-{language}-{task}": _town(task, language, *about)
        for language in ("en", "zh") for task, about in TOWN.items()
    },
}  # fmt: skip
