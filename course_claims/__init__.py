"""Claim cards: what is said, what the paper measured, what our run measures."""

from __future__ import annotations

from .card import VERDICTS, Card, Text, line, show_table, table

__all__ = ["VERDICTS", "Card", "Text", "card", "line", "show_table", "table"]


def card(key: str) -> Card:
    """Return a card of the ledger by its key, such as "layers-pos-wsd".

    Errors: KeyError that names the keys that are most alike.
    """
    from .cards import cards

    return cards(key)[key]
