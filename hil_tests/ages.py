"""Scenarios of a deck's life: how long it may stay at the table, by game."""

from __future__ import annotations

from hil_tests.bench import Bench
from hil_tests.scenario import scenario
from hil_tests.service import at_the_table, by_the_supervisor, of_role
from host_tools.heard import Heard
from host_tools.link import link_pb2
from host_tools.link.client import Client
from host_tools.play.table import BACKS
from host_tools.rigs import Setup

MORNING = 1_800_000_000
HOUR_S, WARNED_S, MINUTE_S = 3600, 1800, 60
RED = BACKS["red"]


async def tell(client: Client, time: int) -> None:
    """What time it is. Service may set a clock ahead, which stands for hours that nobody waits."""
    await client.request("set_clock", link_pb2.SetClock(time=time))


async def grows_old(bench: Bench, hours: int, rule: str) -> None:
    """A new deck: warned of half an hour before its time, refused from the hour on."""
    assert bench.rig.dealer is not None
    await bench.step(tell(bench.client, MORNING))
    await bench.step(bench.rig.dealer.load("red"))
    await bench.step(bench.client.load(RED))
    await bench.refused(
        bench.client.request("set_clock", link_pb2.SetClock(time=MORNING + HOUR_S)), rule
    )
    await bench.client.leave()
    service = await of_role(bench, link_pb2.ROLE_SERVICE)
    heard = Heard(service)
    for level, left_s in ((1, WARNED_S), (2, 0)):
        await bench.step(tell(service, MORNING + hours * HOUR_S - left_s + MINUTE_S))
        age = (await heard.wait("deck_age", 0, 2.0, level=level)).deck_age
        assert (age.back, age.rule, age.minutes <= left_s // 60) == (RED, rule, True)
    await heard.close()
    await service.leave()
    async with at_the_table(bench) as table:
        await table.refused(table.client.load(RED), rule)


@scenario("dealer", "clock", setup=Setup("let_it_ride"))
async def let_it_ride_changes_its_deck(bench: Bench) -> None:
    """CL-1: after eight hours in the shoe."""
    await grows_old(bench, 8, "CL-1")


@scenario("dealer", "clock", setup=Setup("caribbean_stud"))
async def caribbean_stud_changes_its_deck(bench: Bench) -> None:
    """CL-2: after eight hours."""
    await grows_old(bench, 8, "CL-2")


@scenario("dealer", "clock", setup=Setup("double_down_stud", by_hand=True))
async def double_down_stud_changes_its_deck(bench: Bench) -> None:
    """CL-3: after eight hours from the hand."""
    await grows_old(bench, 8, "CL-3")


@scenario("dealer", "clock", setup=Setup("boston_5"))
async def boston_changes_its_deck(bench: Bench) -> None:
    """CL-4: after eight hours in the shoe."""
    await grows_old(bench, 8, "CL-4")


@scenario("dealer", "clock", setup=Setup("plain"))
async def a_plain_deck_is_changed(bench: Bench) -> None:
    """CL-7: after four hours."""
    await grows_old(bench, 4, "CL-7")


@scenario("dealer", "clock", setup=Setup("poker", by_hand=True))
async def poker_changes_its_deck(bench: Bench) -> None:
    """CL-5: put in suit and sequence every two hours, and changed after four."""
    await bench.step(tell(bench.client, MORNING))
    await bench.ready("red")
    async with by_the_supervisor(bench):
        await bench.step(tell(bench.client, MORNING + 2 * HOUR_S + MINUTE_S))
        await bench.heard.wait("deck_age", 0, 2.0, level=3)
    since = len(bench.heard.events)
    bench.watch.bets_closed = True  # all of it leaves the shoe, to be dealt by hand
    await bench.step(bench.client.deliver())
    await bench.heard.wait("whole_deck", since, 60.0)
    await bench.step(bench.table.dealer.take())
    bench.watch.bets_closed = False
    await bench.refused(bench.client.open_round(1, 2), "CL-5")
    await bench.table.dealer.load("red")
    await bench.refused(bench.client.load(RED), "CL-5")
    await bench.step(bench.client.load(RED, in_order=True))
    async with by_the_supervisor(bench):
        await bench.step(tell(bench.client, MORNING + 4 * HOUR_S + MINUTE_S))
        await bench.heard.wait("deck_age", 0, 2.0, level=2)
    await bench.refused(bench.client.load(RED), "CL-5")


@scenario("dealer", "clock")
async def no_round_begins_with_a_deck_over_its_time(bench: Bench) -> None:
    """CL-1: opened in time, and left so; a stack is as late as the end of the bets."""
    await bench.step(tell(bench.client, MORNING))
    await bench.ready("red")
    await bench.open()
    async with by_the_supervisor(bench):
        await bench.step(tell(bench.client, MORNING + 8 * HOUR_S + MINUTE_S))
    await bench.refused(bench.client.no_more_bets(bench.round), "CL-1")
    await bench.step(bench.client.void_round(bench.round))
    bench.watch.bets_closed = True  # cards may leave the shoe: no round is played with them
    await bench.rest()
    bench.watch.ready = bench.watch.bets_closed = False
    await bench.ready("blue")
    await bench.open()
    await bench.no_more_bets()
    async with by_the_supervisor(bench):
        await bench.step(tell(bench.client, MORNING + 17 * HOUR_S))
    await bench.refused(bench.client.deal(bench.round, 1), "CL-1")


@scenario("dealer", "clock", setup=Setup("poker", by_hand=True))
async def poker_closes_no_bets_on_a_deck_that_is_to_be_sorted(bench: Bench) -> None:
    """CL-5: the two hours are over while the round waits."""
    await bench.step(tell(bench.client, MORNING))
    await bench.ready("red")
    since = len(bench.heard.events)
    bench.watch.bets_closed = True  # all of it leaves the shoe, to be dealt by hand
    await bench.step(bench.client.deliver())
    await bench.heard.wait("whole_deck", since, 60.0)
    await bench.step(bench.table.dealer.take())
    bench.watch.ready = True
    await bench.open()
    async with by_the_supervisor(bench):
        await bench.step(tell(bench.client, MORNING + 2 * HOUR_S + MINUTE_S))
    await bench.refused(bench.client.no_more_bets(bench.round), "CL-5")
    await bench.step(bench.client.void_round(bench.round))


@scenario("dealer", "clock")
async def a_deck_grows_old_from_the_moment_that_it_was_declared(bench: Bench) -> None:
    """CL-6: also before anybody has told the time; the machine has counted since then."""
    assert bench.rig.dealer is not None
    await bench.step(bench.rig.dealer.load("red"))
    await bench.step(bench.client.load(RED))
    await bench.step(tell(bench.client, MORNING))
    async with by_the_supervisor(bench):
        await bench.step(tell(bench.client, MORNING + 8 * HOUR_S + MINUTE_S))
        age = (await bench.heard.wait("deck_age", 0, 2.0, level=2)).deck_age
    assert (age.back, age.rule, age.minutes) == (RED, "CL-1", 0)
    await bench.refused(bench.client.load(RED), "CL-1")


@scenario("dealer", "hands", "clock", "quick")
async def a_deck_in_the_shoe_is_not_dealt_when_its_time_is_over(bench: Bench) -> None:
    """CL-1: no round is opened with it, it comes out, and is not taken again."""
    await bench.step(tell(bench.client, MORNING))
    await bench.ready("red")
    for n in range(60):  # whoever pushes the clock on a minute at a time gets nowhere
        ahead = link_pb2.SetClock(time=MORNING + 60 * (n + 1))
        await bench.refused(bench.client.request("set_clock", ahead), "CL-1")
    async with by_the_supervisor(bench) as supervisor:
        await supervisor.step(tell(supervisor.client, MORNING + 8 * HOUR_S + MINUTE_S))
    await bench.refused(bench.client.open_round(1, 2), "CL-1")
    bench.watch.bets_closed = True  # cards may leave the shoe: no round is played with them
    since = len(bench.heard.events)
    await bench.step(bench.client.give_back())
    await bench.heard.wait("remainder", since, 60.0)
    await bench.step(bench.table.dealer.take())
    await bench.table.dealer.load("red")
    await bench.refused(bench.client.load(RED), "CL-1")
    await bench.refused(bench.client.remove_deck(RED), "CT-3")  # it lies in the infeed still
    await bench.hands.clear()
    await bench.step(bench.client.remove_deck(RED))
    await bench.table.dealer.load("red")
    await bench.refused(bench.client.load(RED, new_deck=True), "SH-11")
    async with by_the_supervisor(bench) as supervisor:
        await supervisor.step(supervisor.client.load(RED, new_deck=True))


@scenario("dealer", "clock")
async def a_deck_that_waited_too_long_is_not_played(bench: Bench) -> None:
    """CL-1: ready before its time was over; no round is opened with it."""
    await bench.step(tell(bench.client, MORNING))
    await bench.ready("red")
    async with by_the_supervisor(bench):
        await bench.step(tell(bench.client, MORNING + 8 * HOUR_S + MINUTE_S))
    await bench.refused(bench.client.open_round(bench.round + 1, 2), "CL-1")
