"""Checkpoints come back as they were saved, to half precision, or say what is wrong."""

import json

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

import course_lib
from course_lib import DATA, checkpoints
from course_lib.data import files
from course_lib.models.awd_lstm import AWDLSTM, AWDConfig
from course_lib.models.bilm import BiLM, BiLMConfig, Encoder
from course_lib.text.vocabulary import UNK, Vocabulary
from course_pretraining.pretrain import save_static

SENTENCES = [["The", "otter", "left", "the", "bank"], ["苹果", "!"]]
FILES = {"model.safetensors", "vocabulary.txt", "config.json"}


def small_bilm(vocabulary: Vocabulary, **options) -> BiLM:
    torch.manual_seed(0)
    sizes = {"cells": 12, "projection": 8, "filters": [[1, 4], [3, 8]], "char_size": 4}
    return BiLM(BiLMConfig(**{**sizes, **options}), len(vocabulary))


@pytest.fixture
def saved(tmp_path):
    """Save a small biLM whose sizes are all unlike the defaults."""
    vocabulary = Vocabulary([UNK, "bank", "苹果", "\u2028", "the", "otter", "of"])
    options = {"layers": 3, "n_highway": 2, "cutoffs": [3], "clip": 2.0}
    model = small_bilm(vocabulary, dropout=0.4, **options)
    checkpoints.save(model, vocabulary, tmp_path / "small")
    return model, vocabulary, tmp_path / "small"


def test_a_checkpoint_is_three_files(saved):
    assert {path.name for path in saved[2].iterdir()} == FILES


def test_it_comes_back_as_it_was_to_half_precision(saved):
    model, vocabulary, folder = saved
    loaded = checkpoints.load(folder)
    assert loaded.model.config == model.config
    assert loaded.vocabulary.words == vocabulary.words
    assert not loaded.model.training
    for name, weights in model.state_dict().items():
        found = loaded.model.state_dict()[name]
        assert found.dtype == torch.float32
        assert torch.equal(found, weights.half().float())


@pytest.mark.parametrize("value", [1e5, -7e4, float("nan"), float("inf")])
def test_a_number_that_half_precision_cannot_hold_is_refused(saved, value):
    """It would come back as inf; the checkpoint that was there stays."""
    model, vocabulary, folder = saved
    before = (folder / "model.safetensors").read_bytes()
    with torch.no_grad():
        model.token_layer.projection.bias[1] = value
    with pytest.raises(ValueError, match=r"token_layer.projection.bias.*half prec"):
        checkpoints.save(model, vocabulary, folder)
    assert (folder / "model.safetensors").read_bytes() == before


@pytest.mark.parametrize("text", ['{"layers": 3, "cel', "[1, 2]", '{"sizes": 1}', ""])
def test_damaged_sizes_name_the_file_and_the_cure(saved, text):
    folder = saved[2]
    (folder / "config.json").write_text(text)
    with pytest.raises(ValueError, match="config.json.*(restore|delete)"):
        checkpoints.load(folder)


def test_it_takes_two_bytes_a_parameter(saved):
    model, _, folder = saved
    weights = load_file(folder / "model.safetensors")
    assert {w.dtype for w in weights.values()} == {torch.float16}
    assert sum(w.numel() for w in weights.values()) == sum(
        p.numel() for p in model.parameters()
    )


def test_in_8_bits_matrices_take_one_byte_a_number_and_keep_three_digits(tmp_path):
    """Of a number that is not tiny, float8 keeps all but a sixteenth at most."""
    vocabulary = Vocabulary([UNK, "bank", "the"])
    model = AWDLSTM(AWDConfig(embedding=8, hidden=12), len(vocabulary))
    with torch.no_grad():
        model.lstms[1].weight_hh_l0[0, 0] = 500.0  # beyond float8
    checkpoints.save(model, vocabulary, tmp_path, in_8_bits=True)
    kept = load_file(tmp_path / "model.safetensors")
    loaded = checkpoints.load(tmp_path)[0].state_dict()
    for name, weights in model.state_dict().items():
        small = weights.dim() == 2 and name != "lstms.1.weight_hh_l0"
        assert kept[name].element_size() == (1 if small else 2)
        assert loaded[name].dtype == torch.float32
        rounding = 1 / 16 if small else 1 / 2048
        torch.testing.assert_close(loaded[name], weights, rtol=rounding, atol=2**-10)


