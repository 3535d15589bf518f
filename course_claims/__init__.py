"""The claims: experiments, the ledger of what they measured, cards that judge by it.

    import course_claims as claims

    claims.card("layers-pos-wsd").show(t)
    claims.over_seeds(claims.measured("pos_kept"), "same part of speech")

What lessons need is named here, and loaded when it is asked for. Beside it, a lesson
may repeat an experiment live: `from course_claims.experiments import transfer`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

NAMES = {  # where each stands
    "claim_card": ("Card",),
    "card_page": ("show_table", "signed", "table"),
    "cards": ("all_cards", "card"),
    "cards.start_here": ("TABLE_1", "reductions"),
    "ledger": ("gain", "kept", "measured", "over_seeds"),
    "rules": ("beginnings", "by_model", "conditions", "gain_in", "gains", "n_seeds"),
    "words": ("AS_TOLD", "IN_OUR_RUNS"),
    "scoreboard_table": ("context_scores", "sense_table", "show_scoreboard"),
}
HOME = {name: module for module, names in NAMES.items() for name in names}
__all__ = list(HOME)


def __getattr__(name: str) -> Any:
    """Load one of NAMES."""
    if name not in HOME:
        raise AttributeError(f"course_claims has no {name!r}; it has {sorted(HOME)}")
    return getattr(import_module(f".{HOME[name]}", __name__), name)
