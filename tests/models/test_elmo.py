"""ELMo: the scalar mix, the released file format, and AllenNLP's interface."""

import json
import os
from pathlib import Path

import h5py
import numpy as np
import pytest
import torch

from course_lib.models import elmo_files
from course_lib.models.bilm import BiLM, BiLMConfig, Encoder
from course_lib.models.elmo import Elmo, ELMoBiLM, ScalarMix, batch_to_ids
from course_lib.models.elmo_files import shapes
from course_lib.text.vocabulary import UNK, Vocabulary


def split(text: str) -> list[str]:
    return text.split()


# -- the scalar mix, against its formula -----------------------------------------


def trained_mix(n_layers=3, seed=0, **options) -> ScalarMix:
    """Make a mix whose weights and gamma are no longer where they started."""
    torch.manual_seed(seed)
    mix = ScalarMix(n_layers, **options).double()
    with torch.no_grad():
        mix.w.copy_(torch.randn(n_layers))
        mix.gamma.copy_(torch.tensor(1.7))
    return mix


def random_layers(seed=0, shape=(3, 2, 4, 5)) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator, dtype=torch.float64)


def test_a_new_mix_is_the_plain_mean():
    layers = random_layers()
    mix = ScalarMix(3).double()
    torch.testing.assert_close(mix(layers), layers.mean(dim=0))
    torch.testing.assert_close(mix.weights, torch.full((3,), 1 / 3).double())


def test_the_mix_is_gamma_times_the_sum_of_softmax_weight_times_layer():
    mix, layers = trained_mix(), random_layers()
    shares = mix.w.exp() / mix.w.exp().sum()
    by_hand = 1.7 * sum(s * h for s, h in zip(shares, layers, strict=True))
    torch.testing.assert_close(mix(layers), by_hand)


def test_what_stands_at_padding_changes_nothing():
    mask = torch.tensor([[True, True, True, False], [True, False, False, False]])
    noise = random_layers(seed=9) * 1e3
    for options in ({}, {"do_layer_norm": True}):
        mix, layers = trained_mix(**options), random_layers()
        other = torch.where(mask[None, :, :, None], layers, noise)
        torch.testing.assert_close(mix(layers, mask), mix(other, mask))
        assert mix(other, mask)[~mask].abs().max() == 0


def test_layer_norm_takes_one_mean_and_variance_over_all_words_and_dimensions():
    mask = torch.tensor([[True, True, True, False], [True, True, False, False]])
    mix, layers = trained_mix(do_layer_norm=True), random_layers() * 3 + 2
    words = layers[:, mask]  # (3 layers, 5 words, 5 dimensions)
    means = words.mean(dim=(1, 2), keepdim=True)
    deviations = words.std(dim=(1, 2), correction=0, keepdim=True)
    normed = (words - means) / deviations
    expected = mix.gamma * (mix.weights[:, None, None] * normed).sum(dim=0)
    torch.testing.assert_close(mix(layers, mask)[mask], expected)


def test_without_a_mask_every_position_is_a_word():
    mix, layers = trained_mix(do_layer_norm=True), random_layers()
    everywhere = torch.ones(2, 4, dtype=torch.bool)
    torch.testing.assert_close(mix(layers), mix(layers, everywhere))


def test_adding_to_all_raw_weights_changes_the_penalty_but_not_the_mix():
    mix, layers = trained_mix(), random_layers()
    before, penalty = mix(layers), mix.penalty(0.1)
    torch.testing.assert_close(penalty, 0.1 * sum(w * w for w in mix.w))
    with torch.no_grad():
        mix.w += 5
    torch.testing.assert_close(mix(layers), before)
    assert mix.penalty(0.1) > penalty


def test_a_wrong_number_of_layers_is_an_error_that_says_what_to_do():
    with pytest.raises(ValueError, match=r"3 layers for 2 weights.*ScalarMix\(3\)"):
        ScalarMix(2)(random_layers())
    with pytest.raises(ValueError, match=r"give \(L\+1, B, T, D\)"):
        ScalarMix(3)(random_layers()[:, 0])  # as `encode` returns a sentence


