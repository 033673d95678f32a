"""Refuses mechanics that cannot be, before an image is built of them: file, key and number."""

from __future__ import annotations

import re
import runpy
from functools import cache
from pathlib import Path
from typing import cast

from host_tools.build.mechanics_rules import AXES, RULES, Table
from host_tools.build.tell import ROOT, UsageError

PATH = ROOT / "boards" / "mechanics.py"
READERS = (ROOT / "firmware" / "dovetail", ROOT / "sim", ROOT / "host_tools" / "build")
NEEDED = r"(?:\b(?:M|m|mechanics)\.|\bt\[\")([A-Z][A-Z0-9_]+)\b"
READ = r"(?:\.|\")([A-Z][A-Z0-9_]+)\b"
# What a key holds by name, and how many numbers each; all others are one number.
SHAPES: dict[str, tuple[tuple[str, ...], int]] = {
    "AXES": (AXES, 2),
    "REACH": (AXES, 1),
    "BACKS": (("red", "blue"), 1),
}


def _line(text: str, key: str) -> int:
    """Where a key stands in its file."""
    lines = text.splitlines()
    return next(n for n, line in enumerate(lines, 1) if re.match(rf"{key}\s*=", line))


@cache
def _names(pattern: str) -> set[str]:
    """Keys that the readers' files name so."""
    files = [path for folder in READERS for path in folder.rglob("*.py")]
    read = "\n".join(path.read_text() for path in files if "tests" not in path.parts)
    return set(re.findall(pattern, read))


def _run(path: Path, name: Path) -> Table:
    try:
        found = runpy.run_path(str(path))
    except (SyntaxError, NameError, TypeError, ValueError, ArithmeticError) as error:
        raise UsageError(f"image: {name}: {error}") from error
    return {key: value for key, value in found.items() if not key.startswith("_")}


def check(path: Path = PATH) -> None:
    """Raises UsageError with file, line, key, number and limit of the first thing wrong."""
    text = path.read_text(encoding="utf-8")
    name = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
    table = _run(path, name)

    def refuse(key: str, words: str) -> UsageError:
        return UsageError(f"image: {name}:{_line(text, key)}: {key} = {words}")

    absent = sorted(_names(NEEDED) - table.keys())
    if absent:
        raise UsageError(f"image: {name}: {absent[0]} is missing")
    for key in sorted(table.keys() - _names(READ)):
        raise refuse(key, f"{table[key]}: nobody reads this key")
    for key, value in table.items():
        wrong = _misshapen(key, value)
        if wrong:
            raise refuse(key, wrong)
    for rule in RULES:
        if not rule.holds(table):
            raise refuse(rule.key, rule.words(table))


def _misshapen(key: str, value: object) -> str:
    """What is wrong with the form of a value: numbers are whole, no control has floats."""
    names, parts = SHAPES.get(key, ((), 1))
    values: dict[str, object] = {"": value}
    if names:
        if not isinstance(value, dict):
            return f"{value!r}: wanted is a number for each of {', '.join(names)}"
        values = cast(dict[str, object], value)
        if set(values) != set(names):
            return f"{sorted(values)}, not the axes or backs {sorted(names)}"
    for name, each in values.items():
        said = f"{name}: {each!r}" if name else repr(each)
        numbers = cast(tuple[object, ...], each) if isinstance(each, tuple) else (each,)
        if len(numbers) != parts or isinstance(each, tuple) != (parts > 1):
            return f"{said}: {'one whole number is' if parts == 1 else 'a pair of them is'} wanted"
        if any(type(number) is not int or number <= 0 for number in numbers):
            return f"{said}: a whole number above 0 is wanted"
    return ""
