"""The claim check asks for verdicts: those of the claim cards, and no others."""

from __future__ import annotations

import pytest

from course_claims import card
from course_claims.exhibits import evidence
from course_lib.grading import library

tasks_16 = library.own(library.file_of("checks", "16"))
MEASURED, PRINTED = list(tasks_16.CLAIMS), list(tasks_16.PRINTED)


@pytest.mark.parametrize("key", MEASURED)
def test_the_rule_of_the_assignment_gives_the_verdict_of_the_card(key):
    found = tasks_16.of_the_course(key)
    if found is None:
        pytest.skip("not marked: untested, or decided by one seed")
    assert tasks_16.CLAIMS[key][0] in card(key).experiments
    assert tasks_16.WORDS[found] == card(key).decided()
    assert not card(key).flips


@pytest.mark.parametrize("key", PRINTED)
def test_the_papers_give_the_verdict_of_the_card(key):
    code, _ = tasks_16.printed_verdict(key, evidence()[1])
    assert tasks_16.WORDS[int(code)] == card(key).decided()
    assert card(key).facts is not None


def test_most_claims_are_marked_and_not_all_have_one_verdict():
    marked = [tasks_16.of_the_course(key) for key in MEASURED]
    assert sum(code is not None for code in marked) >= 5
    assert len(set(marked) - {None}) == 3


def test_every_claim_is_one_that_a_popular_article_tells():
    assert all(card(key).quoted for key in [*MEASURED, *PRINTED])


def test_what_somebody_does_to_the_evidence_does_not_reach_the_checks():
    ledger, papers = evidence()
    for rows in (*ledger.values(), papers):
        rows[0]["value"] = 17.0
        rows.clear()
    again, others = evidence()
    assert all(again.values()) and others
    assert all(rows[0]["value"] != 17.0 for rows in again.values())
