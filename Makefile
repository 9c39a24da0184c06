# `make` alone says what there is. PYTHON=/path/to/python picks the Python that .venv is made by.

PY := .venv/bin/python
SHELL := /bin/sh
.DEFAULT_GOAL := help
.PHONY: help serve worker test check lint format types setup torch lock bench-web check-quality clean

help:  ## this list
	@echo "Ridgepoint: make TARGET"
	@sed -n 's/^\([a-z-]*\):[^#]*##  *\(.*\)/  \1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{printf "%-16s%s\n", $$1, $$2}'

serve: setup  ## start the server and its worker (PORT=8000, HOST=127.0.0.1)
	@$(PY) -m app.cli serve $(if $(HOST),--host $(HOST)) $(if $(PORT),--port $(PORT))

worker: setup  ## start a worker alone, for a server that keeps none
	@$(PY) -m app.cli worker

test: lint types  ## the gate: lint, types, floors and all tests (ARGS='-k timer' for pytest)
	$(PY) -m pytest $(ARGS)

check:  ## the gate as CI runs it: a missing Chromium, PostgreSQL or PyTorch fails
	RIDGEPOINT_REQUIRE=all $(MAKE) test

lint: setup  ## style, import floors, templates, Dockerfile and compose.yaml
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) .venv/bin/lint-imports --no-cache
	$(PY) -m djlint --quiet --lint templates
	.venv/bin/hadolint Dockerfile
	$(PY) -m check_jsonschema --builtin-schema vendor.compose-spec compose.yaml

format: setup  ## put the code in the form that lint asks for
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .

types: setup  ## pyright, strict on app/ and .ci/
	PYRIGHT_PYTHON_IGNORE_WARNINGS=1 $(PY) -m pyright
	PYRIGHT_PYTHON_IGNORE_WARNINGS=1 $(PY) -m pyright --project .ci

setup:  ## make .venv, or mend it; nothing to do takes 50 ms
	@.ci/setup

torch:  ## choose and install PyTorch anew, after a GPU or a package source was added
	@.ci/setup --torch

lock: setup  ## renew the lock files from pyproject.toml (ARGS=--upgrade for the newest versions)
	$(PY) .ci/lock.py $(ARGS)

bench-web: setup  ## requests/s of a card's page beside those of a bare route
	$(PY) -m tests.web.throughput $(ARGS)

check-quality: setup  ## the checker's precision and recall on the labelled answers
	$(PY) -m tests.checking.quality $(ARGS)

clean:  ## remove .venv and caches; learners' data in .data stays
	rm -rf .venv .cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find app kernels migrations tests .ci -name __pycache__ -prune -exec rm -rf {} +
