"""Promises of the rules that a slip in the code once broke unseen, asked of the machine itself.

The hands that stand after a stop, a machine out of service, a drawn position, an order that was
brought along: what a test sees here are cards where they truly lie, and words on the link.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from copy import deepcopy

import pytest

from hil_tests.bench import Bench
from hil_tests.service import by_the_supervisor
from hil_tests.test_rules_power import switched_on
from host_tools import rigs
from host_tools.hands import SimulatedHands
from host_tools.link import link_pb2
from host_tools.play.table import BACKS, SHUFFLE_S, STACK_S
from host_tools.rigs import Setup, Wanted, configured

SEED = 6
RED = BACKS["red"]
WRONG_DECK = 601  # docs/protocol.md
SHUFFLE_MS = 20_000  # 18.5 s is the budget of 99 orders in 100
PAUSE_S = 90  # the motors are switched off after a minute
# 24.12(f) alone lets hands stand when the shoe stops; cards of a player's stack by the texts
FIRST_STACK = {
    "let_it_ride": 3,
    "three_card_poker": 3,
    "boston_5": 3,
    "caribbean_stud": 5,
    "double_draw": 5,
    "pai_gow_poker": 7,
    "plain": 2,
}


def at_the_machine(
    body: Callable[[Bench], Awaitable[None]], wanted: Wanted | None = None, seed: int = SEED
) -> None:
    """Run the body with a controller that has said hello."""

    async def greeted(rig: rigs.Rig) -> None:
        bench = Bench(rig)
        try:
            await bench.client.hello()
            await body(bench)
        finally:
            await bench.close()

    rigs.in_process(wanted or Wanted(seed), greeted)


@pytest.mark.parametrize("game", FIRST_STACK)
def test_hands_stand_when_the_shoe_stops_in_boston_5_alone(game: str) -> None:
    """DS-8 I-3 (in-process): the shoe jams in the second stack, when the first is complete."""
    jam = {"deal.jam": {FIRST_STACK[game] + 2}}

    async def body(bench: Bench) -> None:
        await bench.ready("red")
        await bench.open()
        await bench.no_more_bets()
        first = 1
        if game == "pai_gow_poker":
            await bench.client.draw_start(bench.round)
            event = await bench.heard.wait("start_drawn", 0, STACK_S)
            first = event.start_drawn.position
        stack = await bench.deal(first)
        assert (stack.verdict, stack.delivered) == (link_pb2.AS_ORDERED, FIRST_STACK[game])
        await bench.take(first)
        since = len(bench.heard.events)
        await bench.client.deal(bench.round, first % bench.table.stacks + 1)
        await bench.fault(since, "shoe", "jam", STACK_S)
        void = (await bench.heard.wait("round_void", since, 1.0)).round_void
        stands = 1 if game == "boston_5" else 0
        assert void.complete == 1
        assert (void.stand, void.standing, void.provisional) == (stands, stands, bool(stands))

    at_the_machine(body, Wanted(SEED, jam, Setup(game)))


def test_out_of_service_lasts_while_the_power_is_off() -> None:
    """SH-5 (in-process): whoever switches the machine off and on again plays no round with it."""
    store = configured(Wanted())

    async def leave(bench: Bench) -> None:
        await bench.client.out_of_service()

    async def still_out(bench: Bench) -> None:
        assert (await bench.client.status()).state == link_pb2.OUT_OF_SERVICE
        await bench.table.dealer.load("red")
        await bench.refused(bench.client.load(RED), "SH-5")

    async def back_in(bench: Bench) -> None:
        await still_out(bench)
        await bench.hands.clear()
        since = len(bench.heard.events)
        bench.watch.clearing()
        await bench.table.ask(bench.client.in_service, "in_service")
        await bench.heard.wait("cleared", since, SHUFFLE_S)

    async def in_play(bench: Bench) -> None:
        assert (await bench.client.status()).state == link_pb2.IDLE

    for story in (leave, still_out, back_in, in_play):
        switched_on(store, story)


def test_the_starting_position_is_drawn_anew_each_round() -> None:
    """DS-13 (in-process): sixteen draws of seven; three at most come once in 20,000 such runs."""
    drawn: list[int] = []

    async def body(bench: Bench) -> None:
        for _ in range(16):
            await bench.ready("red")
            await bench.open()
            await bench.no_more_bets()
            since = len(bench.heard.events)
            await bench.client.draw_start(bench.round)
            event = await bench.heard.wait("start_drawn", since, STACK_S)
            drawn.append(event.start_drawn.position)
            await bench.client.void_round(bench.round)
            await bench.rest()

    at_the_machine(body, Wanted(SEED, setup=Setup("pai_gow_poker")))
    assert set(drawn) <= set(range(1, 8))
    assert len(set(drawn)) > 3


def test_a_deck_that_was_shuffled_before_keeps_its_order() -> None:
    """SH-6 (in-process): the card that lay on top is dealt first, and so on, as from the hand.
    The next shuffle of the same deck leaves them in no such order."""

    async def body(bench: Bench) -> None:
        assert isinstance(bench.hands, SimulatedHands)
        machine, hands = bench.rig.machine, bench.hands.hands
        assert machine is not None
        await bench.client.remove_deck(RED)  # a new one takes its place
        put_in = [id(card) for card in hands.table["red"]]
        await bench.table.dealer.load("red")
        async with by_the_supervisor(bench):
            await bench.client.load(RED, True, True)
        await bench.client.shuffle(RED)
        await bench.heard.wait("ready", 0, SHUFFLE_S, back=RED)
        carried = [id(card) for card in machine.cards()["shoe"]]
        assert carried == put_in[::-1]  # the card on top goes in first, and is dealt first
        bench.watch.bets_closed = True  # cards may leave the shoe: no round is played with them
        await bench.client.give_back()
        await bench.heard.wait("remainder", 0, SHUFFLE_S, round=0)
        await bench.table.dealer.take()
        bench.watch.bets_closed = bench.watch.ready = False
        put_in = [id(card) for card in hands.table["red"]]
        await bench.ready("red")
        shuffled = [id(card) for card in machine.cards()["shoe"]]
        assert sorted(shuffled) == sorted(put_in)
        assert shuffled not in (put_in, put_in[::-1])

    at_the_machine(body, Wanted(SEED, setup=Setup("boston_5")))


def test_no_card_more_goes_back_in_than_was_dealt() -> None:
    """SH-7 CT-3 (in-process): among the discards lies a card that this deck never had."""

    async def body(bench: Bench) -> None:
        assert isinstance(bench.hands, SimulatedHands)
        await bench.table.all_in("red", new=True)
        bench.watch.ready = True
        await bench.played("red")
        discards = bench.hands.hands.table["red"]
        discards.append(deepcopy(discards[0]))
        since = len(bench.heard.events)
        await bench.table.dealer.load("red")
        await bench.client.shuffle(RED)
        event = await bench.heard.wait("fault", since, SHUFFLE_S)
        assert (event.fault.fault, event.fault.card) == (WRONG_DECK, 53)

    at_the_machine(body, Wanted(SEED, setup=Setup("plain", continuous=True)))


def test_a_deck_that_waits_in_the_wheel_is_as_good_later() -> None:
    """TD-3 CT-1 (in-process): while the other is dealt slowly; the motors let go of the wheel."""

    async def body(bench: Bench) -> None:
        await bench.ready("red")
        since = len(bench.heard.events)
        await bench.shuffle("blue")
        done = await bench.heard.wait("shuffle_done", since, SHUFFLE_S, back=BACKS["blue"])
        assert done.shuffle_done.took_ms < SHUFFLE_MS
        await asyncio.sleep(PAUSE_S)
        bench.rig.last_back = "red"
        await bench.whole_round()
        ready = await bench.heard.wait("ready", since, SHUFFLE_S, back=BACKS["blue"])
        assert ready.ready.text == "52 of 52"
        assert not bench.heard.all("trying", since)
        assert not bench.heard.all("fault", since)

    at_the_machine(body)
