"""Known answers to assignment 16, written as students write them; see 06_elmo_bilm."""

from __future__ import annotations

import itertools
import statistics

import numpy as np
from scipy import stats

# 1. gap


def in_a_table(rows, new, old):
    # One line for each seed; nan where a side lacks it.
    seeds = np.unique([r["seed"] for r in rows])
    sides = [tuple(new)] + ([old] if isinstance(old, tuple) else [])
    table = np.full((len(sides), len(seeds)), np.nan)
    for r in rows:
        side = r["metric"], r["model"], r["condition"]
        if side in sides:
            table[sides.index(side), np.searchsorted(seeds, r["seed"])] = r["value"]
    d = table[0] - (table[1] if len(sides) == 2 else old)
    d = d[~np.isnan(d)]
    low, high = stats.t.interval(0.95, len(d) - 1, d.mean(), stats.sem(d))
    return d.mean(), low, high, len(d)


def with_loops(rows, new, old):
    d = []
    for row in rows:
        if (row["metric"], row["model"], row["condition"]) != new:
            continue
        if not isinstance(old, tuple):
            d.append(row["value"] - old)
            continue
        for other in rows:
            side = (other["metric"], other["model"], other["condition"])
            if side == old and other["seed"] == row["seed"]:
                d.append(row["value"] - other["value"])
    middle, n = statistics.fmean(d), len(d)
    half = stats.t(n - 1).ppf(0.975) * statistics.stdev(d) / n**0.5
    return [middle, middle - half, middle + half, n]


def with_a_test(rows, new, old):
    def side(of):
        return {
            r["seed"]: r["value"]
            for r in rows
            if [r["metric"], r["model"], r["condition"]] == list(of)
        }

    a = side(new)
    if not isinstance(old, tuple):
        result, seeds = stats.ttest_1samp(list(a.values()), old), a
        middle = np.mean(list(a.values())) - old
        low, high = (end - old for end in result.confidence_interval(0.95))
    else:
        b = side(old)
        seeds = a.keys() & b.keys()
        pairs = np.array([(a[s], b[s]) for s in seeds]).T
        low, high = stats.ttest_rel(*pairs).confidence_interval(0.95)
        middle = np.subtract(*pairs).mean()
    return np.array([middle, low, high, len(seeds)])


def _values(rows, side, keys=("metric", "model", "condition")):
    wanted = dict(zip(("metric", "model", "condition"), side, strict=True))
    return [
        (r["seed"], r["value"]) for r in rows if all(r[k] == wanted[k] for k in keys)
    ]


def no_seeds(rows, new, old):
    return with_loops(rows, new, old)[:3]


# 2. verdict


def in_arrays(gaps, enough):
    _, low, high, seeds = np.array(gaps, dtype=float).T
    if (seeds < enough).any() or ((low <= 0) & (high >= 0)).all():
        return "untested"
    if (low > 0).all():
        return "supported"
    return "overstated" if (low > 0).any() else "wrong"


def by_sorting(gaps, enough):
    kinds = {1 if low > 0 else -1 if high < 0 else 0 for _, low, high, _ in gaps}
    if min(gap[3] for gap in gaps) < enough or kinds == {0}:
        return "untested"
    return "supported" if kinds == {1} else "overstated" if 1 in kinds else "wrong"


def by_counting(gaps, enough):
    for *_, seeds in gaps:
        if seeds < enough:
            return "untested"
    above = sum(low > 0 for _, low, _, _ in gaps)
    below = sum(high < 0 for _, _, high, _ in gaps)
    if above == len(gaps):
        return "supported"
    if above:
        return "overstated"
    if below:
        return "wrong"
    return "untested"


def in_chinese(gaps, enough):
    words = {"supported": "站得住", "wrong": "错误", "untested": "未检验"}
    return words.get(by_counting(gaps, enough), "夸大")


# 3. flips


def in_a_loop(rows, rule):
    found = []
    for seed in sorted({r["seed"] for r in rows}):
        rest = [r for r in rows if r["seed"] != seed]
        if rule(rest) != rule(rows):
            found.append(seed)
    return found


def with_a_mask(rows, rule):
    of, rows, was = np.array([r["seed"] for r in rows]), np.array(rows), rule(rows)
    decisive = [s for s in np.unique(of) if rule(list(rows[of != s])) != was]
    return np.array(decisive, dtype=float)


def by_groups(rows, rule):
    ordered = sorted(rows, key=lambda r: r["seed"])
    groups = {s: list(g) for s, g in itertools.groupby(ordered, lambda r: r["seed"])}
    was = rule(rows)
    words = {
        seed: rule([r for s, g in groups.items() if s != seed for r in g])
        for seed in groups
    }
    return tuple(seed for seed, word in words.items() if word != was)


def _seeds(rows):
    return sorted({r["seed"] for r in rows})


