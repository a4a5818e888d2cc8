# Everything from nothing: `make play` opens the lobby in the browser, `make test` proves the house.
# `make terminal` plays in the terminal.
# Arguments: make play ARGS="--port 8080", make terminal ARGS="faceup --plain"
# Another interpreter: make play PYTHON=python3.12

.SILENT:
.DEFAULT_GOAL := play
.PHONY: play terminal test check messages clean

ARGS =
PYTHON = python3 python3.14 python3.13 python3.12 python3.11 python
BIN = .venv/bin
PIP = $(BIN)/python -m pip -qq --disable-pip-version-check install -c constraints.txt
SETUP = pyproject.toml constraints.txt hatch_build.py
CATALOGUES = $(wildcard src/tapete/locale/*/LC_MESSAGES/*.po)

play: .venv/play.stamp
	$(BIN)/tapete serve --open $(ARGS)

terminal: .venv/play.stamp
	$(BIN)/tapete play $(ARGS)

test: check
	$(BIN)/python -m pytest -n 2

check: .venv/test.stamp
	$(BIN)/ruff check --quiet .
	$(BIN)/ruff format --check --quiet . || { echo "not formatted; run: $(BIN)/ruff format ." >&2; exit 1; }
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache >.venv/imports.log || { cat .venv/imports.log; exit 1; }

# Puts new English sentences into the Spanish catalogue, empty, for someone to translate.
messages: .venv/test.stamp
	$(BIN)/python scripts/messages.py

clean:
	rm -rf .venv build dist

# An install compiles the catalogues, so a changed catalogue asks for one (the tests compile them by themselves).
.venv/play.stamp: $(SETUP) $(CATALOGUES) | $(BIN)/pip
	echo "Setting up Tapete in .venv ..."
	$(PIP) -e '.[web,sim]'
	touch $@

.venv/test.stamp: $(SETUP) | $(BIN)/pip
	echo "Setting up Tapete and its tests in .venv ..."
	$(PIP) -e '.[dev]'
	touch $@

# pip is the last thing that comes into a new environment: where it is, the rest is.
$(BIN)/pip:
	for python in $(PYTHON); do \
		if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
			"$$python" -m venv .venv || { rm -rf .venv; exit 1; }; \
			exit 0; \
		fi; \
	done; \
	echo "Tapete needs Python 3.11 or newer; none was found (tried: $(PYTHON))." >&2; \
	echo "Install one, or say where it is: make play PYTHON=/path/to/python3" >&2; \
	exit 1
