"""The words a model can predict, numbered by frequency."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from .. import kept

UNK = "<unk>"
UTF_8 = "utf-8", "surrogatepass"  # a half of an emoji, as JSON may hold, is a word


def listed(words: Iterable[str], number: int | None = None) -> Iterable[str]:
    """Return words as they are.

    number: which sentence they are, for the message. Errors: TypeError for a string,
    because its characters would be read as words.
    """
    if isinstance(words, str):
        what = "this" if number is None else f"sentence {number}"
        some, cure = words.split()[:4], "by text.tokenise.words_en or words_zh"
        if len(some) > 1:
            cure = f"for example {some}"
        elif number is not None:  # the tokens of one sentence, or one string in all
            cure = "for each sentence, and these in a list: [['the', 'cat'], …]"
        raise TypeError(
            f"{what} is a string, {words[:30]!r}; give a list of tokens, {cure}"
        )
    return words


class Vocabulary:
    """A list of words and their ids; id 0 is `<unk>`, every word not in the list."""

    def __init__(self, words: Sequence[str]):
        if not words or words[0] != UNK:
            raise ValueError(f"the first word of a vocabulary must be {UNK!r}")
        self.words = list(words)
        self.ids = {word: i for i, word in enumerate(self.words)}
        if len(self.ids) != len(self.words):
            raise ValueError("a word stands twice in this vocabulary")

    @classmethod
    def from_counts(cls, counts: Counter[str], size: int, min_count: int = 1):
        """Keep the `size - 1` most frequent words; ties go in alphabetical order."""
        if size < 1:
            raise ValueError(
                f"no room for a word: {size} is left of the size of a vocabulary, and "
                f"{UNK} is one of its words; give a larger size"
            )
        counts = {w: n for w, n in counts.items() if n >= min_count and w != UNK}
        kept = sorted(counts, key=lambda word: (-counts[word], word))[: size - 1]
        return cls([UNK, *kept])

    @classmethod
    def from_sentences(cls, sentences: Iterable[Sequence[str]], size: int, **options):
        """Count the words of some sentences and keep the most frequent."""
        counts: Counter[str] = Counter()
        for number, sentence in enumerate(sentences):
            counts.update(listed(sentence, number))
        return cls.from_counts(counts, size, **options)

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: str) -> bool:
        return word in self.ids

    def encode(self, tokens: Iterable[str]) -> list[int]:
        """Return the id of each token, 0 for words not in the list."""
        return [self.ids.get(token, 0) for token in listed(tokens)]

    def decode(self, ids: Iterable[int]) -> list[str]:
        """Return the word of each id."""
        return [self.words[i] for i in ids]

    def to_bytes(self) -> bytes:
        """Return one word a line, in the order of the ids; half a character, too.

        Errors: ValueError for a word that would be two lines.
        """
        for word in self.words:
            if "\n" in word:
                raise ValueError(f"{word!r} would be two words, one a line")
        return "".join(f"{w}\n" for w in self.words).encode(*UTF_8)

    def save(self, path: str | Path) -> None:
        """Write one word a line, in the order of the ids."""
        kept.write({Path(path): self.to_bytes()})

    @classmethod
    def load(cls, path: str | Path):
        """Read what `save` wrote."""
        try:
            # Bytes, and "\n" only: some real tokens hold other line separators.
            text = Path(path).read_bytes().decode(*UTF_8)
            return cls(text.removesuffix("\n").split("\n"))
        except ValueError as error:
            raise kept.damaged(Path(path), error) from None
