# Everything runs in .venv, which the first command makes. `make demo` and `make test` are all that a newcomer needs.
PYTHON ?= python3
BIN := .venv/bin
# Two more than there are processors: tests in real agents and editors wait about as long as they compute.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 2)
SPEED ?= 1
PROGRAMS := TTSR_NVIM TTSR_CODE_SERVER TTSR_CHROMIUM TTSR_CLAUDE TTSR_CODEX TTSR_COPILOT TTSR_GEMINI TTSR_OMP TTSR_OPENCODE TTSR_PI \
	TTSR_REDIS

# Where this is set, each process of the tests would compile the tests, and what pytest rewrites, anew.
unexport PYTHONDONTWRITEBYTECODE

PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: demo test lint coverage bench lock vsix clean

demo: .venv/installed
	@$(BIN)/ttsr-ls demo --speed $(SPEED)

# The tests and lint run side by side, since lint uses one processor; what lint says is printed after the tests.
test: .venv/installed-dev
	@missing=; for name in $(PROGRAMS); do [ -n "$$(printenv $$name)" ] || missing="$$missing $$name"; done; \
		[ -z "$$missing" ] || printf '%s\n' "" \
		"NOT PART OF THIS RUN: tests that drive real editors, agents, and servers. Not set:$$missing." \
		"CONTRIBUTING.md says which programs these variables name." ""
	@mkdir -p build; $(MAKE) --no-print-directory lint >build/lint.log 2>&1 & lint=$$!; \
		trap 'kill $$lint 2>/dev/null' INT TERM; \
		$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder -q; tests=$$?; \
		wait $$lint; lint=$$?; cat build/lint.log; [ $$tests -eq 0 ] && [ $$lint -eq 0 ]

lint: .venv/installed-dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

coverage: .venv/installed-dev
	@$(BIN)/coverage erase
	@$(BIN)/coverage run -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder -q -m "not unmeasured"
	@$(BIN)/coverage combine --quiet
	@$(BIN)/coverage report

.venv/installed: pyproject.toml requirements/run.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "ttsr-ls needs Python 3.11 or newer; name one: make PYTHON=python3.12 …"; exit 2; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv || \
		{ echo "Could not make .venv. On Debian: apt-get install python3-venv"; exit 2; }
	@echo "Installing ttsr-ls into .venv (once; downloads packages) …"
	@$(PIP) --require-hashes -r requirements/run.txt
	@$(PIP) --no-deps -e .
	@$(BIN)/python -m compileall -q ttsr_ls
	@touch $@

.venv/installed-dev: .venv/installed requirements/dev.txt
	@echo "Installing the tools for development into .venv (once; downloads packages) …"
	@$(PIP) --no-compile --require-hashes -r requirements/dev.txt
	@$(BIN)/python -m compileall -qq -j 0 .venv/lib || true # pip would use one processor.
	@touch $@

# Builds the site into build/site. Broken links and anchors are errors.
docs: .venv/installed-docs
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict
	@echo "build/site/index.html"

.venv/installed-docs: .venv/installed requirements/docs.txt
	@echo "Installing the tools for the site into .venv (once; downloads packages) …"
	@$(PIP) --require-hashes -r requirements/docs.txt
	@touch $@

# Locks the newest versions that pyproject.toml allows, for all systems and versions of Python.
LOCK = $(BIN)/uv pip compile --quiet --upgrade --universal --python-version=3.11 --generate-hashes
lock: .venv/installed
	@$(PIP) uv
	@$(LOCK) --extra=dev --output-file=requirements/dev.txt pyproject.toml
	@$(LOCK) --constraint=requirements/dev.txt --output-file=requirements/run.txt pyproject.toml
	@$(LOCK) --extra=docs --constraint=requirements/dev.txt --output-file=requirements/docs.txt pyproject.toml

bench: .venv/installed-dev
	@$(BIN)/python -m benchmarks

# The VS Code extension with the server in it. Needs npm, and Python with pip, or uv.
vsix:
	@cd editors/vscode && npm ci --no-audit --no-fund && npm run package
	@echo "Install it with: code --install-extension editors/vscode/ttsr-ls.vsix"

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage* build dist
