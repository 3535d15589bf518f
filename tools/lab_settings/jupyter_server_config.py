"""The course's settings for Jupyter's server; tools/lab.py names this folder to it."""

import sys
import warnings
from pathlib import Path

c = get_config()  # noqa: F821 (Jupyter defines it)

# What instructors need; `jupyter lab` without these settings has it.
c.ServerApp.jpserver_extensions = {
    "nbgrader.server_extensions.formgrader": False,
    "nbgrader.server_extensions.validate_assignment": False,
    "nbgrader.server_extensions.assignment_list": False,
    "nbgrader.server_extensions.course_list": False,
}

TOOLS = Path(__file__).resolve().parents[1]


def refresh_progress(model, os_path, contents_manager, **_) -> None:
    """Write the page of progress again after a notebook in work/ was saved."""
    work = TOOLS.parent / "work"
    if model["type"] != "notebook" or work not in Path(os_path).parents:
        return
    try:
        if str(TOOLS) not in sys.path:
            sys.path.append(str(TOOLS))
        import progress

        progress.refresh(work)
    except Exception as error:  # saving must not fail for it
        contents_manager.log.warning("no page of progress: %s", error)


# The server reads this file twice.
warnings.filterwarnings("ignore", "Overriding existing post_save_hook")
c.FileContentsManager.post_save_hook = refresh_progress
