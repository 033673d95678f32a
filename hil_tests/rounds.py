"""Scenarios of play: whole rounds, and what the rules refuse."""

from __future__ import annotations

from hil_tests.bench import CARDS, Bench
from hil_tests.scenario import scenario
from host_tools.play.table import BACKS, SHUFFLE_S


@scenario("dealer")
async def three_rounds_with_two_decks(bench: Bench) -> None:
    """TD-3 TD-4 SH-1 CT-1 CT-6 DS-1 DS-5 DS-6: one deck is shuffled while the other is dealt."""
    back = await bench.ready()
    for n in range(3):
        since = len(bench.heard.events)
        if n < 2:
            await bench.shuffle()
        await bench.whole_round()
        if n < 2:
            back = "blue" if back == "red" else "red"
            event = await bench.step(bench.heard.wait("ready", since, SHUFFLE_S, back=BACKS[back]))
            assert event.ready.text == f"{CARDS} of {CARDS}"
    assert len(bench.heard.all("ready")) == 3
    assert not bench.heard.all("fault")


@scenario("dealer")
async def no_stack_before_no_more_bets(bench: Bench) -> None:
    """DS-4 I-2: a deal is refused until bets are closed for this very round, and nothing moves."""
    await bench.ready()
    await bench.refused(bench.client.deal(bench.round + 1, 1), "SH-1")
    await bench.open()
    await bench.refused(bench.client.deal(bench.round, 1), "DS-4")
    await bench.refused(bench.client.remainder(bench.round), "DS-4")
    await bench.refused(bench.client.no_more_bets(bench.round + 1), "DS-4")
    await bench.no_more_bets()
    await bench.refused(bench.client.deal(bench.round, 2), "DS-5")
    assert (await bench.deal(1)).delivered == 3


@scenario("dealer")
async def no_second_round_from_one_shuffle(bench: Bench) -> None:
    """SH-1 I-2: after a round no other is opened before a deck is shuffled again."""
    await bench.ready()
    await bench.whole_round()
    await bench.refused(bench.client.open_round(bench.round + 1, 2), "SH-1")


@scenario("dealer")
async def a_deck_is_shuffled_after_its_round(bench: Bench) -> None:
    """SH-1: cards that come back before the round is closed are not loaded; then they are."""
    back = await bench.ready()
    await bench.open()
    await bench.no_more_bets()
    for position in range(1, bench.table.stacks + 1):
        await bench.deal(position)
        await bench.take(position)
    await bench.rest()
    await bench.table.dealer.load(back)
    await bench.refused(bench.client.load(BACKS[back]), "SH-1")
    await bench.refused(bench.client.remove_deck(BACKS[back]), "SH-1")
    await bench.step(bench.client.close_round(bench.round))
    await bench.step(bench.client.load(BACKS[back]))


@scenario("dealer", "hands")
async def the_decks_alternate(bench: Bench) -> None:
    """TD-4: with two decks at the table the same one is not dealt twice in a row."""
    first = await bench.ready()
    second = await bench.shuffle()
    await bench.whole_round()
    await bench.step(bench.heard.wait("shuffle_done", 0, SHUFFLE_S, back=BACKS[second]))
    since = len(bench.heard.events)
    await bench.hands.switch("lid", False)
    await bench.fault(since, "interlock", "lid open", 2.0)
    await bench.hands.clear()
    await bench.hands.switch("lid", True)
    await bench.cleared()
    await bench.ready(first)
    await bench.refused(bench.client.open_round(bench.round + 1, 2), "TD-4")
