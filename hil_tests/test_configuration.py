"""A machine is set up for a game by a signed profile, and by nothing else."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from boards.shuffler_rp2040 import board
from hil_tests.bench import Bench
from host_tools.hands import SimulatedHands
from host_tools.link import link_pb2
from host_tools.link.client import Client
from host_tools.link.errors import Refused
from host_tools.link.keys import of_seed
from host_tools.rigs import Rig, beside
from host_tools.rules.device import make_profile
from sim.hal import Store
from sim.inprocess import InProcess
from sim.loop import run

KEY = of_seed(0).service
Story = Callable[[Rig], Awaitable[None]]


def switched_on(store: Store, story: Story) -> None:
    """A machine with this memory, from power-on to the end of the story."""
    whole = InProcess(1, store=store)
    hands = SimulatedHands(whole.hands, 1)
    rig = Rig("in-process", whole.transport, hands, hands, whole.machine, whole.world.now_ns)

    async def body() -> None:
        await story(rig)

    run(whole.world, beside(whole.start(), body()))


async def service(rig: Rig) -> Client:
    """A session of service, at a machine that has its keys by then."""
    giver = rig.client()
    await giver.hello()
    await giver.leave()
    client = rig.client(role=link_pb2.ROLE_SERVICE)
    await client.hello()
    return client


def asked(client: Client, blob: bytes) -> Awaitable[link_pb2.Answer]:
    """To be set up with this."""
    return client.request("configure", link_pb2.Configure(profile=blob))


def test_a_game_is_set_and_played_from_the_next_power_on() -> None:
    """DS-5 CT-2: signed, kept, in force when the machine is switched on."""
    store = Store(board.JOURNAL_BYTES)

    async def set_up(rig: Rig) -> None:
        client = await service(rig)
        await asked(client, make_profile(KEY, "double_draw"))
        await client.close()

    async def play(rig: Rig) -> None:
        client = rig.client()
        assert (await client.hello()).game == "double_draw"
        await client.close()

    switched_on(store, set_up)
    switched_on(store, play)


BAD = {
    "of another key": (make_profile(bytes(32), "boston_5"), "signed with another key"),
    "of no game": (make_profile(KEY, "snap"), "no game snap"),
    "of too many cards": (make_profile(KEY, "boston_5", cards=54), "CT-2: cards 54"),
    "continuous, not so": (make_profile(KEY, "pai_gow_poker", continuous=1), "continuous 1"),
    "continuous by hand": (make_profile(KEY, "plain", 1, 1), "continuous 1: not from the hand"),
    "nothing": (b"", "not one of this machine's"),
    "noise": (bytes(range(80)), "not one of this machine's"),
}


@pytest.mark.parametrize("what", BAD)
def test_a_profile_that_is_not_sound_is_refused(what: str) -> None:
    """EL-2 CT-2: it is said why, by its rule, and the machine stays as it was."""
    blob, why = BAD[what]
    store = Store(board.JOURNAL_BYTES)

    async def story(rig: Rig) -> None:
        client = await service(rig)
        with pytest.raises(Refused) as no:
            await asked(client, blob)
        assert no.value.outcome == link_pb2.BAD
        assert why in no.value.text
        await client.close()

    async def after(rig: Rig) -> None:
        client = rig.client()
        assert (await client.hello()).game == "let_it_ride"
        await client.close()

    switched_on(store, story)
    switched_on(store, after)


def test_nobody_sets_it_in_play() -> None:
    """DS-5: a table session may not, and service has no session while cards are inside."""

    async def story(rig: Rig) -> None:
        bench = Bench(rig)
        await bench.prepare()
        with pytest.raises(Refused) as no:
            await asked(bench.client, make_profile(KEY, "boston_5"))
        assert no.value.rule == "ROLE"
        await bench.ready()
        await bench.client.leave()
        with pytest.raises(Refused) as no:
            await rig.client(bench.tap, role=link_pb2.ROLE_SERVICE).hello()
        assert no.value.rule == "SERVICE"
        await bench.close()

    switched_on(Store(board.JOURNAL_BYTES), story)
