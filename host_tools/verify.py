"""`dovetail verify`: whether a machine's program flash is, byte for byte, a built image."""

from __future__ import annotations

import asyncio
import hmac
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from host_tools import key_file
from host_tools.arguments import Parser, bench_option
from host_tools.build.board_files import board_names, board_table
from host_tools.build.tell import BuildError, UsageError, stop
from host_tools.link import auth, link_pb2
from host_tools.link.client import Client
from host_tools.link.errors import LinkError, Refused
from host_tools.link.serial_transport import open_port
from sim.emulated import uf2

CHALLENGE = 32  # from link/verify.py: CHALLENGE
LOOK_S = 0.2
SAYS = (
    "this proves that the machine can read these bytes now; not that they are what runs, unless",
    "its chip starts signed images only: docs/signing.md",
)
DIFFERENT = (
    "not the image: program flash has other bytes in it, or some of an older image behind this",
    "one; erase the flash, put the image on again, and verify",
)


def program(image: uf2.Image, size: int) -> bytes:
    """Program flash with nothing in it but this image."""
    content = image.content()
    if len(content) > size:
        raise UsageError(f"{image.path}: longer than the machine's program flash, {size:,} bytes")
    return content.ljust(size, b"\xff")


async def answer(client: Client, challenge: bytes) -> link_pb2.Verified:
    """The machine's, when it is through."""
    while True:
        request = link_pb2.Verify(challenge=challenge)
        verified = (await client.request("verify", request)).verified
        if verified.digest:
            return verified
        await asyncio.sleep(LOOK_S)


async def holds(client: Client, path: Path) -> bool:
    """Return whether the machine has this image in its program flash, and nothing else."""
    identity = await client.hello()
    if identity.board not in board_names():
        known = ", ".join(board_names())
        raise UsageError(
            f"verify: the machine is no board of these: {known}, but {identity.board!r}"
        )
    image = uf2.read(path, board_table(identity.board)["CHIP"])
    challenge = os.urandom(CHALLENGE)
    verified = await answer(client, challenge)
    expected = auth.program_digest(client.key, challenge, program(image, verified.size))
    print(
        f"machine {identity.serial.hex()}, {identity.board} {identity.variant}, "
        f"start {identity.boots}"
    )
    print(f"image   {path}, sha256 {image.sha256}")
    return hmac.compare_digest(verified.digest, expected)


async def at_port(port: str, keys: Path, image: Path, bench: bool) -> bool:
    """Ask the machine at a port."""
    transport = open_port(port)
    try:
        role_keys = await key_file.keys_of(transport, keys, port)
        client = Client(transport, keys=role_keys, role=link_pb2.ROLE_AUDIT, bench=bench)
        return await holds(client, image)
    finally:
        transport.close()


def main(argv: Sequence[str]) -> int:
    """0 when it is the image, 1 when not."""
    parser = Parser(
        "verify",
        "Whether a machine's program flash is, byte for byte, this image and nothing else.",
        [
            "dovetail verify --port /dev/ttyUSB0 "
            "--image build/shuffler_rp2040-production/dovetail.uf2"
        ],
    )
    parser.add_argument("--port", help="serial port of the machine's link")
    parser.add_argument("--image", type=Path, help="the image that it should have")
    parser.add_argument(
        "--keys", type=Path, metavar="FILE", help=f"key file (default: {key_file.HOME})"
    )
    bench_option(parser)
    args = parser.parse_args(argv)
    try:
        if not args.port or not args.image:
            raise UsageError("verify: --port PORT and --image FILE are both wanted")
        keys = key_file.place(args.keys, args.port)
        good = asyncio.run(at_port(args.port, keys, args.image, args.bench))
    except (LinkError, Refused, uf2.ImageError) as error:
        stop(UsageError(f"verify: {error}"))
    except BuildError as error:
        stop(error)
    for line in ("verified: it is this image", *SAYS) if good else DIFFERENT:
        print(line, file=sys.stdout if good else sys.stderr)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
