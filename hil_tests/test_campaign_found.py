"""What campaigns have found once: each trouble stays found, named, and told in time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, cast
from unittest import mock

import pytest
from dovetail import supervision
from dovetail.lanes import deal
from dovetail.stations.shoe import Shoe
from dovetail.stations.window import Window

from boards import mechanics as M
from host_tools.campaign.draw import (
    BOTH,
    DEALING,
    EMPTYING,
    FILLING,
    SWITCHES,
    Session,
    Trouble,
)
from host_tools.campaign.met import REPORT_MS, Met
from host_tools.campaign.sessions import Standing, play
from host_tools.link import link_pb2
from host_tools.link.client import kind_of
from sim.plants.record import AT
from sim.points import CARDS

SEED = 3
TICKS = 60  # that pass before the wheel is well on its way
TRIED = 40
LATER_MS = 60_000  # than everything


def met(phase: str, *plants: tuple[str, int]) -> Met:
    """A trouble alone."""
    (one,) = play(Session(SEED, (Trouble(phase, plants),)))
    assert one.wrong == []
    return one


@pytest.mark.parametrize(("drift", "pair"), [(2, 4), (3, 8), (14, 26), (29, 30)])
def test_two_cards_are_not_three_because_the_sensor_drifts(drift: int, pair: int) -> None:
    """A bent pair reads 2.5 cards, and 3.1 when the sensor reads a quarter too much."""
    one = met(DEALING, ("thickness_out.drift", drift), ("deal.bent_pair", pair))
    assert (one.outcome, one.fault) == ("handed over", 403)


def test_steps_lost_within_the_wanted_tick_are_the_wheels() -> None:
    """The card is the first to meet the wall; what is told is why."""
    standing = Standing(SEED)
    infeed = standing.player.machine.infeed
    walls: list[Met] = []
    for at in range(TICKS, TICKS + 2 * TRIED, 2):
        before = infeed.crashed
        one = standing.meet(Trouble(FILLING, (("wheel.slip", at),)))
        assert one.wrong == []
        walls += [one] if infeed.crashed > before else []
    assert standing.end() == []
    assert walls
    assert {(one.fault, one.station) for one in walls} == {(203, "wheel")}


@pytest.mark.parametrize("at", [95, 112, 200])
def test_a_wheel_that_stands_at_a_wall_is_looked_at_once(at: int) -> None:
    """What its motor has lost it has lost when it stands: no steps of the look itself."""
    standing = Standing(SEED)
    one = standing.meet(Trouble(FILLING, (("wheel.slip", at),)))
    assert standing.player.machine.infeed.crashed
    assert (one.fault, one.station, one.wrong) == (203, "wheel", [])
    tried = [event.trying for event in standing.player.table.heard.all("trying")]
    assert [(said.fault, said.tries) for said in tried] == [(102, 1)]
    assert standing.end() == []


def test_steps_lost_while_the_wheel_is_emptied_are_got_over() -> None:
    """The rod meets the wall and comes back; the wheel finds its home, and the slot."""
    standing = Standing(SEED)
    wheel, met_wall = standing.player.machine.wheel, 0
    for at in range(650, 650 + TRIED):
        before = wheel.torn
        one = standing.meet(Trouble(FILLING, (("wheel.slip", at),)))
        assert one.wrong == []
        if wheel.torn > before:
            met_wall += 1
            assert one.outcome == "recovered", one
    assert standing.end() == []
    assert met_wall


@pytest.mark.parametrize("at", [2, 3, 4, 30])
def test_the_tray_is_looked_at_as_soon_as_a_card_can_lie_there(at: int) -> None:
    """From when the first card lies there: behind the second, not after the last of a release."""
    one = met(DEALING, ("tray.dead", at))
    assert one.fault == 502
    assert one.report_ms is not None
    assert one.report_ms < REPORT_MS


@pytest.mark.parametrize("at", [*range(35, 60), 80, 120])
def test_a_sensor_of_the_tray_that_dies_in_a_release_is_told_in_it(at: int) -> None:
    """It has seen a card of it: what lies there is seen behind each one that follows."""
    one = met(DEALING, ("tray.dead", at))
    assert (one.fault, one.card, one.against) == (502, 0, [])
    assert one.report_ms is not None
    assert one.report_ms < REPORT_MS


@pytest.mark.parametrize("at", [3, 20])
def test_a_tray_that_sees_nothing_is_not_told_a_card_later(at: int) -> None:
    """The second card waits for the heap: the first is looked for before it, and not behind it."""
    room = cast(Callable[[object, bool], Awaitable[None]], deal.room)  # pyright: ignore[reportUnknownMemberType]

    async def slow(machine: object, ample: bool) -> None:
        await room(machine, ample)
        await asyncio.sleep(0.12)

    with mock.patch.object(deal, "room", slow):
        one = met(DEALING, ("tray.dead", at))
    assert (one.fault, one.card, one.against) == (502, 0, [])


def test_an_interlock_is_timed() -> None:
    """From the opening of the switch, or from when the supply is under its limit."""
    standing = Standing(SEED)
    for trouble in (
        *(Trouble(FILLING, (), switch, 3000) for switch in SWITCHES),
        *(Trouble(FILLING, ((plant, 20),)) for plant in ("hands.lid", "supply.lost", "supply.dip")),
        Trouble(DEALING, (("hands.door", 20),)),
    ):
        one = standing.meet(trouble)
        assert (one.wrong, one.station) == ([], "interlock")
        assert one.report_ms is not None
        assert 0 < one.report_ms < REPORT_MS
    assert standing.end() == []


def test_a_slow_interlock_is_found() -> None:
    """Firmware that believes a switch only after 400 ms: the campaign says that it is late."""
    standing = Standing(SEED)
    with mock.patch.object(supervision, "_BOUNCE_MS", 400):
        one = standing.meet(Trouble(FILLING, (), "mount", 3000))
    assert one.report_ms is not None
    assert one.report_ms > REPORT_MS
    standing.end()


@pytest.mark.parametrize("lost", [20, 21])
def test_a_supply_that_sags_and_fails_has_failed(lost: int) -> None:
    one = met(FILLING, ("supply.sag", 20), ("supply.lost", lost))
    assert (one.fault, one.station) == (704, "interlock")


def test_a_round_is_closed_also_when_the_other_lane_has_stopped() -> None:
    """Its remainder was out before: it is not void, and the next waits for its end."""
    standing = Standing(SEED)
    kinds: list[str] = []

    def hear(event: link_pb2.Event) -> None:
        kinds.append(kind_of(event))
        if kinds[-1] == "remainder" and standing.player.judge.trouble.switch:
            standing.player.judge.opened_ns = standing.whole.world.now_ns()
            standing.whole.hands.switch("lid", False)

    standing.player.client.on_event.append(hear)
    one = standing.meet(Trouble(BOTH, (), "lid", after_ms=LATER_MS, begin_ms=4000))
    assert (one.fault, one.wrong) == (701, [])
    assert kinds.index("remainder") < kinds.index("fault")
    assert "round_void" not in kinds
    one = standing.meet(Trouble(DEALING))
    assert (one.outcome, one.wrong) == ("not struck", [])
    assert standing.end() == []


@pytest.mark.parametrize("before", [0, 1])
def test_a_card_that_slides_back_to_its_place_is_not_missed(before: int) -> None:
    """A slick one, come too far: nothing is off, nothing is told. The card before it is missed."""
    standing = Standing(SEED)
    assert standing.meet(Trouble(FILLING, (("card.slick", 21),))).wrong == []
    shoe = standing.player.machine.deal.shoe  # behind the card that lies at the nip
    at = next(n for n, card in enumerate(shoe, 2) if card.slides_um("deal")) - before
    trouble = Trouble(DEALING, (("deal.ahead", at),))
    with mock.patch.object(Window, "near", return_value=True):  # firmware that overlooks it
        one = standing.meet(trouble)
    assert one.struck == ("deal.ahead",)
    assert one.outcome == ("missed" if before else "harmless")
    standing.end()


def test_what_a_slick_card_does_to_the_roller_is_timed_from_there() -> None:
    """It is slick since an earlier trouble; what has struck since, and is harmless, is not it."""
    standing = Standing(SEED)
    assert standing.meet(Trouble(FILLING, (("card.slick", 21),))).wrong == []
    standing.player.machine.deal.shoe.sort(key=lambda card: card.slides_um("deal"))  # the last
    one = standing.meet(Trouble(DEALING, (("deal.glare", 1),)))
    assert (one.struck, one.fault, one.against) == (("deal.glare",), 0, [])
    assert one.report_ms is not None  # a word of it there was
    assert one.report_ms > 0
    assert standing.end() == []


def test_a_torn_card_falls_with_those_that_hid_it() -> None:
    """Three at once, one short: its end left the roller before theirs, its front did not."""
    standing = Standing(SEED)
    deal = standing.player.machine.deal
    one = standing.meet(Trouble(DEALING, (("deal.torn", 7), ("deal.triple_feed", 7))))
    assert (one.struck, one.fault, one.wrong) == (("deal.torn", "deal.triple_feed"), 0, [])
    assert deal.chute == []
    assert standing.end() == []


def test_where_the_next_card_stands_is_measured_each_time() -> None:
    """Steps are whole, cards are not: what that leaves must not add up over a deck."""
    judge = cast(Callable[[Shoe], None], Shoe._judge)  # pyright: ignore[reportUnknownMemberType, reportPrivateUsage]
    met_um: list[int] = []

    def noted(self: Shoe) -> None:
        met_um.append(int(self.beam.at[0]) * 1_000_000 // M.ROLLER_STEPS_M)  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
        judge(self)

    with mock.patch.object(Shoe, "_judge", noted):
        assert met(DEALING).fault == 0
    assert len(met_um) == CARDS
    lead_um = M.DEAL_BEAM_UM - M.STAGE_UM
    assert max(abs(um - lead_um) for um in met_um[1:]) < 1000  # the first lies at the nip


@pytest.mark.parametrize("slip_um", [2000, 3000])
def test_a_small_slip_is_not_carried_on(slip_um: int) -> None:
    """The cards behind come as much later, and that is known: none of them has to be helped."""
    standing = Standing(SEED)
    tried: list[int] = []

    def hear(event: link_pb2.Event) -> None:
        if kind_of(event) == "trying":
            tried.append(event.trying.card)

    standing.player.client.on_event.append(hear)
    one = standing.meet(Trouble(DEALING, ((f"deal.slip@{slip_um}", 12),)))
    assert standing.end() == []
    assert (one.struck, one.fault, tried) == (("deal.slip",), 0, [])


def test_the_path_is_looked_at_behind_the_last_card() -> None:
    """No card comes after it that would find the beam dark: the deck is not ready with it."""
    standing = Standing(SEED)
    one = standing.meet(Trouble(FILLING, (("entry.dark", CARDS),)))
    assert (one.fault, one.card, one.outcome, one.wrong) == (106, CARDS, "handed over", [])
    assert not standing.player.table.heard.all("ready")
    assert standing.end() == []


def test_the_exit_beam_is_looked_at_before_the_wheel_is_full() -> None:
    """Paper that falls there in a turn is told before the next card: not when it is in the way."""
    standing = Standing(SEED)
    machine, dark_ns, told_ns = standing.player.machine, list[int](), list[int]()
    falls, now_ns = machine.wheel.on_paper, standing.whole.world.now_ns

    def covered(beam: str) -> None:
        dark_ns.append(now_ns())
        falls(beam)

    def hear(event: link_pb2.Event) -> None:
        if kind_of(event) == "fault":
            told_ns.append(now_ns())

    standing.player.client.on_event.append(hear)
    machine.wheel.on_paper = covered
    axis, left = machine.axes["wheel"], [AT]
    begin = axis.begin

    def hangs(*plan: Any) -> None:
        left[0] -= 1
        machine.wheel.paper |= left[0] == 0
        begin(*plan)

    setattr(axis, "begin", hangs)  # noqa: B010
    one = standing.meet(Trouble(FILLING))
    assert one.fault == 303
    assert told_ns[0] - dark_ns[0] < REPORT_MS * 1_000_000
    standing.end()


@pytest.mark.parametrize("after_ms", [2, 6, 300])
def test_a_door_opened_while_the_wheel_looks_for_home_waits_for_no_turn(after_ms: int) -> None:
    """The wheel stands, so its mark does not come: nobody waits for it."""
    plants = (("thickness_in.dead", 50),)
    trouble = Trouble(FILLING, plants, "door", after_ms=after_ms, during="clearing")
    (one,) = play(Session(SEED, (trouble,)))
    assert (one.fault, one.wrong) == (107, [])


@pytest.mark.parametrize(("lost", "there"), [(193, 1), (60, 2)])
def test_a_card_that_no_beam_has_seen_counts_when_it_has_slid_on(lost: int, there: int) -> None:
    """It lags so far that the roller still holds it: it lies under the sensor, and stays there."""
    standing = Standing(SEED)
    plants = ((f"deal.lost@{lost}", 5), ("deal.blind", 5))
    one = standing.meet(Trouble(DEALING, plants))
    assert (one.fault, one.card, one.against) == (408, 5, [])
    stacks = standing.player.table.heard.all("stack")
    assert [event.stack.delivered for event in stacks] == [3, there]
    assert stacks[-1].stack.verdict == link_pb2.NOT_COUNTED
    standing.end()


def test_a_session_is_the_same_each_time() -> None:
    """To the nanosecond: a case that fails is replayed from its file."""
    troubles = (
        Trouble(FILLING, (("path.jam", 26),)),
        Trouble(BOTH, (("home.dark", 10),), begin_ms=6070),
        Trouble(DEALING, (("tray.dead", 3),)),
    )
    one, other = (play(Session(SEED, troubles)) for _ in range(2))
    assert one == other
    assert [bool(met.fault) for met in one] == [True, False, True]


@pytest.mark.parametrize(
    "plants",
    [
        (("deal.misfeed", 9), ("deal.ahead", 9)),
        (("deal.lost@178", 13), ("deal.ahead@9829", 13)),
        (("deal.slip", 52), ("deal.ahead@11411", 52)),
        (("exit.hold@68637", 52), ("exit.covered", 52)),
        (("deal.overlap@36861", 27), ("deal.dark", 27)),
        (("deal.overlap@27469", 28),),
        (("pick.lost@141", 10), ("infeed.creep", 10)),
        (("deal.torn@13314", 36), ("deal.double_feed", 36)),
        (("deal.torn@18654", 18), ("deal.overlap@644", 18)),
        (("wheel.slip", 23),),
        (("wheel.heavy", 52),),
        (("entry.dust", 21), ("wheel.slip", 490)),
    ],
)
def test_of_two_at_once_what_is_left_of_them_counts(plants: tuple[tuple[str, int], ...]) -> None:
    """One makes the other good, hides it, or makes it more; the card behind may show it first."""
    first = plants[0][0].partition(".")[0]
    phase = {"deal": DEALING, "exit": EMPTYING}.get(first, FILLING)
    (one,) = play(Session(1, (Trouble(phase, plants),)))
    assert (one.misnamed, one.against) == ("", [])


@pytest.mark.parametrize("lost", [80, 120, 160, 180, 200])
@pytest.mark.parametrize("behind_um", [16000, 20000, 28000, 36000])
@pytest.mark.parametrize("at", [8, 45])
def test_a_push_brings_no_second_card_along(lost: int, behind_um: int, at: int) -> None:
    """One hangs in the roller, the next close behind: what falls behind the first is counted."""
    standing = Standing(SEED)
    plants = ((f"deal.lost@{lost}", at), (f"deal.overlap@{behind_um}", at))
    one = standing.meet(Trouble(DEALING, plants))
    assert standing.end() == []
    assert one.against == []
    assert one.station != "count"  # where only the end of the deck would tell it


@pytest.mark.parametrize("second", [0, 1])
def test_a_torn_card_is_excused_by_what_covers_it_alone(second: int) -> None:
    """A pair of other cards hides nothing."""
    one = met(DEALING, ("deal.torn", 7), ("deal.double_feed", 7 - second))
    assert (one.fault, one.outcome) == ((409, "handed over") if second else (0, "recovered"))


@pytest.mark.parametrize(("at", "begin_ms"), [(45, 8180), (10, 1030), (20, 3000)])
def test_a_dip_of_the_supply_is_never_told_as_a_torn_card(at: int, begin_ms: int) -> None:
    """It strikes the end of one move and the beginning of another, and nothing moves between."""
    (one,) = play(Session(SEED, (Trouble(BOTH, (("supply.dip", at),), begin_ms=begin_ms),)))
    assert (one.fault, one.station, one.against) == (704, "interlock", [])


def test_a_torn_card_that_slides_is_told_as_torn() -> None:
    """It comes late and ends early: what slides is not shorter for it."""
    assert met(DEALING, ("deal.torn@20492", 10), ("deal.slip@6000", 10)).fault == 409


def test_a_card_sticks_at_the_nearest_of_two_places() -> None:
    """Before the count beam, and not beyond it."""
    standing = Standing(SEED)
    path, stuck_um = standing.player.machine.infeed.path, list[float]()
    standing.player.client.on_event.append(lambda _: stuck_um.extend(p.x for p in path))
    plants = (("path.jam_at:nip", 13), ("path.jam_at:mouth", 13), ("path.jam@68185", 13))
    one = standing.meet(Trouble(FILLING, plants))
    assert (one.fault, one.card, one.against) == (102, 13, [])
    assert stuck_um[-1] < M.COUNT_BEAM_UM
    assert standing.end() == []


def test_what_waits_for_the_shoe_is_known_when_the_wheel_is_emptied() -> None:
    """The last card sticks at its slot, and the wheel turns only when the other deck is out."""
    plants = (("path.jam_at:slot", CARDS),)
    (one,) = play(Session(SEED, (Trouble(BOTH, plants, begin_ms=5301),)))
    assert (one.outcome, one.against) == ("handed over", [])
