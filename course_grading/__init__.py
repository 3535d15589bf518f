"""The class grader: it takes in a class's notebooks, judges, records and reports them.

    commands       what an instructor types: `python -m course_lib grade …`
    classroom      a class's folder: what is where, and what a verdict depends on
    intake         what was handed in, built anew from the release; nothing is run
    plain          a student's text in a notebook that others open: as it was typed
    harmless       the same as HTML for our pages: formulas, pictures, and no program
    apart          a process for both, with a limit of time and memory a hand-in
    judge          calls the answers and tests them: a job in, a verdict out
    proxy          stand-ins in the judge for functions and objects in the sandbox
    sandbox        starts, limits and ends the process in which answers run
    agent, wire    all of the course that is in the sandbox; what crosses its wall
    workers        spreads jobs over processes or a dask cluster
    record         verdicts into nbgrader's gradebook, feedback and table of marks
    gradebook      what persons put into it: points, comments, due dates
    exchange       nbgrader's: hand out, take in, give back
    late, settled  what lateness costs; what a person has marked stays marked
    regrade        which recorded marks a new judgement changes, before it does
    exporters      marks for Canvas, Moodle and spreadsheets: nbgrader's plugins
    report, words  a class's tables and picture; reasons in Chinese
    glance         a page: student by task, the commonest mistakes, what to talk about
    written        a page to mark written answers by; the marks are a person's
    pages, phrases what the pages share, in two languages; their forms: templates/
    dependencies   the files which, when changed, make a verdict outdated

What a student's notebook calls is course_lib.grading; the tasks are in
source/assignments; docs/en/grading.md tells an instructor how to use all of it.
"""
