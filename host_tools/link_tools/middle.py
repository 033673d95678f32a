"""A man in the middle: a machine's port on one side, a pty for its controller on the other."""

from __future__ import annotations

import os
import select
import tempfile
import termios
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import serial
from dovetail.link.answers import BAUDS

from host_tools import key_file
from host_tools.build.tell import BuildError, UsageError
from host_tools.link import frame
from sim.emulated.serial_port import SerialPort

LOOK_S = 0.2
CODES: dict[int, int] = {getattr(termios, f"B{rate}"): rate for rate in BAUDS}
OF_SENT = 5  # its place in what tcgetattr() gives

Passed = Callable[[int, bytes], Iterable[tuple[float, bytes]]]  # kind, bytes → delay and bytes


def open_machine(port: str, baud: int) -> serial.Serial:
    """The machine's side, for us alone."""
    try:
        return serial.Serial(port, baud, timeout=0, exclusive=True)
    except (serial.SerialException, ValueError, OverflowError) as error:  # the last: of a rate
        raise UsageError(f"link: {port}: not a serial port that can be used ({error})") from None


class Middle:
    """Carries bytes both ways until it is told to stop.

    The rate of the machine's port is the given one until the controller sets that of its end.
    """

    def __init__(self, machine: serial.Serial, passed: Passed, folder: Path) -> None:
        self.controller = SerialPort(folder / "link")
        self.controller.plug()
        self._rate_code = self._set_by_controller()
        keys = Path(str(machine.name)).parent / key_file.BESIDE
        if keys.is_file():  # an emulated board's: whoever connects here finds them as there
            (folder / key_file.BESIDE).symlink_to(keys.resolve())
        self._machine = machine
        self._passed = passed
        self._due: dict[int, list[tuple[float, bytes]]] = {frame.REQUEST: [], frame.REPORT: []}
        self._last_s = dict.fromkeys(self._due, 0.0)

    def close(self) -> None:
        """Take the pty away and give the port back."""
        self.controller.unplug()
        self._machine.close()

    def step(self) -> None:
        """Wait for bytes, or until some are due, and carry them."""
        due = [row[0][0] for row in self._due.values() if row]
        wait_s = min([LOOK_S, *(at - time.monotonic() for at in due)])
        ready, _, _ = select.select([self.controller, self._machine], [], [], max(wait_s, 0.0))
        self._follow_rate()
        if self.controller in ready:
            self._take(frame.REQUEST, self.controller.read())
        if self._machine in ready:
            try:
                self._take(frame.REPORT, os.read(self._machine.fileno(), 4096))
            except OSError:
                raise BuildError(f"link: {self._machine.name}: the machine is gone") from None
        self._deliver()

    def _set_by_controller(self) -> int:
        """The rate of the pty as termios has it: either end tells what the other one was set to."""
        return int(termios.tcgetattr(self.controller.fileno())[OF_SENT])

    def _follow_rate(self) -> None:
        """After a `set_baud` the controller goes to another rate, and back when it fails."""
        code = self._set_by_controller()
        if code != self._rate_code:
            self._rate_code = code
            if code in CODES:
                self._machine.baudrate = CODES[code]

    def _take(self, kind: int, data: bytes) -> None:
        """Order is kept: what is held back holds back all behind it."""
        for delay_s, piece in self._passed(kind, data):
            at = max(time.monotonic(), self._last_s[kind]) + delay_s
            self._last_s[kind] = at
            self._due[kind].append((at, piece))

    def _deliver(self) -> None:
        now_s = time.monotonic()
        for kind, row in self._due.items():
            while row and row[0][0] <= now_s:
                piece = row.pop(0)[1]
                if kind == frame.REQUEST:
                    self._machine.write(piece)
                else:
                    self.controller.write(piece)


def folder() -> tempfile.TemporaryDirectory[str]:
    """Where the controller's end gets its name."""
    return tempfile.TemporaryDirectory(prefix="dovetail-link-")
