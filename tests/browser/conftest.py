"""A real browser and a real JupyterLab for the tests, with nothing to set up by hand.

One browser and one server a session, a fresh context a test. No name but localhost
resolves, and a request for any other address fails the test that caused it. Pictures
of each run stay in pytest's temporary folder for whoever wants to look.
"""

from __future__ import annotations

import contextlib
import functools
import json
import logging
import os
import shutil
import signal
import socket
import subprocess
import sys
import tarfile
import tempfile
import time
import urllib.request
import warnings
from pathlib import Path

import numpy as np
import pytest

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))  # every_widget.py, for its importers
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "docs"))  # bookmaking
pytest.register_assert_rewrite("every_widget")

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--font-render-hinting=none",
    "--force-color-profile=srgb",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
]
LOCAL = ("http://127.0.0.1", "ws://127.0.0.1", "file:", "data:", "blob:", "about:")
USUAL = {
    "viewport": {"width": 1100, "height": 1000},
    "reduced_motion": "reduce",
    "locale": "en-GB",
    "color_scheme": "light",
}

# What a first visit would pop up over the page, or what hides cells from a test.
LAB_SETTINGS = {
    "apputils-extension/notification": {
        "fetchNews": "false",
        "checkForUpdates": False,
        "doNotDisturbMode": True,
    },
    "notebook-extension/tracker": {"windowingMode": "none"},
    "docmanager-extension/plugin": {"autosave": False},
}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """What is seen in a browser belongs to the whole."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker("whole")


@pytest.fixture(scope="session")
def browser():
    """Start Chromium, or skip where there is none."""
    reason = "needs playwright: pip install -e '.[test]'"
    playwright = pytest.importorskip("playwright.sync_api", reason=reason)
    names = ("chromium", "chromium-browser", "google-chrome")
    path = next(filter(None, map(shutil.which, names)), None)
    if path is None:
        pytest.skip("needs Chromium: apt-get install chromium")
    with playwright.sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=path, args=FLAGS)
        yield chromium
        chromium.close()


def note_request(asked, elsewhere: list[str]) -> None:
    """Note a request that goes to another address than this machine's."""
    if not asked.url.startswith(LOCAL):
        elsewhere.append(asked.url)


def note_error(said, errors: list[str]) -> None:
    """Note what the page writes to the console as an error."""
    if said.type == "error":
        errors.append(said.text)


@pytest.fixture
def open_page(browser, tmp_path):
    """Return a function that opens an address; nothing else may be loaded by it."""
    contexts, pages, elsewhere, errors = [], [], [], []

    def open_one(address, **options):
        context = browser.new_context(**(USUAL | options))
        contexts.append(context)
        context.on("request", lambda asked: note_request(asked, elsewhere))
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(address, wait_until="domcontentloaded")
        pages.append(page)
        return page

    yield open_one
    for number, page in enumerate(pages):
        with contextlib.suppress(Exception):  # the browser may be gone
            page.screenshot(path=tmp_path / f"{number}.png", full_page=True)
    for context in contexts:
        context.close()
    assert not elsewhere, "the page asked for other addresses"
    assert not errors, "the page's script failed"


@pytest.fixture(scope="session")
def axe(request):
    """Return axe-core (MPL-2.0, only used here, never shipped), fetched by npm once."""
    folder = request.config.cache.mkdir("axe-core")
    script = folder / "axe.min.js"
    if not script.exists():
        npm = shutil.which("npm")
        if npm is None:
            pytest.skip("needs npm to fetch axe-core")
        with tempfile.TemporaryDirectory(dir=folder) as own:  # two workers may fetch
            ask = [npm, "pack", "axe-core@4", "--pack-destination", own]
            try:
                subprocess.run(ask, check=True, capture_output=True, timeout=60)
            except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
                pytest.skip("axe-core cannot be fetched: no network")
            with tarfile.open(next(Path(own).glob("axe-core-*.tgz"))) as package:
                text = package.extractfile("package/axe.min.js").read()
            (Path(own) / script.name).write_bytes(text)
            (Path(own) / script.name).replace(script)
    return script