# -- files of the released format, made here --------------------------------------


def official_options(
    layers=2, residual=True, activation="relu", n_highway=1, width=50, clips=(3, 3)
) -> dict:
    """Return the options of a very small ELMo."""
    return {
        "lstm": {
            "n_layers": layers,
            "dim": 6,
            "projection_dim": 4,
            "cell_clip": clips[0],
            "proj_clip": clips[1],
            "use_skip_connections": residual,
        },
        "char_cnn": {
            "embedding": {"dim": 3},
            "filters": [[1, 3], [2, 4], [4, 2]],
            "n_highway": n_highway,
            "activation": activation,
            "n_characters": 262,
            "max_characters_per_token": width,
        },
    }


def official_weights(options: dict, seed=0) -> dict[str, np.ndarray]:
    """Draw weights, named and shaped as TensorFlow does; large, so that clips bind.

    Multiples of 1/4096, so that adding 1 to a forget gate's bias rounds nothing.
    """
    rng = np.random.default_rng(seed)
    cnn, lstm = options["char_cnn"], options["lstm"]
    E, P, D = cnn["embedding"]["dim"], lstm["projection_dim"], lstm["dim"]
    size = sum(n for _, n in cnn["filters"])
    shapes = {"char_embed": (261, E), "CNN_proj/W_proj": (size, P)}
    shapes["CNN_proj/b_proj"] = (P,)
    for i, (width, n) in enumerate(cnn["filters"]):
        shapes |= {f"CNN/W_cnn_{i}": (1, width, E, n), f"CNN/b_cnn_{i}": (n,)}
    for k in range(cnn["n_highway"]):
        for name in ("carry", "transform"):
            shapes[f"CNN_high_{k}/W_{name}"] = (size, size)
            shapes[f"CNN_high_{k}/b_{name}"] = (size,)
    for d in range(2):
        for k in range(lstm["n_layers"]):
            cell = f"RNN_{d}/RNN/MultiRNNCell/Cell{k}/LSTMCell"
            shapes |= {f"{cell}/W_0": (2 * P, 4 * D), f"{cell}/B": (4 * D,)}
            shapes[f"{cell}/W_P_0"] = (D, P)
    draws = {name: rng.normal(0, 0.8, shape) for name, shape in shapes.items()}
    return {k: (np.round(w * 4096) / 4096).astype(np.float32) for k, w in draws.items()}


def write_official(folder: Path, options: dict, weights: dict) -> tuple[Path, Path]:
    """Write the two files of a release and return their paths."""
    files = folder / "options.json", folder / "weights.hdf5"
    files[0].write_text(json.dumps(options), encoding="utf-8")
    with h5py.File(files[1], "w") as file:
        for name, tensor in weights.items():
            file[name] = tensor
    return files


@pytest.fixture
def released(tmp_path) -> tuple[Path, Path]:
    """Return the options file and the weight file of a very small ELMo."""
    options = official_options()
    return write_official(tmp_path, options, official_weights(options))


# -- the biLM, against a slow one that reads the file's own tensors -----------------


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def slow_word(options: dict, w: dict, word: str) -> np.ndarray:
    """Compute a word's vector from its bytes, window by window. Shape: (P,)."""
    cnn = options["char_cnn"]
    width = cnn["max_characters_per_token"]
    mark = {"<S>": [256], "</S>": [257]}.get(word)
    inside = mark or list(word.encode("utf-8"))[: width - 2]
    characters = [258, *inside, 259]
    characters += [260] * (width - len(characters))
    x = w["char_embed"][characters]  # (width, E)
    features = []
    for i, (size, _n) in enumerate(cnn["filters"]):
        kernel, bias = w[f"CNN/W_cnn_{i}"][0], w[f"CNN/b_cnn_{i}"]  # (size, E, n)
        places = range(width - size + 1)
        scores = [np.einsum("we,wen->n", x[p : p + size], kernel) for p in places]
        best = np.max(scores, axis=0) + bias
        tanh = cnn["activation"] == "tanh"
        features.append(np.tanh(best) if tanh else np.maximum(best, 0))
    h = np.concatenate(features)
    for k in range(cnn["n_highway"]):
        W, b = w[f"CNN_high_{k}/W_transform"], w[f"CNN_high_{k}/b_transform"]
        new = np.maximum(h @ W + b, 0)
        g = sigmoid(h @ w[f"CNN_high_{k}/W_carry"] + w[f"CNN_high_{k}/b_carry"])
        h = g * new + (1 - g) * h
    return h @ w["CNN_proj/W_proj"] + w["CNN_proj/b_proj"]


