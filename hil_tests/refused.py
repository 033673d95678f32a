"""Scenarios of what is refused in a state: every request that docs/protocol.md says no to there."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, cast

from google.protobuf.message import Message

from hil_tests.bench import CLEAR_S, PLAYERS, Bench
from hil_tests.request_table import REQUESTS, on_the_page
from hil_tests.scenario import LET_IT_RIDE, scenario
from host_tools.link import link_pb2
from host_tools.link.keys import drawn
from host_tools.play.table import BACKS, STACK_S
from host_tools.rigs import Setup
from sim.emulated.noise import stuck

DONE = "DONE"
WORKS_S = 2.0  # the wheel is filled longer
UNHEARD_S = 1.0


async def dealing(bench: Bench) -> None:
    """A stack is under way."""
    await closed(bench)
    await bench.step(bench.client.deal(bench.round, 1))


async def closed(bench: Bench) -> None:
    """No more bets in a round."""
    await bench.ready()
    await bench.open()
    await bench.no_more_bets()


async def opened(bench: Bench) -> None:
    """A round is open."""
    await bench.ready()
    await bench.open()


async def in_tray(bench: Bench) -> None:
    """The first stack lies in the tray."""
    await closed(bench)
    await bench.deal(1)


async def between(bench: Bench) -> None:
    """It was taken."""
    await in_tray(bench)
    await bench.take(1)


async def dealt(bench: Bench) -> None:
    """All stacks were."""
    await closed(bench)
    for position in range(1, bench.table.stacks + 1):
        await bench.deal(position)
        await bench.take(position)


async def second_call(bench: Bench) -> None:
    """Nobody has drawn yet."""
    await dealt(bench)
    await bench.step(bench.client.no_more_bets(bench.round))


async def third_call(bench: Bench) -> None:
    """Nobody has drawn."""
    await second_call(bench)
    await bench.step(bench.client.no_more_bets(bench.round))


async def released(bench: Bench) -> None:
    """The remainder was taken too."""
    await dealt(bench)
    await bench.rest()


async def void(bench: Bench) -> None:
    """The dealer has declared it void, after a stack."""
    await between(bench)
    await bench.step(bench.client.void_round(bench.round))


async def laid(bench: Bench) -> None:
    """A deck lies in the infeed that nobody has declared."""
    await bench.table.dealer.load(bench.next_back())


async def working(bench: Bench) -> None:
    """The wheel is filled."""
    await bench.shuffle()
    await asyncio.sleep(WORKS_S)


async def ready(bench: Bench) -> None:
    """A deck lies in the shoe."""
    await bench.ready()


async def stopped(bench: Bench) -> None:
    """The lid was open after "no more bets"."""
    await closed(bench)
    since = len(bench.heard.events)
    await bench.hands.switch("lid", False)
    await bench.heard.wait("round_void", since, STACK_S)
    await bench.hands.switch("lid", True)
    await asyncio.sleep(UNHEARD_S)


async def unavailable(bench: Bench) -> None:
    """Randomness has failed."""
    assert bench.rig.spoil is not None
    bench.rig.spoil(stuck(1))
    since = len(bench.heard.events)
    await bench.shuffle()
    await bench.heard.wait("fault", since, CLEAR_S)


async def out(bench: Bench) -> None:
    """Out of service, and nothing inside."""
    await bench.step(bench.client.out_of_service())


async def nothing(bench: Bench) -> None:
    """Nothing is inside."""


async def trial(bench: Bench) -> None:
    """What service has shuffled lies in the shoe."""
    await bench.step(bench.table.dealer.load(bench.next_back()))
    back = BACKS[bench.next_back()]
    await bench.step(bench.client.load(back))
    since = len(bench.heard.events)
    await bench.step(bench.client.shuffle(back))
    await bench.heard.wait("ready", since, CLEAR_S)


async def moving(bench: Bench) -> None:
    """An axis moves for 19 s."""
    await bench.client.request("jog", link_pb2.Jog(axis="wheel", steps=1000, slow_us=19_000))


async def in_service(bench: Bench) -> None:
    """Back from out of service."""
    since = len(bench.heard.events)
    bench.watch.clearing()
    await bench.step(bench.client.in_service())
    await bench.heard.wait("cleared", since, CLEAR_S)


async def given_back(bench: Bench) -> None:
    """What service has shuffled is out again."""
    since = len(bench.heard.events)
    bench.watch.bets_closed = True  # cards may leave the shoe: no round is played with them
    await bench.step(bench.client.give_back())
    await bench.heard.wait("remainder", since, CLEAR_S)
    await bench.step(bench.table.dealer.take())
    bench.watch.bets_closed = bench.watch.ready = False


async def ends(bench: Bench) -> None:
    """Whatever moves has come to its end."""
    await bench.heard.wait("jogged", 0, CLEAR_S)


@dataclass(frozen=True)
class State:
    """A column of the page: how to come there, in whose session, and the way back."""

    reach: Callable[[Bench], Awaitable[None]]
    needs: tuple[str, ...] = ()
    setup: Setup = LET_IT_RIDE
    role: link_pb2.Role = link_pb2.ROLE_TABLE
    leave: Callable[[Bench], Awaitable[None]] = nothing


DRAW = Setup("double_draw")
STATES = {
    "idle": State(laid),
    "working": State(working),
    "ready": State(ready),
    "stopped": State(stopped, ("hands",)),
    "unavailable": State(unavailable, ("noise",)),
    "out": State(out, leave=in_service),
    "service": State(nothing, role=link_pb2.ROLE_SERVICE),
    "trial": State(trial, role=link_pb2.ROLE_SERVICE, leave=given_back),
    "bench": State(moving, role=link_pb2.ROLE_SERVICE, leave=ends),
    "audit": State(nothing, role=link_pb2.ROLE_AUDIT),
    "supervisor": State(laid, role=link_pb2.ROLE_SUPERVISOR),
    "bets": State(opened),
    "no more": State(closed),
    "dealing": State(dealing),
    "tray": State(in_tray),
    "between": State(between),
    "dealt": State(dealt),
    "second call": State(second_call, setup=DRAW),
    "third call": State(third_call, setup=DRAW),
    "released": State(released),
    "void": State(void),
}


def asked(bench: Bench, name: str) -> Message:
    """Return what the page asks, about the round and the deck of this bench."""
    message = type(REQUESTS[name])()
    message.CopyFrom(REQUESTS[name])
    if isinstance(message, link_pb2.OpenRound):
        message.round, message.players = bench.round + 1, PLAYERS
    elif name == "provision":
        keys = drawn()  # others than the machine has
        return link_pb2.Provision(
            table_key=keys.table,
            service_key=keys.service,
            audit_key=keys.audit,
            supervisor_key=keys.supervisor,
        )
    elif "round" in message.DESCRIPTOR.fields_by_name:
        cast(Any, message).round = bench.round
    if "back" in message.DESCRIPTOR.fields_by_name:
        cast(Any, message).back = BACKS[bench.rig.last_back or bench.next_back()]
    if isinstance(message, link_pb2.StubCounted):
        message.cards = bench.cards
    return message


async def each(bench: Bench, name: str) -> None:
    """Ask in this state whatever the page says is refused there."""
    state, page = STATES[name], on_the_page()[name]
    if state.role != link_pb2.ROLE_TABLE:
        await bench.client.become(state.role)
    await state.reach(bench)
    for request, word in page.items():
        if word == DONE or request.startswith("hello"):
            continue
        message = asked(bench, request)
        if isinstance(message, link_pb2.Deal) and name.endswith("call"):
            message.cards = 1
        await bench.answered(bench.client.request(request, message), word)
    await state.leave(bench)


def enter(name: str) -> None:
    """Put the scenario of a state into the list."""
    state = STATES[name]

    async def run(bench: Bench) -> None:
        await each(bench, name)

    run.__name__ = f"what_is_refused_in_{name.replace(' ', '_')}"
    run.__doc__ = f"DS-4 DS-8 EL-2 SH-1: each request that the page says no to in state {name}."
    scenario("dealer", *state.needs, setup=state.setup)(run)


for one in STATES:
    enter(one)
