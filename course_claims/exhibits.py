"""The evidence of assignment 16: rows of the ledger, and what papers printed.

evidence()    ({experiment: rows}, numbers and dates of papers), for a notebook
"""

from __future__ import annotations

import copy
import functools

from . import ledger
from .cards.start_here import TABLE_1

EXPERIMENTS = (
    "cbow_or_skip_gram",
    "pos_kept",
    "vision_layers",
    "ulmfit_schedules",
    "xor_world",
    "cue_worlds",
)
COLUMNS = ("best before", "baseline", "with ELMo")
DATES = {  # year and month in which something became public
    "ELMo": {"arXiv": 201802, "arXiv, version 2": 201803, "NAACL": 201806},
    "fine-tuned language models": {
        "Dai & Le": 201511,
        "Ramachandran et al.": 201611,
        "ULMFiT": 201801,
        "GPT": 201806,
    },
}


@functools.cache
def measured(key: str) -> list[dict]:
    """Read all seeds of an experiment, the five and the five others."""
    return ledger.measured(key) + ledger.measured(key, ledger.AGAIN)


def evidence() -> tuple[dict[str, list[dict]], list[dict]]:
    """Return the ledger's rows by experiment, and the rows of the papers."""
    return copy.deepcopy({key: measured(key) for key in EXPERIMENTS}), papers()


def papers(table: dict = TABLE_1, dates: dict = DATES) -> list[dict]:
    """Return a table and dates as rows of (paper, row, column, value)."""
    cells = [
        ("ELMo, table 1", task, column, value)
        for task, values in table.items()
        for column, value in zip(COLUMNS, values, strict=True)
    ]
    for paper, known in dates.items():
        cells += [(f"dates, {paper}", what, "month", known[what]) for what in known]
    heads = ("paper", "row", "column", "value")
    return [dict(zip(heads, cell, strict=True)) for cell in cells]