def slow_layer(options: dict, w: dict, cell: str, x: np.ndarray, state) -> tuple:
    """Read one sequence with one LSTM layer, in TensorFlow's terms."""
    lstm = options["lstm"]
    h, c = state
    outputs = []
    for x_t in x:
        z = np.concatenate([x_t, h]) @ w[f"{cell}/W_0"] + w[f"{cell}/B"]
        i, j, f, o = np.split(z, 4)
        c = sigmoid(f + 1.0) * c + sigmoid(i) * np.tanh(j)
        c = np.clip(c, -lstm["cell_clip"], lstm["cell_clip"])
        h = (sigmoid(o) * np.tanh(c)) @ w[f"{cell}/W_P_0"]
        h = np.clip(h, -lstm["proj_clip"], lstm["proj_clip"])
        outputs.append(h)
    return np.array(outputs), (h, c)


def slow_elmo(options: dict, w: dict, sentence: list[str], memory: dict) -> np.ndarray:
    """Compute the layers of one sentence. Shape: (L+1, T, 2P).

    memory: the states, by direction and layer; used and changed.
    """
    lstm = options["lstm"]
    empty = np.zeros(lstm["projection_dim"]), np.zeros(lstm["dim"])
    words = ["<S>", *sentence, "</S>"]
    x = np.stack([slow_word(options, w, word) for word in words])
    halves = []
    for d in range(2):
        y = x[::-1] if d else x
        layers = [y]
        for k in range(lstm["n_layers"]):
            cell = f"RNN_{d}/RNN/MultiRNNCell/Cell{k}/LSTMCell"
            h, memory[d, k] = slow_layer(options, w, cell, y, memory.get((d, k), empty))
            y = h + y if lstm["use_skip_connections"] and k > 0 else h
            layers.append(y)
        halves.append([layer[::-1] for layer in layers] if d else layers)
    return np.concatenate(halves, axis=2)[:, 1:-1]


STREAMS = [  # two texts; row b of every batch goes on with text b
    [split("the otter left the bank"), ["play"], split("a bank lent us money")],
    [split("他 打 球"), split("the Bank of the <S> Ⅷ " + "z" * 70), []],
]

RELEASES = {
    "the usual": {},
    "no residual": {"residual": False},
    "one layer": {"layers": 1},
    "three layers": {"layers": 3, "residual": True},
    "tanh, two highways": {"activation": "tanh", "n_highway": 2},
    "no highway, short words": {"n_highway": 0, "width": 12},
    "two clips": {"clips": (0.7, 0.2)},
}


@pytest.mark.parametrize("name", RELEASES)
def test_all_layers_equal_those_of_a_slow_model(name, tmp_path):
    """Batched, with padding; and each batch begins in the states of the last one."""
    options = official_options(**RELEASES[name])
    weights = official_weights(options)
    model = ELMoBiLM.from_official(*write_official(tmp_path, options, weights))
    model, width = model.double(), options["char_cnn"]["max_characters_per_token"]
    double = {name: tensor.astype(np.float64) for name, tensor in weights.items()}
    states, memories = model.empty(2), [{}, {}]
    for batch in zip(*STREAMS, strict=True):
        ids = batch_to_ids(batch, width)
        fresh, mask = model(ids)
        carried, _mask, states = model(ids, states)
        assert len(fresh) == len(carried) == options["lstm"]["n_layers"] + 1
        assert mask.tolist() == [
            [t < len(s) for t in range(ids.shape[1])] for s in batch
        ]
        for b, sentence in enumerate(batch):
            for found, memory in ((fresh, {}), (carried, memories[b])):
                expected = slow_elmo(options, double, sentence, memory)
                here = found[:, b, : len(sentence)].detach()
                np.testing.assert_allclose(here, expected, rtol=0, atol=1e-12)
                assert not found[:, b, len(sentence) :].any(), "padding is not zero"