def _others(rows, seed):
    return [r for r in rows if r["seed"] != seed]


def number(rows, rule):
    return len(in_a_loop(rows, rule))


def whether(rows, rule):
    return bool(in_a_loop(rows, rule))


def last_seed(rows, rule):
    seed = _seeds(rows)[-1]
    return [seed] if rule(_others(rows, seed)) != rule(rows) else []


# 4. ledger_check

SAME, WORDS = "same part of speech", ("grammar", "meaning", "common sense")
PAIRS = {
    "similar-words": (
        "cbow_or_skip_gram",
        *(
            (("SimLex-999", m, ""), old)
            for m in ("CBOW", "skip-gram")
            for old in (0, ("WordSim-353", m, ""))
        ),
    ),
    "sgns-language-model": (
        "glove_is_a_language_model",
        *(
            (("perplexity", "bigram", ""), ("perplexity", "skip-gram", how))
            for how in ("softmax", "softmax and noise")
        ),
    ),
    "pos-kept": (
        "pos_kept",
        *(
            ((SAME, "layer 2", t), (SAME, rival, t))
            for t in ("masc_tagged", "zh_gsdsimp")
            for rival in ("static", "averaged static context")
        ),
    ),
    "grammar-meaning-common-sense": (
        "minimal_pairs",
        *(
            (("right", f"awdlstm-{x}", what), 0.75)
            for x in ("en", "zh")
            for what in WORDS
        ),
    ),
    "masked-lm-is-cbow": ("xor_world", (("accuracy", "CBOW", "xor"), 0.9)),
    "causal-loses": (
        "cue_worlds",
        (
            ("accuracy", "masked LM", "cue right"),
            ("accuracy", "forward LM", "cue right"),
        ),
    ),
}


def _cited(claim, ledger):
    experiment, *pairs = PAIRS[claim]
    sides = {s for pair in pairs for s in pair if isinstance(s, tuple)}
    return [
        r
        for r in ledger[experiment]
        if (r["metric"], r["model"], r["condition"]) in sides
    ]


def _judged(claim, ledger, of=with_loops, rule=by_counting, pairs=None):
    experiment, *known = PAIRS[claim]
    found = [of(ledger[experiment], *pair) for pair in pairs or known]
    return rule(found, 5), _cited(claim, ledger)


def with_both_tools(claim, ledger):
    return _judged(claim, ledger)


def in_any_order(claim, ledger):
    experiment, *pairs = PAIRS[claim]
    rows = sorted(ledger[experiment], key=lambda r: r["value"])
    gaps = [in_a_table(rows, *pair) for pair in pairs]
    return [in_arrays(gaps, 5), _cited(claim, {experiment: rows})]


def only_common_seeds(claim, ledger):
    # Cites no row without a partner, and cites in the order of the pairs.
    experiment, *pairs = PAIRS[claim]
    rows, cited = ledger[experiment], []
    for pair in pairs:
        of = [s for s in pair if isinstance(s, tuple)]
        seeds = set.intersection(*({s for s, _ in _values(rows, side)} for side in of))
        cited += [
            r
            for r in rows
            if r["seed"] in seeds and (r["metric"], r["model"], r["condition"]) in of
        ]
    gaps = [with_a_test(rows, *pair).tolist() for pair in pairs]
    return by_sorting(gaps, 5), tuple(cited)


def guesses(claim, ledger):
    return "overstated", _cited(claim, ledger)


def only_new(claim, ledger):
    word, rows = with_both_tools(claim, ledger)
    new = {pair[0] for pair in PAIRS[claim][1:]}
    return word, [r for r in rows if (r["metric"], r["model"], r["condition"]) in new]


def first_seed_only(claim, ledger):
    word, rows = with_both_tools(claim, ledger)
    return word, [r for r in rows if r["seed"] == min(x["seed"] for x in rows)]


def whole_experiment(claim, ledger):
    return with_both_tools(claim, ledger)[0], ledger[PAIRS[claim][0]]


def name_of_it(claim, ledger):
    return with_both_tools(claim, ledger)[0], PAIRS[claim][0]


def word_alone(claim, ledger):
    return with_both_tools(claim, ledger)[0]


def numbers_alone(claim, ledger):
    word, rows = with_both_tools(claim, ledger)
    return word, [r["value"] for r in rows]


def true_or_false(claim, ledger):
    word, rows = with_both_tools(claim, ledger)
    return {"supported": "true", "wrong": "false"}.get(word, "imprecise"), rows


# 5. paper_check


