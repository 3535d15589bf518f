"""How long a widget takes to answer: a press of a button, a step of a slider.

    make notebooks                            executes the lessons into build/executed
    python benchmarks/widgets.py              all widgets in them
    python benchmarks/widgets.py a.ipynb      those of one notebook, or of one page

Each widget is taken out of the notebook with all its data and opened alone in Chromium,
without a kernel. Every control is used in turn. Two times are noted: until the page has
changed (the widget's own work, layout included), and until the next frame after it.
Glides are off: their length is chosen, not measured.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

COURSE = Path(__file__).resolve().parent.parent
TIMES = 5  # rounds over all controls
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
TWIN = re.compile(r'<div id="(\w+)-[0-9a-f]{12}">')

# Use one control; return milliseconds until the page has changed, until it is drawn.
USE = """async (element) => {
  const widget = element.closest(".course-widget");
  let changed = false;
  const watch = new MutationObserver(() => (changed = true));
  watch.observe(widget, { subtree: true, childList: true, attributes: true,
                          characterData: true });
  const begin = performance.now();
  if (element.type === "range") {
    const { min, max, step } = element, value = +element.value + (+step || 1);
    element.value = value > +max ? min : value;
    element.dispatchEvent(new Event("input"));
  } else element.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  widget.getBoundingClientRect(); // layout, now
  const first = performance.now() - begin;
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const drawn = performance.now() - begin;
  changed ||= watch.takeRecords().length > 0;
  watch.disconnect();
  return changed ? [first, drawn] : null;
}"""
CONTROLS = (
    ".course-widget :is(button, input[type=range], [role=option], [role=checkbox])"
)


def twins(path: Path) -> dict[str, str]:
    """Return the widgets of a notebook or a page: name to HTML."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".ipynb":
        return {found[1]: text for found in TWIN.finditer(text)}
    found = {}
    for cell in json.loads(text)["cells"]:
        for output in cell.get("outputs", ()):
            page = "".join(output.get("data", {}).get("text/html", ""))
            if match := TWIN.search(page):
                found[match[1]] = page
    return found


def measure(window, address: str, times: int) -> list[list[float]]:
    """Use every control of a page, round after round."""
    window.goto(address)
    window.locator(".course-widget button").first.wait_for()
    found = []
    for _ in range(times):
        for i in range(window.locator(CONTROLS).count()):
            control = window.locator(CONTROLS).nth(i)
            if control.count() and control.is_enabled():
                found.append(control.evaluate(USE))
    return [pair for pair in found if pair]


def line(name: str, found: list[list[float]]) -> str:
    """Write median and 95th percentile of both times."""
    cells = []
    for values in zip(*found, strict=True):
        ordered = sorted(values)
        late = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
        cells.append(f"{statistics.median(values):6.1f} / {late:6.1f}")
    return f"{name:18}" + "   ".join(cells) + f"   n={len(found)}"


def main() -> int:
    """Measure all widgets of the files named."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--times", type=int, default=TIMES)
    options = parser.parse_args()
    files = options.files or sorted((COURSE / "build/executed").glob("*/*.ipynb"))
    pages = {}
    for path in files:
        pages |= {
            f"{name} {path.parent.name}": page for name, page in twins(path).items()
        }
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if not pages or not chromium:
        print(
            "no widget found: run `make notebooks` first" if chromium else "no Chromium"
        )
        return 1
    from playwright.sync_api import sync_playwright

    print(f"{'ms, median / p95':18}  until changed    until drawn")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium, args=FLAGS)
        window = browser.new_context(reduced_motion="reduce").new_page()
        window.set_default_timeout(120_000)
        for number, (name, page) in enumerate(pages.items()):
            file = Path(folder) / f"{number}.html"
            file.write_text(f"<!doctype html><meta charset=utf-8>{page}", "utf-8")
            print(line(name, measure(window, file.as_uri(), options.times)), flush=True)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
