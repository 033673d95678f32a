# Ramps: exact in time, monotone, and mirrored.

import asyncio
from dovetail import clock
from dovetail.faults import HELD, Fault
from dovetail.motion.axis import Axis, Limit
from dovetail.motion.gate import Gate
from dovetail.motion.ramp import ramp
from dovetail.stations.window import Window


def _ideal_us(n, accel):
    return (2 * n / accel) ** 0.5 * 1000000


def test_every_step_of_a_ramp_comes_when_physics_says():
    for speed, accel in ((30303, 1020000), (22222, 222817), (8000, 800000)):
        up, down = ramp(speed, accel)
        spent = 0
        for n, period in enumerate(up):
            spent += period
            assert abs(spent - _ideal_us(n + 1, accel)) < 40, (speed, n)
        assert up[-1] == (1000000 + speed // 2) // speed
        # v squared over twice the acceleration, where v is known to the rounding of one period
        slow, fast = 1000000 / (up[-1] + 1), 1000000 / (up[-1] - 1)
        assert slow * slow / accel / 2 - 1 <= len(up) <= fast * fast / accel / 2 + 1
        assert list(down) == list(reversed(up))


def test_a_ramp_never_slows_down():
    for speed, accel in ((30303, 1020000), (22222, 222817), (8000, 800000), (500, 1000)):
        up, _ = ramp(speed, accel)
        for i in range(len(up) - 1):
            assert up[i] >= up[i + 1]


class _Mechanics:
    ROLLER_STEPS_M = 25500
    CARD_LENGTH_UM = 63500


class _Edge:
    n = 2
    at = [306, 1925]


def test_windows_are_in_steps_of_the_roller():
    w = Window(_Mechanics, 3000)
    assert w.steps(12000) == 306
    assert w.near(306, 12000)
    assert w.near(306 + 76, 12000)
    assert not w.near(306 + 78, 12000)
    assert w.length(_Edge)
    _Edge.at = [306, 1925 + 78]
    assert not w.length(_Edge)
    _Edge.n = 3
    _Edge.at = [306, 1925]
    assert not w.length(_Edge)


class _Stepper:
    def __init__(self):
        self.flag = clock.Flag()
        self.ran = [0, 0, 0, 0]

    def run(self, reverse, m, k, period_us):
        self.ran = [reverse, m, k, period_us]


class _Lift:
    AXES = {"lift": (10000, 500000)}
    REACH = {"lift": 900}


class _Hal:
    mechanics = _Lift

    def collect(self):
        pass

    def stepper(self, name, up, down):
        self.made = _Stepper()
        return self.made


def _refused(axis, *move):
    try:
        axis.go(*move)
    except Limit as no:
        return str(no)
    return ""


async def _plan_moves():
    hal = _Hal()
    axis = Axis(hal, "lift")
    assert _refused(axis, 901) == "lift: 901 steps asked, 1 to 900 allowed"
    assert _refused(axis, 0) == "lift: 0 steps asked, 1 to 900 allowed"
    assert _refused(axis, 100, 0, 99) == "lift: a step in 99 us asked, 100 us is the limit"
    assert hal.made.ran == [0, 0, 0, 0]  # nothing has begun
    axis.go(900)
    reverse, m, k, period = hal.made.ran
    assert (reverse, m + m + k, period) == (0, 900, 100)
    assert axis.span_us == 2 * sum(axis.up) + k * 100
    axis.go(60, 1)
    assert hal.made.ran[:3] == [1, 30, 0]
    axis.go(500, 0, 400)
    assert hal.made.ran[3] == 400
    axis.held = True
    number = None
    try:
        axis.go(10)
    except Fault as fault:
        number = fault.number
    assert number == HELD, "a held axis has moved"


def test_a_move_beyond_a_limit_is_refused_with_limit_and_number():
    asyncio.run(_plan_moves())


def test_a_lane_that_will_write_is_not_kept_waiting_by_another():
    gate, passed = Gate(), []

    async def other():
        await gate.enter(1)
        passed.append("other")
        gate.leave()

    async def body():
        gate.keep(2)
        assert gate.wanted()
        waiting = asyncio.create_task(other())
        await gate.enter(2)
        gate.leave()
        await clock.sleep_ms(20)
        assert not passed
        await gate.close()  # at once: nobody is inside
        gate.open()
        gate.keep(0)
        await waiting
        assert passed == ["other"]

    asyncio.run(body())
