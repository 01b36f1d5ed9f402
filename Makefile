# make setup: .venv with the package and its tools.  make demo: repair the example notebooks.  make test, make lint.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: setup demo test lint lock clean

setup: $(READY)

$(READY): requirements-dev.lock requirements-bootstrap.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed; name one with: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements-bootstrap.lock
	$(BIN)/uv pip sync --quiet --python $(BIN)/python --require-hashes requirements-dev.lock
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	@touch $@

demo: setup
	$(BIN)/modernizer fix examples --model none --out .modernizer || test $$? -eq 1

test: setup
	$(BIN)/python -m pytest -n 2 --dist worksteal -q

lint: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	@if ls .github/workflows/*.yml action.yml >/dev/null 2>&1; then $(BIN)/zizmor --offline --pedantic .; fi

# Renews the hashed locks from the configured index.
lock: setup
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-annotate --no-header --python-version 3.11 --upgrade pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-annotate --no-header --python-version 3.11 --upgrade pyproject.toml --group dev -o requirements-dev.lock
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-annotate --no-header --python-version 3.11 -c requirements-dev.lock --group build -o requirements-build.lock
	echo uv | $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-annotate --no-header --python-version 3.11 -c requirements-dev.lock - -o requirements-bootstrap.lock

clean:
	rm -rf $(VENV) .modernizer
