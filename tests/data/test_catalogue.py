"""The catalogue answers at once, with or without anything on the machine."""

import inspect
import json
import re
import subprocess
import sys
import zipfile
from functools import partial
from pathlib import Path

import pytest

from course_lib import data
from course_lib.data.catalogue import CHINESE_SIZES
from course_lib.data.entries import CATALOGUE, TOWN


@pytest.fixture
def empty_machine(tmp_path, monkeypatch):
    """Hide all real corpora and the network."""
    for variable in ("HOME", "USERPROFILE", "XDG_CACHE_HOME", "COURSE_DATA"):
        monkeypatch.setenv(variable, str(tmp_path))
    monkeypatch.delenv("NLTK_DATA", raising=False)
    for variable in ("HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.setenv(variable, "http://127.0.0.1:9")  # nobody listens there
    return tmp_path


@pytest.mark.parametrize("language", ["en", "zh"])
def test_with_nothing_at_hand_the_best_text_is_rivertown(
    language, empty_machine, capsys
):
    corpus = data.best(language)
    assert corpus.name == f"rivertown-{language}"
    assert len(capsys.readouterr().out.splitlines()) == 1
    document = next(iter(corpus.documents()))
    assert all(isinstance(token, str) for sentence in document for token in sentence)


def test_every_chinese_text_has_its_size_in_chinese():
    texts = {n for n, e in CATALOGUE.items() if e.language == "zh" and e.text}
    assert set(CHINESE_SIZES) == texts
    for name, size in CHINESE_SIZES.items():
        told = re.findall(r"[\d.,]+\d(?: ?M)?", size)
        assert all(number in CATALOGUE[name].size for number in told), name


def test_real_text_at_hand_is_better_than_rivertown(empty_machine, capsys):
    (empty_machine / "fewclue").mkdir()
    row = json.dumps({"content": "天晴了。"}, ensure_ascii=False)
    (empty_machine / "fewclue" / "chid_unlabeled.json").write_text(row, "utf-8")
    # It is found; that it is not the public file is noticed.
    with pytest.raises(data.DamagedData, match="chid_unlabeled.json"):
        data.best("zh")
    assert "chid" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["brown", "waimai", "imdb", "tnews"])
def test_what_is_missing_without_a_network_gives_advice(name, empty_machine):
    with pytest.raises(data.DataNotAtHand, match="is not on this machine"):
        data.load(name)
    assert not [path for path in empty_machine.rglob("*") if path.is_file()]


def test_available_says_what_ships_and_what_does_not(empty_machine):
    where = {row.name: row.where for row in data.available()}
    assert set(where) == set(CATALOGUE)
    ships = {name for name, place in where.items() if place == "ships"}
    ours = ["senses-en", "senses-zh", "rivertown-en", "rivertown-zh"]
    assert ships == {*ours, *(f"{town}-{task}" for town in ours[2:] for task in TOWN)}
    assert set(where.values()) == {"ships", "to download"}


def test_available_prints_a_line_a_corpus():
    table = data.available("zh")
    assert {row.language for row in table} == {"zh"}
    lines = str(table).splitlines()
    assert lines[0].split()[:3] == ["name", "language", "kind"]
    assert [line.split()[0] for line in lines[1 : len(table) + 1]] == [
        row.name for row in table
    ]


def test_a_misspelt_name_gets_a_suggestion():
    with pytest.raises(ValueError, match="Did you mean 'reuters'"):
        data.load("reuter")
    with pytest.raises(ValueError, match="Did you mean 'brown'"):
        data.at_hand("brwn")


def test_an_unknown_option_is_refused_before_anything_is_fetched(empty_machine):
    with pytest.raises(TypeError, match="waimai has no option fine; it has category"):
        data.load("waimai", fine=True)


def test_an_unknown_language_has_no_best_text():
    with pytest.raises(ValueError, match="'en' and 'zh'"):
        data.best("fr")


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_entry_is_complete(name):
    entry = CATALOGUE[name]
    assert entry.language in ("en", "zh")
    tasks = ("classification", "pair", "tagging", "senses", "translation")
    assert entry.kind in ("text", *tasks)
    assert (entry.kind == "text") == (entry.task is None)
    assert entry.text or entry.task
    assert entry.task is None or len(entry.files) in (0, 1, len(entry.splits))
    for reader in filter(None, (entry.text, entry.task)):
        wanted = ["path"] if reader is entry.text else ["path", "split"]
        found = inspect.getfullargspec(reader)
        many = found.varargs == "paths" and entry.task is None
        assert found.args == wanted or many
    for file in entry.files:
        assert file.hashes
        assert file.url is None or file.url.startswith("http")


def test_importing_the_catalogue_is_light():
    code = "import sys, course_lib.data; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {"torch", "nltk", "pooch", "requests", "jieba", "pandas"} & set(loaded)


OTHERS = {"nothing": None, "prose": b"Hello.\n\nA (line) <b> x\n", "bytes": b"\xff\x80"}


@pytest.mark.parametrize("content", OTHERS)
@pytest.mark.filterwarnings("ignore")  # that it is not the public file
def test_an_archive_of_something_else_is_named(content, empty_machine, monkeypatch):
    """Of some archives any version will do, so no hash says what they hold."""
    for variable in ("COURSE_DATA", "NLTK_DATA"):
        monkeypatch.setenv(variable, str(empty_machine))
    names = [n for n, e in CATALOGUE.items() if e.files and e.files[0].any_version]
    refused = {name: something_else(name, content, empty_machine) for name in names}
    assert len(names) > 15 and any(refused.values())
    if content == "nothing":
        assert all(refused.values()), refused


def something_else(name: str, content: str, folder: Path) -> int:
    """Ask a corpus that is an archive of something else; return how often it says so.

    Where it does not, it must have found something.
    """
    path, refused = folder / CATALOGUE[name].files[0].path, 0
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        for inside in ("combined/train.txt", "x/test_hard_dev_quote.pos"):
            if content != "nothing":
                archive.writestr(inside, OTHERS[content])
    corpus = data.load(name)
    asked = [partial(corpus.split, split) for split in getattr(corpus, "splits", ())]
    if CATALOGUE[name].text:
        asked.append(lambda: list(corpus.documents()))
    for ask in asked:
        try:
            assert ask()
        except data.DamagedData as error:
            assert str(path) in str(error)
            refused += 1
    return refused
