"""Writes the UF2 file of an image: flash in blocks, as a board's boot loader takes it on its drive.

The reader, which checks what is given to it, is in sim/emulated/uf2.py.
"""

import struct

FLASH_START = 0x10000000
PAYLOAD_BYTES = 256
BLOCK_BYTES = 512
MAGIC = (0x0A324655, 0x9E5D5157)
MAGIC_END = struct.pack("<I", 0x0AB16F30)
HAS_FAMILY = 0x2000

# Chip → the family number that its boot loader accepts.
FAMILIES = {"rp2040": 0xE48BFF56, "rp2350": 0xE48BFF59}


def encode(image: bytes, chip: str) -> bytes:
    """The UF2 file that puts `image` at the start of a chip's flash."""
    count = -(-len(image) // PAYLOAD_BYTES)
    blocks: list[bytes] = []
    for number in range(count):
        at = number * PAYLOAD_BYTES
        data = image[at : at + PAYLOAD_BYTES]
        numbers = (FLASH_START + at, PAYLOAD_BYTES, number, count, FAMILIES[chip])
        block = struct.pack("<8I", *MAGIC, HAS_FAMILY, *numbers) + data
        blocks.append(block.ljust(BLOCK_BYTES - len(MAGIC_END), b"\0") + MAGIC_END)
    return b"".join(blocks)
