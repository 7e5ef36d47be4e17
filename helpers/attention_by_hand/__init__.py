"""A name that nobody else has, installed beside `helpers`, for the moment before ours can be trusted.

pyproject.toml maps this folder to the top-level package `attention_by_hand`. Importing it does nothing.
`attention_by_hand.guard` is the first import of every notebook, and
`attention_by_hand.pytest_plugin` is what pytest loads at its start.
"""
