# A flag that is set is seen, however busy the loop is when its limit passes.

import asyncio

from dovetail import clock

LIMIT_MS = 10


def busy(ms):
    began = clock.ticks_ms()
    while clock.ticks_diff(clock.ticks_ms(), began) < ms:
        pass


async def wakes(after_ms):
    """How many waits one set() ends, while others hold the loop for longer than the limit."""
    flag = clock.Flag()

    async def others():
        await clock.sleep_ms(after_ms)
        flag.set()
        for _ in range(5):
            await clock.sleep_ms(0)
            busy(7)

    async def more():
        for _ in range(6):
            await clock.sleep_ms(1)
            busy(5)

    tasks = [asyncio.create_task(others()), asyncio.create_task(more())]
    seen = 0
    for _ in range(12):
        seen += await clock.wait(flag, LIMIT_MS)
    for task in tasks:
        await task
    return seen


def test_no_set_is_lost():
    async def run():
        seen = []
        for after_ms in range(LIMIT_MS):
            seen.append(await wakes(after_ms))
        return seen

    assert asyncio.run(run()) == [1] * LIMIT_MS
