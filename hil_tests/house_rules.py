"""Scenarios of what a dealer decides: void, face up, out of service, decks that come and go."""

from __future__ import annotations

from hil_tests.bench import CARDS, CLEAR_S, Bench
from hil_tests.scenario import scenario
from host_tools.link import link_pb2
from host_tools.play.table import BACKS, SHUFFLE_S, STACK_S


@scenario("dealer")
async def a_round_declared_void_is_counted_and_shuffled_again(bench: Bench) -> None:
    """CT-4 DS-8: nothing more is dealt; the rest is released; all there: no lock-out."""
    back = await bench.ready()
    await bench.open()
    await bench.no_more_bets()
    await bench.deal(1)
    await bench.take(1)
    await bench.step(bench.client.void_round(bench.round))
    await bench.refused(bench.client.deal(bench.round, 2), "DS-8")
    await bench.refused(bench.client.open_round(bench.round + 1, 2), "DS-8")
    rest = await bench.rest()
    assert rest.delivered + rest.dealt == CARDS
    status = await bench.step(bench.client.status())
    assert not any(deck.locked_out for deck in status.decks)
    await bench.ready(back)
    await bench.whole_round()


@scenario("dealer")
async def a_card_face_up_is_replaced_and_a_second_voids(bench: Bench) -> None:
    """DS-9: one card more for the position; then all hands are void."""
    await bench.ready()
    await bench.open()
    await bench.no_more_bets()
    await bench.refused(bench.client.face_up(bench.round, 1), "DS-5")
    await bench.deal(1)
    await bench.take(1)
    since = len(bench.heard.events)
    await bench.step(bench.client.face_up(bench.round, 1))
    event = await bench.step(bench.heard.wait("stack", since, STACK_S, round=bench.round))
    assert (event.stack.position, event.stack.ordered, event.stack.delivered) == (1, 1, 1)
    await bench.step(bench.table.dealer.take())
    await bench.step(bench.heard.wait("taken", since, STACK_S, round=bench.round))
    await bench.step(bench.table.ask(lambda: bench.client.face_up(bench.round, 1), "face_up"))
    void = await bench.step(bench.heard.wait("round_void", since, 1.0))
    assert void.round_void.complete == 1
    rest = await bench.rest()
    assert rest.delivered + rest.dealt == CARDS


@scenario("dealer", "hands")
async def out_of_service_ends_with_an_empty_machine(bench: Bench) -> None:
    """SH-5: latched with the cards inside; it is in service again when it has found nothing."""
    back = await bench.ready()
    waits = await bench.shuffle()
    await bench.step(bench.heard.wait("shuffle_done", 0, SHUFFLE_S, back=BACKS[waits]))
    await bench.step(bench.client.out_of_service())
    await bench.refused(bench.client.open_round(bench.round + 1, 2), "SH-5")
    await bench.refused(bench.client.give_back(), "SH-5")
    await bench.refused(bench.client.cleared(), "SH-5")
    status = await bench.step(bench.client.status())
    assert status.state == link_pb2.OUT_OF_SERVICE
    await bench.hands.clear()
    since = len(bench.heard.events)
    bench.watch.clearing()
    await bench.step(bench.table.ask(bench.client.in_service, "in_service"))
    await bench.step(bench.heard.wait("cleared", since, CLEAR_S))
    bench.watch.ready = False
    await bench.ready(back)


@scenario("dealer")
async def an_unplayed_deck_is_given_back(bench: Bench) -> None:
    """SH-1 TD-3: all of it, counted; it is played only after another shuffle."""
    back = await bench.ready()
    await bench.refused(bench.client.load(BACKS[back]), "TD-3")
    since = len(bench.heard.events)
    bench.watch.bets_closed = True  # cards may leave the shoe: no round is played with them
    await bench.step(bench.client.give_back())
    event = await bench.step(bench.heard.wait("remainder", since, SHUFFLE_S, round=0))
    assert event.remainder.delivered == CARDS
    await bench.step(bench.table.dealer.take())
    bench.watch.bets_closed = bench.watch.ready = False
    await bench.refused(bench.client.open_round(bench.round + 1, 2), "SH-1")
    await bench.ready(back)


