"""The serial transport on a pty: bytes both ways, a pulled cable, ports that do not open."""

import asyncio
import errno
import fcntl
import os
import pty
import tty
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from threading import Thread

import pytest
import serial

from host_tools.build.tell import UsageError
from host_tools.link import frame, link_pb2
from host_tools.link.blocking import Blocking
from host_tools.link.client import Client
from host_tools.link.errors import LinkError
from host_tools.link.serial_transport import PortError, open_port
from host_tools.link_tools.middle import open_machine


class Port:
    """A pty: its name is the port, its other end the machine's."""

    def __init__(self) -> None:
        self.machine, self.controller = pty.openpty()
        tty.setraw(self.controller)
        self.name = os.ttyname(self.controller)
        self._ends = {self.machine, self.controller}

    def pull(self, end: int) -> None:
        """Close one end."""
        self._ends.remove(end)
        os.close(end)

    def close(self) -> None:
        """What is left."""
        for end in list(self._ends):
            self.pull(end)


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
        asyncio.get_running_loop().call_later(0.02, port.pull, port.machine)
        with pytest.raises(LinkError, match="the line is gone: " + port.name):
            await client.status()
        await client.close()

    on_loop(test)


def answer_all(fd: int) -> None:
    """A machine that says DONE to everything, until the port is gone."""
    receiver = frame.Receiver(frame.REQUEST)
    counter = 0
    while True:
        try:
            data = os.read(fd, 4096)
        except OSError:
            return
        for found in receiver.feed(data):
            request = link_pb2.Request.FromString(found.body)
            answer = link_pb2.Answer(id=request.id, outcome=link_pb2.DONE)
            match request.WhichOneof("body"):
                case "hello":
                    answer.identity.version = 1
                case "replay":
                    answer.replayed.first = 1
                case _:
                    answer.status.shoe = 52
            counter += 1
            body = link_pb2.Report(answer=answer).SerializeToString()
            os.write(fd, frame.encode(frame.REPORT, counter, body))


@pytest.fixture
def answering(port: Port) -> Iterator[Port]:
    """A port with a machine behind it."""
    machine = Thread(target=answer_all, args=(port.machine,))
    machine.start()
    yield port
    port.pull(port.controller)
    machine.join()


def test_a_client_talks_through_a_port(answering: Port) -> None:
    async def test() -> None:
        client = Client(open_port(answering.name))
        assert (await client.hello()).version == 1
        assert (await client.status()).shoe == 52
        await client.close()

    on_loop(test)


def test_a_script_without_a_loop_talks_too(answering: Port) -> None:
    with Blocking(answering.name) as machine:
        assert machine.do(machine.client.status()).shoe == 52
        machine.do(machine.client.deal(1, 1))
    with pytest.raises(PortError, match="no such port"):
        Blocking(answering.name + "x")


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


@pytest.mark.parametrize("baud", [2**32, 10**30, -1])
def test_a_rate_that_is_none_is_one_clear_line(port: Port, baud: int) -> None:
    async def test() -> None:
        with pytest.raises(PortError, match=port.name):
            open_port(port.name, baud)

    on_loop(test)
    with pytest.raises(UsageError, match=port.name):
        open_machine(port.name, baud)


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
