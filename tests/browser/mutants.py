"""Break each widget in several ways, and see that its tests notice; not run by pytest.

A mutant is one small breakage: a listener is gone, a number is wrong, the picture's
font is not registered, the kernel is not told. It is put into a copy of the package,
never into this one, and the tests of its widget run against that copy. Mutants of
different widgets touch different files, so that one run tries one of each.

    python tests/browser/mutants.py                 all widgets (minutes)
    python tests/browser/mutants.py sense_map kit   some
    python tests/browser/mutants.py --list          what there is, and what is known

First the tests that ought to notice run, without any mutant: they must pass. Then each
mutant has to fail one of them; where none of them fails, all tests of its widget run.
What is known is kept in build/widget-mutants.jsonl, so that it can be stopped and begun
again; it counts as long as the package's widgets and their tests have not changed.
A mutant that is never caught needs a better test, or does no harm: say so here.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent))

import every_widget  # noqa: E402

COURSE = Path(__file__).resolve().parents[2]
LOG = COURSE / "build/widget-mutants.jsonl"
COPIED = ("course_lib", "tests", "tools", "pyproject.toml")
SECONDS = 1500  # for one run of pytest
LAB = "_lab.py"
FONT = "    register_font()\n", ""
TOLD = "model.set(name, value);\n    model.save_changes();", "model.set(name, value);"
LISTENERS = (
    "for (const [event, react] of Object.entries(changes)) model.on(event, react);",
    "",
)


class Mutant(NamedTuple):
    """One breakage of a widget."""

    widget: str  # or "kit": what all share
    name: str
    file: str  # in course_lib/widgets
    swaps: tuple[tuple[str, str], ...]  # each text stands once, and is replaced
    ought: str  # words of the tests that ought to notice, as pytest's -k has them

    @property
    def id(self) -> str:
        return f"{self.widget}: {self.name}"


def js(widget: str, name: str, old: str, new: str, ought: str) -> Mutant:
    """Break a widget's page."""
    return Mutant(widget, name, f"{widget}.js", ((old, new),), ought)


def py(widget: str, name: str, old: str, new: str, ought: str) -> Mutant:
    """Break what Python measures or draws for a widget."""
    return Mutant(widget, name, f"{widget}.py", ((old, new),), ought)


def without_font(widget: str) -> Mutant:
    """Draw a widget's picture with no Chinese font registered."""
    return py(widget, "font not registered", *FONT, "without_scripts")


def untold(widget: str, old: str = TOLD[0], new: str = TOLD[1]) -> Mutant:
    """Let the page change without telling the kernel."""
    return js(widget, "kernel not told", old, new, LAB)


