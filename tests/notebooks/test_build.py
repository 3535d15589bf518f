"""The authoring pipeline: one text source, two editions, nothing that varies."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from xml.etree import ElementTree

import build
import pytest
import sources

LESSON = r"""
# %% [markdown] key="why" lang="en"
# # Why?
#
# A map $f: V \to \mathbb{R}^D$, say $$C:\mathcal{V}$$ and so on.

# %% [markdown] key="why" lang="zh" follows="WHY"
# # 为什么？

# %% key="start"
import matplotlib.pyplot as plt

import course_lib

t = course_lib.start("en")

# %% key="sum"
two = 1 + 1

# %% key="picture" fold=true
figure, axes = plt.subplots()
axes.plot([1, 2])
course_lib.show(figure, alt=t("a rising line", "一条上升的线"))

# %% [markdown] key="end" lang="en"
# Read on at https://example.org/home/page; see ![a plot](../data/plot.png).

# %% [markdown] key="end" lang="zh" follows="END"
# 接着读下去。
""".lstrip()

HIDDEN = "assert math.isclose(add(math.pi, 1), math.pi + 1)"
ASSIGNMENT = f"""
# %% [markdown] key="task" lang="en"
# Write `add`.

# %% [markdown] key="task" lang="zh" follows="TASK"
# 写出 `add`。

# %% key="setup" role="given"
import math

# %% key="add" role="answer"
def add(a, b):
    ### BEGIN SOLUTION
    total_of_both = a + b
    return total_of_both
    ### END SOLUTION


# %% key="test_add" role="test" points=2
assert add(1, 2) == 3, "1 + 2 is 3"
### BEGIN HIDDEN TESTS
{HIDDEN}
### END HIDDEN TESTS

# %% [markdown] key="essay" lang="en" role="written" points=3
# Because the order of a sum does not matter.