@scenario("dealer", "hands")
async def a_deck_shuffled_before_is_carried_over_and_counted(bench: Bench) -> None:
    """SH-6 CT-1: only in place of a deck that was removed; ready with both counts."""
    back = bench.next_back()
    await bench.table.dealer.load(back)
    await bench.refused(bench.client.load(BACKS[back], new_deck=True, shuffled=True), "SH-6")
    await bench.step(bench.client.remove_deck(BACKS[back]))
    await bench.refused(bench.client.load(BACKS[back]), "CT-3")
    await bench.step(bench.client.load(BACKS[back], new_deck=True, shuffled=True))
    since = len(bench.heard.events)
    await bench.step(bench.client.shuffle(BACKS[back]))
    bench.rig.last_back = back
    event = await bench.step(bench.heard.wait("ready", since, SHUFFLE_S, back=BACKS[back]))
    assert event.ready.text == f"{CARDS} of {CARDS}"


@scenario("dealer")
async def the_stub_is_counted_by_hand(bench: Bench) -> None:
    """CT-1 CT-3: between rounds; all there changes nothing, a wrong number locks the deck out."""
    back = await bench.ready()
    await bench.whole_round()
    await bench.step(bench.client.stub_counted(BACKS[back], CARDS))
    await bench.step(bench.client.stub_counted(BACKS[back], CARDS - 1))
    status = await bench.step(bench.client.status())
    assert [deck.locked_out for deck in status.decks if deck.back == BACKS[back]] == [True]
    await bench.step(bench.client.remove_deck(BACKS[back]))


@scenario("dealer", "hands")
async def decks_are_not_mixed(bench: Bench) -> None:
    """TD-5 TD-2 CT-3: one deck at a time in the infeed; a card of the other's colour stops it."""
    back = bench.next_back()
    other = BACKS["blue" if back == "red" else "red"]
    await bench.table.dealer.load("blue" if back == "red" else "red")  # the wrong one
    await bench.step(bench.client.load(BACKS[back]))
    await bench.refused(bench.client.load(other), "TD-5")
    await bench.refused(bench.client.load(BACKS[back]), "TD-5")
    since = len(bench.heard.events)
    await bench.step(bench.client.shuffle(BACKS[back]))
    await bench.fault(since, "feeder", "foreign back", SHUFFLE_S)
    await bench.hands.clear()
    await bench.cleared()
    status = await bench.step(bench.client.status())
    assert not any(deck.locked_out for deck in status.decks)


@scenario("dealer")
async def numbers_that_make_no_sense_are_refused(bench: Bench) -> None:
    """DS-12 SH-1 DS-4 DS-1 DS-5 EL-2: by the rule, and nothing moves."""
    await bench.refused(bench.client.open_round(bench.round + 1, 2), "SH-1")
    await bench.ready()
    for players in (0, 8):
        await bench.refused(bench.client.open_round(bench.round + 1, players), "DS-12")
    await bench.open()
    await bench.refused(bench.client.open_round(bench.round + 1, 2), "DS-4")
    await bench.no_more_bets()
    await bench.refused(bench.client.no_more_bets(bench.round), "DS-4")
    await bench.refused(bench.client.deal(bench.round, 1, 4), "DS-1")
    await bench.refused(bench.client.deal(bench.round, 4), "DS-5")
    await bench.refused(bench.client.draw_start(bench.round), "DS-13")
    await bench.refused(bench.client.remainder(bench.round), "DS-6")
    await bench.refused(bench.client.close_round(bench.round), "DS-6")
    await bench.step(bench.client.void_round(bench.round))
    await bench.refused(bench.client.deal(bench.round, 1), "DS-8")
    await bench.rest()
    await bench.refused(bench.client.open_round(bench.round, 2), "SH-1")
