# The edges of one input, noted in a hard interrupt: nothing is decided and nothing is allocated there.

import micropython
from array import array
from machine import Pin
from time import ticks_us
from dovetail.clock import Flag
from dovetail.hal import EDGES
from dovetail.hal.rp2_feed import position


class Edge:
    def __init__(self, pin, stepper):
        self.flag = Flag()
        self.state = stepper.state
        self.level = bytearray(EDGES)
        self.at = array("I", bytes(4 * EDGES))
        self.us = array("I", bytes(4 * EDGES))
        self.n = 0
        self.pin = Pin(pin, Pin.IN, Pin.PULL_UP)  # low: blocked
        self.pin.irq(self._edge, Pin.IRQ_FALLING | Pin.IRQ_RISING, hard=True)

    def dark(self):
        return 1 - self.pin()

    def reset(self):
        self.n = 0
        self.flag.clear()

    @micropython.native
    def _edge(self, pin):
        at = position(self.state)  # first: at full speed a step takes 33 us
        n = self.n
        if n < len(self.at):
            self.at[n] = at
            self.us[n] = ticks_us()
            self.level[n] = 1 - pin()
        self.n = n + 1
        self.flag.set()
