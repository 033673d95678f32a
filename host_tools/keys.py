"""`dovetail keys`: make the keys of a machine, once, and tell keys apart without showing them."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

from host_tools import key_file
from host_tools.arguments import Parser, bench_option, one_of
from host_tools.build.tell import BuildError, UsageError, stop
from host_tools.link import link_pb2
from host_tools.link.client import Client
from host_tools.link.errors import BenchImage, LinkError, Refused
from host_tools.link.keys import Keys, drawn
from host_tools.link.serial_transport import open_port
from host_tools.link.session import PRODUCTION
from host_tools.link.transport import Transport

ACTIONS = ("make", "show-id")


def parser() -> Parser:
    """The options of the command."""
    p = Parser(
        "keys",
        "The keys of a machine's roles. They are made once, on the bench, and never shown.",
        [
            "dovetail keys make --port /dev/ttyUSB0   draw, keep and give keys",
            "dovetail keys show-id                    which machines' keys are in the file",
        ],
    )
    p.add_argument("action", help=" or ".join(ACTIONS))
    p.add_argument("--port", help="serial port of the machine")
    p.add_argument(
        "--keys", type=Path, metavar="FILE", help=f"the key file (default: {key_file.HOME})"
    )
    bench_option(p)
    return p


def show(serial: str, keys: Keys) -> None:
    """What may be shown."""
    ids = "  ".join(f"{name} {key}" for name, key in keys.ids().items())
    print(f"machine {serial}  {ids}")


async def prove(transport: Transport, keys: Keys, path: Path, bench: bool) -> None:
    """Two sessions, so that these are the machine's keys; one of a service may not begin now."""
    for role in (link_pb2.ROLE_AUDIT, link_pb2.ROLE_TABLE):
        client = Client(transport, keys=keys, role=role, bench=bench)
        try:
            await client.hello()
        except BenchImage:
            raise
        except LinkError:
            raise UsageError(f"{path}: these are not the keys that the machine has") from None
        await client.leave()


async def make(port: str, path: Path, bench: bool) -> None:
    """Keys for the machine at a port. They are in the file before the machine has them."""
    transport = open_port(port)
    try:
        identity = await key_file.identify(transport)
        if not bench and identity.variant != PRODUCTION:
            raise BenchImage(identity.variant)  # before keys are drawn for it
        serial = identity.serial.hex()
        machines = key_file.read(path)
        if identity.keyed and serial not in machines:
            raise UsageError(f"{port}: the machine {serial} has keys, and they are not in {path}")
        if serial not in machines:
            machines[serial] = drawn()
            key_file.write(path, machines)
        if not identity.keyed:
            client = Client(transport, bench=bench)
            await client.provision(machines[serial])
            await client.leave()
        await prove(transport, machines[serial], path, bench)
        show(serial, machines[serial])
        print(f"kept in {path}: keep a copy in a safe place, nobody can read them from the machine")
    finally:
        transport.close()


def main(argv: Sequence[str]) -> int:
    """Do it, or say in one line why not."""
    args = parser().parse_args(argv)
    path = args.keys or key_file.HOME
    try:
        one_of("action", args.action, ACTIONS)
        if args.action == "make":
            if not args.port:
                raise UsageError("keys: which port? dovetail keys make --port PORT")
            asyncio.run(make(args.port, path, args.bench))
            return 0
        if args.port:
            raise UsageError("keys: --port goes with make")
        machines = key_file.read(path)
        if not machines:
            raise UsageError(f"{path}: no keys there; dovetail keys make --port PORT makes some")
        for serial, keys in machines.items():
            show(serial, keys)
    except (LinkError, Refused) as error:
        stop(UsageError(f"keys: {error}"))
    except BuildError as error:
        stop(error)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
