"""The pieces of released models, cut as those were when they were trained.

WordPiece (BERT) splits at spaces and punctuation, then takes the longest piece that
fits. Byte-level BPE (GPT-2) knows 256 bytes, so that nothing is unknown, and a space is
part of the word behind it. GPT-1 has BPE over small letters, `</w>` at a word's end.
The library `tokenizers` runs all three; here stands how each is put together.
Source: Devlin et al. 2019; Radford et al. 2018, 2019; the released code.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from tokenizers import (
    AddedToken,
    Tokenizer,
    decoders,
    normalizers,
    pre_tokenizers,
    processors,
)
from tokenizers.models import BPE, WordPiece

from course_lib import kept
from course_lib.text.pieces import MARKS, Pieces
from course_lib.text.vocabulary import listed

OPTIONS = "tokenizer_config.json"
FILES = ("tokenizer.json", "vocab.txt", "vocab.json", "merges.txt", OPTIONS)
CURE = "fetch it again"


class ReleasedPieces:
    """A released list of pieces and their numbers, and how a text is cut into them.

    before, after: the marks that stand around a row, such as [CLS] and [SEP]
    space: what stands before a word that is cut alone: GPT-2's pieces begin with it
    files: what it was read from, by name
    """

    def __init__(self, cutter: Tokenizer, space: str = "", files: dict | None = None):
        cutter.no_truncation()
        cutter.no_padding()
        self.cutter, self.space, self.files = cutter, space, files or {}
        self.ids: dict[str, int] = cutter.get_vocab()
        by_number = {i: piece for piece, i in self.ids.items()}
        self.words = [by_number.get(i, "") for i in range(max(by_number) + 1)]
        bare, row = cutter.encode("a", add_special_tokens=False).ids, self.row("a")
        n = len(row) - len(bare)
        at = next(i for i in range(n + 1) if row[i : i + len(bare)] == bare)
        self.before, self.after = row[:at], row[at + len(bare) :]

    def __len__(self) -> int:
        return len(self.words)

    def row(self, text: str, other: str | None = None) -> list[int]:
        """Return the numbers of a text's or a pair's pieces, with the marks."""
        return self.cutter.encode(text, other).ids

    def pieces_of(self, words: Iterable[str]) -> list[list[int]]:
        """Return the numbers of each word's pieces, without marks.

        A word that is nothing to the model, such as a space of no width, has none.
        """
        spaced = [self.space + word for word in listed(words)]
        found = self.cutter.encode_batch(spaced, add_special_tokens=False)
        return [encoding.ids for encoding in found]

    def encode(self, words: Iterable[str]) -> list[int]:
        """Return the numbers of all the words' pieces in a row, without marks."""
        return [i for word in self.pieces_of(words) for i in word]

    def text(self, ids: Sequence[int]) -> str:
        """Write pieces as text again, marks as well."""
        return self.cutter.decode(ids, skip_special_tokens=False)


def read(folder: Path, kind: str) -> ReleasedPieces:
    """Read the pieces of a model, "bert", "gpt2" or "openai-gpt", from its folder.

    From tokenizer.json, if it is there; else from the vocabulary and the joins.
    Errors: FileNotFoundError that names what is missing, ValueError for a bad file.
    """
    files = {n: (folder / n).read_bytes() for n in FILES if (folder / n).is_file()}
    needed = "vocab.txt" if kind == "bert" else "vocab.json"
    name = "tokenizer.json" if "tokenizer.json" in files else needed
    if name not in files or (name == "vocab.json" and "merges.txt" not in files):
        joins = "" if kind == "bert" else " with merges.txt"
        raise FileNotFoundError(
            f"{folder} has no tokenizer.json, and no {needed}{joins}"
        )
    try:
        if name == "tokenizer.json":
            cutter = Tokenizer.from_str(files[name].decode())
        else:
            cutter = BUILT[kind](files)
        return ReleasedPieces(cutter, " " if kind == "gpt2" else "", files)
    except Exception as error:  # what tokenizers raises has no class of its own
        raise kept.damaged(folder / name, error, CURE) from None


