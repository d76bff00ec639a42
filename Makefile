#: make run         serve on http://127.0.0.1:8000
#: make test        lint, types and the whole suite, some four minutes
#: make sweep       the long sweeps, some ten minutes
#: make bench       what requests cost beside floors, and how long cheap ones wait under load; some six minutes
#: make soak        all games at full speed on two workers, every run proved; MINUTES=20
#: make attack      schemathesis on a server by its OpenAPI document; SECONDS=600
#: make fuzz        fuzzers guided by coverage; SECONDS=600
#: make audit       known vulnerabilities in what is locked
#: make image-test  builds, starts, plays and stops the image, without Docker
#: make goldens     writes the golden transcripts anew
#: make format      formats
#: make lock        resolves the dependencies anew
#: make clean       removes what these made
# Each sets up its own virtual environment in .venv first.

PYTHON ?= python3
BIN := .venv/bin
# A lock names all there is to install. Were pip to look for dependencies itself, it would meet releases newer than the
# lock and stop at their missing hashes; so it does not, and is asked afterwards whether anything is missing.
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
LOCKED := install --no-deps --require-hashes -r

.DEFAULT_GOAL := help
.PHONY: help run test lint types suite tools sweep goldens bench soak image-test attack fuzz audit format lock clean

help:
	@sed -n 's/^#: //p' Makefile

run: .venv/run
	exec $(BIN)/python -m app

test: lint types suite

lint: .venv/test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/test
	$(BIN)/mypy

suite: .venv/test tools
	$(BIN)/python -m pytest -n 2 --dist worksteal --cov --cov-report=term

# The pages are tested in Chromium, the proxy's configuration in nginx. Where they can be installed they are, elsewhere
# their tests say that they are skipped. Tests start an nginx of their own: none is to run as a service.
tools:
	@missing=; \
	[ -n "$$CHROMIUM" ] || command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || \
		missing="$$missing chromium-headless-shell"; \
	[ -n "$$NGINX" ] || command -v nginx >/dev/null || [ -x /usr/sbin/nginx ] || missing="$$missing nginx"; \
	[ -n "$$missing" ] && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null || exit 0; \
	policy=/usr/sbin/policy-rc.d; \
	[ -e $$policy ] || { printf '#!/bin/sh\nexit 101\n' >$$policy; chmod +x $$policy; trap "rm $$policy" EXIT; }; \
	apt-get update -qq && \
	DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $$missing >/dev/null

sweep: .venv/test
	$(BIN)/python -m pytest -n 2 -m sweep

SECONDS ?= 600
attack: .venv/test
	$(BIN)/python -m tests.attack $(SECONDS)

fuzz: .venv/attack
	$(BIN)/python -m tests.fuzz --seconds $(SECONDS)

# Known vulnerabilities in what is locked. A package that could not be looked up fails too.
audit: .venv/attack
	failed=0; for lock in requirements*.lock; do \
		$(BIN)/python -m pip_audit --strict --disable-pip --require-hashes -r $$lock || failed=1; done; exit $$failed

bench: .venv/test
	$(BIN)/python -m benchmarks.http
	$(BIN)/python -m benchmarks.overload

MINUTES ?= 20
soak: .venv/test
	$(BIN)/python -m benchmarks.soak --minutes $(MINUTES)

# Writes the golden transcripts anew; the diff is the change in behaviour.
goldens: .venv/test
	$(BIN)/python -m tests.golden

# Builds the Dockerfile without Docker, and starts, plays and stops the image; root on Debian, some five minutes at first.
image-test: .venv/made
	$(BIN)/python deploy/image_test.py

format: .venv/test
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# Resolves the dependencies of pyproject.toml anew, with hashes and without addresses.
LOCK := .venv-lock/bin/pip-compile --quiet --strip-extras --generate-hashes --allow-unsafe --no-header --upgrade \
	--no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-emit-options
lock:
	$(PYTHON) -m venv .venv-lock
	.venv-lock/bin/python -m pip install --quiet --disable-pip-version-check pip-tools
	$(LOCK) --output-file requirements.lock pyproject.toml
	$(LOCK) --extra test --extra gym --extra mcp --extra plot --constraint requirements.lock --output-file requirements-test.lock pyproject.toml
	$(LOCK) --extra attack --constraint requirements-test.lock --output-file requirements-attack.lock pyproject.toml
	$(LOCK) --build-deps-for wheel --only-build-deps --constraint requirements-test.lock --output-file requirements-build.lock pyproject.toml

clean:
	rm -rf .venv .venv-lock .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage dist build

.venv/made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo 'This needs Python 3.11 or newer; name one with make PYTHON=python3.12 …'; exit 1; }
	$(PYTHON) -m venv .venv
	@touch $@

.venv/run: .venv/made requirements.lock
	$(PIP) $(LOCKED) requirements.lock
	$(PIP) check
	@touch $@

.venv/test: .venv/made requirements-test.lock
	$(PIP) $(LOCKED) requirements-test.lock
	$(PIP) check
	@touch $@

.venv/attack: .venv/test requirements-attack.lock
	$(PIP) $(LOCKED) requirements-attack.lock
	$(PIP) check
	@touch $@
