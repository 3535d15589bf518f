"""ULMFiT's way on a tagging task: what the tagger sees, and the rule."""

import pytest
import torch

from course_claims.experiments import tagging
from course_claims.stages import StageThree
from course_lib.models.awd_lstm import AWDLSTM, AWDConfig
from course_lib.training.plug_in import SMALL, PlugInTask, as_characters

TINY = AWDConfig(embedding=4, hidden=6, layers=3)


@pytest.fixture
def directions():
    torch.manual_seed(0)
    return AWDLSTM(TINY, 20), AWDLSTM(TINY, 20)


def outputs(models, row):
    with torch.no_grad():
        return tagging.WordTagger(models, 3).eval().read(torch.tensor([row]))[0][0]


def test_the_forward_tagger_does_not_see_what_comes_after_a_word(directions):
    one, other = [3, 5, 7, 9], [3, 5, 7, 2]  # another last word
    ahead, behind = directions
    a, b = (outputs([ahead], row) for row in (one, other))
    assert torch.equal(a[:3], b[:3])
    a, b = (outputs([ahead, behind], row)[:3] for row in (one, other))
    assert torch.equal(a[:, :4], b[:, :4])  # the forward half
    assert (a[:, 4:] != b[:, 4:]).any(dim=1).all()  # at each word, the backward half


def test_backward_is_forward_on_the_turned_sentence(directions):
    row = [3, 5, 7, 9, 1]
    model = directions[0]
    both = outputs([model, model], row)
    turned = outputs([model, model], row[::-1])
    torch.testing.assert_close(both[:, :4], turned.flip(0)[:, 4:])


def test_a_longer_sentence_beside_it_changes_nothing(directions):
    tagger = tagging.WordTagger(directions, 3).eval()
    short, long = [3, 5, 7], [2, 4, 6, 8, 9]
    with torch.no_grad():
        alone = tagger(torch.tensor([short]))[0]
        beside = tagger(torch.tensor([[*short, 0, 0], long]))[0, :3]
    torch.testing.assert_close(alone, beside)


def test_every_parameter_is_in_one_layer_and_unfreezing_reaches_both_directions(
    directions,
):
    tagger = tagging.WordTagger(directions, 3)
    layers = tagging.layers_of(tagger)
    assert len(layers) == 5  # words, three LSTMs, the head
    listed = [id(p) for layer in layers for p in layer]
    assert sorted(listed) == sorted(id(p) for p in tagger.parameters())
    for depth, names in enumerate(("embedding bias", "lstms.0", "lstms.1", "lstms.2")):
        for model in directions:
            of = {
                id(p)
                for name, p in model.named_parameters()
                if any(name.startswith(start) for start in names.split())
            }
            assert of <= {id(p) for p in layers[depth]}


def test_a_word_has_the_tag_of_its_first_character():
    reading = as_characters("我在北京大学读书")
    assert reading.words == ["我", "在", "北京大学", "读书"]
    tags = ["O", "O", "B-ORG", "I-ORG", "I-ORG", "I-ORG", "O", "O"]
    task = PlugInTask(
        "", "zh", "tagging", [], {"train": [(reading,)]}, {"train": [tags]}
    )
    found = tagging.by_words(task)
    assert found.labels["train"] == [["O", "O", "B-ORG", "O"]]
    assert found.readings["train"][0][0].units == reading.words


def test_a_tagger_learns_the_sentences_that_it_is_shown():
    task = tagging.prepare("rivertown-en-chunks", SMALL)
    source = tagging.for_stages("rivertown-en-chunks", SMALL, SMALL.train)
    sizes = AWDConfig(embedding=32, hidden=32, layers=3, dropped=0.0)
    words, n, found = source.vocabulary, len(task.labels["train"]), {}
    for epochs in (1, 30):
        torch.manual_seed(0)
        models = [AWDLSTM(sizes, len(words)) for _ in range(2)]
        way = StageThree(policy="full", factor=1.0, rate=0.01, epochs=epochs, steps=1)
        model = tagging.fine_tuned(models, task, words, n, 0, way)
        found[epochs] = tagging.f1(model, task, "train", words)
    assert found[1] < 0.5 < 0.9 < found[30]


def rows(ahead: dict[str, float]) -> list[dict]:
    """Give ELMo so much more F1 than ULMFiT, in five seeds, give or take little."""
    made = []
    for seed, noise in enumerate((-0.01, -0.005, 0.0, 0.005, 0.01)):
        for place, more in ahead.items():
            for model, value in (("ULMFiT", 0.8), ("ELMo", 0.8 + more + noise)):
                about = {"seed": seed, "model": model, "condition": place}
                made.append(about | {"metric": "F1", "value": value})
    return made
