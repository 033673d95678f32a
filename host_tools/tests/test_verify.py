"""`dovetail verify`: the emulated board has the image that was built, or it has not."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import cast

import pytest

from host_tools import verify
from host_tools.build.tell import UsageError
from host_tools.link import link_pb2
from host_tools.link.client import Client, bench_client
from host_tools.link.errors import Refused
from host_tools.measure_link import in_time, powered
from sim.tests.images import image

AT = 0x40000  # in program flash: inside of the image
SILENCE_S = 6.0


def verified(change: int | None = None) -> bool:
    """Return whether a board with the production image, a bit of it bent or not, proves it."""
    board = powered(image("production"), b"")
    if change is not None:
        board.chip.flash()[change] ^= 1

    async def body() -> bool:
        keys = verify.key_file.Keys(b"t" * 32, b"s" * 32, b"a" * 32, b"v" * 32)
        giver = bench_client(board.line, keys=keys, provision=True, nonce=b"g" * 16)
        await giver.hello()
        with pytest.raises(Refused) as no:
            await verify.answer(giver, bytes(32))
        assert no.value.rule == "ROLE"
        await giver.leave()
        await asyncio.sleep(SILENCE_S)
        role = link_pb2.ROLE_AUDIT
        client = bench_client(board.line, keys=keys, role=role, nonce=b"a" * 16)
        try:
            return await verify.holds(client, image("production"))
        finally:
            await client.close()

    return in_time(board, body())


def test_the_board_proves_its_image() -> None:
    assert verified()


def test_a_board_that_nobody_knows_is_one_clear_line() -> None:
    class Other:
        async def hello(self) -> link_pb2.Identity:
            return link_pb2.Identity(board="shuffler_z80")

    with pytest.raises(UsageError, match="but 'shuffler_z80'"):
        asyncio.run(verify.holds(cast(Client, Other()), Path("dovetail.uf2")))


def test_a_bent_bit_behind_the_image_is_found() -> None:
    behind = 0x100000 - 1  # the last byte of program flash, which is erased
    assert not verified(behind)
