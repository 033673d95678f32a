"""Campaigns: a short one, and that a planted defect is found."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

import pytest
from dovetail.chance.fault import NONE
from dovetail.chance.health import Health  # pyright: ignore[reportUnknownVariableType]: device code
from dovetail.stations.shoe import Shoe
from dovetail.table import decks

from host_tools.campaign import command
from host_tools.campaign.draw import DEALING, FILLING, NOISE, Session, Trouble, session
from host_tools.campaign.run import Results, campaign, failing, shrink
from host_tools.campaign.standing import play
from sim.tests.images import image

FAULTS = 100
DEFECT = 11


def test_a_short_campaign_holds() -> None:
    results = campaign(FAULTS, 1, 1)
    assert results.said == []
    assert results.misnamed == []
    assert results.met > FAULTS // 2
    assert command.good(results)


def test_the_same_seed_draws_the_same() -> None:
    assert session(5, 20) == session(5, 20) != session(6, 20)
    one = session(5, 4)
    assert play(one) == play(one)
    assert Session.of(json.loads(json.dumps(one.as_json()))) == one


def one_card(shoe: Any) -> None:
    """Whatever the thickness says."""
    shoe.passed, shoe.unsure = 1, False


def test_a_defect_is_found_and_made_small(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A shoe that takes two cards for one: found, shrunk to one plant, replayed from its file."""
    with mock.patch.object(Shoe, "_judge", one_card):
        results = Results(DEFECT, 0)
        bad = Trouble("deal", (("deal.double_feed", 6), ("deal.misfeed", 3)))
        calm = Trouble("fill", (("path.slip", 5),))
        case = Session(DEFECT, (calm, bad, calm))
        results.take(case, play(case))
        assert results.violations
        small = shrink(case)
        assert [one.plants for one in small.troubles] == [(("deal.double_feed", 6),)]
        path = tmp_path / "case.json"
        path.write_text(json.dumps(small.as_json()))
        assert command.main(["--replay", str(path)]) == 1
        assert "wrong: " in capsys.readouterr().out
    assert not failing(small)
    assert command.main(["--replay", str(path)]) == 0


@pytest.mark.parametrize("text", ["{", "{}", '{"seed": 1, "troubles": [{"phase": "fill"}]}'])
def test_what_is_no_scenario_file(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "case.json"
    path.write_text(text)
    with pytest.raises(SystemExit) as left:
        command.main(["--replay", str(path)])
    assert left.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_noise_that_fails_is_met_by_nothing_but_a_power_on() -> None:
    """I-9, as the campaign judges it; a machine that went on all the same is found."""
    spoilt = Session(3, (Trouble(FILLING, (), NOISE),))
    (met,) = play(spoilt)
    assert (met.station, met.fault, met.wrong) == ("chance", 801, [])
    with mock.patch.object(Health, "test", return_value=NONE):  # whatever it is
        (met,) = play(spoilt)
    assert met.wrong


def test_a_lock_that_goes_by_itself_is_found() -> None:
    """I-7: the journal says locked out, the status does not."""
    locked = Session(4, (Trouble("deal", (("shoe.lost", 20),)),))
    assert [met.wrong for met in play(locked)] == [[]]
    forgetful = SimpleNamespace(**{**vars(decks), "LOCKED": 99})
    with mock.patch("dovetail.requests.status.decks", forgetful):
        assert "I-7" in play(locked)[0].wrong[0]


def test_troubles_on_the_emulated_board() -> None:
    """Where the image runs, at a station each: what is handed over, and what is got over."""
    image("production")
    troubles = (
        Trouble(FILLING, (("infeed.double_feed", 3),)),
        Trouble(FILLING, (("hands.lid", 4),)),
        Trouble(FILLING, (("exit.hold", 20),)),
        Trouble(DEALING, (("deal.jam", 2),)),
    )
    met = play(Session(6, troubles), "emulated")
    assert [one.wrong for one in met] == [[], [], [], []]
    assert [(one.struck, one.fault, one.station) for one in met] == [
        (("infeed.double_feed",), 103, "feeder"),
        (("hands.lid",), 701, "interlock"),
        (("exit.hold",), 0, ""),
        (("deal.jam",), 402, "shoe"),
    ]
