# All firmware takes time from here: MicroPython's ticks on the device, the simulated machine's clock under CPython.
# Apart from hal/ this is the only file that knows on which of the two it runs.

# pyright: reportRedeclaration=false, reportAssignmentType=false
import sys
import asyncio

if sys.implementation.name == "micropython":
    from time import ticks_ms, ticks_us, ticks_diff, ticks_add

    Flag = asyncio.ThreadSafeFlag  # set() is safe in a hard interrupt; one waiter a flag
    sleep_ms = asyncio.sleep_ms

    def moment():
        """await it: as soon as everybody else had a turn."""
        return sleep_ms(0)

    async def _take(flag, got):
        await flag.wait()
        got.append(True)

    async def wait(flag, limit_ms):
        """True when the flag was set within the limit, False when the limit passed. Clears the flag."""
        got = []  # the limit may pass after the flag was cleared and before we are told: then it counts all the same
        try:
            await asyncio.wait_for_ms(_take(flag, got), limit_ms)
        except asyncio.TimeoutError:
            pass
        return bool(got)

    async def soon(flag, limit_ms, every_ms=1):
        """The same for what ends within a move: looks now and then, and makes no garbage."""
        end = ticks_add(ticks_ms(), limit_ms)
        while not flag.state:
            left_ms = ticks_diff(end, ticks_ms())
            if left_ms <= 0:
                return False
            await sleep_ms(min(left_ms, every_ms))
        flag.clear()
        return True

else:
    _MASK = (1 << 30) - 1  # ticks wrap here as they do on the device, so that a wrong subtraction shows

    def ticks_us():
        return int(asyncio.get_running_loop().time() * 1000000 + 0.5) & _MASK

    def ticks_ms():
        return int(asyncio.get_running_loop().time() * 1000 + 0.0005) & _MASK

    def ticks_diff(a, b):
        return ((a - b + (1 << 29)) & _MASK) - (1 << 29)

    def ticks_add(a, b):
        return (a + b) & _MASK

    async def sleep_ms(ms):
        await asyncio.sleep(ms / 1000)

    def moment():
        return sleep_ms(1)  # this time stands until it is waited for

    class Flag:
        """One waiter; set() before wait() is not lost."""

        def __init__(self):
            self.state = False
            self.waiter = None

        def set(self):
            self.state = True
            if self.waiter is not None and not self.waiter.done():
                self.waiter.set_result(True)

        def clear(self):
            self.state = False

        async def wait(self):
            if not self.state:
                self.waiter = asyncio.get_running_loop().create_future()
                try:
                    await self.waiter
                finally:
                    self.waiter = None
            self.state = False

    def _late(waiter):
        if not waiter.done():
            waiter.set_result(False)

    async def wait(flag, limit_ms):
        if flag.state:
            flag.state = False
            return True
        loop = asyncio.get_running_loop()
        waiter = flag.waiter = loop.create_future()
        timer = loop.call_later(limit_ms / 1000, _late, waiter)
        try:
            in_time = await waiter
        finally:
            flag.waiter = None
            timer.cancel()
        if in_time:
            flag.state = False
        return in_time

    async def soon(flag, limit_ms, every_ms=1):
        return await wait(flag, limit_ms)
