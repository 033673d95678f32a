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
from dovetail.chance.chance import Chance
from dovetail.faults import Fault
from dovetail.lanes import deal, filling
from dovetail.stations.feeder import Feeder
from dovetail.stations.shoe import Shoe
from dovetail.stations.tray import Tray
from dovetail.stations.wheel import Wheel

from host_tools.campaign import command, run
from host_tools.campaign.draw import (
    BOTH,
    CLEARING,
    DEALING,
    EMPTYING,
    FILLING,
    TRY,
    Session,
    Trouble,
    contrary,
    trouble,
)
from host_tools.campaign.judge import MOST_TRIES
from host_tools.campaign.known import CARD_NS, NONE_NS
from host_tools.campaign.met import REPORT_MS, Met
from host_tools.campaign.run import Results, failing, shrink
from host_tools.campaign.sessions import Standing, play
from sim.card import new_deck
from sim.plants.catalogue import SIZES
from sim.points import CARDS

SEED = 7
DRAWN = 4000
Judge = Callable[[Any, int], None]
Proved = Callable[..., Awaitable[None]]
OF_FEEDER: Judge = vars(Feeder)["_judge"]
OF_CARDS = cast(type, vars(filling)["_Filling"])
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

    async def proved(machine: Any, *what: Any) -> None:
        try:
            await OF_FILLING(machine, *what)
        except Fault as fault:
            number = cast(int, fault.number)
            fault.number = numbers.get(number, number)
            fault.card += cards
            raise

    return proved


def first_try(machine: Any, number: int, card: int, _: int) -> None:
    """Each try is told as the first one."""
    TELL(machine, number, card, 1)


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


def test_another_name_has_its_card_too() -> None:
    """What goes by another number than its own, and is told with any card."""
    hung = ("board.hung", 20)  # with 19 cards inside, and 33 to come
    assert met(FILLING, hung).misnamed == ""
    with mock.patch.object(filling, "_proved", misnaming({}, CARDS - 2 * 19)):
        one = met(FILLING, hung)
    assert (one.card, one.misnamed) == (33, "card")
    robbed = ("shoe.robbed", 30)
    one = met(DEALING, robbed)
    assert (one.fault, one.card, one.misnamed) == (601, 30, "")
    told = cast(Callable[..., None], vars(deal)["told"])
    with mock.patch.object(deal, "told", lambda machine, card, *of: told(machine, card + 1, *of)):  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
        assert met(DEALING, robbed).misnamed == "card"


def test_a_station_is_not_right_by_a_plant_that_has_not_struck() -> None:
    both = (("infeed.stuck", 5), ("deal.jam", 40))
    with mock.patch.object(filling, "_proved", misnaming({101: 402}, 0)):
        one = met(BOTH, *both, begin_ms=9000)
    assert one.struck == ("infeed.stuck",)
    assert one.misnamed == "station"


@pytest.mark.parametrize(("told", "wrong"), [(103, ""), (104, "number"), (105, "number")])
def test_beside_another_plant_the_number_must_be_right_too(told: int, wrong: str) -> None:
    """One that is harmless excuses no name that neither of them has."""
    with mock.patch.object(filling, "_proved", misnaming({103: told}, 0)):
        one = met(FILLING, ("entry.flicker", 5), ("infeed.double_feed", 9))
    assert one.struck == ("entry.flicker", "infeed.double_feed")
    assert (one.fault, one.misnamed) == (told, wrong)


def test_what_a_campaign_did_not_keep_is_said() -> None:
    """Which bound, the number, and what was handed over."""
    results = Results(2, 0)
    assert command.unmet(results) == []
    one = Trouble(FILLING, (("infeed.misfeed", 9),))
    results.take(Session(SEED, (one,)), [Met(one, ("infeed.misfeed",), "handed over", fault=101)])
    told = command.unmet(results)
    assert told[0] == "recovered alone: 0.00%, at least 95% of 1; handed over:"
    assert "infeed.misfeed" in told[1]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0)])
def test_what_was_told_latest_is_said_with_its_seed(order: tuple[int, ...]) -> None:
    """Whatever session ends first; and a bound that was not kept."""
    results, one = Results(3, 0), Trouble(FILLING, (("tick.blind", 9),))
    for n in order:
        report_ms = None if n == 0 else 100.0 * n + 51
        results.take(Session(SEED + n, (one,)), [Met(one, (), "handed over", report_ms=report_ms)])
    said = results.as_json()
    assert said["worst_report_ms"] == 251.0
    assert said["worst_report"].startswith(f"seed {SEED + 2}: ")
    assert "tick.blind" in said["worst_report"]
    assert any(said["worst_report"] in line for line in command.tell(results))
    assert f"worst time to tell: 251.0 ms, under {REPORT_MS}" in command.unmet(results)
    assert Results(0, 0).as_json()["worst_report"] is None


