"""docs/rules.md: each rule, its place in the texts, the code that keeps it, the tests that try it.

`python -m host_tools.rules.page` writes it. A test names its rules in the first words of its
docstring, before a colon: `DS-4 SH-1: ...`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from dovetail.cards import profiles
from dovetail.table import system
from dovetail.table.registry import RULES

from host_tools.build.tell import ROOT, say
from host_tools.rules import device, properties

PAGE = ROOT / "docs" / "rules.md"
DEVICE = ROOT / "firmware" / "dovetail"
CITED = re.compile(r"\b(?:SH|TD|CT|DS|CL|EL)-\d+\b")
FIRST = re.compile(r"^((?:(?:SH|TD|CT|DS|CL|EL)-\d+[ ,and]*)+):")

HEAD = """# Rules

Made from the code by `python -m host_tools.rules.page`; a rule without a test fails `make test`.

Places: 17.11 and the like are N.J.A.C. 19:47, 42 and the like 13:69F.
*Refusals*: the rows of `firmware/dovetail/table/` that refuse by this rule, by event.
*Code*: other files that name it.
*Proved*: properties in `host_tools/rules/properties.py`, held against every step of every state.
*Unit*: tests in `firmware/tests`, on CPython and on MicroPython, and elsewhere.
*Scenarios*: in `hil_tests/`, at all three depths: in-process, emulated, and a real board where it
has what the scenario needs.
"""


@dataclass
class Row:
    """What is known of one rule."""

    events: list[str] = field(default_factory=list[str])
    games: list[str] = field(default_factory=list[str])
    files: list[str] = field(default_factory=list[str])
    proved: list[str] = field(default_factory=list[str])
    unit: list[str] = field(default_factory=list[str])
    scenarios: list[str] = field(default_factory=list[str])

    @property
    def tests(self) -> list[str]:
        """All of them."""
        return self.proved + self.unit + self.scenarios


def rules() -> dict[str, Row]:
    """Every rule, in the order of the registry."""
    found = {rule: Row() for rule, _, _ in RULES}
    for rule, event in _refusals():
        found[rule].events.append(event)
    for game, rows in profiles.GAMES:
        for key, _, rule in rows:
            if rule in found:
                found[rule].games.append(f"{game}: {key}")
    for path in sorted(DEVICE.rglob("*.py")):
        if path.name in ("registry.py", "profiles.py") or path.name.startswith("rows_"):
            continue
        for rule in sorted(set(CITED.findall(path.read_text(encoding="utf-8")))):
            if rule in found:
                found[rule].files.append(str(path.relative_to(DEVICE)))
    for rule, names in properties.RULES.items():
        found[rule].proved += dict.fromkeys(names)
    for path, name, cited in _tests():
        for rule in cited:
            row = found[rule]
            (row.scenarios if path.parts[0] == "hil_tests" else row.unit).append(name)
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


def _tests() -> Iterator[tuple[Path, str, list[str]]]:
    """Test functions and scenarios whose docstring begins with rules."""
    for room in ("firmware/tests", "host_tools/tests", "sim/tests", "hil_tests"):
        for path in sorted((ROOT / room).glob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    continue
                said = FIRST.match(ast.get_docstring(node) or "")
                if said and (node.name.startswith("test_") or _is_scenario(node)):
                    yield path.relative_to(ROOT), node.name, CITED.findall(said.group(1))


def _is_scenario(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any(
        isinstance(one, ast.Call) and getattr(one.func, "id", "") == "scenario"
        for one in node.decorator_list
    )


def text() -> str:
    """The page."""
    lines = [HEAD]
    for rule, place, words in RULES:
        row = rules_once()[rule]
        lines.append(f"## {rule}\n\n{place}. Here: {words}.\n")
        for title, names in (
            ("Refusals", row.events),
            ("Games", row.games),
            ("Code", row.files),
            ("Proved", row.proved),
            ("Unit", row.unit),
            ("Scenarios", row.scenarios),
        ):
            if names:
                told = ", ".join(f"`{name}`" for name in dict.fromkeys(names))
                lines.append(f"- *{title}*: {told}")
        lines.append("")
    return "\n".join(lines)


_ONCE: dict[str, Row] = {}


def rules_once() -> dict[str, Row]:
    """The same, read once."""
    if not _ONCE:
        _ONCE.update(rules())
    return _ONCE


def without_tests() -> list[str]:
    """Rules that nothing tries."""
    return [rule for rule, row in rules_once().items() if not row.tests]


if __name__ == "__main__":
    PAGE.write_text(text(), encoding="utf-8")
    say(f"docs/rules.md: {len(RULES)} rules, {len(without_tests())} without a test")