# %% [markdown] key="essay" lang="zh" follows="ESSAY"
# 因为求和与先后次序没有关系。
""".lstrip()


def place(course: Path, kind: str) -> Path:
    """Return where the source of a lesson, or of an assignment, is."""
    name = "06_demo.py" if kind == "lessons" else "06_demo/notebook.py"
    return course / "source" / kind / name


def write_source(course: Path, kind: str, text: str) -> Path:
    path = place(course, kind)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def stamp(path: Path) -> Path:
    """Mark every Chinese cell as following the English beside it."""
    text = path.read_text(encoding="utf-8")
    for key, mark in sources.outdated(sources.read(path)).items():
        text = build.stamped(text, key, mark)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory, course: Path) -> Path:
    """Build, once, a course of one lesson and one assignment."""
    root = tmp_path_factory.mktemp("example")
    shutil.copy(course / "nbgrader_config.py", root)
    stamp(write_source(root, "lessons", LESSON))
    stamp(write_source(root, "assignments", ASSIGNMENT))
    assert run(root) == 0
    return root


@pytest.fixture(scope="module")
def released() -> dict:
    """Return what nbgrader made of which solutions, as far as a test keeps it here."""
    return {}


@pytest.fixture
def known_release(monkeypatch, released):
    """Ask nbgrader, which takes seconds to start, only once for the same solutions."""
    real = build.release

    def release(course: Path, solutions: dict) -> dict:
        key = json.dumps(solutions)
        if key not in released:
            released[key] = real(course, solutions)
        return released[key]

    monkeypatch.setattr(build, "release", release)


@pytest.fixture
def small(example: Path, tmp_path: Path) -> Path:
    """Return a copy of the example, in another folder, that a test may change."""
    return Path(shutil.copytree(example, tmp_path / "course"))


def run(course: Path, *arguments: str) -> int:
    return build.main([*arguments, "--course", str(course)])


def cells(course: Path, path: str) -> dict[str, dict]:
    content = json.loads((course / path).read_text(encoding="utf-8"))
    return {cell["id"]: cell for cell in content["cells"]}


def tree(course: Path) -> dict[str, bytes]:
    return {str(p.relative_to(course)): p.read_bytes() for p in course.rglob("*.ipynb")}


# What is built


def test_check_fails_before_the_build_and_passes_after_it(small, known_release, capsys):
    shutil.rmtree(small / "notebooks")
    assert run(small, "--check") == 1
    assert "notebooks/en/06_demo.ipynb: not built yet" in capsys.readouterr().err
    assert run(small) == 0
    assert run(small, "--check") == 0, capsys.readouterr().err


def test_the_same_sources_give_the_same_bytes_in_any_folder(example, small):
    for name in ("notebooks", "solutions", "exercises"):
        shutil.rmtree(small / name)
    assert run(small) == 0
    assert len(tree(small)) == 6
    assert tree(small) == tree(example)


def test_a_notebook_holds_nothing_that_varies(small):
    for path, content in tree(small).items():
        assert content.endswith(b"\n") and not content.endswith(b"\n\n"), path
        assert str(small).encode() not in content
        notebook = json.loads(content)
        assert notebook["metadata"] == build.METADATA
        for cell in notebook["cells"]:
            assert not cell.get("outputs") and not cell.get("execution_count")
            known = {"nbgrader", "deletable", "editable", "jupyter"}
            assert cell["metadata"].keys() <= known


def test_the_editions_share_all_code_but_its_texts(small):
    english = cells(small, "notebooks/en/06_demo.ipynb")
    chinese = cells(small, "notebooks/zh/06_demo.ipynb")
    assert list(english) == list(chinese)
    differing = {
        (before, after)
        for key in english
        if english[key]["cell_type"] == "code"
        for before, after in zip(
            english[key]["source"], chinese[key]["source"], strict=True
        )
        if before != after
    }
    show = "course_lib.show(figure, alt={})".format
    assert differing == {
        ('t = course_lib.start("en")', 't = course_lib.start("zh")'),
        (show('"a rising line"'), show('"一条上升的线"')),
    }
    assert "".join(english["why"]["source"]).startswith("# Why?")
    assert chinese["why"]["source"][0] == "# 为什么？\n"


def test_a_folded_cell_is_closed_and_no_other_is(small):
    for language in ("en", "zh"):
        found = cells(small, f"notebooks/{language}/06_demo.ipynb")
        assert found["picture"]["metadata"] == {"jupyter": {"source_hidden": True}}
        assert found["sum"]["metadata"] == {}


def test_a_drawing_is_drawn_in_each_language_and_stands_beside_the_notebooks(
    small, known_release
):
    rooms = small / "source/drawings"
    rooms.mkdir()
    text = "from drawing import Drawing\n\n\ndef cell(t):\n    d = Drawing(90, 40)\n"
    text += '    d.box(5, 5, 80, 30, t("cell < state", "单元"))\n    return d\n'
    (rooms / "lesson_06.py").write_text(text, encoding="utf-8")
    lesson = place(small, "lessons")
    source = lesson.read_text(encoding="utf-8")
    shown = source.replace("# 接着读下去。", "# ![单元](drawing:cell)")
    shown = shown.replace("# Read on", "# ![a cell](drawing:cell) Read on")
    lesson.write_text(shown, encoding="utf-8")
    stamp(lesson)
    assert run(small) == 0
    for language, word in (("en", "cell &lt; state"), ("zh", "单元")):
        prose = cells(small, f"notebooks/{language}/06_demo.ipynb")["end"]["source"]
        assert f"](../drawings/cell_{language}.svg)" in "".join(prose)
        picture = small / f"notebooks/drawings/cell_{language}.svg"
        root = ElementTree.fromstring(picture.read_text(encoding="utf-8"))
        assert word in ElementTree.tostring(root, encoding="unicode")
    lesson.write_text(shown.replace("drawing:cell", "drawing:cel"), encoding="utf-8")
    stamp(lesson)
    assert run(small) == 1, "there is no such drawing"


def test_an_assignment_shows_both_languages_and_no_solution(small):
    solution = cells(small, "solutions/06_demo/06_demo.ipynb")
    exercise = cells(small, "exercises/06_demo/06_demo.ipynb")
    assert "".join(exercise["task"]["source"]) == "Write `add`.\n\n---\n\n写出 `add`。"
    assert "    total_of_both = a + b\n" in solution["add"]["source"]
    assert exercise["add"]["source"][1].strip().startswith("raise NotImplementedError")
    assert exercise["test_add"]["source"] == ['assert add(1, 2) == 3, "1 + 2 is 3"']
    assert exercise["essay"]["source"] == ["YOUR ANSWER HERE / 在此作答"]
    assert exercise["test_add"]["metadata"]["nbgrader"]["points"] == 2
    assert exercise["setup"]["metadata"]["editable"] is False


def test_an_exercise_comes_in_each_language_for_the_same_marks(small):
    """nbgrader and the class grader know cells by name: all those are as released."""
    released = cells(small, "exercises/06_demo/06_demo.ipynb")
    for language, task in (("en", "Write `add`."), ("zh", "写出 `add`。")):
        edition = cells(small, f"notebooks/{language}/exercises/06_demo.ipynb")
        assert list(edition) == list(released)
        assert edition["task"]["source"] == [task]
        for key in released.keys() - {"task"}:
            assert edition[key] == released[key]


# What a check refuses: kind of source, from, to, key of the cell, words of the message

DEFECTS = {
    "English changed": ("lessons", "# # Why?", "# # Why now?", "why", "outdated"),
    "unknown option": ("lessons", " follows=", " folows=", "why", "unknown option"),
    "no Chinese twin": (
        "lessons",
        '# %% [markdown] key="end" lang="zh"',
        '# %% [markdown] key="bye" lang="zh"',
        "end",
        "no Chinese cell",
    ),
    "no English twin": (
        "lessons",
        '# %% [markdown] key="end" lang="en"',
        '# %% [markdown] key="bye" lang="en"',
        "end",
        "no English cell",
    ),
    "no language": ("lessons", 'key="end" lang="en"', 'key="bye"', "bye", "needs lang"),
    "code in a language": (
        "lessons",
        'key="sum"',
        'key="sum" lang="en"',
        "sum",
        "is prose",
    ),
    "no key": ("lessons", '# %% key="sum"', "# %%", "number 4", "has no key"),
    "key with a blank": ("lessons", '"sum"', '"two words"', "two words", "letters"),
    "key used twice": ("lessons", '"sum"', '"start"', "start", "key is taken"),
    "key of prose": ("lessons", '"sum"', '"why"', "why", "key is taken"),
    "long run of code": (
        "lessons",
        "two = 1 + 1",
        '1\n\n# %% key="a"\n2\n\n# %% key="b"\n3',
        "b",
        "more than 3 code cells",
    ),
    "home folder": (
        "lessons",
        "two = 1",
        'two = open("/home/ada/x") ==',
        "sum",
        "path",
    ),
    "drive letter": ("lessons", "two = 1", r'two = open("C:\\ada") ==', "sum", "path"),
    "path in prose": ("lessons", "Read on", "Open /Users/ada/x", "end", "path"),
    "figure not shown": ("lessons", "course_lib.show", "print", "picture", "alt text"),
    "figure without alt": ("lessons", "alt=t(", "t(", "picture", "alt text"),
    "figure with empty alt": (
        "lessons",
        't("a rising line", "一条上升的线")',
        '""',
        "picture",
        "alt text",
    ),
    "plt.show": ("lessons", "two = 1 + 1", "plt.show()", "sum", "alt text"),
    "image without alt": ("lessons", "![a plot]", "![]", "end", "alt text"),
    "img without alt": ("lessons", "![a plot](", "<img src=x>(", "end", "alt text"),
    "emphasis not closed": (
        "lessons",
        "接着读下去。",
        "*接着读。*下去有*图*。",
        "end",
        "emphasis",
    ),
    "underscores": (
        "lessons",
        "接着读下去。",
        "“我 吃 ____”和“____ 吃”。",
        "end",
        "emphasis",
    ),
    "not Python": ("lessons", "two = 1 + 1", "1 +", "sum", "not valid Python"),
    "no start": ("lessons", 'start("en")', 'start("zh")', "why", "a lesson calls"),
    "test without points": ("assignments", " points=2", "", "test_add", "need points"),
    "answer with points": (
        "assignments",
        'role="answer"',
        'role="answer" points=1',
        "add",
        "need points",
    ),
    "unknown role": ("assignments", '"given"', '"setup"', "setup", "is none of"),
}


@pytest.mark.parametrize("defect", DEFECTS)
def test_a_defect_is_refused_and_its_cell_named(small, defect):
    kind, old, new, key, message = DEFECTS[defect]
    path = place(small, kind)
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")

    found = sources.problems(path)
    assert any(f"cell '{key}'" in problem and message in problem for problem in found)
    shown = place(Path(), kind).as_posix()
    assert all(problem.startswith(f"{shown}: ") for problem in found)


def test_the_sources_of_these_tests_are_themselves_in_order(small):
    for kind in ("lessons", "assignments"):
        assert sources.problems(place(small, kind)) == []


def test_what_was_edited_by_hand_is_stale_and_the_cell_named(
    small, known_release, capsys
):
    edits = {
        "notebooks/zh/06_demo.ipynb": "start",
        "exercises/06_demo/06_demo.ipynb": "setup",
    }
    for path in edits:
        text = (small / path).read_text(encoding="utf-8")
        (small / path).write_text(text.replace("import ma", "import  ma"), "utf-8")
    assert run(small, "--check") == 1
    complaint = capsys.readouterr().err
    for path, key in edits.items():
        assert f"{path}: stale from cell '{key}' on" in complaint


def test_a_notebook_without_a_source_is_named_but_not_deleted(
    small, known_release, capsys
):
    stray = shutil.copy(
        small / "notebooks/en/06_demo.ipynb", small / "notebooks/en/my.ipynb"
    )
    assert run(small) == 0
    assert Path(stray).exists()
    assert run(small, "--check") == 1
    assert "notebooks/en/my.ipynb: built from no source" in capsys.readouterr().err


# A failing build changes nothing


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("### END SOLUTION", "", "no end solution statement"),
        ('key="add" role="answer"', 'key="add"', "nbgrader generate_assignment failed"),
        ("# Write `add`.", "# `total_of_both = a+b`", "cell 'task' shows a line"),
        ("import math", f"import math\n{HIDDEN}", "hidden tests of 'test_add'"),
        ('"1 + 2 is 3"', '"Because the order of a sum does not matter."', "'essay'"),
    ],
)
def test_a_failing_build_leaves_the_old_trees_untouched(
    small, old, new, message, capsys
):
    before = tree(small)
    path = small / "source/assignments/06_demo/notebook.py"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    lesson = small / "source/lessons/06_demo.py"
    lesson.write_text(
        lesson.read_text(encoding="utf-8").replace("[1, 2]", "[3, 4]"), encoding="utf-8"
    )

    assert run(small) == 1
    assert message in capsys.readouterr().err
    assert tree(small) == before


# Keeping the Chinese in step with the English


def test_restamp_lists_first_and_stamps_only_what_it_is_told(small, capsys):
    path = small / "source/lessons/06_demo.py"
    text = path.read_text(encoding="utf-8")
    changed = text.replace("# # Why?", "# # Why now?").replace("Read on", "Go on")
    path.write_text(changed, encoding="utf-8")

    assert run(small, "--restamp", "06_demo") == 0
    listed = capsys.readouterr().out
    assert "revise the Chinese of 'why'" in listed
    assert "revise the Chinese of 'end'" in listed
    assert path.read_text(encoding="utf-8") == changed

    assert run(small, "--restamp", "06_demo", "why") == 0
    assert list(sources.outdated(sources.read(path))) == ["end"]
    assert run(small, "--restamp", "06_demo", "all") == 0
    assert sources.problems(path) == []
    # Nothing but the two fingerprints has changed.
    without = [
        [line for line in source.splitlines() if "follows=" not in line]
        for source in (changed, path.read_text(encoding="utf-8"))
    ]
    assert without[0] == without[1]


def test_a_folder_says_whether_the_lesson_or_its_assignment_is_meant(small):
    lesson = small / "source/lessons/06_demo.py"
    assignment = small / "source/assignments/06_demo/notebook.py"
    for path in (lesson, assignment):
        text = path.read_text(encoding="utf-8")
        path.write_text(re.sub(r'follows="\w+"', 'follows="00000000"', text), "utf-8")
    assert run(small, "--restamp", "lessons/06_demo", "all") == 0
    assert not sources.outdated(sources.read(lesson))
    assert sources.outdated(sources.read(assignment))


def test_restamp_leaves_a_source_as_it_was_until_the_new_one_is_written(
    small, monkeypatch
):
    def stop(*_):
        raise KeyboardInterrupt

    path = small / "source/lessons/06_demo.py"
    text = path.read_text(encoding="utf-8").replace("# Why?", "# Why so?")
    path.write_text(text, encoding="utf-8", newline="\r\n")
    before = path.read_bytes()
    assert run(small, "--restamp", "06_demo") == 0  # only lists
    assert path.read_bytes() == before
    monkeypatch.setattr(Path, "replace", stop)
    with pytest.raises(KeyboardInterrupt):
        run(small, "--restamp", "06_demo", "all")
    assert path.read_bytes() == before


def test_restamp_refuses_a_key_or_a_source_that_is_not_there(small, capsys):
    assert run(small, "--restamp", "06_demo", "nonsense") == 1
    assert "'nonsense' is not outdated" in capsys.readouterr().out
    assert run(small, "--restamp", "99_none") == 1


def test_a_first_stamp_needs_no_placeholder():
    header = '# %% [markdown] key="why" lang="zh"\n# 为什么'
    assert build.stamped(header, "why", "0123abcd") == (
        '# %% [markdown] key="why" lang="zh" follows="0123abcd"\n# 为什么'
    )


# A heading that jupytext, left alone, would take for IPython's help


def test_text_and_comments_reach_the_notebook_as_they_are_written(tmp_path):
    lines = ["# Why?", "", "cat sat", "!Yes", "%timeit"]
    script = "\n".join(['# %% [markdown] key="why"', *(f"# {x}" for x in lines)])
    script += '\n\n# %% key="code"\n# Why?\n1\n'
    prose, code = sources.read(write_source(tmp_path, "lessons", script))
    assert prose.text.split("\n") == lines
    assert code.text == "# Why?\n1"


# The course itself


@pytest.mark.whole  # what `make check` does
def test_the_committed_notebooks_are_what_the_sources_say(course, capfd):
    assert build.source_files(course)
    assert run(course, "--check") == 0, capfd.readouterr().err
