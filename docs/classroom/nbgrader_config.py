"""nbgrader for everybody on the hub; install.sh copies it to etc/."""

import os
from pathlib import Path

c = get_config()  # noqa: F821 (nbgrader defines it)

ROOT = Path(__file__).resolve().parents[1]

c.CourseDirectory.course_id = "text-representations"
c.Exchange.root = str(ROOT / "exchange")
c.Exchange.path_includes_course = False
c.Execute.timeout = 60  # seconds a cell, when a student validates

# The instructor's form grader looks into the class's folder, wherever it is opened.
room = Path.home() / "class"
if os.environ.get("USER") == (ROOT / "cache").owner() and room.is_dir():
    load_subconfig(str(room / "nbgrader_config.py"))  # noqa: F821
    c.CourseDirectory.root = str(room)
