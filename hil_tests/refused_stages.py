"""Scenarios of refusals that need more than one state: of decks, clocks, doors and stages."""

from __future__ import annotations

import asyncio

from google.protobuf.message import Message

from hil_tests.bench import CLEAR_S, Bench
from hil_tests.games import put_back
from hil_tests.refused import between, in_service, unavailable
from hil_tests.scenario import scenario
from hil_tests.service import by_the_supervisor
from host_tools.link import link_pb2
from host_tools.play.table import BACKS, SHUFFLE_S, STACK_S
from host_tools.rigs import Setup

NOT_NOW = "NOT_NOW"
NOON = 1_800_000_000
LONG_AGO = 1_262_304_000  # 2010: no machine of this kind is so old
OPEN_S = 1.5  # an interlock that is open so long is no jolt
HAND_GAME = Setup("double_down_stud", by_hand=True)
BOSTON_BY_HAND = Setup("boston_5", by_hand=True)


@scenario("dealer")
async def another_round_than_the_open_one_is_refused(bench: Bench) -> None:
    """DS-4: by every order of a round, also of the one that was declared void."""
    await between(bench)
    client, other = bench.client, bench.round + 1
    for order in (
        client.deal(other, 2),
        client.remainder(other),
        client.close_round(other),
        client.face_up(other, 1),
        client.draw_start(other),
        client.void_round(other),
    ):
        await bench.answered(order, "DS-4")
    await bench.step(client.void_round(bench.round))
    await bench.answered(client.remainder(other), "DS-4")
    await bench.rest()


@scenario("dealer")
async def a_stub_in_the_tray_holds_the_next_round_up(bench: Bench) -> None:
    """DS-6 CT-3: nothing is laid on it, and no deck is off the table while it lies there."""
    client, first = bench.client, await bench.ready()
    second = await bench.shuffle()
    await bench.open()
    await bench.no_more_bets()
    for position in range(1, bench.table.stacks + 1):
        await bench.deal(position)
        await bench.take(position)
    since = len(bench.heard.events)
    await bench.step(client.remainder(bench.round))
    await bench.step(bench.heard.wait("remainder", since, SHUFFLE_S, round=bench.round))
    await bench.step(client.close_round(bench.round))
    await bench.step(bench.heard.wait("ready", since, SHUFFLE_S, back=BACKS[second]))
    await bench.answered(client.give_back(), NOT_NOW)
    await bench.answered(client.remove_deck(BACKS[first]), "CT-3")
    await bench.answered(client.stub_counted(BACKS[first], bench.cards), NOT_NOW)
    await bench.open()
    await bench.no_more_bets()
    await bench.answered(client.deal(bench.round, 1), NOT_NOW)
    await bench.answered(client.face_up(bench.round, 1), NOT_NOW)
    await bench.step(client.void_round(bench.round))
    await bench.answered(client.remainder(bench.round), NOT_NOW)
    await bench.step(bench.table.dealer.take())
    await bench.rest()


@scenario("dealer")
async def one_deck_at_a_time_is_on_its_way(bench: Bench) -> None:
    """SH-1 TD-3: the wheel that moves up takes no other deck; one that comes out is not played."""
    client, first = bench.client, await bench.ready()
    second = await bench.shuffle()
    await bench.step(bench.heard.wait("shuffle_done", 0, SHUFFLE_S, back=BACKS[second]))
    await bench.whole_round()
    await bench.table.dealer.load(first)
    await bench.step(client.load(BACKS[first]))
    await bench.answered(client.shuffle(BACKS[first]), NOT_NOW)
    await bench.step(bench.heard.wait("ready", 0, SHUFFLE_S, back=BACKS[second]))
    since = len(bench.heard.events)
    bench.watch.bets_closed = True  # cards may leave the shoe: no round is played with them
    await bench.step(client.give_back())
    await bench.answered(client.give_back(), NOT_NOW)
    await bench.answered(client.open_round(bench.round + 1, 2), NOT_NOW)
    await bench.step(bench.heard.wait("remainder", since, SHUFFLE_S, round=0))
    await bench.step(bench.table.dealer.take())
    bench.watch.bets_closed = bench.watch.ready = False


