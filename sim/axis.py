"""An axis of the machine: a step motor and what hangs on it.

At the emulated depth every step edge arrives as `pulse()`. At the in-process depth a whole move
arrives as a `Profile`, and only the positions that something waits for become events.

A motor follows up to a speed and up to an acceleration; beyond either it falls out of step, stands
and hums. No axis of the reference machine has an end stop: the ejector's crank turns round, wheel
and rollers turn endlessly. A load against a mechanical stop is `block()`.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any, Protocol

from sim.profile import FAR, Profile, Swing
from sim.world import Handle, World

SAME_NS = 500  # between two gaps at one speed
STOOD_NS = 2_000_000  # so long without a step, and a motor that slipped holds again
REST_NS = 5_000_000  # so long without a step, and a motor that fell out starts anew


class Follower(Protocol):
    """A machine that runs beside this one and is told the same: sim/without.py."""

    names: tuple[str, ...]  # the plants that it is without

    def do(self, act: Callable[[Any], object]) -> None:
        """Let the same be done to the other machine."""
        ...

    def stood(self, axis: str) -> None:
        """Hear that an axis has ended a move."""
        ...


class Load(Protocol):
    """The part that an axis moves."""

    def moved(self) -> None:
        """The axis has reached a position that was watched, or its drivers came on or off."""
        ...


def _nobody() -> None:
    """Be told of the end of a move, and do nothing."""


class Axis:
    """Position in steps, and the two positions at which its load must be told."""

    def __init__(self, name: str, world: World) -> None:
        self.name = name
        self.world = world
        self.position = 0
        self.enabled = False  # it has current, and nothing blocks it
        self.powered = False
        self.blocked = False
        self.load: Load | None = None
        self.followers: list[Follower] = []
        self.lo = -FAR
        self.hi = FAR
        self.lost = 0
        self.free_steps_s2 = 0  # what slows its load when the motor lets go; 0: it stands at once
        self.overrun = 0  # steps that the load ran on when the motor stopped dead
        self.total = 0  # steps of the last move that ended by itself
        self.profile: Profile | None = None
        self.on_end: Callable[[], None] | None = None
        self.least_us = 0.0  # steps that follow each other quicker throw the motor out of step
        self.heavy_us = 0.0  # the same, by what drags at it
        self.pull_s = 0.0  # the acceleration that it follows, in parts of the speed; 0: any
        self._swing = Swing()
        self._gaps_ns = (0, 0)  # between the last step edges
        self._last_ns = -REST_NS  # of the last step edge
        self._stalled = False  # it stands and hums, until it is let rest
        self._idle = 0  # steps of this move when it lost its current, or came to a stop
        self._cap = FAR  # steps of this move that the motor follows
        self._slip = 0  # so many steps more are commanded and not made
        self._to_rest = False  # but none after it has stood
        self._slipped_ns = 0  # when the last of them was
        self._slip_at = 0  # the step of this move at which `_base` holds
        self._start_ns = 0
        self._sign = 1
        self._base = 0
        self._event: Handle | None = None
        self._telling = False

    # -- at the pins ---------------------------------------------------------------------------

    def pulse(self, reverse: bool) -> None:
        """One step edge."""
        if self.least_us:
            now = self.world.now_ns()
            gap, self._last_ns = now - self._last_ns, now
            self._gaps_ns = (gap, self._gaps_ns[0])
            if gap >= REST_NS:
                self._stalled = False
                self._swing.start(now / 1000)
            elif not self._stalled:
                s2 = self._swing.step(now / 1000)
                self._stalled = gap < self.least_us * 1000 - 500 or s2 > self.most_s2()
            if self._stalled:
                self.lost += 1
                return
        if self._slip and self._to_rest:
            before, self._slipped_ns = self._slipped_ns, self.world.now_ns()
            if self._slipped_ns - before > STOOD_NS:
                self._slip = 0
        if not self.enabled or self._slip:
            self.lost += 1
            self._slip -= bool(self._slip)
            return
        if reverse:
            self.position -= 1
            if self.position <= self.lo:
                self._tell()
        else:
            self.position += 1
            if self.position >= self.hi:
                self._tell()

    # -- whole moves ---------------------------------------------------------------------------

    def begin(self, profile: Profile, reverse: bool, on_end: Callable[[], None]) -> None:
        """Start a whole move."""
        self._tell_followers(lambda axis: axis.begin(profile, reverse, _nobody))
        self.profile = profile
        self.on_end = on_end
        self._sign = -1 if reverse else 1
        self._start_ns = self.world.now_ns()
        self._base, self._slip_at, self._slip = self.position, self._slip, 0
        self._cap, self._idle = self.follows(profile), 0
        self._plan()

    def steps(self) -> int:
        """Steps commanded so far in the present move."""
        if self.profile is None:
            return 0
        return self.profile.steps_at((self.world.now_ns() - self._start_ns) / 1000)

    def halt(self) -> int:
        """Make no further step; return the steps made."""
        self._tell_followers(lambda axis: axis.halt())
        return self.stop_dead()

    def stop_dead(self, cause: str = "") -> int:
        """Make no further step; not so in a machine beside this one that is without the cause."""
        for one in tuple(self.followers) if cause else ():
            if cause not in one.names:
                one.do(lambda machine: machine.axes[self.name].stop_dead())
        self.sync()
        done = self.steps()
        if self.free_steps_s2 and self.profile is not None:
            over = self.profile.speed(done) ** 2 // (2 * self.free_steps_s2)
            self.overrun += over
            self.position += self._sign * over
        if self.profile is not None:
            self._lose(done)
            self._slip = self._left(done)
        self.profile = None
        if self._event is not None:
            self._event.cancel()
            self._event = None
        return done

    def brake(self) -> None:
        """Ramp down from now."""
        self._tell_followers(lambda axis: axis.brake())
        if self.profile is not None:
            self.profile = self.profile.braked(max(self.steps(), 1))
            self._cap = min(self._cap, self.follows(self.profile))
            self._plan()

    def extend(self, profile: Profile) -> bool:
        """Go on up the ramp to the end of another move; not when it comes down already."""
        self._tell_followers(lambda axis: axis.extend(profile))
        if self.profile is None or self.steps() > self.profile.m:
            return False
        self.profile = profile
        self._cap = self.follows(profile)
        self._plan()
        return True

    def _tell_followers(self, act: Callable[[Axis], object]) -> None:
        for one in tuple(self.followers):
            one.do(lambda machine: act(machine.axes[self.name]))

    def unshared(self, nothing: Callable[[], None]) -> dict[int, Any]:
        """Return what a copy of this axis has of its own, by what it stands for (as deepcopy)."""
        own: dict[int, Any] = {id(self.on_end): nothing} if self.on_end is not None else {}
        return own if self._event is None else own | {id(self._event): None}

    def resume(self) -> None:
        """Go on with the present move, after this axis was copied."""
        for patched in ("begin", "stop_dead"):  # whoever listens there listens to the other one
            self.__dict__.pop(patched, None)
        if self.profile is not None:
            self._plan()

    def sync(self) -> None:
        """Bring the position up to the present."""
        if self.profile is not None and self.enabled:
            made = min(self.steps(), self._cap) - self._slip_at
            if made >= 0:
                self.position = self._base + self._sign * made

    def most_s2(self) -> float:
        """The acceleration that it follows: its torque is less by what its top speed is."""
        return self.pull_s * 1e6 / self.least_us if self.pull_s else inf

    def follows(self, profile: Profile, done: int = 1) -> int:
        """How many steps of this move it makes, when it has made so many already."""
        return profile.followed(self.least_us, done, self.most_s2() if self.least_us else inf)

    def follow(self, steps_s: float) -> None:
        """How quick a motor is followed by what it moves: its torque has changed."""
        self.least_us = max(1e6 / max(steps_s, 1.0), self.heavy_us)
        if self.profile is None:
            return
        self.sync()
        done = self.steps()
        if done <= self._cap:
            self._cap = self.follows(self.profile, done)
            if not self._telling:
                self._plan()

    def drag(self, least_us: float) -> None:
        """It has become heavy; not to be felt before its next move, where moves are whole."""
        self.heavy_us = least_us
        self.least_us = max(self.least_us, least_us)

    def gait(self) -> str:
        """What its motor draws current for: it stands, runs, or swings up or down a ramp."""
        if self.profile is not None:
            return "swings" if self.profile.ramps(self.steps()) else "runs"
        if self.world.now_ns() - self._last_ns >= REST_NS:
            return "stands"
        gap, before = self._gaps_ns
        return "swings" if abs(gap - before) > SAME_NS else "runs"

    def set_enabled(self, on: bool) -> None:
        """Drivers on or off: without current, steps are commanded and not made."""
        self.powered = on
        self._drive()

    def block(self, on: bool) -> None:
        """The load stands against a mechanical stop: steps are lost, and the position stands."""
        self.blocked = on
        self._drive()

    def _lose_idle(self, done: int) -> None:
        """Steps since it has no current, or stands against a stop."""
        self.lost += max(min(done, self._cap) - self._idle, 0)

    def _lose(self, done: int) -> None:
        """Steps of a move that has ended after so many."""
        if not self.enabled:
            self._lose_idle(done)
        self.lost += max(done - self._cap, 0)

    def _left(self, done: int) -> int:
        """Steps that are lost in the next move."""
        return 0 if self._to_rest else max(self._slip_at - done, 0)

    def slip(self, steps: int, to_rest: bool = False) -> None:
        """The motor loses the next so many steps; to_rest: those of this move alone."""
        self.sync()
        self.lost += steps
        self._to_rest, self._slipped_ns = to_rest, self.world.now_ns()
        if self.profile is None:
            self._slip = steps
        else:
            self._base = self.position
            self._slip_at = self.steps() + steps
            if not self._telling:
                self._plan()

    def _drive(self) -> None:
        on = self.powered and not self.blocked
        if on == self.enabled:
            return
        self.sync()
        if self.profile is not None:
            done = self.steps()
            if on:
                self._lose_idle(done)
                self._base, self._slip_at = self.position, done
            self._idle = done
        self.enabled = on
        if not self._telling:
            self._tell()

    # -- for the load --------------------------------------------------------------------------

    def watch(self, lo: int, hi: int) -> None:
        """Tell the load at or below lo, at or above hi."""
        self.lo, self.hi = lo, hi
        if not self._telling and self.profile is not None:
            self._plan()

    def _tell(self) -> None:
        if self.load is not None:
            self._telling = True
            self.load.moved()
            self._telling = False
        if self.profile is not None:
            self._plan()

    def _plan(self) -> None:
        """Schedule the next thing that happens in this move."""
        profile = self.profile
        assert profile is not None
        if self._event is not None:
            self._event.cancel()
        target = self.hi if self._sign > 0 else self.lo
        n = (target - self._base) * self._sign + self._slip_at
        if self.enabled and n <= min(profile.total, self._cap):
            us, then = profile.edge_us(max(n, 1)), self._reached
        else:
            us, then = profile.sum_us(profile.total), self._ended
        self._event = self.world.at(max(self._start_ns + us * 1000, self.world.now_ns()), then)

    def _reached(self) -> None:
        self._event = None
        self.sync()
        self._tell()

    def _ended(self) -> None:
        self._event = None
        self.sync()
        if self.profile is not None:
            self.total = self.profile.total
            self._lose(self.total)
            self._slip = self._left(self.total)
        self.profile = None
        for one in tuple(self.followers):
            one.stood(self.name)
        end, self.on_end = self.on_end, None
        if end is not None:
            end()
