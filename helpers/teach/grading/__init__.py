"""Grading a class: collect, run confined, compare in the trusted process, report."""
