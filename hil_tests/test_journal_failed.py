"""A journal that cannot be used: service only, and it can still be read out."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hil_tests.bench import Bench
from hil_tests.journal_bench import SECTORS, Table
from hil_tests.service import of_role
from host_tools.heard import Heard
from host_tools.link import link_pb2
from host_tools.link.client import Client
from host_tools.link.errors import Refused
from host_tools.link.keys import of_seed
from sim.block import Block
from sim.emulated.noise import good, stuck

JOURNAL = 803
LOST = "the journal has failed: keys would not be kept"


async def _out_of_service(bench: Bench, why: str) -> None:
    """What a machine says whose journal cannot be used."""
    heard: Heard = bench.heard
    client: Client = bench.client
    await client.hello()
    started = (await heard.wait("started")).started
    assert started.journal == f"failed: {why}"
    assert started.may_be_inside
    assert not started.self_test & 2
    status = await client.status()
    assert (status.state, status.fault) == (link_pb2.UNAVAILABLE, JOURNAL)
    with pytest.raises(Refused) as no:
        await client.load(link_pb2.RED)
    assert no.value.outcome in (link_pb2.REFUSED, link_pb2.NOT_NOW)


def test_the_journal_of_another_device_means_service_only() -> None:
    """And it can still be read out."""
    first = Table()
    first.run(lambda bench: bench.prepare())
    second = Table(bytes(first.block.cells))
    second.whole.hal.unique_id = b"another1"

    async def story(bench: Bench) -> None:
        await _out_of_service(bench, "the journal of another device")
        await bench.client.leave()
        service = await of_role(bench, link_pb2.ROLE_SERVICE)
        assert (await service.status()).fault == JOURNAL
        assert (await service.request("read_sensors", link_pb2.ReadSensors())).sensors.lid
        await bench.refused(service.load(link_pb2.RED), "EL-2", JOURNAL)
        await bench.refused(service.cleared(), "SH-5")
        await service.leave()
        auditor = bench.rig.client(role=link_pb2.ROLE_AUDIT, nonce=bytes(16))
        await auditor.hello()
        part = await auditor.request("read_journal", link_pb2.ReadJournal())
        assert part.journal.data.startswith(b"DJ")
        await auditor.leave()

    before = bytes(second.block.cells)
    second.run(story)
    assert bytes(second.block.cells) == before


def _of_another_device(cells: bytes, noise: Callable[[], int]) -> Table:
    table = Table(cells)
    table.whole.hal.unique_id = b"another1"
    table.whole.hal.noise.use(noise)
    return table


def test_a_session_is_never_the_same_again_though_no_start_is_counted() -> None:
    """Else who has heard one could play it back after a power-on, without a key."""
    first = Table()
    first.run(lambda bench: bench.prepare())
    nonces: list[bytes] = []

    async def story(bench: Bench) -> None:
        client = bench.rig.client(role=link_pb2.ROLE_SERVICE, nonce=bytes(16))
        nonces.append((await client.hello()).nonce)
        await client.leave()

    for seed in (1, 2):
        _of_another_device(bytes(first.block.cells), good(seed)).run(story)
    assert len(nonces[0]) == len(nonces[1]) == 16
    assert nonces[0] != nonces[1]


def test_without_journal_and_noise_no_session_begins() -> None:
    first = Table()
    first.run(lambda bench: bench.prepare())

    async def story(bench: Bench) -> None:
        client = bench.rig.client(role=link_pb2.ROLE_SERVICE, nonce=bytes(16))
        with pytest.raises(Refused) as no:
            await client.hello()
        assert no.value.outcome == link_pb2.FAILED
        assert "noise" in no.value.text

    _of_another_device(bytes(first.block.cells), stuck(1)).run(story)


def test_lost_settings_mean_service_only() -> None:
    """Nobody gives such a machine new keys: it is for the bench."""
    first = Table()
    first.run(lambda bench: bench.prepare())
    cells = bytes(first.block.cells)
    cells = cells[: 2 * Block.SECTOR].translate(bytes(256)) + cells[2 * Block.SECTOR :]
    second = Table(cells)

    async def story(bench: Bench) -> None:
        with pytest.raises(Refused) as no:
            await bench.client.hello()  # it has no keys, and these are offered
        assert no.value.rule == "KEYS"
        with pytest.raises(Refused) as no:
            await bench.client.provision(of_seed(1))
        assert (no.value.rule, no.value.text) == ("KEYS", LOST)

    second.run(story)
    assert bytes(second.block.cells) == cells


def test_lost_records_mean_service_only() -> None:
    """A wiped journal beside settings that know of one."""
    first = Table()
    first.run(lambda bench: bench.prepare())
    cells = bytes(first.block.cells[: 2 * Block.SECTOR]).ljust(SECTORS * Block.SECTOR, b"\xff")
    Table(cells).run(lambda bench: _out_of_service(bench, "no records where there were some"))
