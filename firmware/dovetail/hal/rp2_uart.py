# The link's UART, without an allocation a byte and without a wait that stops the loop.

import asyncio
import micropython
from machine import UART, Pin
from micropython import const
from dovetail.clock import sleep_ms, ticks_add, ticks_diff, ticks_us

# A controller has one request open at a time, three short ones while it reads the journal: what waits here is one of
# the longest frames, 543 bytes, at any rate and in any pause. The rest is for who floods: 16 ms at 921,600 baud.
_COMING = const(1536)
_GOING = const(1088)  # two of the longest frames: the line has work while the next is made
_TURN = const(512)  # bytes that may come before others have their turn


class Uart:
    def __init__(self, tx, rx, baud):
        self.baud = baud
        self.uart = UART(0, baud, tx=Pin(tx), rx=Pin(rx), txbuf=_GOING, rxbuf=_COMING)
        self.stream = asyncio.StreamReader(self.uart)
        self.nothing = bytearray(0)
        self.taken = 0
        self._pace()

    def _pace(self):
        # The port does not say how much room it has: so it is known from what has been written, and the rate.
        self.byte_us = 10000000 // self.baud + 1
        self.empty_us = ticks_us()

    @micropython.native
    def take(self, buf):
        """What is there already; gives how many bytes it put into buf. Nothing is allocated."""
        # No more than is there: asked for more, the port would wait for a next character that may never come.
        n = min(self.uart.any(), len(buf))
        if not n or self.taken >= _TURN:
            return 0
        self.taken += n
        return self.uart.readinto(buf, n)

    def waits(self):
        """Whether bytes are there that nobody has taken: also the first few, which wake nobody yet."""
        return self.uart.any() > 0

    async def read(self, buf):
        """Waits for bytes and gives how many it put into buf."""
        while True:
            if self.taken >= _TURN:  # a line that is never idle must not keep the lanes from their turn
                self.taken = 0
                await sleep_ms(0)
            n = self.take(buf)
            if n:
                return n
            await self.stream.readinto(self.nothing)  # reads nothing, once there is something to read

    async def set_baud(self, baud):
        """Changes the rate when all has left. What has come in at the old one is dropped."""
        while not self.uart.txdone():
            await sleep_ms(1)
        self.uart.init(baudrate=baud)
        self.baud = baud
        self._pace()
        while self.uart.any():
            self.uart.read(self.uart.any())

    async def write(self, buf, n):
        """Takes n bytes of buf; they leave by themselves."""
        done = 0
        while done < n:
            now = ticks_us()
            left_us = max(ticks_diff(self.empty_us, now), 0)
            part = min(n - done, _GOING - left_us // self.byte_us)
            if part > 0:
                self.uart.write(buf, done, part)  # all of it: there is room
                self.empty_us = ticks_add(now, left_us + part * self.byte_us)
                done += part
            else:
                await sleep_ms(1)
