PYTHON ?= python3
VENV ?= .venv
PYTEST_ARGS ?=

# A stamp holds the folder that the environment was made in: its scripts name
# that folder, so a copied or moved one has to be made again.
RUN_STAMP = $(VENV)/.quizbot-run
DEV_STAMP = $(VENV)/.quizbot-dev
WORKS := $(shell [ "$$(cat $(RUN_STAMP) 2>/dev/null)" = "$$(pwd -P)" ] && $(VENV)/bin/python -c '' 2>/dev/null && echo yes)

.DEFAULT_GOAL = help
.PHONY: help run test bench crash

help: ## list these targets
	@sed -n 's/^\([a-z-]*\):.*## /make \1 — /p' $(firstword $(MAKEFILE_LIST))

# exec: Ctrl-C then reaches quizbot alone, with no shell in between to report it.
run: $(RUN_STAMP) ## run quizbot: all that is configured, else a quiz room in your browser
	@exec $(VENV)/bin/quizbot run

test: $(DEV_STAMP) ## check everything, as CI does
	@printf '\n== ruff check\n'
	@$(VENV)/bin/ruff check
	@printf '\n== ruff format\n'
	@$(VENV)/bin/ruff format --check
	@printf '\n== mypy\n'
	@$(VENV)/bin/mypy
	@printf '\n== import-linter\n'
	@$(VENV)/bin/lint-imports --no-logo
	@printf '\n== quizbot banks check\n'
	@$(VENV)/bin/quizbot banks check
	@printf '\n== catalogues\n'
	@$(VENV)/bin/python -m bot.wording.catalogues check
	@printf '\n== pytest\n'
	@$(VENV)/bin/pytest -n 2 --dist worksteal $(PYTEST_ARGS)

bench: $(DEV_STAMP) ## measure quizbot beside what it stands on, into bench.json (four minutes)
	@PYTHONPATH=tests $(VENV)/bin/python tests/bench/run.py

crash: $(DEV_STAMP) ## kill quizbot twenty times on Discord and on Slack while people press; is anything lost? (five minutes)
	@PYTHONPATH=tests $(VENV)/bin/python tests/crash.py

$(RUN_STAMP): pyproject.toml constraints.txt
	@$(call install,.)

# The development install serves `make run` too.
$(DEV_STAMP): pyproject.toml constraints.txt
	@$(call install,.[dev])
	@pwd -P > $@

ifneq ($(WORKS),yes)
.PHONY: $(RUN_STAMP) $(DEV_STAMP)
endif

define check_python
$(PYTHON) -c '' 2>/dev/null || { \
  echo 'quizbot needs Python 3.11 or newer: install it, or name yours with: make $(MAKECMDGOALS) PYTHON=/path/to/python3' >&2; exit 1; }; \
$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
  echo "quizbot needs Python 3.11 or newer and $(PYTHON) is $$($(PYTHON) -c 'import platform; print(platform.python_version())'): install a newer one, or name it with: make $(MAKECMDGOALS) PYTHON=python3.12" >&2; exit 1; }; \
$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
  echo "quizbot needs Python's venv module, which $(PYTHON) lacks: install it (on Debian and Ubuntu: sudo apt install python3-venv) and try again" >&2; exit 1; }
endef

# --clear only what is an environment: VENV may name a folder by mistake.
define install
$(call check_python); \
if [ '$(WORKS)' != yes ]; then \
  echo 'Making $(VENV)'; \
  $(PYTHON) -m venv $$([ ! -e $(VENV)/pyvenv.cfg ] || echo --clear) $(VENV) || exit 1; \
fi; \
echo 'Installing quizbot into $(VENV) (about half a minute)'; \
$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '$(1)' && \
pwd -P > $(RUN_STAMP)
endef
