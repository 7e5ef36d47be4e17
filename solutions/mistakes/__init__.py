"""Typical mistakes, as changes to the solutions. One module a notebook; CONTRIBUTING.md says how to add one."""