def in_columns(claim, papers):
    def column(name):
        found = {p["row"]: p["value"] for p in papers if p["column"] == name}
        return np.array([found[task] for task in sorted(found)])

    def months(of):
        return {p["row"]: p["value"] for p in papers if p["paper"] == f"dates, {of}"}

    best, own, new = map(column, ("best before", "baseline", "with ELMo"))
    snli, points = 2, new - own  # Coref, NER, SNLI, …
    gone = points / (100 - own)
    if claim == "snli-most-impressive":
        larger = (gone > gone[snli]).sum()
        losses = int(larger > 0) + int(points.argmax() != snli)
        return ("supported", "overstated", "wrong")[losses], larger
    if claim == "up-to-25-percent":
        if (new / own - 1).max() > 0.245:
            return "supported", gone.max()
        return ("overstated" if gone.max() > 0.245 else "wrong"), gone.max()
    if claim == "over-the-best":
        if (own >= best).all():
            return "supported", 0
        return ("overstated" if (new > best).all() else "wrong"), (own < best).sum()
    if claim == "naacl-march":
        month = months("ELMo")["NAACL"]
        return ("supported" if month == 201803 else "wrong"), float(month)
    tuned = months("fine-tuned language models")
    return ("supported" if min(tuned, key=tuned.get) == "GPT" else "wrong"), min(
        tuned.values()
    )


def _look_up(papers):
    table, dates = {}, {}
    for p in papers:
        if p["column"] == "month":
            dates[p["paper"].split(", ")[1], p["row"]] = p["value"]
        else:
            table.setdefault(p["row"], {})[p["column"]] = p["value"]
    return table, dates


def _printed(
    claim,
    papers,
    old="baseline",
    score=False,
    of_new=False,
    percent=False,
    version="NAACL",
    points=False,
    gpt=True,
    equal=False,
    mean=False,
):
    table, dates = _look_up(papers)
    gain = {t: r["with ELMo"] - r[old] for t, r in table.items()}
    left = {t: 100 - r["with ELMo" if of_new else old] for t, r in table.items()}
    share = {t: gain[t] / (table[t][old] if score else left[t]) for t in table}
    share = {t: 100 * x if percent else x for t, x in share.items()}
    if claim == "snli-most-impressive":
        more = sum(gain[t] > gain["SNLI"] for t in gain)
        larger = sum(share[t] > share["SNLI"] for t in share)
        word = ["supported", "overstated", "wrong"][bool(more) + bool(larger)]
        return word, more if points else larger
    if claim == "up-to-25-percent":
        most = statistics.fmean if mean else max
        top = most(list(share.values()))
        rise = most([gain[t] / table[t][old] for t in table]) * (100 if percent else 1)
        word = "overstated" if top > 0.245 else "wrong"
        return ("supported" if rise > 0.245 else word), top
    if claim == "over-the-best":
        n = sum(
            r["baseline"] <= r["best before"]
            if equal
            else r["baseline"] < r["best before"]
            for r in table.values()
        )
        above = all(r["with ELMo"] > r["best before"] for r in table.values())
        word = "overstated" if above else "wrong"
        return ("supported" if n == 0 else word), n
    if claim == "naacl-march":
        month = dates["ELMo", version]
        return ("supported" if month == 201803 else "wrong"), month
    tuned = {
        what: m
        for (paper, what), m in dates.items()
        if paper != "ELMo" and (gpt or what != "GPT")
    }
    word = "supported" if tuned.get("GPT") == min(tuned.values()) else "wrong"
    return word, min(tuned.values())


def with_dictionaries(claim, papers):
    return _printed(claim, papers)


def in_numpy(claim, papers):
    word, x = _printed(claim, sorted(papers, key=str))
    return [str(word), np.float64(x)]


def always_wrong(claim, papers):
    return "wrong", _printed(claim, papers)[1]


def zero_for_all(claim, papers):
    return _printed(claim, papers)[0], 0


def only_a_word(claim, papers):
    return _printed(claim, papers)[0]


def says_imprecise(claim, papers):
    word, x = _printed(claim, papers)
    return {"overstated": "imprecise"}.get(word, word), x


RIGHT = {
    "16.gap": [in_a_table, with_loops, with_a_test],
    "16.verdict": [in_arrays, by_sorting, by_counting],
    "16.flips": [in_a_loop, with_a_mask, by_groups],
    "16.ledger_check": [with_both_tools, in_any_order, only_common_seeds],
    "16.paper_check": [in_columns, with_dictionaries, in_numpy],
}

WRONG = {
    "16.gap": {
        "": [no_seeds],
    },
    "16.verdict": {
        "": [in_chinese],
    },
    "16.flips": {
        "how_many": [number],
        "yes_or_no": [whether],
        "": [last_seed],
    },
    "16.ledger_check": {
        "verdict": [guesses],
        "rows_missing": [only_new, first_seed_only],
        "rows_too_many": [whole_experiment],
        "not_a_pair": [name_of_it, word_alone],
        "no_rows": [numbers_alone],
        "": [true_or_false],
    },
    "16.paper_check": {
        "verdict": [always_wrong],
        "number": [zero_for_all],
        "not_a_pair": [only_a_word],
        "": [says_imprecise],
    },
}
