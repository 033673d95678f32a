"""The link without a line: bytes in, answers and events out; requests in, bytes out."""

import hashlib
from collections import Counter
from collections.abc import Iterator

from google.protobuf.message import DecodeError, Message

from host_tools.link import auth, frame, link_pb2
from host_tools.link.frame import Frame

VERSION = 1  # from link/sessions.py: VERSION
UNTAGGED = ("hello", "provision")


class Engine:
    """One controller's view of one machine: its session, ids, and events in order and once.

    role_key: of the role that it asks a session for; without one all is said untagged.
    """

    def __init__(
        self, seed: bytes, role: link_pb2.Role = link_pb2.ROLE_NONE, role_key: bytes = b""
    ) -> None:
        self.receiver = frame.Receiver(frame.REPORT)
        self.machine: tuple[bytes, int] | None = None  # serial and boots of who answered last
        self.begun_anew = 0  # how often the machine was found with a new memory
        self.next_event: int | None = None  # the next to hand on; None until a replay said it
        self.gap = False  # an event is missing: ask for a replay
        self.restarted = False  # the machine knows no session: say hello
        self.lost: list[tuple[int, int]] = []  # events that the machine did not keep: first, last
        self.pending: int | None = None  # the id of the request that is not answered yet
        self.ahead: set[int] = set()  # ids of requests that were sent ahead, beside it
        self.key = b""  # of the session
        self._seed = seed
        self._role = role
        self._role_key = role_key
        self._asked = ""  # name of the pending request
        self._begins = False  # whether it asks for a session
        self._replay_from = 0  # what the last replay asked for
        self._nonce = b""
        self._hellos = 0
        self._id = 0
        self._sent = 0
        self._counter = 0  # of the session's last report
        self._others: Counter[str] = Counter()  # what came and was no answer to an open request

    def take_role(self, role: link_pb2.Role, role_key: bytes) -> None:
        """Ask for sessions of this role from now on."""
        self._role, self._role_key = role, role_key

    def request(self, name: str, message: Message) -> bytes:
        """The body of a new request, for frame(). Only its answer will be handed on."""
        self._id += 1
        self.pending = self._id
        self._asked = name
        self._begins = isinstance(message, link_pb2.Hello) and bool(message.role)
        request = link_pb2.Request(id=self._id)
        field: Message = getattr(request, name)
        field.CopyFrom(message)
        if name == "replay":
            self._replay_from = request.replay.number
        field.SetInParent()  # some have no fields of their own
        return request.SerializeToString(deterministic=True)

    def request_ahead(self, name: str, message: Message) -> tuple[int, bytes]:
        """Id and body of a new request that does not wait for the answer to the one before."""
        body = self.request(name, message)
        self.pending = None
        self.ahead.add(self._id)
        return self._id, body

    def frame(self, body: bytes) -> bytes:
        """A frame for the body of the pending request."""
        self._sent += 1
        key = b"" if self._asked in UNTAGGED else self.key
        return frame.encode(frame.REQUEST, self._sent, body, key)

    def hello(self) -> link_pb2.Hello:
        """What the next hello says: a new nonce, that nobody can know before."""
        self._hellos += 1
        text = self._seed + self._hellos.to_bytes(4, "little")
        self._nonce = hashlib.sha256(text).digest()[: auth.NONCE]
        role = self._role if self._role_key else link_pb2.ROLE_NONE
        return link_pb2.Hello(version=VERSION, nonce=self._nonce, role=role)

    def heard(self) -> dict[str, int]:
        """What came beside answers to open requests, by its kind in words; it only grows."""
        bad = {f"frames dropped ({why})": n for why, n in self.receiver.bad.items()}
        return {**self._others, **bad}

    def receive(self, data: bytes) -> Iterator[link_pb2.Answer | link_pb2.Event]:
        """Answers as they come, events in order and once."""
        for found in self.receiver.feed(data):
            try:
                report = link_pb2.Report.FromString(found.body)
            except DecodeError:
                continue
            if not self._believed(found, report):
                if not found.tag:
                    self._others["untagged reports"] += 1
                continue
            if report.HasField("answer"):
                if report.answer.id in self.ahead:
                    self.ahead.discard(report.answer.id)
                    yield report.answer
                elif report.answer.id == self.pending:
                    self.pending = None
                    self._answered(report.answer)
                    yield report.answer
                else:
                    self._others["answers to other requests"] += 1
            elif report.HasField("event"):
                self._others["events"] += 1
                if self._is_next(report.event.number):
                    yield report.event

    def _believed(self, found: Frame, report: link_pb2.Report) -> bool:
        """Return whether a report is the machine's, or, untagged, one that may be taken for its."""
        if not found.tag:
            answer = report.answer
            if not self.key or self._asked in UNTAGGED:
                # A session is never begun untagged: it may be the answer to somebody else's hello.
                if self._begins and answer.outcome == link_pb2.DONE:
                    return False
                return report.HasField("answer") and not answer.identity.nonce
            mine = answer.id == self.pending or answer.id in self.ahead
            if mine and _knows_no_session(answer):
                self.restarted = True
                return True
            return False
        if self._asked == "hello" and report.answer.id == self.pending:
            nonce = report.answer.identity.nonce
            key = auth.session_key(self._role_key, self._role, self._nonce, nonce)
            if self._role_key and frame.is_tagged_by(key, frame.REPORT, found):
                self.key, self._counter = key, found.counter
                return True
        if self.key and frame.is_tagged_by(self.key, frame.REPORT, found):
            if found.counter <= self._counter:
                self.receiver.drop("old")
                return False
            self._counter = found.counter
            if report.HasField("event") or self._fits(report.answer):
                return True
            self._others["answers to a hello"] += 1
            return False
        self.receiver.drop("wrong tag")
        return False

    def _fits(self, answer: link_pb2.Answer) -> bool:
        """Return whether an answer with the session's tag can be one to what is asked in it.

        A hello is said untagged: anybody can send ours again with the id of an open request, and
        the machine tags its answer with this very key. That is no DONE of the request.
        """
        return self._asked not in UNTAGGED and not answer.HasField("identity")

    def _answered(self, answer: link_pb2.Answer) -> None:
        """Take note at once: what comes next in the same bytes depends on it."""
        if answer.identity.nonce:
            who = answer.identity.serial, answer.identity.boots
            if self.machine not in (None, who):
                self.begun_anew += 1
                if self.next_event is not None:
                    self.next_event = answer.identity.first_event
            self.machine = who
            self.restarted = False
            self.gap = True
        elif answer.HasField("replayed"):
            first = answer.replayed.first
            if first < self._replay_from:
                # It has a new memory, though its count of starts is the same: all is forgotten,
                # and what it has kept before this number is still to be asked for, from 0.
                self.begun_anew += 1
                self.next_event = None
                self.gap = True
                return
            if self.next_event is not None and first > self.next_event:
                self.lost.append((self.next_event, first - 1))
            # An answer that comes late may speak of what was heard meanwhile.
            self.next_event = max(first, self.next_event or 0)
            self.gap = False

    def _is_next(self, number: int) -> bool:
        if number == 0:
            return True
        if self.restarted or self.next_event is None or number < self.next_event:
            return False
        if number > self.next_event:
            self.gap = True
            return False
        self.next_event += 1
        return True


def _knows_no_session(answer: link_pb2.Answer) -> bool:
    return answer.outcome == link_pb2.NO_SESSION or answer.rule == "KEYS"
