"""Runs source on a board through its prompt, in the board's own time."""

from __future__ import annotations

from sim.emulated.board import EmulatedBoard

INTERRUPT, RAW, END = b"\r\x03\x03", b"\r\x01", b"\x04"
READY = b"raw REPL; CTRL-B to exit\r\n>"
SECOND_NS = 1_000_000_000


class RawError(Exception):
    """The board gave no answer, or an exception."""


class RawPrompt:
    """The raw prompt of a bench image. What runs on the board is stopped for it, and forgotten.

    anew=False: what main.py has made stays to be looked at.
    """

    def __init__(
        self, board: EmulatedBoard, limit_ns: int = 5 * SECOND_NS, anew: bool = True
    ) -> None:
        self._board = board
        self._came = bytearray()
        board.prompt.on_bytes = self._came.extend
        end = board.now_ns() + limit_ns
        while not board.prompt.connected:
            if board.now_ns() >= end:
                raise RawError("the image has no prompt")
            board.advance(board.now_ns() + 1_000_000)
        board.prompt.write(INTERRUPT + RAW)
        self._until(READY, limit_ns)
        if not anew:
            return
        self._came.clear()
        board.prompt.write(END)  # a soft reset: main.py does not run again at the raw prompt
        self._until(READY, limit_ns)

    def start(self, source: str) -> None:
        """Send source and let it start; result() has what it prints."""
        self._came.clear()
        self._board.prompt.write(source.encode() + END)
        self._until(b"OK", SECOND_NS)
        del self._came[: self._came.index(b"OK") + 2]  # what is short has ended by now

    def result(self, limit_ns: int = 10 * SECOND_NS) -> str:
        """Let it run to its end; what it printed."""
        self._until(b"\x04>", limit_ns)
        printed, error, _ = bytes(self._came).split(b"\x04")
        if error:
            raise RawError(error.decode(errors="replace").strip())
        return printed.decode().replace("\r\n", "\n").strip()

    def run(self, source: str, limit_ns: int = 10 * SECOND_NS) -> str:
        """Run source to its end; what it printed."""
        self.start(source)
        return self.result(limit_ns)

    def _until(self, end: bytes, limit_ns: int) -> None:
        limit = self._board.now_ns() + limit_ns
        while end not in self._came:
            if self._board.now_ns() >= limit:
                raise RawError(f"no answer at the prompt, only {bytes(self._came[-80:])!r}")
            self._board.advance(self._board.now_ns() + 1_000_000)