@scenario("dealer", setup=HAND_GAME)
async def a_single_stack_is_dealt_by_nobody_but_the_dealer(bench: Bench) -> None:
    """SH-1 SH-2 SH-9 DS-4: one at a time comes out, and all calls before the end of its round."""
    client = bench.client
    await bench.answered(client.deliver(), "SH-1")
    bench.watch.bets_closed = True  # all of it leaves the shoe, to be dealt by hand
    await bench.ready()
    await bench.step(client.idle())
    await bench.answered(client.deliver(), "SH-9")
    since = len(bench.heard.events)
    await bench.step(client.give_back())
    await bench.step(bench.heard.wait("remainder", since, SHUFFLE_S, round=0))
    await bench.step(bench.table.dealer.take())
    first = await bench.ready()
    second = await bench.shuffle()
    since = len(bench.heard.events)
    bench.watch.bets_closed = True
    await bench.step(client.deliver())
    await bench.answered(client.deliver(), NOT_NOW)
    await bench.step(bench.heard.wait("whole_deck", since, SHUFFLE_S, back=BACKS[first]))
    await bench.step(bench.table.dealer.take())
    await bench.step(bench.heard.wait("ready", since, SHUFFLE_S, back=BACKS[second]))
    await bench.answered(client.deliver(), NOT_NOW)
    bench.watch.ready = True
    await bench.open()
    await bench.no_more_bets()
    await bench.answered(client.deal(bench.round, 1), "SH-2")
    await bench.answered(client.face_up(bench.round, 1), "SH-2")
    await bench.answered(client.remainder(bench.round), "SH-2")
    await bench.answered(client.close_round(bench.round), "DS-4")
    await bench.step(client.no_more_bets(bench.round))
    await bench.step(client.close_round(bench.round))
    await bench.shuffle(first)
    await bench.step(bench.heard.wait("shuffle_done", since, SHUFFLE_S, back=BACKS[first]))
    since = len(bench.heard.events)
    bench.watch.bets_closed = True
    await bench.step(client.give_back())
    await bench.answered(client.deliver(), NOT_NOW)
    await bench.step(bench.heard.wait("remainder", since, SHUFFLE_S, round=0))
    await bench.step(bench.heard.wait("ready", since, SHUFFLE_S, back=BACKS[first]))
    await bench.answered(client.deliver(), NOT_NOW)
    await bench.step(bench.table.dealer.take())
    bench.watch.bets_closed = False


@scenario("dealer", setup=Setup("plain", continuous=True))
async def discards_and_counts_are_due_in_continuous_play(bench: Bench) -> None:
    """SH-7 CT-1 DS-8: too few cards, too many rounds, and a void round whose cards are outside."""
    client, back = bench.client, bench.next_back()
    bench.rig.last_back = back
    await bench.table.all_in(back, new=True)
    await bench.answered(client.shuffle(BACKS[back]), NOT_NOW)
    for players in (3, 3, 3, 3, 1):
        bench.watch.ready = True  # no deck comes to be ready: it stays in the wheel
        bench.rig.last_round += 1
        await bench.step(client.open_round(bench.round, players))
        bench.watch.opened()
        await bench.no_more_bets()
        for position in range(1, players + 2):
            await bench.deal(position)
            await bench.take(position)
        await bench.step(client.close_round(bench.round))
    await bench.answered(client.open_round(bench.round + 1, 7), "SH-7")
    await bench.answered(client.open_round(bench.round + 1, 1), "CT-1")
    await put_back(bench, back, bench.cards)
    bench.watch.ready = True
    await bench.open()
    await bench.no_more_bets()
    await bench.step(client.deal(bench.round, 1))
    await bench.answered(client.shuffle(BACKS[back]), NOT_NOW)
    await bench.step(bench.heard.wait("stack", 0, STACK_S, round=bench.round, position=1))
    await bench.step(bench.table.dealer.take())
    await bench.step(bench.heard.wait("taken", 0, STACK_S, round=bench.round, position=1))
    await bench.step(client.void_round(bench.round))
    await bench.answered(client.open_round(bench.round + 1, 1), "DS-8")


