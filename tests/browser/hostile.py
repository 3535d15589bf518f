"""Hand-ins that try to get out of the page that shows them, and what would notice it.

In a text, JS stands for a program that calls `pwned` with the text's number, LEAK for
an address of a server that takes down who asked. The program has neither quotes nor
spaces nor "=", so that Markdown takes a tag with it for a tag.
"""

from __future__ import annotations

import base64
import contextlib
import copy
import http.server
import io
import json
import re
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import nbformat
from conftest import LAB_SETTINGS, USUAL, lab_environment, lab_options, wait_for

sys.path.insert(0, str(Path(__file__).parents[1] / "grading/tamper"))
import tiny_class as tiny  # noqa: E402

NAME = tiny.NAME
TAG = "<img src=x onerror=JS>"
MACROS = ("href", "url", "require", "unicode", "class", "style", "cssId")

# What each macro of MathJax can do with an address, a class, a style or an id.
IN_FORMULA = {
    "href": r"$\href{javascript:JS}{x} \href{LEAK}{y}$",
    "url": r"$\url{javascript:JS}$",
    "require": r"$\require{LEAK}x$",
    "unicode": r"$\unicode[x;background:url(LEAK)]{65}$",
    "class": r'$\class{x" onmouseover="JS}{y}$',
    "style": r"$\style{background:url(LEAK)}{x}$",
    "cssId": r'$\cssId{x" onmouseover="JS}{y}$',
}
MATHEMATICS = {
    **{
        f"<\\{macro} ...>": f"<\\{macro} autofocus tabindex=0 onfocus=JS onclick=JS "
        f"onmouseover=JS onload=JS>x</\\{macro}>"
        for macro in MACROS
    },
    **{f"\\{macro} in a formula": text for macro, text in IN_FORMULA.items()},
    **{
        f"\\\\{macro} in a formula": text.replace("\\", "\\\\")
        for macro, text in IN_FORMULA.items()
    },
    "<\\style ...> in a formula": "$<\\style onload=JS>x</\\style>$",
    "a tag between dollars": f"$${TAG}$$ ${TAG}$ \\\\({TAG}\\\\)",
    "a tag in an environment": f"\\begin{{a}}{TAG}\\end{{a}}",
    "a tag as an environment's name": f"\\begin{{{TAG}}}x\\end{{{TAG}}}",
    "\\text with a tag": f"$\\text{{{TAG}}} \\mbox{{{TAG}}}$",
}
TAGS = {
    "a picture that fails": TAG,
    "a picture from elsewhere": "![x](LEAK) ![y][r]\n\n[r]: LEAK",
    "a picture that sets the form grader": "![x](/formgrader/?path=leak?NUMBER)",
    "a style sheet": '<style>@import "LEAK"; body {background: url(LEAK)}</style>',
    "a prefetched link": "<link rel=prefetch href=LEAK><link rel=stylesheet href=LEAK>",
    "a refresh": '<meta http-equiv=refresh content="0;url=LEAK">',
    "a frame": '<iframe src=LEAK></iframe><iframe srcdoc="<script>JS</script>">'
    "</iframe>",
    "an object": "<object data=LEAK></object><embed src=LEAK>",
    "svg": "<svg onload=JS><animate onbegin=JS attributeName=x dur=1s></svg>",
    "a link of math": '<math href="javascript:JS"><mtext>x</mtext></math>'
    '<svg><a xlink:href="javascript:JS"><text>x</text></a></svg>',
    "annotation-xml": '<math><annotation-xml encoding="text/html">'
    f"{TAG}</annotation-xml></math>",
    "mglyph": "<math><mtext><table><mglyph><style><!--</style>"
    '<img title="--&gt;&lt;img src=x onerror=JS&gt;"></table></mtext></math>',
    "noscript": f'<noscript><p title="</noscript>{TAG}"></noscript>',
    "a comment": f"<!-->{TAG}--> <!--x--!>{TAG}-->",
    "entities": "&lt;img src=x onerror=JS&gt; &#60;img src=x onerror=JS&#62; &LT;b",
    "a javascript: link": "[x](javascript:JS) [y]\n\n[y]: javascript:JS",
    "a link with an entity": "[x](java&#115;cript:JS) [x](javascript&colon;JS)",
    "a link with odd letters": "[x](JaVaScRiPt:JS) [x](<java\tscript:JS>) "
    "[x](\x01javascript:JS) [x](java\\script:JS) [x](vbscript:JS)",
    "an autolink": "<javascript:JS> <data:text/html,x> <https://a.b/'onclick='JS>",
    "a data: link": "[x](data:text/html,<script>JS</script>) "
    "[x](data:image/svg+xml,<svg/onload=JS>)",
    "a data: picture": '![x](data:image/svg+xml,<svg/onload="JS">)',
    "a link's title": "[x](https://a.b \"a' onmouseover='JS\") "
    "![x](y '\" onload=\"JS')",
    "a tooltip": '<a data-toggle="tooltip" data-html="true" '
    'title="<img src=x onerror=JS>">x</a>',
    "a tag over two lines": "<img\nsrc=x\nonerror=JS\n>",
    "a tag with a slash": "<img/src=x/onerror=JS>",
    "a tag that does not end": "<img src=x onerror=JS x",
    "a text field": f"<textarea></textarea>{TAG}<title></title>{TAG}",
}
STRUCTURE = {
    "a fence": f"```\n</code></pre>{TAG}\n```",
    "a fence that ends ours": f"x\n````\n\n{TAG}\n\n````\ny",
    "fences of many lengths": "\n".join(f"{'`' * n}\n{TAG}" for n in range(3, 13)),
    "one long fence": f"{'`' * 99}\n{TAG}\n{'`' * 98}\n\n{TAG}",
    "tildes": f"~~~\nx\n~~~\n{TAG}",
    "an info string": f'```{TAG}\nx\n```\n```x"onmouseover="JS\nx\n```',
    "code with an end of line": f"```\r{TAG}\r```\r\r{TAG}",
    "code spans": f"`` ` {TAG} `` ` {TAG}",
    "the link below, made by hand": "````\n\n"
    "[with formulas and pictures / 显示公式和图片](javascript:JS)",
    "a mermaid diagram": f'```mermaid\ngraph TD\nA["{TAG}"] --> B\n'
    'click A href "javascript:JS"\n```',
    "a mermaid setting": '```mermaid\n%%{init: {"securityLevel": "loose", "themeCSS": '
    f'"*{{background:url(LEAK)}}"}}}}%%\ngraph TD\nA["{TAG}"]\n```',
    "a template": "{{ '" + TAG + "' | safe }}{% raw %}" + TAG,
    "a null byte": f"<\0img src=x onerror=JS><img\0src=x onerror=JS>\0{TAG}",
    "a line separator": f"<img\u2028src=x onerror=JS>\u2029{TAG}",
    "half a character": f"\ud800{TAG}<\udc00img src=x onerror=JS>",
    "front matter": f"---\ntitle: {TAG}\n---\n\nx",
    "a heading": f'{TAG}\n===\n\n# a"onmouseover="JS {TAG}',
    "a table": f"|a|b|\n|-|-|\n|{TAG}|[x](javascript:JS)|",
    "a list and a quote": f"- > {TAG}\n\n    {TAG}",
    "an attached tag": '![x](attachment:a"onerror="JS) ![x](attachment:<b>)',
}
TEXTS = {"ada": MATHEMATICS, "bo": TAGS, "cy": STRUCTURE}

