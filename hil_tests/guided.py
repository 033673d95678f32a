"""Scenarios of guided clearing: which door, what is behind it; shoe and wheel forced empty."""

from __future__ import annotations

from hil_tests.bench import CARDS, CLEAR_S, Bench
from hil_tests.scenario import scenario
from host_tools.link import link_pb2
from host_tools.link.errors import Faulted
from host_tools.play.table import BACKS, SHUFFLE_S, STACK_S


async def forced(bench: Bench) -> tuple[int, int, str]:
    """Order it; what came out of wheel and shoe, and what is then to be removed."""
    since = len(bench.heard.events)
    bench.watch.clearing()
    bench.watch.bets_closed = True  # cards leave the shoe: they belong to no round
    await bench.step(bench.table.ask(bench.client.empty_out, "empty_out"))
    emptied = (await bench.heard.wait("emptied", since, CLEAR_S)).emptied
    left = (await bench.step(bench.heard.wait("fault", since, CLEAR_S))).fault
    assert (left.fault, left.station) == (706, "machine")
    bench.watch.bets_closed = False
    return emptied.from_wheel, emptied.from_shoe, left.remove


async def found(bench: Bench) -> str:
    """It is said to be cleared, and is not: what the machine has found."""
    since = len(bench.heard.events)
    bench.watch.clearing()
    await bench.step(bench.table.ask(bench.client.cleared, "cleared"))
    try:
        await bench.heard.wait("cleared", since, CLEAR_S)
        return ""
    except Faulted as no:
        left = no.event.fault
    assert left.fault == 706
    return left.remove


@scenario("dealer", "hands", "faults", faults={"deal.stuck": {2}})
async def a_jam_at_the_shoe_says_where_to_look(bench: Bench) -> None:
    """I-4, I-5: station, card, where every card is, which door; nothing is believed afterwards."""
    back = await bench.ready()
    await bench.open()
    await bench.no_more_bets()
    since = len(bench.heard.events)
    await bench.step(bench.client.deal(bench.round, 1))
    fault = (await bench.step(bench.heard.wait("fault", since, STACK_S))).fault
    assert (fault.fault, fault.card) == (401, 2)
    where = f"{back}: 0 in the wheel, up to {CARDS - 1} in the shoe, 1 dealt"
    assert fault.cards.startswith(where), fault.cards
    assert fault.remove == f"cards to remove: shoe door: up to {CARDS - 1} in the shoe; tray"
    assert await found(bench) == "cards to remove: shoe door: in the shoe; tray"
    await bench.table.dealer.take()
    assert await found(bench) == "cards to remove: shoe door: in the shoe"
    await bench.hands.clear()
    assert await found(bench) == ""
    assert (await bench.client.status()).state == link_pb2.IDLE


@scenario("dealer", "hands", "quick")
async def wheel_and_shoe_are_forced_empty(bench: Bench) -> None:
    """A lid stops the shuffle while the shoe is full: an order for each."""
    await bench.ready()
    other = await bench.shuffle()
    since = len(bench.heard.events)
    await bench.step(bench.heard.wait("shuffle_done", since, SHUFFLE_S, back=BACKS[other]))
    await bench.hands.switch("lid", False)
    fault = (await bench.step(bench.heard.wait("fault", since, STACK_S))).fault
    assert (
        fault.remove
        == f"cards to remove: lid: {CARDS} in the wheel; shoe door: {CARDS} in the shoe"
    )
    await bench.refused(bench.client.empty_out(), "DS-12", 701)
    await bench.hands.switch("lid", True)
    left = f"cards to remove: lid: {CARDS} in the wheel; tray"
    assert await forced(bench) == (0, CARDS, left)
    assert await bench.table.dealer.take() == CARDS
    assert await forced(bench) == (CARDS, CARDS, "cards to remove: tray")
    assert await bench.table.dealer.take() == CARDS
    assert await found(bench) == ""
    await bench.ready(other)
    await bench.whole_round()
