"""Mechanics that cannot be are refused when an image is built: file, line, key and number."""

from __future__ import annotations

import re
import runpy
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from dovetail import calibration

from host_tools.build import mechanics
from host_tools.build import mechanics_rules as rules
from host_tools.build.tell import ROOT, BuildError, UsageError

DEVICE: Any = calibration


def test_the_reference_machine_can_be() -> None:
    mechanics.check()


BAD = {
    "a slot pitch that does not divide": (
        ("SLOT_STEPS = 100", "SLOT_STEPS = 101"),
        "SLOT_STEPS = 101: 56 slots of it are 5656 steps, the wheel has 5600",
    ),
    "a roller over the limit of its axis": (
        ('"feed": (30303', '"feed": (30700'),
        "AXES = feed: 30700 steps/s, at most 30303",
    ),
    "a wheel over four turns a second": (
        ('"wheel": (22222', '"wheel": (22401'),
        "AXES = wheel: 22401 steps/s, at most 22400",
    ),
    "a wheel that accelerates too hard": (
        ("222817)", "222818)"),
        "AXES = wheel: 222818 steps/s², at most 222817",
    ),
    "a wheel that stops too late": (
        ("222817)", "150000)"),
        "AXES = wheel: stops within 148 ms, at most 110",
    ),
    "an ejector that is too quick": (
        ('"eject": (8000', '"eject": (9000'),
        "AXES = eject: a stroke of 55.7 ms, at least 60",
    ),
    "a ramp that no table holds": (
        ("(8000, 800000)", "(8000, 400)"),
        "AXES = eject: first step after 70711 us, at most 65535",
    ),
    "a deal roller slower than the chute": (
        ('"deal": (30303', '"deal": (12749'),
        "AXES = deal: 12749 steps/s, at least 12750: no slower than the chute",
    ),
    "a deal roller that stands when the card has gone": (
        ('"deal": (30303, 1020000)', '"deal": (30303, 65000)'),
        "AXES = deal: stands 56 ms after it has let a card go, at most 56",
    ),
    "a card that may lie before the count beam": (
        ("COUNT_BEAM_UM = 40000", "COUNT_BEAM_UM = 58001"),
        "STAGED_UM = 72000, at least 72001: a card that lies short of its place",
    ),
    "a card that leans into the mouth": (
        ("WHEEL_MOUTH_UM = 80000", "WHEEL_MOUTH_UM = 77499"),
        "WHEEL_MOUTH_UM = 77499, at least 77500: a card that leans forward",
    ),
    "a beam behind the station after it": (
        ("ENTRY_BEAM_UM = 12000", "ENTRY_BEAM_UM = 20000"),
        "FEED_NIP_UM = 20000, but ENTRY_BEAM_UM is 20000",
    ),
    "a card that would wait past the beam": (
        ("STAGED_UM = 72000", "STAGED_UM = 74000"),
        "STAGED_UM = 74000, at most 73500: a waiting card still darkens the entry beam",
    ),
    "backs that look alike": (
        ('"blue": 2400', '"blue": 1900'),
        "BACK_HALF = 400, at most 350: half the way between the two backs",
    ),
    "a beam that reads less free than its threshold": (
        ("BEAM_FREE = 3400", "BEAM_FREE = 1900"),
        "BEAM_FREE = 1900, at least 2226: boards are off BEAM_FREE by 158, and 30 of 100",
    ),
    "a threshold over what a sensor reads of a card": (
        ("SEEN = 3000", "SEEN = 2000"),
        "SEEN = 2000, at least 2226: boards are off SEEN by 158",
    ),
    "layers beyond the converter": (
        ("THICKNESS_CARD = 600", "THICKNESS_CARD = 950"),
        "THICKNESS_CARD = 950: four layers read 4200, the converter gives at most 4095",
    ),
    "a level beyond the converter": (
        ("BEAM_FREE = 3400", "BEAM_FREE = 4400"),
        "BEAM_FREE = 4400, at most 4095: what the converter gives",
    ),
    "a number that is none": (
        ("SLOTS = 56 ", "SLOTS = 56.0 "),
        "SLOTS = 56.0: a whole number above 0 is wanted",
    ),
    "nothing": (("SLOTS = 56\n", "SLOTS = 0\n"), "SLOTS = 0: a whole number above 0 is wanted"),
    "a key that nobody reads": (
        ("SLOTS = 56\n", "SLOTS = 56\nSLOT_COLOUR = 3\n"),
        "SLOT_COLOUR = 3: nobody reads this key",
    ),
    "a reach that no move keeps to": (
        ('"wheel": 6000', '"wheel": 100'),
        "REACH = wheel: 100 steps, at least 5700: its longest move",
    ),
    "a pick that is too short": (
        ('"pick": 2550', '"pick": 200'),
        "REACH = pick: 200 steps, at least 961: its longest move",
    ),
    "a pick that is slower than the feed": (
        ('"pick": (30303, 1020000)', '"pick": (15000, 500000)'),
        "AXES = pick: (15000, 500000), feed: (30303, 1020000): they must be alike",
    ),
    "a card that is driven through the wheel": (
        ("SEATED_UM = 146000", "SEATED_UM = 160000"),
        "SEATED_UM = 160000, at most 153500",
    ),
    "a card whose end is still in the mouth": (
        ("SEATED_UM = 146000", "SEATED_UM = 140000"),
        "SEATED_UM = 140000, at least 143500",
    ),
    "a tray within the deal beam": (
        ("TRAY_UM = 130000", "TRAY_UM = 100000"),
        "TRAY_UM = 100000, at least 103500",
    ),
    "a next card in the deal beam": (
        ("DEAL_BEAM_UM = 40000", "DEAL_BEAM_UM = 9000"),
        "STAGE_UM = 4000, at most 1000",
    ),
    "a back that reads as none": (
        ("BACK_NONE = 600", "BACK_NONE = 1200"),
        "BACK_NONE = 1200, at most 731: less than any back reads",
    ),
    "a back that reads as none on some boards": (
        ("BACK_NONE = 600", "BACK_NONE = 732"),
        "BACK_NONE = 732, at most 731: less than any back reads on a board that is off by 68",
    ),
    "no back that reads as one on some boards": (
        ("BACK_DARK = 100", "BACK_DARK = 532"),
        "BACK_NONE = 600, at least 601: boards are off BACK_DARK by 48",
    ),
    "a free beam next to its threshold": (
        ("BEAM_FREE = 3400", "BEAM_FREE = 2225"),
        "BEAM_FREE = 2225, at least 2226",
    ),
    "a dark beam next to its threshold": (
        ("BEAM_DARK = 600", "BEAM_DARK = 1875"),
        "BEAM_MIN = 2000, at least 2001: boards are off BEAM_DARK by 88",
    ),
    "a card that reads next to nothing": (
        ("PRESENT = 2000", "PRESENT = 2775"),
        "SEEN = 3000, at least 3001",
    ),
    "nothing that reads next to a card": (
        ("ABSENT = 300", "ABSENT = 1875"),
        "PRESENT = 2000, at least 2001: boards are off ABSENT by 88",
    ),
    "a key that is given twice": (
        ("SHOE_UM = 80000", "SLOTS = 57\nSHOE_UM = 80000"),
        "SLOTS is given twice, first in line ",
    ),
    "a key of a table that is given twice": (
        ('"red": 1200, ', '"red": 1200, "red": 1100, '),
        "BACKS = {'red': 1200, 'red': 1100, 'blue': 2400}: red is given twice",
    ),
    "a key that does not stand yet": (
        ("SLOTS = 56", "SLOTS = SLOT"),
        "SLOTS = SLOT: no key SLOT stands before it",
    ),
    "a number by nothing": (("SLOTS = 56", "SLOTS = 56 // 0"), "SLOTS = 56 // 0: "),
    "a number of words": (("SLOTS = 56", "SLOTS = 'x' * 56"), "SLOTS = 'x' * 56: wanted is KEY"),
    "a number without end": (
        ("SLOTS = 56", "SLOTS = 99999 * 99999"),
        "SLOTS = 99999 * 99999: more than 2147483648",
    ),
    "a call": (
        ("SLOTS = 56", "SLOTS = int('56')"),
        "SLOTS = int('56'): wanted is KEY = a number, or a table of numbers",
    ),
    "an import": (("SLOTS = 56", "import x"), "import x: wanted is KEY = a number"),
    "an assertion": (("SLOTS = 56", "assert 1 == 2"), "assert 1 == 2: wanted is KEY = a number"),
    "a loop": (("SLOTS = 56", "while True: pass"), "while True: wanted is KEY = a number"),
    "two keys at once": (("SLOTS = 56", "SLOTS = NOTCHES = 56"), "SLOTS = NOTCHES = 56: wanted"),
    "a key that grows": (("SLOTS = 56", "SLOTS += 1"), "SLOTS += 1: wanted is KEY = a number"),
    "what is no Python": (("SLOTS = 56", "SLOTS = = 56"), ": invalid syntax"),
    "a white face that reads as a back": (
        ("FACE = 3600", "FACE = 3000"),
        "FACE = 3000, at least 3201: more than any back reads",
    ),
    "a wheel that may not be off at all": (
        ("ALIGN_STEPS = 12", "ALIGN_STEPS = 1"),
        "ALIGN_STEPS = 1, 10 to 4095: the wheel is rocked by 9",
    ),
    "an axis with one number": (
        ('"feed": (30303, 1020000)', '"feed": 30303'),
        "AXES = feed: 30303: a pair of them is wanted",
    ),
    "one number for both backs": (
        ('BACKS = {"red": 1200, "blue": 2400}', "BACKS = 1200"),
        "BACKS = 1200: wanted is a number for each of red, blue",
    ),
    "one back": (
        ('BACKS = {"red": 1200, "blue": 2400}', 'BACKS = {"red": 1200}'),
        "BACKS = ['red'], not the axes or backs ['blue', 'red']",
    ),
    "an axis too many": (
        ('REACH = {"pick"', 'REACH = {"lift": 3, "pick"'),
        "REACH = ['deal', 'eject', 'feed', 'lift', 'pick', 'wheel'], not the axes",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_is_refused(name: str, tmp_path: Path) -> None:
    (before, after), words = BAD[name]
    text = mechanics.PATH.read_text()
    if before not in text:
        before, after = before.rstrip(), after.rstrip()
    assert before in text
    path = tmp_path / "mechanics.py"
    path.write_text(text.replace(before, after, 1))
    with pytest.raises(BuildError) as refused:
        mechanics.check(path)
    said = str(refused.value)
    assert words in said
    assert refused.value.status == 2
    assert "\n" not in said
    key = re.split(r" = | is given| \+=|:", words)[0]
    line = int(said.split(":")[2])
    assert path.read_text().splitlines()[line - 1].startswith(key)


def test_a_key_that_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "mechanics.py"
    path.write_text(mechanics.PATH.read_text().replace("ALIGN_STEPS = 12", ""))
    with pytest.raises(BuildError, match="ALIGN_STEPS is missing"):
        mechanics.check(path)


def test_the_rules_know_how_far_boards_are_off() -> None:
    """What sim/traits.py draws, and what the calibration takes."""
    traits = (ROOT / "sim" / "traits.py").read_text()
    for key in ("BEAM_FREE", "BEAM_DARK", "ABSENT", "SEEN", "BACK_DARK"):
        assert f"near(M.{key}, {rules.OFF[key] - rules.NOISE})" in traits
    assert f"self.back = near(0, {rules.OFF['BACKS'] - rules.NOISE})" in traits
    assert f"NOISE = {rules.NOISE} " in traits
    want, room = 3400, 1000
    most = room * (100 - rules.LEFT) // 100
    assert DEVICE.quality(want - most, want, room) < DEVICE.DIRTY
    assert DEVICE.quality(want - most - 10, want, room) == DEVICE.DIRTY


def test_boards_of_the_least_room_are_calibrated() -> None:
    """Whatever board is drawn: no sensor is dirty with levels that are just let through."""
    least = SimpleNamespace(**KEYS)
    least.BEAM_FREE, least.BEAM_MIN, least.BEAM_DARK = 2226, 2000, 1874
    least.SEEN, least.PRESENT, least.ABSENT = 2226, 2000, 1874
    least.BACK_NONE, least.BACK_DARK = 600, 531
    want, room = DEVICE.expected(least)
    off = [rules.OFF["BEAM_FREE"], rules.OFF["BEAM_DARK"]] * 4
    off += [rules.OFF["ABSENT"], rules.OFF["SEEN"]] * 3
    off += [0] * 4 + [rules.OFF["BACK_DARK"], rules.OFF["BACKS"]]
    for each, level, within in zip(off, want, room, strict=True):
        for reading in (level - each, level + each):
            assert DEVICE.quality(reading, level, within) < DEVICE.DIRTY


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"SLOTS = \xff", "utf-8"),
        (b"SLOTS = 5\0", "null bytes"),
        (b"-" * 99_999 + b"1", "too deeply|recursion|too complex"),
    ],
)
def test_what_cannot_be_read_is_one_line(data: bytes, words: str, tmp_path: Path) -> None:
    path = tmp_path / "mechanics.py"
    path.write_bytes(data)
    with pytest.raises(UsageError, match=words) as refused:
        mechanics.check(path)
    assert len(str(refused.value).splitlines()) == 1
    with pytest.raises(UsageError, match="No such file"):
        mechanics.check(tmp_path / "nowhere.py")


