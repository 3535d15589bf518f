# Everything that one does with the course; `make` alone lists it.
# Windows without make: the README says what to type instead.

.DEFAULT_GOAL := help
PYTHON ?= python3
PROFILE ?= full
JOBS ?= 1
MODEL ?= elmo-en
MINUTES ?= 90
BENCH ?= elmo_encode bilm_step awd_lstm crf glove sgns shares imdb start_up threads \
	scaling growth
BIN := .venv/bin

# Two threads that wait busily for each other can be 20 times slower than one;
# OpenMP reads these once, before torch is imported.
export GOMP_SPINCOUNT = 0
export OMP_WAIT_POLICY = PASSIVE
# nbgrader starts alembic, and JupyterLab its kernels, by their bare names.
export PATH := $(CURDIR)/$(BIN):$(PATH)

.PHONY: help lab test test-whole build check notebooks book figures datasheet lint claims pretrain mutants grading-bar bench clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-11s %s\n", $$1, $$2}' Makefile

lab: .venv/installed  ## open the lesson you are in, in your copy work/ (LANGUAGE=zh …)
	$(BIN)/python tools/lab.py $(LAB_FLAGS)

# What is compiled once need not be compiled in every process that a test starts.
test test-whole: export PYTHONDONTWRITEBYTECODE =

test: .venv/installed-test  ## test the parts (PYTEST_FLAGS="-k biLM" …)
	$(BIN)/python -m pytest -n 2 --dist loadfile -m "not whole" $(PYTEST_FLAGS)

test-whole: .venv/installed-test  ## test the whole: pages, lessons, experiments, a class …
	$(BIN)/python -m pytest -n 2 --dist loadfile -m whole $(PYTEST_FLAGS)

build: .venv/installed-test  ## make notebooks/, solutions/, exercises/ from source/
	$(BIN)/python tools/build.py

check: .venv/installed-test  ## fail on what is stale, untranslated, without alt text …
	$(BIN)/python tools/build.py --check

notebooks: .venv/installed-test  ## execute the lessons (PROFILE=quick, JOBS=2, …)
	$(BIN)/python tools/run_notebooks.py --profile $(PROFILE) --jobs $(JOBS) \
		--keep build/executed $(NOTEBOOKS)

book: .venv/installed-test  ## build the book, offline, both languages (BOOK_FLAGS=--as-is …)
	$(BIN)/python tools/book.py --profile $(PROFILE) $(BOOK_FLAGS)

figures: .venv/installed  ## draw the pictures of the README
	$(BIN)/python tools/figures.py

datasheet: .venv/installed  ## measure Rivertown and write its datasheet (3 minutes)
	$(BIN)/python tools/datasheet.py

lint: .venv/installed-test  ## look for mistakes and untidy code with ruff
	$(BIN)/ruff check .

claims: .venv/installed  ## measure with many seeds what the claim cards show (hours)
	$(BIN)/python -m course_lib claims run $(CLAIMS)

pretrain: .venv/installed  ## train a model on real text (MODEL=elmo-en MINUTES=90)
	$(BIN)/python -m course_lib pretrain $(MODEL) --minutes $(MINUTES) \
		--out $(or $(OUT),runs/$(MODEL))

mutants: .venv/installed-test  ## break each widget, see its tests notice
	$(BIN)/python tests/browser/mutants.py

grading-bar: .venv/installed-test  ## try every kind of bad submission on the class grader
	GRADING_BAR=1 $(BIN)/python -m pytest tests/grading/test_tamper.py
	$(BIN)/python tests/grading/bar.py
	$(BIN)/python tests/grading/whole_class.py

bench: .venv/installed  ## measure the speed against plain programs (BENCH="crf glove" …)
	for name in $(BENCH); do $(BIN)/python benchmarks/$$name.py || exit 1; done
	$(BIN)/python benchmarks/table.py

clean:  ## delete what can be made again, except .venv
	rm -rf build .pytest_cache .ruff_cache .hypothesis *.egg-info
	find . -name .venv -prune -o -name __pycache__ -exec rm -rf {} +

# The environment: made once, renewed when pyproject.toml changes. TORCH_INDEX names
# another place for PyTorch's CPU build.
.venv/installed: pyproject.toml
	@$(PYTHON) tools/install.py
	@touch $@

.venv/installed-test: pyproject.toml
	@$(PYTHON) tools/install.py --test
	@touch .venv/installed $@
