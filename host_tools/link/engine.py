"""The link without a line: bytes in, answers and events out; requests in, bytes out."""

from collections.abc import Iterator

from google.protobuf.message import DecodeError, Message

from host_tools.link import frame, link_pb2

VERSION = 1
NONCE = 16


class Engine:
    """One controller's view of one machine: ids, and events in order and once."""

    def __init__(self, nonce: bytes) -> None:
        self.nonce = nonce
        self.receiver = frame.Receiver(frame.REPORT)
        self.boots: int | None = None
        self.next_event: int | None = None  # the next to hand on; None until a replay said it
        self.gap = False  # an event is missing: ask for a replay
        self.restarted = False  # the machine's frames count from the start again: say hello
        self.lost: list[tuple[int, int]] = []  # events that the machine did not keep: first, last
        self.pending: int | None = None  # the id of the request that is not answered yet
        self._id = 0
        self._sent = 0
        self._counter = 0

    def request(self, name: str, message: Message) -> bytes:
        """The body of a new request, for frame(). Only its answer will be handed on."""
        self._id += 1
        self.pending = self._id
        request = link_pb2.Request(id=self._id)
        field: Message = getattr(request, name)
        field.CopyFrom(message)
        field.SetInParent()  # some have no fields of their own
        return request.SerializeToString(deterministic=True)

    def frame(self, body: bytes) -> bytes:
        """A frame for a body."""
        self._sent += 1
        return frame.encode(frame.REQUEST, self._sent, body)

    def hello(self) -> link_pb2.Hello:
        """What a hello says."""
        return link_pb2.Hello(version=VERSION, nonce=self.nonce)

    def receive(self, data: bytes) -> Iterator[link_pb2.Answer | link_pb2.Event]:
        """Answers as they come, events in order and once."""
        for found in self.receiver.feed(data):
            if found.counter <= self._counter:
                self.restarted = True
            self._counter = found.counter
            try:
                report = link_pb2.Report.FromString(found.body)
            except DecodeError:
                continue
            if report.HasField("answer"):
                if report.answer.id == self.pending:
                    self.pending = None
                    self._answered(report.answer)
                    yield report.answer
            elif report.HasField("event") and self._is_next(report.event.number):
                yield report.event

    def _answered(self, answer: link_pb2.Answer) -> None:
        """Take note at once: what comes next in the same bytes depends on it."""
        if answer.HasField("identity"):
            if answer.identity.boots != self.boots and self.next_event is not None:
                self.next_event = min(self.next_event, answer.identity.first_event)
            self.boots = answer.identity.boots
            self.restarted = False
            self.gap = True
        elif answer.HasField("replayed"):
            first = answer.replayed.first
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