# -- every key: missing, 0, negative, ten times, a tenth, of a wrong type --------------------------

KEYS: dict[str, Any] = {
    key: value
    for key, value in runpy.run_path(str(mechanics.PATH)).items()
    if not key.startswith("_")
}
CHANGES: dict[str, Callable[[int], object]] = {
    "none": lambda n: 0,
    "negative": lambda n: -n,
    "ten times": lambda n: 10 * n,
    "a tenth": lambda n: max(n // 10, 1),
    "half a step": lambda n: n + 0.5,
    "words": lambda n: "many",
    "a list": lambda n: [n],
}
# Where the changed number is possible, and why.
POSSIBLE = {
    ("AXES", "eject 1", "a tenth"): "a stroke that takes 141 ms: slow, and not wrong",
    ("AXES", "deal 1", "a tenth"): "a card that takes twice as long: slow, and not wrong",
    ("THICKNESS_BASE", "", "a tenth"): "a sensor may read next to nothing without a card",
    ("BACK_DARK", "", "a tenth"): "the same",
    ("ABSENT", "", "a tenth"): "the same",
    ("BEAM_DARK", "", "a tenth"): "a card may let next to no light through",
}


def numbers(value: Any) -> Iterator[tuple[str, int, Callable[[object], object]]]:
    """Every number in a key's value: where, what, and how another comes into its place."""
    if not isinstance(value, dict):
        yield "", value, lambda other: other
        return
    inside = cast(dict[str, Any], value)
    for name, one in inside.items():
        if not isinstance(one, tuple):
            yield name, one, lambda other, name=name: {**inside, name: other}
            continue
        pair = list(cast(tuple[int, ...], one))
        for i, number in enumerate(pair):

            def put(other: object, name: str = name, pair: list[int] = pair, i: int = i) -> object:
                return {**inside, name: (*pair[:i], other, *pair[i + 1 :])}

            yield f"{name} {i}", number, put


@pytest.mark.parametrize("key", KEYS)
def test_every_number_that_cannot_be_is_refused_by_name(key: str, tmp_path: Path) -> None:
    path = tmp_path / "mechanics.py"

    def said(table: dict[str, object]) -> str:
        path.write_text("".join(f"{name} = {value!r}\n" for name, value in table.items()))
        try:
            mechanics.check(path)
        except BuildError as refused:
            return str(refused)
        return ""

    rest = {name: value for name, value in KEYS.items() if name != key}
    assert said(rest).endswith(f"{key} is missing")
    for where, number, put in numbers(KEYS[key]):
        for change, of in CHANGES.items():
            told = said({**KEYS, key: put(of(number))})
            possible = (key, where, change) in POSSIBLE
            assert (key in told) != possible, (where, change, told)
            assert "\n" not in told
    for other in (None, 7.5, "many", [1], {"red": 1}, (1, 2)):
        assert key in said({**KEYS, key: other}), other
