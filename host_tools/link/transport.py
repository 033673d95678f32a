"""What carries the bytes: a serial port, a pty, the simulated machine's UART."""

from collections.abc import Callable
from typing import Protocol

BAUD = 115_200  # of a line at the beginning of every session: UART_BAUD of every board


class Transport(Protocol):
    """Bytes out by write(), bytes in by on_bytes(); on_lost(why) once, when the line is gone."""

    on_bytes: Callable[[bytes], None]
    on_lost: Callable[[str], None]

    def write(self, data: bytes) -> None: ...

    def set_baud(self, baud: int) -> None: ...

    def close(self) -> None: ...
