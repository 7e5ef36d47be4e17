"""What the tests and the benchmark of the grader share."""