def test_half_precision_hardly_changes_the_vectors(saved):
    model, vocabulary, folder = saved
    before = Encoder(model, vocabulary).encode(SENTENCES)
    after = checkpoints.load(folder).encode(SENTENCES)
    for one, other in zip(before, after, strict=True):
        assert other.dtype == np.float32
        np.testing.assert_allclose(other, one, atol=2e-3)


def test_saving_what_was_loaded_changes_no_byte(saved, tmp_path):
    loaded = checkpoints.load(saved[2])
    checkpoints.save(loaded.model, loaded.vocabulary, tmp_path / "again")
    for name in FILES:
        first, again = saved[2] / name, tmp_path / "again" / name
        assert again.read_bytes() == first.read_bytes()


# -- names ----------------------------------------------------------------------


@pytest.fixture
def shelf(saved, monkeypatch):
    """Let the folder of `saved` be the one where the course's checkpoints lie."""
    monkeypatch.setattr(checkpoints, "CHECKPOINTS", saved[2].parent)
    monkeypatch.setattr(files, "USED", {})  # what is loaded here, no other test used
    (saved[2].parent / "unfinished").mkdir()


def test_a_checkpoint_of_the_course_has_a_name(shelf):
    assert checkpoints.names() == ["small"]
    assert isinstance(course_lib.load("small"), Encoder)


@pytest.mark.parametrize("name", ["elmo-de", "unfinished", ""])
def test_an_unknown_name_is_refused_with_those_at_hand(shelf, name):
    with pytest.raises(KeyError, match=f"no checkpoint '{name}'; at hand: small"):
        course_lib.load(name)


def test_with_none_at_hand_it_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoints, "CHECKPOINTS", tmp_path / "nowhere")
    with pytest.raises(KeyError, match="at hand: none"):
        course_lib.load("elmo-en")


# -- damage ----------------------------------------------------------------------


@pytest.mark.parametrize("kept", [0, 4, 100, -1])
def test_a_cut_file_is_named(saved, kept):
    """Cut to nothing, inside the header's length, inside the header, by one byte."""
    path = saved[2] / "model.safetensors"
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(ValueError, match=r"small/model\.safetensors is damaged"):
        checkpoints.load(saved[2])


def test_another_kind_of_file_is_named(saved):
    (saved[2] / "model.safetensors").write_text("version https://git-lfs …\n" * 20)
    with pytest.raises(ValueError, match=r"model\.safetensors is damaged"):
        checkpoints.load(saved[2])


def test_a_tensor_of_another_shape_is_named_with_both_shapes(saved):
    model, vocabulary, folder = saved
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    config["cells"] = 10  # 4 gates of 10 cells, where the file has 4 of 12
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    with pytest.raises(
        ValueError,
        match=r"tensor backward_stack\.0\.from_input\.bias: .*\(40,\).*\(48,\)",
    ):
        checkpoints.load(folder)


def test_a_vocabulary_of_another_size_does_not_go_unnoticed(saved):
    _, vocabulary, folder = saved
    Vocabulary([*vocabulary.words, "river"]).save(folder / "vocabulary.txt")
    with pytest.raises(ValueError, match=r"tensor softmax\.tail.*\(5, .*\(4, "):
        checkpoints.load(folder)


def test_a_missing_and_an_extra_tensor_are_named(saved):
    path = saved[2] / "model.safetensors"
    weights = load_file(path)
    bias = weights.pop("token_layer.projection.bias")
    save_file(weights, path)
    with pytest.raises(
        ValueError, match=r"projection\.bias: .*has \(8,\), the file has no such"
    ):
        checkpoints.load(saved[2])
    weights |= {"token_layer.projection.bias": bias, "zebra": torch.zeros(2)}
    save_file(weights, path)
    with pytest.raises(ValueError, match=r"zebra: .*no such tensor.*has \(2,\)"):
        checkpoints.load(saved[2])


# The disk is full at the first file, or at the weights, the largest of them.
ROOM = pytest.mark.parametrize("room", [0, 2000])


