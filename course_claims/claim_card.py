"""A claim card: what is said, what the paper measured, what we measured, two verdicts.

As told      is the sentence what its source says? From papers and exact facts
In our runs  what came out here, by one rule: see `outcome`
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from . import ledger
from .card_page import as_html
from .outcome import Hypothesis, Place, directions, outcome, smallest_detectable
from .words import (
    AS_TOLD,
    Effects,
    Pick,
    Rows,
    Text,
    Values,
    without_seeds,
)

POPULAR: Text = ("popular accounts", "流行文章")


@dataclass(frozen=True)
class Card:
    """A claim and its test; every text is a pair, English and Chinese.

    key, lesson     names: "layers-pos-wsd", "08_elmo_layers"
    systems         what it is about: keys of `cards.SYSTEMS`
    claim, source   what is said, and who says it
    as_told         is that what the source says: one of AS_TOLD, from papers and exact
                    facts, no seeds; nothing if the question is the course's own
    quoted          how a popular article puts it, and which: ("S3", "…"); or nothing
    paper           what the paper measured, with its numbers and where they stand
    why             what our comparison is, and how far it is from the paper's

    facts           rows that can be worked out on the spot: a gradient, a count,
                    arithmetic with the paper's numbers
    experiments     keys of the ledger; `effects` turns their rows into differences,
                    {place: Interval}, with `names` of the places in two languages;
                    `effect` says what a difference is, and in which unit: `scale` times
                    what `effects` returns. `hypothesis` says what the claim says of
                    them, and `outcome` decides; `shown` may make a table beside it
    Without either it is an opinion, or too large for us.
    """

    key: str
    lesson: str
    systems: tuple[str, ...]
    claim: Text
    paper: Text
    why: Text
    source: Text = POPULAR
    as_told: str = ""
    quoted: tuple[str, Text] | None = None
    experiments: tuple[str, ...] = ()
    effects: Effects | None = None
    hypothesis: Hypothesis | None = None
    effect: Text = ("difference, points", "差（百分点）")
    scale: float = 100.0
    digits: int = 1
    names: Mapping[Place, Text] = field(default_factory=dict)
    shown: Callable[[Rows, Pick], Rows] | None = None
    facts: Callable[[Pick], Rows] | None = None

    def __post_init__(self):
        if self.as_told and self.as_told not in AS_TOLD:
            known = ", ".join(AS_TOLD)
            raise ValueError(f"{self.key}: as_told {self.as_told!r} is none of {known}")
        if not (self.as_told or self.experiments):
            raise ValueError(f"{self.key}: say whether it is right, or measure it")
        if len({bool(self.experiments), bool(self.effects), bool(self.hypothesis)}) > 1:
            raise ValueError(f"{self.key}: experiments need effects and a hypothesis")

    # -- what was measured -------------------------------------------------------------

    @cached_property
    def rows(self) -> Rows:
        """All stored rows of the card's experiments; none if one of them has none."""
        return self.stored(ledger.FOLDER, ledger.AGAIN)

    @cached_property
    def chinese(self) -> Rows:
        """What the card's experiments measured on Chinese text instead of English."""
        return self.stored(ledger.CHINESE)

    def stored(self, *folders: Path) -> Rows:
        """Return the rows of all the card's experiments; none if one has none.

        Of the first folder also what is stale, for the card says so; of others not.
        """
        rows = []
        for key in self.experiments:
            found = []
            for folder in folders:
                there = (folder / f"{key}.csv").exists()
                if there and (folder == ledger.FOLDER or not ledger.stale(key, folder)):
                    found += ledger.measured(key, folder)
            if not found:
                return []
            rows += found
        return rows

    @cached_property
    def stale(self) -> list[str]:
        """What has changed since the card's experiments were measured."""
        known = self.experiments if self.rows else ()
        return sorted({change for key in known for change in ledger.stale(key)})

    @cached_property
    def differences(self) -> Values:
        """The card's effects in its unit, seed by seed, as they are shown."""
        return self.by_seed(self.effects, self.rows) if self.rows else {}

    def by_seed(self, effects: Effects, rows: Rows) -> Values:
        """Return effects of some rows, one value for each place and seed."""
        of_seed, found = {}, {}
        for row in rows:
            of_seed.setdefault(row["seed"], []).append(row)
        for seed in sorted(of_seed):
            for place, effect in effects(of_seed[seed]).items():
                if math.isfinite(effect.estimate):
                    value = self.scale * effect.estimate
                    found.setdefault(place, {})[seed] = value
        return found

    @property
    def seeds(self) -> int:
        """The number of seeds of the place that has the fewest."""
        return min(map(len, self.differences.values()), default=0)

    # -- what follows from it ----------------------------------------------------------

    @cached_property
    def outcome(self) -> str:
        """What our runs say of the claim, all seeds pooled: one of OUTCOMES."""
        return self.outcome_of(self.counted)

    @property
    def ran(self) -> str:
        """The outcome, for who counts them; "" if the claim rests on facts alone."""
        return self.outcome if self.experiments or not self.facts else ""

    @cached_property
    def counted(self) -> Values:
        """The differences of places that count, above 0 where the claim is right."""
        return self.claimed(self.differences, self.rows) if self.rows else {}

    @cached_property
    def in_chinese(self) -> str:
        """What they say on Chinese text; "" if that is not measured."""
        if not self.chinese:
            return ""
        differences = self.by_seed(self.effects, self.chinese)
        return self.outcome_of(self.claimed(differences, self.chinese))

    def claimed(self, differences: Values, rows: Rows) -> Values:
        """Return differences that count, above 0 where the claim is right."""
        learned, found = self.learned(rows), {}
        for place, of in differences.items():
            sign = self.hypothesis.claimed(place)
            if sign and learned(place):
                found[place] = {seed: sign * x for seed, x in of.items()}
        return found

    def learned(self, rows: Rows) -> Callable[[Place], bool]:
        """Return whether something was learned in the task of a place.

        Something that was compared is significantly above the baseline, or there is
        none to be above.
        """
        asked, of_task = self.hypothesis.learned, {}
        for (task, model), values in self.by_seed(asked, rows).items() if asked else ():
            of_task.setdefault(task, {})[model] = list(values.values())
        some = {task for task, of in of_task.items() if directions(of)[0]}

        def learned(place: Place) -> bool:
            name = place if isinstance(place, str) else place[0]
            of = [
                task
                for task in of_task
                if name == task or name.startswith((f"{task}, ", f"{task}: "))
            ]
            return not of or of[0] in some

        return learned

    def outcome_of(self, counted: Values) -> str:
        """Apply the rule."""
        if not counted:
            return "not tried"
        if self.hypothesis.once:
            return "cannot tell"
        asked = self.hypothesis
        values = without_seeds(counted)
        return outcome(values, asked.of_interest, asked.alike, asked.every)

    @cached_property
    def flips(self) -> dict[int, str]:
        """The seeds without which the outcome would be another one, and which one."""
        found = {}
        for seed in sorted({seed for of in self.counted.values() for seed in of}):
            others = {
                place: {k: x for k, x in of.items() if k != seed}
                for place, of in self.counted.items()
            }
            if (other := self.outcome_of(others)) != self.outcome:
                found[seed] = other
        return found

    @cached_property
    def halves(self) -> dict[Place, tuple[int, int]]:
        """What the first five seeds found in each place, and what five others did.

        1 significantly as claimed, -1 the other way, 0 nothing that can be told. Only
        places where the seeds draw anything, and whose two halves are there.
        """
        halves = []
        for others in (False, True):
            half = {
                place: [x for k, x in of.items() if (k in ledger.OTHERS) == others]
                for place, of in self.counted.items()
                if max(of.values()) - min(of.values()) > 1e-9
            }
            half = {place: of for place, of in half.items() if len(of) >= 5}
            up, down = directions(half)
            halves.append({p: (p in up) - (p in down) for p in half})
        first, second = halves
        return {
            place: (first[place], second[place]) for place in first if place in second
        }

    @cached_property
    def detectable(self) -> dict[Place, float]:
        """The effect that these seeds would have found with a power of 80 %."""
        if self.hypothesis is None or self.hypothesis.once:
            return {}
        return {
            place: smallest_detectable(list(of.values()), len(self.counted))
            for place, of in self.counted.items()
        }

    @property
    def unstable(self) -> bool:
        """Whether a seed less, or Chinese, would change the outcome."""
        return bool(self.flips or {self.in_chinese} - {"", self.outcome})

    # -- how it is shown ---------------------------------------------------------------

    def show(self, t: Pick, here: Rows | None = None) -> None:
        """Display the card; here: rows that the notebook has just measured."""
        from IPython.display import HTML, display

        display(HTML(self.as_html(t, here)))

    def as_html(self, t: Pick, here: Rows | None = None) -> str:
        """Write the card; see `card_page`."""
        return as_html(self, t, here)