MUTANTS = [
    js("sense_map", "listeners gone", *LISTENERS, "slider_moves_points"),
    js(
        "sense_map",
        "score of layer 0 only",
        "{ nearest, centroid } = word.scores[near]",
        "{ nearest, centroid } = word.scores[0]",
        "slider_moves_points or between_layers",
    ),
    py(
        "sense_map",
        "centroid's score for the neighbour's",
        '"nearest": accuracy["nearest_neighbour"]',
        '"nearest": accuracy["nearest_centroid"]',
        "slider_moves_points",
    ),
    js(
        "sense_map",
        "neighbours of another layer",
        "word.neighbours[near][chosen].map",
        "word.neighbours[0][chosen].map",
        "neighbours_follow",
    ),
    without_font("sense_map"),
    Mutant(
        "sense_map",
        "kernel not told of a drag",
        "map.js",
        (
            (
                "onchange: () => { model.save_changes(); settled(); }",
                "onchange: () => settled()",
            ),
        ),
        f"{LAB} and drag",
    ),
    js(
        "ngram_nnlm",
        "answer not heard",
        '    "change:answer": own.answered,\n',
        "",
        "typed_words_go",
    ),
    js(
        "ngram_nnlm",
        "marked word has the first one's chance",
        "values[name] = chance(part.p[i]);",
        "values[name] = chance(part.p[0]);",
        "a_word_is_found",
    ),
    js(
        "ngram_nnlm",
        "bars of another scale",
        "(100 * part.p[i]) / widest",
        "100 * part.p[i]",
        "bars_are_as_long",
    ),
    without_font("ngram_nnlm"),
    untold(
        "ngram_nnlm",
        'model.set("typed", typed);\n    model.save_changes();',
        'model.set("typed", typed);',
    ),
    js(
        "window_sampler",
        "listeners gone",
        "for (const [event, call] of changes) model.on(event, call);",
        "",
        "a_draw_can_be_seen",
    ),
    js(
        "window_sampler",
        "keep probability without the root",
        "Math.min(1, Math.sqrt(t / f(rank))),",
        "Math.min(1, t / f(rank)),",
        "words_stay_as_often",
    ),
    js(
        "window_sampler",
        "noise without the power",
        "words * n ** power",
        "words * n",
        "noise_is_drawn",
    ),
    without_font("window_sampler"),
    untold(
        "window_sampler",
        "function settled() {\n    model.save_changes();",
        "function settled() {",
    ),
    js(
        "sentence_probe",
        "answer not heard",
        'model.on("change:answer", answered);',
        "",
        "typed_sentence_is_read",
    ),
    js(
        "sentence_probe",
        "cosines of layer 0",
        "now.cosines[layer][row].toFixed(3)",
        "now.cosines[0][row].toFixed(3)",
        "layers_show_their_own",
    ),
    js(
        "sentence_probe",
        "forward and backward exchanged",
        "[pull, forward, backward] = now",
        "[pull, backward, forward] = now",
        "dropped_word_moves",
    ),
    without_font("sentence_probe"),
    untold("sentence_probe"),
    js("scalar_mix", "listeners gone", *LISTENERS, "weights_are_the_softmax"),
    js(
        "scalar_mix",
        "softmax does not add up to one",
        "powers.map((power) => power / sum(powers))",
        "powers.map((power) => power / powers.length)",
        "weights_are_the_softmax",
    ),
    js(
        "scalar_mix",
        "score of the best mix for all",
        "score: percent(scores[near]), majority",
        "score: percent(scores[top]), majority",
        "weights_are_the_softmax",
    ),
    without_font("scalar_mix"),
    Mutant(
        "scalar_mix",
        "kernel not told",
        "scalar_mix.js",
        (
            TOLD,
            (
                "const settled = () => { model.save_changes();",
                "const settled = () => {",
            ),
        ),
        LAB,
    ),
    js("one_vector", "listeners gone", *LISTENERS, "all_sentences_fall"),
    js(
        "one_vector",
        "lead for cosine",
        "cosine.toFixed(2), ...own",
        "lead.toFixed(2), ...own",
        "neighbours_carry",
    ),
    py(
        "one_vector",
        "centroid's score for the majority's",
        'shares["majority"] = majority(senses)',
        'shares["majority"] = centroid',
        "opens_with_both",
    ),
    without_font("one_vector"),
    untold("one_vector"),
    js("vectors_training", "listeners gone", *LISTENERS, "slider_moves_points"),
    js(
        "vectors_training",
        "curves say the end at once",
        "value = values[i];",
        "value = values.at(-1);",
        "slider_moves_points",
    ),
    js(
        "vectors_training",
        "groups of the first snapshot",
        "run.means[now][chosen][kind]",
        "run.means[0][chosen][kind]",
        "tables_are_those",
    ),
    without_font("vectors_training"),
    untold(
        "vectors_training",
        'model.set("selected", i);\n    model.save_changes();',
        'model.set("selected", i);',
    ),
    js(
        "fine_tuning",
        "listeners gone",
        'model.on(`change:${name}`, name === "task" ? build : draw);',
        "{}",
        "fewer_epochs",
    ),
    js(
        "fine_tuning",
        "each layer one power too low",
        "state.factor ** (n - 1 - depth)",
        "state.factor ** (n - depth)",
        "all_steps_together or press_in_the_picture",
    ),
    js(
        "fine_tuning",
        "mean is the interval's end",
        "const [mean, low, high] = run[metric].map",
        "const [low, mean, high] = run[metric].map",
        "each_row_is_a_saved",
    ),
    without_font("fine_tuning"),
    untold("fine_tuning"),
    js(
        "who_sees_whom",
        "listeners gone",
        "for (const name of TRAITS) model.on(`change:${name}`, draw);",
        "",
        "another_sentence",
    ),
    js(
        "who_sees_whom",
        "left to right sees one too few",
        'side === "left") return j <= i;',
        'side === "left") return j < i;',
        "squares_that_python_has",
    ),
    js(
        "who_sees_whom",
        "chance of the first guess for the word's",
        "{ p, rank } = found, label",
        "{ rank } = found, p = found.words[0][1], label",
        "guesses_are_those",
    ),
    without_font("who_sees_whom"),
    untold("who_sees_whom"),
    js(
        "cooccurrence",
        "listeners gone",
        "for (const name of traits) model.on(`change:${name}`, draw);",
        "",
        "another_word_in_each",
    ),
    js(
        "cooccurrence",
        "ratio of counts, not of shares",
        "ratio: p[0] / p[1] };",
        "ratio: x[0] / x[1] };",
        "ratios_of_the_counts",
    ),
    js(
        "cooccurrence",
        "weight without its ceiling",
        "Math.min(1, (x / x_max) ** alpha)",
        "(x / x_max) ** alpha",
        "sliders_change or lie_on_the_curve",
    ),
    without_font("cooccurrence"),
    untold("cooccurrence"),
    js(
        "seq2seq_builder",
        "listeners gone",
        'model.on(`change:${trait}`, trait === "task" ? build : draw);',
        "{}",
        "plug_is_drawn",
    ),
    js(
        "seq2seq_builder",
        "decoder copied from the source side",
        'part.split(".")[0] : "random"',
        '"source" : "random"',
        "copies_what_the_library",
    ),
    js(
        "seq2seq_builder",
        "BLEU and its interval's end exchanged",
        "spanned = ([mean, low, high]",
        "spanned = ([low, mean, high]",
        "every_row_of_the_ablation",
    ),
    without_font("seq2seq_builder"),
    untold("seq2seq_builder"),
    Mutant(
        "kit",
        "arrow keys left to JupyterLab",
        "kit.js",
        (
            (
                'target.setAttribute("data-lm-suppress-shortcuts", "true")',
                'target.setAttribute("data-nothing", "true")',
            ),
        ),
        LAB,
    ),
    Mutant(
        "kit",
        "sliders move nothing",
        "kit.js",
        (("oninput: () => move(+input.value), ", ""),),
        LAB,
    ),
]
SHARED = ("conftest", "every_widget", "in_lab")  # by all tests of widgets
OTHERS = {"sense_map": ["test_sense_maps_page.py"]}  # files of a widget, by its name
LABS = {"sense_map": "test_sense_map_lab.py", "ngram_nnlm": "test_ngram_nnlm_lab.py"}
LABS["window_sampler"] = LABS["ngram_nnlm"]


