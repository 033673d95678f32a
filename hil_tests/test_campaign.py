"""Campaigns: a short one, and that a planted defect is found."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

import pytest
from dovetail.chance.fault import NONE
from dovetail.chance.health import Health  # pyright: ignore[reportUnknownVariableType]: device code
from dovetail.stations.shoe import Shoe
from dovetail.table import decks

from host_tools.build.tell import UsageError
from host_tools.campaign import command, run, sessions
from host_tools.campaign.draw import DEALING, FILLING, NOISE, Session, Trouble, session
from host_tools.campaign.met import Met
from host_tools.campaign.player import Player
from host_tools.campaign.run import Results, campaign, failing, shrink
from host_tools.campaign.sessions import Standing, play
from host_tools.campaign.whole import Quick
from sim.points import CARDS
from sim.tests.images import image

FAULTS = 100
EMULATED = 1  # of those that make prove draws there: which takes twenty seconds
DEFECT = 11


def test_a_short_campaign_holds() -> None:
    results = campaign(FAULTS, 1, 1)
    assert results.said == []
    assert results.misnamed == []
    assert results.met > FAULTS // 2
    assert command.unmet(results) == []


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
        assert [one.plants for one in small.troubles] == [(("deal.double_feed", 1),)]
        path = tmp_path / "case.json"
        path.write_text(json.dumps(small.as_json()))
        assert command.main(["--replay", str(path)]) == 1
        assert "wrong: " in capsys.readouterr().out
    assert not failing(small)
    assert command.main(["--replay", str(path)]) == 0


FILE = {
    "phase": "fill",
    "plants": [["path.jam", 20]],
    "switch": "",
    "after_ms": 0,
    "begin_ms": 0,
}


def with_(**other: object) -> str:
    """A scenario file with one trouble, in which these keys say something else."""
    said = {key: value for key, value in {**FILE, **other}.items() if value is not None}
    return json.dumps({"seed": 1, "troubles": [said]})


NO_SCENARIO = {
    "{": "not JSON: ",
    "[" * 100_000: "not JSON: ",
    '{"seed": 1, "seed": 2, "troubles": []}': "the key 'seed' stands twice",
    "{}": "a scenario: seed is missing",
    "7": "a scenario: 7; wanted is an object with seed, troubles",
    '{"seed": true, "troubles": []}': "seed: true; wanted is a whole number, 0 to ",
    '{"seed": -1, "troubles": []}': "seed: -1; wanted is a whole number",
    '{"seed": 1, "troubles": []}': "troubles: []; wanted is at least one",
    '{"seed": 1, "troubles": {}}': "troubles: {}; wanted is a list",
    '{"seed": 1, "troubles": [], "depth": 1}': "nobody reads the key 'depth'; there is: seed, tr",
    '{"seed": 1, "troubles": [{"phase": "fill"}]}': "troubles[0]: plants is missing",
    with_(befor=3): "troubles[0]: nobody reads the key 'befor'; there is: phase, plants",
    with_(phase="fil"): 'troubles[0].phase: "fil"; there is: "fill", "empty", "deal", "both"',
    with_(during="t"): 'troubles[0].during: "t"; there is: "", "try", "clearing"',
    with_(switch="hatch"): 'troubles[0].switch: "hatch"; there is: "", "lid", "door", "mount", "no',
    with_(switch=["lid"]): 'troubles[0].switch: ["lid"]; there is: ',
    with_(after_ms=-1): "troubles[0].after_ms: -1; wanted is a whole number, 0 to 600000",
    with_(after_ms=1.5): "troubles[0].after_ms: 1.5; wanted is a whole number",
    with_(begin_ms="3"): 'troubles[0].begin_ms: "3"; wanted is a whole number',
    with_(begin_ms=10**400): "troubles[0].begin_ms: 10",
    with_(plants="path.jam"): 'troubles[0].plants: "path.jam"; wanted is a list',
    with_(plants=[["path.jam"]]): 'troubles[0].plants[0]: ["path.jam"]; wanted is a name and when',
    with_(plants=[[3, 3]]): "troubles[0].plants[0]: 3; wanted is the name of a fault",
    with_(plants=[["path.storm", 3]]): '"path.storm"; no such fault; dovetail faults lists them',
    with_(plants=[["path.jam_at=wheel", 3]]): "there is: path.jam_at=entry, path.jam_at=nip",
    with_(plants=[["path.jam@1", 3]]): "path.jam may measure 41000 to 79000 um",
    with_(
        plants=[["path.hold", 1], ["path.jam", 0]]
    ): "plants[1], path.jam: 0; wanted is a passage",
    with_(plants=[["path.jam", True]]): "plants[0], path.jam: true; wanted is a passage",
    with_(plants=[["path.jam", "3"]]): 'plants[0], path.jam: "3"; wanted is a passage',
    with_(plants=[["path.jam", 20.0]]): "plants[0], path.jam: 20.0; wanted is a passage",
    with_(plants=[["path.jam", 0.0]]): "plants[0], path.jam: 0.0; wanted is a passage",
    with_(plants=[["path.jam", float("nan")]]): "plants[0], path.jam: NaN; wanted is a passage",
    with_(plants=[["path.jam", 3], ["path.jam@50000", 9]]): "path.jam is planted twice",
}


@pytest.mark.parametrize("text", NO_SCENARIO)
def test_what_is_no_scenario_file(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line with the file, the key, what stands there and what may."""
    path = tmp_path / "case.json"
    path.write_text(text)
    with pytest.raises(SystemExit) as left:
        command.main(["--replay", str(path)])
    assert left.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"--replay {path}: ")
    assert NO_SCENARIO[text] in line


