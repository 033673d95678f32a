"""A pseudo-terminal that stands for a serial port, behind a name that comes and goes."""

from __future__ import annotations

import os
import pty
import tty
from contextlib import suppress
from pathlib import Path

KEEP = 1 << 16  # bytes kept for a program that is slow to read; more are lost, as on a wire


class SerialPort:
    """What the board sends is written here; what the other program sends is read here."""

    def __init__(self, name: Path) -> None:
        self.name = name
        self._master = -1
        self._slave = -1
        self._out = bytearray()

    def plug(self) -> None:
        """The port appears."""
        if self._master < 0:
            self._master, self._slave = pty.openpty()  # both stay open: a program may come and go
            tty.setraw(self._slave)
            os.set_blocking(self._master, False)
            self.name.symlink_to(os.ttyname(self._slave))

    def unplug(self) -> None:
        """The port disappears; a program that has it open is told so."""
        if self._master >= 0:
            self.name.unlink(missing_ok=True)
            os.close(self._slave)
            os.close(self._master)
            self._master = self._slave = -1
            self._out.clear()

    def fileno(self) -> int:
        """For select(); -1 when unplugged."""
        return self._master

    def read(self, limit: int = 4096) -> bytes:
        """What the other program has sent."""
        try:
            return os.read(self._master, limit) if self._master >= 0 else b""
        except BlockingIOError:
            return b""

    def write(self, data: bytes) -> None:
        """Send to the other program."""
        if self._master >= 0:
            self._out += data[: KEEP - len(self._out)]
            self.flush()

    def flush(self) -> None:
        """Try again what the other program had no room for."""
        if self._out and self._master >= 0:
            with suppress(BlockingIOError):
                del self._out[: os.write(self._master, self._out)]