def test_without_numbers_in_the_options_nothing_is_clipped(tmp_path):
    far = official_options(clips=(1e9, 1e9))
    weights = {name: 3 * w for name, w in official_weights(far).items()}
    none = official_options()
    del none["lstm"]["cell_clip"]
    none["lstm"]["proj_clip"] = None
    ids = batch_to_ids([split("the otter left the bank and swam across the river")])
    layers = [
        ELMoBiLM.from_official(*write_official(tmp_path, options, weights))(ids)[0]
        for options in (far, none, official_options())
    ]
    assert torch.equal(layers[0], layers[1])
    assert not torch.allclose(layers[0], layers[2]), "the clip of 3 never mattered"


def test_a_text_read_in_batches_ends_in_the_state_of_its_last_sentence(released):
    """Not in that of the padding: what stands beside a row does not matter to it."""
    model = ELMoBiLM.from_official(*released).double()
    short, long = ["play"], split("a long sentence with many more words in it")
    *_, beside = model(batch_to_ids([short, long]), model.empty(2))
    *_, alone = model(batch_to_ids([short]), model.empty(1))
    for one, other in zip(beside, alone, strict=True):
        torch.testing.assert_close(one[:, :, :1], other, rtol=0, atol=1e-12)


def test_gradients_pass_through_a_batch_as_through_each_of_its_sentences(released):
    """So it can be fine-tuned, whatever lengths stand together."""
    model = ELMoBiLM.from_official(*released).double()
    sentences = [["play"], split("the otter left the bank"), split("a bank")]
    gradients = []
    for batches in ([sentences], [[s] for s in sentences]):
        model.zero_grad()
        sum(model(batch_to_ids(batch))[0].sum() for batch in batches).backward()
        gradients.append([p.grad.clone() for p in model.parameters()])
    for one, other in zip(*gradients, strict=True):
        torch.testing.assert_close(one, other)


def test_in_half_precision_it_gives_nearly_the_same(released):
    model = ELMoBiLM.from_official(*released).eval()
    with torch.no_grad():
        whole = model(batch_to_ids(BATCH))[0]
        with torch.autocast("cpu", torch.bfloat16):
            half = model(batch_to_ids(BATCH))[0]
    torch.testing.assert_close(half.float(), whole, rtol=0, atol=0.05)


def test_only_whole_rows_of_ids_are_read(released):
    model = ELMoBiLM.from_official(*released)
    ids = batch_to_ids([["a", "bank"]])
    with pytest.raises(ValueError, match=r"words of 20 .* reads 50.*batch_to_ids"):
        model(ids[:, :, :20])
    with pytest.raises(ValueError, match="a word follows padding"):
        model(torch.stack([torch.zeros_like(ids[:, 0]), ids[:, 1]], dim=1))


# -- loading and saving -------------------------------------------------------------


@pytest.mark.parametrize("name", RELEASES)
def test_a_saved_model_is_the_same_model(name, tmp_path):
    options = official_options(**RELEASES[name])
    weights = official_weights(options)
    model = ELMoBiLM.from_official(*write_official(tmp_path, options, weights))
    files = tmp_path / "again.json", tmp_path / "again.hdf5"
    model.save_official(*files)
    again = ELMoBiLM.from_official(*files)
    for one, other in zip(model.parameters(), again.parameters(), strict=True):
        assert torch.equal(one, other)
    assert again.options == options
    with h5py.File(files[1]) as file:
        for name, tensor in weights.items():
            np.testing.assert_array_equal(file[name], tensor)


