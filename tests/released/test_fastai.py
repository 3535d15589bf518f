"""fast.ai's AWD-LSTM in both its layouts; its own outputs are the oracle."""

from __future__ import annotations

import os
import pickle
from pathlib import Path

import numpy as np
import pytest
import torch

import course_lib
from course_lib.models.awd_lstm import AWDLSTM
from course_lib.text.vocabulary import UNK
from course_released.fastai import with_marks

FIXTURE = Path(os.environ.get("COURSE_DATA", "nowhere"), "../fixtures/awd_lstm")
needs_fixture = pytest.mark.skipif(
    not FIXTURE.exists(), reason="the reference outputs are not at hand"
)
V, E, H = 12, 4, 6
WORDS = ["xxunk", "xxpad", "xxbos", *"abcdefg", "xxfake", "xxfake"]


def random_arrays() -> dict[str, torch.Tensor]:
    torch.manual_seed(0)
    arrays = {"emb": torch.randn(V, E), "dec.bias": torch.randn(V)}
    for k, (before, after) in enumerate([(E, H), (H, H), (H, E)]):
        shapes = {"w_ih": (4 * after, before), "w_hh": (4 * after, after)}
        shapes |= {"b_ih": (4 * after,), "b_hh": (4 * after,)}
        arrays |= {f"l{k}.{name}": torch.randn(s) for name, s in shapes.items()}
    return arrays


def layout(arrays: dict[str, torch.Tensor], since_2018: bool) -> dict:
    """Return arrays under the names of fastai's file, or of ULMFiT's."""
    copy = "encoder_dp.emb" if since_2018 else "encoder_with_dropout.embed"
    raw = "weight_hh_l0_raw" if since_2018 else "module.weight_hh_l0_raw"
    found = {"0.encoder.weight": arrays["emb"], f"0.{copy}.weight": arrays["emb"]}
    found["1.decoder.weight"] = arrays["emb"]
    for k in range(3):
        at = f"0.rnns.{k}"
        found[f"{at}.{raw}"] = arrays[f"l{k}.w_hh"]
        found[f"{at}.module.weight_ih_l0"] = arrays[f"l{k}.w_ih"]
        for ours in ("bias_ih", "bias_hh"):
            found[f"{at}.module.{ours}_l0"] = arrays[f"l{k}.{ours.replace('ias', '')}"]
        if since_2018:  # what DropConnect left of it in the last step
            found[f"{at}.module.weight_hh_l0"] = arrays[f"l{k}.w_hh"] * 0
    if since_2018:
        found["1.decoder.bias"] = arrays["dec.bias"]
    return found


def write(folder: Path, name: str, weights: dict, words: list = WORDS) -> Path:
    """Write a file as fast.ai did; the .h5 in PyTorch's format of that time."""
    new = name.endswith(".pth")
    torch.save(weights, folder / name, _use_new_zipfile_serialization=new)
    (folder / "itos_wt103.pkl").write_bytes(pickle.dumps(words))
    return folder / name


@needs_fixture
@torch.no_grad()
@pytest.mark.parametrize("name", ["lstm_fwd.pth", "fwd_wt103.h5"])
def test_it_gives_what_fastai_gives(tmp_path, name):
    arrays = {
        key: torch.from_numpy(np.asarray(a))
        for key, a in np.load(FIXTURE / "awd_lm_eval.npz").items()
    }
    new = name.endswith(".pth")
    words = ["xxunk", *map(str, range(1, 101))]
    write(tmp_path, name, layout(arrays, since_2018=new), words)
    model, vocabulary = course_lib.load(tmp_path)
    logits = model.logits(model(arrays["b0.ids"]).top)
    expected = arrays["b0.logits"] - (0 if new else arrays["dec.bias"])
    torch.testing.assert_close(logits, expected, atol=1e-6, rtol=0)
    assert vocabulary.words[:3] == [UNK, "1", "2"]


def test_both_directions_lie_in_one_folder(tmp_path):
    arrays = random_arrays()
    forward = write(tmp_path, "lstm_fwd.pth", layout(arrays, True))
    backward = {name: -w for name, w in layout(arrays, True).items()}
    write(tmp_path, "lstm_bwd.pth", {"model": backward, "opt": {"lr": 1.0}})
    with pytest.raises(ValueError, match="lstm_bwd.pth, lstm_fwd.pth"):
        course_lib.load(tmp_path)
    one, vocabulary = course_lib.load(forward)
    other, _ = course_lib.load(tmp_path / "lstm_bwd.pth")
    assert isinstance(one, AWDLSTM)
    assert torch.equal(one.embedding.weight, -other.embedding.weight)
    assert vocabulary.decode([0, 3, 10, 11]) == [UNK, "a", "xxfake", "xxfake_11"]


def test_a_softmax_of_its_own_stays_one(tmp_path):
    weights = layout(random_arrays(), True)
    weights["1.decoder.weight"] = weights["1.decoder.weight"] + 1
    model, _ = course_lib.load(write(tmp_path, "lstm_fwd.pth", weights))
    assert torch.equal(model.softmax, model.embedding.weight + 1)


def test_what_does_not_fit_is_named_with_both_shapes(tmp_path):
    weights = layout(random_arrays(), True)
    path = write(tmp_path, "lstm_fwd.pth", weights, WORDS[:-2])
    with pytest.raises(
        ValueError, match=r"0\.encoder\.weight|1\.decoder\.bias"
    ) as told:
        course_lib.load(path)
    assert "(10" in str(told.value)
    assert "(12" in str(told.value)
    del weights["0.rnns.1.module.bias_hh_l0"]
    path = write(tmp_path, "lstm_fwd.pth", weights)
    with pytest.raises(ValueError, match=r"rnns\.1\.module\.bias_hh_l0: .*no such"):
        course_lib.load(path)
    with pytest.raises(ValueError, match="has no tensor 0.rnns.0.module.weight_ih_l0"):
        course_lib.load(write(tmp_path, "lstm_fwd.pth", {"other": torch.zeros(1)}))


class Bomb:
    """A pickle that would make a file when it is read."""

    def __init__(self, path: Path):
        self.path = path

    def __reduce__(self):
        return Path.touch, (self.path,)


@pytest.mark.parametrize("where", ["words", "weights"])
def test_nothing_in_a_pickle_is_run(tmp_path, where):
    bomb = Bomb(tmp_path / "boom")
    weights = layout(random_arrays(), True)
    if where == "weights":
        path = write(tmp_path, "lstm_fwd.pth", {**weights, "more": bomb})
    else:
        path = write(tmp_path, "lstm_fwd.pth", weights, [bomb])
    with pytest.raises(ValueError, match="is damaged"):
        course_lib.load(path)
    assert not bomb.path.exists()


def test_capitals_become_marks():
    said = with_marks(["The", "BBC", "saw", "a", "cat"])
    assert said == ["xxmaj", "the", "xxup", "bbc", "saw", "a", "cat"]
