"""Word pieces: a few thousand of them spell every word of a language.

Byte-pair encoding begins with single characters and joins, again and again, the two
neighbours that occur together most often: frequent words become one piece, rare ones
several. Source: Sennrich et al. 2016. They are written as in BERT: `##` before a piece
that goes on with a word.

Departures: GPT (40,000 joins, `</w>` at the end of a word) and BERT (WordPiece,
30,000) each had their own; one vocabulary of 8,000 in small letters serves both here.
A word is cut by taking the longest piece that fits, then the next, as BERT does it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer
from tokenizers.models import WordPiece

from .. import kept
from .batches import IGNORE, Text
from .characters import BOS, EOS
from .epochs import Epochs, in_batches, n_batches, share
from .tokenise import composed
from .vocabulary import listed

# Every mark has a capital letter; words are in small letters, so that none is a mark.
MARKS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", BOS, EOS, "<DELIM>", "<EXTRACT>"]
PAD, UNK, CLS, SEP, MASK, START, END, DELIM, EXTRACT = range(len(MARKS))


class Pieces:
    """A list of pieces and their numbers: the nine marks first, then by frequency."""

    def __init__(self, words: Sequence[str]):
        if list(words[: len(MARKS)]) != MARKS:
            raise ValueError(f"the first pieces must be the marks {' '.join(MARKS)}")
        self.words = list(words)
        self.ids = {piece: i for i, piece in enumerate(self.words)}
        # Inside a word, "##" is written as what no word holds: "##a" may be a word.
        inner = {f"\0{p[2:]}" if goes_on(p) else p: i for p, i in self.ids.items()}
        self._cutter = Tokenizer(
            WordPiece(inner, unk_token=MARKS[UNK], continuing_subword_prefix="\0")
        )

    @classmethod
    def learn(cls, counts: Counter[str], size: int):
        """Find `size` pieces, marks included, in words that occur so often.

        Every character is a piece, at the beginning of a word and inside: so every
        word of these characters can be spelled.
        """
        letters = {c for word in counts for c in word.lower() if not c.isspace()}
        pieces = {form for c in letters for form in (c, f"##{c}")}
        room = max(len(pieces), size - len(MARKS))
        for piece in joins(counts):
            if len(pieces) >= room:
                break
            pieces.add(piece)
        return cls([*MARKS, *by_frequency(pieces, counts)])

    @classmethod
    def from_text(cls, text: Text, size: int):
        """Find `size` pieces in the words of a text."""
        counts = np.bincount(text.ids, minlength=len(text.words))
        found: Counter[str] = Counter()  # of words without their marks
        for word, n in zip(text.words[2:], counts[2:].tolist(), strict=True):
            found[composed(word)] += n
        return cls.learn(found, size)

    def __len__(self) -> int:
        return len(self.words)

    def pieces_of(self, words: Iterable[str]) -> list[list[int]]:
        """Return the numbers of each word's pieces.

        Words are in small letters, and as `composed`. A word is [UNK] only if one of
        its characters was never seen, or if it is longer than 100 characters.
        """
        small = [[composed(word.lower())] for word in listed(words)]
        found = self._cutter.encode_batch(small, True)
        return [encoding.ids or [UNK] for encoding in found]

    def encode(self, words: Iterable[str]) -> list[int]:
        """Return the numbers of all the words' pieces in a row."""
        return [i for word in self.pieces_of(words) for i in word]

    def decode(self, ids: Iterable[int]) -> list[str]:
        """Put words together again; marks stay words of their own."""
        found: list[str] = []
        for i in ids:
            piece = self.words[i]
            if goes_on(piece) and found:
                found[-1] += piece[2:]
            else:
                found.append(piece)
        return found

    def to_bytes(self) -> bytes:
        """Return one piece a line, in the order of their numbers."""
        return "".join(f"{w}\n" for w in self.words).encode()

    def save(self, path: str | Path) -> None:
        """Write one piece a line, in the order of their numbers."""
        kept.write({Path(path): self.to_bytes()})

    @classmethod
    def load(cls, path: str | Path):
        """Read what `save` wrote."""
        try:
            text = Path(path).read_bytes().decode()
            return cls(text.removesuffix("\n").split("\n"))
        except ValueError as error:
            raise kept.damaged(Path(path), error) from None


def goes_on(piece: str) -> bool:
    """Tell whether a piece goes on with a word; "##" alone is a word."""
    return piece.startswith("##") and piece != "##"


def joins(counts: Counter[str]) -> Iterator[str]:
    """Yield the piece that each join makes: of the most frequent pair of neighbours.

    Of pairs equally frequent the first in the alphabet is joined: so the same words
    give the same pieces, everywhere. Source: Sennrich et al. 2016, algorithm 1.
    """
    words = [(part, n) for word, n in counts.items() for part in word.lower().split()]
    cut = [[word[0], *(f"##{c}" for c in word[1:])] for word, _ in words]
    found: Counter[tuple] = Counter()  # how often each pair occurs, and in which words
    places: defaultdict[tuple, set[int]] = defaultdict(set)

    def count(i: int, sign: int) -> set[tuple]:
        pairs = [*pairwise(cut[i])]
        for pair in pairs:
            found[pair] += sign * words[i][1]
            places[pair].add(i)
        return set(pairs)

    changed = set().union(*(count(i, 1) for i in range(len(words))))
    queue: list[tuple[int, tuple]] = []
    while True:
        for pair in changed:
            heappush(queue, (-found[pair], pair))
        while queue and queue[0][0] != -found[queue[0][1]]:  # counted anew since
            heappop(queue)
        if not queue or queue[0][0] >= 0:
            return
        pair, changed = heappop(queue)[1], set()
        for i in places.pop(pair):
            changed |= count(i, -1)
            cut[i] = join(cut[i], pair)
            changed |= count(i, 1)
        yield pair[0] + pair[1].removeprefix("##")


