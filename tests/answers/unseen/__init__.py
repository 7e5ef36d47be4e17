"""Answers that were written without a look at the recorded ones: what the check does on what it has not seen."""
