"""Scenarios of the games: what each of them asks for that let it ride does not."""

from __future__ import annotations

from hil_tests.bench import Bench
from hil_tests.scenario import scenario
from host_tools.link import link_pb2
from host_tools.play.table import BACKS, SHUFFLE_S, STACK_S
from host_tools.rigs import Setup
from host_tools.rules.device import names, value

JAM_AT = 3 * 2 + 2  # in the third stack, counted over the cards that leave the shoe


@scenario("dealer", "hands", "faults", faults={"deal.jam": {JAM_AT}}, setup=Setup("boston_5"))
async def boston_keeps_the_hands_that_were_complete(bench: Bench) -> None:
    """DS-8 DS-1 SH-4: the shoe jams in the third stack: two hands stand, all cards come back."""
    back = await bench.ready()
    await bench.open()
    await bench.no_more_bets()
    for position in (1, 2):
        await bench.deal(position)
        await bench.take(position)
    since = len(bench.heard.events)
    await bench.step(bench.client.deal(bench.round, 3))
    await bench.fault(since, "shoe", "jam", STACK_S)
    void = (await bench.step(bench.heard.wait("round_void", since, 1.0))).round_void
    assert (void.round, void.complete, void.stand) == (bench.round, 2, 2)
    assert (void.provisional, void.standing, void.reason) == (True, 0b11, link_pb2.BY_FAULT)
    await bench.refused(bench.client.deal(bench.round, 3), "DS-8")
    since = len(bench.heard.events)
    await bench.anew(back)
    settled = (await bench.step(bench.heard.wait("round_void", since, 1.0))).round_void
    assert (settled.round, settled.provisional, settled.standing) == (void.round, False, 0b11)
    await bench.played(back)
    rest = bench.heard.all("remainder", since)[0].remainder
    assert (rest.stub, rest.delivered) == (False, bench.cards - 9)  # DS-6: still in play


@scenario("dealer", setup=Setup("boston_5"))
async def boston_keeps_hands_that_qualify_when_a_card_was_exposed(bench: Bench) -> None:
    """DS-14 DS-6 DS-4: a dealer's card was seen before the second wagers; after them it may be."""
    back = await bench.ready()
    await bench.open()
    await bench.no_more_bets()
    for position in (1, 2, 3):
        await bench.refused(bench.client.void_round(bench.round, link_pb2.EXPOSED), "DS-14")
        await bench.deal(position)
        await bench.take(position)
    await bench.refused(bench.client.remainder(bench.round), "DS-4")
    since = len(bench.heard.events)
    await bench.step(bench.client.void_round(bench.round, link_pb2.EXPOSED))
    void = (await bench.step(bench.heard.wait("round_void", since, 1.0))).round_void
    assert (void.complete, void.stand, void.standing) == (3, 2, 0b11)  # the dealer's is no hand
    assert (void.reason, void.provisional) == (link_pb2.EXPOSED, True)
    since = len(bench.heard.events)
    await bench.rest()
    settled = (await bench.step(bench.heard.wait("round_void", since, 1.0))).round_void
    assert (settled.provisional, settled.standing) == (False, 0b11)
    bench.watch.ready = False
    await bench.ready(back)
    await bench.open()
    await bench.no_more_bets()
    for position in (1, 2, 3):
        await bench.deal(position)
        await bench.take(position)
    await bench.step(bench.client.no_more_bets(bench.round))
    await bench.refused(bench.client.void_round(bench.round, link_pb2.EXPOSED), "DS-14")
    await bench.rest()
    await bench.step(bench.client.close_round(bench.round))


@scenario("dealer", setup=Setup("double_draw"))
async def double_draw_is_drawn_twice(bench: Bench) -> None:
    """DS-2 DS-7 DS-4 CT-2: five cards each, up to three more, then up to one; 54 in all."""
    await bench.ready()
    await bench.open()
    await bench.no_more_bets()
    for position in (1, 2):
        assert (await bench.deal(position)).delivered == 5
        await bench.take(position)
    for limit in (3, 1):
        await bench.refused(bench.client.deal(bench.round, 1, limit), "DS-5")
        await bench.step(bench.client.no_more_bets(bench.round))
        await bench.refused(bench.client.deal(bench.round, 1, limit + 1), "DS-7")
        assert (await bench.deal(2, limit)).delivered == limit
        await bench.take(2)
        await bench.refused(bench.client.deal(bench.round, 1, 1), "DS-5")
    await bench.refused(bench.client.no_more_bets(bench.round), "DS-4")
    rest = await bench.rest()
    assert (rest.delivered, rest.dealt, rest.stub) == (54 - 14, 14, True)
    await bench.step(bench.client.close_round(bench.round))


