"""The code that is changed, and how many mutants of it are drawn; the tests that may find them.

A file of whose mutants none is drawn by chance is changed in turn: all of them are taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from hashlib import sha256

from host_tools.build.tell import ROOT
from host_tools.mutate.change import Mutant, mutants

DEVICE = "firmware/dovetail"
ALL = 0
# A part of the code, its files, how many of its mutants are drawn
AREAS: tuple[tuple[str, tuple[str, ...], int], ...] = (
    ("life", ("cards/life.py",), 20),
    ("lanes", ("lanes/*.py", "continuous.py"), 40),
    ("requests", ("requests/*.py",), 40),
    ("rounds", ("voids.py", "ages.py"), 20),
    ("start-up", ("start.py", "starting.py", "journal/state.py"), 40),
    ("profiles", ("cards/profiles.py",), ALL),
)
# Files of quick tests in one process: no board and no image is built for them
PLAYED = [
    "alive",
    "bad_controllers",
    "bad_input",
    "bad_noise",
    "calibration",
    "campaign_judge",
    "configuration",
    "cut_between_records",
    "deck_over_time",
    "flash_refuses",
    "forced_emptying",
    "inprocess",
    "journal_failed",
    "journal_machine",
    "journal_meters",
    "journal_voids",
    "lamps",
    "lamps_of_decks",
    "meddling",
    "memory",
    "nothing_told",
    "presence",
    "recall",
    "request_table",
    "rules_kept",
    "rules_power",
    "safety",
    "scenarios",
    "self_test",
    "sensed",
    "shown",
    "slips",
    "slips_deal",
    "slips_start",
    "stacks",
    "turns",
    "void_reasons",
    "ways_out",
    "where",
]
TESTS = (
    "firmware/tests/test_*.py",
    "host_tools/tests/test_rules_profiles.py",
    "host_tools/tests/test_rules_games.py",
    "host_tools/tests/test_play.py",
    *(f"hil_tests/test_{name}.py" for name in PLAYED),
)
# In the name of a test of those files that needs an image all the same
BOARD = ("emulated", "ends_a_failure_in_play", "a_soft_reset_on_the_bench")


def quick(test: str) -> bool:
    """Tell whether a test is one of those that may find a mutant."""
    return test.split("::")[0] in test_files() and not any(name in test for name in BOARD)


def files_of(area: str) -> list[str]:
    """Return the files of a part of the code."""
    patterns = next(files for name, files, _ in AREAS if name == area)
    found = [path for pattern in patterns for path in (ROOT / DEVICE).glob(pattern)]
    return sorted(path.relative_to(ROOT).as_posix() for path in found if path.stat().st_size)


def every_file() -> list[str]:
    """Return every file that is changed."""
    return [file for area, _, _ in AREAS for file in files_of(area)]


@cache
def test_files() -> list[str]:
    """Return the files of the tests that may find a mutant."""
    found = {path: None for pattern in TESTS for path in sorted(ROOT.glob(pattern))}
    return [path.relative_to(ROOT).as_posix() for path in found]


def source(file: str) -> str:
    """Return the text of a source file."""
    return (ROOT / file).read_text(encoding="utf-8")


def drawn(seed: int) -> list[Mutant]:
    """Return the mutants of a seed, in the order of their files."""
    return [mutant for area, _, count in AREAS for mutant in of_area(area, count, seed)]


def of_area(area: str, count: int, seed: int) -> list[Mutant]:
    """Return so many mutants of a part, or all."""
    return of_files(files_of(area), count, seed)


def of_files(files: Sequence[str], count: int, seed: int) -> list[Mutant]:
    """Return so many mutants of these files, or all."""
    every = [mutant for file in files for mutant in mutants(file, source(file), seed)]
    if count == ALL or count >= len(every):
        return every
    # by a hash of the name: what is drawn stays so when other mutants come and go
    ranked = sorted(every, key=lambda one: sha256(f"{seed} {one.name}".encode()).digest())
    chosen = {one.name for one in ranked[:count]}
    return [one for one in every if one.name in chosen]
