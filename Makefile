# Two commands: `make demo` and `make test`. Both make the same environment in .venv first.
PYTHON ?= python3.11
VENV   := .venv
BIN    := $(VENV)/bin
# tilelang asks for torch; a CPU build is enough (set PIP_EXTRA_INDEX_URL to PyTorch's CPU index to get one).
TORCH  ?= torch==2.13.0
JOBS   ?= 2

.PHONY: demo test lint bench scorecard foreign env toolchain clean

demo: toolchain
	@$(BIN)/gen check $(wildcard specs/*.yaml)
	@echo
	@echo "Where to look next:"
	@echo "  out/gemm/                      the three sources of one spec"
	@echo "  $(BIN)/gen diff specs/gemm.yaml   the same, side by side by step"
	@echo "  $(BIN)/gen --help                 everything else"

test: toolchain lint
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal

lint: env
	$(BIN)/ruff check .
	$(BIN)/black --check -q .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/gen render --check $(wildcard specs/*.yaml)
	$(BIN)/python tools/rule_docs.py --check

bench: toolchain
	@$(BIN)/python -c "import triton" 2>/dev/null || $(BIN)/pip install -q --disable-pip-version-check -e ".[bench]"
	$(BIN)/python -m tests.bench

scorecard: toolchain
	$(BIN)/gen scorecard --write

# FOREIGN: checkouts of the repositories in tools/foreign.yaml.
foreign: toolchain
	@test -n "$(FOREIGN)" || { echo 'Say where the checkouts are: make foreign FOREIGN="dir …"'; exit 2; }
	$(BIN)/python tools/foreign.py $(FOREIGN) --write docs/foreign.md

toolchain: env
	@$(BIN)/gen toolchain install a-tree || echo "The A tree will be rendered, not run: see the reason above."

env: $(VENV)/.done

$(VENV)/.done: pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo "$(PYTHON) is missing: apt-get install python3.11 python3.11-venv"; exit 2; }
	@command -v $${CXX:-g++} >/dev/null || { echo "A C++ compiler is missing: apt-get install g++"; exit 2; }
	@$(PYTHON) -m venv $(VENV) || { echo "The venv module is missing: apt-get install python3.11-venv"; exit 2; }
	@echo "Installing the environment into $(VENV) (once)"
	@$(BIN)/pip install -q --disable-pip-version-check "$(TORCH)"
	@$(BIN)/pip install -q --disable-pip-version-check -e ".[m-tree,dev]"
	@touch $@

clean:
	rm -rf $(VENV) build dist
