"""Keeps the emulator's PIO on time while the processor sleeps.

The emulator executes at most one PIO instruction for each jump of its clock, and forgives a state
machine what it owes beyond eight system clocks. So while a state machine has work the clock must
not jump far. What stops it is the SysTick of a second chip that executes nothing and shares the
clock: its alarm lives in the emulator's compiled core and costs a third of one in Python.

Work reaches a state machine through the DMA, so a write to a DMA register starts the metronome;
a look at the state machines, some time after the last write, ends it: a word that was written just
now has not reached them yet.
"""

from __future__ import annotations

from rp2040py.clock.clock import IAlarm
from rp2040py.rp2040 import RP2040

GRAIN_CYCLES = 25  # 200 ns: divides the microsecond of a PIO instruction at 1 MHz
LOOK_NS = 1_000_000

_SYSTICK_CONTROL = 0x10
_SYSTICK_RELOAD = 0x14
_SYSTICK_COUNT = 0x18
_RUN = 0b101  # counts processor clocks, no interrupt
_DMA_WINDOW = 0x50000
_NEVER = 1 << 62


class _DmaWindow:
    """The DMA's registers, with a look over the shoulder of who writes them."""

    def __init__(self, mcu: RP2040, metronome: Metronome) -> None:
        self._dma = mcu.dma
        self._metronome = metronome

    def reset(self) -> None:
        self._dma.reset()

    def read_uint32(self, offset: int) -> int:
        return self._dma.read_uint32(offset)

    def write_uint32(self, offset: int, value: int) -> None:
        self._metronome.start()
        self._dma.write_uint32(offset, value)

    def write_uint32_atomic(self, offset: int, value: int, atomic_type: int) -> None:
        self._metronome.start()
        self._dma.write_uint32_atomic(offset, value, atomic_type)


class Metronome:
    """Ticks while a state machine has work."""

    def __init__(self, mcu: RP2040, grain_cycles: int = GRAIN_CYCLES) -> None:
        self._mcu = mcu
        self._grain_cycles = grain_cycles
        self._ticker = RP2040(clock=mcu.clock).ppb
        self._look: IAlarm = mcu.clock.create_alarm(self._stop_if_idle)
        self.running = False
        mcu.peripherals[_DMA_WINDOW] = _DmaWindow(mcu, self)

    def start(self) -> None:
        """The DMA was touched."""
        if not self.running:
            self.running = True
            self._ticker.write_uint32(_SYSTICK_RELOAD, self._grain_cycles - 1)
            self._ticker.write_uint32(_SYSTICK_COUNT, 0)
            self._ticker.write_uint32(_SYSTICK_CONTROL, _RUN)
        self._look.schedule(LOOK_NS)

    def _stop_if_idle(self) -> None:
        if any(not pio.stopped and pio.next_due_fp < _NEVER for pio in self._mcu.pio):
            self._look.schedule(LOOK_NS)
            return
        self._ticker.write_uint32(_SYSTICK_CONTROL, 0)
        self.running = False
