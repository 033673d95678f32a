"""Flash takes nothing any more while a round is played: no request says that it was done."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from hil_tests.asked_table import MOMENT_S
from hil_tests.one_table import RED, OneTable, at_a_table
from host_tools.link import link_pb2
from host_tools.rigs import Setup

WHOLE = 52
STORE = 802
REFUSES = "memory refuses writes"
BY_HAND = Setup("boston_5", by_hand=True)


def refuse(table: OneTable) -> None:
    """Let flash take nothing any more, and not say so."""
    vars(table.whole.store)["program"] = lambda offset, buf: None  # pyright: ignore[reportUnknownLambdaType]


def test_every_request_that_is_not_kept_fails_not_only_the_first() -> None:
    """EL-3 I-7 (in-process): a closed round, and a count, that the power would take away."""

    async def story(table: OneTable) -> None:
        await table.ready(RED)
        await table.bets()
        refuse(table)
        requests: tuple[tuple[str, dict[str, Any]], ...] = (
            ("no_more_bets", {"round": 1}),
            ("close_round", {"round": 1}),
            ("stub_counted", {"back": RED, "cards": WHOLE}),
            ("out_of_service", {}),
        )
        for name, fields in requests:
            no = await table.ask(name, **fields)
            assert no is not None, name
            assert (no.outcome, no.text) == (link_pb2.FAILED, REFUSES), name
        status = await table.client.status()
        assert (status.state, status.fault) == (link_pb2.UNAVAILABLE, STORE)

    at_a_table(story, BY_HAND)


@pytest.mark.parametrize("cleared", [False, True])
def test_a_fault_that_can_be_cleared_hides_no_flash_that_refuses(cleared: bool) -> None:
    """EL-4 CT-3 (in-process): a wrong count, and then nothing is kept any more."""

    async def story(table: OneTable) -> None:
        await table.load(RED)
        table.machine.infeed.stack.pop()
        since = len(table.told)
        await table.done("shuffle", back=RED)
        await asyncio.sleep(MOMENT_S)
        refuse(table)
        await table.wait("locked_out", since, 60)
        if cleared:
            table.hands.clear()
            await table.ask("cleared")
        await asyncio.sleep(MOMENT_S)
        status = await table.client.status()
        assert (status.state, status.fault) == (link_pb2.UNAVAILABLE, STORE)
        (told,) = table.all("locked_out", since)
        assert not told.record  # it is on no flash

    at_a_table(story)
