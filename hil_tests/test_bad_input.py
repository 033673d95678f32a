"""Bad input at a whole machine, item by item and state by state.

After each: no exception, the machine stands as it stood, flash has nothing but what the item leaves
there, every frame was dropped for the reason that it should be, the next good request is answered.
"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from dovetail.link import frame as device_frame
from google.protobuf.message import Message

from hil_tests import bad_input
from hil_tests.bad_input import (
    ABSURD,
    AUDIT,
    ITEMS,
    NEXT,
    NO,
    OUTSIDE,
    READING,
    READING_AUDIT,
    SERVICE,
    Line,
)
from hil_tests.inner_state import escaped, firmware, flash, link, records, standing
from hil_tests.request_table import COLUMNS, Setting
from hil_tests.test_bad_controllers import Cable, End
from host_tools import rigs
from host_tools.heard import Heard
from host_tools.link import frame, link_pb2
from host_tools.link.client import Client, bench_client
from host_tools.link.errors import Refused

STATES = ("idle", "ready", "bets", "between", "stopped", "out")
SEED = 3
QUIET_S = 2.5  # all events are acknowledged, all records written
NAMES = ("OVERRUN", "CUT", "SHORT", "WRONG_CRC", "UNKNOWN", "WRONG_TAG", "OLD")


def test_the_reasons_are_numbered_as_here() -> None:
    device: Any = device_frame
    for name in NAMES:
        assert getattr(device, name) == getattr(bad_input, name)


class Watch:
    """One machine in one state, its controller, and somebody else on the line."""

    def __init__(self, rig: rigs.Rig, client: Client, end: End, line: Line) -> None:
        self.rig, self.client, self.end, self.line = rig, client, end, line
        self.before = standing(rig)
        self.flash = flash()
        self.bad = list(link().receiver.bad)

    async def same(self, what: object, notes: tuple[str, ...] = ()) -> list[int]:
        """Everything is as it was, and a good request is answered; what was dropped meanwhile."""
        now = standing(self.rig)
        assert escaped() == [], what
        changed = [name for name in now if now[name] != self.before[name]]
        assert not changed, (what, changed)
        beat = (await self.client.request("heartbeat", link_pb2.Heartbeat(digest=1))).beat
        assert beat.status.session, what
        await asyncio.sleep(1.2)  # a record that waited is written
        found = records(self.flash, flash())
        assert set(found) <= set(notes), (what, found)
        self.flash = flash()
        bad, self.bad = self.bad, list(link().receiver.bad)
        return [now - was for now, was in zip(self.bad, bad, strict=True)]


async def at_rest(
    rig: rigs.Rig, state: str, role: link_pb2.Role = link_pb2.ROLE_TABLE
) -> tuple[Watch, Heard]:
    """In this state, in a session of this role, with everything acknowledged."""
    cable = Cable(rig.transport)
    end, ear = cable.end(), cable.end()
    if role != link_pb2.ROLE_TABLE:
        giver = bench_client(end, keys=rig.keys, provision=True, nonce=bytes(16))
        await giver.hello()
        await giver.leave()
        end = cable.end()
        await asyncio.sleep(6.0)
    client = bench_client(end, keys=rig.keys, role=role, provision=True, nonce=b"x" * 16, tries=20)
    line = Line(client._session.engine)  # pyright: ignore[reportPrivateUsage]
    coming = bytearray()

    def hear(data: bytes) -> None:
        coming.extend(data)
        *whole, rest = bytes(coming).split(b"\0")
        coming[:] = rest
        line.said += [b"\0" + one + b"\0" for one in whole if one]

    write = end.write

    def tapped(data: bytes) -> None:
        line.sent.append(data)
        write(data)

    ear.on_bytes = hear
    end.write = tapped
    heard = Heard(client)
    await client.hello()
    await COLUMNS[state].reach(Setting(rig, client, heard))
    await asyncio.sleep(QUIET_S)
    assert (await client.status()).state == COLUMNS[state].state
    return Watch(rig, client, ear, line), heard


async def the_end(watch: Watch, heard: Heard, state: str) -> None:
    """Where a stack is next it is dealt, once, and nothing else has been."""
    assert watch.rig.machine is not None
    if state == "between":
        assert len(watch.rig.machine.cards()["shoe"]) == 52 - 3
        await watch.client.request("deal", NEXT)
        assert (await heard.wait("stack", 0, 60.0, position=2)).stack.delivered == 3
        assert len(heard.all("stack")) == 2
    await heard.close()
    await watch.client.close()


@pytest.mark.parametrize("state", STATES)
def test_bytes_that_are_no_order(state: str) -> None:
    async def body(rig: rigs.Rig) -> None:
        watch, heard = await at_rest(rig, state)
        for name, item in ITEMS.items():
            said = len(watch.line.said)
            watch.end.write(item.make(watch.line))
            await asyncio.sleep(3.0 if "flood" in name else 0.3)
            dropped = await watch.same(name, item.notes)
            found = {reason for reason, n in enumerate(dropped) if n}
            assert found <= set(item.reasons), (name, dropped)
            assert found or not item.reasons, (name, dropped)
            assert len(watch.line.said) - said > item.answers, name  # and one to the heartbeat
        await the_end(watch, heard, state)

    rigs.in_process(rigs.Wanted(seed=SEED), body)


@pytest.mark.parametrize("state", STATES)
def test_absurd_fields_outside_of_a_session(state: str) -> None:
    async def body(rig: rigs.Rig) -> None:
        watch, heard = await at_rest(rig, state)
        for request in OUTSIDE:
            said = len(watch.line.said)
            watch.end.write(frame.encode(frame.REQUEST, 1, request.SerializeToString()))
            await asyncio.sleep(0.3)
            found = [frame.decode(frame.REPORT, one[1:-1]) for one in watch.line.said[said:]]
            bodies = [one.body for one in found if isinstance(one, frame.Frame) and not one.tag]
            (answer,) = [link_pb2.Report.FromString(one).answer for one in bodies]
            assert answer.outcome in NO, request
            assert not any(await watch.same(request))
        await the_end(watch, heard, state)

    rigs.in_process(rigs.Wanted(seed=SEED), body)


async def absurd(
    watch: Watch, rows: tuple[tuple[str, Message], ...], done: tuple[tuple[str, Message], ...]
) -> None:
    """Each is refused, or done where it only reads; nothing changes."""
    for name, message in rows:
        with pytest.raises(Refused) as no:
            await watch.client.request(name, message)
        assert no.value.outcome in NO, (name, message)
        notes = ("clock",) if name == "set_clock" else ()
        assert not any(await watch.same((name, message), notes))
    for name, message in done:
        await watch.client.request(name, message)
        assert not any(await watch.same((name, message)))


@pytest.mark.parametrize("state", STATES)
def test_absurd_fields_inside_of_a_session(state: str) -> None:
    async def body(rig: rigs.Rig) -> None:
        watch, heard = await at_rest(rig, state)
        await absurd(watch, ABSURD, READING)
        await the_end(watch, heard, state)

    rigs.in_process(rigs.Wanted(seed=SEED), body)


@pytest.mark.parametrize("state", ["service", "audit"])
def test_absurd_fields_of_service_and_audit(state: str) -> None:
    async def body(rig: rigs.Rig) -> None:
        watch, heard = await at_rest(rig, state, COLUMNS[state].role)
        both = (SERVICE, READING) if state == "service" else (AUDIT, READING[:3] + READING_AUDIT)
        await absurd(watch, *both)
        assert firmware().service == (state == "service")
        await the_end(watch, heard, state)

    rigs.in_process(rigs.Wanted(seed=SEED), body)