def word_piece(files: dict[str, bytes]) -> Tokenizer:
    """Put BERT's WordPiece together; its options say what happens to capital letters.

    Source: Devlin et al. 2019, the released tokenization.py
    """
    options = json.loads(files.get(OPTIONS, b"{}"))
    vocabulary = numbered(files["vocab.txt"].decode())
    cutter = Tokenizer(WordPiece(vocabulary, unk_token="[UNK]"))
    cutter.normalizer = normalizers.BertNormalizer(
        clean_text=True,
        handle_chinese_chars=options.get("tokenize_chinese_chars", True),
        strip_accents=options.get("strip_accents"),  # None: as it is with capitals
        lowercase=options.get("do_lower_case", True),
    )
    cutter.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    cutter.decoder = decoders.WordPiece(prefix="##")
    add_marks(cutter, [mark for mark in MARKS[:5] if mark in vocabulary])
    return with_cls_and_sep(cutter)


def with_cls_and_sep(cutter: Tokenizer) -> Tokenizer:
    """Let rows be [CLS] text [SEP], or [CLS] one [SEP] other [SEP]."""
    cutter.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[
            (mark, cutter.token_to_id(mark)) for mark in ("[CLS]", "[SEP]")
        ],
    )
    return cutter


def byte_pairs(files: dict[str, bytes]) -> Tokenizer:
    """Put GPT-2's byte-level BPE together. Source: Radford et al. 2019, section 2.2."""
    cutter = Tokenizer(BPE(json.loads(files["vocab.json"]), joins(files)))
    cutter.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    cutter.decoder = decoders.ByteLevel()
    add_marks(cutter, ["<|endoftext|>"])
    return cutter


def letter_pairs(files: dict[str, bytes]) -> Tokenizer:
    """Put GPT-1's BPE together. Source: Radford et al. 2018, section 4.1.

    Departure, as in today's `transformers`: BERT's rules split the text, where the
    first release had spaCy's and ftfy's.
    """
    model = BPE(
        json.loads(files["vocab.json"]),
        joins(files),
        end_of_word_suffix="</w>",
        unk_token="<unk>",
    )
    cutter = Tokenizer(model)
    cutter.normalizer = normalizers.BertNormalizer(lowercase=True)
    cutter.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    cutter.decoder = decoders.BPEDecoder(suffix="</w>")
    add_marks(cutter, ["<unk>"])
    return cutter


BUILT: dict[str, Callable[[dict[str, bytes]], Tokenizer]] = {
    "bert": word_piece,
    "gpt2": byte_pairs,
    "openai-gpt": letter_pairs,
}


def add_marks(cutter: Tokenizer, marks: Sequence[str]) -> None:
    """Let marks be marks also where they stand in a text."""
    cutter.add_special_tokens([AddedToken(m, normalized=False) for m in marks])


def numbered(text: str) -> dict[str, int]:
    """Number the lines of a vocabulary; a line may be any character but a new line."""
    return {piece: i for i, piece in enumerate(text.removesuffix("\n").split("\n"))}


def joins(files: dict[str, bytes]) -> list[tuple[str, ...]]:
    """Read the pairs of pieces that are joined, the most important first."""
    lines = files["merges.txt"].decode().split("\n")
    rows = lines[1:] if lines[0].startswith("#version") else lines
    return [tuple(row.split()) for row in rows if row]


def as_released(pieces: Pieces) -> ReleasedPieces:
    """Write the course's own pieces in the form of BERT's.

    Departure: a word that itself begins with "##" is taken for the end of one.
    """
    cutter = Tokenizer(WordPiece(pieces.ids, unk_token="[UNK]"))
    cutter.normalizer = normalizers.Sequence(
        [normalizers.NFC(), normalizers.Lowercase()]
    )
    cutter.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    cutter.decoder = decoders.WordPiece(prefix="##")
    add_marks(cutter, MARKS)
    return ReleasedPieces(with_cls_and_sep(cutter))
