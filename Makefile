# SPDX-License-Identifier: MIT
# The front door. CMake does the building; this file knows the steps around it.
#
#   make            build build/release/ondine
#   make demo       set up, build, simulate letters that melt, and film them
#   make install    headers, libraries, the command and its manual page, below PREFIX=/usr/local
#   make test       set up, build, test: ten minutes on two cores, from nothing
#   make web        the web page, into build/web: files for any static host
#   make serve      the same, served and opened
#   make test-web   and its tests, in Chromium: two minutes from nothing. .ci/run is make test and this
#   make test-long  every preset, fuzzers, slow physics
#   make bench      the measured tables: some 30 minutes on a machine that does nothing else
#   make bench-web  the page beside the command: three minutes
#   make models     fetch the bunny and the armadillo that scenes/thesis/ melts
#   make format     clang-format over the sources
#   make docs       the reference made from the tables in the code
#   make clean      remove build/ and out/

JOBS ?= $(shell nproc 2>/dev/null || echo 2)
ONDINE = build/release/ondine

# What the demo runs, and the film it leaves.
DEMO_SCENE = scenes/melting-letters.yaml
DEMO_OUT = out/melting-letters
DEMO_COMMAND = $(ONDINE) run $(DEMO_SCENE) -o $(DEMO_OUT) --force --film
DEMO_FILM = $(DEMO_OUT)/film.mp4

# Tables that `make bench` measures; `make bench BENCHES=melt` takes one alone.
BENCHES ?= sph dam interactive melt letters render surface bumps hash solids poisson smoke physics
# What the tables in the code say about scene files: the page, and the schema for editors.
DOCS_COMMAND = $(ONDINE) info --keys

FUZZ_SECONDS ?= 60
PREFIX ?= /usr/local

.PHONY: all build demo install test test-long test-web web serve bench bench-web models format docs clean setup-run \
  setup-test setup-web
.NOTPARALLEL:

all: build

setup-run setup-test setup-web: setup-%:
	@tools/setup.sh $*

build:
	@tools/build.sh release $(JOBS)

demo: setup-run build
	@echo "== simulate and film: $(DEMO_SCENE)"
	@$(DEMO_COMMAND)
	@test -s $(DEMO_FILM) || { echo "demo: no film was made" >&2; exit 1; }
	@echo "The film:"
	@echo "$(CURDIR)/$(DEMO_FILM)"

install: setup-run build
	@cmake --install build/release --prefix "$(abspath $(PREFIX))" >/dev/null
	@echo "installed below $(abspath $(PREFIX))"

# The sanitizer build goes first, so that the whole suite's summary is the last thing shown.
test: setup-test
	@tools/build.sh asan $(JOBS)
	@tools/test.sh asan $(JOBS) -LE 'slow|long'
	@tools/build.sh release $(JOBS)
	@tools/test.sh release $(JOBS) -LE long

web: setup-web
	@tools/web.sh $(JOBS)

serve: web
	@node web/serve.mjs --open

test-web: setup-run build web
	@echo "== test web"
	@for test in web/test/*.test.mjs; do node --test-reporter=spec $$test || exit 1; done

test-long: setup-test
	@tools/fuzz.sh $(FUZZ_SECONDS) $(JOBS)
	@for preset in debug scalar tsan asan; do \
	    tools/build.sh $$preset $(JOBS) && tools/test.sh $$preset $(JOBS) -LE long || exit 1; done
	@tools/build.sh release $(JOBS)
	@tools/test.sh release $(JOBS)

bench: setup-run build
	@for name in $(BENCHES); do $(ONDINE) bench $$name && echo || exit 1; done

bench-web: setup-run build web
	@node web/bench/speed.mjs

models:
	@tools/models.sh

format:
	@tools/sources.sh | xargs clang-format -i

docs: build
	@$(DOCS_COMMAND) markdown > docs/scene.md.new && mv docs/scene.md.new docs/scene.md
	@$(DOCS_COMMAND) json > docs/scene.schema.json.new && mv docs/scene.schema.json.new docs/scene.schema.json
	@echo "docs/scene.md docs/scene.schema.json"

clean:
	@rm -rf build out
