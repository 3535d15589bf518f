"""BERT and GPT as released: the code of `transformers` is the oracle, both ways.

Its models are made here, with random weights of several forms, and ours must agree on
every layer to 1e-5.
"""

from __future__ import annotations

import json

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import nn

import course_lib
from course_lib import checkpoints
from course_lib.models.bert import BERT, BERTConfig, Classifier, segments
from course_lib.models.gpt import GPT, GPTClassifier, GPTConfig, generate
from course_lib.text.pieces import MARKS, Pieces
from course_released import huggingface

transformers = pytest.importorskip("transformers")

V, CONTEXT = 40, 20
CLOSE = {"atol": 1e-5, "rtol": 0}
# [PAD] is 0, as in every released BERT; the other marks stand where they like.
WORDS = ["[PAD]", "a", "[SEP]", "b", "[UNK]", "[CLS]", "[MASK]", *"cdefghijk", "##a"]
SIZES = {"hidden_size": 24, "num_attention_heads": 4, "num_hidden_layers": 3}
SIZES |= {"intermediate_size": 30, "max_position_embeddings": CONTEXT, "vocab_size": V}
BERTS = {
    "as in the paper": {},
    "another GELU": {"hidden_act": "gelu_new"},
    "another epsilon": {"layer_norm_eps": 0.1},
    "one head, one layer": {"num_attention_heads": 1, "num_hidden_layers": 1},
}
GPT_SIZES = {"n_embd": 24, "n_head": 4, "n_layer": 3, "n_positions": CONTEXT}
GPT_SIZES |= {"vocab_size": V}
GPTS = {
    "GPT-2": ("GPT2", {}),
    "GPT-2, exact GELU, narrow": (
        "GPT2",
        {"activation_function": "gelu", "n_inner": 7},
    ),
    "GPT-2, another epsilon": ("GPT2", {"layer_norm_epsilon": 0.1}),
    "GPT-1": ("OpenAIGPT", {}),
    "GPT-1, another epsilon": ("OpenAIGPT", {"layer_norm_epsilon": 0.1}),
}


def shaken(model: nn.Module) -> nn.Module:
    """Draw all weights anew: a bias of 0, a norm of 1 could stand anywhere."""
    torch.manual_seed(1)
    with torch.no_grad():
        for name, p in model.named_parameters():
            p.normal_(1.0 if "norm" in name.lower() or "ln_" in name else 0.0, 0.2)
    return model.eval()


def theirs(folder, kind: str = "BertForPreTraining", **options) -> nn.Module:
    """Make one of their BERTs, random, and write it with a vocabulary."""
    config = transformers.BertConfig(**{**SIZES, **options})
    config._attn_implementation = "eager"
    model = shaken(getattr(transformers, kind)(config))
    model.save_pretrained(folder)
    (folder / "vocab.txt").write_text("\n".join(WORDS) + "\n", encoding="utf-8")
    return model


def their_gpt(folder, kind: str, **options) -> nn.Module:
    """Make one of their GPTs, random, and write it with a vocabulary."""
    config = getattr(transformers, f"{kind}Config")(**{**GPT_SIZES, **options})
    model = shaken(getattr(transformers, f"{kind}LMHeadModel")(config))
    model.save_pretrained(folder)
    vocabulary = {piece: i for i, piece in enumerate(["<unk>", *"abcdefgh"])}
    (folder / "vocab.json").write_text(json.dumps(vocabulary), encoding="utf-8")
    (folder / "merges.txt").write_text("#version: 0.2\n", encoding="utf-8")
    return model


def rows(pad: int = 0, sep: int = 2) -> torch.Tensor:
    """Return pairs of segments of several lengths, padded. Shape: (4, 15)."""
    torch.manual_seed(2)
    tokens = torch.randint(7, V, (4, 15))
    for row, (first, last) in zip(
        tokens, [(5, 14), (3, 9), (6, 7), (1, 5)], strict=True
    ):
        row[first], row[last], row[last + 1 :] = sep, sep, pad
    return tokens


@torch.no_grad()
def agree(ours: BERT, model: nn.Module, tokens: torch.Tensor) -> None:
    """Compare every layer, the weights of attention, and the heads."""
    here, parts = tokens != ours.config.pad, segments(tokens, ours.config.sep)
    found = model(
        tokens,
        attention_mask=here.long(),
        token_type_ids=parts,
        output_hidden_states=True,
        output_attentions=True,
    )
    layers, (h, patterns) = ours.layers(tokens), ours.read(tokens)
    for one, other in zip(layers, found.hidden_states, strict=True):
        torch.testing.assert_close(one[here], other[here], **CLOSE)
    for one, other in zip(patterns, found.attentions, strict=True):
        at = here[:, None].expand(one.shape[:3])
        torch.testing.assert_close(one[at], other[at], **CLOSE)
    if "prediction_logits" in found:
        logits = found.prediction_logits
        torch.testing.assert_close(ours.logits(h)[here], logits[here], **CLOSE)
        follows = ours.follows(ours.pooled(h, tokens))
        # Their class 0 is "follows", ours is 1.
        expected = found.seq_relationship_logits.flip(1)
        torch.testing.assert_close(follows, expected, **CLOSE)


