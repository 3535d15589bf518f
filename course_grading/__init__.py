"""The class grader: it takes in a class's notebooks, judges, records and reports them.

What a student's notebook calls is course_lib.grading; docs/grading.md tells the rest.
"""
