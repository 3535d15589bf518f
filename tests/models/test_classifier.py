"""The classifier on a language model: pooling, windows, and documents side by side."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from course_lib.models.awd_lstm import AWDLSTM, AWDConfig
from course_lib.models.classifier import TextClassifier, concat_pool
from course_lib.text.documents import pad
from course_lib.text.streams import BPTT
from tests.models.test_awd_lstm import needs_fixture, reference


def classifier(memory: int = 1400) -> TextClassifier:
    torch.manual_seed(0)
    encoder = AWDLSTM(AWDConfig(embedding=6, hidden=10), 40)
    return TextClassifier(encoder, n_classes=3, memory=memory).eval()


def documents(*lengths: int) -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    return [rng.integers(0, 40, n) for n in lengths]


@needs_fixture
@torch.no_grad()
def test_uneven_documents_give_what_fastai_gives_for_each_alone():
    """fastai reads windows of 5 with padding in front; here padding stands behind."""
    encoder, theirs = reference("awd_clas_eval_uneven")
    model = TextClassifier(encoder, n_classes=5).eval()
    for place, head in ((0, "head0"), (4, "head1")):
        norm, linear = model.head[place], model.head[place + 2]
        for ours, key in (("weight", "weight"), ("bias", "bias")):
            getattr(norm, ours).copy_(theirs[f"{head}.bn.{key}"])
        norm.running_mean.copy_(theirs[f"{head}.bn.mean"])
        norm.running_var.copy_(theirs[f"{head}.bn.var"])
        norm.eps = float(theirs[f"{head}.bn.eps"])
        linear.weight.copy_(theirs[f"{head}.lin.weight"])
    # Their rows end with the document; in front there are whole windows of padding.
    # The document begins where a window of theirs does, and may have padding behind.
    rows = theirs["ids_padded"].numpy()
    unpadded = [row[row != int(theirs["pad_idx"])] for row in rows]
    assert [len(row) for row in unpadded] == theirs["doc_lens"].tolist()
    tokens = pad(unpadded)
    outputs, here, _ = model.read(tokens)
    pooled = concat_pool(outputs, here)
    close = {"rtol": 0, "atol": 1e-6}
    torch.testing.assert_close(pooled, theirs["pooled_last_max_mean"], **close)
    torch.testing.assert_close(model(tokens), theirs["logits"], **close)
    torch.testing.assert_close(
        model(tokens), theirs["logits_one_doc_at_a_time"], **close
    )


def test_the_pool_is_last_max_and_mean_of_the_places_that_count():
    outputs = torch.tensor([[[1.0, -5], [3, -7], [2, -6], [99, 99]]])  # (1, 4, 2)
    pooled = concat_pool(outputs, torch.tensor([[True, True, True, False]]))
    assert pooled.tolist() == [[2, -6, 3, -5, 2, -6]]
    pooled = concat_pool(outputs, torch.tensor([[False, True, True, False]]))
    assert pooled.tolist() == [[2, -6, 3, -6, 2.5, -6.5]]


@torch.no_grad()
def test_a_batch_gives_what_each_document_gives_alone():
    found = documents(1, 5, 69, 70, 71, 200)
    model = classifier()
    alone = torch.cat([model(pad([document])) for document in found])
    torch.testing.assert_close(model(pad(found)), alone)


@torch.no_grad()
def test_windows_make_no_difference_to_what_is_read():
    """The state is carried: a long document is read as one sequence."""
    (document,) = documents(3 * BPTT + 11)
    model = classifier()
    outputs, here, _ = model.read(pad([document]))
    whole = model.encoder(torch.from_numpy(document)[None]).top
    assert here.all()
    torch.testing.assert_close(outputs, whole)


@torch.no_grad()
def test_only_the_remembered_end_is_pooled_but_all_is_read():
    (document,) = documents(300)
    model = classifier(memory=100)
    outputs, here, _ = model.read(pad([document]))
    assert here.sum() == 100
    whole = model.encoder(torch.from_numpy(document)[None]).top[:, -100:]
    torch.testing.assert_close(outputs[:, here[0]], whole)


def test_gradients_reach_back_through_windows_as_far_as_the_memory():
    """BPT3C: a word of an earlier window gets a gradient, one before the memory not."""
    (document,) = documents(300)
    document[:] = 5
    document[20], document[110] = 1, 2  # before the memory; in its first window
    model = classifier(memory=200)
    _, loss = model(pad([document]), torch.tensor([0]))
    loss.backward()
    gradient = model.encoder.embedding.weight.grad.abs().sum(dim=1)
    assert gradient[2] > 0
    assert gradient[1] == 0


def test_the_penalty_is_the_mean_of_the_windows():
    torch.manual_seed(0)
    encoder = AWDLSTM(AWDConfig(embedding=6, hidden=10, dropped=0.0), 40)
    model, tokens = TextClassifier(encoder, n_classes=3), pad(documents(150, 150))
    state, penalties = None, []
    for begin in range(0, 150, BPTT):
        reading = encoder(tokens[:, begin : begin + BPTT], state=state)
        state = reading.state
        penalties.append(reading.penalty)
    assert len(penalties) == 3
    expected = torch.stack(penalties).mean()
    torch.testing.assert_close(model.read(tokens)[2], expected)


def test_the_loss_is_that_of_the_right_class():
    model, tokens = classifier(), pad(documents(4, 9))
    scores, loss = model(tokens, torch.tensor([2, 0]))
    p = scores.logits.log_softmax(dim=1)
    assert loss.item() == pytest.approx(-(p[0, 2] + p[1, 0]).item() / 2, rel=1e-5)


def test_an_empty_document_has_no_class():
    documents = [np.array([], dtype=np.int64), np.array([1, 2])]
    with pytest.raises(ValueError, match="a document is empty"):
        classifier().eval()(pad(documents))
