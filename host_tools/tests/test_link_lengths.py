"""How long a field can be: page, options of the C client, and what the machine says."""

from __future__ import annotations

import re
from typing import Any

import pytest
from dovetail import faults, reports
from dovetail.calibration import SENSORS
from dovetail.journal.state import CONDITIONS

from host_tools.rules.device import make_profile, names
from host_tools.tests.link_lengths import OPTIONS, PAGE, fields, in_options, on_page, option

MOST = on_page(PAGE.read_text())
MOST_CARDS = 99  # of a deck in one place: two digits


def agree(page: str, options: str) -> None:
    """Every field is in both, and as long in one as in the other; there are no others."""
    known, most = fields(), on_page(page)
    assert set(most) == set(known)
    wanted = {name: option(known[name], most[name]) for name in known}
    assert in_options(options) == wanted


def test_page_and_options_have_every_field() -> None:
    agree(PAGE.read_text(), OPTIONS.read_text())


@pytest.mark.parametrize("name", fields())
def test_a_field_that_is_missing_in_one_is_seen(name: str) -> None:
    page, options = PAGE.read_text(), OPTIONS.read_text()
    with pytest.raises(AssertionError):
        agree(page.replace(f"`{name}`", ""), options)
    less = re.sub(rf"^dovetail\.{name} .*\n", "", options, flags=re.MULTILINE)
    assert less != options
    with pytest.raises(AssertionError):
        agree(page, less)


def test_another_length_is_seen() -> None:
    page, options = PAGE.read_text(), OPTIONS.read_text()
    with pytest.raises(AssertionError):
        agree(page, options.replace("max_size:201", "max_size:129"))


def test_what_a_fault_says_is_not_longer() -> None:
    """With both decks everywhere, and more: whatever has happened, its report can be read."""
    deck = chr(MOST_CARDS) * 3 + "\1" + chr(MOST_CARDS)
    everywhere = chr(MOST_CARDS) * 2 + "\x3f"
    for row in faults.TABLE:
        said: dict[str, Any] = {"fault": row[0], "cards": f"\1{deck}\2{deck}", "remove": everywhere}
        reports.words("fault", said)  # pyright: ignore[reportUnknownMemberType]
        assert "tray" in said["remove"]
        assert "blue" in said["cards"]
        for name in ("name", "station", "action", "cards", "remove"):
            assert len(said[name]) <= MOST[f"FaultRaised.{name}"], said[name]
        assert len(said["name"]) <= MOST["Trying.name"]


def test_what_service_says_and_is_told_is_not_longer() -> None:
    sensors = [name for name, _ in SENSORS]
    assert len(sensors) <= MOST["Calibration.sensors"]
    assert max(map(len, sensors)) <= MOST["Sensor.name"]
    fault = max((row[1] for row in faults.TABLE), key=len)
    poor = f"{fault}; not good enough: {', '.join(sensors)}"
    assert len(poor) <= MOST["Calibrated.text"]
    assert max(map(len, CONDITIONS)) <= MOST["Started.condition"]
    for game in names():
        assert len(game) <= MOST["Identity.game"]
        assert len(make_profile(bytes(32), game)) <= MOST["Configure.profile"]