def files(widget: str) -> list[str]:
    """List the files of tests of a widget; those of JupyterLab last."""
    if widget == "kit":
        return [
            f"tests/browser/{n}" for n in ("test_widgets_lab.py", *set(LABS.values()))
        ]
    pages = [f"test_{widget}_page.py", *OTHERS.get(widget, [])]
    lab = LABS.get(widget, "test_widgets_lab.py")
    found = [f"tests/browser/{name}" for name in (*pages, lab)]
    return [f"tests/widgets/test_{widget}.py", *found]


def belongs_to(widget: str, path: str) -> bool:
    """Say whether a file has tests of a widget."""
    return path in files(widget)


def belongs(widget: str, test: str) -> bool:
    """Say whether a test (file::name) is one of a widget's own."""
    path, _, name = test.partition("::")
    if not belongs_to(widget, path):
        return False
    return "test_widgets_lab" not in path or widget in ("kit", name[5:].split("__")[0])


def apply(mutant: Mutant, folder: Path) -> None:
    """Break the copy of the package in `folder`."""
    assert folder != COURSE
    path = folder / "course_lib/widgets" / mutant.file
    path.write_text(broken(mutant, path.read_text("utf-8")), "utf-8")


def broken(mutant: Mutant, text: str) -> str:
    """Return a module's text with the breakage; it has to fit exactly."""
    for old, new in mutant.swaps:
        if text.count(old) != 1:
            raise ValueError(
                f"{mutant.id}: {mutant.file} has {old!r} not once; mend it"
            )
        text = text.replace(old, new)
    return text


