"""The pages that list course_lib: a page a room, each name with where it is taught."""

from __future__ import annotations

import re

from . import lessons
from .editions import pick
from .names import ROOMS, Library, Name, Use

ROOM_PAGES = ("course_lib", *ROOMS)
SPECIAL = re.compile(r"([\\*_<>\[\]{}$|#~^])")
CODE = re.compile(r"(`+[^`]+`+)")


def pages(library: Library, uses: dict[str, list[Use]], language: str):
    """Return {file name: text} of all pages."""
    files = {"api/index.md": index(language)}
    for room in ROOM_PAGES:
        files[f"api/{room}.md"] = room_page(room, library, uses, language)
    return files


def index(language: str) -> str:
    """Write the page that leads to the rooms."""
    return pick(
        language,
        "# course_lib\n\nThe package that the lessons lean on: its public functions "
        "and classes, with what their own docstrings say, and with the lessons that "
        "teach them. *Shown* means that the lesson prints the code.\n",
        "# course_lib\n\n各课所用的程序包：公开的函数和类，附上各自的文档字符串"
        "（英文），以及讲到它们的课。“展示”是指那一课打印了它的代码。\n",
    ) + toctree([f"{room}" for room in ROOM_PAGES])


def toctree(names: list[str]) -> str:
    """Write a table of contents that is seen on the page."""
    return "\n```{toctree}\n:maxdepth: 1\n\n" + "\n".join(names) + "\n```\n"


def room_page(room: str, library: Library, uses, language: str) -> str:
    """Write one room: each of its modules, each of their public names."""
    package = "course_lib" if room == "course_lib" else f"course_lib.{room}"
    lines = [f"# {package}", "", paragraphs(library.modules[package]), ""]
    for module in library.modules:
        if not belongs(module, room):
            continue
        own = [n for n in library.names.values() if n.path.rpartition(".")[0] == module]
        if module != package and own:
            lines += [f"## {module.removeprefix(package + '.')}", ""]
            lines += [paragraphs(library.modules[module]), ""]
        lines += [f"```{{py:currentmodule}} {module}", "```", ""]
        for name in own:
            lines += entry(name, uses.get(name.path, []), language)
    return "\n".join(lines)


def belongs(module: str, room: str) -> bool:
    """Say whether a module stands in a room; the first room is the package itself."""
    parts = module.split(".")
    if room == "course_lib":
        return len(parts) == 1 or parts[1] not in ROOMS
    return parts[1:2] == [room]


def entry(name: Name, uses: list[Use], language: str) -> list[str]:
    """Write one name: how it is called, what it says, where it is taught."""
    lines = [
        f"````{{py:{name.kind}}} {name.path.rpartition('.')[2]}{name.signature}",
        "",
        paragraphs(name.doc),
    ]
    for method, signature, doc in name.methods:
        lines.append(f"\n* `{method}{signature}` {escaped(doc.partition(chr(10))[0])}")
    if uses:
        lines += ["", taught_in(uses, language)]
    return [*lines, "````", ""]


def taught_in(uses: list[Use], language: str) -> str:
    """Write the links back to the lessons, those that show the code first."""
    links = [link(use) for use in sorted(uses, key=lambda use: not use.shown)]
    shown = sum(use.shown for use in uses)
    parts = [
        (pick(language, "shown in ", "展示："), links[:shown]),
        (pick(language, "used in ", "用到："), links[shown:]),
    ]
    comma, gap = pick(language, ", ", "、"), pick(language, "; ", "；")
    text = gap.join(word + comma.join(found) for word, found in parts if found)
    return f"{{.taught}}\n{text[:1].upper()}{text[1:]}"


def link(use: Use) -> str:
    """Write a link to the section of a lesson."""
    number = use.stem[:2]
    heading = re.sub(r"^\d+ · ", "", use.heading)
    return f"[{number} · {heading}](#{lessons.target(use.stem, use.key)})"


def paragraphs(doc: str) -> str:
    """Write a docstring as Markdown; what is laid out in columns stays so."""
    blocks = re.split(r"\n\s*\n", doc.strip())
    return "\n\n".join(map(block, blocks)) if doc else ""


def block(text: str) -> str:
    """Write a paragraph, or a block of code if its lines are indented or aligned."""
    if re.search(r"^ {4}|\S {2,}\S", text, re.MULTILINE):
        return f"```text\n{text}\n```"
    fields = re.split(r"\n(?=[\w ,*]{1,40}: )", text)  # each parameter on its own line
    return "\\\n".join(escaped(" ".join(field.split())) for field in fields)


def escaped(text: str) -> str:
    """Keep Markdown from reading marks that a docstring means as themselves."""
    parts = CODE.split(text)
    parts[::2] = [SPECIAL.sub(r"\\\1", part) for part in parts[::2]]
    return "".join(parts)
