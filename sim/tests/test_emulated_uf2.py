"""UF2 files: what is taken, and how each bad one is refused."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from boards.shuffler_rp2350 import board as rp2350
from sim.emulated import uf2
from sim.emulated.board import EmulatedBoard

RP2040, RP2350 = 0xE48BFF56, 0xE48BFF59
HEAD = (0x0A324655, 0x9E5D5157)


def block(
    number: int, total: int, family: int = RP2040, address: int | None = None, flags: int = 0x2000
) -> bytes:
    where = 0x10000000 + 256 * number if address is None else address
    head = struct.pack("<8I", *HEAD, flags, where, 256, number, total, family)
    return head + bytes([number]) * 476 + struct.pack("<I", 0x0AB16F30)


def whole(count: int = 3, family: int = RP2040) -> bytes:
    return b"".join(block(i, count, family) for i in range(count))


def test_a_whole_image(tmp_path: Path) -> None:
    path = tmp_path / "a.uf2"
    path.write_bytes(whole())
    image = uf2.read(path, "rp2040")
    assert image.content() == b"\0" * 256 + b"\1" * 256 + b"\2" * 256
    assert len(image.sha256) == len(image.content_sha256()) == 64


def test_the_block_that_an_rp2350_may_lose_is_no_part_of_the_image(tmp_path: Path) -> None:
    spare = block(0, 2, 0xE48BFF57, address=0x10FFFF00, flags=0xA000)
    image = uf2.parse(spare + whole(family=RP2350), "rp2350", tmp_path)
    assert len(image.content()) == 768


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "not a UF2 image"),
        (b"hello" * 200, "not a UF2 image"),
        (whole()[:-1], "truncated UF2"),
        (whole()[:-512], "truncated UF2: 2 of 3 blocks"),
        (whole()[512:], "truncated UF2: 2 of 3 blocks"),
        (whole(family=RP2350), "made for an rp2350, and this is an rp2040"),
        (block(0, 2, 0xE48BFF57) + whole(), "made for an rp2350"),
        (whole(family=0x68ED2B88), "made for family 0x68ed2b88"),
        (block(0, 1, flags=0), "made for no chip in particular"),
        (whole()[:-4] + b"\0\0\0\0", "block 2 is damaged"),
        (block(0, 2) + block(0, 2), "block 1 is damaged"),
        (block(0, 2) + block(1, 3), "block 1 is damaged"),
        (block(0, 1, address=0x20000000), "block 0 is damaged"),
        (block(0, 1, flags=0x2001), "truncated UF2"),
    ],
)
def test_bad_images_are_refused_in_one_line(data: bytes, why: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.uf2"
    path.write_bytes(data)
    with pytest.raises(uf2.ImageError, match=why) as refused:
        uf2.read(path, "rp2040")
    assert str(path) in str(refused.value)
    assert "\n" not in str(refused.value)


def test_an_image_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(uf2.ImageError, match=r"nothing\.uf2: No such file or directory"):
        uf2.read(tmp_path / "nothing.uf2", "rp2040")


def test_the_rp2350_cannot_be_emulated(tmp_path: Path) -> None:
    with pytest.raises(uf2.ImageError, match="shuffler_rp2350: only the rp2040"):
        EmulatedBoard(tmp_path / "any.uf2", rp2350)
