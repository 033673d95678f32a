"""Slips in the start of the machine: what the power must not make it forget, deck by deck."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from dovetail import start
from dovetail.table.decks import AWAY, BARRED, GONE, LOCKED

from hil_tests.bench import Bench
from hil_tests.test_rules_kept import RED
from hil_tests.test_rules_power import switched_on
from host_tools.link import link_pb2
from host_tools.rigs import Wanted, configured

BLUE = link_pb2.BLUE
CARDS = 52
INSIDE, STORE, JOURNAL = 706, 802, 803  # docs/faults.md
SOME_S = 4.0  # into a shuffle


def states() -> tuple[int, int]:
    """Of red and blue, in the rules of the machine that runs."""
    machine: Any = start.machine
    return machine.rules.deck(RED), machine.rules.deck(BLUE)


def test_removed_and_locked_decks_are_so_after_the_power_was_off() -> None:
    """CT-3 EL-3 (in-process): each state of a deck by itself, and both where both are true."""
    store = configured(Wanted())

    async def removes_blue(bench: Bench) -> None:
        assert states() == (AWAY, AWAY)
        await bench.client.remove_deck(BLUE)

    async def locks_red(bench: Bench) -> None:
        assert states() == (AWAY, GONE)
        await bench.ready("red")
        await bench.whole_round()
        await bench.client.stub_counted(RED, CARDS - 1)

    async def removes_red(bench: Bench) -> None:
        assert states() == (LOCKED, GONE)
        await bench.client.remove_deck(RED)

    async def looks(bench: Bench) -> None:
        assert states() == (BARRED, GONE)

    for story in (removes_blue, locks_red, removes_red, looks):
        switched_on(store, story)


@pytest.mark.parametrize("written", range(8))
def test_flash_that_refuses_at_a_start_does_not_make_the_machine_empty(written: int) -> None:
    """EL-3 (in-process): whichever write refuses, the fault counts what a shuffle has left."""
    store: Any = configured(Wanted())
    left = [written]
    program = store.program

    async def shuffles(bench: Bench) -> None:
        await bench.shuffle("red")
        await asyncio.sleep(SOME_S)

    def refuse(offset: int, buf: bytes) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(offset, len(buf))
        program(offset, buf)

    async def refuses(bench: Bench) -> None:
        told = (await bench.heard.wait("fault", 0, 5.0)).fault
        assert told.fault in (STORE, JOURNAL, INSIDE)
        assert told.inside > 0

    switched_on(store, shuffles)
    store.program = refuse
    switched_on(store, refuses)
