"""Build the course as a static book in both languages (make book).

    python tools/book.py                       execute what is missing or stale, build
    python tools/book.py --profile quick       … in the quick profile
    python tools/book.py --as-is               execute nothing, build with what is there
    python tools/book.py --lessons 06_elmo_bilm

The book is in build/book/html: open index.html there, or let any web server serve it.
A lesson is executed only if build/executed has no outputs of its code as it stands,
and each is kept as soon as it is done: stopped, the command goes on where it was.
"""

from __future__ import annotations

import argparse
import io
import os
import re
import shutil
import sys
import time
import tomllib
from pathlib import Path

import nbformat

COURSE = Path(__file__).resolve().parent.parent
DOCS = COURSE / "docs"
sys.path.insert(0, str(DOCS))

from bookmaking import (  # noqa: E402
    api,
    equations,
    front,
    glossary,
    lessons,
    mathjax,
    names,
)
from bookmaking.editions import EDITIONS, LANGUAGES, pick  # noqa: E402

from course_claims.cards import all_cards  # noqa: E402
from course_claims.page import page as claims_page  # noqa: E402

Pages = dict[str, str]  # path within an edition's source -> content


class Plan:
    """What goes into the book, and where its parts are."""

    def __init__(self, options: argparse.Namespace):
        self.notebooks, self.executed = options.notebooks, options.executed
        self.out, self.profile = options.out, options.profile
        self.parts = options.parts or options.out / "parts"
        found = sorted(p.stem for p in self.notebooks.glob("en/*.ipynb"))
        unknown = set(options.lessons) - set(found)
        if unknown or not found:
            raise SystemExit(
                f"there is no lesson {', '.join(sorted(unknown)) or 'at all'}; "
                f"{self.notebooks} has: {', '.join(found) or 'none (run `make build`)'}"
            )
        self.stems = options.lessons or found

    def notebook(self, language: str, stem: str) -> Path:
        """Return the path of a lesson as students open it."""
        return self.notebooks / language / f"{stem}.ipynb"

    def copy(self, language: str, stem: str) -> Path:
        """Return the path of a lesson's executed copy."""
        return self.executed / language / f"{stem}.ipynb"

    def files(self, language: str, stem: str) -> dict[str, Path]:
        """Return what can be downloaded from a lesson's page: its name, where it is."""
        found = {
            f"{stem}.ipynb": self.notebook(language, stem),
            f"{stem}_exercises.ipynb": self.notebook(language, f"exercises/{stem}"),
            f"{stem}_answers.ipynb": COURSE / "solutions" / stem / f"{stem}.ipynb",
        }
        return {name: path for name, path in found.items() if path.exists()}

    def ready(self, language: str, stem: str, profile: str | None = None) -> bool:
        """Say whether the outputs of a lesson are at hand."""
        notebook = lessons.read(self.notebook(language, stem))
        return lessons.fresh(notebook, self.copy(language, stem), profile)


def execute(plan: Plan) -> list[str]:
    """Execute each lesson whose outputs are missing or stale; return complaints."""
    import run_notebooks

    os.environ["COURSE_PROFILE"] = plan.profile
    complaints = []
    for stem in plan.stems:
        for language in LANGUAGES:
            if plan.ready(language, stem, plan.profile):
                continue
            path = plan.notebook(language, stem).resolve()
            run = run_notebooks.execute(path, timeout=900, keep=plan.executed)
            if run.complaint:
                complaints.append(f"{run.name}: {run.complaint}")
    return complaints


# -- the source of an edition ----------------------------------------------------------


def pages(plan: Plan, language: str, maps: dict[str, str]) -> Pages:
    """Return every page of one edition: prose, lessons, and what is generated."""
    found = prose(language, plan.stems)
    originals = {s: lessons.read(plan.notebook(language, s)) for s in plan.stems}
    there_are = {*found, *(f"lessons/{stem}.ipynb" for stem in plan.stems)}
    for stem, original in originals.items():
        there = plan.ready(language, stem)
        executed = lessons.read(plan.copy(language, stem)) if there else None
        page = lessons.page(original, executed, stem, language, there_are)
        text = nbformat.writes(page).replace(f"_{language}.svg)", ".svg)")
        text = text.replace(f"](../../docs/{language}/", "](../")
        found[f"lessons/{stem}.ipynb"] = text + "\n"
    for file in sorted((plan.notebooks / "drawings").glob(f"*_{language}.svg")):
        name = file.name.replace(f"_{language}.svg", ".svg")  # alike in both editions
        found[f"drawings/{name}"] = file.read_text("utf-8")
    library = names.read_library(COURSE)
    uses = names.taught(library, originals)
    found |= api.pages(library, uses, language)
    found["equations.md"] = equations.page(known_equations(plan), library, language)
    # In place of docs/*/glossary.md, which has no links to the lessons.
    found["glossary.md"] = glossary.page(glossary.read(), language, plan.stems)
    found["map.html"] = maps[language]
    found["index.md"] = filled(found["index.md"], "map", raw("map.html"))
    found["index.md"] += contents(found, language)
    table = claims(found, language, plan.stems)
    found["claims.md"] = filled(found["claims.md"], "claims", table)
    return found


