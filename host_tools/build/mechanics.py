"""Refuses mechanics that cannot be, before an image is built of them: file, key and number."""

from __future__ import annotations

import re
import runpy
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt, tau
from pathlib import Path
from typing import Any

from host_tools.build.tell import ROOT, BuildError

PATH = ROOT / "boards" / "mechanics.py"
READERS = (ROOT / "firmware" / "dovetail", ROOT / "sim", ROOT / "host_tools" / "build")
AXES = ("pick", "feed", "wheel", "eject", "deal")
ROLLERS = ("pick", "feed", "deal")
STEPS_S = 30303  # the step rate at which hil_tests/test_hal_motion.py drives all axes at once
STOP_MS = 110  # the wheel must stand 120 ms after a lid; 10 are left for who notices
COUNTS = 4095  # of the converter
RAMP_US = 65535  # the longest step period that a ramp can hold

Table = dict[str, Any]
IN_ORDER = (
    "ENTRY_BEAM_UM",
    "FEED_NIP_UM",
    "COUNT_BEAM_UM",
    "STAGED_UM",
    "WHEEL_MOUTH_UM",
    "SEATED_UM",
)


@dataclass(frozen=True)
class Rule:
    """What must hold of the number that a key names; the words say what was found."""

    key: str
    holds: Callable[[Table], bool]
    words: Callable[[Table], str]


def _stroke_ms(t: Table) -> float:
    speed, accel = t["AXES"]["eject"]
    steps = t["STROKE_STEPS"]
    if steps * accel <= speed * speed:
        return 2000 * sqrt(steps / accel)
    return 1000 * (steps / speed + speed / accel)


def _stop_ms(t: Table) -> float:
    speed, accel = t["AXES"]["wheel"]
    return 1000 * speed / accel


def _wheel_steps(t: Table, revs: float) -> int:
    return round(revs * t["WHEEL_STEPS_REV"])


def _roller_steps(t: Table, um: int) -> int:
    return um * t["ROLLER_STEPS_M"] // 1_000_000


def _axis(name: str) -> list[Rule]:
    """An axis stays under what its mechanics and its step pulses stand."""
    place = 0 if name in ROLLERS else 1 if name == "wheel" else 2

    def most(t: Table) -> tuple[int, int]:
        return (
            (_roller_steps(t, t["ROLLER_MAX_UM_S"]), _roller_steps(t, t["ROLLER_MAX_UM_S2"])),
            (
                _wheel_steps(t, t["WHEEL_MAX_REV_S"]),
                _wheel_steps(t, t["WHEEL_MAX_RAD_S2"] / tau),
            ),
            (STEPS_S, 10**9),
        )[place]

    def speed(t: Table) -> int:
        return min(most(t)[0], STEPS_S)

    def ramp_us(t: Table) -> float:
        return 1e6 * sqrt(2 / t["AXES"][name][1])

    return [
        Rule(
            "AXES",
            lambda t: 0 < t["AXES"][name][0] <= speed(t),
            lambda t: f"{name}: {t['AXES'][name][0]} steps/s, at most {speed(t)}",
        ),
        Rule(
            "AXES",
            lambda t: 0 < t["AXES"][name][1] <= most(t)[1],
            lambda t: f"{name}: {t['AXES'][name][1]} steps/s², at most {most(t)[1]}",
        ),
        Rule(
            "AXES",
            lambda t: ramp_us(t) <= RAMP_US,
            lambda t: f"{name}: first step after {ramp_us(t):.0f} us, at most {RAMP_US}",
        ),
    ]


def _after(key: str, before: str) -> Rule:
    return Rule(
        key, lambda t: t[key] > t[before], lambda t: f"{t[key]}, but {before} is {t[before]}"
    )


def _under(key: str, limit: str, most: Callable[[Table], int]) -> Rule:
    return Rule(key, lambda t: t[key] <= most(t), lambda t: f"{t[key]}, at most {most(t)}: {limit}")


def _at_least(key: str, why: str, least: Callable[[Table], int]) -> Rule:
    return Rule(
        key, lambda t: t[key] >= least(t), lambda t: f"{t[key]}, at least {least(t)}: {why}"
    )


