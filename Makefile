# Two commands do all the set-up: `make lab` (open the notebooks) and `make test` (all that CI runs).
ifeq ($(OS),Windows_NT)
PYTHON ?= python
BIN := .venv/Scripts
else
PYTHON ?= python3
BIN := .venv/bin
endif

.PHONY: lab test lint unit notebooks refresh bench lock clean
.DEFAULT_GOAL := lab

lab: .venv/installed ## open JupyterLab on the notebook you are at
	$(BIN)/attention lab

test: lint unit notebooks ## all checks, in the order of their speed

lint: .venv/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

unit: .venv/installed
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n 2

notebooks: .venv/installed
	$(BIN)/python -m pytest --nbval --solved notebooks/
	$(BIN)/attention refresh --check

refresh: .venv/installed ## after editing a notebook or a solution: store outputs, true values and pictures anew
	$(BIN)/attention refresh

bench: .venv/installed ## what an import and a check cost
	$(BIN)/python -m helpers.teach.bench

lock: ## after editing the ranges in pyproject.toml; needs uv
	uv pip compile --universal --python-version 3.11 --all-extras --no-header --no-annotate pyproject.toml -o requirements.lock

.venv/installed: requirements.lock pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet -r requirements.lock
	$(BIN)/python -m pip install --quiet --no-build-isolation --no-deps --editable .
	$(BIN)/python -c "open('.venv/installed', 'w').close()"

clean: ## forget the installation, keep every student's file
	$(PYTHON) -c "import shutil; shutil.rmtree('.venv', ignore_errors=True)"
