"""How nbgrader finds and treats this course; run its commands in this folder."""

c = get_config()  # noqa: F821 (nbgrader defines it)

c.CourseDirectory.course_id = "text-representations"
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "exercises"
# nbgrader's default, "solution", is one letter away from our source directory.
c.CourseDirectory.solution_directory = "build/solution"
c.CourseDirectory.ignore = [
    ".ipynb_checkpoints",
    "__pycache__",
    "*.pyc",
    "feedback",
    "*.py",  # a script beside a source notebook would publish its solutions
]

c.ClearSolutions.code_stub = {"python": "raise NotImplementedError  # YOUR CODE HERE"}
c.ClearSolutions.text_stub = "YOUR ANSWER HERE / 在此作答"

# A student who deletes a test cell gets it back; nbgrader's default leaves it out.
c.OverwriteCells.add_missing_cells = True
c.Execute.timeout = 60  # seconds a cell
