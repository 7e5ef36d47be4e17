"""The student's side: check, hint, predict, show and the growing `my_attention.py`. Needs numpy only."""