# -- BERT ------------------------------------------------------------------------------


@pytest.mark.parametrize("form", BERTS)
def test_a_released_bert_gives_what_theirs_gives(tmp_path, form):
    model = theirs(tmp_path, **BERTS[form])
    ours, pieces = course_lib.load(tmp_path)
    assert pieces.row("a c", "b") == [5, 1, 7, 2, 3, 2]
    agree(ours, model, rows())


@pytest.mark.parametrize("form", BERTS)
def test_saved_again_it_is_what_theirs_was(tmp_path, form):
    """To the bit, and `transformers` opens it without a word of complaint."""
    model = theirs(tmp_path / "one", **BERTS[form])
    checkpoints.save(*course_lib.load(tmp_path / "one"), tmp_path / "other")
    first, again = (
        load_file(tmp_path / n / "model.safetensors") for n in ("one", "other")
    )
    assert first.keys() == again.keys()
    assert all(torch.equal(first[name], again[name]) for name in first)
    opened, told = transformers.BertForPreTraining.from_pretrained(
        tmp_path / "other", output_loading_info=True
    )
    assert not told["missing_keys"] and not told["unexpected_keys"]
    same = {"architectures", "hidden_act", "layer_norm_eps", "intermediate_size"}
    assert all(getattr(opened.config, n) == getattr(model.config, n) for n in same)


def test_our_own_bert_opens_there_with_its_pieces(tmp_path):
    text = "the otter left the bank of the river and the bank left the otter"
    pieces = Pieces([*MARKS, *text.split()[:4], "##er", "o", "##tt", "r", "##iv"])
    config = BERTConfig(2, 24, 4, CONTEXT, post_norm=True, epsilon=1e-12)
    ours = shaken(BERT(config, len(pieces)))
    huggingface.save(ours, pieces, tmp_path)
    model = transformers.BertForPreTraining.from_pretrained(
        tmp_path, attn_implementation="eager"
    ).eval()
    cut = transformers.AutoTokenizer.from_pretrained(tmp_path)
    assert cut("The otter, river")["input_ids"][1:-1] == pieces.encode(
        ["The", "otter,", "river"]
    )
    tokens = rows(sep=MARKS.index("[SEP]")).clamp(max=len(pieces) - 1)
    agree(ours, model, tokens)


@pytest.mark.parametrize("kind", ["BertModel", "BertForMaskedLM"])
def test_without_a_head_it_says_so_once_and_the_rest_agrees(tmp_path, capsys, kind):
    """A bare encoder's names have no `bert.`; a masked LM has no pooler."""
    model = theirs(tmp_path, kind)
    ours, _ = course_lib.load(tmp_path)
    agree(ours, model, rows())
    said = capsys.readouterr().out
    assert ("`logits`" in said) == (kind == "BertModel")
    assert ("`pooled`" in said) == (kind == "BertForMaskedLM")
    if kind == "BertForMaskedLM":
        h = ours(rows())
        expected = model(rows(), (rows() != 0).long(), segments(rows(), 2)).logits
        torch.testing.assert_close(ours.logits(h)[0], expected[0], **CLOSE)


def test_the_head_of_another_task_is_left_out_by_name(tmp_path, capsys):
    model = theirs(tmp_path, "BertForSequenceClassification")
    ours, _ = course_lib.load(tmp_path)
    agree(ours, model, rows())
    assert "left out, classifier.bias, classifier.weight" in capsys.readouterr().out


def test_names_of_the_first_release_are_understood(tmp_path):
    """Norms had gamma and beta; copies of what is tied were written out."""
    model = theirs(tmp_path)
    path = tmp_path / "model.safetensors"
    old = {
        n.replace("LayerNorm.weight", "LayerNorm.gamma").replace(
            "LayerNorm.bias", "LayerNorm.beta"
        ): w
        for n, w in load_file(path).items()
    }
    embedding = old["bert.embeddings.word_embeddings.weight"]
    old["cls.predictions.decoder.weight"] = embedding.clone()
    old["bert.embeddings.position_ids"] = torch.arange(CONTEXT)
    save_file(old, path)
    agree(course_lib.load(tmp_path)[0], model, rows())
    old["cls.predictions.decoder.weight"] += 1
    save_file(old, path)
    with pytest.raises(ValueError, match="decoder.weight: it is not .* once more"):
        course_lib.load(tmp_path)