# Beside the texts: what a hand-in of one more student has (`in_parts`).
PARTS = (
    "a folder's name", "a file's name", "a notebook's title", "a kernel's name",
    "a cell's metadata", "HTML as an output", "LaTeX as an output", "svg as an output",
    "a script as an output", "an error as an output", "a widget's state",
    "an attached svg", "an attached png that is none", "an exception's words",
    "printed HTML", "printed links for a terminal", "code that ends a script",
    "a cell's id", "a picture's name",
)  # fmt: skip
FOLDER = "<img src=x onerror=pwned({})>"
NUMBERS = [name for texts in (*TEXTS.values(), PARTS) for name in texts]


def filled(text: str, name: str, leak: str) -> str:
    """Put program and address of one hostile text into it."""
    number = str(NUMBERS.index(name))
    text = text.replace("JS", f"pwned({number})")
    text = text.replace("LEAK", f"{leak}/leak?{number}")
    return text.replace("NUMBER", number)


def own(kind: str, text: str, **more) -> dict:
    """Return a student's own cell, as it stands in a file."""
    made = {"cell_type": kind, "metadata": {}, "source": text, **more}
    code = {"execution_count": 1, "outputs": []} if kind == "code" else {}
    return code | made


def in_texts(texts: dict[str, str], leak: str) -> dict:
    """Return a notebook with one text as the answer and each in a cell of its own."""
    made = {name: filled(text, name, leak) for name, text in texts.items()}
    answer = next(iter(made.values()))
    found = json.loads(nbformat.writes(tiny.notebook({**tiny.RIGHT, "why-answer": ""})))
    found["cells"][-1]["source"] = answer
    found["cells"] += [own("markdown", text) for text in made.values()]
    return found


