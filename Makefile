# Everything a fresh Debian machine with Python 3.11 needs: each target brings what it uses, once, and is quick after.
#   make demo    translate a real CUDA program and show what comes out      make lint    ruff and mypy --strict
#   make test    the whole test suite, real HIP compilers included          make bench   speed and memory
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DEMO := corpus/reduction
DEMO_OUT := .cache/demo
PYTEST_ARGS ?=
CORPUS_ARGS ?=
BENCH_ARGS ?=
# The compilers that tests call: clang 22 with the headers of a ROCm release, and the distribution's own hipcc.
TEST_PACKAGES := g++ clang-22 lld-22 clang-tools-22 hipcc libhiprand-dev librocrand-dev libomp-22-dev perl git chromium chromium-driver
ROCM ?= 7.2

.PHONY: help venv dev test-deps rocm-headers demo test lint format bench corpus clean

help:
	@sed -n '2,3s/^# *//p' Makefile

$(VENV)/.made:
	@tools/apt_packages.sh --python "$(PYTHON)"
	@"$(PYTHON)" -m venv $(VENV)
	@touch $@

$(VENV)/.package: $(VENV)/.made pyproject.toml
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.made pyproject.toml
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $(VENV)/.package $@

venv: $(VENV)/.package
dev: $(VENV)/.dev

rocm-headers: $(VENV)/.package
	@$(BIN)/python tools/rocm_headers.py $(ROCM) >/dev/null

test-deps: $(VENV)/.dev
	@tools/apt_packages.sh $(TEST_PACKAGES)
	@for release in $(ROCM); do $(BIN)/python tools/rocm_headers.py "$$release" >/dev/null; done

demo: $(VENV)/.package
	@mkdir -p $(DEMO_OUT)
	@echo "== $(DEMO)/main.cu, translated: $(DEMO_OUT)/main.hip, findings and summary below"
	@$(BIN)/hipify-py $(DEMO)/main.cu -o $(DEMO_OUT)/main.hip --report $(DEMO_OUT)/report.json
	@echo "== what changed"
	@diff -u --label $(DEMO)/main.cu --label $(DEMO_OUT)/main.hip $(DEMO)/main.cu $(DEMO_OUT)/main.hip || test $$? = 1
	@echo "== the report (JSON): $(DEMO_OUT)/report.json"
	@$(BIN)/python -c 'import json, sys; r = json.load(open(sys.argv[1])); print(len(r["findings"]), "finding(s):"); \
	[print("  {file}:{line}:{column}: {id} {severity}: {message}".format(**f)) for f in r["findings"]]' $(DEMO_OUT)/report.json

test: test-deps
	@$(BIN)/python -m pytest $(PYTEST_ARGS)

lint: $(VENV)/.dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

format: $(VENV)/.dev
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

# The corpus, translated for each ROCm release and compiled for several GPUs: half an hour on two cores.
corpus: test-deps
	@$(BIN)/python tools/compile_corpus.py $(CORPUS_ARGS)

bench: $(VENV)/.dev
	@$(BIN)/python -m benchmarks $(BENCH_ARGS)

clean:
	@rm -rf $(VENV) .cache build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
