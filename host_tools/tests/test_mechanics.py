"""Mechanics that cannot be are refused when an image is built: file, line, key and number."""

from __future__ import annotations

from pathlib import Path

import pytest

from host_tools.build import mechanics
from host_tools.build.tell import BuildError


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
        "BEAM_FREE = 1900, but BEAM_MIN is 2000",
    ),
    "a threshold over what a sensor reads of a card": (
        ("SEEN = 3000", "SEEN = 2000"),
        "SEEN = 2000, but PRESENT is 2000",
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
    key = words.split(" = ")[0]
    line = int(said.split(":")[2])
    assert path.read_text().splitlines()[line - 1].startswith(key)


def test_a_key_that_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "mechanics.py"
    path.write_text(mechanics.PATH.read_text().replace("ALIGN_STEPS = 12", ""))
    with pytest.raises(BuildError, match="ALIGN_STEPS is missing"):
        mechanics.check(path)