def raising(of) -> dict[str, str]:
    """Return answers that print and raise what would get out of a page."""
    escape = "\x1b]8;;javascript:JS\x07x\x1b]8;;\x07 \x1b[31m<b/onclick=JS>\x1b[0m"
    words, printed = of("an exception's words"), of("printed HTML")
    terminal = of("printed links for a terminal", escape + TAG)
    return {
        "softmax": f"def softmax(x):\n    raise ValueError({words!r})",
        "running": f"print({printed!r})\ndef running(f, n):\n    print({printed!r})\n"
        f"    raise KeyError({printed!r})",
        "Scale": f"class Scale:\n    def __init__(self, a):\n"
        f"        print({terminal!r})\n        raise OSError({terminal!r})",
    }


def in_parts(leak: str) -> dict:
    """Return a notebook that is hostile wherever a notebook can hold something."""

    def of(name: str, text: str = TAG) -> str:
        return filled(text, name, leak)

    made = json.loads(nbformat.writes(tiny.notebook({**tiny.RIGHT, **raising(of)})))
    made["metadata"] |= {
        "title": of("a notebook's title"),
        "kernelspec": {
            "name": of("a kernel's name"),
            "display_name": of("a kernel's name"),
        },
        "widgets": {"application/vnd.jupyter.widget-state+json": widget_state(of)},
    }
    made["cells"][-1]["metadata"]["tags"] = [of("a cell's metadata")]
    made["cells"] += own_parts(of)
    return made


def shown_parts(of) -> list[dict]:
    """Return hostile outputs of a cell."""
    forms = {
        "text/html": of("HTML as an output", f"<script>JS</script>{TAG}"),
        "text/latex": of("LaTeX as an output", f"$\\href{{javascript:JS}}{{{TAG}}}$"),
        "image/svg+xml": of("svg as an output", "<svg onload=JS></svg>"),
        "application/javascript": of("a script as an output", "JS"),
        "application/vnd.jupyter.widget-view+json": {"model_id": "m"},
    }
    shown = [
        {"output_type": "display_data", "metadata": {}, "data": {form: data}}
        for form, data in forms.items()
    ]
    error = of("an error as an output")
    shown.append(
        {"output_type": "error", "ename": error, "evalue": error, "traceback": [error]}
    )
    return shown


def own_parts(of) -> list[dict]:
    """Return cells with hostile outputs, attachments, metadata and code."""
    png = of("an attached png that is none", 'iVBO"onload="JS"x="')
    attached = {
        "a.svg": {"image/svg+xml": of("an attached svg", "<svg onload='JS'/>")},
        'b"onload="x.png': {"image/png": png},
    }
    pictures = "![a](attachment:a.svg) ![b](attachment:b%22onload=%22x.png)"
    tagged = {"tags": [of("a cell's metadata")], "name": of("a cell's metadata")}
    code = of("code that ends a script", f"# </script><script>JS</script>{TAG}\n1")
    return [
        own("code", "x = 1", outputs=shown_parts(of)),
        own("markdown", pictures, attachments=attached),
        own("code", code, metadata=tagged),
        own("markdown", of("a picture's name", '![x](attachment:a"onerror="JS)')),
        own("markdown", "x", id=of("a cell's id", '"><img/src=x/onerror=JS>')),
    ]


