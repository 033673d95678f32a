"""Trace each rule to its refusals, its code, its properties and its tests.

A test names its rules in the first words of its docstring, before a colon: `DS-4 SH-1: ...`; one
of `hil_tests/` that runs on the emulated board says so there: `EL-1 (emulated): ...`, one of the
tools' that plays in-process `(in-process)`. A scenario runs in-process, and unless it needs a quick
machine on the emulated board as well. `page.py` prints what is found here.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from dovetail.cards import profiles
from dovetail.table import system
from dovetail.table.registry import RULES

from host_tools.build.tell import ROOT
from host_tools.rules import device, properties

DEVICE = ROOT / "firmware" / "dovetail"
CITED = re.compile(r"\b(?:SH|TD|CT|CD|DS|CL|EL|I)-\d+\b")
FIRST = re.compile(r"^((?:(?:SH|TD|CT|CD|DS|CL|EL|I)-\d+[ ,and]*)+)(?:\((emulated|in-process)\))?:")
# What follows from the rules for the machine as a whole: after every step of every scenario.
INVARIANTS = (
    ("I-1", "never ready with a wrong count, or with one that a single sensor has made"),
    ("I-2", "no stack before no more bets of its round, no second round from one shuffle"),
    ("I-3", "the cards of every stack are measured; a wrong number is told with its position"),
    ("I-4", "a jam, a stop, a missing card is told in time, with station and card"),
    ("I-5", "after an interruption only removing, counting and shuffling lead on"),
    ("I-6", "an open lid, door, mount or a lost supply stops all motion in time"),
    ("I-7", "a lock-out survives the power, and ends by its own rule only"),
    ("I-8", "the order of the cards is in the wheel's plan alone, and after that nowhere"),
    ("I-9", "randomness that fails its tests makes the machine unavailable"),
    ("I-10", "a record that was acknowledged is never lost, altered unnoticed, or out of order"),
    ("I-11", "what was only declared is never told, recorded or counted as done or seen"),
    ("I-12", "nothing that is said uses up the room of the records of play"),
)
TABLE, IN_PROCESS, EMULATED = DEPTHS = ("Table", "In-process", "Emulated")
PLACES = (*RULES, *((name, "for the machine as a whole", words) for name, words in INVARIANTS))


@dataclass
class Trace:
    """What is known of one rule."""

    events: list[str] = field(default_factory=list[str])
    games: list[str] = field(default_factory=list[str])
    files: list[str] = field(default_factory=list[str])
    proved: list[str] = field(default_factory=list[str])
    tests: dict[str, list[str]] = field(default_factory=lambda: {depth: [] for depth in DEPTHS})


def rules() -> dict[str, Trace]:
    """Return every rule, in the order of the registry."""
    found = {rule: Trace() for rule, _, _ in PLACES}
    for rule, event in _refusals():
        found[rule].events.append(event)
    for game, rows in profiles.GAMES:
        for key, _, rule in rows:
            if rule in found:
                found[rule].games.append(f"{game}: {key}")
    for path in sorted(DEVICE.rglob("*.py")):
        if path.name in ("registry.py", "profiles.py"):
            continue
        for rule in sorted(set(CITED.findall(path.read_text(encoding="utf-8")))):
            if rule in found:
                found[rule].files.append(str(path.relative_to(DEVICE)))
    for rule, names in properties.RULES.items():
        found[rule].proved += dict.fromkeys(names)
    for name, depths, cited in _tests():
        for rule in cited:
            for depth in depths:
                found[rule].tests[depth].append(name)
    return found


def _refusals() -> Iterator[tuple[str, str]]:
    by_game = {
        "@stack": sorted(
            {rule for _, rows in profiles.GAMES for key, _, rule in rows if key == "stack"}
        ),
        "@life": sorted(
            {rule for _, rows in profiles.GAMES for key, _, rule in rows if key.startswith("life")}
        ),
    }
    for part in device.table():
        for event, shared, own in part:
            cited = [row[1] for row in system.COMMON if row[0] in shared]
            cited += [row[1] for row in own if isinstance(row[1], str)]
            for rule in dict.fromkeys(cited):
                for one in by_game.get(rule, [rule]):
                    if CITED.fullmatch(one):
                        yield one, event


def _tests() -> Iterator[tuple[str, tuple[str, ...], list[str]]]:
    """Yield the tests and scenarios whose docstring begins with rules: name, depths, rules."""
    for room in ("firmware/tests", "host_tools/tests", "sim/tests", "hil_tests"):
        for path in sorted((ROOT / room).glob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    continue
                said = FIRST.match(ast.get_docstring(node) or "")
                if not said:
                    continue
                needs = _needs(node)
                if needs is not None:
                    depths = (IN_PROCESS,) if "quick" in needs else (IN_PROCESS, EMULATED)
                elif not node.name.startswith("test_"):
                    continue
                elif said.group(2):
                    depths = (said.group(2).capitalize(),)
                else:
                    depths = (IN_PROCESS if room == "hil_tests" else TABLE,)
                yield node.name, depths, CITED.findall(said.group(1))


def _needs(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str] | None:
    """Return what a scenario needs, or None for a function that is no scenario."""
    for one in node.decorator_list:
        if isinstance(one, ast.Call) and getattr(one.func, "id", "") == "scenario":
            return [str(arg.value) for arg in one.args if isinstance(arg, ast.Constant)]
    return None


_ONCE: dict[str, Trace] = {}


def rules_once() -> dict[str, Trace]:
    """Return what `rules` finds, and read the sources once only."""
    if not _ONCE:
        _ONCE.update(rules())
    return _ONCE


def without_tests() -> dict[str, list[str]]:
    """Return the rules that lack a test at a depth, and the invariants that lack every test.

    A property alone is no test.
    """
    found: dict[str, list[str]] = {}
    for rule, row in rules_once().items():
        lacking = [depth for depth, names in row.tests.items() if not names]
        if lacking and (rule[:2] != "I-" or len(lacking) == len(DEPTHS)):
            found[rule] = lacking
    return found