def join(pieces: list[str], pair: tuple[str, str]) -> list[str]:
    """Join a pair of neighbours, from left to right, wherever it stands in a word."""
    joined: list[str] = []
    for piece in pieces:
        if joined and (joined[-1], piece) == pair:
            joined[-1] += piece.removeprefix("##")
        else:
            joined.append(piece)
    return joined


def by_frequency(pieces: set[str], counts: Counter[str]) -> list[str]:
    """Sort pieces by how often they occur in words that are cut into them."""
    found, uses = Pieces([*MARKS, *sorted(pieces)]), Counter()
    for cut, n in zip(found.pieces_of(counts), counts.values(), strict=True):
        for i in cut:
            uses[found.words[i]] += n
    return sorted(pieces, key=lambda piece: (-uses[piece], piece))


# -- a corpus in pieces ----------------------------------------------------------------


@dataclass
class PieceText:
    """A corpus as one long array of pieces, without marks.

    ids:       (N,) the running text
    sentences: (S+1,) where each sentence begins in `ids`, and the end
    documents: (M+1,) which sentence each document begins with, and the end
    n_words:   how many words were cut into these pieces
    """

    ids: np.ndarray
    sentences: np.ndarray
    documents: np.ndarray
    n_words: int

    @classmethod
    def of(cls, text: Text, pieces: Pieces):
        """Cut a text whose windows are whole documents, see `read_text`."""
        cut = [[], [], *pieces.pieces_of(text.words[2:])]  # the marks <S> and </S> go
        ids, ends = ragged(cut, text.ids)
        last = np.flatnonzero(text.ids == 1)  # each sentence's </S>, in `text.ids`
        sentences = np.concatenate([[0], ends[last]])
        documents = np.searchsorted(last, text.starts)
        return cls(ids, sentences, np.append(documents, len(last)), text.n_tokens)

    def marked(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the text with <S> before each document and </S> after each sentence.

        And where each document begins in it. Shape: (N + M + S,) and (M+1,).
        """
        n = np.arange(len(self.sentences))
        ends = np.insert(self.ids, self.sentences[1:], END)
        starts = (self.sentences + n)[self.documents]  # in `ends`
        with_starts = np.insert(ends, starts[:-1], START)
        return with_starts, starts + np.arange(len(starts))

    @property
    def n_marked_words(self) -> int:
        """Count the words and the marks, as a language model of words would."""
        return self.n_words + len(self.sentences) + len(self.documents) - 2


def ragged(rows: Sequence[Sequence[int]], chosen: np.ndarray) -> tuple:
    """Lay the chosen rows, of different lengths, end to end.

    Return them (N,) and where each of them ends, (len(chosen),).
    """
    lengths = np.array([len(row) for row in rows])
    flat = np.array([i for row in rows for i in row], dtype=np.int32)
    starts = lengths.cumsum() - lengths
    n = lengths[chosen]
    ends = n.cumsum()
    within = np.arange(ends[-1]) - np.repeat(ends - n, n)  # place in its own row
    return flat[np.repeat(starts[chosen], n) + within], ends


class Windows(Epochs):
    """Windows of a text whose documents are laid end to end: for a causal Transformer.

    Each epoch has its own order of documents and windows.
    overlap: so many pieces of the window before are read again, as a context, and not
        predicted again; for measuring
    """

    unit = "pieces"  # what a training counts

    def __init__(
        self,
        text: PieceText,
        context: int,
        rows: int = 64,
        seed: int = 0,
        overlap: int = 0,
    ):
        if not 0 <= overlap < context:
            raise ValueError(
                f"windows of {context} pieces that overlap by {overlap}: the overlap "
                "must be smaller than the window, and neither below 0"
            )
        self.ids, self.borders = text.marked()
        self.context, self.rows, self.seed = context, rows, seed
        self.overlap, stride = overlap, context - overlap
        # A window more would begin where everything has been predicted.
        self.starts = np.arange(0, max(len(self.ids) - 1 - overlap, 1), stride)

    def __len__(self) -> int:
        return n_batches(len(self.starts), self.rows)

    def draw(self, rng: np.random.Generator) -> tuple[np.ndarray, list[np.ndarray]]:
        """Return a text, PAD behind it, and where the windows of each batch begin."""
        order = rng.permutation(len(self.borders) - 1)
        spans = [self.ids[self.borders[i] : self.borders[i + 1]] for i in order]
        ids = np.concatenate([*spans, np.full(self.context, PAD)])
        return ids.astype(np.int64), in_batches(rng.permutation(self.starts), self.rows)

    def at(
        self, step: int, part: int = 0, parts: int = 1
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return a step's pieces (B, T) and, as targets, the pieces one further."""
        epoch, place = divmod(step, len(self))
        ids, batches = self.epoch(epoch)
        starts = share(batches[place], part, parts)
        windows = ids[starts[:, None] + np.arange(self.context + 1)]  # (B, T+1)
        tokens, targets = windows[:, :-1], windows[:, 1:].copy()
        targets[targets == PAD] = IGNORE
        targets[starts > 0, : self.overlap] = IGNORE  # predicted before
        return torch.from_numpy(tokens), torch.from_numpy(targets)


# -- labelled examples -----------------------------------------------------------------


def pad(examples: Sequence[Sequence[Sequence[int]]]) -> torch.Tensor:
    """Lay examples of R rows each side by side. Shape: (B, R, T), PAD behind a row."""
    rows = [torch.tensor(row) for example in examples for row in example]
    # padded: (B R, T)
    padded = torch.nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=PAD)
    return padded.view(len(examples), -1, padded.shape[1])
