"""The table of corpora: what each is, where it comes from, on which terms.

Nothing listed here is part of the course, except what ships: the loaders fetch it
from its public source, or find it in COURSE_DATA and NLTK_DATA.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from course_lib.data import markup, readers, tasks
from course_lib.data.files import File
from course_lib.data.readers import Document
from course_lib.data.repositories import PARTS
from course_lib.data.senses import senses
from course_lib.worlds.splits import SPLITS

# As sha256sum writes them. Four files (IMDb, BBC news, Reuters, Gutenberg) are also
# passed on in re-packed form, Gutenberg without the Bible (with it 2.6M words): then
# any sound archive will do, or the public MD5 below. The zips that are put together
# from repositories come out a little different each time: any sound one will do.
SHA256 = {
    path: f"sha256:{hash_}"
    for hash_, path in map(
        str.split,
        """\
1d414b9c65caf3a836abdb4efded621968502ad3338e1a9d885ae131c86083f0  ChnSentiCorp_htl_all.csv
c2fa5f09b09d2b3e5b98dbc1d0e2a78a60e67c856bb261f877c8a0a8b3e5732f  aclImdb_v1.tar.gz
ee88318714894866afa20b3582943c47edefa7b98438fddb1a8e45abaafce675  bbc-fulltext.zip
5cfe4414c28a8ecbb51670f78c0dc7d1049f286c2d5769b52f1f94bcc0752cf1  cmrc2018_dev.json
a976d1fd5efc173bd58ff1c57e958de5f49fed633a7bfb8e0e402e5490d75f5e  cmrc2018_trial.json
a6a24faa3ebd85ff2c514bc489cbf78bc95f65bfcf479c72714502b8a0a61ced  cmrc2019_dev.json
724878548d09878105255fcb01e63ea427409f05c55b5f6289b361440dfff79e  cmrc2019_qualify.json
849aacdee751afe766f2e610e58f5972a2575d4f91037ffa3db2cdc6c9b23d9f  cmrc2019_trial.json
129bb6001beb828049a90a59b7dd3c2f0594a47012e48fc5177dfae38e658565  corpora/abc.zip
9b275f9b3b95d7bd66ccfb7cd259f445a13bbe5d1f4107aba09fd3e8364bafa6  corpora/brown.zip
01e65164f268366e7caa0db92332a1955d081908c87016e2c7640c3c5279b7cd  corpora/conll2000.zip
1743b84e9760cceacb39ba2b583314ed1a91cbd5425996ad814024d3a2cbe1f9  corpora/gutenberg.zip
678a5141cf3381bedb1839c58a330507337be07c7c71603279c0ef5337032304  corpora/masc_tagged.zip
a41211ae685019137410268134db6a1a14428c89b671eb83056151a878539008  corpora/movie_reviews.zip
091fb01e50883014d150acb7d5013d787136968b3f955ae01725a65e7e80f304  corpora/qc.zip
08667d183c9149898825217e0b9039707e3178b11894bc673ee1fd2f9abde832  corpora/reuters.zip
2f806ead4d53171601254747c3b7c97d758e63a6ef54e3c010a6d62885ab214a  corpora/rte.zip
fbcb658b562969e47a19a45e04c452d874755d157db936d815ca391ca88bfdea  corpora/senseval.zip
6e1ed4405b65c7eabf1d199a7f7c437091ac21da0ea7467b410a74062574566b  corpora/sentence_polarity.zip
741f3371e1a4375051b874fd82fd55857b90975473c91c19a3101cbe17fc4d8c  corpora/subjectivity.zip
9da92d76c3666cfb6cddeaed0f7e86b344cce0f0928a286d439e555f19c37399  corpora/treebank.zip
9e32dbae4879464b8f420a0dc721855bb26167b720d7695588d2ca2aeadf501a  corpora/webtext.zip
5a0b2e4c543d8a803b138b5488313425cdec26708e323388d37750c6bd35b4e9  dh_msra.zip
531a54ff90d6ab12201c5a50c3e78e6ddac4de69abc4bce5d275d3cd29efe2b6  en_ewt-ud-dev.conllu
e266e515a0a7547657ed3d90d9ba46487d6bd251f27ad4269d4e8a427c8555cd  en_ewt-ud-test.conllu
7e218f5f13aeac1f9dbfdeda638592f96dfc54226e8673f295194aed5c14b429  fewclue/chid_unlabeled.json
54943f28808c609f13d73fa1e5235346bc894b79e382e142c3cd5e85b7f669d7  fewclue/csl_test.json
93735cf195424d0104647866f56414b6f8c581613ee532893d84cd36e385289f  fewclue/csl_test_public.json
a291c071fccc3a88cc18b026862f38def0536e3666ea1b9ee84a473030d222a4  fewclue/csldcp_dev_few_all.json
5d7152df5441ee73cdd6e9e595513e54c05bf9e7c6939182ee2e3d4e74329742  fewclue/csldcp_test.json
e1862a5529fc7531fd645944be8e7776e4ae154da53467df655768948561f8ec  fewclue/csldcp_test_public.json
ca522b2f42fa3d7f564dfd70a057b81d12866b28a753d157ffb0c02855895429  fewclue/csldcp_train_few_all.json
859eeb8b977a5e06c13b7c4016a74aae1dc8a5ff5a8fb502fba77e551087ed96  fewclue/eprstmt_dev_few_all.json
ddea92e833023adeff35070bd56331878ae9fdc57fd99229c249c2aae06bbf41  fewclue/eprstmt_test_public.json
da6343ed63264304fdbf70ebc6f82d7ab43aa294daad047f450a88252a36de9d  fewclue/eprstmt_train_few_all.json
1bf7d22da37ff652f0ce58c5d69c14680e29008a290101fbac29befe06a6fdfe  fewclue/eprstmt_unlabeled.json
25e8dd5031ce5d1f7f78f00edff81749a2dc00c17894151c2790c55a4ac3f5dc  fewclue/iflytek_dev_few_all.json
d0fff6d2d2da33acd2705702db6e6703b3530e2b8195351c4a5f089a3ca814d1  fewclue/iflytek_test.json
f3cca532ec3d63b4afd2d8ce73f2f6e3eaa224cf8fa2fb9a6ebe2e602742dc19  fewclue/iflytek_test_public.json
8de5db8d8a9fa77ae2e5da36a78c762625303600d547f96cc3b674a012243fe6  fewclue/iflytek_train_few_all.json
8aa37d994fa6148e673c1357a44ee1409cab0220f773b55dd8e5733446804725  fewclue/tnews_dev_few_all.json
19909c69baee76687f0ffeb73b5eac642e77a32a8fe661325c6f9338ca9e4c99  fewclue/tnews_test_public.json
261c91076d36a2e64bad671719cbeccbfce8e7032716de4dbb495bccbb971c15  fewclue/tnews_train_few_all.json
8b3ecb742f611718fac1a0576cda84211052e94aa07669e2052c89d3bca6e506  fewclue/tnews_unlabeled.json
88728e12774af1bfac06ece9b40baf2ff9733494108990c8c0d3a8cb92c6c008  gold-miner.zip
5b4406c33a5ce1d6881b13b556e2da5b77b12f3f3a87e0b332dbdc1547e68754  howtocook.zip
32f274919d095fa2b9591ecaaad70b96f037f1d50fbdb29e7ea655d61c7604b7  lctt.zip
6816ded66fde9d0927ecbd370b5e12d0174d1abac35192ec014ac2a0a8d25858  online_shopping_10_cats.zip
4a4b20c42c2a75edac3b645c1aedfeb9531fa884487929ff2ea0fbe8a26c24a6  openstax.zip
3d958229611090f5986d9c1c5308b87cf06e483ca1611a7121e29cd9a4c796bb  standardebooks.zip
b8b5c11c00b51578d35937fca56e03a126b45381f1ea4b22893237cb377a26fe  waimai_10k.csv
0ad880b660a3ebc5353eb4c76bd4269c48fc870d21f80a41d24a86422396a05c  weekly.zip
342a2969df6d6d08bdc25dbc067c93c86ab3099bb054a9921ae7067cbc2c53ad  zh_gsdsimp-ud-dev.conllu
573f59b799b499a920d2d5bdc0e3c1dbd7bcacf86bdece4334ecbd03e21b6150  zh_gsdsimp-ud-test.conllu
""".splitlines(),  # noqa: E501
    )
}
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
