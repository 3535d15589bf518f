"""The claim check asks for outcomes: those of the claim cards, by the same rule."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from course_claims import card
from course_claims.exhibits import evidence
from course_claims.outcome import outcome
from course_lib.grading import library

tasks_16 = library.own(library.file_of("checks", "16"))
MEASURED, PRINTED = list(tasks_16.CLAIMS), list(tasks_16.PRINTED)


@pytest.mark.parametrize("key", MEASURED)
def test_the_rule_of_the_assignment_gives_the_outcome_of_the_card(key):
    found = tasks_16.of_the_course(key)
    assert tasks_16.CLAIMS[key][0] in card(key).experiments
    assert tasks_16.WORDS[found] == card(key).outcome
    assert not card(key).flips


@given(
    st.lists(
        st.lists(st.floats(-3, 3), min_size=3, max_size=8), min_size=1, max_size=5
    ),
    st.floats(0.01, 2),
)
@settings(deadline=None)
def test_the_assignment_and_the_library_never_disagree(differences, of_interest):
    assume(all(np.std(row) > 1e-3 for row in differences))
    ours = outcome(dict(enumerate(differences)), of_interest)
    assert tasks_16.WORDS[tasks_16.ruled(differences, of_interest)] == ours


def test_the_kinds_of_differences_have_the_p_that_they_say():
    rng = np.random.default_rng(0)
    for kind, (p, sign, _) in tasks_16.KINDS.items():
        row = tasks_16.comparison(rng, kind, 0.5)
        found = stats.ttest_1samp(row, 0)
        assert found.pvalue == pytest.approx(p)
        assert np.sign(found.statistic) == sign


@pytest.mark.parametrize("key", PRINTED)
def test_the_papers_give_what_the_card_says_of_the_claim_as_told(key):
    code, _ = tasks_16.printed_verdict(key, evidence()[1])
    assert tasks_16.WORDS[int(code)] == card(key).as_told
    assert card(key).facts is not None


def test_all_claims_are_marked_and_not_all_have_one_outcome():
    marked = [tasks_16.of_the_course(key) for key in MEASURED]
    assert None not in marked
    assert {tasks_16.WORDS[code] for code in marked} == set(tasks_16.RAN)


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
