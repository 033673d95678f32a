"""The client against the device's own server: done once, heard once, in order."""

import asyncio
from random import Random
from typing import Any

import pytest
from dovetail.link import names as schema
from dovetail.link.events import KEPT
from dovetail.link.schema import FINGERPRINT
from google.protobuf.message import Message

from host_tools.link import auth, frame, link_pb2
from host_tools.link.client import Client, kind_of
from host_tools.link.engine import Engine
from host_tools.link.errors import Faulted, LinkError, Refused
from host_tools.tests.link_pair import Line, Machine, as_it_is, pair, worn


def numbers(events: list[link_pb2.Event]) -> list[int]:
    return [event.number for event in events]


def test_hello_and_status() -> None:
    async def test(client: Client, machine: Machine, line: Line) -> None:
        identity = await client.hello()
        assert (identity.version, identity.board, identity.boots) == (1, "none", 1)
        assert identity.schema == FINGERPRINT
        assert (await client.status()).state == link_pb2.READY
        assert kind_of(await client.wait_for("started", timeout_s=1)) == "started"

    pair(test)


def test_every_request_arrives_as_itself() -> None:
    async def test(client: Client, machine: Machine, line: Line) -> None:
        await client.hello()
        await client.load(link_pb2.BLUE, new_deck=True)
        await client.shuffle(link_pb2.RED)
        await client.open_round(7, players=5)
        await client.no_more_bets(7)
        await client.deal(7, 1)
        await client.deal(7, 2, cards=4)
        await client.remainder(7)
        await client.close_round(7)
        await client.remove_deck(link_pb2.BLUE)
        await client.cleared()
        assert machine.asked == [
            ("load", {"back": schema.BLUE, "new_deck": True, "shuffled": False, "sorted": False}),
            ("shuffle", {"back": schema.RED}),
            ("open_round", {"round": 7, "players": 5}),
            ("no_more_bets", {"round": 7}),
            ("deal", {"round": 7, "position": 1, "cards": 0}),
            ("deal", {"round": 7, "position": 2, "cards": 4}),
            ("remainder", {"round": 7}),
            ("close_round", {"round": 7}),
            ("remove_deck", {"back": schema.BLUE}),
            ("cleared", {}),
        ]

    pair(test)


def test_a_refusal_says_why() -> None:
    async def test(client: Client, machine: Machine, line: Line) -> None:
        with pytest.raises(Refused, match="say hello first"):
            await client.deal(1, 1)
        await client.hello()
        machine.refusal = {"outcome": schema.REFUSED, "rule": "DS-4", "text": "no more bets is due"}
        with pytest.raises(Refused) as caught:
            await client.deal(1, 1)
        assert str(caught.value) == "deal: refused, DS-4, no more bets is due"
        assert (caught.value.outcome, caught.value.rule) == (link_pb2.REFUSED, "DS-4")

    pair(test)


def test_a_dead_line_is_an_error_of_the_host() -> None:
    async def test(client: Client, machine: Machine, line: Line) -> None:
        await client.hello()
        line.to_machine = lambda data: []
        with pytest.raises(LinkError) as deaf:
            await client.deal(1, 1)
        told = "deal: not answered in 5 tries of 0.5 s; heard meanwhile: 3 events"  # sent again
        assert str(deaf.value) == told
        line.to_client = lambda data: []
        with pytest.raises(LinkError) as dead:
            await client.deal(1, 1)
        nothing = "deal: no answer to 5 tries of 0.5 s: nothing was heard at 115200 baud"
        assert str(dead.value) == nothing
        line.on_lost("unplugged")
        with pytest.raises(LinkError, match="unplugged"):
            await client.status()
        with pytest.raises(LinkError, match="unplugged"):
            await client.wait_for("stack", timeout_s=1)

    pair(test)


def test_a_line_that_goes_during_a_request_ends_it() -> None:
    async def test(client: Client, machine: Machine, line: Line) -> None:
        await client.hello()
        asyncio.get_running_loop().call_later(0.001, line.on_lost, "unplugged")
        with pytest.raises(LinkError, match="unplugged"):
            await client.deal(1, 1)

    pair(test)