def copied(folder: Path) -> None:
    """Copy what tests need; data/ is only linked, for nothing writes there."""
    junk = shutil.ignore_patterns("__pycache__", "*.pyc")
    for name in COPIED:
        source, goal = COURSE / name, folder / name
        if source.is_dir():
            shutil.copytree(source, goal, ignore=junk, dirs_exist_ok=True)
        else:
            shutil.copy2(source, goal)
    if not (folder / "data").exists():
        (folder / "data").symlink_to(COURSE / "data")


def tested(folder: Path, paths: Iterable[str], *options: str) -> dict[str, bool]:
    """Run tests against the copy; return whether each passed."""
    report = folder / "report.xml"
    report.unlink(missing_ok=True)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        *options,
        "-o",
        "junit_family=xunit1",
    ]
    command += [f"--junitxml={report}", f"--basetemp={folder / 'temp'}", *paths]
    environment = dict(os.environ, PYTHONPATH=str(folder), PYTHONDONTWRITEBYTECODE="1")
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True,
        timeout=SECONDS,
    )  # fmt: skip
    if done.returncode not in (0, 1):
        raise RuntimeError(f"pytest could not run:\n{done.stdout}\n{done.stderr}")
    passed: dict[str, bool] = {}
    for case in ET.parse(report).iter("testcase"):
        name = f"{case.get('file')}::{case.get('name').partition('[')[0]}"
        bad = any(case.find(kind) is not None for kind in ("failure", "error"))
        skipped = case.find("skipped") is not None
        if not skipped:
            passed[name] = passed.get(name, True) and not bad
    return passed


def ought(mutants: Sequence[Mutant]) -> list[str]:
    """List the tests that ought to notice: by the words of each mutant."""
    found: list[str] = []
    for mutant in mutants:
        words = re.split(r" (?:or|and) ", mutant.ought)
        need = all if " and " in mutant.ought else any
        own = [
            test
            for path in files(mutant.widget)
            for test in tests_of(path)
            if belongs(mutant.widget, test)
            and (LAB in test) == (LAB in mutant.ought)
            and need(word in test for word in words)
        ]
        assert own, f"{mutant.id}: no test is called {mutant.ought!r}"
        found += own
    return list(dict.fromkeys(found))


@cache
def tests_of(path: str) -> list[str]:
    """List a file's tests, and those for every widget if it imports them."""
    tree = ast.parse((COURSE / path).read_text("utf-8"))
    names = [one.name for one in tree.body if isinstance(one, ast.FunctionDef)]
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module == "every_widget":
            own = [alias.name for alias in node.names]
            names += every_widget.__all__ if own == ["*"] else own
    return [f"{path}::{name}" for name in names if name.startswith("test_")]


def rounds(mutants: Iterable[Mutant]) -> list[list[Mutant]]:
    """Put mutants of different widgets together; those of shared files stay alone."""
    together: list[list[Mutant]] = []
    alone = []
    for mutant in mutants:
        if mutant.file.partition(".")[0] != mutant.widget or mutant.widget == "kit":
            alone.append([mutant])
            continue
        lab = mutant.ought == LAB  # a round with JupyterLab, or without
        for group in together:
            widgets = {one.widget for one in group}
            if mutant.widget not in widgets and (group[0].ought == LAB) == lab:
                group.append(mutant)
                break
        else:
            together.append([mutant])
    return together + alone


@cache
def fingerprint(about: Mutant | str) -> str:
    """Return what an entry depends on: a breakage, or the path of a test; what it has.

    That is the modules of the widgets, their tests, and what all these tests share.
    """
    paths = files(about.widget) if isinstance(about, Mutant) else [about]
    folder, every = COURSE / "course_lib/widgets", {one.widget for one in MUTANTS}
    own = {name for name in every if any(belongs_to(name, path) for path in paths)}
    parts = {"kit", "map", "maps", "labels", *own, *(f"labels_{name}" for name in own)}
    sources = [path for path in sorted(folder.iterdir()) if path.stem in parts]
    paths += [f"tests/browser/{name}.py" for name in SHARED]
    sources += [COURSE / path for path in paths]
    text = repr(about) + "".join(path.read_text("utf-8") for path in sources)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def entries() -> list[dict]:
    """Read all that was written."""
    if not LOG.exists():
        return []
    return [json.loads(line) for line in LOG.read_text("utf-8").splitlines()]


