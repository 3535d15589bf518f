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


# 2. outcome


def in_arrays(differences, of_interest):
    def holm(p):
        order = np.argsort(p)
        steps = np.maximum.accumulate(np.sort(p) * np.arange(len(p), 0, -1))
        corrected = np.empty(len(p))
        corrected[order] = steps
        return corrected

    means = np.array([np.mean(d) for d in differences])
    p = holm([stats.ttest_1samp(d, 0).pvalue for d in differences])
    small = holm(
        [
            max(
                stats.ttest_1samp(d, -of_interest, alternative="greater").pvalue,
                stats.ttest_1samp(d, of_interest, alternative="less").pvalue,
            )
            for d in differences
        ]
    )
    up, down = ((p < 0.05) & (s * means > 0) for s in (1, -1))
    if up.any():
        return "reproduced" if up.mean() > 0.5 and not down.any() else "mixed"
    if down.any():
        return "contradicted" if down.mean() > 0.5 else "mixed"
    return "contradicted" if (small < 0.05).mean() > 0.5 else "cannot tell"


def _tail(values, border=0.0):
    error = statistics.stdev(values) / len(values) ** 0.5
    t = (statistics.fmean(values) - border) / error
    return stats.t(len(values) - 1).sf(t)


def _significant(p):
    # Holm, step down: stop at the first that is too large.
    found = set()
    for rank, k in enumerate(sorted(range(len(p)), key=lambda k: p[k])):
        if p[k] * (len(p) - rank) >= 0.05:
            break
        found.add(k)
    return found


def step_down(differences, of_interest):
    lists = [list(map(float, d)) for d in differences]
    other = [[-x for x in d] for d in lists]
    both = list(zip(lists, other, strict=True))
    pairs = [(_tail(d), _tail(o)) for d, o in both]
    sure = _significant([2 * min(pair) for pair in pairs])
    up = {k for k in sure if pairs[k][0] < pairs[k][1]}
    least = -of_interest
    tiny = _significant([max(_tail(d, least), _tail(o, least)) for d, o in both])
    n, down = len(lists), sure - up
    if sure:
        if up and down:
            return "mixed"
        word = "reproduced" if up else "contradicted"
        return word if len(sure) > n / 2 else "mixed"
    return "contradicted" if len(tiny) > n / 2 else "cannot tell"


def with_intervals(differences, of_interest):
    # An interval at the level that Holm asks for; the k-th smallest p has m - k + 1.
    rows = [np.asarray(d, dtype=float) for d in differences]
    m = len(rows)

    def ends(d, level):
        half = stats.t.ppf(1 - level / 2, len(d) - 1) * d.std(ddof=1) / np.sqrt(len(d))
        return d.mean() - half, d.mean() + half

    def steps(p, decide):
        found = []
        for k, i in enumerate(np.argsort(p)):
            if not decide(rows[i], m - k):
                break
            found.append(i)
        return found

    p = [stats.ttest_1samp(d, 0).pvalue for d in rows]
    sure = steps(p, lambda d, left: np.prod(ends(d, 0.05 / left)) > 0)
    signs = {int(np.sign(rows[i].mean())) for i in sure}
    if signs:
        if len(signs) == 2 or 2 * len(sure) <= m:
            return "mixed"
        return "reproduced" if 1 in signs else "contradicted"
    q = [
        max(
            stats.ttest_1samp(d, -of_interest, alternative="greater").pvalue,
            stats.ttest_1samp(d, of_interest, alternative="less").pvalue,
        )
        for d in rows
    ]
    inside = steps(q, lambda d, left: max(map(abs, ends(d, 0.1 / left))) < of_interest)
    return "contradicted" if 2 * len(inside) > m else "cannot tell"


def in_chinese(differences, of_interest):
    words = {"reproduced": "重现了", "contradicted": "相反", "mixed": "不一致"}
    return words.get(in_arrays(differences, of_interest), "看不出")


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

SAME = "same part of speech"
ONE, FOUR = "1 layers, 90 labels", "4 layers, 90 labels"
PAIRS = {
    "similar-words": (
        "cbow_or_skip_gram",
        0.05,
        *(
            (("SimLex-999", model, ""), ("WordSim-353", model, ""))
            for model in ("CBOW", "skip-gram")
        ),
    ),
    "vision-layers": (
        "vision_layers",
        0.01,
        *(
            (("accuracy", "frozen", ONE), ("accuracy", *other))
            for other in (("frozen", FOUR), ("untrained", ONE))
        ),
    ),
    "pos-kept": (
        "pos_kept",
        0.01,
        *(
            ((SAME, "layer 2", t), (SAME, rival, t))
            for t in ("masc_tagged", "zh_gsdsimp")
            for rival in ("static", "averaged static context")
        ),
    ),
    "stlr": (
        "ulmfit_schedules",
        0.002,
        *(
            (("accuracy", "ULMFiT", "qc: stlr"), ("accuracy", "ULMFiT", f"qc: {way}"))
            for way in ("constant", "linear", "cosine")
        ),
    ),
    "masked-lm-is-cbow": (
        "xor_world",
        0.05,
        (("accuracy", "CBOW", "xor"), ("accuracy", "masked LM", "xor")),
    ),
    "causal-loses": (
        "cue_worlds",
        0.05,
        *(
            (
                ("accuracy", "masked LM", f"cue {side}"),
                ("accuracy", f"{blind} LM", f"cue {side}"),
            )
            for side, blind in (("right", "forward"), ("left", "backward"))
        ),
    ),
}


