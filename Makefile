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
# Bytecode is kept, whatever the environment says: else each of a thousand processes compiles what it imports.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help build test check asan tsan native-test python-test engines play perft bench fuzz golden format clean

help:
	@echo "make test    build into .venv, run every test and check"
	@echo "make play    build and play a game in the terminal"
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

$(VENV)/tools: $(VENV)/build-tools
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

build: $(VENV)/tools
	$(PIP) --no-build-isolation .
	cp $(SITE)/damier/_core/*.pyi python/damier/_core/

# Two at a time: while one compiles, the other links, installs or waits.
test: $(VENV)/build-tools
	$(MAKE) --jobs=2 native-test python-test tsan check

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

# Opponents for whole games: the tests that need one that is not there are skipped by name.
engines:
	@[ -x /usr/games/stockfish ] && [ -x /usr/games/gnuchess ] || \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  { apt-get install -y stockfish gnuchess || { apt-get update && apt-get install -y stockfish gnuchess; }; } >/dev/null 2>&1 \
	  || echo "stockfish and gnuchess could not be installed: their tests will be skipped"; \
	fi

python-test: build $(PEERS)/installed engines
	$(BIN)/python -m pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder

play: build
	$(BIN)/damier play

perft: build
	$(BIN)/python tests/perft/run.py $(SUITE)

bench: build $(PEERS)/installed $(PEERS)/pgx
	$(BIN)/python bench/rules.py --write docs/results/rules.md
	$(BIN)/python bench/batch.py --write docs/results/batch.md
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
	rm -rf build dist $(VENV) $(filter-out %/_cpu.pyi,$(wildcard python/damier/_core/*.pyi))