def test_a_scenario_file_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        command.main(["--replay", "nowhere.json"])
    assert left.value.code == 2
    why = "No such file or directory; failing cases are in build/campaign"
    assert capsys.readouterr().err == f"--replay nowhere.json: {why}\n"


def test_a_place_is_written_either_way() -> None:
    said = [["path.jam_at=entry", 17], ["path.jam_at:nip", 18]]
    known = Trouble.of({**FILE, "plants": said})
    assert known.plants == (("path.jam_at:entry", 17), ("path.jam_at:nip", 18))


def test_a_second_one_may_be_the_first_again() -> None:
    """Planted in the try, when the first has struck: it replaces nothing."""
    said = {**FILE, "plants": [["exit.hold", 3], ["exit.hold", 1]], "during": "try"}
    assert Trouble.of(said).plants == (("exit.hold", 3), ("exit.hold", 1))


def test_a_scenario_file_says_how_likely_a_fault_is() -> None:
    """As the command line may; a whole number is a passage."""
    said = {**FILE, "plants": [["infeed.double_feed", 0.2]]}
    one = Session.of({"seed": 3, "troubles": [said]})
    assert Session.of(json.loads(json.dumps(one.as_json()))) == one
    (met,) = play(one)
    assert (met.wrong, met.struck, met.fault) == ([], ("infeed.double_feed",), 103)
    assert 1 < met.card < CARDS


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


CHOSEN = (
    Trouble(FILLING, (("infeed.double_feed", 3),)),
    Trouble(FILLING, (("hands.lid", 4),)),
    Trouble(FILLING, (("exit.hold", 20),)),
    Trouble(DEALING, (("deal.jam", 2),)),
)


@pytest.mark.slow
def test_troubles_on_the_emulated_board() -> None:
    """Where the image runs, at a station each: what is handed over, and what is got over."""
    image("production")
    met = play(Session(6, CHOSEN), "emulated")
    assert [one.wrong for one in met] == [[], [], [], []]
    assert [(one.struck, one.fault, one.station) for one in met] == [
        (("infeed.double_feed",), 103, "feeder"),
        (("hands.lid",), 701, "interlock"),
        (("exit.hold",), 0, ""),
        (("deal.jam",), 402, "shoe"),
    ]


@pytest.mark.slow
def test_a_campaign_on_the_emulated_board() -> None:
    """What is drawn there, by chance, and not chosen by hand."""
    image("production")
    results = campaign(EMULATED, 1, 1, depth="emulated")
    assert (results.said, results.misnamed, results.violations) == ([], [], 0)
    assert results.met == EMULATED


# -- a session that breaks off -----------------------------------------------------------------


