"""Break each widget in several ways, and see that its tests notice; not run by pytest.

A mutant is one small breakage: a listener is gone, a number is wrong, the picture's
font is not registered, the kernel is not told. It is put into a copy of the package,
never into this one, and the tests that ought to notice run against that copy.

    python tests/browser/mutants.py                 all widgets (an hour)
    python tests/browser/mutants.py sense_map kit   some
    python tests/browser/mutants.py --list          what there is, and what is known

What is known is kept in build/widget-mutants.jsonl, so that it can be stopped and begun
again; it counts as long as the widget and its tests have not changed. One that survives
needs a better test, or does no harm: say so here.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

COURSE = Path(__file__).resolve().parents[2]
LOG = COURSE / "build/widget-mutants.jsonl"
COPIED = ("course_lib", "course_claims", "tests", "tools", "pyproject.toml")
SHARED = ("conftest", "every_widget", "in_lab")  # by all tests of widgets
SECONDS = 900  # for one run of pytest

# As in a patch: what stands once in a file, and what takes its place. In brackets: the
# tests of the widget that ought to notice, as pytest's -k has them; lab: in JupyterLab.
BROKEN = r"""
sense_map.js: listeners gone [slider_moves_points]
- for (const [event, react] of Object.entries(changes)) model.on(event, react);
sense_map.js: score of layer 0 only [slider_moves_points or between_layers]
- { nearest, centroid } = word.scores[near]
+ { nearest, centroid } = word.scores[0]
sense_map.py: centroid's score for the neighbour's [slider_moves_points]
- "nearest": accuracy["nearest_neighbour"]
+ "nearest": accuracy["nearest_centroid"]
sense_map.js: neighbours of another layer [neighbours_follow]
- word.neighbours[near][chosen].map
+ word.neighbours[0][chosen].map
map.js: kernel not told of a drag [lab]
- onchange: () => { model.save_changes(); settled(); }
+ onchange: () => settled()

ngram_nnlm.js: answer not heard [typed_words_go]
-     "change:answer": own.answered,
ngram_nnlm.js: marked word has the first one's chance [a_word_is_found]
- values[name] = chance(part.p[i]);
+ values[name] = chance(part.p[0]);
ngram_nnlm.js: bars of another scale [bars_are_as_long]
- (100 * part.p[i]) / widest
+ 100 * part.p[i]
ngram_nnlm.js: kernel not told [lab]
- model.set("typed", typed);
-     model.save_changes();
+ model.set("typed", typed);

window_sampler.js: listeners gone [a_draw_can_be_seen]
- for (const [event, call] of changes) model.on(event, call);
window_sampler.js: keep probability without the root [words_stay_as_often]
- Math.min(1, Math.sqrt(t / f(rank))),
+ Math.min(1, t / f(rank)),
window_sampler.js: noise without the power [noise_is_drawn]
- words * n ** power
+ words * n
window_sampler.js: kernel not told [lab]
- function settled() {
-     model.save_changes();
+ function settled() {

sentence_probe.js: answer not heard [typed_sentence_is_read]
- model.on("change:answer", answered);
sentence_probe.js: other views not heard [all_views]
- for (const name of traits) model.on(`change:${name}`, follow);
sentence_probe.js: cosines of layer 0 [layers_show_their_own]
- now.cosines[layer][row].toFixed(3)
+ now.cosines[0][row].toFixed(3)
sentence_probe.js: forward and backward exchanged [dropped_word_moves]
- [pull, forward, backward] = now
+ [pull, backward, forward] = now

scalar_mix.js: listeners gone [weights_are_the_softmax]
- for (const [event, react] of Object.entries(changes)) model.on(event, react);
scalar_mix.js: softmax does not add up to one [weights_are_the_softmax]
- powers.map((power) => power / sum(powers))
+ powers.map((power) => power / powers.length)
scalar_mix.js: score of the best mix for all [weights_are_the_softmax]
- score: percent(scores[near]), majority
+ score: percent(scores[top]), majority
scalar_mix.js: kernel not told [lab]
- model.set(name, value);
-     model.save_changes();
+ model.set(name, value);
- const settled = () => { model.save_changes();
+ const settled = () => {

one_vector.js: listeners gone [all_sentences_fall]
- for (const [event, react] of Object.entries(changes)) model.on(event, react);
one_vector.js: lead for cosine [neighbours_carry]
- cosine.toFixed(2), ...own
+ lead.toFixed(2), ...own
one_vector.py: centroid's score for the majority's [opens_with_both]
- shares["majority"] = majority(senses)
+ shares["majority"] = centroid

vectors_training.js: listeners gone [slider_moves_points]
- for (const [event, react] of Object.entries(changes)) model.on(event, react);
vectors_training.js: curves say the end at once [slider_moves_points]
- value = values[i];
+ value = values.at(-1);
vectors_training.js: groups of the first snapshot [tables_are_those]
- run.means[now][chosen][kind]
+ run.means[0][chosen][kind]
vectors_training.js: kernel not told [lab]
- model.set("selected", i);
-     model.save_changes();
+ model.set("selected", i);

fine_tuning.js: listeners gone [fewer_epochs]
- model.on(`change:${name}`, name === "task" ? build : draw);
+ {}
fine_tuning.js: each layer one power too low [all_steps or press_in_the_picture]
- state.factor ** (n - 1 - depth)
+ state.factor ** (n - depth)
fine_tuning.js: mean is the interval's end [each_row_is_a_saved]
- const [mean, low, high] = run[metric].map
+ const [low, mean, high] = run[metric].map

who_sees_whom.js: listeners gone [another_sentence]
- for (const name of TRAITS) model.on(`change:${name}`, draw);
who_sees_whom.js: left to right sees one too few [squares_that_python_has]
- side === "left") return j <= i;
+ side === "left") return j < i;
who_sees_whom.js: chance of the first guess for the word's [guesses_are_those]
- { p, rank } = found, label
+ { rank } = found, p = found.words[0][1], label

cooccurrence.js: listeners gone [sliders_change]
- for (const name of traits) model.on(`change:${name}`, draw);
cooccurrence.js: ratio of counts, not of shares [ratios_of_the_counts]
- ratio: p[0] / p[1] };
+ ratio: x[0] / x[1] };
cooccurrence.js: weight without its ceiling [sliders_change or lie_on_the_curve]
- Math.min(1, (x / x_max) ** alpha)
+ (x / x_max) ** alpha
cooccurrence.js: kernel not told [lab]
- draw();
-     model.save_changes();
+ draw();