@ROOM
def test_a_checkpoint_is_written_whole_or_not_at_all(room, tmp_path, full_disk):
    model = small_bilm(vocabulary := Vocabulary([UNK, "bank", "otter", "of"]))
    with full_disk(room), pytest.raises(OSError, match="No space"):
        checkpoints.save(model, vocabulary, tmp_path / "new")
    assert not list((tmp_path / "new").iterdir())
    with pytest.raises(KeyError, match="no checkpoint"):
        checkpoints.load(tmp_path / "new")


@ROOM
def test_a_checkpoint_that_cannot_be_replaced_stays(room, saved, full_disk):
    """Neither new weights nor a new vocabulary come to lie beside what was there."""
    model, vocabulary, folder = saved
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    for weights in model.parameters():
        weights.data += 1
    others = Vocabulary([UNK, *reversed(vocabulary.words[1:])])
    with full_disk(room), pytest.raises(OSError, match="No space"):
        checkpoints.save(model, others, folder)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_who_made_a_damaged_file_may_delete_it(saved):
    """Git has never seen what was made on this machine."""
    (saved[2] / "model.safetensors").write_bytes(b"")
    with pytest.raises(ValueError, match=r"git, or delete .*small if it was made"):
        checkpoints.load(saved[2])


# -- static vectors ----------------------------------------------------------------


def test_static_vectors_come_back_to_half_precision(tmp_path):
    from gensim.models import KeyedVectors

    words = KeyedVectors(5)
    vectors = np.random.default_rng(0).normal(size=(3, 5)).astype(np.float32)
    words.add_vectors(["bank", "苹果", "\x85"], vectors)
    save_static(words, tmp_path / "static")
    loaded = checkpoints.load(tmp_path / "static")
    assert loaded.index_to_key == ["bank", "苹果", "\x85"]
    assert loaded.vectors.dtype == np.float32
    np.testing.assert_allclose(loaded.vectors, vectors, atol=2e-3)
    assert loaded.most_similar("bank", topn=1)[0][0] in ("苹果", "\x85")


# -- what ships ----------------------------------------------------------------------


def test_all_that_the_lessons_load_ships():
    """The tests below ask only what is there: one that is lost would not be missed."""
    ours = {"gpt-en", "gpt-zh", "bert-en", "bert-zh", "awdlstm-en-reviews"}
    ours.add("awdlstm-zh-reviews")
    for language in ("en", "zh"):
        ours |= {f"{kind}-{language}" for kind in ("elmo", "awdlstm", "static")}
        ours.add(f"awdlstm-{language}-backward")
    assert set(checkpoints.names()) == ours


@pytest.mark.parametrize("name", checkpoints.names())
def test_what_ships_can_be_loaded_and_has_a_card(name):
    model = course_lib.load(name)
    card = (checkpoints.CHECKPOINTS / name / "README.md").read_text(encoding="utf-8")
    for fact in ("Text", "Tokens seen", "Seed"):
        assert f"| {fact} |" in card
    if isinstance(model, Encoder):
        assert "Held-out perplexity" in card
        (layers,) = model.encode([["bank"]])
        assert np.isfinite(layers).all()
    elif isinstance(model, tuple):
        assert "Held-out perplexity" in card
        reader, vocabulary = model
        row = torch.tensor([vocabulary.encode(["the", "苹果", "</S>"])])  # (1, T)
        found = reader(row)
        logits = reader.logits(getattr(found, "top", found))  # an AWD-LSTM gives more
        assert logits.shape == (*row.shape, len(vocabulary))
        assert logits.isfinite().all()
    else:
        assert np.isfinite(model.vectors).all()


def test_what_ships_keeps_to_its_budget():
    """150 MB for all of data/, 30 MB for a biLM, 20 MB for an AWD-LSTM."""
    sizes = {
        name: (checkpoints.CHECKPOINTS / name / "model.safetensors").stat().st_size
        for name in checkpoints.names()
    }
    everything = [path for path in DATA.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in everything) <= 150e6
    for name, size in sizes.items():
        assert size <= (20e6 if name.startswith("awdlstm") else 30e6)


def test_a_file_with_a_number_that_is_none_is_damaged(saved):
    """As programs write it that do not look: a weight of 70,000 is inf in half."""
    path = saved[2] / "model.safetensors"
    weights = load_file(path)
    next(iter(weights.values())).view(-1)[0] = float("inf")
    save_file(weights, path)
    with pytest.raises(ValueError, match="model.safetensors is damaged.*not finite"):
        checkpoints.load(str(path.parent))
