"""FineTuning alone in a browser: its rates against the library's, its runs as saved."""

from __future__ import annotations

import functools
import itertools
import re

import numpy as np
import pytest

pytest.importorskip("playwright.sync_api")
from every_widget import *  # noqa: F403 (its tests, to be run here too)
from every_widget import SLIDE, expect, tab

from course_lib.training import schedules
from course_lib.training.fine_tune import POLICIES, discriminative

READY = ".fine-tuning .plan"
PICTURE = ["Learning rates|学习率", "2.6", r"\d+\.\d%.*\d+\.\d%"]
CLICKS = [
    ".tours button >> nth=2",
    ".run >> nth=1",
    ".tabs button >> nth=2",
]
SLIDERS = {
    "cut_frac": "cut_frac",
    "ratio": "ratio",
    "factor": "factor between",
    "epochs": "epochs",
    "step": "step",
}
USUAL = {"schedule": "STLR", "cut_frac": 0.1, "ratio": 32}
USUAL |= {"factor": 2.6, "policy": "gradual", "epochs": 8}
EXPERIMENTS = {
    "ulmfit_policies": ["full", "last", "gradual", "chain-thaw"],
    "ulmfit_factor": ["1", "1.5", "2.6", "5"],
    "ulmfit_factorial": ["none", "discr", "discr+stlr+freez"],
}


def made_up(key: str) -> list[dict]:
    """Return what an experiment might have measured; the factor's had one seed only."""
    rng, rows = np.random.default_rng(len(key)), []

    def row(seed, condition, metric, value):
        about = {"model": "ULMFiT", "condition": condition, "metric": metric}
        rows.append({"seed": seed, **about, "value": value})

    for seed in [2] if key == "ulmfit_factor" else range(1, 6):
        for task in ("qc", "chnsenticorp")[: 1 if key == "ulmfit_factor" else 2]:
            row(seed, f"{task}: before", "perplexity", 80)
            for place, title in enumerate(EXPERIMENTS[key]):
                value = 0.8 - 0.05 * place + 0.01 * rng.normal()
                row(seed, f"{task}: {title}", "accuracy", value)
                value = 120 * 2**place + rng.normal()
                row(seed, f"{task}: {title}", "perplexity", value)
    return rows


@pytest.fixture(scope="module")
def widget():
    """Return a function that makes the widget in a language.

    It has three of the four experiments, one of them with a single seed.
    """
    from course_lib.widgets.fine_tuning import fine_tuning

    rows = {key: made_up(key) for key in EXPERIMENTS}
    return functools.cache(lambda language: fine_tuning(rows, language))


def press(page, name: str):
    page.get_by_role("button", name=name, exact=True).click()


def compose(page, **setting) -> None:
    """Set the controls as a reader does; what is not named is left."""
    for name in {"schedule", "policy"} & setting.keys():
        press(page, setting.pop(name))
    for name, value in setting.items():
        slider = page.get_by_role("slider", name=SLIDERS[name])
        slider.evaluate(SLIDE, value)