@pytest.fixture(scope="session")
def lab(tmp_path_factory, course):
    """Start a JupyterLab over a folder of its own: yields the folder, the address."""
    private = tmp_path_factory.mktemp("jupyter")
    root, log_file = tmp_path_factory.mktemp("notebooks"), private / "lab.log"
    for name, values in LAB_SETTINGS.items():
        file = private / f"settings/@jupyterlab/{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(values))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    with open(log_file, "w") as log:
        command = [sys.executable, "-m", "jupyterlab", *lab_options(root, port)]
        server = subprocess.Popen(
            command,
            env=lab_environment(private, course),
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            wait_for(server, address, log_file)
            yield root, address
        finally:
            server.send_signal(signal.SIGTERM)  # it ends its kernels itself
            try:
                server.wait(20)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def lab_options(root, port) -> list[str]:
    """Write the server's options: this port, no browser, no password, no news."""
    return [
        "--no-browser",
        "--allow-root",
        "--ip=127.0.0.1",
        f"--port={port}",
        "--ServerApp.port_retries=0",
        "--IdentityProvider.token=",
        "--LabApp.expose_app_in_browser=True",
        "--LabApp.news_url=",
        f"--ServerApp.root_dir={root}",
    ]


def lab_environment(private, course) -> dict[str, str]:
    """Keep the reader's own Jupyter settings out, and let kernels find the course."""
    names = {
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_DATA_DIR": "data",
        "JUPYTER_RUNTIME_DIR": "runtime",
        "IPYTHONDIR": "ipython",
        "JUPYTERLAB_SETTINGS_DIR": "settings",
        "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
    }
    environment = dict(os.environ, PYTHONPATH=str(course), OMP_NUM_THREADS="1")
    environment.pop("MPLBACKEND", None)  # a notebook draws as it does for a student
    return environment | {name: str(private / at) for name, at in names.items()}


def wait_for(server, address, log, seconds=90) -> None:
    """Wait until the server answers."""
    end = time.monotonic() + seconds
    while True:
        try:
            urllib.request.urlopen(f"{address}/api/status", timeout=2).read()
            return
        except OSError:
            if server.poll() is not None or time.monotonic() > end:
                pytest.fail(f"JupyterLab did not start:\n{log.read_text()[-3000:]}")
            time.sleep(0.2)


class Use:
    """One sentence, with the fields of `data.SenseSentence` that the map reads."""

    def __init__(self, word: str, sense: str, tokens: list[str]):
        self.word, self.sense, self.tokens = word, sense, tokens
        self.target_index = tokens.index(word)


SENTENCES = {
    ("bank", "river"): "they walked along the {} at dawn ; the {} was steep and green",
    ("bank", "money"): "the {} lent them money ; she opened an account at the {}",
    ("play", "drama"): "the {} had three acts ; critics praised the {} and its author",
    ("play", "sport"): "rain stopped {} after an hour ; their {} was fast and clever",
    ("苹果", "水果"): "这 个 {} 又 甜 又 脆 ; 饭 后 吃 一 个 {} 吧",
    ("苹果", "公司"): "{} 发布 了 新 手机 ; {} 的 股价 又 涨 了",
    ("打", "击打"): "别 {} 桌子 ; 他 {} 了 一下 门",
    ("打", "拨打"): "我 给 你 {} 电话 ; 他 每天 {} 电话 回家",
}


@pytest.fixture(scope="session")
def uses():
    """Return made-up layers (3, N, D) and sentences of two words in each language.

    Layer 0 is one vector for all; then the senses part, with some noise.
    """
    draw, layers, rows = np.random.default_rng(0), [], []
    for word in dict.fromkeys(word for word, _ in SENTENCES):
        still, place = draw.normal(size=32), draw.normal(size=(2, 32))
        for (own, sense), text in SENTENCES.items():
            if own != word:
                continue
            centre = draw.normal(size=32)
            for number in range(30):
                tokens = text.split(" ; ")[number % 2].replace("{}", word).split()
                rows.append(Use(word, sense, [*tokens, str(number)]))
                noise = draw.normal(size=(2, 32))
                moved = place + np.array([[0.4], [0.7]]) * centre + noise
                layers.append([still, *moved])
    return np.array(layers).transpose(1, 0, 2), rows


@pytest.fixture(scope="session")
def widget(uses):
    """Return a function that makes the widget of one language's two words."""
    from course_lib.widgets import sense_maps

    @functools.cache
    def make(language):
        layers, rows = uses
        words = {"en": ("bank", "play"), "zh": ("苹果", "打")}[language]
        here = [i for i, row in enumerate(rows) if row.word in words]
        return sense_maps(layers[:, here], [rows[i] for i in here], language)

    return make


@contextlib.contextmanager
def every_glyph():
    """Draw as a fresh process does, without the course's font; fail on boxes."""
    from matplotlib.font_manager import fontManager

    from course_lib.figures import FONT

    fontManager.addfont(FONT.as_posix())  # forgets what it had found before
    known = fontManager.ttflist
    known[:] = [font for font in known if font.fname != FONT.as_posix()]
    logger, noted = logging.getLogger("matplotlib.font_manager"), []
    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: noted.append(record.getMessage())
    logger.addHandler(handler)
    try:
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            yield
    finally:
        logger.removeHandler(handler)
    noted += [str(one.message) for one in warned if "Glyph" in str(one.message)]
    assert not noted, "the picture has boxes, or not the font that it asks for"


@pytest.fixture(scope="module")
def written(request, tmp_path_factory):
    """Return a function that writes the module's widget alone into a page.

    A widget is made once a language: its picture takes longer than most tests.
    """
    made, folder = {}, tmp_path_factory.mktemp("pages")

    def bundle(language):
        if language not in made:
            shown = request.getfixturevalue("widget")(language)
            with every_glyph():
                made[language] = shown._repr_mimebundle_()[0]["text/html"]
        return made[language]

    def write(*languages):
        file = folder / f"{'-'.join(languages)}.html"
        if not file.exists():
            widgets = "".join(map(bundle, languages))
            file.write_text(
                f'<!doctype html><html lang="{languages[0]}"><meta charset="utf-8">'
                f"<title>A widget</title>"
                f"<body><main><h1>A widget</h1>{widgets}</main>",
                encoding="utf-8",
            )
        return file.as_uri()

    return write


@pytest.fixture(scope="module")
def windows(browser):
    """Keep one page for each set of options, what it asked for, and what failed."""
    opened, elsewhere, errors = {}, [], []

    def window(**options):
        key = json.dumps(options, sort_keys=True)
        if key not in opened:
            context = browser.new_context(**(USUAL | options))
            context.on("request", lambda asked: note_request(asked, elsewhere))
            page = opened[key] = context.new_page()
            page.on("pageerror", lambda error: errors.append(str(error)))
            page.on("console", lambda said: note_error(said, errors))
        return opened[key]

    yield window, elsewhere, errors
    for page in opened.values():
        page.context.close()


@pytest.fixture
def page_of(request, written, windows):
    """Return a function that opens the module's widget alone: no Jupyter, no kernel.

    Each call loads the page anew, so that no test sees what another one did; two
    languages put two widgets on the page. `READY` of the module is what to wait for.
    """
    window, elsewhere, errors = windows

    def show(*languages, viewport=USUAL["viewport"], **options):
        page = window(**options)
        if page.viewport_size != viewport:
            page.set_viewport_size(viewport)
        address = written(*(languages or ["en"]))
        page.goto(address, wait_until="domcontentloaded")
        if options.get("java_script_enabled", True):
            page.locator(request.module.READY).first.wait_for()
        return page

    yield show
    found = elsewhere.copy(), errors.copy()
    elsewhere.clear()
    errors.clear()
    assert not found[0], "the page asked for other addresses"
    assert not found[1], "the page's script failed"


ASKING = """<!doctype html><html lang="en"><meta charset="utf-8"><title>A widget</title>
<main></main><script type="module">
const source = new Blob([{module}], {{ type: "text/javascript" }});
const {{ default: widget, pageModel }} = await import(URL.createObjectURL(source));
const model = pageModel({state});
let asked = model.get("{question}");
model.save_changes = async () => {{
  if (model.get("{question}") === asked) return;
  asked = model.get("{question}");
  const answer = await window.python(asked);
  if (answer) model.set("answer", answer);
}};
const main = document.querySelector("main");
const display = () => {{
  widget.render({{ model, el: main.appendChild(document.createElement("div")) }});
}};
Object.assign(window, {{ model, display }}); // as Python sets a trait; once more
display();
</script>"""


@pytest.fixture
def with_python(open_page, tmp_path):
    """Return a function that opens a widget and answers its questions.

    The Python of the test plays the kernel's part: what the page puts into the trait
    `question` goes to the widget, whose `answer` goes back; all that was heard is kept.
    """
    from course_lib.widgets import kit

    def start(name, shown, traits, question):
        heard, state = [], {trait: getattr(shown, trait) for trait in traits}
        parts = {"module": kit.script_json(kit.module(name)), "question": question}
        file = tmp_path / "asking.html"
        file.write_text(ASKING.format(state=kit.script_json(state), **parts), "utf-8")

        def python(asked):
            heard.append(asked)
            setattr(shown, question, asked)
            return json.loads(json.dumps(shown.answer))

        page = open_page(file.as_uri())
        page.expose_function("python", python)
        return page, heard

    return start
