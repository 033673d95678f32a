"""The serial transport on a pty: bytes both ways, a pulled cable, ports that do not open."""

import asyncio
import errno
import fcntl
import os
import pty
import tty
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest
import serial

from host_tools.link import frame, link_pb2
from host_tools.link.client import Client
from host_tools.link.errors import LinkError
from host_tools.link.serial_transport import PortError, open_port


class Port:
    """A pty: its name is the port, its other end the machine's."""

    def __init__(self) -> None:
        self.machine, self.controller = pty.openpty()
        tty.setraw(self.controller)
        self.name = os.ttyname(self.controller)

    def close(self) -> None:
        """Both ends."""
        for fd in (self.machine, self.controller):
            try:
                os.close(fd)
            except OSError:
                assert fd == self.machine  # a test has pulled it


@pytest.fixture
def port() -> Iterator[Port]:
    """One that is closed afterwards."""
    made = Port()
    yield made
    made.close()


def on_loop(test: Callable[[], Awaitable[None]]) -> None:
    """Run it, but not for ever."""

    async def main() -> None:
        async with asyncio.timeout(60):
            await test()

    asyncio.run(main())


def test_bytes_go_both_ways_even_when_the_port_is_full(port: Port) -> None:
    sent = bytes(range(256)) * 400  # more than a pty takes at once

    async def test() -> None:
        transport = open_port(port.name)
        came = bytearray()
        done = asyncio.Event()

        def take(data: bytes) -> None:
            came.extend(data)
            if len(came) == 4:
                done.set()

        transport.on_bytes = take
        transport.write(sent)
        received = await asyncio.to_thread(read_all, port.machine, len(sent))
        assert received == sent
        os.write(port.machine, b"\0\x11\x13\xff")
        await done.wait()
        assert came == b"\0\x11\x13\xff"
        transport.close()
        transport.write(b"nothing")  # after the end: nothing happens
        transport.close()

    on_loop(test)


def read_all(fd: int, count: int) -> bytes:
    """So many bytes."""
    data = b""
    while len(data) < count:
        data += os.read(fd, 4096)
    return data


def test_a_cable_that_is_pulled_ends_the_request(port: Port) -> None:
    async def test() -> None:
        client = Client(open_port(port.name))
        asyncio.get_running_loop().call_later(0.02, os.close, port.machine)
        with pytest.raises(LinkError, match="the line is gone: " + port.name):
            await client.status()
        await client.close()

    on_loop(test)


def test_a_client_talks_through_a_port(port: Port) -> None:
    def machine() -> None:
        receiver = frame.Receiver(frame.REQUEST)
        while True:
            for found in receiver.feed(os.read(port.machine, 4096)):
                request = link_pb2.Request.FromString(found.body)
                answer = {"id": request.id, "outcome": link_pb2.DONE, "status": {"shoe": 52}}
                body = link_pb2.Report(answer=answer).SerializeToString()
                os.write(port.machine, frame.encode(frame.REPORT, 1, body))
                return

    async def test() -> None:
        client = Client(open_port(port.name))
        answering = asyncio.create_task(asyncio.to_thread(machine))
        assert (await client.status()).shoe == 52
        await answering
        await client.close()

    on_loop(test)


def test_a_port_that_is_in_use_is_refused(port: Port) -> None:
    with serial.Serial(port.name, exclusive=True):
        with pytest.raises(PortError) as caught:
            open_port(port.name)
        assert str(caught.value) == f"{port.name}: in use by another program; close that one first"


def test_it_keeps_others_out(port: Port) -> None:
    async def test() -> None:
        transport = open_port(port.name)
        with Path(port.name).open("rb", buffering=0) as other, pytest.raises(BlockingIOError):
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
        transport.close()

    on_loop(test)


def test_ports_that_are_none(tmp_path: Path) -> None:
    plain = tmp_path / "file"
    plain.write_text("")
    for name, why in (
        (tmp_path / "absent", "no such port; serial ports here: "),
        (plain, "not a serial port that can be used"),
        (tmp_path, "Is a directory"),
    ):
        with pytest.raises(PortError) as caught:
            open_port(str(name))
        assert str(caught.value).startswith(f"{name}: {why}")
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("number", "why"),
    [
        (errno.EACCES, "no permission"),
        (errno.EBUSY, "in use by another program"),
        (errno.EIO, "the device behind it does not answer"),
        (errno.ENOMEM, os.strerror(errno.ENOMEM)),
    ],
)
def test_what_the_system_says_is_told(
    number: int, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: object, **options: object) -> None:
        raise serial.SerialException(number, "could not open")

    monkeypatch.setattr(serial, "Serial", refuse)
    with pytest.raises(PortError) as caught:
        open_port("the port")
    assert str(caught.value).startswith("the port: " + why)