@scenario("dealer", setup=Setup("plain", continuous=True))
async def nothing_is_dealt_while_discards_go_in(bench: Bench) -> None:
    """SH-7: neither a stack nor a card, and no round begins."""
    client, back = bench.client, bench.next_back()
    bench.rig.last_back = back
    await bench.table.all_in(back, new=True)
    bench.watch.ready = True
    await bench.open()
    await bench.no_more_bets()
    for position in range(1, bench.table.stacks):
        await bench.deal(position)
        await bench.take(position)
    since = len(bench.heard.events)
    await bench.table.dealer.load(back)
    await bench.step(client.shuffle(BACKS[back]))
    for order in (
        client.deal(bench.round, bench.table.stacks),
        client.face_up(bench.round, 1),
        client.shuffle(BACKS[back]),
    ):
        await bench.answered(order, NOT_NOW)
    await bench.step(bench.heard.wait("shuffle_done", since, SHUFFLE_S))
    await bench.deal(bench.table.stacks)
    await bench.take(bench.table.stacks)
    await bench.step(client.close_round(bench.round))
    await bench.table.dealer.load(back)
    since = len(bench.heard.events)
    await bench.step(client.shuffle(BACKS[back]))
    await bench.answered(client.open_round(bench.round + 1, 2), NOT_NOW)
    await bench.step(bench.heard.wait("shuffle_done", since, SHUFFLE_S))


@scenario("dealer", setup=Setup("pai_gow_poker"))
async def the_start_is_drawn_once_and_in_time(bench: Bench) -> None:
    """DS-13 DS-4: after "no more bets", once, and before the first stack."""
    client = bench.client
    await bench.ready()
    await bench.open()
    await bench.answered(client.draw_start(bench.round), "DS-4")
    await bench.no_more_bets()
    await bench.answered(client.deal(bench.round, 1), "DS-13")
    since = len(bench.heard.events)
    await bench.step(client.draw_start(bench.round))
    await bench.step(bench.heard.wait("start_drawn", since, STACK_S))
    await bench.answered(client.draw_start(bench.round), "DS-13")


async def by_hand(bench: Bench) -> None:
    """A round is open whose deck the dealer holds, and bets are closed."""
    await bench.ready()
    since = len(bench.heard.events)
    bench.watch.bets_closed = True  # all of it leaves the shoe, to be dealt by hand
    await bench.step(bench.client.deliver())
    await bench.step(bench.heard.wait("whole_deck", since, SHUFFLE_S))
    await bench.step(bench.table.dealer.take())
    bench.watch.ready = True
    await bench.open()
    await bench.no_more_bets()


@scenario("dealer", setup=Setup("pai_gow_poker", by_hand=True))
async def out_of_service_no_start_is_drawn(bench: Bench) -> None:
    """SH-5 DS-13: the round that is dealt from the hand stands, chance is not asked for it."""
    await by_hand(bench)
    await bench.step(bench.client.out_of_service())
    await bench.answered(bench.client.draw_start(bench.round), "SH-5")
    await in_service(bench)


@scenario("dealer", "noise", setup=Setup("pai_gow_poker", by_hand=True))
async def no_start_is_drawn_without_chance(bench: Bench) -> None:
    """EL-2 EL-4: chance that fails stops the machine, and nothing is asked of it any more."""
    from sim.emulated.noise import stuck

    await by_hand(bench)
    assert bench.rig.spoil is not None
    bench.rig.spoil(stuck(1))
    since = len(bench.heard.events)
    await bench.step(bench.client.draw_start(bench.round))
    await bench.step(bench.heard.wait("fault", since, CLEAR_S))
    await bench.answered(bench.client.draw_start(bench.round), "EL-2")


@scenario("dealer", "noise")
async def without_chance_no_way_leads_back_into_service(bench: Bench) -> None:
    """EL-2 EL-4 SH-5: only power-on helps, whatever is said."""
    await unavailable(bench)
    await bench.step(bench.client.out_of_service())
    await bench.answered(bench.client.in_service(), "EL-2")
    await bench.answered(bench.client.empty_out(), "SH-5")


