"""The C client against the device's own server on a pty: what it takes, and how often."""

from __future__ import annotations

import asyncio
import os
import pty
import tty
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from dovetail.link import names as schema

from host_tools.build import c_client
from host_tools.link import frame
from host_tools.link.keys import ROLES
from host_tools.link.link_pb2 import DONE, NOT_NOW, Answer, Event, Report, Request
from host_tools.tests.link_pair import KEYS, Line, Machine
from host_tools.tests.needs import needs

OK = 0
TABLE, AUDIT = 1, 3
TAKEN = Event.TAKEN_FIELD_NUMBER
STARTED = Event.STARTED_FIELD_NUMBER
KEPT = 24  # events, with which the machine still begins something new
TOO_LONG = "x" * 40  # for the name of a check


class Wire(Line):
    """The machine's end of a pty."""

    def __init__(self) -> None:
        super().__init__()
        self.end, controller = pty.openpty()
        tty.setraw(controller)
        self.name = os.ttyname(controller)
        self._ends = (self.end, controller)  # with none open there it would break
        self.on_bytes = self.send
        asyncio.get_running_loop().add_reader(self.end, self._read)

    def send(self, data: bytes) -> None:
        """To the client, whoever says it."""
        os.write(self.end, data)

    def hang_up(self) -> None:
        """Both ends."""
        asyncio.get_running_loop().remove_reader(self.end)
        for end in self._ends:
            os.close(end)

    def _read(self) -> None:
        self.inbox += os.read(self.end, 4096)
        self.came.set()


class Driven:
    """The C client, a word at a time."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.events: list[tuple[int, int]] = []  # number, kind

    async def do(self, words: str) -> list[int]:
        """The numbers with which it ended."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{words}\n".encode())
        while line := (await self.process.stdout.readline()).decode().split():
            numbers = [int(word) for word in line[1:]]
            if line[0] == words.split()[0]:
                return numbers
            assert line[0] == "event"
            self.events.append((numbers[0], numbers[1]))
        raise AssertionError(f"{words}: the client has ended")

    async def hello(self, role: int = TABLE) -> None:
        """It must be answered."""
        assert await self.do(f"hello {role}") == [OK, DONE]

    async def listen(self) -> None:
        """It must go well."""
        assert await self.do("listen 100") == [OK]

    async def acknowledge(self, last: int) -> None:
        """Listens until it has told the machine that it has taken this one."""
        while (await self.do("counts"))[1] != last:
            await self.listen()

    async def take(self, events: int) -> None:
        """So many, without a listen: none is acknowledged."""
        while len(self.events) < events:
            await self.do("ask 3")

    def numbers(self) -> list[int]:
        """Of the events that were handed over."""
        return [number for number, _ in self.events]


Test = Callable[[Driven, Machine, Wire], Awaitable[None]]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    needs("c")
    return c_client.build(tmp_path_factory.mktemp("c_client"))["drive"]


@pytest.fixture
def driven(program: Path, tmp_path: Path) -> Callable[[Test], None]:
    """Runs a test with the C client and a machine on one line."""
    keys = tmp_path / "keys.txt"
    keys.write_text("".join(f"{KEYS.of(role).hex()}\n" for role in ROLES.values()))

    async def main(test: Test) -> None:
        line = Wire()
        machine = Machine(line)
        process = await asyncio.create_subprocess_exec(
            program, line.name, keys, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
        )
        try:
            await test(Driven(process), machine, line)
            assert machine.link.failures == 0
        finally:
            process.kill()
            await process.wait()
            await machine.stop()
            line.hang_up()

    return lambda test: asyncio.run(main(test))


def tell(machine: Machine, events: int) -> None:
    """So many."""
    for position in range(events):
        machine.link.event("taken", {"position": position})


# ---- sessions one after the other


def test_an_event_comes_once_over_two_hellos(driven: Callable[[Test], None]) -> None:
    async def test(client: Driven, machine: Machine, line: Wire) -> None:
        await client.hello()
        tell(machine, 3)
        await client.take(4)
        assert client.numbers() == [1, 2, 3, 4]
        assert machine.link.events.count == 4  # none is acknowledged yet
        await client.hello()
        tell(machine, 1)
        await client.acknowledge(5)
        assert client.numbers() == [1, 2, 3, 4, 5]
        assert machine.link.events.count == 0

    driven(test)


def test_after_a_restart_events_come_and_are_acknowledged(driven: Callable[[Test], None]) -> None:
    async def test(client: Driven, machine: Machine, line: Wire) -> None:
        await client.hello()
        for last in (21, 41):
            tell(machine, 20)
            await client.acknowledge(last)
        client.events.clear()
        await machine.stop()
        machine.start()
        await client.hello()
        tell(machine, KEPT)
        await client.acknowledge(KEPT + 1)
        assert client.events == [(1, STARTED), *((n, TAKEN) for n in range(2, KEPT + 2))]
        assert machine.link.events.count == 0
        assert await client.do("ask 4") == [OK, DONE]  # and not UNHEARD

    driven(test)


def test_a_machine_that_has_lost_its_memory_is_met_anew(driven: Callable[[Test], None]) -> None:
    async def test(client: Driven, machine: Machine, line: Wire) -> None:
        await client.hello()
        tell(machine, 9)
        await client.acknowledge(10)
        client.events.clear()
        await machine.stop()
        machine.boots -= 1  # it counts its starts from the beginning
        machine.start()
        await client.hello()
        tell(machine, 1)
        await client.acknowledge(2)
        assert client.events == [(1, STARTED), (2, TAKEN)]
        assert machine.link.events.count == 0

    driven(test)


