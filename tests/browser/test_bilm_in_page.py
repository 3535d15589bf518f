"""The biLM that runs in a page computes what torch does, loaded from file:// alone."""

from __future__ import annotations

import numpy as np
import pytest
import torch

pytest.importorskip("playwright.sync_api")

from bookmaking import page_models

import course_lib
from course_lib.models.bilm import BiLM, BiLMConfig, Encoder
from course_lib.text.vocabulary import Vocabulary
from course_lib.widgets import in_page, kit

SENTENCES = {
    "elmo-en": [
        ["She", "deposited", "her", "money", "at", "the", "bank", "."],
        ["the", "bank", "by", "the", "river", "bank"],
        ["Xqzvhr", "ümläut", "the", "flibbertigibbetations"],  # in no vocabulary
        ["a" * 47, "b" * 48, "c" * 49, "ß" * 40, "d" * 500],  # about 48 bytes
        ["🍎", "\u0301", "\u200d", "<S>", "constructor", "__proto__", "\\", "</S>"],
        ["bank"],
        [],
    ],
    "elmo-zh": [
        ["一个", "苹果", "，", "一部", "苹果", "手机"],
        ["他", "打", "了", "个", "电话", "。"],
        ["𠮷野家", "龘", "鑫森淼焱垚" * 4, "苹果"],
        ["苹果", "Apple", "😀", "１２３", "　"],
        [],
    ],
}

PAGE = """<!doctype html><meta charset="utf-8"><script type="module">
const source = new Blob([{module}], {{ type: "text/javascript" }});
Object.assign(window, await import(URL.createObjectURL(source)));
window.ready = true;
</script>"""

READ = """async ([name, sentences]) => {
  const heard = [];
  const model = await loadModel("models/", name, (share) => heard.push(share));
  const found = [], layers = model.config.layers + 1;
  for (const words of sentences) {
    const read = await readSentence(model, words);
    found.push(Array.from({ length: layers }, (_, layer) =>
      words.map((_, i) => [...read.vector(layer, i)])));
  }
  return { found, heard };
}"""

DROP = """async ([name, words]) => {
  const model = await loadModel("models/", name);
  const read = await readSentence(model, words, { drops: true }), found = [];
  const layers = model.config.layers + 1;
  for (let gone = 0; gone < words.length; gone++) {
    found.push(Array.from({ length: layers }, (_, layer) =>
      words.map((_, i) => (i === gone ? [] : [...read.vector(layer, i, gone)]))));
  }
  return found;
}"""

ASK = """async ([name, words, targets]) => {
  const model = await loadModel("models/", name);
  const [whole, part] = [await readSentence(model, words),
                         await readSentence(model, words, { targets })];
  const layers = Array.from({ length: model.config.layers + 1 }, (_, layer) => layer);
  return [whole, part].map((read) =>
    layers.map((layer) => targets.map((i) => [...read.vector(layer, i)])));
}"""


def small() -> Encoder:
    """Return a biLM of sizes that none has: odd, three layers, two highways."""
    torch.manual_seed(1)
    filters = [[1, 3], [3, 7], [7, 5]]
    config = BiLMConfig(3, 10, 7, filters, char_size=5, n_highway=2, clip=0.2)
    model = BiLM(config, 10)
    with torch.no_grad():  # kept in half precision, as those that ship; and clipped
        for p in model.parameters():
            p.copy_((3 * p).half())
    return Encoder(model, Vocabulary(["<unk>", *"abcdefghi"]))


@pytest.fixture(scope="module")
def encoders():
    """Return the biLMs to be compared, by name."""
    return {name: course_lib.load(name) for name in SENTENCES} | {"small": small()}


@pytest.fixture(scope="module")
def site(encoders, tmp_path_factory):
    """Write the page and the models' files as the book does; return its address."""
    folder = tmp_path_factory.mktemp("site")
    for encoder in encoders.values():
        for name, text in page_models.files(encoder).items():
            file = folder / "models" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")
    page = folder / "page.html"
    module = kit.script_json(kit.module("pieces"))
    page.write_text(PAGE.format(module=module), "utf-8")
    return page.as_uri()


@pytest.fixture
def page(open_page, site):
    """Open the page from file://, where nothing can be fetched."""
    shown = open_page(site)
    shown.wait_for_function("window.ready")
    return shown


@pytest.mark.parametrize("name", [*SENTENCES, "small"])
def test_every_layer_is_torch_s(page, encoders, name):
    encoder = encoders[name]
    sentences = SENTENCES.get(name, SENTENCES["elmo-en"])
    answer = page.evaluate(READ, [in_page.mark(encoder), sentences])
    assert answer["heard"][-1] == 1
    assert answer["heard"] == sorted(answer["heard"])
    for words, found in zip(sentences, answer["found"], strict=True):
        [expected] = encoder.encode([words])  # (L+1, T, 2P)
        shape = expected.shape if words else (expected.shape[0], 0)
        assert np.shape(found) == shape
        np.testing.assert_allclose(
            np.reshape(found, expected.shape), expected, atol=1e-4, rtol=0
        )


@pytest.mark.parametrize("name", [*SENTENCES, "small"])
def test_a_sentence_without_a_word_is_read_as_if_it_were_never_there(
    page, encoders, name
):
    encoder = encoders[name]
    words = SENTENCES.get(name, SENTENCES["elmo-en"])[0]
    found = page.evaluate(DROP, [in_page.mark(encoder), words])
    for gone, layers in enumerate(found):
        [expected] = encoder.encode([words[:gone] + words[gone + 1 :]])
        kept = [[row for row in layer if row] for layer in layers]
        np.testing.assert_allclose(kept, expected, atol=1e-4, rtol=0)


@pytest.mark.parametrize("targets", [[0], [3], [7], [2, 5]])
def test_what_is_asked_for_does_not_depend_on_what_no_direction_needs(
    page, encoders, targets
):
    name, words = in_page.mark(encoders["small"]), SENTENCES["elmo-en"][0]
    whole, part = page.evaluate(ASK, [name, words, targets])
    assert part == whole


def test_a_model_with_other_weights_has_another_mark(encoders):
    encoder = small()
    assert in_page.mark(encoder) == in_page.mark(encoders["small"])
    with torch.no_grad():
        encoder.model.backward_stack[0].project.weight[0, 0] += 1
    assert in_page.mark(encoder) != in_page.mark(encoders["small"])


def test_what_cannot_be_loaded_is_said_and_can_be_tried_again(page):
    tried = """async () => {
      const said = [];
      for (const _ of [1, 2]) {
        await loadModel("models/", "none").catch((e) => said.push(e.message));
      }
      return said;
    }"""
    # The console names the missing file, too; the page's own scripts did not fail.
    assert page.evaluate(tried) == ["cannot load none/model"] * 2
