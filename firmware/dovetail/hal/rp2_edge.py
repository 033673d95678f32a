# The edges of one input, noted in a hard interrupt: nothing is decided and nothing is allocated there.
# It is viper code on registers: a step takes as little as 33 us, and five axes may have an edge at the same time.

import micropython
import uctypes
from machine import Pin
from micropython import const
from dovetail.clock import Flag
from dovetail.hal import EDGES
from dovetail.hal.lasting import lasting_array, lasting_bytes
from dovetail.hal.rp2_feed import position

_N = const(0)
_STEPPER = const(1)  # addresses: the stepper's state, the inputs, the microsecond timer, the three notes
_INPUTS = const(2)
_TIMER = const(3)
_LEVEL = const(4)
_AT = const(5)
_US = const(6)
_PIN = const(7)
_LAST = const(8)


class Edge:
    def __init__(self, pin, stepper, rp2350):
        self.flag = Flag()
        self.set_flag = self.flag.set
        self.level = lasting_bytes(EDGES)
        self.at = lasting_array("I", EDGES)
        self.us = lasting_array("I", EDGES)
        self.notes = notes = lasting_array("I", 9)
        notes[_STEPPER] = uctypes.addressof(stepper.state)
        notes[_INPUTS] = 0xD0000004
        notes[_TIMER] = 0x400B0028 if rp2350 else 0x40054028
        notes[_LEVEL] = uctypes.addressof(self.level)
        notes[_AT] = uctypes.addressof(self.at)
        notes[_US] = uctypes.addressof(self.us)
        notes[_PIN] = pin
        notes[_LAST] = EDGES - 1
        self.stepper = stepper
        self.pin = Pin(pin, Pin.IN, Pin.PULL_UP)  # low: blocked
        self.pin.irq(self._edge, Pin.IRQ_FALLING | Pin.IRQ_RISING, hard=True)

    @property
    def n(self):
        return self.notes[_N]

    @n.setter
    def n(self, n):  # at rest only: an interrupt in between would be lost
        self.notes[_N] = n

    def dark(self):
        return 1 - self.pin()

    def reset(self):
        self.notes[_N] = 0
        self.flag.clear()

    def keep(self, n):
        self.notes[_N] = n

    @micropython.viper
    def _edge(self, _):
        e = ptr32(self.notes)
        at = int(position(e[_STEPPER]))
        n = e[_N]
        i = n & e[_LAST]
        ptr32(e[_AT])[i] = at
        ptr32(e[_US])[i] = ptr32(e[_TIMER])[0] & 0x3FFFFFFF  # as ticks_us() counts
        ptr8(e[_LEVEL])[i] = 1 - ((ptr32(e[_INPUTS])[0] >> e[_PIN]) & 1)
        e[_N] = n + 1
        self.set_flag()
