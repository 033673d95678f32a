"""`dovetail link soak`: one request after the other, how many were answered and how soon."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path

from host_tools import key_file
from host_tools.link import link_pb2
from host_tools.link.client import Client
from host_tools.link.errors import LinkError, Refused
from host_tools.link.serial_transport import open_port

PATIENCE = 20  # times the status is asked before and after


def share_of(row: list[float], share: float) -> float:
    """So many of them are no greater."""
    return sorted(row)[min(int(len(row) * share), len(row) - 1)]


@dataclass
class Soaked:
    """What came of it."""

    requests: int = 0
    answered: int = 0
    refused: int = 0
    unanswered: int = 0
    events: int = 0
    bad_frames: int = 0  # that the machine has dropped meanwhile
    took_ms: list[float] = field(default_factory=list[float])

    def share_ms(self, share: float) -> float:
        """So many of the answers came within this time."""
        return share_of(self.took_ms, share) if self.took_ms else 0.0

    def row(self) -> dict[str, object]:
        """The numbers, without every single time."""
        row: dict[str, object] = asdict(self)
        del row["took_ms"]
        times = {"median_ms": 0.5, "p99_ms": 0.99, "worst_ms": 1.0}
        row.update((name, round(self.share_ms(share), 3)) for name, share in times.items())
        return row


async def _bad_frames(client: Client) -> int:
    """As the machine says; the line may be a bad one."""
    for _ in range(PATIENCE):
        with suppress(LinkError):
            return (await client.status()).bad_frames
    raise LinkError("status: the line is too bad to be heard")


async def soak(client: Client, seconds: float, now: Callable[[], float], soaked: Soaked) -> None:
    """Ask for the status until the time is over; the last status is not counted."""

    def count(event: link_pb2.Event) -> None:
        soaked.events += event.number > 0

    client.on_event.append(count)
    await client.hello()
    before = await _bad_frames(client)
    end_s = now() + seconds
    while now() < end_s:
        began_s = now()
        soaked.requests += 1
        try:
            await client.status()
        except LinkError:
            soaked.unanswered += 1
            if client.lost:
                raise
            continue
        except Refused:
            soaked.refused += 1
            continue
        soaked.answered += 1
        soaked.took_ms.append((now() - began_s) * 1000)
    soaked.bad_frames = await _bad_frames(client) - before


def live(
    port: str,
    baud: int,
    keys: Path,
    seconds: float,
    as_json: bool,
    say: Callable[[str], None],
    *,
    bench: bool,
) -> int:
    """At a port; 1 when something was not answered."""

    soaked = Soaked()

    async def main() -> None:
        transport = open_port(port, baud)
        known = await key_file.keys_of(transport, keys, port)
        client = Client(transport, keys=known, bench=bench)
        try:
            await soak(client, seconds, time.monotonic, soaked)
        finally:
            await client.close()

    try:
        asyncio.run(main())
    finally:  # also of a line that went away in the middle
        if as_json and soaked.requests:
            say(json.dumps(soaked.row()))
        elif soaked.requests:
            for name, value in soaked.row().items():
                say(f"{name:<11} {value}")
    return 1 if soaked.unanswered or not soaked.answered else 0
