"""Mutants, one after another: the tests that reach the change, the quickest first, until one fails.

A mutant first meets the test that has found it before, then what is quick, then all that reaches
its line. Each verdict is kept at once, so that a hunt which is stopped goes on where it was.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path
from types import CodeType
from typing import Any

from host_tools.build.tell import ROOT, BuildError, alone
from host_tools.evidence.reach import MAP as REACH
from host_tools.evidence.reach import functions
from host_tools.mutate import areas, tested
from host_tools.mutate.change import Mutant, planted

Make = Callable[[Mutant], CodeType]  # the code of the mutant's file, with the change in it
DECIDES = ("change", "planted", "tested")  # what of this room a verdict depends on
ROOMS = ("firmware", "boards", "sim", "hil_tests", "host_tools")
MAP, STATE = tested.WORK / "map.json", tested.WORK / "state.json"
FIRST_S, FIRST_FILES, FIRST_TESTS = 2.0, 6, 60  # what is quick, in all
SPREAD_S = 6.0  # then of every file the quickest, and then all that is left
Verdicts = dict[str, str]  # by the name of a mutant: the test that found it; '' where none has


def key() -> str:
    """Return a hash of all Python here: verdicts hold for this code and these tests."""
    found = sha256()
    for path in sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py")):
        if path.parent == Path(__file__).parent and path.stem not in DECIDES:
            continue
        found.update(f"{path.relative_to(ROOT)} {path.stat().st_size} ".encode())
        found.update(path.read_bytes())
    return found.hexdigest()[:16]


def keep(path: Path, what: Mapping[str, Any]) -> None:
    """Write a file at once or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    partial.write_text(json.dumps(what, indent=0, sort_keys=True), encoding="utf-8")
    partial.replace(path)


def kept(path: Path) -> dict[str, Any]:
    """Return what such a file holds; nothing where there is none."""
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


# -- which tests reach what -----------------------------------------------------------------


@dataclass(frozen=True)
class Reach:
    """Which tests run which line of the changed files, and what each takes."""

    took: Mapping[str, float]
    lines: Mapping[str, Mapping[str, Sequence[str]]]
    new: tuple[str, ...] = ()  # files of tests that are newer than the map

    def tests(self, mutant: Mutant) -> list[str]:
        """Return the tests that run the changed line, the quickest first."""
        lines = self.lines.get(mutant.file, {})
        found: set[str] = set()
        if mutant.function:
            for line in range(mutant.line, 0, -1):  # a statement of several lines has one that runs
                if found := set(lines.get(str(line), ())):
                    break
        else:
            for line in _mentioned(mutant):
                found |= set(lines.get(str(line), ()))
        if not found:
            found = {test for tests in lines.values() for test in tests} or set(self.took)
        return [*self.new, *sorted(found, key=lambda test: (self.took.get(test, 0.0), test))]


def _mentioned(mutant: Mutant) -> list[int]:
    """Return the lines of a file that use the name which the changed line sets."""
    text = areas.source(mutant.file).splitlines()
    name = re.match(r"(\w+) *=", text[mutant.line - 1])
    if name is None:
        return []
    word = re.compile(rf"\b{name[1]}\b")
    return [n for n, line in enumerate(text, 1) if word.search(line) and n != mutant.line]


def reach(old: bool = False) -> Reach:
    """Return the map of this code, made anew unless it is there; `old`: take one of other code."""
    with alone("mutate"):  # two slices of a proof begin at once
        there = kept(MAP)
        if not there or not (old or there["key"] == key()):
            there = _mapped()
            keep(MAP, there)
    made = MAP.stat().st_mtime
    new = tuple(file for file in areas.test_files() if (ROOT / file).stat().st_mtime > made)
    return Reach(there["took"], there["lines"], new)


def recorded() -> Reach:
    """Return the map that `make check` uses: it knows functions, and a few tests of each."""
    there = kept(REACH)
    if not there:
        return Reach({}, {})
    tests, took = [test for test, _ in there["tests"]], dict(there["tests"])
    lines: dict[str, dict[str, list[str]]] = {}
    for file in areas.every_file():
        by_function = there["reach"].get(file, {})
        for name, first, last in functions(areas.source(file)):
            for line in range(first, last + 1):  # an inner function comes after the outer one
                chosen = [tests[n] for n in by_function.get(name, ())]
                lines.setdefault(file, {})[str(line)] = [t for t in chosen if areas.quick(t)]
    return Reach(took, lines)


