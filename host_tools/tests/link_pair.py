"""The host's client and the device's server on a line in memory, in virtual time."""

import asyncio
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

from dovetail.clock import Flag
from dovetail.link import names as schema
from dovetail.link.server import Link

from host_tools.link import link_pb2
from host_tools.link.client import Client, bench_client
from host_tools.link.keys import of_seed
from host_tools.link.session import BAUD
from sim.loop import HeapWorld, run

DELAY_S = 0.003
KEYS = of_seed(1)
PROGRAM = bytes(range(256)) * 8
LIMIT_S = 3600  # virtual: of a test that would wait for ever
Mangle = Callable[[bytes], list[bytes]]


def as_it_is(data: bytes) -> list[bytes]:
    """A good line."""
    return [data]


def worn(random: Random, share: float) -> Mangle:
    """A line that loses, bends and doubles this share of the pieces."""

    def mangle(data: bytes) -> list[bytes]:
        if random.random() >= share:
            return [data]
        bent = bytearray(data)
        bent[random.randrange(len(bent))] ^= 1 << random.randrange(8)
        return random.choice([[], [data, data], [bytes(bent)], [data[: len(data) // 2]]])

    return mangle


class Line:
    """Both ends: the client's transport, and the device's UART."""

    def __init__(self) -> None:
        self.on_bytes: Callable[[bytes], None] = lambda data: None
        self.on_lost: Callable[[str], None] = lambda why: None
        self.baud = BAUD  # the client's; where it is not the machine's nothing passes
        self.machine_baud = BAUD
        self.to_machine: Mangle = as_it_is
        self.to_client: Mangle = as_it_is
        self.inbox = bytearray()
        self.came = Flag()
        self.closed = False

    def write(self, data: bytes) -> None:
        """From the client."""
        for piece in self.to_machine(data):
            asyncio.get_running_loop().call_later(DELAY_S, self._arrive, piece)

    def set_baud(self, baud: int) -> None:
        """By the client."""
        self.baud = baud

    def close(self) -> None:
        """By the client."""
        self.closed = True

    def _arrive(self, piece: bytes) -> None:
        if self.baud == self.machine_baud:
            self.inbox += piece
            self.came.set()

    def uart(self) -> "Uart":
        """The device's end; after a restart a new one, and nothing old in it."""
        self.inbox, self.came = bytearray(), Flag()
        self.machine_baud = BAUD
        return Uart(self)


class Uart:
    """What hal.uart is."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self.bauds: list[int] = []

    @property
    def baud(self) -> int:
        """The machine's."""
        return self.line.machine_baud

    async def set_baud(self, baud: int) -> None:
        """By the machine."""
        self.line.machine_baud = baud

    def take(self, buf: bytearray) -> int:
        """Nothing without a wait."""
        return 0

    def waits(self) -> bool:
        """Return whether bytes are there that nobody has taken."""
        return bool(self.line.inbox)

    async def read(self, buf: bytearray) -> int:
        """At least one byte."""
        while not self.line.inbox:
            await self.line.came.wait()
        n = min(len(buf), len(self.line.inbox))
        buf[:n] = self.line.inbox[:n]
        del self.line.inbox[:n]
        return n

    async def write(self, buf: bytearray, n: int) -> None:
        """In order, after a while."""
        await asyncio.sleep(DELAY_S)
        for piece in self.line.to_client(bytes(buf[:n])):
            if self.line.baud == self.line.machine_baud:
                self.line.on_bytes(piece)


class Guard:
    """What keys.py is to the machine."""

    program_size = len(PROGRAM)

    def __init__(self) -> None:
        self.keys: list[bytes] = [b"", KEYS.table, KEYS.service, KEYS.audit]
        self.no: dict[int, dict[str, Any]] = {}
        self.noted: list[tuple[str, int]] = []

    def key(self, role: int) -> bytes | None:
        """Of a role."""
        return self.keys[role] if self.keys else None

    def fresh(self) -> bytes:
        """Whatever."""
        return b""

    def provision(self, fields: dict[str, bytes]) -> dict[str, Any]:
        """Once."""
        if self.keys:
            return {"outcome": schema.REFUSED, "rule": "KEYS"}
        self.keys = [b"", *(fields[f"{name}_key"] for name in ("table", "service", "audit"))]
        return {"outcome": schema.DONE}

    def hinder(self, role: int) -> dict[str, Any] | None:
        """Nothing, but what a test says."""
        return self.no.get(role)

    def recorded(self) -> int:
        """No journal."""
        return 0

    async def settled(self) -> bool:
        """Nothing waits for flash."""
        return True

    def began(self, role: int) -> None:
        """Noted."""
        self.noted.append(("began", role))

    def ended(self, role: int) -> None:
        """Noted."""
        self.noted.append(("ended", role))

    def failed(self, role: int, reason: int, failures: int) -> None:
        """Noted."""
        self.noted.append(("failed", failures))

    def program(self, offset: int, n: int) -> bytes:
        """Flash."""
        return PROGRAM[offset : offset + n]


class Machine:
    """Does what it is asked, notes it, and tells of every deal by an event."""

    def __init__(self, line: Line, variant: str = "") -> None:
        self.line = line
        self.variant = variant  # of its image
        self.guard = Guard()
        self.boots = 0
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.refusal: dict[str, Any] | None = None
        self.start()

    def start(self) -> None:
        """Power on, with nothing remembered but the number of starts."""
        self.boots += 1
        identity = {"board": "none", "boots": self.boots, "variant": self.variant}
        loop = asyncio.get_running_loop()
        began_s = loop.time()
        self.link: Any = Link(
            self.line.uart(),
            self.handle,
            self.guard,
            identity,
            lambda: int((loop.time() - began_s) * 1000),
        )
        self.task = asyncio.create_task(self.link.run())
        self.link.event("started", {"boots": self.boots})

    async def stop(self) -> None:
        """Power off."""
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)

    def handle(self, name: str, fields: dict[str, Any]) -> Any:
        """As machine.py would."""
        if name == "digest":
            return 77
        if name == "status":
            return {"outcome": schema.DONE, "status": {"state": schema.READY, "digest": 77}}
        self.asked.append((name, fields))
        if self.refusal:
            return self.refusal
        if name == "deal":
            self.link.event("stack", {"round": fields["round"], "position": fields["position"]})
        return {"outcome": schema.DONE}


def pair(
    test: Callable[[Client, Machine, Line], Awaitable[None]],
    tries: int = 5,
    role: link_pb2.Role = link_pb2.ROLE_TABLE,
) -> None:
    """Run `test` with a client and a machine on one line."""

    async def main() -> None:
        line = Line()
        machine = Machine(line)
        client = bench_client(line, keys=KEYS, role=role, nonce=bytes(16), tries=tries)
        try:
            async with asyncio.timeout(LIMIT_S):
                await test(client, machine, line)
        finally:
            await client.close()
            await machine.stop()
        assert machine.link.failures == 0
        assert line.closed

    run(HeapWorld(), main())
