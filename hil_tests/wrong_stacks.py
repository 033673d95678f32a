"""Scenarios of stacks that are not as ordered: each card is counted, the game says what stands."""

from __future__ import annotations

from hil_tests.bench import Bench
from hil_tests.scenario import scenario
from host_tools.link import link_pb2
from host_tools.rigs import Setup

# Cards that the roller takes one by one; a double or triple feed is one of them
PAIRS, TRIPLE = {3, 8}, {5}
BOSTON = Setup("boston_5")


@scenario(
    "dealer",
    "hands",
    "faults",
    faults={"deal.double_feed": PAIRS, "deal.triple_feed": TRIPLE},
    setup=BOSTON,
)
async def stacks_of_a_wrong_number_in_boston(bench: Bench) -> None:
    """DS-10 DS-11 I-3: one too many is the next card, also of the dealer; two void a hand."""
    await bench.ready()
    await bench.open()
    await bench.no_more_bets()
    since = len(bench.heard.events)
    for position, delivered, from_table, verdict in (
        (1, 4, 0, link_pb2.ONE_MORE),
        (
            2,
            4,
            1,
            link_pb2.HAND_VOID,
        ),  # the second of two brings two more
        (3, 4, 0, link_pb2.ONE_MORE),
    ):
        stack = await bench.deal(position)
        found = (stack.ordered, stack.delivered, stack.from_table, stack.verdict)
        assert found == (3, delivered, from_table, verdict), stack
        await bench.take(position)
    told = [event.trying.name for event in bench.heard.all("trying", since)]
    assert told == ["double feed"] * 3
    rest = await bench.rest()
    assert (rest.delivered, rest.dealt, rest.expected) == (40, 12, 52)
    assert not bench.heard.all("round_void", since)
    await bench.step(bench.client.close_round(bench.round))


@scenario("dealer", "hands", "faults", "quick", faults={"deal.double_feed": {3, 7}})
async def a_card_too_many_goes_to_the_next_stack(bench: Bench) -> None:
    """DS-10 I-3: told, laid aside, the first of the next stack."""
    await bench.ready()
    await bench.open()
    await bench.no_more_bets()
    assert (await bench.deal(1)).verdict == link_pb2.ONE_MORE
    await bench.take(1)
    stack = await bench.deal(2)
    assert (stack.delivered, stack.from_table, stack.verdict) == (2, 1, link_pb2.AS_ORDERED)
    await bench.take(2)
    stack = await bench.deal(3)  # two at once, but as many as were ordered
    assert (stack.delivered, stack.from_table, stack.verdict) == (3, 0, link_pb2.AS_ORDERED)
    await bench.take(3)
    rest = await bench.rest()
    assert (rest.delivered, rest.dealt) == (43, 9)
    await bench.step(bench.client.close_round(bench.round))


@scenario(
    "dealer",
    "hands",
    "faults",
    "quick",
    faults={"deal.double_feed": {10}},
    setup=Setup("double_draw"),
)
async def a_card_too_many_is_drawn_from_the_table(bench: Bench) -> None:
    """DS-10 DS-7: a draw of one is the card that lies there: nothing leaves the shoe."""
    await bench.ready()
    await bench.open()
    await bench.no_more_bets()
    for position, delivered in ((1, 5), (2, 6)):
        assert (await bench.deal(position)).delivered == delivered
        await bench.take(position)
    await bench.step(bench.client.no_more_bets(bench.round))
    since = len(bench.heard.events)
    stack = await bench.deal(1, 1)
    assert (stack.delivered, stack.from_table, stack.verdict) == (0, 1, link_pb2.AS_ORDERED)
    await bench.step(bench.heard.wait("taken", since, 1.0))
    assert (await bench.deal(2, 2)).delivered == 2
    await bench.take(2)
    rest = await bench.rest()
    assert (rest.delivered, rest.dealt) == (41, 13)
    await bench.step(bench.client.close_round(bench.round))


@scenario("dealer", "hands", "faults", "quick", faults={"deal.double_feed": {9}})
async def a_card_too_many_replaces_one_face_up(bench: Bench) -> None:
    """DS-10 DS-9: the last stack brought one too many; a card found face up is replaced by it."""
    await bench.ready()
    await bench.open()
    await bench.no_more_bets()
    for position in (1, 2, 3):
        stack = await bench.deal(position)
        await bench.take(position)
    assert stack.verdict == link_pb2.ONE_MORE
    since = len(bench.heard.events)
    await bench.step(bench.client.face_up(bench.round, 2))
    stack = (await bench.step(bench.heard.wait("stack", since, 1.0))).stack
    assert (stack.delivered, stack.from_table, stack.ordered) == (0, 1, 1)
    await bench.step(bench.heard.wait("taken", since, 1.0))
    rest = await bench.rest()
    assert (rest.delivered, rest.dealt) == (42, 10)
    await bench.step(bench.client.close_round(bench.round))


@scenario(
    "dealer",
    "hands",
    "faults",
    "quick",
    faults={"deal.double_feed": {2}, "deal.covered": {1}},
)
async def what_is_not_seen_is_not_claimed(bench: Bench) -> None:
    """I-3 EL-2: two at once under a covered beam: more may lie there, and it says so."""
    await bench.ready()
    await bench.open()
    await bench.no_more_bets()
    since = len(bench.heard.events)
    await bench.step(bench.client.deal(bench.round, 1))
    event = await bench.step(bench.heard.wait("fault", since, 5.0))
    stack = bench.heard.all("stack", since)[0].stack
    assert stack.verdict == link_pb2.NOT_COUNTED
    assert "count the tray" in event.fault.cards


async def hands_dealt(bench: Bench) -> int:
    """A round in which every stack is complete; how many events there were then."""
    await bench.ready()
    await bench.open()
    await bench.no_more_bets()
    for position in (1, 2, 3):
        await bench.deal(position)
        await bench.take(position)
    return len(bench.heard.events)


async def none_stands(bench: Bench, since: int, limit_s: float = 1.0) -> None:
    """The three hands that were complete are void."""
    void = (await bench.heard.wait("round_void", since, limit_s)).round_void
    assert (void.complete, void.stand) == (3, 0)


@scenario("dealer", "hands", "faults", "quick", faults={"shoe.extra": {30}}, setup=BOSTON)
async def no_hand_stands_with_a_wrong_deck(bench: Bench) -> None:
    """CT-3 DS-8: in Boston 5 hands stand when the shoe fails, not when a card too many is found."""
    since = await hands_dealt(bench)
    await bench.later_calls()
    await bench.step(bench.client.remainder(bench.round))
    await none_stands(bench, since, 60.0)


@scenario("dealer", "quick", setup=BOSTON)
async def no_hand_stands_that_the_dealer_voids(bench: Bench) -> None:
    """DS-11 DS-8: all hands are void."""
    since = await hands_dealt(bench)
    await bench.step(bench.client.void_round(bench.round))
    await none_stands(bench, since)


@scenario("dealer", "quick", setup=BOSTON)
async def no_hand_stands_after_two_cards_face_up(bench: Bench) -> None:
    """DS-9 DS-8: the second card found face up voids all hands."""
    since = await hands_dealt(bench)
    await bench.step(bench.client.face_up(bench.round, 1))
    await bench.heard.wait("stack", since, 5.0)
    await bench.step(bench.table.dealer.take())
    await bench.heard.wait("taken", since, 5.0)
    await bench.table.ask(lambda: bench.client.face_up(bench.round, 1), "face_up")
    await none_stands(bench, since)