seq2seq_builder.js: listeners gone [plug_is_drawn]
- model.on(`change:${trait}`, trait === "task" ? build : draw);
+ {}
seq2seq_builder.js: decoder copied from the source side [copies_what_the_library]
- part.split(".")[0] : "random"
+ "source" : "random"
seq2seq_builder.js: BLEU and its interval's end exchanged [every_row_of_the_ablation]
- spanned = ([mean, low, high]
+ spanned = ([low, mean, high]

kit.js: arrow keys left to JupyterLab [lab]
- target.setAttribute("data-lm-suppress-shortcuts", "true")
+ target.setAttribute("data-nothing", "true")
kit.js: sliders move nothing [lab]
- oninput: () => move(+input.value),
"""
TOLD = "model.set(name, value);\n    model.save_changes();", "model.set(name, value);"
TELLING = ("sentence_probe", "one_vector", "fine_tuning", "who_sees_whom")
TELLING += ("seq2seq_builder",)


class Mutant(NamedTuple):
    """One breakage of a widget."""

    file: str  # in course_lib/widgets, or what runs in the browser in page/
    name: str
    ought: str  # the tests that ought to notice: words for pytest's -k, or "lab"
    swaps: tuple[tuple[str, str], ...]  # each text stands once, and is replaced

    @property
    def widget(self) -> str:
        """The widget's name; "kit" for what all share."""
        return {"map": "sense_map"}.get(Path(self.file).stem, Path(self.file).stem)

    @property
    def path(self) -> str:
        """Where the file stands in the repository."""
        folder = "" if self.file.endswith(".py") else "page/"
        return f"course_lib/widgets/{folder}{self.file}"

    @property
    def id(self) -> str:
        return f"{self.widget}: {self.name}"


def read(patches: str) -> list[Mutant]:
    """Read mutants: a head, then lines that go (-) and lines that come (+)."""
    found = []
    for head in re.finditer(r"(\S+): (.+) \[(.+)\]\n((?:[-+] .*\n)+)", patches):
        *names, body = head.groups()
        swaps = re.findall(r"((?:- .*\n)+)((?:\+ .*\n)*)", body)
        bare = tuple((unmarked(old), unmarked(new)) for old, new in swaps)
        found.append(Mutant(*names, bare))
    return found


def unmarked(lines: str) -> str:
    """Take the - and + from the beginnings of lines."""
    return "\n".join(line[2:] for line in lines.splitlines())


FONT = (("    register_font()\n", ""),)
MUTANTS = read(BROKEN)
MUTANTS += [Mutant(f"{w}.js", "kernel not told", "lab", (TOLD,)) for w in TELLING]
MUTANTS += [
    Mutant(f"{widget}.py", "font not registered", "without_scripts", FONT)
    for widget in dict.fromkeys(mutant.widget for mutant in MUTANTS)
    if widget != "kit"
]


def files(mutant: Mutant) -> list[str]:
    """List the files of tests of a widget: those in JupyterLab, or the others."""
    name = mutant.widget
    if mutant.ought == "lab":
        return ["tests/browser/test_widgets_lab.py"]
    pages = [f"tests/widgets/test_{name}.py", f"tests/browser/test_{name}_page.py"]
    return pages + ["tests/browser/test_sense_maps_page.py"] * (name == "sense_map")


def words(mutant: Mutant) -> str:
    """Say for pytest's -k which of these tests ought to notice."""
    if mutant.ought != "lab":
        return mutant.ought
    return "" if mutant.widget == "kit" else f"{mutant.widget}__"


def broken(mutant: Mutant, text: str) -> str:
    """Return a module's text with the breakage; it has to fit exactly."""
    for old, new in mutant.swaps:
        if text.count(old) != 1:
            raise ValueError(
                f"{mutant.id}: {mutant.file} has {old!r} not once; mend it"
            )
        text = text.replace(old, new)
    return text


def apply(mutant: Mutant, folder: Path) -> None:
    """Break the copy of the package in `folder`."""
    assert folder != COURSE
    path = folder / mutant.path
    path.write_text(broken(mutant, path.read_text("utf-8")), "utf-8")


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


def failing(folder: Path, paths: list[str], chosen: str) -> list[str]:
    """Run tests against the copy until one fails; return those that failed."""
    command = [sys.executable, "-m", "pytest", "-x", "-rfE", "-k", chosen, *paths]
    environment = dict(os.environ, PYTHONPATH=str(folder), PYTHONDONTWRITEBYTECODE="1")
    done = subprocess.run(
        [*command, f"--basetemp={folder / 'temp'}"],
        cwd=folder, env=environment, capture_output=True, text=True, timeout=SECONDS,
    )  # fmt: skip
    ran = re.search(r"\d+ (passed|failed|error)", done.stdout)
    if done.returncode not in (0, 1) or not ran:
        raise RuntimeError(f"no test ran:\n{done.stdout}\n{done.stderr}")
    failed = re.findall(r"^(?:FAILED|ERROR) \S+::(\w+)", done.stdout, re.MULTILINE)
    assert bool(failed) == bool(done.returncode), done.stdout
    return failed


def attempt(mutant: Mutant, folder: Path) -> list[str]:
    """Return the test that fails because of a mutant, in a list; or an empty list.

    A test counts only if it passes again without the mutant: on a busy machine one may
    fail for no fault of the widget.
    """
    paths = files(mutant)
    try:
        apply(mutant, folder)
        failed = failing(folder, paths, words(mutant))
    finally:
        copied(folder)  # whole again
    if failed and (also := failing(folder, paths, " or ".join(failed))):
        raise SystemExit(f"{also[0]} fails with no mutant at all")
    return failed


def fingerprint(mutant: Mutant) -> str:
    """Return what an entry depends on: the breakage, the widget and its tests."""
    own = {"kit", "map", "maps", mutant.widget, f"words_{mutant.widget}"}
    found = sorted((COURSE / "course_lib/widgets").rglob("*.*"))
    sources = [path for path in found if path.stem in own and path.suffix != ".pyc"]
    sources += [COURSE / path for path in files(mutant)]
    sources += [COURSE / f"tests/browser/{name}.py" for name in SHARED]
    text = repr(mutant) + "".join(path.read_text("utf-8") for path in sources)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def known() -> dict[str, list[str]]:
    """Return what is known and still true: mutant's id to the tests that caught it."""
    marks = {mutant.id: fingerprint(mutant) for mutant in MUTANTS}
    lines = LOG.read_text("utf-8").splitlines() if LOG.exists() else []
    entries = [json.loads(line) for line in lines]
    return {e["id"]: e["by"] for e in entries if marks.get(e["id"]) == e["fingerprint"]}


def say(mutant: Mutant, by: list[str] | None) -> None:
    """Print a line about a mutant."""
    word = "not tried" if by is None else "caught" if by else "SURVIVED"
    print(f"  {word:9}  {mutant.id}", f"({by[0]})" if by else "", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("widgets", nargs="*")
    parser.add_argument("--list", action="store_true", help="only say what is known")
    options = parser.parse_args()
    chosen = [m for m in MUTANTS if not options.widgets or m.widget in options.widgets]
    LOG.parent.mkdir(exist_ok=True)
    done = known()
    with tempfile.TemporaryDirectory(prefix="mutants-") as name:
        folder = Path(name).resolve()
        copied(folder)
        for mutant in chosen:
            if mutant.id not in done and not options.list:
                entry = {"id": mutant.id, "fingerprint": fingerprint(mutant)}
                entry["by"] = done[mutant.id] = attempt(mutant, folder)
                with LOG.open("a", encoding="utf-8") as log:
                    log.write(json.dumps(entry, ensure_ascii=False) + "\n")
            say(mutant, done.get(mutant.id))
    caught = sum(bool(done.get(mutant.id)) for mutant in chosen)
    print(f"{caught} of {len(chosen)} caught")
    sys.exit(caught < len(chosen) and not options.list)


if __name__ == "__main__":
    main()
