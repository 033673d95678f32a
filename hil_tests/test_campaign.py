"""Campaigns: a short one, troubles in any order, and that a planted defect is found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from dovetail.stations.shoe import Shoe
from hypothesis import given, settings
from hypothesis import strategies as st

from hil_tests.planted import CASES
from host_tools.campaign import command
from host_tools.campaign.draw import PHASE, SWITCHES, Session, Trouble, session
from host_tools.campaign.run import Results, campaign, fails, shrink
from host_tools.campaign.session import play

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


def plants() -> st.SearchStrategy[Trouble]:
    """Any plant at any card, a second one at any other; or a switch at any time."""

    def near(case: int, at: int, other: int, gap: int) -> Trouble:
        first, second = CASES[case], CASES[other]
        phase = PHASE[first.phase]
        both = [(first.plant, at)]
        if PHASE[second.phase] == phase and second.plant != first.plant and not second.spoilt:
            both.append((second.plant, at + gap))
        return Trouble(phase, tuple(both))

    case = st.integers(0, len(CASES) - 1)
    planted = st.builds(near, case, st.integers(1, 50), case, st.integers(0, 3))
    opened = st.builds(
        Trouble,
        st.sampled_from(["fill", "deal"]),
        st.just(()),
        st.sampled_from(sorted(SWITCHES)),
        st.integers(50, 15000),
    )
    return st.one_of(planted, opened)


@settings(max_examples=12, deadline=None, derandomize=True)
@given(st.lists(plants(), min_size=1, max_size=3), st.integers(0, 1000))
def test_any_troubles_in_any_order(troubles: list[Trouble], seed: int) -> None:
    """Stopped or recovered, the invariants hold; hypothesis makes small what breaks them."""
    for met in play(Session(seed, tuple(troubles))):
        assert met.wrong == [], met


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
    assert not fails(small)
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