def test_a_task_can_be_taught_to_a_released_one(tmp_path):
    """Padding, and where a segment ends, are those of its own pieces."""
    theirs(tmp_path)
    encoder, pieces = course_lib.load(tmp_path)
    model = Classifier(encoder, 3).eval()
    row = torch.tensor([pieces.row("a b c", "d e")])
    padded = nn.functional.pad(row, (0, 4), value=pieces.ids["[PAD]"])
    torch.testing.assert_close(model(row), model(padded), atol=1e-6, rtol=0)


# -- GPT -------------------------------------------------------------------------------


@pytest.mark.parametrize("form", GPTS)
@torch.no_grad()
def test_a_released_gpt_gives_what_theirs_gives(tmp_path, form):
    kind, options = GPTS[form]
    model = their_gpt(tmp_path, kind, **options)
    ours, _ = course_lib.load(tmp_path)
    tokens = rows()
    found = model(tokens, output_hidden_states=True)
    layers = ours.layers(tokens)
    for one, other in zip(layers, found.hidden_states, strict=True):
        torch.testing.assert_close(one, other, **CLOSE)
    torch.testing.assert_close(ours.logits(layers[-1]), found.logits, **CLOSE)
    here = tokens != 0  # padded, a causal model needs no mask
    masked = model(tokens, attention_mask=here.long()).logits
    torch.testing.assert_close(ours.logits(layers[-1])[here], masked[here], **CLOSE)
    going_on = model.generate(
        tokens[:1, :5],
        max_new_tokens=6,
        do_sample=False,
        pad_token_id=0,
        eos_token_id=None,
    )
    assert generate(ours, tokens[0, :5].tolist(), 6, 0.0) == going_on[0, 5:].tolist()


@pytest.mark.parametrize("form", GPTS)
def test_a_gpt_saved_again_is_what_theirs_was(tmp_path, form):
    kind, options = GPTS[form]
    model = their_gpt(tmp_path / "one", kind, **options)
    checkpoints.save(*course_lib.load(tmp_path / "one"), tmp_path / "other")
    again = type(model).from_pretrained(tmp_path / "other").eval()
    assert torch.equal(again(rows()).logits, model(rows()).logits)


def test_a_released_gpt_has_no_marks_for_tasks(tmp_path):
    their_gpt(tmp_path, "GPT2")
    with pytest.raises(ValueError, match="no pieces <S>, <DELIM> and <EXTRACT>"):
        GPTClassifier(course_lib.load(tmp_path)[0])


# -- what does not fit -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"model_type": "roberta"},
            "kind 'roberta'; the .* runs bert, gpt2",
        ),
        (
            {"position_embedding_type": "relative_key"},
            "position_embedding_type is 'rel",
        ),
        ({"is_decoder": True}, "is_decoder is True; .* only False"),
        ({"hidden_act": "relu"}, "hidden_act is 'relu'; .* only gelu, gelu_new"),
        ({"hidden_size": None}, "does not say hidden_size"),
        ({"vocab_size": 9}, "vocab_size is 9, but the pieces beside it are 17"),
        (
            {"hidden_size": 32},
            r"tensor bert\.embeddings\.LayerNorm\.bias: .* has \(32,\), .* has \(24,\)",
        ),
        (
            {"num_hidden_layers": 2},
            r"tensor bert\.encoder\.layer\.2\..*: .* no such tensor, .* has \(24,\)",
        ),
        (
            {"num_hidden_layers": 4},
            r"tensor bert\.encoder\.layer\.3\..* has \(24,\), .* has no such tensor",
        ),
    ],
)
def test_what_does_not_fit_is_named(tmp_path, change, message):
    theirs(tmp_path)
    path = tmp_path / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(ValueError, match=message):
        course_lib.load(tmp_path)


@pytest.mark.parametrize("name", ["model.safetensors", "vocab.txt"])
def test_a_missing_file_is_named(tmp_path, name):
    theirs(tmp_path)
    (tmp_path / name).unlink()
    with pytest.raises(FileNotFoundError, match=name):
        course_lib.load(tmp_path)


def test_a_cut_file_is_to_be_fetched_again(tmp_path):
    theirs(tmp_path)
    path = tmp_path / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(ValueError, match=r"model\.safetensors is damaged.*again"):
        course_lib.load(tmp_path)


def test_a_model_of_another_form_is_not_written(tmp_path):
    pieces = Pieces([*MARKS, "a"])
    with pytest.raises(ValueError, match="no place for transformer.*post_norm"):
        huggingface.save(BERT(BERTConfig(1, 8, 1, 9), 10), pieces, tmp_path / "no")
    gpt = shaken(GPT(GPTConfig(1, 8, 1, 9), 10))
    with pytest.raises(ValueError, match="no place for bias .*bias of its softmax"):
        huggingface.save(gpt, pieces, tmp_path / "no")
    assert not (tmp_path / "no").exists()