@scenario("dealer", setup=Setup("pai_gow_poker"))
async def pai_gow_leaves_four_cards(bench: Bench) -> None:
    """DS-3 DS-13 CT-5 CT-2 DS-5 TD-1: a drawn start, seven stacks of seven, four left of 53."""
    back = await bench.ready()
    await bench.table.dealer.load("blue")
    await bench.refused(bench.client.load(BACKS["blue"]), "TD-1")
    await bench.played(back)
    start = bench.heard.all("start_drawn")[0].start_drawn.position
    positions = [event.stack.position for event in bench.heard.all("stack")]
    assert positions == [(start - 1 + n) % 7 + 1 for n in range(7)]
    assert {event.stack.delivered for event in bench.heard.all("stack")} == {7}
    rest = bench.heard.all("remainder")[0].remainder
    assert (rest.delivered, rest.dealt, rest.expected) == (4, 49, 53)


@scenario("dealer", setup=Setup("double_down_stud", by_hand=True))
async def a_single_stack_with_a_cut_owed(bench: Bench) -> None:
    """SH-2 SH-3 CT-1: the whole deck in one release, a cut owed; the shoe deals nothing of it."""
    back = await bench.ready()
    await bench.refused(bench.client.open_round(bench.round + 1, 2), "SH-1")
    bench.watch.bets_closed = True  # all of it leaves the shoe, to be dealt by hand
    await bench.played(back)
    whole = bench.heard.all("whole_deck")[0].whole_deck
    assert (whole.cards, whole.expected, whole.cut_required) == (52, 52, True)
    await bench.refused(bench.client.open_round(bench.round + 1, 2), "SH-1")


@scenario("dealer", setup=Setup("plain", continuous=True))
async def discards_go_back_in_during_play(bench: Bench) -> None:
    """SH-7 CT-1: while a round is played; each card comes from the wheel; all are counted."""
    back = bench.next_back()
    await bench.table.all_in(back, new=True)
    bench.watch.ready = True
    for whole in (False, True):
        await bench.open()
        await bench.no_more_bets()
        await bench.refused(bench.client.remainder(bench.round), "SH-7")
        for position in (1, 2, 3):
            assert (await bench.deal(position)).delivered == 2
            await bench.take(position)
            if position == 2 and not whole:
                await put_back(bench, back, bench.cards)
        await bench.step(bench.client.close_round(bench.round))
        bench.watch.ready = True  # no deck comes to be ready: it stays in the wheel
    await put_back(bench, back, bench.cards)
    await bench.refused(bench.client.stub_counted(BACKS[back], bench.cards), "SH-7")


async def put_back(bench: Bench, back: str, inside: int) -> None:
    """What the dealer has gathered, and how many are inside then."""
    since = len(bench.heard.events)
    await bench.table.dealer.load(back)
    await bench.step(bench.client.shuffle(BACKS[back]))
    event = await bench.step(bench.heard.wait("shuffle_done", since, SHUFFLE_S))
    assert (event.shuffle_done.counted_in, event.shuffle_done.expected) == (inside, bench.cards)


def by_shoe_and_hand(game: str) -> list[Setup]:
    """Return the ways in which the texts let this game be dealt."""
    ways = [Setup(game)] if value(game, "shoe") else []
    return ways + ([Setup(game, by_hand=True)] if value(game, "hand") else [])


def enter(setup: Setup) -> None:
    """Put a whole round of this game, dealt this way, into the list."""

    async def run(bench: Bench) -> None:
        back = await bench.ready()
        bench.watch.bets_closed = setup.by_hand  # all of it leaves the shoe, to be dealt by hand
        await bench.played(back)
        assert not bench.heard.all("fault")
        assert not bench.heard.all("round_void")

    way = "_by_hand" if setup.by_hand else ""
    run.__name__ = f"a_round_of_{setup.game}{way}"
    run.__doc__ = f"CD-1 SH-1 SH-2: {setup}: shuffled, counted, dealt and closed; all cards add up."
    scenario("dealer", setup=setup)(run)


for one in names():
    for way in by_shoe_and_hand(one):
        enter(way)
