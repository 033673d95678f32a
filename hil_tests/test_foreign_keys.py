"""Keys that an image of another variant was given are gone from flash before anybody reads them."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest
from dovetail import keys as device_keys
from dovetail.journal.journal import Journal

from hil_tests.bench import Bench
from hil_tests.journal_bench import SECTORS, SEED, Table
from host_tools import rigs
from host_tools.link import link_pb2
from host_tools.link.client import Client, bench_client
from host_tools.link.errors import Refused
from host_tools.link.keys import ROLES, Keys, of_seed
from host_tools.rules.device import put_settings
from sim.block import TEARS, Block
from sim.emulated.board import EmulatedBoard
from sim.hal import UNIQUE_ID, Store
from sim.inprocess import IMAGE
from sim.tests.images import image

KEYS = of_seed(0)  # those that the rig gives
SECOND = of_seed(SEED + 1)


def provisioned() -> bytes:
    """Return the flash of a machine that was given keys, and then others in their place."""
    table = Table()

    async def story(bench: Bench) -> None:
        await bench.client.hello()
        hands = bench.rig.hands
        assert hands is not None
        await hands.switch("lid", False)
        await hands.switch("door", False)
        await bench.client.provision(SECOND)

    table.run(story)
    cells = bytes(table.block.cells)
    assert SECOND.table in cells
    assert KEYS.audit in cells  # the audit key before: a power cut may need it
    return cells


def shown(cells: bytes) -> list[str]:
    """Return the names of the keys that lie somewhere in this flash."""
    known: dict[str, Keys] = {"first": KEYS, "second": SECOND}
    return [
        f"{which} {name}"
        for which, keys in known.items()
        for name, role in ROLES.items()
        if keys.of(role) in cells
    ]


@pytest.mark.parametrize("failed", [False, True], ids=["journal whole", "journal failed"])
def test_an_image_of_another_variant_finds_no_key(
    monkeypatch: pytest.MonkeyPatch, failed: bool
) -> None:
    """Also where the journal has failed, and no key that was renewed before."""
    table = Table(provisioned())
    monkeypatch.setitem(IMAGE, "variant", "bench")
    if failed:
        table.whole.hal.unique_id = b"another1"

    async def story(bench: Bench) -> None:
        client = bench_client(bench.rig.transport, nonce=bytes(16))
        identity = await client.hello()
        assert identity.variant == "bench"
        assert not identity.keyed
        assert shown(bytes(table.block.cells)) == []
        await client.leave()

    table.run(story)


def test_an_image_of_the_same_variant_keeps_its_keys() -> None:
    """Else the test above would see nothing."""
    table = Table(provisioned())

    async def story(bench: Bench) -> None:
        bench.rig.keys, bench.rig.fresh = SECOND, False
        client = bench.rig.client(role=link_pb2.ROLE_AUDIT, nonce=bytes(16))
        assert (await client.hello()).keyed
        assert "second table" in shown(bytes(table.block.cells))
        await client.leave()

    table.run(story)


def test_flash_that_refuses_the_journal_keeps_no_key() -> None:
    """The settings take what is written, the ring does not."""
    block = Block(SECTORS * Block.SECTOR, provisioned())
    block.refuse = lambda kind, offset: offset >= 2 * Block.SECTOR
    started(block, UNIQUE_ID)
    assert shown(bytes(block.cells)) == []


@pytest.mark.slow
def test_the_flashed_image_takes_the_keys_of_a_bench_image_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """(emulated): a client that takes production images alone finds it without keys."""
    given = {f"key.{name}": KEYS.of(role) for name, role in ROLES.items()}
    made = rigs.configured

    def configured(wanted: rigs.Wanted, unique_id: bytes = UNIQUE_ID) -> Store:
        store = made(wanted, unique_id)
        put_settings(store, unique_id, {**given, "variant": b"bench"})
        assert len(shown(bytes(store.cells))) == len(ROLES)
        return store

    async def body(rig: rigs.Rig) -> None:
        assert rig.machine is not None
        flash = cast(EmulatedBoard, rig.machine.world).chip.flash()
        client = Client(rig.transport, keys=KEYS, nonce=bytes(16))
        with pytest.raises(Refused) as no:
            await client.hello()
        assert no.value.rule == "KEYS"
        assert shown(bytes(flash)) == []
        await client.leave()

    monkeypatch.setattr(rigs, "configured", configured)
    image("production")
    rigs.emulated(rigs.Wanted(SEED), body)


def started(block: Block, unique_id: bytes) -> None:
    """Do what a start of a bench image does about keys."""
    journal: Any = Journal(block, unique_id)
    machine: Any = SimpleNamespace(
        journal=journal,
        settings=journal.settings,
        image={"variant": "bench"},
        note=lambda kind, fields: None,  # pyright: ignore[reportUnknownLambdaType]
    )
    cast(Any, device_keys).wipe_foreign(machine)


@pytest.mark.parametrize("unique_id", [UNIQUE_ID, b"another1"], ids=["whole", "failed"])
@pytest.mark.parametrize("tear", TEARS)
def test_the_power_fails_while_keys_are_taken_away(unique_id: bytes, tear: str) -> None:
    """At each erase and program; the next start of that image leaves no key."""
    before, random = provisioned(), Random(SEED)
    block = Block(SECTORS * Block.SECTOR, before)
    block.noted = []
    started(block, unique_id)
    assert shown(bytes(block.cells)) == []
    cells = bytearray(before)
    assert len(block.noted) >= 8  # two writes of two slots, at least
    for operation in block.noted:
        end = operation.offset + len(operation.after)
        torn = bytearray(cells)
        torn[operation.offset : end] = operation.torn(tear, random)
        again = Block(SECTORS * Block.SECTOR, bytes(torn))
        started(again, unique_id)
        assert shown(bytes(again.cells)) == [], operation.offset
        cells[operation.offset : end] = operation.after
