# The step pulses of one axis, made by a PIO state machine; rp2_feed.py brings it the step periods.

import rp2
import uctypes
from machine import Pin
from micropython import const
from dovetail.clock import Flag
from dovetail.hal import rp2_feed as feed
from dovetail.hal.lasting import lasting_array

_OVERHEAD = const(7)  # us of a step in _pulses apart from what its word counts: 1 + 1 + 1 + 3 + 1


@rp2.asm_pio(sideset_init=rp2.PIO.OUT_LOW)
def _pulses():
    # A cycle is 1 us. rp2_feed counts on it that the first instruction takes the word and the fourth begins the pulse.
    wrap_target()
    label("start")
    pull()              .side(0)
    mov(x, osr)         .side(0)
    jmp(not_x, "end")   .side(0)
    nop()               .side(1) [2]
    label("rest")
    jmp(x_dec, "rest")  .side(0)
    wrap()
    label("end")
    irq(rel(0))         .side(0)
    jmp("start")        .side(0)


_tables = []  # (periods, words): axes with the same ramp share its words
_end_mark = lasting_array("I", 1)


def _words(periods):
    for known, words in _tables:
        if known is periods:
            return words
    if len(periods) and min(periods) <= _OVERHEAD:
        raise ValueError("a step period is too short")
    words = lasting_array("I", len(periods))
    for i in range(len(periods)):
        words[i] = periods[i] - _OVERHEAD
    _tables.append((periods, words))
    return words


class Stepper:
    def __init__(self, machine, step, direction, up, down, rp2350):
        self.flag = Flag()
        self.direction = None if direction is None else Pin(direction, Pin.OUT, value=0)
        self.words = _words(up), _words(down)
        self.ramp = min(len(up), len(down))
        self.cruise = lasting_array("I", 1)
        self.blocks = lasting_array("I", 16)
        self.channels = ctl, dat = rp2.DMA(), rp2.DMA()  # kept: a channel without an object is given back
        self.sm = rp2.StateMachine(machine, _pulses, freq=1000000, sideset_base=Pin(step))
        block, index = machine >> 2, machine & 3
        self.state = s = lasting_array("I", feed.SIZE)
        s[feed.CTL] = 0x50000000 + 0x40 * ctl.channel
        s[feed.DAT] = 0x50000000 + 0x40 * dat.channel
        s[feed.PIO] = pio = 0x50200000 + 0x100000 * block
        s[feed.REG] = pio + 0xC8 + 0x18 * index
        s[feed.FIFO] = pio + 0x10 + 4 * index
        s[feed.SM] = index
        s[feed.FIRST] = _pulses[1 + block]
        s[feed.ABORT] = 0x50000464 if rp2350 else 0x50000444
        s[feed.BUSY] = 1 << (26 if rp2350 else 24)
        s[feed.GO] = ctl.pack_ctrl(ring_size=4, ring_sel=1, chain_to=ctl.channel, treq_sel=63)
        for word, inc_read, then in ((feed.TABLE, 1, ctl), (feed.HOLD, 0, ctl), (feed.LAST, 0, dat)):
            s[word] = dat.pack_ctrl(
                inc_read=inc_read, inc_write=0, ring_size=0, ring_sel=0,
                chain_to=then.channel, treq_sel=8 * block + index,
            )
        s[feed.BLOCKS] = uctypes.addressof(self.blocks)
        s[feed.UP] = uctypes.addressof(self.words[0])
        s[feed.DOWN] = uctypes.addressof(self.words[1]) + 4 * len(down)
        s[feed.CRUISE] = uctypes.addressof(self.cruise)
        s[feed.END] = uctypes.addressof(_end_mark)
        self.sm.irq(self._ended, hard=True)

    def run(self, reverse, m, k, period_us):
        if self.busy():
            raise RuntimeError("the axis is moving")
        if m > self.ramp or (k and period_us <= _OVERHEAD):
            raise ValueError("no such move")
        if self.direction is not None:
            self.direction(reverse)
        self.flag.clear()
        self.cruise[0] = period_us - _OVERHEAD
        feed.start(self.state, m, k)

    def extend(self, m, k, period_us):
        if m > self.ramp or (k and period_us <= _OVERHEAD):
            raise ValueError("no such move")
        self.cruise[0] = period_us - _OVERHEAD  # what is extended has no step at one speed yet
        return feed.extend(self.state, m, k)

    def halt(self):
        if self.busy():
            feed.halt(self.state)
            self.flag.set()

    def brake(self):
        feed.brake(self.state)

    def steps(self):
        return feed.position(self.state)

    def busy(self):
        return self.state[feed.MOVING] != 0

    def _ended(self, _):  # hard interrupt of the end mark
        if feed.ended(self.state):
            self.flag.set()