def widget_state(of) -> dict:
    """Return the state of a widget that shows HTML."""
    state = {"_model_name": "HTMLModel", "value": of("a widget's state")}
    model = {"model_name": "HTMLModel", "state": state}
    model |= {"model_module": "@jupyter-widgets/controls", "model_module_version": "2"}
    return {"version_major": 2, "version_minor": 0, "state": {"m": model}}


def png() -> str:
    """Return a small picture in base64."""
    import numpy as np
    from matplotlib.image import imsave

    file = io.BytesIO()
    imsave(file, np.linspace(0, 1, 40 * 60).reshape(40, 60))
    return base64.b64encode(file.getvalue()).decode()


HONEST = r"""Since $\frac{e^{x_i}}{\sum_j e^{x_j}} < 1$, **all** add up to one:

$$\sum_{i=1}^{n} p_i = 1$$

\begin{align*}
p_1 &= \frac{1}{1 + e^{x_2 - x_1}} \\
p_2 &= 1 - p_1
\end{align*}

In colour: $\color{red}{x^2}$. See [the book](https://example.org/book) and
`a < b`.

![a picture](attachment:我 的.png)
"""


def honest() -> dict:
    """Return a notebook whose written answer has formulas, a link and a picture."""
    answers = {**tiny.RIGHT, "why-answer": HONEST.replace("我 的", "%E6%88%91%20的")}
    made = json.loads(nbformat.writes(tiny.notebook(answers)))
    made["cells"][-1]["attachments"] = {"我 的.png": {"image/png": png()}}
    return made


def hand_in(room, leak: str) -> None:
    """Hand in all of it, and the work of one honest student."""
    for student, texts in TEXTS.items():
        tiny.save(room, student, in_texts(texts, leak))
    folder = FOLDER.format(NUMBERS.index("a folder's name"))
    path = tiny.save(room, folder, in_parts(leak))
    name = FOLDER.format(NUMBERS.index("a file's name"))
    path.rename(path.with_name(f"{name}.ipynb"))  # it is found, and named in a note
    path.with_name(f"{name}.txt").write_text("x")
    tiny.save(room, "gil", copy.deepcopy(honest()))


# What notices


@contextlib.contextmanager
def leaks():
    """Run a server; yield its address and the list of what it was asked for."""
    asked: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(self.server.page.encode())

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.page = "<!doctype html><title>elsewhere</title>"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked, server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def write_settings(folder: Path) -> None:
    """Keep from JupyterLab's window what a first visit would pop up."""
    for name, values in LAB_SETTINGS.items():
        file = folder / f"{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(values))


