# Parlour's commands. `make help` lists them.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUN_STAMP := $(VENV)/.run-$(shell cksum < requirements.lock | cut -d' ' -f1)
DEV_STAMP := $(VENV)/.dev-$(shell cksum < requirements-dev.lock | cut -d' ' -f1)

# Tests start many processes. Without stored bytecode, each would compile every file again.
test test-all test-long chaos: export PYTHONDONTWRITEBYTECODE =

.PHONY: help run lan prepare deploy test test-all chaos sim test-long setup bench mia-tables film lint fix admin lock sbom wheel audit messages
.DEFAULT_GOAL := help

help: ## list these commands
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | sort | expand -t 12

run: $(RUN_STAMP) ## serve on http://127.0.0.1:8000
	@$(BIN)/python manage.py run

lan: $(RUN_STAMP) ## serve on the local network, with a QR code
	@$(BIN)/python manage.py run --lan

prepare: $(RUN_STAMP) ## install, migrate and collect without serving (docs/operate.md)
	@$(BIN)/python manage.py prepare

deploy: $(RUN_STAMP) ## write settings, services and proxy of a server (ARGS='--help')
	@$(BIN)/python manage.py deploy $(ARGS)

admin: $(RUN_STAMP) ## create an administrator
	@$(BIN)/python manage.py prepare
	@$(BIN)/python manage.py createsuperuser

# Run the tests with these marks in parallel, and failed ones once more, one at a time.
define run_tests
@rm -f .pytest_cache/v/cache/lastfailed
@$(BIN)/python -m pytest -n auto --durations=20 -m "$(1)" $(ARGS) || { [ $$? -eq 1 ] || exit 1 ; \
	echo "Failed tests run again, one at a time. Those that pass now are unsteady: fix them." ; \
	$(BIN)/python -m pytest --last-failed --last-failed-no-failures=none -x ; }
endef

test: setup ## run the tests that are quick (pytest gets ARGS='-x tests/wire')
	$(call run_tests,not slow and not long)

test-all: setup ## run slow tests too: page layout, kills, databases, many users
	$(call run_tests,not long)

test-long: setup ## run long samples before a release: strength of bots, luck
	@$(BIN)/python -m pytest -n auto --dist worksteal --durations=20 -m long $(ARGS)

setup: $(DEV_STAMP) ## install what the tests need (Chromium, and PostgreSQL, Redis and nginx with apt)
	@$(BIN)/python -m tests.setup

chaos: setup ## inject kills, stops, faults and junk under load, and list losses (ARGS='--hours 2')
	@$(BIN)/python -m tests.chaos $(ARGS)

sim: $(DEV_STAMP) ## simulate evenings for ten minutes, and print the seed of one that fails (docs/simulation.md)
	@$(BIN)/python -m tests.sim $(ARGS)

bench: $(DEV_STAMP) ## measure moves per second (python -m tools.bench --help for parts)
	@$(BIN)/python -m tools.bench

mia-tables: $(DEV_STAMP) ## regenerate the tables of the Mia bot `hard` (manage.py mia_tables measures them)
	@$(BIN)/python -m tools.solvers.mia

messages: $(DEV_STAMP) ## update the catalogues of all languages, list missing texts (ARGS=fr starts one)
	@$(BIN)/python -m tests.messages $(ARGS)

film: setup ## record an animation of a match (make film GAME=coup FILE=coup.webp)
	@$(BIN)/python -m tests.film $(GAME) $(FILE) $(ARGS)

lint: $(DEV_STAMP) ## check style, types, imports and templates
	@$(BIN)/ruff check . && $(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

fix: $(DEV_STAMP) ## fix style automatically where possible
	@$(BIN)/ruff check --fix . ; $(BIN)/ruff format .

lock: $(DEV_STAMP) ## update the pinned dependencies
	@$(BIN)/pip install -q uv
	@$(BIN)/uv pip compile -q --universal --generate-hashes --no-emit-index-url --no-header pyproject.toml -o requirements.lock
	@$(BIN)/uv pip compile -q --universal --generate-hashes --no-emit-index-url --no-header --extra dev --extra rl --extra mcp pyproject.toml -o requirements-dev.lock
	@$(MAKE) -s sbom

sbom: $(DEV_STAMP) ## write the bill of materials (CycloneDX) of the lock to docs/sbom.cdx.json
	@$(BIN)/pip install -q uv
	@$(BIN)/uv venv -q --clear $(VENV)/sbom
	@$(BIN)/uv pip install -q --python $(VENV)/sbom --require-hashes -r requirements.lock
	@$(BIN)/uv tool run --from cyclonedx-bom cyclonedx-py environment --pyproject pyproject.toml --output-reproducible -o docs/sbom.cdx.json $(VENV)/sbom
	@$(BIN)/python -m tests.bill docs/sbom.cdx.json

wheel: $(DEV_STAMP) ## build the wheel in dist/ (CONTRIBUTING.md, Release)
	@$(BIN)/python -m pip wheel -q --disable-pip-version-check --no-deps --no-build-isolation -w dist .

audit: $(DEV_STAMP) ## check licences and known vulnerabilities of dependencies (asks PyPI)
	@$(BIN)/python -m tests.licences
	@$(BIN)/pip install -q uv
	@$(BIN)/uv tool run pip-audit --require-hashes --disable-pip -r requirements.lock

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Parlour needs Python 3.11 or newer. Choose one: make PYTHON=python3.12 run"; exit 1; }
	@$(PYTHON) -m venv $(VENV)

$(RUN_STAMP): requirements.lock | $(VENV)/bin/python
	@echo "Installing dependencies …"
	@$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements.lock
	@touch $@

$(DEV_STAMP): requirements-dev.lock | $(VENV)/bin/python
	@echo "Installing development dependencies …"
	@$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@touch $@ $(RUN_STAMP)
