# Before what takes long a lane waits for an answer to leave, or for a request that is on its way, and not for ever.

import asyncio

from dovetail import clock, garbage

NEVER = 1 << 20


class Machine:
    """Somebody asks: the frame's first byte comes at .coming ms, its answer leaves at .answered ms."""

    def __init__(self, coming=NEVER, answered=NEVER):
        self.now, self.coming, self.answered = 0, coming, answered

    def hears(self):
        return self.coming <= self.now < self.answered

    def said(self):
        return 1 if self.answered <= self.now else 0


def waited(machine, spare_ms=0):
    """Milliseconds until it goes on."""

    async def sleep_ms(ms):
        machine.now += ms

    real = clock.sleep_ms
    setattr(clock, "sleep_ms", sleep_ms)  # noqa: B010
    try:
        asyncio.run(garbage.hush(machine, spare_ms))
    finally:
        setattr(clock, "sleep_ms", real)  # noqa: B010
    return machine.now


def test_nobody_asks():
    assert waited(Machine()) == 1
    assert waited(Machine(), 20) == 21


def test_an_answer_leaves_while_there_is_time():
    assert waited(Machine(2, 5), 200) == 5


def test_a_request_that_is_on_its_way_is_answered_first():
    assert waited(Machine(0, 4)) == 4
    assert waited(Machine(19, 24), 20) == 24


def test_who_never_ends_is_not_waited_for():
    assert waited(Machine(0)) == 8
    assert waited(Machine(0), 20) == 28