def prose(language: str, stems: list[str]) -> Pages:
    """Read the pages that are written by hand, and the sheets of these lessons."""
    folder = DOCS / language
    files = [folder / f"sheets/{stem}.md" for stem in stems]
    files = [*sorted(folder.glob("*.md")), *(file for file in files if file.exists())]
    found = {f.relative_to(folder).as_posix(): f.read_text("utf-8") for f in files}
    return found


def known_equations(plan: Plan) -> list[equations.Equation]:
    """Return the equations whose lessons are in this book."""
    numbers = {stem[:2] for stem in plan.stems}
    return [row for row in equations.read() if row.lesson in numbers]


def filled(text: str, place: str, content: str) -> str:
    """Put content where a page has `<!-- place -->`."""
    return text.replace(f"<!-- {place} -->", content)


def raw(file: str) -> str:
    """Write the directive that takes a file into a page as it is."""
    return f"```{{raw}} html\n:file: {file}\n```"


def claims(found: Pages, language: str, stems: list[str]) -> str:
    """Write the cards of these lessons into a file of its own; return what takes it."""
    shown = [card for card in all_cards().values() if card.lesson in stems]
    found["claims.html"] = claims_page(shown, language)
    return raw("claims.html")


def contents(found: Pages, language: str) -> str:
    """Write the tables of contents of the side bar, in the order of reading."""
    sheets = sorted(name[:-3] for name in found if name.startswith("sheets/"))
    taught = sorted(name[:-6] for name in found if name.startswith("lessons/"))
    look_up = ["prerequisites", "glossary", "equations", "claims", "api/index", "cloud"]
    teach = ["instructors", "classroom", "grading"]
    parts = [
        (pick(language, "Lessons", "各课"), taught),
        (pick(language, "Cheat sheets", "速查页"), sheets),
        (pick(language, "To look up", "查阅"), look_up),
        (pick(language, "For instructors", "给教师"), teach),
    ]
    lines = []
    for caption, entries in parts:
        if entries:
            lines += ["", "```{toctree}", ":hidden:", f":caption: {caption}", ""]
            lines += [*entries, "```", ""]
    return "\n".join(lines)


def stage(folder: Path, found: Pages) -> None:
    """Write the pages that have changed, and delete those that are no more."""
    for name, text in found.items():
        file = folder / name
        if not file.exists() or file.read_text("utf-8") != text:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8", newline="\n")
    for file in sorted(folder.rglob("*.*")):
        if file.is_file() and file.relative_to(folder).as_posix() not in found:
            file.unlink()


# -- the book --------------------------------------------------------------------------


def sphinx(plan: Plan, language: str, others: list[str]) -> list[str]:
    """Let Sphinx make one edition; return its warnings.

    others: the pages of the other edition, to which the switch of language leads
    """
    from sphinx.application import Sphinx
    from sphinx.util.docutils import docutils_namespace, patch_docutils

    said = io.StringIO()
    with patch_docutils(str(DOCS)), docutils_namespace():
        app = Sphinx(
            srcdir=plan.out / "source" / language,
            confdir=DOCS,
            outdir=plan.out / "made" / language / "html",
            doctreedir=plan.out / "doctrees" / language,
            buildername="html",
            confoverrides=settings(plan, language, others),
            status=None,
            warning=said,
        )
        app.build()
    warnings = re.sub(r"\x1b\[[0-9;]*m", "", said.getvalue()).splitlines()
    return [line for line in warnings if line.strip()]


def settings(plan: Plan, language: str, others: list[str]) -> dict:
    """Return what differs between the editions."""
    edition = EDITIONS[language]
    other = EDITIONS[pick(language, "zh", "en")]
    switch = {
        "language": other.language,
        "sphinx": other.sphinx,
        "name": edition.other,
        "pages": sorted(others),
    }
    return {
        "language": edition.sphinx,
        "project": edition.title,
        "html_title": edition.title,
        "nb_code_prompt_show": pick(language, "Show the code", "显示代码"),
        "nb_code_prompt_hide": pick(language, "Hide the code", "收起代码"),
        "html_context": {
            "course_other": switch,
            "default_mode": "auto",
            **files_and_issues(plan, language),
        },
        "html_static_path": [str(DOCS / "_static"), str(mathjax.fetch(plan.parts))],
    }


def files_and_issues(plan: Plan, language: str) -> dict:
    """Return what each page offers to download, and where mistakes are reported.

    The address is that of the repository in pyproject.toml; without one, no link.
    """
    labels = {
        "": pick(language, "This lesson's notebook", "本课的笔记本"),
        "_exercises": pick(language, "Its exercises", "本课的练习"),
        "_answers": pick(language, "Answer key of the exercises", "练习的参考答案"),
    }
    files = {
        f"lessons/{stem}": [
            (labels[name.removesuffix(".ipynb").removeprefix(stem)], f"files/{name}")
            for name in plan.files(language, stem)
        ]
        for stem in plan.stems
    }
    project = tomllib.loads((COURSE / "pyproject.toml").read_text("utf-8"))["project"]
    repository = project.get("urls", {}).get("Repository", "").rstrip("/")
    words = {
        "files": pick(language, "Download", "下载"),
        "report": pick(language, "Report a mistake", "报告错误"),
    }
    return {
        "course_files": files,
        "course_issues": repository and f"{repository}/issues",
        "course_words": words,
    }


