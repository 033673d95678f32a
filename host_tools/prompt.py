"""A board's MicroPython prompt at a serial port, through mpremote's own transport."""

from __future__ import annotations

import errno
from contextlib import redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from typing import Any

import serial
from mpremote.transport import TransportError  # type: ignore[import-untyped]
from mpremote.transport_serial import SerialTransport  # type: ignore[import-untyped]

REASONS = {
    errno.ENOENT: "there is no such port",
    errno.EACCES: "no permission to open it",
    errno.EAGAIN: "another program has it open",
    errno.EBUSY: "another program has it open",
    errno.ENOTTY: "that is no serial port",
}


class PromptError(Exception):
    """One line that names the port."""


class Prompt:
    """Runs source on the board. What runs there is stopped for it, with Ctrl-C."""

    def __init__(self, port: str) -> None:
        self.port = port
        try:
            serial.Serial(port, exclusive=True).close()
            self._transport: Any = SerialTransport(port, timeout=1)
        except (OSError, TransportError) as error:
            unknown = errno.ENOTTY if there(port) else errno.ENOENT
            number = getattr(error, "errno", None) or unknown
            raise PromptError(f"{port}: {REASONS.get(number, str(error))}") from error
        try:
            with redirect_stdout(StringIO()):  # it prints what it got
                self._transport.enter_raw_repl(soft_reset=False, timeout_overall=3)
        except (OSError, TransportError) as error:
            self.close()
            raise PromptError(f"{port}: no MicroPython prompt answers there") from error

    def run(self, source: str, timeout_s: float = 20) -> str:
        """Run source to its end; what it printed."""
        try:
            out, problem = self._transport.exec_raw(source, timeout=timeout_s)
        except (OSError, TransportError) as error:
            raise PromptError(f"{self.port}: the board went away or gave no answer") from error
        if problem:
            line = problem.decode(errors="replace").strip().splitlines()[-1]
            raise PromptError(f"{self.port}: the board says: {line}")
        return str(out.decode()).strip()

    def leave(self, source: str) -> None:
        """Run source that does not come back, such as a reset."""
        with suppress(OSError, TransportError):
            self._transport.exec_raw_no_follow(source)
        self.close()

    def restart(self) -> None:
        """Reset the board, so that it runs its image again, and leave the port."""
        self.leave("import machine; machine.reset()")

    def close(self) -> None:
        """Leave the port."""
        with suppress(OSError, TransportError):
            self._transport.close()


def there(port: str) -> bool:
    """Whether there is a port of that name."""
    return Path(port).exists()
