"""`dovetail link sniff`: what is said on a line, from a capture or live."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import IO

from host_tools.build.tell import UsageError
from host_tools.link import frame
from host_tools.link_tools import capture
from host_tools.link_tools.capture import NAMES, Piece
from host_tools.link_tools.decode import Decoder
from host_tools.link_tools.middle import Middle, folder, open_machine

Say = Callable[[str], None]


class Sniffer:
    """Both directions."""

    def __init__(self, say: Say) -> None:
        self._say = say
        self._decoders = {kind: Decoder(kind) for kind in (frame.REQUEST, frame.REPORT)}

    def hear(self, piece: Piece) -> None:
        """A line for everything that ends in this piece."""
        for line in self._decoders[piece.kind].feed(piece.data):
            self._say(f"{piece.time_s:>10.4f} {NAMES[piece.kind]:<10} {line}")

    def sums(self) -> list[str]:
        """What there was, one line a direction."""
        rows = ((NAMES[kind], one.counts) for kind, one in self._decoders.items())
        return [f"{name}: " + ", ".join(f"{n} {what}" for what, n in c.items()) for name, c in rows]


def file(path: Path, say: Say) -> int:
    """Everything in a capture."""
    pieces = capture.read(path)
    sniffer = Sniffer(say)
    try:
        for piece in pieces:
            sniffer.hear(piece)
    finally:  # one that was cut is told up to there
        for line in sniffer.sums():
            say(line)
    return 0


def _opened(to: Path) -> IO[str]:
    try:
        return to.open("w", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"link sniff: --to {to}: {error.strerror}") from None


def live(port: str, baud: int, to: Path | None, say: Say) -> int:
    """Between a machine and its controller, until Ctrl-C."""
    with ExitStack() as stack:
        machine = open_machine(port, baud)
        out = stack.enter_context(_opened(to)) if to else None
        sniffer = Sniffer(say)
        began_s = time.monotonic()

        def passed(kind: int, data: bytes) -> Iterable[tuple[float, bytes]]:
            piece = Piece(time.monotonic() - began_s, kind, data)
            sniffer.hear(piece)
            if out is not None:
                capture.write(out, piece)
            return [(0.0, data)]

        middle = Middle(machine, passed, Path(stack.enter_context(folder())))
        stack.callback(middle.close)
        say(f"link: {middle.controller.name}")
        try:
            while True:
                middle.step()
        except KeyboardInterrupt:
            for line in sniffer.sums():
                say(line)
            return 0