def test_the_share_is_of_what_had_to_be_named() -> None:
    """What is got over, and what is missed, does not make it larger."""
    results = Results(4, 0)
    quiet = [Met(Trouble(FILLING), ("path.slip",), "harmless") for _ in range(9)]
    told = Met(Trouble(FILLING), ("path.jam",), "handed over", 102, "feeder", 5)
    missed = Met(Trouble(FILLING), ("path.jam",), "missed")
    results.take(Session(SEED), [*quiet, told, missed])
    assert results.as_json()["named_rightly"] == 0.5


# -- every card is somewhere -------------------------------------------------------------------


@pytest.mark.parametrize("plant", ["", "card.foreign"])
def test_a_card_that_vanishes_is_found(plant: str) -> None:
    """Out of the shoe; also when its deck is taken off the table afterwards."""
    standing = Standing(SEED)
    assert standing.meet(Trouble(FILLING)).wrong == []
    standing.player.machine.deal.shoe.pop()
    if plant:
        assert standing.meet(Trouble(FILLING, ((plant, 5),))).fault
    assert standing.end() == ["cards that are nowhere: 1"]


def test_a_card_is_in_one_place_and_was_brought() -> None:
    standing = Standing(SEED)
    table = standing.player.hands.hands.table
    table["red"].append(table["blue"][0])
    assert standing.end() == ["a card is in two places"]
    standing = Standing(SEED)
    standing.player.hands.hands.table["red"] += new_deck("red", 2, Random(SEED))
    assert standing.end() == ["cards that nobody has brought: 2"]


def test_what_hands_take_keep_and_add_is_somewhere() -> None:
    standing = Standing(SEED)
    for phase, plant in (
        (FILLING, ("hands.late", 1)),
        (FILLING, ("hands.rest", 1)),
        (FILLING, ("card.foreign", 5)),
        (DEALING, ("shoe.robbed", 5)),
        (DEALING, ("shoe.lost", 30)),
        (DEALING, ("shoe.extra", 30)),
    ):
        one = standing.meet(Trouble(phase, (plant,)))
        assert (one.struck, one.wrong) == ((plant[0],), [])
    assert standing.end() == []


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


def delayed(of: type, move: str, by_s: float) -> Callable[..., Awaitable[Any]]:
    """A step of the firmware that dawdles first."""
    real: Callable[..., Awaitable[Any]] = vars(of)[move]

    async def slow(*all_of_it: Any) -> None:
        await asyncio.sleep(by_s)
        await real(*all_of_it)

    return slow


@pytest.mark.parametrize(
    ("phase", "plants", "of", "move", "told"),
    [
        (FILLING, (("infeed.stuck", 9),), OF_CARDS, "_again", (101, 9)),
        (FILLING, (("infeed.misfeed", 9), ("back.dead", 1)), OF_CARDS, "_again", (109, 9)),
        (FILLING, (("wheel.slip", 95), ("tick.dark", 1)), Wheel, "find", (203, 5)),
        (EMPTYING, (("eject.missed", 20), ("exit.dark", 1)), Wheel, "nudge", (301, 20)),
        (DEALING, (("deal.stuck", 5),), Shoe, "again", (401, 5)),
        (DEALING, (("deal.misfeed", 5), ("deal.dark", 1)), Shoe, "again", (402, 5)),
        (FILLING, (("hands.rest", 1),), Feeder, "probe", (601, 42)),
        (FILLING, (("infeed.full", 9),), Feeder, "probe", (112, CARDS + 1)),
        (FILLING, (("infeed.dead", 9),), Feeder, "probe", (112, 9)),
        (DEALING, (("shoe.lost", 9),), Shoe, "again", (601, CARDS - 1)),
        (DEALING, (("shoe.full", 9),), Shoe, "again", (410, CARDS + 1)),
    ],
)
def test_every_word_is_timed_and_every_count(
    phase: str, plants: tuple[tuple[str, int], ...], of: type, move: str, told: tuple[int, int]
) -> None:
    """The fault that stops the machine at last, a second one's, and what the last card tells."""
    during = TRY if len(plants) > 1 else ""
    one = met(phase, *plants, during=during)
    assert ((one.fault, one.card), one.against) == (told, [])
    with mock.patch.object(of, move, delayed(of, move, 3)):
        one = met(phase, *plants, during=during)
    assert one.report_ms is not None
    assert one.report_ms > REPORT_MS