def test_weights_are_written_whole_or_not_at_all(tmp_path, monkeypatch):
    sizes = {"cells": 6, "projection": 4, "filters": [[1, 3], [2, 4]], "char_size": 3}
    model = ELMoBiLM.from_bilm(BiLM(BiLMConfig(**sizes), 20))
    path, every = tmp_path / "weights.hdf5", elmo_files.pieces

    def stop(model):
        yield next(every(model))
        raise OSError("No space left on device")

    monkeypatch.setattr(elmo_files, "pieces", stop)
    with pytest.raises(OSError, match="No space"):
        elmo_files.write_weights(model, path)
    assert not path.exists()


def test_a_bilm_of_the_course_can_be_released(tmp_path):
    """So what AllenNLP's interface does can be tried with a model that is at hand."""
    torch.manual_seed(0)
    sizes = {"cells": 6, "projection": 4, "filters": [[1, 3], [2, 4]], "char_size": 3}
    encoder = Encoder(BiLM(BiLMConfig(layers=3, **sizes), 20), Vocabulary([UNK]))
    files = tmp_path / "options.json", tmp_path / "weights.hdf5"
    ELMoBiLM.from_bilm(encoder.model).save_official(*files)
    sentences = STREAMS[0]
    layers, mask = ELMoBiLM.from_official(*files)(batch_to_ids(sentences))
    for b, expected in enumerate(encoder.encode(sentences)):
        found = layers[:, b, mask[b]].detach()
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-6)


CELL = "RNN_1/RNN/MultiRNNCell/Cell1/LSTMCell"


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda w: w.pop("CNN/W_cnn_2"), r"CNN/W_cnn_2: .*\(1, 4, 3, 2\).*none"),
        (
            lambda w: w.update({f"{CELL}/W_0": np.zeros((8, 20))}),
            rf"{CELL}/W_0: .*\(8, 24\).*\(8, 20\)",
        ),
        (lambda w: w.update(char_embed=w["char_embed"].T), r"\(261, 3\).*\(3, 261\)"),
        (lambda w: w["CNN_proj/W_proj"].fill(np.nan), "CNN_proj/W_proj cannot be read"),
        (lambda w: w.update(char_embed=np.full((261, 3), b"x")), "char_embed cannot"),
    ],
)
def test_a_tensor_that_does_not_fit_is_named(damage, message, tmp_path):
    options = official_options()
    weights = official_weights(options)
    damage(weights)
    files = write_official(tmp_path, options, weights)
    with pytest.raises(ValueError, match=message) as error:
        ELMoBiLM.from_official(*files)
    assert str(files[1]) in str(error.value)


def test_options_of_another_model_are_an_error(tmp_path):
    """Also of a shallower one, whose tensors would all be found."""
    three = official_weights(official_options(layers=3))
    files = write_official(tmp_path, official_options(layers=2), three)
    with pytest.raises(
        ValueError, match=r"RNN_0/.*Cell2/.*none.*\(24,\).*options file"
    ):
        ELMoBiLM.from_official(*files)


@pytest.mark.parametrize("keep", [0, 100, 2000, -1])
def test_a_cut_weight_file_is_an_error(keep, released):
    released[1].write_bytes(released[1].read_bytes()[:keep])
    with pytest.raises(ValueError, match=r"weights.hdf5 is damaged.*Fetch the file"):
        ELMoBiLM.from_official(*released)


