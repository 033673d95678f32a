"""Secrets are planted in a machine, and looked for in everything that leaves it."""

from __future__ import annotations

import asyncio
import base64
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from dovetail import start  # pyright: ignore[reportUnknownVariableType]: device code

from hil_tests.bench import Bench
from hil_tests.memory import find_bytes
from host_tools import key_file
from host_tools.hands import SimulatedHands
from host_tools.journal import command
from host_tools.journal.segments import SECTOR, Journal, find
from host_tools.journal.source import Reader
from host_tools.journal.verify import chain_key
from host_tools.link import frame, link_pb2
from host_tools.link.keys import of_seed
from host_tools.link.transport import Transport
from host_tools.rigs import Rig, beside
from sim.inprocess import InProcess
from sim.loop import run

SEED = 11
NONCE = bytes(16)
OLD, NEW = of_seed(SEED), of_seed(SEED + 1).audit
CALIBRATION = of_seed(SEED + 2).table  # bytes like none other
SECRETS = {
    "table key": OLD.table,
    "service key": OLD.service,
    "supervisor key": OLD.supervisor,
    "first audit key": OLD.audit,
    "audit key": NEW,
    "chain key": chain_key(NEW, b"simulate"),
    "calibration": CALIBRATION,
}
SETTINGS = 2 * SECTOR


def guises(secrets: dict[str, bytes]) -> dict[str, bytes]:
    """As bytes, in hexadecimal digits and in base 64, wherever that begins to count."""
    found = dict(secrets)
    for name, secret in secrets.items():
        found[f"{name}, hex"] = secret.hex().encode()
        found[f"{name}, HEX"] = secret.hex().upper().encode()
        for before in range(3):
            coded = base64.b64encode(bytes(before) + secret)
            found[f"{name}, base 64 from {before}"] = coded[4 if before else 0 : -4]
    return found


class Wire:
    """A line, and everything that passes on it."""

    def __init__(self, line: Transport) -> None:
        self.on_bytes: Callable[[bytes], None] = lambda data: None
        self.on_lost: Callable[[str], None] = lambda why: None
        self.seen = bytearray()
        self._line = line
        line.on_bytes = self._received

    def _received(self, data: bytes) -> None:
        self.seen += data
        self.on_bytes(data)

    def write(self, data: bytes) -> None:
        """To the machine."""
        self.seen += data
        self._line.write(data)

    def set_baud(self, baud: int) -> None:
        """Another rate of the line."""
        self._line.set_baud(baud)

    def close(self) -> None:
        """It stays open for the next controller."""


class Past:
    """A machine with secrets, and all that was heard of it."""

    def __init__(self) -> None:
        self.secrets = dict(SECRETS)
        self.given = b""  # what passed while it was given its keys
        whole = InProcess(SEED)
        self.wire = Wire(whole.transport)
        hands = SimulatedHands(whole.hands, SEED)
        self.rig = Rig("", self.wire, hands, hands, whole.machine, whole.world.now_ns, keys=OLD)
        run(whole.world, beside(whole.start(), self.live()))
        self.flash = bytes(whole.store.cells)

    async def live(self) -> None:
        """Keys, another audit key, calibration; a round; every role reads what it may."""
        rig, wire = self.rig, self.wire
        bench = Bench(rig)
        await bench.prepare()
        self.given = bytes(wire.seen)
        wire.seen.clear()
        machine: Any = start.machine
        machine.settings.put({"calibration": CALIBRATION})
        machine.journal.set_key(NEW)
        await bench.ready()
        await bench.whole_round()
        await self.wrong_tags(bench)
        rig.keys = replace(OLD, audit=NEW)
        self.secrets["session key of table"] = bench.client.key
        await bench.watch.close()
        await bench.client.leave()
        for name, role in (
            ("service", link_pb2.ROLE_SERVICE),
            ("supervisor", link_pb2.ROLE_SUPERVISOR),
            ("audit", link_pb2.ROLE_AUDIT),
        ):
            client = rig.client(role=role, nonce=NONCE)
            await client.hello()
            self.secrets[f"session key of {name}"] = client.key
            await client.request("meters", link_pb2.GetMeters())
            if name == "audit":
                await Reader.of(client).all()
            await client.leave()

    async def wrong_tags(self, bench: Bench) -> None:
        """Somebody tries keys; the machine writes that down, and not the keys."""
        for counter in (1000, 1001):
            body = link_pb2.Request(id=90, status=link_pb2.GetStatus()).SerializeToString()
            self.wire.write(frame.encode(frame.REQUEST, counter, body, bytes(32)))
        await asyncio.sleep(2.0)


@pytest.fixture(scope="module")
def past() -> Past:
    return Past()


def test_the_secrets_are_there_and_can_be_found(past: Past) -> None:
    """In the settings, and on the line when the keys were given: so the search can find them."""
    kept = {find.what for find in find_bytes(past.flash[:SETTINGS], past.secrets)}
    keys = {"table key", "service key", "supervisor key", "first audit key"}
    assert kept == {*keys, "audit key", "calibration"}
    given = {find.what for find in find_bytes(past.given, past.secrets)}
    assert given == keys
    for name, secret in guises(past.secrets).items():
        coded = b"-" + secret + b"-"
        assert find_bytes(coded, {name: secret}), name


def test_nothing_secret_is_on_the_line(past: Past) -> None:
    assert len(past.wire.seen) > 10_000
    assert find_bytes(bytes(past.wire.seen), guises(past.secrets)) == []


def test_nothing_secret_is_in_the_journal(past: Past) -> None:
    journal = Journal.of(find(past.flash))
    kinds = {record.kind for record in journal.records()}
    assert {"setting", "session", "auth", "stack", "closed"} <= kinds
    assert find_bytes(past.flash[SETTINGS:], guises(past.secrets)) == []


ACTIONS = (
    ("--bundle", "OUT"),
    ("--export", "jsonl", "--out", "OUT"),
    ("--export", "csv", "--out", "OUT"),
    ("--story", "round=1", "--out", "OUT"),
    ("--story", "start=1", "--out", "OUT"),
    ("--meters", "--out", "OUT"),
    ("--verify", "--key", "KEY", "--out", "OUT"),
    ("--verify", "--keys", "KEYS", "--out", "OUT"),
    ("--out", "OUT"),
)


@pytest.mark.parametrize("words", ACTIONS, ids=" ".join)
def test_nothing_secret_is_told(past: Past, words: tuple[str, ...], tmp_path: Path) -> None:
    """Not in the bundle, not in any other thing that the command makes."""
    flash, key, keys, out = (tmp_path / name for name in ("flash.bin", "a.key", "k.json", "out"))
    flash.write_bytes(past.flash)
    key.write_text(NEW.hex())
    key_file.write(keys, {b"simulate".hex(): past.rig.keys})
    names = {"OUT": str(out), "KEY": str(key), "KEYS": str(keys)}
    command.main(["--flash", str(flash), *(names.get(word, word) for word in words)])
    if "--bundle" in words:
        with zipfile.ZipFile(out) as opened:
            content = b"\0".join(opened.read(name) for name in opened.namelist())
            content += b"\0".join(name.encode() for name in opened.namelist())
    else:
        content = out.read_bytes()
    assert len(content) > 100
    assert find_bytes(content, guises(past.secrets)) == []