def test_a_lid_opened_in_a_try_is_timed() -> None:
    """Not the try alone; firmware that believes the switch only after 400 ms."""
    opened: dict[str, Any] = {"switch": "lid", "after_ms": 20, "during": TRY}
    one = met(FILLING, ("wheel.slip", 95), **opened)
    assert (one.fault, one.within, one.against) == (701, TRY, [])
    with mock.patch.object(supervision, "_BOUNCE_MS", 400):
        one = met(FILLING, ("wheel.slip", 95), **opened)
    assert one.report_ms is not None
    assert one.report_ms > REPORT_MS


def test_a_second_fault_of_a_later_card_is_timed() -> None:
    """The first is got over, and told in time."""
    plants = (("infeed.misfeed", 9), ("path.jam", 20))
    one = met(FILLING, *plants)
    assert (one.struck, one.fault, one.against) == (("infeed.misfeed", "path.jam"), 102, [])

    async def slow(feeder: Any, back: int) -> None:
        await asyncio.sleep(0.8 if len(machine.infeed.stack) < CARDS - 15 else 0)
        await READY(feeder, back)

    standing = Standing(SEED)
    machine = standing.player.machine
    with mock.patch.object(Feeder, "ready", slow):
        one = standing.meet(Trouble(FILLING, plants))
    standing.end()
    assert one.report_ms is not None
    assert one.report_ms > REPORT_MS


def test_the_tries_that_bring_none_take_what_the_mechanics_need() -> None:
    """Two probes of the pick, by its limits, and two turns of the roller."""
    assert NONE_NS["wheel"] == pytest.approx(2 * 0.0447 * 1e9, rel=0.01)
    assert NONE_NS["shoe"] == pytest.approx((0.133 + 2 * 0.0865) * 1e9, rel=0.01)


# -- how often it is tried ---------------------------------------------------------------------

STUCK = ((FILLING, "infeed.stuck", 101), (FILLING, "exit.jam", 301), (DEALING, "deal.stuck", 401))


def tries(phase: str, plant: str, at: int) -> tuple[Met, list[int]]:
    """What came of it, and the tries that were told."""
    standing = Standing(SEED)
    one = standing.meet(Trouble(phase, ((plant, at),)))
    told = [event.trying.tries for event in standing.player.table.heard.all("trying")]
    assert standing.end() == []
    return one, told


def test_no_fault_is_tried_more_than_three_times() -> None:
    assert max(times for _, _, times in recovery.TABLE) <= MOST_TRIES


@pytest.mark.parametrize("at", [1, 9])
@pytest.mark.parametrize(("phase", "plant", "number"), STUCK)
def test_what_is_stuck_is_tried_as_often_as_the_table_says(
    phase: str, plant: str, number: int, at: int
) -> None:
    one, told = tries(phase, plant, at)
    assert (one.fault, one.against) == (number, [])
    (often,) = [times for fault, _, times in recovery.TABLE if fault == number]
    assert told == list(range(1, often + 1))


@pytest.mark.parametrize("at", [1, 9])
@pytest.mark.parametrize(("phase", "plant", "number"), STUCK)
def test_more_than_three_tries_are_found(phase: str, plant: str, number: int, at: int) -> None:
    """A table that allows nine; and one whose firmware always says that it is the first."""
    nine = tuple((fault, how, 9) for fault, how, _ in recovery.TABLE)
    with mock.patch.object(recovery, "TABLE", nine):
        one, told = tries(phase, plant, at)
        assert len(told) == 9
        assert one.wrong == [f"more than 3 tries: fault {number}, card {at}"]
        with mock.patch.object(recovery, "tell", first_try):
            one, told = tries(phase, plant, at)
    assert told == [1] * 9
    assert bool(one.wrong) == (at > 1)


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
    for one in drawn:  # a sensor fails one way
        names = {name.partition("@")[0] for name, _ in one.plants}
        assert not any(contrary(name, names) for name in names)


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
    one = Session(SEED, (Trouble(FILLING, (("infeed.overlap@45000", 5),)),))
    assert Session.of(json.loads(json.dumps(one.as_json()))) == one


