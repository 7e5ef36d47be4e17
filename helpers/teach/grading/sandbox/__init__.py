"""Where answers run: a warm process, its confined forks, and what passes between them and the trusted side."""
