"""Refuses mechanics that cannot be, before an image is built of them: file, key and number."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
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
SIGNS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
    ast.FloorDiv: lambda a, b: a // b,
    ast.Mod: lambda a, b: a % b,
}
MOST = 2**31  # no number of a machine is larger
WANTED = "wanted is KEY = a number, or a table of numbers"


@cache
def _names(pattern: str) -> set[str]:
    """Keys that the readers' files name so."""
    files = [path for folder in READERS for path in folder.rglob("*.py")]
    read = "\n".join(path.read_text() for path in files if "tests" not in path.parts)
    return set(re.findall(pattern, read))


def _value(node: ast.expr, table: Table) -> object:
    """What an expression of numbers is; raises ValueError, TypeError, ArithmeticError."""
    match node:
        case ast.Constant():
            return cast(object, node.value)
        case ast.Name():
            if node.id not in table:
                raise ValueError(f"no key {node.id} stands before it")
            return table[node.id]
        case ast.UnaryOp(op=ast.USub()):
            return -_number(node.operand, table)
        case ast.BinOp() if type(node.op) in SIGNS:
            left, right = _number(node.left, table), _number(node.right, table)
            made = SIGNS[type(node.op)](left, right)
            if abs(made) > MOST:
                raise ValueError(f"more than {MOST}")
            return made
        case ast.Tuple():
            return tuple(_value(one, table) for one in node.elts)
        case ast.List():
            return [_value(one, table) for one in node.elts]
        case ast.Dict():
            names = [one and _value(one, table) for one in node.keys]
            for name in names:
                if not isinstance(name, str):
                    raise ValueError(WANTED)
                if names.count(name) > 1:
                    raise ValueError(f"{name} is given twice")
            return {
                str(name): _value(one, table) for name, one in zip(names, node.values, strict=True)
            }
        case _:
            raise ValueError(WANTED)


def _number(node: ast.expr, table: Table) -> float:
    """A part of a sum."""
    value = _value(node, table)
    if not isinstance(value, int | float) or abs(value) > MOST:
        raise ValueError(WANTED)
    return value


def _read(path: Path, name: Path) -> tuple[Table, dict[str, int]]:
    """Every key of the file, and in which line it stands. Nothing of it is run."""
    try:
        statements = ast.parse(path.read_text(encoding="utf-8")).body
    except SyntaxError as error:
        raise UsageError(f"image: {name}:{error.lineno or 1}: {error.msg}") from error
    except (OSError, ValueError, RecursionError, MemoryError) as error:
        raise UsageError(f"image: {name}: {str(error) or 'nested too deeply'}") from error
    table: Table = {}
    lines: dict[str, int] = {}
    for one in statements:
        at = f"image: {name}:{one.lineno}"
        match one:
            case ast.Assign(targets=[ast.Name(id=key)]):
                pass
            case _:
                words = ast.unparse(one).splitlines()[0].rstrip(":")
                raise UsageError(f"{at}: {words}: {WANTED}")
        if key in table:
            raise UsageError(f"{at}: {key} is given twice, first in line {lines[key]}")
        lines[key] = one.lineno
        try:
            table[key] = _value(one.value, table)
        except (ValueError, TypeError, ArithmeticError) as error:
            words = ast.unparse(one.value).splitlines()[0]
            raise UsageError(f"{at}: {key} = {words}: {error}") from error
    return table, lines


def check(path: Path = PATH) -> None:
    """Raises UsageError with file, line, key, number and limit of the first thing wrong."""
    name = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
    table, lines = _read(path, name)

    def refuse(key: str, words: str) -> UsageError:
        return UsageError(f"image: {name}:{lines[key]}: {key} = {words}")

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