def test_a_smaller_case_fails_the_same_way() -> None:
    """Not in any other: of two that fail, the one that failed so is kept."""
    late = Trouble(FILLING, (("path.slip", 1),))
    bad = Trouble(FILLING, (("path.jam", 1),))

    def played(session: Session, depth: str = "") -> list[Met]:
        told = {late: "I-4: told after 300 ms", bad: "I-1: ready with 51"}
        return [Met(one, (), "recovered", wrong=[told[one]]) for one in session.troubles]

    with mock.patch.object(run, "play", played):
        assert failing(Session(SEED, (late,))) == {"I-4"}
        assert shrink(Session(SEED, (bad,))).troubles == (bad,)


def test_numbers_are_made_plain_as_far_as_it_still_fails() -> None:
    """A passage down to 7, a size to the usual one, or as near as 3 mm, times to what fails."""
    first = Trouble(BOTH, (("deal.slip@1234", 40), ("path.slip@700", 31)), "lid", 900, 8000)

    def played(session: Session, depth: str = "") -> list[Met]:
        (one,) = session.troubles
        plants = {name.partition("@")[0]: (name, at) for name, at in one.plants}
        small = "deal.slip" in plants and plants["deal.slip"][1] >= 7 and one.begin_ms >= 123
        name = plants.get("path.slip", ("", 0))[0]
        fails = small and name.startswith("path.slip@") and int(name.partition("@")[2]) <= 3000
        return [Met(one, (), "recovered", wrong=["I-1: ready"] if fails else [])]

    with mock.patch.object(run, "play", played):
        (one,) = shrink(Session(SEED, (first,))).troubles
    plants = (("deal.slip", 7), ("path.slip@3000", 1))
    assert one == Trouble(BOTH, plants, "lid", 0, 123)


def test_a_file_is_made_small_beside_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "case.json"
    calm, bad = Trouble(FILLING), Trouble(DEALING, (("deal.double_feed", 9),))
    path.write_text(json.dumps(Session(SEED, (calm, bad, calm)).as_json()))
    assert command.main(["--shrink", str(path)]) == 1
    assert capsys.readouterr().out == f"{path}: nothing is wrong in it\n"
    small = tmp_path / "case.small.json"
    assert not small.exists()
    with mock.patch.object(Shoe, "_judge", one_card):
        assert command.main(["--shrink", str(path)]) == 0
        assert capsys.readouterr().out == f"{small}\n"
        assert command.main(["--replay", str(small)]) == 1
    (one,) = Session.of(json.loads(small.read_text())).troubles
    assert one == Trouble(DEALING, (("deal.double_feed", 1),))


def test_what_is_no_scenario_file_is_not_made_small(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "case.json"
    path.write_text('{"seed": 1, "troubles": []}')
    for argv, said in (
        (["--shrink", str(path)], f"--shrink {path}: troubles: []; wanted is at least one\n"),
        (
            ["--shrink", "nowhere.json"],
            "--shrink nowhere.json: No such file or directory; failing cases are",
        ),
        (["--shrink", "a", "--replay", "b"], "not allowed with argument --shrink"),
    ):
        with pytest.raises(SystemExit) as left:
            command.main(argv)
        assert left.value.code == 2
        assert said in capsys.readouterr().err


def in_order(chance: Any, cards: int, out: bytearray) -> None:
    """Each card into the slot of its own number."""
    out[:cards] = bytes(range(cards))


def test_the_oracle_of_the_texts_objects_in_a_campaign() -> None:
    """SH-1 (in-process): cards that come out as they went in: 18.5(a), a violation."""
    calm = Session(SEED, (Trouble(DEALING, (("deal.misfeed", 3),)),))
    results = Results(1, SEED)
    with mock.patch.object(Chance, "plan", in_order):
        results.take(calm, play(calm))
    assert results.violations == 1
    assert "; 18.5(a): " in results.said[0] or ": 18.5(a): " in results.said[0]
    assert failing(calm) == frozenset()


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


def test_a_word_before_the_end_is_not_about_what_shows_there() -> None:
    """A sensor that sees a card always is right as long as there are some."""
    one = met(DEALING, ("shoe.full", 17), ("deal.misfeed", 37))
    assert (one.fault, one.misnamed, one.against) == (410, "", [])


def test_a_slick_card_is_not_the_slight_slip_of_another() -> None:
    """It has slid since an earlier trouble; the plant of this one goes through unnoticed."""
    standing = Standing(SEED)
    assert standing.meet(Trouble(FILLING, (("card.slick", 21),))).against == []
    standing.player.machine.deal.shoe.sort(
        key=lambda card: -card.grip_mm_s2
    )  # it comes last of all
    one = standing.meet(Trouble(DEALING, (("deal.slip@1442", 10),)))
    assert (one.outcome, one.against) == ("recovered", [])
    assert standing.end() == []