def expected(schedule, cut_frac, ratio, factor, policy, epochs) -> np.ndarray:
    """Return the library's rates, 10 steps an epoch. Shape: (5, steps)."""
    steps = 10 * epochs
    groups = discriminative([[] for _ in range(5)], 0.01, factor)
    rates = np.zeros((5, steps))
    for step in range(steps):
        progress = (step + 1) / (steps + 1)
        if schedule == "STLR":
            share = schedules.stlr(1000 * progress, 1000, cut_frac, ratio, 1.0)
        else:
            share = getattr(schedules, schedule)(progress)
        for depth in POLICIES[policy](step // 10, 5):
            rates[depth, step] = share * groups[depth]["lr"]
    return rates


def drawn(page) -> np.ndarray:
    """Return how dark each cell of the picture is. Shape: (5, steps)."""
    read = "all => all.map(e => +e.getAttribute('fill-opacity'))"
    return np.array(page.locator(".plan .cells rect").evaluate_all(read)).reshape(5, -1)


def dark(rates: np.ndarray) -> np.ndarray:
    """Say how dark rates are: by their logarithm; a frozen layer is not drawn."""
    with np.errstate(divide="ignore"):
        shown = 1 + 0.95 * np.log10(rates / 0.01) / 4
    return np.where(rates == 0, 0, np.maximum(0.05, shown))


def tabled(page) -> list[float]:
    """Return the table's rates at the chosen step, the lowest layer first."""
    cells = page.locator(".fine-tuning tbody td:nth-child(2)").all_inner_texts()
    return [0 if text == "frozen" else float(text) for text in reversed(cells)]


# -- rates -----------------------------------------------------------------------------

SETTINGS = [
    {**USUAL, "schedule": schedule, "policy": policy, "epochs": epochs}
    for (schedule, policy), epochs in zip(
        itertools.product(["STLR", "constant", "linear", "cosine"], POLICIES),
        itertools.cycle([3, 6, 10, 5]),
        strict=False,
    )
]
SETTINGS += [
    USUAL | {"cut_frac": cut_frac, "ratio": ratio, "factor": factor}
    for cut_frac, ratio, factor in [
        (0.05, 2, 1),
        (0.9, 64, 5),
        (0.35, 17, 1.5),
        (0.55, 32, 3.3),
        (0.15, 8, 4.9),
    ]
]


def test_every_rate_of_every_setting_is_the_librarys(page_of):
    page = page_of()
    for setting in SETTINGS:
        shown = {k: v for k, v in setting.items() if k not in ("cut_frac", "ratio")}
        compose(page, **(setting if setting["schedule"] == "STLR" else shown))
        rates = expected(**setting)
        np.testing.assert_allclose(drawn(page), dark(rates), atol=0.002)
        for step in (0, 7, rates.shape[1] // 2, rates.shape[1] - 1):
            compose(page, step=step)
            assert tabled(page) == pytest.approx(rates[:, step], rel=0.006)


def test_the_curve_is_the_schedule(page_of):
    page = page_of()
    for name in ("STLR", "constant", "linear", "cosine"):
        compose(page, schedule=name)
        rates = expected(**USUAL | {"schedule": name, "policy": "full"})
        path = page.locator(".plan .curve").get_attribute("d")
        y = np.array(re.findall(r",([\d.]+)", path), dtype=float)
        assert y == pytest.approx(106 - 80 * rates[-1] / 0.01, abs=0.06)


def test_all_steps_together_are_the_sums_of_the_rates(page_of):
    page = page_of()
    read = ".fine-tuning tbody td:nth-child(3)"
    for policy in ("gradual", "chain-thaw", "full"):
        compose(page, policy=policy)
        whole = expected(**USUAL | {"policy": policy}).sum(axis=1)
        said = [float(t.rstrip("%")) for t in page.locator(read).all_inner_texts()]
        assert said[::-1] == pytest.approx(100 * whole / whole[-1], rel=0.051)


def test_the_formula_has_the_numbers_of_the_step(page_of):
    page, formula = page_of(), page_of().locator(".formula")
    compose(page, step=5)
    share = schedules.stlr(1000 * 6 / 81, 1000, eta_max=1.0)
    expect(formula).to_contain_text(f"(32 − 1)) / 32 = {share:.3f}")
    compose(page, schedule="cosine")
    expect(formula).to_contain_text(f"= {schedules.cosine(6 / 81):.3f}")
    compose(page, schedule="linear", factor=1.7)
    expect(formula).to_contain_text(f"0.01 · {1 - 6 / 81:.3f} / 1.7ᵏ")


def test_a_press_in_the_picture_chooses_the_step(page_of):
    page = page_of()
    picture = page.locator(".plan")
    box = picture.bounding_box()
    for share in (0.3, 0.8):
        x = (84 + share * (512 - 84)) / 520 * box["width"]
        picture.click(position={"x": x, "y": box["height"] / 2})
        slider = page.get_by_role("slider", name="step")
        assert abs(int(slider.input_value()) - 80 * share) <= 1
        assert tabled(page) == pytest.approx(
            expected(**USUAL)[:, int(slider.input_value())], rel=0.006
        )


def test_fewer_epochs_keep_the_step_within_them(page_of):
    page = page_of()
    compose(page, step=79, epochs=3)
    slider = page.get_by_role("slider", name="step")
    expect(slider).to_have_value("29")
    expect(slider).to_have_attribute("aria-valuetext", "30 of 30, epoch 3")
    assert drawn(page).shape == (5, 30)


# -- runs ------------------------------------------------------------------------------


def written(run: dict) -> str:
    mean, low, high, n = run["accuracy"]
    ends = f" [{100 * low:.1f}%, {100 * high:.1f}%]" if n > 1 else ""
    return f"{100 * mean:.1f}%{ends}"


def test_each_row_is_a_saved_run_with_its_interval_and_seeds(page_of, widget):
    page = page_of()
    runs = [r for r in widget("en").data["runs"] if r["task"] == "qc"]
    rows = page.locator(".run")
    expect(rows).to_have_count(len(runs))
    for row, run in zip(rows.all(), runs, strict=True):
        values = row.locator(".value").all_inner_texts()
        assert values[0] == f"{written(run)} n={run['accuracy'][3]}"
        assert values[1].startswith(f"80.0 → {run['perplexity'][0]:.0f}")


def test_a_measured_setting_is_told_with_its_numbers(page_of, widget):
    page, told = page_of(), page_of().locator(".told")
    runs = [r for r in widget("en").data["runs"] if r["task"] == "qc"]
    for row, run in zip(page.locator(".run").all(), runs, strict=True):
        row.click()
        expect(row).to_have_attribute("aria-pressed", "true")
        expect(told).to_contain_text("This setting was measured: ")
        expect(told).to_contain_text(f"accuracy {written(run)}")
        seeds = "5 seeds" if run["accuracy"][3] == 5 else "1 seed, no interval"
        expect(told).to_contain_text(seeds)
        step = int(page.get_by_role("slider", name="step").input_value())
        now = {k: run[k] for k in ("schedule", "policy", "factor")}
        now["schedule"] = {"stlr": "STLR"}.get(now["schedule"], now["schedule"])
        rates = expected(**USUAL | now)
        assert tabled(page) == pytest.approx(rates[:, step], rel=0.006)


@pytest.mark.parametrize(
    "setting, near, what",
    [
        ({"schedule": "linear"}, "gradual, STLR, factor 2.6", "Schedule"),
        ({"factor": 3}, "gradual, STLR, factor 2.6", "factor"),
        ({"factor": 4.5}, "gradual, STLR, factor 5", "factor"),
        ({"factor": 1.2}, "gradual, STLR, factor 1", "factor"),
        ({"cut_frac": 0.3}, "gradual, STLR, factor 2.6", "cut_frac"),
        ({"ratio": 31}, "gradual, STLR, factor 2.6", "ratio"),
        (
            {"policy": "last", "schedule": "cosine"},
            "last, STLR, factor 2.6",
            "Schedule",
        ),
        (
            {"policy": "full", "schedule": "constant", "factor": 1.1},
            "full, constant, factor 1",
            "factor",
        ),
    ],
)
def test_what_was_not_measured_has_no_number_of_its_own(
    page_of, widget, setting, near, what
):
    page = page_of()
    compose(page, **setting)
    told = page.locator(".told").inner_text()
    assert told.startswith("This setting was not measured")
    assert f"Nearest measured setting: {near} (differs in {what}): " in told
    expect(page.locator(".run[aria-pressed=true]")).to_have_count(0)
    known = [written(run) for run in widget("en").data["runs"]]
    assert set(re.findall(r"accuracy ([^,]+(?:, [\d.]+%\])?)", told)) <= set(known)


def test_without_stlr_its_shape_does_not_count(page_of):
    page = page_of()
    compose(page, cut_frac=0.4, schedule="constant", policy="full", factor=1)
    expect(page.locator(".told")).to_contain_text("This setting was measured")
    for name in ("cut_frac", "ratio"):
        expect(page.get_by_role("slider", name=name)).to_be_disabled()


def test_the_meter_is_logarithmic_and_starts_from_before(page_of):
    """The made-up perplexities double from row to row, and begin at 80."""
    page = page_of()
    left = "all => all.map(e => parseFloat(e.style.left))"
    dots = page.locator(".mean.perplexity").evaluate_all(left)[:4]
    tracks = page.locator(".run .track")
    widths = tracks.evaluate_all("all => all.map(e => e.clientWidth)")
    assert len(set(widths)) == 1  # so that places can be compared from row to row
    assert np.diff(dots) == pytest.approx(3 * [dots[1] - dots[0]], abs=0.5)
    before = page.locator(".before").evaluate_all(left)[:4]
    assert len(set(before)) == 1 and before[0] < dots[0]
    assert dots[0] - before[0] == pytest.approx(
        np.log2(120 / 80) * (dots[1] - dots[0]), abs=0.5
    )


def test_each_task_has_its_own_runs_and_what_is_missing_is_named(page_of, widget):
    page = page_of()
    missing = page.locator(".results .name", has_text="not measured yet")
    expect(missing).to_have_text("Schedule (gradual, factor 2.6): not measured yet.")
    press(page, "ChnSentiCorp")
    runs = [r for r in widget("en").data["runs"] if r["task"] == "chnsenticorp"]
    expect(page.locator(".run")).to_have_count(len(runs))
    for row, run in zip(page.locator(".run").all(), runs, strict=True):
        expect(row.locator(".value").first).to_contain_text(written(run))
    expect(page.get_by_text("not measured with this task")).to_have_count(1)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_with_no_runs_at_all_the_rates_still_work(open_page, tmp_path, language):
    from course_lib.widgets.fine_tuning import fine_tuning

    shown = fine_tuning({}, language)
    file = tmp_path / "page.html"
    twin = shown._repr_mimebundle_()[0]["text/html"]
    file.write_text(f"<!doctype html><meta charset=utf-8>{twin}", "utf-8")
    page = open_page(file.as_uri())
    expect(page.locator(".told")).to_have_text(shown.data["text"]["nothing"])
    expect(page.locator(".run")).to_have_count(0)
    np.testing.assert_allclose(drawn(page), dark(expected(**USUAL)), atol=0.002)


# -- for everyone ----------------------------------------------------------------------


def test_the_keyboard_reaches_every_control(page_of):
    page = page_of()
    names = tab(page, 16)
    assert [text[:1] for text in names[:3]] == ["1", "2", "3"] and names[3] == "Reset"
    assert names[4:8] == ["constant", "linear", "cosine", "STLR"]
    assert [name[:6] for name in names[8:10]] == ["cut_fr", "ratio"]
    assert names[10:14] == ["full", "last", "gradual", "chain-thaw"]
    assert names[14].startswith("factor between") and names[15].startswith("epochs")
    slider = page.get_by_role("slider", name="step")
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuetext", "37 of 80, epoch 4")
    page.keyboard.press("End")
    assert tabled(page) == pytest.approx(expected(**USUAL)[:, 79], rel=0.006)


def test_a_slider_is_heard_when_it_is_let_go_and_not_on_its_way(page_of):
    page = page_of()
    heard, told = page.locator(".unseen[role=status]"), page.locator(".told")
    press(page, "constant")
    expect(heard).to_have_text(told.inner_text())
    before = heard.inner_text()
    slider = page.get_by_role("slider", name="factor between")
    slider.evaluate(SLIDE, 3.7)  # a drag, still held
    expect(told).not_to_have_text(before)
    expect(heard).to_have_text(before)
    live = "output, [role=status]:not(.unseen, .advice), [aria-live]"
    expect(page.locator(f".fine-tuning :is({live})")).to_have_count(0)
    slider.dispatch_event("change")
    expect(heard).to_have_text(told.inner_text())


def test_each_thing_to_try_goes_somewhere_and_reset_comes_back(page_of, widget):
    page, data = page_of(), widget("en").data

    def shown():
        read = "all => all.map(e => [e.innerText, e.ariaPressed, e.value])"
        parts = page.locator(".columns, .results, .fine-tuning :is(button, input)")
        return parts.evaluate_all(read), drawn(page).tolist()

    start = shown()
    settings = (
        {"schedule": "constant", "policy": "full", "factor": 1},
        {},
        {"schedule": "cosine", "policy": "chain-thaw", "factor": 4},
    )
    for number, button in enumerate(page.locator(".tours button").all()[:3]):
        button.click()
        expect(page.locator(".advice")).to_have_text(data["tours"][number]["say"])
        rates = expected(**USUAL | settings[number])
        np.testing.assert_allclose(drawn(page), dark(rates), atol=0.002)
    expect(page.locator(".told")).to_contain_text("not measured")
    compose(page, step=30, epochs=4)
    press(page, "ChnSentiCorp")
    press(page, "Reset")
    assert shown() == start
