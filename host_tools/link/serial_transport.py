"""A serial port, or a pty, as a transport on a running loop."""

import asyncio
import errno
import os
from collections.abc import Callable

import serial
from serial.tools.list_ports import comports

from host_tools.link.errors import LinkError
from host_tools.link.transport import BAUD

CHUNK = 4096
WHY = {
    errno.EACCES: "no permission; join the group that owns it, or ask for access",
    errno.EPERM: "no permission; join the group that owns it, or ask for access",
    errno.EBUSY: "in use by another program; close that one first",
    errno.EAGAIN: "in use by another program; close that one first",
    errno.EIO: "the device behind it does not answer",
    errno.ENXIO: "no device behind it",
}


class PortError(LinkError):
    """A port that cannot be opened: one line with its name and the way out."""


def open_port(port: str, baud: int = BAUD) -> "SerialTransport":
    """Open it for this program alone. Call it from a coroutine."""
    try:
        opened = serial.Serial(port, baud, timeout=0, exclusive=True)
    except (serial.SerialException, ValueError, OverflowError) as error:  # the last: of a rate
        raise PortError(f"{port}: {_why(error)}") from None
    return SerialTransport(opened)


def _why(error: serial.SerialException | ValueError | OverflowError) -> str:
    number = getattr(error, "errno", None)
    if number == errno.ENOENT:
        names = ", ".join(sorted(found.device for found in comports())) or "none"
        return f"no such port; serial ports here: {names}"
    if number is None or isinstance(error, ValueError):
        return f"not a serial port that can be used ({error})"
    return WHY.get(number, os.strerror(number))


class SerialTransport:
    """Bytes out as fast as the port takes them, bytes in as they come."""

    def __init__(self, port: serial.Serial) -> None:
        self.on_bytes: Callable[[bytes], None] = lambda data: None
        self.on_lost: Callable[[str], None] = lambda why: None
        self._port = port
        self._fd: int = port.fileno()
        self._waiting = bytearray()
        self._open = True
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._fd, self._read)

    def write(self, data: bytes) -> None:
        """Send, or keep what the port has no room for until it has."""
        if not self._open:
            return
        self._waiting += data
        self._flush()

    def set_baud(self, baud: int) -> None:
        """Another rate, for what is sent and heard from here on."""
        if self._open:
            self._port.baudrate = baud

    def close(self) -> None:
        """Give the port back. Nothing is heard of it afterwards."""
        if not self._open:
            return
        self._open = False
        self._loop.remove_reader(self._fd)
        self._loop.remove_writer(self._fd)
        self._port.close()

    def _flush(self) -> None:
        try:
            sent = os.write(self._fd, self._waiting)
        except BlockingIOError:
            sent = 0
        except OSError as error:
            self._gone(error)
            return
        del self._waiting[:sent]
        if self._waiting:
            self._loop.add_writer(self._fd, self._flush)
        else:
            self._loop.remove_writer(self._fd)

    def _read(self) -> None:
        try:
            data = os.read(self._fd, CHUNK)
        except BlockingIOError:
            return
        except OSError as error:
            self._gone(error)
            return
        if data:
            self.on_bytes(data)
        else:
            self._gone(None)

    def _gone(self, error: OSError | None) -> None:
        name = self._port.name or "the port"
        self.close()
        why = error.strerror if error and error.strerror else "it was unplugged"
        self.on_lost(f"{name}: {why}")
