"""The ledger's commands: `python -m course_lib claims list|run|report`."""

from __future__ import annotations

import multiprocessing
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tqdm import tqdm

from . import ledger
from .card import VERDICTS, Card
from .cards import cards

QUICK = Path("build/claims-quick")  # never among the results that ship


def list_cards() -> None:
    """Print all cards: key, lesson, verdict, seeds, and what is doubtful."""
    found = cards()
    for card in found.values():
        doubts = ["unstable"] * bool(card.flips)
        doubts += [f"measured before a change of {change}" for change in card.stale]
        seeds = f"{card.seeds} seeds" if card.judge else "no seeds needed"
        cells = f"{card.key:34} {card.lesson:20} {card.decided():11} {seeds:16}"
        print(cells, "; ".join(doubts))
    print(f"\n{len(found)} cards: {told(found.values())}")


def told(found: Sequence[Card]) -> str:
    """Count the verdicts in words: 12 supported, 3 overstated, …"""
    counted = Counter(card.decided() for card in found)
    return ", ".join(f"{counted[verdict]} {verdict}" for verdict in VERDICTS)


def experiments_of(names: Sequence[str]) -> list[str]:
    """Return the experiments that names, of cards or experiments, stand for.

    Errors: SystemExit that says what there is, if a name is neither.
    """
    known, found = ledger.experiments(), cards()
    keys = []
    for name in names:
        if name not in known and name not in found:
            raise SystemExit(f"claims: no experiment or card {name!r}; `claims list`")
        keys += [name] if name in known else found[name].experiments
    return list(dict.fromkeys(keys)) or sorted(known)


def run(names: Sequence[str], seeds: int, quick: bool = False) -> None:
    """Measure experiments, all if none is named; what was measured before is kept.

    Each experiment has a process of its own: what it loaded is known afterwards, its
    memory is freed, and an error of one does not stop the others.
    quick: one seed at the smallest size, into a folder of its own; a check that all of
    it runs, never a result.
    """
    folder, wanted = (QUICK, (1,)) if quick else (ledger.FOLDER, range(1, seeds + 1))
    failed, keys = [], experiments_of(names)
    for key in tqdm(keys, unit="experiment"):
        process = multiprocessing.get_context("spawn").Process(
            target=ledger.record, args=(key, wanted, folder, quick)
        )
        process.start()
        try:
            process.join()
        except KeyboardInterrupt:
            process.join()  # it got the same signal
            raise SystemExit("stopped; the same command goes on") from None
        failed += [key] if process.exitcode else []
    if failed:
        raise SystemExit(f"claims: no result of {', '.join(failed)}; see above")


def report(out: Path) -> None:
    """Write the claims page of the book, one file a language, and count verdicts."""
    from .page import page

    out.mkdir(parents=True, exist_ok=True)
    for language in ("en", "zh"):
        path = out / f"claims_{language}.html"
        path.write_text(page(list(cards().values()), language), encoding="utf-8")
        print(path)
    print(told(cards().values()))
