"""What a lesson's optional cell gets: the model, or one calm line that brings it."""

from __future__ import annotations

import pytest

from course_lib.models.bert import BERT, BERTConfig
from course_lib.text.pieces import MARKS, Pieces
from course_released import catalogue, huggingface, optional
from course_released.whole_words import reader

WORDS = {"en": lambda en, zh: en, "zh": lambda en, zh: zh}


@pytest.mark.parametrize("language", WORDS)
@pytest.mark.parametrize("name", catalogue.MODELS)
@pytest.mark.parametrize("ask", [optional.loaded, reader])
def test_a_model_that_is_not_at_hand_is_one_line(
    ask, name, language, monkeypatch, tmp_path, capsys
):
    monkeypatch.setattr(catalogue, "find_spec", lambda _: None)
    monkeypatch.setattr(catalogue, "places", lambda name: [tmp_path / name])
    assert ask(WORDS[language], name) is None
    shown = capsys.readouterr()
    assert shown.err == "" and shown.out.count("\n") == 1
    cure = (
        "pip install" if name == "minilm" else f"python -m course_lib released {name}"
    )
    assert name in shown.out and cure in shown.out
    assert ("optional" if language == "en" else "可以跳过") in shown.out


def test_a_model_that_is_at_hand_is_loaded_without_a_word(
    monkeypatch, tmp_path, capsys
):
    pieces = Pieces([*MARKS, "calm", "otter"])
    sizes = BERTConfig(2, 8, 2, 20, post_norm=True, epsilon=1e-12)
    huggingface.save(BERT(sizes, len(pieces)), pieces, tmp_path / "tiny")
    (tmp_path / "tiny" / catalogue.NOTE).write_text('{"sha256": {}}')
    tiny = catalogue.Model("tiny", "nowhere", {}, 1, "MIT")
    monkeypatch.setitem(catalogue.MODELS, "tiny", tiny)
    monkeypatch.setattr(catalogue, "places", lambda name: [tmp_path / name])
    found = reader(WORDS["en"], "tiny")
    assert [x.shape for x in found.encode([["Calm", "otter"]])] == [(3, 2, 8)]
    shown = capsys.readouterr()
    assert shown.out == shown.err == ""