@contextlib.contextmanager
def serving(root: Path, private: Path, course: Path):
    """Run a Jupyter server, with the form grader, in a class; yield its address."""
    write_settings(private / "settings/@jupyterlab")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "jupyterlab", *lab_options(root, port)]
    address, log = f"http://127.0.0.1:{port}", private / "lab.log"
    with open(log, "w") as file:
        server = subprocess.Popen(
            command, cwd=root, env=lab_environment(private, course), stdout=file,
            stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
    try:
        wait_for(server, address, log)
        yield address
    finally:
        server.send_signal(signal.SIGTERM)  # it ends its kernels itself
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


# All that a mouse and a keyboard could do to what a student may have put there. Our own
# and the form grader's buttons have listeners and no attributes: they are not pressed.
POKE = """() => {
  for (const element of document.querySelectorAll('*')) {
    for (const { name } of [...element.attributes])
      if (name.startsWith('on')) element.dispatchEvent(new Event(name.slice(2)));
    for (const name of ['mouseover', 'mouseenter', 'pointerover', 'focus', 'focusin'])
      element.dispatchEvent(new Event(name, { bubbles: name.endsWith('over') }));
    const { href } = element;
    const where = href?.baseVal ?? href ?? element.getAttribute('href') ?? '';
    if (/^\\W*(java|vb|data)/i.test(where))
      element.dispatchEvent(new MouseEvent('click', { bubbles: true }));
  }
}"""
# A text that is only spaces and tags may leave nothing to be drawn.
DRAWN = """() => { const cells = [...document.querySelectorAll('.jp-MarkdownCell')];
  return cells.length && cells.filter(cell => cell.querySelector('.jp-RenderedMarkdown')
    ?.childElementCount).length >= 0.8 * cells.length; }"""
PWNED = "window.pwned = number => { document.title = 'PWNED'; tell(number); }"
# One notebook in a JupyterLab that is open already, without a kernel, and no other.
OPEN = """async (path) => {
  const { commands, shell } = window.jupyterapp;
  for (const widget of [...shell.widgets('main')]) widget.dispose();
  const kernelPreference = { shouldStart: false, canStart: false };
  const widget = await commands.execute('docmanager:open',
    { path, factory: 'Notebook', kernelPreference });
  await widget.context.ready;
  shell.activateById(widget.id);
}"""
MATHJAX = "https://cdnjs.cloudflare.com/ajax/libs/mathjax/"


class Watch:
    """A browser's window in which nothing of a student's may run or load."""

    def __init__(self, browser, home: str, asked: list[str], **options):
        self.context = browser.new_context(**(USUAL | options))
        self.home, self.asked, self.seen = home, asked, set()
        self.may_load_mathjax = False
        self.context.expose_binding("tell", lambda _, number: self.ran(number))
        self.context.add_init_script(PWNED)
        self.context.on("request", lambda request: self.requested(request.url))
        self.context.on("dialog", self.dialog)

    def ran(self, number) -> None:
        self.seen.add(f"{NUMBERS[int(number)]}: ran")

    def dialog(self, dialog) -> None:
        self.seen.add(f"a dialog: {dialog.message}")
        dialog.dismiss()

    def requested(self, url: str) -> None:
        """Note a request for what only a student's text can have asked for."""
        known = self.home, "ws://", "file:", "data:", "blob:", "about:", "attachment:"
        if found := re.search(r"leak(?:\?|%3F)(\d+)", url):
            self.seen.add(f"{NUMBERS[int(found[1])]}: loaded")
        elif self.may_load_mathjax and url.startswith(MATHJAX):
            return
        elif not url.startswith(known):
            self.seen.add(f"asked for {url[:100]}")

    def token(self, address: str) -> str:
        """Return what JupyterLab adds to the address of a file that it opens."""
        if "/files/" not in address or address.startswith("file:"):
            return ""
        if not self.context.cookies(self.home):
            self.context.request.get(f"{self.home}/lab")
        (found,) = [c for c in self.context.cookies(self.home) if c["name"] == "_xsrf"]
        return f"?_xsrf={found['value']}"

    def look(self, address: str) -> list[str]:
        """Open a page, touch all that is on it; return what should not have been."""
        self.seen.clear()
        self.asked.clear()
        page = self.context.new_page()
        with self.noticing(page):
            answer = page.goto(address + self.token(address), wait_until="load")
            if not address.startswith("file:") and not answer.ok:
                self.seen.add(f"there is no page: {answer.status}")
            self.touch(page)
        page.close()
        return sorted(self.seen)

    def look_in_lab(self, paths: dict[str, str]) -> dict[str, list[str]]:
        """Open notebooks one by one in a JupyterLab; return what was noticed."""
        page, found = self.context.new_page(), {}
        page.goto(f"{self.home}/lab?reset", wait_until="load")
        page.wait_for_function("window.jupyterapp?.restored", timeout=60_000)
        for student, path in paths.items():
            self.seen.clear()
            self.asked.clear()
            with self.noticing(page):
                page.evaluate(OPEN, path)
                page.wait_for_function(DRAWN, timeout=20_000)
                page.wait_for_timeout(600)  # for MathJax, which comes later
                self.touch(page)
            if self.seen:
                found[student] = sorted(self.seen)
        page.close()
        return found

    def touch(self, page) -> None:
        """Do to a page what a mouse can do; look whether it is another one now."""
        page.evaluate(POKE)
        page.wait_for_timeout(200)
        if "PWNED" in page.title():
            self.seen.add("the title is another")

    @contextlib.contextmanager
    def noticing(self, page):
        """Note what fails, too: the page may have gone elsewhere by itself."""
        try:
            yield
        except Exception as error:
            self.seen.add(f"{type(error).__name__}: {str(error).splitlines()[0]}")
        for path in self.asked:
            self.requested(path)