def test_waiting_passes_over_events_but_not_over_a_fault() -> None:
    async def test(client: Client, machine: Machine, line: Line) -> None:
        await client.hello()
        machine.link.event("taken", {"position": 1})
        machine.link.event("stack", {"position": 2})
        assert (await client.wait_for("stack", timeout_s=1)).stack.position == 2
        with pytest.raises(LinkError, match="no event ready within 1 s"):
            await client.wait_for("ready", timeout_s=1)
        machine.link.event("fault", {"fault": 12, "name": "jam", "station": "feeder"})
        with pytest.raises(Faulted, match="fault 12 jam, feeder"):
            await client.wait_for("ready", timeout_s=1)
        machine.link.event("fault", {"fault": 13})
        assert (await client.wait_for("fault", timeout_s=1)).fault.fault == 13

    pair(test)


def test_events_reach_every_reader() -> None:
    async def test(client: Client, machine: Machine, line: Line) -> None:
        called: list[link_pb2.Event] = []
        client.on_event.append(called.append)
        await client.hello()
        await client.wait_for("started", timeout_s=1)
        reader = client.events()
        for position in range(1, 4):
            machine.link.event("taken", {"position": position})
            machine.link.event("progress", {"in_wheel": position})
        heard = [await anext(reader) for _ in range(4)]
        assert numbers(called) == [1, *numbers(heard)]
        assert sorted(numbers(heard)) == [0, 2, 3, 4]

    pair(test)


def test_what_was_heard_is_acknowledged() -> None:
    async def test(client: Client, machine: Machine, line: Line) -> None:
        await client.hello()
        for _ in range(10 * KEPT):
            machine.link.event("taken", {})
            await asyncio.sleep(0.02)
        await asyncio.sleep(1)
        assert machine.link.events.count == 0
        assert machine.link.events.lost == 0

    pair(test)


def test_old_events_come_or_are_left() -> None:
    async def test(client: Client, machine: Machine, line: Line) -> None:
        for _ in range(3):
            machine.link.event("taken", {})
        await asyncio.sleep(1)  # sent to nobody that cares
        await client.hello(old_events=False)
        machine.link.event("stack", {})
        assert (await client.wait_for("started", "taken", "stack", timeout_s=1)).number == 5
        await asyncio.sleep(1)
        assert machine.link.events.count == 0

    pair(test)


def test_old_events_that_are_left_are_no_sign_of_a_restart() -> None:
    """More than are sent between the status and the replay."""

    async def test(client: Client, machine: Machine, line: Line) -> None:
        for _ in range(20):
            machine.link.event("taken", {})
        following = machine.link.events.next

        async def slowly() -> bytes:
            await asyncio.sleep(0.05)  # as at a low rate
            sent: bytes = await following()
            return sent

        machine.link.events.next = slowly
        heard: list[link_pb2.Event] = []
        client.on_event.append(heard.append)
        await client.hello(old_events=False)
        await asyncio.sleep(1)
        assert heard == []

    pair(test)


def test_events_that_were_not_kept_are_known_to_be_lost() -> None:
    async def test(client: Client, machine: Machine, line: Line) -> None:
        await client.hello()
        line.to_client = lambda data: []
        for _ in range(KEPT + 5):
            machine.link.event("taken", {})
        kept = list(range(machine.link.events.number_at(0), KEPT + 1))
        await asyncio.sleep(1)
        reader = client.events()
        line.to_client = as_it_is
        heard = [await anext(reader) for _ in kept]
        assert numbers(heard) == kept
        await asyncio.sleep(1)
        machine.link.event("stack", {})
        last = await anext(reader)
        assert kind_of(last) == "stack"
        assert client.lost_events == [(kept[-1] + 1, last.number - 1)]

    pair(test)


def test_a_restart_is_noticed_and_said() -> None:
    async def test(client: Client, machine: Machine, line: Line) -> None:
        reader = client.events()
        await client.hello()
        await client.deal(1, 1)
        await asyncio.sleep(1)
        await machine.stop()
        machine.start()
        with pytest.raises(LinkError, match="deal: the machine has restarted"):
            await client.deal(1, 2)
        assert [fields["position"] for _, fields in machine.asked] == [1]
        await client.deal(1, 3)
        heard = [await anext(reader) for _ in range(4)]
        assert [kind_of(event) for event in heard] == ["started", "stack", "started", "stack"]
        assert [heard[2].started.boots, heard[3].stack.position] == [2, 3]

    pair(test)


def test_a_restart_while_nothing_is_asked_is_noticed_too() -> None:
    async def test(client: Client, machine: Machine, line: Line) -> None:
        reader = client.events()
        await client.hello()
        for position in range(1, 9):
            await client.deal(1, position)
        await asyncio.sleep(1)
        await machine.stop()
        machine.start()
        heard = [await anext(reader) for _ in range(10)]
        assert kind_of(heard[-1]) == "started"
        assert heard[-1].started.boots == 2

    pair(test)