@pytest.fixture
def cases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where failing sessions are written; processes begin with what is patched here."""
    monkeypatch.setattr(command, "CASES", tmp_path)
    forked = partial(ProcessPoolExecutor, mp_context=get_context("fork"))
    monkeypatch.setattr(run, "ProcessPoolExecutor", forked)
    return tmp_path


def spoil(monkeypatch: pytest.MonkeyPatch, of: Callable[[Trouble], bool], end: Any) -> None:
    """The player does this where such a trouble comes."""
    meet = Player.meet

    async def spoilt(player: Player, trouble: Trouble) -> Met:
        if of(trouble):
            end()
        return await meet(player, trouble)

    monkeypatch.setattr(Player, "meet", spoilt)


def confused() -> None:
    raise KeyError("deal.storm")


def test_a_session_that_breaks_off_is_a_case_and_the_rest_is_played(
    cases: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = (session(1_000_003 + n, 25) for n in (0, 25))
    spoil(monkeypatch, lambda trouble: trouble == first.troubles[3], confused)
    assert command.main(["--faults", "50", "--cores", "1", "--json"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert said["outcomes"]["broken"] == said["violations"] == 1
    assert sum(said["outcomes"].values()) == 4 + len(second.troubles)
    assert "the session broke off by KeyError: 'deal.storm' (test_campaign.py" in said["said"][0]
    path = cases / f"{first.seed}.json"
    assert said["cases"] == [str(path)]
    assert Session.of(json.loads(path.read_text())).troubles == (first.troubles[3],)


def test_a_process_that_ends_is_a_case_and_the_rest_is_played(
    cases: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Others that were under way are played again; the case stays as it is."""
    first, second = (session(1_000_003 + n, n_of) for n, n_of in ((0, 25), (25, 5)))
    spoil(monkeypatch, lambda trouble: trouble == first.troubles[3], lambda: os._exit(9))
    assert command.main(["--faults", "30", "--cores", "2", "--json"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert said["outcomes"]["broken"] == 1
    assert sum(said["outcomes"].values()) == 1 + len(second.troubles)
    assert "the session broke off by BrokenProcessPool" in said["said"][0]
    assert Session.of(json.loads((cases / f"{first.seed}.json").read_text())) == first


def test_every_failing_session_is_written(
    cases: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first ones small."""
    spoil(monkeypatch, lambda trouble: True, confused)
    assert command.main(["--faults", "175", "--cores", "1"]) == 1
    shown = capsys.readouterr().out
    written = [Session.of(json.loads(path.read_text())) for path in sorted(cases.iterdir())]
    assert [len(one.troubles) for one in written] == [1] * command.KEPT + [25] * 2
    assert shown.count("dovetail campaign --replay ") == command.KEPT
    assert f"2 more failing sessions in {cases}" in shown


@pytest.mark.parametrize(("of", "part"), [(Standing, "_begin"), (Quick, "start")])
def test_a_machine_that_does_not_start_is_broken(
    of: type[object], part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also one whose firmware ends: that is told, and not that nobody answers."""
    monkeypatch.setattr(of, part, mock.AsyncMock(side_effect=ValueError("no flash")))
    (met,) = play(session(3, 2))
    assert met.outcome == "broken"
    assert met.against[0].startswith("the session broke off by ValueError: no flash (")


def test_firmware_that_ends_in_a_trouble_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five seconds after power-on, while a deck is shuffled."""
    start = Quick.start

    async def ends(quick: Quick) -> None:
        await asyncio.wait([asyncio.create_task(start(quick))], timeout=5)
        raise ValueError("no flash")

    monkeypatch.setattr(Quick, "start", ends)
    (met,) = play(session(3, 2))
    assert met.outcome == "broken"
    assert met.against[0].startswith("the session broke off by ValueError: no flash (")


def test_an_account_that_fails_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Player, "account", mock.Mock(side_effect=IndexError("no card")))
    (met,) = play(Session(3, (Trouble(FILLING),)))
    assert met.wrong[0].startswith("the session broke off by IndexError: no card (")


def test_no_image_is_no_case(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing can be played then: that is told, and not a broken session for each."""
    nowhere = mock.Mock(side_effect=UsageError("no image"))
    monkeypatch.setitem(sessions.DEPTHS, "in-process", nowhere)
    with pytest.raises(UsageError, match="no image"):
        campaign(30, 1, 1)
