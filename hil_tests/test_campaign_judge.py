"""The campaign's own judgement: firmware with a planted defect is found, and called what it is."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import Any, cast
from unittest import mock

import pytest
from dovetail import recovery, supervision
from dovetail.faults import Fault
from dovetail.lanes import filling
from dovetail.stations.feeder import Feeder
from dovetail.stations.shoe import Shoe
from dovetail.stations.tray import Tray

from host_tools.campaign import command, run
from host_tools.campaign.draw import (
    BOTH,
    CLEARING,
    DEALING,
    FILLING,
    TRY,
    Session,
    Trouble,
    trouble,
)
from host_tools.campaign.known import CARD_NS
from host_tools.campaign.met import REPORT_MS, Met
from host_tools.campaign.plants import CARDS
from host_tools.campaign.run import Results, failing, shrink
from host_tools.campaign.standing import Standing, play
from sim.faults import SIZES

SEED = 7
DRAWN = 4000
Judge = Callable[[Any, int], None]
Proved = Callable[[Any, Any, Any, Any], Awaitable[None]]
OF_FEEDER: Judge = vars(Feeder)["_judge"]
OF_FILLING: Proved = vars(filling)["_proved"]
TELL: Callable[[Any, int, int, int], None] = vars(recovery)["tell"]
OF_SHOE: Callable[[Any], None] = vars(Shoe)["_judge"]
READY: Callable[[Any, int], Awaitable[None]] = vars(Feeder)["ready"]


def met(phase: str, *plants: tuple[str, int], **more: Any) -> Met:
    """A trouble alone."""
    (one,) = play(Session(SEED, (Trouble(phase, plants, **more),)))
    return one


def thin(feeder: Any, back: int) -> None:
    """Nothing is not noticed: it counts as one card."""
    calibration = feeder.sensors.calibration
    real = calibration.cards
    calibration.cards = lambda sensor, layers: max(real(sensor, layers), 1)  # pyright: ignore[reportUnknownLambdaType]
    try:
        OF_FEEDER(feeder, back)
    finally:
        calibration.cards = real


def one_card(shoe: Any) -> None:
    """Whatever the thickness says."""
    shoe.passed, shoe.unsure = 1, False


async def nothing(tray: Any, since_ms: int) -> None:
    """Nobody looks whether it arrives."""


def misnaming(numbers: dict[int, int], cards: int) -> Proved:
    """Firmware that tells another number, or another card."""

    async def proved(machine: Any, deck: Any, move: Any, remedies: Any) -> None:
        try:
            await OF_FILLING(machine, deck, move, remedies)
        except Fault as fault:
            number = cast(int, fault.number)
            fault.number = numbers.get(number, number)
            fault.card += cards
            raise

    return proved


# -- missed, not dormant -----------------------------------------------------------------------


def test_a_dead_thickness_that_nobody_tells_is_missed() -> None:
    assert met(FILLING, ("thickness_in.dead", 5)).outcome == "handed over"
    with mock.patch.object(Feeder, "_judge", thin):
        assert met(FILLING, ("thickness_in.dead", 5)).outcome == "missed"
    with mock.patch.object(Shoe, "_judge", one_card):
        assert met(DEALING, ("thickness_out.dead", 3)).outcome == "missed"


def test_a_dead_tray_that_nobody_tells_is_missed() -> None:
    with (
        mock.patch.object(Tray, "look", return_value=None),
        mock.patch.object(Tray, "arrived", nothing),
    ):
        assert met(DEALING, ("tray.dead", 3)).outcome == "missed"


def test_what_nobody_had_to_look_at_any_more_is_dormant() -> None:
    """Paper falls behind the last card that passes there: no stroke follows."""
    assert met(FILLING, ("exit.covered", CARDS)).outcome == "dormant"
    assert met(FILLING, ("exit.covered", CARDS - 1)).outcome == "handed over"


# -- false alarms ------------------------------------------------------------------------------


def test_a_stop_on_what_is_harmless_is_a_false_alarm() -> None:
    assert met(FILLING, ("lid.jolt", 5)).wrong == []
    with mock.patch.object(supervision, "_BOUNCE_MS", 0):
        (wrong,) = met(FILLING, ("lid.jolt", 5)).wrong
    assert wrong.startswith("false alarm")


def test_two_that_are_harmless_alone_may_stop_it_together() -> None:
    """A bent card, from a trouble before, at a sensor that reads a quarter too much."""
    standing = Standing(SEED)
    assert standing.meet(Trouble(FILLING, (("card.bent", 21),))).outcome == "harmless"
    standing.player.machine.deal.shoe.sort(key=lambda card: card.bend_um)  # it comes last of all
    one = standing.meet(Trouble(DEALING, (("thickness_out.drift", 2),)))
    assert (one.fault, one.misnamed, one.against) == (403, "", [])
    assert standing.end() == []


# -- names -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("numbers", "cards", "what"),
    [({103: 104}, 0, "number"), ({}, 1, "card"), ({103: 402}, 0, "station")],
)
def test_another_number_or_card_is_not_rightly_named(
    numbers: dict[int, int], cards: int, what: str
) -> None:
    with mock.patch.object(filling, "_proved", misnaming(numbers, cards)):
        one = met(FILLING, ("infeed.double_feed", 9))
    assert one.misnamed == what
    results = Results(1, 0)
    results.take(Session(SEED, (one.trouble,)), [one])
    assert results.as_json()["named_rightly"] == 0
    assert results.wrong[what] == 1
    assert results.cases


def test_a_station_is_not_right_by_a_plant_that_has_not_struck() -> None:
    both = (("infeed.stuck", 5), ("deal.jam", 40))
    with mock.patch.object(filling, "_proved", misnaming({101: 402}, 0)):
        one = met(BOTH, *both, begin_ms=9000)
    assert one.struck == ("infeed.stuck",)
    assert one.misnamed == "station"


def test_the_share_is_of_what_had_to_be_named() -> None:
    """What is got over, and what is missed, does not make it larger."""
    results = Results(4, 0)
    quiet = [Met(Trouble(FILLING), ("path.slip",), "harmless") for _ in range(9)]
    told = Met(Trouble(FILLING), ("path.jam",), "handed over", 102, "feeder", 5)
    missed = Met(Trouble(FILLING), ("path.jam",), "missed")
    results.take(Session(SEED), [*quiet, told, missed])
    assert results.as_json()["named_rightly"] == 0.5


# -- two at once -------------------------------------------------------------------------------


def test_two_make_each_other_good_only_where_the_table_says_so() -> None:
    assert met(DEALING, ("shoe.lost", 9), ("shoe.extra", 20)).outcome == "harmless"
    with mock.patch.object(Feeder, "_judge", thin):
        one = met(FILLING, ("thickness_in.dead", 5), ("path.slip", 9))
    assert one.outcome == "missed"


# -- in time -----------------------------------------------------------------------------------


@pytest.mark.parametrize("plant", ["path.jam", "path.jam_at:mouth", "card.long", "entry.dark"])
def test_dawdling_before_it_looks_is_late(plant: str) -> None:
    """What shows with the next move shows when that was due, not when it is made at last."""

    async def slow(feeder: Any, back: int) -> None:
        await asyncio.sleep(1.5)
        await READY(feeder, back)

    with mock.patch.object(Feeder, "ready", slow):
        one = met(FILLING, (plant, 9))
    assert one.report_ms is not None
    assert one.report_ms > REPORT_MS


def test_a_cards_time_is_of_the_mechanics() -> None:
    """Half a turn at 22,222 steps a second, 146 mm at 30,303; the ramps beside."""
    assert CARD_NS["wheel"] == pytest.approx((0.2257 + 0.1526) * 1e9, rel=0.001)


@pytest.mark.parametrize("um", [30_500, 31_500, 32_500, 40_000])
def test_a_card_behind_another_shows_when_the_first_has_gone_on(um: int) -> None:
    """The second is not in the count station: it looks like one that lies staged."""
    one = met(FILLING, (f"infeed.overlap@{um}", 5))
    assert one.against == []
    assert not one.misnamed


# -- what is drawn -----------------------------------------------------------------------------


def test_every_card_is_drawn_and_every_size() -> None:
    random = Random(SEED)
    drawn = [trouble(random) for _ in range(DRAWN)]
    first = [one.plants[0] for one in drawn if one.plants]
    at = {n for name, n in first if name.startswith(("path.", "card.", "infeed."))}
    assert at == set(range(1, CARDS + 1))
    assert {n for name, n in first if name.startswith("deal.")} == at
    assert {n for name, n in first if name.startswith("exit.")} >= {1, 2, CARDS - 1, CARDS}
    assert {name.partition("@")[0] for name, _ in first if "@" in name} == set(SIZES)
    assert {one.during for one in drawn} == {"", TRY, CLEARING}


@pytest.mark.parametrize(
    ("said", "wrong"),
    [((402, 9), "station"), ((203, 9), "station"), ((102, 9), "number"), ((101, 30), "card")],
)
def test_what_is_got_over_is_called_what_it_is_too(said: tuple[int, int], wrong: str) -> None:
    """Firmware that names its tries wrongly."""
    number, card = said

    def lies(machine: Any, _: int, __: int, tries: int) -> None:
        TELL(machine, number, card, tries)

    with mock.patch.object(recovery, "tell", lies):
        one = met(FILLING, ("infeed.misfeed", 9))
    assert (one.outcome, one.misnamed) == ("recovered", wrong)
    results = Results(1, 0)
    results.take(Session(SEED), [one])
    assert results.as_json()["named_rightly"] == 0


@pytest.mark.parametrize("at", [1, CARDS])
@pytest.mark.parametrize(
    ("phase", "plant"),
    [(FILLING, "infeed.stuck"), (FILLING, "exit.jam"), (DEALING, "deal.stuck")],
)
def test_the_first_card_and_the_last(phase: str, plant: str, at: int) -> None:
    one = met(phase, (plant, at))
    assert (one.card, one.misnamed, one.against) == (at, "", [])


@pytest.mark.parametrize("plant", ["infeed.double_feed", "infeed.overlap", "card.sticky"])
def test_the_last_card_takes_none_along(plant: str) -> None:
    assert met(FILLING, (plant, CARDS)).outcome == "not struck"


def test_as_the_first_card_is_picked_is_not_as_it_is_put_in() -> None:
    """The lid opened before the order is no trouble: the deck is not taken, nothing has moved."""
    one = met(FILLING, ("hands.lid", 1))
    assert (one.fault, one.misnamed, one.against) == (701, "", [])


def test_the_other_deck_is_put_in_only_if_it_lies_on_the_table() -> None:
    standing = Standing(SEED)
    assert standing.meet(Trouble(FILLING)).outcome == "not struck"
    one = standing.meet(Trouble(BOTH, (("hands.other_deck", 1),)))
    assert one.outcome == "not struck"
    assert standing.end() == []


def test_a_second_one_strikes_in_a_try_and_in_a_clearing() -> None:
    one = met(FILLING, ("wheel.slip", 400), ("home.blind", 1), during=TRY)
    assert one.within == TRY
    assert (one.misnamed, one.wrong) == ("", [])
    one = met(FILLING, ("path.jam", 9), ("tick.blind", 5), during=CLEARING)
    assert one.within == CLEARING
    assert (one.misnamed, one.wrong) == ("", [])
    results = Results(1, 0)
    results.take(Session(SEED), [one])
    assert results.within[CLEARING] == 1


# -- files -------------------------------------------------------------------------------------


def test_a_size_replays(tmp_path: Path) -> None:
    one = Session(SEED, (Trouble(FILLING, (("infeed.overlap@45000", 5),), during=TRY),))
    assert Session.of(json.loads(json.dumps(one.as_json()))) == one


def test_a_smaller_case_fails_the_same_way() -> None:
    """Not in any other: of two that fail, the one that failed so is kept."""
    late = Trouble(FILLING, (("path.slip", 5),))
    bad = Trouble(FILLING, (("path.jam", 5),))

    def played(session: Session, depth: str = "") -> list[Met]:
        told = {late: "I-4: told after 300 ms", bad: "I-1: ready with 51"}
        return [Met(one, (), "recovered", wrong=[told[one]]) for one in session.troubles]

    with mock.patch.object(run, "play", played):
        assert failing(Session(SEED, (late,))) == {"I-4"}
        assert shrink(Session(SEED, (bad,))).troubles == (bad,)


def test_a_file_replays_at_the_depth_that_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "case.json"
    path.write_text(json.dumps(Session(SEED, (Trouble(FILLING),)).as_json()))
    asked: list[str] = []

    def played(session: Session, depth: str) -> list[Met]:
        asked.append(depth)
        return []

    with mock.patch.object(command, "play", played):
        assert command.main(["--replay", str(path), "--depth", "emulated"]) == 0
    assert asked == ["emulated"]