def test_a_missing_file_is_named(released):
    released[1].unlink()
    with pytest.raises(FileNotFoundError, match=r"no weight file .*weights.hdf5"):
        ELMoBiLM.from_official(*released)
    released[0].unlink()
    with pytest.raises(FileNotFoundError, match=r"no options file .*options.json"):
        ELMoBiLM.from_official(*released)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"dim": 6, ', "", "option lstm/dim is missing"),
        ('"char_cnn"', '"word_table"', "char_cnn/embedding/dim .* character-based"),
        ('"relu"', '"gelu"', 'activation .*"gelu"'),
        ('"lstm"', "lstm", "options.json is not JSON"),
        ('"n_layers": 2', '"n_layers": "2"', 'lstm/n_layers .*"2"'),
        ('"n_layers": 2', '"n_layers": 0', "lstm/n_layers .*0"),
        ('_connections": true', '_connections": "false"', 'skip_.*"false"'),
        ('"cell_clip": ', '"cell_clip": -', "lstm/cell_clip"),
        ('"filters": [', '"filters": [[3, 0], ', "char_cnn/filters"),
    ],
)
def test_wrong_options_say_what_is_wrong(old, new, message, released):
    text = released[0].read_text(encoding="utf-8")
    assert old in text
    released[0].write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        ELMoBiLM.from_official(*released)


@pytest.mark.parametrize(
    ("text", "option"),
    [("[1]", "lstm/dim"), ('{"lstm": null}', "lstm/dim"), ("3", "lstm/dim")],
)
def test_json_that_is_no_options_at_all_is_an_error(text, option, released):
    released[0].write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=f"options.json: option {option}"):
        ELMoBiLM.from_official(*released)


# -- AllenNLP's interface -------------------------------------------------------------


def test_character_ids_are_those_of_the_release():
    """Bytes plus one between 259 and 260, then 261; a row of zeros is no word."""
    ids = batch_to_ids([["On", "é"], ["a"], []])
    assert ids.shape == (3, 2, 50)
    assert ids.dtype == torch.long
    assert ids[0, 0].tolist() == [259, 80, 111, 260] + [261] * 46
    assert ids[0, 1].tolist() == [259, 196, 170, 260] + [261] * 46
    assert not ids[1, 1].any()
    assert not ids[2].any()


def test_a_string_is_not_a_sentence():
    with pytest.raises(TypeError, match=r"sentence 1 is a string.*\['The', 'bank'\]"):
        batch_to_ids([["The"], "The bank"])
    with pytest.raises(TypeError, match="sentence 0 is a string"):
        batch_to_ids(["The", "bank"])


BATCH = [split("the otter left the bank"), ["play"]]


@pytest.mark.parametrize("keep", [False, True])
def test_dimensions_before_the_words_come_back(released, keep):
    """AllenNLP takes (B, N, T, 50) for lists of texts, such as a question's answers."""
    elmo = Elmo(*released, 2, keep_sentence_boundaries=keep).eval()
    ids = batch_to_ids([*BATCH, ["a", "bank"], ["river"]])
    flat, nested = elmo(ids), elmo(ids.unflatten(0, (2, 2)))
    for one, other in zip(
        [*flat["elmo_representations"], flat["mask"]],
        [*nested["elmo_representations"], nested["mask"]],
        strict=True,
    ):
        assert torch.equal(other, one.unflatten(0, (2, 2)))
    with pytest.raises(ValueError, match=r"\(5, 50\); this biLM reads 50"):
        elmo(ids[0])


@pytest.mark.parametrize("do_layer_norm", [False, True])
@pytest.mark.parametrize("keep", [False, True])
def test_a_representation_is_a_mix_of_all_layers(released, do_layer_norm, keep):
    """The marks count in the norm; then they are taken out, if they are not kept."""
    options = {"do_layer_norm": do_layer_norm, "keep_sentence_boundaries": keep}
    elmo = Elmo(*released, 2, **options).eval()
    with torch.no_grad():
        elmo.mixes[1].w.copy_(torch.tensor([1.0, -2.0, 0.5]))
        elmo.mixes[1].gamma.fill_(3.0)
    found = elmo(batch_to_ids(BATCH))
    layers, mask, _states = elmo.bilm.with_marks(batch_to_ids(BATCH))
    assert set(found) == {"elmo_representations", "mask"}
    extra = 2 if keep else 0
    assert found["mask"].sum(dim=1).tolist() == [5 + extra, 1 + extra]
    for representation, mix in zip(
        found["elmo_representations"], elmo.mixes, strict=True
    ):
        assert representation.shape == (2, 5 + extra, layers[0].shape[-1])
        expected = mix(layers, mask)
        for b, n in enumerate([5, 1]):
            inside = expected[b, : n + 2] if keep else expected[b, 1 : n + 1]
            torch.testing.assert_close(representation[b, : n + extra], inside)
            assert not representation[b, n + extra :].any()


