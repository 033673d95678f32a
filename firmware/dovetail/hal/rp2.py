# The HAL on an RP2 chip: what the interface in __init__.py says, on the pins that board.py names.

import gc
import heap
import machine
import micropython
from machine import ADC, Pin
from micropython import const
from time import sleep_us
from dovetail.clock import Flag
from dovetail.hal.rp2_edge import Edge
from dovetail.hal.rp2_step import Stepper
from dovetail.hal.rp2_store import PROGRAM, Store, journal_bytes, program
from dovetail.hal.rp2_uart import Uart

# Which state machine drives which axis; each PIO block has four.
_MACHINES = {"pick": 0, "feed": 1, "wheel": 2, "eject": 4, "deal": 5}

_STARTED = const(0x64766574)  # in a register that a power-on clears


def _reset_cause(rp2350):
    watchdog = 0x400D8000 if rp2350 else 0x40058000
    reason = machine.mem32[watchdog + 8]  # REASON: 1 it ran out, 2 software asked for a reset
    pin = machine.mem32[0x4010002C] >> 18 if rp2350 else machine.mem32[0x40064008] >> 16  # CHIP_RESET: the RUN pin
    # A soft reset leaves all that as it was, so the first start leaves a mark in SCRATCH0, which power and the RUN pin
    # clear. SCRATCH4 to 7 are the boot ROM's, and the RP2350's may use 2 and 3
    again = machine.mem32[watchdog + 12] == _STARTED
    machine.mem32[watchdog + 12] = _STARTED
    return "watchdog" if reason & 1 else "reset" if reason & 2 or pin & 1 or again else "power"


@micropython.viper
def _wipe(secret):
    # Overwrites a bytes object where it lies. Not for a constant: that lies in flash.
    there = ptr8(secret)
    for i in range(int(len(secret))):
        there[i] = 0


class Hal:
    def __init__(self, board, mechanics):
        self.board = board
        self.mechanics = mechanics
        self.rp2350 = board.CHIP == "rp2350"
        pins = board.PINS
        self.drivers = Pin(pins["enable"], Pin.OUT, value=1)
        self.outputs = {}
        for name in ("lamp_green", "lamp_amber", "lamp_red", "buzzer"):
            self.outputs[name] = Pin(pins[name], Pin.OUT, value=0)
        self.select = tuple(Pin(pins["mux_%d" % i], Pin.OUT, value=0) for i in range(4))
        self.adc = ADC(Pin(pins["mux"]))
        self.interlock = Flag()
        self.switches = {}
        for name in ("lid", "door", "mount"):
            self.switches[name] = pin = Pin(pins[name], Pin.IN, Pin.PULL_UP)
            pin.irq(self._switched, Pin.IRQ_FALLING | Pin.IRQ_RISING, hard=True)
        self.uart = Uart(pins["uart_tx"], pins["uart_rx"], board.UART_BAUD)
        self.store = Store(journal_bytes(board))
        if self.rp2350:
            from dovetail.hal import rp2350_noise as noise
        else:
            from dovetail.hal import rp2_noise as noise
        self.noise = noise
        self.unique_id = machine.unique_id()
        self.reset_cause = _reset_cause(self.rp2350)
        self.watchdog = None
        self.program = program
        self.program_size = PROGRAM
        self.wipe = _wipe
        self.collect = gc.collect

    def stepper(self, name, up, down):
        pins = self.board.PINS
        return Stepper(_MACHINES[name], pins["step_" + name], pins.get("dir_" + name), up, down, self.rp2350)

    def edge(self, name, stepper):
        return Edge(self.board.PINS[name], stepper, self.rp2350)

    @micropython.native
    def switch(self, name):
        return 1 - self.switches[name]()

    def _switched(self, _):  # hard interrupt
        self.interlock.set()

    @micropython.native
    def level(self, channel):
        number = self.board.MUX[channel]
        for pin in self.select:
            pin(number & 1)
            number >>= 1
        sleep_us(5)  # the multiplexer and its filter settle; there is no await until the level is read
        return self.adc.read_u16() >> 4

    def enable(self, on):
        self.drivers(not on)

    def lamp(self, name, on):
        self.outputs["lamp_" + name](on)

    def buzzer(self, on):
        self.outputs["buzzer"](on)

    def watch(self, ms):
        """Starts the watchdog. It can't be stopped again: from here on somebody must call feed()."""
        self.watchdog = machine.WDT(timeout=ms)

    def feed(self):
        if self.watchdog is not None:
            self.watchdog.feed()

    def free(self):
        return heap.free()
