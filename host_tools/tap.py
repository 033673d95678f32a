"""A transport in front of another: it can lose the machine's answers and add noise to the line."""

from __future__ import annotations

from collections.abc import Callable

from host_tools.link import frame, link_pb2
from host_tools.link.transport import Transport


class Tap:
    """Closing it leaves the line open, so that one line serves one controller after another."""

    def __init__(self, line: Transport) -> None:
        self.on_bytes: Callable[[bytes], None] = lambda data: None
        self.on_lost: Callable[[str], None] = lambda why: None
        self.lose = 0  # so many answers to come are lost
        self.lost: list[link_pb2.Answer] = []
        self._line = line
        self._pending = bytearray()
        line.on_bytes = self._received
        line.on_lost = self._gone

    def write(self, data: bytes) -> None:
        """Bytes to the machine; noise too, if somebody likes."""
        self._line.write(data)

    def set_baud(self, baud: int) -> None:
        """Another rate of the line."""
        self._line.set_baud(baud)

    def close(self) -> None:
        """Nothing more is heard here."""
        self.on_bytes = lambda data: None

    def _gone(self, why: str) -> None:
        self.on_lost(why)

    def _received(self, data: bytes) -> None:
        """Whole frames go on, but for answers that are to be lost."""
        self._pending += data
        while (end := self._pending.find(0) + 1) > 0:
            block = bytes(self._pending[:end])
            del self._pending[:end]
            answer = _answer_in(block[:-1]) if self.lose else None
            if answer is None:
                self.on_bytes(block)
            else:
                self.lose -= 1
                self.lost.append(answer)


def _answer_in(block: bytes) -> link_pb2.Answer | None:
    found = frame.decode(frame.REPORT, block)
    if isinstance(found, str):
        return None
    report = link_pb2.Report.FromString(found.body)
    return report.answer if report.HasField("answer") else None
