"""Flash that refuses while a request is done: the answer says so; there are all keys or none."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from hil_tests.bench import Bench
from hil_tests.journal_bench import Table
from hil_tests.test_journal_machine import firmware
from host_tools.link import link_pb2
from host_tools.link.client import bench_client
from host_tools.link.errors import Refused
from host_tools.link.keys import of_seed

KEYS = of_seed(9)
NAMES = ("key.table", "key.service", "key.audit")
REFUSES = "memory refuses writes"
STORE = 802
OPERATIONS = 6  # of a provisioning, at least: two slots, a segment, its records

Refusal = Callable[[int], bool]  # by the number of the operation


def there() -> list[bool]:
    """Which keys the machine has."""
    kept = [firmware().settings.get(name) for name in NAMES]
    assert [one for one in kept if one] in ([], [KEYS.table, KEYS.service, KEYS.audit])
    return [bool(one) for one in kept]


def provision(table: Table, refusal: Refusal) -> tuple[str, bool, int]:
    """What is answered, whether it has keys then, and how many operations of flash it took."""
    found: list[tuple[str, bool, int]] = []

    async def story(bench: Bench) -> None:
        client = bench_client(bench.rig.transport, nonce=bytes(16))
        assert not (await client.hello()).keyed
        await asyncio.sleep(3.0)  # it has erased ahead
        start = table.block.operations

        def refuse(kind: str, offset: int) -> bool:
            return refusal(table.block.operations - 1 - start)

        table.block.refuse = refuse
        said = "DONE"
        try:
            await client.provision(KEYS)
        except Refused as no:
            said = no.text if no.outcome == link_pb2.FAILED else str(no)
        taken = table.block.operations - start
        has = all(there())
        assert (await client.hello()).keyed == has
        if has:
            status = await client.status()
            fine = (link_pb2.IDLE, 0)
            refused = (link_pb2.UNAVAILABLE, STORE)
            assert (status.state, status.fault) == (fine if said == "DONE" else refused)
        found.append((said, has, taken))
        table.block.refuse = lambda kind, offset: False

    table.run(story)
    return found[0]


def after_power(table: Table) -> bool:
    """Return whether it has keys when it is switched on again."""
    found: list[bool] = []
    again = Table(bytes(table.block.cells))

    async def story(bench: Bench) -> None:
        keyed = (await bench_client(bench.rig.transport, nonce=bytes(16)).hello()).keyed
        assert keyed == all(there())
        found.append(keyed)

    again.run(story)
    return found[0]


def test_provisioning_gives_all_keys_or_none() -> None:
    said, has, taken = provision(Table(), lambda n: False)
    assert (said, has, taken >= OPERATIONS) == ("DONE", True, True)
    for at in range(taken):
        table = Table()
        said, has, _ = provision(table, lambda n, at=at: n >= at)
        assert said == REFUSES, at  # whatever of it flash has not taken
        assert after_power(table) == has, at
        table = Table()
        said, has, _ = provision(table, lambda n, at=at: n == at)  # this one only
        assert (said == "DONE") <= has, at
        assert after_power(table) == has, at


@pytest.mark.parametrize("refuses", [True, False])
def test_flash_that_fails_inside_of_a_request_is_told(refuses: bool) -> None:
    """What it has done is not on flash: its answer says so, and the machine stops."""
    table = Table()

    async def story(bench: Bench) -> None:
        await bench.prepare()
        await bench.ready()
        await asyncio.sleep(3.0)
        table.block.refuse = lambda kind, offset: refuses
        outcome, text = link_pb2.DONE, ""
        try:
            await bench.client.out_of_service()
        except Refused as no:
            outcome, text = no.outcome, no.text
        wanted = (link_pb2.FAILED, REFUSES) if refuses else (link_pb2.DONE, "")
        assert (outcome, text) == wanted
        state = link_pb2.UNAVAILABLE if refuses else link_pb2.OUT_OF_SERVICE
        assert (await bench.client.status()).state == state
        assert firmware().fault == (STORE if refuses else 0)

    table.run(story)
