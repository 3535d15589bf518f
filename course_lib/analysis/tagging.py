"""Score tags that mark spans: B-NP where a span begins, I-NP inside it, O outside."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from course_lib.text.vocabulary import listed


def spans(tags: list[str]) -> set[tuple[int, int, str]]:
    """Return the spans of a sentence as (start, end, label), the end excluded.

    An I- that continues nothing begins a span, as in CoNLL's evaluation script.
    """
    found, start, label = set(), 0, ""
    for i, tag in enumerate([*listed(tags), "O"]):
        mark, _, name = tag.partition("-")
        if label and (mark != "I" or name != label):
            found.add((start, i, label))
            label = ""
        if name and not label:
            start, label = i, name
    return found


def alike(gold: Iterable, guessed: Iterable) -> Iterator[tuple]:
    """Yield pairs of a sentence's right tags and its guessed ones, equally many."""
    for number, (one, other) in enumerate(zip(gold, guessed, strict=True)):
        if len(one) != len(other):
            raise ValueError(
                f"sentence {number} has {len(one)} tags and {len(other)} guesses"
            )
        yield one, other


def span_f1(gold: Iterable[list[str]], guessed: Iterable[list[str]]) -> float:
    """Return F1 over all spans: a span counts if its start, end and label are right.

    The harmonic mean of precision (of the guessed spans, how many are right) and
    recall (of the gold spans, how many were found); 0 if none is right. Errors:
    ValueError if a sentence has not as many guessed tags as right ones.
    """
    right = total = 0
    for one, other in alike(gold, guessed):
        a, b = spans(one), spans(other)
        right += len(a & b)
        total += len(a) + len(b)
    return 2 * right / total if total else 0.0