@scenario("dealer", "hands")
async def a_door_that_is_open_keeps_an_empty_machine_still(bench: Bench) -> None:
    """DS-12 SH-5: no order is begun, and it is not in service again before it is shut."""
    client = bench.client
    await bench.table.dealer.load(bench.next_back())
    await bench.hands.switch("lid", False)
    await asyncio.sleep(OPEN_S)
    back = BACKS[bench.next_back()]
    for order in (client.load(back), client.shuffle(back), client.give_back(), client.deliver()):
        await bench.answered(order, "DS-12")
    await bench.hands.clear()
    await bench.step(client.out_of_service())
    await bench.answered(client.in_service(), "DS-12")
    await bench.hands.switch("lid", True)
    await asyncio.sleep(OPEN_S)
    since = len(bench.heard.events)
    bench.watch.clearing()
    await bench.step(client.in_service())
    await bench.answered(client.in_service(), NOT_NOW)
    await bench.heard.wait("cleared", since, CLEAR_S)


@scenario("dealer", "hands")
async def a_deck_is_declared_as_what_it_is(bench: Bench) -> None:
    """CT-3 CT-1: new only in place of one that is gone; gone once; counted if it was played."""
    client, back = bench.client, await bench.ready()
    other = "blue" if back == "red" else "red"
    await bench.whole_round()
    await bench.answered(client.stub_counted(BACKS[other], bench.cards), "CT-1")
    await bench.table.dealer.load(back)
    async with by_the_supervisor(bench):
        await bench.answered(client.load(BACKS[back], True), "CT-3")
    await bench.hands.clear()
    await bench.step(client.remove_deck(BACKS[back]))
    await bench.answered(client.remove_deck(BACKS[back]), "CT-3")
    await bench.answered(client.stub_counted(BACKS[back], bench.cards), "CT-3")


@scenario("dealer", setup=Setup("boston_5"))
async def boston_has_its_stacks_before_the_second_wagers(bench: Bench) -> None:
    """DS-4 DS-6 SH-6: then more is dealt by hand; no deck of the table comes shuffled."""
    client, back = bench.client, bench.next_back()
    await bench.table.dealer.load(back)
    await bench.answered(client.load(BACKS[back], shuffled=True), "SH-6")
    await bench.step(client.load(BACKS[back]))
    since = len(bench.heard.events)
    await bench.step(client.shuffle(BACKS[back]))
    bench.rig.last_back = back
    await bench.step(bench.heard.wait("ready", since, SHUFFLE_S, back=BACKS[back]))
    await bench.open()
    await bench.no_more_bets()
    await bench.answered(client.no_more_bets(bench.round), "DS-4")
    for position in range(1, bench.table.stacks + 1):
        await bench.deal(position)
        await bench.take(position)
    await bench.step(client.no_more_bets(bench.round))
    await bench.answered(client.deal(bench.round, 1), "DS-6")
    await bench.rest()
    await bench.step(client.close_round(bench.round))


@scenario("dealer", setup=BOSTON_BY_HAND)
async def five_rounds_by_hand_and_the_stub_is_counted(bench: Bench) -> None:
    """CT-1: neither this deck is loaded nor another one played before somebody has counted."""
    client, back = bench.client, bench.next_back()
    for _ in range(5):
        await bench.ready(back)
        since = len(bench.heard.events)
        bench.watch.bets_closed = True  # all of it leaves the shoe, to be dealt by hand
        await bench.step(client.deliver())
        await bench.step(bench.heard.wait("whole_deck", since, SHUFFLE_S))
        await bench.step(bench.table.dealer.take())
        bench.watch.ready = True
        await bench.open()
        await bench.no_more_bets()
        await bench.step(client.no_more_bets(bench.round))
        await bench.step(client.close_round(bench.round))
    await bench.table.dealer.load(back)
    await bench.answered(client.load(BACKS[back]), "CT-1")
    await bench.hands.clear()
    await bench.ready("blue" if back == "red" else "red")
    since = len(bench.heard.events)
    bench.watch.bets_closed = True
    await bench.step(client.deliver())
    await bench.step(bench.heard.wait("whole_deck", since, SHUFFLE_S))
    await bench.step(bench.table.dealer.take())
    await bench.answered(client.open_round(bench.round + 1, 2), "CT-1")
    await bench.step(client.stub_counted(BACKS[back], bench.cards))
    bench.watch.ready = True
    await bench.open()


