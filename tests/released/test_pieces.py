"""Released pieces are cut as `transformers` cuts them, on a thousand odd lines."""

from __future__ import annotations

import json

import numpy as np
import pytest
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

from course_lib.data.senses import senses
from course_released import pieces as released

transformers = pytest.importorskip("transformers")

KINDS = {
    "bert": transformers.BertTokenizer,
    "gpt2": transformers.GPT2Tokenizer,
    "openai-gpt": transformers.OpenAIGPTTokenizer,
}
MARKS = {
    "bert": ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"],
    "gpt2": ["<|endoftext|>"],
    "openai-gpt": ["<unk>"],
}
ODD = [
    *("The bank", " play", "ing", "uncharacteristically", "don't", "O'Neill", "e.g."),
    *("1,000.5", "$5", "naïve", "cafe\u0301", "ÅNGSTRÖM", "İstanbul", "Straße", "ﬁ"),
    *("苹果", "他打包袱。", "日本語カナ", "한국어", "ไทย", "العربية", "हिन्दी", "𝔘𝔫𝔦"),
    *("\U0001f469\u200d\U0001f467", "🇨🇳", "[MASK]", "[CLS]", "[SEP]", "##ing"),
    *("<|endoftext|>", "<unk>", "</w>", "<S>", "\t", "\n", "\r\n", "\u00a0", "\u200b"),
    *("\u3000", "\u2028", "\x00", "\x07", "\ufffd", "  ", " ", "...", "--", "“”"),
    *("x" * 120, "\ufeff", "_", "\\", "&amp;", "a\u0300b"),
]


def texts() -> list[str]:
    return [" ".join(s.tokens) for lang in ("en", "zh") for s in senses(lang)[::3]]


def odd_lines(n: int = 1000) -> list[str]:
    """Put odd bits side by side, without a space between them half of the time."""
    rng = np.random.default_rng(0)
    lines = [""]
    while len(lines) < n:
        bits = rng.choice(ODD, size=rng.integers(1, 9))
        lines.append(" ".join(bits) if rng.random() < 0.5 else "".join(bits))
    return lines


def learned(kind: str) -> Tokenizer:
    """Learn a few hundred pieces, as many as show every rule at work."""
    if kind == "bert":
        cutter = Tokenizer(models.WordPiece(unk_token="[UNK]"))
        trainer = trainers.WordPieceTrainer(vocab_size=900, special_tokens=MARKS[kind])
        cutter.normalizer = normalizers.BertNormalizer(lowercase=False)
        cutter.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    elif kind == "gpt2":
        cutter = Tokenizer(models.BPE())
        cutter.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        letters = pre_tokenizers.ByteLevel.alphabet()
        options = {"special_tokens": MARKS[kind], "initial_alphabet": letters}
        trainer = trainers.BpeTrainer(vocab_size=600, **options)
    else:
        cutter = Tokenizer(models.BPE(unk_token="<unk>", end_of_word_suffix="</w>"))
        cutter.normalizer = normalizers.BertNormalizer(lowercase=True)
        cutter.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        options = {"special_tokens": MARKS[kind], "end_of_word_suffix": "</w>"}
        trainer = trainers.BpeTrainer(vocab_size=900, **options)
    cutter.train_from_iterator(texts(), trainer)
    return cutter


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Write each kind's vocabulary as it was first released."""
    found = {}
    for kind in KINDS:
        folder, cutter = tmp_path_factory.mktemp(kind), learned(kind)
        if kind == "bert":
            by_number = sorted(cutter.get_vocab().items(), key=lambda item: item[1])
            text = "".join(f"{piece}\n" for piece, _ in by_number)
            (folder / "vocab.txt").write_text(text, encoding="utf-8")
        else:
            cutter.model.save(str(folder))
        found[kind] = folder
    return found


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        *((kind, {}) for kind in KINDS),
        ("bert", {"do_lower_case": False}),
        ("bert", {"strip_accents": False}),
        ("bert", {"tokenize_chinese_chars": False}),
    ],
)
def test_a_thousand_odd_lines_are_cut_alike(folders, tmp_path, kind, options):
    """From the vocabulary alone, and from the tokenizer.json that theirs writes."""
    folder = folders[kind]
    (folder / released.OPTIONS).write_text(json.dumps(options))
    theirs = KINDS[kind].from_pretrained(folder, **options)
    theirs.save_pretrained(tmp_path)
    lines = odd_lines()
    expected = theirs(lines)["input_ids"]
    for place in (folder, tmp_path):
        ours = released.read(place, kind)
        assert [ours.row(line) for line in lines] == expected
        assert ours.words == theirs.convert_ids_to_tokens(range(len(theirs)))
    pairs = theirs(lines[:50], lines[50:100])["input_ids"]
    assert [ours.row(*p) for p in zip(lines[:50], lines[50:100], strict=True)] == pairs


@pytest.mark.parametrize("kind", KINDS)
def test_words_are_cut_one_by_one(folders, kind):
    """Side by side they are the pieces of the text, GPT-2's with a space before it."""
    ours = released.read(folders[kind], kind)
    words = ["the", "otter", "left", "an", "uncharacteristically", "empty", "bank"]
    whole = ours.row((" " if kind == "gpt2" else "") + " ".join(words))
    assert [*ours.before, *ours.encode(words), *ours.after] == whole
    assert len(ours.pieces_of(words)) == len(words)
    assert ours.text(ours.encode(words)).strip() == " ".join(words)


def test_every_byte_comes_back(folders):
    """Byte-level BPE loses nothing, whatever the text."""
    ours = released.read(folders["gpt2"], "gpt2")
    lines = odd_lines()
    assert [ours.text(ours.row(line)) for line in lines] == lines


def test_a_missing_or_damaged_vocabulary_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="no vocab.json with merges.txt"):
        released.read(tmp_path, "gpt2")
    (tmp_path / "vocab.json").write_text("{")
    (tmp_path / "merges.txt").write_text("")
    with pytest.raises(ValueError, match=r"vocab\.json is damaged.*fetch it again"):
        released.read(tmp_path, "gpt2")