def test_a_client_that_fell_behind_catches_up_before_it_asks() -> None:
    async def test(client: Client, machine: Machine, line: Line) -> None:
        await client.hello()
        line.to_client = lambda data: []
        for _ in range(KEPT):
            machine.link.event("taken", {})
        await asyncio.sleep(0.5)
        line.to_client = as_it_is
        await client.deal(1, 1)
        assert machine.asked == [("deal", {"round": 1, "position": 1, "cards": 0})]

    pair(test)


def test_a_doubled_answer_is_handed_on_once() -> None:
    engine = Engine(bytes(16))
    engine.request("status", link_pb2.GetStatus())
    report = link_pb2.Report(answer={"id": 1, "outcome": link_pb2.DONE})
    wire = frame.encode(frame.REPORT, 1, report.SerializeToString())
    assert len(list(engine.receive(wire * 2))) == 1


ROLE_KEY = bytes(range(32))
NONCE = bytes(16)


class Told:
    """An engine, and a machine that says whatever a test wants it to say."""

    def __init__(self) -> None:
        self.engine = Engine(bytes(16), link_pb2.ROLE_TABLE, ROLE_KEY)
        self._counter = 0
        self.key = b""

    def ask(self, name: str, message: Message) -> int:
        """A new request; its id."""
        self.engine.request(name, message)
        assert self.engine.pending
        return self.engine.pending

    def hear(self, key: bytes = b"", **report: Any) -> list[link_pb2.Answer | link_pb2.Event]:
        """What the engine takes of a tagged report."""
        self._counter += 1
        body = link_pb2.Report(**report).SerializeToString()
        wire = frame.encode(frame.REPORT, self._counter, body, key or self.key)
        return list(self.engine.receive(wire))

    def identity(self, id: int, serial: bytes = b"one", boots: int = 3) -> dict[str, Any]:
        """The answer to a hello."""
        who = {"version": 1, "nonce": NONCE, "serial": serial, "boots": boots, "first_event": 1}
        return {"id": id, "outcome": link_pb2.DONE, "identity": who}

    def hello(self, serial: bytes = b"one", boots: int = 3) -> None:
        """A session of this machine."""
        hello = self.engine.hello()
        key = auth.session_key(ROLE_KEY, link_pb2.ROLE_TABLE, hello.nonce, NONCE)
        id = self.ask("hello", hello)
        self._counter = 0
        assert self.hear(key, answer=self.identity(id, serial, boots))
        self.key = key

    def replay(self, number: int, first: int) -> None:
        """A replay and its answer."""
        id = self.ask("replay", link_pb2.Replay(number=number))
        assert self.hear(answer={"id": id, "outcome": link_pb2.DONE, "replayed": {"first": first}})

    def event(self, number: int) -> bool:
        """Return whether it is handed on."""
        return bool(self.hear(event={"number": number, "taken": {"position": 1}}))


def fallen(serial: bytes, boots: int) -> Told:
    """One that has heard 49 events, and has said hello to this machine after that."""
    told = Told()
    told.hello()
    told.replay(0, 49)
    assert told.event(49)
    assert told.engine.next_event == 50
    told.hello(serial, boots)
    return told


def test_a_machine_that_begins_anew_with_the_same_number_of_starts_is_heard() -> None:
    told = fallen(b"one", 3)
    told.replay(50, 1)
    assert told.engine.next_event is None
    assert told.engine.gap  # it is to be asked from 0
    assert told.engine.begun_anew == 1
    assert not told.event(1)
    told.replay(0, 1)
    assert not told.engine.gap
    assert told.event(1)
    assert told.event(2)
    assert not told.event(2)
    assert told.engine.lost == []


def test_another_machine_is_heard_from_its_first_event() -> None:
    for serial, boots, next_event in ((b"two", 3, 1), (b"one", 4, 1), (b"one", 3, 50)):
        told = fallen(serial, boots)
        assert told.engine.next_event == next_event
        assert told.engine.begun_anew == (next_event == 1)


def test_a_replay_that_is_answered_late_forgets_nothing() -> None:
    told = fallen(b"one", 3)
    told.ask("replay", link_pb2.Replay(number=50))
    assert told.event(50)
    assert told.hear(answer={"id": told.engine.pending, "outcome": 1, "replayed": {"first": 50}})
    assert told.engine.next_event == 51
    assert told.engine.begun_anew == 0


