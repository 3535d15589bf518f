"""What the tests in a real JupyterLab share: a notebook, its kernel, hand and keyboard.

The fixtures `lab` (the server) and `open_page` (a window) are those of conftest.py.
"""

from __future__ import annotations

import ast
import time

import nbformat

READY = """async () => {
  const session = window.jupyterapp.shell.currentWidget.context.sessionContext;
  await session.ready;
  while (session.session?.kernel?.status !== 'idle')
    await new Promise(resolve => setTimeout(resolve, 50));
}"""
OUTPUTS = """() => window.jupyterapp.shell.currentWidget.content.widgets.flatMap(
  cell => cell.outputArea?.model.toJSON() ?? [])"""
VALUE = """async (expression) => {
  const session = window.jupyterapp.shell.currentWidget.context.sessionContext;
  const ask = { code: '', silent: true, user_expressions: { value: expression } };
  const reply = await session.session.kernel.requestExecute(ask).done;
  const { value } = reply.content.user_expressions;
  if (value.status !== 'ok') throw new Error(`${expression}: ${value.evalue}`);
  return value.data['text/plain'];
}"""
PATIENCE = 20  # seconds: a busy machine is no mistake in the code
THUMB = 16  # pixels, of Chromium's own slider


def notebook(folder, name, cells, outputs=()) -> str:
    """Write a notebook; `outputs` belong to its last cell."""
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    book = nbformat.v4.new_notebook(metadata={"kernelspec": kernel})
    book.cells = [nbformat.v4.new_code_cell(cell) for cell in cells]
    book.cells[-1].outputs = list(outputs)
    nbformat.write(book, folder / name)
    return name


def visit(page, address, name):
    """Open a notebook in a window and wait for its cells."""
    page.goto(f"{address}/doc/tree/{name}?reset", wait_until="domcontentloaded")
    page.wait_for_function(
        "() => window.jupyterapp && document.querySelector('.jp-Notebook .jp-Cell')",
        timeout=60_000,
    )
    return page


def opened(open_page, address, name):
    """Open a notebook in a window of its own."""
    return visit(open_page("about:blank"), address, name)


def run(page, command: str) -> list[dict]:
    """Carry out a command of JupyterLab, wait for the kernel, return all outputs."""
    page.evaluate(READY)
    page.evaluate("name => window.jupyterapp.commands.execute(name)", command)
    page.evaluate(READY)
    return page.evaluate(OUTPUTS)


def assert_clean(outputs) -> None:
    """Fail on an error, and on anything red below a cell."""
    assert not [o for o in outputs if o["output_type"] == "error"]
    assert not [o for o in outputs if o.get("name") == "stderr"]


def kernel(page, expression: str):
    """Return what an expression is in the kernel, without a cell of its own."""
    return ast.literal_eval(page.evaluate(VALUE, expression))


def wait_for_kernel(page, expression: str, expected) -> None:
    """Wait until the kernel has heard of a change; a drag comes piece by piece."""
    end = time.monotonic() + PATIENCE
    while (found := kernel(page, expression)) != expected:
        assert time.monotonic() < end, f"{expression} is {found!r}, not {expected!r}"
        page.wait_for_timeout(50)


def drag(page, slider, share: float) -> float:
    """Drag a slider's thumb to a share of its way, by mouse; return its new value."""
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    low, high, value = slider.evaluate("e => [e.min, e.max, e.value].map(Number)")
    middle = box["y"] + box["height"] / 2

    def x(part):
        return box["x"] + THUMB / 2 + part * (box["width"] - THUMB)

    page.mouse.move(x((value - low) / (high - low)), middle)
    page.mouse.down()
    page.mouse.move(x(share), middle, steps=8)
    page.mouse.up()
    return float(slider.input_value())
