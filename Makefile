# Plain `pip` lines that do the same are in README.md, for computers without make.
# PYTHON=python3.13 make demo   chooses another Python (3.11 or newer).

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
TORCH ?= torch>=2.4 torchvision>=0.19
PYTEST ?= -m pytest
# WORKERS=auto: the tests on all processor cores, those of one file kept together; 0: one after another.
WORKERS ?= 0

.PHONY: help demo run test test-train weights check format wheel clean
.DELETE_ON_ERROR:

help:
	@echo "make demo        a filmed game through the real pipeline: it watches, speaks and shows the score"
	@echo "make run         the camera over your own table"
	@echo "make test        sets up and passes the tests (no PyTorch)"
	@echo "make test-train  the tests of training, in a venv of their own (installs PyTorch)"
	@echo "make weights     draws, trains and releases new weights (twelve hours; ARGS=--plan tells how)"
	@echo "make check       style, types"
	@echo "make wheel       dist/tableref-*.whl"
	@echo "make clean       removes the venvs and what the tools left"

demo: .venv/.app
	.venv/bin/tableref demo $(ARGS)

run: .venv/.app
	.venv/bin/tableref run $(ARGS)

test: .venv/.dev
	.venv/bin/python $(PYTEST) -n $(WORKERS) --dist loadfile -m "not train"

test-train: .venv-train/.dev
	.venv-train/bin/python $(PYTEST) -m train

weights: .venv-train/.workshop
	.venv-train/bin/python -m models.make $(ARGS)

check: .venv/.dev
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy

format: .venv/.dev
	.venv/bin/ruff check --fix .
	.venv/bin/ruff format .

wheel: .venv/.dev
	.venv/bin/python -m build --wheel

clean:
	rm -rf .venv .venv-train build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis

# `pip install --group` came with pip 25.1; a fresh venv of an older Python brings an older pip.
.venv/.pip .venv-train/.pip:
	@test -n "$(PYTHON)" || { echo "Tableref needs Python 3.11 or newer; none was found. PYTHON=/path/to/python names one." >&2; exit 2; }
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet --upgrade "pip>=25.1"
	@touch $@

.venv/.app: .venv/.pip pyproject.toml
	@echo "Installing Tableref into .venv (about 400 MB)"
	.venv/bin/python -m pip install -e .
	@touch $@

.venv/.dev: .venv/.app
	.venv/bin/python -m pip install --quiet --group dev
	@touch $@

.venv-train/.dev: .venv-train/.pip pyproject.toml
	.venv-train/bin/python -m pip install --quiet $(foreach package,$(TORCH),"$(package)")
	.venv-train/bin/python -m pip install --quiet -e ".[train]" --group dev
	@touch $@

.venv-train/.workshop: .venv-train/.dev
	.venv-train/bin/python -m pip install --quiet --group workshop
	.venv-train/bin/python -m pip install --quiet --no-deps "trdg>=1.8"
	@touch $@