DOOR = """<!doctype html>
<html lang="en"><meta charset="utf-8">
<title>From word vectors to BERT · 从词向量到 BERT</title>
<meta name="viewport" content="width=device-width">
<link rel="icon" href="en/_static/icon.svg">
<style>
  body { margin: 20vh auto; max-width: 30em; padding: 0 1em; text-align: center;
         font: 1.2em/1.8 system-ui, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif; }
  @media (prefers-color-scheme: dark) { body { background: #14181e; color: #ced6dd; } a { color: #6cb5f9; } }
</style>
<h1>From word vectors to BERT<br><span lang="zh-CN">从词向量到 BERT</span></h1>
<p><a href="en/index.html">English</a> · <a href="zh/index.html" lang="zh-CN">中文</a></p>
</html>
"""  # noqa: E501


def build(plan: Plan) -> list[str]:
    """Make both editions and the door to them; return Sphinx's warnings."""
    maps, models = front.demonstration(COURSE, plan.parts)
    found = {language: pages(plan, language, maps) for language in LANGUAGES}
    there = {}
    for language in LANGUAGES:
        stage(plan.out / "source" / language, found[language])
        kinds = (".md", ".ipynb")
        docs = [n.rpartition(".")[0] for n in found[language] if n.endswith(kinds)]
        there[language] = [*docs, "search"]
    warnings = []
    for language in LANGUAGES:
        other = pick(language, "zh", "en")
        said = sphinx(plan, language, there[other])
        warnings += [f"{language}: {line}" for line in said]
        publish(plan, language, there[language])
    there = plan.out / "html" / "models"  # once for both editions: a page can run them
    shutil.rmtree(there, ignore_errors=True)
    shutil.copytree(models, there)
    (plan.out / "html" / "index.html").write_text(DOOR, encoding="utf-8")
    return warnings


def publish(plan: Plan, language: str, docs: list[str]) -> None:
    """Copy what readers need, and their notebooks: no page that is gone, no map."""
    made, final = plan.out / "made" / language / "html", plan.out / "html" / language
    shutil.rmtree(final, ignore_errors=True)
    leave = shutil.ignore_patterns("*.map", ".buildinfo*", ".doctrees", "objects.inv")
    shutil.copytree(made, final, ignore=leave)
    (final / "files").mkdir()
    for stem in plan.stems:
        for name, path in plan.files(language, stem).items():
            shutil.copyfile(path, final / "files" / name)
    for page in final.rglob("*.html"):
        name = page.relative_to(final).with_suffix("").as_posix()
        if name not in docs and not name.startswith("_static/"):
            page.unlink()


def report(plan: Plan, seconds: float) -> str:
    """Say how large the book is, and which lessons it shows without outputs."""
    files = [f for f in (plan.out / "html").rglob("*") if f.is_file()]
    size = sum(f.stat().st_size for f in files) / 1e6
    bare = [
        f"{language}/{stem}"
        for language in LANGUAGES
        for stem in plan.stems
        if not plan.ready(language, stem)
    ]
    lines = [f"{plan.out / 'html' / 'index.html'}: {len(files)} files, {size:.0f} MB"]
    lines.append(f"built in {seconds:.0f} s; {2 * len(plan.stems)} lesson pages")
    if bare:
        lines.append(f"without outputs: {', '.join(bare)}")
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    """Build the book; return 1 if a lesson failed or Sphinx had to warn."""
    plan, as_is = parse(arguments)
    complaints = [] if as_is else execute(plan)
    began = time.perf_counter()
    try:
        warnings = build(plan)
    except mathjax.CannotFetch as error:
        print(error, file=sys.stderr)
        return 1
    print(*complaints, *warnings, sep="\n", file=sys.stderr)
    print(report(plan, time.perf_counter() - began))
    return int(bool(complaints or warnings))


def parse(arguments: list[str] | None) -> tuple[Plan, bool]:
    """Read the command line; return the plan, and whether nothing shall be executed."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--as-is", action="store_true", help="execute nothing")
    parser.add_argument("--profile", choices=("full", "quick"), default="full")
    parser.add_argument("--lessons", nargs="*", default=[], help="default: all")
    parser.add_argument("--notebooks", type=Path, default=COURSE / "notebooks")
    parser.add_argument("--executed", type=Path, default=COURSE / "build/executed")
    parser.add_argument("--out", type=Path, default=COURSE / "build/book")
    parser.add_argument("--parts", type=Path, help="keeps what is fetched or measured")
    options = parser.parse_args(arguments)
    return Plan(options), options.as_is


if __name__ == "__main__":
    sys.exit(main())
