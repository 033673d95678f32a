# Everything a person does here. `make` alone says what there is.

BOARD ?= shuffler_rp2040
VARIANT ?= bench
DECKS ?= 2
DEALER ?= person
export BOARD VARIANT PORT MICROPYTHON MICROPYTHON_GIT

PYTHON := .venv/bin/python
DOVETAIL := .venv/bin/dovetail
BUILD := $(PYTHON) -m host_tools.build

.DEFAULT_GOAL := help
.PHONY: help setup sources unix image check test prove reach lint run emulate port flash hil figures clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo '  BOARD=shuffler_rp2040|shuffler_rp2350  VARIANT=bench|production  PORT=<serial port>'
	@echo '  SINCE=<commit> for make check, HEAD or the one before it else'
	@echo '  DECKS=0|1|2 on the emulated table  DEALER=person|auto at the board that the scenarios run on'
	@echo '  MICROPYTHON=<tree of MicroPython 1.25, used as it is, instead of fetching one>'
	@echo '  MICROPYTHON_GIT=<repository of MicroPython, local or not, to fetch that one from>'

setup: ## what this machine needs, .venv and typings/
	@command -v python3 > /dev/null || { \
	  [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null || { \
	    echo "setup: python3 is missing: install Python 3.11 or newer (Debian, Ubuntu: python3 python3-venv;" \
	      "Fedora: python3; macOS: brew install python)" >&2; exit 1; }; \
	  echo "setup: installing python3"; apt-get update -qq && apt-get install -qq -y python3 python3-venv; }
	@python3 -m host_tools.build.setup

sources: setup ## MicroPython 1.25.0 from source, checked
	@$(BUILD).sources

unix: setup ## mpy-cross and MicroPython's unix port
	@$(BUILD).unix

image: setup ## build/<board>-<variant>/dovetail.uf2 and .elf
	@$(BUILD).image

lint: setup ## style, types, and mpy-cross over the firmware
	@$(BUILD).lint

check: setup ## style, types and the quick tests of what changed since SINCE, in a minute
	@$(BUILD).check

test: setup ## all checks and all tests; of the long proofs a share, drawn for this commit
	@$(BUILD).test

# A name that is none is refused before anything is built.
prove: setup ## the long proofs with the oldest records, for MINUTES or to their end; ONLY=<proof>
	@$(if $(ONLY),$(DOVETAIL) prove --list --only "$(ONLY)")
	@$(MAKE) --no-print-directory unix
	@BOARD=shuffler_rp2040 VARIANT=bench $(MAKE) --no-print-directory image
	@BOARD=shuffler_rp2040 VARIANT=production $(MAKE) --no-print-directory image
	@$(DOVETAIL) prove $(if $(MINUTES),--minutes "$(MINUTES)") $(if $(ONLY),--only "$(ONLY)")

reach: unix ## collect anew which tests reach which function, for make check
	@$(PYTHON) -m host_tools.evidence.reach

# Without the compilers that an image needs, Python alone plays the same rounds.
PLAY := $(DOVETAIL) play --game let_it_ride --rounds 3 --players 5 --decks 2 --seed 7
run: setup ## three rounds of let it ride on the emulated board
	@lack="$$($(BUILD).needed image)" || exit 1; \
	if [ -n "$$lack" ]; then echo "run: in process: $$lack"; $(PLAY); \
	else BOARD=shuffler_rp2040 VARIANT=production $(MAKE) --no-print-directory image && \
	  $(PLAY) --depth emulated; fi

emulate: setup ## keep an emulated board running, its link on a pty
	@BOARD=shuffler_rp2040 VARIANT=bench $(MAKE) --no-print-directory image
	@$(DOVETAIL) emulate --decks "$(DECKS)"

# Asked before anything is built
port:
	@test -n "$$PORT" || { ports="$$(ls /dev/ttyACM* /dev/ttyUSB* 2> /dev/null | xargs)"; \
	  echo "which port? PORT=/dev/ttyACM0, say; serial ports here: $${ports:-none}" >&2; exit 2; }

flash: port setup ## put the bench image on the board at PORT
	@VARIANT=bench $(MAKE) --no-print-directory image
	@$(DOVETAIL) flash --port "$$PORT" --board "$$BOARD"

hil: port setup ## run the scenarios against the board at PORT
	@$(DOVETAIL) hil --port "$$PORT" --dealer "$(DEALER)"

figures: unix ## measure: a table, and build/figures.json
	@BOARD=shuffler_rp2040 VARIANT=bench $(MAKE) --no-print-directory image
	@BOARD=shuffler_rp2040 VARIANT=production $(MAKE) --no-print-directory image
	@$(DOVETAIL) figures

clean: ## remove what was built; .venv and typings/ stay
	@rm -rf build