RULES: list[Rule] = [
    Rule(
        "SLOT_STEPS",
        lambda t: t["SLOTS"] * t["SLOT_STEPS"] == t["WHEEL_STEPS_REV"],
        lambda t: (
            f"{t['SLOT_STEPS']}: {t['SLOTS']} slots of it are {t['SLOTS'] * t['SLOT_STEPS']} "
            f"steps, the wheel has {t['WHEEL_STEPS_REV']}"
        ),
    ),
    _under("TICK_HALF_STEPS", "a quarter of a slot", lambda t: t["SLOT_STEPS"] // 4),
    _under("ALIGN_STEPS", "less than the tick", lambda t: t["TICK_HALF_STEPS"] - 1),
    _under("HOME_HALF_STEPS", "half a slot", lambda t: t["SLOT_STEPS"] // 2),
    _under("EXIT_SLOTS", "one less than SLOTS", lambda t: t["SLOTS"] - 1),
    *(_after(key, before) for before, key in pairwise(IN_ORDER)),
    _under(
        "STAGED_UM",
        "a waiting card still darkens the entry beam",
        lambda t: t["ENTRY_BEAM_UM"] + t["CARD_LENGTH_UM"] - 2000,
    ),
    _under("EXIT_BEAM_UM", "before the shoe", lambda t: t["SHOE_UM"] - t["CARD_LENGTH_UM"]),
    _under("SHOE_UM", "within the push", lambda t: t["PUSH_UM"]),
    _under("REST_HALF_STEPS", "a hundredth of the stroke", lambda t: t["STROKE_STEPS"] // 100),
    _under("DEAL_BEAM_UM", "under the card in the roller", lambda t: t["CARD_LENGTH_UM"]),
    *(rule for name in AXES for rule in _axis(name)),
    Rule(
        "AXES",
        lambda t: _stop_ms(t) <= STOP_MS,
        lambda t: f"wheel: stops within {_stop_ms(t):.0f} ms, at most {STOP_MS}",
    ),
    Rule(
        "AXES",
        lambda t: round(_stroke_ms(t), 3) >= t["STROKE_MIN_MS"],
        lambda t: f"eject: a stroke of {_stroke_ms(t):.1f} ms, at least {t['STROKE_MIN_MS']}",
    ),
    _after("BEAM_FREE", "BEAM_MIN"),
    _after("BEAM_MIN", "BEAM_DARK"),
    _after("SEEN", "PRESENT"),
    _after("PRESENT", "ABSENT"),
    _after("BACK_NONE", "BACK_DARK"),
    Rule(
        "THICKNESS_CARD",
        lambda t: t["THICKNESS_BASE"] + 4 * t["THICKNESS_CARD"] <= COUNTS,
        lambda t: (
            f"{t['THICKNESS_CARD']}: four layers read "
            f"{t['THICKNESS_BASE'] + 4 * t['THICKNESS_CARD']}, the converter gives at most {COUNTS}"
        ),
    ),
    *(
        _under(key, "what the converter gives", lambda t: COUNTS)
        for key in ("BEAM_FREE", "SEEN", "FACE", "SUPPLY_MIN")
    ),
    _at_least("BACK_NONE", "a number that the converter gives", lambda t: 1),
    _under("BACK_HALF", "half the way between the two backs", lambda t: _apart(t) // 2),
]


def _apart(t: Table) -> int:
    red, blue = sorted(t["BACKS"].values())
    return blue - red


def _line(text: str, key: str) -> int:
    """Where a key stands in its file."""
    lines = text.splitlines()
    return next(n for n, line in enumerate(lines, 1) if re.match(rf"{key}\s*=", line))


def _unread(keys: list[str]) -> str:
    """The first key that nobody reads; empty when all are read."""
    files = [path for folder in READERS for path in folder.rglob("*.py")]
    read = "\n".join(path.read_text() for path in files if "tests" not in path.parts)
    return next((key for key in keys if not re.search(rf"(?:\.|\")({key})\b", read)), "")


def check(path: Path = PATH) -> None:
    """Raises BuildError with file, line, key and number of the first thing that is wrong."""
    text = path.read_text(encoding="utf-8")
    name = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
    table: Table = {k: v for k, v in runpy.run_path(str(path)).items() if not k.startswith("_")}

    def refuse(key: str, words: str) -> BuildError:
        return BuildError(f"image: {name}:{_line(text, key)}: {key} = {words}")

    needed = {rule.key for rule in RULES} | set(IN_ORDER)
    absent = sorted(needed - table.keys())
    if absent:
        raise BuildError(f"image: {name}: {absent[0]} is missing")
    unread = _unread(list(table))
    if unread:
        raise refuse(unread, f"{table[unread]}: nobody reads this key")
    for key, value in table.items():
        _numbers(key, value, refuse)
    for key in ("AXES", "REACH"):
        if set(table[key]) != set(AXES):
            raise refuse(key, f"{sorted(table[key])}, not the axes {sorted(AXES)}")
    for rule in RULES:
        if not rule.holds(table):
            raise refuse(rule.key, rule.words(table))


def _numbers(key: str, value: Any, refuse: Callable[[str, str], BuildError]) -> None:
    """Whole numbers above 0, and nothing else: there are no floats in control."""
    if isinstance(value, dict):
        inside: list[Any] = list(value.values())  # pyright: ignore[reportUnknownArgumentType]
    else:
        inside = [value]
    for each in inside:
        parts: tuple[Any, ...] = each if isinstance(each, tuple) else (each,)  # pyright: ignore[reportUnknownVariableType]
        for part in parts:
            if type(part) is not int or part <= 0:
                raise refuse(key, f"{part!r}: a whole number above 0 is wanted")
