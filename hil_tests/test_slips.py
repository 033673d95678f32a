"""Slips in lanes and requests that only an odd moment shows: each is brought about, and seen."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest
from dovetail import start
from dovetail.requests import status

from hil_tests.bench import Bench
from hil_tests.service import by_the_supervisor
from hil_tests.test_rules_kept import RED, SEED, at_the_machine
from host_tools.hands import SimulatedHands
from host_tools.link import link_pb2
from host_tools.link.errors import Refused
from host_tools.play.table import BACKS, SHUFFLE_S, STACK_S
from host_tools.rigs import Setup, Wanted
from sim.machine import Machine

# Faults by docs/faults.md
EXIT_BLOCKED, SHOE_FULL = 303, 411
CARDS = 52
SOME_S = 4.0  # into a shuffle: about a third of the cards are in the wheel


def digest(machine: Any) -> int:
    return int(cast(Any, status).digest(machine, {}))


async def meters_of(bench: Bench) -> link_pb2.Meters:
    async with by_the_supervisor(bench):
        return (await bench.client.request("meters", link_pb2.GetMeters())).meters


def inside(bench: Bench) -> tuple[Machine, SimulatedHands]:
    assert isinstance(bench.hands, SimulatedHands)
    assert bench.rig.machine is not None
    return bench.rig.machine, bench.hands


def test_an_exit_that_is_covered_stops_the_shuffle_before_it_is_over() -> None:
    """EL-2 (in-process): while cards go in; not only when a whole deck lies behind it."""

    async def body(bench: Bench) -> None:
        machine, _ = inside(bench)
        await bench.shuffle("red")
        await asyncio.sleep(SOME_S)
        machine.beams["exit"].set(True)
        event = await bench.heard.wait("fault", 0, SHUFFLE_S)
        assert event.fault.fault == EXIT_BLOCKED
        assert 0 < sum(map(len, machine.wheel.slots)) < CARDS - 1

    at_the_machine(body)


def test_no_card_joins_one_that_lies_in_the_shoe() -> None:
    """TD-5 EL-2 (in-process): somebody lays a card there while the wheel is filled."""

    async def body(bench: Bench) -> None:
        machine, hands = inside(bench)
        await bench.shuffle("red")
        await asyncio.sleep(SOME_S)
        machine.deal.shoe.append(hands.hands.table["blue"].pop())
        machine.deal.moved()
        event = await bench.heard.wait("fault", 0, SHUFFLE_S)
        assert event.fault.fault == SHOE_FULL
        assert len(machine.cards()["shoe"]) <= 1
        assert sum(map(len, machine.wheel.slots)) == CARDS

    at_the_machine(body)


def test_nothing_is_shuffled_where_nothing_lies() -> None:
    """SH-7 (in-process): a table that asks too early is told so, and nothing stops."""

    async def body(bench: Bench) -> None:
        await bench.table.all_in("red", new=True)
        with pytest.raises(Refused) as no:
            await bench.client.shuffle(RED)
        assert no.value.outcome == link_pb2.NOT_NOW
        await asyncio.sleep(SOME_S)
        assert not bench.heard.all("fault")
        assert (await bench.client.status()).state == link_pb2.READY

    at_the_machine(body, Wanted(SEED, setup=Setup("plain", continuous=True)))


def test_a_deck_that_is_removed_after_a_lock_out_is_counted_as_such() -> None:
    """CT-3 I-11 (in-process): the meters tell how many were, and how many were merely changed."""

    async def body(bench: Bench) -> None:
        await bench.client.remove_deck(link_pb2.BLUE)
        assert (await meters_of(bench)).decks_barred == 0
        await bench.ready("red")
        await bench.whole_round()
        await bench.client.stub_counted(RED, CARDS - 1)
        await bench.client.remove_deck(RED)
        meters = await meters_of(bench)
        assert (meters.decks_removed, meters.decks_barred) == (2, 1)

    at_the_machine(body)


def test_no_hand_stands_when_the_stub_is_wrong() -> None:
    """CT-3 DS-8 (in-process): after a jam in Boston 5 a hand stands until its deck is counted."""

    async def body(bench: Bench) -> None:
        await bench.ready("red")
        await bench.open()
        await bench.no_more_bets()
        await bench.deal(1)
        await bench.take(1)
        await bench.client.deal(bench.round, 2)
        await bench.fault(0, "shoe", "jam", STACK_S)
        stood = (await bench.heard.wait("round_void", 0, 1.0)).round_void
        assert (stood.provisional, stood.stand) == (True, 1)
        await bench.hands.clear()
        await bench.cleared()
        since = len(bench.heard.events)
        await bench.client.stub_counted(RED, CARDS - 1)
        void = (await bench.heard.wait("round_void", since, 1.0)).round_void
        assert (void.provisional, void.stand, void.standing) == (False, 0, 0)

    at_the_machine(body, Wanted(SEED, {"deal.jam": {5}}, Setup("boston_5")))


def test_a_face_up_card_is_no_reason_for_what_happens_later() -> None:
    """DS-9 SH-5 (in-process): the table goes on, and a round is void for another reason."""

    async def body(bench: Bench) -> None:
        await bench.ready("red")
        await bench.open()
        await bench.no_more_bets()
        await bench.deal(1)
        await bench.take(1)
        since = len(bench.heard.events)
        await bench.client.face_up(bench.round, 1)
        await bench.heard.wait("stack", since, STACK_S, round=bench.round)
        await bench.table.dealer.take()
        await bench.heard.wait("taken", since, STACK_S, round=bench.round)
        await bench.client.out_of_service()
        void = (await bench.heard.wait("round_void", since, 5.0)).round_void
        assert void.reason == link_pb2.BY_DEALER

    at_the_machine(body)


def test_the_record_of_an_idle_table_names_the_decks_that_waited() -> None:
    """SH-9 (in-process): a bit for each: blue waits in the shoe, red lies on the table."""
    noted: list[int] = []

    async def body(bench: Bench) -> None:
        machine: Any = start.machine
        note = machine.note

        def noting(kind: str, fields: dict[str, Any]) -> None:
            noted.extend([fields["decks"]] if kind == "idle" else [])
            note(kind, fields)

        machine.note = noting
        await bench.ready("blue")
        await bench.client.idle()
        await bench.client.give_back()
        await bench.heard.wait("remainder", 0, SHUFFLE_S, round=0)

    at_the_machine(body)
    assert noted == [1 << BACKS["blue"]]


@pytest.mark.parametrize("continuous", [False, True])
def test_a_round_that_is_open_is_told_as_dealing(continuous: bool) -> None:
    """DS-4 SH-7 (in-process): the status, from the opening of a round until its end."""

    async def body(bench: Bench) -> None:
        states: list[int] = []

        async def look() -> None:
            states.append((await bench.client.status()).state)

        if continuous:
            await bench.table.all_in("red", new=True)
            bench.watch.ready = True
        else:
            await bench.ready("red")
        await look()
        await bench.open()
        await look()
        await bench.no_more_bets()
        await look()
        assert states == [link_pb2.READY, link_pb2.DEALING, link_pb2.DEALING]

    game = "plain" if continuous else "let_it_ride"
    at_the_machine(body, Wanted(SEED, setup=Setup(game, continuous=continuous)))


def test_the_digest_of_the_status_changes_with_each_fact() -> None:
    """I-3 (in-process): also with those that the rules do not hold: faults, switches, counts."""

    async def body(bench: Bench) -> None:
        machine: Any = start.machine
        seen = [digest(machine)]
        machine.guest = 1
        seen.append(digest(machine))
        machine.guest = 0
        for deck in machine.decks[1:]:
            for field in ("counted_in", "counted_out"):
                setattr(deck.ledger, field, 7)
                seen.append(digest(machine))
                setattr(deck.ledger, field, 0)
        for number in (401, 602):
            machine.fault = number
            seen.append(digest(machine))
        machine.fault = 0
        assert len(set(seen)) == len(seen)
        assert digest(machine) == seen[0]

    at_the_machine(body)


def test_a_calibration_in_force_is_told_as_such() -> None:
    """EL-2 (in-process): to service, who asks for the sensors of a machine that plays."""

    async def body(bench: Bench) -> None:
        client = bench.rig.client(bench.tap, role=link_pb2.ROLE_SERVICE)
        await client.hello()
        answer = await client.request("calibration", link_pb2.GetCalibration())
        assert answer.calibration.state == "in force"

    at_the_machine(body)


def test_nothing_is_looked_for_while_the_wheel_still_runs_out() -> None:
    """DS-12 SH-4 (in-process): asked at the moment of a stop, the machine has no time yet."""

    async def body(bench: Bench) -> None:
        _, hands = inside(bench)
        await bench.shuffle("red")
        await asyncio.sleep(SOME_S)
        hands.hands.switch("lid", False)
        await bench.heard.wait("fault", 0, STACK_S)
        hands.hands.switch("lid", True)
        with pytest.raises(Refused) as no:
            await bench.client.cleared()
        assert no.value.outcome == link_pb2.NOT_NOW

    at_the_machine(body)


def test_a_round_number_is_a_thousand_ahead_at_most() -> None:
    """DS-4 (in-process): docs/protocol.md, `open_round`."""

    async def body(bench: Bench) -> None:
        await bench.ready("red")
        with pytest.raises(Refused) as no:
            await bench.client.open_round(1_001, 2)
        assert no.value.outcome == link_pb2.BAD
        await bench.client.open_round(1_000, 2)
        assert (await bench.client.status()).round == 1_000

    at_the_machine(body)
