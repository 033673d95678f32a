"""Cards of what was broken off are on the meters, by the machine's own truth.

A card that a stop catches under a roller has not passed it.
"""

from __future__ import annotations

import asyncio

from hil_tests.bench import CARDS, Bench
from hil_tests.journal_bench import Table, counted
from host_tools.play.table import SHUFFLE_S


async def open_lid(table: Table, bench: Bench) -> None:
    """Everything stops."""
    await bench.hands.switch("lid", False)
    await asyncio.sleep(1.0)
    assert counted(table)["interlocks"] == 1


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
        await bench.prepare()
        since = len(bench.heard.events)
        await bench.shuffle()
        await bench.heard.wait("shuffle_done", since, SHUFFLE_S)
        await asyncio.sleep(1.5)
        await open_lid(table, bench)

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
