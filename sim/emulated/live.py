"""Keeps an emulated board in step with the wall clock, its ports on ptys, its drive a directory.

Its own clock may go faster than that on the wall, as far as this computer can follow.
"""

from __future__ import annotations

import select
import time
from pathlib import Path

from sim.emulated.board import EmulatedBoard
from sim.emulated.drive import Drive
from sim.emulated.serial_port import SerialPort

SLICE_S = 0.002  # how often the ports are looked at
LATE_S = 0.05  # what the emulator owes the wall clock beyond this is forgiven
PROMPT_ROOM = 1024


class Live:
    """A board that other programs talk to."""

    def __init__(
        self, board: EmulatedBoard, directory: Path, drive: Path | None = None, speed: int = 1
    ) -> None:
        self.board = board
        self._speed = speed
        self.link = SerialPort(directory / "link")
        self.prompt = SerialPort(directory / "prompt")
        self.drive = Drive(drive or directory / "RPI-RP2", board.board.CHIP)
        board.line.on_bytes = self.link.write
        board.line.set_baud(None)
        board.prompt.on_bytes = self.prompt.write
        self.link.plug()
        self._origin_s = time.monotonic() - self._board_s()

    def close(self) -> None:
        """Take ports and drive away."""
        self.link.unplug()
        self.prompt.unplug()
        if self.board.chip.bootsel:
            self.drive.hide()

    def step(self) -> None:
        """Bring the board up to the present, then wait a little for the ports."""
        board = self.board
        due_ns = int((time.monotonic() - self._origin_s) * self._speed * 1e9)
        if due_ns > board.now_ns():
            board.advance(due_ns)
        late_s = time.monotonic() - self._origin_s - self._board_s()
        if late_s > LATE_S:
            self._origin_s += late_s - LATE_S
        self._follow()
        self.link.flush()
        self.prompt.flush()
        self._listen(max(SLICE_S - max(late_s, 0), 0))

    def _board_s(self) -> float:
        """Return when it is on the board, as the wall counts."""
        return self.board.now_ns() / 1e9 / self._speed

    def _follow(self) -> None:
        """Show the prompt or the drive as the board's USB does."""
        chip = self.board.chip
        if self.board.prompt.connected:
            self.prompt.plug()
        else:
            self.prompt.unplug()
        if chip.bootsel:
            if not self.drive.directory.joinpath("INFO_UF2.TXT").exists():
                self.drive.show()
            image = self.drive.copied()
            if image is not None:
                self.drive.hide()
                self.board.install(image)

    def _listen(self, wait_s: float) -> None:
        ports = [port for port in (self.link, self.prompt) if port.fileno() >= 0]
        if self.board.prompt.waiting() > PROMPT_ROOM:
            ports.remove(self.prompt)
        ready, _, _ = select.select(ports, [], [], wait_s)
        if self.link in ready:
            self.board.line.write(self.link.read())
        if self.prompt in ready:
            self.board.prompt.write(self.prompt.read())