def _mapped() -> dict[str, Any]:
    """Run every test once on the code as it is; all must pass, else no verdict means anything."""
    order = tested.Order(tuple(areas.test_files()), {}, cover=tuple(areas.every_file()))
    found = tested.run(order)
    if found.failed:
        raise BuildError(f"mutants: {found.failed} without any mutant; see {tested.LOG}")
    return {"key": key(), "took": found.took, "lines": found.lines}


def of_code(seed: int) -> Make:
    """Return what makes the mutants of the code of this seed."""

    def make(mutant: Mutant) -> CodeType:
        tree = planted(mutant, areas.source(mutant.file), seed)
        return compile(tree, str(ROOT / mutant.file), "exec")

    return make


# -- the hunt -------------------------------------------------------------------------------


@dataclass
class Hunted:
    """One mutant on its way through the parts of its tests."""

    mutant: Mutant
    parts: list[list[str]]  # still to be run
    ran: int = 0


@dataclass
class Hunt:
    """Verdicts of many mutants, so many at a time."""

    reach: Reach
    make: Make
    hints: Verdicts  # what has found them before, in this code or another
    workers: int = 1
    hasty: bool = False  # leave out what is slow: some that are not found here would be
    found: Verdicts = field(default_factory=dict[str, str])

    def run(self, mutants: Sequence[Mutant]) -> Iterator[tuple[Mutant, str]]:
        """Yield each mutant with the test that finds it, or nothing."""
        tested.warm()
        waiting, out = list(reversed(mutants)), dict[int, Hunted]()
        try:
            while waiting or out:
                while waiting and len(out) < self.workers:
                    mutant = waiting.pop()
                    self._begin(Hunted(mutant, self.parts(mutant)), out)
                pid, _ = os.wait()
                one = out.pop(pid)
                outcome = tested.end(pid)
                one.ran += outcome.ran
                if outcome.failed or not one.parts:
                    self.found[one.mutant.name] = outcome.failed
                    yield one.mutant, outcome.failed
                else:
                    self._begin(one, out)
        finally:
            for pid in out:
                os.kill(pid, 9)
                os.waitpid(pid, 0)

    def _begin(self, one: Hunted, out: dict[int, Hunted]) -> None:
        tests, file = tuple(one.parts.pop(0)), one.mutant.file
        order = tested.Order(tests, self.reach.took, file, self.make(one.mutant))
        out[tested.begin(order)] = one

    def parts(self, mutant: Mutant) -> list[list[str]]:
        """Return the tests of a mutant in parts: what found it before, what is quick, all."""
        tests = self.reach.tests(mutant)
        known = self.hints.get(mutant.name, "").removeprefix(f"{tested.HANGS}: ")
        if known and (ROOT / known.split("::")[0]).is_file():
            first = [known]
            second = self._quick(mutant, tests)
        else:
            first, second = self._quick(mutant, tests), []
        parts = [first, second]
        for choose in (self._spread,) if self.hasty else (self._spread, list[str]):
            run = {test for part in parts for test in part}
            parts.append(choose([test for test in tests if test not in run]))
        return [part for part in parts if part]

    def _spread(self, tests: Sequence[str]) -> list[str]:
        """Return as many tests as there is time for, of all files in turn."""
        by_file: dict[str, list[str]] = {}
        for test in tests:
            by_file.setdefault(test.split("::")[0], []).append(test)
        turns = zip_longest(*by_file.values())
        chosen: list[str] = []
        left = SPREAD_S
        for test in (test for turn in turns for test in turn if test):
            left -= self.reach.took.get(test, 0.5)
            if left >= 0:
                chosen.append(test)
        return chosen

    def _quick(self, mutant: Mutant, tests: Sequence[str]) -> list[str]:
        place = mutant.name.removesuffix(mutant.what)
        found = {**self.hints, **self.found}
        near = [test for name, test in found.items() if name.startswith(place)]
        there = set(tests)
        chosen = [test for test in dict.fromkeys(near) if test in there][:8]
        files = {test.split("::")[0] for test in chosen}
        used = 0.0
        for test in tests:
            used += self.reach.took.get(test, 0.5)
            if used > FIRST_S or len(chosen) >= FIRST_TESTS:
                break
            file = test.split("::")[0]
            if file in files or len(files) < FIRST_FILES:
                files.add(file)
                chosen.append(test)
        return list(dict.fromkeys(chosen))
