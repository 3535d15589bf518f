"""The optional cells of lessons 10, 13 and 15: with a model in the released form, tiny
and random, they run; without it they say one line and do nothing else.

Each is run in the quick profile, after the cells that it builds on.
"""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
import torch

import course_lib
from course_lib import data
from course_lib.models.bert import BERT, BERTConfig
from course_lib.models.gpt import GPT, GPTConfig
from course_lib.text.pieces import MARKS, Pieces
from course_released import huggingface, pieces
from course_released.catalogue import NOTE

pytestmark = pytest.mark.whole

COURSE = Path(__file__).resolve().parents[2]
SCRIPT = """
import sys
import nbformat
from course_released import catalogue

path, made, *before, last = sys.argv[1:]
for name, model in catalogue.MODELS.items():
    if isinstance(model, catalogue.Model):  # random ones have other hashes
        catalogue.MODELS[name] = model._replace(files={})
kernel, cells = {}, {cell.id: cell for cell in nbformat.read(path, 4).cells}
for key in before:
    exec(cells[key].source, kernel)
show = lambda heads, rows: [print(*row, sep=" | ") for row in (heads, *rows)]
kernel["claims"].show_table = show
for folder in ("nowhere", made):
    catalogue.places = lambda name: [catalogue.Path(folder) / name]
    print("--- the cell")
    exec(cells[last].source.replace("TRAIN = False", "TRAIN = True"), kernel)
"""
CELLS = {
    "10_ulmfit": (
        *("start", "stage1-run", "stage2-words", "stage2-before", "stage2-run"),
        *("stage2-longer-run", "pool-run", "stage3-run", "scoreboard-row"),
        "released-run",
    ),
    "13_gpt": (
        "start",
        "pieces-run",
        "live-run",
        "live-write",
        "shipped-run",
        "released-run",
    ),
    "15_lineage": ("start", "ladder-run", "upper-rung-run"),
}
EDITIONS = [(lesson, language) for lesson in CELLS for language in ("en", "zh")]


def wt103(folder: Path) -> None:
    """Write an AWD-LSTM as ULMFiT's authors did; it knows the words of awdlstm-en."""
    torch.manual_seed(0)
    words = ["_unk_", *course_lib.load("awdlstm-en")[1].words[1:]]
    weights = {"0.encoder.weight": torch.randn(len(words), 8)}
    for k, (before, after) in enumerate([(8, 12), (12, 12), (12, 8)]):
        at = f"0.rnns.{k}.module"
        weights[f"{at}.weight_ih_l0"] = torch.randn(4 * after, before)
        weights[f"{at}.weight_hh_l0_raw"] = torch.randn(4 * after, after)
        weights[f"{at}.bias_ih_l0"] = weights[f"{at}.bias_hh_l0"] = torch.randn(
            4 * after
        )
    torch.save(weights, folder / "fwd_wt103.h5", _use_new_zipfile_serialization=False)
    (folder / "itos_wt103.pkl").write_bytes(pickle.dumps(words))


def gpt2(folder: Path) -> None:
    """Write a GPT-2 whose pieces are single bytes."""
    alphabet = sorted(pieces.pre_tokenizers.ByteLevel.alphabet())
    numbers = {piece: i for i, piece in enumerate(["<|endoftext|>", *alphabet])}
    (folder / "vocab.json").write_text(json.dumps(numbers), encoding="utf-8")
    (folder / "merges.txt").write_text("#version: 0.2\n", encoding="utf-8")
    torch.manual_seed(0)
    sizes = GPTConfig(2, 8, 2, 256, gelu="tanh", marks=False)
    model = GPT(sizes, len(numbers))
    huggingface.save(model, pieces.read(folder, "gpt2"), folder)


def bert(folder: Path, language: str) -> None:
    """Write a BERT that has Rivertown's commonest words, or characters, as pieces."""
    documents = data.load(f"rivertown-{language}", tokens=8000).documents()
    text = [word.lower() for document in documents for s in document for word in s]
    list_ = [*MARKS, *dict.fromkeys([*text, *"".join(text)])]
    torch.manual_seed(0)
    sizes = BERTConfig(2, 8, 2, 128, post_norm=True, epsilon=1e-12)
    huggingface.save(BERT(sizes, len(list_)), Pieces(list_), folder)


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """Return a folder with the models that the cells ask for."""
    folder = tmp_path_factory.mktemp("released")
    names = ("wt103", "gpt2", "bert-base-uncased", "bert-base-chinese")
    for name in names:
        (folder / name).mkdir()
        (folder / name / NOTE).write_text('{"sha256": {}}')
    wt103(folder / "wt103")
    gpt2(folder / "gpt2")
    bert(folder / "bert-base-uncased", "en")
    bert(folder / "bert-base-chinese", "zh")
    return folder


@cache
def said(lesson: str, language: str, folder: Path) -> tuple[str, str]:
    """Run an optional cell after what it builds on, without its model and with it.

    Return what it printed each time.
    """
    path = COURSE / "notebooks" / language / f"{lesson}.ipynb"
    here = os.environ | {"COURSE_PROFILE": "quick", "MPLBACKEND": "Agg"}
    here["PYTHONPATH"] = str(COURSE)
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", SCRIPT, path, folder, *CELLS[lesson]],
        env=here,
        cwd=path.parent,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    _, without, with_it = run.stdout.split("--- the cell\n")
    return without, with_it


def rows_of(text: str) -> dict[str, list[str]]:
    """Return the rows of the printed tables, by their first cell."""
    lines = [line.split(" | ") for line in text.splitlines() if " | " in line]
    return {line[0]: line[1:] for line in lines}


@pytest.mark.parametrize(("lesson", "language"), EDITIONS)
def test_without_the_model_there_is_one_line(lesson, language, made):
    text, _ = said(lesson, language, made)
    assert text.count("\n") == 1
    assert ("optional" if language == "en" else "可以跳过") in text
    assert "python -m course_lib released " in text


@pytest.mark.parametrize("language", ["en", "zh"])
def test_10_wt103_is_asked_for_senses_and_goes_through_the_stages(language, made):
    _, text = said("10_ulmfit", language, made)
    assert text.startswith("i think the")
    rows = rows_of(text)
    (wide,) = (row for name, row in rows.items() if name.startswith("wt103, LSTM"))
    assert len(wide) == 4 and all(0 <= float(x) <= 1 for x in wide[1:])
    assert ("wt103" in rows) == (language == "en")  # stages 2 and 3


@pytest.mark.parametrize("language", ["en", "zh"])
def test_13_a_random_gpt2_cannot_tell_bytes_apart(language, made):
    """Nearly log2(257) bits a byte: English has one byte a character."""
    _, text = said("13_gpt", language, made)
    assert text.count("…\n  gpt-en: ") == 3
    assert float(rows_of(text)["GPT-2"][-1]) == pytest.approx(8, abs=0.05)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_15_a_random_bert_is_at_chance_on_the_rung_above(language, made):
    """Its perplexity is nearly the number of words that it chooses among."""
    _, text = said("15_lineage", language, made)
    words = int(text.split("gaps:" if language == "en" else "空缺：")[1].split()[-1])
    perplexity, _, shuffled = map(float, rows_of(text)["BERT"])
    assert perplexity == pytest.approx(words, rel=0.1)
    assert shuffled == pytest.approx(words, rel=0.1)