def test_the_mix_is_trained_and_the_bilm_is_not(released):
    ids = batch_to_ids(BATCH)
    for requires_grad in (False, True):
        elmo = Elmo(*released, 1, requires_grad=requires_grad)
        elmo(ids)["elmo_representations"][0].square().sum().backward()
        assert elmo.mixes[0].w.grad.abs().sum() > 0
        assert elmo.mixes[0].gamma.grad != 0
        trained = {
            name for name, p in elmo.bilm.named_parameters() if p.grad is not None
        }
        everything = {name for name, _p in elmo.bilm.named_parameters()}
        assert trained == (everything if requires_grad else set())


def test_given_weights_are_used_and_not_trained(released):
    """With all weight on one layer, the representation is that layer."""
    elmo = Elmo(*released, 1, scalar_mix_parameters=[-1e9, 1e9, -1e9]).eval()
    found = elmo(batch_to_ids(BATCH))["elmo_representations"][0]
    layers, _mask = elmo.bilm(batch_to_ids(BATCH))
    torch.testing.assert_close(found, layers[1])
    assert not any(p.requires_grad for p in elmo.parameters())
    with pytest.raises(ValueError, match="2 scalar_mix_parameters; give 3"):
        Elmo(*released, 1, scalar_mix_parameters=[0.0, 0.0])


def test_dropout_is_for_training(released):
    elmo = Elmo(*released, 1)  # AllenNLP's default drops half
    ids = batch_to_ids([BATCH[0]] * 20)
    dropped = elmo.train()(ids)["elmo_representations"][0]
    assert 0.4 < (dropped == 0).double().mean() < 0.6
    assert (elmo.eval()(ids)["elmo_representations"][0] != 0).all()


def top(elmo: Elmo, sentences) -> torch.Tensor:
    return elmo(batch_to_ids(sentences))["elmo_representations"][0]


def test_the_same_sentence_gives_the_same_vectors_every_time(released):
    """Unless asked to remember: then they depend on what was read before."""
    elmo = Elmo(*released, 1).eval()
    assert torch.equal(top(elmo, BATCH), top(elmo, BATCH))
    elmo = Elmo(*released, 1, stateful=True).eval()
    first, second = top(elmo, BATCH), top(elmo, BATCH)
    assert (first - second).abs().max() > 1e-2
    elmo.states = None
    torch.testing.assert_close(top(elmo, BATCH), first)


def test_a_stateful_elmo_remembers_row_by_row(released):
    """A row that is new begins empty; one that is not there for a while keeps its
    state: each row gives what it gives alone, read by an ELMo of its own."""
    together = Elmo(*released, 1, stateful=True).eval()
    alone = [Elmo(*released, 1, stateful=True).eval() for _ in range(3)]
    a, b, c = BATCH[0], BATCH[1], split("money lent")
    for batch in ([a], [b, c, a], [c], [a, b], [c, c, c]):
        rows = top(together, batch)
        for elmo, row, sentence in zip(alone, rows, batch, strict=False):
            torch.testing.assert_close(row[: len(sentence)], top(elmo, [sentence])[0])


# -- the released code ---------------------------------------------------------------

# What the released code computes with two small models of random weights; the second
# has no residual connections. Not part of the course: they lie beside the real
# corpora where somebody has put them.
FIXTURES = Path(os.environ.get("COURSE_DATA", "nowhere"), "../fixtures")
MODELS = {
    "allennlp_elmo": "sentences.json",
    "bilmtf_elmo": "lm_embeddings_sentences.json",
}
needs_fixtures = pytest.mark.skipif(
    not all((FIXTURES / name).is_dir() for name in MODELS),
    reason="no outputs of the released code beside COURSE_DATA",
)


