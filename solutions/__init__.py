"""The course's solutions: what instructors keep, left out of a student edition. One module a notebook."""