@pytest.mark.parametrize(("boots", "serial"), [(1, b"other"), (2, b"")])
def test_another_machine_or_start_is_known_by_its_identity(
    driven: Callable[[Test], None], boots: int, serial: bytes
) -> None:
    """It has told another controller more events, so its numbers do not show it."""

    async def test(client: Driven, machine: Machine, line: Wire) -> None:
        await client.hello()
        tell(machine, 3)
        await client.acknowledge(4)
        client.events.clear()
        await machine.stop()
        machine.boots = boots - 1
        machine.start()
        machine.link.identity["serial"] = serial
        tell(machine, 9)
        machine.link.events.to_send = machine.link.events.number
        await client.hello()
        await client.acknowledge(10)
        assert client.numbers() == list(range(1, 11))
        assert machine.link.events.count == 0

    driven(test)


def test_audit_leaves_the_events_alone(driven: Callable[[Test], None]) -> None:
    async def test(client: Driven, machine: Machine, line: Wire) -> None:
        await client.hello()
        tell(machine, 3)
        await client.take(4)
        await client.hello(AUDIT)
        await client.listen()
        # the first tagged request opens a session: it had none to say
        assert machine.guard.noted == [("began", TABLE)]
        await client.hello()
        await client.acknowledge(4)
        assert client.numbers() == [1, 2, 3, 4]
        assert machine.link.events.count == 0

    driven(test)


# ---- what can't be read


def test_an_event_that_cannot_be_read_is_passed_over(driven: Callable[[Test], None]) -> None:
    async def test(client: Driven, machine: Machine, line: Wire) -> None:
        await client.hello()
        await client.acknowledge(1)
        machine.link.event("checked", {"name": TOO_LONG})
        tell(machine, 2)
        await client.acknowledge(4)
        assert client.numbers() == [1, 3, 4]
        assert await client.do("counts") == [1, 4]
        assert machine.link.events.count == 0

    driven(test)


def test_of_a_stranger_nothing_is_passed_over(driven: Callable[[Test], None]) -> None:
    """Neither one with a wrong tag nor one that was heard before moves the number on."""

    async def test(client: Driven, machine: Machine, line: Wire) -> None:
        await client.hello()
        await client.acknowledge(1)
        body = report(event=Event(number=2, checked={"name": TOO_LONG}))
        line.send(frame.encode(frame.REPORT, 1000, body))
        line.send(frame.encode(frame.REPORT, 1000, body, bytes(32)))
        line.send(frame.encode(frame.REPORT, 1, body, key(machine)))
        await client.listen()
        assert await client.do("counts") == [3, 1]
        tell(machine, 1)
        await client.acknowledge(2)
        assert client.numbers() == [1, 2]

    driven(test)


def test_without_a_session_no_event_is_believed(driven: Callable[[Test], None]) -> None:
    async def test(client: Driven, machine: Machine, line: Wire) -> None:
        line.send(frame.encode(frame.REPORT, 1, report(event=Event(progress={"in_wheel": 9}))))
        await client.listen()
        assert client.events == []

    driven(test)


# ---- answers that are none


def report(**what: Any) -> bytes:
    """The body of one."""
    return Report(**what).SerializeToString(deterministic=True)


def key(machine: Machine) -> bytes:
    """Of the open session."""
    return bytes(machine.link.sessions.open.secret)


OTHERS: list[tuple[str, dict[str, Any]]] = [
    ("load", {"identity": {"version": 1, "nonce": bytes(16)}}),
    ("status", {"identity": {"version": 1, "nonce": bytes(16)}}),
    ("status", {"beat": {"digest": 1}}),
    ("status", {}),
]


@pytest.mark.parametrize(("name", "other"), OTHERS)
def test_an_answer_to_something_else_is_not_taken(
    driven: Callable[[Test], None], name: str, other: dict[str, Any]
) -> None:
    """Well tagged, with the right id, and DONE: as to a hello of the session that came again."""

    async def test(client: Driven, machine: Machine, line: Wire) -> None:
        def answered(asked: str, fields: dict[str, Any]) -> Any:
            if asked == name:
                machine.link.counter += 1
                body = report(answer=Answer(id=3, outcome=DONE, **other))
                line.send(frame.encode(frame.REPORT, machine.link.counter, body, key(machine)))
                return {"outcome": schema.NOT_NOW}
            return machine.handle(asked, fields)

        await client.hello()  # 1, and its replay 2
        machine.link.handle = answered
        number = Request.DESCRIPTOR.fields_by_name[name].number
        assert await client.do(f"ask {number}") == [OK, NOT_NOW]

    driven(test)


def test_an_untagged_hello_is_done_only_with_an_identity(driven: Callable[[Test], None]) -> None:
    async def test(client: Driven, machine: Machine, line: Wire) -> None:
        body = report(answer=Answer(id=1, outcome=DONE))
        line.to_client = lambda data: [frame.encode(frame.REPORT, 1, body)]
        assert (await client.do("hello 0"))[0] != OK
        line.to_client = lambda data: [data]
        await client.hello(0)

    driven(test)