def fixture_model(name: str) -> ELMoBiLM:
    folder = FIXTURES / name
    return ELMoBiLM.from_official(folder / "options.json", folder / "lm_weights.hdf5")


def fixture_batches(name: str):
    """Yield batches of a sentence of each text, and the released top layer of each."""
    text = (FIXTURES / name / MODELS[name]).read_text(encoding="utf-8")
    texts = [[split(s) for s in sentences] for sentences in json.loads(text)]
    files = [h5py.File(FIXTURES / name / f"lm_embeddings_{k}.hdf5") for k in range(3)]
    for i, batch in enumerate(zip(*texts, strict=True)):
        # (2 directions, T, P) to (T, 2P)
        yield batch, [np.concatenate(list(file[str(i)][()]), axis=1) for file in files]


@needs_fixtures
@pytest.mark.parametrize("name", MODELS)
def test_the_top_layer_equals_the_released_one(name):
    """Ten batches, each beginning in the states of the one before, as it was run."""
    model = fixture_model(name)
    states = model.empty(3)
    for batch, expected in fixture_batches(name):
        layers, mask, states = model(batch_to_ids(batch), states)
        for b in range(3):
            found = layers[-1, b, mask[b]].detach()
            np.testing.assert_allclose(found, expected[b], rtol=1e-5, atol=1e-6)


@needs_fixtures
@pytest.mark.parametrize("name", MODELS)
def test_a_stateful_elmo_equals_the_released_one(name):
    folder, only_the_top = FIXTURES / name, [-1e9, -1e9, 0.0]
    files = folder / "options.json", folder / "lm_weights.hdf5"
    settings = {"scalar_mix_parameters": only_the_top, "stateful": True}
    elmo = Elmo(*files, 1, **settings).eval()
    for batch, expected in fixture_batches(name):
        found = elmo(batch_to_ids(batch))
        for b in range(3):
            here = found["elmo_representations"][0][b, found["mask"][b]].detach()
            np.testing.assert_allclose(here, expected[b], rtol=1e-5, atol=1e-6)


@needs_fixtures
@pytest.mark.parametrize("name", MODELS)
def test_without_the_states_only_the_first_batch_is_the_released_one(name):
    model = fixture_model(name)
    same = []
    for batch, expected in fixture_batches(name):
        layers, mask = model(batch_to_ids(batch))
        found = [layers[-1, b, mask[b]].detach().numpy() for b in range(3)]
        pairs = zip(found, expected, strict=True)
        same.append([np.allclose(x, y, rtol=1e-5, atol=1e-6) for x, y in pairs])
    assert same == [[True] * 3] + [[False] * 3] * 9


@needs_fixtures
def test_the_token_layer_equals_the_released_one():
    folder = FIXTURES / "allennlp_elmo"
    words = (folder / "vocab_test.txt").read_text(encoding="utf-8").split("\n")[:458]
    layers, _mask = fixture_model("allennlp_elmo")(batch_to_ids([[w] for w in words]))
    expected = h5py.File(folder / "elmo_token_embeddings.hdf5")["embedding"][()]
    for half in layers[0, :, 0].detach().split(16, dim=1):
        np.testing.assert_allclose(half, expected, rtol=1e-5, atol=1e-6)


@needs_fixtures
@pytest.mark.parametrize("name", MODELS)
def test_saving_gives_the_released_file_back(name, tmp_path):
    folder, files = FIXTURES / name, (tmp_path / "o.json", tmp_path / "w.hdf5")
    fixture_model(name).save_official(*files)
    theirs = json.loads((folder / "options.json").read_text(encoding="utf-8"))
    assert json.loads(files[0].read_text(encoding="utf-8")) == theirs
    with h5py.File(files[1]) as ours, h5py.File(folder / "lm_weights.hdf5") as file:
        for tensor in shapes(file):
            np.testing.assert_allclose(ours[tensor], file[tensor], rtol=0, atol=1e-6)
        assert shapes(ours) == shapes(file)
