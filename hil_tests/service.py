"""Scenarios of service: a technician shuffles, and nothing of it is played."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from hil_tests.bench import CLEAR_S, Bench, refusal
from hil_tests.scenario import scenario
from host_tools.heard import Heard
from host_tools.link import link_pb2
from host_tools.link.client import Client
from host_tools.play.table import BACKS, SHUFFLE_S
from host_tools.rules.device import make_profile

SERVICE = "SERVICE"
BUDGET = 43  # records of a role without play: docs/protocol.md


async def of_role(bench: Bench, role: link_pb2.Role) -> Client:
    """A session of another role, while the controller is away."""
    client = bench.rig.client(bench.tap, role=role)
    client.on_event.append(bench.watch.hear)
    await bench.step(client.hello())
    return client


@asynccontextmanager
async def by_the_supervisor(bench: Bench) -> AsyncGenerator[Bench]:
    """The supervisor speaks on the controller's line, with a key that the controller has not."""
    async with bench.client.acting_as(link_pb2.ROLE_SUPERVISOR):
        yield bench


@asynccontextmanager
async def at_the_table(bench: Bench) -> AsyncGenerator[Bench]:
    """The controller is back, and begins anew."""
    again = Bench(bench.rig, bench.watch)
    try:
        await again.step(again.client.hello())
        yield again
    finally:
        await again.close()


async def _meters(client: Client) -> link_pb2.Meters:
    return (await client.request("meters", link_pb2.GetMeters())).meters


async def _shuffling(bench: Bench, service: Client) -> str:
    """A deck that the dealer loads, and service has shuffled."""
    assert bench.rig.dealer is not None
    bench.rig.last_back = back = bench.next_back()
    await bench.step(bench.rig.dealer.load(back))
    await bench.refused(service.load(BACKS[back], new_deck=True), SERVICE)  # no life begins anew
    await bench.step(service.load(BACKS[back]))
    await bench.step(service.shuffle(BACKS[back]))
    return back


@scenario("dealer")
async def what_service_shuffles_is_not_played(bench: Bench) -> None:
    """Counted and ready, it is no table's: given back, on meters of its own, then shuffled anew."""
    assert bench.rig.dealer is not None
    await bench.client.leave()
    service = await of_role(bench, link_pb2.ROLE_SERVICE)
    before = await _meters(service)
    heard = Heard(service)
    back = await _shuffling(bench, service)
    ready = await heard.wait("ready", 0, SHUFFLE_S)
    assert ready.ready.counted_in == ready.ready.counted_out == bench.cards
    await bench.refused(service.open_round(bench.round + 1, 2), "ROLE")
    await heard.close()
    await service.leave()
    await bench.refused(bench.rig.client(bench.tap).hello(), SERVICE)

    service = await of_role(bench, link_pb2.ROLE_SERVICE)
    assert (await service.status()).state == link_pb2.SERVICE
    heard = Heard(service)
    bench.watch.bets_closed = True  # cards may leave the shoe: no round is played with them
    await bench.step(service.give_back())
    await heard.wait("remainder", 0, SHUFFLE_S)
    await bench.step(bench.rig.dealer.take())
    bench.watch.bets_closed = bench.watch.ready = False
    after = await _meters(service)
    assert after.service_shuffles == before.service_shuffles + 1
    assert (after.shuffles, after.rounds) == (before.shuffles, before.rounds)
    await heard.close()
    await service.leave()

    async with at_the_table(bench) as table:
        await table.refused(table.client.shuffle(BACKS[back]), "SH-1")
        await table.refused(table.client.open_round(table.round + 1, 2), "SH-1")
        await table.ready(back)
        await table.whole_round()


@scenario("dealer", "hands")
async def a_shuffle_for_service_that_breaks_is_cleared_by_anybody(bench: Bench) -> None:
    """The lid stops it: on the meter of broken ones; a table clears it, and plays on."""
    await bench.client.leave()
    service = await of_role(bench, link_pb2.ROLE_SERVICE)
    before = await _meters(service)
    heard = Heard(service)
    back = await _shuffling(bench, service)
    await bench.hands.switch("lid", False)
    await heard.wait("fault", 0, CLEAR_S)
    await bench.hands.switch("lid", True)
    after = await _meters(service)
    assert after.service_shuffles_broken == before.service_shuffles_broken + 1
    assert after.shuffles_broken == before.shuffles_broken
    await heard.close()
    await service.leave()

    async with at_the_table(bench) as table:
        await table.nothing_goes_on(back, (await table.client.status()).fault)
        await table.hands.clear()
        await table.cleared()
        await table.ready(back)
        await table.whole_round()


@scenario()
async def too_much_that_is_said_without_play_has_to_wait(bench: Bench) -> None:
    """I-12: a role has room for 43 records; no other role has to wait with it."""
    setup = bench.rig.setup  # as it is: nothing changes by it
    key = bench.rig.keys.service
    blob = make_profile(key, setup.game, int(setup.by_hand), int(setup.continuous))
    async with bench.client.acting_as(link_pb2.ROLE_SERVICE):
        message = link_pb2.Configure(profile=blob)
        for _ in range(BUDGET):
            if await refusal(bench.client.request("configure", message)):
                break
        for name, order in (("configure", message), ("self_test", link_pb2.SelfTest())):
            no = await refusal(bench.client.request(name, order))
            assert no is not None
            assert no.text.startswith("too much is said without play"), no
    await bench.step(bench.client.request("set_clock", link_pb2.SetClock(time=1_800_000_000)))


@scenario()
async def no_round_is_begun_between_two_games(bench: Bench) -> None:
    """SERVICE: another game is set up, until the power was off, or the present one is again."""
    setup, key = bench.rig.setup, bench.rig.keys.service
    way = int(setup.by_hand), int(setup.continuous)
    for game, refused in (("boston_5", "SERVICE"), (setup.game, "SH-1")):
        async with bench.client.acting_as(link_pb2.ROLE_SERVICE):
            blob = make_profile(key, game, *way)
            await bench.client.request("configure", link_pb2.Configure(profile=blob))
        await bench.answered(bench.client.shuffle(link_pb2.RED), refused)
        await bench.answered(bench.client.open_round(1, 2), refused)


@scenario("dealer")
async def a_game_is_set_up_only_as_its_text_has_it(bench: Bench) -> None:
    """CD-1 DS-15 SH-2: no jokers but in the games that have them, no shoe where there is none."""
    key = bench.rig.keys.service
    async with bench.client.acting_as(link_pb2.ROLE_SERVICE):
        for rule, blob in (
            ("CD-1", make_profile(key, "plain", cards=54)),
            ("CD-1", make_profile(key, "caribbean_stud", cards=53)),
            ("CT-2", make_profile(key, "let_it_ride", cards=54)),
            ("DS-15", make_profile(key, "double_down_stud")),
            ("SH-2", make_profile(key, "poker")),
        ):
            message = link_pb2.Configure(profile=blob)
            no = await refusal(bench.client.request("configure", message))
            assert no is not None
            assert no.outcome == link_pb2.BAD
            assert no.text.startswith(rule + ":"), no.text