def test_an_identity_is_no_answer_to_another_request() -> None:
    told = Told()
    told.hello()
    id = told.ask("deal", link_pb2.Deal(round=1, position=1))
    assert told.hear(answer=told.identity(id)) == []
    assert told.engine.pending == id  # it is asked again
    ahead, _ = told.engine.request_ahead("read_journal", link_pb2.ReadJournal())
    assert told.hear(answer=told.identity(ahead)) == []
    assert ahead in told.engine.ahead
    id = told.ask("status", link_pb2.GetStatus())
    assert told.hear(answer={"id": id, "outcome": link_pb2.DONE, "status": {"shoe": 52}})


def test_an_untagged_identity_begins_no_session() -> None:
    """It may be late, for somebody who asked without a role, with the same id."""
    engine = Engine(b"seed", link_pb2.ROLE_TABLE, b"k" * 32)
    engine.request("hello", engine.hello())
    late = link_pb2.Answer(id=1, outcome=link_pb2.DONE, identity={"version": 1, "boots": 1})
    body = link_pb2.Report(answer=late).SerializeToString()
    assert list(engine.receive(frame.encode(frame.REPORT, 1, body))) == []
    assert engine.pending == 1
    late.outcome, late.rule = link_pb2.REFUSED, "KEYS"
    body = link_pb2.Report(answer=late).SerializeToString()
    (said,) = engine.receive(frame.encode(frame.REPORT, 2, body))
    assert said == late


def test_a_hello_is_answered_with_the_key_that_it_begins_alone() -> None:
    told = Told()
    told.hello()
    id = told.ask("hello", told.engine.hello())
    assert told.hear(answer=told.identity(id)) == []  # with the old session's
    assert told.hear(answer={"id": id, "outcome": link_pb2.DONE}) == []
    assert told.engine.pending == id


@pytest.mark.parametrize("old_events", [True, False])
def test_a_machine_that_forgot_how_often_it_started_is_heard_again(old_events: bool) -> None:
    async def test(client: Client, machine: Machine, line: Line) -> None:
        await client.hello(old_events)
        for position in range(1, 9):
            await client.deal(1, position)
        await asyncio.sleep(1)
        reader = client.events()
        await machine.stop()
        machine.boots -= 1
        machine.start()
        assert kind_of(await anext(reader)) == "started"
        await client.deal(2, 1)
        assert (await anext(reader)).stack.round == 2
        await asyncio.sleep(1)
        assert machine.link.events.count == 0  # all is acknowledged

    pair(test)


def test_the_same_number_is_acknowledged_again_after_a_restart() -> None:
    async def test(client: Client, machine: Machine, line: Line) -> None:
        await client.hello()
        await asyncio.sleep(1)
        assert machine.link.events.count == 0
        await machine.stop()
        machine.start()
        await asyncio.sleep(5)
        assert machine.link.events.count == 0  # "started", number 1 as before

    pair(test)


def test_a_hello_that_somebody_sends_again_deals_nothing() -> None:
    """The controller's own hello, with the id of its next request, while that does not arrive."""

    async def test(client: Client, machine: Machine, line: Line) -> None:
        said: list[link_pb2.Request] = []
        receiver = frame.Receiver(frame.REQUEST)

        def spoil(data: bytes) -> list[bytes]:
            for found in receiver.feed(data):
                request = link_pb2.Request.FromString(found.body)
                if request.WhichOneof("body") == "hello":
                    said[:] = [request]
                elif request.WhichOneof("body") == "deal":
                    said[0].id = request.id
                    return [frame.encode(frame.REQUEST, 9, said[0].SerializeToString())]
            return [data]

        line.to_machine = spoil
        await client.hello()
        with pytest.raises(LinkError, match=r"not answered in 5 tries .*dropped \(wrong tag\)"):
            await client.deal(1, 1)
        assert machine.asked == []

    pair(test)


@pytest.mark.parametrize("seed", range(20))
def test_on_a_worn_line_everything_is_done_once_and_heard_once(seed: int) -> None:
    async def test(client: Client, machine: Machine, line: Line) -> None:
        random = Random(seed)
        reader = client.events()
        await client.hello()
        line.to_machine = worn(random, 0.15)
        line.to_client = worn(random, 0.15)
        for position in range(1, 61):
            await client.deal(1, position)
        assert [fields["position"] for _, fields in machine.asked] == list(range(1, 61))
        heard = [await anext(reader) for _ in range(61)]
        assert numbers(heard) == list(range(1, 62))
        assert [event.stack.position for event in heard[1:]] == list(range(1, 61))
        assert client.lost_events == []

    pair(test, tries=30)  # a request may well be lost ten times on such a line
