"""Cards of what was broken off are on the meters, by the machine's own truth.

A card that a stop catches under a roller has not passed it.
"""

from __future__ import annotations

import asyncio
from typing import Any

from dovetail import start  # pyright: ignore[reportUnknownVariableType]: device code

from hil_tests.bench import CARDS, Bench
from hil_tests.games import put_back
from hil_tests.journal_bench import Table, counted
from hil_tests.service import of_role
from host_tools import rigs
from host_tools.link import link_pb2
from host_tools.play.table import BACKS, SHUFFLE_S


async def open_lid(table: Table, bench: Bench) -> None:
    """Everything stops."""
    await bench.hands.switch("lid", False)
    await asyncio.sleep(1.0)
    assert counted(table)["interlocks"] == 1


async def stop_emptying(table: Table, bench: Bench) -> None:
    """Some cards of a deck lie in the shoe, the others in the wheel."""
    await bench.prepare()
    since = len(bench.heard.events)
    await bench.shuffle()
    await bench.heard.wait("shuffle_done", since, SHUFFLE_S)
    await asyncio.sleep(1.5)
    await open_lid(table, bench)


def test_cards_of_a_broken_shuffle_are_on_the_meters() -> None:
    table = Table()

    async def story(bench: Bench) -> None:
        await bench.prepare()
        await bench.shuffle()
        await asyncio.sleep(4.0)
        await open_lid(table, bench)

    table.run(story)
    passed, found = len(table.whole.machine.cards()["wheel"]), counted(table)
    assert 1 < passed < CARDS
    assert 0 <= passed - found["cards_pick"] <= 1
    assert found["cards_feed"] == found["cards_pick"]
    assert found["shuffles_broken"] == 1


def test_cards_of_a_broken_emptying_are_on_the_meters() -> None:
    table = Table()

    async def story(bench: Bench) -> None:
        await stop_emptying(table, bench)

    table.run(story)
    passed, found = len(table.whole.machine.cards()["shoe"]), counted(table)
    assert 1 < passed < CARDS
    assert 0 <= passed - found["cards_eject"] <= 1
    assert found["cards_pick"] == CARDS


def test_cards_of_a_broken_remainder_are_on_the_meters() -> None:
    table = Table()

    async def story(bench: Bench) -> None:
        await bench.prepare()
        await bench.ready()
        await bench.open()
        await bench.no_more_bets()
        for position in (1, 2, 3):
            await bench.deal(position)
            await bench.take(position)
        await bench.client.remainder(bench.round)
        await asyncio.sleep(0.7)
        await open_lid(table, bench)

    table.run(story)
    out = table.whole.machine.cards()
    passed, found = len(out["tray"]) + len(out["chute"]), counted(table)
    assert 1 < passed < CARDS - 9
    assert 0 <= 9 + passed - found["cards_deal"] <= 1


def test_cards_that_are_forced_out_are_on_the_meters() -> None:
    """They pass ejector and deal roller like any other."""
    table = Table()

    async def story(bench: Bench) -> None:
        await stop_emptying(table, bench)
        await bench.hands.switch("lid", True)
        bench.watch.bets_closed = True  # cards leave the shoe: they belong to no round
        cards = {name: len(held) for name, held in table.whole.machine.cards().items()}
        for wheel in (0, cards["wheel"]):  # what the shoe holds comes first
            before, since = counted(table), len(bench.heard.events)
            bench.watch.clearing()
            await bench.step(bench.client.request("empty_out", link_pb2.EmptyOut()))
            out = (await bench.heard.wait("emptied", since, SHUFFLE_S)).emptied
            assert (await bench.heard.wait("fault", since, SHUFFLE_S)).fault.inside >= 1
            after = counted(table)
            assert out.from_wheel == wheel
            assert after["cards_eject"] - before["cards_eject"] == out.from_wheel
            assert after["cards_deal"] - before["cards_deal"] == out.from_shoe > 0
            await bench.table.dealer.take()

    table.run(story)
    found = counted(table)
    assert found["cards_deal"] == CARDS
    assert CARDS - 1 <= found["cards_eject"] <= CARDS


def test_a_trial_that_the_power_ends_is_on_the_meter_of_service() -> None:
    table = Table()

    async def trial(bench: Bench) -> None:
        await bench.prepare()
        await bench.client.leave()
        service = await of_role(bench, link_pb2.ROLE_SERVICE)
        await bench.table.dealer.load("red")
        await service.load(BACKS["red"])
        await service.shuffle(BACKS["red"])
        await asyncio.sleep(4.0)

    table.run(trial)
    again = Table(bytes(table.block.cells))
    again.run(lambda bench: bench.prepare())
    found = counted(again)
    names = ("shuffles", "shuffles_broken", "service_shuffles", "service_shuffles_broken")
    assert [found[name] for name in names] == [0, 0, 0, 1]


def test_cards_that_come_out_one_by_one_are_on_the_meters() -> None:
    """SH-7: each is counted once at every roller, however long the play; none is kept untold."""
    stacks = 6

    async def story(rig: rigs.Rig) -> dict[str, int]:
        bench = Bench(rig)
        await bench.client.hello()
        back = bench.next_back()
        await bench.table.all_in(back, new=True)
        bench.watch.ready = True
        for _ in range(stacks // 3):
            await bench.open()
            await bench.no_more_bets()
            for position in (1, 2, 3):
                await bench.deal(position)
                await bench.take(position)
            await put_back(bench, back, bench.cards)
            await bench.step(bench.client.close_round(bench.round))
            bench.watch.ready = True
        firmware: Any = start.machine
        assert [list(deck.ledger.passed) for deck in firmware.decks[1:]] == [[0, 0, 0]] * 2
        await bench.close()
        found: dict[str, int] = firmware.journal.meters.named()
        return found

    wanted = rigs.Wanted(5, setup=rigs.Setup("plain", continuous=True))
    found = rigs.in_process(wanted, story)
    assert found["cards_deal"] == found["cards_eject"] == 2 * stacks
    assert found["cards_pick"] == found["cards_feed"] == CARDS + 2 * stacks
    assert (found["shuffles"], found["cards_shuffled"], found["cards_last_shuffle"]) == (1, 52, 52)
