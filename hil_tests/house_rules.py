"""Scenarios of what a dealer decides: void, face up, out of service, decks that come and go."""

from __future__ import annotations

from hil_tests.bench import CARDS, CLEAR_S, Bench
from hil_tests.scenario import scenario
from hil_tests.service import by_the_supervisor
from host_tools.link import link_pb2
from host_tools.play.table import BACKS, SHUFFLE_S, STACK_S
from host_tools.rigs import Setup


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


@scenario("dealer", "hands", setup=Setup("boston_5"))
async def a_deck_shuffled_before_is_carried_over_and_counted(bench: Bench) -> None:
    """SH-6 SH-11 CT-1 I-11: by the supervisor's word; counted, and never called shuffled."""
    back = bench.next_back()
    await bench.step(bench.client.remove_deck(BACKS[back]))
    await bench.table.dealer.load(back)
    await bench.refused(bench.client.load(BACKS[back]), "CT-3")
    await bench.refused(bench.client.load(BACKS[back], True, True), "SH-11")
    async with by_the_supervisor(bench):
        await bench.step(bench.client.load(BACKS[back], True, True))
    since = len(bench.heard.events)
    await bench.step(bench.client.shuffle(BACKS[back]))
    bench.rig.last_back = back
    event = await bench.step(bench.heard.wait("ready", since, SHUFFLE_S, back=BACKS[back]))
    assert event.ready.text == f"{CARDS} of {CARDS}"
    done = bench.heard.all("shuffle_done", since)[0].shuffle_done
    assert event.ready.order == done.order == link_pb2.BROUGHT
    status = await bench.step(bench.client.status())
    deck = next(deck for deck in status.decks if deck.back == BACKS[back])
    assert (deck.shuffled, deck.order) == (False, link_pb2.BROUGHT)
    await bench.played(back)
    await bench.ready(back)
    assert bench.heard.all("ready", since)[-1].ready.order == link_pb2.SHUFFLED


@scenario("dealer")
async def no_game_but_two_begins_with_cards_that_came_shuffled(bench: Bench) -> None:
    """SH-6 SH-1: not let it ride, whoever says so."""
    back = bench.next_back()
    await bench.step(bench.client.remove_deck(BACKS[back]))
    await bench.table.dealer.load(back)
    async with by_the_supervisor(bench):
        await bench.refused(bench.client.load(BACKS[back], True, True), "SH-6")
        await bench.step(bench.client.load(BACKS[back], True))


@scenario("dealer")
async def an_idle_table_has_its_deck_shuffled_again(bench: Bench) -> None:
    """SH-9: what waits in the shoe is given back, and no round is played with it."""
    back = await bench.ready()
    await bench.step(bench.client.idle())
    await bench.refused(bench.client.open_round(bench.round + 1, 2), "SH-9")
    status = await bench.step(bench.client.status())
    deck = next(deck for deck in status.decks if deck.back == BACKS[back])
    assert (deck.shuffled, deck.order) == (False, link_pb2.IDLED)
    since = len(bench.heard.events)
    bench.watch.bets_closed = True  # cards may leave the shoe: no round is played with them
    await bench.step(bench.client.give_back())
    await bench.step(bench.heard.wait("remainder", since, SHUFFLE_S, round=0))
    await bench.step(bench.table.dealer.take())
    bench.watch.bets_closed = bench.watch.ready = False
    await bench.ready(back)
    await bench.whole_round()


@scenario("dealer")
async def the_stub_is_counted_by_hand(bench: Bench) -> None:
    """CT-1 CT-3: a wrong number voids the round and locks the deck out."""
    back = await bench.ready()
    await bench.refused(bench.client.stub_counted(BACKS[back], CARDS), "TD-3")
    await bench.whole_round()
    await bench.step(bench.client.stub_counted(BACKS[back], CARDS))
    await bench.refused(bench.client.stub_counted(BACKS[back], CARDS), "CT-1")
    since = len(bench.heard.events)
    await bench.step(bench.client.stub_counted(BACKS[back], CARDS - 1))
    void = await bench.step(bench.heard.wait("round_void", since, 1.0, round=bench.round))
    assert (void.round_void.reason, void.round_void.stand) == (link_pb2.WRONG_STUB, 0)
    await bench.step(bench.heard.wait("locked_out", since, 1.0, back=BACKS[back]))
    status = await bench.step(bench.client.status())
    assert [deck.locked_out for deck in status.decks if deck.back == BACKS[back]] == [True]
    await bench.refused(bench.client.stub_counted(BACKS[back], CARDS), "CT-3")
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
    await bench.table.dealer.load(back)
    await bench.step(bench.client.load(BACKS[back]))
    await bench.refused(bench.client.remove_deck(BACKS[back]), "TD-3")
    await bench.hands.clear()  # whoever takes it out again has declared nothing
    await bench.step(bench.client.remove_deck(BACKS[back]))


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