@scenario("clock")
async def a_clock_is_set_within_its_bounds(bench: Bench) -> None:
    """CL-1: by a table neither back nor ahead; by nobody before there was such a machine."""

    async def at(time: int, word: str) -> None:
        message = link_pb2.SetClock(time=time)
        await bench.answered(bench.client.request("set_clock", message), word)

    await bench.step(bench.client.request("set_clock", link_pb2.SetClock(time=NOON)))
    await at(NOON - 60, "CL-1")
    await at(NOON + 3600, "CL-1")
    await at(0, "BAD")
    async with by_the_supervisor(bench):
        await at(LONG_AGO, "CL-1")
    await at(LONG_AGO, "CL-1")


@scenario()
async def what_makes_no_sense_is_bad(bench: Bench) -> None:
    """EL-2: a back, a time, a rate, a segment that cannot be; the session goes on."""
    table: dict[str, Message] = {
        "hello": link_pb2.Hello(version=2, nonce=bytes(16)),
        "load": link_pb2.Load(),
        "shuffle": link_pb2.Shuffle(),
        "open_round": link_pb2.OpenRound(round=bench.round + 2_000_000, players=2),
        "acknowledge": link_pb2.Acknowledge(number=1_000_000),
        "remove_deck": link_pb2.RemoveDeck(),
        "provision": link_pb2.Provision(table_key=bytes(32)),
        "set_baud": link_pb2.SetBaud(baud=300),
        "set_clock": link_pb2.SetClock(),
        "recall": link_pb2.Recall(after=1_000_000),
        "void_round": link_pb2.VoidRound(round=bench.round, reason=link_pb2.POWER_LOST),
        "stub_counted": link_pb2.StubCounted(cards=bench.cards),
        "empty_out": link_pb2.EmptyOut(),
    }
    service: dict[str, Message] = {
        "jog": link_pb2.Jog(axis="nothing", steps=1),
        "configure": link_pb2.Configure(profile=b"no profile"),
        "verify": link_pb2.Verify(challenge=b"too short"),
    }
    audit: dict[str, Message] = {"read_journal": link_pb2.ReadJournal(segment=1_000_000)}
    for name, message in table.items():
        await bench.answered(bench.client.request(name, message), "BAD")
    for role, asked in ((link_pb2.ROLE_SERVICE, service), (link_pb2.ROLE_AUDIT, audit)):
        async with bench.client.acting_as(role):
            for name, message in asked.items():
                await bench.answered(bench.client.request(name, message), "BAD")


@scenario("dealer")
async def a_session_that_would_break_into_play_is_refused(bench: Bench) -> None:
    """SERVICE, NOT_NOW: of service while a deck is inside, of the table while an axis moves."""
    async with bench.client.acting_as(link_pb2.ROLE_SERVICE):
        jog = link_pb2.Jog(axis="wheel", steps=1000, slow_us=5_000)
        await bench.client.request("jog", jog)
        for role in (link_pb2.ROLE_TABLE, link_pb2.ROLE_SUPERVISOR):
            hello = link_pb2.Hello(version=1, nonce=bytes(16), role=role)
            await bench.answered(bench.client.request("hello", hello), NOT_NOW)
        await bench.heard.wait("jogged", 0, CLEAR_S)
    await bench.ready()
    hello = link_pb2.Hello(version=1, nonce=bytes(16), role=link_pb2.ROLE_SERVICE)
    await bench.answered(bench.client.request("hello", hello), "SERVICE")


@scenario("dealer", "hands")
async def a_machine_that_looks_is_asked_once(bench: Bench) -> None:
    """DS-12 DS-8: not with a door open, and not again while it looks."""
    await between(bench)
    since = len(bench.heard.events)
    await bench.hands.switch("lid", False)
    await bench.fault(since, "interlock", "lid open", CLEAR_S)
    await bench.answered(bench.client.empty_out(), "DS-12")
    await bench.hands.switch("lid", True)
    await bench.hands.clear()
    bench.watch.clearing()
    since = len(bench.heard.events)
    await bench.step(bench.table.ask(bench.client.cleared, "cleared"))
    await bench.answered(bench.client.cleared(), NOT_NOW)
    await bench.answered(bench.client.empty_out(), NOT_NOW)
    await bench.heard.wait("cleared", since, CLEAR_S)
