# Two commands do all the set-up: `make lab` (open the notebooks) and `make test` (all that CI runs).
ifeq ($(OS),Windows_NT)
PYTHON ?= python
BIN := .venv/Scripts
else
PYTHON ?= python3
BIN := .venv/bin
endif

COMPILE := uv pip compile --quiet --universal --python-version 3.11 --no-header --no-annotate --group build pyproject.toml

.PHONY: lab test lint unit notebooks browser refresh grade bench bench-grading lock clean
.DEFAULT_GOAL := lab

lab: .venv/installed ## open JupyterLab on the notebook you are at
	$(BIN)/attention lab

test: lint unit notebooks ## all checks, in the order of their speed

lint: .venv/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

unit: .venv/installed
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n 2 --dist loadgroup

notebooks: .venv/installed
	$(BIN)/python -m pytest --nbval --solved notebooks/
	$(BIN)/attention refresh --check

browser: .venv/installed ## what the tests in a browser need, besides Chromium and npm; without it they are skipped
	$(BIN)/python -m pip install --quiet -r requirements-browser.lock
	npm ci --prefix tests/browser

refresh: .venv/installed ## after editing a notebook or a solution: store outputs, true values and pictures anew
	$(BIN)/attention refresh

bench: .venv/installed ## what an import, a check and a move of an explorer cost; the last needs `make browser`
	$(BIN)/python -m helpers.teach.bench
	$(BIN)/python -m tests.browser.bench

bench-grading: .venv/installed ## grading beside nbval, nbgrader, otter and bare execution: a quarter of an hour, 2 GB of installs
	$(BIN)/python -m tests.teach.grading.bench

grade: .venv/installed ## mark a class: make grade IN=downloads OUT=results
	$(BIN)/attention grade $(IN) --out $(OUT)

lock: ## after editing the ranges in pyproject.toml; needs uv
	$(COMPILE) -o requirements.lock
	$(COMPILE) --extra dev --extra grade --extra cluster --constraints requirements.lock \
	  | grep -vxFf requirements.lock > requirements-dev.lock
	$(COMPILE) --all-extras --constraints requirements.lock --constraints requirements-dev.lock \
	  | grep -vxFf requirements.lock -f requirements-dev.lock > requirements-browser.lock

.venv/installed: requirements.lock requirements-dev.lock pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet -r requirements.lock -r requirements-dev.lock
	$(BIN)/python -m pip install --quiet --no-build-isolation --no-deps --editable .
	$(BIN)/python -c "open('.venv/installed', 'w').close()"

clean: ## forget the installation, keep every student's file
	$(PYTHON) -c "import shutil; shutil.rmtree('.venv', ignore_errors=True)"