def known() -> dict[str, list[str]]:
    """Return what is known and still true: mutant's id to the tests that caught it."""
    marks = {mutant.id: fingerprint(mutant) for mutant in MUTANTS}
    return {
        entry["id"]: entry["by"]
        for entry in entries()
        if "id" in entry and marks.get(entry["id"]) == entry["fingerprint"]
    }


def write(entry: dict) -> None:
    """Keep an entry."""
    LOG.parent.mkdir(exist_ok=True)
    with LOG.open("a", encoding="utf-8") as log:
        log.write(json.dumps(entry, ensure_ascii=False) + "\n")


def note(mutant: Mutant, by: list[str]) -> None:
    """Keep and say what was found."""
    write({"id": mutant.id, "fingerprint": fingerprint(mutant), "by": by})
    print(sentence(mutant, by), flush=True)


def sentence(mutant: Mutant, by: list[str] | None) -> str:
    if by is None:
        return f"  not tried  {mutant.id}"
    if not by:
        return f"  SURVIVED   {mutant.id}"
    return f"  caught     {mutant.id}  ({len(by)}: {by[0].partition('::')[2]})"


def attempt(group: Sequence[Mutant], folder: Path) -> None:
    """Try mutants of different widgets at once; then survivors with all their tests."""
    survived = []
    for mutant, by in found_by(group, ought(group), folder):
        if by:
            note(mutant, by)
        else:
            survived.append(mutant)
    for mutant in survived:
        [(_, by)] = found_by([mutant], files(mutant.widget), folder, "-x")
        note(mutant, by)


def found_by(
    group: Sequence[Mutant], tests: Sequence[str], folder: Path, *options: str
) -> list[tuple[Mutant, list[str]]]:
    """Return each mutant with the tests of its widget that failed."""
    if not tests:
        return [(mutant, []) for mutant in group]
    try:
        for mutant in group:
            apply(mutant, folder)
        passed = tested(folder, tests, *options)
    finally:
        copied(folder)  # whole again
    bad = [test for test, good in passed.items() if not good]
    return [(m, [test for test in bad if belongs(m.widget, test)]) for m in group]


def control(mutants: Sequence[Mutant], folder: Path) -> None:
    """See that the tests pass where nothing is broken: else they would catch it all."""
    tests = set(ought(mutants)) - sound()
    for lab in (False, True):
        own = sorted(test for test in tests if (LAB in test) == lab)
        passed = tested(folder, own) if own else {}
        if bad := [test for test, good in passed.items() if not good]:
            raise SystemExit("these fail with no mutant at all:\n" + "\n".join(bad))
        for test in passed:
            write({"sound": test, "fingerprint": fingerprint(test.partition("::")[0])})
        print(f"  {len(passed)} tests pass where nothing is broken", flush=True)


def sound() -> set[str]:
    """Return the tests that are known to pass where nothing is broken."""
    kept = [entry for entry in entries() if "sound" in entry]
    return {
        entry["sound"]
        for entry in kept
        if entry["fingerprint"] == fingerprint(entry["sound"].partition("::")[0])
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("widgets", nargs="*")
    parser.add_argument("--list", action="store_true", help="only say what is known")
    options = parser.parse_args()
    chosen = [m for m in MUTANTS if not options.widgets or m.widget in options.widgets]
    done = known()
    for mutant in chosen:
        if options.list or mutant.id in done:
            print(sentence(mutant, done.get(mutant.id)))
    open_ = [mutant for mutant in chosen if mutant.id not in done]
    if options.list or not open_:
        return
    with tempfile.TemporaryDirectory(prefix="mutants-") as name:
        folder = Path(name).resolve()
        copied(folder)
        control(open_, folder)
        for group in rounds(open_):
            attempt(group, folder)
    caught = [mutant for mutant in chosen if known().get(mutant.id)]
    print(f"{len(caught)} of {len(chosen)} caught")
    sys.exit(len(caught) < len(chosen))


if __name__ == "__main__":
    main()