def _cited(claim, ledger):
    experiment, _, *pairs = PAIRS[claim]
    sides = {s for pair in pairs for s in pair}
    return [
        r
        for r in ledger[experiment]
        if (r["metric"], r["model"], r["condition"]) in sides
    ]


def _minus(rows, new, old):
    a, b = (dict(_values(rows, side)) for side in (new, old))
    return [a[s] - b[s] for s in sorted(a.keys() & b.keys())]


def _judged(claim, ledger, rule):
    experiment, least, *pairs = PAIRS[claim]
    found = [_minus(ledger[experiment], *pair) for pair in pairs]
    return rule(found, least), _cited(claim, ledger)


def with_both_tools(claim, ledger):
    return _judged(claim, ledger, step_down)


def in_any_order(claim, ledger):
    experiment, least, *pairs = PAIRS[claim]
    rows = sorted(ledger[experiment], key=lambda r: r["value"])
    found = [np.array(_minus(rows, *pair))[::-1] for pair in pairs]
    return [in_arrays(found, least), _cited(claim, {experiment: rows})]


def only_common_seeds(claim, ledger):
    # Cites no row without a partner, and cites in the order of the pairs.
    experiment, least, *pairs = PAIRS[claim]
    rows, cited = ledger[experiment], []
    for pair in pairs:
        seeds = set.intersection(
            *({s for s, _ in _values(rows, side)} for side in pair)
        )
        cited += [
            r
            for r in rows
            if r["seed"] in seeds and (r["metric"], r["model"], r["condition"]) in pair
        ]
    found = [_minus(rows, *pair) for pair in pairs]
    return with_intervals(found, least), tuple(cited)


def guesses(claim, ledger):
    return "mixed", _cited(claim, ledger)


def only_new(claim, ledger):
    word, rows = with_both_tools(claim, ledger)
    new = {pair[0] for pair in PAIRS[claim][2:]}
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
    return {"reproduced": "true", "contradicted": "false"}.get(word, "open"), rows


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
        return ("right", "imprecise", "false")[losses], larger
    if claim == "up-to-25-percent":
        if (new / own - 1).max() > 0.245:
            return "right", gone.max()
        return ("imprecise" if gone.max() > 0.245 else "false"), gone.max()
    if claim == "over-the-best":
        if (own >= best).all():
            return "right", 0
        return ("imprecise" if (new > best).all() else "false"), (own < best).sum()
    if claim == "naacl-march":
        month = months("ELMo")["NAACL"]
        return ("right" if month == 201803 else "false"), float(month)
    tuned = months("fine-tuned language models")
    return ("right" if min(tuned, key=tuned.get) == "GPT" else "false"), min(
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
        word = ["right", "imprecise", "false"][bool(more) + bool(larger)]
        return word, more if points else larger
    if claim == "up-to-25-percent":
        most = statistics.fmean if mean else max
        top = most(list(share.values()))
        rise = most([gain[t] / table[t][old] for t in table]) * (100 if percent else 1)
        word = "imprecise" if top > 0.245 else "false"
        return ("right" if rise > 0.245 else word), top
    if claim == "over-the-best":
        n = sum(
            r["baseline"] <= r["best before"]
            if equal
            else r["baseline"] < r["best before"]
            for r in table.values()
        )
        above = all(r["with ELMo"] > r["best before"] for r in table.values())
        word = "imprecise" if above else "false"
        return ("right" if n == 0 else word), n
    if claim == "naacl-march":
        month = dates["ELMo", version]
        return ("right" if month == 201803 else "false"), month
    tuned = {
        what: m
        for (paper, what), m in dates.items()
        if paper != "ELMo" and (gpt or what != "GPT")
    }
    word = "right" if tuned.get("GPT") == min(tuned.values()) else "false"
    return word, min(tuned.values())


def with_dictionaries(claim, papers):
    return _printed(claim, papers)


def in_numpy(claim, papers):
    word, x = _printed(claim, sorted(papers, key=str))
    return [str(word), np.float64(x)]


def always_false(claim, papers):
    return "false", _printed(claim, papers)[1]


def zero_for_all(claim, papers):
    return _printed(claim, papers)[0], 0


def only_a_word(claim, papers):
    return _printed(claim, papers)[0]


def says_overstated(claim, papers):
    word, x = _printed(claim, papers)
    return {"imprecise": "overstated"}.get(word, word), x


RIGHT = {
    "16.gap": [in_a_table, with_loops, with_a_test],
    "16.outcome": [in_arrays, step_down, with_intervals],
    "16.flips": [in_a_loop, with_a_mask, by_groups],
    "16.ledger_check": [with_both_tools, in_any_order, only_common_seeds],
    "16.paper_check": [in_columns, with_dictionaries, in_numpy],
}

WRONG = {
    "16.gap": {
        "": [no_seeds],
    },
    "16.outcome": {
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
        "verdict": [always_false],
        "number": [zero_for_all],
        "not_a_pair": [only_a_word],
        "": [says_overstated],
    },
}
